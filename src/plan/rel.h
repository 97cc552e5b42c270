/* SPDX-License-Identifier: Apache-2.0 */
/* Logical relations: what the binder makes of a query and the logical rules rewrite. Nodes live in
 * the statement arena; a rule makes new nodes, it does not change shared ones. Columns are numbered
 * 0.. in `schema`; join conditions and join outputs number the right input's columns after the
 * left's. */
#ifndef WR_PLAN_REL_H
#define WR_PLAN_REL_H

#include "catalog/catalog.h"
#include "expr/expr.h"
#include "spi/connector.h"

typedef enum wr_rel_kind {
    WR_REL_SCAN, /* a table: computed columns and watermark are PROJECT and WATERMARK nodes above it
                  */
    WR_REL_VALUES, /* constant rows (expressions without columns) */
    WR_REL_PROJECT,
    WR_REL_FILTER,
    WR_REL_JOIN,
    WR_REL_AGGREGATE, /* also DISTINCT (no aggregates) */
    WR_REL_SETOP,
    WR_REL_SORT,       /* ORDER BY, OFFSET, FETCH: any of them */
    WR_REL_CORRELATE,  /* input x table function of its row: UNNEST, LATERAL TABLE(f(...)) */
    WR_REL_WATERMARK,  /* WATERMARK FOR col AS expr */
    WR_REL_OVER,       /* window functions appended as columns (plan/over.h) */
    WR_REL_WINDOW_TVF, /* TUMBLE, HOP, CUMULATE, SESSION (plan/window.h) */
    WR_REL_MATCH,      /* MATCH_RECOGNIZE (plan/match.h) */
    WR_REL_CHANGELOG,  /* FROM_CHANGELOG, TO_CHANGELOG (plan/changelog_fn.h) */
    WR_REL_EXPAND,     /* one row per grouping set */
    WR_REL_SINK
} wr_rel_kind;

typedef enum wr_join_type {
    WR_JOIN_INNER,
    WR_JOIN_LEFT,
    WR_JOIN_RIGHT,
    WR_JOIN_FULL,
    WR_JOIN_SEMI,
    WR_JOIN_ANTI
} wr_join_type;

typedef enum wr_setop_kind { WR_SETOP_UNION, WR_SETOP_INTERSECT, WR_SETOP_EXCEPT } wr_setop_kind;

typedef struct wr_order_key {
    uint32_t col;
    bool desc, nulls_last;
} wr_order_key;

/* Sub-kinds of WR_EX_SUBQUERY (wr_expr.sub); args[0] is the left operand of IN and quantified
 * comparisons. */
typedef enum wr_subquery_kind {
    WR_SUBQ_SCALAR,
    WR_SUBQ_EXISTS,
    WR_SUBQ_IN,
    WR_SUBQ_ANY,
    WR_SUBQ_ALL,
    WR_SUBQ_ARRAY,
    WR_SUBQ_MULTISET,
    WR_SUBQ_MAP
} wr_subquery_kind;

typedef enum wr_hint_kind { WR_HINT_JOIN, WR_HINT_TTL, WR_HINT_LOOKUP } wr_hint_kind;

typedef struct wr_rel_hint { /* a hint after SELECT, for EXPLAIN */
    uint8_t kind;            /* wr_hint_kind */
    wr_str name, text;       /* BROADCAST, "options:[t]" */
} wr_rel_hint;

