/* SPDX-License-Identifier: Apache-2.0 */
/* The memory backend's way to canonical-1. Its entries come by number, the format wants them by key
 * group and children with their parents. They are put in order in memory as long as they have room
 * there; then the sorted ones go to a scratch file as a *run*, and in the end the runs are merged.
 * So a savepoint needs a fixed amount of memory, whatever the size of the state. */
#ifndef WR_STATE_SORT_INT_H
#define WR_STATE_SORT_INT_H

#include "state/canonical_int.h"
#include "state/snapshot_int.h"

#define WRI_SORT_BYTES  ((size_t)64 << 20) /* by default */
#define WRI_SORT_REST   ((size_t)4 << 20)  /* of it: open blocks, index of the file */
#define WRI_SORT_TABLES 65536u

/* Where an entry belongs: key group, table, number of the parent; ascending. */
WR_ALWAYS_INLINE uint64_t
wri_place(uint32_t group, uint32_t table, uint32_t parent)
{
    return (uint64_t)group << 48 | (uint64_t)table << 32 | parent;
}
WR_ALWAYS_INLINE uint32_t
wri_place_table(uint64_t place)
{
    return (uint32_t)(place >> 32) & 0xffffu;
}

typedef struct wri_sorted { /* an entry in memory */
    uint64_t place;
    uint32_t pack, at; /* which pack; byte behind the pack's head */
} wri_sorted;

typedef struct wri_run { /* a stretch of the scratch file; buf holds its next bytes */
    uint64_t at, end;    /* what has not been read */
    uint8_t *buf;
    size_t cap, from, to;
    uint64_t place, bytes; /* of the next entry: as said in front of it */
} wri_run;

typedef struct wri_runs {
    wr_memtrack *budget;
    wr_file *out, *in; /* NULL: no run has been written */
    uint64_t written;
    wri_run *items;
    uint32_t count, cap;
    uint32_t *heap; /* numbers of runs; on top the one with the least place */
    uint32_t heap_count;
    uint8_t *buf; /* what waits to be appended */
    size_t len;
    size_t usual; /* merging: bytes of a run's buffer */
    bool given;   /* the entry on top has been given */
} wri_runs;

typedef struct wri_sorter {
    wr_state_snapshot *s;
    wr_state_writer *w;
    wr_memtrack *budget;
    size_t limit, held; /* bytes of a run in memory: so many may be, are */
    wri_pack *first, **last;
    uint32_t pack_count;
    uint64_t entries; /* in these packs */
    wri_pack **packs; /* while they are sorted: by number */
    wri_sorted *sorted, *other;
    uint32_t count; /* in `sorted` */
    wri_runs runs;
} wri_sorter;

/* ---- canonical_sort.c ------------------------------------------------------------------------ */
void wri_sorter_init(wri_sorter *o, wr_state_snapshot *s, wr_state_writer *w);
/* p, made by wri_encode, is the sorter's from now on, also when this fails. */
wr_status wri_sorter_add(wr_ctx *ctx, wri_sorter *o, wri_pack *p) WR_MUST_USE;
/* The file, with every entry that was added. Once. */
wr_status wri_sorter_write(wr_ctx *ctx, wri_sorter *o, wr_state_file *out) WR_MUST_USE;
void wri_sorter_deinit(wri_sorter *o); /* after a failure too */

/* ---- canonical_runs.c ------------------------------------------------------------------------ */
wr_status wri_runs_begin(wr_ctx *ctx, wri_runs *r, wr_state_writer *w) WR_MUST_USE; /* a run */
wr_status wri_runs_put(wr_ctx *ctx, wri_runs *r, uint64_t place, const uint8_t *p,
                       size_t bytes) WR_MUST_USE;
wr_status wri_runs_end(wr_ctx *ctx, wri_runs *r) WR_MUST_USE;
/* From now on the entries of all runs come by ascending place. `memory`: for all buffers. */
wr_status wri_runs_merge(wr_ctx *ctx, wri_runs *r, size_t memory) WR_MUST_USE;
/* The next entry, good until the next call; *p NULL: there are no more. */
wr_status wri_runs_next(wr_ctx *ctx, wri_runs *r, uint64_t *place, const uint8_t **p,
                        const uint8_t **end) WR_MUST_USE;
void wri_runs_deinit(wri_runs *r);

#endif
