/* SPDX-License-Identifier: Apache-2.0 */
/* What mini-batch asks of the session: a latency for queries that keep anything, and a size for the
 * nodes that gather bundles. */
#include <string.h>

#include "plan/over.h"
#include "plan/phys_int.h"
#include "plan/rule_int.h"

/* Does it number rows, for a Top-N? */
static bool
ranks(const wr_over_spec *over, bool with_ties)
{
    static const char *const names[] = {"ROW_NUMBER", "RANK", "DENSE_RANK"};
    const size_t count = with_ties ? WR_COUNT(names) : 1;
    for (uint32_t i = 0; i < over->window_count; i++)
        for (uint32_t k = 0; k < over->windows[i].call_count; k++)
            for (size_t j = 0; j < count; j++)
                if (strcmp(over->windows[i].calls[k].fn->name, names[j]) == 0) return true;
    return false;
}

bool
wri_takes_bundles(const wr_rel *rel, bool with_ties)
{
    for (uint32_t i = 0; i < rel->input_count; i++)
        if (wri_takes_bundles(rel->inputs[i], with_ties)) return true;
    switch ((int)rel->kind) {
    case WR_REL_SCAN:
    case WR_REL_VALUES:
    case WR_REL_PROJECT:
    case WR_REL_FILTER:
    case WR_REL_SINK:
        return false;
    case WR_REL_SETOP:
        return rel->u.setop.op != WR_SETOP_UNION || !rel->u.setop.all;
    case WR_REL_OVER:
        return ranks(rel->u.over, with_ties);
    default:
        return true;
    }
}

static wr_status
with_hint(wr_ctx *ctx, wr_status status)
{
    wr_hint(ctx, "SET 'table.exec.mini-batch.allow-latency' = '1 s' and "
                 "'table.exec.mini-batch.size' = '5000', for example");
    return status;
}

wr_status
wri_rule_bundle_latency(wri_rules *r, const wr_rel *rel)
{
    const wr_config *c = r->env->config;
    if (r->env->batch || !wr_config_bool(c, "table.exec.mini-batch.enabled") ||
        wr_config_int(c, "table.exec.mini-batch.allow-latency") > 0 ||
        !wri_takes_bundles(rel, false))
        return WR_OK;
    return with_hint(r->ctx, wr_raise_at(r->ctx, WR_OPTION, rel->span,
                                         "MiniBatch Latency must be greater than 0 ms."));
}

wr_status
wri_phys_bundle_size(wr_ctx *ctx, const wri_phys *p, const wr_plan *plan)
{
    const wr_config *c = p->env->config;
    if (p->batch || !wr_config_bool(c, "table.exec.mini-batch.enabled") ||
        wr_config_int(c, "table.exec.mini-batch.size") > 0)
        return WR_OK;
    for (uint32_t i = 0; i < plan->node_count; i++) {
        const wr_pnode *n = plan->nodes[i];
        if (n->kind == WR_P_DEDUPLICATE)
            return with_hint(ctx, wr_raise(ctx, WR_OPTION,
                                           "table.exec.mini-batch.size should be greater than 0."));
        if (n->kind == WR_P_GROUP_AGG || n->kind == WR_P_CHANGELOG_NORMALIZE ||
            (n->kind == WR_P_JOIN && n->u.join.type != WR_JOIN_SEMI &&
             n->u.join.type != WR_JOIN_ANTI))
            return with_hint(ctx, wr_raise(ctx, WR_OPTION,
                                           "Key: 'table.exec.mini-batch.size' , default: -1 "
                                           "(fallback keys: []) must be > 0."));
    }
    return WR_OK;
}
