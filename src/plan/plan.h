/* SPDX-License-Identifier: Apache-2.0 */
/* The planner: from syntax trees to an immutable physical plan, and EXPLAIN.
 *
 * Steps: bind (names, types) -> logical rules (rel.h) -> physical nodes with changelog mode, upsert
 * keys, distribution, state growth -> plan. Files: bind_*.c, rule_*.c, phys_*.c, explain_*.c,
 * ddl_*.c. The plan is read-only and shared by all tasks; operators (op/) are made from its nodes.
 */
#ifndef WR_PLAN_PLAN_H
#define WR_PLAN_PLAN_H

#include "plan/rel.h"
#include "sql/sql.h"

/* ---- what planning needs of a session -------------------------------------------------------- */
/* Calls in FROM that stand for tables of the engine's own: savepoint_metadata('path'). */
typedef struct wr_table_call {
    wr_str name; /* as written */
    const wr_value *args;
    const wr_span *arg_spans;
    uint32_t arg_count;
    wr_span span;
} wr_table_call;
typedef struct wr_call_tables {
    bool (*knows)(void *arg, wr_str name);
    /* The table, in the arena; its id is left empty. */
    wr_status (*make)(wr_ctx *ctx, void *arg, const wr_table_call *call, wr_arena *arena,
                      wr_table_desc *out);
    void *arg;
} wr_call_tables;

typedef struct wr_plan_env {
    wr_arena *arena; /* statement; everything planned lives here */
    wr_catalogs *catalogs;
    const wr_config *config;
    const wr_eval_env *eval;
    bool batch;   /* execution.runtime-mode = BATCH (or AUTOMATIC with bounded inputs only) */
    bool explain; /* for EXPLAIN: a SELECT is planned as if nobody wanted -U, as Flink shows it */
    /* The table that a file, folder or glob stands for (FROM 'x.csv'); NULL = there are none. */
    wr_status (*file_table)(wr_ctx *ctx, wr_str path, wr_arena *arena, wr_table_desc *out);
    bool bundles;                      /* for EXPLAIN: wr_rel_takes_bundles of what is planned */
    const wr_call_tables *call_tables; /* NULL = there are none */
    bool refreshing; /* the INSERT is the one that keeps a materialized table up to date */
} wr_plan_env;

/* ---- physical nodes -------------------------------------------------------------------------- */
typedef enum wr_pkind {
    WR_P_SCAN, /* TableSourceScan */
    WR_P_VALUES,
    WR_P_CALC,      /* condition (may be NULL), then projection */
    WR_P_WATERMARK, /* WatermarkAssigner */
    WR_P_EXCHANGE,
    WR_P_UNION, /* all */
    WR_P_LIMIT,
    WR_P_SORT, /* batch; streaming: TemporalSort on rowtime */
    WR_P_SORT_LIMIT,
    WR_P_GROUP_AGG,        /* streaming, per-row or mini-batch */
    WR_P_HASH_AGG,         /* batch */
    WR_P_JOIN,             /* streaming regular join: inner, left, right, full, semi, anti */
    WR_P_MULTI_JOIN,       /* streaming inner and left joins of inputs that share a key */
    WR_P_HASH_JOIN,        /* batch, equi; the build side is input `build` */
    WR_P_NESTED_LOOP_JOIN, /* batch, no equi condition */
    WR_P_CORRELATE,
    WR_P_EXPAND,
    WR_P_OVER_AGG,
    WR_P_RANK, /* Top-N per partition */
    WR_P_DEDUPLICATE,
    WR_P_WINDOW_TVF,
    WR_P_WINDOW_AGG, /* by windows of a table function */
    WR_P_WINDOW_JOIN,
    WR_P_WINDOW_RANK,
    WR_P_WINDOW_DEDUPLICATE,
    WR_P_INTERVAL_JOIN,
    WR_P_TEMPORAL_JOIN,
    WR_P_LOOKUP_JOIN,
    WR_P_MATCH,
    WR_P_CHANGELOG, /* FROM_CHANGELOG, TO_CHANGELOG: ProcessTableFunction */
    WR_P_CHANGELOG_NORMALIZE,
    WR_P_DROP_UPDATE_BEFORE,
    WR_P_SINK_MATERIALIZE, /* SinkUpsertMaterializer and ON CONFLICT strategies; part of Sink when
                              printed */
    WR_P_SINK,             /* constraint enforcement, then the connector's writer */
    WR_P_COLLECT,          /* end of a SELECT: rows go to the session */
    WR_P_MINI_BATCH,       /* MiniBatchAssigner: in plans that are only shown (phys_bundle.c) */
    WR_P_COUNT
} wr_pkind;

