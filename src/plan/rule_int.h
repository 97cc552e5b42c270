/* SPDX-License-Identifier: Apache-2.0 */
/* Private to plan/: making, copying and walking logical relations (rel.h), and the list of rules.
 *
 * Correlation. A WR_EX_OUTER column of level n belongs to the row of the n-th enclosing node that
 * opens a level: the node whose expressions hold the WR_EX_SUBQUERY, or the left input of a lateral
 * JOIN. Walkers count these levels in `depth`: at depth d, an OUTER of level d + 1 refers to the
 * row around the walk's root. */
#ifndef WR_PLAN_RULE_INT_H
#define WR_PLAN_RULE_INT_H

#include "plan/plan.h"

typedef struct wri_rules wri_rules;
struct wri_rules { /* what every rule needs */
    wr_ctx *ctx;
    const wr_plan_env *env;
    wr_arena *a;
    uint32_t seq; /* numbers generated names */
    bool pruned;  /* columns have been pruned: projections stay where they are */
};

/* ---- making (rule_build.c). NULL = out of memory --------------------------------------------- */
wr_rel *wri_rel_new(wr_arena *a, wr_rel_kind kind, wr_rel *const *inputs, uint32_t count);
wr_rel *wri_rel_copy(wr_arena *a, const wr_rel *rel); /* shallow; own `inputs` array */
/* `names` NULL: names of the columns that are plain references, else $f<i>. */
wr_rel *wri_rel_project(wr_arena *a, wr_rel *input, wr_expr **exprs, const wr_str *names,
                        uint32_t count);
wr_rel *wri_rel_filter(wr_arena *a, wr_rel *input, wr_expr *cond);
/* Schema, nullability and time attributes as the join type gives them. */
wr_rel *wri_rel_join(wr_arena *a, wr_join_type type, wr_rel *left, wr_rel *right, wr_expr *cond);
/* Schema: keys, then aggregates. */
wr_rel *wri_rel_aggregate(wr_arena *a, wr_rel *input, const uint32_t *keys, uint32_t key_count,
                          const wr_agg_bound *aggs, uint32_t agg_count);
/* Schema: the input's columns, then a column w<window>$o<call> for every call. */
wr_rel *wri_rel_over(wr_arena *a, wr_rel *input, const struct wr_over_spec *spec);
wr_rel *wri_rel_distinct(wr_arena *a, wr_rel *input); /* Aggregate by all columns */
wr_rel *wri_rel_union_all(wr_arena *a, wr_rel *const *inputs, uint32_t count);
wr_rel *wri_rel_correlate(wr_arena *a, wr_join_type type, wr_rel *input, wr_expr *call,
                          const wr_schema *columns, wr_expr *cond);
wr_rel *wri_rel_values(wr_arena *a, const wr_schema *schema, wr_expr ***rows, uint32_t row_count);
wr_rel *wri_rel_one_row(wr_arena *a); /* Values ({0}) with column ZERO */
wr_rel *wri_rel_empty(wr_arena *a, const wr_schema *schema);
/* The same relation with other column names (SCANs are projected). */
wr_rel *wri_rel_rename(wr_arena *a, wr_rel *rel, const wr_str *names);
bool wri_rel_schema_concat(wr_arena *a, const wr_schema *l, bool l_null, const wr_schema *r,
                           bool r_null, wr_schema *out);
/* A name not yet in names[0..n): `want`, else want0, want1, ... */
wr_str wri_rel_name_unique(wr_arena *a, const wr_str *names, uint32_t n, wr_str want);
bool wri_rel_names_unique(wr_arena *a, wr_str *names, uint32_t n); /* in place */
const wr_type *wri_rel_type_plain(wr_arena *a, const wr_type *t);  /* without time attribute */

