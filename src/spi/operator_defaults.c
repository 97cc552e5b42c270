/* SPDX-License-Identifier: Apache-2.0 */
/* What an operator does when it has no method of its own: nothing, or pass it on. An operator's
 * vtable names these instead of leaving a hole, so that the runtime never tests for NULL. */
#include "spi/operator.h"

wr_status
wr_op_open_nothing(wr_ctx *ctx, wr_op *op)
{
    (void)ctx;
    (void)op;
    return WR_OK;
}

wr_status
wr_op_no_resume(wr_ctx *ctx, wr_op *op, wr_emitter *out)
{
    (void)out;
    return wr_raise(ctx, WR_INTERNAL, "operator %s was resumed but never yields",
                    op->ops ? op->ops->name : "?");
}

wr_status
wr_op_pass_watermark(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *out, int64_t *forward)
{
    (void)ctx;
    (void)op;
    (void)out;
    *forward = watermark;
    return WR_OK;
}

wr_status
wr_op_no_timer(wr_ctx *ctx, wr_op *op, int64_t time_ms, wr_emitter *out)
{
    (void)ctx;
    (void)op;
    (void)time_ms;
    (void)out;
    return WR_OK;
}

wr_status
wr_op_pass_barrier(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id, wr_emitter *out)
{
    (void)ctx;
    (void)op;
    (void)checkpoint_id;
    (void)out;
    return WR_OK;
}

wr_status
wr_op_no_end_input(wr_ctx *ctx, wr_op *op, uint32_t input, wr_emitter *out)
{
    (void)ctx;
    (void)op;
    (void)input;
    (void)out;
    return WR_OK;
}

wr_status
wr_op_no_end(wr_ctx *ctx, wr_op *op, wr_emitter *out)
{
    (void)ctx;
    (void)op;
    (void)out;
    return WR_OK;
}

void
wr_op_close_nothing(wr_op *op)
{
    (void)op;
}

wr_status
wr_op_no_snapshot(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)ctx, (void)op, (void)checkpoint_id, (void)out;
    return WR_OK;
}

wr_status
wr_op_no_restore(wr_ctx *ctx, wr_op *op, const wr_opstate *in)
{
    (void)ctx, (void)op, (void)in;
    return WR_OK;
}

wr_status
wr_op_no_committed(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id)
{
    (void)ctx, (void)op, (void)checkpoint_id;
    return WR_OK;
}
