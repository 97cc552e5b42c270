/* SPDX-License-Identifier: Apache-2.0 */
/* Slots of the groups of open windows, where the backend keeps slots good: a window that closes is
 * gone through without a look-up. What a restart has to know stands in the state (window_open.c);
 * windows that a restart brought back have no slots here and are read from there. */
#include "op/window_agg_int.h"

static void
free_held(wri_window_agg *g, wri_held *h)
{
    wr_memtrack *budget = g->op.env->budget;
    wr_mem_free(budget, h->hash, sizeof *h->hash * h->cap);
    wr_mem_free(budget, h->slots, sizeof *h->slots * h->cap);
    wr_mem_free(budget, h->merged, sizeof *h->merged * h->cap);
    *h = (wri_held){0};
}

static uint32_t
find(const wri_window_agg *g, int64_t end)
{
    uint32_t at = g->held_count;
    while (at > 0 && g->held[at - 1].end != end) at--; /* mostly one of the last */
    return at;
}

wri_held *
wri_held_of(const wri_window_agg *g, int64_t end)
{
    const uint32_t at = find(g, end);
    return at && g->held[at - 1].whole ? &g->held[at - 1] : NULL;
}

void
wri_held_drop(wri_window_agg *g, int64_t end)
{
    const uint32_t at = find(g, end);
    if (at == 0) return;
    free_held(g, &g->held[at - 1]);
    memmove(&g->held[at - 1], &g->held[at], sizeof *g->held * (g->held_count - at));
    g->held_count--;
}

void
wri_held_close(wri_window_agg *g)
{
    for (uint32_t i = 0; i < g->held_count; i++) free_held(g, &g->held[i]);
    g->held_count = 0;
}

/* A window without groups yet, or (not whole) one whose groups are in the state only. */
static wr_status
open_held(wr_ctx *ctx, wri_window_agg *g, int64_t end, bool whole, wri_held **out)
{
    if (g->held_count == g->held_cap) {
        const uint32_t cap = g->held_cap ? g->held_cap * 2 : 16;
        wri_held *more = WR_NEW_N(g->op.env->arena, wri_held, cap);
        WR_TRY_ALLOC(ctx, more);
        if (g->held_count) memcpy(more, g->held, sizeof *more * g->held_count);
        g->held = more;
        g->held_cap = cap;
    }
    *out = &g->held[g->held_count++];
    **out = (wri_held){.end = end, .whole = whole};
    return WR_OK;
}

wr_status
wri_held_restore(wr_ctx *ctx, wri_window_agg *g)
{
    wri_held *h;
    for (uint32_t i = 0; g->holds && i < g->open.end_count; i++)
        WR_TRY(open_held(ctx, g, g->open.ends[i], false, &h));
    return WR_OK;
}

static wr_status
grow(wr_ctx *ctx, wri_window_agg *g, wri_held *h)
{
    wr_memtrack *budget = g->op.env->budget;
    const uint32_t old = h->cap, cap = old ? old * 2 : 256;
    void *hash = wr_mem_alloc(budget, sizeof *h->hash * cap);
    void *slots = wr_mem_alloc(budget, sizeof *h->slots * cap);
    void *merged = g->slides ? wr_mem_alloc(budget, sizeof *h->merged * cap) : NULL;
    if (!hash || !slots || (g->slides && !merged)) {
        wr_mem_free(budget, hash, sizeof *h->hash * cap);
        wr_mem_free(budget, slots, sizeof *h->slots * cap);
        wr_mem_free(budget, merged, sizeof *h->merged * cap);
        return WRI_NOMEM(ctx);
    }
    const wri_held before = *h;
    if (h->n) memcpy(hash, h->hash, sizeof *h->hash * h->n);
    if (h->n) memcpy(slots, h->slots, sizeof *h->slots * h->n);
    if (h->n && merged) memcpy(merged, h->merged, sizeof *h->merged * h->n);
    free_held(g, h);
    *h = before;
    h->hash = hash;
    h->slots = slots;
    h->merged = merged;
    h->cap = cap;
    return WR_OK;
}

wr_status
wri_held_note(wr_ctx *ctx, wri_window_agg *g, const uint64_t *hash, const uint32_t *slots,
              const uint64_t *fresh, const int64_t *ends, uint32_t n)
{
    wri_held *h = NULL;
    for (uint32_t i = 0; g->holds && i < n; i++) {
        if (!wr_bit_get(fresh, i)) continue;
        if (!h || h->end != ends[i]) {
            const uint32_t at = find(g, ends[i]);
            h = at ? &g->held[at - 1] : NULL;
            if (!h) WR_TRY(open_held(ctx, g, ends[i], true, &h));
        }
        if (!h->whole) continue;
        if (h->n == h->cap) WR_TRY(grow(ctx, g, h));
        h->hash[h->n] = hash[i];
        h->slots[h->n++] = slots[i];
    }
    return WR_OK;
}

