/* SPDX-License-Identifier: Apache-2.0 */
/* JOIN with mini-batch: rows of both sides, and watermarks, wait in a bundle; when it ends (size,
 * latency, barrier, the last watermark, the end), what cancels out within a side is dropped and the
 * rest is joined, the side that is not padded first, so that few paddings come and go. A side of
 * upserts without -U is not folded: a deletion there may mean a row of an earlier bundle. */
#include "op/join_int.h"

_Static_assert(offsetof(wri_mini_join_op, join) == 0, "the join comes first");

static wri_mini_join_op *
of(wr_op *op)
{
    return (wri_mini_join_op *)op;
}

wr_status
wri_mini_join_open(wr_ctx *ctx, wri_mini_join_op *m)
{
    const wr_config *config = m->join.op.env->config;
    m->size = wr_config_int(config, "table.exec.mini-batch.size");
    m->latency_ms = wr_config_int(config, "table.exec.mini-batch.allow-latency");
    m->lists = wr_arena_create(m->join.op.env->budget, 0);
    WR_TRY_ALLOC(ctx, m->lists);
    m->held = INT64_MIN;
    for (uint32_t k = 0; k < 2; k++) {
        const wr_clmode mode = m->join.op.node->inputs[k]->changelog;
        m->folds[k] = (mode & WR_CL_UB) || !(mode & WR_CL_UA);
    }
    return WR_OK;
}

/* ---- folding --------------------------------------------------------------------------------- */
/* All waiting batches of a side as one. */
static wr_status
merge(wr_ctx *ctx, wri_mini_join_op *m, uint32_t side, wr_batch **out)
{
    const wr_schema *schema = m->join.side[side].schema;
    uint32_t n = 0, at = 0;
    for (uint32_t i = 0; i < m->waiting[side].count; i++)
        n += wr_batch_live(m->waiting[side].items[i]);
    wr_batch *b = wr_batch_acquire(m->join.op.env->pool, schema->count);
    WR_TRY_ALLOC(ctx, b);
    *out = b;
    if (!wr_batch_init_flat(b, schema, n)) return WRI_NOMEM(ctx);
    uint8_t *kind = wr_batch_kinds(b, n);
    uint32_t *rows = wri_iota(b->arena, n);
    WR_TRY_ALLOC(ctx, kind);
    WR_TRY_ALLOC(ctx, rows);
    for (uint32_t i = 0; i < m->waiting[side].count; i++) {
        wr_batch *in = m->waiting[side].items[i];
        const uint32_t live = wr_batch_live(in);
        for (uint32_t c = 0; c < schema->count; c++)
            if (!wri_vec_copy_rows(&b->cols[c], at, 1, &in->cols[c], in->sel ? in->sel : rows, live,
                                   b->arena))
                return WRI_NOMEM(ctx);
        for (uint32_t k = 0; k < live; k++)
            kind[at + k] = (uint8_t)wr_batch_kind(in, wr_batch_row(in, k));
        at += live;
        if (!wr_batch_keep(b, in)) return WRI_NOMEM(ctx);
    }
    b->row_count = n;
    return WR_OK;
}

/* Drop pairs of equal rows of opposite sign; the latest partner goes. */
static wr_status
fold(wr_ctx *ctx, wri_mini_join_op *m, uint32_t side, wr_batch *b)
{
    const uint32_t n = b->row_count;
    uint32_t cap = 16, count = 0;
    while (cap < 2 * n) cap *= 2;
    wr_bytes rows;
    uint32_t *heads = wr_arena_zalloc(b->arena, sizeof *heads * cap);
    uint32_t *next = wr_arena_alloc(b->arena, sizeof *next * (n + 1));
    uint32_t *sel = wr_arena_alloc(b->arena, sizeof *sel * (n + 1));
    uint8_t *dead = wr_arena_zalloc(b->arena, n + 1);
    if (!heads || !next || !sel || !dead ||
        !wr_row_encode(b, m->join.side[side].all_cols, b->col_count, b->arena, &rows))
        return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t *p = rows.data + rows.off[i];
        const uint32_t len = rows.off[i + 1] - rows.off[i];
        uint32_t *link = &heads[wr_hash_bytes(p, len, 0) & (cap - 1)];
        uint32_t *head = link;
        const bool retracts = b->kind[i] % 2; /* -U and -D */
        for (; *link; link = &next[*link - 1]) {
            const uint32_t k = *link - 1;
            if (b->kind[k] % 2 != retracts && rows.off[k + 1] - rows.off[k] == len &&
                memcmp(rows.data + rows.off[k], p, len) == 0)
                break;
        }
        if (*link) { /* both go */
            dead[*link - 1] = dead[i] = 1;
            *link = next[*link - 1];
            continue;
        }
        next[i] = *head;
        *head = i + 1;
    }
    for (uint32_t i = 0; i < n; i++) {
        sel[count] = i;
        count += !dead[i];
    }
    b->sel = sel;
    b->sel_count = count;
    return WR_OK;
}

