/* SPDX-License-Identifier: Apache-2.0 */
/* WINDOW_AGG: one group per key and window, which comes out as a row and goes when the window
 * closes.
 *
 * A batch's rows are assigned to windows (or bring theirs in columns); rows of windows that are
 * closed are late and dropped. The window's end is one more key column, so the groups of all
 * windows lie in one table and a batch is applied at once. A group that is made is listed with its
 * window (window_open.c), from where it is found when the watermark, or the clock, passes the end
 * (window_fire.c).
 *
 * Windows of HOP and CUMULATE share *slices* when the accumulators can be merged: a row enters the
 * one slice that it lies in, whatever the number of windows, and a window that closes is merged
 * from its slices. Otherwise (DISTINCT, FIRST_VALUE, input that takes back what MIN and MAX saw) a
 * row enters each of its windows. */
#include "op/window_agg_int.h"

#define PIECE_MAX 65536u /* rows times windows that are taken in at once */

/* ---- opening --------------------------------------------------------------------------------- */
/* The key columns, then the window: its end, before it the start where the end does not tell it. */
static wr_status
open_keys(wr_ctx *ctx, wri_window_agg *g)
{
    wr_op *op = &g->op;
    const wr_pnode *node = op->node, *in = node->inputs[0];
    const uint32_t n = node->u.agg.key_count;
    uint32_t *cols = WR_NEW_N(op->env->arena, uint32_t, n + 3), count = n;
    wr_field *fields = WR_NEW_N(op->env->arena, wr_field, n + 3);
    const wr_type *time = wr_type_of(WR_T_BIGINT, false);
    WR_TRY_ALLOC(ctx, cols);
    WR_TRY_ALLOC(ctx, fields);
    WR_TRY(wri_keyspec_init(ctx, op, in, node->u.agg.keys, n, &g->keys));
    for (uint32_t i = 0; i < n; i++) {
        cols[i] = node->u.agg.keys[i];
        fields[i] = g->keys.schema.fields[i];
    }
    g->has_start = g->w.how->spec.kind == WR_WINDOW_SESSION;
    if (g->has_start) {
        cols[count] = in->schema.count + 1;
        fields[count++] = (wr_field){WR_STR("start of the window"), time, WR_STR("")};
    }
    cols[count] = in->schema.count;
    fields[count++] = (wr_field){WR_STR("end of the window"), time, WR_STR("")};
    g->in_window = (wri_keyspec){.cols = cols,
                                 .count = count,
                                 .fixed = count == 1 ? WR_PHYS_I64 : 0,
                                 .schema = {fields, count}};
    return WR_OK;
}

/* Can windows be put together from slices? */
static bool
can_slice(const wri_window_agg *g)
{
    const wr_window_spec *s = &g->w.how->spec;
    if (g->w.how->time_col < 0 || s->size_ms % s->slide_ms || s->size_ms == s->slide_ms ||
        g->aggs.distinct_count)
        return false;
    if (s->kind != WR_WINDOW_HOP && s->kind != WR_WINDOW_CUMULATE) return false;
    for (uint32_t i = 0; i < g->aggs.agg_count; i++)
        if (!g->aggs.aggs[i].ops->mergeable || g->aggs.aggs[i].ops->aux != WR_AGG_AUX_NONE)
            return false;
    return true;
}

static wr_status
mark_used(wr_ctx *ctx, wri_window_agg *g)
{
    const wr_pnode *node = g->op.node;
    g->used = WR_NEW_N(g->op.env->arena, bool, node->inputs[0]->schema.count + 1);
    WR_TRY_ALLOC(ctx, g->used);
    for (uint32_t i = 0; i < node->u.agg.key_count; i++) g->used[node->u.agg.keys[i]] = true;
    for (uint32_t i = 0; i < node->u.agg.agg_count; i++) {
        const wr_agg_bound *a = &node->u.agg.aggs[i];
        for (uint32_t k = 0; k < a->arg_count; k++) g->used[a->args[k]] = true;
        for (uint32_t k = 0; k < a->order_count; k++) g->used[a->order[k].col] = true;
        if (a->filter >= 0) g->used[a->filter] = true;
    }
    return WR_OK;
}

/* Does a row go to one group, told by a time that is as it is? */
static bool
assigns_one(const wri_window_agg *g)
{
    const wr_windowing *how = g->w.how;
    return how->time_col >= 0 && how->spec.rowtime && !g->w.tz && !g->has_start &&
           (g->slices || how->spec.kind == WR_WINDOW_TUMBLE);
}

