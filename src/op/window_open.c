/* SPDX-License-Identifier: Apache-2.0 */
/* Open windows: see window_agg_int.h. */
#include "op/window_agg_int.h"

#include <stdlib.h>

#define KEY_BYTES  12u
#define HEAD_BYTES 12u /* of an entry of a list: hash and length */

wr_status
wri_open_init(wr_ctx *ctx, wr_op *op, const wri_keyspec *keys, wri_open *out)
{
    const uint32_t max = op->env->max_parallelism, p = op->env->parallelism;
    const uint32_t first = (op->env->subtask * max + p - 1) / p;
    wr_state_part parts[] = {WRI_PART(wri_open_window, keys, WR_PART_PLAIN),
                             WRI_PART(wri_open_window, count, WR_PART_PLAIN)};
    *out = (wri_open){.op = op, .kg_first = first};
    out->kg_count = ((op->env->subtask + 1) * max + p - 1) / p - first;
    out->slots = WR_NEW_N(op->env->arena, uint32_t, out->kg_count + 1);
    out->scratch = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, out->slots);
    WR_TRY_ALLOC(ctx, out->scratch);
    parts[0].schema = &keys->schema;
    wr_state_desc desc = {.shape = WR_STATE_VALUE,
                          .record_bytes = sizeof(wri_open_window),
                          .part_count = WR_COUNT(parts)};
    desc.parts = wri_parts_copy(op, parts, WR_COUNT(parts));
    WR_TRY_ALLOC(ctx, desc.parts);
    return wri_table_open(ctx, op, "windows", &desc, &out->table);
}

void
wri_open_deinit(wri_open *o)
{
    wr_arena_destroy(o->scratch);
    o->scratch = NULL;
}

static wri_open_window *
window_at(const wri_open *o, uint32_t slot)
{
    return (wri_open_window *)(void *)wr_state_rec(o->table, slot);
}

/* ---- the ends in memory ---------------------------------------------------------------------- */
/* Behind the last end. What has gone at the front is used again. */
static wr_status
room_for_end(wr_ctx *ctx, wri_open *o)
{
    const size_t gone = o->ends ? (size_t)(o->ends - o->first_end) : 0;
    if (gone + o->end_count < o->end_cap) return WR_OK;
    int64_t *to = o->first_end;
    if (gone < o->end_cap / 2 || o->end_cap == 0) {
        const uint32_t cap = o->end_cap ? o->end_cap * 2 : 16;
        to = WR_NEW_N(o->op->env->arena, int64_t, cap);
        WR_TRY_ALLOC(ctx, to);
        o->end_cap = cap;
    }
    if (o->end_count) memmove(to, o->ends, sizeof *to * o->end_count);
    o->first_end = o->ends = to;
    return WR_OK;
}

static wr_status
add_end(wr_ctx *ctx, wri_open *o, int64_t end)
{
    uint32_t at = o->end_count;
    while (at > 0 && o->ends[at - 1] > end) at--; /* mostly the last one, or near it */
    if (at > 0 && o->ends[at - 1] == end) return WR_OK;
    WR_TRY(room_for_end(ctx, o));
    memmove(o->ends + at + 1, o->ends + at, sizeof *o->ends * (o->end_count - at));
    o->ends[at] = end;
    o->end_count++;
    return WR_OK;
}

