/* SPDX-License-Identifier: Apache-2.0 */
/* SINK_MATERIALIZE with DO NOTHING or DO ERROR: changes wait, per primary key of the sink, until a
 * watermark says that what belongs together is there. Then they are applied in order to the row
 * shown so far, by upsert key: a row of the same upsert key replaces it, a retraction removes it.
 * One row is left: it is shown (+I, +U, or nothing if it is the same). None: -D. Several: the
 * statement fails (ERROR), or the first stays and the others are forgotten (NOTHING). */
#include "op/op_int.h"
#include "vec/cast.h"

typedef struct shown_row { /* record of a primary key */
    wr_blob row, upsert;   /* what the sink has, and its upsert key */
    uint64_t shown;
    uint64_t since; /* its place among the keys with changes; 0: it has none */
    uint64_t next_seq;
} shown_row;

typedef struct change { /* (key, arrival number) */
    wr_blob row, upsert;
    uint64_t retracts;
} change;

typedef struct bytes {
    const uint8_t *p;
    uint32_t len;
} bytes;

typedef struct item { /* a row alive while a key is settled */
    bytes row, upsert;
} item;

typedef struct conflict_op {
    wr_op op;
    wri_keyspec pk, upsert;
    uint32_t *all_cols;
    wr_state_table *keys, *changes;
    wr_arena *scratch;
    uint64_t arrivals; /* keys that have come to wait so far */
    uint32_t *waiting; /* slots with changes, in order of the first */
    uint32_t waiting_count, waiting_cap, next;
    bool settling;
    wri_builder out;
} conflict_op;

static wr_status
open_tables(wr_ctx *ctx, conflict_op *m)
{
    wr_op *op = &m->op;
    wr_state_part shown[] = {
        WRI_PART(shown_row, row, WR_PART_ROW), WRI_PART(shown_row, upsert, WR_PART_PLAIN),
        WRI_PART(shown_row, shown, WR_PART_PLAIN), WRI_PART(shown_row, since, WR_PART_PLAIN),
        WRI_PART(shown_row, next_seq, WR_PART_PLAIN)};
    wr_state_part waits[] = {WRI_PART(change, row, WR_PART_ROW),
                             WRI_PART(change, upsert, WR_PART_PLAIN),
                             WRI_PART(change, retracts, WR_PART_PLAIN)};
    WR_TRY(wri_row_schema(ctx, op, op->node, &shown[0].schema));
    waits[0].schema = shown[0].schema;
    shown[1].schema = waits[1].schema = &m->upsert.schema;
    wr_state_desc desc = {.shape = WR_STATE_VALUE,
                          .key = &m->pk.schema,
                          .record_bytes = sizeof(shown_row),
                          .part_count = WR_COUNT(shown)};
    desc.parts = wri_parts_copy(op, shown, WR_COUNT(shown));
    WR_TRY_ALLOC(ctx, desc.parts);
    WR_TRY(wri_table_open(ctx, op, "keys", &desc, &m->keys));
    desc = (wr_state_desc){.shape = WR_STATE_ORDERED,
                           .record_bytes = sizeof(change),
                           .parent = m->keys,
                           .part_count = WR_COUNT(waits)};
    desc.parts = wri_parts_copy(op, waits, WR_COUNT(waits));
    WR_TRY_ALLOC(ctx, desc.parts);
    return wri_table_open(ctx, op, "changes", &desc, &m->changes);
}

static wr_status
conflict_open(wr_ctx *ctx, wr_op *op)
{
    conflict_op *m = (conflict_op *)op;
    const wr_pnode *node = op->node;
    const bool has_upsert = node->u.materialize.input_upsert_key != NULL;
    m->scratch = wr_arena_create(op->env->budget, 0);
    m->all_cols = wri_iota(op->env->arena, node->schema.count);
    WR_TRY_ALLOC(ctx, m->scratch);
    WR_TRY_ALLOC(ctx, m->all_cols);
    WR_TRY(wri_keyspec_init(ctx, op, node, node->u.materialize.keys, node->u.materialize.key_count,
                            &m->pk));
    WR_TRY(wri_keyspec_init(
        ctx, op, node, has_upsert ? node->u.materialize.input_upsert_key : m->all_cols,
        has_upsert ? node->u.materialize.input_upsert_key_count : node->schema.count, &m->upsert));
    return open_tables(ctx, m);
}

