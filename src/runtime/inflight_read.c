/* SPDX-License-Identifier: Apache-2.0 */
/* Files of in-flight data, read: what they hold, by channel. Whatever the bytes are, nothing beyond
 * them is looked at. */
#include "runtime/inflight_int.h"

typedef struct cursor { /* every step is checked; ok false: there was less */
    const uint8_t *p, *end;
    bool ok;
} cursor;

static uint64_t
get(cursor *c, uint32_t bytes)
{
    uint64_t v = 0;
    c->ok &= (size_t)(c->end - c->p) >= bytes;
    for (uint32_t i = 0; c->ok && i < bytes; i++) v |= (uint64_t)*c->p++ << (8 * i);
    return v;
}

static wr_str
get_bytes(cursor *c, uint64_t len)
{
    c->ok &= (uint64_t)(c->end - c->p) >= len;
    if (!c->ok) return WR_STR("");
    wr_str s = {(const char *)c->p, (size_t)len};
    c->p += len;
    return s;
}

static wr_status
malformed(wr_ctx *ctx, wr_str name)
{
    return wr_raise(ctx, WR_CORRUPT,
                    "the in-flight data in file '%.*s' of the checkpoint are malformed",
                    WR_STR_ARG(name));
}

/* ---- a file ---------------------------------------------------------------------------------- */

static bool
get_flow(cursor *c, wri_stored_flow *out)
{
    out->id = get_bytes(c, get(c, 4));
    out->input = (uint32_t)get(c, 4);
    out->sender = (uint32_t)get(c, 4);
    out->senders = (uint32_t)get(c, 4);
    out->receiver = (uint32_t)get(c, 4);
    out->receivers = (uint32_t)get(c, 4);
    uint64_t held = get(c, 1);
    out->held = held == 1;
    out->watermark = (int64_t)get(c, 8);
    out->types = get_bytes(c, get(c, 4));
    return c->ok && held <= 1 && out->sender < out->senders && out->receiver < out->receivers;
}

static wr_status
get_item(wr_ctx *ctx, cursor *c, wr_arena *a, wr_str name, wri_stored_flow *flows, uint64_t count)
{
    uint64_t flow = get(c, 4);
    wri_stored_item item = {.kind = (uint8_t)get(c, 1)};
    item.body = get_bytes(c, get(c, 4));
    if (!c->ok || flow >= count) return malformed(ctx, name);
    if (item.kind != WRI_ITEM_ROWS && item.kind != WRI_ITEM_WATERMARK) return malformed(ctx, name);
    if (item.kind == WRI_ITEM_WATERMARK && item.body.len != 8) return malformed(ctx, name);
    if (!wr_list_push(a, &flows[flow].items, item)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

wr_status
wri_inflight_parse(wr_ctx *ctx, wr_str bytes, wr_str name, wr_arena *a, wri_stored_flow **flows,
                   uint32_t *count)
{
    cursor c = {(const uint8_t *)bytes.ptr, (const uint8_t *)bytes.ptr + bytes.len, true};
    if (!wr_str_eq(get_bytes(&c, 8), WR_STR(WRI_INFLIGHT_MAGIC))) return malformed(ctx, name);
    uint64_t version = get(&c, 4), n = get(&c, 4), items = get(&c, 4);
    if (!c.ok) return malformed(ctx, name);
    if (version != WRI_INFLIGHT_VERSION)
        return wr_raise(ctx, WR_UNSUPPORTED,
                        "file '%.*s' of the checkpoint holds in-flight data of version %llu; this "
                        "weir reads version %u",
                        WR_STR_ARG(name), (unsigned long long)version, WRI_INFLIGHT_VERSION);
    if (n > bytes.len / WRI_FLOW_BYTES_MIN) return malformed(ctx, name);
    *flows = WR_NEW_N(a, wri_stored_flow, n + 1);
    WR_TRY_ALLOC(ctx, *flows);
    *count = (uint32_t)n;
    for (uint64_t i = 0; i < n; i++)
        if (!get_flow(&c, &(*flows)[i])) return malformed(ctx, name);
    for (uint64_t i = 0; i < items; i++) WR_TRY(get_item(ctx, &c, a, name, *flows, n));
    return c.p == c.end ? WR_OK : malformed(ctx, name);
}

/* ---- its items ------------------------------------------------------------------------------- */

int64_t
wri_inflight_watermark(const wri_stored_item *item)
{
    cursor c = {(const uint8_t *)item->body.ptr, (const uint8_t *)item->body.ptr + 8, true};
    return (int64_t)get(&c, 8);
}

wr_status
wri_inflight_rows(wr_ctx *ctx, const wri_stored_item *item, wri_stored_rows *out)
{
    const uint8_t *p = (const uint8_t *)item->body.ptr;
    cursor c = {p, p + item->body.len, true};
    uint64_t n = get(&c, 4);
    if (!c.ok || n > (uint64_t)(c.end - c.p) / 5)
        return wr_raise(ctx, WR_CORRUPT, "in-flight rows of the checkpoint are malformed");
    *out = (wri_stored_rows){
        .count = (uint32_t)n, .kinds = c.p, .lengths = c.p + n, .data = c.p + 5 * n, .end = c.end};
    return WR_OK;
}

static wr_status
decode_row(wr_ctx *ctx, wri_stored_rows *rows, const wr_schema *schema, wr_batch *b, uint32_t row)
{
    cursor c = {rows->lengths, rows->lengths + 4, true};
    uint64_t len = get(&c, 4);
    if (len > (uint64_t)(rows->end - rows->data) || *rows->kinds > WR_DELETE)
        return wr_raise(ctx, WR_CORRUPT, "in-flight rows of the checkpoint are malformed");
    ((uint8_t *)(uintptr_t)b->kind)[row] = *rows->kinds;
    WR_TRY(
        wr_row_decode(ctx, rows->data, (size_t)len, b->cols, schema->count, row, true, b->arena));
    rows->kinds++;
    rows->lengths += 4;
    rows->data += len;
    rows->count--;
    return WR_OK;
}

wr_status
wri_inflight_decode(wr_ctx *ctx, wri_stored_rows *rows, const wr_schema *schema, wr_batch *b)
{
    uint32_t n = WR_MIN(rows->count, WR_BATCH_ROWS);
    if (!wr_batch_init_flat(b, schema, n) || !wr_batch_kinds(b, n))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    for (uint32_t i = 0; i < n; i++) WR_TRY(decode_row(ctx, rows, schema, b, i));
    b->row_count = n;
    return WR_OK;
}
