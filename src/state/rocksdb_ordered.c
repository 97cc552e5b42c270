/* SPDX-License-Identifier: Apache-2.0 */
/* Ordered state over RocksDB. Of every slot one stretch of keys is known to be in the cache whole;
 * seeking and walking within it ask nobody, and where it ends it is extended by a few entries of
 * the database at a time, so that a slot may be larger than memory. */
#include "state/rocksdb_int.h"

#ifdef WR_HAVE_ROCKSDB

#define CHUNK 64u /* entries that come at once */

/* ---- one entry ------------------------------------------------------------------------------- */

/* Is it stored, then it is here afterwards. */
static wr_status
fetch_one(wr_ctx *ctx, wri_rocks *b, wri_table *t, uint32_t slot, const uint8_t *key, uint32_t len)
{
    const wri_reach *r = wri_reach_find(t, slot);
    if (!r || !r->absent || wri_reach_covers(r, key, len) ||
        wri_ord_find(t, slot, key, len) != WRI_NIL)
        return WR_OK;
    return wri_rocks_fetch_child(ctx, b, t, slot, key, len);
}

/* ---- stretches ------------------------------------------------------------------------------- */

/* A place between keys: before `key`, or behind everything. */
typedef struct place {
    const uint8_t *key;
    uint32_t len;
    bool end; /* start or end of all */
} place;

static wr_status
set_bound(wr_ctx *ctx, wri_table *t, wri_bound *b, const place *p)
{
    if (!p->end) return wri_bound_set(ctx, t, b, p->key, p->len);
    wri_bound_free(t, b);
    b->open = true;
    return WR_OK;
}

/* Where a chunk begins: at the first key at or behind `at`, or at the last one before it. b->probe
 * holds the stored form of `at`, its first `prefix` bytes are the slot's. */
static void
find_start(wri_rocks *b, rocksdb_iterator_t *it, size_t prefix, const place *at, bool forward)
{
    uint8_t *p = b->probe.p;
    if (forward) {
        b->f->iter_seek(it, (const char *)p, b->probe.len);
        return;
    }
    if (at->end) { /* the smallest key behind all of the slot's */
        size_t n = prefix;
        while (p[n - 1] == 0xff) n--;
        WR_ASSERT(n > 0); /* tables are numbered below 0xffff */
        p[n - 1]++;
        b->f->iter_seek_for_prev(it, (const char *)p, n);
        if (b->f->iter_valid(it)) {
            size_t len;
            const char *key = b->f->iter_key(it, &len);
            if (len == n && memcmp(key, p, n) == 0) b->f->iter_prev(it);
        }
        p[n - 1]--;
        return;
    }
    b->f->iter_seek_for_prev(it, (const char *)p, b->probe.len);
    if (!b->f->iter_valid(it)) return;
    size_t len;
    const char *key = b->f->iter_key(it, &len);
    if (len == b->probe.len && memcmp(key, p, len) == 0) b->f->iter_prev(it);
}

/* Up to CHUNK entries of the slot come, from `at` on or, backward, before `at`. The key of the last
 * one is in b->value then; *all: there are no more on that side. */
static wr_status
take_chunk(wr_ctx *ctx, wri_rocks *b, wri_table *t, uint32_t slot, const place *at, bool forward,
           bool *all)
{
    WR_TRY(wri_rocks_flush_batch(ctx, b));
    const uint32_t at_len = at->end ? 0 : at->len;
    if (!wri_rocks_child_key(b, t, slot, at->key, at_len, &b->probe) ||
        !wri_bytes_room(b, &b->value, 1))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    const size_t prefix = b->probe.len - at_len;
    rocksdb_iterator_t *it = wri_rocks_scan(b);
    find_start(b, it, prefix, at, forward);
    wr_status status = WR_OK;
    *all = true;
    b->value.len = 0;
    for (uint32_t n = 0; status == WR_OK && b->f->iter_valid(it); n++) {
        size_t len, value_len;
        const uint8_t *key = (const uint8_t *)b->f->iter_key(it, &len);
        const char *value = b->f->iter_value(it, &value_len);
        if (len < prefix || memcmp(key, b->probe.p, prefix) != 0) break;
        *all = n < CHUNK;
        if (!*all) break;
        const uint32_t key_len = (uint32_t)(len - prefix);
        uint32_t entry;
        status = wri_rocks_take_child(ctx, t, slot, key + prefix, key_len, (const uint8_t *)value,
                                      value_len, &entry);
        if (!wri_bytes_room(b, &b->value, (size_t)key_len + 1))
            status = wr_raise(ctx, WR_NOMEM, "out of memory");
        if (status == WR_OK && key_len) memcpy(b->value.p, key + prefix, key_len);
        b->value.len = key_len;
        if (forward)
            b->f->iter_next(it);
        else
            b->f->iter_prev(it);
    }
    return wri_rocks_scan_end(ctx, b->f, it, status);
}

/* The stretch goes on from `at` to the right: it is covered from there (or from further left) to
 * behind CHUNK more entries. */
