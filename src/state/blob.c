/* SPDX-License-Identifier: Apache-2.0 */
/* Blobs: bytes of variable length that records refer to by number. A block remembers where its blob
 * lies, so that the blobs of a dying record are found by looking at its words: a word that is a
 * block's number, in the very place the block names, is that blob. */
#include "state/state_int.h"

static wri_backend *
backend_of(const wr_state_table *t)
{
    return (wri_backend *)(void *)t->backend;
}

static wri_block *
block_of(wri_backend *b, const wr_blob *blob)
{
    WR_KASSERT(blob->handle && blob->handle <= b->block_count);
    return wri_block_at(b, blob->handle);
}

/* The owner is compared by snapshots' writers too, in blocks that may change meanwhile. */
static void
set_owner(wri_block *k, const wr_blob *blob)
{
    wr_os_store_relaxed(&k->u.owner, blob);
}

static wr_status
more_blocks(wr_ctx *ctx, wri_backend *b)
{
    uint32_t chunk = 0;
    while (chunk < WRI_BLOCK_CHUNKS && b->blocks[chunk]) chunk++;
    if (chunk == WRI_BLOCK_CHUNKS) return wr_raise(ctx, WR_LIMIT, "too many values of state");
    const uint64_t count = 1ull << (chunk + WRI_BLOCKS_FIRST);
    b->blocks[chunk] = wr_mem_alloc(b->budget, count * sizeof(wri_block));
    WR_TRY_ALLOC(ctx, b->blocks[chunk]);
    b->block_cap += count;
    return WR_OK;
}

static wr_status
take_block(wr_ctx *ctx, wri_backend *b, wr_blob *blob)
{
    if (b->block_free) {
        blob->handle = b->block_free;
        b->block_free = wri_block_at(b, blob->handle)->u.next_free;
    } else {
        if (b->block_count == b->block_cap) WR_TRY(more_blocks(ctx, b));
        blob->handle = ++b->block_count;
    }
    b->block_live++;
    return WR_OK;
}

static void
give_block(wri_backend *b, uint64_t handle)
{
    wri_block *k = wri_block_at(b, handle);
    k->ptr = NULL;
    wr_os_store_relaxed(&k->u.next_free, b->block_free);
    b->block_free = handle;
    b->block_live--;
}

/* Room for `len` bytes; what is there (`keep` bytes) stays. */
static wr_status
reserve(wr_ctx *ctx, wri_backend *b, wr_blob *blob, uint32_t len, uint32_t keep)
{
    if (blob->handle && len <= blob->cap) {
        set_owner(block_of(b, blob), blob);
        return WR_OK;
    }
    uint8_t *p = wri_heap_alloc(&b->heap, len);
    WR_TRY_ALLOC(ctx, p);
    if (!blob->handle) {
        const wr_status status = take_block(ctx, b, blob);
        if (status != WR_OK) {
            wri_heap_free(&b->heap, p, len);
            return status;
        }
    } else {
        wri_block *k = block_of(b, blob);
        if (keep) memcpy(p, k->ptr, keep);
        wri_heap_free(&b->heap, k->ptr, blob->cap);
    }
    wri_block *k = block_of(b, blob);
    k->ptr = p;
    set_owner(k, blob);
    blob->cap = wri_heap_room(len);
    return WR_OK;
}

wr_status
wri_blob_set(wr_ctx *ctx, wr_state_table *t, wr_blob *blob, const void *p, uint32_t len)
{
    wri_backend *b = backend_of(t);
    if (len == 0) { /* all zero, so that no number of a block outlives it in a snapshot */
        wri_blob_free(t, blob);
        return WR_OK;
    }
    WR_TRY(reserve(ctx, b, blob, len, 0));
    memcpy(block_of(b, blob)->ptr, p, len);
    blob->len = len;
    return WR_OK;
}

wr_status
wri_blob_append(wr_ctx *ctx, wr_state_table *t, wr_blob *blob, const void *p, uint32_t len)
{
    wri_backend *b = backend_of(t);
    if (len == 0) return WR_OK;
    if (len > UINT32_MAX / 2 - blob->len)
        return wr_raise(ctx, WR_LIMIT, "a value of state exceeds 2 GiB");
    const uint32_t want = blob->len + len;
    if (!blob->handle || want > blob->cap)
        WR_TRY(reserve(ctx, b, blob, WR_MAX(want, blob->cap + blob->cap / 2), blob->len));
    memcpy(block_of(b, blob)->ptr + blob->len, p, len);
    blob->len = want;
    return WR_OK;
}

const uint8_t *
wri_blob_get(const wr_state_table *t, const wr_blob *blob)
{
    if (!blob->handle) return (const uint8_t *)"";
    return block_of(backend_of(t), blob)->ptr;
}

void
wri_blob_free(wr_state_table *t, wr_blob *blob)
{
    wri_backend *b = backend_of(t);
    if (blob->handle) {
        wri_heap_free(&b->heap, block_of(b, blob)->ptr, blob->cap);
        give_block(b, blob->handle);
    }
    memset(blob, 0, sizeof *blob);
}

void
wri_blobs_drop(wri_backend *b, const uint8_t *rec, uint32_t bytes)
{
    if (!b->block_live) return;
    for (uint32_t at = 0; at + sizeof(wr_blob) <= bytes; at += 8) {
        const wr_blob *blob = (const wr_blob *)(const void *)(rec + at);
        const uint64_t number = blob->handle;
        if (number - 1 >= b->block_count) continue;
        const wri_block *k = wri_block_at(b, number);
        if (!k->ptr || k->u.owner != blob) continue;
        wri_heap_free(&b->heap, k->ptr, blob->cap);
        give_block(b, number);
        at += sizeof(wr_blob) - 8;
    }
}

const wr_blob *
wri_blob_next(const wri_backend *b, uint64_t block_count, const uint8_t *rec, uint32_t bytes,
              uint32_t *at, const uint8_t **data)
{
    if (!block_count) return NULL;
    for (; *at + sizeof(wr_blob) <= bytes; *at += 8) {
        const wr_blob *blob = (const wr_blob *)(const void *)(rec + *at);
        if (blob->handle - 1 >= block_count) continue;
        const wri_block *k = wri_block_at(b, blob->handle);
        /* A free block's owner is a number, which is no address: no need to look at ptr. */
        if (wr_os_load_relaxed(&k->u.owner) != blob || !blob->len) continue;
        *data = k->ptr;
        return blob;
    }
    return NULL;
}
