/* SPDX-License-Identifier: Apache-2.0 */
/* INTERVAL_JOIN: inner, left, right and full, of event and of processing time.
 *
 * As in the regular join (join.c) the pairs of many input rows are collected, the rest of the
 * condition is tested on all of them at once, the changes are listed row by row, and at last the
 * rows enter their own side's state. A range of rows ends early where expired rows of the other
 * side come out padded or meet a late row for the last time: they go before the next row.
 *
 * Rows that meet nothing come out padded when they expire. Watermarks are held back by as much as
 * a result may be older than the watermark that let it out. */
#include "op/interval_join_int.h"

#define TIMERS_AT_ONCE 1024u

static wr_status
interval_open(wr_ctx *ctx, wr_op *op)
{
    wri_interval_op *j = (wri_interval_op *)op;
    const wr_pnode *node = op->node;
    const uint8_t type = node->u.join.type;
    j->spec = node->u.join.interval;
    j->watermark = INT64_MIN;
    j->side[0].reach = -j->spec->lower_ms;
    j->side[1].reach = j->spec->upper_ms;
    j->side[0].time_col = j->spec->left_time;
    j->side[1].time_col = j->spec->right_time;
    j->side[0].outer = type == WR_JOIN_LEFT || type == WR_JOIN_FULL;
    j->side[1].outer = type == WR_JOIN_RIGHT || type == WR_JOIN_FULL;
    j->never = j->spec->lower_ms > j->spec->upper_ms;
    if (op->env->config)
        j->slack = wr_config_int(op->env->config, "table.exec.interval-join.min-cleanup-interval");
    j->scratch = wr_arena_create(op->env->budget, 0);
    j->range = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, j->scratch);
    WR_TRY_ALLOC(ctx, j->range);
    WR_TRY(wri_op_compile_cond(ctx, op, node->u.join.cond, &j->cond));
    return wri_interval_state_open(ctx, j);
}

/* ---- the condition --------------------------------------------------------------------------- */
/* Columns of one side of pairs which[0..n). */
static wr_status
pair_columns(wr_ctx *ctx, wri_interval_op *j, uint32_t side, const uint32_t *which, uint32_t n,
             wr_vec *vecs, wr_arena *arena)
{
    const wr_schema *schema = j->side[side].schema;
    if (side == j->from) {
        uint32_t *rows = wr_arena_alloc(arena, sizeof *rows * (n + 1));
        WR_TRY_ALLOC(ctx, rows);
        for (uint32_t i = 0; i < n; i++) rows[i] = wr_batch_row(j->in, j->pairs[which[i]].row);
        for (uint32_t c = 0; c < schema->count; c++)
            if (!wr_vec_gather(&vecs[c], &j->in->cols[c], rows, n, arena)) return WRI_NOMEM(ctx);
        return WR_OK;
    }
    for (uint32_t c = 0; c < schema->count; c++)
        if (!wr_vec_init_flat(&vecs[c], schema->fields[c].type, n, arena)) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) {
        const wri_interval_pair *p = &j->pairs[which[i]];
        WR_TRY(wr_row_decode(ctx, p->bytes, p->len, vecs, schema->count, i, false, arena));
    }
    return WR_OK;
}

static wr_status
test_some(wr_ctx *ctx, wri_interval_op *j, const uint32_t *which, uint32_t n, wr_batch *b)
{
    const uint32_t left = j->side[0].schema->count;
    WR_TRY(pair_columns(ctx, j, 0, which, n, b->cols, b->arena));
    WR_TRY(pair_columns(ctx, j, 1, which, n, b->cols + left, b->arena));
    b->row_count = n;
    uint32_t *sel = wr_arena_alloc(b->arena, sizeof *sel * (n + 1)), count;
    WR_TRY_ALLOC(ctx, sel);
    WR_TRY(wr_program_filter(ctx, j->cond, b, NULL, n, b->arena, sel, &count));
    for (uint32_t i = 0; i < n; i++) j->pairs[which[i]].passes = false;
    for (uint32_t i = 0; i < count; i++) j->pairs[which[sel[i]]].passes = true;
    return WR_OK;
}

static wr_status
test_pairs(wr_ctx *ctx, wri_interval_op *j)
{
    uint32_t *which = wr_arena_alloc(j->range, sizeof *which * (j->pair_count + 1)), count = 0;
    WR_TRY_ALLOC(ctx, which);
    for (uint32_t i = 0; i < j->pair_count; i++)
        if (j->pairs[i].passes) which[count++] = i;
    for (uint32_t at = 0; at < count; at += WR_BATCH_ROWS) {
        wr_batch *b =
            wr_batch_acquire(j->op.env->pool, j->side[0].schema->count + j->side[1].schema->count);
        WR_TRY_ALLOC(ctx, b);
        const wr_status status =
            test_some(ctx, j, which + at, WR_MIN(count - at, WR_BATCH_ROWS), b);
        wr_batch_release(b);
        WR_TRY(status);
    }
    return WR_OK;
}

