/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the binder (bind_*.c): scopes, what an expression may see, the parts of a SELECT.
 *
 * A scope is the row that expressions of one query level see: the columns of its FROM, in order.
 * `outer` is the scope around it (a sub-query's or lateral table's surroundings); a name found
 * there becomes a WR_EX_OUTER, one level more for every step outwards. */
#ifndef WR_PLAN_BIND_INT_H
#define WR_PLAN_BIND_INT_H

#include "plan/over.h"
#include "plan/plan.h"
#include "plan/rule_int.h"
#include "plan/window.h"

/* Table functions of expr/ that SQL's syntax stands for. */
#define WRI_FN_UNNEST            "$UNNEST_ROWS$1"
#define WRI_FN_UNNEST_ORDINALITY "$UNNEST_ROWS_WITH_ORDINALITY$1"

typedef struct wri_item { /* one table of FROM */
    wr_str alias;         /* name that qualifies its columns; empty = none */
    wr_table_id id;       /* full name, for db.t.c; name empty = not a plain table */
    wr_span span;
    uint32_t first, count; /* its columns in the row */
} wri_item;

typedef struct wri_column {
    wr_str name;
    const wr_type *type;
    uint32_t item;
    bool merged; /* covered by a USING/NATURAL column: only visible with its table's name */
} wri_column;

typedef struct wri_merged { /* a USING/NATURAL column: COALESCE(l.c, r.c) */
    wr_str name;
    wr_expr *expr;
    wr_expr *key; /* for the condition of a further USING: the side that is never padded, or expr */
} wri_merged;

typedef struct wri_scope wri_scope;
struct wri_scope {
    const wri_scope *outer;
    wri_item *items;
    uint32_t item_count;
    wri_column *columns; /* as many as the relation has */
    uint32_t column_count;
    wri_merged *merged;
    uint32_t merged_count;
};

typedef struct wri_cte wri_cte;
struct wri_cte {
    wri_cte *next; /* the one before: visible to this one's query */
    wr_str name;
    const wr_ast_cte *ast;
    const wri_scope *outer;
    uint32_t level;
    wr_rel *rel;       /* bound at first use */
    wr_str *raw_names; /* see wri_binder */
};

/* An aggregate or grouping call collected from SELECT, HAVING, ORDER BY. */
typedef enum wri_call_kind { WRI_AGG, WRI_GROUPING, WRI_GROUP_ID, WRI_WINDOW } wri_call_kind;
typedef struct wri_agg_call {
    uint8_t kind; /* wri_call_kind */
    wr_expr **args;
    uint32_t arg_count;
    wr_expr *filter;
    wr_agg_bound bound; /* AGG: all but the column numbers */
    const wr_ast *ast;
    wr_str name;  /* output name; empty = $f<n> */
    wr_str text;  /* of the select item that named it first */
    uint8_t prop; /* WINDOW: wr_window_prop */
} wri_agg_call;

typedef struct wri_group_window { /* GROUP BY TUMBLE(time, size) */
    uint8_t kind;                 /* wr_window_kind */
    wr_expr *time;                /* over the rows of FROM */
    int64_t size_ms, slide_ms;
    wr_expr **lengths; /* as written */
    uint32_t length_count;
    uint32_t at; /* its place among the keys */
    bool asked;  /* for its start, end or time */
    wr_span span;
} wri_group_window;

typedef struct wri_group { /* the aggregation of one SELECT */
    wr_expr **keys;
    const wr_ast **key_asts;
    wr_str *key_names;
    uint32_t key_count;
    uint64_t *sets; /* bitmaps of at most 64 keys: those that are present */
    uint32_t set_count;
    bool has_sets;            /* GROUPING SETS, ROLLUP, CUBE: Expand */
    wri_group_window *window; /* no key: its start, end and time come behind the keys */
    WR_LIST(wri_agg_call) calls;
} wri_group;