/* ---- waiting --------------------------------------------------------------------------------- */
static shown_row *
shown_of(const conflict_op *m, uint32_t slot)
{
    return (shown_row *)(void *)wr_state_rec(m->keys, slot);
}

static wr_status
list_waiting(wr_ctx *ctx, conflict_op *m, uint32_t slot)
{
    if (m->waiting_count == m->waiting_cap) {
        const uint32_t cap = m->waiting_cap ? m->waiting_cap * 2 : 64;
        uint32_t *more = wr_mem_realloc(m->op.env->budget, m->waiting,
                                        m->waiting_cap * sizeof *more, cap * sizeof *more);
        WR_TRY_ALLOC(ctx, more);
        m->waiting = more;
        m->waiting_cap = cap;
    }
    m->waiting[m->waiting_count++] = slot;
    m->op.holds_slots = true;
    return WR_OK;
}

static wr_status
wait_for(wr_ctx *ctx, conflict_op *m, uint32_t slot)
{
    shown_row *s = shown_of(m, slot);
    if (s->since) return WR_OK;
    s->since = ++m->arrivals;
    return list_waiting(ctx, m, slot);
}

/* Heap order by arrival: the latest on top. */
static void
sift(const conflict_op *m, uint32_t at, uint32_t n)
{
    uint32_t *w = m->waiting;
    for (uint32_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && shown_of(m, w[child])->since < shown_of(m, w[child + 1])->since)
            child++;
        if (shown_of(m, w[at])->since >= shown_of(m, w[child])->since) return;
        const uint32_t slot = w[at];
        w[at] = w[child];
        w[child] = slot;
    }
}

/* The list of waiting keys is not kept: it is made of the keys that say so, in their order. */
static wr_status
conflict_restore(wr_ctx *ctx, wr_op *op, const wr_opstate *in)
{
    (void)in;
    conflict_op *m = (conflict_op *)op;
    uint64_t pos = 0;
    for (uint32_t slot; m->keys->ops->next_slot(m->keys, &pos, &slot);) {
        if (!shown_of(m, slot)->since) continue;
        m->arrivals = WR_MAX(m->arrivals, shown_of(m, slot)->since);
        WR_TRY(list_waiting(ctx, m, slot));
    }
    for (uint32_t i = m->waiting_count / 2; i-- > 0;) sift(m, i, m->waiting_count);
    for (uint32_t n = m->waiting_count; n > 1;) {
        const uint32_t last = m->waiting[--n];
        m->waiting[n] = m->waiting[0];
        m->waiting[0] = last;
        sift(m, 0, n);
    }
    return WR_OK;
}

static wr_status
keep_changes(wr_ctx *ctx, conflict_op *m, const wr_batch *in)
{
    const wr_state_ops *ops = m->keys->ops;
    const uint32_t n = wr_batch_live(in);
    wr_arena_reset(m->scratch);
    uint32_t *slots = wr_arena_alloc(m->scratch, sizeof *slots * (n + 1));
    WR_TRY_ALLOC(ctx, slots);
    wr_keys pk, upsert;
    wr_bytes rows;
    WR_TRY(wri_keys_make(ctx, &m->pk, in, m->scratch, &pk));
    WR_TRY(wri_keys_make(ctx, &m->upsert, in, m->scratch, &upsert));
    if (!wr_row_encode(in, m->all_cols, in->col_count, m->scratch, &rows)) return WRI_NOMEM(ctx);
    WR_TRY(ops->resolve(ctx, m->keys, &pk, WR_STATE_UPSERT, slots, NULL));
    for (uint32_t i = 0; i < n; i++) {
        const wr_kind kind = wr_batch_kind(in, wr_batch_row(in, i));
        shown_row *s = shown_of(m, slots[i]);
        uint8_t seq[8], *rec;
        uint32_t len;
        WR_TRY(wait_for(ctx, m, slots[i]));
        wr_store64(seq, __builtin_bswap64(s->next_seq++));
        WR_TRY(ops->ord_put(ctx, m->changes, slots[i], seq, 8, &rec, NULL));
        change *c = (change *)(void *)rec;
        c->retracts = kind == WR_UPDATE_BEFORE || kind == WR_DELETE;
        const uint8_t *key = wri_key_at(&upsert, i, &len);
        WR_TRY(ops->blob_set(ctx, m->changes, &c->upsert, key, len));
        WR_TRY(ops->blob_set(ctx, m->changes, &c->row, rows.data + rows.off[i],
                             rows.off[i + 1] - rows.off[i]));
    }
    return WR_OK;
}