static int
compare_ends(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

wr_status
wri_open_restore(wr_ctx *ctx, wri_open *o)
{
    uint64_t pos = 0;
    uint32_t slot, len, n = 0;
    while (o->table->ops->next_slot(o->table, &pos, &slot)) n++;
    int64_t *ends = WR_NEW_N(o->op->env->arena, int64_t, n + 1);
    WR_TRY_ALLOC(ctx, ends);
    pos = 0;
    n = 0;
    while (o->table->ops->next_slot(o->table, &pos, &slot)) {
        const uint8_t *key = o->table->ops->key_of(o->table, slot, &len);
        if (len != KEY_BYTES)
            return wr_raise(ctx, WR_CORRUPT, "a window in the state of %.*s makes no sense",
                            WR_STR_ARG(o->op->node->label));
        ends[n++] = (int64_t)wr_load64(key + 4);
    }
    qsort(ends, n, sizeof *ends, compare_ends);
    for (uint32_t i = 0; i < n; i++)
        if (ends[i] != WRI_NO_WINDOW) WR_TRY(add_end(ctx, o, ends[i]));
    return WR_OK;
}

/* ---- noting groups --------------------------------------------------------------------------- */
static uint64_t
window_hash(const wri_open *o, uint32_t kg, int64_t end)
{
    const uint64_t max = o->op->env->max_parallelism;
    return wri_window_hash((((uint64_t)kg << 32) + max - 1) / max << 32, end);
}

/* Slots of n windows, kgs[i] and ends[i]. */
static wr_status
find_windows(wr_ctx *ctx, wri_open *o, uint32_t n, const uint32_t *kgs, const int64_t *ends,
             wr_intent intent, uint32_t *slots)
{
    uint64_t *hash = wr_arena_alloc(o->scratch, sizeof *hash * (n + 1));
    uint32_t *off = wr_arena_alloc(o->scratch, sizeof *off * (n + 1));
    uint8_t *data = wr_arena_alloc(o->scratch, (size_t)KEY_BYTES * n + 1);
    if (!hash || !off || !data) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) {
        hash[i] = window_hash(o, kgs[i], ends[i]);
        off[i] = i * KEY_BYTES;
        wr_store32(data + off[i], kgs[i]);
        wr_store64(data + off[i] + 4, (uint64_t)ends[i]);
    }
    off[n] = n * KEY_BYTES;
    const wr_keys keys = {.n = n, .hash = hash, .data = data, .off = off};
    return o->table->ops->resolve(ctx, o->table, &keys, intent, slots, NULL);
}

static wr_status
append_key(wr_ctx *ctx, wri_open *o, uint32_t slot, const wr_keys *keys, uint64_t hash, uint32_t i)
{
    uint32_t len;
    const uint8_t *key = wri_key_at(keys, i, &len);
    uint8_t head[HEAD_BYTES];
    wri_open_window *w = window_at(o, slot);
    wr_store64(head, hash);
    wr_store32(head + 8, len);
    WR_TRY(o->table->ops->blob_append(ctx, o->table, &w->keys, head, HEAD_BYTES));
    if (len) WR_TRY(o->table->ops->blob_append(ctx, o->table, &w->keys, key, len));
    w->count++;
    return WR_OK;
}

wr_status
wri_open_note(wr_ctx *ctx, wri_open *o, const wr_keys *keys, const uint64_t *hash,
              const uint64_t *fresh, const int64_t *ends)
{
    uint32_t n = 0;
    wr_arena_reset(o->scratch);
    for (uint32_t i = 0; i < keys->n; i++) n += wr_bit_get(fresh, i);
    if (n == 0) return WR_OK;
    uint32_t *at = wr_arena_alloc(o->scratch, sizeof *at * n);
    uint32_t *kgs = wr_arena_alloc(o->scratch, sizeof *kgs * n);
    uint32_t *slots = wr_arena_alloc(o->scratch, sizeof *slots * n);
    int64_t *which = wr_arena_alloc(o->scratch, sizeof *which * n);
    if (!at || !kgs || !slots || !which) return WRI_NOMEM(ctx);
    n = 0;
    for (uint32_t i = 0; i < keys->n; i++) {
        if (!wr_bit_get(fresh, i)) continue;
        at[n] = i;
        kgs[n] = wr_key_group(keys->hash[i], o->op->env->max_parallelism);
        which[n++] = ends[i];
        if (ends[i] != WRI_NO_WINDOW) WR_TRY(add_end(ctx, o, ends[i]));
    }
    WR_TRY(find_windows(ctx, o, n, kgs, which, WR_STATE_UPSERT, slots));
    for (uint32_t i = 0; i < n; i++) WR_TRY(append_key(ctx, o, slots[i], keys, hash[at[i]], at[i]));
    return WR_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */
wr_status
wri_open_read(wr_ctx *ctx, wri_open *o, int64_t end)
{
    wr_arena_reset(o->scratch);
    uint32_t *kgs = wr_arena_alloc(o->scratch, sizeof *kgs * (o->kg_count + 1));
    int64_t *ends = wr_arena_alloc(o->scratch, sizeof *ends * (o->kg_count + 1));
    if (!kgs || !ends) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < o->kg_count; i++) {
        kgs[i] = o->kg_first + i;
        ends[i] = end;
    }
    o->reading = end;
    o->group = o->pos = 0;
    return find_windows(ctx, o, o->kg_count, kgs, ends, WR_STATE_READ, o->slots);
}

