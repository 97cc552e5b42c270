/* SPDX-License-Identifier: Apache-2.0 */
/* Output a row at a time, for operators whose changelog is decided row by row. */
#include "op/op_int.h"

#define ROWS_MIN 8u

void
wri_builder_begin(wri_builder *b, wr_op *op, wr_emitter *emit, uint32_t rows)
{
    *b = (wri_builder){.op = op, .emit = emit};
    b->cap = WR_MIN(WR_MAX(rows, ROWS_MIN), WR_BATCH_ROWS);
}

wr_status
wri_builder_row(wr_ctx *ctx, wri_builder *b, wr_kind kind, uint32_t *row)
{
    if (b->out && b->out->row_count == b->cap) {
        WR_TRY(wri_builder_flush(ctx, b));
        b->cap = WR_BATCH_ROWS;
    }
    if (!b->out) {
        b->out = wr_batch_acquire(b->op->env->pool, b->op->node->schema.count);
        WR_TRY_ALLOC(ctx, b->out);
        if (!wr_batch_init_flat(b->out, &b->op->node->schema, b->cap)) return WRI_NOMEM(ctx);
        b->kind = wr_batch_kinds(b->out, b->cap);
        WR_TRY_ALLOC(ctx, b->kind);
    }
    *row = b->out->row_count++;
    b->kind[*row] = (uint8_t)kind;
    return WR_OK;
}

wr_status
wri_builder_encoded(wr_ctx *ctx, wri_builder *b, wr_kind kind, const uint8_t *p, uint32_t len)
{
    uint32_t row;
    WR_TRY(wri_builder_row(ctx, b, kind, &row));
    return wr_row_decode(ctx, p, len, b->out->cols, b->out->col_count, row, true, b->out->arena);
}

wr_status
wri_builder_copy(wr_ctx *ctx, wri_builder *b, wr_kind kind, const wr_batch *in, uint32_t row)
{
    uint32_t to;
    WR_TRY(wri_builder_row(ctx, b, kind, &to));
    for (uint32_t c = 0; c < b->out->col_count; c++)
        if (!wr_vec_copy_entry(&b->out->cols[c], to, &in->cols[c], row, b->out->arena))
            return WRI_NOMEM(ctx);
    return WR_OK;
}

wr_status
wri_builder_flush(wr_ctx *ctx, wri_builder *b)
{
    wr_batch *out = b->out;
    b->out = NULL;
    if (!out || out->row_count == 0) {
        wr_batch_release(out);
        return WR_OK;
    }
    return wr_emit(ctx, b->emit, out);
}

void
wri_builder_drop(wri_builder *b)
{
    wr_batch_release(b->out);
    b->out = NULL;
}
