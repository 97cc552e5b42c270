/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of a snapshot, one after the other, into the cache, which is trimmed on the way: so that
 * a state of any size is restored in the memory there is. */
#include "state/rocksdb_int.h"

#ifdef WR_HAVE_ROCKSDB

#define PUT_MAX 4096u /* entries between two looks at the cache's budget */

bool
wri_rocks_same_parent(const wri_rocks_filler *f, const wri_table *parent, const uint8_t *key,
                      uint32_t len)
{
    return f->slot_table == parent && f->parent.len == len &&
           (!len || memcmp(f->parent.p, key, len) == 0);
}

/* The slot that an item's parent has now. */
static wr_status
find_slot(wr_ctx *ctx, wri_rocks_filler *f, const wri_rocks_target *o, const wri_rocks_item *e)
{
    wri_table *parent = o->t->parent;
    if (wri_rocks_same_parent(f, parent, e->parent, e->parent_len)) return WR_OK;
    if (!wri_bytes_room(f->b, &f->parent, (size_t)e->parent_len + 1))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    if (e->parent_len) memcpy(f->parent.p, e->parent, e->parent_len);
    f->parent.len = e->parent_len;
    const uint8_t *key = f->parent.p;
    uint32_t off[2] = {0, e->parent_len};
    uint64_t hash = e->parent_hash;
    WR_TRY(wri_layout_key(ctx, &o->parent->layout, &key, &off[1], &hash));
    const wr_keys one = {.n = 1, .hash = &hash, .data = key, .off = off};
    WR_TRY(wri_rocks_resolve(ctx, &parent->base, &one, WR_STATE_READ, &f->slot, NULL));
    f->slot_table = parent;
    return WR_OK;
}

static wr_status
add_child(wr_ctx *ctx, wri_table *t, uint32_t slot, const wri_rocks_item *e, uint32_t *entry,
          bool *twice)
{
    if (t->shape == WR_STATE_ORDERED)
        return wri_ord_restore(ctx, t, slot, e->key, e->key_len, entry, twice);
    wri_reach *reach;
    WR_TRY(wri_reach_make(ctx, t, slot, &reach));
    WR_TRY(wri_map_add(ctx, t, slot, e->hash, e->seq, e->key, e->key_len, entry, twice));
    reach->unsorted = true;
    wri_anchor *a = wri_anchor_find(t, slot);
    a->top = WR_MAX(a->top, e->seq);
    return WR_OK;
}

static wr_status
fill_record(wr_ctx *ctx, const wri_rocks_target *o, const wri_rocks_item *e, uint32_t entry)
{
    wri_table *t = o->t;
    uint8_t *rec = wr_state_rec(&t->base, entry);
    for (uint32_t i = 0; i < o->layout.moves.count; i++) {
        const wri_move *m = &o->layout.moves.items[i];
        memcpy(rec + m->to, e->rec + m->from, m->bytes);
    }
    if (t->time_offset && o->info->ttl_ms > 0) *wri_time_of(t, entry) = e->time;
    for (const uint8_t *p = e->blobs; p < e->end;) {
        const uint32_t offset = wr_load32(p), bytes = wr_load32(p + 4);
        const uint8_t *data = p + 8;
        uint32_t to, len = bytes;
        p = data + bytes;
        WR_TRY(wri_layout_blob(ctx, &o->layout, offset, &data, &len, &to));
        if (to == UINT32_MAX) continue;
        wr_blob *blob = (wr_blob *)(void *)(rec + to);
        *blob = (wr_blob){0};
        WR_TRY(wri_blob_set(ctx, &t->base, blob, data, len));
    }
    return WR_OK;
}

static wr_status
put(wr_ctx *ctx, wri_rocks_filler *f, const wri_rocks_target *o, wri_rocks_item *e, bool *twice)
{
    wri_table *t = o->t;
    uint32_t entry;
    *twice = false;
    WR_TRY(wri_layout_key(ctx, &o->layout, &e->key, &e->key_len, &e->hash));
    if (t->parent) {
        WR_TRY(find_slot(ctx, f, o, e));
        if (f->slot == WR_SLOT_NONE) return WR_OK; /* expired by now */
        WR_TRY(add_child(ctx, t, f->slot, e, &entry, twice));
    } else {
        WR_TRY(wri_value_add(ctx, t, e->hash, e->key, e->key_len, &entry, twice));
    }
    return *twice ? WR_OK : fill_record(ctx, o, e, entry);
}

wr_status
wri_rocks_fill(wr_ctx *ctx, wri_rocks_filler *f, const wri_rocks_target *o, wri_rocks_item *e,
               bool *twice)
{
    const wr_arena_mark mark = wr_arena_get_mark(o->layout.arena);
    WR_TRY(put(ctx, f, o, e, twice));
    wr_arena_pop(o->layout.arena, mark);
    if (++f->put < PUT_MAX) return WR_OK;
    f->put = 0;
    f->slot_table = NULL; /* slots may change */
    return wri_rocks_trim(ctx, &f->b->mem.base);
}

wr_status
wri_rocks_targets(wr_ctx *ctx, wri_rocks *b, const wr_state_handle *h, bool allow_dropped,
                  wr_arena *a, wri_rocks_target **out)
{
    wri_rocks_target *list = *out = WR_NEW_N(a, wri_rocks_target, h->table_count + (size_t)1);
    WR_TRY_ALLOC(ctx, list);
    for (uint32_t i = 0; i < h->table_count; i++) {
        wri_rocks_target *o = &list[i];
        o->info = &h->tables[i];
        o->t = wri_table_named(&b->mem, o->info->logical_id);
        if (!o->t) continue;
        WR_TRY(wri_info_match(ctx, a, o->info, &o->t->info, allow_dropped, &o->layout));
        if (!o->t->parent) continue;
        if ((uint32_t)o->info->parent < i) o->parent = &list[o->info->parent];
        if (!o->parent || o->parent->t != o->t->parent)
            return wr_raise(ctx, WR_SEMANTIC,
                            "state '%.*s' belongs to another table in the snapshot",
                            WR_STR_ARG(o->t->info.logical_id));
    }
    return WR_OK;
}

#endif
