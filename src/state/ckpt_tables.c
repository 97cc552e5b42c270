/* SPDX-License-Identifier: Apache-2.0 */
/* Keyed state of a checkpoint for tools: a backend with the tables that the handle tells, filled
 * from it. Whatever format the files have, reading them is the backend's own restore. */
#include "spi/registry.h"
#include "state/ckpt_int.h"

typedef struct filled {
    wr_state_backend *backend;
    wr_state_table **tables; /* in the order of the handle's */
    wr_arena *arena;
} filled;

/* rocksdb reads its own files without needing memory for the state; the memory backend reads
 * everything. */
static const wr_state_ops *
backend_for(const wr_state_handle *h)
{
    const bool native = wr_str_starts(h->format, WR_STR("rocksdb"));
    const wr_state_ops *rocksdb = native ? wr_find_state(WR_STR("rocksdb")) : NULL;
    return rocksdb ? rocksdb : &wr_state_hashmap_ops;
}

static wr_status
copy_parts(wr_ctx *ctx, wr_arena *a, const wr_state_table_info *t, wr_state_part **out)
{
    *out = WR_NEW_N(a, wr_state_part, t->part_count + 1);
    WR_TRY_ALLOC(ctx, *out);
    for (uint32_t i = 0; i < t->part_count; i++) {
        const wr_state_part_info *p = &t->parts[i];
        const char *name = wr_arena_dup(a, p->name.ptr, p->name.len);
        WR_TRY_ALLOC(ctx, name);
        (*out)[i] = (wr_state_part){name, (wr_part_kind)p->kind, p->offset, p->bytes, &p->schema};
    }
    return WR_OK;
}

static wr_status
open_table(wr_ctx *ctx, const wr_state_handle *h, uint32_t i, filled *t)
{
    const wr_state_table_info *info = &h->tables[i];
    wr_state_part *parts;
    WR_TRY(copy_parts(ctx, t->arena, info, &parts));
    const wr_state_desc desc = {.logical_id = info->logical_id,
                                .shape = (wr_state_shape)info->shape,
                                .key = &info->key,
                                .record_bytes = info->record_bytes,
                                .record_version = info->record_version,
                                .ttl_ms = info->ttl_ms,
                                .parent = info->parent < 0 ? NULL : t->tables[info->parent],
                                .parts = parts,
                                .part_count = info->part_count};
    return t->backend->ops->table_open(ctx, t->backend, &desc, &t->tables[i]);
}

static void
empty(filled *t)
{
    if (t->backend) t->backend->ops->close(t->backend);
    wr_arena_destroy(t->arena);
}

static wr_status
fill(wr_ctx *ctx, const wr_state_handle *h, wr_state_reader *r, const struct wr_config *config,
     wr_memtrack *budget, filled *out)
{
    const wr_state_ops *ops = backend_for(h);
    *out = (filled){0};
    out->arena = wr_arena_create(budget, 0);
    WR_TRY_ALLOC(ctx, out->arena);
    out->tables = WR_NEW_N(out->arena, wr_state_table *, h->table_count + 1);
    wr_status status = out->tables ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
    if (status == WR_OK)
        status = ops->open(ctx, config, budget, h->kg_first, h->kg_last, h->max_parallelism,
                           &out->backend);
    for (uint32_t i = 0; status == WR_OK && i < h->table_count; i++)
        status = open_table(ctx, h, i, out);
    if (status == WR_OK) status = ops->restore(ctx, out->backend, &h, 1, r, false);
    if (status != WR_OK) empty(out);
    return status;
}

wr_status
wri_ckpt_convert(wr_ctx *ctx, const wr_state_handle *h, wr_state_reader *r,
                 const struct wr_config *config, wr_memtrack *budget, uint64_t id,
                 wr_snapshot_kind kind, wr_state_writer *w, wr_state_handle *out)
{
    filled t;
    wr_state_snapshot *s = NULL;
    WR_TRY(fill(ctx, h, r, config, budget, &t));
    const wr_state_ops *ops = t.backend->ops;
    wr_status status = ops->snapshot(ctx, t.backend, id, kind, &s);
    if (status == WR_OK) {
        status = ops->snapshot_write(ctx, s, w, out);
        ops->snapshot_release(s, false);
    }
    empty(&t);
    return status;
}
