/* SPDX-License-Identifier: Apache-2.0 */
/* Between cache and database. What is to be written waits in one batch that goes before anything is
 * read, so reads see it. While a snapshot's thread links the files, only as much may be written as
 * surely stays in memory. */
#include "state/rocksdb_int.h"

#ifdef WR_HAVE_ROCKSDB

#include <stdio.h>

#define POLL_NS 200000

/* ---- failures of methods without a status ---------------------------------------------------- */

void
wri_rocks_fail(wri_rocks *b)
{
    WR_ASSERT(b->own.err.status != WR_OK);
    b->mem.base.failed = b->own.err.status;
}

wr_status
wri_rocks_check(wr_ctx *ctx, wri_rocks *b)
{
    return b->mem.base.failed == WR_OK
               ? WR_OK
               : wr_raise(ctx, b->mem.base.failed, "%s", b->own.err.message);
}

wr_status
wri_rocks_corrupt(wr_ctx *ctx, const wr_state_table_info *t)
{
    return wr_raise(ctx, WR_CORRUPT, "an entry of state '%.*s' in RocksDB makes no sense",
                    WR_STR_ARG(t->logical_id));
}

/* ---- the database ---------------------------------------------------------------------------- */

wr_status
wri_rocks_need_dir(wr_ctx *ctx, wri_rocks *b)
{
    if (b->dir.path[0]) return WR_OK;
    char base[WR_OS_PATH_MAX];
    (void)snprintf(base, sizeof base, "%.*s", WR_STR_ARG(b->options.local_dir));
    return wri_rocks_dir_open(ctx, base, &b->dir);
}

wr_status
wri_rocks_need_db(wr_ctx *ctx, wri_rocks *b)
{
    if (b->db.db) return WR_OK;
    char path[WR_OS_PATH_MAX];
    WR_TRY(wri_rocks_need_dir(ctx, b));
    (void)snprintf(path, sizeof path, "%.*s/db", WR_OS_PATH_MAX - 16, b->dir.path);
    WR_TRY(wri_rocks_db_open(ctx, b->f, &b->options, wri_rocks_backends(), path, &b->db));
    if (!b->batch) b->batch = b->f->writebatch_create();
    return WR_OK;
}

/* How much may be written is told by wri_rocks_snapshot. Linking takes as long as a write buffer
 * takes to become a file. */
static void
wait_for_links(wri_rocks *b, size_t bytes)
{
    if (!wr_os_load(&b->linking)) return;
    if (bytes <= b->linking_left) {
        b->linking_left -= bytes;
        return;
    }
    while (wr_os_load(&b->linking)) {
        wr_os_sleep_ns(POLL_NS);
        wri_rocks_nudge(b);
    }
}

wr_status
wri_rocks_flush_batch(wr_ctx *ctx, wri_rocks *b)
{
    if (!b->batch || !b->f->writebatch_count(b->batch)) return WR_OK;
    size_t bytes = 0;
    (void)b->f->writebatch_data(b->batch, &bytes);
    wait_for_links(b, bytes);
    char *why = NULL;
    b->f->write(b->db.db, b->db.write, b->batch, &why);
    if (why) return wri_rocks_raise(ctx, b->f, "write", why);
    b->f->writebatch_clear(b->batch);
    return WR_OK;
}

wr_status
wri_rocks_store(wr_ctx *ctx, wri_rocks *b, wri_table *t, uint32_t entry)
{
    WR_ASSERT(b->db.db != NULL);
    if (!wri_rocks_entry_key(b, t, entry, &b->key) ||
        !wri_rocks_entry_value(b, t, entry, &b->value))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    b->f->writebatch_put(b->batch, (const char *)b->key.p, b->key.len, (const char *)b->value.p,
                         b->value.len);
    wri_kept_clean(t, entry);
    wri_trace *trace = wri_trace_of(t, entry);
    /* the parent's record tells how many entries there are */
    if (t->parent && !(trace->flags & WRI_TRACE_STORED))
        wri_kept_mark(t->parent, wri_parent_slot(t, entry));
    trace->flags |= WRI_TRACE_STORED;
    size_t bytes = 0;
    (void)b->f->writebatch_data(b->batch, &bytes);
    return bytes < b->options.write_batch_bytes ? WR_OK : wri_rocks_flush_batch(ctx, b);
}

/* ---- reading --------------------------------------------------------------------------------- */

wr_status
wri_rocks_get(wr_ctx *ctx, wri_rocks *b, const uint8_t *key, size_t len, wri_rocks_found found,
              void *arg)
{
    WR_TRY(wri_rocks_flush_batch(ctx, b));
    char *why = NULL;
    rocksdb_pinnableslice_t *slice =
        b->f->get_pinned(b->db.db, b->db.read, (const char *)key, len, &why);
    if (why) return wri_rocks_raise(ctx, b->f, "read", why);
    if (!slice) return WR_OK;
    const char *value = b->f->pinnableslice_value(slice, &len);
    const wr_status status = found(ctx, arg, (const uint8_t *)value, len);
    b->f->pinnableslice_destroy(slice);
    return status;
}