static wr_status
extend_right(wr_ctx *ctx, wri_rocks *b, wri_table *t, uint32_t slot, const place *at)
{
    wri_reach *r = wri_reach_find(t, slot);
    const bool joins =
        r->covered && !r->to.open && !at->end && wri_bound_compare(at->key, at->len, &r->to) == 0;
    bool all;
    WR_TRY(take_chunk(ctx, b, t, slot, at, true, &all));
    if (!joins) WR_TRY(set_bound(ctx, t, &r->from, at));
    r->covered = false;
    b->value.p[b->value.len] = 0; /* the key next to the last one; take_chunk has made room */
    const place to = {b->value.p, (uint32_t)b->value.len + 1, all};
    WR_TRY(set_bound(ctx, t, &r->to, &to));
    r->covered = true;
    return WR_OK;
}

static wr_status
extend_left(wr_ctx *ctx, wri_rocks *b, wri_table *t, uint32_t slot, const place *at)
{
    wri_reach *r = wri_reach_find(t, slot);
    const bool joins = r->covered && !r->from.open && !at->end &&
                       wri_bound_compare(at->key, at->len, &r->from) == 0;
    bool all;
    WR_TRY(take_chunk(ctx, b, t, slot, at, false, &all));
    if (!joins) WR_TRY(set_bound(ctx, t, &r->to, at));
    r->covered = false;
    const place from = {b->value.p, (uint32_t)b->value.len, all};
    WR_TRY(set_bound(ctx, t, &r->from, &from));
    r->covered = true;
    return WR_OK;
}

/* ---- seeking --------------------------------------------------------------------------------- */

/* The place is kept while stretches change. */
static bool
keep(wri_rocks *b, place *p)
{
    if (p->end) return true;
    if (!wri_bytes_room(b, &b->seek, (size_t)p->len + 1)) return false;
    if (p->len) memmove(b->seek.p, p->key, p->len);
    p->key = b->seek.p;
    return true;
}

/* The bound as a place; its bytes are copied since the bound is about to change. */
static wr_status
place_of(wr_ctx *ctx, wri_rocks *b, const wri_bound *bound, place *out)
{
    if (!wri_bytes_room(b, &b->edge, (size_t)bound->len + 1))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    if (bound->len) memcpy(b->edge.p, bound->key, bound->len);
    *out = (place){b->edge.p, bound->len, bound->open};
    return WR_OK;
}

/* The first entry at or behind `at` comes into the cache, and with it the certainty that it is the
 * first. */
static wr_status
reach_right(wr_ctx *ctx, wri_rocks *b, wri_table *t, uint32_t slot, const place *at)
{
    wri_reach *r = wri_reach_find(t, slot);
    const bool covered =
        r->covered && (at->end ? r->from.open : wri_reach_covers(r, at->key, at->len));
    if (!covered) WR_TRY(extend_right(ctx, b, t, slot, at));
    while (!r->to.open && r->absent) {
        wr_state_iter it;
        if (wri_ord_seek(&t->base, slot, at->key, at->end ? 0 : at->len, &it) &&
            wri_bound_compare(it.key, it.key_len, &r->to) < 0)
            return WR_OK;
        place edge;
        WR_TRY(place_of(ctx, b, &r->to, &edge));
        WR_TRY(extend_right(ctx, b, t, slot, &edge));
    }
    return WR_OK;
}

/* The same for the last entry before `at` (all: at->end). */
static wr_status
reach_left(wr_ctx *ctx, wri_rocks *b, wri_table *t, uint32_t slot, const place *at)
{
    wri_reach *r = wri_reach_find(t, slot);
    bool covered = r->covered &&
                   (r->to.open || (!at->end && wri_bound_compare(at->key, at->len, &r->to) <= 0));
    if (covered && !at->end && !r->from.open)
        covered = wri_bound_compare(at->key, at->len, &r->from) >= 0;
    if (!covered) WR_TRY(extend_left(ctx, b, t, slot, at));
    while (!r->from.open && r->absent) {
        wr_state_iter it;
        if (wri_ord_seek_before(&t->base, slot, at->end ? NULL : at->key, at->len, &it) &&
            wri_bound_compare(it.key, it.key_len, &r->from) >= 0)
            return WR_OK;
        place edge;
        WR_TRY(place_of(ctx, b, &r->from, &edge));
        WR_TRY(extend_left(ctx, b, t, slot, &edge));
    }
    return WR_OK;
}

/* Is there anything of the slot that is not here? */
static bool
partial(const wri_table *t, uint32_t slot)
{
    return wri_rocks_of(t)->mem.base.failed == WR_OK && wri_absent(t, slot);
}

static bool
used(wri_rocks *b, wr_state_iter *it, bool there)
{
    if (there && b->db.db) wri_use(wri_table_of(it->table), (uint32_t)it->pos[0]);
    return there && b->mem.base.failed == WR_OK;
}

/* ---- the vtable ------------------------------------------------------------------------------ */

