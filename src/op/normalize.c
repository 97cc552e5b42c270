/* SPDX-License-Identifier: Apache-2.0 */
/* CHANGELOG_NORMALIZE: from upserts (+I, +U, and -D that may carry the key alone) to a full
 * changelog. The last row of each key is kept: what comes again unchanged is left out (unless state
 * expires), a change gives -U of the old row and +U of the new one, a deletion gives -D of the kept
 * row, and a deletion of an unknown key nothing. With a condition only rows that pass are kept, so
 * a row that stops passing is deleted. */
#include "op/op_int.h"

typedef struct kept { /* record of a key */
    wr_blob row;
    uint32_t listed; /* serial of the batch that listed it for removal */
    uint32_t live;   /* there is a row */
} kept;

typedef struct normalize_op {
    wr_op op;
    wri_keyspec keys;
    uint32_t *all_cols;
    wr_program *cond;
    wr_state_table *rows;
    wr_arena *scratch;
    uint32_t serial;
    wr_batch *in;
    uint32_t at, n;
    uint32_t *slots;
    bool *passes;
    wr_bytes bytes;
    wri_builder out;
} normalize_op;

static wr_status
normalize_open(wr_ctx *ctx, wr_op *op)
{
    normalize_op *m = (normalize_op *)op;
    const wr_pnode *node = op->node;
    m->scratch = wr_arena_create(op->env->budget, 0);
    m->all_cols = wri_iota(op->env->arena, node->schema.count);
    WR_TRY_ALLOC(ctx, m->scratch);
    WR_TRY_ALLOC(ctx, m->all_cols);
    WR_TRY(wri_op_compile_cond(ctx, op, node->u.normalize.cond, &m->cond));
    WR_TRY(wri_keyspec_init(ctx, op, node, node->u.normalize.keys, node->u.normalize.key_count,
                            &m->keys));
    wr_state_part parts[] = {WRI_PART(kept, row, WR_PART_ROW),
                             WRI_PART(kept, listed, WR_PART_TRANSIENT),
                             WRI_PART(kept, live, WR_PART_PLAIN)};
    WR_TRY(wri_row_schema(ctx, op, node, &parts[0].schema));
    wr_state_desc desc = {.shape = WR_STATE_VALUE,
                          .key = &m->keys.schema,
                          .record_bytes = sizeof(kept),
                          .part_count = WR_COUNT(parts),
                          .ttl_ms = node->u.normalize.ttl_ms};
    desc.parts = wri_parts_copy(op, parts, WR_COUNT(parts));
    WR_TRY_ALLOC(ctx, desc.parts);
    return wri_table_open(ctx, op, "rows", &desc, &m->rows);
}

static wr_status
prepare(wr_ctx *ctx, normalize_op *m)
{
    wr_arena_reset(m->scratch);
    m->n = wr_batch_live(m->in);
    m->at = 0;
    m->slots = wr_arena_alloc(m->scratch, sizeof *m->slots * (m->n + 1));
    m->passes = wr_arena_alloc(m->scratch, sizeof *m->passes * (m->n + 1));
    WR_TRY_ALLOC(ctx, m->slots);
    WR_TRY_ALLOC(ctx, m->passes);
    wr_keys keys;
    WR_TRY(wri_keys_make(ctx, &m->keys, m->in, m->scratch, &keys));
    WR_TRY(m->rows->ops->resolve(ctx, m->rows, &keys, WR_STATE_UPSERT, m->slots, NULL));
    if (!wr_row_encode(m->in, m->all_cols, m->in->col_count, m->scratch, &m->bytes))
        return WRI_NOMEM(ctx);
    return wri_test_rows(ctx, m->cond, m->in, m->scratch, m->passes);
}

static wr_status
show_old(wr_ctx *ctx, normalize_op *m, wr_kind kind, const kept *k)
{
    return wri_builder_encoded(ctx, &m->out, kind, m->rows->ops->blob_get(m->rows, &k->row),
                               k->row.len);
}

