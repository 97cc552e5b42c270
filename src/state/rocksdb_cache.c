/* SPDX-License-Identifier: Apache-2.0 */
/* The cache's budget: writing changed entries back, evicting those not used lately.
 *
 * A hand goes round each table's entries; one that was used since it came by last gets another
 * round. Entries of a slot go before the slot does. The slot of the empty key (the whole state of
 * an operator without keys) stays: operators remember it. */
#include "state/rocksdb_int.h"

#ifdef WR_HAVE_ROCKSDB

#define STEP 512u /* entries of a table the hand passes in a turn */

static size_t
used_bytes(const wri_rocks *b)
{
    size_t bytes = b->mem.heap.live;
    for (const wri_table *t = b->mem.tables; t; t = t->next)
        bytes += (size_t)t->live * t->base.stride;
    return bytes;
}

static size_t
dirty_bytes(const wri_rocks *b)
{
    size_t bytes = 0;
    for (const wri_table *t = b->mem.tables; t; t = t->next)
        bytes += (size_t)t->kept->dirty_count * t->base.stride;
    return bytes;
}

/* ---- writing back ---------------------------------------------------------------------------- */

/* Children first: storing a new one changes its parent. `keep`: so many of each may stay changed.
 */
wr_status
wri_rocks_write_back(wr_ctx *ctx, wri_rocks *b, uint32_t keep)
{
    for (int parents = 0; parents < 2; parents++)
        for (wri_table *t = b->mem.tables; t; t = t->next) {
            if ((t->parent == NULL) != (parents == 1)) continue;
            while (t->kept->dirty_count > keep)
                WR_TRY(wri_rocks_store(ctx, b, t, t->kept->dirty_first - 1));
        }
    return wri_rocks_flush_batch(ctx, b);
}

/* ---- evicting -------------------------------------------------------------------------------- */

static bool
has_children(const wri_table *t, uint32_t slot)
{
    for (const wri_table *c = t->first_child; c; c = c->next_child) {
        const wri_anchor *a = wri_anchor_find(c, slot);
        if (a && a->count) return true;
    }
    return false;
}

/* The stretch of keys that is known to be here ends at this entry from now on. */
static wr_status
uncover(wr_ctx *ctx, wri_table *t, wri_reach *r, const wri_head *h)
{
    if (!wri_reach_covers(r, wri_key_of(h), h->key_len)) return WR_OK;
    return wri_bound_set(ctx, t, &r->to, wri_key_of(h), h->key_len);
}

static wr_status
evict_child(wr_ctx *ctx, wri_table *t, uint32_t entry)
{
    wri_reach *r;
    WR_TRY(wri_reach_make(ctx, t, wri_parent_slot(t, entry), &r));
    if (t->shape == WR_STATE_ORDERED) WR_TRY(uncover(ctx, t, r, wri_head_of(t, entry)));
    t->kept->quiet = true;
    wri_child_drop_entry(t, entry);
    t->kept->quiet = false;
    r->absent++;
    t->kept->absent++;
    return WR_OK;
}

static void
evict_value(wri_table *t, uint32_t slot)
{
    for (wri_table *c = t->first_child; c; c = c->next_child) wri_reach_reset(c, slot);
    t->kept->quiet = true;
    wri_value_remove(&t->base, slot);
    t->kept->quiet = false;
    t->kept->absent++;
}

static wr_status
evict(wr_ctx *ctx, wri_rocks *b, wri_table *t, uint32_t entry, bool *gone)
{
    wri_trace *trace = wri_trace_of(t, entry);
    *gone = false;
    if (trace->flags & WRI_TRACE_USED) {
        trace->flags &= ~(uint32_t)WRI_TRACE_USED;
        return WR_OK;
    }
    if (!t->parent && (t->kept->held || !wri_head_of(t, entry)->key_len || has_children(t, entry)))
        return WR_OK;
    if (trace->flags & WRI_TRACE_DIRTY) WR_TRY(wri_rocks_store(ctx, b, t, entry));
    *gone = true;
    if (t->parent) return evict_child(ctx, t, entry);
    evict_value(t, entry);
    return WR_OK;
}

