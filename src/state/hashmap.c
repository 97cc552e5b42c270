/* SPDX-License-Identifier: Apache-2.0 */
/* The memory backend "hashmap": opening, closing, expiry, and its vtable. */
#include "state/kept_int.h"

wr_status
wri_backend_init(wr_ctx *ctx, wri_backend *b, const wr_state_ops *ops, wr_memtrack *budget,
                 uint32_t kg_first, uint32_t kg_last, uint32_t max_parallelism)
{
    WR_ASSERT(kg_first <= kg_last && kg_last < max_parallelism);
    b->parent = budget;
    b->budget = wr_memtrack_create(budget, "state", 0);
    WR_TRY_ALLOC(ctx, b->budget);
    b->arena = wr_arena_create(b->budget, 0);
    if (!b->arena) {
        wr_memtrack_destroy(b->budget);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    b->base.ops = ops;
    b->kg_first = kg_first;
    b->kg_last = kg_last;
    b->max_parallelism = max_parallelism;
    b->epoch = 1;
    wri_heap_init(&b->heap, b->budget);
    return WR_OK;
}

void
wri_backend_deinit(wri_backend *b)
{
    WR_ASSERT(!b->snapshot); /* it is released first */
    while (b->tables) {
        wri_table *t = b->tables;
        b->tables = t->next;
        wri_table_free(t);
    }
    wri_heap_deinit(&b->heap);
    wr_arena_destroy(b->arena);
    for (uint32_t i = 0; i < WRI_BLOCK_CHUNKS; i++)
        if (b->blocks[i])
            wr_mem_free(b->budget, b->blocks[i], sizeof(wri_block) << (i + WRI_BLOCKS_FIRST));
    wri_chain_drop(b, 0);
    wr_mem_free(b->budget, b->chain, b->chain_cap * sizeof *b->chain);
    wr_memtrack_destroy(b->budget);
}

static wr_status
backend_open(wr_ctx *ctx, const struct wr_config *config, wr_memtrack *budget, uint32_t kg_first,
             uint32_t kg_last, uint32_t max_parallelism, wr_state_backend **out)
{
    (void)config;
    *out = NULL;
    wri_backend *b = wr_mem_zalloc(budget, sizeof *b);
    WR_TRY_ALLOC(ctx, b);
    const wr_status status =
        wri_backend_init(ctx, b, &wr_state_hashmap_ops, budget, kg_first, kg_last, max_parallelism);
    if (status != WR_OK)
        wr_mem_free(budget, b, sizeof *b);
    else
        *out = &b->base;
    return status;
}

static void
backend_close(wr_state_backend *backend)
{
    wri_backend *b = (wri_backend *)(void *)backend;
    if (!b) return;
    wr_memtrack *parent = b->parent;
    wri_backend_deinit(b);
    wr_mem_free(parent, b, sizeof *b);
}

/* Bytes of an entry and how many fit a page: a power of two. */
static void
lay_out(wri_table *t, const wr_state_desc *desc)
{
    uint32_t bytes = desc->record_bytes + (uint32_t)sizeof(wri_head);
    if (desc->shape != WR_STATE_VALUE) bytes += (uint32_t)sizeof(wri_link);
    if (desc->ttl_ms > 0) {
        t->time_offset = bytes;
        bytes += 8;
    }
    if (t->kept) {
        t->kept->offset = bytes;
        bytes += (uint32_t)sizeof(wri_trace);
    }
    t->base.stride = (bytes + 15) / 16 * 16; /* records are 16-byte aligned */
    while ((size_t)t->base.stride << (t->base.page_shift + 1) <= WR_STATE_PAGE_BYTES)
        t->base.page_shift++;
    t->base.page_mask = (1u << t->base.page_shift) - 1;
    t->mark_words = t->base.page_mask / 64 + 1;
}

/* What has to be allocated and may fail. */
static wr_status
furnish(wr_ctx *ctx, wri_backend *b, wri_table *t, const wr_state_desc *desc, bool kept)
{
    if (kept) WR_TRY(wri_kept_make(ctx, t));
    lay_out(t, desc);
    if (desc->shape == WR_STATE_VALUE) t->shard_count = b->kg_last - b->kg_first + 1;
    if (desc->shape == WR_STATE_MAP) t->shard_count = WRI_MAP_SHARDS;
    if (t->shard_count) {
        const uint32_t count = t->shard_count;
        t->shard_count = 0;
        t->shards = wr_mem_zalloc(b->budget, count * sizeof *t->shards);
        WR_TRY_ALLOC(ctx, t->shards);
        t->shard_count = count;
    }
    return wri_info_make(ctx, b->arena, desc,
                         desc->parent ? (int32_t)wri_table_of(desc->parent)->index : -1, &t->info);
}

wr_status
wri_table_make(wr_ctx *ctx, wri_backend *b, const wr_state_desc *desc, bool kept, wri_table **out)
{
    *out = NULL;
    WR_ASSERT(desc->record_bytes % 8 == 0);
    WR_ASSERT((desc->shape == WR_STATE_VALUE) == (desc->parent == NULL));
    wri_table *t = wr_mem_zalloc(b->budget, sizeof *t);
    WR_TRY_ALLOC(ctx, t);
    t->base.ops = b->base.ops;
    t->base.backend = &b->base;
    t->shape = desc->shape;
    t->record_bytes = desc->record_bytes;
    t->ttl_ms = desc->ttl_ms;
    t->free_entry = WRI_NIL;
    t->epoch = b->epoch;
    const wr_status status = furnish(ctx, b, t, desc, kept);
    if (status != WR_OK) {
        wri_table_free(t);
        return status;
    }
    if (desc->parent) {
        t->parent = wri_table_of(desc->parent);
        t->next_child = t->parent->first_child;
        t->parent->first_child = t;
    }
    t->index = b->table_count++;
    if (b->last_table)
        b->last_table->next = t;
    else
        b->tables = t;
    b->last_table = t;
    *out = t;
    return WR_OK;
}

static wr_status
table_open(wr_ctx *ctx, wr_state_backend *backend, const wr_state_desc *desc, wr_state_table **out)
{
    wri_table *t;
    *out = NULL;
    WR_TRY(wri_table_make(ctx, (wri_backend *)(void *)backend, desc, false, &t));
    *out = &t->base;
    return WR_OK;
}

void
wri_child_drop_entry(wri_table *t, uint32_t entry)
{
    if (t->shape == WR_STATE_MAP)
        wri_map_drop_entry(t, entry);
    else
        wri_ord_drop_entry(t, entry);
}

void
wri_state_expire(wr_state_table *table, int64_t now_ms, uint32_t budget)
{
    wri_table *t = wri_table_of(table);
    table->backend->now_ms = WR_MAX(table->backend->now_ms, now_ms);
    if (!t->time_offset) return;
    for (uint32_t i = 0; i < budget && i < t->used; i++) {
        if (t->sweep >= t->used) t->sweep = 0;
        const uint32_t entry = (uint32_t)t->sweep++;
        if (wri_head_of(t, entry)->key_len == WRI_FREE || !wri_expired(t, entry)) continue;
        if (t->shape == WR_STATE_VALUE)
            wri_value_remove(table, entry);
        else
            wri_child_drop_entry(t, entry);
    }
}

static void
backend_sweep(wr_state_backend *backend, int64_t now_ms, uint32_t budget)
{
    wri_backend *b = (wri_backend *)(void *)backend;
    for (wri_table *t = b->tables; t; t = t->next) wri_state_expire(&t->base, now_ms, budget);
}

static size_t
backend_bytes(const wr_state_backend *backend)
{
    return wr_memtrack_used(((const wri_backend *)(const void *)backend)->budget);
}

static wr_status
backend_trim(wr_ctx *ctx, wr_state_backend *backend)
{
    (void)ctx, (void)backend; /* everything stays where it is */
    return WR_OK;
}

const wr_state_ops wr_state_hashmap_ops = {
    .abi = WR_ABI,
    .name = "hashmap",
    .open = backend_open,
    .close = backend_close,
    .table_open = table_open,
    .resolve = wri_value_resolve,
    .touch = wri_value_touch,
    .remove = wri_value_remove,
    .count = wri_value_count,
    .next_slot = wri_value_next_slot,
    .key_of = wri_value_key_of,
    .blob_set = wri_blob_set,
    .blob_append = wri_blob_append,
    .blob_get = wri_blob_get,
    .blob_free = wri_blob_free,
    .map_resolve = wri_map_resolve,
    .map_remove = wri_map_remove,
    .map_count = wri_map_count,
    .map_first = wri_map_first,
    .map_next = wri_map_next,
    .map_clear = wri_map_clear,
    .ord_put = wri_ord_put,
    .ord_get = wri_ord_get,
    .ord_remove = wri_ord_remove,
    .ord_count = wri_ord_count,
    .ord_seek = wri_ord_seek,
    .ord_seek_last = wri_ord_seek_last,
    .ord_next = wri_ord_next,
    .ord_prev = wri_ord_prev,
    .ord_clear = wri_ord_clear,
    .expire = wri_state_expire,
    .bytes = backend_bytes,
    .snapshot = wri_snapshot,
    .snapshot_write = wri_snapshot_write,
    .snapshot_release = wri_snapshot_release,
    .restore = wri_restore,
    .rec_touch = wri_rec_touch,
    .sweep = backend_sweep,
    .trim = backend_trim,
};
