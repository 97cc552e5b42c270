/* SPDX-License-Identifier: Apache-2.0 */
/* Filling an empty backend from snapshots.
 *
 * One native snapshot of just these key groups and these tables becomes the database as it is. All
 * others are read: the files of a native snapshot make a database that is opened read-only, and its
 * entries are put into the cache and written from there, so that key groups are picked, records of
 * another layout are carried over, and counts are made anew. */
#include "state/canonical_int.h"
#include "state/rocksdb_int.h"

#ifdef WR_HAVE_ROCKSDB

#include <stdio.h>

/* ---- as it is -------------------------------------------------------------------------------- */

static bool
fits_as_it_is(const wri_rocks *b, const wr_state_handle *h, const wri_rocks_target *targets)
{
    if (h->kg_first != b->mem.kg_first || h->kg_last != b->mem.kg_last) return false;
    for (uint32_t i = 0; i < h->table_count; i++)
        if (!targets[i].t ||
            !wri_info_stays(targets[i].info, &targets[i].t->info, &targets[i].layout))
            return false;
    return true;
}

/* The next incremental snapshot goes on from the files of this one. Only the database's numbers of
 * files that are in both say that they are the same. */
static wr_status
take_uploads(wr_ctx *ctx, wri_rocks *b, const wr_state_handle *h, const wri_rocks_meta *m)
{
    wr_arena *a = wr_arena_create(b->mem.budget, 0);
    WR_TRY_ALLOC(ctx, a);
    b->upload_arena = a; /* the backend is empty: it had none */
    b->uploads = WR_NEW_N(a, wri_rocks_upload, h->file_count + (size_t)1);
    WR_TRY_ALLOC(ctx, b->uploads);
    const char *p = m->names;
    for (uint32_t i = 0; i < h->file_count; i++) {
        const wr_str name = {p + 4, wr_load32(p)};
        p += 4 + name.len;
        const uint64_t number = wri_rocks_file_number(name);
        if (!number || !h->files[i].shared) continue;
        wri_rocks_upload *u = &b->uploads[b->upload_count];
        *u = (wri_rocks_upload){number, h->files[i]};
        u->file.name = wr_arena_str(a, h->files[i].name);
        WR_TRY_ALLOC(ctx, u->file.name.ptr);
        b->upload_count++;
    }
    return WR_OK;
}

static wr_status
take_as_it_is(wr_ctx *ctx, wri_rocks *b, const wr_state_handle *h, const wri_rocks_meta *m,
              wr_state_reader *r)
{
    char path[WR_OS_PATH_MAX];
    WR_TRY(wri_rocks_need_dir(ctx, b));
    (void)snprintf(path, sizeof path, "%.*s/db", WR_OS_PATH_MAX - 16, b->dir.path);
    WR_TRY(wri_rocks_make_folder(ctx, b->mem.budget, r, h, m, path));
    WR_TRY(wri_rocks_need_db(ctx, b));
    uint32_t next = 0;
    for (uint32_t i = 0; i < h->table_count; i++) next = WR_MAX(next, wri_rocks_meta_id(m, i) + 1);
    for (wri_table *t = b->mem.tables; t; t = t->next) t->kept->id = next++;
    for (uint32_t i = 0; i < h->table_count; i++) {
        wri_table *t = wri_table_named(&b->mem, h->tables[i].logical_id);
        t->kept->id = wri_rocks_meta_id(m, i);
        t->kept->absent = h->tables[i].entries;
    }
    return r->owned ? take_uploads(ctx, b, h, m) : WR_OK;
}

/* ---- entry by entry -------------------------------------------------------------------------- */

typedef struct reading { /* one old database */
    wri_rocks *b;
    wri_rocks_db old;
    const wri_rocks_target *tables;
    const char *ids;
    uint32_t count;
    wri_rocks_filler filler;
} reading;

static uint32_t
id_of(const reading *r, uint32_t i)
{
    return wr_load32(r->ids + (size_t)i * 4);
}