/* A call with OVER. It stands as WR_EX_AGG with `flag` set, number `index`, whose args are those of
 * the call, then PARTITION BY, then ORDER BY: so they are rewritten with all other expressions. */
typedef struct wri_frame {
    uint32_t partition_count, order_count;
    const wr_order_key *order; /* but the columns */
    bool rows;
    wr_over_bound lower, upper;
} wri_frame;
typedef struct wri_over_call {
    const wr_fn *fn;
    wr_agg_bound bound; /* aggregates: all but the column numbers */
    uint32_t arg_count;
    wri_frame frame;
    wr_expr *node; /* as bound */
} wri_over_call;
typedef struct wri_overs { /* of one SELECT */
    WR_LIST(wri_over_call) calls;
    const wr_ast_list *windows; /* the WINDOW clause */
} wri_overs;

typedef struct wri_select_item {
    wr_expr *expr;
    wr_str name;
    const wr_ast *ast;
    bool aliased; /* written AS name, or named by its identifier */
} wri_select_item;
typedef WR_LIST(wri_select_item) wri_select_list;

typedef struct wri_match wri_match; /* bind_match_int.h */

typedef struct wri_where { /* where an expression stands */
    const wri_scope *scope;
    wri_group *group;               /* aggregates are collected here; NULL = refused */
    wri_overs *overs;               /* calls with OVER are collected here; NULL = refused */
    const char *clause;             /* then the reason: "WHERE", "ON", "GROUP BY" */
    const wri_select_list *aliases; /* ORDER BY: names of the select list come first */
    bool in_agg;                    /* inside an aggregate's argument */
    bool in_ddl;                    /* computed columns, watermarks: no sub-queries */
    const wri_match *match;         /* MEASURES, DEFINE: names mean rows of pattern variables */
} wri_where;

typedef struct wri_hint_use { /* a query hint of the current SELECT and whether a table matched */
    const wr_ast_hint *hint;
    const struct wr_lookup_hint *lookup; /* of a LOOKUP hint: what it says */
    bool *used;                          /* per argument */
} wri_hint_use;

typedef struct wri_binder {
    wri_rules r; /* ctx, env, arena */
    wr_ctx *ctx;
    const wr_plan_env *env;
    wr_arena *a;
    uint32_t depth;      /* nesting of queries and expressions */
    uint32_t view_depth; /* views inside views */
    uint32_t level;      /* open scopes around the current query */
    bool fixed;          /* in a stored text: every position is `fixed_span` */
    wr_span fixed_span;
    wri_cte *ctes;
    wri_hint_use *hints; /* of the SELECT whose FROM is being bound */
    uint32_t hint_count;
    bool top; /* the next query's ORDER BY decides the order of the result */
    wr_str
        *raw_names; /* of the SELECT just bound, before duplicates got numbers; NULL = as schema */
} wri_binder;
void wri_bind_init(wri_binder *b, wr_ctx *ctx, const wr_plan_env *env);

typedef struct wri_from { /* a bound table expression */
    wr_rel *rel;
    wri_scope scope;
} wri_from;

/* ---- bind_scope.c ---------------------------------------------------------------------------- */
wr_span wri_bind_span(const wri_binder *b, const wr_ast *node);
wr_span wri_bind_part_span(const wri_binder *b, wr_span s);
wr_status wri_bind_enter(wri_binder *b, wr_span span); /* depth guard; wri_bind_leave after */
void wri_bind_leave(wri_binder *b);
wr_status wri_bind_scope_single(wri_binder *b, const wr_rel *rel, wr_str alias,
                                const wr_table_id *id, wr_span span, wri_scope *out);
wr_status wri_bind_scope_join(wri_binder *b, const wri_scope *l, const wri_scope *r,
                              const wr_rel *rel, wri_scope *out);
