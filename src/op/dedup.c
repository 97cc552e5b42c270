/* SPDX-License-Identifier: Apache-2.0 */
/* DEDUPLICATE: one row of each key, of rows that are only inserted.
 *
 *   first, by arrival   the key's first row comes out at once, all others are dropped
 *   first, by rowtime   the earliest row waits until the watermark has passed it and comes out
 * then; rows that come behind the watermark are late and dropped last, by arrival    each row
 * replaces the one before, unless it is the same (where state does not expire) last, by rowtime so
 * does each row that is not earlier than the kept one, the same or not
 *
 * Rows are kept without times of processing, which are the same for all rows: those that come out
 * again get the present time. Where nobody wants -U nor must know which row is a key's first, rows
 * by arrival come out as +U and nothing is kept; the last by rowtime without -U needs the times
 * alone, and its rows are passed on a batch at a time. */
#include "op/op_int.h"
#include "op/timers_int.h"

#define DUE_AT_ONCE 256u

typedef struct kept { /* record of a key */
    wr_blob row;
    int64_t time;
    uint32_t state; /* of the first row by rowtime: is it out? */
    uint32_t unused;
} kept;
enum { KEPT_NONE, KEPT_WAITING, KEPT_OUT };

typedef struct dedup_op {
    wr_op op;
    bool first, rowtime, before, insert;
    uint32_t time_col;
    wri_keyspec keys;
    uint32_t *cols, col_count; /* what is kept of a row */
    wr_state_table *rows;
    wri_timers timers;
    wr_arena *scratch;
    int64_t watermark;
    wr_batch *in;
    uint32_t at, n;
    uint32_t *slots;
    wr_bytes bytes;
    wr_keys in_keys;
    wri_builder out;
} dedup_op;

static bool
waits(const dedup_op *d)
{
    return d->first && d->rowtime;
}

/* The last by rowtime, with no word of the row before: times are kept, not rows. */
static bool
keeps_times(const dedup_op *d)
{
    return !d->first && d->rowtime && !d->before;
}

/* What comes out are rows of the batch, no older ones. */
static bool
passes(const dedup_op *d)
{
    if (d->first) return !d->rowtime;
    return !d->before && (d->rowtime || !d->insert);
}

/* ---- opening --------------------------------------------------------------------------------- */
static wr_status
open_table(wr_ctx *ctx, dedup_op *d)
{
    wr_op *op = &d->op;
    wri_keyspec row;
    wr_schema *schema = WR_NEW(op->env->arena, wr_schema);
    WR_TRY_ALLOC(ctx, schema);
    WR_TRY(wri_keyspec_init(ctx, op, op->node, d->cols, d->col_count, &row));
    *schema = row.schema;
    wr_state_part parts[] = {WRI_PART(kept, row, WR_PART_ROW), WRI_PART(kept, time, WR_PART_PLAIN),
                             WRI_PART(kept, state, WR_PART_PLAIN)};
    parts[0].schema = schema;
    const uint32_t first = keeps_times(d) ? 1 : 0;
    wr_state_desc desc = {.shape = WR_STATE_VALUE,
                          .key = &d->keys.schema,
                          .record_bytes = sizeof(kept),
                          .part_count = WR_COUNT(parts) - first,
                          .ttl_ms = op->node->u.dedup.ttl_ms};
    desc.parts = wri_parts_copy(op, parts + first, desc.part_count);
    WR_TRY_ALLOC(ctx, desc.parts);
    return wri_table_open(ctx, op, first ? "times" : "rows", &desc, &d->rows);
}

