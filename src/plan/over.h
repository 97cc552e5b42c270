/* SPDX-License-Identifier: Apache-2.0 */
/* OVER windows: functions over rows around a row of the same partition, and what becomes of
 * ROW_NUMBER() when only the first rows of a partition are asked for: Top-N and deduplication. */
#ifndef WR_PLAN_OVER_H
#define WR_PLAN_OVER_H

#include "plan/rel.h"

typedef enum wr_over_bound_kind {
    WR_OVER_UNBOUNDED_PRECEDING,
    WR_OVER_PRECEDING,
    WR_OVER_CURRENT_ROW,
    WR_OVER_FOLLOWING,
    WR_OVER_UNBOUNDED_FOLLOWING
} wr_over_bound_kind;

typedef struct wr_over_bound { /* one end of a frame */
    uint8_t kind;              /* wr_over_bound_kind */
    int64_t offset;            /* ROWS: rows; RANGE over a time: ms, or months when `months` */
    bool months;
    const wr_expr *range; /* RANGE over numbers: a constant of the order column's type; else NULL */
} wr_over_bound;

typedef struct wr_over_call {
    const wr_fn *fn;      /* WR_FN_AGGREGATE or WR_FN_WINDOW */
    wr_agg_bound agg;     /* aggregates; its args are those below */
    const uint32_t *args; /* columns of the input; behind them the constants of the spec */
    uint32_t arg_count;
    const wr_type *type; /* of the column that it makes */
    wr_span span;
} wr_over_call;

typedef struct wr_over_window { /* calls over the same rows */
    const uint32_t *partition;
    uint32_t partition_count;
    const wr_order_key *order;
    uint32_t order_count;
    bool rows; /* ROWS; else RANGE */
    wr_over_bound lower, upper;
    wr_timeattr time; /* of the first order column: event, processing or no time */
    wr_over_call *calls;
    uint32_t call_count;
    wr_span span;
} wr_over_window;

typedef struct wr_over_rank { /* only rows with numbers first..last are asked for */
    int64_t first, last;
    int32_t last_col; /* the last number is in this column of the input; -1: a constant */
    bool number;      /* the number is a column, the last one */
} wr_over_rank;

/* WR_REL_OVER, WR_P_OVER_AGG. Schema: the input's columns, then one column a call, window after
 * window. */
typedef struct wr_over_spec {
    wr_over_window *windows;
    uint32_t window_count;
    const wr_over_rank *rank; /* a rule has made it a Top-N: one window with ROW_NUMBER; or NULL */
    wr_expr **constants;      /* literals: argument `width of the input + i` is constants[i] */
    uint32_t constant_count;
    int64_t ttl_ms;              /* physical: of what is kept without a bound of time */
    bool generate_update_before; /* physical */
    bool sorted;                 /* physical, batch: the input is sorted by partition and order */
    const wr_str *names; /* physical, for EXPLAIN: of columns names_from.., NULL = their own */
    uint32_t names_from;
    bool computed; /* as bound: the input is a projection that only adds operands to a row */
} wr_over_spec;

#endif
