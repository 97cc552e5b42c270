/* SPDX-License-Identifier: Apache-2.0 */
/* The logical rules in their order. Every pass takes a tree and gives a new one; nodes are never
 * changed in place, so a relation that is used twice stays valid. */
#include "plan/rule_int.h"

typedef wr_status (*rule_fn)(wri_rules *r, wr_rel *rel, wr_rel **out);

wr_status
wr_rules_apply(wr_ctx *ctx, const wr_plan_env *env, wr_rel *rel, wr_rel **out)
{
    static const rule_fn passes[] = {
        wri_rule_subqueries, /* no sub-query and no correlation afterwards */
        wri_rule_setops,     wri_rule_fold,    wri_rule_filters,
        wri_rule_fold, /* pushed conditions may have become constant */
        wri_rule_constants,  wri_rule_filters, wri_rule_fold,
        wri_rule_times,      wri_rule_joins,   wri_rule_projects,
        wri_rule_unique,     wri_rule_prune,   wri_rule_projects,
        wri_rule_literals,   wri_rule_scans,
    };
    wri_rules r = {ctx, env, env->arena, 0, false};
    for (uint32_t i = 0; i < WR_COUNT(passes); i++) WR_TRY(passes[i](&r, rel, &rel));
    *out = rel;
    return WR_OK;
}
