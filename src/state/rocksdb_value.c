/* SPDX-License-Identifier: Apache-2.0 */
/* Value tables over RocksDB: keys of a batch that are not in the cache are fetched together, then
 * the batch is resolved in memory. */
#include "state/rocksdb_int.h"

#ifdef WR_HAVE_ROCKSDB

/* ---- fetching -------------------------------------------------------------------------------- */

static wr_status
fetch_missing(wr_ctx *ctx, wri_rocks *b, wri_table *t, const wr_keys *keys)
{
    wri_rocks_fetch *f;
    WR_TRY(wri_rocks_fetch_begin(ctx, b, t, &f));
    for (uint32_t i = 0; i < keys->n; i++) {
        uint32_t len;
        const uint8_t *key = wri_keys_at(keys, i, &len);
        if (wri_value_find(t, keys->hash[i], key, len) == WRI_NIL)
            WR_TRY(wri_rocks_fetch_add(ctx, f, WR_SLOT_NONE, keys->hash[i], key, len));
    }
    return wri_rocks_fetch_now(ctx, f);
}

wr_status
wri_rocks_resolve(wr_ctx *ctx, wr_state_table *table, const wr_keys *keys, wr_intent intent,
                  uint32_t *slots, uint64_t *fresh)
{
    wri_table *t = wri_table_of(table);
    wri_rocks *b = wri_rocks_of(t);
    WR_TRY(wri_rocks_check(ctx, b));
    if (t->kept->absent) WR_TRY(fetch_missing(ctx, b, t, keys));
    WR_TRY(wri_value_resolve(ctx, table, keys, intent, slots, fresh));
    if (b->db.db && intent == WR_STATE_READ) /* UPSERT has marked them */
        for (uint32_t i = 0; i < keys->n; i++)
            if (slots[i] != WR_SLOT_NONE) wri_use(t, slots[i]);
    return wri_rocks_check(ctx, b);
}

uint64_t
wri_rocks_value_count(const wr_state_table *table)
{
    const wri_table *t = wri_table_of(table);
    return t->live + t->kept->absent;
}

/* ---- all slots ------------------------------------------------------------------------------- */

/* First what is here, then what the database has beside that; it all comes into the cache, because
 * slots are good until the next trim. */
#define STORED ((uint64_t)1 << 62) /* in *pos: among the stored ones */

void
wri_rocks_walk_end(wri_rocks *b)
{
    if (b->walk) b->f->iter_destroy(b->walk);
    b->walk = NULL;
    b->walk_table = NULL;
}

static wr_status
walk_begin(wr_ctx *ctx, wri_rocks *b, wri_table *t)
{
    wri_rocks_walk_end(b);
    WR_TRY(wri_rocks_flush_batch(ctx, b));
    b->walk = wri_rocks_scan(b);
    b->walk_table = t;
    b->f->iter_seek(b->walk, "", 0);
    return WR_OK;
}

/* Where the iterator stands: is it a key of table t? Otherwise it goes on to where one may be. */
static bool
at_key_of(wri_rocks *b, const wri_table *t, wri_rocks_parts *k)
{
    size_t len;
    const char *key = b->f->iter_key(b->walk, &len);
    if (!wri_rocks_key_parts((const uint8_t *)key, len, false, k)) {
        b->f->iter_next(b->walk);
        return false;
    }
    if (k->table == t->kept->id) return true;
    const uint32_t kg = k->kg + (k->table > t->kept->id);
    uint8_t to[WRI_ROCKS_KEY_HEAD];
    wri_rocks_key_head(to, kg, t->kept->id);
    if (kg > UINT16_MAX)
        wri_rocks_walk_end(b);
    else
        b->f->iter_seek(b->walk, (const char *)to, sizeof to);
    return false;
}

static wr_status
walk_next(wr_ctx *ctx, wri_rocks *b, wri_table *t, uint32_t *slot)
{
    *slot = WRI_NIL;
    while (*slot == WRI_NIL && b->walk && b->f->iter_valid(b->walk)) {
        wri_rocks_parts k;
        if (!at_key_of(b, t, &k)) continue;
        size_t len;
        const char *value = b->f->iter_value(b->walk, &len);
        WR_TRY(wri_rocks_take_value(ctx, b, t, &k, (const uint8_t *)value, len, slot));
        b->f->iter_next(b->walk);
        if (*slot != WRI_NIL && wri_expired(t, *slot)) {
            wri_value_remove(&t->base, *slot);
            *slot = WRI_NIL;
        }
    }
    return WR_OK;
}

bool
wri_rocks_next_slot(wr_state_table *table, uint64_t *pos, uint32_t *slot)
{
    wri_table *t = wri_table_of(table);
    wri_rocks *b = wri_rocks_of(t);
    if (!(*pos & STORED)) {
        if (wri_value_next_slot(table, pos, slot)) return true;
        if (!t->kept->absent || b->mem.base.failed != WR_OK) return false;
        *pos = STORED;
        if (walk_begin(&b->own, b, t) != WR_OK) {
            wri_rocks_fail(b);
            return false;
        }
    }
    if (b->walk_table != t || b->mem.base.failed != WR_OK) return false;
    if (walk_next(&b->own, b, t, slot) != WR_OK) wri_rocks_fail(b);
    if (b->mem.base.failed == WR_OK && *slot != WRI_NIL) return true;
    wri_rocks_walk_end(b);
    return false;
}

#endif