static wr_status
conflict_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input, (void)emit;
    const wr_status status = keep_changes(ctx, (conflict_op *)op, take_batch);
    wr_batch_release(take_batch);
    return status;
}

/* ---- settling -------------------------------------------------------------------------------- */
static bytes
blob_bytes(const wr_state_table *t, const wr_blob *b)
{
    return (bytes){t->ops->blob_get(t, b), b->len};
}

static bool
same(bytes a, bytes b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}

/* Apply the waiting changes; the rows alive in the end. */
static wr_status
apply_changes(wr_ctx *ctx, conflict_op *m, uint32_t slot, item **out, uint32_t *count)
{
    const wr_state_ops *ops = m->keys->ops;
    const shown_row *s = (const shown_row *)(const void *)wr_state_rec(m->keys, slot);
    item *list = wr_arena_alloc(m->scratch, sizeof *list * (ops->ord_count(m->changes, slot) + 1));
    WR_TRY_ALLOC(ctx, list);
    uint32_t n = 0;
    if (s->shown) list[n++] = (item){blob_bytes(m->keys, &s->row), blob_bytes(m->keys, &s->upsert)};
    wr_state_iter it;
    for (bool ok = ops->ord_seek(m->changes, slot, NULL, 0, &it); ok; ok = ops->ord_next(&it)) {
        const change *c = (const change *)(const void *)it.rec;
        const item now = {blob_bytes(m->changes, &c->row), blob_bytes(m->changes, &c->upsert)};
        uint32_t at = 0;
        while (at < n && !same(list[at].upsert, now.upsert)) at++;
        if (!c->retracts) {
            list[at] = now;
            n += at == n;
        } else if (at < n) {
            memmove(list + at, list + at + 1, (n - at - 1) * sizeof *list);
            n--;
        }
    }
    *out = list;
    *count = n;
    return WR_OK;
}

/* "[product=Laptop]" */
static wr_status
refuse(wr_ctx *ctx, conflict_op *m, bytes row)
{
    const wr_schema *schema = &m->op.node->schema;
    wr_batch *b = wr_batch_acquire(m->op.env->pool, schema->count);
    WR_TRY_ALLOC(ctx, b);
    wr_status status = wr_batch_init_flat(b, schema, 1) ? WR_OK : WRI_NOMEM(ctx);
    if (status == WR_OK)
        status = wr_row_decode(ctx, row.p, row.len, b->cols, schema->count, 0, false, b->arena);
    if (status == WR_OK) {
        wr_text t;
        wr_text_init(&t, b->arena);
        for (uint32_t k = 0; k < m->pk.count; k++) {
            const uint32_t c = m->pk.cols[k];
            wr_text_printf(&t, "%s%.*s=", k ? ", " : "", WR_STR_ARG(schema->fields[c].name));
            wr_value_print_java(&b->cols[c], 0, m->op.env->eval->tz, &t);
        }
        const wr_str key = wr_text_str(&t);
        status = wr_raise(ctx, WR_CONSTRAINT,
                          "Primary key constraint violation: multiple distinct records with the "
                          "same primary key detected. Conflicting key: [%.*s]. Use ON CONFLICT DO "
                          "NOTHING to keep the first record.",
                          WR_STR_ARG(key));
    }
    wr_batch_release(b);
    return status;
}