static wr_status
dedup_open(wr_ctx *ctx, wr_op *op)
{
    dedup_op *d = (dedup_op *)op;
    const wr_pnode *node = op->node;
    const wr_schema *schema = &node->schema;
    d->first = !node->u.dedup.keep_last;
    d->rowtime = node->u.dedup.rowtime;
    d->before = node->u.dedup.generate_update_before;
    d->insert = node->u.dedup.generate_insert;
    d->time_col = node->u.dedup.time_col;
    d->watermark = INT64_MIN;
    d->scratch = wr_arena_create(op->env->budget, 0);
    d->cols = WR_NEW_N(op->env->arena, uint32_t, schema->count + 1);
    WR_TRY_ALLOC(ctx, d->scratch);
    WR_TRY_ALLOC(ctx, d->cols);
    for (uint32_t i = 0; i < schema->count; i++)
        if (schema->fields[i].type->attr != WR_ATTR_PROCTIME) d->cols[d->col_count++] = i;
    WR_TRY(wri_keyspec_init(ctx, op, node, node->u.dedup.keys, node->u.dedup.key_count, &d->keys));
    WR_TRY(open_table(ctx, d));
    return waits(d) ? wri_timers_open(ctx, op, "timers", false, &d->timers) : WR_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */
static kept *
record(const dedup_op *d, uint32_t slot)
{
    return (kept *)(void *)wr_state_rec(d->rows, slot);
}

static wr_status
keep(wr_ctx *ctx, dedup_op *d, uint32_t i, kept *k)
{
    k->state = KEPT_WAITING;
    return d->rows->ops->blob_set(ctx, d->rows, &k->row, d->bytes.data + d->bytes.off[i],
                                  d->bytes.off[i + 1] - d->bytes.off[i]);
}

/* The present time into the columns of processing time. */
static void
set_now(dedup_op *d, wr_batch *out, uint32_t row)
{
    for (uint32_t c = 0, k = 0; c < out->col_count; c++) {
        if (k < d->col_count && d->cols[k] == c) {
            k++;
            continue;
        }
        wr_vec *v = &out->cols[c];
        if (v->phys == WR_PHYS_TS)
            ((wr_ts *)v->data)[row] = (wr_ts){*d->op.env->now_ms, 0, 0};
        else if (v->phys == WR_PHYS_I64)
            ((int64_t *)v->data)[row] = *d->op.env->now_ms;
    }
}

static wr_status
show_kept(wr_ctx *ctx, dedup_op *d, wr_kind kind, const kept *k)
{
    const uint8_t *p = d->rows->ops->blob_get(d->rows, &k->row);
    if (d->col_count == d->op.node->schema.count)
        return wri_builder_encoded(ctx, &d->out, kind, p, k->row.len);
    uint32_t row;
    WR_TRY(wri_builder_row(ctx, &d->out, kind, &row));
    wr_batch *out = d->out.out;
    wr_vec *cols = wr_arena_alloc(d->scratch, sizeof *cols * (d->col_count + 1));
    WR_TRY_ALLOC(ctx, cols);
    for (uint32_t i = 0; i < d->col_count; i++) cols[i] = out->cols[d->cols[i]];
    WR_TRY(wr_row_decode(ctx, p, k->row.len, cols, d->col_count, row, true, out->arena));
    for (uint32_t i = 0; i < d->col_count; i++) out->cols[d->cols[i]] = cols[i];
    set_now(d, out, row);
    return WR_OK;
}

static wr_status
show_new(wr_ctx *ctx, dedup_op *d, wr_kind kind, uint32_t i)
{
    return wri_builder_copy(ctx, &d->out, kind, d->in, wr_batch_row(d->in, i));
}

static bool
is_same(const dedup_op *d, uint32_t i, const kept *k)
{
    const uint32_t len = d->bytes.off[i + 1] - d->bytes.off[i];
    return len == k->row.len && memcmp(d->bytes.data + d->bytes.off[i],
                                       d->rows->ops->blob_get(d->rows, &k->row), len) == 0;
}

static wr_status
time_of(wr_ctx *ctx, const dedup_op *d, uint32_t i, int64_t *out)
{
    const wr_vec *v = &d->in->cols[d->time_col];
    const wr_view w = wr_vec_view(v);
    const uint32_t row = wr_batch_row(d->in, i);
    if (!wr_view_valid(&w, row))
        return wr_raise(ctx, WR_DATA,
                        "RowTime field should not be null, please convert it to a non-null long "
                        "value.");
    *out = v->phys == WR_PHYS_TS ? WR_VIEW(&w, wr_ts, row).ms : WR_VIEW(&w, int64_t, row);
    return WR_OK;
}

/* ---- the first by rowtime -------------------------------------------------------------------- */
static wri_timer
timer_at(const dedup_op *d, uint32_t i, int64_t time)
{
    wri_timer t = {.time = time, .hash = d->in_keys.hash[i], .space = (const uint8_t *)""};
    t.key = wri_key_at(&d->in_keys, i, &t.key_len);
    return t;
}

static wr_status
take_waiting(wr_ctx *ctx, dedup_op *d, uint32_t i)
{
    int64_t time;
    kept *k = record(d, d->slots[i]);
    WR_TRY(time_of(ctx, d, i, &time));
    if (time < d->watermark) { /* its own time: not yet, as in Flink */
        if (d->op.env->metrics) d->op.env->metrics->late_dropped++;
        return WR_OK;
    }
    if (k->state == KEPT_OUT || (k->state == KEPT_WAITING && time >= k->time)) return WR_OK;
    if (k->state == KEPT_WAITING) {
        const wri_timer old = timer_at(d, i, k->time);
        WR_TRY(wri_timers_delete(ctx, &d->timers, &old));
    }
    k->time = time;
    WR_TRY(keep(ctx, d, i, k));
    const wri_timer t = timer_at(d, i, time);
    return wri_timers_set(ctx, &d->timers, &t);
}

static wr_status
find_timer_key(wr_ctx *ctx, dedup_op *d, const wri_timer *t, uint32_t *slot)
{
    const uint32_t off[2] = {0, t->key_len};
    const bool is_fixed = d->keys.fixed && t->key_len == 8;
    const uint64_t fixed = is_fixed ? wr_load64(t->key) : 0;
    wr_keys key = {.n = 1, .hash = &t->hash, .data = t->key, .off = off};
    if (is_fixed) key = (wr_keys){.n = 1, .hash = &t->hash, .fixed = &fixed};
    return d->rows->ops->resolve(ctx, d->rows, &key, WR_STATE_READ, slot, NULL);
}

/* Rows that the watermark has passed come out, by time. */
static wr_status
let_out(wr_ctx *ctx, dedup_op *d)
{
    wri_timer *due;
    uint32_t n;
    do {
        if (wri_builder_full(&d->out)) {
            d->op.pending = true;
            return WR_OK;
        }
        wr_arena_reset(d->scratch);
        WR_TRY(wri_timers_due(ctx, &d->timers, d->watermark, DUE_AT_ONCE, d->scratch, &due, &n));
        for (uint32_t i = 0; i < n; i++) {
            uint32_t slot;
            WR_TRY(find_timer_key(ctx, d, &due[i], &slot));
            if (slot == WR_SLOT_NONE) continue;
            kept *k = record(d, slot);
            if (k->state != KEPT_WAITING || k->time != due[i].time) continue;
            d->rows->ops->touch(d->rows, slot);
            k = record(d, slot);
            WR_TRY(show_kept(ctx, d, WR_INSERT, k));
            k->state = KEPT_OUT;
            d->rows->ops->blob_free(d->rows, &k->row);
        }
    } while (n == DUE_AT_ONCE);
    return wri_builder_flush(ctx, &d->out);
}

/* ---- rows come in ---------------------------------------------------------------------------- */
static wr_status
take_last(wr_ctx *ctx, dedup_op *d, uint32_t i)
{
    kept *k = record(d, d->slots[i]);
    int64_t time = 0;
    if (d->rowtime) WR_TRY(time_of(ctx, d, i, &time));
    const bool had = k->state != KEPT_NONE, whole = d->before || d->insert;
    if (had && d->rowtime && time < k->time) return WR_OK;
    if (had && !d->rowtime && d->op.node->u.dedup.ttl_ms <= 0 && is_same(d, i, k)) return WR_OK;
    if (had && d->before) WR_TRY(show_kept(ctx, d, WR_UPDATE_BEFORE, k));
    WR_TRY(show_new(ctx, d, had || !whole ? WR_UPDATE_AFTER : WR_INSERT, i));
    k->time = time;
    return keep(ctx, d, i, k);
}

static wr_status
take_row(wr_ctx *ctx, dedup_op *d, uint32_t i)
{
    if (waits(d)) return take_waiting(ctx, d, i);
    return take_last(ctx, d, i);
}

/* The first row of each key. */
static void
pick_first(const dedup_op *d, uint32_t *rows, uint8_t *kinds, uint32_t *n)
{
    for (uint32_t i = 0; i < d->n; i++) {
        kept *k = record(d, d->slots[i]);
        if (k->state == KEPT_OUT) continue;
        k->state = KEPT_OUT;
        rows[*n] = wr_batch_row(d->in, i);
        kinds[(*n)++] = WR_INSERT;
    }
}

/* Every row, where nobody asks which of them is a key's first. */
static void
pick_all(const dedup_op *d, uint32_t *rows, uint8_t *kinds, uint32_t *n)
{
    for (; *n < d->n; ++*n) {
        rows[*n] = wr_batch_row(d->in, *n);
        kinds[*n] = WR_UPDATE_AFTER;
    }
}

/* Which rows of the batch replace their key's, with their kinds. */
static wr_status
pick_last(wr_ctx *ctx, dedup_op *d, uint32_t *rows, uint8_t *kinds, uint32_t *n)
{
    const wr_vec *v = &d->in->cols[d->time_col];
    const wr_view w = wr_vec_view(v);
    for (uint32_t i = 0; i < d->n; i++) {
        const uint32_t row = wr_batch_row(d->in, i);
        int64_t time;
        if (wr_view_valid(&w, row))
            time = v->phys == WR_PHYS_TS ? WR_VIEW(&w, wr_ts, row).ms : WR_VIEW(&w, int64_t, row);
        else
            WR_TRY(time_of(ctx, d, i, &time)); /* says what is wrong */
        kept *k = record(d, d->slots[i]);
        const bool had = k->state != KEPT_NONE;
        if (had && time < k->time) continue;
        rows[*n] = row;
        kinds[(*n)++] = had || !d->insert ? WR_UPDATE_AFTER : WR_INSERT;
        k->time = time;
        k->state = KEPT_WAITING;
    }
    return WR_OK;
}

static wr_status
pass_rows(wr_ctx *ctx, dedup_op *d, wr_batch *out)
{
    uint32_t *rows = wr_arena_alloc(d->scratch, sizeof *rows * (d->n + 1)), n = 0;
    uint8_t *kinds = wr_arena_alloc(out->arena, d->n + 1);
    if (!rows || !kinds || !wr_batch_keep(out, d->in)) return WRI_NOMEM(ctx);
    if (d->first)
        pick_first(d, rows, kinds, &n);
    else if (d->rowtime)
        WR_TRY(pick_last(ctx, d, rows, kinds, &n));
    else
        pick_all(d, rows, kinds, &n);
    const bool all = n == d->in->row_count && !d->in->sel;
    for (uint32_t c = 0; c < out->col_count; c++) {
        if (all)
            out->cols[c] = d->in->cols[c];
        else if (!wr_vec_gather(&out->cols[c], &d->in->cols[c], rows, n, out->arena))
            return WRI_NOMEM(ctx);
    }
    out->row_count = n;
    out->kind = kinds;
    return WR_OK;
}

/* All rows at once: at most as many come out as came in. */
static wr_status
take_batch_on(wr_ctx *ctx, dedup_op *d, wr_emitter *emit)
{
    wr_batch *out = wr_batch_acquire(d->op.env->pool, d->op.node->schema.count);
    WR_TRY_ALLOC(ctx, out);
    const wr_status status = pass_rows(ctx, d, out);
    wr_batch_release(d->in);
    d->in = NULL;
    if (status != WR_OK || out->row_count == 0) {
        wr_batch_release(out);
        return status;
    }
    return wr_emit(ctx, emit, out);
}

static wr_status
take_rows(wr_ctx *ctx, dedup_op *d)
{
    while (d->at < d->n) {
        if (wri_builder_full(&d->out)) {
            d->op.pending = true;
            return WR_OK;
        }
        WR_TRY(take_row(ctx, d, d->at++));
    }
    wr_batch_release(d->in);
    d->in = NULL;
    return wri_builder_flush(ctx, &d->out);
}

static wr_status
prepare(wr_ctx *ctx, dedup_op *d)
{
    wr_arena_reset(d->scratch);
    d->n = wr_batch_live(d->in);
    d->at = 0;
    if (!d->first && !d->rowtime && !d->before && !d->insert) return WR_OK;
    d->slots = wr_arena_alloc(d->scratch, sizeof *d->slots * (d->n + 1));
    WR_TRY_ALLOC(ctx, d->slots);
    WR_TRY(wri_keys_make(ctx, &d->keys, d->in, d->scratch, &d->in_keys));
    WR_TRY(d->rows->ops->resolve(ctx, d->rows, &d->in_keys, WR_STATE_UPSERT, d->slots, NULL));
    if ((d->first && !d->rowtime) || keeps_times(d)) return WR_OK;
    if (!wr_row_encode(d->in, d->cols, d->col_count, d->scratch, &d->bytes)) return WRI_NOMEM(ctx);
    return WR_OK;
}

static wr_status
dedup_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input;
    dedup_op *d = (dedup_op *)op;
    d->in = take_batch;
    wri_builder_begin(&d->out, op, emit, 2 * wr_batch_live(d->in));
    WR_TRY(prepare(ctx, d));
    return passes(d) ? take_batch_on(ctx, d, emit) : take_rows(ctx, d);
}

