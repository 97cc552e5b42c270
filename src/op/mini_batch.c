/* SPDX-License-Identifier: Apache-2.0 */
/* GROUP_AGG with mini-batch: rows go into the accumulators at once, but a group's change comes out
 * once per bundle. When a bundle touches a group first, its result so far is kept; a flush compares
 * it with the result then. A bundle ends with its size (in rows), its latency (a timer from its
 * first row), a barrier, the last watermark or the end; other watermarks wait for it. */
#include "op/agg_int.h"

typedef struct mini_batch_op {
    wr_op op;
    wri_aggs aggs;
    wr_arena *scratch, *bundle; /* bundle: lives until the flush */
    uint32_t serial;
    uint32_t *slots; /* groups of the bundle in order of appearance */
    uint8_t *first;  /* did not exist before */
    wr_vec *before;  /* per aggregate: result before the bundle */
    uint32_t count, cap;
    int64_t rows; /* in this bundle */
    uint32_t flushed;
    bool flushing, ended;
    int64_t latency_ms, due_ms;
    int64_t held; /* a watermark that waits for the changes before it */
    wr_batch *in; /* input not yet taken in whole: a bundle ended within it */
    uint32_t in_at;
} mini_batch_op;

static wr_status
mini_batch_open(wr_ctx *ctx, wr_op *op)
{
    mini_batch_op *m = (mini_batch_op *)op;
    m->scratch = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, m->scratch);
    m->bundle = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, m->bundle);
    m->serial = 1;
    m->held = INT64_MIN;
    if (op->env->config)
        m->latency_ms = wr_config_int(op->env->config, "table.exec.mini-batch.allow-latency");
    return wri_aggs_open(ctx, op, op->node->u.agg.retract, sizeof(wri_group), &m->aggs);
}

/* ---- the bundle ------------------------------------------------------------------------------ */
static wr_status
grow(wr_ctx *ctx, mini_batch_op *m, uint32_t want)
{
    if (want <= m->cap) return WR_OK;
    const uint32_t cap = WR_MAX(want, m->cap ? m->cap * 2 : 256), aggs = m->aggs.agg_count;
    uint32_t *slots = wr_arena_alloc(m->bundle, sizeof *slots * cap);
    uint8_t *first = wr_arena_alloc(m->bundle, cap);
    if (!slots || !first) return WRI_NOMEM(ctx);
    if (!m->before) {
        m->before = WR_NEW_N(m->bundle, wr_vec, aggs + 1);
        WR_TRY_ALLOC(ctx, m->before);
        for (uint32_t k = 0; k < aggs; k++)
            if (!wr_vec_init_flat(&m->before[k], m->aggs.aggs[k].bound->type, cap, m->bundle))
                return WRI_NOMEM(ctx);
    } else {
        memcpy(slots, m->slots, sizeof *slots * m->count);
        memcpy(first, m->first, m->count);
        for (uint32_t k = 0; k < aggs; k++)
            if (!wr_vec_reserve(&m->before[k], cap, m->bundle)) return WRI_NOMEM(ctx);
    }
    m->slots = slots;
    m->first = first;
    m->cap = cap;
    return WR_OK;
}

/* Results of the groups that join the bundle (slots[from..count)), before anything changes. */
static wr_status
remember(wr_ctx *ctx, mini_batch_op *m, uint32_t from)
{
    const uint32_t n = m->count - from;
    if (n == 0) return WR_OK;
    wr_vec *now = wr_arena_zalloc(m->scratch, sizeof *now * (m->aggs.agg_count + 1));
    WR_TRY_ALLOC(ctx, now);
    WR_TRY(wri_aggs_result(ctx, &m->aggs, m->slots + from, n, m->scratch, m->bundle, now));
    for (uint32_t k = 0; k < m->aggs.agg_count; k++)
        if (!wri_vec_copy_rows(&m->before[k], from, 1, &now[k], NULL, n, m->bundle))
            return WRI_NOMEM(ctx);
    return WR_OK;
}

/* The live rows of `in` into the bundle. */
static wr_status
fold_rows(wr_ctx *ctx, mini_batch_op *m, const wr_batch *in)
{
    const uint32_t live = wr_batch_live(in);
    uint32_t *all;
    WR_TRY(wri_aggs_resolve(ctx, &m->aggs, in, m->scratch, &all));
    uint32_t *rows = wr_arena_alloc(m->scratch, sizeof *rows * (live + 1));
    uint32_t *slots = wr_arena_alloc(m->scratch, sizeof *slots * (live + 1));
    if (!rows || !slots) return WRI_NOMEM(ctx);
    WR_TRY(grow(ctx, m, m->count + live));
    const uint32_t joined = m->count;
    uint32_t n = 0;
    for (uint32_t i = 0; i < live; i++) {
        const uint32_t row = wr_batch_row(in, i);
        wri_group *group = wri_group_of(&m->aggs, all[i]);
        const bool retract = wri_is_retract(in->kind, row);
        const bool member = group->serial == m->serial;
        if (!member) {
            group->serial = m->serial;
            group->note = m->count;
            m->first[m->count] = group->rows == 0;
            m->slots[m->count++] = all[i];
            m->op.holds_slots = true;
        }
        /* nothing there to retract from: a group does not begin with a retraction */
        if (retract && group->rows == 0 && m->first[group->note]) continue;
        group->rows += retract ? -1 : 1;
        rows[n] = row;
        slots[n++] = all[i];
    }
    WR_TRY(remember(ctx, m, joined));
    const wri_agg_rows r = {.batch = in, .rows = rows, .slots = slots, .n = n, .kind = in->kind};
    return wri_aggs_update(ctx, &m->aggs, &r, m->scratch, m->scratch, NULL, NULL);
}

