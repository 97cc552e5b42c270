/* SPDX-License-Identifier: Apache-2.0 */
/* Which operator carries out which kind of node. */
#include "op/op_int.h"

static wr_status
refuse_open(wr_ctx *ctx, wr_op *op)
{
    return wr_raise(ctx, WR_UNSUPPORTED, "not supported yet: operator of %.*s",
                    WR_STR_ARG(op->node->label));
}

static wr_status
refuse_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *out)
{
    (void)input, (void)out;
    wr_batch_release(take_batch);
    return refuse_open(ctx, op);
}

static const wr_op_ops refused_ops = {
    .abi = WR_ABI,
    .name = "Refused",
    .size_bytes = sizeof(wr_op),
    .open = refuse_open,
    .on_batch = refuse_batch,
    .on_resume = wr_op_no_resume,
    .on_watermark = wr_op_pass_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = wr_op_no_end,
    .close = wr_op_close_nothing,
};

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
    case WR_P_SORT_LIMIT: /* in batch mode nothing is ever taken back */
        return node->changelog == WR_CL_I ? &wri_sort_ops : &wri_rank_ops;
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
    case WR_P_JOIN:
        return &wri_join_ops;
    case WR_P_HASH_JOIN:
    case WR_P_NESTED_LOOP_JOIN:
    case WR_P_CORRELATE:
    case WR_P_EXPAND:
    case WR_P_CHANGELOG_NORMALIZE:
    case WR_P_SINK_MATERIALIZE:
        return &refused_ops;
    case WR_P_SCAN:
    case WR_P_EXCHANGE:
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
