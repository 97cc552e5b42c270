/* SPDX-License-Identifier: Apache-2.0 */
/* OVER_AGG, streaming, ordered by a column that is no time: the frame reaches from the partition's
 * first row to the current one, and rows that come or go in the middle correct those behind them.
 *
 * Rows lie in ordered state, by the order column and then by arrival. The accumulators hold all
 * rows of the partition: a row that comes last is added to them, and nobody is corrected (but its
 * peers, with RANGE). Any other change adds the partition's rows up twice, a call at a time: as
 * they were and as they are now; rows whose results differ are corrected, from the first to the
 * last.
 *
 * What comes out, as Flink has it: for a new row its peers' corrections, the row itself (of the
 * kind that it came with), then the rows behind it; for a row that goes -D (also for -U), then the
 * others. A row that goes and is not there is nothing. */
#include "op/over_int.h"

typedef struct over_value_op {
    wr_op op;
    wri_over_calls calls;
    wr_state_table *rows;
    wr_sort_key key;
    uint32_t *all_cols, *key_col;
    wr_arena *scratch, *keep;
    wri_builder out;
    wr_batch *in; /* being worked off; NULL: none */
    uint32_t at;
    wr_keys keys;
    wr_bytes encoded, sort;
    bool by_rows;
} over_value_op;

typedef struct kept { /* record of a row */
    wr_blob row;
} kept;
#define SEQ_BYTES 8u

/* ---- opening --------------------------------------------------------------------------------- */
static wr_status
over_value_open(wr_ctx *ctx, wr_op *op)
{
    over_value_op *o = (over_value_op *)op;
    const wr_over_window *w = &op->node->u.over->windows[0];
    const uint32_t width = op->node->inputs[0]->schema.count;
    o->by_rows = w->rows;
    o->key = (wr_sort_key){w->order[0].col, w->order[0].desc, w->order[0].nulls_last, true};
    o->scratch = wr_arena_create(op->env->budget, 0);
    o->keep = wr_arena_create(op->env->budget, 0);
    o->all_cols = wri_iota(op->env->arena, width);
    o->key_col = WR_NEW_N(op->env->arena, uint32_t, 1);
    if (!o->scratch || !o->keep || !o->all_cols || !o->key_col) return WRI_NOMEM(ctx);
    o->key_col[0] = o->key.col;
    WR_TRY(wri_over_calls_open(ctx, op, w, false, true, 0, &o->calls));
    wri_keyspec sort;
    WR_TRY(wri_keyspec_init(ctx, op, op->node->inputs[0], o->key_col, 1, &sort));
    wr_schema *key = WR_NEW(op->env->arena, wr_schema);
    WR_TRY_ALLOC(ctx, key);
    *key = sort.schema;
    wr_state_part part[] = {WRI_PART(kept, row, WR_PART_ROW)};
    WR_TRY(wri_row_schema(ctx, op, op->node->inputs[0], &part[0].schema));
    wr_state_desc desc = {.shape = WR_STATE_ORDERED,
                          .key = key,
                          .record_bytes = sizeof(kept),
                          .parent = o->calls.aggs.groups,
                          .part_count = 1};
    desc.parts = wri_parts_copy(op, part, 1);
    WR_TRY_ALLOC(ctx, desc.parts);
    return wri_table_open(ctx, op, "rows", &desc, &o->rows);
}

static void
over_value_close(wr_op *op)
{
    over_value_op *o = (over_value_op *)op;
    wri_builder_drop(&o->out);
    wr_batch_release(o->in);
    wr_arena_destroy(o->scratch);
    wr_arena_destroy(o->keep);
}

/* ---- a partition in columns ------------------------------------------------------------------ */
typedef struct part {
    wr_batch *rows; /* input columns */
    uint32_t n;
    uint32_t *last;   /* RANGE: the last of a row's peers */
    uint32_t changed; /* the row that came or goes; UINT32_MAX: it was not found */
} part;

typedef struct change {
    uint32_t slot;
    wr_kind kind;
    const uint8_t *sort, *row; /* its sort key and its encoding */
    uint32_t sort_len, row_len;
} change;