/* ---- listing changes ------------------------------------------------------------------------- */
static void
add_change(wri_interval_op *j, uint32_t row, uint32_t pair)
{
    WR_ASSERT(j->change_count < j->change_cap);
    j->changes[j->change_count++] = (wri_interval_change){row, pair};
}

/* Pairs from..to are those of row i. */
static void
list_row(wri_interval_op *j, uint32_t i, uint32_t from, uint32_t to)
{
    const wri_interval_side *mine = &j->side[j->from], *other = &j->side[1 - j->from];
    for (uint32_t k = from; k < to; k++) {
        const wri_interval_pair *p = &j->pairs[k];
        if (p->passes) {
            add_change(j, i, k);
            j->matched[i] = 1;
            if (other->outer && !p->rec->matched) {
                other->rows->ops->rec_touch(other->rows, (uint8_t *)p->rec);
                p->rec->matched = 1;
            }
        }
        if (p->expires && !p->rec->matched) add_change(j, WRI_NO_ROW, k);
    }
    if (j->kept[i]) return;
    if (!j->matched[i] && mine->outer) add_change(j, i, WRI_NO_ROW);
    if (!j->matched[i] && !j->never && j->op.env->metrics) j->op.env->metrics->late_dropped++;
}

static wr_status
list_changes(wr_ctx *ctx, wri_interval_op *j)
{
    uint32_t end, pair = 0;
    wr_arena_reset(j->range);
    WR_TRY(wri_interval_pairs(ctx, j, &end));
    if (j->cond) WR_TRY(test_pairs(ctx, j));
    j->change_count = j->change_at = 0;
    j->change_cap = 2 * j->pair_count + (end - j->at);
    j->changes = wr_arena_alloc(j->range, sizeof *j->changes * (j->change_cap + 1));
    WR_TRY_ALLOC(ctx, j->changes);
    for (; j->at < end; j->at++) {
        const uint32_t from = pair;
        while (pair < j->pair_count && j->pairs[pair].row == j->at) pair++;
        list_row(j, j->at, from, pair);
    }
    return WR_OK;
}

/* ---- output ---------------------------------------------------------------------------------- */
static wr_status
own_columns(wr_ctx *ctx, wri_interval_op *j, const wri_interval_change *ch, uint32_t n,
            wr_vec *vecs, wr_arena *arena)
{
    const wr_schema *schema = j->side[j->from].schema;
    uint32_t *rows = wr_arena_alloc(arena, sizeof *rows * (n + 1));
    WR_TRY_ALLOC(ctx, rows);
    for (uint32_t i = 0; i < n; i++)
        rows[i] = ch[i].row == WRI_NO_ROW ? WRI_NO_ROW : wr_batch_row(j->in, ch[i].row);
    for (uint32_t c = 0; c < schema->count; c++)
        if (!wr_vec_init_flat(&vecs[c], schema->fields[c].type, n, arena) ||
            !wri_vec_gather_or_null(&vecs[c], &j->in->cols[c], rows, n, arena))
            return WRI_NOMEM(ctx);
    return WR_OK;
}

static wr_status
other_columns(wr_ctx *ctx, wri_interval_op *j, const wri_interval_change *ch, uint32_t n,
              wr_vec *vecs, wr_arena *arena)
{
    const wr_schema *schema = j->side[1 - j->from].schema;
    for (uint32_t c = 0; c < schema->count; c++)
        if (!wr_vec_init_flat(&vecs[c], schema->fields[c].type, n, arena)) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) {
        if (ch[i].pair != WRI_NO_ROW) {
            const wri_interval_pair *p = &j->pairs[ch[i].pair];
            WR_TRY(wr_row_decode(ctx, p->bytes, p->len, vecs, schema->count, i, true, arena));
            continue;
        }
        for (uint32_t c = 0; c < schema->count; c++)
            if (!wr_vec_set_null(&vecs[c], i, arena)) return WRI_NOMEM(ctx);
    }
    return WR_OK;
}

static wr_status
fill(wr_ctx *ctx, wri_interval_op *j, const wri_interval_change *ch, uint32_t n, wr_batch *out)
{
    const uint32_t left = j->side[0].schema->count;
    wr_vec *mine = j->from ? out->cols + left : out->cols;
    wr_vec *other = j->from ? out->cols : out->cols + left;
    WR_TRY(own_columns(ctx, j, ch, n, mine, out->arena));
    WR_TRY(other_columns(ctx, j, ch, n, other, out->arena));
    out->row_count = n;
    return wr_batch_keep(out, j->in) ? WR_OK : WRI_NOMEM(ctx);
}

