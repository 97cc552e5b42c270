/* SPDX-License-Identifier: Apache-2.0 */
/* Windows that close: which is next, its groups merged from slices, its rows. See window_agg.c. */
#include "op/window_agg_int.h"

/* ---- which window is next -------------------------------------------------------------------- */
static wr_state_table *
groups_of(const wri_window_agg *g)
{
    return g->aggs.groups;
}

static wr_status
find_groups(wr_ctx *ctx, wri_window_agg *g, const wr_keys *keys, wr_intent intent, uint64_t *fresh,
            uint32_t **slots)
{
    *slots = wr_arena_alloc(g->scratch, sizeof **slots * (keys->n + 1));
    WR_TRY_ALLOC(ctx, *slots);
    return groups_of(g)->ops->resolve(ctx, groups_of(g), keys, intent, *slots, fresh);
}

static void
remove_groups(wri_window_agg *g, const uint32_t *slots, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (slots[i] != WR_SLOT_NONE) groups_of(g)->ops->remove(groups_of(g), slots[i]);
}

/* All windows of the slice have come out. */
static wr_status
drop_slice(wr_ctx *ctx, wri_window_agg *g, int64_t end)
{
    const bool merged = end > g->merged_from && end <= g->merged_to;
    if (merged && g->w.how->spec.kind == WR_WINDOW_CUMULATE) wri_window_stale(g); /* all go */
    const bool unmerge = merged && !g->stale;
    if (unmerge) g->merged_from = end;
    const wri_held *held = wri_held_of(g, end);
    if (held && unmerge) WR_TRY(wri_window_unmerge_held(ctx, g, held));
    if (held) remove_groups(g, held->slots, held->n);
    WR_TRY(wri_open_read(ctx, &g->open, end));
    while (!held) {
        wri_open_keys keys;
        uint32_t *slots;
        wr_arena_reset(g->scratch);
        WR_TRY(wri_open_next(ctx, &g->open, &g->in_window, g->scratch, &keys));
        if (keys.n == 0) break;
        WR_TRY(find_groups(ctx, g, &keys.keys, WR_STATE_READ, NULL, &slots));
        if (unmerge) WR_TRY(wri_window_unmerge(ctx, g, &keys, slots));
        remove_groups(g, slots, keys.n);
    }
    wri_open_drop(&g->open);
    wri_held_drop(g, end);
    return WR_OK;
}

/* The first window of a slice that has not come out: later than `last_window` and `fired`. False:
 * there is none. */
static bool
first_window(const wri_window_agg *g, int64_t slice, int64_t *end)
{
    const wr_window_spec *s = &g->w.how->spec;
    const int64_t last = wri_windows_last_end(s, slice);
    *end = slice;
    if (g->last_window >= slice) *end = g->last_window + s->slide_ms;
    while (*end <= last && wri_windows_closes(&g->w, *end) <= g->fired) *end += s->slide_ms;
    return *end <= last;
}

/* The end of the window that closes next. */
static bool
next_window(const wri_window_agg *g, int64_t *end)
{
    for (uint32_t i = 0; i < g->open.end_count; i++) {
        *end = g->open.ends[i];
        if (!g->slices || first_window(g, g->open.ends[i], end)) return true;
    }
    return false;
}

wr_status
wri_window_ask(wri_window_agg *g)
{
    int64_t end;
    if (g->w.how->spec.rowtime || !g->op.env->timer || !next_window(g, &end)) return WR_OK;
    const int64_t closes = wri_windows_closes(&g->w, end);
    if (closes >= g->asked) return WR_OK;
    g->asked = closes;
    return g->op.env->timer(g->op.env, closes);
}

/* ---- merging slices -------------------------------------------------------------------------- */
static wr_status
merge_keys(wr_ctx *ctx, wri_window_agg *g, const wri_open_keys *from)
{
    const uint32_t n = from->n;
    uint64_t *fresh = wr_arena_zalloc(g->scratch, sizeof *fresh * (WR_BIT_WORDS(n) + 1));
    int64_t *ends = wr_arena_alloc(g->scratch, sizeof *ends * (n + 1));
    uint32_t *slots, *merged;
    wr_keys keys;
    if (!fresh || !ends) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) ends[i] = WRI_NO_WINDOW;
    WR_TRY(find_groups(ctx, g, &from->keys, WR_STATE_READ, NULL, &slots));
    WR_TRY(wri_window_rekey(ctx, g, from, WRI_NO_WINDOW, &keys));
    WR_TRY(find_groups(ctx, g, &keys, WR_STATE_UPSERT, fresh, &merged));
    WR_TRY(wri_open_note(ctx, &g->open, &keys, from->hash, fresh, ends));
    if (wri_window_retracts(g))
        for (uint32_t i = 0; i < n; i++)
            wri_group_of(&g->aggs, merged[i])->rows += wri_group_of(&g->aggs, slots[i])->rows;
    return wri_aggs_merge(ctx, &g->aggs, slots, merged, n, g->scratch);
}

