/* SPDX-License-Identifier: Apache-2.0 */
/* SINK_MATERIALIZE with DO DEDUPLICATE (or no ON CONFLICT): rows of different upsert keys may meet
 * in one primary key of the sink; all that are alive are kept, in order of arrival, and the latest
 * is shown. A row that is added shows as +I or +U; when the shown row is retracted, the one before
 * it comes back as +U, or -D is sent when there is none. */
#include "op/op_int.h"

typedef struct list_head { /* record of a primary key */
    uint64_t next_seq;
    uint32_t listed; /* serial of the batch that listed it for removal */
    uint32_t pad;
} list_head;

typedef struct list_row { /* (key, arrival number) */
    wr_blob row;
} list_row;

typedef struct place { /* (key, upsert key) */
    uint8_t seq[8];    /* arrival number, big endian */
} place;

typedef struct materialize_op {
    wr_op op;
    wri_keyspec pk, upsert;
    bool has_upsert;
    uint32_t *all_cols;
    wr_state_table *keys, *list, *places;
    wr_arena *scratch;
    uint32_t serial;
    wr_batch *in;
    uint32_t at, n;
    uint32_t *slots;
    wr_bytes bytes;
    wr_keys upsert_keys;
    wri_builder out;
} materialize_op;

static wr_status
open_tables(wr_ctx *ctx, materialize_op *m)
{
    wr_op *op = &m->op;
    static const wr_state_part head[] = {WRI_PART(list_head, next_seq, WR_PART_PLAIN),
                                         WRI_PART(list_head, listed, WR_PART_TRANSIENT)};
    static const wr_state_part seq[] = {WRI_PART(place, seq, WR_PART_PLAIN)};
    wr_state_part row[] = {WRI_PART(list_row, row, WR_PART_ROW)};
    WR_TRY(wri_row_schema(ctx, op, op->node, &row[0].schema));
    wr_state_desc desc = {.shape = WR_STATE_VALUE,
                          .key = &m->pk.schema,
                          .record_bytes = sizeof(list_head),
                          .parts = head,
                          .part_count = WR_COUNT(head),
                          .ttl_ms = op->node->u.materialize.ttl_ms};
    WR_TRY(wri_table_open(ctx, op, "keys", &desc, &m->keys));
    desc = (wr_state_desc){.shape = WR_STATE_ORDERED,
                           .record_bytes = sizeof(list_row),
                           .parent = m->keys,
                           .part_count = WR_COUNT(row)};
    desc.parts = wri_parts_copy(op, row, WR_COUNT(row));
    WR_TRY_ALLOC(ctx, desc.parts);
    WR_TRY(wri_table_open(ctx, op, "rows", &desc, &m->list));
    if (!m->has_upsert) return WR_OK;
    desc = (wr_state_desc){.shape = WR_STATE_MAP,
                           .key = &m->upsert.schema,
                           .record_bytes = sizeof(place),
                           .parent = m->keys,
                           .parts = seq,
                           .part_count = WR_COUNT(seq)};
    return wri_table_open(ctx, op, "places", &desc, &m->places);
}

static wr_status
materialize_open(wr_ctx *ctx, wr_op *op)
{
    materialize_op *m = (materialize_op *)op;
    const wr_pnode *node = op->node;
    m->scratch = wr_arena_create(op->env->budget, 0);
    m->all_cols = wri_iota(op->env->arena, node->schema.count);
    WR_TRY_ALLOC(ctx, m->scratch);
    WR_TRY_ALLOC(ctx, m->all_cols);
    WR_TRY(wri_keyspec_init(ctx, op, node, node->u.materialize.keys, node->u.materialize.key_count,
                            &m->pk));
    m->has_upsert = node->u.materialize.input_upsert_key != NULL;
    WR_TRY(wri_keyspec_init(ctx, op, node, node->u.materialize.input_upsert_key,
                            m->has_upsert ? node->u.materialize.input_upsert_key_count : 0,
                            &m->upsert));
    return open_tables(ctx, m);
}