typedef struct wr_rel wr_rel;
struct wr_rel {
    uint8_t kind; /* wr_rel_kind */
    wr_schema schema;
    wr_rel **inputs;
    uint32_t input_count;
    wr_span span;
    wr_str alias; /* name of the table reference, for hints and messages; may be empty */
    bool block;   /* what a SELECT gives: hints around it do not reach into it */
    const wr_rel_hint *hints; /* of that SELECT */
    uint32_t hint_count;
    union {
        struct {
            const wr_table_desc *table;
            wr_options options; /* merged with the OPTIONS hint */
            const wr_source_ops *source;
            wr_source_info info;
            const int32_t *physical;     /* per schema column: physical index or -1 */
            const char *const *metadata; /* per schema column: metadata key or NULL */
            wr_pushed_filter *filters;   /* pushed down by rules */
            uint32_t filter_count;
            int64_t limit; /* -1 = none */
            wr_str named;  /* what the statement calls it; empty inside a view */
        } scan;
        struct {
            wr_expr ***rows; /* [row][column] */
            uint32_t row_count;
        } values;
        struct {
            wr_expr **exprs; /* schema.count of them */
            bool plain;      /* made by pruning: known columns are read all the same */
            bool coerced;    /* casts of a set operation, which nobody wrote */
            bool placed;     /* made by an INSERT: the columns of its list, casts */
            bool calls;      /* the list of a SELECT directly over its calls with OVER */
        } project;
        struct {
            wr_expr *cond;
            bool projected; /* a projection of all columns was above */
        } filter;
        struct {
            uint8_t type;    /* wr_join_type; SEMI and ANTI give the left columns */
            wr_expr *cond;   /* over left ++ right; NULL = TRUE */
            bool null_aware; /* ANTI of NOT IN: three-valued */
            bool lateral; /* right input refers to the left by WR_EX_OUTER (before decorrelation) */
            const char *hint;  /* query hint, NULL if none */
            int64_t ttl_ms[2]; /* STATE_TTL hint per side, -1 = none */
            bool regular;      /* known to be no interval join: its time attributes have ended */
            wr_expr *temporal; /* FOR SYSTEM_TIME AS OF: a time of the left row; NULL = none */
            const struct wr_lookup_hint *lookup; /* NULL = none */
            bool takes_left; /* nothing is between it and a join on its left: together they may be
                                one multi-way join */
        } join;
        struct {
            uint32_t *keys; /* grouping columns */
            uint32_t key_count;
            wr_agg_bound *aggs;
            uint32_t agg_count;
            int64_t ttl_ms; /* STATE_TTL hint, -1 = none */
            bool at_end; /* no keys: over input that ends without a row, streaming has a row too */
        } agg;           /* schema: keys, then aggregates */
        const struct wr_over_spec *over; /* schema: the input's columns, then one a call */
        struct {
            const struct wr_window_spec *spec;
            uint32_t time_col;
        } tvf;                             /* schema: the input's, window_start, window_end,
                                              window_time */
        const struct wr_match_spec *match; /* schema: partition columns, then measures */
        const struct wr_changelog_spec *changelog;
        struct {
            uint8_t op; /* wr_setop_kind */
            bool all;
        } setop;
        struct {
            wr_order_key *keys;
            uint32_t key_count;
            int64_t offset, fetch; /* fetch -1 = no limit */
        } sort;
        struct {
            uint8_t type;  /* INNER or LEFT */
            wr_expr *call; /* CALL of a table function over the input's columns */
            wr_expr *cond; /* ON condition over input ++ function columns, or NULL */
        } correlate;       /* schema: input ++ function columns */
        struct {
            uint32_t col;
            wr_expr *expr;
        } watermark;
        struct {
            wr_expr ***rows; /* [set][column]: projections as Expand has them */
            uint32_t set_count;
        } expand;
        struct {
            const wr_table_desc *table;
            wr_options options;
            const wr_sink_ops *sink;
            wr_sink_spec spec;
            uint8_t on_conflict;    /* wr_on_conflict */
            const uint32_t *target; /* columns of an INSERT's column list, as written */
            uint32_t target_count;
        } sink;
    } u;
};

typedef enum wr_on_conflict {
    WR_CONFLICT_NONE,
    WR_CONFLICT_NOTHING,
    WR_CONFLICT_ERROR,
    WR_CONFLICT_DEDUPLICATE
} wr_on_conflict;

#endif
