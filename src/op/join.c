/* SPDX-License-Identifier: Apache-2.0 */
/* JOIN, streaming: inner, left, right, full, semi and anti, with or without equality.
 *
 * A batch of one side meets the other side's state, which does not change meanwhile but for its
 * match counts. So: collect the pairs of as many rows as make a good batch, test the remaining
 * condition on all of them at once, then go through the rows in order and list the changes, and let
 * them out a batch at a time (yielding when the output is full). When all rows are through, they
 * enter their own side's state.
 *
 * What comes out (A: input row, B: record of the other side): an inner pair has the input row's
 * kind. With outer sides everything is +I and -D: a row that finds no match comes padded; B's
 * padding goes (-D) with its first match and comes back (+I) with its last; only a retraction from
 * a side that is not padded keeps its kind. Semi and anti joins show a left row when its match
 * count leaves or reaches zero. */
#include "op/join_int.h"

static wr_status
join_open(wr_ctx *ctx, wr_op *op)
{
    wri_join_op *j = (wri_join_op *)op;
    j->type = op->node->u.join.type;
    j->scratch = wr_arena_create(op->env->budget, 0);
    j->range = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, j->scratch);
    WR_TRY_ALLOC(ctx, j->range);
    WR_TRY(wri_op_compile_cond(ctx, op, op->node->u.join.cond, &j->cond));
    WR_TRY(wri_join_state_open(ctx, j));
    if (j->type == WR_JOIN_SEMI || j->type == WR_JOIN_ANTI || !op->env->config ||
        !wr_config_bool(op->env->config, "table.exec.mini-batch.enabled"))
        return WR_OK;
    op->ops = &wri_mini_join_ops; /* from now on */
    return wri_mini_join_open(ctx, (wri_mini_join_op *)op);
}

/* ---- the condition --------------------------------------------------------------------------- */
/* Columns of one side of pairs from..from + n: the input's rows, or decoded records. */
static wr_status
pair_columns(wr_ctx *ctx, wri_join_op *j, uint32_t side, uint32_t from, uint32_t n, wr_vec *vecs,
             wr_arena *arena)
{
    const wr_schema *schema = j->side[side].schema;
    if (side == j->from) {
        uint32_t *rows = wr_arena_alloc(arena, sizeof *rows * (n + 1));
        WR_TRY_ALLOC(ctx, rows);
        for (uint32_t i = 0; i < n; i++) rows[i] = wr_batch_row(j->in, j->pairs[from + i].row);
        for (uint32_t c = 0; c < schema->count; c++)
            if (!wr_vec_gather(&vecs[c], &j->in->cols[c], rows, n, arena)) return WRI_NOMEM(ctx);
        return WR_OK;
    }
    if (j->found) {
        uint32_t *rows = wr_arena_alloc(arena, sizeof *rows * (n + 1));
        WR_TRY_ALLOC(ctx, rows);
        for (uint32_t i = 0; i < n; i++) rows[i] = j->pairs[from + i].at;
        for (uint32_t c = 0; c < schema->count; c++)
            if (!wr_vec_gather(&vecs[c], &j->found->cols[c], rows, n, arena)) return WRI_NOMEM(ctx);
        return WR_OK;
    }
    for (uint32_t c = 0; c < schema->count; c++)
        if (!wr_vec_init_flat(&vecs[c], schema->fields[c].type, n, arena)) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++)
        WR_TRY(wr_row_decode(ctx, j->pairs[from + i].bytes, j->pairs[from + i].len, vecs,
                             schema->count, i, false, arena));
    return WR_OK;
}