static wr_status
take(wr_ctx *ctx, const wri_rocks_fetch *f, uint32_t i, const uint8_t *value, size_t len)
{
    wri_table *t = f->t;
    wri_rocks_parts k;
    if (!wri_rocks_key_parts(f->b->probe.p + f->off[i], f->off[i + 1] - f->off[i],
                             t->parent != NULL, &k))
        return wri_rocks_corrupt(ctx, &t->info);
    uint32_t entry;
    if (!t->parent) return wri_rocks_take_value(ctx, f->b, t, &k, value, len, &entry);
    return wri_rocks_take_child(ctx, t, f->slot[i], k.key, k.key_len, value, len, &entry);
}

static wr_status
take_found(wr_ctx *ctx, wri_rocks_fetch *f, uint32_t n)
{
    const wri_rocks_fns *fns = f->b->f;
    wr_status status = WR_OK;
    for (uint32_t i = 0; i < n; i++) {
        if (f->errors[i] && status == WR_OK)
            status = wri_rocks_raise(ctx, fns, "read", f->errors[i]);
        else if (f->errors[i])
            fns->free(f->errors[i]);
        if (!f->slices[i]) continue;
        size_t len = 0;
        const char *p = fns->pinnableslice_value(f->slices[i], &len);
        if (status == WR_OK) status = take(ctx, f, i, (const uint8_t *)p, len);
        fns->pinnableslice_destroy(f->slices[i]);
    }
    return status;
}

wr_status
wri_rocks_fetch_begin(wr_ctx *ctx, wri_rocks *b, wri_table *t, wri_rocks_fetch **out)
{
    if (!b->fetch) b->fetch = wr_mem_alloc(b->mem.budget, sizeof *b->fetch);
    WR_TRY_ALLOC(ctx, b->fetch);
    *out = b->fetch;
    (*out)->b = b;
    (*out)->t = t;
    (*out)->n = 0;
    return WR_OK;
}

wr_status
wri_rocks_fetch_now(wr_ctx *ctx, wri_rocks_fetch *f)
{
    if (!f->n) return WR_OK;
    wri_rocks *b = f->b;
    const uint32_t n = f->n;
    f->n = 0;
    WR_TRY(wri_rocks_flush_batch(ctx, b));
    for (uint32_t i = 0; i < n; i++) {
        f->key[i] = (const char *)b->probe.p + f->off[i];
        f->len[i] = f->off[i + 1] - f->off[i];
        f->slices[i] = NULL;
        f->errors[i] = NULL;
    }
    if (n == 1)
        f->slices[0] = b->f->get_pinned(b->db.db, b->db.read, f->key[0], f->len[0], &f->errors[0]);
    else
        b->f->batched_multi_get_cf(b->db.db, b->db.read, b->db.family, n, f->key, f->len, f->slices,
                                   f->errors, false);
    return take_found(ctx, f, n);
}

wr_status
wri_rocks_fetch_add(wr_ctx *ctx, wri_rocks_fetch *f, uint32_t slot, uint64_t hash,
                    const uint8_t *key, uint32_t len)
{
    if (f->n == WRI_ROCKS_BATCH) WR_TRY(wri_rocks_fetch_now(ctx, f));
    wri_rocks *b = f->b;
    const size_t at = f->n ? f->off[f->n] : 0;
    const bool made = f->t->parent ? wri_rocks_child_key(b, f->t, slot, key, len, &b->key)
                                   : wri_rocks_key(b, f->t, hash, key, len, &b->key);
    if (!made || !wri_bytes_room(b, &b->probe, at + b->key.len))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    memcpy(b->probe.p + at, b->key.p, b->key.len);
    f->slot[f->n] = slot;
    f->off[f->n] = at;
    f->off[++f->n] = at + b->key.len;
    return WR_OK;
}

wr_status
wri_rocks_fetch_child(wr_ctx *ctx, wri_rocks *b, wri_table *t, uint32_t slot, const uint8_t *key,
                      uint32_t len)
{
    wri_rocks_fetch *f;
    WR_TRY(wri_rocks_fetch_begin(ctx, b, t, &f));
    WR_TRY(wri_rocks_fetch_add(ctx, f, slot, 0, key, len));
    return wri_rocks_fetch_now(ctx, f);
}

wr_status
wri_rocks_hash_of(wr_ctx *ctx, const wri_rocks_fns *f, rocksdb_t *db, rocksdb_readoptions_t *read,
                  const wr_state_table_info *info, const uint8_t *key, size_t len, uint64_t *hash)
{
    char *why = NULL;
    rocksdb_pinnableslice_t *slice = f->get_pinned(db, read, (const char *)key, len, &why);
    if (why) return wri_rocks_raise(ctx, f, "read", why);
    if (!slice) return wri_rocks_corrupt(ctx, info);
    size_t value_len;
    const char *value = f->pinnableslice_value(slice, &value_len);
    wri_rocks_value v;
    const bool good = wri_rocks_value_parts(info, (const uint8_t *)value, value_len, &v);
    *hash = v.hash;
    f->pinnableslice_destroy(slice);
    return good ? WR_OK : wri_rocks_corrupt(ctx, info);
}

