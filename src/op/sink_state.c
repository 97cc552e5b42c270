/* SPDX-License-Identifier: Apache-2.0 */
/* What a SINK keeps in checkpoints.
 *
 *   list "committables"   one item per checkpoint whose output was prepared and is not known to be
 *                         committed: its id (8 bytes, little endian), then the connector's bytes.
 *                         An item stays in all later checkpoints until `committed` says so: a
 *                         commit that a failure cut off is made up for after the restore.
 *   lists "writer/<name>" the connector's own lists
 *
 * After a restore the coordinator commits the committables before anything runs, so they are not
 * taken over. */
#include "op/sink_int.h"

#define COMMITTABLES "committables"
static const wr_str writer_prefix = {"writer/", 7};

/* ---- committables ---------------------------------------------------------------------------- */
static wr_status
remember(wr_ctx *ctx, wri_sink_state *s, wr_memtrack *budget, uint64_t checkpoint_id, wr_str bytes)
{
    if (s->count == s->cap) {
        const uint32_t cap = s->cap ? s->cap * 2 : 4;
        wri_committable *more =
            wr_mem_realloc(budget, s->items, s->cap * sizeof *more, cap * sizeof *more);
        WR_TRY_ALLOC(ctx, more);
        s->items = more;
        s->cap = cap;
    }
    uint8_t *item = wr_mem_alloc(budget, 8 + bytes.len);
    WR_TRY_ALLOC(ctx, item);
    wr_store64(item, checkpoint_id);
    memcpy(item + 8, bytes.ptr, bytes.len);
    s->items[s->count++] = (wri_committable){checkpoint_id, item, 8 + bytes.len};
    return WR_OK;
}

void
wri_sink_committed(wri_sink_state *s, wr_memtrack *budget, uint64_t checkpoint_id)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->items[i].checkpoint_id > checkpoint_id)
            s->items[kept++] = s->items[i];
        else
            wr_mem_free(budget, s->items[i].item, s->items[i].bytes);
    }
    s->count = kept;
}

void
wri_sink_state_free(wri_sink_state *s, wr_memtrack *budget)
{
    wri_sink_committed(s, budget, UINT64_MAX);
    wr_mem_free(budget, s->items, s->cap * sizeof *s->items);
    *s = (wri_sink_state){0};
}

/* ---- snapshot -------------------------------------------------------------------------------- */
static wr_status
put_writer_lists(wr_ctx *ctx, const wr_opstate *own, wr_opstate *out)
{
    for (uint32_t i = 0; i < own->lists.count; i++) {
        const wr_opstate_list *list = &own->lists.items[i];
        const wr_str name = wr_arena_printf(out->arena, "%.*s%.*s", WR_STR_ARG(writer_prefix),
                                            WR_STR_ARG(list->name));
        WR_TRY_ALLOC(ctx, name.ptr);
        for (uint32_t k = 0; k < list->items.count; k++)
            WR_TRY(
                wr_opstate_add(ctx, out, name, (wr_opstate_mode)list->mode, list->items.items[k]));
    }
    return WR_OK;
}

wr_status
wri_sink_snapshot(wr_ctx *ctx, wr_op *op, wri_sink_state *s, wr_writer *w, uint64_t checkpoint_id,
                  wr_opstate *out)
{
    const wr_sink_ops *ops = op->node->u.sink.sink;
    wr_str committable = WR_STR("");
    wr_opstate own = {.arena = out->arena};
    WR_TRY(ops->prepare(ctx, w, checkpoint_id, out->arena, &committable));
    if (committable.len) WR_TRY(remember(ctx, s, op->env->budget, checkpoint_id, committable));
    WR_TRY(ops->snapshot(ctx, w, checkpoint_id, &own));
    for (uint32_t i = 0; i < s->count; i++) {
        const wr_str item = {(const char *)s->items[i].item, s->items[i].bytes};
        WR_TRY(wr_opstate_add(ctx, out, WR_STR(COMMITTABLES), WR_OPSTATE_LIST, item));
    }
    return put_writer_lists(ctx, &own, out);
}

/* ---- restore --------------------------------------------------------------------------------- */
wr_status
wri_sink_restore(wr_ctx *ctx, wr_op *op, wr_writer *w, const wr_opstate *in)
{
    wr_opstate own = {.arena = op->env->arena};
    for (uint32_t i = 0; i < in->lists.count; i++) {
        wr_opstate_list list = in->lists.items[i];
        if (!wr_str_starts(list.name, writer_prefix)) continue;
        list.name = (wr_str){list.name.ptr + writer_prefix.len, list.name.len - writer_prefix.len};
        if (!wr_list_push(own.arena, &own.lists, list)) return WRI_NOMEM(ctx);
    }
    return op->node->u.sink.sink->restore(ctx, w, &own);
}