static wr_status
test_some(wr_ctx *ctx, wri_join_op *j, uint32_t from, uint32_t n, wr_batch *b)
{
    const uint32_t left = j->side[0].schema->count;
    WR_TRY(pair_columns(ctx, j, 0, from, n, b->cols, b->arena));
    WR_TRY(pair_columns(ctx, j, 1, from, n, b->cols + left, b->arena));
    b->row_count = n;
    uint32_t *sel = wr_arena_alloc(b->arena, sizeof *sel * (n + 1)), count;
    WR_TRY_ALLOC(ctx, sel);
    WR_TRY(wr_program_filter(ctx, j->cond, b, NULL, n, b->arena, sel, &count));
    for (uint32_t i = 0; i < n; i++) j->pairs[from + i].passes = false;
    for (uint32_t i = 0; i < count; i++) j->pairs[from + sel[i]].passes = true;
    return WR_OK;
}

static wr_status
test_pairs(wr_ctx *ctx, wri_join_op *j)
{
    for (uint32_t at = 0; j->cond && at < j->pair_count; at += WR_BATCH_ROWS) {
        const uint32_t n = WR_MIN(j->pair_count - at, WR_BATCH_ROWS);
        wr_batch *b =
            wr_batch_acquire(j->op.env->pool, j->side[0].schema->count + j->side[1].schema->count);
        WR_TRY_ALLOC(ctx, b);
        const wr_status status = test_some(ctx, j, at, n, b);
        wr_batch_release(b);
        WR_TRY(status);
    }
    return WR_OK;
}

/* ---- listing changes ------------------------------------------------------------------------- */
static wr_status
add_change(wr_ctx *ctx, wri_join_op *j, wr_kind kind, uint32_t row, uint32_t pair, uint32_t times)
{
    if (j->change_count + times > j->change_cap) {
        const uint32_t cap = WR_MAX(j->change_count + times, j->change_cap * 2 + 64);
        wri_join_change *more = wr_arena_alloc(j->range, sizeof *more * cap);
        WR_TRY_ALLOC(ctx, more);
        if (j->change_count) memcpy(more, j->changes, sizeof *more * j->change_count);
        j->changes = more;
        j->change_cap = cap;
    }
    const wri_join_change c = {.row = row, .pair = pair, .kind = (uint8_t)kind};
    for (uint32_t i = 0; i < times; i++) j->changes[j->change_count++] = c;
    return WR_OK;
}

/* The other record of a pair gets or loses a match. */
static void
count_match(wri_join_op *j, uint32_t pair, bool gets)
{
    wri_join_side *other = &j->side[1 - j->from];
    wri_join_record *rec = j->pairs[pair].rec;
    other->rows->ops->rec_touch(other->rows, (uint8_t *)rec);
    if (gets)
        rec->matches++;
    else if (rec->matches > 0)
        rec->matches--;
}

/* Inner and outer joins. Pairs from..to are those of row i, `matches` pass. */
static wr_status
join_row(wr_ctx *ctx, wri_join_op *j, uint32_t i, uint32_t from, uint32_t to, uint32_t matches)
{
    const wri_join_side *mine = &j->side[j->from], *other = &j->side[1 - j->from];
    const wr_kind kind = wr_batch_kind(j->in, wr_batch_row(j->in, i));
    const bool adds = kind == WR_INSERT || kind == WR_UPDATE_AFTER;
    if (matches == 0)
        return mine->outer ? add_change(ctx, j, adds ? WR_INSERT : WR_DELETE, i, WRI_NO_ROW, 1)
                           : WR_OK;
    wr_kind shown = kind;
    if (adds && (mine->outer || other->outer)) shown = WR_INSERT;
    if (!adds && mine->outer) shown = WR_DELETE;
    for (uint32_t k = from; k < to; k++) {
        const wri_join_pair *p = &j->pairs[k];
        if (!p->passes) continue;
        if (!other->outer) {
            WR_TRY(add_change(ctx, j, shown, i, k, p->copies));
            continue;
        }
        if (j->replaces && j->replaces[i]) { /* their padding has gone before */
            WR_TRY(add_change(ctx, j, shown, i, k, p->copies));
            continue;
        }
        const uint32_t when = adds ? 0 : 1;
        const bool pad = p->rec->matches == when;
        for (uint32_t c = 0; c < p->copies; c++) {
            if (pad && adds) WR_TRY(add_change(ctx, j, WR_DELETE, WRI_NO_ROW, k, 1));
            WR_TRY(add_change(ctx, j, shown, i, k, 1));
            if (pad && !adds) WR_TRY(add_change(ctx, j, WR_INSERT, WRI_NO_ROW, k, 1));
        }
        count_match(j, k, adds);
    }
    return WR_OK;
}

