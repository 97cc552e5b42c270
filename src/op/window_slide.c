/* SPDX-License-Identifier: Apache-2.0 */
/* Windows that slide: the groups of a window, kept for the next one.
 *
 * Where accumulators can be taken apart again (wr_agg_ops.unmerge) the groups that a window was
 * merged to stay, in no window (WRI_NO_WINDOW): the next window merges the slices that are new, and
 * a slice that goes is unmerged. So a window costs its new and its old slice, not all of them. A
 * group counts the slices that it is in (wri_group.rows); at none it is dead, and skipped. When
 * many are dead, the list of groups is written anew.
 *
 * MIN and MAX can be taken apart while the slice that goes did not have the best value; else the
 * group is merged again from the slices that remain, which for values in no order happens once in
 * as many windows as there are slices.
 *
 * In memory, and where accumulators are plain bytes, the kept groups lie in memory of their own
 * (window_kept.c), not in the state: they are made again from the slices behind a restart.
 *
 * A row that is late, in a slice that is merged already, makes all of it stale, and so does a
 * restart: the next window is then merged from all of its slices. */
#include "op/window_agg_int.h"

#define DEAD_ALLOWED 4096u

bool
wri_window_can_slide(const wri_window_agg *g)
{
    if (!g->slices || wri_window_retracts(g)) return false;
    for (uint32_t i = 0; i < g->aggs.agg_count; i++)
        if (!g->aggs.aggs[i].ops->unmerge) return false;
    return true;
}

void
wri_window_stale(wri_window_agg *g)
{
    g->stale = true;
    g->merged_from = g->merged_to = WRI_NO_WINDOW;
}

/* ---- keys ------------------------------------------------------------------------------------ */
wr_status
wri_window_rekey(wr_ctx *ctx, wri_window_agg *g, const wri_open_keys *from, int64_t end,
                 wr_keys *out)
{
    const uint32_t n = from->n;
    uint64_t *hash = wr_arena_alloc(g->scratch, sizeof *hash * (n + 1));
    WR_TRY_ALLOC(ctx, hash);
    for (uint32_t i = 0; i < n; i++) hash[i] = wri_window_hash(from->hash[i], end);
    *out = from->keys;
    out->hash = hash;
    if (from->keys.fixed) {
        uint64_t *fixed = wr_arena_alloc(g->scratch, sizeof *fixed * (n + 1));
        WR_TRY_ALLOC(ctx, fixed);
        for (uint32_t i = 0; i < n; i++) fixed[i] = (uint64_t)end;
        out->fixed = fixed;
        return WR_OK;
    }
    uint8_t *data =
        (uint8_t *)wr_arena_dup(g->scratch, (const char *)from->keys.data, from->keys.off[n]);
    WR_TRY_ALLOC(ctx, data);
    for (uint32_t i = 0; i < n; i++) wr_store64(data + from->keys.off[i + 1] - 8, (uint64_t)end);
    out->data = data;
    return WR_OK;
}

static wr_status
slots_of(wr_ctx *ctx, wri_window_agg *g, const wri_open_keys *keys, int64_t end, wr_intent intent,
         uint32_t **slots)
{
    wr_keys in_window;
    wr_state_table *t = g->aggs.groups;
    *slots = wr_arena_alloc(g->scratch, sizeof **slots * (keys->n + 1));
    WR_TRY_ALLOC(ctx, *slots);
    WR_TRY(wri_window_rekey(ctx, g, keys, end, &in_window));
    return t->ops->resolve(ctx, t, &in_window, intent, *slots, NULL);
}

/* ---- slots of the kept groups ---------------------------------------------------------------- */
static wr_status
hold(wr_ctx *ctx, wri_window_agg *g, uint32_t slot)
{
    if (!g->holds) return WR_OK;
    if (g->kept_count == g->kept_cap) {
        const uint32_t cap = g->kept_cap ? g->kept_cap * 2 : 1024;
        uint32_t *more = WR_NEW_N(g->kept_arena, uint32_t, cap);
        WR_TRY_ALLOC(ctx, more);
        if (g->kept_count) memcpy(more, g->kept, sizeof *more * g->kept_count);
        g->kept = more;
        g->kept_cap = cap;
    }
    g->kept[g->kept_count++] = slot;
    return WR_OK;
}

