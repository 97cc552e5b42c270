/* SPDX-License-Identifier: Apache-2.0 */
/* WINDOW_RANK and WINDOW_DEDUPLICATE: the first `last` rows of each key and window by a sort key,
 * earlier arrivals first among equals (deduplication that keeps the last row: later ones). They
 * come out when the window is over and never change.
 *
 * A group keeps candidates back to back in one blob:
 *
 *   [length of the sort key, 4 bytes] [length of the row, 4 bytes] [sort key] [row] ...
 *
 * in order of arrival. When there are twice as many as wanted they are sorted and the worse half
 * goes; from then on rows that are not better than the worst one are not even encoded. */
#include <stdlib.h>

#include "op/window_rows_int.h"

#define HEAD_BYTES 8u
#ifdef WR_TINY
#define SPARE 1u /* candidates more than twice the wanted ones */
#else
#define SPARE 16u
#endif

typedef struct rank_group {
    wr_blob rows;
    uint64_t count;
    uint64_t worst; /* 1 + where the last of the wanted ones is in `rows`, once there are enough */
} rank_group;

typedef struct entry { /* a candidate; `at`: where it stands */
    const uint8_t *key, *row;
    uint32_t key_len, row_len, at;
} entry;

typedef struct window_rank_op {
    wr_op op;
    wri_window_rows rows;
    uint64_t first, last; /* of the numbers that come out */
    bool number, newest;  /* newest: of equals the last one to come */
    wr_sort_key *keys;
    uint32_t key_count;
    wr_arena *sorting;
    /* the group that is coming out */
    entry *entries;
    uint32_t entry_count, entry_at;
    wri_builder out;
} window_rank_op;

/* ---- opening --------------------------------------------------------------------------------- */
/* The columns of the partition that are not the window's. */
static wr_status
open_state(wr_ctx *ctx, window_rank_op *r, const uint32_t *columns, uint32_t count)
{
    wr_op *op = &r->op;
    wr_state_part parts[] = {WRI_PART(rank_group, rows, WR_PART_PLAIN),
                             WRI_PART(rank_group, count, WR_PART_PLAIN),
                             WRI_PART(rank_group, worst, WR_PART_PLAIN)};
    WR_TRY(wri_row_schema(ctx, op, op->node->inputs[0], &parts[0].schema));
    wr_state_desc record = {.record_bytes = sizeof(rank_group), .part_count = WR_COUNT(parts)};
    record.parts = wri_parts_copy(op, parts, WR_COUNT(parts));
    WR_TRY_ALLOC(ctx, record.parts);
    return wri_window_rows_open(ctx, op, &columns, count, &record, &r->rows);
}

static wr_status
add_keys(wr_ctx *ctx, window_rank_op *r, const wr_order_key *order, uint32_t count)
{
    r->keys = WR_NEW_N(r->op.env->arena, wr_sort_key, count + 1);
    WR_TRY_ALLOC(ctx, r->keys);
    for (uint32_t i = 0; i < count; i++) {
        const wr_type *t = r->op.node->inputs[0]->schema.fields[order[i].col].type;
        if (t->attr == WR_ATTR_PROCTIME) continue; /* the order of arrival */
        r->keys[r->key_count++] = (wr_sort_key){.col = order[i].col,
                                                .desc = order[i].desc,
                                                .nulls_last = order[i].nulls_last,
                                                .one_zero = true};
    }
    return WR_OK;
}

static wr_status
window_rank_open(wr_ctx *ctx, wr_op *op)
{
    window_rank_op *r = (window_rank_op *)op;
    const wr_pnode *n = op->node;
    r->sorting = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, r->sorting);
    if (n->kind == WR_P_WINDOW_RANK) {
        r->first = (uint64_t)WR_MAX(n->u.rank.first, 1);
        r->last = (uint64_t)WR_MIN(WR_MAX(n->u.rank.last, 0), UINT32_MAX);
        r->number = n->u.rank.number;
        WR_TRY(add_keys(ctx, r, n->u.rank.order, n->u.rank.order_count));
        return open_state(ctx, r, n->u.rank.partition, n->u.rank.partition_count);
    }
    const bool last = n->u.dedup.keep_last; /* no time is earlier than all */
    const wr_order_key time = {.col = n->u.dedup.time_col, .desc = last, .nulls_last = last};
    r->first = r->last = 1;
    r->newest = n->u.dedup.keep_last;
    WR_TRY(add_keys(ctx, r, &time, 1));
    return open_state(ctx, r, n->u.dedup.keys, n->u.dedup.key_count);
}

