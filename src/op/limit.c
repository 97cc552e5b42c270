/* SPDX-License-Identifier: Apache-2.0 */
/* LIMIT over rows that never change: rows offset .. offset + fetch in order of arrival pass. Over
 * input with retractions it is a Top-N without sort key (see rank.c), chosen by table.c. */
#include "op/op_int.h"

typedef struct limit_op {
    wr_op op;
    int64_t seen;
} limit_op;

static wr_status
limit_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input;
    limit_op *l = (limit_op *)op;
    const int64_t offset = op->node->u.limit.offset, fetch = op->node->u.limit.fetch;
    const int64_t n = wr_batch_live(take_batch), at = l->seen;
    const int64_t end = fetch < 0 || fetch > INT64_MAX - offset ? INT64_MAX : offset + fetch;
    l->seen += n;
    const int64_t from = WR_MAX(offset - at, 0), to = WR_MIN(end - at, n);
    if (from >= to) {
        wr_batch_release(take_batch);
        return WR_OK;
    }
    if (from == 0 && to == n) return wr_emit(ctx, emit, take_batch);
    const uint32_t *old = take_batch->sel;
    wr_batch *out = wri_batch_view(op, take_batch);
    WR_TRY_ALLOC(ctx, out);
    out->sel_count = (uint32_t)(to - from);
    if (old) {
        out->sel = old + from;
    } else {
        uint32_t *sel = wr_arena_alloc(out->arena, sizeof *sel * out->sel_count);
        if (!sel) {
            wr_batch_release(out);
            return WRI_NOMEM(ctx);
        }
        for (uint32_t i = 0; i < out->sel_count; i++) sel[i] = (uint32_t)from + i;
        out->sel = sel;
    }
    return wr_emit(ctx, emit, out);
}

static wr_status
limit_snapshot(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)checkpoint_id;
    const int64_t seen = ((limit_op *)op)->seen;
    return seen ? wri_number_keep(ctx, out, "seen", WR_OPSTATE_UNION, seen) : WR_OK;
}

/* All rows come to one subtask, whichever it was. */
static wr_status
limit_restore(wr_ctx *ctx, wr_op *op, const wr_opstate *in)
{
    const wr_opstate_list *list = wr_opstate_find(in, "seen");
    for (uint32_t i = 0; list && i < list->items.count; i++) {
        int64_t seen;
        WR_TRY(wri_number_item(ctx, list, i, &seen));
        ((limit_op *)op)->seen += seen;
    }
    return WR_OK;
}

const wr_op_ops wri_limit_ops = {
    .abi = WR_ABI,
    .name = "Limit",
    .size_bytes = sizeof(limit_op),
    .open = wr_op_open_nothing,
    .on_batch = limit_batch,
    .on_resume = wr_op_no_resume,
    .on_watermark = wr_op_pass_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = wr_op_no_end,
    .close = wr_op_close_nothing,
    .snapshot = limit_snapshot,
    .restore = limit_restore,
    .committed = wr_op_no_committed,
};