/* ---- flushing -------------------------------------------------------------------------------- */
/* The changes of bundle groups from..from + n into `out`. */
static wr_status
write_changes(wr_ctx *ctx, mini_batch_op *m, uint32_t from, uint32_t n, wr_batch *out)
{
    const wri_keyspec *keys = &m->aggs.keys;
    wr_state_table *groups = m->aggs.groups;
    const bool with_before = m->op.node->u.agg.generate_update_before;
    uint8_t *changed = wr_arena_zalloc(m->scratch, n + 1);
    uint32_t *idx = wr_arena_alloc(m->scratch, sizeof *idx * (2 * n + 1));
    uint8_t *which = wr_arena_alloc(m->scratch, 2 * n + 1);
    uint8_t *kind = wr_arena_alloc(out->arena, 2 * n + 1);
    uint32_t *at = wri_iota(m->scratch, m->count);
    wr_vec *before = wr_arena_zalloc(m->scratch, sizeof *before * (m->aggs.agg_count + 1));
    wr_vec *after = wr_arena_zalloc(m->scratch, sizeof *after * (m->aggs.agg_count + 1));
    if (!changed || !idx || !which || !kind || !at || !before || !after) return WRI_NOMEM(ctx);
    WR_TRY(wri_aggs_result(ctx, &m->aggs, m->slots + from, n, m->scratch, out->arena, after));
    for (uint32_t k = 0; k < m->aggs.agg_count; k++) {
        /* strings of the bundle die with it: copy */
        if (!wr_vec_init_flat(&before[k], m->before[k].type, n, out->arena)) return WRI_NOMEM(ctx);
        for (uint32_t i = 0; i < n; i++)
            if (!wr_vec_copy_entry(&before[k], i, &m->before[k], from + i, out->arena))
                return WRI_NOMEM(ctx);
        wri_vec_mark_changed(&before[k], &after[k], n, changed);
    }
    uint32_t j = 0;
    for (uint32_t i = 0; i < n; i++) {
        const bool lives = wri_group_of(&m->aggs, m->slots[from + i])->rows > 0;
        const bool first = m->first[from + i];
        if (lives && first) {
            idx[j] = i, which[j] = 1, kind[j++] = WR_INSERT;
        } else if (lives && (changed[i] || m->op.node->u.agg.ttl_ms > 0)) {
            if (with_before) idx[j] = i, which[j] = 0, kind[j++] = WR_UPDATE_BEFORE;
            idx[j] = i, which[j] = 1, kind[j++] = WR_UPDATE_AFTER;
        } else if (!lives && !first) {
            idx[j] = i, which[j] = 0, kind[j++] = WR_DELETE;
        }
    }
    for (uint32_t c = 0; c < keys->count; c++)
        if (!wr_vec_init_flat(&out->cols[c], m->op.node->schema.fields[c].type, j, out->arena))
            return WRI_NOMEM(ctx);
    for (uint32_t k = 0; k < j; k++) {
        uint32_t len;
        const uint8_t *key = groups->ops->key_of(groups, m->slots[from + idx[k]], &len);
        WR_TRY(wri_key_decode(ctx, keys, key, len, out->cols, k, out->arena));
    }
    for (uint32_t k = 0; k < m->aggs.agg_count; k++)
        WR_TRY(wri_vec_pick(ctx, &out->cols[keys->count + k], &before[k], &after[k], idx, which, j,
                            out->arena));
    out->row_count = j;
    out->kind = kind;
    return WR_OK;
}

static void
end_bundle(mini_batch_op *m)
{
    wr_state_table *groups = m->aggs.groups;
    for (uint32_t i = 0; i < m->count; i++)
        if (wri_group_of(&m->aggs, m->slots[i])->rows <= 0)
            groups->ops->remove(groups, m->slots[i]);
    wr_arena_reset(m->bundle);
    m->before = NULL;
    m->count = m->cap = m->flushed = 0;
    m->op.holds_slots = false;
    m->rows = 0;
    m->serial++;
    m->flushing = false;
}

