/* SPDX-License-Identifier: Apache-2.0 */
/* Writing and reading entries of canonical-1. */
#include "state/canonical_int.h"

wr_status
wri_canon_begin(wr_ctx *ctx, wri_canon_writer *c, wr_state_writer *w, wr_memtrack *budget,
                const wri_seg_range *range)
{
    *c = (wri_canon_writer){.budget = budget, .max_parallelism = range->max_parallelism};
    return wri_seg_begin(ctx, &c->seg, WRI_CANON_MAGIC, w, budget, range, false);
}

static wr_status
close_block(wr_ctx *ctx, wri_canon_writer *c)
{
    wri_pack *p = c->pack;
    if (!p) return WR_OK;
    c->pack = NULL;
    c->parent_at = 0;
    const wr_status status = wri_seg_put(ctx, &c->seg, p);
    wri_pack_destroy(c->budget, p);
    return status;
}

/* The block that takes `bytes` more of this table and key group. */
static wr_status
block_for(wr_ctx *ctx, wri_canon_writer *c, uint32_t table, uint32_t group, uint64_t bytes)
{
    const wri_pack *p = c->pack;
    if (p && p->table == table && p->group == group && p->cap - p->len >= bytes) return WR_OK;
    WR_TRY(close_block(ctx, c));
    c->pack = wri_pack_create(c->budget, table, WR_MAX(bytes, (uint64_t)WRI_SEG_BLOCK_BYTES));
    WR_TRY_ALLOC(ctx, c->pack);
    c->pack->group = group;
    return WR_OK;
}

WR_ALWAYS_INLINE uint8_t *
put(uint8_t *p, const void *bytes, size_t len)
{
    if (len) memcpy(p, bytes, len);
    return p + len;
}

static uint8_t *
put_parent(wri_canon_writer *c, uint8_t *p, const wri_canon_entry *e)
{
    uint8_t *start = wri_pack_bytes(c->pack);
    if (c->parent_at && c->parent_len == e->parent_len &&
        memcmp(start + c->parent_at, e->parent_key, e->parent_len) == 0) {
        wr_store32(p, WRI_CANON_SAME);
        return p + 4;
    }
    wr_store32(p, e->parent_len);
    wr_store64(p + 4, e->parent_hash);
    c->parent_at = (uint64_t)(p + 12 - start);
    c->parent_len = e->parent_len;
    return put(p + 12, e->parent_key, e->parent_len);
}

wr_status
wri_canon_put(wr_ctx *ctx, wri_canon_writer *c, uint32_t table, const wr_state_table_info *t,
              const wri_canon_entry *e, size_t blob_bytes)
{
    const bool child = t->shape != WR_STATE_VALUE;
    const uint32_t group = wr_key_group(child ? e->parent_hash : e->e.hash, c->max_parallelism);
    const uint64_t most = 64 + (child ? (uint64_t)e->parent_len : 0) + e->e.key_len +
                          t->record_bytes + (uint64_t)blob_bytes;
    WR_TRY(block_for(ctx, c, table, group, most));
    uint8_t *p = wri_pack_bytes(c->pack) + c->pack->len;
    if (child) p = put_parent(c, p, e);
    wr_store32(p, e->e.key_len);
    p += 4;
    if (t->shape != WR_STATE_ORDERED) p = put(p, &e->e.hash, 8);
    if (t->shape == WR_STATE_MAP) p = put(p, &e->seq, 8);
    if (t->ttl_ms > 0) p = put(p, &e->e.time, 8);
    p = put(p, e->e.key, e->e.key_len);
    p = put(p, e->e.rec, t->record_bytes);
    p = put(p, &e->e.blob_count, 4);
    p = put(p, e->e.blobs, blob_bytes);
    c->pack->len = (size_t)(p - wri_pack_bytes(c->pack));
    c->pack->entries++;
    return WR_OK;
}

wr_status
wri_canon_end(wr_ctx *ctx, wri_canon_writer *c, wr_state_file *out)
{
    WR_TRY(close_block(ctx, c));
    return wri_seg_end(ctx, &c->seg, out);
}

void
wri_canon_deinit(wri_canon_writer *c)
{
    wri_pack_destroy(c->budget, c->pack);
    c->pack = NULL;
    wri_seg_deinit(&c->seg);
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool
take_parent(const uint8_t **p, const uint8_t *end, wri_canon_entry *e)
{
    const uint8_t *at = wri_seg_take(p, end, 4);
    if (!at) return false;
    const uint32_t len = wr_load32(at);
    if (len == WRI_CANON_SAME) return e->parent_key != NULL;
    if (!(at = wri_seg_take(p, end, 8))) return false;
    e->parent_len = len;
    e->parent_hash = wr_load64(at);
    e->parent_key = wri_seg_take(p, end, len);
    return e->parent_key != NULL;
}

bool
wri_canon_next(const wr_state_table_info *t, const uint8_t **p, const uint8_t *end,
               wri_canon_entry *e)
{
    if (t->shape != WR_STATE_VALUE && !take_parent(p, end, e)) return false;
    const uint8_t *at = wri_seg_take(p, end, 4);
    if (!at) return false;
    e->e = (wri_seg_entry){.live = true, .key_len = wr_load32(at)};
    if (t->shape != WR_STATE_ORDERED) {
        if (!(at = wri_seg_take(p, end, 8))) return false;
        e->e.hash = wr_load64(at);
    }
    if (t->shape == WR_STATE_MAP) {
        if (!(at = wri_seg_take(p, end, 8))) return false;
        e->seq = wr_load64(at);
    }
    return wri_seg_body(t, p, end, &e->e);
}
