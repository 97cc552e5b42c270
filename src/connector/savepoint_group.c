/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of one handle, put together by key. They come by key group, within it table by table, so
 * one group is in memory at a time: its roots, then what hangs on them, found by the root's key. */
#include "connector/savepoint_int.h"

#define FIRST_BUCKETS 256u

static wr_status
nomem(wr_ctx *ctx)
{
    return wr_raise(ctx, WR_NOMEM, "out of memory");
}

/* ---- the index of a group's roots ------------------------------------------------------------ */
static uint32_t
bucket_of(const wri_groups *g, wr_str key)
{
    uint32_t at = (uint32_t)wr_hash_bytes(key.ptr, key.len, 0) & g->index_mask;
    while (g->index[at] && !wr_str_eq(g->roots.items[g->index[at] - 1]->entry.key, key))
        at = (at + 1) & g->index_mask;
    return at;
}

static wr_status
reindex(wr_ctx *ctx, wri_groups *g, uint32_t buckets)
{
    g->index = wr_arena_zalloc(g->arena, sizeof *g->index * buckets);
    WR_TRY_ALLOC(ctx, g->index);
    g->index_mask = buckets - 1;
    for (uint32_t i = 0; i < g->roots.count; i++)
        g->index[bucket_of(g, g->roots.items[i]->entry.key)] = i + 1;
    return WR_OK;
}

/* ---- taking an entry ------------------------------------------------------------------------- */
static wr_status
take_blobs(wr_ctx *ctx, wri_groups *g, const wr_ckpt_entry *e, uint32_t record_bytes,
           wri_entry *out)
{
    if (!e->blob_count) return WR_OK;
    wri_entry_blob *b = WR_NEW_N(g->arena, wri_entry_blob, e->blob_count);
    WR_TRY_ALLOC(ctx, b);
    for (uint32_t at = 0; at + 16 <= record_bytes && out->blob_count < e->blob_count; at += 8) {
        wr_str bytes;
        if (!wr_ckpt_entry_blob(e, at, &bytes)) continue;
        const char *copy = wr_arena_dup(g->arena, bytes.ptr, bytes.len);
        WR_TRY_ALLOC(ctx, copy);
        b[out->blob_count++] = (wri_entry_blob){at, {copy, bytes.len}};
    }
    out->blobs = b;
    return WR_OK;
}

static wr_status
take_entry(wr_ctx *ctx, wri_groups *g, const wr_ckpt_entry *e, wri_entry *out)
{
    const uint32_t bytes = g->handle->tables[e->table].record_bytes;
    *out = (wri_entry){0};
    out->key.ptr = wr_arena_dup(g->arena, e->key.ptr, e->key.len);
    out->key.len = e->key.len;
    uint8_t *record = wr_arena_alloc(g->arena, (size_t)bytes + 8);
    WR_TRY_ALLOC(ctx, out->key.ptr);
    WR_TRY_ALLOC(ctx, record);
    if (bytes) memcpy(record, e->record, bytes);
    out->record = record;
    return take_blobs(ctx, g, e, bytes, out);
}

static wr_status
take_root(wr_ctx *ctx, wri_groups *g, const wr_ckpt_entry *e)
{
    if (g->only.ptr && !wr_str_eq(e->key, g->only)) return WR_OK;
    wri_entry_root *r = WR_NEW(g->arena, wri_entry_root);
    WR_TRY_ALLOC(ctx, r);
    WR_TRY(take_entry(ctx, g, e, &r->entry));
    r->below = WR_NEW_N(g->arena, wri_entry_list, g->scan->model.store_count + 1);
    WR_TRY_ALLOC(ctx, r->below);
    if (!wr_list_push(g->arena, &g->roots, r)) return nomem(ctx);
    const uint32_t buckets = g->index ? g->index_mask + 1 : 0;
    if ((uint64_t)g->roots.count * 2 > buckets) {
        if (buckets > UINT32_MAX / 4) return nomem(ctx);
        return reindex(ctx, g, buckets ? buckets * 2 : FIRST_BUCKETS);
    }
    g->index[bucket_of(g, r->entry.key)] = g->roots.count;
    return WR_OK;
}