static wr_status
dedup_resume(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    dedup_op *d = (dedup_op *)op;
    d->out.emit = emit;
    return d->in ? take_rows(ctx, d) : let_out(ctx, d);
}

static wr_status
dedup_watermark(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *emit, int64_t *forward)
{
    dedup_op *d = (dedup_op *)op;
    *forward = watermark;
    d->watermark = watermark;
    if (!waits(d)) return WR_OK;
    wri_builder_begin(&d->out, op, emit, 8);
    return let_out(ctx, d);
}

static wr_status
dedup_restore(wr_ctx *ctx, wr_op *op, const wr_opstate *in)
{
    dedup_op *d = (dedup_op *)op;
    (void)in;
    return waits(d) ? wri_timers_restore(ctx, &d->timers) : WR_OK;
}

static void
dedup_close(wr_op *op)
{
    dedup_op *d = (dedup_op *)op;
    wri_builder_drop(&d->out);
    wr_batch_release(d->in);
    d->in = NULL;
    wri_timers_close(&d->timers);
    wr_arena_destroy(d->scratch);
}

const wr_op_ops wri_dedup_ops = {
    .abi = WR_ABI,
    .name = "Deduplicate",
    .size_bytes = sizeof(dedup_op),
    .open = dedup_open,
    .on_batch = dedup_batch,
    .on_resume = dedup_resume,
    .on_watermark = dedup_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = wr_op_no_end,
    .close = dedup_close,
    .snapshot = wr_op_no_snapshot,
    .restore = dedup_restore,
    .committed = wr_op_no_committed,
};