static bool
same_key(const wr_state_iter *it, const uint8_t *key, uint32_t len)
{
    return it->key_len == len + SEQ_BYTES && memcmp(it->key, key, len) == 0;
}

/* All rows of the partition, decoded; those of one sort key are peers. */
static wr_status
read_part(wr_ctx *ctx, over_value_op *o, uint32_t slot, part *p)
{
    const wr_state_ops *ops = o->rows->ops;
    const wr_schema *s = &o->op.node->inputs[0]->schema;
    wr_state_iter it;
    const uint32_t n = ops->ord_count(o->rows, slot);
    *p = (part){.n = n, .changed = UINT32_MAX};
    p->rows = WR_NEW(o->scratch, wr_batch);
    p->last = wr_arena_alloc(o->scratch, sizeof *p->last * (n + 1));
    WR_TRY_ALLOC(ctx, p->rows);
    WR_TRY_ALLOC(ctx, p->last);
    *p->rows = (wr_batch){.col_count = s->count, .row_count = n, .arena = o->scratch};
    p->rows->cols = wr_arena_zalloc(o->scratch, sizeof *p->rows->cols * (s->count + 1));
    WR_TRY_ALLOC(ctx, p->rows->cols);
    for (uint32_t c = 0; c < s->count; c++)
        if (!wr_vec_init_flat(&p->rows->cols[c], s->fields[c].type, n + 1, o->scratch))
            return WRI_NOMEM(ctx);
    uint32_t i = 0, first = 0;
    uint8_t *key = NULL;
    uint32_t len = 0;
    for (bool on = ops->ord_seek(o->rows, slot, NULL, 0, &it); on && i < n;
         on = ops->ord_next(&it), i++) {
        const kept *k = (const kept *)(const void *)it.rec;
        WR_TRY(wr_row_decode(ctx, ops->blob_get(o->rows, &k->row), k->row.len, p->rows->cols,
                             s->count, i, true, o->scratch));
        if (key && same_key(&it, key, len)) continue;
        for (; first < i; first++) p->last[first] = i - 1;
        len = it.key_len - SEQ_BYTES;
        key = wr_arena_alloc(o->scratch, len + 1);
        WR_TRY_ALLOC(ctx, key);
        memcpy(key, it.key, len);
    }
    for (; first < n; first++) p->last[first] = n - 1;
    return WR_OK;
}

/* Results of all rows but `without`, added up from the beginning; result i is at at[i]. */
static wr_status
add_up(wr_ctx *ctx, over_value_op *o, const part *p, uint32_t slot, uint32_t without,
       wr_vec *results)
{
    const uint32_t calls = o->calls.aggs.agg_count;
    uint32_t *rows = wr_arena_alloc(o->scratch, sizeof *rows * (p->n + 1)), n = 0;
    uint32_t *slots = wr_arena_alloc(o->scratch, sizeof *slots * (p->n + 1));
    uint32_t *at = wr_arena_alloc(o->scratch, sizeof *at * (p->n + 1));
    wr_vec *before = wr_arena_zalloc(o->scratch, sizeof *before * (calls + 1));
    wr_vec *after = wr_arena_zalloc(o->scratch, sizeof *after * (calls + 1));
    if (!rows || !slots || !at || !before || !after) return WRI_NOMEM(ctx);
    WR_TRY(wri_aggs_restart(ctx, &o->calls.aggs, &slot, 1, o->scratch));
    for (uint32_t i = 0; i < p->n; i++) {
        at[i] = n ? n - 1 : 0;
        if (i == without) continue;
        at[i] = n;
        slots[n] = slot;
        rows[n++] = i;
    }
    if (!o->by_rows) /* the result of the last peer; that one may be the row left out */
        for (uint32_t i = p->n; i-- > 0;)
            if (p->last[i] != i) at[i] = at[p->last[i]];
    wr_batch *view = wri_over_view(&o->calls, p->rows, o->scratch);
    WR_TRY_ALLOC(ctx, view);
    const wri_agg_rows r = {.batch = view, .rows = rows, .slots = slots, .n = n};
    WR_TRY(wri_aggs_update(ctx, &o->calls.aggs, &r, o->scratch, o->scratch, before, after));
    for (uint32_t c = 0; c < calls; c++) {
        if (n == 0 &&
            !wr_vec_init_flat(&after[c], o->calls.aggs.aggs[c].bound->type, 1, o->scratch))
            return WRI_NOMEM(ctx);
        if (!wr_vec_gather(&results[c], &after[c], at, p->n, o->scratch)) return WRI_NOMEM(ctx);
    }
    return WR_OK;
}