/* Groups of windows that come out once. */
static wr_status
open_groups(wr_ctx *ctx, wri_window_agg *g)
{
    wr_op *op = &g->op;
    const bool counts = wri_window_retracts(g) || g->w.how->spec.kind == WR_WINDOW_HOP ||
                        g->w.how->spec.kind == WR_WINDOW_CUMULATE;
    WR_TRY(wri_aggs_open_keyed(ctx, op, &g->in_window, wri_window_retracts(g),
                               counts ? sizeof(wri_group) : 0, &g->aggs));
    g->slices = can_slice(g);
    g->slides = wri_window_can_slide(g);
    /* The memory backend moves nothing and forgets nothing that has no TTL. Sessions end at any
     * time: there are many with few groups. */
    g->holds = !g->has_start && strcmp(op->env->state->ops->name, "hashmap") == 0;
    op->holds_slots = g->holds;
    g->keeps = g->slides && g->holds && g->keys.count && wri_aggs_lie_flat(&g->aggs);
    if (g->keeps) WR_TRY(wri_kept_open(ctx, g));
    g->one = assigns_one(g);
    return WR_OK;
}

static wr_status
window_agg_open(wr_ctx *ctx, wr_op *op)
{
    wri_window_agg *g = (wri_window_agg *)op;
    g->watermark = g->fired = g->last_window = INT64_MIN;
    g->asked = INT64_MAX;
    wri_windows_init(&g->w, op, op->node->windows[0]);
    g->scratch = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, g->scratch);
    WR_TRY(open_keys(ctx, g));
    WR_TRY(mark_used(ctx, g));
    g->kept_arena = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, g->kept_arena);
    g->emit = op->node->u.agg.emit;
    WR_TRY(g->emit ? wri_window_emit_open(ctx, g) : open_groups(ctx, g));
    wri_window_stale(g);
    return wri_open_init(ctx, op, &g->in_window, &g->open);
}

/* ---- taking rows in -------------------------------------------------------------------------- */
typedef struct taken { /* rows and the windows that they go to */
    uint32_t *rows;
    int64_t *ends, *starts; /* starts: where they are part of the key */
    uint32_t n, cap;
} taken;

/* The time that decides about what is closed. */
static int64_t
now_of(const wri_window_agg *g)
{
    return g->w.how->spec.rowtime ? g->watermark : *g->op.env->now_ms;
}

static void
drop_late(wri_window_agg *g)
{
    if (g->op.env->metrics) g->op.env->metrics->late_dropped++;
}

/* Behind a union or a join a time may be NULL. GROUP BY TUMBLE leaves such rows out. */
static wr_status
take_null(wr_ctx *ctx, const wri_window_agg *g)
{
    if (g->w.how->spec.grouped) return WR_OK;
    return wr_raise(ctx, WR_DATA,
                    "RowTime field should not be null, please convert it to a non-null long "
                    "value.");
}

/* The windows of one row; those that are closed left out. */
static wr_status
find_ends(wr_ctx *ctx, wri_window_agg *g, const wr_batch *in, uint32_t row, int64_t *first,
          int64_t *last, bool *any)
{
    const wr_windowing *how = g->w.how;
    const bool assigns = how->time_col >= 0;
    *any = true;
    if (assigns && !how->spec.rowtime) {
        const int64_t local = wri_windows_local(&g->w, *g->op.env->now_ms);
        *any = wri_windows_ends(&how->spec, local, first, last);
        if (!g->slices) return WR_OK;
        *last = *first;
        if (*first <= g->merged_to) wri_window_stale(g); /* the clock was put back */
        return WR_OK;
    }
    const wr_vec *v = &in->cols[assigns ? how->time_col : how->end_col];
    const wr_view view = wr_vec_view(v);
    *any = wr_view_valid(&view, row);
    if (!*any) return take_null(ctx, g);
    const int64_t time = wri_time_at(v, &view, row);
    if (assigns)
        *any = wri_windows_ends(&how->spec, wri_windows_local(&g->w, time), first, last);
    else
        *first = *last = time;
    const int64_t now = now_of(g), step = how->spec.slide_ms;
    if (!assigns && !how->spec.rowtime) return WR_OK; /* a session that has just closed */
    if (g->slices) {
        *any = *any && now < wri_windows_closes(&g->w, *last);
        if (!*any) drop_late(g);
        if (*any && *first <= g->merged_to) wri_window_stale(g);
        *last = *first;
        return WR_OK;
    }
    while (*any && now >= wri_window_gone(g, *first)) {
        if (*first >= *last) {
            drop_late(g);
            *any = false;
        }
        *first += step;
    }
    return WR_OK;
}