/* ---- expressions (rule_expr.c) --------------------------------------------------------------- */
wr_expr *wri_rex_new(wr_arena *a, wr_expr_kind kind, const wr_type *t, wr_span span);
wr_expr *wri_rex_col(wr_arena *a, const wr_rel *rel, uint32_t col);
wr_expr *wri_rex_bool(wr_arena *a, bool v);
wr_expr *wri_rex_int(wr_arena *a, wr_type_id id, int64_t v);
wr_expr *wri_rex_null(wr_arena *a, const wr_type *t);
wr_status wri_rex_call(wri_rules *r, const char *fn, wr_expr **args, uint32_t n, wr_expr **out);
wr_status wri_rex_call1(wri_rules *r, const char *fn, wr_expr *x, wr_expr **out);
wr_status wri_rex_call2(wri_rules *r, const char *fn, wr_expr *x, wr_expr *y, wr_expr **out);
wr_status wri_rex_and2(wri_rules *r, wr_expr *x, wr_expr *y, wr_expr **out); /* NULL = TRUE */
bool wri_rex_is_true(const wr_expr *e);          /* literal TRUE, or NULL pointer */
bool wri_rex_is_false_or_null(const wr_expr *e); /* literal FALSE or NULL */
bool wri_rex_is_call(const wr_expr *e, const char *fn);

typedef WR_LIST(wr_expr *) wri_expr_list;
bool wri_rex_conjuncts(wr_arena *a, wr_expr *e,
                       wri_expr_list *out); /* NULL = none; ANDs flattened */
/* The conjuncts, with what all branches of an OR ask for as conjuncts of their own. */
wr_status wri_rex_factors(wri_rules *r, wr_expr *cond, wri_expr_list *out);
/* *e = (x = y OR (x IS NULL AND y IS NULL)): x IS NOT DISTINCT FROM y. */
wr_status wri_rex_null_equal(wri_rules *r, wr_expr **e);
wr_status wri_rex_and_all(wri_rules *r, const wri_expr_list *l,
                          wr_expr **out); /* NULL when empty */

/* ---- walking (rule_walk.c) ------------------------------------------------------------------- */
/* Called for every expression node, parents first. Returns the replacement (not walked further), or
 * NULL to go on below. */
typedef struct wri_map wri_map;
struct wri_map {
    wr_arena *a;
    wr_expr *(*fn)(wri_map *m, const wr_expr *e, uint32_t depth);
    void *arg;
    bool failed; /* out of memory */
};
wr_expr *wri_rex_map(wri_map *m, const wr_expr *e, uint32_t depth); /* a deep copy */
wr_rel *wri_rel_map(wri_map *m, const wr_rel *rel, uint32_t depth); /* a deep copy */
/* Replace the expressions of this node only (inputs kept). Its own expressions are at `depth`. */
wr_rel *wri_rel_map_node(wri_map *m, const wr_rel *rel, uint32_t depth);

typedef struct wri_visit wri_visit;
struct wri_visit {
    /* Every expression node; return false to skip what is below it. */
    bool (*fn)(wri_visit *v, const wr_expr *e, uint32_t depth);
    void *arg;
};
void wri_rex_visit(wri_visit *v, const wr_expr *e, uint32_t depth);
void wri_rel_visit(wri_visit *v, const wr_rel *rel, uint32_t depth); /* the whole tree */
void wri_rel_visit_node(wri_visit *v, const wr_rel *rel,
                        uint32_t depth); /* expressions of this node */

/* Does the tree refer to the row around it (an OUTER that leaves it by exactly one level)? */
bool wri_rel_is_correlated(const wr_rel *rel);
bool wri_rex_is_correlated(const wr_expr *e); /* an OUTER of level 1 at depth 0 */
bool wri_rel_has_outer(const wr_rel *rel);    /* any OUTER that leaves the tree */
bool wri_rel_has_subquery(const wr_rel *rel);
bool wri_rex_has_subquery(const wr_expr *e);
/* Change the level of every OUTER that leaves the tree by `by`. */
wr_rel *wri_rel_shift_outer(wr_arena *a, const wr_rel *rel, int32_t by);
wr_expr *wri_rex_shift_cols(wr_arena *a, const wr_expr *e, int32_t by);       /* columns += by */
wr_expr *wri_rex_map_cols(wr_arena *a, const wr_expr *e, const uint32_t *to); /* col i -> to[i] */
/* Columns of the node's row that e refers to: the lowest and the highest; false = none. */
bool wri_rex_col_range(const wr_expr *e, uint32_t *lo, uint32_t *hi);
void wri_rex_cols(const wr_expr *e, uint64_t *set); /* sets bits */

