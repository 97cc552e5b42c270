/* SPDX-License-Identifier: Apache-2.0 */
/* SORT, streaming: ORDER BY rowtime [, more keys]. Rows wait in ordered state, by sort key and then
 * arrival; a rising watermark lets out those whose rowtime it has passed. A row whose rowtime has
 * already come out is late and dropped. */
#include "op/op_int.h"

typedef struct sort_state { /* record of the one slot */
    uint64_t next_seq;
    int64_t last_out; /* highest rowtime that came out, if any did */
    uint64_t any;
} sort_state;

typedef struct temporal_sort_op {
    wr_op op;
    wr_sort_key *keys;
    uint32_t *all_cols;
    wri_keyspec sort_key;
    wr_state_table *one, *rows;
    uint32_t slot; /* of the batch being taken in, or of what is coming out */
    wr_arena *scratch;
    int64_t limit; /* rows up to here are due */
    wri_builder out;
} temporal_sort_op;

typedef struct row_record {
    int64_t time;
    wr_blob row;
} row_record;

static wr_status
open_tables(wr_ctx *ctx, temporal_sort_op *s)
{
    wr_op *op = &s->op;
    static const wr_state_part position[] = {WRI_PART(sort_state, next_seq, WR_PART_PLAIN),
                                             WRI_PART(sort_state, last_out, WR_PART_PLAIN),
                                             WRI_PART(sort_state, any, WR_PART_PLAIN)};
    wr_state_part row[] = {WRI_PART(row_record, time, WR_PART_PLAIN),
                           WRI_PART(row_record, row, WR_PART_ROW)};
    WR_TRY(wri_row_schema(ctx, op, op->node, &row[1].schema));
    uint32_t *cols = WR_NEW_N(op->env->arena, uint32_t, op->node->u.sort.key_count + 1);
    WR_TRY_ALLOC(ctx, cols);
    for (uint32_t i = 0; i < op->node->u.sort.key_count; i++) cols[i] = s->keys[i].col;
    WR_TRY(wri_keyspec_init(ctx, op, op->node, cols, op->node->u.sort.key_count, &s->sort_key));
    wr_state_desc desc = {.shape = WR_STATE_VALUE,
                          .record_bytes = sizeof(sort_state),
                          .parts = position,
                          .part_count = WR_COUNT(position)};
    WR_TRY(wri_table_open(ctx, op, "position", &desc, &s->one));
    desc = (wr_state_desc){.shape = WR_STATE_ORDERED,
                           .key = &s->sort_key.schema,
                           .record_bytes = sizeof(row_record),
                           .parent = s->one,
                           .part_count = WR_COUNT(row)};
    desc.parts = wri_parts_copy(op, row, WR_COUNT(row));
    WR_TRY_ALLOC(ctx, desc.parts);
    return wri_table_open(ctx, op, "rows", &desc, &s->rows);
}

static wr_status
temporal_sort_open(wr_ctx *ctx, wr_op *op)
{
    temporal_sort_op *s = (temporal_sort_op *)op;
    const wr_pnode *node = op->node;
    s->keys = WR_NEW_N(op->env->arena, wr_sort_key, node->u.sort.key_count + 1);
    s->all_cols = wri_iota(op->env->arena, node->schema.count);
    s->scratch = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, s->keys);
    WR_TRY_ALLOC(ctx, s->all_cols);
    WR_TRY_ALLOC(ctx, s->scratch);
    for (uint32_t i = 0; i < node->u.sort.key_count; i++)
        s->keys[i] = (wr_sort_key){.col = node->u.sort.keys[i].col,
                                   .desc = node->u.sort.keys[i].desc,
                                   .nulls_last = node->u.sort.keys[i].nulls_last,
                                   .one_zero = true};
    return open_tables(ctx, s);
}

static int64_t
time_of(const wr_batch *b, uint32_t col, uint32_t row)
{
    const wr_view v = wr_vec_view(&b->cols[col]);
    return b->cols[col].phys == WR_PHYS_TS ? WR_VIEW(&v, wr_ts, row).ms : WR_VIEW(&v, int64_t, row);
}