/* As many rows from *at on as fit. */
static wr_status
assign(wr_ctx *ctx, wri_window_agg *g, const wr_batch *in, uint32_t *at, taken *t)
{
    const uint32_t live = wr_batch_live(in);
    const int64_t step = g->w.how->spec.slide_ms;
    for (; *at < live; ++*at) {
        const uint32_t row = wr_batch_row(in, *at);
        int64_t first = 0, last = 0;
        bool any;
        WR_TRY(find_ends(ctx, g, in, row, &first, &last, &any));
        if (!any) continue;
        const uint64_t count = (uint64_t)(last - first) / (uint64_t)step + 1;
        if (count > t->cap - t->n) {
            if (t->n) return WR_OK;
            return wr_raise(ctx, WR_LIMIT, "a row lies in more than %u windows at once", t->cap);
        }
        if (t->starts) {
            const wr_view starts = wr_vec_view(&in->cols[g->w.how->start_col]);
            t->starts[t->n] = wri_time_at(&in->cols[g->w.how->start_col], &starts, row);
        }
        for (uint64_t i = 0; i < count; i++) { /* changes are shown of the latest window first */
            t->rows[t->n] = row;
            t->ends[t->n++] = g->emit ? last - (int64_t)i * step : first + (int64_t)i * step;
        }
    }
    return WR_OK;
}

/* All rows, of which neighbours mostly lie in the same window. */
static wr_status
assign_one(wr_ctx *ctx, wri_window_agg *g, const wr_batch *in, taken *t)
{
    const wr_window_spec *spec = &g->w.how->spec;
    const wr_vec *v = &in->cols[g->w.how->time_col];
    const wr_view view = wr_vec_view(v);
    int64_t from = 0, to = 0, first = 0, last = 0; /* times from..to lie in the window first */
    bool late = false;
    for (uint32_t i = 0, n = wr_batch_live(in); i < n; i++) {
        const uint32_t row = wr_batch_row(in, i);
        if (!wr_view_valid(&view, row)) {
            WR_TRY(take_null(ctx, g));
            continue;
        }
        const int64_t time = wri_time_at(v, &view, row);
        if (time < from || time >= to) {
            if (!wri_windows_ends(spec, time, &first, &last)) continue;
            from = time - wr_floor_mod(time - spec->offset_ms, spec->slide_ms);
            to = from + spec->slide_ms;
            late = g->watermark >= wri_windows_closes(&g->w, g->slices ? last : first);
            if (!late && first <= g->merged_to) wri_window_stale(g);
        }
        if (late) {
            drop_late(g);
            continue;
        }
        t->rows[t->n] = row;
        t->ends[t->n++] = first;
    }
    return WR_OK;
}

/* The taken rows as a batch of their own, with the end as the last column. */
static wr_status
gather(wr_ctx *ctx, wri_window_agg *g, const wr_batch *in, const taken *t, wr_batch *out)
{
    const uint32_t width = in->col_count;
    wr_arena *a = g->scratch;
    out->cols = WR_NEW_N(a, wr_vec, width + 2);
    out->col_count = width + 1 + g->has_start;
    out->row_count = t->n;
    WR_TRY_ALLOC(ctx, out->cols);
    const bool all = t->n == in->row_count && !in->sel && t->rows[0] == 0 &&
                     t->rows[t->n - 1] == t->n - 1 && g->one;
    if (all) memcpy(out->cols, in->cols, sizeof *out->cols * width);
    for (uint32_t c = 0; !all && c < width; c++)
        if (g->used[c] && !wr_vec_gather_shared(&out->cols[c], &in->cols[c], t->rows, t->n, a))
            return WRI_NOMEM(ctx);
    for (uint32_t k = 0; k < 1u + g->has_start; k++) {
        if (!wr_vec_init_flat(&out->cols[width + k], wr_type_of(WR_T_BIGINT, false), t->n, a))
            return WRI_NOMEM(ctx);
        memcpy(out->cols[width + k].data, k ? t->starts : t->ends, sizeof *t->ends * t->n);
    }
    if (all) out->kind = in->kind;
    if (!in->kind || all) return WR_OK;
    uint8_t *kind = wr_arena_alloc(a, t->n);
    WR_TRY_ALLOC(ctx, kind);
    for (uint32_t i = 0; i < t->n; i++) kind[i] = in->kind[t->rows[i]];
    out->kind = kind;
    return WR_OK;
}