/* ---- the changelog --------------------------------------------------------------------------- */
static wr_status
put(wr_ctx *ctx, over_value_op *o, wr_kind kind, const part *p, const wr_vec *results, uint32_t row)
{
    uint32_t to;
    const uint32_t width = o->calls.width;
    WR_TRY(wri_builder_row(ctx, &o->out, kind, &to));
    wr_batch *out = o->out.out;
    for (uint32_t c = 0; c < width; c++)
        if (!wr_vec_copy_entry(&out->cols[c], to, &p->rows->cols[c], row, out->arena))
            return WRI_NOMEM(ctx);
    for (uint32_t c = 0; c < o->calls.aggs.agg_count; c++)
        if (!wr_vec_copy_entry(&out->cols[width + c], to, &results[c], row, out->arena))
            return WRI_NOMEM(ctx);
    return WR_OK;
}

static wr_status
correct(wr_ctx *ctx, over_value_op *o, const part *p, const wr_vec *was, const wr_vec *is,
        uint32_t row)
{
    if (o->op.node->u.over->generate_update_before)
        WR_TRY(put(ctx, o, WR_UPDATE_BEFORE, p, was, row));
    return put(ctx, o, WR_UPDATE_AFTER, p, is, row);
}

/* The rows behind the one that changed, and with RANGE its peers. */
static wr_status
emit_changes(wr_ctx *ctx, over_value_op *o, const part *p, const change *c, const wr_vec *was,
             const wr_vec *is)
{
    const bool gone = c->kind == WR_UPDATE_BEFORE || c->kind == WR_DELETE;
    uint8_t *changed = wr_arena_zalloc(o->scratch, p->n + 1);
    WR_TRY_ALLOC(ctx, changed);
    for (uint32_t k = 0; k < o->calls.aggs.agg_count; k++)
        wri_vec_mark_changed(&was[k], &is[k], p->n, changed);
    for (uint32_t i = 0; i < p->n; i++) {
        if (i == p->changed) {
            WR_TRY(put(ctx, o, gone ? WR_DELETE : c->kind, p, gone ? was : is, i));
        } else if (changed[i]) {
            WR_TRY(correct(ctx, o, p, was, is, i));
        }
    }
    return WR_OK;
}

/* ---- changes --------------------------------------------------------------------------------- */
static wr_status
insert_row(wr_ctx *ctx, over_value_op *o, const change *c, wri_over_head *h, bool *at_end)
{
    const wr_state_ops *ops = o->rows->ops;
    const uint32_t len = c->sort_len + SEQ_BYTES;
    wr_state_iter it;
    uint8_t *key = wr_arena_alloc(o->scratch, len), *rec;
    WR_TRY_ALLOC(ctx, key);
    memcpy(key, c->sort, c->sort_len);
    wr_store64(key + c->sort_len, __builtin_bswap64(h->next_seq++));
    *at_end = true;
    if (ops->ord_seek_last(o->rows, c->slot, NULL, 0, &it)) {
        const uint32_t last = it.key_len - SEQ_BYTES, common = WR_MIN(last, c->sort_len);
        const int order = memcmp(it.key, c->sort, common);
        *at_end = order < 0 ||
                  (order == 0 && (last < c->sort_len || (o->by_rows && last == c->sort_len)));
    }
    WR_TRY(ops->ord_put(ctx, o->rows, c->slot, key, len, &rec, NULL));
    return ops->blob_set(ctx, o->rows, &((kept *)(void *)rec)->row, c->row, c->row_len);
}

