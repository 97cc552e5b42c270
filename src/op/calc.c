/* SPDX-License-Identifier: Apache-2.0 */
/* CALC: a condition, then projections, over the live rows of each batch. Columns that pass
 * unchanged are shared with the input, which the output keeps; filtering narrows the selection and
 * moves nothing. */
#include "op/op_int.h"

typedef struct calc_op {
    wr_op op;
    wr_program *cond, *project;
} calc_op;

static wr_status
calc_open(wr_ctx *ctx, wr_op *op)
{
    calc_op *c = (calc_op *)op;
    WR_TRY(wri_op_compile_cond(ctx, op, op->node->u.calc.cond, &c->cond));
    return wri_op_compile(ctx, op, op->node->u.calc.exprs, op->node->schema.count, &c->project);
}

/* The rows that pass, in `out`; its sel_count is 0 when none does. */
static wr_status
calc_rows(wr_ctx *ctx, calc_op *c, wr_batch *in, wr_batch *out)
{
    const uint32_t n = wr_batch_live(in);
    out->row_count = in->row_count;
    out->kind = in->kind;
    out->sel = in->sel;
    out->sel_count = in->sel_count;
    uint32_t count = n;
    if (c->cond) {
        uint32_t *sel = wr_arena_alloc(out->arena, sizeof *sel * n);
        if (!sel) return WRI_NOMEM(ctx);
        WR_TRY(wr_program_filter(ctx, c->cond, in, in->sel, n, out->arena, sel, &count));
        if (count < in->row_count) {
            out->sel = sel;
            out->sel_count = count;
        }
    }
    if (count == 0) return WR_OK;
    return wr_program_run(ctx, c->project, in, out->sel, count, out->arena, out->cols);
}

static wr_status
calc_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input;
    calc_op *c = (calc_op *)op;
    wr_batch *out = wr_batch_acquire(op->env->pool, op->node->schema.count);
    wr_status status;
    if (!out || !wr_batch_keep(out, take_batch))
        status = WRI_NOMEM(ctx);
    else
        status = calc_rows(ctx, c, take_batch, out);
    wr_batch_release(take_batch);
    if (status != WR_OK || wr_batch_live(out) == 0) {
        wr_batch_release(out);
        return status;
    }
    return wr_emit(ctx, emit, out);
}

static void
calc_close(wr_op *op)
{
    calc_op *c = (calc_op *)op;
    wr_program_close(c->cond);
    wr_program_close(c->project);
}

const wr_op_ops wri_calc_ops = {
    .abi = WR_ABI,
    .name = "Calc",
    .size_bytes = sizeof(calc_op),
    .open = calc_open,
    .on_batch = calc_batch,
    .on_resume = wr_op_no_resume,
    .on_watermark = wr_op_pass_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = wr_op_no_end,
    .close = calc_close,
    .snapshot = wr_op_no_snapshot,
    .restore = wr_op_no_restore,
    .committed = wr_op_no_committed,
};