/* ---- candidates ------------------------------------------------------------------------------ */
static rank_group *
group_at(const window_rank_op *r, uint32_t slot)
{
    return (rank_group *)(void *)wr_state_rec(r->rows.groups, slot);
}

static const uint8_t *
bytes_of(const window_rank_op *r, const rank_group *g)
{
    return r->rows.groups->ops->blob_get(r->rows.groups, &g->rows);
}

static entry
entry_at(const uint8_t *p, uint32_t at)
{
    entry e = {.key_len = wr_load32(p + at), .row_len = wr_load32(p + at + 4), .at = at};
    e.key = p + at + HEAD_BYTES;
    e.row = e.key + e.key_len;
    return e;
}

static int
compare_keys(const uint8_t *a, uint32_t a_len, const uint8_t *b, uint32_t b_len)
{
    const uint32_t n = WR_MIN(a_len, b_len);
    const int c = n ? memcmp(a, b, n) : 0;
    return c ? c : (a_len > b_len) - (a_len < b_len);
}

static int
by_key(const void *x, const void *y)
{
    const entry *a = x, *b = y;
    const int c = compare_keys(a->key, a->key_len, b->key, b->key_len);
    return c ? c : (a->at > b->at) - (a->at < b->at);
}

static int
by_key_newest(const void *x, const void *y)
{
    const entry *a = x, *b = y;
    const int c = compare_keys(a->key, a->key_len, b->key, b->key_len);
    return c ? c : (b->at > a->at) - (b->at < a->at);
}

/* All candidates of a group, in the order of their numbers. */
static wr_status
sort_group(wr_ctx *ctx, window_rank_op *r, const rank_group *g, entry **out)
{
    const uint8_t *p = bytes_of(r, g);
    const uint32_t len = g->rows.len;
    uint32_t n = 0;
    *out = wr_arena_alloc(r->sorting, sizeof **out * ((size_t)g->count + 1));
    WR_TRY_ALLOC(ctx, *out);
    for (uint32_t at = 0; at < len && n < g->count; n++) {
        const bool fits = len - at >= HEAD_BYTES;
        const uint64_t need =
            fits ? (uint64_t)wr_load32(p + at) + wr_load32(p + at + 4) + HEAD_BYTES : UINT64_MAX;
        if (need > len - at)
            return wr_raise(ctx, WR_CORRUPT,
                            "the rows of a window in the state of %.*s make no "
                            "sense",
                            WR_STR_ARG(r->op.node->label));
        (*out)[n] = entry_at(p, at);
        at += (uint32_t)need;
    }
    WR_ASSERT(n == g->count);
    if (n > 1) qsort(*out, n, sizeof **out, r->newest ? by_key_newest : by_key);
    return WR_OK;
}

/* Only the wanted ones stay, in order. */
static wr_status
prune(wr_ctx *ctx, window_rank_op *r, rank_group *g)
{
    entry *all;
    size_t bytes = 0;
    wr_arena_reset(r->sorting);
    WR_TRY(sort_group(ctx, r, g, &all));
    for (uint64_t i = 0; i < r->last; i++)
        bytes += HEAD_BYTES + (size_t)all[i].key_len + all[i].row_len;
    uint8_t *copy = wr_arena_alloc(r->sorting, bytes + 1), *to = copy;
    WR_TRY_ALLOC(ctx, copy);
    for (uint64_t i = 0; i < r->last; i++) {
        const size_t len = HEAD_BYTES + (size_t)all[i].key_len + all[i].row_len;
        g->worst = (uint64_t)(to - copy) + 1;
        memcpy(to, all[i].key - HEAD_BYTES, len);
        to += len;
    }
    g->count = r->last;
    return r->rows.groups->ops->blob_set(ctx, r->rows.groups, &g->rows, copy, (uint32_t)bytes);
}