static wr_status
let_out(wr_ctx *ctx, wri_interval_op *j, wr_emitter *emit)
{
    while (j->change_at < j->change_count) {
        if (wr_emit_full(emit)) {
            j->op.pending = true;
            return WR_OK;
        }
        const uint32_t n = WR_MIN(j->change_count - j->change_at, WR_BATCH_ROWS);
        wr_batch *out = wr_batch_acquire(j->op.env->pool, j->op.node->schema.count);
        WR_TRY_ALLOC(ctx, out);
        const wr_status status = fill(ctx, j, j->changes + j->change_at, n, out);
        if (status != WR_OK) {
            wr_batch_release(out);
            return status;
        }
        j->change_at += n;
        WR_TRY(wr_emit(ctx, emit, out));
    }
    return WR_OK;
}

static wr_status
go_on(wr_ctx *ctx, wri_interval_op *j, wr_emitter *emit)
{
    for (;;) {
        WR_TRY(let_out(ctx, j, emit));
        if (j->op.pending) return WR_OK;
        wri_interval_sweep(j);
        if (j->at == j->n) break;
        WR_TRY(list_changes(ctx, j));
    }
    WR_TRY(wri_interval_remember(ctx, j));
    wr_batch_release(j->in);
    j->in = NULL;
    return WR_OK;
}

static wr_status
interval_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    wri_interval_op *j = (wri_interval_op *)op;
    j->in = take_batch;
    j->from = input;
    j->change_at = j->change_count = 0;
    j->sweep_slot = WR_SLOT_NONE;
    WR_TRY(wri_interval_prepare(ctx, j));
    return go_on(ctx, j, emit);
}

/* ---- time ------------------------------------------------------------------------------------ */
static wr_status
pad_leaving(wr_ctx *ctx, wri_interval_op *j, uint32_t side, const wri_interval_row *r, bool *stop)
{
    const uint32_t left = j->side[0].schema->count, right = j->side[1].schema->count;
    const wr_state_table *t = j->side[side].rows;
    uint32_t row;
    if (wri_builder_full(&j->out)) {
        *stop = true;
        return WR_OK;
    }
    WR_TRY(wri_builder_row(ctx, &j->out, WR_INSERT, &row));
    wr_batch *b = j->out.out;
    wr_vec *nulls = side ? b->cols : b->cols + left;
    for (uint32_t c = 0; c < (side ? left : right); c++)
        if (!wr_vec_set_null(&nulls[c], row, b->arena)) return WRI_NOMEM(ctx);
    WR_TRY(wr_row_decode(ctx, t->ops->blob_get(t, &r->row), r->row.len,
                         side ? b->cols + left : b->cols, side ? right : left, row, true,
                         b->arena));
    return b->row_count == j->out.cap ? wri_builder_flush(ctx, &j->out) : WR_OK;
}

/* *stop: the output is full, once more with the same timer. */
static wr_status
fire(wr_ctx *ctx, wri_interval_op *j, const wri_timer *t, bool *stop)
{
    const uint32_t off[2] = {0, t->key_len};
    wr_keys one = {.n = 1, .hash = &t->hash, .data = t->key, .off = off};
    uint64_t fixed = 0;
    uint32_t slot;
    if (j->side[0].key.fixed && t->key_len == 8) {
        memcpy(&fixed, t->key, sizeof fixed);
        one.fixed = &fixed;
    }
    WR_TRY(j->keys->ops->resolve(ctx, j->keys, &one, WR_STATE_READ, &slot, NULL));
    if (slot == WR_SLOT_NONE) return WR_OK;
    for (uint32_t side = 2; side-- > 0;) {
        const wri_interval_key *k = (const wri_interval_key *)(void *)wr_state_rec(j->keys, slot);
        if (!k->has_timer[side] || k->timer[side] != t->time) continue;
        WR_TRY(wri_interval_expire(ctx, j, side, slot, t, pad_leaving, stop));
        if (*stop) return WR_OK;
    }
    wri_interval_drop_empty(j, slot);
    return WR_OK;
}

