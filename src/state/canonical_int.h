/* SPDX-License-Identifier: Apache-2.0 */
/* "canonical-1": keyed state as every backend writes and reads it (docs/reference/
 * checkpoint-format.md, "State files"). One file of blocks as in log-1, sorted by key group, within
 * a key group by table in the order of the handle (parents come first), so that whoever wants some
 * key groups reads one stretch of it. An entry of a child table names its parent by key. */
#ifndef WR_STATE_CANONICAL_INT_H
#define WR_STATE_CANONICAL_INT_H

#include "state/log_int.h"

#define WRI_CANON_FORMAT  "canonical-1"
#define WRI_CANON_MAGIC   "weircan1"
#define WRI_NATIVE_FORMAT "rocksdb-1"
#define WRI_CANON_SAME    UINT32_MAX /* parent's key length: the parent of the entry before */

typedef struct wri_canon_entry {
    wri_seg_entry e;      /* number, parent and seq unused; live */
    uint64_t seq;         /* MAP: ascending in the order of insertion within the parent */
    uint64_t parent_hash; /* MAP, ORDERED */
    const uint8_t *parent_key;
    uint32_t parent_len;
} wri_canon_entry;

typedef struct wri_canon_writer {
    wri_seg_writer seg;
    wr_memtrack *budget;
    uint32_t max_parallelism;
    wri_pack *pack;     /* the open block */
    uint64_t parent_at; /* of the parent's key in it, which the next entry may share; 0: none */
    uint32_t parent_len;
} wri_canon_writer;
wr_status wri_canon_begin(wr_ctx *ctx, wri_canon_writer *c, wr_state_writer *w, wr_memtrack *budget,
                          const wri_seg_range *range) WR_MUST_USE;
/* Entries come by ascending key group, within it by table; children of one parent should come
 * together. t: what the handle says about table number `table`. Record bytes of TRANSIENT parts and
 * of blobs must be zero; e->e.blobs is `blob_bytes` long. */
wr_status wri_canon_put(wr_ctx *ctx, wri_canon_writer *c, uint32_t table,
                        const wr_state_table_info *t, const wri_canon_entry *e,
                        size_t blob_bytes) WR_MUST_USE;
wr_status wri_canon_end(wr_ctx *ctx, wri_canon_writer *c, wr_state_file *out) WR_MUST_USE;
void wri_canon_deinit(wri_canon_writer *c); /* after a failure too */

/* Files are opened with wri_seg_open(WRI_CANON_MAGIC) and blocks loaded with wri_seg_load; blocks
 * name table and key group. The entry at *p, which moves behind it; *e is the entry before in the
 * same block, or zeroed at its start. False: damaged. */
bool wri_canon_next(const wr_state_table_info *t, const uint8_t **p, const uint8_t *end,
                    wri_canon_entry *e) WR_MUST_USE;

/* Native snapshots of RocksDB's, for other backends: their entries as canonical ones
 * (rocksdb_native.c). `budget` outlives it. Refused where RocksDB is missing. */
typedef struct wri_native wri_native;
wr_status wri_native_open(wr_ctx *ctx, const wr_state_handle *h, wr_state_reader *r,
                          wr_memtrack *budget, wri_native **out) WR_MUST_USE;
/* `same_parent`: as that of the entry before, of the same call. */
typedef wr_status (*wri_native_fn)(wr_ctx *ctx, void *arg, const wri_canon_entry *e,
                                   bool same_parent);
/* The entries of table number `table` of the handle, those of these key groups. */
wr_status wri_native_each(wr_ctx *ctx, wri_native *n, uint32_t table, uint32_t kg_first,
                          uint32_t kg_last, wri_native_fn fn, void *arg) WR_MUST_USE;
void wri_native_close(wri_native *n); /* NULL is fine */

#endif
