/* SPDX-License-Identifier: Apache-2.0 */
/* Batches seen through another selection, and compiling the expressions of a node. */
#include "op/op_int.h"

wr_batch *
wri_batch_view(wr_op *op, wr_batch *take_in)
{
    wr_batch *in = take_in;
    wr_batch *out = wr_batch_acquire(op->env->pool, in->col_count);
    if (!out || !wr_batch_keep(out, in)) {
        wr_batch_release(out);
        wr_batch_release(in);
        return NULL;
    }
    if (in->col_count) memcpy(out->cols, in->cols, sizeof *in->cols * in->col_count);
    out->row_count = in->row_count;
    out->kind = in->kind;
    wr_batch_release(in);
    return out;
}

wr_status
wri_batch_keep_kinds(wr_ctx *ctx, wr_op *op, wr_batch *take_in, uint8_t kinds, wr_batch **out)
{
    wr_batch *in = take_in;
    const uint32_t n = wr_batch_live(in);
    *out = in;
    uint32_t dropped = 0;
    if (!in->kind && (kinds & WR_CL_I)) return WR_OK;
    for (uint32_t i = 0; i < n; i++)
        dropped += !(kinds >> wr_batch_kind(in, wr_batch_row(in, i)) & 1);
    if (!dropped) return WR_OK;
    const uint32_t *old = in->sel; /* stays alive: the view keeps `in` */
    *out = wri_batch_view(op, in);
    if (!*out) return WRI_NOMEM(ctx);
    uint32_t *sel = wr_arena_alloc((*out)->arena, sizeof *sel * n);
    if (!sel) {
        wr_batch_release(*out);
        return WRI_NOMEM(ctx);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = old ? old[i] : i;
        sel[count] = row;
        count += kinds >> wr_batch_kind(*out, row) & 1;
    }
    (*out)->sel = sel;
    (*out)->sel_count = count;
    return WR_OK;
}

wr_status
wri_batch_dense(wr_ctx *ctx, wr_op *op, wr_batch *take_in, wr_batch **out)
{
    *out = take_in;
    if (!take_in->sel) return WR_OK;
    *out = wr_batch_compact(op->env->pool, take_in);
    wr_batch_release(take_in);
    return *out ? WR_OK : WRI_NOMEM(ctx);
}

wr_status
wri_op_compile(wr_ctx *ctx, wr_op *op, wr_expr *const *exprs, uint32_t n, wr_program **out)
{
    return wr_program_compile(ctx, op->env->arena, op->env->eval, exprs, n, out);
}

wr_status
wri_op_compile_cond(wr_ctx *ctx, wr_op *op, wr_expr *cond, wr_program **out)
{
    *out = NULL;
    return cond ? wri_op_compile(ctx, op, &cond, 1, out) : WR_OK;
}

wr_status
wri_watermark_swallow(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *out, int64_t *forward)
{
    (void)ctx, (void)op, (void)out;
    if (watermark != INT64_MAX) *forward = INT64_MIN;
    return WR_OK;
}

wr_status
wri_test_rows(wr_ctx *ctx, wr_program *cond, const wr_batch *in, wr_arena *arena, bool *passes)
{
    const uint32_t n = wr_batch_live(in);
    memset(passes, !cond, n);
    if (!cond || n == 0) return WR_OK;
    uint32_t *sel = wr_arena_alloc(arena, sizeof *sel * n), count;
    WR_TRY_ALLOC(ctx, sel);
    WR_TRY(wr_program_filter(ctx, cond, in, in->sel, n, arena, sel, &count));
    for (uint32_t i = 0, k = 0; i < n && k < count; i++) {
        passes[i] = wr_batch_row(in, i) == sel[k];
        k += passes[i];
    }
    return WR_OK;
}