static wr_status
take_below(wr_ctx *ctx, wri_groups *g, const wr_ckpt_entry *e, uint32_t store)
{
    const uint32_t at = g->index ? g->index[bucket_of(g, e->parent_key)] : 0;
    if (!at) return WR_OK; /* of another root, or its key has expired */
    wri_entry *item = WR_NEW(g->arena, wri_entry);
    WR_TRY_ALLOC(ctx, item);
    WR_TRY(take_entry(ctx, g, e, item));
    wri_entry_list *l = &g->roots.items[at - 1]->below[store];
    if (l->last)
        l->last->next = item;
    else
        l->first = item;
    l->last = item;
    l->count++;
    return WR_OK;
}

static wr_status
take(wr_ctx *ctx, wri_groups *g, const wr_ckpt_entry *e)
{
    const int32_t store = g->stores[e->table];
    if (store < 0) return WR_OK;
    if ((uint32_t)store == g->scan->root) return take_root(ctx, g, e);
    return take_below(ctx, g, e, (uint32_t)store);
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* A table of the handle to the model's: by name. Layouts are those of the model when the parts are
 * the same, which holds within one checkpoint; the reader checks it. */
static wr_status
map_stores(wr_ctx *ctx, wri_groups *g, wr_arena *a)
{
    const wri_state_model *m = &g->scan->model;
    g->stores = WR_NEW_N(a, int32_t, g->handle->table_count + 1);
    WR_TRY_ALLOC(ctx, g->stores);
    for (uint32_t i = 0; i < g->handle->table_count; i++) {
        const wr_state_table_info *t = &g->handle->tables[i];
        g->stores[i] = -1;
        for (uint32_t k = 0; k < m->store_count; k++) {
            if (!wr_str_eq(m->stores[k].info->logical_id, t->logical_id)) continue;
            if (m->stores[k].info->record_bytes != t->record_bytes)
                return wr_raise(ctx, WR_CORRUPT,
                                "table '%.*s' of operator '%.*s' has records of %u bytes in one "
                                "subtask and of %u in another",
                                WR_STR_ARG(t->logical_id), WR_STR_ARG(m->op->logical_id),
                                m->stores[k].info->record_bytes, t->record_bytes);
            if (g->wanted[k]) g->stores[i] = (int32_t)k;
        }
    }
    return WR_OK;
}

wr_status
wri_groups_open(wr_ctx *ctx, const wri_state_scan *scan, const bool *wanted, wr_str only,
                const wr_state_handle *h, const wr_source_env *env, wri_groups *out)
{
    wr_state_reader *reader = NULL;
    *out = (wri_groups){
        .scan = scan, .wanted = wanted, .only = only, .handle = h, .budget = env->budget};
    WR_TRY(map_stores(ctx, out, env->arena));
    WR_TRY(wr_ckpt_reader(ctx, scan->meta, env->arena, &reader));
    out->arena = wr_arena_create(env->budget, 0);
    WR_TRY_ALLOC(ctx, out->arena);
    return wr_ckpt_scan_open(ctx, h, reader, env->config, env->budget, &out->entries);
}

wr_status
wri_groups_next(wr_ctx *ctx, wri_groups *g, bool *more)
{
    wr_arena_reset(g->arena);
    g->roots.items = NULL;
    g->roots.count = g->roots.cap = 0;
    g->index = NULL;
    g->index_mask = 0;
    *more = false;
    while (!g->end) {
        if (!g->has_held) {
            WR_TRY(wr_ckpt_scan_next(ctx, g->entries, &g->held, &g->end));
            g->has_held = !g->end;
            if (g->end) break;
        }
        const uint32_t group = g->held.key_group;
        while (g->has_held && g->held.key_group == group) {
            WR_TRY(take(ctx, g, &g->held));
            WR_TRY(wr_ckpt_scan_next(ctx, g->entries, &g->held, &g->end));
            g->has_held = !g->end;
        }
        if (g->roots.count) break;
    }
    *more = g->roots.count > 0;
    return WR_OK;
}

void
wri_groups_close(wri_groups *g)
{
    wr_ckpt_scan_close(g->entries);
    wr_arena_destroy(g->arena);
    *g = (wri_groups){0};
}