static void
let_go(wri_window_agg *g)
{
    wr_arena_reset(g->kept_arena);
    g->kept = NULL;
    g->kept_count = g->kept_cap = 0;
}

/* ---- a slice comes --------------------------------------------------------------------------- */
/* The same where they are kept in memory of their own. */
static wr_status
add_kept(wr_ctx *ctx, wri_window_agg *g, const wri_open_keys *from, const uint32_t *slots,
         uint32_t *merged)
{
    uint8_t **recs = wri_aggs_records(&g->aggs, slots, from->n, g->scratch);
    uint8_t **to = wr_arena_alloc(g->scratch, sizeof *to * (from->n + 1));
    if (!recs || !to) return WRI_NOMEM(ctx);
    WR_TRY(wri_kept_resolve(ctx, g, from, merged));
    for (uint32_t i = 0; i < from->n; i++) {
        to[i] = wri_kept_at(g, merged[i]);
        ((wri_group *)(void *)to[i])->rows++;
    }
    return wri_aggs_merge_at(ctx, &g->aggs, recs, to, from->n, g->scratch);
}

/* slots: of `from`; merged: where they went. */
static wr_status
add_groups(wr_ctx *ctx, wri_window_agg *g, const wri_open_keys *from, const uint32_t *slots,
           uint32_t *merged)
{
    if (g->keeps) return add_kept(ctx, g, from, slots, merged);
    const uint32_t n = from->n;
    wr_state_table *t = g->aggs.groups;
    uint64_t *fresh = wr_arena_zalloc(g->scratch, sizeof *fresh * (WR_BIT_WORDS(n) + 1));
    int64_t *ends = wr_arena_alloc(g->scratch, sizeof *ends * (n + 1));
    wr_keys keys;
    if (!fresh || !ends) return WRI_NOMEM(ctx);
    WR_TRY(wri_window_rekey(ctx, g, from, WRI_NO_WINDOW, &keys));
    WR_TRY(t->ops->resolve(ctx, t, &keys, WR_STATE_UPSERT, merged, fresh));
    for (uint32_t i = 0; i < n; i++) ends[i] = WRI_NO_WINDOW;
    WR_TRY(wri_open_note(ctx, &g->open, &keys, from->hash, fresh, ends));
    for (uint32_t i = 0; i < n; i++) {
        wri_group *group = wri_group_of(&g->aggs, merged[i]);
        if (group->rows++ > 0) continue;
        if (!wr_bit_get(fresh, i)) {
            g->dead--;
            continue;
        }
        g->listed++;
        WR_TRY(hold(ctx, g, merged[i]));
    }
    return wri_aggs_merge(ctx, &g->aggs, slots, merged, n, g->scratch);
}

static wr_status
add_held(wr_ctx *ctx, wri_window_agg *g, const wri_held *h)
{
    for (uint32_t at = 0; at < h->n; at += WR_BATCH_ROWS) {
        const uint32_t n = WR_MIN(h->n - at, WR_BATCH_ROWS);
        wri_open_keys keys;
        wr_arena_reset(g->scratch);
        WR_TRY(wri_held_keys(ctx, g, h->hash + at, h->slots + at, n, &keys));
        WR_TRY(add_groups(ctx, g, &keys, h->slots + at, h->merged + at));
    }
    return WR_OK;
}

static wr_status
add_keys(wr_ctx *ctx, wri_window_agg *g, const wri_open_keys *from)
{
    wr_state_table *t = g->aggs.groups;
    uint32_t *slots = wr_arena_alloc(g->scratch, sizeof *slots * (from->n + 1));
    uint32_t *merged = wr_arena_alloc(g->scratch, sizeof *merged * (from->n + 1));
    if (!slots || !merged) return WRI_NOMEM(ctx);
    WR_TRY(t->ops->resolve(ctx, t, &from->keys, WR_STATE_READ, slots, NULL));
    return add_groups(ctx, g, from, slots, merged);
}

