/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a segment of log-1. Nothing is believed: sizes and places are checked against the file,
 * every block against its checksum, every entry against its block. */
#include "state/log_int.h"

wr_status
wri_seg_corrupt(wr_ctx *ctx, const wri_seg_file *f, uint64_t offset, const char *what)
{
    (void)wr_raise(ctx, WR_CORRUPT, "state file '%.*s' is damaged at byte %llu: %s",
                   WR_STR_ARG(f->what->name), (unsigned long long)offset, what);
    wr_hint(ctx, "Restore from an earlier checkpoint.");
    return WR_CORRUPT;
}

/* `len` bytes at `offset`, in the map or in f->buf. */
static wr_status
fetch(wr_ctx *ctx, wri_seg_file *f, uint64_t offset, uint64_t len, const uint8_t **out)
{
    WR_ASSERT(offset <= f->bytes && len <= f->bytes - offset);
    if (f->map) {
        *out = (const uint8_t *)f->map + offset;
        return WR_OK;
    }
    if (len > f->cap) {
        wr_mem_free(f->budget, f->buf, f->cap);
        f->cap = 0;
        f->buf = wr_mem_alloc(f->budget, len);
        WR_TRY_ALLOC(ctx, f->buf);
        f->cap = len;
    }
    for (uint64_t done = 0; done < len;) {
        size_t got = 0;
        WR_TRY(f->file->ops->read_at(ctx, f->file, offset + done, f->buf + done, len - done, &got));
        if (!got) return wri_seg_corrupt(ctx, f, offset + done, "the file ends here");
        done += got;
    }
    *out = f->buf;
    return WR_OK;
}

static wr_status
read_head(wr_ctx *ctx, wri_seg_file *f, const char *magic)
{
    const uint8_t *p;
    if (f->bytes < WRI_SEG_FILE_HEAD + WRI_SEG_BLOCK_HEAD + WRI_SEG_FILE_TAIL)
        return wri_seg_corrupt(ctx, f, 0, "it is too short");
    WR_TRY(fetch(ctx, f, 0, WRI_SEG_FILE_HEAD, &p));
    if (memcmp(p, magic, 8) != 0)
        return wri_seg_corrupt(ctx, f, 0, "it does not begin as a state file");
    if (wr_load64(p + 24) != wr_hash_bytes(p, 24, 0))
        return wri_seg_corrupt(ctx, f, 0, "the checksum of its head does not match");
    if (wr_load32(p + 8) != WRI_SEG_VERSION)
        return wr_raise(ctx, WR_UNSUPPORTED,
                        "state file '%.*s' is of format version %u; this weir reads version %u",
                        WR_STR_ARG(f->what->name), wr_load32(p + 8), WRI_SEG_VERSION);
    return WR_OK;
}

/* A block's head and checksum. */
static wr_status
check_block(wr_ctx *ctx, wri_seg_file *f, const wri_seg_block *b, const uint8_t *p)
{
    if (memcmp(p, "BLCK", 4) != 0 || wr_load32(p + 4) != b->table ||
        wr_load32(p + 8) != b->entries || wr_load32(p + 12) != b->group ||
        wr_load64(p + 16) != b->bytes)
        return wri_seg_corrupt(ctx, f, b->offset, "there is no such block");
    if (wr_load64(p + 24) != wri_seg_block_sum(p, b->bytes))
        return wri_seg_corrupt(ctx, f, b->offset, "the checksum of the block does not match");
    return WR_OK;
}

static wr_status
read_tail(wr_ctx *ctx, wri_seg_file *f, wri_seg_block *index)
{
    const uint64_t at = f->bytes - WRI_SEG_FILE_TAIL;
    const uint8_t *p;
    WR_TRY(fetch(ctx, f, at, WRI_SEG_FILE_TAIL, &p));
    if (memcmp(p + 16, "weirend1", 8) != 0 || wr_load64(p + 24) != wr_hash_bytes(p, 24, 0))
        return wri_seg_corrupt(ctx, f, at, "its end is missing or does not match its checksum");
    *index = (wri_seg_block){.offset = wr_load64(p), .bytes = wr_load64(p + 8)};
    if (index->offset < WRI_SEG_FILE_HEAD || index->offset > at ||
        index->bytes != at - index->offset || index->bytes < WRI_SEG_BLOCK_HEAD ||
        (index->bytes - WRI_SEG_BLOCK_HEAD) % WRI_SEG_INDEX_ITEM != 0 ||
        (index->bytes - WRI_SEG_BLOCK_HEAD) / WRI_SEG_INDEX_ITEM > UINT32_MAX)
        return wri_seg_corrupt(ctx, f, at, "its index lies outside the file");
    index->table = WRI_SEG_INDEX_TABLE;
    index->entries = (uint32_t)((index->bytes - WRI_SEG_BLOCK_HEAD) / WRI_SEG_INDEX_ITEM);
    return WR_OK;
}

