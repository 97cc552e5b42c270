/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of GROUP BY that come out before they are over, and again for rows that come late.
 *
 * What of a group was last shown is kept with it; firing a group shows how it differs from that. A
 * group fires
 *   - with every row, or so long after a row, and then so often, by processing time (early, until
 *     its window is over; late, from then on),
 *   - when its window is over,
 *   - with every late row, where late rows have no times of their own, or where the group was made
 *     by one,
 * and goes when its window has been over for the allowed lateness. Where every row fires, a batch
 * is taken in runs of rows of different groups, so that the changes are those of one row at a time.
 */
#include "op/window_agg_int.h"

#define TIMERS_AT_ONCE 256u
enum { EV_NONE, EV_INSERT, EV_UPDATE, EV_DELETE };

typedef struct changes { /* of groups, by position */
    uint32_t n;
    wr_vec *before, *after; /* an aggregate each */
    uint8_t *event;
} changes;

/* ---- opening --------------------------------------------------------------------------------- */
wr_status
wri_window_emit_open(wr_ctx *ctx, wri_window_agg *g)
{
    static const wr_state_part head[] = {
        WRI_PART(wri_window_shown, group.rows, WR_PART_PLAIN),
        WRI_PART(wri_window_shown, group.serial, WR_PART_TRANSIENT),
        WRI_PART(wri_window_shown, group.note, WR_PART_TRANSIENT),
        WRI_PART(wri_window_shown, sent, WR_PART_PLAIN),
        WRI_PART(wri_window_shown, next, WR_PART_PLAIN),
        WRI_PART(wri_window_shown, is_shown, WR_PART_PLAIN),
        WRI_PART(wri_window_shown, is_over, WR_PART_PLAIN)};
    wr_op *op = &g->op;
    const wr_window_emit *e = g->emit;
    const uint32_t n = op->node->u.agg.agg_count;
    g->result_cols = wri_iota(op->env->arena, n);
    WR_TRY_ALLOC(ctx, g->result_cols);
    WR_TRY(wri_aggs_open_keyed_headed(ctx, op, &g->in_window, wri_window_retracts(g),
                                      sizeof(wri_window_shown), head, WR_COUNT(head), &g->aggs));
    if (e->early_ms <= 0 && e->late_ms <= 0) return WR_OK;
    g->has_timers = true;
    return wri_timers_open(ctx, op, "emit", true, &g->timers);
}

void
wri_window_emit_close(wri_window_agg *g)
{
    if (g->has_timers) wri_timers_close(&g->timers);
}

static wri_window_shown *
shown_at(const wri_window_agg *g, uint32_t slot)
{
    return (wri_window_shown *)(void *)wr_state_rec(g->aggs.groups, slot);
}

/* ---- how groups have changed ----------------------------------------------------------------- */
static wr_status
make_changes(wr_ctx *ctx, wri_window_agg *g, uint32_t n, wr_arena *a, changes *out)
{
    const uint32_t aggs = g->aggs.agg_count;
    *out = (changes){.n = n,
                     .before = WR_NEW_N(a, wr_vec, aggs + 1),
                     .after = WR_NEW_N(a, wr_vec, aggs + 1),
                     .event = wr_arena_zalloc(a, n + 1)};
    if (!out->before || !out->after || !out->event) return WRI_NOMEM(ctx);
    for (uint32_t k = 0; k < aggs; k++) {
        const wr_type *t = g->aggs.aggs[k].bound->type;
        if (!wr_vec_init_flat(&out->before[k], t, n, a) ||
            !wr_vec_init_flat(&out->after[k], t, n, a))
            return WRI_NOMEM(ctx);
    }
    return WR_OK;
}

