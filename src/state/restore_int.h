/* SPDX-License-Identifier: Apache-2.0 */
/* Entries that keep their numbers through a restore, so that increments go on from the files that
 * they came from. */
#ifndef WR_STATE_RESTORE_INT_H
#define WR_STATE_RESTORE_INT_H

#include "state/state_int.h"

/* Numbers 0..used-1 of an empty table are there, for entries to come: the next one gets the number
 * that was aimed at. In the end t->free_entry is set to WRI_NIL, and what no entry has is skipped.
 */
wr_status wri_entry_reserve(wr_ctx *ctx, wri_table *t, uint32_t used) WR_MUST_USE;
void wri_entry_aim(wri_table *t, uint32_t number);
void wri_entry_skip(wri_table *t, uint32_t number);
/* The backend holds just what these files do, under the same numbers: increments go on from them.
 */
wr_status wri_chain_take(wr_ctx *ctx, wri_backend *b, const wr_state_handle *h) WR_MUST_USE;

/* The index as a restore fills a table, whatever the order of its entries. Of a big table the cells
 * of a shard wait for each other: those of all shards together, met at random, are more pages than
 * a TLB holds. Until wri_index_end has gone well nothing is found; wri_index_close in any case. */
typedef struct wri_indexing {
    uint64_t *cells;   /* a stretch for each shard; NULL: nothing waits */
    uint32_t *waiting; /* cells in each stretch */
    uint32_t shards;
} wri_indexing;
/* Room for about `entries` in all: more of them are indexed too, a little dearer. */
wr_status wri_index_begin(wr_ctx *ctx, wri_table *t, wri_indexing *x, uint64_t entries) WR_MUST_USE;
wr_status wri_index_add(wr_ctx *ctx, wri_table *t, wri_indexing *x, uint64_t hash,
                        uint32_t entry) WR_MUST_USE; /* WR_CORRUPT: a key is there twice */
wr_status wri_index_end(wr_ctx *ctx, wri_table *t, wri_indexing *x) WR_MUST_USE;
void wri_index_close(wri_table *t, wri_indexing *x);

#endif
