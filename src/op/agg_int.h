/* SPDX-License-Identifier: Apache-2.0 */
/* Aggregation shared by GROUP_AGG (per row and mini-batch) and HASH_AGG: the layout of a group's
 * record, the tables around it, and applying rows to accumulators a column at a time.
 *
 * Record: [ wri_group header if wanted ][ accumulator 0 ][ accumulator 1 ] ... each at its
 * alignment. DISTINCT aggregates over the same arguments share one map (slot, arguments) -> one
 * int64 count per different filter. */
#ifndef WR_OP_AGG_INT_H
#define WR_OP_AGG_INT_H

#include "op/op_int.h"

typedef struct wri_group { /* head of a group's record in streaming mode */
    int64_t rows;          /* rows accumulated and not retracted */
    uint32_t serial;       /* batch or bundle that touched it last */
    uint32_t note;         /* GROUP_AGG: times emptied in this batch, and WRI_LISTED */
} wri_group;
#define WRI_LISTED 0x80000000u

typedef struct wri_agg { /* one aggregate call */
    const wr_agg_bound *bound;
    const wr_agg_ops *ops;
    uint32_t offset;
    wr_state_table *aux;
    int32_t distinct; /* index into distincts, -1 = none */
    uint32_t member;  /* its count among those of the distinct map */
    bool only_adds;   /* rows that are taken back are not its concern (plan: agg.retracts) */
} wri_agg;

typedef struct wri_distinct {
    wri_keyspec args;
    wr_state_table *map;
    int32_t *filters; /* per member: filter column or -1 */
    uint32_t member_count;
} wri_distinct;

typedef struct wri_aggs {
    wr_op *op;
    wri_keyspec keys;
    wri_agg *aggs;
    uint32_t agg_count;
    wri_distinct *distincts;
    uint32_t distinct_count;
    uint32_t record_bytes;
    const wr_state_part *head; /* what the records begin with */
    uint32_t head_count;
    uint32_t number; /* of several in one operator: told apart in the names of their tables */
    wr_state_table *groups;
} wri_aggs;

wr_status wri_aggs_open(wr_ctx *ctx, wr_op *op, bool retract, uint32_t head_bytes,
                        wri_aggs *out) WR_MUST_USE;
/* The same with groups by other keys than the node's. */
wr_status wri_aggs_open_keyed(wr_ctx *ctx, wr_op *op, const wri_keyspec *keys, bool retract,
                              uint32_t head_bytes, wri_aggs *out) WR_MUST_USE;
/* The same for records that begin with `head_bytes` of these parts, not with a wri_group. */
wr_status wri_aggs_open_headed(wr_ctx *ctx, wr_op *op, bool retract, uint32_t head_bytes,
                               const wr_state_part *head, uint32_t head_count, uint32_t number,
                               wri_aggs *out) WR_MUST_USE;
/* The same with groups by other keys. */
wr_status wri_aggs_open_keyed_headed(wr_ctx *ctx, wr_op *op, const wri_keyspec *keys, bool retract,
                                     uint32_t head_bytes, const wr_state_part *head,
                                     uint32_t head_count, wri_aggs *out) WR_MUST_USE;
/* Tables and the parts of their records (agg_state.c). */
wr_status wri_aggs_open_tables(wr_ctx *ctx, wri_aggs *a) WR_MUST_USE;
/* Slots of the live rows of `b`, in `arena`. */
wr_status wri_aggs_resolve(wr_ctx *ctx, wri_aggs *a, const wr_batch *b, wr_arena *arena,
                           uint32_t **slots) WR_MUST_USE;

typedef struct wri_agg_rows { /* rows to apply */
    const wr_batch *batch;
    const uint32_t *rows; /* input row of each position; NULL: position i is row i */
    const uint32_t *slots;
    uint32_t n;
    const uint8_t *kind; /* per input row; NULL: all accumulate */
    uint8_t *touched;    /* per position, see wr_agg_call; may be NULL */
} wri_agg_rows;
/* Apply the rows to every aggregate. before and after (one vector per aggregate, made here in
 * `arena`) may be NULL, each of them. */