/* What was shown of groups slots[0..n); nothing: NULLs. */
static wr_status
read_shown(wr_ctx *ctx, wri_window_agg *g, const uint32_t *slots, uint32_t n, wr_vec *out,
           wr_arena *a)
{
    const wr_state_table *t = g->aggs.groups;
    const uint32_t aggs = g->aggs.agg_count;
    for (uint32_t k = 0; k < aggs; k++)
        if (!wr_vec_init_flat(&out[k], g->aggs.aggs[k].bound->type, n, a)) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) {
        const wri_window_shown *s = shown_at(g, slots[i]);
        if (!s->is_shown || aggs == 0) continue;
        WR_TRY(
            wr_row_decode(ctx, t->ops->blob_get(t, &s->sent), s->sent.len, out, aggs, i, true, a));
    }
    return WR_OK;
}

static uint8_t
event_of(const wri_window_agg *g, const wri_window_shown *s, bool changed)
{
    const bool empty = wri_window_retracts(g) && s->group.rows == 0;
    if (empty) return s->is_shown ? EV_DELETE : EV_NONE;
    if (!s->is_shown) return EV_INSERT;
    return changed ? EV_UPDATE : EV_NONE;
}

/* What is shown of a group from here on. */
static wr_status
keep_shown(wr_ctx *ctx, wri_window_agg *g, uint32_t slot, uint8_t event, const uint8_t *p,
           uint32_t len)
{
    wr_state_table *t = g->aggs.groups;
    wri_window_shown *s = shown_at(g, slot);
    if (event == EV_NONE) return WR_OK;
    t->ops->touch(t, slot);
    s->is_shown = event != EV_DELETE;
    if (event != EV_DELETE) return t->ops->blob_set(ctx, t, &s->sent, p, len);
    t->ops->blob_free(t, &s->sent);
    return WR_OK;
}

/* Groups slots[0..n), all different, fire: their changes to positions base.. of `out`. */
static wr_status
fire_groups(wr_ctx *ctx, wri_window_agg *g, const uint32_t *slots, uint32_t n, uint32_t base,
            changes *out, wr_arena *a)
{
    const uint32_t aggs = g->aggs.agg_count;
    wr_batch now = {.cols = WR_NEW_N(g->scratch, wr_vec, aggs + 1),
                    .col_count = aggs,
                    .row_count = n,
                    .arena = g->scratch};
    wr_vec *was = WR_NEW_N(g->scratch, wr_vec, aggs + 1);
    uint8_t *changed = wr_arena_zalloc(g->scratch, n + 1);
    wr_bytes rows;
    if (!now.cols || !was || !changed) return WRI_NOMEM(ctx);
    WR_TRY(wri_aggs_result(ctx, &g->aggs, slots, n, g->scratch, a, now.cols));
    WR_TRY(read_shown(ctx, g, slots, n, was, a));
    for (uint32_t k = 0; k < aggs; k++) {
        wri_vec_mark_changed(&was[k], &now.cols[k], n, changed);
        if (!wri_vec_copy_rows(&out->before[k], base, 1, &was[k], NULL, n, a) ||
            !wri_vec_copy_rows(&out->after[k], base, 1, &now.cols[k], NULL, n, a))
            return WRI_NOMEM(ctx);
    }
    if (!wr_row_encode(&now, g->result_cols, aggs, g->scratch, &rows)) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t event = event_of(g, shown_at(g, slots[i]), changed[i] != 0);
        out->event[base + i] = event;
        WR_TRY(keep_shown(ctx, g, slots[i], event, rows.data + rows.off[i],
                          rows.off[i + 1] - rows.off[i]));
    }
    return WR_OK;
}

/* ---- output ---------------------------------------------------------------------------------- */
static wr_status
put_props(wr_ctx *ctx, const wri_window_agg *g, const int64_t *ends, const uint32_t *idx,
          uint32_t m, wr_batch *out)
{
    const wr_pnode *node = g->op.node;
    const uint32_t first = node->u.agg.key_count + node->u.agg.agg_count;
    for (uint32_t k = 0; k < node->u.agg.prop_count; k++) {
        wr_vec *v = &out->cols[first + k];
        if (!wr_vec_init_flat(v, node->schema.fields[first + k].type, m, out->arena))
            return WRI_NOMEM(ctx);
        for (uint32_t j = 0; j < m; j++) {
            const int64_t end = ends[idx[j]];
            const uint8_t prop = node->u.agg.props[k];
            wri_time_set(v, j,
                         prop == WR_WINDOW_START ? wri_windows_start(&g->w.how->spec, end - 1, end)
                         : prop == WR_WINDOW_END ? end
                                                 : wri_windows_last(&g->w, end));
        }
    }
    return WR_OK;
}