static wr_status
show_new(wr_ctx *ctx, normalize_op *m, wr_kind kind, uint32_t i, kept *k)
{
    const uint32_t len = m->bytes.off[i + 1] - m->bytes.off[i];
    WR_TRY(m->rows->ops->blob_set(ctx, m->rows, &k->row, m->bytes.data + m->bytes.off[i], len));
    k->live = 1;
    return wri_builder_copy(ctx, &m->out, kind, m->in, wr_batch_row(m->in, i));
}

static bool
is_same(const normalize_op *m, uint32_t i, const kept *k)
{
    const uint32_t len = m->bytes.off[i + 1] - m->bytes.off[i];
    return len == k->row.len && memcmp(m->bytes.data + m->bytes.off[i],
                                       m->rows->ops->blob_get(m->rows, &k->row), len) == 0;
}

static wr_status
take_row(wr_ctx *ctx, normalize_op *m, uint32_t i)
{
    const wr_kind kind = wr_batch_kind(m->in, wr_batch_row(m->in, i));
    kept *k = (kept *)(void *)wr_state_rec(m->rows, m->slots[i]);
    if (kind == WR_DELETE || kind == WR_UPDATE_BEFORE) {
        if (k->live) WR_TRY(show_old(ctx, m, WR_DELETE, k));
        k->live = 0;
        return WR_OK;
    }
    if (!k->live) return m->passes[i] ? show_new(ctx, m, WR_INSERT, i, k) : WR_OK;
    if (m->op.node->u.normalize.ttl_ms <= 0 && is_same(m, i, k)) return WR_OK;
    if (!m->passes[i]) {
        WR_TRY(show_old(ctx, m, WR_DELETE, k));
        k->live = 0;
        return WR_OK;
    }
    if (m->op.node->u.normalize.generate_update_before)
        WR_TRY(show_old(ctx, m, WR_UPDATE_BEFORE, k));
    return show_new(ctx, m, WR_UPDATE_AFTER, i, k);
}

/* Keys without a row go, once each. */
static wr_status
drop_empty(wr_ctx *ctx, normalize_op *m)
{
    uint32_t *list = wr_arena_alloc(m->scratch, sizeof *list * (m->n + 1)), count = 0;
    WR_TRY_ALLOC(ctx, list);
    m->serial++;
    for (uint32_t i = 0; i < m->n; i++) {
        kept *k = (kept *)(void *)wr_state_rec(m->rows, m->slots[i]);
        if (k->live || k->listed == m->serial) continue;
        k->listed = m->serial;
        list[count++] = m->slots[i];
    }
    for (uint32_t i = 0; i < count; i++) m->rows->ops->remove(m->rows, list[i]);
    return WR_OK;
}

static wr_status
take_rows(wr_ctx *ctx, normalize_op *m)
{
    while (m->at < m->n) {
        if (wri_builder_full(&m->out)) {
            m->op.pending = true;
            return WR_OK;
        }
        WR_TRY(take_row(ctx, m, m->at++));
    }
    WR_TRY(drop_empty(ctx, m));
    wr_batch_release(m->in);
    m->in = NULL;
    return wri_builder_flush(ctx, &m->out);
}

static wr_status
normalize_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input;
    normalize_op *m = (normalize_op *)op;
    m->in = take_batch;
    wri_builder_begin(&m->out, op, emit, 2 * wr_batch_live(m->in));
    WR_TRY(prepare(ctx, m));
    return take_rows(ctx, m);
}

static wr_status
normalize_resume(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    normalize_op *m = (normalize_op *)op;
    m->out.emit = emit;
    return take_rows(ctx, m);
}

static void
normalize_close(wr_op *op)
{
    normalize_op *m = (normalize_op *)op;
    wr_program_close(m->cond);
    wri_builder_drop(&m->out);
    wr_batch_release(m->in);
    m->in = NULL;
    wr_arena_destroy(m->scratch);
}

const wr_op_ops wri_normalize_ops = {
    .abi = WR_ABI,
    .name = "ChangelogNormalize",
    .size_bytes = sizeof(normalize_op),
    .open = normalize_open,
    .on_batch = normalize_batch,
    .on_resume = normalize_resume,
    .on_watermark = wr_op_pass_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = wr_op_no_end,
    .close = normalize_close,
    .snapshot = wr_op_no_snapshot,
    .restore = wr_op_no_restore,
    .committed = wr_op_no_committed,
};