static wr_status
add_slice(wr_ctx *ctx, wri_window_agg *g, int64_t slice)
{
    const wri_held *held = wri_held_of(g, slice);
    if (held) return add_held(ctx, g, held);
    WR_TRY(wri_open_read(ctx, &g->open, slice));
    for (;;) {
        wri_open_keys keys;
        wr_arena_reset(g->scratch);
        WR_TRY(wri_open_next(ctx, &g->open, &g->in_window, g->scratch, &keys));
        if (keys.n == 0) return WR_OK;
        WR_TRY(add_keys(ctx, g, &keys));
    }
}

/* ---- a slice goes ---------------------------------------------------------------------------- */
/* Groups start anew, from the slices that are still merged. keys: theirs, in any window. */
static wr_status
merge_again(wr_ctx *ctx, wri_window_agg *g, const wri_open_keys *keys, const uint32_t *groups)
{
    const uint32_t count = keys->n;
    if (count == 0) return WR_OK;
    uint32_t *from = wr_arena_alloc(g->scratch, sizeof *from * (count + 1));
    uint32_t *to = wr_arena_alloc(g->scratch, sizeof *to * (count + 1));
    if (!to || !from) return WRI_NOMEM(ctx);
    WR_TRY(wri_aggs_restart(ctx, &g->aggs, groups, count, g->scratch));
    for (uint32_t k = 0; k < g->open.end_count; k++) {
        const int64_t slice = g->open.ends[k];
        if (slice <= g->merged_from || slice > g->merged_to) continue;
        uint32_t *slots, n = 0;
        const wr_arena_mark mark = wr_arena_get_mark(g->scratch);
        WR_TRY(slots_of(ctx, g, keys, slice, WR_STATE_READ, &slots));
        for (uint32_t i = 0; i < count; i++) {
            if (slots[i] == WR_SLOT_NONE) continue;
            from[n] = slots[i];
            to[n++] = groups[i];
        }
        WR_TRY(wri_aggs_merge(ctx, &g->aggs, from, to, n, g->scratch));
        wr_arena_pop(g->scratch, mark);
    }
    return WR_OK;
}

/* The same for groups in memory of their own. Each is in as many slices as it says, mostly the next
 * ones: the others are not looked for it in. */
static wr_status
merge_kept_again(wr_ctx *ctx, wri_window_agg *g, uint32_t *groups, uint32_t count)
{
    wr_state_table *t = g->aggs.groups;
    uint32_t *left = wr_arena_alloc(g->scratch, sizeof *left * (count + 1));
    uint32_t *slots = wr_arena_alloc(g->scratch, sizeof *slots * (count + 1));
    uint8_t **from = wr_arena_alloc(g->scratch, sizeof *from * (count + 1));
    uint8_t **to = wr_arena_alloc(g->scratch, sizeof *to * (count + 1));
    if (!left || !slots || !from || !to) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < count; i++) {
        wri_group *head = (wri_group *)(void *)wri_kept_at(g, groups[i]);
        left[i] = (uint32_t)head->rows;
        memset((uint8_t *)head + sizeof *head, 0, g->aggs.record_bytes - sizeof *head);
    }
    for (uint32_t k = 0; k < g->open.end_count && count; k++) {
        const int64_t slice = g->open.ends[k];
        if (slice <= g->merged_from || slice > g->merged_to) continue;
        uint32_t n = 0, still = 0;
        wr_keys keys;
        const wr_arena_mark mark = wr_arena_get_mark(g->scratch);
        WR_TRY(wri_kept_keys(ctx, g, groups, count, slice, &keys));
        WR_TRY(t->ops->resolve(ctx, t, &keys, WR_STATE_READ, slots, NULL));
        for (uint32_t i = 0; i < count; i++) {
            const bool there = slots[i] != WR_SLOT_NONE;
            if (there) {
                from[n] = wr_state_rec(t, slots[i]);
                to[n++] = wri_kept_at(g, groups[i]);
            }
            if (left[i] == there) continue;
            left[still] = left[i] - there;
            groups[still++] = groups[i];
        }
        count = still;
        WR_TRY(wri_aggs_merge_at(ctx, &g->aggs, from, to, n, g->scratch));
        wr_arena_pop(g->scratch, mark);
    }
    return WR_OK;
}