/* A column, possibly with fields of it: a, t.a, db.t.a, t.a.f. */
wr_status wri_bind_resolve(wri_binder *b, const wri_where *w, const wr_ast_ident *id,
                           wr_expr **out);
/* The table a star's prefix names: its item, or a row-typed column (then *row). */
wr_status wri_bind_resolve_star(wri_binder *b, const wri_scope *s, const wr_ast_ident *id,
                                int32_t *item, wr_expr **row);
wr_status wri_bind_field(wri_binder *b, wr_expr *row, wr_str name, wr_span span, wr_expr **out);
wr_expr *wri_bind_field_at(wri_binder *b, wr_expr *row, uint32_t index, wr_span span);
wr_str wri_bind_ident_text(wri_binder *b, const wr_ast_ident *id); /* a.b.c without quotes */

/* ---- bind_expr.c, bind_call.c, bind_literal.c, bind_type.c, bind_subquery.c ------------------ */
wr_status wri_bind_expr(wri_binder *b, const wri_where *w, const wr_ast *e, wr_expr **out);
/* The same; an untyped NULL takes type `t` (NULL pointer: refused). */
wr_status wri_bind_expr_as(wri_binder *b, const wri_where *w, const wr_ast *e, const wr_type *t,
                           wr_expr **out);
/* bind_join_types.c: refuses `=` between text and other types where it is a join's condition.
 * `status` is what binding the condition, or the pair, gave. */
wr_status wri_bind_join_cond(wri_binder *b, const wri_where *w, const wr_ast *ast,
                             const wr_expr *cond, wr_status status) WR_MUST_USE;
wr_status wri_bind_join_pair(wri_binder *b, const wr_type *l, const wr_type *r, wr_span span,
                             wr_status status) WR_MUST_USE;
wr_status wri_bind_cond(wri_binder *b, const wri_where *w, const wr_ast *e, const char *clause,
                        wr_expr **out);
wr_status wri_bind_list(wri_binder *b, const wri_where *w, const wr_ast_list *l, wr_expr ***out);
bool wri_bind_is_null_ast(const wr_ast *e);
bool wri_bind_is_null_expr(const wr_expr *e); /* a literal of type NULL */
wr_status wri_bind_literal(wri_binder *b, const wr_ast_literal *l, bool negate, wr_span span,
                           wr_expr **out);
wr_status wri_bind_interval(wri_binder *b, const wr_ast_literal *l, wr_span span, wr_expr **out);
wr_status wri_bind_interval_type(wri_binder *b, const wr_ast_interval *q, bool nullable,
                                 wr_span span, const wr_type **out);
wr_status wri_bind_interval_expr(wri_binder *b, const wri_where *w, const wr_ast_interval_expr *i,
                                 wr_expr **out);
wr_unit wri_bind_unit(wr_sql_unit u);
wr_status wri_bind_call(wri_binder *b, const wri_where *w, const wr_ast_call *c, wr_expr **out);
wr_status wri_bind_fn(wri_binder *b, const char *fn, wr_expr **args, uint32_t n, wr_span span,
                      wr_expr **out);
wr_status wri_bind_fn_as(wri_binder *b, const wr_fn *fn, wr_str as, wr_expr **args, uint32_t n,
                         const wr_call_extra *extra, wr_span span, wr_expr **out);
wr_status wri_bind_aggregate(wri_binder *b, const wri_where *w, const wr_ast_call *c,
                             const wr_fn *fn, wr_expr **out);
wr_status wri_bind_args(wri_binder *b, const wri_where *w, const wr_ast_call *c, const wr_fn *fn,
                        wr_expr ***args, uint32_t *count);
wr_status wri_bind_json_call(wri_binder *b, const wri_where *w, const wr_ast_call *c,
                             const wr_fn *fn, wr_expr **out);
wr_status wri_bind_json_args(wri_binder *b, const wri_where *w, const wr_ast_call *c,
                             wr_expr ***args, uint32_t *count, wr_call_extra *extra);
