/* SPDX-License-Identifier: Apache-2.0 */
/* Partitions with rows that no partition commit has covered. A writer tells them with every
 * checkpoint; the commit, which sees all writers, decides. That a partition was committed is known
 * by its success file: one that is not older than the report covers what was reported. Rows that
 * come later make the partition pending again, as in Flink. */
#include "connector/fs_sink_int.h"

wri_pending *
wri_pending_find(const wri_pendings *p, wr_str dir)
{
    if (p->last < p->items.count && wr_str_eq(p->items.items[p->last].dir, dir))
        return &p->items.items[p->last];
    for (uint32_t i = 0; i < p->items.count; i++)
        if (wr_str_eq(p->items.items[i].dir, dir)) return &p->items.items[i];
    return NULL;
}

static wr_status
add(wr_ctx *ctx, wri_pendings *p, wr_str dir, wri_pending item)
{
    item.arena = wr_arena_create(p->budget, 256);
    if (item.arena) item.dir = wr_arena_str(item.arena, dir);
    if (item.dir.ptr && wr_list_push(p->list_arena, &p->items, item)) return WR_OK;
    wr_arena_destroy(item.arena);
    return wr_raise(ctx, WR_NOMEM, "out of memory");
}

wr_status
wri_pending_note(wr_ctx *ctx, wri_pendings *p, wr_str dir, int64_t now_ms)
{
    wri_pending *item = wri_pending_find(p, dir);
    if (!item) {
        p->last = p->items.count;
        return add(ctx, p, dir, (wri_pending){.created_ms = now_ms, .dirty_ms = now_ms});
    }
    if (!item->dirty_ms) item->dirty_ms = now_ms;
    p->last = (uint32_t)(item - p->items.items);
    return WR_OK;
}

wr_status
wri_pending_ready(wr_ctx *ctx, const wri_pendings *p, const wri_pending *item, int64_t now_ms,
                  int64_t watermark, wr_arena *scratch, bool *out)
{
    const wri_target *t = p->target;
    *out = watermark == INT64_MAX || (!t->partition_time && t->delay_ms == 0);
    if (*out) return WR_OK;
    if (!t->partition_time) {
        *out = now_ms > item->created_ms + t->delay_ms;
        return WR_OK;
    }
    return wri_partition_is_past(ctx, t, item->dir, watermark, scratch, out);
}

static void
forget(wri_pendings *p, uint32_t index)
{
    wr_arena_destroy(p->items.items[index].arena);
    p->items.items[index] = p->items.items[--p->items.count];
}

/* Was it committed since it was reported? What came behind the report stays pending. */
static wr_status
look_for_commit(wr_ctx *ctx, wri_pendings *p, wri_pending *item, wr_arena *a, bool *gone)
{
    bool covered;
    *gone = false;
    if (!item->reported_ms) return WR_OK;
    WR_TRY(wri_fs_covered(ctx, p->target, item->dir, item->reported_ms, a, &covered));
    if (!covered) return WR_OK;
    *gone = item->dirty_ms == 0;
    item->created_ms = item->dirty_ms;
    item->reported_ms = 0;
    return WR_OK;
}

wr_status
wri_pending_report(wr_ctx *ctx, wri_pendings *p, int64_t now_ms, int64_t watermark,
                   wr_arena *scratch, wri_twophase *out)
{
    for (uint32_t i = 0; i < p->items.count;) {
        wri_pending *item = &p->items.items[i];
        bool gone;
        WR_TRY(look_for_commit(ctx, p, item, scratch, &gone));
        if (gone) {
            forget(p, i);
            continue;
        }
        if (item->dirty_ms || !item->reported_ms) item->reported_ms = now_ms;
        item->dirty_ms = 0;
        wri_fs_item told = {
            .kind = WRI_FS_PARTITION, .dir = item->dir, .reported_ms = item->reported_ms};
        WR_TRY(wri_pending_ready(ctx, p, item, now_ms, watermark, scratch, &told.ready));
        WR_TRY(wri_fs_item_put(ctx, out, &told));
        i++;
    }
    return WR_OK;
}

wr_status
wri_pending_snapshot(wr_ctx *ctx, const wri_pendings *p, wr_opstate *out)
{
    for (uint32_t i = 0; i < p->items.count; i++) {
        const wri_pending *item = &p->items.items[i];
        wr_text t;
        wr_text_init(&t, out->arena);
        wri_item_put_str(&t, item->dir);
        wri_item_put_i64(&t, item->created_ms);
        wri_item_put_i64(&t, item->reported_ms);
        if (t.failed) return wr_text_raise(ctx, &t);
        WR_TRY(wr_opstate_add(ctx, out, WR_STR("partitions"), WR_OPSTATE_LIST, wr_text_str(&t)));
    }
    return WR_OK;
}

wr_status
wri_pending_restore(wr_ctx *ctx, wri_pendings *p, const wr_opstate *in)
{
    const wr_opstate_list *list = wr_opstate_find(in, "partitions");
    for (uint32_t i = 0; list && i < list->items.count; i++) {
        wri_item_reader r = {.rest = list->items.items[i]};
        const wr_str dir = wri_item_take_str(&r);
        const wri_pending item = {.created_ms = wri_item_take_i64(&r),
                                  .reported_ms = wri_item_take_i64(&r)};
        if (r.bad) return wr_raise(ctx, WR_CORRUPT, "the state of a filesystem sink is malformed");
        if (!wri_pending_find(p, dir)) WR_TRY(add(ctx, p, dir, item));
    }
    return WR_OK;
}

void
wri_pending_close(wri_pendings *p)
{
    while (p->items.count) forget(p, p->items.count - 1);
}