static void
forget(wri_mini_join_op *m, uint32_t side)
{
    for (uint32_t i = 0; i < m->waiting[side].count; i++)
        wr_batch_release(m->waiting[side].items[i]);
    m->waiting[side].count = 0;
}

/* The bundle of a side into the join. */
static wr_status
begin_side(wr_ctx *ctx, wri_mini_join_op *m, uint32_t side)
{
    wr_batch *b = NULL;
    if (m->waiting[side].count == 0) return WR_OK;
    wr_status status = merge(ctx, m, side, &b);
    if (status == WR_OK && m->folds[side]) status = fold(ctx, m, side, b);
    forget(m, side);
    if (status != WR_OK || wr_batch_live(b) == 0) {
        wr_batch_release(b);
        return status;
    }
    return wri_join_begin(ctx, &m->join, side, b);
}

/* ---- flushing -------------------------------------------------------------------------------- */
static wr_status
flush(wr_ctx *ctx, wri_mini_join_op *m, wr_emitter *emit)
{
    const uint32_t first = m->join.type == WR_JOIN_LEFT ? 1 : 0;
    m->flushing = true;
    for (;;) {
        if (m->join.in) WR_TRY(wri_join_go_on(ctx, &m->join, emit));
        if (m->join.op.pending) return WR_OK;
        if (m->stage == 2) break;
        const uint32_t side = m->stage++ == 0 ? first : 1 - first;
        WR_TRY(begin_side(ctx, m, side));
    }
    m->stage = 0;
    m->rows = 0;
    m->flushing = false;
    wr_arena_reset(m->lists);
    memset(m->waiting, 0, sizeof m->waiting);
    const int64_t held = m->held;
    m->held = INT64_MIN;
    return held == INT64_MIN ? WR_OK : emit->watermark(ctx, emit, held);
}

static wr_status
mini_join_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    wri_mini_join_op *m = of(op);
    if (m->rows == 0 && m->latency_ms > 0 && op->env->timer) {
        m->due_ms = *op->env->now_ms + m->latency_ms;
        const wr_status status = op->env->timer(op->env, m->due_ms);
        if (status != WR_OK) {
            wr_batch_release(take_batch);
            return status;
        }
    }
    m->rows += wr_batch_live(take_batch);
    if (!wr_list_push(m->lists, &m->waiting[input], take_batch)) {
        wr_batch_release(take_batch);
        return WRI_NOMEM(ctx);
    }
    return m->size > 0 && m->rows >= m->size ? flush(ctx, m, emit) : WR_OK;
}

static wr_status
mini_join_resume(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    return flush(ctx, of(op), emit);
}

static wr_status
mini_join_watermark(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *emit, int64_t *forward)
{
    wri_mini_join_op *m = of(op);
    *forward = watermark;
    if (watermark == INT64_MAX) return flush(ctx, m, emit);
    if (m->rows == 0) return WR_OK;
    m->held = watermark; /* the rows that wait came before it */
    *forward = INT64_MIN;
    return WR_OK;
}

static wr_status
mini_join_timer(wr_ctx *ctx, wr_op *op, int64_t time_ms, wr_emitter *emit)
{
    wri_mini_join_op *m = of(op);
    return m->rows > 0 && time_ms >= m->due_ms ? flush(ctx, m, emit) : WR_OK;
}

static wr_status
mini_join_barrier(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id, wr_emitter *emit)
{
    (void)checkpoint_id;
    return flush(ctx, of(op), emit);
}

static wr_status
mini_join_end(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    return flush(ctx, of(op), emit);
}

static void
mini_join_close(wr_op *op)
{
    wri_mini_join_op *m = of(op);
    for (uint32_t k = 0; k < 2; k++) forget(m, k);
    wr_arena_destroy(m->lists);
    wri_join_close(&m->join);
}

const wr_op_ops wri_mini_join_ops = {
    .abi = WR_ABI,
    .name = "Join",
    .size_bytes = sizeof(wri_mini_join_op),
    .open = wr_op_open_nothing, /* wri_join_ops opens both */
    .on_batch = mini_join_batch,
    .on_resume = mini_join_resume,
    .on_watermark = mini_join_watermark,
    .on_timer = mini_join_timer,
    .on_barrier = mini_join_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = mini_join_end,
    .close = mini_join_close,
    .snapshot = wr_op_no_snapshot,
    .restore = wr_op_no_restore,
    .committed = wr_op_no_committed,
};
