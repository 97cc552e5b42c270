/* SPDX-License-Identifier: Apache-2.0 */
/* HASH_AGG, batch: rows are folded into groups as they come; results come out at the end, in the
 * order in which groups were first seen. Without keys there is one row even for no input.
 *
 * Groups by one integer column whose aggregates need nothing but their accumulators go through a
 * table of their own (fold.c), which is several times faster than keyed state. */
#include "op/agg_int.h"
#include "op/fold_int.h"

typedef struct hash_agg_op {
    wr_op op;
    wri_aggs aggs;
    wr_arena *scratch;
    uint64_t pos; /* of next_slot, or the next group of the fold, when emitting */
    bool folds;
    wri_fold fold;
} hash_agg_op;

static wr_status
hash_agg_open(wr_ctx *ctx, wr_op *op)
{
    hash_agg_op *h = (hash_agg_op *)op;
    h->scratch = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, h->scratch);
    WR_TRY(wri_aggs_open(ctx, op, false, 0, &h->aggs));
    h->folds = h->aggs.keys.fixed != 0 && h->aggs.distinct_count == 0;
    for (uint32_t i = 0; i < h->aggs.agg_count; i++)
        h->folds &=
            h->aggs.aggs[i].ops->aux == WR_AGG_AUX_NONE && h->aggs.aggs[i].ops->state_align <= 8;
    if (h->folds) wri_fold_init(&h->fold, op->env->budget, h->aggs.record_bytes);
    return WR_OK;
}

static wr_status
fold_batch(wr_ctx *ctx, hash_agg_op *h, wri_agg_rows *r)
{
    wr_keys keys;
    uint8_t **recs = wr_arena_alloc(h->scratch, sizeof *recs * (r->n + 1));
    WR_TRY_ALLOC(ctx, recs);
    WR_TRY(wri_keys_fixed(ctx, &h->aggs.keys, r->batch, h->scratch, &keys));
    WR_TRY(wri_fold_resolve(ctx, &h->fold, &keys, recs));
    return wri_aggs_update_at(ctx, &h->aggs, r, recs, h->scratch, h->scratch);
}

static wr_status
state_batch(wr_ctx *ctx, hash_agg_op *h, wri_agg_rows *r)
{
    uint32_t *slots;
    WR_TRY(wri_aggs_resolve(ctx, &h->aggs, r->batch, h->scratch, &slots));
    r->slots = slots;
    return wri_aggs_update(ctx, &h->aggs, r, h->scratch, h->scratch, NULL, NULL);
}

static wr_status
hash_agg_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input, (void)emit;
    hash_agg_op *h = (hash_agg_op *)op;
    wr_arena_reset(h->scratch);
    wri_agg_rows r = {.batch = take_batch, .rows = take_batch->sel, .n = wr_batch_live(take_batch)};
    const wr_status status = h->folds ? fold_batch(ctx, h, &r) : state_batch(ctx, h, &r);
    wr_batch_release(take_batch);
    return status;
}

/* The next groups of the fold: at most a batch of them; none: *n is 0. */
static wr_status
write_folded(wr_ctx *ctx, hash_agg_op *h, wr_batch *out, uint32_t *n)
{
    const wri_keyspec *keys = &h->aggs.keys;
    *n = (uint32_t)WR_MIN(h->fold.count - h->pos, WR_BATCH_ROWS);
    uint8_t **recs = wr_arena_alloc(h->scratch, sizeof *recs * (*n + 1));
    WR_TRY_ALLOC(ctx, recs);
    if (!wr_vec_init_flat(&out->cols[0], h->op.node->schema.fields[0].type, *n, out->arena))
        return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < *n; i++) {
        const uint32_t g = (uint32_t)h->pos + i;
        uint8_t *at = wri_fold_at(&h->fold, g);
        recs[i] = at + 8;
        WR_TRY(wri_key_decode(ctx, keys, at, g + 1 == h->fold.null_group ? 0 : 8, out->cols, i,
                              out->arena));
    }
    h->pos += *n;
    out->row_count = *n;
    return wri_aggs_result_at(ctx, &h->aggs, recs, *n, h->scratch, out->arena, out->cols + 1);
}

/* Rows of the groups slots[0..n). */
static wr_status
write_groups(wr_ctx *ctx, hash_agg_op *h, const uint32_t *slots, uint32_t n, wr_batch *out)
{
    const wri_keyspec *keys = &h->aggs.keys;
    wr_state_table *groups = h->aggs.groups;
    for (uint32_t c = 0; c < keys->count; c++)
        if (!wr_vec_init_flat(&out->cols[c], h->op.node->schema.fields[c].type, n, out->arena))
            return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t len;
        const uint8_t *key = groups->ops->key_of(groups, slots[i], &len);
        WR_TRY(wri_key_decode(ctx, keys, key, len, out->cols, i, out->arena));
    }
    out->row_count = n;
    return wri_aggs_result(ctx, &h->aggs, slots, n, h->scratch, out->arena,
                           out->cols + keys->count);
}

/* The next groups of the state. */
static wr_status
write_some(wr_ctx *ctx, hash_agg_op *h, wr_batch *out, uint32_t *n)
{
    wr_state_table *groups = h->aggs.groups;
    uint32_t *slots = wr_arena_alloc(h->scratch, sizeof *slots * WR_BATCH_ROWS);
    *n = 0;
    WR_TRY_ALLOC(ctx, slots);
    while (*n < WR_BATCH_ROWS && groups->ops->next_slot(groups, &h->pos, &slots[*n])) (*n)++;
    return *n ? write_groups(ctx, h, slots, *n, out) : WR_OK;
}

static wr_status
emit_groups(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    hash_agg_op *h = (hash_agg_op *)op;
    for (;;) {
        if (wr_emit_full(emit)) {
            op->pending = true;
            return WR_OK;
        }
        wr_arena_reset(h->scratch);
        wr_batch *out = wr_batch_acquire(op->env->pool, op->node->schema.count);
        WR_TRY_ALLOC(ctx, out);
        uint32_t n = 0;
        const wr_status status =
            h->folds ? write_folded(ctx, h, out, &n) : write_some(ctx, h, out, &n);
        if (status != WR_OK || n == 0) {
            wr_batch_release(out);
            return status;
        }
        WR_TRY(wr_emit(ctx, emit, out));
    }
}

static wr_status
hash_agg_end(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    hash_agg_op *h = (hash_agg_op *)op;
    if (h->aggs.keys.count == 0 && op->env->subtask == 0) { /* the one group, input or not */
        const wr_batch one = {.row_count = 1};
        uint32_t *slots;
        wr_arena_reset(h->scratch);
        WR_TRY(wri_aggs_resolve(ctx, &h->aggs, &one, h->scratch, &slots));
    }
    return emit_groups(ctx, op, emit);
}

static void
hash_agg_close(wr_op *op)
{
    hash_agg_op *h = (hash_agg_op *)op;
    if (h->folds) wri_fold_deinit(&h->fold);
    wr_arena_destroy(h->scratch);
}

const wr_op_ops wri_hash_agg_ops = {
    .abi = WR_ABI,
    .name = "HashAggregate",
    .size_bytes = sizeof(hash_agg_op),
    .open = hash_agg_open,
    .on_batch = hash_agg_batch,
    .on_resume = emit_groups,
    .on_watermark = wr_op_pass_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = hash_agg_end,
    .close = hash_agg_close,
    .snapshot = wr_op_no_snapshot,
    .restore = wr_op_no_restore,
    .committed = wr_op_no_committed,
};
