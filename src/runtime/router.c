/* SPDX-License-Identifier: Apache-2.0 */
/* The sending side of an exchange: which receiving subtask gets which row.
 *
 * Rows of one key go to one receiver in the order in which they came. When a batch has many rows
 * for a receiver, they go at once, as a batch that shares the columns and selects its rows. Few
 * rows are copied into a batch that fills up; it goes when it is full, before any control message,
 * when the task has nothing else to do, and after a while. */
#include "runtime/runtime_int.h"

#define FILL_ROWS_MIN  WR_MIN(16u, WR_BATCH_ROWS)
#define FILL_BYTES_MAX (1u << 20) /* of the fixed part of a filling batch */

static uint32_t
row_bytes(const wr_schema *schema)
{
    uint32_t bytes = 0;
    for (uint32_t c = 0; c < schema->count; c++)
        bytes += WR_MAX(wr_phys_bytes(wr_type_phys(schema->fields[c].type)), 8u);
    return bytes;
}

void
wri_router_size(wri_router *r)
{
    r->row_bytes = WR_MAX(row_bytes(r->schema), 1u);
    r->rows_max = WR_MIN(WR_BATCH_ROWS, WR_MAX(FILL_BYTES_MAX / r->row_bytes, FILL_ROWS_MIN));
    r->direct_rows = WR_MAX(r->rows_max / 4, 1u);
    for (uint32_t i = 0; i < r->lane_count; i++) r->lanes[i].next_cap = FILL_ROWS_MIN;
}

static wr_status
send_batch(wr_ctx *ctx, wri_router *r, wri_lane *lane, wr_batch *take_batch)
{
    wri_msg m = {.kind = WRI_MSG_BATCH, .batch = take_batch};
    r->metrics->bytes_out += (uint64_t)wr_batch_live(take_batch) * r->row_bytes;
    return wri_channel_push(ctx, lane->channel, m);
}

/* ---- batches that fill up -------------------------------------------------------------------- */

static void
fill_over(wri_router *r, wri_lane *lane)
{
    lane->filling = NULL;
    r->filling_count--;
    wr_os_add(&r->task->job->inflight, -1);
}

static wr_status
send_filling(wr_ctx *ctx, wri_router *r, wri_lane *lane)
{
    wr_batch *b = lane->filling;
    uint32_t rows = b->row_count;
    wr_status status = send_batch(ctx, r, lane, b);
    /* A lane that fills its batches gets larger ones, one that does not smaller ones. */
    lane->next_cap = rows == lane->fill_cap ? WR_MIN(lane->fill_cap * 4, r->rows_max)
                                            : WR_MAX(rows, FILL_ROWS_MIN);
    fill_over(r, lane);
    return status;
}

static wr_status
start_filling(wr_ctx *ctx, wri_router *r, wri_lane *lane)
{
    wr_batch *b = wr_batch_acquire(r->task->pool, r->schema->count);
    WR_TRY_ALLOC(ctx, b);
    if (!wr_batch_init_flat(b, r->schema, lane->next_cap)) {
        wr_batch_release(b);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    lane->filling = b;
    lane->fill_cap = lane->next_cap;
    lane->since_ms = r->task->now_ms;
    r->filling_count++;
    wr_os_add(&r->task->job->inflight, 1);
    return WR_OK;
}

static bool
append_kinds(wr_batch *to, uint32_t cap, const wr_batch *from, const uint32_t *rows, uint32_t n)
{
    if (!from->kind && !to->kind) return true;
    uint8_t *kind = to->kind ? (uint8_t *)(uintptr_t)to->kind : wr_batch_kinds(to, cap);
    if (!kind) return false;
    for (uint32_t i = 0; i < n; i++)
        kind[to->row_count + i] = (uint8_t)wr_batch_kind(from, rows[i]);
    return true;
}

static wr_status
append_rows(wr_ctx *ctx, wri_router *r, wri_lane *lane, const wr_batch *b, const uint32_t *rows,
            uint32_t count)
{
    while (count) {
        if (!lane->filling) WR_TRY(start_filling(ctx, r, lane));
        wr_batch *to = lane->filling;
        uint32_t n = WR_MIN(count, lane->fill_cap - to->row_count);
        if (!wri_rows_append(to, to->row_count, b, rows, n) ||
            !append_kinds(to, lane->fill_cap, b, rows, n))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
        to->row_count += n;
        rows += n;
        count -= n;
        if (to->row_count == lane->fill_cap) WR_TRY(send_filling(ctx, r, lane));
    }
    return WR_OK;
}

wr_status
wri_router_flush(wr_ctx *ctx, wri_router *r, int64_t until_ms, bool *moved)
{
    for (uint32_t i = 0; r->filling_count && i < r->lane_count; i++) {
        wri_lane *lane = &r->lanes[i];
        if (!lane->filling || lane->since_ms > until_ms) continue;
        WR_TRY(send_filling(ctx, r, lane));
        *moved = true;
    }
    return WR_OK;
}

void
wri_router_deinit(wri_router *r)
{
    for (uint32_t i = 0; i < r->lane_count; i++) {
        if (!r->lanes[i].filling) continue;
        wr_batch_release(r->lanes[i].filling);
        fill_over(r, &r->lanes[i]);
    }
}

/* ---- distributing ---------------------------------------------------------------------------- */

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
    n = WR_MAX(n, WR_BATCH_ROWS);
    r->hash = wr_arena_alloc(r->task->arena, n * sizeof(uint64_t));
    r->bucket = wr_arena_alloc(r->task->arena, 2 * (size_t)n * sizeof(uint32_t));
    WR_TRY_ALLOC(ctx, r->hash);
    WR_TRY_ALLOC(ctx, r->bucket);
    r->scratch_cap = n;
    return WR_OK;
}

