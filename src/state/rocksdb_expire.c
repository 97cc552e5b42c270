/* SPDX-License-Identifier: Apache-2.0 */
/* Expiry over RocksDB: entries in the cache as in memory, stored ones by a slow walk through the
 * database that goes on where it stopped. An entry that is in the cache is the cache's business. A
 * stored entry comes into the cache and is removed there, so that counts stay right. */
#include "state/rocksdb_int.h"

#ifdef WR_HAVE_ROCKSDB

static wri_table *
table_numbered(const wri_rocks *b, const uint8_t *key, size_t len)
{
    if (len < WRI_ROCKS_KEY_HEAD) return NULL;
    const uint32_t id = (uint32_t)key[2] << 8 | key[3];
    for (wri_table *t = b->mem.tables; t; t = t->next)
        if (t->kept->id == id) return t;
    return NULL;
}

static bool
is_over(const wri_table *t, const uint8_t *value, size_t len)
{
    wri_rocks_value v;
    return t->time_offset && wri_rocks_value_parts(&t->info, value, len, &v) &&
           v.time + t->ttl_ms <= t->base.backend->now_ms;
}

/* The slot of a stored entry's parent, fetched if need be. */
typedef struct parent {
    wri_rocks *b;
    wri_table *t;
    wri_rocks_parts k;
    uint32_t slot;
} parent;

static wr_status
found_parent(wr_ctx *ctx, void *arg, const uint8_t *value, size_t len)
{
    parent *p = arg;
    wri_rocks_value v;
    if (!wri_rocks_value_parts(&p->t->info, value, len, &v))
        return wri_rocks_corrupt(ctx, &p->t->info);
    p->slot = wri_value_find(p->t, v.hash, p->k.key, p->k.key_len);
    if (p->slot != WRI_NIL) return WR_OK;
    return wri_rocks_take_value(ctx, p->b, p->t, &p->k, value, len, &p->slot);
}

static wr_status
find_parent(wr_ctx *ctx, wri_rocks *b, wri_table *t, const wri_rocks_parts *child, uint32_t *slot)
{
    parent p = {.b = b, .t = t->parent, .slot = WRI_NIL};
    p.k = (wri_rocks_parts){.kg = child->kg,
                            .table = t->parent->kept->id,
                            .key = child->parent,
                            .key_len = child->parent_len};
    const size_t len = (size_t)WRI_ROCKS_KEY_HEAD + child->parent_len;
    if (!wri_bytes_room(b, &b->probe, len)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    wri_rocks_key_head(b->probe.p, p.k.kg, p.k.table);
    if (child->parent_len)
        memcpy(b->probe.p + WRI_ROCKS_KEY_HEAD, child->parent, child->parent_len);
    WR_TRY(wri_rocks_get(ctx, b, b->probe.p, len, found_parent, &p));
    *slot = p.slot;
    return WR_OK;
}

static wr_status
drop_child(wr_ctx *ctx, wri_rocks *b, wri_table *t, const wri_rocks_parts *k, const uint8_t *value,
           size_t len)
{
    uint32_t slot, entry;
    WR_TRY(find_parent(ctx, b, t, k, &slot));
    if (slot == WRI_NIL) return WR_OK; /* not written back yet: another time */
    if (wri_expired(t->parent, slot)) {
        wri_value_remove(&t->parent->base, slot);
        return wri_rocks_check(ctx, b);
    }
    if (!wri_absent(t, slot)) return WR_OK; /* all are in the cache, or gone by now */
    WR_TRY(wri_rocks_take_child(ctx, t, slot, k->key, k->key_len, value, len, &entry));
    if (entry == WRI_NIL) return WR_OK;
    wri_child_drop_entry(t, entry);
    return wri_rocks_check(ctx, b);
}

static wr_status
drop_stored(wr_ctx *ctx, wri_rocks *b, wri_table *t, const uint8_t *key, size_t key_len,
            const uint8_t *value, size_t len)
{
    wri_rocks_parts k;
    if (!wri_rocks_key_parts(key, key_len, t->parent != NULL, &k))
        return wri_rocks_corrupt(ctx, &t->info);
    if (t->parent) return drop_child(ctx, b, t, &k, value, len);
    uint32_t slot;
    if (!t->kept->absent) return WR_OK;
    WR_TRY(wri_rocks_take_value(ctx, b, t, &k, value, len, &slot));
    if (slot != WRI_NIL) wri_value_remove(&t->base, slot);
    return wri_rocks_check(ctx, b);
}

static wr_status
sweep_stored(wr_ctx *ctx, wri_rocks *b, uint32_t budget)
{
    WR_TRY(wri_rocks_flush_batch(ctx, b));
    rocksdb_iterator_t *it = wri_rocks_scan(b);
    b->f->iter_seek(it, (const char *)b->sweep_at.p, b->sweep_at.len);
    wr_status status = WR_OK;
    for (uint32_t i = 0; i < budget && status == WR_OK && b->f->iter_valid(it); i++) {
        size_t key_len, len;
        const uint8_t *key = (const uint8_t *)b->f->iter_key(it, &key_len);
        const uint8_t *value = (const uint8_t *)b->f->iter_value(it, &len);
        wri_table *t = table_numbered(b, key, key_len);
        if (t && is_over(t, value, len)) status = drop_stored(ctx, b, t, key, key_len, value, len);
        b->f->iter_next(it);
    }
    b->sweep_at.len = 0;
    if (status == WR_OK && b->f->iter_valid(it)) {
        size_t len;
        const char *key = b->f->iter_key(it, &len);
        if (wri_bytes_room(b, &b->sweep_at, len)) {
            memcpy(b->sweep_at.p, key, len);
            b->sweep_at.len = len;
        }
    }
    return wri_rocks_scan_end(ctx, b->f, it, status);
}

static void
sweep_database(wri_rocks *b, uint32_t budget)
{
    bool any = false;
    for (const wri_table *t = b->mem.tables; t; t = t->next)
        any |= t->time_offset && t->kept->absent;
    if (!any || b->mem.base.failed != WR_OK) return;
    if (sweep_stored(&b->own, b, budget) != WR_OK) wri_rocks_fail(b);
}

void
wri_rocks_expire(wr_state_table *table, int64_t now_ms, uint32_t budget)
{
    wri_state_expire(table, now_ms, budget);
    sweep_database(wri_rocks_of(wri_table_of(table)), budget);
}

void
wri_rocks_sweep(wr_state_backend *backend, int64_t now_ms, uint32_t budget)
{
    wri_rocks *b = (wri_rocks *)(void *)backend;
    for (wri_table *t = b->mem.tables; t; t = t->next) wri_state_expire(&t->base, now_ms, budget);
    sweep_database(b, budget);
}

#endif
