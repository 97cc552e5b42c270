/* SPDX-License-Identifier: Apache-2.0 */
/* Private to EXPLAIN: lines, trees, sections. */
#ifndef WR_PLAN_EXPLAIN_INT_H
#define WR_PLAN_EXPLAIN_INT_H

#include "plan/phys_int.h"
#include "plan/window.h"

typedef struct wri_liner { /* a line being written */
    wr_text *out;
    const wr_plan_env *env;
    const wr_pnode *n;
    wr_expr_style style; /* of the section */
    wr_expr_style exprs; /* of expressions in it */
    bool any;            /* an attribute has been written */
} wri_liner;

/* explain_label.c: pieces of lines */
const char *wri_node_name(const wr_pnode *n, wr_expr_style style);
void wri_attr(wri_liner *l, const char *name); /* ", name=[" */
void wri_put_fields(wr_text *out, const wr_schema *s, const char *sep);
void wri_put_cols(wr_text *out, const wr_schema *s, const uint32_t *cols, uint32_t count);
void wri_put_untyped(wr_text *out, const wr_expr *e); /* a literal without its type */
void wri_label_lookup(wri_liner *l);                  /* explain_lookup.c */
void wri_label_multi(wri_liner *l);                   /* explain_multi.c */
void wri_put_ttl(wr_text *out, int64_t ms);           /* 1d, 2h, 90s */
/* One term of a join's condition. */
void wri_put_join_term(wri_liner *l, const wr_expr *e, const wr_field *names);
void wri_put_table(wr_text *out, const wr_table_id *id, const char *sep);
void wri_put_record_type(wr_text *out, const wr_schema *s);
void wri_put_target(wri_liner *l, const uint32_t *cols, uint32_t count);
/* Options of a hint: what a scan `has` beside the table's own: "a=1, b=2"; empty: none. */
wr_str wri_option_hint(wr_arena *a, const wr_options *has, const wr_options *own);

/* explain_agg.c */
const char *wri_batch_agg_name(const wr_pnode *n); /* HashAggregate, LocalSortAggregate ... */
const char *wri_group_agg_name(const wr_pnode *n); /* GroupAggregate, LocalGroupAggregate ... */
void wri_label_agg(wri_liner *l);
/* A call as Flink shows it: MAX_RETRACT(DISTINCT v) FILTER $f1; `distinct`: the words before the
 * arguments of one that is distinct. */
void wri_put_agg_call(wri_liner *l, const wr_agg_bound *a, bool retract, const char *distinct);

/* explain_partial.c: the calls of a LOCAL and of a FINAL aggregate in streaming. counts_rows: rows
 * are counted too, if no call does so. put_as: the name of column *col of the output, which it
 * moves on. Is there anything before what follows? */
bool wri_agg_retracts(const wr_pnode *n, uint32_t i); /* call i */
bool wri_put_partial_calls(wri_liner *l, bool counts_rows);
bool wri_put_merged_calls(wri_liner *l, bool counts_rows,
                          void (*put_as)(wri_liner *l, uint32_t *col), uint32_t *col);

/* explain_window.c */
const char *wri_window_agg_name(const wr_pnode *n); /* WindowAggregate, LocalWindowAggregate ... */
void wri_label_window(wri_liner *l);                /* WINDOW_TVF, WINDOW_AGG */
void wri_put_window_length(wr_text *out, int64_t ms); /* 10 min */
/* TUMBLE(win_start=[a], win_end=[b], size=[10 min]), or (time_col=[ts], ...) */
void wri_put_windowing(wr_text *out, const wr_windowing *w, const wr_schema *s);

/* explain_window_rows.c: leftWindow=[...], rightWindow=[...]; WINDOW_RANK, WINDOW_DEDUPLICATE */
void wri_put_join_windows(wri_liner *l);
void wri_label_window_rank(wri_liner *l);

/* explain_timed.c: what joins by time show beside other joins */
void wri_put_window_bounds(wri_liner *l);
/* explain_over.c: OverAggregate's attributes, and calls in the syntax tree */
void wri_label_over(wri_liner *l);
/* Has column i of a calc right above OverAggregate lost its name? Those of calls have, where the
 * calc only picks columns in their order. */
typedef enum wri_lost_name {
    WRI_NAME_KEPT,
    WRI_NAME_NUMBERED, /* $i */
    WRI_NAME_BELOW     /* called what it is called below */
} wri_lost_name;
wri_lost_name wri_over_numbered(const wr_pnode *calc, wr_expr *const *exprs, uint32_t count,
                                uint32_t i);
