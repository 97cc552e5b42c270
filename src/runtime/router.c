/* SPDX-License-Identifier: Apache-2.0 */
/* The sending side of an exchange: which receiving subtask gets which row.
 *
 * A batch is not copied: every receiver gets a batch that shares the columns and selects its rows.
 * Rows of one key go to one receiver in the order in which they came. */
#include "runtime/runtime_int.h"

static wr_status
send_batch(wr_ctx *ctx, wri_router *r, uint32_t to, wr_batch *batch)
{
    wri_msg m = {.kind = WRI_MSG_BATCH, .batch = batch};
    return wri_channel_push(ctx, r->channels[to], m);
}

/* A batch that shows some rows of `b`. Takes no reference of the caller's. */
static wr_batch *
view_rows(wr_batch_pool *pool, wr_batch *b, const uint32_t *rows, uint32_t count)
{
    wr_batch *v = wr_batch_acquire(pool, b->col_count);
    if (!v) return NULL;
    uint32_t *sel = wr_arena_alloc(v->arena, count * sizeof(uint32_t));
    if (!sel || !wr_batch_keep(v, b)) {
        wr_batch_release(v);
        return NULL;
    }
    memcpy(sel, rows, count * sizeof(uint32_t));
    memcpy(v->cols, b->cols, b->col_count * sizeof(wr_vec));
    v->row_count = b->row_count;
    v->kind = b->kind;
    v->sel = sel;
    v->sel_count = count;
    return v;
}

static wr_status
reserve_scratch(wr_ctx *ctx, wri_router *r, uint32_t n)
{
    if (n <= r->scratch_cap) return WR_OK;
    r->hash = wr_arena_alloc(r->task->arena, n * sizeof(uint64_t));
    r->bucket = wr_arena_alloc(r->task->arena, 2 * (size_t)n * sizeof(uint32_t));
    WR_TRY_ALLOC(ctx, r->hash);
    WR_TRY_ALLOC(ctx, r->bucket);
    r->scratch_cap = n;
    return WR_OK;
}

static wr_status
push_hashed(wr_ctx *ctx, wri_router *r, wr_batch *b)
{
    uint32_t n = wr_batch_live(b), parts = r->channel_count;
    WR_TRY(reserve_scratch(ctx, r, n));
    wr_batch_hash(b, r->keys, r->key_count, r->hash);
    for (uint32_t i = 0; i < n; i++)
        r->bucket[i] = wr_key_group_subtask(wr_key_group(r->hash[i], r->max_parallelism), parts,
                                            r->max_parallelism);
    uint32_t *rows = r->bucket + n;
    for (uint32_t to = 0; to < parts; to++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < n; i++) {
            rows[count] = wr_batch_row(b, i);
            count += r->bucket[i] == to;
        }
        if (count == 0) continue;
        wr_batch *v = view_rows(r->task->pool, b, rows, count);
        WR_TRY_ALLOC(ctx, v);
        WR_TRY(send_batch(ctx, r, to, v));
    }
    return WR_OK;
}

wr_status
wri_router_push(wr_ctx *ctx, wri_router *r, wr_batch *take_batch)
{
    wr_status status = WR_OK;
    if (r->channel_count == 1) return send_batch(ctx, r, 0, take_batch);
    switch ((wr_dist)r->dist) {
    case WR_DIST_BROADCAST:
        for (uint32_t i = 1; i < r->channel_count; i++) {
            wr_batch_ref(take_batch);
            WR_TRY_GOTO(send_batch(ctx, r, i, take_batch), done);
        }
        return send_batch(ctx, r, 0, take_batch);
    case WR_DIST_HASH:
        if (r->key_count == 0) return send_batch(ctx, r, 0, take_batch);
        status = push_hashed(ctx, r, take_batch);
        break;
    case WR_DIST_SINGLE:
        return send_batch(ctx, r, 0, take_batch);
    case WR_DIST_ANY:
    case WR_DIST_FORWARD:
    case WR_DIST_REBALANCE:
        r->next = (r->next + 1) % r->channel_count;
        return send_batch(ctx, r, r->next, take_batch);
    }
done:
    wr_batch_release(take_batch);
    return status;
}

wr_status
wri_router_control(wr_ctx *ctx, wri_router *r, wri_msg m)
{
    for (uint32_t i = 0; i < r->channel_count; i++)
        WR_TRY(wri_channel_push(ctx, r->channels[i], m));
    return WR_OK;
}
