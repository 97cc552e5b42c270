/* SPDX-License-Identifier: Apache-2.0 */
/* The cache's budget: writing changed entries back, evicting those not used lately.
 *
 * A hand goes round each table's entries; one that was used since it came by last gets another
 * round. Entries of a slot go before the slot does. The slot of the empty key (the whole state of
 * an operator without keys) stays: operators remember it. */
#include "state/rocksdb_int.h"

#ifdef WR_HAVE_ROCKSDB

#include <stdlib.h>

/* Entries of a table that the hand passes in a turn: a part of them all */
#define STEPS    16u
#define STEP_MIN 512u

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

/* ---- many at once ---------------------------------------------------------------------------- */

static wr_status
list_begin(wr_ctx *ctx, wri_rocks *b, wri_rocks_list **out)
{
    if (!b->list) b->list = wr_mem_alloc(b->mem.budget, sizeof *b->list);
    WR_TRY_ALLOC(ctx, b->list);
    b->list->n = 0;
    *out = b->list;
    return WR_OK;
}

static void
list_add(wri_rocks_list *l, const wri_rocks *b, const wri_table *t, uint32_t entry)
{
    WR_ASSERT(l->n < WRI_ROCKS_LIST);
    const wri_head *h =
        t->parent ? wri_head_of(t->parent, wri_parent_slot(t, entry)) : wri_head_of(t, entry);
    const uint64_t kg = wr_key_group(h->hash, b->mem.max_parallelism);
    const uint64_t start = wri_pad8(wri_key_of(h), WR_MIN(h->key_len, 8u));
    l->items[l->n].order = kg << 48 | __builtin_bswap64(start) >> 16;
    l->items[l->n++].entry = entry;
}

static int
by_order(const void *a, const void *b)
{
    const uint64_t x = ((const struct wri_rocks_listed *)a)->order;
    const uint64_t y = ((const struct wri_rocks_listed *)b)->order;
    return (x > y) - (x < y);
}

/* Those of the list that are changed. It is sorted then. */
static wr_status
store_listed(wr_ctx *ctx, wri_rocks *b, wri_table *t, wri_rocks_list *l)
{
    qsort(l->items, l->n, sizeof *l->items, by_order);
    for (uint32_t i = 0; i < l->n; i++)
        if (wri_trace_of(t, l->items[i].entry)->flags & WRI_TRACE_DIRTY)
            WR_TRY(wri_rocks_store(ctx, b, t, l->items[i].entry));
    return WR_OK;
}

/* ---- writing back ---------------------------------------------------------------------------- */

/* Those that changed first, until `keep` are left. */
static wr_status
store_oldest(wr_ctx *ctx, wri_rocks *b, wri_table *t, uint32_t keep)
{
    while (t->kept->dirty_count > keep) {
        wri_rocks_list *l;
        WR_TRY(list_begin(ctx, b, &l));
        const uint32_t n = WR_MIN(t->kept->dirty_count - keep, WRI_ROCKS_LIST);
        for (uint32_t at = t->kept->dirty_first; l->n < n; at = wri_trace_of(t, at - 1)->next)
            list_add(l, b, t, at - 1);
        WR_TRY(store_listed(ctx, b, t, l));
    }
    return WR_OK;
}

/* Children first: storing a new one changes its parent. `keep`: so many of each may stay changed.
 */
wr_status
wri_rocks_write_back(wr_ctx *ctx, wri_rocks *b, uint32_t keep)
{
    for (int parents = 0; parents < 2; parents++)
        for (wri_table *t = b->mem.tables; t; t = t->next)
            if ((t->parent == NULL) == (parents == 1)) WR_TRY(store_oldest(ctx, b, t, keep));
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

/* May it leave? One that was used gets another round. */
static bool
may_leave(wri_table *t, uint32_t entry)
{
    wri_trace *trace = wri_trace_of(t, entry);
    if (wri_head_of(t, entry)->key_len == WRI_FREE) return false;
    if (trace->flags & WRI_TRACE_USED) {
        trace->flags &= ~(uint32_t)WRI_TRACE_USED;
        return false;
    }
    return t->parent ||
           (!t->kept->held && wri_head_of(t, entry)->key_len && !has_children(t, entry));
}

static wr_status
evict_some(wr_ctx *ctx, wri_rocks *b, wri_table *t, uint32_t *gone)
{
    wri_rocks_list *l;
    WR_TRY(list_begin(ctx, b, &l));
    const uint32_t step = WR_MIN(WR_MAX(t->used / STEPS, STEP_MIN), WRI_ROCKS_LIST);
    for (uint32_t i = 0; i < step && i < t->used; i++) {
        if (t->kept->hand >= t->used) t->kept->hand = 0;
        const uint32_t entry = t->kept->hand++;
        if (may_leave(t, entry)) list_add(l, b, t, entry);
    }
    WR_TRY(store_listed(ctx, b, t, l));
    for (uint32_t i = 0; i < l->n; i++) {
        if (t->parent)
            WR_TRY(evict_child(ctx, t, l->items[i].entry));
        else
            evict_value(t, l->items[i].entry);
    }
    *gone += l->n;
    return WR_OK;
}

/* Until no more than `budget` bytes are used, or nothing more can go. */
static wr_status
shrink(wr_ctx *ctx, wri_rocks *b, size_t budget)
{
    uint64_t entries = 0, seen = 0;
    for (const wri_table *t = b->mem.tables; t; t = t->next) entries += t->used;
    /* in vain: once for the mark of use, once for slots whose entries went, and once more */
    while (used_bytes(b) > budget && seen < 4 * entries + 4 * STEP_MIN) {
        uint32_t gone = 0;
        for (wri_table *t = b->mem.tables; t; t = t->next) WR_TRY(evict_some(ctx, b, t, &gone));
        seen = gone ? 0 : seen + STEP_MIN;
    }
    return WR_OK;
}

wr_status
wri_rocks_trim(wr_ctx *ctx, wr_state_backend *backend)
{
    wri_rocks *b = (wri_rocks *)(void *)backend;
    WR_TRY(wri_rocks_check(ctx, b));
    wri_rocks_walk_end(b);
    wri_rocks_nudge(b);
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
