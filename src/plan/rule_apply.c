/* SPDX-License-Identifier: Apache-2.0 */
/* The logical rules in their order. Every pass takes a tree and gives a new one; nodes are never
 * changed in place, so a relation that is used twice stays valid. */
#include "plan/rule_int.h"

#define RELATIONS_MAX 50000u /* a common table expression counts wherever it is used */

/* False when there are too many: the rules see a tree where the binder shares. */
static bool
count_relations(const wr_rel *rel, uint32_t *n)
{
    if (++*n > RELATIONS_MAX) return false;
    for (uint32_t i = 0; i < rel->input_count; i++)
        if (!count_relations(rel->inputs[i], n)) return false;
    return true;
}

typedef wr_status (*rule_fn)(wri_rules *r, wr_rel *rel, wr_rel **out);

wr_status
wr_rules_apply(wr_ctx *ctx, const wr_plan_env *env, wr_rel *rel, wr_rel **out)
{
    static const rule_fn passes[] =
        {
            wri_rule_subqueries, /* no sub-query and no correlation afterwards */
            wri_rule_setops,     wri_rule_fold,
            wri_rule_filters,    wri_rule_fold, /* pushed conditions may have become constant */
            wri_rule_constants,  wri_rule_filters,
            wri_rule_fold,       wri_rule_times,
            wri_rule_joins,      wri_rule_multi,
            wri_rule_projects,   wri_rule_distinct,
            wri_rule_unique,     wri_rule_ranks,
            wri_rule_prune,      wri_rule_unique, /* what nobody looks at is gone */
            wri_rule_join_aggs,  wri_rule_projects,
            wri_rule_literals,   wri_rule_scans,
        };
    uint32_t count = 0;
    if (!count_relations(rel, &count))
        return wr_raise_at(ctx, WR_LIMIT, rel->span,
                           "the query has more than %u relations, those of views and common table "
                           "expressions counted wherever they are used",
                           RELATIONS_MAX);
    wri_rules r = {ctx, env, env->arena, 0, false};
    WR_TRY(wri_rule_bundle_latency(&r, rel));
    for (uint32_t i = 0; i < WR_COUNT(passes); i++) WR_TRY(passes[i](&r, rel, &rel));
    *out = rel;
    return WR_OK;
}