wr_status
wri_rocks_ord_put(wr_ctx *ctx, wr_state_table *table, uint32_t slot, const uint8_t *key,
                  uint32_t len, uint8_t **rec_out, bool *fresh)
{
    wri_table *t = wri_table_of(table);
    wri_rocks *b = wri_rocks_of(t);
    WR_TRY(wri_rocks_check(ctx, b));
    if (wri_absent(t, slot)) WR_TRY(fetch_one(ctx, b, t, slot, key, len));
    return wri_ord_put(ctx, table, slot, key, len, rec_out, fresh);
}

uint8_t *
wri_rocks_ord_get(wr_state_table *table, uint32_t slot, const uint8_t *key, uint32_t len)
{
    wri_table *t = wri_table_of(table);
    wri_rocks *b = wri_rocks_of(t);
    if (partial(t, slot) && fetch_one(&b->own, b, t, slot, key, len) != WR_OK) wri_rocks_fail(b);
    if (b->mem.base.failed != WR_OK) return NULL;
    uint8_t *rec = wri_ord_get(table, slot, key, len);
    if (rec && b->db.db)
        wri_use(t, ((const wri_head *)(const void *)(rec + t->record_bytes))->self);
    return rec;
}

void
wri_rocks_ord_remove(wr_state_table *table, uint32_t slot, const uint8_t *key, uint32_t len)
{
    wri_table *t = wri_table_of(table);
    wri_rocks *b = wri_rocks_of(t);
    if (partial(t, slot) && fetch_one(&b->own, b, t, slot, key, len) != WR_OK) wri_rocks_fail(b);
    if (b->mem.base.failed == WR_OK) wri_ord_remove(table, slot, key, len);
}

/* What lies at or behind a place (before it) comes. Keys that point into entries are copied first.
 * False: it could not. */
static bool
bring(wri_rocks *b, wri_table *t, uint32_t slot, place *at, bool next_to, bool right)
{
    wr_status status = WR_OK;
    if (!keep(b, at)) status = wr_raise(&b->own, WR_NOMEM, "out of memory");
    if (status == WR_OK && !at->end && next_to) b->seek.p[at->len++] = 0;
    if (status == WR_OK)
        status = right ? reach_right(&b->own, b, t, slot, at) : reach_left(&b->own, b, t, slot, at);
    if (status != WR_OK) wri_rocks_fail(b);
    return status == WR_OK;
}

bool
wri_rocks_ord_seek(wr_state_table *table, uint32_t slot, const uint8_t *key, uint32_t len,
                   wr_state_iter *it)
{
    wri_table *t = wri_table_of(table);
    wri_rocks *b = wri_rocks_of(t);
    place at = {key, len, len == 0};
    if (partial(t, slot) && !bring(b, t, slot, &at, false, true)) return false;
    return used(b, it, wri_ord_seek(table, slot, at.key, len, it));
}

bool
wri_rocks_ord_seek_last(wr_state_table *table, uint32_t slot, const uint8_t *key, uint32_t len,
                        wr_state_iter *it)
{
    wri_table *t = wri_table_of(table);
    wri_rocks *b = wri_rocks_of(t);
    place at = {key, len, key == NULL};
    if (partial(t, slot) && !bring(b, t, slot, &at, true, false)) return false;
    return used(b, it, wri_ord_seek_last(table, slot, at.key, len, it));
}

/* Within the stretch steps are steps of the tree; where it ends, the next entry is sought. */
bool
wri_rocks_ord_next(wr_state_iter *it)
{
    wri_table *t = wri_table_of(it->table);
    wri_rocks *b = wri_rocks_of(t);
    if (!partial(t, it->slot)) return used(b, it, wri_ord_next(it));
    const wri_reach *r = wri_reach_find(t, it->slot);
    wr_state_iter next = *it;
    if (wri_reach_covers(r, it->key, it->key_len) && wri_ord_next(&next) &&
        wri_reach_covers(r, next.key, next.key_len)) {
        *it = next;
        return used(b, it, true);
    }
    place at = {it->key, it->key_len, false};
    if (!bring(b, t, it->slot, &at, true, true)) return false;
    return used(b, it, wri_ord_seek(it->table, it->slot, at.key, at.len, it));
}

bool
wri_rocks_ord_prev(wr_state_iter *it)
{
    wri_table *t = wri_table_of(it->table);
    wri_rocks *b = wri_rocks_of(t);
    if (!partial(t, it->slot)) return used(b, it, wri_ord_prev(it));
    const wri_reach *r = wri_reach_find(t, it->slot);
    wr_state_iter prev = *it;
    if (wri_reach_covers(r, it->key, it->key_len) && wri_ord_prev(&prev) &&
        wri_reach_covers(r, prev.key, prev.key_len)) {
        *it = prev;
        return used(b, it, true);
    }
    place at = {it->key, it->key_len, false};
    if (!bring(b, t, it->slot, &at, false, false)) return false;
    return used(b, it, wri_ord_seek_before(it->table, it->slot, at.key, at.len, it));
}

void
wri_rocks_ord_clear(wr_state_table *table, uint32_t slot)
{
    wri_table *t = wri_table_of(table);
    wri_ord_clear(table, slot);
    if (wri_absent(t, slot)) wri_rocks_forget_absent(t, slot);
    wri_reach_reset(t, slot);
}

#endif