wr_status wri_bind_type_ast(wri_binder *b, const wr_ast_type *t, const wr_type **out);
wr_status wri_bind_in(wri_binder *b, const wri_where *w, const wr_ast_in *in, wr_expr **out);
wr_status wri_bind_quantified(wri_binder *b, const wri_where *w, const wr_ast_quantified *q,
                              wr_expr **out);
wr_status wri_bind_exists(wri_binder *b, const wri_where *w, const wr_ast_exists *e, wr_expr **out);
wr_status wri_bind_scalar_query(wri_binder *b, const wri_where *w, const wr_ast *q,
                                wr_subquery_kind kind, wr_expr **out);
bool wri_bind_has_aggregate(const wr_ast *e); /* an aggregate call outside sub-queries */
bool wri_bind_is_ordinal(const wr_ast *e, int64_t *n);
const char *wri_bind_cmp_name(wr_sql_binop op); /* "=", "<", ... ; NULL = no comparison */

/* ---- bind_query.c, bind_select.c, bind_group.c ----------------------------------------------- */
/* Any query; `outer`: the scope around it, or NULL. */
wr_status wri_bind_any_query(wri_binder *b, const wr_ast *q, const wri_scope *outer, wr_rel **out);
wr_status wri_bind_select(wri_binder *b, const wr_ast_select *s, const wri_scope *outer,
                          const wr_ast_query *order, wr_rel **out);
wr_status wri_bind_values(wri_binder *b, const wr_ast_values *v, const wri_scope *outer,
                          wr_rel **out);
wr_status wri_bind_sort(wri_binder *b, wr_rel *input, const wr_order_key *keys, uint32_t count,
                        int64_t offset, int64_t fetch, wr_rel **out);
wr_status wri_bind_limits(wri_binder *b, const wr_ast_query *q, int64_t *offset, int64_t *fetch);
wr_status wri_bind_order_key(wri_binder *b, const wr_ast_order_item *o, uint32_t col,
                             const wr_type *type, wr_order_key *out);
wr_status wri_bind_group_keys(wri_binder *b, const wri_scope *scope, const wr_ast_select *s,
                              wri_group *g);
wr_status wri_bind_group_build(wri_binder *b, wri_group *g, wr_rel *input, wri_expr_list *exprs,
                               const wri_scope *scope, wr_rel **out);
wr_status wri_bind_group_map(wri_binder *b, const wri_group *g, const wri_scope *scope,
                             const wr_rel *agg, const uint32_t *position, wri_expr_list *exprs);
int64_t wri_bind_set_id(const wri_group *g, uint32_t set);
bool wri_bind_key_nullable(const wri_group *g, uint32_t key);
wr_str wri_bind_source_text(wri_binder *b, wr_span span, wr_str otherwise);
wr_status wri_bind_unsupported(wri_binder *b, wr_span span, const char *feature);
int32_t wri_bind_group_key_of(const wri_group *g,
                              const wr_ast *e); /* same text as a key; -1 = none */

/* ---- bind_over.c, bind_over_window.c, bind_over_moment.c ------------------------------------- */
wr_status wri_bind_over(wri_binder *b, const wri_where *w, const wr_ast_call *c, wr_expr **out);
/* The WINDOW clause by itself: names, and that what it says may be. */
wr_status wri_bind_over_windows(wri_binder *b, const wri_where *w, const wr_ast_list *windows);
/* What stands behind OVER: *exprs are PARTITION BY, then ORDER BY. */
wr_status wri_bind_over_window(wri_binder *b, const wri_where *w, const wr_ast_list *named,
                               const wr_ast_call *c, const wr_fn *fn, wri_frame *out,
                               wr_expr ***exprs);
