/* SPDX-License-Identifier: Apache-2.0 */
/* MULTI_JOIN, streaming: inner and left joins of inputs that share a key, without state for what
 * is between them. See multi_join_int.h. */
#include "op/multi_join_int.h"

/* ---- opening --------------------------------------------------------------------------------- */
static void
mark_columns(const wr_expr *e, uint64_t *bits)
{
    if (e->kind == WR_EX_COLUMN) wr_bit_set(bits, e->index);
    for (uint32_t i = 0; i < e->arg_count; i++) mark_columns(e->args[i], bits);
}

static wr_status
open_condition(wr_ctx *ctx, wri_multi_op *m, wri_multi_level *l)
{
    const uint32_t width = m->op.node->schema.count;
    if (!l->spec->cond) return WR_OK;
    WR_TRY(wri_op_compile_cond(ctx, &m->op, l->spec->cond, &l->cond));
    uint64_t *bits = wr_arena_zalloc(m->op.env->arena, sizeof *bits * (WR_BIT_WORDS(width) + 1));
    uint32_t *cols = wr_arena_alloc(m->op.env->arena, sizeof *cols * (width + 1));
    if (!bits || !cols) return WRI_NOMEM(ctx);
    mark_columns(l->spec->cond, bits);
    for (uint32_t c = 0; c < width; c++)
        if (wr_bit_get(bits, c)) cols[l->cond_count++] = c;
    l->cond_cols = cols;
    return WR_OK;
}

static wr_status
multi_open(wr_ctx *ctx, wr_op *op)
{
    wri_multi_op *m = (wri_multi_op *)op;
    m->levels = wr_arena_zalloc(op->env->arena, sizeof *m->levels * op->node->input_count);
    m->scratch = wr_arena_create(op->env->budget, 0);
    m->stretch = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, m->levels);
    m->count = op->node->input_count;
    WR_TRY_ALLOC(ctx, m->scratch);
    WR_TRY_ALLOC(ctx, m->stretch);
    for (uint32_t i = 0; i < m->count; i++) {
        wri_multi_level *l = &m->levels[i];
        l->spec = &op->node->u.multi->inputs[i];
        l->left = l->spec->type == WR_JOIN_LEFT;
        l->arena = wr_arena_create(op->env->budget, 0);
        WR_TRY_ALLOC(ctx, l->arena);
        WR_TRY(open_condition(ctx, m, l));
    }
    return wri_multi_state_open(ctx, m);
}

/* ---- output ---------------------------------------------------------------------------------- */
/* Columns of input `e` of tuples from..from + n of the last level. */
static wr_status
fill_input(wr_ctx *ctx, const wri_multi_op *m, uint32_t e, uint32_t n, wr_batch *out)
{
    const wri_multi_level *last = &m->levels[m->count - 1], *l = &m->levels[e];
    const uint32_t *rows = last->of[e] + last->at;
    wr_batch *in = e == m->from ? m->in : l->found;
    for (uint32_t c = 0; c < l->side.schema->count; c++) {
        wr_vec *v = &out->cols[l->spec->first + c];
        const bool ok =
            l->left ? wr_vec_init_flat(v, m->op.node->schema.fields[l->spec->first + c].type, n,
                                       out->arena) &&
                          wri_vec_gather_or_null(v, &in->cols[c], rows, n, out->arena)
                    : wr_vec_gather(v, &in->cols[c], rows, n, out->arena);
        if (!ok) return WRI_NOMEM(ctx);
    }
    return wr_batch_keep(out, in) ? WR_OK : WRI_NOMEM(ctx);
}

static wr_status
fill(wr_ctx *ctx, const wri_multi_op *m, uint32_t n, wr_batch *out)
{
    const wri_multi_level *last = &m->levels[m->count - 1];
    uint8_t *kind = wr_batch_kinds(out, n);
    WR_TRY_ALLOC(ctx, kind);
    memcpy(kind, last->kind + last->at, n);
    for (uint32_t e = 0; e < m->count; e++) WR_TRY(fill_input(ctx, m, e, n, out));
    out->row_count = n;
    return WR_OK;
}