/* Is a row with this sort key, coming now, among the wanted ones? */
static bool
is_wanted(const window_rank_op *r, const rank_group *g, const uint8_t *key, uint32_t len)
{
    if (!g->worst) return r->last > 0;
    const entry worst = entry_at(bytes_of(r, g), (uint32_t)g->worst - 1);
    const int c = compare_keys(key, len, worst.key, worst.key_len);
    return r->newest ? c <= 0 : c < 0;
}

static wr_status
add_row(wr_ctx *ctx, window_rank_op *r, uint32_t slot, const uint8_t *bytes, uint32_t len)
{
    const wr_state_ops *ops = r->rows.groups->ops;
    rank_group *g = group_at(r, slot);
    if (!is_wanted(r, g, bytes + HEAD_BYTES, wr_load32(bytes))) return WR_OK;
    if (r->last == 1) {
        g->worst = g->count = 1;
        return ops->blob_set(ctx, r->rows.groups, &g->rows, bytes, len);
    }
    WR_TRY(ops->blob_append(ctx, r->rows.groups, &g->rows, bytes, len));
    g->count++;
    return g->count >= 2 * r->last + SPARE ? prune(ctx, r, g) : WR_OK;
}

/* ---- taking rows in -------------------------------------------------------------------------- */
/* Of rows sel[0..n), numbered in the taken ones by which[i]. */
static wr_status
add_rows(wr_ctx *ctx, window_rank_op *r, const wri_window_taken *t, const wr_bytes *keys,
         const uint32_t *which, uint32_t n)
{
    wr_arena *a = r->rows.scratch;
    const wri_window_input *side = &r->rows.input[0];
    wr_batch some = t->rows;
    wr_bytes rows;
    size_t most = 0;
    uint32_t *sel = wr_arena_alloc(a, sizeof *sel * (n + 1));
    WR_TRY_ALLOC(ctx, sel);
    for (uint32_t i = 0; i < n; i++) sel[i] = wr_batch_row(&t->rows, which[i]);
    some.sel = sel;
    some.sel_count = n;
    if (!wr_row_encode(&some, side->all_cols, side->width, a, &rows)) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) {
        const size_t key_len = keys->off[which[i] + 1] - keys->off[which[i]];
        most = WR_MAX(most, HEAD_BYTES + key_len + (rows.off[i + 1] - rows.off[i]));
    }
    uint8_t *bytes = wr_arena_alloc(a, most + 1);
    WR_TRY_ALLOC(ctx, bytes);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t w = which[i], key_len = keys->off[w + 1] - keys->off[w];
        const uint32_t row_len = rows.off[i + 1] - rows.off[i];
        wr_store32(bytes, key_len);
        wr_store32(bytes + 4, row_len);
        if (key_len) memcpy(bytes + HEAD_BYTES, keys->data + keys->off[w], key_len);
        if (row_len) memcpy(bytes + HEAD_BYTES + key_len, rows.data + rows.off[i], row_len);
        WR_TRY(add_row(ctx, r, t->slots[w], bytes, HEAD_BYTES + key_len + row_len));
    }
    return WR_OK;
}

static wr_status
take_in(wr_ctx *ctx, window_rank_op *r, const wr_batch *in)
{
    wri_window_taken t;
    wr_bytes keys;
    WR_TRY(wri_window_rows_take(ctx, &r->rows, 0, in, &t));
    if (t.n == 0) return WR_OK;
    if (!wr_sortkey_encode(&t.rows, r->keys, r->key_count, r->rows.scratch, &keys))
        return WRI_NOMEM(ctx);
    uint32_t *which = wr_arena_alloc(r->rows.scratch, sizeof *which * (t.n + 1)), n = 0;
    WR_TRY_ALLOC(ctx, which);
    for (uint32_t i = 0; i < t.n; i++)
        if (is_wanted(r, group_at(r, t.slots[i]), keys.data + keys.off[i],
                      keys.off[i + 1] - keys.off[i]))
            which[n++] = i;
    return n ? add_rows(ctx, r, &t, &keys, which, n) : WR_OK;
}

