/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table from one integer key to a record, for HASH_AGG: groups are numbered in the order of
 * appearance, records lie densely in pages that never move, and a batch is resolved in three passes
 * over blocks that fit the nearest cache, so that memory latencies overlap. Thread: the task's. */
#ifndef WR_OP_FOLD_INT_H
#define WR_OP_FOLD_INT_H

#include "op/op_int.h"

#ifdef WR_TINY
#define WRI_FOLD_SHIFT 2u
#else
#define WRI_FOLD_SHIFT 10u /* records per page */
#endif

typedef struct wri_fold {
    wr_memtrack *budget;
    uint64_t *cells; /* low hash half << 32 | number + 1; 0 = empty */
    uint64_t mask;
    uint8_t **pages; /* each record: the key, then record_bytes */
    uint32_t page_count, page_cap;
    uint32_t stride;
    struct wri_fold_chunk *chunks; /* what pages are cut from */
    uint8_t *next_page, *chunk_end;
    size_t chunk_bytes;  /* of the next chunk */
    uint32_t count;      /* groups */
    uint32_t null_group; /* number of the NULL key's group + 1; 0 = none */
} wri_fold;

void wri_fold_init(wri_fold *f, wr_memtrack *budget, uint32_t record_bytes);
void wri_fold_deinit(wri_fold *f);
/* recs[i]: record of key i, zeroed when it is new. */
wr_status wri_fold_resolve(wr_ctx *ctx, wri_fold *f, const wr_keys *keys,
                           uint8_t **recs) WR_MUST_USE;
/* Key cell of group g; the record is behind it. */
WR_ALWAYS_INLINE uint8_t *
wri_fold_at(const wri_fold *f, uint32_t g)
{
    return f->pages[g >> WRI_FOLD_SHIFT] + (size_t)(g & ((1u << WRI_FOLD_SHIFT) - 1)) * f->stride;
}

#endif