/* ---- keys of slots --------------------------------------------------------------------------- */
wr_status
wri_held_keys(wr_ctx *ctx, wri_window_agg *g, const uint64_t *hash, const uint32_t *slots,
              uint32_t n, wri_open_keys *out)
{
    wr_state_table *t = g->aggs.groups;
    *out = (wri_open_keys){.keys = {.n = n}, .hash = hash, .n = n};
    if (g->in_window.fixed) { /* the end alone, which wri_window_rekey puts in */
        out->keys.fixed = wr_arena_zalloc(g->scratch, sizeof(uint64_t) * (n + 1));
        return out->keys.fixed ? WR_OK : WRI_NOMEM(ctx);
    }
    uint32_t *off = wr_arena_zalloc(g->scratch, sizeof *off * (n + 1)), len;
    WR_TRY_ALLOC(ctx, off);
    for (uint32_t i = 0; i < n; i++) {
        (void)t->ops->key_of(t, slots[i], &len);
        off[i + 1] = off[i] + len;
    }
    uint8_t *data = wr_arena_alloc(g->scratch, off[n] + 1);
    WR_TRY_ALLOC(ctx, data);
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t *key = t->ops->key_of(t, slots[i], &len);
        memcpy(data + off[i], key, len);
    }
    out->keys.data = data;
    out->keys.off = off;
    return WR_OK;
}

/* ---- rows from slots ------------------------------------------------------------------------- */
#define AHEAD                                                                                      \
    24u /* records fetched before they are looked at: memory takes some 100 ns, a row a few */

/* Keys are in the row encoding of the key columns, the start if wanted, and the end: null bits,
 * then values. One integer of 64 bits is the case that has to be fast. *starts as wri_window_props
 * wants them. */
static wr_status
put_keys(wr_ctx *ctx, wri_window_agg *g, const wri_group_key *keys, uint32_t n, wr_batch *out,
         const int64_t **starts)
{
    const uint32_t count = g->keys.count, all = g->in_window.count;
    *starts = NULL;
    if (all == 1) return WR_OK;
    wr_vec *cols = WR_NEW_N(g->scratch, wr_vec, all + 1);
    WR_TRY_ALLOC(ctx, cols);
    for (uint32_t c = 0; c < all; c++)
        if (!wr_vec_init_flat(&cols[c], g->in_window.schema.fields[c].type, n, out->arena))
            return WRI_NOMEM(ctx);
    const bool one = count == 1 && !g->has_start && cols[0].phys == WR_PHYS_I64;
    for (uint32_t i = 0; i < n; i++) {
        const wri_group_key *key = &keys[i];
        if (one && key->len == 17 && key->data[0] == 0) {
            ((int64_t *)cols[0].data)[i] = (int64_t)wr_load64(key->data + 1);
            if (cols[0].has_nulls) wr_bit_set(cols[0].validity, i);
        } else {
            WR_TRY(wri_key_decode(ctx, &g->in_window, key->data, key->len, cols, i, out->arena));
        }
    }
    if (count) memcpy(out->cols, cols, sizeof *cols * count);
    if (g->has_start) *starts = cols[count].data;
    return WR_OK;
}

wr_status
wri_held_put_keys(wr_ctx *ctx, wri_window_agg *g, const wri_group_key *keys, uint32_t n,
                  wr_batch *out)
{
    const int64_t *starts;
    WR_TRY(put_keys(ctx, g, keys, n, out, &starts));
    WR_TRY(wri_window_props(ctx, g, starts, n, out));
    out->row_count = n;
    return WR_OK;
}

static wr_status
put_rows(wr_ctx *ctx, wri_window_agg *g, const uint32_t *slots, const wri_group_key *keys,
         uint32_t n, wr_batch *out)
{
    WR_TRY(wri_held_put_keys(ctx, g, keys, n, out));
    return wri_aggs_result(ctx, &g->aggs, slots, n, g->scratch, out->arena,
                           out->cols + g->keys.count);
}

wr_status
wri_held_out(wr_ctx *ctx, wri_window_agg *g, wr_emitter *emit, bool *done)
{
    wr_arena_reset(g->scratch);
    const bool counts = wri_window_retracts(g) || g->slides;
    wr_state_table *t = g->aggs.groups;
    uint32_t *slots = wr_arena_alloc(g->scratch, sizeof *slots * WR_BATCH_ROWS), n = 0;
    wri_group_key *keys = wr_arena_alloc(g->scratch, sizeof *keys * WR_BATCH_ROWS);
    const uint32_t from = g->out_at;
    if (!slots || !keys) return WRI_NOMEM(ctx);
    for (; g->out_at < g->out_count && n < WR_BATCH_ROWS; g->out_at++) {
        const uint32_t slot = g->out_slots[g->out_at];
        if (g->out_at + AHEAD < g->out_count) {
            const uint8_t *ahead = wr_state_rec(t, g->out_slots[g->out_at + AHEAD]);
            __builtin_prefetch(ahead);
            __builtin_prefetch(ahead + t->stride - 1);
        }
        if (counts && wri_group_of(&g->aggs, slot)->rows == 0) continue;
        slots[n] = slot;
        keys[n].data = t->ops->key_of(t, slot, &keys[n].len);
        __builtin_prefetch(keys[n++].data);
    }
    *done = g->out_at == g->out_count;
    wr_batch *out = n ? wr_batch_acquire(g->op.env->pool, g->op.node->schema.count) : NULL;
    if (n) WR_TRY_ALLOC(ctx, out);
    const wr_status status = n ? put_rows(ctx, g, slots, keys, n, out) : WR_OK;
    if (status != WR_OK) {
        wr_batch_release(out);
        return status;
    }
    for (uint32_t i = from; !g->gives_slice && i < g->out_at; i++)
        t->ops->remove(t, g->out_slots[i]);
    return out ? wr_emit(ctx, emit, out) : WR_OK;
}
