/* SPDX-License-Identifier: Apache-2.0 */
/* Canonical snapshots of the RocksDB backend. The database is sorted as the format wants it, by key
 * group, table and parent; so a snapshot is one walk over a frozen view of it, and a restore one
 * through the files, however large the state. */
#include "state/canonical_int.h"
#include "state/rocksdb_int.h"

#ifdef WR_HAVE_ROCKSDB

/* ---- writing --------------------------------------------------------------------------------- */

static wr_status
put_all(wr_ctx *ctx, wri_rocks_view *v, wri_canon_writer *out, uint64_t *entries)
{
    const wri_rocks_fns *f = v->f;
    rocksdb_iterator_t *it = f->create_iterator(v->db, v->read);
    wr_status status = WR_OK;
    for (f->iter_seek(it, "", 0); status == WR_OK && f->iter_valid(it); f->iter_next(it)) {
        wri_rocks_stored s;
        wri_canon_entry e;
        uint32_t table;
        size_t blob_bytes;
        s.key = (const uint8_t *)f->iter_key(it, &s.key_len);
        s.value = (const uint8_t *)f->iter_value(it, &s.len);
        status = wri_rocks_view_entry(ctx, v, &s, &table, &e, &blob_bytes);
        if (status == WR_OK && table < v->count) { /* else: a table that is no longer opened */
            entries[table]++;
            status = wri_canon_put(ctx, out, table, &v->tables[table], &e, blob_bytes);
        }
        if (ctx->cancel && *ctx->cancel) status = wr_raise(ctx, WR_CANCELLED, "cancelled");
    }
    return wri_rocks_scan_end(ctx, f, it, status);
}

wr_status
wri_rocks_canonical_write(wr_ctx *ctx, wri_rocks *b, const rocksdb_snapshot_t *view,
                          const char *ids, wr_state_writer *w, wr_state_handle *out)
{
    wri_rocks_view v = {.f = b->f,
                        .db = b->db.db,
                        .budget = b->mem.budget,
                        .tables = out->tables,
                        .ids = ids,
                        .count = out->table_count};
    wri_canon_writer c;
    uint64_t *entries = WR_NEW_N(w->arena, uint64_t, out->table_count + (size_t)1);
    out->files = WR_NEW(w->arena, wr_state_file);
    WR_TRY_ALLOC(ctx, entries);
    WR_TRY_ALLOC(ctx, out->files);
    v.read = b->f->readoptions_create();
    b->f->readoptions_set_snapshot(v.read, view);
    b->f->readoptions_set_fill_cache(v.read, 0);
    wr_status status =
        wri_canon_begin(ctx, &c, w, b->mem.budget,
                        &(wri_seg_range){b->mem.kg_first, b->mem.kg_last, b->mem.max_parallelism});
    if (status == WR_OK) status = put_all(ctx, &v, &c, entries);
    if (status == WR_OK) status = wri_canon_end(ctx, &c, &out->files[0]);
    wri_canon_deinit(&c);
    wri_rocks_view_deinit(&v);
    b->f->readoptions_destroy(v.read);
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