/* hash[i]: of the key without the window. */
static wr_status
make_keys(wr_ctx *ctx, wri_window_agg *g, const wr_batch *rows, const taken *t, wr_keys *out,
          uint64_t **hash)
{
    uint64_t *in_window = wr_arena_alloc(g->scratch, sizeof *in_window * (t->n + 1));
    *hash = wr_arena_zalloc(g->scratch, sizeof **hash * (t->n + 1));
    WR_TRY_ALLOC(ctx, *hash);
    WR_TRY_ALLOC(ctx, in_window);
    WR_TRY(wri_keys_make(ctx, &g->in_window, rows, g->scratch, out));
    if (g->keys.count) wr_batch_hash(rows, g->keys.cols, g->keys.count, *hash);
    for (uint32_t i = 0; i < t->n; i++) in_window[i] = wri_window_hash((*hash)[i], t->ends[i]);
    out->hash = in_window;
    return WR_OK;
}

static void
count_rows(wri_window_agg *g, const wr_batch *rows, const uint32_t *slots)
{
    for (uint32_t i = 0; i < rows->row_count; i++)
        wri_group_of(&g->aggs, slots[i])->rows += wri_is_retract(rows->kind, i) ? -1 : 1;
}

static wr_status
apply(wr_ctx *ctx, wri_window_agg *g, const wr_batch *in, const taken *t, wr_emitter *emit)
{
    wr_batch rows = {.arena = g->scratch};
    wr_keys keys;
    uint64_t *hash;
    uint32_t *slots = wr_arena_alloc(g->scratch, sizeof *slots * (t->n + 1));
    uint64_t *fresh = wr_arena_zalloc(g->scratch, sizeof *fresh * (WR_BIT_WORDS(t->n) + 1));
    if (!slots || !fresh) return WRI_NOMEM(ctx);
    WR_TRY(gather(ctx, g, in, t, &rows));
    WR_TRY(make_keys(ctx, g, &rows, t, &keys, &hash));
    WR_TRY(g->aggs.groups->ops->resolve(ctx, g->aggs.groups, &keys, WR_STATE_UPSERT, slots, fresh));
    WR_TRY(wri_open_note(ctx, &g->open, &keys, hash, fresh, t->ends));
    if (g->emit) return wri_window_emit_rows(ctx, g, &rows, slots, &keys, t->ends, emit);
    WR_TRY(wri_held_note(ctx, g, hash, slots, fresh, t->ends, t->n));
    if (wri_window_retracts(g)) count_rows(g, &rows, slots);
    const wri_agg_rows r = {.batch = &rows, .slots = slots, .n = t->n, .kind = rows.kind};
    return wri_aggs_update(ctx, &g->aggs, &r, g->scratch, g->scratch, NULL, NULL);
}

/* Changes that are shown come out a piece at a time. */
static uint32_t
piece_rows(const wri_window_agg *g, uint32_t live)
{
    const wr_window_spec *s = &g->w.how->spec;
    if (g->one) return live;
    if (!g->emit) return WR_MAX(PIECE_MAX, live);
    const int64_t windows = s->size_ms / WR_MAX(s->slide_ms, 1) + 1;
    return (uint32_t)WR_MAX(WR_MIN(windows, PIECE_MAX), WR_BATCH_ROWS);
}

/* The batch g->in from row g->at on. */
static wr_status
take_in(wr_ctx *ctx, wri_window_agg *g, wr_emitter *emit)
{
    const wr_batch *in = g->in;
    const uint32_t live = wr_batch_live(in);
    while (g->at < live) {
        if (g->emit && wr_emit_full(emit)) {
            g->op.pending = true;
            return WR_OK;
        }
        wr_arena_reset(g->scratch);
        taken t = {.cap = piece_rows(g, live)};
        t.rows = wr_arena_alloc(g->scratch, sizeof *t.rows * t.cap);
        t.ends = wr_arena_alloc(g->scratch, sizeof *t.ends * t.cap);
        t.starts = g->has_start ? wr_arena_alloc(g->scratch, sizeof *t.starts * t.cap) : NULL;
        if (!t.rows || !t.ends || (g->has_start && !t.starts)) return WRI_NOMEM(ctx);
        if (g->one) g->at = live;
        WR_TRY(g->one ? assign_one(ctx, g, in, &t) : assign(ctx, g, in, &g->at, &t));
        if (t.n) WR_TRY(apply(ctx, g, in, &t, emit));
    }
    wr_batch_release(g->in);
    g->in = NULL;
    return wri_window_ask(g);
}