static wr_status
unmerge_kept(wr_ctx *ctx, wri_window_agg *g, const uint32_t *slots, const uint32_t *merged,
             uint32_t n)
{
    uint32_t *groups = wr_arena_alloc(g->scratch, sizeof *groups * (n + 1)), count = 0;
    uint8_t **to = wr_arena_alloc(g->scratch, sizeof *to * (n + 1));
    uint8_t **from = wri_aggs_records(&g->aggs, slots, n, g->scratch);
    uint8_t *again = wr_arena_zalloc(g->scratch, n + 1);
    if (!groups || !to || !from || !again) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) to[i] = wri_kept_at(g, merged[i]);
    WR_TRY(wri_aggs_unmerge_at(ctx, &g->aggs, from, to, n, again, g->scratch));
    for (uint32_t i = 0; i < n; i++) {
        if (--((wri_group *)(void *)to[i])->rows == 0)
            wri_kept_remove(g, merged[i]);
        else if (again[i])
            groups[count++] = merged[i];
    }
    return merge_kept_again(ctx, g, groups, count);
}

/* slots: of a slice's groups; merged: of those that they went into, which are touched. */
static wr_status
unmerge(wr_ctx *ctx, wri_window_agg *g, const uint64_t *hash, const uint32_t *slots,
        const uint32_t *merged, uint32_t n)
{
    wri_open_keys keys;
    uint32_t *gone = wr_arena_alloc(g->scratch, sizeof *gone * (n + 1)), gone_count = 0;
    uint32_t *groups = wr_arena_alloc(g->scratch, sizeof *groups * (n + 1)), count = 0;
    uint64_t *hashes = wr_arena_alloc(g->scratch, sizeof *hashes * (n + 1));
    uint8_t *again = wr_arena_zalloc(g->scratch, n + 1);
    if (!gone || !groups || !hashes || !again) return WRI_NOMEM(ctx);
    WR_TRY(wri_aggs_unmerge(ctx, &g->aggs, slots, merged, n, again, g->scratch));
    for (uint32_t i = 0; i < n; i++) {
        if (--wri_group_of(&g->aggs, merged[i])->rows == 0) {
            gone[gone_count++] = merged[i];
        } else if (again[i]) {
            hashes[count] = hash[i];
            groups[count++] = merged[i];
        }
    }
    g->dead += gone_count;
    WR_TRY(wri_aggs_restart(ctx, &g->aggs, gone, gone_count, g->scratch));
    WR_TRY(wri_held_keys(ctx, g, hashes, groups, count, &keys));
    return merge_again(ctx, g, &keys, groups);
}

wr_status
wri_window_unmerge(wr_ctx *ctx, wri_window_agg *g, const wri_open_keys *keys, const uint32_t *slots)
{
    uint32_t *merged;
    if (g->keeps) {
        merged = wr_arena_alloc(g->scratch, sizeof *merged * (keys->n + 1));
        WR_TRY_ALLOC(ctx, merged);
        WR_TRY(wri_kept_resolve(ctx, g, keys, merged));
        return unmerge_kept(ctx, g, slots, merged, keys->n);
    }
    WR_TRY(slots_of(ctx, g, keys, WRI_NO_WINDOW, WR_STATE_UPSERT, &merged));
    return unmerge(ctx, g, keys->hash, slots, merged, keys->n);
}

wr_status
wri_window_unmerge_held(wr_ctx *ctx, wri_window_agg *g, const wri_held *h)
{
    wr_state_table *t = g->aggs.groups;
    for (uint32_t at = 0; at < h->n; at += WR_BATCH_ROWS) {
        const uint32_t n = WR_MIN(h->n - at, WR_BATCH_ROWS);
        wr_arena_reset(g->scratch);
        if (g->keeps) {
            WR_TRY(unmerge_kept(ctx, g, h->slots + at, h->merged + at, n));
            continue;
        }
        for (uint32_t i = at; i < at + n; i++) t->ops->touch(t, h->merged[i]);
        WR_TRY(unmerge(ctx, g, h->hash + at, h->slots + at, h->merged + at, n));
    }
    return WR_OK;
}

