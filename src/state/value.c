/* SPDX-License-Identifier: Apache-2.0 */
/* Value tables: key -> slot. A batch is resolved a block of keys at a time: their index
 * cells are prefetched, then the entries they name, then keys are compared. */
#include "state/state_int.h"

#define BLOCK 64u /* keys resolved together: their cells and entries fit the first cache */

WR_ALWAYS_INLINE wri_shard *
shard_of(const wri_table *t, uint64_t hash)
{
    const uint32_t kg = wr_key_group(hash, wri_backend_of(t)->max_parallelism);
    WR_KASSERT(kg >= wri_backend_of(t)->kg_first && kg <= wri_backend_of(t)->kg_last);
    return &t->shards[kg - wri_backend_of(t)->kg_first];
}

#define PROBED 8u /* cells looked at ahead: a cache line of them */

/* Bring what n keys will look at near: their index cells, then the entries that these name, then
 * long keys, which do not lie in entries. likely[i]: the entry that key i probably has. */
WR_ALWAYS_INLINE void
prefetch(const wri_table *t, const uint64_t *hash, wri_shard **shards, uint32_t *likely, uint32_t n,
         bool long_keys)
{
    for (uint32_t i = 0; i < n; i++) {
        const wri_shard *s = shards[i] = shard_of(t, hash[i]);
        if (s->cells) __builtin_prefetch(&s->cells[(uint32_t)hash[i] & s->mask]);
    }
    for (uint32_t i = 0; i < n; i++) {
        const wri_shard *s = shards[i];
        const uint32_t tag = (uint32_t)hash[i];
        likely[i] = WRI_NIL;
        if (!s->cells) continue;
        uint32_t at = tag & s->mask;
        for (uint32_t k = 0; k < PROBED && s->cells[at]; k++, at = (at + 1) & s->mask) {
            if ((uint32_t)(s->cells[at] >> 32) != tag) continue;
            likely[i] = (uint32_t)s->cells[at] - 1;
            const uint8_t *rec = wr_state_rec(&t->base, likely[i]);
            __builtin_prefetch(rec);
            __builtin_prefetch(rec + t->record_bytes);
            __builtin_prefetch(wri_marks_of(t, likely[i]));
            break;
        }
    }
    for (uint32_t i = 0; long_keys && i < n; i++) {
        if (likely[i] == WRI_NIL) continue;
        const wri_head *h = wri_head_of(t, likely[i]);
        if (h->key_len > 8 && h->key_len != WRI_FREE) __builtin_prefetch(wri_key_of(h));
    }
}

/* WRI_NIL when absent. */
WR_ALWAYS_INLINE uint32_t
find(const wri_table *t, const wri_shard *s, uint64_t hash, const uint8_t *key, uint32_t len)
{
    if (!s->cells) return WRI_NIL;
    const uint64_t padded = len <= 8 ? wri_pad8(key, len) : 0;
    const uint32_t tag = (uint32_t)hash;
    for (uint32_t at = tag & s->mask; s->cells[at]; at = (at + 1) & s->mask) {
        if ((uint32_t)(s->cells[at] >> 32) != tag) continue;
        const uint32_t entry = (uint32_t)s->cells[at] - 1;
        if (wri_key_is(wri_head_of(t, entry), key, len, padded)) return entry;
    }
    return WRI_NIL;
}

WR_ALWAYS_INLINE wr_status
resolve_one(wr_ctx *ctx, wri_table *t, wri_shard *s, uint64_t hash, const uint8_t *key,
            uint32_t len, wr_intent intent, uint32_t likely, uint32_t *slot, bool *fresh)
{
    uint32_t entry = likely; /* a key is there once, so nothing else has it */
    if (entry == WRI_NIL ||
        !wri_key_is(wri_head_of(t, entry), key, len, len <= 8 ? wri_pad8(key, len) : 0))
        entry = find(t, s, hash, key, len);
    *fresh = false;
    if (entry != WRI_NIL && wri_expired(t, entry)) {
        wri_value_remove(&t->base, entry);
        entry = WRI_NIL;
    }
    if (entry == WRI_NIL && intent == WR_STATE_UPSERT) {
        WR_TRY(wri_entry_add(ctx, t, hash, key, len, &entry));
        const wr_status status = wri_shard_insert(ctx, t, s, hash, entry);
        if (status != WR_OK) {
            wri_entry_free(t, entry);
            return status;
        }
        *fresh = true;
    } else if (entry != WRI_NIL && intent == WR_STATE_UPSERT) {
        wri_touch(t, entry);
    }
    *slot = entry;
    return WR_OK;
}