static wr_status
window_agg_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input;
    wri_window_agg *g = (wri_window_agg *)op;
    g->in = take_batch;
    g->at = 0;
    return take_in(ctx, g, emit);
}

/* Windows of processing time that are over. */
static wr_status
fire_clock(wr_ctx *ctx, wri_window_agg *g, wr_emitter *emit)
{
    return g->w.how->spec.rowtime ? WR_OK : wri_window_fire(ctx, &g->op, emit);
}

static wr_status
fire_timers(wr_ctx *ctx, wri_window_agg *g, wr_emitter *emit)
{
    g->by_timers = false;
    WR_TRY(wri_window_emit_timers(ctx, g, emit));
    return g->op.pending ? WR_OK : fire_clock(ctx, g, emit);
}

static wr_status
window_agg_resume(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    wri_window_agg *g = (wri_window_agg *)op;
    if (g->in) return take_in(ctx, g, emit);
    return g->by_timers ? fire_timers(ctx, g, emit) : wri_window_fire(ctx, op, emit);
}

/* ---- time ------------------------------------------------------------------------------------ */
static wr_status
window_agg_watermark(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *emit, int64_t *forward)
{
    wri_window_agg *g = (wri_window_agg *)op;
    *forward = watermark;
    g->watermark = WR_MAX(g->watermark, watermark);
    if (!g->w.how->spec.rowtime) return WR_OK;
    g->due = g->watermark;
    return wri_window_fire(ctx, op, emit);
}

static wr_status
window_agg_timer(wr_ctx *ctx, wr_op *op, int64_t time_ms, wr_emitter *emit)
{
    wri_window_agg *g = (wri_window_agg *)op;
    if (!g->w.how->spec.rowtime) {
        g->asked = INT64_MAX;
        g->due = time_ms;
    }
    return g->has_timers ? fire_timers(ctx, g, emit) : fire_clock(ctx, g, emit);
}

/* Windows of processing time that are open when the input ends do not come out, as in Flink. */
static wr_status
window_agg_end(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    wri_window_agg *g = (wri_window_agg *)op;
    if (!g->w.how->spec.rowtime) return WR_OK;
    g->due = INT64_MAX;
    return wri_window_fire(ctx, op, emit);
}

/* ---- life ------------------------------------------------------------------------------------ */
static wr_status
window_agg_snapshot(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)checkpoint_id;
    const wri_window_agg *g = (const wri_window_agg *)op;
    WR_TRY(wri_number_keep(ctx, out, "watermark", WR_OPSTATE_UNION, g->watermark));
    return wri_number_keep(ctx, out, "fired", WR_OPSTATE_UNION, g->fired);
}

static wr_status
window_agg_restore(wr_ctx *ctx, wr_op *op, const wr_opstate *in)
{
    wri_window_agg *g = (wri_window_agg *)op;
    WR_TRY(wri_watermark_back(ctx, op, in, "watermark", &g->watermark));
    WR_TRY(wri_watermark_back(ctx, op, in, "fired", &g->fired));
    WR_TRY(wri_open_restore(ctx, &g->open));
    WR_TRY(wri_held_restore(ctx, g));
    if (g->has_timers) WR_TRY(wri_timers_restore(ctx, &g->timers));
    return wri_window_ask(g);
}

static void
window_agg_close(wr_op *op)
{
    wri_window_agg *g = (wri_window_agg *)op;
    wr_batch_release(g->in);
    g->in = NULL;
    wri_window_emit_close(g);
    wri_open_deinit(&g->open);
    wri_held_close(g);
    if (g->keeps) wri_kept_close(g);
    wr_arena_destroy(g->scratch);
    wr_arena_destroy(g->kept_arena);
}

const wr_op_ops wri_window_agg_ops = {
    .abi = WR_ABI,
    .name = "WindowAggregate",
    .size_bytes = sizeof(wri_window_agg),
    .open = window_agg_open,
    .on_batch = window_agg_batch,
    .on_resume = window_agg_resume,
    .on_watermark = window_agg_watermark,
    .on_timer = window_agg_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = window_agg_end,
    .close = window_agg_close,
    .snapshot = window_agg_snapshot,
    .restore = window_agg_restore,
    .committed = wr_op_no_committed,
};