wr_status wri_aggs_update(wr_ctx *ctx, wri_aggs *a, const wri_agg_rows *r, wr_arena *scratch,
                          wr_arena *arena, wr_vec *before, wr_vec *after) WR_MUST_USE;
/* The same for records that do not lie in the table of groups (no slots: no DISTINCT, no aux). */
wr_status wri_aggs_update_at(wr_ctx *ctx, wri_aggs *a, const wri_agg_rows *r, uint8_t *const *base,
                             wr_arena *scratch, wr_arena *arena) WR_MUST_USE;
wr_status wri_aggs_result_at(wr_ctx *ctx, wri_aggs *a, uint8_t *const *base, uint32_t n,
                             wr_arena *scratch, wr_arena *arena, wr_vec *out) WR_MUST_USE;
/* to[i] += from[i], groups of the same table: all aggregates must be mergeable, without DISTINCT.
 */
wr_status wri_aggs_merge(wr_ctx *ctx, wri_aggs *a, const uint32_t *from, const uint32_t *to,
                         uint32_t n, wr_arena *scratch) WR_MUST_USE;
/* to[i] -= from[i], which was merged into it: all aggregates must have `unmerge`. again[i] becomes
 * 1 where to[i] is not right then and has to be made anew. */
wr_status wri_aggs_unmerge(wr_ctx *ctx, wri_aggs *a, const uint32_t *from, const uint32_t *to,
                           uint32_t n, uint8_t *again, wr_arena *scratch) WR_MUST_USE;
/* The same for records that do not lie in the table of groups: wri_aggs_lie_flat must hold. */
wr_status wri_aggs_merge_at(wr_ctx *ctx, wri_aggs *a, uint8_t *const *from, uint8_t *const *to,
                            uint32_t n, wr_arena *scratch) WR_MUST_USE;
wr_status wri_aggs_unmerge_at(wr_ctx *ctx, wri_aggs *a, uint8_t *const *from, uint8_t *const *to,
                              uint32_t n, uint8_t *again, wr_arena *scratch) WR_MUST_USE;
/* Are records all that there is of a group: plain bytes, zeroed ones the group without rows, and
 * nothing beside them? */
bool wri_aggs_lie_flat(const wri_aggs *a);
/* The records of slots, in `scratch`. NULL: out of memory. */
uint8_t **wri_aggs_records(wri_aggs *a, const uint32_t *slots, uint32_t n, wr_arena *scratch);
/* Results of n groups, one vector per aggregate, made in `arena`. */
wr_status wri_aggs_result(wr_ctx *ctx, wri_aggs *a, const uint32_t *slots, uint32_t n,
                          wr_arena *scratch, wr_arena *arena, wr_vec *out) WR_MUST_USE;
/* The end of the input of an aggregate without keys whose node says at_end: while no group lives,
 * the results over nothing as an insert. Sets op->pending when the emitter is full: call it again.
 */
wr_status wri_aggs_emit_nothing(wr_ctx *ctx, wri_aggs *a, wr_arena *scratch,
                                wr_emitter *emit) WR_MUST_USE;
/* The groups start anew: what hangs on them goes, accumulators are initialised. */
wr_status wri_aggs_restart(wr_ctx *ctx, wri_aggs *a, const uint32_t *slots, uint32_t n,
                           wr_arena *scratch) WR_MUST_USE;

WR_ALWAYS_INLINE wri_group *
wri_group_of(const wri_aggs *a, uint32_t slot)
{
    return (wri_group *)(void *)wr_state_rec(a->groups, slot);
}
WR_ALWAYS_INLINE bool
wri_is_retract(const uint8_t *kind, uint32_t row)
{
    return kind && (kind[row] == WR_UPDATE_BEFORE || kind[row] == WR_DELETE);
}

#endif