static wr_status
read_index(wr_ctx *ctx, wri_seg_file *f, wr_arena *a)
{
    wri_seg_block index;
    WR_TRY(read_tail(ctx, f, &index));
    const uint8_t *p;
    WR_TRY(fetch(ctx, f, index.offset, index.bytes, &p));
    WR_TRY(check_block(ctx, f, &index, p));
    f->blocks = WR_NEW_N(a, wri_seg_block, index.entries + (size_t)1);
    WR_TRY_ALLOC(ctx, f->blocks);
    uint64_t at = WRI_SEG_FILE_HEAD;
    p += WRI_SEG_BLOCK_HEAD;
    for (uint32_t i = 0; i < index.entries; i++, p += WRI_SEG_INDEX_ITEM) {
        wri_seg_block *b = &f->blocks[i];
        *b = (wri_seg_block){wr_load64(p), wr_load64(p + 8), wr_load32(p + 16), wr_load32(p + 20),
                             wr_load32(p + 24)};
        if (b->offset != at || b->bytes < WRI_SEG_BLOCK_HEAD || b->bytes > index.offset - at)
            return wri_seg_corrupt(ctx, f, index.offset,
                                   "its index names a block that is not there");
        at += b->bytes;
    }
    if (at != index.offset)
        return wri_seg_corrupt(ctx, f, at, "there are bytes that no block holds");
    f->block_count = index.entries;
    return WR_OK;
}

wr_status
wri_seg_open(wr_ctx *ctx, wri_seg_file *f, const char *magic, wr_state_reader *r,
             const wr_state_file *what, wr_arena *a, wr_memtrack *budget)
{
    *f = (wri_seg_file){.what = what, .bytes = what->bytes, .budget = budget};
    WR_TRY(r->open(ctx, r, what, &f->file));
    size_t len = 0;
    if (f->file->ops->map) WR_TRY(f->file->ops->map(ctx, f->file, &f->map, &len));
    if (f->map && len != f->bytes)
        return wri_seg_corrupt(ctx, f, WR_MIN(len, f->bytes), "it has another size");
    WR_TRY(read_head(ctx, f, magic));
    return read_index(ctx, f, a);
}

void
wri_seg_close(wri_seg_file *f)
{
    wr_ctx ignore; /* nothing was written */
    wr_ctx_init(&ignore);
    if (f->file) (void)f->file->ops->close(&ignore, f->file);
    wr_mem_free(f->budget, f->buf, f->cap);
    *f = (wri_seg_file){0};
}

wr_status
wri_seg_load(wr_ctx *ctx, wri_seg_file *f, uint32_t block, const uint8_t **p, const uint8_t **end)
{
    const wri_seg_block *b = &f->blocks[block];
    WR_TRY(fetch(ctx, f, b->offset, b->bytes, p));
    WR_TRY(check_block(ctx, f, b, *p));
    *end = *p + b->bytes;
    *p += WRI_SEG_BLOCK_HEAD;
    return WR_OK;
}

/* ---- entries --------------------------------------------------------------------------------- */

static bool
take_blobs(const wr_state_table_info *t, const uint8_t **p, const uint8_t *end, wri_seg_entry *e)
{
    const uint8_t *at = wri_seg_take(p, end, 4);
    if (!at) return false;
    e->blob_count = wr_load32(at);
    e->blobs = *p;
    uint32_t least = 0;
    for (uint32_t i = 0; i < e->blob_count; i++) {
        at = wri_seg_take(p, end, WRI_SEG_BLOB_HEAD);
        if (!at) return false;
        const uint32_t offset = wr_load32(at);
        if (offset % 8 != 0 || offset < least || t->record_bytes < sizeof(wr_blob) ||
            offset > t->record_bytes - sizeof(wr_blob))
            return false;
        least = offset + (uint32_t)sizeof(wr_blob);
        if (!wri_seg_take(p, end, wr_load32(at + 4))) return false;
    }
    return true;
}

bool
wri_seg_body(const wr_state_table_info *t, const uint8_t **p, const uint8_t *end, wri_seg_entry *e)
{
    if (t->ttl_ms > 0) {
        const uint8_t *at = wri_seg_take(p, end, 8);
        if (!at) return false;
        e->time = (int64_t)wr_load64(at);
    }
    e->key = wri_seg_take(p, end, e->key_len);
    e->rec = e->key ? wri_seg_take(p, end, t->record_bytes) : NULL;
    return e->rec && take_blobs(t, p, end, e);
}

bool
wri_seg_next(const wr_state_table_info *t, const uint8_t **p, const uint8_t *end, wri_seg_entry *e)
{
    const uint8_t *at = wri_seg_take(p, end, 8);
    if (!at) return false;
    *e = (wri_seg_entry){.number = wr_load32(at), .key_len = wr_load32(at + 4)};
    e->live = e->key_len != WRI_SEG_GONE;
    if (!e->live) return true;
    if (t->shape != WR_STATE_ORDERED) {
        if (!(at = wri_seg_take(p, end, 8))) return false;
        e->hash = wr_load64(at);
    }
    if (t->shape != WR_STATE_VALUE) {
        if (!(at = wri_seg_take(p, end, 8))) return false;
        e->parent = wr_load32(at);
        e->seq = wr_load32(at + 4);
    }
    return wri_seg_body(t, p, end, e);
}
