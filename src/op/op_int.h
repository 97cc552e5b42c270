/* SPDX-License-Identifier: Apache-2.0 */
/* What the operators share: batches seen through another selection, copying of rows between
 * batches, the builder of output batches, keys of state. Private to op/.
 *
 * Threads: everything here belongs to the task that owns the operator. */
#ifndef WR_OP_OP_INT_H
#define WR_OP_OP_INT_H

#include "expr/expr.h"
#include "op/op.h"

#define WRI_NOMEM(ctx) wr_raise((ctx), WR_NOMEM, "out of memory")

/* ---- batches ---- */
/* A batch with the columns, kinds and rows of `in`, which it keeps (the reference moves), and no
 * selection yet. NULL: out of memory (`in` released). */
wr_batch *wri_batch_view(wr_op *op, wr_batch *take_in) WR_MUST_USE;
/* `in` narrowed to the live rows whose kind is in `kinds` (a set of 1 << wr_kind); the same batch
 * when all are. */
wr_status wri_batch_keep_kinds(wr_ctx *ctx, wr_op *op, wr_batch *take_in, uint8_t kinds,
                               wr_batch **out) WR_MUST_USE;
/* `in` as rows 0..n-1 without a selection; the same batch when it has none. */
wr_status wri_batch_dense(wr_ctx *ctx, wr_op *op, wr_batch *take_in, wr_batch **out) WR_MUST_USE;
wr_status wri_watermark_swallow(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *out,
                                int64_t *forward);

/* ---- programs: NULL-safe compile and close ---- */
wr_status wri_compile(wr_ctx *ctx, wr_op *op, wr_expr *const *exprs, uint32_t n,
                      wr_program **out) WR_MUST_USE;
wr_status wri_compile_cond(wr_ctx *ctx, wr_op *op, wr_expr *cond, wr_program **out) WR_MUST_USE;

/* ---- the operators ---- */
extern const wr_op_ops wri_values_ops, wri_calc_ops, wri_watermark_ops, wri_union_ops,
    wri_limit_ops, wri_drop_before_ops, wri_sink_ops, wri_collect_ops;

#endif