typedef struct wri_over_site { /* where a call stands */
    wri_overs *overs;
    wri_frame frame;
    wr_expr **keys; /* PARTITION BY, then ORDER BY */
    bool filled;    /* a frame always has a row, as Calcite sees it: no bound has a distance */
    wr_span span;
} wri_over_site;
wr_status wri_bind_over_push(wri_binder *b, const wri_over_site *site, wri_over_call *call,
                             wr_expr **args, const wr_type *type, wr_expr **out);
wr_status wri_bind_over_agg(wri_binder *b, const wri_over_site *site, const wr_fn *fn,
                            wr_expr **args, uint32_t n, bool distinct, bool ignore_nulls,
                            wr_expr **out);
/* SUM, AVG, STDDEV_*, VAR_*: made of others; *made = false for all else. */
wr_status wri_bind_over_moment(wri_binder *b, const wri_over_site *site, const wr_fn *fn,
                               wr_expr *x, bool distinct, bool *made, wr_expr **out);
/* Puts the calls of exprs[0..n) above *rel and columns of the new *rel in their place. */
wr_status wri_bind_over_build(wri_binder *b, const wri_overs *overs, wr_expr **exprs, uint32_t n,
                              wr_rel **rel);
bool wri_bind_has_over(const wr_ast *e); /* outside sub-queries */

/* ---- bind_from.c, bind_lateral.c, bind_table.c, bind_hint.c ---------------------------------- */
wr_status wri_bind_from(wri_binder *b, const wr_ast *t, const wri_scope *outer, wri_from *out);
/* bind_late.c. Is `id` "t$late" of a table t? Then `id` is t's. */
wr_status wri_bind_late_find(wri_binder *b, wr_table_id *id, const wr_table_desc **out) WR_MUST_USE;
/* No table is called `id`: "t$late" of a table t becomes a candidate when that was nearly said. */
void wri_bind_late_name(wri_binder *b, const wr_table_id *id);
wr_status wri_bind_late_rows(wri_binder *b, const wr_table_desc *t, wr_span span,
                             wr_rel **rel) WR_MUST_USE;
wr_status wri_bind_table_ref(wri_binder *b, const wr_ast_table_ref *t, const wri_scope *outer,
                             wri_from *out);
/* Does this table take columns of the tables to its left (UNNEST, LATERAL ...)? */
bool wri_bind_is_lateral(const wri_binder *b, const wr_ast *t);
wr_status wri_bind_check_outer(wri_binder *b, wri_from *left, const wr_ast *right,
                               wr_join_type type);
wr_status wri_bind_lateral(wri_binder *b, wri_from *left, const wr_ast *right,
                           const wr_ast_join *join, wr_join_type type, wri_from *out);
/* bind_match.c, bind_match_clause.c: MATCH_RECOGNIZE; names and calls inside it (*done: no other
 * meaning is left); the refusal of its functions elsewhere. */
wr_status wri_bind_match(wri_binder *b, const wr_ast_match *ast, const wri_scope *outer,
                         wri_from *out);
wr_status wri_match_resolve(wri_binder *b, const wri_match *m, const wr_ast_ident *id,
                            wr_expr **out);
wr_status wri_match_call(wri_binder *b, const wri_where *w, const wr_ast_call *c, wr_expr **out,
                         bool *done);
wr_status wri_match_unary(wri_binder *b, const wri_where *w, const wr_ast_unary *u, wr_expr **out);
wr_status wri_match_only(wri_binder *b, const wr_ast_call *c);
/* bind_hint_lookup.c: checks a LOOKUP hint; the table that it names. */
wr_status wri_bind_hint_lookup(wri_binder *b, const wr_ast_hint *h,
                               const struct wr_lookup_hint **out) WR_MUST_USE;
wr_str wri_bind_hint_lookup_table(const wr_ast_hint *h);
/* bind_call_table.c: a call that stands for a table of the engine's own. */
bool wri_bind_is_call_table(const wri_binder *b, const wr_ast *t);
wr_status wri_bind_call_table(wri_binder *b, const wr_ast *t, const wri_scope *outer,
                              wri_from *out);