static wr_status
prepare(wr_ctx *ctx, materialize_op *m)
{
    wr_arena_reset(m->scratch);
    m->n = wr_batch_live(m->in);
    m->at = 0;
    m->slots = wr_arena_alloc(m->scratch, sizeof *m->slots * (m->n + 1));
    WR_TRY_ALLOC(ctx, m->slots);
    wr_keys keys;
    WR_TRY(wri_keys_make(ctx, &m->pk, m->in, m->scratch, &keys));
    WR_TRY(m->keys->ops->resolve(ctx, m->keys, &keys, WR_STATE_UPSERT, m->slots, NULL));
    if (!wr_row_encode(m->in, m->all_cols, m->in->col_count, m->scratch, &m->bytes))
        return WRI_NOMEM(ctx);
    return m->has_upsert ? wri_keys_make(ctx, &m->upsert, m->in, m->scratch, &m->upsert_keys)
                         : WR_OK;
}

/* The place of row i's upsert key; NULL when there is none and it is not to be made. */
static wr_status
find_place(wr_ctx *ctx, materialize_op *m, uint32_t i, wr_intent intent, place **out, bool *fresh)
{
    const wr_keys one = wri_keys_one(&m->upsert_keys, i);
    uint8_t *rec;
    uint64_t is_new = 0;
    WR_TRY(m->places->ops->map_resolve(ctx, m->places, &m->slots[i], &one, intent, &rec, &is_new));
    *out = (place *)(void *)rec;
    *fresh = is_new & 1;
    return WR_OK;
}

static wr_status
add_row(wr_ctx *ctx, materialize_op *m, uint32_t i)
{
    const wr_state_ops *ops = m->keys->ops;
    const uint32_t slot = m->slots[i], row = wr_batch_row(m->in, i);
    const wr_kind kind = ops->ord_count(m->list, slot) == 0 ? WR_INSERT : WR_UPDATE_AFTER;
    list_head *head = (list_head *)(void *)wr_state_rec(m->keys, slot);
    uint8_t seq[8], *rec;
    bool fresh = true;
    place *p = NULL;
    if (m->has_upsert) WR_TRY(find_place(ctx, m, i, WR_STATE_UPSERT, &p, &fresh));
    if (fresh)
        wr_store64(seq, __builtin_bswap64(head->next_seq++));
    else
        memcpy(seq, p->seq, 8);
    if (p) memcpy(p->seq, seq, 8);
    WR_TRY(ops->ord_put(ctx, m->list, slot, seq, 8, &rec, NULL));
    WR_TRY(ops->blob_set(ctx, m->list, &((list_row *)(void *)rec)->row,
                         m->bytes.data + m->bytes.off[i], m->bytes.off[i + 1] - m->bytes.off[i]));
    return wri_builder_copy(ctx, &m->out, kind, m->in, row);
}

/* The first row of the list with these bytes. */
static bool
find_equal(materialize_op *m, uint32_t i, wr_state_iter *it)
{
    const wr_state_ops *ops = m->keys->ops;
    const uint32_t len = m->bytes.off[i + 1] - m->bytes.off[i];
    for (bool ok = ops->ord_seek(m->list, m->slots[i], NULL, 0, it); ok; ok = ops->ord_next(it)) {
        const wr_blob *b = &((const list_row *)(const void *)it->rec)->row;
        if (b->len == len &&
            memcmp(ops->blob_get(m->list, b), m->bytes.data + m->bytes.off[i], len) == 0)
            return true;
    }
    return false;
}

