/* SPDX-License-Identifier: Apache-2.0 */
/* Private to physical planning: a logical tree becomes physical nodes in these passes.
 *
 *   1. phys_make.c, phys_source.c, phys_sort.c, phys_join.c, phys_sink.c: one node (or a few, with
 *      exchanges) per relation, bottom-up, each with the *modifications* it may produce, its upsert
 *      keys (phys_keys.c) and how its columns change (phys_mono.c). These nodes are templates:
 * never changed once made, so a relation that is used twice is planned once.
 *   2. changelog.c: top-down from each root, how updates and deletions must travel. Gives a copy of
 *      the tree per demand: a node that two consumers want differently becomes two.
 *   3. phys_share.c: equal sub-plans become one; INSERTs into one sink become one sink over a
 * union.
 *   4. phys_finish.c: numbering, labels, boundedness, state growth, logical ids; phys_lean.c:
 * columns that no operator needs are not read.
 */
#ifndef WR_PLAN_PHYS_INT_H
#define WR_PLAN_PHYS_INT_H

#include "plan/match.h"
#include "plan/plan.h"

typedef enum wri_updates {                    /* how a consumer wants updates */
                           WRI_UPDATES_NONE,  /* there are none */
                           WRI_UPDATES_AFTER, /* +U alone is enough (keyed by an upsert key) */
                           WRI_UPDATES_BOTH,  /* -U and +U */
                           WRI_UPDATES_COUNT
} wri_updates;

typedef enum wri_deletes { /* how a consumer wants deletions */
                           WRI_DELETES_NONE,
                           WRI_DELETES_KEY,  /* -D with the columns of an upsert key is enough */
                           WRI_DELETES_FULL, /* -D with the whole row */
                           WRI_DELETES_COUNT
} wri_deletes;

typedef struct wri_demand {
    wri_updates updates;
    wri_deletes deletes;
} wri_demand;

typedef enum wri_mono { /* how a column of a row with one upsert key changes by updates */
                        WRI_MONO_NONE, /* in any way */
                        WRI_MONO_CONSTANT,
                        WRI_MONO_RISING,
                        WRI_MONO_FALLING
} wri_mono;

typedef struct wri_node { /* a template: what planning knows beside the node */
    wr_pnode n;           /* first */
    const uint8_t *mono;  /* wri_mono per column; NULL = nothing is known */
    double rows;          /* as Flink estimates */
    /* Columns of the output that are start, end and time of a window (time_col is -1); NULL: the
     * rows carry none. */
    const struct wr_windowing *window;
    const wr_rel *rel;
    wr_pnode *answers[WRI_UPDATES_COUNT][WRI_DELETES_COUNT]; /* changelog.c: copies made */
    bool asked[WRI_UPDATES_COUNT][WRI_DELETES_COUNT];
} wri_node;

WR_ALWAYS_INLINE wri_node *
wri_node_of(const wr_pnode *n)
{
    return (wri_node *)(uintptr_t)n;
}

typedef struct wri_phys { /* one planning */
    const wr_plan_env *env;
    wr_arena *arena;
    bool batch;
    bool looking_up; /* what is planned is the table of a lookup join: nobody reads it */
    WR_LIST(const wr_rel *) seen; /* relations converted so far */
    WR_LIST(wr_pnode *) made;
} wri_phys;

/* phys_make.c */
wr_status wri_phys_rel(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out) WR_MUST_USE;
/* A node with inputs and the given schema; its kinds and keys come by wri_phys_derive. */
wr_pnode *wri_phys_node(wri_phys *p, wr_pkind kind, wr_schema schema, wr_pnode *const *inputs,
                        uint32_t input_count);
/* Modifications, boundedness, row estimate, upsert keys and monotonicity from the inputs'; `n`
 * NULL: out of memory. Call once per node. */
wr_status wri_phys_derive(wr_ctx *ctx, wri_phys *p, wr_pnode *n, wr_pnode **out) WR_MUST_USE;
/* Put an exchange on top of *node (hash without keys: single). */
wr_status wri_phys_exchange(wr_ctx *ctx, wri_phys *p, wr_pnode **node, wr_dist dist,
                            const uint32_t *keys, uint32_t key_count) WR_MUST_USE;
/* A calc on top of *node (phys_calc.c); `exprs` NULL: all columns. Goes below a ChangelogNormalize
 * as far as it may; one that changes nothing is left out. */
wr_status wri_phys_calc(wr_ctx *ctx, wri_phys *p, wr_pnode **node, wr_expr *cond, wr_expr **exprs,
                        wr_schema schema) WR_MUST_USE;
/* A hash exchange, unless the rows of a batch plan are at their places already. */
wr_status wri_phys_hash(wr_ctx *ctx, wri_phys *p, wr_pnode **node, const uint32_t *keys,
                        uint32_t count) WR_MUST_USE;
