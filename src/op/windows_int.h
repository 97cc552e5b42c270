/* SPDX-License-Identifier: Apache-2.0 */
/* Windows on a time line: which windows a time lies in, when a window closes. Windows are numbered
 * by their ends in the clock of the session's zone (`local`): for TIMESTAMP that is the value
 * itself, for TIMESTAMP_LTZ and processing time the wall clock, so that days begin at midnight
 * there and may have 23 or 25 hours. */
#ifndef WR_OP_WINDOWS_INT_H
#define WR_OP_WINDOWS_INT_H

#include "op/op_int.h"
#include "plan/window.h"
#include "types/datetime.h"

typedef struct wri_windows {
    const wr_windowing *how;
    const wr_tz *tz; /* NULL: local times are as they are */
} wri_windows;

void wri_windows_init(wri_windows *w, const wr_op *op, const wr_windowing *how);

WR_ALWAYS_INLINE int64_t
wri_windows_local(const wri_windows *w, int64_t time)
{
    return w->tz ? wr_tz_to_local(w->tz, time) : time;
}
/* The time (of the watermark, or of the clock) at which a window with this end is over. */
int64_t wri_windows_closes(const wri_windows *w, int64_t end);
/* window_time: the last millisecond that is in it, as a value of the time column's type. */
int64_t wri_windows_last(const wri_windows *w, int64_t end);
/* The first and the last end of the windows that a local time lies in; all between, every slide_ms,
 * are too. False: it lies in none. */
bool wri_windows_ends(const wr_window_spec *s, int64_t local, int64_t *first, int64_t *last);
/* The start of the window with this end that `local` lies in. */
int64_t wri_windows_start(const wr_window_spec *s, int64_t local, int64_t end);

/* The end of the last window that a slice with this end is part of. */
int64_t wri_windows_last_end(const wr_window_spec *s, int64_t slice_end);

/* ---- the watermark in checkpoints ------------------------------------------------------------ */
/* A number that every subtask keeps: its own, or at another parallelism the lowest, for rows of any
 * of them may come to any. *out stays when there is none. */
wr_status wri_watermark_back(wr_ctx *ctx, const wr_op *op, const wr_opstate *in, const char *name,
                             int64_t *out) WR_MUST_USE;

/* Milliseconds of entry `row` of a column of times. */
WR_ALWAYS_INLINE int64_t
wri_time_at(const wr_vec *v, const wr_view *view, uint32_t row)
{
    return v->phys == WR_PHYS_TS ? WR_VIEW(view, wr_ts, row).ms : WR_VIEW(view, int64_t, row);
}
/* The same, written to a FLAT column. */
WR_ALWAYS_INLINE void
wri_time_set(wr_vec *v, uint32_t row, int64_t ms)
{
    if (v->phys == WR_PHYS_TS)
        ((wr_ts *)v->data)[row] = wr_ts_of(ms, 0);
    else
        ((int64_t *)v->data)[row] = ms;
}

#endif
