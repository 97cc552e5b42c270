/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a segment of log-1: head, blocks as they come, an index of them, tail. */
#include "state/log_int.h"

wri_pack *
wri_pack_create(wr_memtrack *m, uint32_t table, size_t room)
{
    size_t bytes;
    if (!wr_add_size(room, sizeof(wri_pack) + WRI_SEG_BLOCK_HEAD, &bytes)) return NULL;
    wri_pack *p = wr_mem_alloc(m, bytes);
    if (!p) return NULL;
    *p = (wri_pack){.table = table, .len = WRI_SEG_BLOCK_HEAD, .cap = room + WRI_SEG_BLOCK_HEAD};
    return p;
}

void
wri_pack_destroy(wr_memtrack *m, wri_pack *p)
{
    if (p) wr_mem_free(m, p, sizeof *p + p->cap);
}

static wr_status
append(wr_ctx *ctx, wri_seg_writer *l, const void *p, size_t len)
{
    l->at += len;
    return l->w->append(ctx, l->w, p, len);
}

wr_status
wri_seg_begin(wr_ctx *ctx, wri_seg_writer *l, const char *magic, wr_state_writer *w,
              wr_memtrack *budget, const wri_seg_range *range, bool shared)
{
    *l = (wri_seg_writer){.w = w, .budget = budget};
    WR_TRY(w->create(ctx, w, shared));
    uint8_t head[WRI_SEG_FILE_HEAD];
    memcpy(head, magic, 8);
    wr_store32(head + 8, WRI_SEG_VERSION);
    wr_store32(head + 12, range->kg_first);
    wr_store32(head + 16, range->kg_last);
    wr_store32(head + 20, range->max_parallelism);
    wr_store64(head + 24, wr_hash_bytes(head, 24, 0));
    return append(ctx, l, head, sizeof head);
}

/* Head of a block in front of its entries: what it holds, and the checksum of all of it. */
static void
seal(wri_pack *p)
{
    uint8_t *block = wri_pack_bytes(p);
    memcpy(block, "BLCK", 4);
    wr_store32(block + 4, p->table);
    wr_store32(block + 8, p->entries);
    wr_store32(block + 12, p->group);
    wr_store64(block + 16, p->len);
    wr_store64(block + 24, wri_seg_block_sum(block, p->len));
}

static wr_status
note(wr_ctx *ctx, wri_seg_writer *l, const wri_pack *p)
{
    if (l->blocks == l->cap) {
        const uint32_t cap = l->cap ? l->cap * 2 : 64;
        uint8_t *more = wr_mem_realloc(l->budget, l->index, (size_t)l->cap * WRI_SEG_INDEX_ITEM,
                                       (size_t)cap * WRI_SEG_INDEX_ITEM);
        WR_TRY_ALLOC(ctx, more);
        l->index = more;
        l->cap = cap;
    }
    uint8_t *item = l->index + (size_t)l->blocks++ * WRI_SEG_INDEX_ITEM;
    wr_store64(item, l->at);
    wr_store64(item + 8, p->len);
    wr_store32(item + 16, p->table);
    wr_store32(item + 20, p->entries);
    wr_store32(item + 24, p->group);
    wr_store32(item + 28, 0);
    return WR_OK;
}

wr_status
wri_seg_put(wr_ctx *ctx, wri_seg_writer *l, wri_pack *p)
{
    seal(p);
    WR_TRY(note(ctx, l, p));
    return append(ctx, l, wri_pack_bytes(p), p->len);
}

wr_status
wri_seg_end(wr_ctx *ctx, wri_seg_writer *l, wr_state_file *out)
{
    const uint64_t index_at = l->at;
    const size_t bytes = (size_t)l->blocks * WRI_SEG_INDEX_ITEM;
    wri_pack *p = wri_pack_create(l->budget, WRI_SEG_INDEX_TABLE, bytes);
    WR_TRY_ALLOC(ctx, p);
    if (bytes) memcpy(wri_pack_bytes(p) + p->len, l->index, bytes);
    p->len += bytes;
    p->entries = l->blocks;
    seal(p);
    const wr_status status = append(ctx, l, wri_pack_bytes(p), p->len);
    wri_pack_destroy(l->budget, p);
    WR_TRY(status);
    uint8_t tail[WRI_SEG_FILE_TAIL];
    wr_store64(tail, index_at);
    wr_store64(tail + 8, l->at - index_at);
    memcpy(tail + 16, "weirend1", 8);
    wr_store64(tail + 24, wr_hash_bytes(tail, 24, 0));
    WR_TRY(append(ctx, l, tail, sizeof tail));
    return l->w->close(ctx, l->w, out);
}

void
wri_seg_deinit(wri_seg_writer *l)
{
    wr_mem_free(l->budget, l->index, (size_t)l->cap * WRI_SEG_INDEX_ITEM);
    l->index = NULL;
    l->cap = 0;
}