/* ---- all of them ----------------------------------------------------------------------------- */
static wr_status
forget_all(wr_ctx *ctx, wri_window_agg *g)
{
    wr_state_table *t = g->aggs.groups;
    WR_TRY(wri_open_read(ctx, &g->open, WRI_NO_WINDOW));
    for (;;) {
        wri_open_keys keys;
        uint32_t *slots;
        wr_arena_reset(g->scratch);
        WR_TRY(wri_open_next(ctx, &g->open, &g->in_window, g->scratch, &keys));
        if (keys.n == 0) break;
        WR_TRY(slots_of(ctx, g, &keys, WRI_NO_WINDOW, WR_STATE_READ, &slots));
        for (uint32_t i = 0; i < keys.n; i++)
            if (slots[i] != WR_SLOT_NONE) t->ops->remove(t, slots[i]);
    }
    wri_open_drop(&g->open);
    let_go(g);
    if (g->keeps) wri_kept_forget(g);
    g->stale = false;
    g->listed = g->dead = 0;
    g->merged_from = g->merged_to = WRI_NO_WINDOW;
    return WR_OK;
}

/* The window of these slices: those that are not merged yet are. */
wr_status
wri_window_slide(wr_ctx *ctx, wri_window_agg *g, int64_t start, int64_t end)
{
    if (g->stale) WR_TRY(forget_all(ctx, g));
    const int64_t before = WR_MAX(g->merged_to, start);
    for (uint32_t i = 0; i < g->open.end_count; i++) {
        const int64_t slice = g->open.ends[i];
        if (slice > before && slice <= end) WR_TRY(add_slice(ctx, g, slice));
    }
    g->merged_from = WR_MAX(g->merged_from, start);
    g->merged_to = end;
    return WR_OK;
}

/* ---- the dead -------------------------------------------------------------------------------- */
typedef struct chunk {
    struct chunk *next;
    wri_open_keys keys;
} chunk;

static wr_status
keep_living(wr_ctx *ctx, wri_window_agg *g, const wri_open_keys *keys)
{
    wr_state_table *t = g->aggs.groups;
    uint32_t *slots;
    uint64_t *alive = wr_arena_zalloc(g->scratch, sizeof *alive * (WR_BIT_WORDS(keys->n) + 1));
    int64_t *ends = wr_arena_alloc(g->scratch, sizeof *ends * (keys->n + 1));
    if (!alive || !ends) return WRI_NOMEM(ctx);
    WR_TRY(slots_of(ctx, g, keys, WRI_NO_WINDOW, WR_STATE_READ, &slots));
    for (uint32_t i = 0; i < keys->n; i++) {
        ends[i] = WRI_NO_WINDOW;
        if (wri_group_of(&g->aggs, slots[i])->rows == 0) {
            t->ops->remove(t, slots[i]);
            continue;
        }
        wr_bit_set(alive, i);
        WR_TRY(hold(ctx, g, slots[i]));
    }
    return wri_open_note(ctx, &g->open, &keys->keys, keys->hash, alive, ends);
}

wr_status
wri_window_bury(wr_ctx *ctx, wri_window_agg *g)
{
    if (g->dead < DEAD_ALLOWED || g->dead < g->listed / 2) return WR_OK;
    chunk *first = NULL, **last = &first;
    wr_arena_reset(g->scratch);
    WR_TRY(wri_open_read(ctx, &g->open, WRI_NO_WINDOW));
    for (;;) {
        chunk *c = WR_NEW(g->scratch, chunk);
        WR_TRY_ALLOC(ctx, c);
        WR_TRY(wri_open_next(ctx, &g->open, &g->in_window, g->scratch, &c->keys));
        if (c->keys.n == 0) break;
        *last = c;
        last = &c->next;
    }
    wri_open_drop(&g->open);
    let_go(g);
    for (const chunk *c = first; c; c = c->next) WR_TRY(keep_living(ctx, g, &c->keys));
    g->listed -= g->dead;
    g->dead = 0;
    return WR_OK;
}
