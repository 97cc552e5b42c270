/* SPDX-License-Identifier: Apache-2.0 */
/* OVER windows: what the operators of streaming and batch share. Private to over*.c.
 *
 * The calls of a window are aggregates of a made-up GROUP_AGG node over a made-up CALC node that
 * adds the constants to the input's columns; so accumulators, their tables and their names are
 * those of group aggregates (agg_int.h). ROW_NUMBER counts rows, LAG is an aggregate of its own. */
#ifndef WR_OP_OVER_INT_H
#define WR_OP_OVER_INT_H

#include "op/agg_int.h"
#include "plan/over.h"

typedef struct wri_over_head { /* head of a partition's record */
    int64_t last;              /* time of the rows that came out last; 0: none did */
    int64_t count;             /* rows in a frame of ROWS */
    uint64_t next_seq;
    int64_t clean_at; /* a timer is set for this time; 0: none is */
} wri_over_head;

typedef struct wri_over_calls { /* the calls of one window */
    const wr_over_spec *spec;
    const wr_over_window *window;
    wr_op inner; /* stands for the made-up node */
    wri_aggs aggs;
    uint32_t width;   /* columns of the input */
    uint32_t columns; /* with the constants behind them */
    wr_vec *constants;
} wri_over_calls;

/* Makes the node and opens the accumulators. `retract`: values leave the frame; `number`: of the
 * window, where there are several. */
wr_status wri_over_calls_open(wr_ctx *ctx, wr_op *op, const wr_over_window *window, bool retract,
                              bool ttl, uint32_t number, wri_over_calls *out) WR_MUST_USE;
/* The rows of `in`, which has no selection, as the accumulators see them; lives in `arena`. */
wr_batch *wri_over_view(const wri_over_calls *c, const wr_batch *in, wr_arena *arena);

/* over_lag.c */
wr_status wri_over_lag(wr_ctx *ctx, wr_arena *a, const wr_over_call *call, const wr_over_spec *spec,
                       uint32_t width, wr_agg_bound *out) WR_MUST_USE;

/* ---- rows that wait for their time (over_wait.c) --------------------------------------------- */
typedef struct wri_wait_group { /* one key group */
    int64_t first;              /* time of its earliest row */
    uint32_t slot;              /* WR_SLOT_NONE: none made */
    uint32_t place;             /* in the heap, + 1; 0: it has no rows */
} wri_wait_group;
typedef struct wri_wait {
    wr_op *op;
    wr_state_table *groups_table, *rows;
    uint32_t kg_first, kg_count;
    wri_wait_group *groups;
    uint32_t *heap, heap_count; /* groups that have rows, earliest on top */
    uint32_t width;
    uint32_t *all_cols;
    wr_arena *scratch;
} wri_wait;
/* Time of the earliest row; INT64_MAX: there is none. */
WR_ALWAYS_INLINE int64_t
wri_wait_first(const wri_wait *w)
{
    return w->heap_count ? w->groups[w->heap[0]].first : INT64_MAX;
}
wr_status wri_wait_open(wr_ctx *ctx, wr_op *op, wri_wait *out) WR_MUST_USE;
void wri_wait_close(wri_wait *w);
wr_status wri_wait_restore(wr_ctx *ctx, wri_wait *w) WR_MUST_USE;
/* Rows of `in` (no selection) with keep[i] wait until times[i]. */
wr_status wri_wait_put(wr_ctx *ctx, wri_wait *w, const wr_batch *in, const wr_keys *keys,
                       const int64_t *times, const bool *keep) WR_MUST_USE;
/* The next rows whose time is at most `limit`, by time, then key, then arrival; into the first
 * columns of `out` (made here). At least `want` while there are; all rows of one key and time come
 * together: last[i] is the last of them. 0 rows: nothing is due. */
wr_status wri_wait_take(wr_ctx *ctx, wri_wait *w, int64_t limit, uint32_t want, wr_batch *out,
                        wr_arena *arena, int64_t **times, uint32_t **last,
                        uint32_t *count) WR_MUST_USE;

#endif