/* ---- rules: each takes a whole tree and gives a new one -------------------------------------- */
wr_status wri_rule_subqueries(wri_rules *r, wr_rel *rel, wr_rel **out);
wr_status wri_rule_setops(wri_rules *r, wr_rel *rel, wr_rel **out);
wr_status wri_rule_fold(wri_rules *r, wr_rel *rel, wr_rel **out);
wr_status wri_rule_filters(wri_rules *r, wr_rel *rel, wr_rel **out);
wr_status wri_rule_joins(wri_rules *r, wr_rel *rel, wr_rel **out);
wr_status wri_rule_multi(wri_rules *r, wr_rel *rel, wr_rel **out) WR_MUST_USE;
/* Mini-batch wants a latency where anything is kept (bundle.c). */
wr_status wri_rule_bundle_latency(wri_rules *r, const wr_rel *rel) WR_MUST_USE;
wr_status wri_rule_prune(wri_rules *r, wr_rel *rel, wr_rel **out);
wr_status wri_rule_projects(wri_rules *r, wr_rel *rel, wr_rel **out);
wr_status wri_rule_scans(wri_rules *r, wr_rel *rel, wr_rel **out);
wr_status wri_rule_times(wri_rules *r, wr_rel *rel, wr_rel **out);
wr_status wri_rule_distinct(wri_rules *r, wr_rel *rel, wr_rel **out);
wr_status wri_rule_unique(wri_rules *r, wr_rel *rel, wr_rel **out);
wr_status wri_rule_join_aggs(wri_rules *r, wr_rel *rel, wr_rel **out);
wr_status wri_rule_constants(wri_rules *r, wr_rel *rel, wr_rel **out);
wr_status wri_rule_ranks(wri_rules *r, wr_rel *rel, wr_rel **out);
wr_status wri_rule_literals(wri_rules *r, wr_rel *rel, wr_rel **out);

/* ---- windows (rule_window.c) ----------------------------------------------------------------- */
struct wr_windowing;
/* Do the rows of `rel` carry the start and the end of a window? Then which columns they are in; of
 * time_col nothing is said. */
bool wri_rel_windows(const wr_rel *rel, struct wr_windowing *out);
/* All but the keys of sessions. */
struct wr_window_spec;
bool wri_window_spec_equal(const struct wr_window_spec *a, const struct wr_window_spec *b);
/* An aggregate by windows: start and end are among its keys, and those of a session too. */
bool wri_rel_is_window_agg(const wr_rel *rel, struct wr_windowing *out);
/* Of two columns that say the same, the one that is among `cols` comes to be the first. */
void wri_windows_prefer(struct wr_windowing *w, const uint32_t *cols, uint32_t count);
/* Where the columns of a window are in an output: `find` tells it of each of them, -1 for nowhere.
 */
void wri_windows_map(struct wr_windowing *w, int32_t (*find)(const void *of, int32_t col),
                     const void *of);
/* Are both sides' windows of one kind, and does a join's condition ask for equal starts and equal
 * ends? Then `l` and
 * `r` have these columns first, and `rest` (may be NULL; *failed: out of memory) gets the other
 * conjuncts. `left_width`: columns of the left side. */
bool wri_windows_joined(wr_arena *a, wr_expr *cond, uint32_t left_width, struct wr_windowing *l,
                        struct wr_windowing *r, wri_expr_list *rest, bool *failed);
/* The columns of a join's output: the left side's window, and the right side's beside it. */
void wri_windows_beside(struct wr_windowing *l, const struct wr_windowing *r, uint32_t left_width,
                        uint8_t type);
bool wri_rel_is_window_join(const wr_rel *rel);

/* ---- unique columns (rule_unique.c) ---------------------------------------------------------- */
bool wri_rel_is_unique(wri_rules *r, const wr_rel *rel, const uint64_t *cols);
/* Columns of each side that `=` ties to the other's. False: out of memory. */
bool wri_rel_join_keys(wri_rules *r, const wr_rel *join, uint64_t *left, uint64_t *right);

