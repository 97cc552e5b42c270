/* SPDX-License-Identifier: Apache-2.0 */
/* Private to physical planning: a logical tree becomes physical nodes in four passes.
 *
 *   1. phys_make.c, phys_join.c, phys_sink.c: one node (or a few, with exchanges) per relation;
 * wri_pnode_kinds() tells bottom-up which *modifications* a node may produce (insert, update,
 * delete).
 *   2. changelog.c: top-down, whether updates travel as -U/+U or as +U alone; inserts
 * ChangelogNormalize and DropUpdateBefore; refuses what a consumer cannot take.
 *   3. phys_keys.c: upsert keys bottom-up (needed by 1 for sinks and joins as well).
 *   4. phys_finish.c: numbering, labels, boundedness, state growth, logical ids. */
#ifndef WR_PLAN_PHYS_INT_H
#define WR_PLAN_PHYS_INT_H

#include "plan/plan.h"

typedef struct wri_phys { /* one planning */
    const wr_plan_env *env;
    wr_arena *arena;
    bool batch;
    WR_LIST(const wr_rel *)
    seen; /* relations converted so far, so that a shared one is planned once */
    WR_LIST(wr_pnode *) made;
} wri_phys;

/* phys_make.c */
wr_status wri_phys_rel(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out) WR_MUST_USE;
/* A node with `input_count` inputs and the given schema, its kinds and keys derived later by
 * wri_phys_derive. */
wr_pnode *wri_phys_node(wri_phys *p, wr_pkind kind, wr_schema schema, wr_pnode *const *inputs,
                        uint32_t input_count);
wr_pnode *wri_phys_exchange(wri_phys *p, wr_pnode *input, wr_dist dist, const uint32_t *keys,
                            uint32_t key_count);
/* Changelog kinds (as ALL/INSERT_ONLY by modification) and upsert keys from the inputs'; NULL-safe,
 * call once per node. */
wr_status wri_phys_derive(wr_ctx *ctx, wri_phys *p, wr_pnode *n) WR_MUST_USE;
uint32_t *wri_phys_cols(wri_phys *p, const uint32_t *cols,
                        uint32_t count); /* copy; NULL = out of memory */

/* phys_join.c, phys_sink.c */
wr_status wri_phys_join(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out) WR_MUST_USE;
wr_status wri_phys_sink(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out) WR_MUST_USE;
wr_status wri_phys_collect(wr_ctx *ctx, wri_phys *p, wr_pnode *input, wr_pnode **out) WR_MUST_USE;

/* phys_keys.c */
wr_status wri_keys_derive(wr_ctx *ctx, wri_phys *p, wr_pnode *n) WR_MUST_USE;
/* Is `cols` (a set) among the upsert keys, exactly? */
bool wri_keys_has(const wr_pnode *n, const uint32_t *cols, uint32_t count);
bool wri_cols_contain(const uint32_t *set, uint32_t set_count, const uint32_t *subset,
                      uint32_t count);

/* changelog.c */
typedef enum wri_updates {                    /* how a consumer wants updates */
                           WRI_UPDATES_NONE,  /* there are none */
                           WRI_UPDATES_AFTER, /* +U alone is enough (keyed by an upsert key) */
                           WRI_UPDATES_BOTH   /* -U and +U */
} wri_updates;
wr_clmode wri_kinds_derive(
    const wr_pnode *n); /* modifications of a node from its inputs': UB and UA set together */
/* Fix the updates of the tree below a root; may put nodes in between. False: a node below cannot
 * give what is wanted. */
wr_status wri_changelog_fix(wr_ctx *ctx, wri_phys *p, wr_pnode **slot, wri_updates wanted,
                            bool *ok) WR_MUST_USE;
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

/* phys_finish.c */
wr_status wri_phys_finish(wr_ctx *ctx, wri_phys *p, wr_pnode **roots, uint32_t count,
                          wr_plan **out) WR_MUST_USE;
/* explain_label.c: the one line of a node, as EXPLAIN prints it ("GroupAggregate(groupBy=[k],
 * select=[...])"). */
wr_status wri_label(wr_ctx *ctx, const wr_plan_env *env, const wr_pnode *n, wr_expr_style style,
                    wr_text *out) WR_MUST_USE;

#endif
