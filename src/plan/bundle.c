/* SPDX-License-Identifier: Apache-2.0 */
/* What mini-batch asks of the session: a latency for queries that keep anything, and a size for the
 * nodes that gather bundles. */
#include <string.h>

#include "plan/over.h"
#include "plan/phys_int.h"
#include "plan/rule_int.h"

static bool
numbers_rows(const wr_over_spec *over)
{
    for (uint32_t i = 0; i < over->window_count; i++)
        for (uint32_t k = 0; k < over->windows[i].call_count; k++)
            if (strcmp(over->windows[i].calls[k].fn->name, "ROW_NUMBER") == 0) return true;
    return false;
}

/* As the query is written: what stands in sub-queries of expressions does not count. */
static bool
wants_latency(const wr_rel *rel)
{
    switch ((wr_rel_kind)rel->kind) {
    case WR_REL_SCAN:
    case WR_REL_VALUES:
    case WR_REL_PROJECT:
    case WR_REL_FILTER:
    case WR_REL_SINK:
        break;
    case WR_REL_SETOP:
        if (rel->u.setop.op != WR_SETOP_UNION || !rel->u.setop.all) return true;
        break;
    case WR_REL_OVER:
        if (numbers_rows(rel->u.over)) return true;
        break;
    case WR_REL_JOIN:
    case WR_REL_AGGREGATE:
    case WR_REL_SORT:
    case WR_REL_CORRELATE:
    case WR_REL_WATERMARK:
    case WR_REL_WINDOW_TVF:
    case WR_REL_MATCH:
    case WR_REL_CHANGELOG:
    case WR_REL_EXPAND:
        return true;
    }
    for (uint32_t i = 0; i < rel->input_count; i++)
        if (wants_latency(rel->inputs[i])) return true;
    return false;
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
        wr_config_int(c, "table.exec.mini-batch.allow-latency") > 0 || !wants_latency(rel))
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