static wr_status
corrupt(wr_ctx *ctx, const wri_open *o)
{
    return wr_raise(ctx, WR_CORRUPT, "the keys of a window in the state of %.*s make no sense",
                    WR_STR_ARG(o->op->node->label));
}

/* Copies the entries of the current list from o->pos on, at most up to `max` keys. */
static wr_status
take_entries(wr_ctx *ctx, wri_open *o, const wri_keyspec *spec, uint32_t max, wr_text *bytes,
             uint64_t *hash, uint32_t *off, uint64_t *fixed, uint64_t *valid, uint32_t *n)
{
    const wri_open_window *w = window_at(o, o->slots[o->group]);
    const uint8_t *p = o->table->ops->blob_get(o->table, &w->keys);
    for (; *n < max && o->pos < w->keys.len; ++*n) {
        if (w->keys.len - o->pos < HEAD_BYTES) return corrupt(ctx, o);
        const uint32_t len = wr_load32(p + o->pos + 8);
        if (len > w->keys.len - o->pos - HEAD_BYTES || (spec->fixed && len != 8 && len != 0))
            return corrupt(ctx, o);
        const uint8_t *key = p + o->pos + HEAD_BYTES;
        hash[*n] = wr_load64(p + o->pos);
        if (spec->fixed) {
            fixed[*n] = len ? wr_load64(key) : 0;
            if (len) wr_bit_set(valid, *n);
        } else {
            wr_text_put(bytes, (const char *)key, len);
            if (bytes->failed) return WRI_NOMEM(ctx);
            off[*n + 1] = (uint32_t)bytes->len;
        }
        o->pos += HEAD_BYTES + len;
    }
    return WR_OK;
}

wr_status
wri_open_next(wr_ctx *ctx, wri_open *o, const wri_keyspec *spec, wr_arena *arena,
              wri_open_keys *out)
{
    const uint32_t max = WR_BATCH_ROWS;
    uint64_t *hash = wr_arena_alloc(arena, sizeof *hash * max);
    uint32_t *off = wr_arena_zalloc(arena, sizeof *off * (max + 1));
    uint64_t *fixed = wr_arena_alloc(arena, sizeof *fixed * max);
    uint64_t *valid = wr_arena_zalloc(arena, sizeof *valid * (WR_BIT_WORDS(max) + 1));
    wr_text bytes;
    wr_text_init(&bytes, arena);
    *out = (wri_open_keys){0};
    if (!hash || !off || !fixed || !valid) return WRI_NOMEM(ctx);
    for (; o->group < o->kg_count && out->n < max; o->group++, o->pos = 0) {
        if (o->slots[o->group] == WR_SLOT_NONE) continue;
        WR_TRY(take_entries(ctx, o, spec, max, &bytes, hash, off, fixed, valid, &out->n));
        if (out->n == max) break;
    }
    uint64_t *in_window = wr_arena_alloc(arena, sizeof *in_window * (out->n + 1));
    WR_TRY_ALLOC(ctx, in_window);
    for (uint32_t i = 0; i < out->n; i++) in_window[i] = wri_window_hash(hash[i], o->reading);
    out->hash = hash;
    out->keys = (wr_keys){.n = out->n, .hash = in_window};
    if (spec->fixed) {
        out->keys.fixed = fixed;
        out->keys.valid = valid;
    } else {
        out->keys.data = bytes.ptr ? (const uint8_t *)bytes.ptr : (const uint8_t *)"";
        out->keys.off = off;
    }
    return WR_OK;
}

void
wri_open_drop(wri_open *o)
{
    for (uint32_t i = 0; i < o->kg_count; i++)
        if (o->slots[i] != WR_SLOT_NONE) o->table->ops->remove(o->table, o->slots[i]);
    for (uint32_t i = 0; i < o->end_count; i++) {
        if (o->ends[i] != o->reading) continue;
        if (i == 0) { /* mostly; there may be one for each millisecond (sessions) */
            o->ends++;
            o->end_count--;
            return;
        }
        memmove(o->ends + i, o->ends + i + 1, sizeof *o->ends * (o->end_count - i - 1));
        o->end_count--;
        return;
    }
}
