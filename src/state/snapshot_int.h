/* SPDX-License-Identifier: Apache-2.0 */
/* A snapshot of the memory backend in the making; who may touch what is told in gate.c. */
#ifndef WR_STATE_SNAPSHOT_INT_H
#define WR_STATE_SNAPSHOT_INT_H

#include "state/log_int.h"
#include "state/state_int.h"

typedef struct wri_cut { /* a table as it was at the barrier */
    wri_table *t;
    uint8_t **pages;
    wri_marks **marks;
    uint32_t used, page_count;
    uint64_t live;
    wri_pack *side; /* what the task had to save, in the making; under the snapshot's lock */
    const struct wri_cut *parent; /* canonical: entries are encoded with their parent's key */
} wri_cut;

typedef struct wri_old { /* an array that has moved, kept until the snapshot is released */
    struct wri_old *next;
    void *p;
    size_t bytes;
} wri_old;

struct wr_state_snapshot {
    wri_backend *b;
    wr_snapshot_kind kind;
    uint32_t level, epoch;
    uint64_t block_count; /* blobs that there were */
    wri_cut *cuts;        /* by index of the table */
    uint32_t cut_count;
    wri_old *old; /* the task's */
    /* Shared with the writer: */
    wri_marks *busy; /* atomic: the marks whose entries the writer is reading */
    uint32_t lock;   /* for what follows, and `side` of the cuts */
    bool done;       /* nothing is awaited any more */
    bool failed;     /* the task could not save something: out of memory */
    wri_pack *saved; /* full packs of the task */
    /* The writer's: */
    wri_segment added; /* level WRI_FULL + 1: none */
    bool written;
};
WR_ALWAYS_INLINE void
wri_lock(uint32_t *lock)
{
    uint32_t is = 0;
    for (uint32_t spin = 0; !wr_os_cas(lock, &is, 1u); spin++, is = 0)
        if (spin % 64 == 63)
            wr_os_thread_yield();
        else
            wr_os_relax();
}
WR_ALWAYS_INLINE void
wri_unlock(uint32_t *lock)
{
    wr_os_store(lock, 0u);
}
/* Make marks those of the present epoch. s: the unreleased snapshot, or NULL. `used`: how many of
 * these entries there were at its barrier. */
void wri_turn(wri_table *t, wri_marks *m, uint32_t epoch, const wr_state_snapshot *s,
              uint32_t used);
/* Behind an entry of a cut with a parent: u64 hash, u32 length, bytes of the parent's key. */
#define WRI_PARENT_HEAD 12u
/* Append entry `number`, whose record is at `rec`, to the pack *p. When it is full, it is put in
 * front of *full and a new one is made. Thread: the task's or the writer's. */
bool wri_encode(const wri_cut *c, uint64_t block_count, uint32_t number, const uint8_t *rec,
                wri_pack **p, wri_pack **full) WR_MUST_USE;
/* Debug: no entry has changed since the last barrier without wri_mark. */
void wri_check_marks(wri_backend *b);

#endif