typedef enum wr_dist {
    WR_DIST_ANY,
    WR_DIST_FORWARD,
    WR_DIST_HASH,
    WR_DIST_SINGLE,
    WR_DIST_BROADCAST,
    WR_DIST_REBALANCE
} wr_dist;

typedef enum wr_agg_phase { /* all at once, or where the rows are and then together */
                            WR_AGG_WHOLE,
                            WR_AGG_LOCAL,
                            WR_AGG_FINAL,
                            WR_AGG_INCREMENTAL /* shown: FINAL of parts and LOCAL of what is above
                                                */
} wr_agg_phase;

typedef enum wr_state_growth {
    WR_GROWTH_NONE,
    WR_GROWTH_BOUNDED,
    WR_GROWTH_KEYS,
    WR_GROWTH_ROWS
} wr_state_growth;

typedef struct wr_key_set { /* one upsert key: sorted column numbers */
    const uint32_t *cols;
    uint32_t count;
} wr_key_set;

typedef struct wr_pnode wr_pnode;
struct wr_pnode {
    uint8_t kind;     /* wr_pkind */
    uint32_t id;      /* 1.. in the plan, inputs before outputs */
    wr_schema schema; /* output */
    wr_pnode **inputs;
    uint32_t input_count;
    wr_clmode changelog; /* kinds this node emits */
    bool key_deletes;    /* -D may carry only the columns of an upsert key */
    const wr_key_set *upsert_keys;
    uint32_t upsert_key_count;
    bool bounded;
    uint8_t growth; /* wr_state_growth */
    bool by_row;    /* several consumers, and each row reaches all of them before the next one does:
                       the    one nearest to the sink first (`hops`) */
    uint32_t hops;  /* exchanges between its output and the sink, at most */
    uint32_t parallelism; /* 0 = job's default, decided when the job graph is made */
    const struct wr_windowing *windows[2]; /* WINDOW_*: of the rows of each input; else NULL */
    int64_t row_count;                     /* estimate */
    wr_str logical_id;                     /* identity of its state */
    wr_str label; /* one line as EXPLAIN prints it: "GroupAggregate(groupBy=[k], select=[k, COUNT(*)
                     AS EXPR$1])" */
    union {
        struct {
            const wr_source_ops *source;
            wr_source_spec spec;
            wr_source_info info;
        } scan;
        struct {
            wr_expr ***rows;
            uint32_t row_count;
        } values;
        struct {
            wr_expr *cond;   /* NULL = none */
            wr_expr **exprs; /* schema.count */
            bool plain;      /* not of a projection in the query: columns show as such */
        } calc;
        struct {
            uint32_t col;
            wr_expr *expr;
            bool source_watermark; /* SOURCE_WATERMARK(): the scan delivers it */
            int64_t interval_ms;   /* pipeline.auto-watermark-interval; 0 = after every row */
            int64_t idle_ms;
        } watermark;
        struct {
            int64_t interval_ms;
            bool rowtime; /* bundles end with watermarks; else with the clock */
        } bundle;         /* MINI_BATCH */
        struct {
            uint8_t dist; /* wr_dist */
            const uint32_t *keys;
            uint32_t key_count;
            bool blocking; /* batch */
        } exchange;
        struct {
            int64_t offset, fetch;
            bool local; /* batch: before the exchange, so that few rows pass it */
        } limit;
        struct {
            const wr_order_key *keys;
            uint32_t key_count;
            int64_t offset, fetch;           /* SORT: 0, -1 */
            uint8_t strategy;                /* streaming SORT_LIMIT: wr_rank_strategy */
            const uint32_t *sort_upsert_key; /* UpdateFast: key columns of the input rows */
            uint32_t sort_upsert_key_count;
            bool temporal; /* streaming SORT: first key is the rowtime attribute */
            bool local;    /* batch SORT_LIMIT: as of limit */
            bool one_zero; /* SORT below OVER: 0.0 and -0.0 are peers, the next key decides */
            bool generate_update_before;
        } sort;
        struct {
            const uint32_t *keys;
            uint32_t key_count;
            const wr_agg_bound *aggs;
            uint32_t agg_count;
            bool retract;         /* the input has -U or -D */
            const bool *retracts; /* per aggregate: its values may be taken back (MAX of what only
                                     rises need not care); NULL = as `retract` */
            uint8_t phase;        /* wr_agg_phase */
            bool sorted;          /* batch: EXPLAIN calls it SortAggregate */
            const wr_agg_bound *shown; /* the calls of the query; FINAL: `aggs` merge their parts */
            bool generate_update_before;
            bool at_end; /* streaming, no keys: the row of nothing, when the input has ended without
                            one */
            bool mini_batch;
            int64_t mini_batch_size;
            int64_t ttl_ms;
            const uint8_t *props; /* WINDOW_AGG: wr_window_prop, behind the
                                     aggregates */
            uint32_t prop_count;
            const struct wr_window_emit *emit; /* WINDOW_AGG: changes are shown; NULL: a window
                                                  comes out once, when it is over */
        } agg;                                 /* schema: keys, then aggregates */
        const struct wr_over_spec *over;
        const struct wr_changelog_spec *changelog;
        struct {
            const uint32_t *partition;
            uint32_t partition_count;
            const wr_order_key *order;
            uint32_t order_count;
            int64_t first, last; /* of the row numbers that are shown, from 1 */
            int32_t last_col;    /* the last one is in this column of the input; -1 = a constant */
            bool number;         /* the number is the last column of the output */
            uint8_t strategy;    /* wr_rank_strategy */
            const uint32_t *upsert_key; /* UPDATE_FAST: of the input */
            uint32_t upsert_key_count;
            bool generate_update_before;
            int64_t ttl_ms;
        } rank; /* WINDOW_RANK too */
        struct {
            const uint32_t *keys;
            uint32_t key_count;
            uint32_t time_col; /* the order */
            bool rowtime;      /* else in order of arrival */
            bool keep_last;
            bool generate_insert; /* the first row of a key is +I; else +U */
            bool generate_update_before;
            int64_t ttl_ms;
        } dedup; /* WINDOW_DEDUPLICATE too */
        const struct wr_match_spec *match;
        const struct wr_multi_spec *multi;
        struct {
            uint8_t type; /* wr_join_type */
            const uint32_t *left_keys,
                *right_keys; /* equi columns, pairwise (right numbered in its own input) */
            uint32_t key_count;
            const bool *null_equal;        /* per key: IS NOT DISTINCT FROM */
            wr_expr *cond;                 /* the rest, over left ++ right; NULL = none */
            wr_expr *whole;                /* the condition as it was; NULL = TRUE */
            bool null_aware;               /* batch ANTI for NOT IN */
            uint8_t build;                 /* HASH_JOIN: 0 left, 1 right */
            bool broadcast;                /* HASH_JOIN: the build side goes to every place */
            bool single_row;               /* NESTED_LOOP_JOIN: one row is built */
            const char *hint;              /* the join hint that chose it, NULL = none */
            uint8_t hint_side;             /* the side that it names */
            const uint32_t *unique_key[2]; /* streaming: unique key of each input, NULL = none */
            uint32_t unique_key_count[2];
            bool key_contains_unique[2]; /* JoinKeyContainsUniqueKey */
            bool generate_update_before;
            int64_t ttl_ms[2];
            const struct wr_interval_spec *interval; /* each of its kind of node only */
            const struct wr_temporal_spec *temporal;
            const struct wr_lookup_spec *lookup;
        } join;
        struct {
            uint8_t type;
            wr_expr *call;
            wr_expr *cond;
        } correlate;
        struct {
            wr_expr ***rows;
            uint32_t set_count;
        } expand;
        struct {
            const uint32_t *keys;
            uint32_t key_count;
            wr_expr *cond;   /* a filter merged into it, or NULL */
            bool duplicates; /* the source may tell a change twice: never left out */
            bool generate_update_before;
            int64_t ttl_ms;
        } normalize;
        struct {
            const uint32_t *keys; /* sink primary key */
            uint32_t key_count;
            uint8_t on_conflict;              /* wr_on_conflict */
            const uint32_t *input_upsert_key; /* NULL = whole row */
            uint32_t input_upsert_key_count;
            int64_t ttl_ms;
        } materialize;
        struct {
            const wr_sink_ops *sink;
            wr_sink_spec spec;
            wr_sink_info info;
            bool drop_update_before; /* an upsert sink does not get -U unless it stands for a
                                        deletion */
            uint8_t on_conflict;     /* wr_on_conflict, as written */
            const uint32_t *target;  /* the INSERT's column list; NULL = all */
            uint32_t target_count;
            uint8_t not_null; /* 0 ERROR, 1 DROP */
            uint8_t length;   /* 0 IGNORE, 1 TRIM_PAD, 2 ERROR */
        } sink;
    } u;
};