/* The hash of a child's parent: from the old database. */
static wr_status
look_up_parent(wr_ctx *ctx, reading *r, uint32_t parent, const wri_rocks_parts *k, uint64_t *hash)
{
    wri_rocks *b = r->b;
    const wri_rocks_target *o = &r->tables[parent];
    if (wri_rocks_same_parent(&r->filler, o->t, k->parent, k->parent_len)) return WR_OK;
    const size_t len = (size_t)WRI_ROCKS_KEY_HEAD + k->parent_len;
    if (!wri_bytes_room(b, &b->edge, len)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    wri_rocks_key_head(b->edge.p, k->kg, id_of(r, parent));
    if (k->parent_len) memcpy(b->edge.p + WRI_ROCKS_KEY_HEAD, k->parent, k->parent_len);
    return wri_rocks_hash_of(ctx, b->f, r->old.db, r->old.read, o->info, b->edge.p, len, hash);
}

static wr_status
put_entry(wr_ctx *ctx, reading *r, const uint8_t *key, size_t key_len, const uint8_t *value,
          size_t len)
{
    const uint32_t id = (uint32_t)key[2] << 8 | key[3];
    const wri_rocks_target *o = NULL;
    for (uint32_t i = 0; i < r->count && !o; i++)
        if (id_of(r, i) == id) o = &r->tables[i];
    if (!o || !o->t) return WR_OK;
    wri_rocks_parts k;
    wri_rocks_value v;
    if (!wri_rocks_key_parts(key, key_len, o->t->parent != NULL, &k) ||
        !wri_rocks_value_parts(o->info, value, len, &v))
        return wri_rocks_corrupt(ctx, o->info);
    wri_rocks_item e = {.hash = v.hash,
                        .seq = v.seq,
                        .time = v.time,
                        .key = k.key,
                        .key_len = k.key_len,
                        .parent = k.parent,
                        .parent_len = k.parent_len,
                        .rec = v.rec,
                        .blobs = v.blobs,
                        .end = v.end};
    if (o->t->parent) WR_TRY(look_up_parent(ctx, r, (uint32_t)o->info->parent, &k, &e.parent_hash));
    bool twice;
    WR_TRY(wri_rocks_fill(ctx, &r->filler, o, &e, &twice));
    return twice ? wri_rocks_corrupt(ctx, o->info) : WR_OK;
}

static wr_status
read_all(wr_ctx *ctx, reading *r, uint32_t first, uint32_t last)
{
    const wri_rocks_fns *f = r->b->f;
    const char from[2] = {(char)(first >> 8), (char)first};
    rocksdb_iterator_t *it = f->create_iterator(r->old.db, r->old.read);
    f->iter_seek(it, from, sizeof from);
    wr_status status = WR_OK;
    for (; status == WR_OK && f->iter_valid(it); f->iter_next(it)) {
        size_t key_len, len;
        const uint8_t *key = (const uint8_t *)f->iter_key(it, &key_len);
        const uint8_t *value = (const uint8_t *)f->iter_value(it, &len);
        if (key_len < WRI_ROCKS_KEY_HEAD || ((uint32_t)key[0] << 8 | key[1]) > last) break;
        status = put_entry(ctx, r, key, key_len, value, len);
    }
    return wri_rocks_scan_end(ctx, f, it, status);
}

static wr_status
take_entries(wr_ctx *ctx, wri_rocks *b, const wr_state_handle *h, const wri_rocks_meta *m,
             const wri_rocks_target *targets, wr_state_reader *r)
{
    const uint32_t first = WR_MAX(h->kg_first, b->mem.kg_first),
                   last = WR_MIN(h->kg_last, b->mem.kg_last);
    if (first > last) return WR_OK;
    reading in = {
        .b = b, .tables = targets, .ids = m->ids, .count = h->table_count, .filler = {.b = b}};
    WR_TRY(wri_rocks_need_dir(ctx, b));
    char path[WR_OS_PATH_MAX];
    (void)snprintf(path, sizeof path, "%.*s/old", WR_OS_PATH_MAX - 16, b->dir.path);
    wr_status status = wri_rocks_make_folder(ctx, b->mem.budget, r, h, m, path);
    if (status == WR_OK) status = wri_rocks_db_open_old(ctx, b->f, path, &in.old);
    if (status == WR_OK) {
        status = read_all(ctx, &in, first, last);
        wri_rocks_db_close(&in.old);
    }
    wri_bytes_free(b, &in.filler.parent);
    wr_ctx quiet;
    wr_ctx_init(&quiet); /* what cannot be removed now goes with the backend's folder */
    (void)!wr_os_remove_tree(&quiet, path);
    return status;
}

/* ---- all handles ----------------------------------------------------------------------------- */

typedef struct source {
    const wr_state_handle *h;
    wri_rocks_target *targets;
    wri_rocks_meta meta; /* native */
} source;

static wr_status
take_source(wr_ctx *ctx, wri_rocks *b, const source *s, bool only, wr_state_reader *r, wr_arena *a)
{
    if (!wr_str_eq_c(s->h->format, WRI_NATIVE_FORMAT))
        return wri_rocks_canonical_restore(ctx, b, s->h, s->targets, r, a);
    if (only && fits_as_it_is(b, s->h, s->targets)) return take_as_it_is(ctx, b, s->h, &s->meta, r);
    return take_entries(ctx, b, s->h, &s->meta, s->targets, r);
}

/* Everything is checked before anything is filled. */
static wr_status
restore_all(wr_ctx *ctx, wri_rocks *b, const wr_state_handle *const *handles, uint32_t count,
            wr_state_reader *r, bool allow_dropped, wr_arena *a)
{
    source *list = WR_NEW_N(a, source, count + (size_t)1);
    WR_TRY_ALLOC(ctx, list);
    for (uint32_t i = 0; i < count; i++) {
        source *s = &list[i];
        s->h = handles[i];
        WR_TRY(wri_handle_check(ctx, &b->mem, s->h, allow_dropped));
        WR_TRY(wri_rocks_targets(ctx, b, s->h, allow_dropped, a, &s->targets));
        if (wr_str_eq_c(s->h->format, WRI_NATIVE_FORMAT))
            WR_TRY(wri_rocks_meta_read(ctx, s->h, &s->meta));
    }
    for (uint32_t i = 0; i < count; i++) WR_TRY(take_source(ctx, b, &list[i], count == 1, r, a));
    return WR_OK;
}

/* The memory backend's own format names parents by number: its entries come into memory all at
 * once, where they have been before. */
wr_status
wri_rocks_restore(wr_ctx *ctx, wr_state_backend *backend, const wr_state_handle *const *handles,
                  uint32_t count, wr_state_reader *r, bool allow_dropped)
{
    wri_rocks *b = (wri_rocks *)(void *)backend;
    uint32_t known = 0;
    for (uint32_t i = 0; i < count; i++)
        known += wr_str_eq_c(handles[i]->format, WRI_NATIVE_FORMAT) ||
                 wr_str_eq_c(handles[i]->format, WRI_CANON_FORMAT);
    if (!known) {
        WR_TRY(wri_restore(ctx, backend, handles, count, r, allow_dropped));
        return wri_rocks_trim(ctx, backend);
    }
    if (known < count)
        return wr_raise(ctx, WR_UNSUPPORTED,
                        "the snapshots of one operator are in several formats");
    wr_arena *a = wr_arena_create(b->mem.budget, 0);
    WR_TRY_ALLOC(ctx, a);
    const wr_status status = restore_all(ctx, b, handles, count, r, allow_dropped, a);
    wr_arena_destroy(a);
    return status == WR_OK ? wri_rocks_trim(ctx, backend) : status;
}

#endif
