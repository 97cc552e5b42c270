/* SPDX-License-Identifier: Apache-2.0 */
/* Windows: table functions that assign rows to them, and nodes whose rows carry one. Times are
 * milliseconds since the epoch; for TIMESTAMP_LTZ windows are aligned, and start and end shown, in
 * the session's time zone. */
#ifndef WR_PLAN_WINDOW_H
#define WR_PLAN_WINDOW_H

#include "plan/rel.h"

typedef enum wr_window_kind {
    WR_WINDOW_TUMBLE,
    WR_WINDOW_HOP,
    WR_WINDOW_CUMULATE,
    WR_WINDOW_SESSION
} wr_window_kind;

typedef struct wr_window_spec {
    uint8_t kind;         /* wr_window_kind */
    int64_t size_ms;      /* CUMULATE: the longest; SESSION: the gap */
    int64_t slide_ms;     /* HOP: slide; CUMULATE: step; TUMBLE: the size */
    int64_t offset_ms;    /* may be negative */
    bool rowtime;         /* event time; else processing time */
    const wr_type *time;  /* type of the time column, for labels and window_time */
    bool table;           /* its input is TABLE t, for EXPLAIN */
    bool grouped;         /* written as GROUP BY TUMBLE(...) */
    uint32_t at;          /* ... by its place among the keys */
    bool asked;           /* ... and TUMBLE_START(...) or the like is asked for */
    const uint32_t *keys; /* SESSION: PARTITION BY, columns of the input */
    uint32_t key_count;
    const wr_expr *const *lengths; /* as written, for EXPLAIN */
    uint32_t length_count;
} wr_window_spec;

/* How a node comes by the windows of its input's rows: it assigns them (time_col >= 0), or the rows
 * carry start and end in columns. */
typedef struct wr_windowing {
    wr_window_spec spec;
    int32_t time_col;
    int32_t start_col, end_col, window_time_col; /* -1: there is no such column */
    /* Behind a join by windows the right side's columns, which say the same: column + 1, 0 = none.
     */
    uint32_t other_start, other_end, other_time;
} wr_windowing;

/* Windows of GROUP BY that come out before they are over, and again for rows that come late. */
typedef struct wr_window_emit {
    int64_t early_ms;    /* -1: not early; 0: with every row; else so often, by processing time */
    int64_t late_ms;     /* the same once the window is over */
    int64_t lateness_ms; /* for so long rows are taken then */
} wr_window_emit;

typedef enum wr_window_prop { /* columns that a window gives */
                              WR_WINDOW_START,
                              WR_WINDOW_END,
                              WR_WINDOW_ROWTIME, /* end - 1 ms, an event-time attribute */
                              WR_WINDOW_PROCTIME
} wr_window_prop;

#endif
