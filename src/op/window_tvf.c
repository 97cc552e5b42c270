/* SPDX-License-Identifier: Apache-2.0 */
/* WINDOW_TVF for TUMBLE, HOP and CUMULATE: every row once per window that it lies in, with the
 * window's start, end and time behind its columns. A row without a time is in no window. Nothing is
 * kept; late rows pass. */
#include "op/windows_int.h"

typedef struct window_tvf_op {
    wr_op op;
    wri_windows w;
    wr_batch *in;     /* being given out */
    uint32_t at;      /* live rows done */
    int64_t next_end; /* of the row at `at`: the first window not given out yet, if `inside` */
    bool inside;
} window_tvf_op;

typedef struct piece { /* rows of one output batch */
    uint32_t *rows;
    int64_t *start, *end;
    uint32_t n;
} piece;

static wr_status
window_tvf_open(wr_ctx *ctx, wr_op *op)
{
    (void)ctx;
    window_tvf_op *t = (window_tvf_op *)op;
    wri_windows_init(&t->w, op, op->node->windows[0]);
    return WR_OK;
}

/* The next rows, as many as fit. HOP shows the latest window of a row first. */
static void
take_piece(window_tvf_op *t, piece *p)
{
    const wr_window_spec *s = &t->w.how->spec;
    const wr_vec *times = &t->in->cols[t->w.how->time_col];
    const wr_view view = wr_vec_view(times);
    const uint32_t live = wr_batch_live(t->in);
    const bool down = s->kind == WR_WINDOW_HOP;
    for (; t->at < live; t->at++, t->inside = false) {
        const uint32_t row = wr_batch_row(t->in, t->at);
        int64_t first, last;
        if (s->rowtime && !wr_view_valid(&view, row)) continue;
        const int64_t time = s->rowtime ? wri_time_at(times, &view, row) : *t->op.env->now_ms;
        const int64_t local = wri_windows_local(&t->w, time);
        if (!wri_windows_ends(s, local, &first, &last)) continue;
        int64_t end = t->inside ? t->next_end : down ? last : first;
        for (; end >= first && end <= last; end += down ? -s->slide_ms : s->slide_ms) {
            if (p->n == WR_BATCH_ROWS) {
                t->inside = true;
                t->next_end = end;
                return;
            }
            p->rows[p->n] = row;
            p->start[p->n] = wri_windows_start(s, local, end);
            p->end[p->n++] = end;
        }
    }
}

static wr_status
fill(wr_ctx *ctx, const window_tvf_op *t, const piece *p, wr_batch *out)
{
    const uint32_t width = t->in->col_count, room = WR_MAX(p->n, 1u);
    wr_vec *own = &out->cols[width];
    for (uint32_t c = 0; c < width; c++)
        if (!wr_vec_gather_shared(&out->cols[c], &t->in->cols[c], p->rows, p->n, out->arena))
            return WRI_NOMEM(ctx);
    for (uint32_t k = 0; k < 3; k++)
        if (!wr_vec_init_flat(&own[k], t->op.node->schema.fields[width + k].type, room, out->arena))
            return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < p->n; i++) {
        wri_time_set(&own[0], i, p->start[i]);
        wri_time_set(&own[1], i, p->end[i]);
        wri_time_set(&own[2], i, wri_windows_last(&t->w, p->end[i]));
    }
    out->row_count = p->n;
    if (!t->in->kind) return WR_OK;
    uint8_t *kind = wr_batch_kinds(out, room);
    WR_TRY_ALLOC(ctx, kind);
    for (uint32_t i = 0; i < p->n; i++) kind[i] = t->in->kind[p->rows[i]];
    return WR_OK;
}

static wr_status
make_piece(wr_ctx *ctx, window_tvf_op *t, wr_batch *out)
{
    piece p = {.rows = wr_arena_alloc(out->arena, sizeof *p.rows * WR_BATCH_ROWS),
               .start = wr_arena_alloc(out->arena, sizeof *p.start * WR_BATCH_ROWS),
               .end = wr_arena_alloc(out->arena, sizeof *p.end * WR_BATCH_ROWS)};
    if (!p.rows || !p.start || !p.end || !wr_batch_keep(out, t->in)) return WRI_NOMEM(ctx);
    take_piece(t, &p);
    return fill(ctx, t, &p, out);
}

static wr_status
go_on(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    window_tvf_op *t = (window_tvf_op *)op;
    const uint32_t live = wr_batch_live(t->in);
    while (t->at < live) {
        if (wr_emit_full(emit)) {
            op->pending = true;
            return WR_OK;
        }
        wr_batch *out = wr_batch_acquire(op->env->pool, op->node->schema.count);
        WR_TRY_ALLOC(ctx, out);
        const wr_status status = make_piece(ctx, t, out);
        if (status != WR_OK || out->row_count == 0) {
            wr_batch_release(out);
            if (status != WR_OK) return status;
            continue;
        }
        WR_TRY(wr_emit(ctx, emit, out));
    }
    wr_batch_release(t->in);
    t->in = NULL;
    return WR_OK;
}

static wr_status
window_tvf_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input;
    window_tvf_op *t = (window_tvf_op *)op;
    t->in = take_batch;
    t->at = 0;
    t->inside = false;
    return go_on(ctx, op, emit);
}

static void
window_tvf_close(wr_op *op)
{
    window_tvf_op *t = (window_tvf_op *)op;
    wr_batch_release(t->in);
    t->in = NULL;
}

const wr_op_ops wri_window_tvf_ops = {
    .abi = WR_ABI,
    .name = "WindowTableFunction",
    .size_bytes = sizeof(window_tvf_op),
    .open = window_tvf_open,
    .on_batch = window_tvf_batch,
    .on_resume = go_on,
    .on_watermark = wr_op_pass_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = wr_op_no_end,
    .close = window_tvf_close,
    .snapshot = wr_op_no_snapshot,
    .restore = wr_op_no_restore,
    .committed = wr_op_no_committed,
};