static wr_status
semi_row(wr_ctx *ctx, wri_join_op *j, uint32_t i, uint32_t from, uint32_t to, uint32_t matches)
{
    const bool anti = j->type == WR_JOIN_ANTI;
    const wr_kind kind = wr_batch_kind(j->in, wr_batch_row(j->in, i));
    const bool adds = kind == WR_INSERT || kind == WR_UPDATE_AFTER;
    if (j->from == 0)
        return (matches == 0) == anti ? add_change(ctx, j, kind, i, WRI_NO_ROW, 1) : WR_OK;
    if (j->replaces && j->replaces[i]) return WR_OK;
    const wr_kind shown = !anti ? kind : adds ? WR_DELETE : WR_INSERT;
    for (uint32_t k = from; k < to; k++) {
        const wri_join_pair *p = &j->pairs[k];
        if (!p->passes) continue;
        if (p->rec->matches == (adds ? 0u : 1u))
            WR_TRY(add_change(ctx, j, shown, WRI_NO_ROW, k, p->copies));
        count_match(j, k, adds);
    }
    return WR_OK;
}

static wr_status
list_changes(wr_ctx *ctx, wri_join_op *j)
{
    const bool semi = j->type == WR_JOIN_SEMI || j->type == WR_JOIN_ANTI;
    uint32_t end, pair = 0;
    wr_arena_reset(j->range);
    j->change_count = j->change_cap = j->change_at = 0;
    WR_TRY(wri_join_pairs(ctx, j, &end));
    WR_TRY(wri_join_decode(ctx, j));
    WR_TRY(test_pairs(ctx, j));
    for (; j->at < end; j->at++) {
        const uint32_t from = pair;
        uint32_t matches = 0;
        for (; pair < j->pair_count && j->pairs[pair].row == j->at; pair++)
            if (j->pairs[pair].passes) matches += j->pairs[pair].copies;
        j->match_count[j->at] = matches;
        WR_TRY(semi ? semi_row(ctx, j, j->at, from, pair, matches)
                    : join_row(ctx, j, j->at, from, pair, matches));
    }
    return WR_OK;
}

/* ---- output ---------------------------------------------------------------------------------- */
/* Columns of one side for changes from..from + n. */
static wr_status
change_columns(wr_ctx *ctx, wri_join_op *j, uint32_t side, uint32_t from, uint32_t n, wr_vec *vecs,
               wr_arena *arena)
{
    const wr_schema *schema = j->side[side].schema;
    const wri_join_change *ch = j->changes + from;
    for (uint32_t c = 0; c < schema->count; c++)
        if (!wr_vec_init_flat(&vecs[c], schema->fields[c].type, n, arena)) return WRI_NOMEM(ctx);
    const wr_batch *of = side == j->from ? j->in : j->found;
    if (of) {
        uint32_t *rows = wr_arena_alloc(arena, sizeof *rows * (n + 1));
        WR_TRY_ALLOC(ctx, rows);
        for (uint32_t i = 0; i < n; i++) {
            if (of == j->in)
                rows[i] = ch[i].row == WRI_NO_ROW ? WRI_NO_ROW : wr_batch_row(j->in, ch[i].row);
            else
                rows[i] = ch[i].pair == WRI_NO_ROW ? WRI_NO_ROW : j->pairs[ch[i].pair].at;
        }
        for (uint32_t c = 0; c < schema->count; c++)
            if (!wri_vec_gather_or_null(&vecs[c], &of->cols[c], rows, n, arena))
                return WRI_NOMEM(ctx);
        return WR_OK;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (ch[i].pair != WRI_NO_ROW) {
            const wri_join_pair *p = &j->pairs[ch[i].pair];
            WR_TRY(wr_row_decode(ctx, p->bytes, p->len, vecs, schema->count, i, true, arena));
            continue;
        }
        for (uint32_t c = 0; c < schema->count; c++)
            if (!wr_vec_set_null(&vecs[c], i, arena)) return WRI_NOMEM(ctx);
    }
    return WR_OK;
}

