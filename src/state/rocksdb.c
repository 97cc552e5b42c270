/* SPDX-License-Identifier: Apache-2.0 */
/* The backend "rocksdb": opening, closing, its vtable. */
#include "state/rocksdb_int.h"

#ifdef WR_HAVE_ROCKSDB

#define AT_EASE (256u << 10) /* below, nobody asks how memory is divided */

static void
release(wri_rocks *b)
{
    wri_rocks_walk_end(b);
    if (b->batch) b->f->writebatch_destroy(b->batch);
    wr_mem_free(b->mem.budget, b->fetch, sizeof *b->fetch);
    wr_mem_free(b->mem.budget, b->list, sizeof *b->list);
    wri_rocks_db_close(&b->db);
    wri_rocks_dir_close(&b->dir);
    wri_bytes *const scratch[] = {&b->key, &b->value, &b->probe, &b->seek, &b->edge, &b->sweep_at};
    for (uint32_t i = 0; i < WR_COUNT(scratch); i++) wri_bytes_free(b, scratch[i]);
    wr_arena_destroy(b->upload_arena);
}

static wr_status
backend_open(wr_ctx *ctx, const struct wr_config *config, wr_memtrack *budget, uint32_t kg_first,
             uint32_t kg_last, uint32_t max_parallelism, wr_state_backend **out)
{
    *out = NULL;
    const wri_rocks_fns *f;
    WR_TRY(wri_rocks_library(ctx, &f));
    wri_rocks *b = wr_mem_zalloc(budget, sizeof *b);
    WR_TRY_ALLOC(ctx, b);
    b->f = f;
    wr_ctx_init(&b->own);
    wr_status status = wri_rocks_options_read(ctx, config, &b->options);
    if (status == WR_OK)
        status = wri_backend_init(ctx, &b->mem, &wr_state_rocksdb_ops, budget, kg_first, kg_last,
                                  max_parallelism);
    if (status != WR_OK) {
        wr_mem_free(budget, b, sizeof *b);
        return status;
    }
    b->cache_bytes = WR_MIN(b->options.cache_bytes, (size_t)AT_EASE);
    wri_rocks_count(1);
    *out = &b->mem.base;
    return WR_OK;
}

static void
backend_close(wr_state_backend *backend)
{
    wri_rocks *b = (wri_rocks *)(void *)backend;
    if (!b) return;
    wr_memtrack *parent = b->mem.parent;
    release(b);
    wri_backend_deinit(&b->mem);
    wri_rocks_count(-1);
    wr_mem_free(parent, b, sizeof *b);
}

static wr_status
table_open(wr_ctx *ctx, wr_state_backend *backend, const wr_state_desc *desc, wr_state_table **out)
{
    wri_rocks *b = (wri_rocks *)(void *)backend;
    wri_table *t;
    *out = NULL;
    if (b->mem.table_count >= WRI_ROCKS_TABLES)
        return wr_raise(ctx, WR_LIMIT, "an operator has too many tables of state");
    WR_TRY(wri_table_make(ctx, &b->mem, desc, true, &t));
    t->kept->id = t->index;
    t->kept->held = desc->held;
    t->kept->forget = wri_rocks_forget;
    t->kept->forget_absent = wri_rocks_forget_absent;
    *out = &t->base;
    return WR_OK;
}

static size_t
backend_bytes(const wr_state_backend *backend)
{
    const wri_rocks *b = (const wri_rocks *)(const void *)backend;
    uint64_t files = 0;
    if (b->db.db && b->f->property_int(b->db.db, "rocksdb.total-sst-files-size", &files)) files = 0;
    return wr_memtrack_used(b->mem.budget) + (size_t)files;
}

const wr_state_ops wr_state_rocksdb_ops = {
    .abi = WR_ABI,
    .name = "rocksdb",
    .open = backend_open,
    .close = backend_close,
    .table_open = table_open,
    .resolve = wri_rocks_resolve,
    .touch = wri_value_touch,
    .remove = wri_value_remove,
    .count = wri_rocks_value_count,
    .next_slot = wri_rocks_next_slot,
    .key_of = wri_value_key_of,
    .blob_set = wri_blob_set,
    .blob_append = wri_blob_append,
    .blob_get = wri_blob_get,
    .blob_free = wri_blob_free,
    .map_resolve = wri_rocks_map_resolve,
    .map_remove = wri_rocks_map_remove,
    .map_count = wri_rocks_child_count,
    .map_first = wri_rocks_map_first,
    .map_next = wri_map_next,
    .map_clear = wri_rocks_map_clear,
    .ord_put = wri_rocks_ord_put,
    .ord_get = wri_rocks_ord_get,
    .ord_remove = wri_rocks_ord_remove,
    .ord_count = wri_rocks_child_count,
    .ord_seek = wri_rocks_ord_seek,
    .ord_seek_last = wri_rocks_ord_seek_last,
    .ord_next = wri_rocks_ord_next,
    .ord_prev = wri_rocks_ord_prev,
    .ord_clear = wri_rocks_ord_clear,
    .expire = wri_rocks_expire,
    .bytes = backend_bytes,
    .snapshot = wri_rocks_snapshot,
    .snapshot_write = wri_rocks_snapshot_write,
    .snapshot_release = wri_rocks_snapshot_release,
    .restore = wri_rocks_restore,
    .rec_touch = wri_rec_touch,
    .sweep = wri_rocks_sweep,
    .trim = wri_rocks_trim,
};

#else

static wr_status
no_open(wr_ctx *ctx, const struct wr_config *config, wr_memtrack *budget, uint32_t kg_first,
        uint32_t kg_last, uint32_t max_parallelism, wr_state_backend **out)
{
    (void)config, (void)budget, (void)kg_first, (void)kg_last, (void)max_parallelism;
    *out = NULL;
    (void)wr_raise(ctx, WR_UNSUPPORTED, "this weir was built without RocksDB");
    wr_hint(ctx, "Build it where librocksdb-dev is installed, or use 'state.backend.type' = "
                 "'hashmap'.");
    return WR_UNSUPPORTED;
}

const wr_state_ops wr_state_rocksdb_ops = {.abi = WR_ABI, .name = "rocksdb", .open = no_open};

#endif