/* ---- decorrelation (rule_pull.c, rule_unnest.c, rule_decorrelate.c) -------------------------- */
typedef struct wri_pull {
    bool columns;        /* the columns of the result are wanted, not only its rows */
    bool done;           /* still simple */
    wri_expr_list conds; /* pulled out; see rule_pull.c */
} wri_pull;
wr_status wri_rule_pull(wri_rules *r, wri_pull *p, wr_rel *rel, wr_rel **out);
wr_status wri_rule_pull_keys(wri_rules *r, wri_pull *p, uint32_t first, wr_rel **rel,
                             uint32_t **keys);
wr_status wri_rule_to_join(wri_rules *r, const wr_expr *cond, uint32_t left_width, wr_expr **out);
/* Is e certainly FALSE or NULL when the columns lo <= c < hi are all NULL? */
wr_status wri_rex_rejects(wri_rules *r, const wr_expr *e, uint32_t lo, uint32_t hi,
                          bool *out) WR_MUST_USE;
/* e without the questions for NULL that columns from lo on, those of `input`, cannot be. */
wr_status wri_rex_unpadded(wri_rules *r, wr_expr *e, uint32_t lo, const wr_rel *input,
                           wr_expr **out) WR_MUST_USE;
/* `right`(row of left) for every distinct value of the outer columns it uses: its columns, then
 * those values; `outer`: which columns of `left` they are. */
wr_status wri_rule_unnest(wri_rules *r, wr_rel *left, wr_rel *right, wr_rel **out, uint32_t **outer,
                          uint32_t *outer_count);
/* left x right(left's row) as a plain join; `right` may be correlated. INNER, LEFT: left ++ right;
 * SEMI, ANTI: left. cond is over left ++ right. */
wr_status wri_rule_decorrelate(wri_rules *r, wr_join_type type, wr_rel *left, wr_rel *right,
                               wr_expr *cond, wr_rel **out);
/* LEFT join with an aggregate without keys whose input may be correlated; cols[i] is aggregate i
 * over the new *left (COUNT is 0 where there is no row). */
wr_status wri_rule_join_global(wri_rules *r, wr_rel **left, wr_rel *agg, wr_expr ***cols);
wr_status wri_rule_or_zero(wri_rules *r, const wr_agg_bound *agg, wr_expr *col, wr_expr **out);
/* An aggregate call `name` of column `col` (-1: none) of `input`. */
wr_status wri_rule_agg(wri_rules *r, const char *name, const wr_rel *input, int32_t col,
                       const char *as, wr_agg_bound *out);
/* ---- sub-queries (rule_subquery.c, rule_quantify.c) ------------------------------------------ */
/* e without sub-queries, over *left, which gets columns at its end. */
wr_status wri_rule_replace(wri_rules *r, wr_rel **left, const wr_expr *e, wr_expr **out);
wr_status wri_rule_operands(wri_rules *r, wr_rel **left, const wr_expr *e, wr_expr ***out);
wr_status wri_rule_quantify(wri_rules *r, wr_rel **left, const wr_expr *e, wr_expr **out);
wr_status wri_rule_filter_subqueries(wri_rules *r, wr_rel *input, wr_expr *cond, wr_rel **out);
wr_rel *wri_rel_first(wr_arena *a, wr_rel *rel, uint32_t count); /* its first columns */
/* Project and Filter over an aggregate without keys or a single row of VALUES. */
bool wri_rel_is_global(const wr_rel *rel);
bool wri_rel_one_always(const wr_rel *rel);  /* the same without Filter: exactly one row */
bool wri_rel_is_identity(const wr_rel *rel); /* a Project of all columns in their order */
wr_rel *wri_rel_for_exists(wr_rel *rel);     /* without what does not matter to EXISTS */

/* bind_join_types.c: "implicit type conversion between ... is not supported on join's condition".
 */
wr_status wri_join_types_refused(wr_ctx *ctx, wr_arena *a, const wr_type *l, const wr_type *r,
                                 wr_span span) WR_MUST_USE;

#endif
