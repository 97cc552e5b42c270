/* SPDX-License-Identifier: Apache-2.0 */
/* WATERMARK: the expression of a WATERMARK FOR declaration gives each row a candidate; the highest
 * so far is the watermark. Where the splits of a source go on by themselves, each has one of its
 * own and the lowest counts, those left out that are idle or have ended. With interval 0 it goes
 * out right behind the row that raised it, so the batch is split there; with an interval, behind
 * the batch. Watermarks from upstream are dropped but for the last one; with SOURCE_WATERMARK()
 * they pass and nothing else is done.
 *
 * Flink forgets the watermark when a job starts from a checkpoint, so that rows which were late
 * come in after all. Here it is kept, and goes out again before the first row: a restored job says
 * what the undisturbed one would have said. */
#include "op/op_int.h"

typedef struct watermark_op {
    wr_op op;
    wr_program *program;
    int64_t current, sent;
    int64_t *splits; /* the highest candidate of each, in the order of env->clocks */
    uint32_t split_count, split_cap;
    wr_split_clocks alone; /* where nobody keeps clocks */
    wr_split_clock one;
} watermark_op;

static wr_status
watermark_open(wr_ctx *ctx, wr_op *op)
{
    watermark_op *w = (watermark_op *)op;
    w->current = w->sent = w->one.watermark = w->one.start = INT64_MIN;
    w->alone = (wr_split_clocks){.items = &w->one, .count = 1, .cap = 1};
    if (op->node->u.watermark.source_watermark) return WR_OK;
    wr_expr *e = op->node->u.watermark.expr;
    return wri_op_compile(ctx, op, &e, 1, &w->program);
}

static wr_status
check_rowtime(wr_ctx *ctx, wr_op *op, const wr_batch *b)
{
    const wr_vec *v = &b->cols[op->node->u.watermark.col];
    if (!v->has_nulls) return WR_OK;
    WR_FOR_ROWS (b, row) {
        if (wr_vec_is_null(v, row))
            return wr_raise(ctx, WR_DATA,
                            "RowTime field should not be null, please convert it to a non-null "
                            "long value.");
    }
    return WR_OK;
}

static int64_t
time_at(const wr_vec *v, const wr_view *view, uint32_t row)
{
    if (v->phys == WR_PHYS_TS) return WR_VIEW(view, wr_ts, row).ms;
    return WR_VIEW(view, int64_t, row);
}

/* ---- splits ---------------------------------------------------------------------------------- */

static wr_split_clocks *
clocks_of(watermark_op *w)
{
    return w->op.env->clocks ? w->op.env->clocks : &w->alone;
}

/* Splits that came since begin where their clocks are. */
static wr_status
know_splits(wr_ctx *ctx, watermark_op *w)
{
    const wr_split_clocks *c = clocks_of(w);
    if (WR_LIKELY(w->split_count == c->count)) return WR_OK;
    if (c->count > w->split_cap) {
        const uint32_t cap = WR_MAX(c->count, 2 * w->split_cap);
        int64_t *more = wr_arena_alloc(w->op.env->arena, sizeof *more * cap);
        WR_TRY_ALLOC(ctx, more);
        if (w->split_count) memcpy(more, w->splits, sizeof *more * w->split_count);
        w->splits = more;
        w->split_cap = cap;
    }
    for (; w->split_count < c->count; w->split_count++)
        w->splits[w->split_count] = c->items[w->split_count].start;
    return WR_OK;
}

/* The lowest of the splits that are to be waited for; never less than it was. */
static void
take_lowest(watermark_op *w)
{
    const wr_split_clocks *c = clocks_of(w);
    int64_t low = INT64_MAX;
    for (uint32_t i = 0; i < w->split_count; i++)
        if (!c->items[i].idle && !c->items[i].ended) low = WR_MIN(low, w->splits[i]);
    if (low != INT64_MAX) w->current = WR_MAX(w->current, low);
}

/* A candidate of split `at`. True: the watermark has risen. */
WR_ALWAYS_INLINE bool
raise_split(watermark_op *w, uint32_t at, int64_t t)
{
    const int64_t was = w->splits[at], current = w->current;
    if (t <= was) return false;
    w->splits[at] = t;
    if (was > current) return false; /* another one is the lowest */
    take_lowest(w);
    return w->current > current;
}

/* For who looks at the clocks. */
static void
show_split(watermark_op *w, uint32_t at)
{
    wr_split_clock *c = &clocks_of(w)->items[at];
    c->watermark = WR_MAX(c->watermark, w->splits[at]);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Emit live rows from..to of `in` (kept by the piece). */
static wr_status
emit_piece(wr_ctx *ctx, wr_op *op, wr_batch *in, uint32_t from, uint32_t to, wr_emitter *emit)
{
    if (from == to) return WR_OK;
    wr_batch_ref(in);
    wr_batch *piece = wri_batch_view(op, in);
    WR_TRY_ALLOC(ctx, piece);
    uint32_t *sel = wr_arena_alloc(piece->arena, sizeof *sel * (to - from));
    if (!sel) {
        wr_batch_release(piece);
        return WRI_NOMEM(ctx);
    }
    for (uint32_t i = from; i < to; i++) sel[i - from] = wr_batch_row(in, i);
    piece->sel = sel;
    piece->sel_count = to - from;
    return wr_emit(ctx, emit, piece);
}

/* As in Flink watermarks begin at 0, behind which nothing is late: of rows before 1970 none is. */
static wr_status
send(wr_ctx *ctx, watermark_op *w, wr_emitter *emit)
{
    if (w->current <= w->sent || w->current <= 0) return WR_OK;
    w->sent = w->current;
    return emit->watermark(ctx, emit, w->sent);
}

static wr_status
watermark_snapshot(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)checkpoint_id;
    const watermark_op *w = (const watermark_op *)op;
    return w->program ? wri_number_keep(ctx, out, "watermark", WR_OPSTATE_UNION, w->current)
                      : WR_OK;
}