/* bind_window.c: TUMBLE, HOP, CUMULATE, SESSION in FROM. */
bool wri_bind_is_window(const wr_ast *t);
wr_status wri_bind_window(wri_binder *b, const wr_ast *t, const wri_scope *outer, wri_from *out);
/* The window functions' names near `wanted` become candidates of the error to come. */
void wri_bind_window_names(wri_binder *b, wr_str wanted);
wr_status wri_bind_window_node(wri_binder *b, wr_rel *input, const wr_window_spec *spec,
                               uint32_t time_col, wr_span span, wr_rel **out);
/* A table argument: TABLE t (*table), or a query. out->rel NULL: it is neither. */
wr_status wri_bind_table_operand(wri_binder *b, const wr_ast *data, const wri_scope *outer,
                                 wri_from *out, bool *table) WR_MUST_USE;
/* bind_changelog.c: FROM_CHANGELOG, TO_CHANGELOG in FROM. */
bool wri_bind_is_changelog(const wr_ast *t);
wr_status wri_bind_changelog(wri_binder *b, const wr_ast *t, const wri_scope *outer,
                             wri_from *out) WR_MUST_USE;
/* bind_group_window.c: the same in GROUP BY. */
bool wri_bind_is_group_window(const wr_ast *e);
bool wri_bind_is_group_window_name(wr_str name); /* TUMBLE, HOP_START, ... */
wr_status wri_bind_group_window(wri_binder *b, const wri_scope *scope, wri_group *g,
                                const wr_ast *e);
wr_status wri_bind_group_window_call(wri_binder *b, const wri_where *w, const wr_ast_call *c,
                                     wri_agg_call *call, const wr_type **type);
wr_status wri_bind_group_window_build(wri_binder *b, const wri_group *g, wr_rel *input,
                                      uint32_t time_col, wr_rel **out);
/* UNNEST or a table function that stands first in FROM. */
wr_status wri_bind_table_fn(wri_binder *b, const wr_ast *t, const wri_scope *outer, wri_from *out);
wr_status wri_bind_as(wri_binder *b, const wr_ast_as *as, wr_str name, const wr_table_id *id,
                      wr_span span, wr_rel *rel, const wri_scope *outer, wri_from *out);
wr_status wri_bind_scan(wri_binder *b, const wr_table_desc *t, const wr_ast_list *hints,
                        wr_span span, wr_rel **out);
wr_status wri_bind_view(wri_binder *b, const wr_table_desc *t, wr_span span, wr_rel **out);
wr_status wri_bind_find_table(wri_binder *b, const wr_ast_ident *name, wr_table_id *id,
                              const wr_table_desc **out);
wr_status wri_bind_table_options(wri_binder *b, const wr_table_desc *t, const wr_ast_list *hints,
                                 wr_options *out);
wr_status wri_bind_stored_expr(wri_binder *b, wr_str text, const wr_schema *columns, wr_expr **out);
/* An error: there is no hint of that name. */
wr_status wri_bind_no_hint(wri_binder *b, const wr_ast_hint *h, wr_span span) WR_MUST_USE;
wr_status wri_bind_hints_open(wri_binder *b, const wr_ast_select *s);
wr_status wri_bind_hints_check(wri_binder *b);
/* Options of a hint as plans show them: {retry-strategy=fixed_delay, table=d} without braces. */
wr_str wri_bind_hint_text(wri_binder *b, const wr_ast_hint *h);
/* The root of the SELECT gets its hints, as plans show them. */
wr_status wri_bind_hints_note(wri_binder *b, wr_rel *root) WR_MUST_USE;
void wri_bind_hints_join(wri_binder *b, wr_rel *join, wr_str left, wr_str right);
void wri_bind_hints_group(wri_binder *b, const wri_scope *scope, wr_rel *agg);

#endif
