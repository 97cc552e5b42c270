/* SPDX-License-Identifier: Apache-2.0 */
/* Native snapshots read back: the files of a handle become a database in a folder, every one
 * checked against its checksum on the way; its entries as canonical ones, for whoever does not keep
 * them as they are stored. */
#include "state/canonical_int.h"
#include "state/rocksdb_int.h"

#ifdef WR_HAVE_ROCKSDB

#include <stdio.h>

#define COPY_BYTES ((size_t)1 << 20)

/* ---- what a handle says ---------------------------------------------------------------------- */

static wr_status
damaged(wr_ctx *ctx)
{
    return wr_raise(ctx, WR_CORRUPT, "the description of a state snapshot is damaged");
}

wr_status
wri_rocks_meta_read(wr_ctx *ctx, const wr_state_handle *h, wri_rocks_meta *m)
{
    const char *p = h->meta.ptr, *end = p + h->meta.len;
    if (h->meta.len < 12) return damaged(ctx);
    if (wr_load32(p) != 1)
        return wr_raise(ctx, WR_UNSUPPORTED, "version %u of state format 'rocksdb' is not known",
                        wr_load32(p));
    if (wr_load32(p + 4) != h->table_count || wr_load32(p + 8) != h->file_count)
        return damaged(ctx);
    p += 12;
    if ((size_t)(end - p) / 4 < h->table_count) return damaged(ctx);
    m->ids = p;
    m->names = p += (size_t)h->table_count * 4;
    for (uint32_t i = 0; i < h->table_count; i++)
        if (wri_rocks_meta_id(m, i) >= 2 * WRI_ROCKS_TABLES) return damaged(ctx);
    for (uint32_t i = 0; i < h->file_count; i++) {
        if (end - p < 4) return damaged(ctx);
        const uint32_t len = wr_load32(p);
        p += 4;
        if (!len || len > 64 || len > (size_t)(end - p) || memchr(p, '/', len) || p[0] == '.')
            return damaged(ctx);
        p += len;
    }
    return p == end ? WR_OK : damaged(ctx);
}

/* ---- a folder from the files of a handle ----------------------------------------------------- */

static wr_status
copy_bytes(wr_ctx *ctx, wr_file *in, const wr_state_file *file, wr_os_file *out, uint8_t *buf)
{
    wr_hasher sum;
    wr_hasher_init(&sum, 0);
    for (uint64_t at = 0; at < file->bytes;) {
        size_t got = 0;
        WR_TRY(in->ops->read_at(ctx, in, at, buf, COPY_BYTES, &got));
        if (!got)
            return wr_raise(ctx, WR_CORRUPT, "state file '%.*s' is too short",
                            WR_STR_ARG(file->name));
        wr_hasher_put(&sum, buf, got);
        WR_TRY(wr_os_file_write(ctx, out, buf, got));
        at += got;
    }
    if (wr_hasher_get(&sum) == file->checksum) return WR_OK;
    (void)wr_raise(ctx, WR_CORRUPT, "state file '%.*s' is damaged: its checksum does not match",
                   WR_STR_ARG(file->name));
    wr_hint(ctx, "Restore from an earlier checkpoint.");
    return WR_CORRUPT;
}

static wr_status
copy_to(wr_ctx *ctx, wr_memtrack *budget, wr_file *in, const wr_state_file *file, const char *to)
{
    wr_os_file out;
    uint8_t *buf = wr_mem_alloc(budget, COPY_BYTES);
    WR_TRY_ALLOC(ctx, buf);
    wr_status status = wr_os_file_open(ctx, to, WR_OS_WRITE_NEW, &out);
    if (status == WR_OK) {
        status = copy_bytes(ctx, in, file, &out, buf);
        if (status == WR_OK)
            status = wr_os_file_finish(ctx, &out);
        else
            wr_os_file_close(&out);
    }
    wr_mem_free(budget, buf, COPY_BYTES);
    return status;
}

static wr_status
copy_file(wr_ctx *ctx, wr_memtrack *budget, wr_state_reader *r, const wr_state_file *file,
          const char *to)
{
    wr_file *in;
    WR_TRY(r->open(ctx, r, file, &in));
    const wr_status status = copy_to(ctx, budget, in, file, to);
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    const wr_status closed = in->ops->close(status == WR_OK ? ctx : &quiet, in);
    return status == WR_OK ? closed : status;
}

wr_status
wri_rocks_make_folder(wr_ctx *ctx, wr_memtrack *budget, wr_state_reader *r,
                      const wr_state_handle *h, const wri_rocks_meta *m, const char *to)
{
    WR_TRY(wr_os_remove_tree(ctx, to));
    WR_TRY(wr_os_make_dirs(ctx, to));
    const char *p = m->names;
    for (uint32_t i = 0; i < h->file_count; i++) {
        const wr_str name = {p + 4, wr_load32(p)};
        p += 4 + name.len;
        char path[WR_OS_PATH_MAX];
        const int n = snprintf(path, sizeof path, "%s/%.*s", to, WR_STR_ARG(name));
        if (n < 0 || (size_t)n >= sizeof path) return wr_raise(ctx, WR_IO, "a path is too long");
        WR_TRY(copy_file(ctx, budget, r, &h->files[i], path));
    }
    return WR_OK;
}

