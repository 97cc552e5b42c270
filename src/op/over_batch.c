/* SPDX-License-Identifier: Apache-2.0 */
/* OVER_AGG in batch: rows come sorted by partition and order. They are kept until whole partitions
 * are there, as many as fill a batch; then every call's column is computed over all of them, and
 * they go out in pieces. */
#include "op/over_batch_int.h"

typedef struct over_batch_op {
    wr_op op;
    wri_store store;
    WR_LIST(uint32_t) starts;
    uint32_t start_cap;
    wri_over_calls *slides; /* per window: calls that need accumulators */
    wr_vec *constants;
    uint32_t width;
    wr_arena *scratch;
    wr_batch *rows; /* being handed out; NULL: none */
    uint32_t at;
    wr_batch *next; /* came in, and is looked at behind `rows` */
    uint32_t next_at;
    uint32_t *sel;
    uint32_t sel_cap;
    bool ended;
} over_batch_op;

/* ---- opening --------------------------------------------------------------------------------- */
/* A copy of the window with those calls alone that need accumulators. */
static wr_status
open_slides(wr_ctx *ctx, over_batch_op *o, uint32_t k)
{
    wr_arena *a = o->op.env->arena;
    const wr_over_spec *spec = o->op.node->u.over;
    wr_over_window *w = WR_NEW(a, wr_over_window);
    WR_TRY_ALLOC(ctx, w);
    *w = spec->windows[k];
    w->call_count = 0;
    w->calls = WR_NEW_N(a, wr_over_call, spec->windows[k].call_count + 1);
    WR_TRY_ALLOC(ctx, w->calls);
    wr_batch none = {0};
    none.cols = WR_NEW_N(a, wr_vec, o->width + 1);
    WR_TRY_ALLOC(ctx, none.cols);
    for (uint32_t c = 0; c < o->width; c++)
        none.cols[c].type = o->op.node->inputs[0]->schema.fields[c].type;
    const wri_parts types = {.rows = &none, .width = o->width, .constants = o->constants};
    for (uint32_t i = 0; i < spec->windows[k].call_count; i++)
        if (!wri_over_is_direct(&types, w, &spec->windows[k].calls[i]))
            w->calls[w->call_count++] = spec->windows[k].calls[i];
    if (w->call_count == 0) return WR_OK;
    const bool leaves = w->lower.kind != WR_OVER_UNBOUNDED_PRECEDING && w->order_count > 0;
    return wri_over_calls_open(ctx, &o->op, w, leaves, false, k, &o->slides[k]);
}

static wr_status
over_batch_open(wr_ctx *ctx, wr_op *op)
{
    over_batch_op *o = (over_batch_op *)op;
    const wr_over_spec *spec = op->node->u.over;
    o->width = op->node->inputs[0]->schema.count;
    o->scratch = wr_arena_create(op->env->budget, 0);
    o->slides = WR_NEW_N(op->env->arena, wri_over_calls, spec->window_count + 1);
    o->constants = WR_NEW_N(op->env->arena, wr_vec, spec->constant_count + 1);
    WR_TRY_ALLOC(ctx, o->scratch);
    WR_TRY_ALLOC(ctx, o->slides);
    WR_TRY_ALLOC(ctx, o->constants);
    wri_store_init(&o->store, op, &op->node->inputs[0]->schema);
    for (uint32_t i = 0; i < spec->constant_count; i++)
        if (!wr_vec_init_const(&o->constants[i], &spec->constants[i]->value, op->env->arena))
            return WRI_NOMEM(ctx);
    for (uint32_t k = 0; k < spec->window_count; k++) WR_TRY(open_slides(ctx, o, k));
    return WR_OK;
}

static void
over_batch_close(wr_op *op)
{
    over_batch_op *o = (over_batch_op *)op;
    wr_batch_release(o->rows);
    wr_batch_release(o->next);
    wri_store_deinit(&o->store);
    wr_arena_destroy(o->scratch);
}

