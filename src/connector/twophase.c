/* SPDX-License-Identifier: Apache-2.0 */
/* The base of sinks that commit in two phases: what a checkpoint will make visible is collected as
 * items while rows are written, handed out as one committable at the barrier, and taken apart again
 * where it is committed. An item is what the sink wants: a file to rename, a transaction to commit.
 *
 *   committable  byte version (1), varint checkpoint, varint subtask, zigzag watermark, items
 *   item         varint length, bytes
 *
 * Numbers are varints (seven bits a byte, the lowest first); texts a varint length and bytes. The
 * writer's own list "epoch" (union) holds the checkpoint it was made for and whose it is (varint,
 * text), so that a restored writer knows which one it starts from: what dead attempts made behind
 * that one can be told by it. A checkpoint of another owner counts as none: its numbers are not
 * ours. */
#include "connector/twophase_int.h"

enum { COMMITTABLE_VERSION = 1 };

void
wri_item_put_u64(wr_text *t, uint64_t v)
{
    for (; v >= 0x80; v >>= 7) wr_text_putc(t, (char)(v & 0x7f) + (char)0x80);
    wr_text_putc(t, (char)v);
}

void
wri_item_put_i64(wr_text *t, int64_t v)
{
    wri_item_put_u64(t, ((uint64_t)v << 1) ^ (uint64_t)(v >> 63));
}

void
wri_item_put_str(wr_text *t, wr_str s)
{
    wri_item_put_u64(t, s.len);
    wr_text_put(t, s.ptr, s.len);
}

uint64_t
wri_item_take_u64(wri_item_reader *r)
{
    uint64_t v = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
        if (r->rest.len == 0) break;
        const uint8_t byte = (uint8_t)*r->rest.ptr;
        r->rest = (wr_str){r->rest.ptr + 1, r->rest.len - 1};
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return v;
    }
    r->bad = true;
    return 0;
}

int64_t
wri_item_take_i64(wri_item_reader *r)
{
    const uint64_t v = wri_item_take_u64(r);
    return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

wr_str
wri_item_take_str(wri_item_reader *r)
{
    const uint64_t len = wri_item_take_u64(r);
    if (len > r->rest.len) r->bad = true;
    if (r->bad) return (wr_str){"", 0};
    const wr_str out = {r->rest.ptr, (size_t)len};
    r->rest = (wr_str){r->rest.ptr + len, r->rest.len - (size_t)len};
    return out;
}

/* ---- the writer's side ----------------------------------------------------------------------- */

wr_status
wri_twophase_init(wr_ctx *ctx, wri_twophase *t, wr_str owner, wr_memtrack *budget)
{
    *t = (wri_twophase){.arena = wr_arena_create(budget, 1024), .owner = owner};
    return t->arena ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
}

void
wri_twophase_deinit(wri_twophase *t)
{
    wr_arena_destroy(t->arena);
    t->arena = NULL;
}

wr_status
wri_twophase_add(wr_ctx *ctx, wri_twophase *t, wr_str item)
{
    const wr_str copy = wr_arena_str(t->arena, item);
    if (!copy.ptr || !wr_list_push(t->arena, &t->items, copy))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

wr_status
wri_twophase_prepare(wr_ctx *ctx, wri_twophase *t, const wri_committable *head, wr_arena *a,
                     wr_str *out)
{
    wr_text text;
    wr_text_init(&text, a);
    wr_text_putc(&text, COMMITTABLE_VERSION);
    wri_item_put_u64(&text, head->checkpoint_id);
    wri_item_put_u64(&text, head->subtask);
    wri_item_put_i64(&text, head->watermark);
    for (uint32_t i = 0; i < t->items.count; i++) wri_item_put_str(&text, t->items.items[i]);
    if (text.failed) return wr_text_raise(ctx, &text);
    *out = wr_text_str(&text);
    wri_twophase_forget(t);
    t->epoch = head->checkpoint_id;
    return WR_OK;
}

void
wri_twophase_forget(wri_twophase *t)
{
    wr_arena_reset(t->arena);
    memset(&t->items, 0, sizeof t->items);
}

wr_status
wri_twophase_snapshot(wr_ctx *ctx, const wri_twophase *t, uint64_t checkpoint_id, wr_opstate *out)
{
    wr_text text;
    wr_text_init(&text, out->arena);
    wri_item_put_u64(&text, checkpoint_id);
    wri_item_put_str(&text, t->owner);
    if (text.failed) return wr_text_raise(ctx, &text);
    return wr_opstate_add(ctx, out, WR_STR("epoch"), WR_OPSTATE_UNION, wr_text_str(&text));
}

wr_status
wri_twophase_restore(wr_ctx *ctx, wri_twophase *t, const wr_opstate *in)
{
    const wr_opstate_list *list = wr_opstate_find(in, "epoch");
    t->epoch = 0;
    for (uint32_t i = 0; list && i < list->items.count; i++) {
        wri_item_reader r = {.rest = list->items.items[i]};
        const uint64_t id = wri_item_take_u64(&r);
        if (wr_str_eq(wri_item_take_str(&r), t->owner)) t->epoch = WR_MAX(t->epoch, id);
        if (r.bad) return wr_raise(ctx, WR_CORRUPT, "the state of a sink is malformed");
    }
    return WR_OK;
}

/* ---- the committing side --------------------------------------------------------------------- */

wr_status
wri_committable_open(wr_ctx *ctx, wr_str text, wri_committable *head, wri_item_reader *items)
{
    *items = (wri_item_reader){.rest = text};
    const bool known = text.len > 0 && *text.ptr == COMMITTABLE_VERSION;
    if (known) items->rest = (wr_str){text.ptr + 1, text.len - 1};
    head->checkpoint_id = wri_item_take_u64(items);
    head->subtask = (uint32_t)wri_item_take_u64(items);
    head->watermark = wri_item_take_i64(items);
    if (known && !items->bad) return WR_OK;
    return wr_raise(ctx, WR_CORRUPT, "what a sink left to be committed is malformed%s",
                    text.len && !known ? ", or of a later version of weir" : "");
}

bool
wri_committable_next(wri_item_reader *items, wr_str *item)
{
    if (items->bad || items->rest.len == 0) return false;
    *item = wri_item_take_str(items);
    return !items->bad;
}

wr_status
wri_committable_check(wr_ctx *ctx, const wri_item_reader *items)
{
    if (!items->bad) return WR_OK;
    return wr_raise(ctx, WR_CORRUPT, "what a sink left to be committed is malformed");
}
