/* SPDX-License-Identifier: Apache-2.0 */
/* The interval join: what its files share.
 *
 *   value table "keys"     join key -> wri_interval_key
 *   ordered tables "left"  time (8 bytes, big endian, sign flipped), arrival number (8 bytes, big
 *   and "right"            endian) -> wri_interval_row
 *   timers "expiry"        when the first rows of a side of a key are to be removed
 *
 * A row of side s at time t meets those of the other side o in [t - reach[o], t + reach[s]], so it
 * is needed until the time is past t + reach[s]. Bounds and clearing are Flink's, down to when it
 * looks (a key's expired rows go when a row of the other side comes or the key's timer fires),
 * because what a late row still meets depends on that. */
#ifndef WR_OP_INTERVAL_JOIN_INT_H
#define WR_OP_INTERVAL_JOIN_INT_H

#include "op/timers_int.h"
#include "plan/timed_join.h"

typedef struct wri_interval_key { /* record of a join key; [side] */
    int64_t timer[2];             /* set for this time, if it is */
    int64_t first[2], last[2];    /* no row of the side is outside of these */
    uint64_t arrivals;
    uint32_t listed; /* serial of the batch that listed it for removal */
    uint8_t has_timer[2];
    uint8_t pad[2];
} wri_interval_key;

typedef struct wri_interval_row {
    wr_blob row;
    uint64_t matched; /* it need not be padded any more */
} wri_interval_row;

typedef struct wri_interval_pair { /* an input row and a row of the other side */
    uint32_t row;                  /* i-th live row of the input batch */
    uint32_t len;
    const uint8_t *bytes;
    wri_interval_row *rec;
    bool passes;  /* they are joined */
    bool expires; /* the row of the other side goes: padded unless it has been joined */
} wri_interval_pair;

typedef struct wri_interval_change { /* a row to come out; WRI_NO_ROW: NULLs on that side */
    uint32_t row, pair;
} wri_interval_change;

typedef struct wri_interval_side {
    const wr_schema *schema;
    wri_keyspec key;
    uint32_t time_col;
    int64_t reach;
    bool outer; /* padded when it meets nothing */
    uint32_t *all_cols;
    wr_state_table *rows;
    int64_t expired; /* rows up to here were found to have expired when it was last looked */
} wri_interval_side;

typedef struct wri_interval_op {
    wr_op op;
    const wr_interval_spec *spec;
    wri_interval_side side[2];
    wr_state_table *keys;
    wri_timers timers;
    wr_program *cond;
    wr_arena *scratch; /* for the input batch, or for timers that are due */
    wr_arena *range;   /* for the rows whose changes are coming out */
    uint32_t serial;
    bool never;        /* the lower bound is above the upper one */
    int64_t slack;     /* table.exec.interval-join.min-cleanup-interval */
    int64_t watermark; /* highest that came */
    /* the input batch */
    wr_batch *in;
    uint32_t from; /* its side */
    uint32_t n, at;
    uint32_t *slots;
    int64_t *times;
    bool *plain; /* per row: time and keys are there, it can meet others */
    bool *kept;  /* per row: it is to be remembered */
    uint8_t *matched;
    wr_keys row_keys;
    wr_bytes rows;
    /* the present range of its rows */
    wri_interval_pair *pairs;
    uint32_t pair_count, pair_cap;
    wri_interval_change *changes;
    uint32_t change_count, change_cap, change_at;
    uint32_t sweep_slot; /* rows of the other side of this key go behind the range; or NONE */
    /* timers */
    bool firing;
    int64_t due_until;
    wri_timer *due;
    uint32_t due_count, due_at;
    wri_builder out;
} wri_interval_op;

WR_ALWAYS_INLINE int64_t
wri_time_add(int64_t a, int64_t b) /* saturates */
{
    int64_t r;
    if (!__builtin_add_overflow(a, b, &r)) return r;
    return b > 0 ? INT64_MAX : INT64_MIN;
}

/* interval_state.c */
wr_status wri_interval_state_open(wr_ctx *ctx, wri_interval_op *j) WR_MUST_USE;
/* Keys, times and encoded rows of the input batch. */
wr_status wri_interval_prepare(wr_ctx *ctx, wri_interval_op *j) WR_MUST_USE;
/* Collect pairs from row j->at on until there are enough; *end = the row after the last. */
wr_status wri_interval_pairs(wr_ctx *ctx, wri_interval_op *j, uint32_t *end) WR_MUST_USE;
/* Behind a range: what it found to have expired goes. */
void wri_interval_sweep(wri_interval_op *j);
/* The input rows enter their side's state. */
wr_status wri_interval_remember(wr_ctx *ctx, wri_interval_op *j) WR_MUST_USE;
/* A row of a side's state that goes, before it does. */
typedef wr_status (*wri_interval_leaving)(wr_ctx *ctx, wri_interval_op *j, uint32_t side,
                                          const wri_interval_row *r, bool *stop);
/* Remove a key's expired rows of `side`, telling `leaving` of each; the next timer is set. *stop:
 * `leaving` wants a pause before the row, call again. */
wr_status wri_interval_expire(wr_ctx *ctx, wri_interval_op *j, uint32_t side, uint32_t slot,
                              const wri_timer *timer, wri_interval_leaving leaving,
                              bool *stop) WR_MUST_USE;
void wri_interval_drop_empty(wri_interval_op *j, uint32_t slot);
/* The time of the operator, and up to when rows of `side` have expired by it. */
int64_t wri_interval_now(const wri_interval_op *j);
int64_t wri_interval_expired(const wri_interval_op *j, uint32_t side);

#endif