static wr_status
merge_slice(wr_ctx *ctx, wri_window_agg *g, int64_t slice)
{
    WR_TRY(wri_open_read(ctx, &g->open, slice));
    for (;;) {
        wri_open_keys keys;
        wr_arena_reset(g->scratch);
        WR_TRY(wri_open_next(ctx, &g->open, &g->in_window, g->scratch, &keys));
        if (keys.n == 0) return WR_OK;
        WR_TRY(merge_keys(ctx, g, &keys));
    }
}

/* The groups of a window or slice come out as they are. */
static wr_status
give(wr_ctx *ctx, wri_window_agg *g, int64_t end)
{
    const wri_held *held = wri_held_of(g, end);
    g->out_slots = held ? held->slots : NULL;
    g->out_count = held ? held->n : 0;
    return wri_open_read(ctx, &g->open, end);
}

/* The groups of the window: of its only slice, or those of all merged, the latest first, as Flink
 * does. */
static wr_status
prepare(wr_ctx *ctx, wri_window_agg *g, int64_t end)
{
    const wr_window_spec *s = &g->w.how->spec;
    const int64_t start = wri_windows_start(s, end - 1, end);
    g->window_end = end;
    g->gives_slice = false;
    g->out_slots = NULL;
    g->out_count = g->out_at = 0;
    if (!g->slices) return give(ctx, g, end);
    if (g->slides) {
        g->gives_slice = true; /* they stay */
        WR_TRY(wri_window_slide(ctx, g, start, end));
        if (g->keeps) return WR_OK;
        g->out_slots = g->kept;
        g->out_count = g->kept_count;
        return g->holds ? WR_OK : wri_open_read(ctx, &g->open, WRI_NO_WINDOW);
    }
    uint32_t first = 0, last;
    while (first < g->open.end_count && g->open.ends[first] <= start) first++;
    for (last = first; last < g->open.end_count && g->open.ends[last] <= end;) last++;
    g->gives_slice = last - first == 1;
    if (g->gives_slice) return give(ctx, g, g->open.ends[first]);
    for (uint32_t i = last; i > first; i--) WR_TRY(merge_slice(ctx, g, g->open.ends[i - 1]));
    return wri_open_read(ctx, &g->open, WRI_NO_WINDOW);
}

/* ---- rows ------------------------------------------------------------------------------------ */
/* Groups that have rows (or slices), where they may have none; the others only go. */
static wr_status
pick_living(wr_ctx *ctx, wri_window_agg *g, const uint32_t *slots, uint32_t n, uint32_t **which,
            uint32_t *count)
{
    *which = wr_arena_alloc(g->scratch, sizeof **which * (n + 1));
    WR_TRY_ALLOC(ctx, *which);
    *count = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (slots[i] == WR_SLOT_NONE) continue;
        if ((wri_window_retracts(g) || g->slides) && wri_group_of(&g->aggs, slots[i])->rows == 0)
            continue;
        (*which)[(*count)++] = i;
    }
    return WR_OK;
}

wr_status
wri_window_props(wr_ctx *ctx, const wri_window_agg *g, const int64_t *starts, uint32_t n,
                 wr_batch *out)
{
    const wr_pnode *node = g->op.node;
    const int64_t end = g->window_end;
    const uint32_t first = node->u.agg.key_count + node->u.agg.agg_count;
    for (uint32_t k = 0; k < node->u.agg.prop_count; k++) {
        wr_vec *v = &out->cols[first + k];
        const bool start = node->u.agg.props[k] == WR_WINDOW_START;
        const int64_t value = start ? wri_windows_start(&g->w.how->spec, end - 1, end)
                              : node->u.agg.props[k] == WR_WINDOW_END
                                  ? end
                                  : wri_windows_last(&g->w, end);
        if (!wr_vec_init_flat(v, node->schema.fields[first + k].type, n, out->arena))
            return WRI_NOMEM(ctx);
        for (uint32_t i = 0; i < n; i++) wri_time_set(v, i, start && starts ? starts[i] : value);
    }
    return WR_OK;
}

