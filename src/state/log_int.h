/* SPDX-License-Identifier: Apache-2.0 */
/* "log-1": how the memory backend writes itself (docs/reference/checkpoint-format.md, "State
 * files"). A segment is a file of blocks, a block holds entries of one table, an entry says what is
 * at one number: a key with its record, or nothing any more. A handle names a chain of segments,
 * oldest first; of the entries of a number the one in the newest segment counts. */
#ifndef WR_STATE_LOG_INT_H
#define WR_STATE_LOG_INT_H

#include "spi/state.h"

#define WRI_SEG_FORMAT      "log-1"
#define WRI_SEG_MAGIC       "weirlog1"
#define WRI_SEG_VERSION     1u
#define WRI_SEG_FILE_HEAD   32u
#define WRI_SEG_BLOCK_HEAD  32u
#define WRI_SEG_INDEX_ITEM  32u
#define WRI_SEG_FILE_TAIL   32u
#define WRI_SEG_BLOCK_BYTES (1u << 20) /* a block is closed at this size */
#define WRI_SEG_INDEX_TABLE UINT32_MAX /* the "table" of the block that is the index */
#define WRI_SEG_GONE        UINT32_MAX /* key length of a number that is not in use */
#define WRI_SEG_BLOB_HEAD   8u

/* The checksum of a block: that of its entries, seeded with that of its head. */
WR_ALWAYS_INLINE uint64_t
wri_seg_block_sum(const uint8_t *block, uint64_t bytes)
{
    return wr_hash_bytes(block + WRI_SEG_BLOCK_HEAD, bytes - WRI_SEG_BLOCK_HEAD,
                         wr_hash_bytes(block, 24, 0));
}

/* ---- writing --------------------------------------------------------------------------------- */
typedef struct wri_pack { /* a block in the making: its head, then its entries */
    struct wri_pack *next;
    size_t len, cap; /* of the bytes behind this struct */
    uint32_t table, entries;
    uint32_t group; /* canonical: key group; log: 0 */
} wri_pack;
WR_ALWAYS_INLINE uint8_t *
wri_pack_bytes(wri_pack *p)
{
    return (uint8_t *)(p + 1);
}
wri_pack *wri_pack_create(wr_memtrack *m, uint32_t table, size_t room) WR_MUST_USE; /* or NULL */
void wri_pack_destroy(wr_memtrack *m, wri_pack *p);

typedef struct wri_seg_writer { /* one segment */
    wr_state_writer *w;
    wr_memtrack *budget;
    uint8_t *index; /* items so far */
    uint32_t blocks, cap;
    uint64_t at; /* bytes written */
} wri_seg_writer;
typedef struct wri_seg_range {
    uint32_t kg_first, kg_last, max_parallelism;
} wri_seg_range;
wr_status wri_seg_begin(wr_ctx *ctx, wri_seg_writer *l, const char *magic, wr_state_writer *w,
                        wr_memtrack *budget, const wri_seg_range *range, bool shared) WR_MUST_USE;
wr_status wri_seg_put(wr_ctx *ctx, wri_seg_writer *l, wri_pack *p) WR_MUST_USE; /* p stays yours */
wr_status wri_seg_end(wr_ctx *ctx, wri_seg_writer *l, wr_state_file *out) WR_MUST_USE;
void wri_seg_deinit(wri_seg_writer *l);

/* ---- reading --------------------------------------------------------------------------------- */
typedef struct wri_seg_block {
    uint64_t offset, bytes; /* of the head in the file; of head and entries */
    uint32_t table, entries, group;
} wri_seg_block;

typedef struct wri_seg_file { /* a segment that is being read; everything but `buf` in an arena */
    const wr_state_file *what;
    wr_file *file;
    const char *map; /* NULL: blocks are read into buf */
    uint64_t bytes;
    wri_seg_block *blocks;
    uint32_t block_count;
    wr_memtrack *budget;
    uint8_t *buf;
    size_t cap;
} wri_seg_file;
/* Opens it and reads head and index. WR_CORRUPT names the file and the place. Close it also when
 * this has failed. */
wr_status wri_seg_open(wr_ctx *ctx, wri_seg_file *f, const char *magic, wr_state_reader *r,
                       const wr_state_file *what, wr_arena *a, wr_memtrack *budget) WR_MUST_USE;
void wri_seg_close(wri_seg_file *f);
/* The entries of a block, checked against its checksum; valid until the next call. */
wr_status wri_seg_load(wr_ctx *ctx, wri_seg_file *f, uint32_t block, const uint8_t **p,
                       const uint8_t **end) WR_MUST_USE;
wr_status wri_seg_corrupt(wr_ctx *ctx, const wri_seg_file *f, uint64_t offset, const char *what);

typedef struct wri_seg_entry { /* borrowed from the block */
    uint32_t number, parent, seq;
    bool live;
    uint64_t hash; /* VALUE: of the key; MAP: of the sub-key, as the operator gave it */
    int64_t time;
    const uint8_t *key, *rec, *blobs; /* blobs: (u32 offset, u32 bytes, bytes) each */
    uint32_t key_len, blob_count;
} wri_seg_entry;
/* The entry at *p, which moves behind it; false: it is damaged. Whatever it gives lies before
 * `end`; blobs have ascending, aligned offsets within the record. */
bool wri_seg_next(const wr_state_table_info *t, const uint8_t **p, const uint8_t *end,
                  wri_seg_entry *e) WR_MUST_USE;
/* What log and canonical entries have in common: time, key, record and blobs; key_len is known. */
bool wri_seg_body(const wr_state_table_info *t, const uint8_t **p, const uint8_t *end,
                  wri_seg_entry *e) WR_MUST_USE;
/* `bytes` bytes at *p, which moves behind them; NULL: they are not there. */
WR_ALWAYS_INLINE const uint8_t *
wri_seg_take(const uint8_t **p, const uint8_t *end, size_t bytes)
{
    if ((size_t)(end - *p) < bytes) return NULL;
    const uint8_t *at = *p;
    *p += bytes;
    return at;
}
/* The blob at *p of an entry that wri_seg_next has given. */
WR_ALWAYS_INLINE const uint8_t *
wri_seg_blob(const uint8_t **p, uint32_t *offset, uint32_t *len)
{
    *offset = wr_load32(*p);
    *len = wr_load32(*p + 4);
    const uint8_t *bytes = *p + WRI_SEG_BLOB_HEAD;
    *p = bytes + *len;
    return bytes;
}

#endif