static uint32_t
list_rows(const wri_window_agg *g, const changes *c, uint32_t *idx, uint8_t *which, uint8_t *kind)
{
    const bool before = g->op.node->u.agg.generate_update_before;
    uint32_t m = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        const uint8_t e = c->event[i];
        if (e == EV_NONE || (e == EV_UPDATE && before) || e == EV_DELETE) {
            if (e == EV_NONE) continue;
            idx[m] = i, which[m] = 0;
            kind[m++] = e == EV_DELETE ? WR_DELETE : WR_UPDATE_BEFORE;
        }
        if (e == EV_DELETE) continue;
        idx[m] = i, which[m] = 1;
        kind[m++] = e == EV_INSERT ? WR_INSERT : WR_UPDATE_AFTER;
    }
    return m;
}

/* keys[c]: key column c by position; ends by position. */
static wr_status
put_changes(wr_ctx *ctx, wri_window_agg *g, const changes *c, const wr_vec *const *keys,
            const int64_t *ends, wr_batch *out)
{
    const uint32_t key_count = g->keys.count, room = 2 * c->n + 1;
    uint32_t *idx = wr_arena_alloc(g->scratch, sizeof *idx * room);
    uint8_t *which = wr_arena_alloc(g->scratch, room);
    uint8_t *kind = wr_arena_alloc(out->arena, room);
    if (!idx || !which || !kind) return WRI_NOMEM(ctx);
    const uint32_t m = list_rows(g, c, idx, which, kind);
    if (m == 0) return WR_OK;
    for (uint32_t k = 0; k < key_count; k++)
        if (!wr_vec_gather(&out->cols[k], keys[k], idx, m, out->arena)) return WRI_NOMEM(ctx);
    for (uint32_t k = 0; k < g->aggs.agg_count; k++)
        WR_TRY(wri_vec_pick(ctx, &out->cols[key_count + k], &c->before[k], &c->after[k], idx, which,
                            m, out->arena));
    WR_TRY(put_props(ctx, g, ends, idx, m, out));
    out->row_count = m;
    out->kind = kind;
    return WR_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */
/* Does a row fire its group? Else *at is when the group is to fire first, or 0. */
static bool
row_fires(const wri_window_agg *g, wri_window_shown *s, int64_t end, int64_t *at)
{
    const wr_window_emit *e = g->emit;
    const bool over = e->lateness_ms > 0 && wri_windows_closes(&g->w, end) <= g->watermark;
    const int64_t every = over ? e->late_ms : e->early_ms;
    *at = 0;
    if (over && (e->late_ms == 0 || !s->is_over)) return true;
    if (every == 0) return true;
    if (every > 0 && s->next == 0) *at = *g->op.env->now_ms + every;
    return false;
}

static wr_status
set_timer(wr_ctx *ctx, wri_window_agg *g, uint32_t slot, const wr_keys *keys, uint32_t i,
          int64_t at)
{
    wri_timer t = {.time = at, .hash = keys->hash[i]};
    t.key = wri_key_at(keys, i, &t.key_len);
    shown_at(g, slot)->next = at;
    return wri_timers_set(ctx, &g->timers, &t);
}

/* Rows from..to, of different groups, are applied and fire theirs. */
static wr_status
take_run(wr_ctx *ctx, wri_window_agg *g, const wr_batch *rows, const uint32_t *slots,
         const wr_keys *keys, const int64_t *ends, uint32_t from, uint32_t to, changes *c,
         wr_arena *a)
{
    const uint32_t n = to - from;
    uint32_t *which = wr_arena_alloc(g->scratch, sizeof *which * (n + 1));
    uint8_t *fires = wr_arena_zalloc(g->scratch, n + 1);
    WR_TRY_ALLOC(ctx, which);
    WR_TRY_ALLOC(ctx, fires);
    for (uint32_t i = 0; i < n; i++) {
        int64_t at;
        which[i] = from + i;
        wri_window_shown *s = shown_at(g, slots[from + i]);
        if (wri_window_retracts(g)) s->group.rows += wri_is_retract(rows->kind, from + i) ? -1 : 1;
        fires[i] = row_fires(g, s, ends[from + i], &at);
        if (at) WR_TRY(set_timer(ctx, g, slots[from + i], keys, from + i, at));
    }
    const wri_agg_rows r = {
        .batch = rows, .rows = which, .slots = slots + from, .n = n, .kind = rows->kind};
    WR_TRY(wri_aggs_update(ctx, &g->aggs, &r, g->scratch, g->scratch, NULL, NULL));
    for (uint32_t i = 0; i < n;) { /* stretches of those that fire */
        uint32_t k = i;
        while (k < n && fires[k]) k++;
        if (k > i) WR_TRY(fire_groups(ctx, g, slots + from + i, k - i, from + i, c, a));
        i = k + 1;
    }
    return WR_OK;
}

wr_status
wri_window_emit_rows(wr_ctx *ctx, wri_window_agg *g, const wr_batch *rows, const uint32_t *slots,
                     const wr_keys *keys, const int64_t *ends, wr_emitter *emit)
{
    const uint32_t n = rows->row_count;
    const wr_vec **key_cols = WR_NEW_N(g->scratch, const wr_vec *, g->keys.count + 1);
    changes c;
    WR_TRY_ALLOC(ctx, key_cols);
    wr_batch *out = wr_batch_acquire(g->op.env->pool, g->op.node->schema.count);
    WR_TRY_ALLOC(ctx, out);
    wr_status status = make_changes(ctx, g, n, out->arena, &c);
    for (uint32_t from = 0, to; status == WR_OK && from < n; from = to) {
        g->serial++;
        for (to = from; to < n && shown_at(g, slots[to])->group.serial != g->serial; to++)
            shown_at(g, slots[to])->group.serial = g->serial;
        status = take_run(ctx, g, rows, slots, keys, ends, from, to, &c, out->arena);
    }
    for (uint32_t k = 0; k < g->keys.count; k++) key_cols[k] = &rows->cols[g->keys.cols[k]];
    if (status == WR_OK) status = put_changes(ctx, g, &c, key_cols, ends, out);
    /* Strings of keys may lie in the input. */
    if (status == WR_OK && !wr_batch_keep(out, g->in)) status = WRI_NOMEM(ctx);
    if (status != WR_OK || out->row_count == 0) {
        wr_batch_release(out);
        return status;
    }
    return wr_emit(ctx, emit, out);
}

/* ---- groups that fire by time ---------------------------------------------------------------- */
/* Groups of `keys` at slots, none of them NONE, come out as far as they have changed. */
static wr_status
emit_groups(wr_ctx *ctx, wri_window_agg *g, const uint32_t *slots, uint32_t n, wr_batch *out)
{
    const wr_state_table *t = g->aggs.groups;
    const uint32_t all = g->in_window.count;
    wr_vec *cols = WR_NEW_N(out->arena, wr_vec, all + 1);
    const wr_vec **key_cols = WR_NEW_N(g->scratch, const wr_vec *, all + 1);
    changes c;
    WR_TRY_ALLOC(ctx, cols);
    WR_TRY_ALLOC(ctx, key_cols);
    for (uint32_t k = 0; k < all; k++) {
        key_cols[k] = &cols[k];
        if (!wr_vec_init_flat(&cols[k], g->in_window.schema.fields[k].type, n, out->arena))
            return WRI_NOMEM(ctx);
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t len;
        const uint8_t *key = t->ops->key_of((wr_state_table *)(uintptr_t)t, slots[i], &len);
        WR_TRY(wri_key_decode(ctx, &g->in_window, key, len, cols, i, out->arena));
    }
    WR_TRY(make_changes(ctx, g, n, out->arena, &c));
    WR_TRY(fire_groups(ctx, g, slots, n, 0, &c, out->arena));
    return put_changes(ctx, g, &c, key_cols, cols[all - 1].data, out);
}

static wr_status
emit_now(wr_ctx *ctx, wri_window_agg *g, const uint32_t *slots, uint32_t n, wr_emitter *emit)
{
    if (n == 0) return WR_OK;
    wr_batch *out = wr_batch_acquire(g->op.env->pool, g->op.node->schema.count);
    WR_TRY_ALLOC(ctx, out);
    const wr_status status = emit_groups(ctx, g, slots, n, out);
    if (status != WR_OK || out->row_count == 0) {
        wr_batch_release(out);
        return status;
    }
    return wr_emit(ctx, emit, out);
}

/* The next groups of the window that is being read. */
static wr_status
read_groups(wr_ctx *ctx, wri_window_agg *g, uint32_t **slots, uint32_t *count)
{
    wri_open_keys keys;
    wr_state_table *t = g->aggs.groups;
    wr_arena_reset(g->scratch);
    WR_TRY(wri_open_next(ctx, &g->open, &g->in_window, g->scratch, &keys));
    *slots = wr_arena_alloc(g->scratch, sizeof **slots * (keys.keys.n + 1));
    WR_TRY_ALLOC(ctx, *slots);
    *count = 0;
    g->giving = keys.n > 0;
    if (keys.n == 0) return WR_OK;
    WR_TRY(t->ops->resolve(ctx, t, &keys.keys, WR_STATE_READ, *slots, NULL));
    for (uint32_t i = 0; i < keys.n; i++)
        if ((*slots)[i] != WR_SLOT_NONE) (*slots)[(*count)++] = (*slots)[i];
    return WR_OK;
}

/* The window that is over now: its groups fire. */
static wr_status
close_some(wr_ctx *ctx, wri_window_agg *g, wr_emitter *emit)
{
    uint32_t *slots, n;
    WR_TRY(read_groups(ctx, g, &slots, &n));
    for (uint32_t i = 0; i < n; i++) {
        wri_window_shown *s = shown_at(g, slots[i]);
        g->aggs.groups->ops->touch(g->aggs.groups, slots[i]);
        s->is_over = 1;
        if (g->emit->late_ms > 0) s->next = 0; /* the next row sets it anew */
    }
    return emit_now(ctx, g, slots, n, emit);
}

/* A window that takes no more rows: the timers of its groups find nothing. */
static wr_status
drop_window(wr_ctx *ctx, wri_window_agg *g, int64_t end)
{
    WR_TRY(wri_open_read(ctx, &g->open, end));
    for (;;) {
        uint32_t *slots, n;
        WR_TRY(read_groups(ctx, g, &slots, &n));
        if (!g->giving) break;
        for (uint32_t i = 0; i < n; i++) g->aggs.groups->ops->remove(g->aggs.groups, slots[i]);
    }
    wri_open_drop(&g->open);
    return WR_OK;
}

/* The first window that is over but has not come out as such. One of processing time goes as it
 * comes out; a row of its last millisecond may make it anew. */
static bool
next_over(const wri_window_agg *g, int64_t *end)
{
    for (uint32_t i = 0; i < g->open.end_count; i++) {
        *end = g->open.ends[i];
        const int64_t closes = wri_windows_closes(&g->w, *end);
        if (closes > g->due) return false;
        if (closes > g->fired || !g->w.how->spec.rowtime) return true;
    }
    return false;
}

wr_status
wri_window_emit_fire(wr_ctx *ctx, wri_window_agg *g, wr_emitter *emit)
{
    for (;;) {
        int64_t end;
        if (!g->giving) {
            if (!next_over(g, &end)) break;
            WR_TRY(wri_open_read(ctx, &g->open, end));
            g->window_end = end;
            g->giving = true;
        }
        if (wr_emit_full(emit)) {
            g->op.pending = true;
            return WR_OK;
        }
        WR_TRY(close_some(ctx, g, emit));
        if (g->giving) continue;
        g->fired = wri_windows_closes(&g->w, g->window_end);
        if (!g->w.how->spec.rowtime) WR_TRY(drop_window(ctx, g, g->window_end));
    }
    g->fired = WR_MAX(g->fired, g->due);
    while (g->open.end_count && wri_window_gone(g, g->open.ends[0]) <= g->due)
        WR_TRY(drop_window(ctx, g, g->open.ends[0]));
    return wri_window_ask(g);
}

/* ---- timers ---------------------------------------------------------------------------------- */
static wr_status
resolve_timers(wr_ctx *ctx, wri_window_agg *g, const wri_timer *due, uint32_t n, wr_keys *keys,
               uint32_t **slots)
{
    wr_arena *a = g->scratch;
    uint64_t *hash = WR_NEW_N(a, uint64_t, n + 1), *fixed = WR_NEW_N(a, uint64_t, n + 1);
    uint32_t *off = WR_NEW_N(a, uint32_t, n + 1);
    wr_text bytes;
    wr_text_init(&bytes, a);
    *slots = WR_NEW_N(a, uint32_t, n + 1);
    if (!hash || !fixed || !off || !*slots) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) {
        hash[i] = due[i].hash;
        if (due[i].key_len == 8) memcpy(&fixed[i], due[i].key, 8);
        wr_text_put(&bytes, (const char *)due[i].key, due[i].key_len);
        off[i + 1] = (uint32_t)bytes.len;
    }
    if (bytes.failed) return WRI_NOMEM(ctx);
    *keys = (wr_keys){.n = n, .hash = hash};
    if (g->in_window.fixed) { /* the end alone, which is never NULL */
        keys->fixed = fixed;
    } else {
        keys->data = bytes.ptr ? (const uint8_t *)bytes.ptr : (const uint8_t *)"";
        keys->off = off;
    }
    wr_state_table *t = g->aggs.groups;
    return t->ops->resolve(ctx, t, keys, WR_STATE_READ, *slots, NULL);
}