/* The number of the first row with this sort key that equals it, and its key in state. */
static wr_status
find_row(wr_ctx *ctx, over_value_op *o, const change *c, uint8_t **key, uint32_t *len)
{
    const wr_state_ops *ops = o->rows->ops;
    wr_state_iter it;
    *key = NULL;
    for (bool on = ops->ord_seek(o->rows, c->slot, c->sort, c->sort_len, &it);
         on && same_key(&it, c->sort, c->sort_len); on = ops->ord_next(&it)) {
        const kept *k = (const kept *)(const void *)it.rec;
        if (k->row.len != c->row_len ||
            memcmp(ops->blob_get(o->rows, &k->row), c->row, c->row_len) != 0)
            continue;
        *key = wr_arena_alloc(o->scratch, it.key_len);
        WR_TRY_ALLOC(ctx, *key);
        memcpy(*key, it.key, it.key_len);
        *len = it.key_len;
        return WR_OK;
    }
    return WR_OK;
}

/* Which row of the partition has this key in state. */
static uint32_t
place_of(over_value_op *o, uint32_t slot, const uint8_t *key, uint32_t len)
{
    const wr_state_ops *ops = o->rows->ops;
    wr_state_iter it;
    uint32_t i = 0;
    for (bool on = ops->ord_seek(o->rows, slot, NULL, 0, &it); on; on = ops->ord_next(&it), i++)
        if (it.key_len == len && memcmp(it.key, key, len) == 0) return i;
    return UINT32_MAX;
}

/* The row is the last one: its result is that of all rows. */
static wr_status
append_last(wr_ctx *ctx, over_value_op *o, const change *c, uint32_t row)
{
    const uint32_t calls = o->calls.aggs.agg_count;
    wr_batch *view = wri_over_view(&o->calls, o->in, o->scratch);
    wr_vec *before = wr_arena_zalloc(o->scratch, sizeof *before * (calls + 1));
    wr_vec *after = wr_arena_zalloc(o->scratch, sizeof *after * (calls + 1));
    if (!view || !before || !after) return WRI_NOMEM(ctx);
    const wri_agg_rows r = {.batch = view, .rows = &row, .slots = &c->slot, .n = 1};
    uint32_t to;
    WR_TRY(wri_aggs_update(ctx, &o->calls.aggs, &r, o->scratch, o->scratch, before, after));
    WR_TRY(wri_builder_row(ctx, &o->out, c->kind, &to));
    wr_batch *out = o->out.out;
    for (uint32_t k = 0; k < o->calls.width; k++)
        if (!wr_vec_copy_entry(&out->cols[k], to, &o->in->cols[k], row, out->arena))
            return WRI_NOMEM(ctx);
    for (uint32_t k = 0; k < calls; k++)
        if (!wr_vec_copy_entry(&out->cols[o->calls.width + k], to, &after[k], 0, out->arena))
            return WRI_NOMEM(ctx);
    return WR_OK;
}

static wr_status
change_middle(wr_ctx *ctx, over_value_op *o, const change *c, const uint8_t *key, uint32_t len)
{
    const bool gone = c->kind == WR_UPDATE_BEFORE || c->kind == WR_DELETE;
    const uint32_t calls = o->calls.aggs.agg_count;
    part p;
    wr_vec *with = wr_arena_zalloc(o->scratch, sizeof *with * (calls + 1));
    wr_vec *without = wr_arena_zalloc(o->scratch, sizeof *without * (calls + 1));
    WR_TRY_ALLOC(ctx, with);
    WR_TRY_ALLOC(ctx, without);
    WR_TRY(read_part(ctx, o, c->slot, &p));
    p.changed = place_of(o, c->slot, key, len);
    WR_ASSERT(p.changed < p.n);
    /* Last what remains: the accumulators hold it afterwards. */
    WR_TRY(add_up(ctx, o, &p, c->slot, gone ? UINT32_MAX : p.changed, gone ? with : without));
    WR_TRY(add_up(ctx, o, &p, c->slot, gone ? p.changed : UINT32_MAX, gone ? without : with));
    WR_TRY(emit_changes(ctx, o, &p, c, gone ? with : without, gone ? without : with));
    if (!gone) return WR_OK;
    o->rows->ops->ord_remove(o->rows, c->slot, key, len);
    if (p.n > 1) return WR_OK;
    WR_TRY(wri_aggs_restart(ctx, &o->calls.aggs, &c->slot, 1, o->scratch));
    o->calls.aggs.groups->ops->remove(o->calls.aggs.groups, c->slot);
    return WR_OK;
}