static wr_status
let_out(wr_ctx *ctx, wri_multi_op *m, wr_emitter *emit)
{
    wri_multi_level *last = &m->levels[m->count - 1];
    while (last->at < last->count) {
        if (wr_emit_full(emit)) {
            m->op.pending = true;
            return WR_OK;
        }
        const uint32_t n = WR_MIN(last->count - last->at, WR_BATCH_ROWS);
        wr_batch *out = wr_batch_acquire(m->op.env->pool, m->op.node->schema.count);
        WR_TRY_ALLOC(ctx, out);
        const wr_status status = fill(ctx, m, n, out);
        if (status != WR_OK) {
            wr_batch_release(out);
            return status;
        }
        last->at += n;
        WR_TRY(wr_emit(ctx, emit, out));
    }
    return WR_OK;
}

/* ---- flow ------------------------------------------------------------------------------------ */
/* To the next stretch; *done: the batch is through. */
static wr_status
next_stretch(wr_ctx *ctx, wri_multi_op *m, bool *done)
{
    if (m->by_stretch) WR_TRY(wri_multi_remember(ctx, m));
    m->first = m->end;
    *done = m->first == m->n;
    if (*done) return wri_multi_sweep(ctx, m);
    return wri_multi_stretch(ctx, m);
}

static void
release_batches(wri_multi_op *m)
{
    for (uint32_t i = 0; i < m->count; i++) {
        wr_batch_release(m->levels[i].found);
        m->levels[i].found = NULL;
    }
    wr_batch_release(m->in);
    m->in = NULL;
}

static wr_status
go_on(wr_ctx *ctx, wri_multi_op *m, wr_emitter *emit)
{
    for (bool done = false; !done;) {
        while (m->depth > 0 && m->levels[m->depth - 1].at == m->levels[m->depth - 1].count)
            m->depth--;
        if (m->depth == m->count) {
            WR_TRY(let_out(ctx, m, emit));
            if (m->op.pending) return WR_OK;
        } else if (m->depth == 0 && m->next == m->end) {
            WR_TRY(next_stretch(ctx, m, &done));
        } else {
            WR_TRY(wri_multi_step(ctx, m, m->depth));
            m->depth++;
        }
    }
    release_batches(m);
    return WR_OK;
}

static wr_status
multi_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    wri_multi_op *m = (wri_multi_op *)op;
    const wri_multi_level *l = &m->levels[input];
    m->in = take_batch;
    m->from = input;
    m->by_stretch = l->left && (l->cond || l->spec->ttl_ms > 0);
    m->depth = m->first = 0;
    WR_TRY(wri_multi_prepare(ctx, m));
    WR_TRY(wri_multi_stretch(ctx, m));
    if (!m->by_stretch) WR_TRY(wri_multi_remember(ctx, m)); /* nobody looks at this input's rows */
    return go_on(ctx, m, emit);
}

static wr_status
multi_resume(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    return go_on(ctx, (wri_multi_op *)op, emit);
}

static void
multi_close(wr_op *op)
{
    wri_multi_op *m = (wri_multi_op *)op;
    release_batches(m);
    for (uint32_t i = 0; i < m->count; i++) {
        wr_program_close(m->levels[i].cond);
        wr_arena_destroy(m->levels[i].arena);
    }
    wr_arena_destroy(m->scratch);
    wr_arena_destroy(m->stretch);
}

const wr_op_ops wri_multi_join_ops = {
    .abi = WR_ABI,
    .name = "MultiJoin",
    .size_bytes = sizeof(wri_multi_op),
    .open = multi_open,
    .on_batch = multi_batch,
    .on_resume = multi_resume,
    .on_watermark = wr_op_pass_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = wr_op_no_end,
    .close = multi_close,
    .snapshot = wr_op_no_snapshot,
    .restore = wr_op_no_restore,
    .committed = wr_op_no_committed,
};