/* The key columns; *starts as put_props wants them. */
static wr_status
put_keys(wr_ctx *ctx, wri_window_agg *g, const wr_keys *keys, const uint32_t *which, uint32_t n,
         wr_batch *out, const int64_t **starts)
{
    const uint32_t count = g->keys.count, all = g->in_window.count;
    wr_vec *cols = WR_NEW_N(out->arena, wr_vec, all + 1);
    WR_TRY_ALLOC(ctx, cols);
    *starts = NULL;
    if (all == 1) return WR_OK;
    for (uint32_t c = 0; c < all; c++)
        if (!wr_vec_init_flat(&cols[c], g->in_window.schema.fields[c].type, n, out->arena))
            return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t len;
        const uint8_t *key = wri_key_at(keys, which[i], &len);
        WR_TRY(wri_key_decode(ctx, &g->in_window, key, len, cols, i, out->arena));
    }
    if (count) memcpy(out->cols, cols, sizeof *cols * count);
    if (g->has_start) *starts = cols[count].data;
    return WR_OK;
}

static wr_status
put_groups(wr_ctx *ctx, wri_window_agg *g, const wri_open_keys *keys, const uint32_t *slots,
           wr_batch *out)
{
    uint32_t *which, n;
    const int64_t *starts;
    WR_TRY(pick_living(ctx, g, slots, keys->n, &which, &n));
    if (n == 0) return WR_OK;
    uint32_t *living = wr_arena_alloc(g->scratch, sizeof *living * n);
    WR_TRY_ALLOC(ctx, living);
    for (uint32_t i = 0; i < n; i++) living[i] = slots[which[i]];
    WR_TRY(put_keys(ctx, g, &keys->keys, which, n, out, &starts));
    WR_TRY(wri_aggs_result(ctx, &g->aggs, living, n, g->scratch, out->arena,
                           out->cols + g->keys.count));
    WR_TRY(wri_window_props(ctx, g, starts, n, out));
    out->row_count = n;
    return WR_OK;
}

/* The next groups of the window that is coming out; *done: there are no more. */
static wr_status
let_some_out(wr_ctx *ctx, wri_window_agg *g, wr_emitter *emit, bool *done)
{
    wri_open_keys keys;
    uint32_t *slots;
    wr_arena_reset(g->scratch);
    WR_TRY(wri_open_next(ctx, &g->open, &g->in_window, g->scratch, &keys));
    *done = keys.n == 0;
    if (*done) return WR_OK;
    WR_TRY(find_groups(ctx, g, &keys.keys, WR_STATE_READ, NULL, &slots));
    wr_batch *out = wr_batch_acquire(g->op.env->pool, g->op.node->schema.count);
    WR_TRY_ALLOC(ctx, out);
    const wr_status status = put_groups(ctx, g, &keys, slots, out);
    if (status != WR_OK || out->row_count == 0) {
        wr_batch_release(out);
        out = NULL;
        if (status != WR_OK) return status;
    }
    if (!g->gives_slice) remove_groups(g, slots, keys.n);
    return out ? wr_emit(ctx, emit, out) : WR_OK;
}

/* Slices of which no window is to come. */
static wr_status
drop_slices(wr_ctx *ctx, wri_window_agg *g)
{
    int64_t end;
    while (g->slices && g->open.end_count && !first_window(g, g->open.ends[0], &end))
        WR_TRY(drop_slice(ctx, g, g->open.ends[0]));
    return WR_OK;
}

wr_status
wri_window_fire(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    wri_window_agg *g = (wri_window_agg *)op;
    if (g->emit) return wri_window_emit_fire(ctx, g, emit);
    for (;;) {
        int64_t end;
        bool done;
        if (!g->giving) {
            WR_TRY(drop_slices(ctx, g));
            if (!next_window(g, &end) || wri_windows_closes(&g->w, end) > g->due) break;
            WR_TRY(prepare(ctx, g, end));
            g->giving = true;
        }
        if (wr_emit_full(emit)) {
            op->pending = true;
            return WR_OK;
        }
        WR_TRY(g->keeps       ? wri_kept_out(ctx, g, emit, &done)
               : g->out_slots ? wri_held_out(ctx, g, emit, &done)
                              : let_some_out(ctx, g, emit, &done));
        if (!done) continue;
        if (!g->gives_slice) {
            wri_held_drop(g, g->window_end);
            wri_open_drop(&g->open);
        }
        if (g->slides && !g->keeps) WR_TRY(wri_window_bury(ctx, g));
        g->last_window = g->window_end;
        g->giving = false;
    }
    g->fired = WR_MAX(g->fired, g->due);
    WR_TRY(drop_slices(ctx, g));
    return wri_window_ask(g);
}
