/* SPDX-License-Identifier: Apache-2.0 */
/* Canonical snapshots of the RocksDB backend. The database is sorted as the format wants it, by key
 * group, table and parent; so a snapshot is one walk over a frozen view of it, and a restore one
 * through the files, however large the state. */
#include "state/canonical_int.h"
#include "state/rocksdb_int.h"

#ifdef WR_HAVE_ROCKSDB

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct walk { /* the snapshot's thread's */
    wri_rocks *b;
    rocksdb_readoptions_t *read;
    const wr_state_table_info *tables; /* of the handle: by ascending number in stored keys */
    const uint32_t *ids;
    uint32_t count;
    wri_canon_writer out;
    uint32_t parent_len; /* of the entry before, in `copy`, as a stored key */
    uint64_t parent_hash;
    uint8_t *copy;
    size_t cap;
} walk;

/* The hash of a child's parent: from its own stored value. w->copy: key group, table, its key. */
static wr_status
look_up_parent(wr_ctx *ctx, walk *w, const wr_state_table_info *parent, uint32_t id,
               const wri_rocks_parts *k)
{
    const size_t len = (size_t)WRI_ROCKS_KEY_HEAD + k->parent_len;
    uint8_t head[WRI_ROCKS_KEY_HEAD];
    wri_rocks_key_head(head, k->kg, id);
    if (w->parent_len == len && memcmp(w->copy, head, sizeof head) == 0 &&
        (!k->parent_len || memcmp(w->copy + sizeof head, k->parent, k->parent_len) == 0))
        return WR_OK;
    if (w->cap < len) {
        uint8_t *more = wr_mem_realloc(w->b->mem.budget, w->copy, w->cap, len * 2);
        WR_TRY_ALLOC(ctx, more);
        w->copy = more;
        w->cap = len * 2;
    }
    memcpy(w->copy, head, sizeof head);
    if (k->parent_len) memcpy(w->copy + sizeof head, k->parent, k->parent_len);
    w->parent_len = (uint32_t)len;
    return wri_rocks_hash_of(ctx, w->b->f, w->b->db.db, w->read, parent, w->copy, len,
                             &w->parent_hash);
}

static wr_status
put_stored(wr_ctx *ctx, walk *w, const uint8_t *key, size_t key_len, const uint8_t *value,
           size_t len, uint64_t *entries)
{
    uint32_t at = 0;
    wri_rocks_parts k;
    if (!wri_rocks_key_parts(key, key_len, false, &k)) return WR_OK;
    while (at < w->count && w->ids[at] != k.table) at++;
    if (at == w->count) return WR_OK; /* a table that is no longer opened */
    const wr_state_table_info *t = &w->tables[at];
    wri_rocks_value v;
    if (!wri_rocks_key_parts(key, key_len, t->parent >= 0, &k) ||
        !wri_rocks_value_parts(t, value, len, &v))
        return wri_rocks_corrupt(ctx, t);
    wri_canon_entry e = {0};
    if (t->parent >= 0) {
        WR_TRY(look_up_parent(ctx, w, &w->tables[t->parent], w->ids[t->parent], &k));
        e.parent_hash = w->parent_hash;
        e.parent_key = w->copy + WRI_ROCKS_KEY_HEAD;
        e.parent_len = k.parent_len;
    }
    e.seq = v.seq;
    e.e = (wri_seg_entry){.live = true,
                          .hash = v.hash,
                          .time = v.time,
                          .key = k.key,
                          .key_len = k.key_len,
                          .rec = v.rec,
                          .blobs = v.blobs};
    const uint8_t *blob = v.blobs, *data;
    uint32_t offset, blob_len;
    while (wri_rocks_blob_next(&v, &blob, &offset, &data, &blob_len)) e.e.blob_count++;
    entries[at]++;
    return wri_canon_put(ctx, &w->out, at, t, &e, (size_t)(v.end - v.blobs));
}

static wr_status
put_all(wr_ctx *ctx, walk *w, uint64_t *entries)
{
    const wri_rocks_fns *f = w->b->f;
    rocksdb_iterator_t *it = f->create_iterator(w->b->db.db, w->read);
    f->iter_seek(it, "", 0);
    wr_status status = WR_OK;
    for (; status == WR_OK && f->iter_valid(it); f->iter_next(it)) {
        size_t key_len, len;
        const uint8_t *key = (const uint8_t *)f->iter_key(it, &key_len);
        const uint8_t *value = (const uint8_t *)f->iter_value(it, &len);
        status = put_stored(ctx, w, key, key_len, value, len, entries);
        if (ctx->cancel && *ctx->cancel) status = wr_raise(ctx, WR_CANCELLED, "cancelled");
    }
    return wri_rocks_scan_end(ctx, w->b, it, status);
}

