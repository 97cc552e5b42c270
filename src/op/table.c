/* SPDX-License-Identifier: Apache-2.0 */
/* Which operator carries out which kind of node. */
#include "op/op_int.h"
#include "plan/over.h"
#include "plan/window.h"

static const wr_op_ops *
over_ops_of(const struct wr_pnode *node)
{
    const wr_over_spec *spec = node->u.over;
    if (spec->sorted) return &wri_over_batch_ops;
    return spec->windows[0].time == WR_ATTR_NONE ? &wri_over_value_ops : &wri_over_time_ops;
}

const wr_op_ops *
wr_op_plain_ops_of(const struct wr_pnode *node)
{
    switch ((wr_pkind)node->kind) {
    case WR_P_VALUES:
        return &wri_values_ops;
    case WR_P_CALC:
        return &wri_calc_ops;
    case WR_P_WATERMARK:
        return &wri_watermark_ops;
    case WR_P_UNION:
        return &wri_union_ops;
    case WR_P_LIMIT: /* retractions need the rows behind the limit */
        return node->inputs[0]->changelog & ~WR_CL_I ? &wri_rank_ops : &wri_limit_ops;
    case WR_P_SORT:
        return node->u.sort.temporal ? &wri_temporal_sort_ops : &wri_sort_ops;
    case WR_P_SORT_LIMIT:
        return &wri_sort_limit_ops;
    case WR_P_DROP_UPDATE_BEFORE:
        return &wri_drop_before_ops;
    case WR_P_SINK:
        return &wri_sink_ops;
    case WR_P_COLLECT:
        return &wri_collect_ops;
    case WR_P_GROUP_AGG:
        return node->u.agg.mini_batch ? &wri_mini_batch_ops : &wri_group_agg_ops;
    case WR_P_HASH_AGG:
        return &wri_hash_agg_ops;
    case WR_P_MULTI_JOIN:
        return &wri_multi_join_ops;
    case WR_P_JOIN:
        return &wri_join_ops;
    case WR_P_INTERVAL_JOIN:
        return &wri_interval_join_ops;
    case WR_P_TEMPORAL_JOIN:
        return &wri_temporal_join_ops;
    case WR_P_LOOKUP_JOIN:
        return &wri_lookup_join_ops;
    case WR_P_HASH_JOIN:
    case WR_P_NESTED_LOOP_JOIN:
        return &wri_hash_join_ops;
    case WR_P_CORRELATE:
        return &wri_correlate_ops;
    case WR_P_EXPAND:
        return &wri_expand_ops;
    case WR_P_OVER_AGG:
        return over_ops_of(node);
    case WR_P_CHANGELOG_NORMALIZE:
        return &wri_normalize_ops;
    case WR_P_SINK_MATERIALIZE:
        return node->u.materialize.on_conflict == WR_CONFLICT_NOTHING ||
                       node->u.materialize.on_conflict == WR_CONFLICT_ERROR
                   ? &wri_conflict_ops
                   : &wri_materialize_ops;
    case WR_P_CHANGELOG:
        return &wri_changelog_ops;
    case WR_P_MATCH:
        return &wri_match_ops;
    case WR_P_WINDOW_TVF:
        return node->windows[0]->spec.kind == WR_WINDOW_SESSION ? &wri_window_session_ops
                                                                : &wri_window_tvf_ops;
    case WR_P_WINDOW_AGG:
        return &wri_window_agg_ops;
    case WR_P_RANK:
        return &wri_rank_ops;
    case WR_P_DEDUPLICATE:
        return &wri_dedup_ops;
    case WR_P_WINDOW_JOIN:
        return &wri_window_join_ops;
    case WR_P_WINDOW_RANK:
    case WR_P_WINDOW_DEDUPLICATE:
        return &wri_window_rank_ops;
    case WR_P_SCAN:
    case WR_P_EXCHANGE:
    case WR_P_MINI_BATCH: /* shown, not run */
    case WR_P_COUNT:
        break;
    }
    return NULL;
}

const wr_op_ops *
wr_op_ops_of(const struct wr_pnode *node)
{
#ifdef NDEBUG
    return wr_op_plain_ops_of(node);
#else
    return wr_op_checked_ops_of(node);
#endif
}