static wr_status
take_row(wr_ctx *ctx, over_value_op *o, uint32_t row)
{
    wr_state_table *groups = o->calls.aggs.groups;
    change c = {.kind = wr_batch_kind(o->in, row),
                .sort = o->sort.data + o->sort.off[row],
                .sort_len = o->sort.off[row + 1] - o->sort.off[row],
                .row = o->encoded.data + o->encoded.off[row],
                .row_len = o->encoded.off[row + 1] - o->encoded.off[row]};
    const bool gone = c.kind == WR_UPDATE_BEFORE || c.kind == WR_DELETE;
    wr_arena_reset(o->scratch);
    const wr_keys key = wri_keys_one(&o->keys, row);
    WR_TRY(groups->ops->resolve(ctx, groups, &key, gone ? WR_STATE_READ : WR_STATE_UPSERT, &c.slot,
                                NULL));
    if (c.slot == WR_SLOT_NONE) return WR_OK;
    groups->ops->touch(groups, c.slot);
    uint8_t *at = NULL;
    uint32_t len = 0;
    if (!gone) {
        bool at_end;
        wri_over_head *h = (wri_over_head *)(void *)wr_state_rec(groups, c.slot);
        const uint64_t seq = h->next_seq;
        WR_TRY(insert_row(ctx, o, &c, h, &at_end));
        if (at_end) return append_last(ctx, o, &c, row);
        len = c.sort_len + SEQ_BYTES;
        at = wr_arena_alloc(o->scratch, len);
        WR_TRY_ALLOC(ctx, at);
        memcpy(at, c.sort, c.sort_len);
        wr_store64(at + c.sort_len, __builtin_bswap64(seq));
    } else {
        WR_TRY(find_row(ctx, o, &c, &at, &len));
        if (!at) return WR_OK;
    }
    return change_middle(ctx, o, &c, at, len);
}

/* ---- batches --------------------------------------------------------------------------------- */
static wr_status
go_on(wr_ctx *ctx, over_value_op *o)
{
    for (; o->in && o->at < o->in->row_count; o->at++) {
        if (wri_builder_full(&o->out)) {
            o->op.pending = true;
            return WR_OK;
        }
        WR_TRY(take_row(ctx, o, o->at));
    }
    wr_batch_release(o->in);
    o->in = NULL;
    return wri_builder_flush(ctx, &o->out);
}

static wr_status
over_value_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    over_value_op *o = (over_value_op *)op;
    (void)input;
    WR_TRY(wri_batch_dense(ctx, op, take_batch, &o->in));
    o->at = 0;
    wr_arena_reset(o->keep);
    wri_builder_begin(&o->out, op, emit, o->in->row_count);
    WR_TRY(wri_keys_make(ctx, &o->calls.aggs.keys, o->in, o->keep, &o->keys));
    if (!wr_row_encode(o->in, o->all_cols, o->calls.width, o->keep, &o->encoded) ||
        !wr_sortkey_encode(o->in, &o->key, 1, o->keep, &o->sort))
        return WRI_NOMEM(ctx);
    return go_on(ctx, o);
}

static wr_status
over_value_resume(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    over_value_op *o = (over_value_op *)op;
    o->out.emit = emit;
    return go_on(ctx, o);
}

const wr_op_ops wri_over_value_ops = {
    .abi = WR_ABI,
    .name = "OverAggregate",
    .size_bytes = sizeof(over_value_op),
    .open = over_value_open,
    .on_batch = over_value_batch,
    .on_resume = over_value_resume,
    .on_watermark = wr_op_pass_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = wr_op_no_end,
    .close = over_value_close,
    .snapshot = wr_op_no_snapshot,
    .restore = wr_op_no_restore,
    .committed = wr_op_no_committed,
};