static wr_status
keep_row(wr_ctx *ctx, temporal_sort_op *s, const wr_bytes *keys, const wr_bytes *rows, uint32_t i,
         int64_t time)
{
    const wr_state_ops *ops = s->rows->ops;
    sort_state *st = (sort_state *)(void *)wr_state_rec(s->one, s->slot);
    if (st->any && time <= st->last_out) {
        if (s->op.env->metrics) s->op.env->metrics->late_dropped++;
        return WR_OK;
    }
    const uint32_t len = keys->off[i + 1] - keys->off[i];
    uint8_t *key = wr_arena_alloc(s->scratch, len + 8);
    WR_TRY_ALLOC(ctx, key);
    memcpy(key, keys->data + keys->off[i], len);
    wr_store64(key + len, __builtin_bswap64(st->next_seq++));
    uint8_t *rec;
    WR_TRY(ops->ord_put(ctx, s->rows, s->slot, key, len + 8, &rec, NULL));
    row_record *r = (row_record *)(void *)rec;
    r->time = time;
    return ops->blob_set(ctx, s->rows, &r->row, rows->data + rows->off[i],
                         rows->off[i + 1] - rows->off[i]);
}

static wr_status
keep_rows(wr_ctx *ctx, temporal_sort_op *s, const wr_batch *b)
{
    const uint32_t col = s->keys[0].col;
    wr_bytes keys, rows;
    wr_arena_reset(s->scratch);
    WR_TRY(wri_single_slot(ctx, s->one, &s->slot, NULL)); /* all rows come to subtask 0 */
    if (!wr_sortkey_encode(b, s->keys, s->op.node->u.sort.key_count, s->scratch, &keys) ||
        !wr_row_encode(b, s->all_cols, b->col_count, s->scratch, &rows))
        return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < wr_batch_live(b); i++) {
        const uint32_t row = wr_batch_row(b, i);
        if (wr_vec_is_null(&b->cols[col], row))
            return wr_raise(ctx, WR_DATA,
                            "RowTime field should not be null, please convert it to a non-null "
                            "long value.");
        WR_TRY(keep_row(ctx, s, &keys, &rows, i, time_of(b, col, row)));
    }
    s->one->ops->touch(s->one, s->slot);
    return WR_OK;
}

static wr_status
temporal_sort_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input, (void)emit;
    const wr_status status = keep_rows(ctx, (temporal_sort_op *)op, take_batch);
    wr_batch_release(take_batch);
    return status;
}

static wr_status
let_out(wr_ctx *ctx, temporal_sort_op *s, wr_emitter *emit)
{
    const wr_state_ops *ops = s->rows->ops;
    if (s->op.env->subtask != 0) return WR_OK; /* has no rows */
    WR_TRY(wri_single_slot(ctx, s->one, &s->slot, NULL));
    sort_state *st = (sort_state *)(void *)wr_state_rec(s->one, s->slot);
    wri_builder_begin(&s->out, &s->op, emit, ops->ord_count(s->rows, s->slot));
    wr_state_iter it;
    while (ops->ord_seek(s->rows, s->slot, NULL, 0, &it)) {
        const row_record *r = (const row_record *)(const void *)it.rec;
        if (r->time > s->limit) break;
        if (wri_builder_full(&s->out)) {
            s->op.pending = true;
            return WR_OK;
        }
        WR_TRY(wri_builder_encoded(ctx, &s->out, WR_INSERT, ops->blob_get(s->rows, &r->row),
                                   r->row.len));
        st->any = 1;
        st->last_out = r->time;
        if (s->out.out->row_count == s->out.cap) WR_TRY(wri_builder_flush(ctx, &s->out));
        ops->ord_remove(s->rows, s->slot, it.key, it.key_len);
    }
    return wri_builder_flush(ctx, &s->out);
}

static wr_status
temporal_sort_watermark(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *emit,
                        int64_t *forward)
{
    temporal_sort_op *s = (temporal_sort_op *)op;
    *forward = watermark;
    s->limit = watermark;
    return let_out(ctx, s, emit);
}

static wr_status
temporal_sort_resume(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    return let_out(ctx, (temporal_sort_op *)op, emit);
}

static wr_status
temporal_sort_end(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    temporal_sort_op *s = (temporal_sort_op *)op;
    s->limit = INT64_MAX;
    return let_out(ctx, s, emit);
}

static void
temporal_sort_close(wr_op *op)
{
    temporal_sort_op *s = (temporal_sort_op *)op;
    wri_builder_drop(&s->out);
    wr_arena_destroy(s->scratch);
}

const wr_op_ops wri_temporal_sort_ops = {
    .abi = WR_ABI,
    .name = "TemporalSort",
    .size_bytes = sizeof(temporal_sort_op),
    .open = temporal_sort_open,
    .on_batch = temporal_sort_batch,
    .on_resume = temporal_sort_resume,
    .on_watermark = temporal_sort_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = temporal_sort_end,
    .close = temporal_sort_close,
    .snapshot = wr_op_no_snapshot,
    .restore = wr_op_no_restore,
    .committed = wr_op_no_committed,
};