rocksdb_iterator_t *
wri_rocks_scan(wri_rocks *b)
{
    return b->f->create_iterator(b->db.db, b->db.read);
}

wr_status
wri_rocks_scan_end(wr_ctx *ctx, const wri_rocks_fns *f, rocksdb_iterator_t *take_it,
                   wr_status status)
{
    char *why = NULL;
    f->iter_get_error(take_it, &why);
    f->iter_destroy(take_it);
    if (!why) return status;
    if (status == WR_OK) return wri_rocks_raise(ctx, f, "read", why);
    f->free(why);
    return status;
}

/* ---- stored entries come into the cache ------------------------------------------------------ */

/* What is stored of the children of a slot that has just come. */
static wr_status
load_children(wr_ctx *ctx, wri_table *t, uint32_t slot, const wri_rocks_value *v)
{
    for (uint32_t i = 0; i < v->children; i++) {
        const wri_rocks_child k = wri_rocks_child_at(v, i);
        wri_table *c = t->first_child;
        while (c && c->kept->id != k.table) c = c->next_child;
        if (!c) continue; /* a table that is no longer opened */
        wri_reach *r;
        wri_anchor *a;
        WR_TRY(wri_reach_make(ctx, c, slot, &r));
        WR_TRY(wri_anchor_make(ctx, c, slot, &a));
        r->absent = k.count;
        if (c->shape == WR_STATE_MAP) a->top = k.seq;
    }
    return WR_OK;
}

wr_status
wri_rocks_load(wr_ctx *ctx, wri_table *t, uint32_t entry, const wri_rocks_value *v)
{
    uint8_t *rec = wr_state_rec(&t->base, entry), *data;
    if (t->record_bytes) memcpy(rec, v->rec, t->record_bytes);
    const uint8_t *at = v->blobs;
    uint32_t offset, len;
    while (wri_rocks_blob_next(v, &at, &offset, (const uint8_t **)&data, &len)) {
        wr_blob *blob = (wr_blob *)(void *)(rec + offset);
        *blob = (wr_blob){0};
        WR_TRY(wri_blob_set(ctx, &t->base, blob, data, len));
    }
    if (t->shape == WR_STATE_VALUE) WR_TRY(load_children(ctx, t, entry, v));
    if (t->time_offset) *wri_time_of(t, entry) = v->time;
    wri_kept_clean(t, entry);
    wri_trace_of(t, entry)->flags = WRI_TRACE_STORED | WRI_TRACE_USED;
    return WR_OK;
}

wr_status
wri_rocks_take_value(wr_ctx *ctx, wri_rocks *b, wri_table *t, const wri_rocks_parts *k,
                     const uint8_t *value, size_t len, uint32_t *entry)
{
    wri_rocks_value v;
    if (!wri_rocks_value_parts(&t->info, value, len, &v) ||
        wr_key_group(v.hash, b->mem.max_parallelism) != k->kg || k->kg < b->mem.kg_first ||
        k->kg > b->mem.kg_last)
        return wri_rocks_corrupt(ctx, &t->info);
    bool twice;
    *entry = WRI_NIL;
    uint32_t slot;
    WR_TRY(wri_value_add(ctx, t, v.hash, k->key, k->key_len, &slot, &twice));
    if (twice) return WR_OK;
    wr_status status = wri_rocks_load(ctx, t, slot, &v);
    if (status == WR_OK && !t->kept->absent) status = wri_rocks_corrupt(ctx, &t->info);
    if (status != WR_OK) {
        for (wri_table *c = t->first_child; c; c = c->next_child) wri_reach_reset(c, slot);
        t->kept->quiet = true;
        wri_value_remove(&t->base, slot);
        t->kept->quiet = false;
        return status;
    }
    t->kept->absent--;
    *entry = slot;
    return WR_OK;
}

wr_status
wri_rocks_take_child(wr_ctx *ctx, wri_table *t, uint32_t slot, const uint8_t *key, uint32_t key_len,
                     const uint8_t *value, size_t len, uint32_t *entry)
{
    wri_rocks_value v;
    wri_reach *r = wri_reach_find(t, slot);
    *entry = WRI_NIL;
    if (!wri_rocks_value_parts(&t->info, value, len, &v) || !r)
        return wri_rocks_corrupt(ctx, &t->info);
    bool twice;
    uint32_t at;
    if (t->shape == WR_STATE_MAP)
        WR_TRY(wri_map_add(ctx, t, slot, v.hash, v.seq, key, key_len, &at, &twice));
    else
        WR_TRY(wri_ord_restore(ctx, t, slot, key, key_len, &at, &twice));
    if (twice) return WR_OK;
    r->unsorted = true;
    wr_status status = wri_rocks_load(ctx, t, at, &v);
    if (status == WR_OK && (!r->absent || !t->kept->absent))
        status = wri_rocks_corrupt(ctx, &t->info);
    if (status != WR_OK) {
        t->kept->quiet = true;
        wri_child_drop_entry(t, at);
        t->kept->quiet = false;
        return status;
    }
    r->absent--;
    t->kept->absent--;
    *entry = at;
    return WR_OK;
}

#endif