static wr_status
fire_due(wr_ctx *ctx, wri_interval_op *j)
{
    bool stop = false;
    for (;;) {
        if (j->due_at == j->due_count) {
            j->due_at = 0;
            wr_arena_reset(j->scratch);
            WR_TRY(wri_timers_due(ctx, &j->timers, j->due_until, TIMERS_AT_ONCE, j->scratch,
                                  &j->due, &j->due_count));
            if (j->due_count == 0) break;
        }
        WR_TRY(fire(ctx, j, &j->due[j->due_at], &stop));
        if (stop) {
            j->op.pending = true;
            return WR_OK;
        }
        j->due_at++;
    }
    j->firing = false;
    return wri_builder_flush(ctx, &j->out);
}

static wr_status
begin_firing(wr_ctx *ctx, wri_interval_op *j, int64_t until, wr_emitter *emit)
{
    j->firing = true;
    j->due_until = until;
    j->due_at = j->due_count = 0;
    wri_builder_begin(&j->out, &j->op, emit, WR_BATCH_ROWS);
    return fire_due(ctx, j);
}

/* How much older than the watermark a result can be. A row that comes out padded was kept until the
 * watermark had passed its last moment: Flink forgets that moment, and the row is late. */
static int64_t
lag(const wri_interval_op *j)
{
    const int64_t reach = WR_MAX(j->side[0].reach, j->side[1].reach);
    const bool pads = j->side[0].outer || j->side[1].outer;
    return pads ? wri_time_add(reach, wri_time_add(j->slack, 1)) : reach;
}

static wr_status
interval_watermark(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *emit, int64_t *forward)
{
    wri_interval_op *j = (wri_interval_op *)op;
    j->watermark = watermark;
    *forward = watermark;
    if (!j->spec->rowtime || j->never) return WR_OK;
    if (watermark != INT64_MAX) *forward = wri_time_add(watermark, -lag(j));
    return begin_firing(ctx, j, watermark, emit);
}

static wr_status
interval_timer(wr_ctx *ctx, wr_op *op, int64_t time_ms, wr_emitter *emit)
{
    (void)time_ms;
    wri_interval_op *j = (wri_interval_op *)op;
    if (j->spec->rowtime) return WR_OK;
    return begin_firing(ctx, j, *op->env->now_ms, emit);
}

static wr_status
interval_resume(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    wri_interval_op *j = (wri_interval_op *)op;
    return j->firing ? fire_due(ctx, j) : go_on(ctx, j, emit);
}

/* ---- life ------------------------------------------------------------------------------------ */
static const char *const numbers[] = {"watermark", "left expired", "right expired"};

static int64_t *
number(wri_interval_op *j, uint32_t i)
{
    return i == 0 ? &j->watermark : &j->side[i - 1].expired;
}

static wr_status
interval_snapshot(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)checkpoint_id;
    for (uint32_t i = 0; i < WR_COUNT(numbers); i++)
        WR_TRY(wri_number_keep(ctx, out, numbers[i], WR_OPSTATE_UNION,
                               *number((wri_interval_op *)op, i)));
    return WR_OK;
}

/* One for each former subtask: at the same parallelism everybody's own, else the lowest. */
static wr_status
restore_number(wr_ctx *ctx, wr_op *op, const wr_opstate_list *list, int64_t *out)
{
    if (!list || list->items.count == 0) return WR_OK;
    *out = INT64_MAX;
    for (uint32_t i = 0; i < list->items.count; i++) {
        int64_t kept;
        if (list->items.count == op->env->parallelism && i != op->env->subtask) continue;
        WR_TRY(wri_number_item(ctx, list, i, &kept));
        *out = WR_MIN(*out, kept);
    }
    return WR_OK;
}

static wr_status
interval_restore(wr_ctx *ctx, wr_op *op, const wr_opstate *in)
{
    wri_interval_op *j = (wri_interval_op *)op;
    for (uint32_t i = 0; i < WR_COUNT(numbers); i++)
        WR_TRY(restore_number(ctx, op, wr_opstate_find(in, numbers[i]), number(j, i)));
    return wri_timers_restore(ctx, &j->timers);
}

static void
interval_close(wr_op *op)
{
    wri_interval_op *j = (wri_interval_op *)op;
    wr_program_close(j->cond);
    wr_batch_release(j->in);
    j->in = NULL;
    wri_builder_drop(&j->out);
    wri_timers_close(&j->timers);
    wr_arena_destroy(j->scratch);
    wr_arena_destroy(j->range);
}

const wr_op_ops wri_interval_join_ops = {
    .abi = WR_ABI,
    .name = "IntervalJoin",
    .size_bytes = sizeof(wri_interval_op),
    .open = interval_open,
    .on_batch = interval_batch,
    .on_resume = interval_resume,
    .on_watermark = interval_watermark,
    .on_timer = interval_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = wr_op_no_end,
    .close = interval_close,
    .snapshot = interval_snapshot,
    .restore = interval_restore,
    .committed = wr_op_no_committed,
};