/* A projection whose input is WR_REL_OVER: the calls into its expressions; the node goes. */
struct wri_rules;
wr_status wri_view_over(struct wri_rules *r, wr_rel *project) WR_MUST_USE;

/* Group windows as Flink's converter has them: the call among the columns below the aggregate;
 * above it, in n expressions over `below` (the tree that is planned), the calls for start and end.
 */
wr_status wri_view_group_window(struct wri_rules *r, wr_rel *agg) WR_MUST_USE;
wr_status wri_view_above_group_window(struct wri_rules *r, const wr_rel *below, wr_expr **exprs,
                                      uint32_t n) WR_MUST_USE;
/* Such a call; `part` prints an operand. */
void wri_put_over(wr_text *out, const wr_expr *e, wr_str (*part)(void *arg, const wr_expr *e),
                  void *arg);
/* explain_rank.c */
void wri_label_rank(wri_liner *l); /* RANK, DEDUPLICATE */
void wri_put_ordering(wr_text *out, const wr_schema *s, const wr_order_key *keys, uint32_t count);
/* ASC, DESC-nulls-last: how the planner writes an order, with the place of NULLs where it is not
 * its own. */
const char *wri_direction(const wr_order_key *k);

/* stateTtlHints=[...]: of a group aggregate or a join whose TTL is not that of the session. */
bool wri_has_ttl_hint(const wr_plan_env *env, const wr_pnode *n);
void wri_put_ttl_hint(const wr_plan_env *env, const wr_pnode *n, wr_text *out);

/* Lines of a tree: what stands before "- Node" at each depth. */
typedef struct wri_branches {
    wr_ctx *ctx;
    wr_text *out;
    char prefix[2048];
    size_t depth_bytes;
} wri_branches;
/* Before a node: its branch ("" for a root, ":- ", "+- "). */
void wri_branch(wri_branches *b, const char *branch);
wr_status wri_branch_down(wri_branches *b, const char *branch) WR_MUST_USE;
void wri_branch_up(wri_branches *b, const char *branch);

/* explain_tree.c: the node that stands for n in plans (what is folded into its consumer is
 * skipped); the sections of the physical and the execution plan. */
const wr_pnode *wri_shown_node(const wr_pnode *n);
void wri_put_changelog(const wr_pnode *n, wr_text *out);
wr_status wri_explain_physical(wr_ctx *ctx, const wr_plan_env *env, const wr_plan *plan,
                               uint32_t details, wr_text *out) WR_MUST_USE;
wr_status wri_explain_execution(wr_ctx *ctx, const wr_plan_env *env, const wr_plan *plan,
                                wr_text *out) WR_MUST_USE;

/* explain_cost.c: ": rowcount = 1.0E8, cumulative cost = {...}" */
void wri_put_cost(const wr_pnode *n, wr_text *out);

/* explain_view.c: the tree as Calcite's converter builds it */
wr_status wri_explain_view(wr_ctx *ctx, const wr_plan_env *env, const wr_rel *rel,
                           wr_rel **out) WR_MUST_USE;
/* The Expand whose grouping sets the aggregate has taken over, or NULL. */
const wr_rel *wri_view_sets(const wr_rel *aggregate);

/* explain_hint.c: hints in the syntax tree */
typedef struct wri_hinted { /* what reaches a node */
    bool named;             /* tables show their names: the statement has hints */
    bool muted;             /* in sub-queries of expressions they do not show */
    const wr_rel *select;   /* whose hints; NULL: none */
    uint16_t path[64];      /* the inputs that lead from there to the node */
    uint32_t depth;
} wri_hinted;
void wri_hinted_down(wri_hinted *h, uint32_t input);
void wri_put_join_hints(wr_text *out, const wri_hinted *h);
void wri_put_ttl_hints(wr_text *out, const wri_hinted *h);
void wri_put_scan_hints(wr_text *out, const wr_rel *scan, const wri_hinted *h);
bool wri_has_hints(const wr_rel *rel);

/* explain_ast.c */
void wri_put_required(wr_text *out, const wr_rel *correlate);
wr_status wri_explain_ast(wr_ctx *ctx, const wr_plan_env *env, const wr_rel *rel,
                          wr_text *out) WR_MUST_USE;

/* explain_match.c */
void wri_label_match(wri_liner *l);
void wri_label_changelog(wri_liner *l); /* phys_changelog.c */
void wri_put_logical_match(const wr_rel *rel, wr_text *out);

/* explain_json.c: the nodes of the job graph */
wr_status wri_explain_json(wr_ctx *ctx, const wr_plan_env *env, const wr_plan *plan,
                           wr_text *out) WR_MUST_USE;

#endif