typedef enum wr_rank_strategy {
    WR_RANK_APPEND_FAST,
    WR_RANK_UPDATE_FAST,
    WR_RANK_RETRACT,
    WR_RANK_UNDEFINED /* not chosen yet: only while planning */
} wr_rank_strategy;

typedef struct wr_plan {
    wr_pnode **roots; /* SINK nodes, or one COLLECT */
    uint32_t root_count;
    wr_pnode **nodes; /* all, inputs first; node i has id i + 1 */
    uint32_t node_count;
    bool bounded, batch;
    wr_rel **logical; /* as bound, one per statement, for EXPLAIN */
    uint32_t logical_count;
} wr_plan;

/* ---- the steps (all in env->arena; errors in ctx with spans) --------------------------------- */
/* Bind a query (SELECT, VALUES, ...): names, types, implicit casts; sub-queries stay as
 * WR_EX_SUBQUERY. */
wr_status wr_bind_query(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *query,
                        wr_rel **out) WR_MUST_USE;
/* INSERT: the query with column list, partition, casts and checks against the sink's schema, under
 * a SINK node. */
wr_status wr_bind_insert(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *insert,
                         wr_rel **out) WR_MUST_USE;
/* One expression over a table's columns (computed columns, watermarks). */
wr_status wr_bind_expr(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *expr,
                       const wr_schema *columns, wr_expr **out) WR_MUST_USE;
