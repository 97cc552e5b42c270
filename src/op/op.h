/* SPDX-License-Identifier: Apache-2.0 */
/* Physical operators: the vtable that carries out a node of a plan.
 *
 * One file per operator; what they share is in op_int.h. Operators hold their own state in the
 * struct that the runtime places in the task's arena, and keyed state in tables of the task's state
 * backend. SCAN and EXCHANGE have no operator: they belong to the runtime. */
#ifndef WR_OP_OP_H
#define WR_OP_OP_H

#include "plan/plan.h"
#include "spi/operator.h"
#include "state/state.h"

/* The operator of a node; NULL for SCAN and EXCHANGE. Never fails otherwise: what cannot be carried
 * out is refused by the operator's open. In debug builds the result is decorated with the contract
 * checks of check.c. */
const wr_op_ops *wr_op_ops_of(const struct wr_pnode *node);
/* The same without and with contract checks, whatever the build. */
const wr_op_ops *wr_op_plain_ops_of(const struct wr_pnode *node);
const wr_op_ops *wr_op_checked_ops_of(const struct wr_pnode *node);

/* The tables that the operator of a node opens in streaming mode, in `a`. thread: any */
wr_status wr_op_tables(wr_ctx *ctx, wr_arena *a, const struct wr_pnode *node,
                       const wr_eval_env *eval, const wr_config *config, wr_state_table_info **out,
                       uint32_t *count) WR_MUST_USE;

#endif