static wr_status
flush_some(wr_ctx *ctx, mini_batch_op *m, wr_emitter *emit)
{
    m->flushing = true;
    while (m->flushed < m->count) {
        if (wr_emit_full(emit)) {
            m->op.pending = true;
            return WR_OK;
        }
        const uint32_t n = WR_MIN(m->count - m->flushed, WR_BATCH_ROWS);
        wr_arena_reset(m->scratch);
        wr_batch *out = wr_batch_acquire(m->op.env->pool, m->op.node->schema.count);
        WR_TRY_ALLOC(ctx, out);
        const wr_status status = write_changes(ctx, m, m->flushed, n, out);
        m->flushed += n;
        if (status != WR_OK || out->row_count == 0) {
            wr_batch_release(out);
            WR_TRY(status);
            continue;
        }
        WR_TRY(wr_emit(ctx, emit, out));
    }
    end_bundle(m);
    const int64_t held = m->held;
    m->held = INT64_MIN;
    return held == INT64_MIN ? WR_OK : emit->watermark(ctx, emit, held);
}

/* ---- input ----------------------------------------------------------------------------------- */
/* Take in what is left of m->in, ending bundles at their size. */
static wr_status
take_rows(wr_ctx *ctx, mini_batch_op *m, wr_emitter *emit)
{
    const int64_t limit = m->op.node->u.agg.mini_batch_size;
    const uint32_t n = wr_batch_live(m->in);
    while (m->in_at < n) {
        uint32_t piece = n - m->in_at;
        if (limit > 0 && piece > limit - m->rows) piece = (uint32_t)(limit - m->rows);
        wr_arena_reset(m->scratch);
        uint32_t *sel = wr_arena_alloc(m->scratch, sizeof *sel * (piece + 1));
        WR_TRY_ALLOC(ctx, sel);
        for (uint32_t i = 0; i < piece; i++) sel[i] = wr_batch_row(m->in, m->in_at + i);
        wr_batch view = *m->in;
        view.sel = sel;
        view.sel_count = piece;
        if (m->rows == 0 && m->latency_ms > 0 && m->op.env->timer) {
            m->due_ms = *m->op.env->now_ms + m->latency_ms;
            WR_TRY(m->op.env->timer(m->op.env, m->due_ms));
        }
        WR_TRY(fold_rows(ctx, m, &view));
        m->in_at += piece;
        m->rows += piece;
        if (limit > 0 && m->rows >= limit) {
            WR_TRY(flush_some(ctx, m, emit));
            if (m->op.pending) return WR_OK;
        }
    }
    wr_batch_release(m->in);
    m->in = NULL;
    return WR_OK;
}

static wr_status
mini_batch_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input;
    mini_batch_op *m = (mini_batch_op *)op;
    m->in = take_batch;
    m->in_at = 0;
    return take_rows(ctx, m, emit);
}

static wr_status
mini_batch_resume(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    mini_batch_op *m = (mini_batch_op *)op;
    if (m->flushing) WR_TRY(flush_some(ctx, m, emit));
    if (!op->pending && m->in) WR_TRY(take_rows(ctx, m, emit));
    return !op->pending && m->ended ? wri_aggs_emit_nothing(ctx, &m->aggs, m->scratch, emit)
                                    : WR_OK;
}

static wr_status
mini_batch_watermark(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *emit, int64_t *forward)
{
    mini_batch_op *m = (mini_batch_op *)op;
    *forward = watermark;
    if (watermark == INT64_MAX) return flush_some(ctx, m, emit);
    if (m->rows == 0) return WR_OK;
    m->held = watermark;
    *forward = INT64_MIN;
    return WR_OK;
}

static wr_status
mini_batch_timer(wr_ctx *ctx, wr_op *op, int64_t time_ms, wr_emitter *emit)
{
    mini_batch_op *m = (mini_batch_op *)op;
    return m->rows > 0 && time_ms >= m->due_ms ? flush_some(ctx, m, emit) : WR_OK;
}

static wr_status
mini_batch_barrier(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id, wr_emitter *emit)
{
    (void)checkpoint_id;
    return flush_some(ctx, (mini_batch_op *)op, emit);
}

static wr_status
mini_batch_end(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    mini_batch_op *m = (mini_batch_op *)op;
    m->ended = true;
    WR_TRY(flush_some(ctx, m, emit));
    return op->pending ? WR_OK : wri_aggs_emit_nothing(ctx, &m->aggs, m->scratch, emit);
}

static void
mini_batch_close(wr_op *op)
{
    mini_batch_op *m = (mini_batch_op *)op;
    wr_batch_release(m->in);
    m->in = NULL;
    wr_arena_destroy(m->scratch);
    wr_arena_destroy(m->bundle);
}

const wr_op_ops wri_mini_batch_ops = {
    .abi = WR_ABI,
    .name = "GroupAggregate",
    .size_bytes = sizeof(mini_batch_op),
    .open = mini_batch_open,
    .on_batch = mini_batch_batch,
    .on_resume = mini_batch_resume,
    .on_watermark = mini_batch_watermark,
    .on_timer = mini_batch_timer,
    .on_barrier = mini_batch_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = mini_batch_end,
    .close = mini_batch_close,
    .snapshot = wr_op_no_snapshot,
    .restore = wr_op_no_restore,
    .committed = wr_op_no_committed,
};