static wr_status
window_rank_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input, (void)emit;
    const wr_status status = take_in(ctx, (window_rank_op *)op, take_batch);
    wr_batch_release(take_batch);
    return status;
}

/* ---- letting out ----------------------------------------------------------------------------- */
static wr_status
next_group(wr_ctx *ctx, window_rank_op *r, bool *any)
{
    r->entry_count = r->entry_at = 0;
    *any = false;
    if (r->rows.at == r->rows.count) WR_TRY(wri_window_rows_more(ctx, &r->rows));
    if (r->rows.count == 0) return WR_OK;
    *any = true;
    const uint32_t slot = r->rows.slots[r->rows.at++];
    if (slot == WR_SLOT_NONE) return WR_OK;
    const rank_group *g = group_at(r, slot);
    wr_arena_reset(r->sorting);
    WR_TRY(sort_group(ctx, r, g, &r->entries));
    r->entry_count = (uint32_t)WR_MIN(g->count, r->last);
    r->entry_at = (uint32_t)WR_MIN(r->first - 1, r->entry_count);
    return WR_OK;
}

static wr_status
put_row(wr_ctx *ctx, window_rank_op *r, const entry *e, uint64_t number)
{
    uint32_t at;
    if (!r->number) return wri_builder_encoded(ctx, &r->out, WR_INSERT, e->row, e->row_len);
    WR_TRY(wri_builder_row(ctx, &r->out, WR_INSERT, &at));
    wr_batch *out = r->out.out;
    const uint32_t width = out->col_count - 1;
    ((int64_t *)out->cols[width].data)[at] = (int64_t)number;
    return wr_row_decode(ctx, e->row, e->row_len, out->cols, width, at, true, out->arena);
}

static wr_status
let_out(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    window_rank_op *r = (window_rank_op *)op;
    bool any = true;
    r->out.emit = emit;
    while (any) {
        for (; r->entry_at < r->entry_count; r->entry_at++) {
            if (wri_builder_full(&r->out)) {
                op->pending = true;
                return WR_OK;
            }
            WR_TRY(put_row(ctx, r, &r->entries[r->entry_at], (uint64_t)r->entry_at + 1));
        }
        WR_TRY(next_group(ctx, r, &any));
    }
    return wri_builder_flush(ctx, &r->out);
}

static wr_status
until(wr_ctx *ctx, window_rank_op *r, int64_t watermark, wr_emitter *emit)
{
    r->rows.watermark = WR_MAX(r->rows.watermark, watermark);
    wri_builder_begin(&r->out, &r->op, emit, WR_BATCH_ROWS);
    return let_out(ctx, &r->op, emit);
}

static wr_status
window_rank_watermark(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *emit, int64_t *forward)
{
    *forward = watermark;
    return until(ctx, (window_rank_op *)op, watermark, emit);
}

static wr_status
window_rank_end(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    return until(ctx, (window_rank_op *)op, INT64_MAX, emit);
}

/* ---- life ------------------------------------------------------------------------------------ */
static wr_status
window_rank_snapshot(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)checkpoint_id;
    return wri_window_rows_snapshot(ctx, &((window_rank_op *)op)->rows, out);
}

static wr_status
window_rank_restore(wr_ctx *ctx, wr_op *op, const wr_opstate *in)
{
    return wri_window_rows_restore(ctx, &((window_rank_op *)op)->rows, in);
}

static void
window_rank_close(wr_op *op)
{
    window_rank_op *r = (window_rank_op *)op;
    wri_builder_drop(&r->out);
    wri_window_rows_close(&r->rows);
    wr_arena_destroy(r->sorting);
}

const wr_op_ops wri_window_rank_ops = {
    .abi = WR_ABI,
    .name = "WindowRank",
    .size_bytes = sizeof(window_rank_op),
    .open = window_rank_open,
    .on_batch = window_rank_batch,
    .on_resume = let_out,
    .on_watermark = window_rank_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = window_rank_end,
    .close = window_rank_close,
    .snapshot = window_rank_snapshot,
    .restore = window_rank_restore,
    .committed = wr_op_no_committed,
};
