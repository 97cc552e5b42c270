/* SPDX-License-Identifier: Apache-2.0 */
/* The last pass: nodes are numbered inputs first, and get labels, identities of their state and how
 * it grows. */
#include "plan/fields_int.h"
#include "plan/multi.h"
#include "plan/phys_int.h"

const char *
wr_pkind_name(wr_pkind k)
{
    static const char *const names[WR_P_COUNT] = {
        [WR_P_SCAN] = "TableSourceScan",
        [WR_P_VALUES] = "Values",
        [WR_P_CALC] = "Calc",
        [WR_P_WATERMARK] = "WatermarkAssigner",
        [WR_P_MINI_BATCH] = "MiniBatchAssigner",
        [WR_P_EXCHANGE] = "Exchange",
        [WR_P_UNION] = "Union",
        [WR_P_LIMIT] = "Limit",
        [WR_P_SORT] = "Sort",
        [WR_P_SORT_LIMIT] = "SortLimit",
        [WR_P_GROUP_AGG] = "GroupAggregate",
        [WR_P_HASH_AGG] = "HashAggregate",
        [WR_P_JOIN] = "Join",
        [WR_P_MULTI_JOIN] = "MultiJoin",
        [WR_P_HASH_JOIN] = "HashJoin",
        [WR_P_NESTED_LOOP_JOIN] = "NestedLoopJoin",
        [WR_P_CORRELATE] = "Correlate",
        [WR_P_EXPAND] = "Expand",
        [WR_P_OVER_AGG] = "OverAggregate",
        [WR_P_RANK] = "Rank",
        [WR_P_DEDUPLICATE] = "Deduplicate",
        [WR_P_WINDOW_TVF] = "WindowTableFunction",
        [WR_P_WINDOW_AGG] = "WindowAggregate",
        [WR_P_WINDOW_JOIN] = "WindowJoin",
        [WR_P_WINDOW_RANK] = "WindowRank",
        [WR_P_WINDOW_DEDUPLICATE] = "WindowDeduplicate",
        [WR_P_INTERVAL_JOIN] = "IntervalJoin",
        [WR_P_TEMPORAL_JOIN] = "TemporalJoin",
        [WR_P_LOOKUP_JOIN] = "LookupJoin",
        [WR_P_MATCH] = "Match",
        [WR_P_CHANGELOG] = "ProcessTableFunction",
        [WR_P_CHANGELOG_NORMALIZE] = "ChangelogNormalize",
        [WR_P_DROP_UPDATE_BEFORE] = "DropUpdateBefore",
        [WR_P_SINK_MATERIALIZE] = "SinkUpsertMaterializer",
        [WR_P_SINK] = "Sink",
        [WR_P_COLLECT] = "Collect",
    };
    return names[k];
}

typedef WR_LIST(wr_pnode *) node_list;

static wr_state_growth
agg_growth(const wr_pnode *n)
{
    for (uint32_t i = 0; i < n->u.agg.agg_count; i++) {
        const wr_agg_bound *a = &n->u.agg.aggs[i];
        bool retracts = n->u.agg.retracts ? n->u.agg.retracts[i] : n->u.agg.retract;
        const wr_agg_ops *ops = retracts ? a->retract_ops : a->ops;
        if (a->distinct || (ops && ops->aux != WR_AGG_AUX_NONE)) return WR_GROWTH_ROWS;
    }
    return n->u.agg.key_count ? WR_GROWTH_KEYS : WR_GROWTH_BOUNDED;
}

static wr_state_growth
growth_of(const wr_pnode *n)
{
    switch ((wr_pkind)n->kind) {
    case WR_P_GROUP_AGG:
        return agg_growth(n);
    case WR_P_JOIN:
        return n->u.join.key_contains_unique[0] && n->u.join.key_contains_unique[1]
                   ? WR_GROWTH_KEYS
                   : WR_GROWTH_ROWS;
    case WR_P_MULTI_JOIN:
        for (uint32_t i = 0; i < n->input_count; i++)
            if (!n->u.multi->inputs[i].key_contains_unique) return WR_GROWTH_ROWS;
        return WR_GROWTH_KEYS;
    case WR_P_CHANGELOG_NORMALIZE:
    case WR_P_DEDUPLICATE:
    case WR_P_TEMPORAL_JOIN: /* a version of each key at least */
        return WR_GROWTH_KEYS;
    case WR_P_RANK:
        return n->u.rank.strategy == WR_RANK_RETRACT ? WR_GROWTH_ROWS : WR_GROWTH_KEYS;
    case WR_P_OVER_AGG:
        return wri_over_corrects(n) ? WR_GROWTH_ROWS : WR_GROWTH_KEYS;
    case WR_P_MATCH:
        return WR_GROWTH_KEYS;
    case WR_P_WINDOW_AGG: /* what time passes goes */
    case WR_P_WINDOW_JOIN:
    case WR_P_WINDOW_RANK:
    case WR_P_WINDOW_DEDUPLICATE:
    case WR_P_INTERVAL_JOIN:
        return WR_GROWTH_BOUNDED;
    case WR_P_WINDOW_TVF:
    case WR_P_LOOKUP_JOIN:
    case WR_P_CHANGELOG:
        return WR_GROWTH_NONE;
    case WR_P_SINK_MATERIALIZE:
        return WR_GROWTH_ROWS;
    case WR_P_LIMIT:
        return n->inputs[0]->changelog == WR_CL_I ? WR_GROWTH_BOUNDED : WR_GROWTH_ROWS;
    case WR_P_SORT_LIMIT:
        return n->u.sort.strategy == WR_RANK_RETRACT ? WR_GROWTH_ROWS : WR_GROWTH_BOUNDED;
    case WR_P_SORT:
        return WR_GROWTH_ROWS;
    case WR_P_SCAN:
    case WR_P_VALUES:
    case WR_P_CALC:
    case WR_P_WATERMARK:
    case WR_P_MINI_BATCH:
    case WR_P_EXCHANGE:
    case WR_P_UNION:
    case WR_P_HASH_AGG:
    case WR_P_HASH_JOIN:
    case WR_P_NESTED_LOOP_JOIN:
    case WR_P_CORRELATE:
    case WR_P_EXPAND:
    case WR_P_DROP_UPDATE_BEFORE:
    case WR_P_SINK:
    case WR_P_COLLECT:
    case WR_P_COUNT:
        return WR_GROWTH_NONE;
    }
    WR_UNREACHABLE();
}