/* Are the rows of a batch plan where such an exchange would bring them? */
wr_status wri_phys_placed(wr_ctx *ctx, wri_phys *p, const wr_pnode *node, const uint32_t *keys,
                          uint32_t count, bool *out) WR_MUST_USE;
/* phys_over.c */
wr_status wri_phys_over(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out) WR_MUST_USE;
/* phys_rank.c */
wr_status wri_phys_rank(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out) WR_MUST_USE;
bool wri_over_equal(const struct wr_over_spec *x, const struct wr_over_spec *y);
/* Streaming: are rows put in order by a column that is no time? Then earlier rows are corrected. */
bool wri_over_corrects(const wr_pnode *n);
/* phys_agg.c */
wr_status wri_phys_aggregate(wr_ctx *ctx, wri_phys *p, const wr_rel *rel,
                             wr_pnode **out) WR_MUST_USE;
/* phys_calc.c: a PROJECT or FILTER */
wr_status wri_phys_project(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out) WR_MUST_USE;
uint32_t *wri_phys_cols(wri_phys *p, const uint32_t *cols,
                        uint32_t count); /* copy; NULL = out of memory */
/* Sets the bits of the columns that e refers to; e NULL: none. */
void wri_phys_mark(const wr_expr *e, uint64_t *bits);

/* phys_source.c */
wr_status wri_phys_scan(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out) WR_MUST_USE;
wr_status wri_phys_watermark(wr_ctx *ctx, wri_phys *p, const wr_rel *rel,
                             wr_pnode **out) WR_MUST_USE;
/* A calc whose input is a ChangelogNormalize. */
wr_status wri_phys_calc_normalized(wr_ctx *ctx, wri_phys *p, wr_pnode **node, wr_expr *cond,
                                   wr_expr **exprs, wr_schema schema) WR_MUST_USE;

/* phys_match.c; whether two of them do the same, and what makes their state what it is */
wr_status wri_phys_match(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out) WR_MUST_USE;
wr_status wri_phys_changelog(wr_ctx *ctx, wri_phys *p, const wr_rel *rel,
                             wr_pnode **out) WR_MUST_USE;
bool wri_match_equal(const wr_match_spec *a, const wr_match_spec *b);
wr_status wri_match_identity(wr_ctx *ctx, wr_arena *a, const wr_match_spec *m,
                             wr_text *t) WR_MUST_USE;
/* phys_sort.c, phys_join.c, phys_sink.c */
wr_status wri_phys_sort(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out) WR_MUST_USE;
wr_status wri_phys_join(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out) WR_MUST_USE;
/* Does a row of the left side meet at most one of the right (by equal columns alone)? */
wr_status wri_phys_right_unique(wr_ctx *ctx, wri_phys *p, const wr_rel *join,
                                bool *out) WR_MUST_USE;
/* The whole way of an INSERT and of a SELECT: template, demand, the tree that satisfies it. */
wr_status wri_phys_sink(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out) WR_MUST_USE;
wr_status wri_phys_collect(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out) WR_MUST_USE;

/* phys_multi.c. Is the join to be a multi-way join, if it is a regular one? */
bool wri_multi_wanted(const wr_plan_env *env, const wr_rel *join);
/* Such a join of `sides`, with the inputs of the one on its left if it can take them. */
wr_status wri_phys_multi(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode *const *sides,
                         wr_pnode **out) WR_MUST_USE;
/* phys_join.c: the unique key by which a join keeps the rows of an input: the one that the join
 * key contains, else the smallest. */
void wri_join_unique_key(const wr_pnode *in, const uint32_t *keys, uint32_t key_count,
                         const uint32_t **unique, uint32_t *count, bool *contained);

/* phys_keys.c */
wr_status wri_keys_derive(wr_ctx *ctx, wri_phys *p, wr_pnode *n) WR_MUST_USE;
bool wri_cols_contain(const uint32_t *set, uint32_t set_count, const uint32_t *subset,
                      uint32_t count);
/* Is an upsert key of `n` within `cols`? */
bool wri_keys_within(const wr_pnode *n, const uint32_t *cols, uint32_t count);

/* phys_size.c */
#define WRI_UNKNOWN_ROWS 1e8 /* of a source that does not say */
void wri_size_derive(wr_pnode *n);
double wri_size_bytes(const wr_pnode *n);
double wri_row_width(const wr_schema *s);
double wri_passes(const wr_expr *cond); /* the part of the rows; NULL: all */

/* phys_mono.c */
wr_status wri_mono_derive(wr_ctx *ctx, wri_phys *p, wr_pnode *n) WR_MUST_USE;

/* phys_window.c */
wr_status wri_window_derive(wr_ctx *ctx, wri_phys *p, wr_pnode *n) WR_MUST_USE;
wr_status wri_phys_window_tvf(wr_ctx *ctx, wri_phys *p, const wr_rel *rel,
                              wr_pnode **out) WR_MUST_USE;
