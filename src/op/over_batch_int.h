/* SPDX-License-Identifier: Apache-2.0 */
/* OVER_AGG in batch: whole partitions at once. Private to over_batch.c, over_frame.c, over_func.c,
 * over_slide.c. */
#ifndef WR_OP_OVER_BATCH_INT_H
#define WR_OP_OVER_BATCH_INT_H

#include "op/over_int.h"

typedef struct wri_parts { /* whole partitions, sorted */
    wr_batch *rows;        /* flat columns of the input, then one column a call */
    uint32_t n;
    const uint32_t *starts; /* of the partitions; starts[count] = n */
    uint32_t count;
    wr_arena *scratch;
    uint32_t width;
    const wr_vec *constants;
} wri_parts;

typedef struct wri_frames { /* of one window, per row */
    const wr_over_window *window;
    uint32_t *lo, *hi;           /* rows lo..hi-1 */
    uint32_t *peer_lo, *peer_hi; /* the rows that are equal in the order */
    bool whole;                  /* every frame is its partition */
    bool grows;                  /* lo is the partition's start */
} wri_frames;

/* over_frame.c */
wr_status wri_frames_find(wr_ctx *ctx, const wri_parts *p, const wr_over_window *w,
                          const wr_over_spec *spec, wri_frames *out) WR_MUST_USE;

/* over_func.c: the call's column without accumulators; *done = false: it needs them. */
wr_status wri_over_direct(wr_ctx *ctx, const wri_parts *p, const wri_frames *f,
                          const wr_over_call *call, wr_vec *out, bool *done) WR_MUST_USE;
bool wri_over_is_direct(const wri_parts *p, const wr_over_window *w, const wr_over_call *call);
/* Argument `i` of the call: a column of the rows or a constant. */
const wr_vec *wri_over_arg(const wri_parts *p, const wr_over_call *call, uint32_t i);

/* over_slide.c: the calls of `c` into outs, one column each. */
wr_status wri_over_slide(wr_ctx *ctx, const wri_parts *p, const wri_frames *f, wri_over_calls *c,
                         wr_vec *const *outs) WR_MUST_USE;

#endif