/* ---- entries as canonical ones --------------------------------------------------------------- */

/* The hash of a child's parent: from its own stored value. v->parent: key group, table, its key. */
static wr_status
look_up_parent(wr_ctx *ctx, wri_rocks_view *v, const wr_state_table_info *parent, uint32_t id,
               const wri_rocks_parts *k)
{
    const size_t len = (size_t)WRI_ROCKS_KEY_HEAD + k->parent_len;
    uint8_t head[WRI_ROCKS_KEY_HEAD];
    wri_rocks_key_head(head, k->kg, id);
    v->same_parent =
        v->parent_len == len && memcmp(v->parent, head, sizeof head) == 0 &&
        (!k->parent_len || memcmp(v->parent + sizeof head, k->parent, k->parent_len) == 0);
    if (v->same_parent) return WR_OK;
    if (v->cap < len) {
        uint8_t *more = wr_mem_realloc(v->budget, v->parent, v->cap, len * 2);
        WR_TRY_ALLOC(ctx, more);
        v->parent = more;
        v->cap = len * 2;
    }
    memcpy(v->parent, head, sizeof head);
    if (k->parent_len) memcpy(v->parent + sizeof head, k->parent, k->parent_len);
    v->parent_len = (uint32_t)len;
    return wri_rocks_hash_of(ctx, v->f, v->db, v->read, parent, v->parent, len, &v->parent_hash);
}

wr_status
wri_rocks_view_entry(wr_ctx *ctx, wri_rocks_view *view, const wri_rocks_stored *s, uint32_t *table,
                     wri_canon_entry *e, size_t *blob_bytes)
{
    uint32_t at = 0;
    wri_rocks_parts k;
    *table = UINT32_MAX;
    if (!wri_rocks_key_parts(s->key, s->key_len, false, &k)) return WR_OK;
    while (at < view->count && wr_load32(view->ids + (size_t)at * 4) != k.table) at++;
    if (at == view->count) return WR_OK;
    const wr_state_table_info *t = &view->tables[at];
    wri_rocks_value v;
    if (!wri_rocks_key_parts(s->key, s->key_len, t->parent >= 0, &k) ||
        !wri_rocks_value_parts(t, s->value, s->len, &v))
        return wri_rocks_corrupt(ctx, t);
    *e = (wri_canon_entry){.seq = v.seq};
    if (t->parent >= 0) {
        const uint32_t id = wr_load32(view->ids + (size_t)t->parent * 4);
        WR_TRY(look_up_parent(ctx, view, &view->tables[t->parent], id, &k));
        e->parent_hash = view->parent_hash;
        e->parent_key = view->parent + WRI_ROCKS_KEY_HEAD;
        e->parent_len = k.parent_len;
    }
    e->e = (wri_seg_entry){.live = true,
                           .hash = v.hash,
                           .time = v.time,
                           .key = k.key,
                           .key_len = k.key_len,
                           .rec = v.rec,
                           .blobs = v.blobs};
    const uint8_t *blob = v.blobs, *data;
    uint32_t offset, blob_len;
    while (wri_rocks_blob_next(&v, &blob, &offset, &data, &blob_len)) e->e.blob_count++;
    *blob_bytes = (size_t)(v.end - v.blobs);
    *table = at;
    return WR_OK;
}

void
wri_rocks_view_deinit(wri_rocks_view *v)
{
    wr_mem_free(v->budget, v->parent, v->cap);
    v->parent = NULL;
    v->cap = v->parent_len = 0;
}

/* ---- for other backends ---------------------------------------------------------------------- */

struct wri_native {
    wr_memtrack *budget;
    const wr_state_handle *h;
    wri_rocks_meta meta;
    wri_rocks_dir dir;
    wri_rocks_db db;
    wri_rocks_view view;
};

/* Without the library there is no reading it. */
static wr_status
find_library(wr_ctx *ctx, const wri_rocks_fns **out)
{
    wr_ctx probe;
    wr_ctx_init(&probe);
    const wr_status status = wri_rocks_library(&probe, out);
    if (status == WR_OK) return WR_OK;
    (void)wr_raise(
        ctx, status,
        "the snapshot was written by state backend 'rocksdb' in its native format, which "
        "takes RocksDB to read: %s",
        probe.err.message);
    wr_hint(ctx, "Install the package librocksdb7.8, or take a canonical savepoint where it is.");
    return status;
}