/* phys_window_rows.c. Is a streaming join one of equal windows? Then they are in windows[0..2), and
 * *cond is its condition without theirs (NULL: TRUE); else they are NULL. */
wr_status wri_phys_join_windows(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode *const *sides,
                                const struct wr_windowing **windows, wr_expr **cond) WR_MUST_USE;
/* Is a Top-N over the rows of `in` one within windows? Then which. */
struct wr_over_window;
bool wri_phys_ranks_window(const wri_phys *p, const wr_pnode *in, const struct wr_over_window *o,
                           struct wr_windowing *out);
/* Put such a Top-N, or if `first_row` a deduplication, on top of *node. */
wr_status wri_phys_window_rank(wr_ctx *ctx, wri_phys *p, const wr_rel *rel,
                               const struct wr_windowing *w, bool first_row,
                               wr_pnode **node) WR_MUST_USE;
/* phys_window_emit.c: *out stays NULL where windows come out once. */
struct wr_window_spec;
struct wr_window_emit;
wr_status wri_phys_window_emit(wr_ctx *ctx, wri_phys *p, const wr_rel *rel,
                               const struct wr_window_spec *spec,
                               const struct wr_window_emit **out) WR_MUST_USE;
/* phys_window_agg.c: a streaming aggregate by windows; *out stays NULL when it is none. */
wr_status wri_phys_window_agg(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode *input,
                              wr_pnode **out) WR_MUST_USE;

/* changelog.c */
wr_clmode wri_kinds_derive(const wr_pnode *n); /* modifications: UB and UA set together */
/* The tree below `n` that gives what is demanded; NULL when it cannot. */
wr_status wri_changelog_satisfy(wr_ctx *ctx, wri_phys *p, wr_pnode *n, wri_demand d,
                                wr_pnode **out) WR_MUST_USE;
WR_ALWAYS_INLINE bool
wri_has_updates(const wr_pnode *n)
{
    return (n->changelog & (WR_CL_UB | WR_CL_UA)) != 0;
}
WR_ALWAYS_INLINE bool
wri_insert_only(const wr_pnode *n)
{
    return n->changelog == WR_CL_I;
}

/* phys_ndu.c: refuses plans whose updates would meet values that are not reproducible. */
wr_status wri_ndu_check(wr_ctx *ctx, wri_phys *p, const wr_rel *sink, const wr_pnode *query,
                        bool materialize) WR_MUST_USE;

/* phys_share.c */
wr_status wri_phys_share(wr_ctx *ctx, wri_phys *p, wr_pnode **roots, uint32_t *count) WR_MUST_USE;

/* phys_bundle.c: mini-batches, in plans that are shown. */
wr_status wri_phys_bundle(wr_ctx *ctx, wri_phys *p, wr_pnode **roots, uint32_t count) WR_MUST_USE;

/* phys_lean.c, phys_finish.c */
wr_status wri_phys_lean(wr_ctx *ctx, wri_phys *p, wr_plan *plan) WR_MUST_USE;
/* identity.c: logical_id of every node */
wr_status wri_name_state(wr_ctx *ctx, wri_phys *p, wr_plan *plan) WR_MUST_USE;
/* Does mini-batch concern the query, as it is written? What stands in sub-queries of expressions
 * does not count. with_ties: so do RANK and DENSE_RANK (what EXPLAIN shows), not ROW_NUMBER alone
 * (what wants a latency). */
bool wri_takes_bundles(const wr_rel *rel, bool with_ties);
/* Nodes that gather bundles of rows want their size to be set. */
wr_status wri_phys_bundle_size(wr_ctx *ctx, const wri_phys *p, const wr_plan *plan) WR_MUST_USE;
wr_status wri_phys_finish(wr_ctx *ctx, wri_phys *p, wr_pnode **roots, uint32_t count,
                          wr_plan **out) WR_MUST_USE;

/* explain_tree.c: the tree below n with changelog modes and upsert keys, for messages. */
wr_status wri_explain_related(wr_ctx *ctx, const wr_plan_env *env, const wr_pnode *n,
                              wr_text *out) WR_MUST_USE;
/* explain_label.c: the one line of a node, as EXPLAIN prints it ("GroupAggregate(groupBy=[k],
 * select=[...])"), with the attributes in `first` and `last` (may be empty) at its ends. */
wr_status wri_label(wr_ctx *ctx, const wr_plan_env *env, const wr_pnode *n, wr_expr_style style,
                    wr_str first, wr_str last, wr_text *out) WR_MUST_USE;

/* fixed.c: the value (a literal, or IS NULL) that the simplified condition of calc n fixes the
 * column `e` to; NULL: none, or e is no column. */
const wr_expr *wri_fixed_column(const wr_pnode *n, const wr_expr *cond, const wr_expr *e);

#endif