wr_status
wri_rocks_canonical_write(wr_ctx *ctx, wri_rocks *b, const rocksdb_snapshot_t *view,
                          const uint32_t *ids, wr_state_writer *w, wr_state_handle *out)
{
    walk k = {.b = b, .tables = out->tables, .ids = ids, .count = out->table_count};
    uint64_t *entries = WR_NEW_N(w->arena, uint64_t, out->table_count + (size_t)1);
    out->files = WR_NEW(w->arena, wr_state_file);
    WR_TRY_ALLOC(ctx, entries);
    WR_TRY_ALLOC(ctx, out->files);
    k.read = b->f->readoptions_create();
    b->f->readoptions_set_snapshot(k.read, view);
    b->f->readoptions_set_fill_cache(k.read, 0);
    wr_status status =
        wri_canon_begin(ctx, &k.out, w, b->mem.budget,
                        &(wri_seg_range){b->mem.kg_first, b->mem.kg_last, b->mem.max_parallelism});
    if (status == WR_OK) status = put_all(ctx, &k, entries);
    if (status == WR_OK) status = wri_canon_end(ctx, &k.out, &out->files[0]);
    wri_canon_deinit(&k.out);
    wr_mem_free(b->mem.budget, k.copy, k.cap);
    b->f->readoptions_destroy(k.read);
    WR_TRY(status);
    for (uint32_t i = 0; i < out->table_count; i++) out->tables[i].entries = entries[i];
    out->file_count = 1;
    out->bytes_written = out->files[0].bytes;
    return WR_OK;
}

/* ---- restoring ------------------------------------------------------------------------------- */

static wr_status
fill_block(wr_ctx *ctx, wri_rocks_filler *f, wri_seg_file *file, uint32_t block,
           const wri_rocks_target *o)
{
    const uint8_t *p, *end;
    WR_TRY(wri_seg_load(ctx, file, block, &p, &end));
    const wri_seg_block *k = &file->blocks[block];
    wri_canon_entry e = {0};
    for (uint32_t i = 0; i < k->entries; i++) {
        if (!wri_canon_next(o->info, &p, end, &e) || e.seq > UINT32_MAX ||
            wr_key_group(o->t->parent ? e.parent_hash : e.e.hash, f->b->mem.max_parallelism) !=
                k->group)
            return wri_seg_corrupt(ctx, file, k->offset, "an entry makes no sense");
        const uint8_t *blobs_end = e.e.blobs;
        uint32_t offset, len;
        for (uint32_t n = 0; n < e.e.blob_count; n++) (void)wri_seg_blob(&blobs_end, &offset, &len);
        wri_rocks_item item = {.hash = e.e.hash,
                               .parent_hash = e.parent_hash,
                               .seq = (uint32_t)WR_MAX(e.seq, 1u),
                               .time = e.e.time,
                               .key = e.e.key,
                               .key_len = e.e.key_len,
                               .parent = e.parent_key,
                               .parent_len = e.parent_len,
                               .rec = e.e.rec,
                               .blobs = e.e.blobs,
                               .end = blobs_end};
        bool twice;
        WR_TRY(wri_rocks_fill(ctx, f, o, &item, &twice));
        if (twice) return wri_seg_corrupt(ctx, file, k->offset, "a key is there twice");
    }
    return p == end ? WR_OK : wri_seg_corrupt(ctx, file, k->offset, "the block is too long");
}

wr_status
wri_rocks_canonical_restore(wr_ctx *ctx, wri_rocks *b, const wr_state_handle *h,
                            const wri_rocks_target *targets, wr_state_reader *r, wr_arena *a)
{
    wri_rocks_filler f = {.b = b};
    wr_status status = WR_OK;
    for (uint32_t i = 0; i < h->file_count && status == WR_OK; i++) {
        wri_seg_file file = {0};
        status = wri_seg_open(ctx, &file, WRI_CANON_MAGIC, r, &h->files[i], a, b->mem.budget);
        for (uint32_t k = 0; status == WR_OK && k < file.block_count; k++) {
            const wri_seg_block *block = &file.blocks[k];
            if (block->group < b->mem.kg_first || block->group > b->mem.kg_last ||
                block->table >= h->table_count || !targets[block->table].t)
                continue;
            status = fill_block(ctx, &f, &file, k, &targets[block->table]);
        }
        if (file.what) wri_seg_close(&file);
    }
    wri_bytes_free(b, &f.parent);
    return status;
}

#endif
