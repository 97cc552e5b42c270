/* SPDX-License-Identifier: Apache-2.0 */
/* Keyed timers as state: (time, key, namespace), of event or processing time.
 *
 * They lie in ordered state below one slot per key group, so that they move with their keys when
 * the parallelism changes:
 *
 *   value table "<name> key groups"  key: the group's number (4 bytes, little endian); its hash is
 *                                    the lowest one of the group
 *   ordered table "<name>"           key: time (8 bytes, big endian, sign flipped), length of the
 *                                    key (4 bytes, big endian), key, namespace; record: the hash
 *
 * A heap of the groups by their first timer, which is not state, tells what is due next. Equal
 * times come by key group, then by key, whatever the order in which they were set.
 *
 * Thread: the task's. */
#ifndef WR_OP_TIMERS_INT_H
#define WR_OP_TIMERS_INT_H

#include "op/op_int.h"

typedef struct wri_timer {
    int64_t time;
    uint64_t hash; /* of the key, as for resolve */
    const uint8_t *key, *space;
    uint32_t key_len, space_len;
} wri_timer;

typedef struct wri_timer_group { /* one key group */
    int64_t first;               /* its earliest timer */
    uint32_t slot;               /* WR_SLOT_NONE: none made */
    uint32_t place;              /* in the heap, + 1; 0: not there, it has no timers */
} wri_timer_group;

typedef struct wri_timers {
    wr_op *op;
    bool processing;
    int64_t asked; /* processing: the runtime will call at this time; INT64_MAX: it will not */
    wr_state_table *groups_table, *table;
    uint32_t kg_first, kg_count;
    wri_timer_group *groups;
    uint32_t *heap, heap_count; /* numbers of groups that have timers, earliest on top */
    wr_arena *scratch;
} wri_timers;

/* Opens the tables; close in any case. `processing`: times are of processing time, and the operator
 * is called (on_timer) when the earliest is due. */
wr_status wri_timers_open(wr_ctx *ctx, wr_op *op, const char *name, bool processing,
                          wri_timers *out) WR_MUST_USE;
void wri_timers_close(wri_timers *t);
/* In the operator's restore: the state is back. Processing time is asked for anew. */
wr_status wri_timers_restore(wr_ctx *ctx, wri_timers *t) WR_MUST_USE;
/* One that is set already stays. The key group of `hash` must be this subtask's. */
wr_status wri_timers_set(wr_ctx *ctx, wri_timers *t, const wri_timer *timer) WR_MUST_USE;
/* None like this: nothing happens. */
wr_status wri_timers_delete(wr_ctx *ctx, wri_timers *t, const wri_timer *timer) WR_MUST_USE;
/* Time of the earliest; INT64_MAX: there is none. */
int64_t wri_timers_next(const wri_timers *t);
/* Take the timers that are due at `now`, earliest first, at most `max`: *out in `arena`. While as
 * many come as asked for there may be more. Behind the last ones of processing time the runtime is
 * asked for the next. */
wr_status wri_timers_due(wr_ctx *ctx, wri_timers *t, int64_t now, uint32_t max, wr_arena *arena,
                         wri_timer **out, uint32_t *count) WR_MUST_USE;

#endif