wr_status wr_bind_type(wr_ctx *ctx, const wr_plan_env *env, const wr_ast_type *type,
                       const wr_type **out) WR_MUST_USE;
/* CREATE TABLE / VIEW / ALTER TABLE to descriptions (ddl_*.c). */
wr_status wr_ddl_table(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *stmt,
                       wr_table_desc **out) WR_MUST_USE;
/* The INSERT that fills a table made by CREATE TABLE ... AS. */
wr_status wr_ddl_as_insert(wr_ctx *ctx, const wr_plan_env *env, const wr_ast_create_table *create,
                           const wr_ast **out) WR_MUST_USE;
wr_status wr_ddl_view(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *stmt,
                      wr_table_desc **out) WR_MUST_USE;
wr_status wr_ddl_alter(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *stmt,
                       const wr_table_desc *old, wr_table_desc **out) WR_MUST_USE;
wr_status wr_ddl_alter_view(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *stmt,
                            const wr_table_desc *old, wr_table_desc **out) WR_MUST_USE;
/* CREATE MATERIALIZED TABLE: columns of the query, its text in full, freshness; without a connector
 * unless one was given. */
wr_status wr_ddl_materialized(wr_ctx *ctx, const wr_plan_env *env,
                              const wr_ast_create_table *create, wr_table_desc **out) WR_MUST_USE;
/* Another query for one that is there: columns may be appended (they become nullable), the others
 * stay as they are. */
wr_status wr_ddl_materialized_as(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *query,
                                 const wr_table_desc *old, wr_table_desc **out) WR_MUST_USE;
/* INSERT INTO (in batch mode: OVERWRITE) t (columns of the query) query, as text: what keeps `t` up
 * to date. only: rows with these values in these columns. */
wr_status wr_ddl_refresh_text(wr_ctx *ctx, const wr_plan_env *env, const wr_table_desc *t,
                              const wr_options *only, wr_str *out) WR_MUST_USE;
/* Logical rules: sub-queries to joins, push-downs, folding, set operations, grouping sets. */
wr_status wr_rules_apply(wr_ctx *ctx, const wr_plan_env *env, wr_rel *rel,
                         wr_rel **out) WR_MUST_USE;
/* Does anything in the queries as bound take mini-batches, for Flink to begin bundles at sources?
 */
bool wr_rel_takes_bundles(wr_rel *const *roots, uint32_t count);
/* Roots (SINK rels, or one query) to a plan. */
wr_status wr_plan_make(wr_ctx *ctx, const wr_plan_env *env, wr_rel **roots, uint32_t count,
                       wr_plan **out) WR_MUST_USE;

enum { WR_EXPLAIN_COST = 1, WR_EXPLAIN_CHANGELOG = 2, WR_EXPLAIN_JSON = 4, WR_EXPLAIN_ADVICE = 8 };
wr_status wr_plan_explain(wr_ctx *ctx, const wr_plan_env *env, const wr_plan *plan,
                          uint32_t details, wr_text *out) WR_MUST_USE;
const char *wr_pkind_name(wr_pkind k);
/* What a column of a node's output, and aggregate i of an aggregating node, is computed from, in
 * names of columns of tables: "amount", "(a + b)", "SUM(DISTINCT left.amount) FILTER (paid)". The
 * same in a changed query as long as that stays the same. *out lies in `a` or in the plan. */
wr_status wr_col_origin(wr_ctx *ctx, wr_arena *a, const wr_pnode *n, uint32_t col,
                        wr_str *out) WR_MUST_USE;
wr_status wr_agg_origin(wr_ctx *ctx, wr_arena *a, const wr_pnode *n, uint32_t i,
                        wr_str *out) WR_MUST_USE;
/* "I", "I,UB,UA,D" ... into buf. */
void wr_clmode_print(wr_clmode m, wr_text *out);

#endif