/* ---- computing ------------------------------------------------------------------------------- */
static wr_status
compute_window(wr_ctx *ctx, over_batch_op *o, const wri_parts *p, uint32_t k, uint32_t col)
{
    const wr_over_spec *spec = o->op.node->u.over;
    const wr_over_window *w = &spec->windows[k];
    wri_frames f;
    wr_vec **outs = wr_arena_alloc(o->scratch, sizeof *outs * (w->call_count + 1));
    uint32_t left = 0;
    WR_TRY_ALLOC(ctx, outs);
    WR_TRY(wri_frames_find(ctx, p, w, spec, &f));
    for (uint32_t i = 0; i < w->call_count; i++) {
        bool done = false;
        WR_TRY(wri_over_direct(ctx, p, &f, &w->calls[i], &p->rows->cols[col + i], &done));
        if (!done) outs[left++] = &p->rows->cols[col + i];
    }
    return left ? wri_over_slide(ctx, p, &f, &o->slides[k], outs) : WR_OK;
}

/* All rows of the store, with the calls' columns. */
static wr_status
compute(wr_ctx *ctx, over_batch_op *o)
{
    const wr_over_spec *spec = o->op.node->u.over;
    const uint32_t n = o->store.rows;
    uint32_t col = o->width;
    wr_arena_reset(o->scratch);
    WR_TRY(wri_store_freeze(ctx, &o->store));
    wr_batch *rows = wr_batch_acquire(o->op.env->pool, o->op.node->schema.count);
    WR_TRY_ALLOC(ctx, rows);
    o->rows = rows;
    o->at = 0;
    if (!wr_batch_keep(rows, o->store.holder)) return WRI_NOMEM(ctx);
    uint32_t *all = wri_iota(o->scratch, n);
    uint32_t *starts = wr_arena_alloc(o->scratch, sizeof *starts * (o->starts.count + 1));
    WR_TRY_ALLOC(ctx, all);
    WR_TRY_ALLOC(ctx, starts);
    WR_TRY(wri_store_gather(ctx, &o->store, all, n, rows->cols, rows->arena));
    rows->row_count = n;
    memcpy(starts, o->starts.items, sizeof *starts * o->starts.count);
    starts[o->starts.count] = n;
    const wri_parts p = {.rows = rows,
                         .n = n,
                         .starts = starts,
                         .count = o->starts.count,
                         .scratch = o->scratch,
                         .width = o->width,
                         .constants = o->constants};
    for (uint32_t k = 0; k < spec->window_count; k++) {
        WR_TRY(compute_window(ctx, o, &p, k, col));
        col += spec->windows[k].call_count;
    }
    wri_store_clear(&o->store);
    o->starts.count = 0;
    return WR_OK;
}

/* ---- out ------------------------------------------------------------------------------------- */
static wr_status
piece(wr_ctx *ctx, over_batch_op *o, uint32_t n, wr_batch *out)
{
    if (!wr_batch_keep(out, o->rows)) return WRI_NOMEM(ctx);
    uint32_t *rows = wr_arena_alloc(out->arena, sizeof *rows * (n + 1));
    WR_TRY_ALLOC(ctx, rows);
    for (uint32_t i = 0; i < n; i++) rows[i] = o->at + i;
    for (uint32_t c = 0; c < out->col_count; c++)
        if (!wr_vec_gather(&out->cols[c], &o->rows->cols[c], rows, n, out->arena))
            return WRI_NOMEM(ctx);
    out->row_count = n;
    return WR_OK;
}

/* Hands out what is computed; sets pending when the emitter is full. */
static wr_status
hand_out(wr_ctx *ctx, over_batch_op *o, wr_emitter *emit)
{
    while (o->rows) {
        if (wr_emit_full(emit)) {
            o->op.pending = true;
            return WR_OK;
        }
        const uint32_t left = o->rows->row_count - o->at, n = WR_MIN(left, WR_BATCH_ROWS);
        wr_batch *out;
        if (o->at == 0 && n == left) { /* as it is */
            out = o->rows;
            o->rows = NULL;
            WR_TRY(wr_emit(ctx, emit, out));
            continue;
        }
        out = wr_batch_acquire(o->op.env->pool, o->op.node->schema.count);
        WR_TRY_ALLOC(ctx, out);
        const wr_status status = piece(ctx, o, n, out);
        if (status != WR_OK) {
            wr_batch_release(out);
            return status;
        }
        o->at += n;
        if (o->at == o->rows->row_count) {
            wr_batch_release(o->rows);
            o->rows = NULL;
        }
        WR_TRY(wr_emit(ctx, emit, out));
    }
    return WR_OK;
}

