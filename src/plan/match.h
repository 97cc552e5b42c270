/* SPDX-License-Identifier: Apache-2.0 */
/* MATCH_RECOGNIZE: patterns over the rows of a partition in the order of time.
 *
 * Conditions and measures are expressions over *references*: column i of their row is reference i
 * of their list, a value that the rows matched so far (and the row being looked at) have. What
 * references want of a row is computed once per row: the *kept* columns. */
#ifndef WR_PLAN_MATCH_H
#define WR_PLAN_MATCH_H

#include "plan/rel.h"

#define WR_MATCH_VARS_MAX   64u
#define WR_MATCH_STATES_MAX 10000u
#define WR_MATCH_ALL        UINT64_MAX /* the rows of every variable */

typedef enum wr_match_ref_kind {
    WR_MATCH_CURRENT, /* column `col` of the input: of the row being looked at */
    WR_MATCH_FIRST,   /* kept column `col` of the row `offset` behind the first of `vars` */
    WR_MATCH_LAST,    /* of the row `offset` before the last one */
    WR_MATCH_AGG,     /* `agg` over the kept columns of the rows of `vars` */
    WR_MATCH_ROWTIME, /* time of the row with which the match comes out */
    WR_MATCH_PROCTIME /* processing time, when the match comes out */
} wr_match_ref_kind;

typedef struct wr_match_ref {
    uint8_t kind;  /* wr_match_ref_kind */
    uint64_t vars; /* set of variables; WR_MATCH_ALL = all, 0 = none (a SUBSET, as in Flink) */
    uint32_t col, offset;
    wr_agg_bound agg;
    const wr_type *type;
    wr_str text, plan_text; /* as the syntax tree and the plans print it */
} wr_match_ref;

typedef struct wr_match_elem { /* one variable of the pattern, in order */
    wr_str name;
    int64_t min, max; /* max -1 = unbounded */
    bool quantified, reluctant;
    wr_expr *cond;   /* over `define_refs`; NULL = TRUE */
    bool needs_path; /* the condition asks for other rows than the one being looked at */
} wr_match_elem;

typedef enum wr_match_skip {
    WR_MATCH_SKIP_NEXT_ROW,
    WR_MATCH_SKIP_PAST_LAST,
    WR_MATCH_SKIP_FIRST,
    WR_MATCH_SKIP_LAST
} wr_match_skip;

typedef struct wr_match_def { /* as written, for plans: also of variables that are not in the
                                 pattern */
    wr_str name;
    wr_expr *cond;
} wr_match_def;

/* WR_REL_MATCH, WR_P_MATCH. Schema: partition columns, then measures. */
typedef struct wr_match_spec {
    const uint32_t *partition; /* columns of the input */
    uint32_t partition_count;
    const wr_order_key *order; /* of the input; the first one is the time */
    uint32_t order_count;
    wr_timeattr time;
    const wr_match_elem *elems;
    uint32_t elem_count;
    const wr_match_ref *define_refs, *measure_refs;
    uint32_t define_ref_count, measure_ref_count;
    wr_expr **measures; /* over `measure_refs` */
    uint32_t measure_count;
    wr_expr **kept; /* over the input */
    uint32_t kept_count;
    uint8_t skip;      /* wr_match_skip */
    int32_t skip_elem; /* -1: a variable that has no rows */
    wr_str skip_name;  /* of FIRST and LAST */
    int64_t within_ms; /* 0 = no limit */
    wr_expr *within;   /* the interval as written; NULL = none */
    bool strict_start, strict_end;
    wr_str pattern, subsets, subset_sets; /* as plans print them */
    const wr_match_def *defs;
    uint32_t def_count;
    wr_span span;
} wr_match_spec;

#endif