wr_status
wri_window_emit_timers(wr_ctx *ctx, wri_window_agg *g, wr_emitter *emit)
{
    const wr_window_emit *e = g->emit;
    const int64_t now = *g->op.env->now_ms;
    for (;;) {
        wri_timer *due;
        uint32_t n, count = 0, *slots;
        wr_keys keys;
        if (wr_emit_full(emit)) {
            g->op.pending = g->by_timers = true;
            return WR_OK;
        }
        wr_arena_reset(g->scratch);
        WR_TRY(wri_timers_due(ctx, &g->timers, now, TIMERS_AT_ONCE, g->scratch, &due, &n));
        if (n == 0) return WR_OK;
        WR_TRY(resolve_timers(ctx, g, due, n, &keys, &slots));
        for (uint32_t i = 0; i < n; i++) {
            if (slots[i] == WR_SLOT_NONE) continue;
            const wri_window_shown *s = shown_at(g, slots[i]);
            const int64_t every = s->is_over && e->late_ms >= 0 ? e->late_ms : e->early_ms;
            if (s->next != due[i].time || every <= 0) continue;
            g->aggs.groups->ops->touch(g->aggs.groups, slots[i]);
            WR_TRY(set_timer(ctx, g, slots[i], &keys, i, due[i].time + every));
            slots[count++] = slots[i];
        }
        WR_TRY(emit_now(ctx, g, slots, count, emit));
    }
}