static wr_status
resolve_fixed(wr_ctx *ctx, wri_table *t, const wr_keys *k, wr_intent intent, uint32_t *slots,
              uint64_t *fresh)
{
    wri_shard *shards[BLOCK];
    uint32_t likely[BLOCK];
    for (uint32_t at = 0; at < k->n; at += BLOCK) {
        const uint32_t n = WR_MIN(BLOCK, k->n - at);
        prefetch(t, k->hash + at, shards, likely, n, false);
        for (uint32_t i = at; i < at + n; i++) {
            const bool valid = !k->valid || wr_bit_get(k->valid, i);
            bool is_new;
            WR_TRY(resolve_one(ctx, t, shards[i - at], k->hash[i], (const uint8_t *)&k->fixed[i],
                               valid ? 8 : 0, intent, likely[i - at], &slots[i], &is_new));
            if (is_new && fresh) wr_bit_set(fresh, i);
        }
    }
    return WR_OK;
}

static wr_status
resolve_bytes(wr_ctx *ctx, wri_table *t, const wr_keys *k, wr_intent intent, uint32_t *slots,
              uint64_t *fresh)
{
    wri_shard *shards[BLOCK];
    uint32_t likely[BLOCK];
    for (uint32_t at = 0; at < k->n; at += BLOCK) {
        const uint32_t n = WR_MIN(BLOCK, k->n - at);
        prefetch(t, k->hash + at, shards, likely, n, true);
        for (uint32_t i = at; i < at + n; i++) {
            bool is_new;
            WR_TRY(resolve_one(ctx, t, shards[i - at], k->hash[i], k->data + k->off[i],
                               k->off[i + 1] - k->off[i], intent, likely[i - at], &slots[i],
                               &is_new));
            if (is_new && fresh) wr_bit_set(fresh, i);
        }
    }
    return WR_OK;
}

wr_status
wri_value_resolve(wr_ctx *ctx, wr_state_table *table, const wr_keys *keys, wr_intent intent,
                  uint32_t *slots, uint64_t *fresh)
{
    wri_table *t = wri_table_of(table);
    if (fresh) memset(fresh, 0, WR_BIT_WORDS(keys->n) * sizeof *fresh);
    if (keys->fixed) return resolve_fixed(ctx, t, keys, intent, slots, fresh);
    return resolve_bytes(ctx, t, keys, intent, slots, fresh);
}

void
wri_value_touch(wr_state_table *table, uint32_t slot)
{
    wri_touch(wri_table_of(table), slot);
}

void
wri_value_remove(wr_state_table *table, uint32_t slot)
{
    wri_table *t = wri_table_of(table);
    const uint64_t hash = wri_head_of(t, slot)->hash;
    WR_ASSERT(wri_head_of(t, slot)->key_len != WRI_FREE);
    for (wri_table *c = t->first_child; c; c = c->next_child) {
        if (c->shape == WR_STATE_MAP)
            wri_map_clear(&c->base, slot);
        else
            wri_ord_clear(&c->base, slot);
        if (c->kept) wri_kept_clear(c, slot);
    }
    wri_shard_remove(shard_of(t, hash), hash, slot);
    wri_entry_free(t, slot);
}

uint64_t
wri_value_count(const wr_state_table *table)
{
    return wri_table_of(table)->live;
}

bool
wri_value_next_slot(wr_state_table *table, uint64_t *pos, uint32_t *slot)
{
    const wri_table *t = wri_table_of(table);
    while (*pos < t->used) {
        const uint32_t at = (uint32_t)(*pos)++;
        if (wri_head_of(t, at)->key_len == WRI_FREE || wri_expired(t, at)) continue;
        *slot = at;
        return true;
    }
    return false;
}

const uint8_t *
wri_value_key_of(wr_state_table *table, uint32_t slot, uint32_t *len)
{
    const wri_head *h = wri_head_of(wri_table_of(table), slot);
    *len = h->key_len;
    return wri_key_of(h);
}

uint32_t
wri_value_find(const wri_table *t, uint64_t hash, const uint8_t *key, uint32_t len)
{
    return find(t, shard_of(t, hash), hash, key, len);
}

wr_status
wri_value_add(wr_ctx *ctx, wri_table *t, uint64_t hash, const uint8_t *key, uint32_t len,
              uint32_t *entry, bool *twice)
{
    wri_shard *s = shard_of(t, hash);
    *twice = find(t, s, hash, key, len) != WRI_NIL;
    if (*twice) return WR_OK;
    WR_TRY(wri_entry_add(ctx, t, hash, key, len, entry));
    const wr_status status = wri_shard_insert(ctx, t, s, hash, *entry);
    if (status != WR_OK) wri_entry_free(t, *entry);
    return status;
}