static wr_status
show(wr_ctx *ctx, conflict_op *m, uint32_t slot, const item *it)
{
    const wr_state_ops *ops = m->keys->ops;
    shown_row *s = shown_of(m, slot);
    if (s->shown && same(blob_bytes(m->keys, &s->row), it->row)) return WR_OK;
    WR_TRY(wri_builder_encoded(ctx, &m->out, s->shown ? WR_UPDATE_AFTER : WR_INSERT, it->row.p,
                               it->row.len));
    s->shown = 1;
    WR_TRY(ops->blob_set(ctx, m->keys, &s->row, it->row.p, it->row.len));
    return ops->blob_set(ctx, m->keys, &s->upsert, it->upsert.p, it->upsert.len);
}

static wr_status
settle_key(wr_ctx *ctx, conflict_op *m, uint32_t slot)
{
    const wr_state_ops *ops = m->keys->ops;
    shown_row *s = shown_of(m, slot);
    item *list = NULL;
    uint32_t n = 0;
    ops->touch(m->keys, slot);
    wr_arena_reset(m->scratch);
    WR_TRY(apply_changes(ctx, m, slot, &list, &n));
    if (n > 1 && m->op.node->u.materialize.on_conflict == WR_CONFLICT_ERROR)
        return refuse(ctx, m, list[0].row);
    if (n > 0) {
        WR_TRY(show(ctx, m, slot, &list[0]));
    } else if (s->shown) {
        const bytes old = blob_bytes(m->keys, &s->row);
        WR_TRY(wri_builder_encoded(ctx, &m->out, WR_DELETE, old.p, old.len));
    }
    ops->ord_clear(m->changes, slot);
    s->since = 0;
    if (n == 0) ops->remove(m->keys, slot);
    return WR_OK;
}

static wr_status
settle(wr_ctx *ctx, conflict_op *m, wr_emitter *emit)
{
    if (!m->settling) {
        m->settling = true;
        m->next = 0;
        wri_builder_begin(&m->out, &m->op, emit, m->waiting_count);
    }
    m->out.emit = emit;
    while (m->next < m->waiting_count) {
        if (wri_builder_full(&m->out)) {
            m->op.pending = true;
            return WR_OK;
        }
        WR_TRY(settle_key(ctx, m, m->waiting[m->next++]));
        if (m->out.out && m->out.out->row_count == m->out.cap)
            WR_TRY(wri_builder_flush(ctx, &m->out));
    }
    m->waiting_count = 0;
    m->op.holds_slots = false;
    m->settling = false;
    return wri_builder_flush(ctx, &m->out);
}

static wr_status
conflict_watermark(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *emit, int64_t *forward)
{
    *forward = watermark;
    return settle(ctx, (conflict_op *)op, emit);
}

static wr_status
conflict_resume(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    return settle(ctx, (conflict_op *)op, emit);
}

static wr_status
conflict_end(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    return settle(ctx, (conflict_op *)op, emit);
}

static void
conflict_close(wr_op *op)
{
    conflict_op *m = (conflict_op *)op;
    wri_builder_drop(&m->out);
    wr_mem_free(op->env->budget, m->waiting, m->waiting_cap * sizeof *m->waiting);
    m->waiting = NULL;
    m->waiting_cap = 0;
    wr_arena_destroy(m->scratch);
}

const wr_op_ops wri_conflict_ops = {
    .abi = WR_ABI,
    .name = "SinkMaterializer",
    .size_bytes = sizeof(conflict_op),
    .open = conflict_open,
    .on_batch = conflict_batch,
    .on_resume = conflict_resume,
    .on_watermark = conflict_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = conflict_end,
    .close = conflict_close,
    .snapshot = wr_op_no_snapshot,
    .restore = conflict_restore,
    .committed = wr_op_no_committed,
};
