/* SPDX-License-Identifier: Apache-2.0 */
/* EXPAND: every row once per grouping set, in the order of the sets. Each set's expressions run
 * over the batch; their columns are then woven together. */
#include "op/op_int.h"

typedef struct expand_op {
    wr_op op;
    wr_program **sets;
    wr_batch *in;
    uint32_t at; /* live rows done */
} expand_op;

static wr_status
expand_open(wr_ctx *ctx, wr_op *op)
{
    expand_op *e = (expand_op *)op;
    const wr_pnode *node = op->node;
    e->sets = WR_NEW_N(op->env->arena, wr_program *, node->u.expand.set_count + 1);
    WR_TRY_ALLOC(ctx, e->sets);
    for (uint32_t s = 0; s < node->u.expand.set_count; s++)
        WR_TRY(wri_op_compile(ctx, op, node->u.expand.rows[s], node->schema.count, &e->sets[s]));
    return WR_OK;
}

/* `n` live rows from e->at on. */
static wr_status
weave(wr_ctx *ctx, expand_op *e, uint32_t n, wr_batch *out)
{
    const wr_schema *schema = &e->op.node->schema;
    const uint32_t sets = e->op.node->u.expand.set_count;
    uint32_t *rows = wr_arena_alloc(out->arena, sizeof *rows * n);
    wr_vec *made = WR_NEW_N(out->arena, wr_vec, schema->count + 1);
    if (!rows || !made || !wr_batch_init_flat(out, schema, n * sets)) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) rows[i] = wr_batch_row(e->in, e->at + i);
    for (uint32_t s = 0; s < sets; s++) {
        WR_TRY(wr_program_run(ctx, e->sets[s], e->in, rows, n, out->arena, made));
        for (uint32_t c = 0; c < schema->count; c++)
            if (!wri_vec_copy_rows(&out->cols[c], s, sets, &made[c], rows, n, out->arena))
                return WRI_NOMEM(ctx);
    }
    out->row_count = n * sets;
    if (!e->in->kind) return WR_OK;
    uint8_t *kind = wr_batch_kinds(out, n * sets);
    WR_TRY_ALLOC(ctx, kind);
    for (uint32_t i = 0; i < n; i++) memset(kind + i * sets, e->in->kind[rows[i]], sets);
    return WR_OK;
}

static wr_status
go_on(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    expand_op *e = (expand_op *)op;
    const uint32_t live = wr_batch_live(e->in), sets = op->node->u.expand.set_count;
    const uint32_t piece = WR_MAX(WR_BATCH_ROWS / WR_MAX(sets, 1u), 1u);
    while (e->at < live) {
        if (wr_emit_full(emit)) {
            op->pending = true;
            return WR_OK;
        }
        const uint32_t n = WR_MIN(live - e->at, piece);
        wr_batch *out = wr_batch_acquire(op->env->pool, op->node->schema.count);
        wr_status status = out && wr_batch_keep(out, e->in) ? WR_OK : WRI_NOMEM(ctx);
        if (status == WR_OK) status = weave(ctx, e, n, out);
        if (status != WR_OK) {
            wr_batch_release(out);
            return status;
        }
        e->at += n;
        WR_TRY(wr_emit(ctx, emit, out));
    }
    wr_batch_release(e->in);
    e->in = NULL;
    return WR_OK;
}

static wr_status
expand_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input;
    expand_op *e = (expand_op *)op;
    e->in = take_batch;
    e->at = 0;
    return go_on(ctx, op, emit);
}

static void
expand_close(wr_op *op)
{
    expand_op *e = (expand_op *)op;
    for (uint32_t s = 0; e->sets && s < op->node->u.expand.set_count; s++)
        wr_program_close(e->sets[s]);
    wr_batch_release(e->in);
    e->in = NULL;
}

const wr_op_ops wri_expand_ops = {
    .abi = WR_ABI,
    .name = "Expand",
    .size_bytes = sizeof(expand_op),
    .open = expand_open,
    .on_batch = expand_batch,
    .on_resume = go_on,
    .on_watermark = wr_op_pass_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = wr_op_no_end,
    .close = expand_close,
    .snapshot = wr_op_no_snapshot,
    .restore = wr_op_no_restore,
    .committed = wr_op_no_committed,
};