static wr_status
retract_row(wr_ctx *ctx, materialize_op *m, uint32_t i)
{
    const wr_state_ops *ops = m->keys->ops;
    const uint32_t slot = m->slots[i];
    uint8_t seq[8];
    wr_state_iter it;
    if (m->has_upsert) {
        place *p;
        bool fresh;
        WR_TRY(find_place(ctx, m, i, WR_STATE_READ, &p, &fresh));
        if (!p) return WR_OK; /* its state is gone */
        memcpy(seq, p->seq, 8);
        uint32_t len;
        const uint8_t *key = wri_key_at(&m->upsert_keys, i, &len);
        ops->map_remove(m->places, slot, key, len, m->upsert_keys.hash[i]);
    } else {
        if (!find_equal(m, i, &it)) return WR_OK;
        memcpy(seq, it.key, 8);
    }
    const bool shown =
        ops->ord_seek_last(m->list, slot, NULL, 0, &it) && memcmp(it.key, seq, 8) == 0;
    ops->ord_remove(m->list, slot, seq, 8);
    if (!shown) return WR_OK;
    if (!ops->ord_seek_last(m->list, slot, NULL, 0, &it))
        return wri_builder_copy(ctx, &m->out, WR_DELETE, m->in, wr_batch_row(m->in, i));
    const wr_blob *b = &((const list_row *)(const void *)it.rec)->row;
    return wri_builder_encoded(ctx, &m->out, WR_UPDATE_AFTER, ops->blob_get(m->list, b), b->len);
}

static wr_status
drop_empty(wr_ctx *ctx, materialize_op *m)
{
    const wr_state_ops *ops = m->keys->ops;
    uint32_t *list = wr_arena_alloc(m->scratch, sizeof *list * (m->n + 1)), count = 0;
    WR_TRY_ALLOC(ctx, list);
    m->serial++;
    for (uint32_t i = 0; i < m->n; i++) {
        list_head *h = (list_head *)(void *)wr_state_rec(m->keys, m->slots[i]);
        if (h->listed == m->serial || ops->ord_count(m->list, m->slots[i]) > 0) continue;
        h->listed = m->serial;
        list[count++] = m->slots[i];
    }
    for (uint32_t i = 0; i < count; i++) ops->remove(m->keys, list[i]);
    return WR_OK;
}

static wr_status
take_rows(wr_ctx *ctx, materialize_op *m)
{
    while (m->at < m->n) {
        if (wri_builder_full(&m->out)) {
            m->op.pending = true;
            return WR_OK;
        }
        const uint32_t i = m->at++;
        const wr_kind kind = wr_batch_kind(m->in, wr_batch_row(m->in, i));
        const bool adds = kind == WR_INSERT || kind == WR_UPDATE_AFTER;
        WR_TRY(adds ? add_row(ctx, m, i) : retract_row(ctx, m, i));
    }
    WR_TRY(drop_empty(ctx, m));
    wr_batch_release(m->in);
    m->in = NULL;
    return wri_builder_flush(ctx, &m->out);
}

static wr_status
materialize_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input;
    materialize_op *m = (materialize_op *)op;
    m->in = take_batch;
    wri_builder_begin(&m->out, op, emit, wr_batch_live(m->in));
    WR_TRY(prepare(ctx, m));
    return take_rows(ctx, m);
}

static wr_status
materialize_resume(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    materialize_op *m = (materialize_op *)op;
    m->out.emit = emit;
    return take_rows(ctx, m);
}

static void
materialize_close(wr_op *op)
{
    materialize_op *m = (materialize_op *)op;
    wri_builder_drop(&m->out);
    wr_batch_release(m->in);
    m->in = NULL;
    wr_arena_destroy(m->scratch);
}

const wr_op_ops wri_materialize_ops = {
    .abi = WR_ABI,
    .name = "SinkMaterializer",
    .size_bytes = sizeof(materialize_op),
    .open = materialize_open,
    .on_batch = materialize_batch,
    .on_resume = materialize_resume,
    .on_watermark = wr_op_pass_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = wr_op_no_end,
    .close = materialize_close,
    .snapshot = wr_op_no_snapshot,
    .restore = wr_op_no_restore,
    .committed = wr_op_no_committed,
};