/* One for each former subtask: at the same parallelism everybody's own, else the lowest, as rows of
 * any of them may come to any. A processing-time timer sends it when no row does. */
static wr_status
watermark_restore(wr_ctx *ctx, wr_op *op, const wr_opstate *in)
{
    watermark_op *w = (watermark_op *)op;
    const wr_opstate_list *list = wr_opstate_find(in, "watermark");
    if (!list || !w->program || list->items.count == 0) return WR_OK;
    w->current = INT64_MAX;
    for (uint32_t i = 0; i < list->items.count; i++) {
        int64_t kept;
        if (list->items.count == op->env->parallelism && i != op->env->subtask) continue;
        WR_TRY(wri_number_item(ctx, list, i, &kept));
        w->current = WR_MIN(w->current, kept);
    }
    wr_split_clocks *c = clocks_of(w);
    if (!c->apart) { /* its only clock goes on from there; splits' own come with the splits */
        WR_TRY(know_splits(ctx, w));
        w->splits[0] = w->current;
        c->items[0].watermark = WR_MAX(c->items[0].watermark, w->current);
    }
    return w->current > w->sent && op->env->timer ? op->env->timer(op->env, *op->env->now_ms)
                                                  : WR_OK;
}

/* Also when a split has become idle or has ended. */
static wr_status
watermark_timer(wr_ctx *ctx, wr_op *op, int64_t time_ms, wr_emitter *emit)
{
    (void)time_ms;
    watermark_op *w = (watermark_op *)op;
    if (w->program) {
        WR_TRY(know_splits(ctx, w));
        take_lowest(w);
    }
    return send(ctx, w, emit);
}

static wr_status
emit_split(wr_ctx *ctx, watermark_op *w, wr_batch *in, const wr_vec *times, wr_emitter *emit)
{
    const wr_view view = wr_vec_view(times);
    const uint32_t n = wr_batch_live(in), at = clocks_of(w)->at;
    uint32_t from = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = wr_batch_row(in, i);
        if (!wr_view_valid(&view, row)) continue;
        if (!raise_split(w, at, time_at(times, &view, row))) continue;
        WR_TRY(emit_piece(ctx, &w->op, in, from, i + 1, emit));
        from = i + 1;
        WR_TRY(send(ctx, w, emit));
    }
    return emit_piece(ctx, &w->op, in, from, n, emit);
}

static void
raise_current(watermark_op *w, const wr_batch *in, const wr_vec *times)
{
    const wr_view view = wr_vec_view(times);
    int64_t high = INT64_MIN;
    WR_FOR_ROWS (in, row) {
        if (!wr_view_valid(&view, row)) continue;
        const int64_t t = time_at(times, &view, row);
        high = WR_MAX(high, t);
    }
    (void)raise_split(w, clocks_of(w)->at, high);
}

static wr_status
watermark_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input;
    watermark_op *w = (watermark_op *)op;
    if (!w->program) return wr_emit(ctx, emit, take_batch);
    if (w->sent == INT64_MIN) { /* restored */
        const wr_status status = send(ctx, w, emit);
        if (status != WR_OK) {
            wr_batch_release(take_batch);
            return status;
        }
    }
    wr_batch *work = wr_batch_acquire(op->env->pool, 1); /* holds the candidates */
    wr_status status = work ? check_rowtime(ctx, op, take_batch) : WRI_NOMEM(ctx);
    if (status == WR_OK) status = know_splits(ctx, w);
    if (status == WR_OK)
        status = wr_program_run(ctx, w->program, take_batch, take_batch->sel,
                                wr_batch_live(take_batch), work->arena, work->cols);
    if (status == WR_OK && op->node->u.watermark.interval_ms == 0) {
        status = emit_split(ctx, w, take_batch, &work->cols[0], emit);
    } else if (status == WR_OK) {
        raise_current(w, take_batch, &work->cols[0]);
        wr_batch_ref(take_batch);
        status = wr_emit(ctx, emit, take_batch);
        if (status == WR_OK) status = send(ctx, w, emit);
    }
    if (status == WR_OK) show_split(w, clocks_of(w)->at);
    wr_batch_release(work);
    wr_batch_release(take_batch);
    return status;
}

static wr_status
watermark_rises(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *out, int64_t *forward)
{
    watermark_op *w = (watermark_op *)op;
    if (!w->program) return wr_op_pass_watermark(ctx, op, watermark, out, forward);
    return wri_watermark_swallow(ctx, op, watermark, out, forward);
}

static void
watermark_close(wr_op *op)
{
    wr_program_close(((watermark_op *)op)->program);
}

const wr_op_ops wri_watermark_ops = {
    .abi = WR_ABI,
    .name = "WatermarkAssigner",
    .size_bytes = sizeof(watermark_op),
    .open = watermark_open,
    .on_batch = watermark_batch,
    .on_resume = wr_op_no_resume,
    .on_watermark = watermark_rises,
    .on_timer = watermark_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = wr_op_no_end,
    .close = watermark_close,
    .snapshot = watermark_snapshot,
    .restore = watermark_restore,
    .committed = wr_op_no_committed,
};
