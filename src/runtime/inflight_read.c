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

/* ---- all files of a checkpoint --------------------------------------------------------------- */

static wr_status
read_file(wr_ctx *ctx, const wr_state_file *file, wr_state_reader *r, wri_stored *s)
{
    wr_file *f = NULL;
    size_t got = 0;
    wri_stored_flow *flows = NULL;
    uint32_t count = 0;
    char *bytes = wr_arena_alloc(s->arena, file->bytes + 1);
    WR_TRY_ALLOC(ctx, bytes);
    WR_TRY(r->open(ctx, r, file, &f));
    wr_status status = f->ops->read_at(ctx, f, 0, bytes, file->bytes, &got);
    wr_ctx closing;
    wr_ctx_init(&closing);
    (void)!f->ops->close(&closing, f);
    WR_TRY(status);
    if (got != file->bytes || wr_hash_bytes(bytes, got, 0) != file->checksum)
        return wr_raise(ctx, WR_CORRUPT,
                        "the checksum of file '%.*s' of the checkpoint does not match",
                        WR_STR_ARG(file->name));
    WR_TRY(wri_inflight_parse(ctx, (wr_str){bytes, got}, file->name, s->arena, &flows, &count));
    for (uint32_t i = 0; i < count; i++)
        if (!wr_list_push(s->arena, &s->flows, flows[i]))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

wr_status
wri_inflight_load(wr_ctx *ctx, const wr_ckpt_meta *m, wr_state_reader *r, wri_stored *s)
{
    for (uint32_t i = 0; i < m->operator_count; i++)
        for (uint32_t k = 0; k < m->operators[i].subtask_count; k++) {
            const wr_state_file *file = m->operators[i].subtasks[k].inflight;
            if (file) WR_TRY(read_file(ctx, file, r, s));
        }
    return WR_OK;
}

/* ---- does it fit? ---------------------------------------------------------------------------- */

const wr_schema *
wri_inflight_schema(const wr_pnode *n, uint32_t input)
{
    const wr_pnode *in = n->inputs[input];
    while (in->kind == WR_P_EXCHANGE) in = in->inputs[0];
    return &in->schema;
}

wr_status
wri_inflight_compare(wr_ctx *ctx, const wr_pnode *n, const wri_stored_flow *flow, wr_arena *a,
                     wr_str *why)
{
    wr_text now, text;
    wr_text_init(&now, a);
    wr_text_init(&text, a);
    wri_inflight_types(wri_inflight_schema(n, flow->input), &now);
    if (now.failed) return wr_text_raise(ctx, &now);
    if (!wr_str_eq(wr_text_str(&now), flow->types))
        wr_text_printf(&text, "rows in flight to %.*s are (%.*s), the query now has (%.*s)",
                       WR_STR_ARG(n->label), WR_STR_ARG(flow->types),
                       WR_STR_ARG(wr_text_str(&now)));
    if (text.failed) return wr_text_raise(ctx, &text);
    *why = wr_text_str(&text);
    return WR_OK;
}

static wr_status
check_flow(wr_ctx *ctx, const wr_plan *plan, const wri_stored_flow *flow, wr_arena *a,
           wr_state_fate *fate, wr_str *why)
{
    for (uint32_t i = 0; i < plan->node_count; i++) {
        const wr_pnode *n = plan->nodes[i];
        if (!wr_str_eq(n->logical_id, flow->id) || flow->input >= n->input_count) continue;
        WR_TRY(wri_inflight_compare(ctx, n, flow, a, why));
        if (why->len) *fate = WR_STATE_REFUSED;
        return WR_OK;
    }
    *fate = WR_STATE_DROPPED;
    *why = wr_arena_printf(a,
                           "those to %.*s; needs "
                           "execution.state-recovery.ignore-unclaimed-state",
                           WR_STR_ARG(flow->id));
    WR_TRY_ALLOC(ctx, why->ptr);
    return WR_OK;
}

wr_status
wr_job_check_inflight(wr_ctx *ctx, const wr_plan *plan, const wr_ckpt_meta *m, wr_arena *a,
                      bool *any, wr_state_fate *fate, wr_str *why)
{
    wr_state_reader *r = NULL;
    wri_stored s = {.arena = a};
    *why = WR_STR("");
    *fate = WR_STATE_KEPT;
    WR_TRY(wr_ckpt_reader(ctx, m, a, &r));
    WR_TRY(wri_inflight_load(ctx, m, r, &s));
    *any = s.flows.count > 0;
    for (uint32_t i = 0; i < s.flows.count && *fate != WR_STATE_REFUSED; i++)
        WR_TRY(check_flow(ctx, plan, &s.flows.items[i], a, fate, why));
    return WR_OK;
}
