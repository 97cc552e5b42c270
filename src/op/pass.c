/* SPDX-License-Identifier: Apache-2.0 */
/* Operators that hand batches on: UNION (all inputs into one stream; the runtime merges their
 * watermarks), DROP_UPDATE_BEFORE, COLLECT. */
#include "op/op_int.h"

static wr_status
union_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)op, (void)input;
    return wr_emit(ctx, emit, take_batch);
}

static wr_status
drop_before_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input;
    wr_batch *out;
    WR_TRY(wri_batch_keep_kinds(ctx, op, take_batch, WR_CL_UPSERT, &out));
    if (wr_batch_live(out) == 0) {
        wr_batch_release(out);
        return WR_OK;
    }
    return wr_emit(ctx, emit, out);
}

static wr_status
collect_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input, (void)emit;
    const wr_collect_target *to = op->env->collect;
    const wr_schema *columns = &op->node->schema;
    wr_batch *b = take_batch;
    uint32_t refused = 0;
    wr_status status = wri_not_null(ctx, op, columns, op->node->u.sink.not_null, &b, &refused);
    if (status == WR_OK && to && wr_batch_live(b) > 0) status = to->rows(ctx, to->arg, b);
    wr_batch_release(b);
    if (status == WR_OK && refused) return wri_not_null_refuse(ctx, &columns->fields[refused - 1]);
    return status;
}

#define PASS_OPS(id, shown, batch_fn)                                                              \
    const wr_op_ops id = {.abi = WR_ABI,                                                           \
                          .name = shown,                                                           \
                          .size_bytes = sizeof(wr_op),                                             \
                          .open = wr_op_open_nothing,                                              \
                          .on_batch = batch_fn,                                                    \
                          .on_resume = wr_op_no_resume,                                            \
                          .on_watermark = wr_op_pass_watermark,                                    \
                          .on_timer = wr_op_no_timer,                                              \
                          .on_barrier = wr_op_pass_barrier,                                        \
                          .on_end_input = wr_op_no_end_input,                                      \
                          .on_end = wr_op_no_end,                                                  \
                          .close = wr_op_close_nothing,                                            \
                          .snapshot = wr_op_no_snapshot,                                           \
                          .restore = wr_op_no_restore,                                             \
                          .committed = wr_op_no_committed}

PASS_OPS(wri_union_ops, "Union", union_batch);
PASS_OPS(wri_drop_before_ops, "DropUpdateBefore", drop_before_batch);
PASS_OPS(wri_collect_ops, "Collect", collect_batch);