static wr_status
evict_some(wr_ctx *ctx, wri_rocks *b, wri_table *t, uint32_t *gone)
{
    for (uint32_t i = 0; i < STEP && i < t->used; i++) {
        if (t->kept->hand >= t->used) t->kept->hand = 0;
        const uint32_t entry = t->kept->hand++;
        if (wri_head_of(t, entry)->key_len == WRI_FREE) continue;
        bool one;
        WR_TRY(evict(ctx, b, t, entry, &one));
        *gone += one;
    }
    return WR_OK;
}

/* Until no more than `budget` bytes are used, or nothing more can go. */
static wr_status
shrink(wr_ctx *ctx, wri_rocks *b, size_t budget)
{
    uint64_t entries = 0, seen = 0;
    for (const wri_table *t = b->mem.tables; t; t = t->next) entries += t->used;
    /* in vain: once for the mark of use, once for slots whose entries went, and once more */
    while (used_bytes(b) > budget && seen < 4 * entries + 4 * STEP) {
        uint32_t gone = 0;
        for (wri_table *t = b->mem.tables; t; t = t->next) WR_TRY(evict_some(ctx, b, t, &gone));
        seen = gone ? 0 : seen + STEP;
    }
    return WR_OK;
}

wr_status
wri_rocks_trim(wr_ctx *ctx, wr_state_backend *backend)
{
    wri_rocks *b = (wri_rocks *)(void *)backend;
    WR_TRY(wri_rocks_check(ctx, b));
    wri_rocks_walk_end(b);
    const size_t used = used_bytes(b);
    if (used > b->cache_bytes) {
        b->cache_bytes = wri_rocks_entry_bytes(&b->options, wri_rocks_backends());
        if (used > b->cache_bytes) {
            WR_TRY(wri_rocks_need_db(ctx, b));
            WR_TRY(shrink(ctx, b, b->cache_bytes / 8 * 7));
        }
    }
    size_t waiting = 0;
    if (b->batch) (void)b->f->writebatch_data(b->batch, &waiting);
    if (waiting >= b->options.write_batch_bytes) WR_TRY(wri_rocks_flush_batch(ctx, b));
    if (!b->db.db || dirty_bytes(b) <= b->options.dirty_bytes) return WR_OK;
    size_t stride = 0;
    for (const wri_table *t = b->mem.tables; t; t = t->next) stride += t->base.stride;
    return wri_rocks_write_back(ctx, b, (uint32_t)(b->options.dirty_bytes / 2 / stride));
}

/* ---- what is to go from the database --------------------------------------------------------- */

void
wri_rocks_forget(wri_table *t, uint32_t entry)
{
    wri_rocks *b = wri_rocks_of(t);
    if (wri_rocks_entry_key(b, t, entry, &b->key)) {
        b->f->writebatch_delete(b->batch, (const char *)b->key.p, b->key.len);
    } else {
        (void)wr_raise(&b->own, WR_NOMEM, "out of memory");
        wri_rocks_fail(b);
    }
}

/* All stored entries of a slot: those that were here have been told to go one by one. */
static wr_status
delete_stored(wr_ctx *ctx, wri_rocks *b, wri_table *t, uint32_t slot)
{
    WR_TRY(wri_rocks_flush_batch(ctx, b));
    if (!wri_rocks_child_key(b, t, slot, NULL, 0, &b->probe))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    const size_t prefix = b->probe.len;
    rocksdb_iterator_t *it = wri_rocks_scan(b);
    b->f->iter_seek(it, (const char *)b->probe.p, prefix);
    for (; b->f->iter_valid(it); b->f->iter_next(it)) {
        size_t len;
        const char *key = b->f->iter_key(it, &len);
        if (len < prefix || memcmp(key, b->probe.p, prefix) != 0) break;
        b->f->writebatch_delete(b->batch, key, len);
    }
    return wri_rocks_scan_end(ctx, b->f, it, WR_OK);
}

void
wri_rocks_forget_absent(wri_table *t, uint32_t slot)
{
    wri_rocks *b = wri_rocks_of(t);
    wri_reach *r = wri_reach_find(t, slot);
    t->kept->absent -= WR_MIN(t->kept->absent, r->absent);
    r->absent = 0;
    wri_kept_mark(t->parent, slot);
    if (b->mem.base.failed == WR_OK && delete_stored(&b->own, b, t, slot) != WR_OK)
        wri_rocks_fail(b);
}

#endif