/* ---- in -------------------------------------------------------------------------------------- */
static bool
same_partition(const over_batch_op *o, const wr_batch *b, uint32_t row, const wr_batch *c,
               uint32_t other)
{
    const wr_over_window *w = &o->op.node->u.over->windows[0];
    for (uint32_t i = 0; i < w->partition_count; i++) {
        const uint32_t col = w->partition[i];
        if (!wr_vec_entry_peer(&b->cols[col], row, &c->cols[col], other)) return false;
    }
    return true;
}

static bool
begins(const over_batch_op *o, const wr_batch *b, uint32_t i)
{
    const uint32_t row = wr_batch_row(b, i);
    if (i > 0) return !same_partition(o, b, row, b, wr_batch_row(b, i - 1));
    if (o->store.rows == 0) return true;
    uint32_t at;
    (void)wri_store_vec(&o->store, o->store.rows - 1, 0, &at);
    return !same_partition(o, b, row, o->store.chunks[(o->store.rows - 1) >> WRI_STORE_SHIFT], at);
}

static wr_status
append(wr_ctx *ctx, over_batch_op *o, const wr_batch *b, uint32_t from, uint32_t to)
{
    const uint32_t n = to - from;
    if (n == 0) return WR_OK;
    wr_batch part = *b;
    uint32_t *sel = wr_arena_alloc(o->scratch, sizeof *sel * n);
    WR_TRY_ALLOC(ctx, sel);
    for (uint32_t i = 0; i < n; i++) sel[i] = wr_batch_row(b, from + i);
    part.sel = sel;
    part.sel_count = n;
    return wri_store_append(ctx, &o->store, &part);
}

/* Takes rows of o->next until partitions for a batch are there. */
static wr_status
take(wr_ctx *ctx, over_batch_op *o)
{
    const wr_batch *b = o->next;
    const uint32_t live = wr_batch_live(b);
    uint32_t from = o->next_at, i = from;
    wr_arena_reset(o->scratch);
    for (; i < live; i++) {
        const bool new = i == from &&i > 0 && o->store.rows == 0 ? true : begins(o, b, i);
        if (!new) continue;
        if (o->store.rows + (i - from) >= WR_BATCH_ROWS) break;
        if (!wr_list_push(o->op.env->arena, &o->starts, o->store.rows + (i - from)))
            return WRI_NOMEM(ctx);
    }
    WR_TRY(append(ctx, o, b, from, i));
    o->next_at = i;
    if (i < live) return compute(ctx, o);
    wr_batch_release(o->next);
    o->next = NULL;
    return WR_OK;
}

static wr_status
go_on(wr_ctx *ctx, over_batch_op *o, wr_emitter *emit)
{
    for (;;) {
        WR_TRY(hand_out(ctx, o, emit));
        if (o->op.pending) return WR_OK;
        if (o->next) {
            WR_TRY(take(ctx, o));
            continue;
        }
        if (!o->ended || o->store.rows == 0) return WR_OK;
        WR_TRY(compute(ctx, o));
    }
}

static wr_status
over_batch_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    over_batch_op *o = (over_batch_op *)op;
    (void)input;
    o->next = take_batch;
    o->next_at = 0;
    return go_on(ctx, o, emit);
}

static wr_status
over_batch_resume(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    return go_on(ctx, (over_batch_op *)op, emit);
}

static wr_status
over_batch_end(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    over_batch_op *o = (over_batch_op *)op;
    o->ended = true;
    return go_on(ctx, o, emit);
}

const wr_op_ops wri_over_batch_ops = {
    .abi = WR_ABI,
    .name = "OverAggregate",
    .size_bytes = sizeof(over_batch_op),
    .open = over_batch_open,
    .on_batch = over_batch_batch,
    .on_resume = over_batch_resume,
    .on_watermark = wr_op_pass_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = over_batch_end,
    .close = over_batch_close,
    .snapshot = wr_op_no_snapshot,
    .restore = wr_op_no_restore,
    .committed = wr_op_no_committed,
};