/* Some rows of `b` (borrowed) to one receiver. */
static wr_status
send_rows(wr_ctx *ctx, wri_router *r, wri_lane *lane, wr_batch *b, const uint32_t *rows,
          uint32_t count)
{
    if (count < r->direct_rows) return append_rows(ctx, r, lane, b, rows, count);
    if (lane->filling) WR_TRY(send_filling(ctx, r, lane));
    wr_batch *v = view_rows(r->task->pool, b, rows, count);
    WR_TRY_ALLOC(ctx, v);
    return send_batch(ctx, r, lane, v);
}

/* A whole batch to one receiver. */
static wr_status
send_whole(wr_ctx *ctx, wri_router *r, wri_lane *lane, wr_batch *take_batch)
{
    uint32_t n = wr_batch_live(take_batch);
    wr_status status = WR_OK;
    if (n >= r->direct_rows) {
        if (lane->filling) status = send_filling(ctx, r, lane);
        if (status == WR_OK) return send_batch(ctx, r, lane, take_batch);
    } else {
        const uint32_t *rows = take_batch->sel;
        if (!rows) status = reserve_scratch(ctx, r, n);
        if (status == WR_OK && !rows) {
            for (uint32_t i = 0; i < n; i++) r->bucket[i] = i;
            rows = r->bucket;
        }
        if (status == WR_OK) status = append_rows(ctx, r, lane, take_batch, rows, n);
    }
    wr_batch_release(take_batch);
    return status;
}

static wr_status
send_hashed(wr_ctx *ctx, wri_router *r, wr_batch *b)
{
    uint32_t n = wr_batch_live(b), lanes = r->lane_count;
    WR_TRY(reserve_scratch(ctx, r, n));
    wr_batch_hash(b, r->keys, r->key_count, r->hash);
    for (uint32_t i = 0; i < n; i++)
        r->bucket[i] = wr_key_group_subtask(wr_key_group(r->hash[i], r->max_parallelism), lanes,
                                            r->max_parallelism);
    uint32_t *rows = r->bucket + r->scratch_cap;
    for (uint32_t to = 0; to < lanes; to++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < n; i++) {
            rows[count] = wr_batch_row(b, i);
            count += r->bucket[i] == to;
        }
        if (count) WR_TRY(send_rows(ctx, r, &r->lanes[to], b, rows, count));
    }
    return WR_OK;
}

static wr_status
send_everywhere(wr_ctx *ctx, wri_router *r, wr_batch *take_batch)
{
    wr_status status = WR_OK;
    for (uint32_t i = 0; i < r->lane_count && status == WR_OK; i++) {
        wr_batch_ref(take_batch);
        status = send_batch(ctx, r, &r->lanes[i], take_batch);
    }
    wr_batch_release(take_batch);
    return status;
}

wr_status
wri_router_push(wr_ctx *ctx, wri_router *r, wr_batch *take_batch)
{
    wri_lane *lane = &r->lanes[0];
    if (r->lane_count > 1) {
        switch ((wr_dist)r->dist) {
        case WR_DIST_BROADCAST:
            return send_everywhere(ctx, r, take_batch);
        case WR_DIST_HASH: {
            if (r->key_count == 0) break;
            wr_status status = send_hashed(ctx, r, take_batch);
            wr_batch_release(take_batch);
            return status;
        }
        case WR_DIST_SINGLE:
            break;
        case WR_DIST_ANY:
        case WR_DIST_FORWARD:
        case WR_DIST_REBALANCE:
            lane = &r->lanes[r->next];
            if (!lane->filling || wr_batch_live(take_batch) >= r->direct_rows ||
                lane->filling->row_count + wr_batch_live(take_batch) >= lane->fill_cap)
                r->next = (r->next + 1) % r->lane_count;
            break;
        }
    }
    return send_whole(ctx, r, lane, take_batch);
}

wr_status
wri_router_control(wr_ctx *ctx, wri_router *r, wri_msg m)
{
    bool moved = false;
    WR_TRY(wri_router_flush(ctx, r, INT64_MAX, &moved));
    for (uint32_t i = 0; i < r->lane_count; i++)
        WR_TRY(wri_channel_push(ctx, r->lanes[i].channel, m));
    return WR_OK;
}
