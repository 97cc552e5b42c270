/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that carry their window in columns and wait until it is over: what window joins, window
 * Top-N and window deduplication share.
 *
 *   value table "groups"   key: the key columns, [start of the window, for sessions,] its end;
 *                          record: the operator's
 *   value table "windows"  which groups each open window has (window_open.c)
 *
 * Rows of windows that are over are late and dropped. When the watermark passes the end of a window
 * its groups are read, some at a time; what the operator has not let out of them stays valid while
 * it is pending. Event time only, as in Flink. */
#ifndef WR_OP_WINDOW_ROWS_INT_H
#define WR_OP_WINDOW_ROWS_INT_H

#include "op/window_agg_int.h"

typedef struct wri_window_input { /* how rows of an input are told */
    wri_keyspec keys;             /* columns of the input */
    wri_keyspec in_window;        /* the same and the window's, behind the columns of the input */
    uint32_t width;               /* columns of the input */
    uint32_t start_col, end_col;
    uint32_t *all_cols;
} wri_window_input;

typedef struct wri_window_rows {
    wr_op *op;
    wri_windows w;
    wri_window_input input[2];
    bool has_start; /* sessions: the end does not tell the start */
    wr_state_table *groups;
    wri_open open;
    int64_t watermark;
    bool reading;               /* a window: its groups come by wri_window_rows_more */
    uint32_t *slots, count, at; /* the groups read last; those before `at` are done */
    wr_arena *scratch;          /* for the rows being taken in, or the groups read last */
} wri_window_rows;

typedef struct wri_window_taken { /* rows of a batch whose windows are open */
    wr_batch rows;                /* the columns of the input, then the window's; its live rows */
    uint32_t n;
    uint32_t *slots;       /* of each one's group */
    const uint64_t *fresh; /* whose group was made for it */
} wri_window_taken;

/* `columns[k]`: the key columns of input k. `record`: of a group; parts whose schema is NULL and
 * that are PLAIN are taken as they are. Close in any case. */
wr_status wri_window_rows_open(wr_ctx *ctx, wr_op *op, const uint32_t *const *columns,
                               uint32_t column_count, const wr_state_desc *record,
                               wri_window_rows *out) WR_MUST_USE;
void wri_window_rows_close(wri_window_rows *r);
wr_status wri_window_rows_snapshot(wr_ctx *ctx, const wri_window_rows *r,
                                   wr_opstate *out) WR_MUST_USE;
wr_status wri_window_rows_restore(wr_ctx *ctx, wri_window_rows *r,
                                  const wr_opstate *in) WR_MUST_USE;
/* Everything in `out` lies in the scratch arena, which is reset, or in `in`. */
wr_status wri_window_rows_take(wr_ctx *ctx, wri_window_rows *r, uint32_t input, const wr_batch *in,
                               wri_window_taken *out) WR_MUST_USE;
/* The groups read last are done and go; the next ones of windows that are over by now. None
 * (r->count 0): there are no more. */
wr_status wri_window_rows_more(wr_ctx *ctx, wri_window_rows *r) WR_MUST_USE;

#endif
