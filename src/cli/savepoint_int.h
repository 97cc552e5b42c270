/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the command: what `weir savepoint` consists of. */
#ifndef WR_CLI_SAVEPOINT_INT_H
#define WR_CLI_SAVEPOINT_INT_H

#include "cli/cli_int.h"
#include "state/state.h"

wr_status wri_savepoint_diff(wr_ctx *ctx, const wri_args *args, wr_arena *a) WR_MUST_USE;

/* The report of inspect. */
void wri_savepoint_text(const wr_ckpt_meta *m, bool verified, wr_text *t);
void wri_savepoint_json(const wr_ckpt_meta *m, bool verified, wr_text *t);
/* What dispose has done. */
void wri_savepoint_disposed_text(const wr_ckpt_disposed *d, wr_text *t);
void wri_savepoint_disposed_json(const wr_ckpt_disposed *d, wr_text *t);
wr_status wri_savepoint_print(wr_ctx *ctx, wr_str text) WR_MUST_USE; /* standard output */

/* What an operator keeps, all subtasks together: a table of the same id in several of them once. */
typedef struct wri_kept_table {
    const wr_state_table_info *info;
    const wr_state_handle *of; /* the handle it is in first */
    uint64_t entries;
} wri_kept_table;
typedef struct wri_kept_list {
    const wr_opstate_list *list;
    uint64_t items, bytes;
} wri_kept_list;
typedef struct wri_kept_op {
    const wr_ckpt_operator *op;
    wri_kept_table *tables;
    uint32_t table_count;
    wri_kept_list *lists;
    uint32_t list_count;
    uint64_t bytes, new_bytes, inflight_bytes;
    uint32_t files, finished, keyed; /* keyed: subtasks with keyed state */
    wr_str format;                   /* of the first; empty: none */
} wri_kept_op;
bool wri_kept_op_sum(wr_arena *a, const wr_ckpt_operator *op, wri_kept_op *out); /* false: memory */

#endif
