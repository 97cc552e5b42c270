/* SPDX-License-Identifier: Apache-2.0 */
/* HASH_AGG, batch: rows are folded into groups as they come; results come out at the end, in the
 * order in which groups were first seen. Without keys there is one row even for no input. */
#include "op/agg_int.h"

typedef struct hash_agg_op {
    wr_op op;
    wri_aggs aggs;
    wr_arena *scratch;
    uint64_t pos; /* of next_slot, when emitting */
} hash_agg_op;

static wr_status
hash_agg_open(wr_ctx *ctx, wr_op *op)
{
    hash_agg_op *h = (hash_agg_op *)op;
    h->scratch = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, h->scratch);
    return wri_aggs_open(ctx, op, false, 0, &h->aggs);
}

static wr_status
hash_agg_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input, (void)emit;
    hash_agg_op *h = (hash_agg_op *)op;
    wr_arena_reset(h->scratch);
    wri_agg_rows r = {.batch = take_batch, .rows = take_batch->sel, .n = wr_batch_live(take_batch)};
    uint32_t *slots;
    uint64_t *fresh;
    wr_status status = wri_aggs_resolve(ctx, &h->aggs, take_batch, h->scratch, &slots, &fresh);
    if (status == WR_OK) {
        r.slots = slots;
        status = wri_aggs_update(ctx, &h->aggs, &r, h->scratch, h->scratch, NULL, NULL);
    }
    wr_batch_release(take_batch);
    return status;
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

static wr_status
emit_groups(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    hash_agg_op *h = (hash_agg_op *)op;
    wr_state_table *groups = h->aggs.groups;
    for (;;) {
        if (wr_emit_full(emit)) {
            op->pending = true;
            return WR_OK;
        }
        wr_arena_reset(h->scratch);
        uint32_t *slots = wr_arena_alloc(h->scratch, sizeof *slots * WR_BATCH_ROWS), n = 0;
        WR_TRY_ALLOC(ctx, slots);
        while (n < WR_BATCH_ROWS && groups->ops->next_slot(groups, &h->pos, &slots[n])) n++;
        if (n == 0) return WR_OK;
        wr_batch *out = wr_batch_acquire(op->env->pool, op->node->schema.count);
        WR_TRY_ALLOC(ctx, out);
        const wr_status status = write_groups(ctx, h, slots, n, out);
        if (status != WR_OK) {
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
        uint64_t *fresh;
        wr_arena_reset(h->scratch);
        WR_TRY(wri_aggs_resolve(ctx, &h->aggs, &one, h->scratch, &slots, &fresh));
    }
    return emit_groups(ctx, op, emit);
}

static void
hash_agg_close(wr_op *op)
{
    wr_arena_destroy(((hash_agg_op *)op)->scratch);
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
};
