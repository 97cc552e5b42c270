/* SPDX-License-Identifier: Apache-2.0 */
/* Maps over RocksDB. Entries are fetched one by one as they are asked for, a batch together;
 * walking a slot brings all of its entries and puts them in the order they were inserted. */
#include "state/rocksdb_int.h"

#ifdef WR_HAVE_ROCKSDB

/* ---- a whole slot ---------------------------------------------------------------------------- */

static wr_status
complete(wr_ctx *ctx, wri_rocks *b, wri_table *t, uint32_t slot)
{
    if (!wri_absent(t, slot)) return WR_OK;
    WR_TRY(wri_rocks_flush_batch(ctx, b));
    if (!wri_rocks_child_key(b, t, slot, NULL, 0, &b->probe))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    const size_t prefix = b->probe.len;
    rocksdb_iterator_t *it = wri_rocks_scan(b);
    b->f->iter_seek(it, (const char *)b->probe.p, prefix);
    wr_status status = WR_OK;
    while (status == WR_OK && wri_absent(t, slot) && b->f->iter_valid(it)) {
        size_t len, value_len;
        const char *key = b->f->iter_key(it, &len), *value = b->f->iter_value(it, &value_len);
        if (len < prefix || memcmp(key, b->probe.p, prefix) != 0) break;
        uint32_t entry;
        status = wri_rocks_take_child(ctx, t, slot, (const uint8_t *)key + prefix,
                                      (uint32_t)(len - prefix), (const uint8_t *)value, value_len,
                                      &entry);
        b->f->iter_next(it);
    }
    status = wri_rocks_scan_end(ctx, b->f, it, status);
    if (status == WR_OK && wri_absent(t, slot)) return wri_rocks_corrupt(ctx, &t->info);
    return status;
}

static wr_status
arrange(wr_ctx *ctx, wri_rocks *b, wri_table *t, uint32_t slot)
{
    WR_TRY(complete(ctx, b, t, slot));
    wri_reach *r = wri_reach_find(t, slot);
    if (!r || !r->unsorted) return WR_OK;
    wri_map_arrange_slot(t, slot);
    r->unsorted = false;
    return WR_OK;
}

/* Before 2^32 insertions into a slot its entries are numbered anew: then all have to be here. */
static wr_status
before_renumbering(wr_ctx *ctx, wri_rocks *b, wri_table *t, uint32_t slot, uint32_t n)
{
    const wri_anchor *a = wri_anchor_find(t, slot);
    return a && a->top > UINT32_MAX - n ? arrange(ctx, b, t, slot) : WR_OK;
}

/* ---- the vtable ------------------------------------------------------------------------------ */

static wr_status
fetch_missing(wr_ctx *ctx, wri_rocks *b, wri_table *t, const uint32_t *slots, const wr_keys *k,
              wr_intent intent)
{
    wri_rocks_fetch *f;
    WR_TRY(wri_rocks_fetch_begin(ctx, b, t, &f));
    for (uint32_t i = 0; i < k->n; i++) {
        if (slots[i] == WR_SLOT_NONE) continue;
        if (intent == WR_STATE_UPSERT) WR_TRY(before_renumbering(ctx, b, t, slots[i], k->n));
        if (!wri_absent(t, slots[i])) continue;
        uint32_t len;
        const uint8_t *key = wri_keys_at(k, i, &len);
        if (wri_map_find(t, slots[i], k->hash[i], key, len) == WRI_NIL)
            WR_TRY(wri_rocks_fetch_add(ctx, f, slots[i], 0, key, len));
    }
    return wri_rocks_fetch_now(ctx, f);
}

wr_status
wri_rocks_map_resolve(wr_ctx *ctx, wr_state_table *table, const uint32_t *slots, const wr_keys *k,
                      wr_intent intent, uint8_t **recs, uint64_t *fresh)
{
    wri_table *t = wri_table_of(table);
    wri_rocks *b = wri_rocks_of(t);
    WR_TRY(wri_rocks_check(ctx, b));
    if (b->db.db) WR_TRY(fetch_missing(ctx, b, t, slots, k, intent));
    WR_TRY(wri_map_resolve(ctx, table, slots, k, intent, recs, fresh));
    if (b->db.db && intent == WR_STATE_READ)
        for (uint32_t i = 0; i < k->n; i++)
            if (recs[i])
                wri_use(t, ((const wri_head *)(const void *)(recs[i] + t->record_bytes))->self);
    return wri_rocks_check(ctx, b);
}

void
wri_rocks_map_remove(wr_state_table *table, uint32_t slot, const uint8_t *key, uint32_t len,
                     uint64_t hash)
{
    wri_table *t = wri_table_of(table);
    wri_rocks *b = wri_rocks_of(t);
    if (b->mem.base.failed != WR_OK) return;
    if (wri_absent(t, slot) && wri_map_find(t, slot, hash, key, len) == WRI_NIL &&
        wri_rocks_fetch_child(&b->own, b, t, slot, key, len) != WR_OK) {
        wri_rocks_fail(b);
        return;
    }
    wri_map_remove(table, slot, key, len, hash);
}

uint32_t
wri_rocks_child_count(const wr_state_table *table, uint32_t slot)
{
    const wri_table *t = wri_table_of(table);
    const wri_anchor *a = wri_anchor_find(t, slot);
    return (a ? a->count : 0) + wri_absent(t, slot);
}

bool
wri_rocks_map_first(wr_state_table *table, uint32_t slot, wr_state_iter *it)
{
    wri_table *t = wri_table_of(table);
    wri_rocks *b = wri_rocks_of(t);
    if (b->mem.base.failed != WR_OK) return false;
    if (arrange(&b->own, b, t, slot) != WR_OK) {
        wri_rocks_fail(b);
        return false;
    }
    return wri_map_first(table, slot, it);
}

void
wri_rocks_map_clear(wr_state_table *table, uint32_t slot)
{
    wri_table *t = wri_table_of(table);
    wri_map_clear(table, slot);
    if (wri_absent(t, slot)) wri_rocks_forget_absent(t, slot);
}

#endif