static wr_status
open_native(wr_ctx *ctx, wri_native *n, wr_state_reader *r)
{
    const wri_rocks_fns *f;
    char path[WR_OS_PATH_MAX];
    WR_TRY(wri_rocks_meta_read(ctx, n->h, &n->meta));
    WR_TRY(find_library(ctx, &f));
    WR_TRY(wri_rocks_dir_open(ctx, NULL, &n->dir));
    (void)snprintf(path, sizeof path, "%.*s/old", WR_OS_PATH_MAX - 16, n->dir.path);
    WR_TRY(wri_rocks_make_folder(ctx, n->budget, r, n->h, &n->meta, path));
    WR_TRY(wri_rocks_db_open_old(ctx, f, path, &n->db));
    n->view = (wri_rocks_view){.f = f,
                               .db = n->db.db,
                               .read = n->db.read,
                               .budget = n->budget,
                               .tables = n->h->tables,
                               .ids = n->meta.ids,
                               .count = n->h->table_count};
    return WR_OK;
}

wr_status
wri_native_open(wr_ctx *ctx, const wr_state_handle *h, wr_state_reader *r, wr_memtrack *budget,
                wri_native **out)
{
    wri_native *n = wr_mem_zalloc(budget, sizeof *n);
    WR_TRY_ALLOC(ctx, n);
    n->budget = budget;
    n->h = h;
    const wr_status status = open_native(ctx, n, r);
    if (status != WR_OK) {
        wri_native_close(n);
        n = NULL;
    }
    *out = n;
    return status;
}

void
wri_native_close(wri_native *n)
{
    if (!n) return;
    wri_rocks_view_deinit(&n->view);
    wri_rocks_db_close(&n->db);
    wri_rocks_dir_close(&n->dir);
    wr_mem_free(n->budget, n, sizeof *n);
}

/* The entries of one key group, which are together. *at_end: what the iterator is at comes after.
 */
static wr_status
each_of_group(wr_ctx *ctx, wri_native *n, rocksdb_iterator_t *it, uint32_t table, uint32_t kg,
              wri_native_fn fn, void *arg)
{
    const wri_rocks_fns *f = n->view.f;
    uint8_t head[WRI_ROCKS_KEY_HEAD];
    wri_rocks_key_head(head, kg, wri_rocks_meta_id(&n->meta, table));
    for (f->iter_seek(it, (const char *)head, sizeof head); f->iter_valid(it); f->iter_next(it)) {
        wri_rocks_stored s;
        wri_canon_entry e;
        uint32_t which;
        size_t blob_bytes;
        s.key = (const uint8_t *)f->iter_key(it, &s.key_len);
        s.value = (const uint8_t *)f->iter_value(it, &s.len);
        if (s.key_len < sizeof head || memcmp(s.key, head, sizeof head) != 0) return WR_OK;
        n->view.same_parent = false;
        WR_TRY(wri_rocks_view_entry(ctx, &n->view, &s, &which, &e, &blob_bytes));
        if (which != table) return wri_rocks_corrupt(ctx, &n->h->tables[table]);
        WR_TRY(fn(ctx, arg, &e, n->view.same_parent));
        if (ctx->cancel && *ctx->cancel) return wr_raise(ctx, WR_CANCELLED, "cancelled");
    }
    return WR_OK;
}

wr_status
wri_native_each(wr_ctx *ctx, wri_native *n, uint32_t table, uint32_t kg_first, uint32_t kg_last,
                wri_native_fn fn, void *arg)
{
    const wri_rocks_fns *f = n->view.f;
    const uint32_t first = WR_MAX(kg_first, n->h->kg_first), last = WR_MIN(kg_last, n->h->kg_last);
    rocksdb_iterator_t *it = f->create_iterator(n->db.db, n->db.read);
    wr_status status = WR_OK;
    n->view.parent_len = 0; /* a parent's slot is not known from table to table */
    for (uint32_t kg = first; kg <= last && status == WR_OK; kg++)
        status = each_of_group(ctx, n, it, table, kg, fn, arg);
    return wri_rocks_scan_end(ctx, f, it, status);
}

#else

/* Built without RocksDB. */
wr_status
wri_native_open(wr_ctx *ctx, const wr_state_handle *h, wr_state_reader *r, wr_memtrack *budget,
                wri_native **out)
{
    (void)h, (void)r, (void)budget;
    *out = NULL;
    (void)wr_raise(
        ctx, WR_UNSUPPORTED,
        "the snapshot was written by state backend 'rocksdb' in its native format, which "
        "takes RocksDB to read, and this weir was built without it");
    wr_hint(ctx, "Build it where librocksdb-dev is installed, or take a canonical savepoint where "
                 "the snapshot was made.");
    return WR_UNSUPPORTED;
}

wr_status
wri_native_each(wr_ctx *ctx, wri_native *n, uint32_t table, uint32_t kg_first, uint32_t kg_last,
                wri_native_fn fn, void *arg)
{
    (void)n, (void)table, (void)kg_first, (void)kg_last, (void)fn, (void)arg;
    return wr_raise(ctx, WR_INTERNAL, "nothing was opened");
}

void
wri_native_close(wri_native *n)
{
    (void)n;
}

#endif
