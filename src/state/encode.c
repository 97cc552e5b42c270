/* SPDX-License-Identifier: Apache-2.0 */
/* An entry of a table as log-1 has it (log_int.h), on its way to a canonical file with its parent's
 * key behind it. Read is what the gate protects and nothing else:
 * this runs in the snapshot's writer while the task changes other entries. */
#include "state/snapshot_int.h"

WR_ALWAYS_INLINE uint8_t *
put32(uint8_t *p, uint32_t v)
{
    wr_store32(p, v);
    return p + 4;
}

WR_ALWAYS_INLINE uint8_t *
put64(uint8_t *p, uint64_t v)
{
    wr_store64(p, v);
    return p + 8;
}

/* Bytes that the blobs of a record take, and how many there are. */
static uint64_t
measure_blobs(const wri_table *t, uint64_t blocks, const uint8_t *rec, uint32_t *count)
{
    uint64_t bytes = 0;
    const uint8_t *data;
    *count = 0;
    for (uint32_t at = 0;; at += sizeof(wr_blob)) {
        const wr_blob *blob =
            wri_blob_next(wri_backend_of(t), blocks, rec, t->record_bytes, &at, &data);
        if (!blob) return bytes;
        if (wri_info_is_transient(&t->info, at)) continue;
        bytes += WRI_SEG_BLOB_HEAD + (uint64_t)blob->len;
        ++*count;
    }
}

/* The record without what means nothing elsewhere; its blobs behind it. */
static uint8_t *
put_record(const wri_table *t, uint64_t blocks, const uint8_t *rec, uint32_t blobs, uint8_t *p)
{
    uint8_t *copy = p;
    if (t->record_bytes) memcpy(copy, rec, t->record_bytes);
    for (uint32_t i = 0; i < t->info.part_count; i++)
        if (t->info.parts[i].kind == WR_PART_TRANSIENT)
            memset(copy + t->info.parts[i].offset, 0, t->info.parts[i].bytes);
    p = put32(p + t->record_bytes, blobs);
    const uint8_t *data;
    for (uint32_t at = 0; blobs; at += sizeof(wr_blob)) {
        const wr_blob *blob =
            wri_blob_next(wri_backend_of(t), blocks, rec, t->record_bytes, &at, &data);
        if (!blob) break;
        if (wri_info_is_transient(&t->info, at)) continue;
        memset(copy + at, 0, sizeof *blob);
        p = put32(put32(p, at), blob->len);
        memcpy(p, data, blob->len);
        p += blob->len;
    }
    return p;
}

/* The pack that takes `bytes` more of table t. */
static wri_pack *
pack_for(const wri_table *t, uint64_t bytes, wri_pack **pack, wri_pack **full)
{
    wri_pack *p = *pack;
    if (p && p->cap - p->len >= bytes) return p;
    /* The first ones are small: there may be many tables with little in them. */
    const uint64_t room =
        p ? WR_MIN(p->cap * 4, (uint64_t)WRI_SEG_BLOCK_BYTES) : WRI_SEG_BLOCK_BYTES / 256;
    if (p) {
        p->next = *full;
        *full = p;
    }
    return *pack = wri_pack_create(wri_backend_of(t)->budget, t->index, WR_MAX(bytes, room));
}

/* The head of an entry's parent. It is there and keeps its key as long as the child does: a slot
 * goes after its children, and those go through the gate. */
static const wri_head *
parent_of(const wri_cut *c, uint32_t slot)
{
    const wri_table *t = c->parent->t;
    const uint8_t *rec = c->parent->pages[slot >> t->base.page_shift] +
                         (size_t)(slot & t->base.page_mask) * t->base.stride;
    return (const wri_head *)(const void *)(rec + t->record_bytes);
}

static uint8_t *
put_parent(const wri_head *h, uint8_t *p)
{
    p = put32(put64(p, h->hash), h->key_len);
    memcpy(p, wri_key_of(h), h->key_len);
    return p + h->key_len;
}

bool
wri_encode(const wri_cut *c, uint64_t blocks, uint32_t number, const uint8_t *rec, wri_pack **pack,
           wri_pack **full)
{
    const wri_table *t = c->t;
    const wri_head *h = (const wri_head *)(const void *)(rec + t->record_bytes);
    const bool live = h->key_len != WRI_FREE;
    uint32_t blobs = 0;
    uint64_t bytes = 8;
    const wri_link *l = (const wri_link *)(const void *)(h + 1); /* of children */
    const wri_head *parent = live && c->parent ? parent_of(c, l->slot) : NULL;
    if (live)
        bytes = 64 + (uint64_t)h->key_len + t->record_bytes + measure_blobs(t, blocks, rec, &blobs);
    if (parent) bytes += WRI_PARENT_HEAD + (uint64_t)parent->key_len;
    wri_pack *to = pack_for(t, bytes, pack, full);
    if (!to) return false;
    uint8_t *p = put32(wri_pack_bytes(to) + to->len, number);
    p = put32(p, live ? h->key_len : WRI_SEG_GONE);
    if (live) {
        if (t->shape == WR_STATE_VALUE) p = put64(p, h->hash);
        if (t->shape == WR_STATE_MAP) p = put64(p, wri_uncombine(h->hash, l->slot));
        if (t->shape != WR_STATE_VALUE)
            p = put32(put32(p, l->slot), t->shape == WR_STATE_MAP ? l->seq : 0);
        if (t->time_offset) p = put64(p, wr_load64(rec + t->time_offset));
        memcpy(p, wri_key_of(h), h->key_len);
        p = put_record(t, blocks, rec, blobs, p + h->key_len);
        if (parent) p = put_parent(parent, p);
    }
    to->len = (size_t)(p - wri_pack_bytes(to));
    to->entries++;
    return true;
}