/* A semi or anti join shows the left row: the input's, or the record of the pair. */
static wr_status
fill(wr_ctx *ctx, wri_join_op *j, uint32_t from, uint32_t n, wr_batch *out)
{
    const uint32_t left = j->side[0].schema->count;
    uint8_t *kind = wr_batch_kinds(out, n);
    WR_TRY_ALLOC(ctx, kind);
    for (uint32_t i = 0; i < n; i++) kind[i] = j->changes[from + i].kind;
    WR_TRY(change_columns(ctx, j, 0, from, n, out->cols, out->arena));
    if (out->col_count > left)
        WR_TRY(change_columns(ctx, j, 1, from, n, out->cols + left, out->arena));
    out->row_count = n;
    if (j->found && !wr_batch_keep(out, j->found)) return WRI_NOMEM(ctx);
    return wr_batch_keep(out, j->in) ? WR_OK : WRI_NOMEM(ctx);
}

static wr_status
let_out(wr_ctx *ctx, wri_join_op *j, wr_emitter *emit)
{
    while (j->change_at < j->change_count) {
        if (wr_emit_full(emit)) {
            j->op.pending = true;
            return WR_OK;
        }
        const uint32_t n = WR_MIN(j->change_count - j->change_at, WR_BATCH_ROWS);
        wr_batch *out = wr_batch_acquire(j->op.env->pool, j->op.node->schema.count);
        WR_TRY_ALLOC(ctx, out);
        const wr_status status = fill(ctx, j, j->change_at, n, out);
        if (status != WR_OK) {
            wr_batch_release(out);
            return status;
        }
        j->change_at += n;
        WR_TRY(wr_emit(ctx, emit, out));
    }
    return WR_OK;
}

wr_status
wri_join_go_on(wr_ctx *ctx, wri_join_op *j, wr_emitter *emit)
{
    for (;;) {
        WR_TRY(let_out(ctx, j, emit));
        if (j->op.pending) return WR_OK;
        if (j->at == j->n) break;
        WR_TRY(list_changes(ctx, j));
    }
    WR_TRY(wri_join_remember(ctx, j));
    wr_batch_release(j->found);
    wr_batch_release(j->in);
    j->found = j->in = NULL;
    return WR_OK;
}

wr_status
wri_join_begin(wr_ctx *ctx, wri_join_op *j, uint32_t side, wr_batch *take_batch)
{
    j->in = take_batch;
    j->from = side;
    j->change_at = j->change_count = 0;
    return wri_join_prepare(ctx, j);
}

static wr_status
join_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    wri_join_op *j = (wri_join_op *)op;
    WR_TRY(wri_join_begin(ctx, j, input, take_batch));
    return wri_join_go_on(ctx, j, emit);
}

static wr_status
join_resume(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    return wri_join_go_on(ctx, (wri_join_op *)op, emit);
}

void
wri_join_close(wri_join_op *j)
{
    wr_program_close(j->cond);
    wr_batch_release(j->found);
    wr_batch_release(j->in);
    j->found = j->in = NULL;
    wr_arena_destroy(j->scratch);
    wr_arena_destroy(j->range);
}

static void
join_close(wr_op *op)
{
    wri_join_close((wri_join_op *)op);
}

const wr_op_ops wri_join_ops = {
    .abi = WR_ABI,
    .name = "Join",
    .size_bytes = sizeof(wri_mini_join_op), /* it may become one when it is opened */
    .open = join_open,
    .on_batch = join_batch,
    .on_resume = join_resume,
    .on_watermark = wr_op_pass_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = wr_op_no_end,
    .close = join_close,
    .snapshot = wr_op_no_snapshot,
    .restore = wr_op_no_restore,
    .committed = wr_op_no_committed,
};