static wr_status
number(wr_ctx *ctx, wri_phys *p, wr_pnode *n, wr_plan *plan, node_list *list)
{
    if (n->id) return WR_OK;
    for (uint32_t i = 0; i < n->input_count; i++) WR_TRY(number(ctx, p, n->inputs[i], plan, list));
    if (!wr_list_push(p->arena, list, n)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    n->id = list->count;
    n->growth = (uint8_t)growth_of(n);
    n->bounded = n->kind == WR_P_SCAN ? n->u.scan.info.bounded : true;
    for (uint32_t i = 0; i < n->input_count; i++) n->bounded &= n->inputs[i]->bounded;
    wr_text label;
    wr_text_init(&label, p->arena);
    WR_TRY(wri_label(ctx, p->env, n, WR_EXPR_INFIX, WR_STR(""), WR_STR(""), &label));
    if (label.failed) return wr_raise(ctx, WR_NOMEM, "out of memory");
    n->label = wr_text_str(&label);
    plan->bounded &= n->bounded;
    return WR_OK;
}

static bool
has_row_events(const wr_pnode *n)
{
    if (n->kind == WR_P_SCAN) return n->u.scan.info.row_events;
    for (uint32_t i = 0; i < n->input_count; i++)
        if (!has_row_events(n->inputs[i])) return false;
    return n->input_count > 0;
}

/* How far it is to the sink: a change that takes two ways to a join takes the shorter one faster.
 */
static void
count_hops(wr_plan *plan)
{
    for (uint32_t i = plan->node_count; i-- > 0;) {
        const wr_pnode *n = plan->nodes[i];
        const uint32_t hops = n->hops + (n->kind == WR_P_EXCHANGE ? 1u : 0u);
        for (uint32_t k = 0; k < n->input_count; k++)
            n->inputs[k]->hops = WR_MAX(n->inputs[k]->hops, hops);
    }
}

/* A node with several consumers gives them rows in step where the sources' rows are events. */
static wr_status
mark_by_row(wr_ctx *ctx, wri_phys *p, wr_plan *plan)
{
    uint32_t *uses = WR_NEW_N(p->arena, uint32_t, plan->node_count + 1);
    WR_TRY_ALLOC(ctx, uses);
    for (uint32_t i = 0; i < plan->node_count; i++)
        for (uint32_t k = 0; k < plan->nodes[i]->input_count; k++)
            uses[plan->nodes[i]->inputs[k]->id - 1]++;
    for (uint32_t i = 0; i < plan->node_count && !p->batch; i++) {
        wr_pnode *n = plan->nodes[i];
        if (uses[i] < 2 || !has_row_events(n)) continue;
        while (n->kind == WR_P_EXCHANGE) n = n->inputs[0]; /* no operator: the one below emits */
        n->by_row = true;
    }
    return WR_OK;
}

wr_status
wri_phys_finish(wr_ctx *ctx, wri_phys *p, wr_pnode **roots, uint32_t count, wr_plan **out)
{
    wr_plan *plan = WR_NEW(p->arena, wr_plan);
    WR_TRY_ALLOC(ctx, plan);
    node_list list = {0};
    plan->roots = roots;
    plan->root_count = count;
    plan->batch = p->batch;
    plan->bounded = true;
    for (uint32_t i = 0; i < count; i++) WR_TRY(number(ctx, p, roots[i], plan, &list));
    plan->nodes = list.items;
    plan->node_count = list.count;
    WR_TRY(wri_phys_bundle_size(ctx, p, plan));
    WR_TRY(wri_name_state(ctx, p, plan));
    count_hops(plan);
    WR_TRY(mark_by_row(ctx, p, plan));
    if (!p->env->explain) WR_TRY(wri_phys_lean(ctx, p, plan));
    WR_TRY(wri_phys_fields(ctx, p->arena, plan));
    *out = plan;
    return WR_OK;
}
