/* SPDX-License-Identifier: Apache-2.0 */
/* Keyed state of a checkpoint for tools: a backend with the tables that the handle tells, filled
 * from it. Whatever format the files have, reading them is the backend's own restore. */
#include "spi/registry.h"
#include "state/ckpt_int.h"

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
open_table(wr_ctx *ctx, const wr_state_handle *h, uint32_t i, wri_ckpt_filled *t)
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

void
wri_ckpt_empty(wri_ckpt_filled *t)
{
    if (t->backend) t->backend->ops->close(t->backend);
    wr_arena_destroy(t->arena);
    *t = (wri_ckpt_filled){0};
}

int32_t
wri_ckpt_table_named(const wr_state_handle *h, wr_str logical_id)
{
    for (uint32_t i = 0; i < h->table_count; i++)
        if (wr_str_eq(h->tables[i].logical_id, logical_id)) return (int32_t)i;
    return -1;
}

wr_status
wri_ckpt_fill(wr_ctx *ctx, const wr_state_ops *ops, const wr_state_handle *shape,
              const wr_state_handle *const *handles, uint32_t count, wr_state_reader *r,
              const struct wr_config *config, wr_memtrack *budget, wri_ckpt_filled *out)
{
    *out = (wri_ckpt_filled){.handle = *shape};
    out->arena = wr_arena_create(budget, 0);
    WR_TRY_ALLOC(ctx, out->arena);
    out->tables = WR_NEW_N(out->arena, wr_state_table *, shape->table_count + 1);
    wr_status status = out->tables ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
    if (status == WR_OK)
        status = ops->open(ctx, config, budget, shape->kg_first, shape->kg_last,
                           shape->max_parallelism, &out->backend);
    for (uint32_t i = 0; status == WR_OK && i < shape->table_count; i++)
        status = open_table(ctx, shape, i, out);
    if (status == WR_OK) status = ops->restore(ctx, out->backend, handles, count, r, false);
    if (status != WR_OK) wri_ckpt_empty(out);
    return status;
}

wr_status
wri_ckpt_snapshot(wr_ctx *ctx, wr_state_backend *b, uint64_t id, wr_snapshot_kind kind,
                  wr_state_writer *w, wr_state_handle *out)
{
    wr_state_snapshot *s = NULL;
    WR_TRY(b->ops->snapshot(ctx, b, id, kind, &s));
    const wr_status status = b->ops->snapshot_write(ctx, s, w, out);
    b->ops->snapshot_release(s, false);
    return status;
}

wr_status
wri_ckpt_convert(wr_ctx *ctx, const wr_state_handle *h, wr_state_reader *r,
                 const struct wr_config *config, wr_memtrack *budget, uint64_t id,
                 wr_snapshot_kind kind, wr_state_writer *w, wr_state_handle *out)
{
    wri_ckpt_filled t;
    WR_TRY(wri_ckpt_fill(ctx, backend_for(h), h, &h, 1, r, config, budget, &t));
    const wr_status status = wri_ckpt_snapshot(ctx, t.backend, id, kind, w, out);
    wri_ckpt_empty(&t);
    return status;
}
