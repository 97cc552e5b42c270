/* SPDX-License-Identifier: Apache-2.0 */
/* CORRELATE: each input row with the rows that a table function makes of it (UNNEST, LATERAL
 * TABLE). LEFT keeps rows for which the function gives nothing (that meets the condition), padded
 * with NULLs. A row may explode: the function is asked for as many rows as fit a batch and asked
 * again when there is room. */
#include "op/op_int.h"

typedef struct correlate_op {
    wr_op op;
    const wr_tablefn_ops *fn;
    wr_program *args, *cond;
    void *fn_state;
    wr_batch *in, *work; /* work: the arguments' values, which outputs may share */
    const wr_vec **arg_list;
    uint32_t at;  /* live row being expanded */
    uint64_t pos; /* of the function within it */
    bool matched; /* that row has given something already */
    uint64_t *err_bits;
} correlate_op;

static wr_status
correlate_open(wr_ctx *ctx, wr_op *op)
{
    correlate_op *c = (correlate_op *)op;
    wr_expr *call = op->node->u.correlate.call;
    c->fn = call->fn->table;
    if (!c->fn)
        return wr_raise_at(ctx, WR_UNSUPPORTED, call->span, "not supported yet: table function %s",
                           call->fn->name);
    if (call->arg_count) WR_TRY(wri_op_compile(ctx, op, call->args, call->arg_count, &c->args));
    WR_TRY(wri_op_compile_cond(ctx, op, op->node->u.correlate.cond, &c->cond));
    if (call->fn->prepare)
        return call->fn->prepare(ctx, call, op->env->eval, op->env->arena, &c->fn_state);
    return WR_OK;
}

static wr_status
prepare(wr_ctx *ctx, correlate_op *c)
{
    const wr_expr *call = c->op.node->u.correlate.call;
    c->at = 0;
    c->pos = 0;
    c->matched = false;
    c->work = wr_batch_acquire(c->op.env->pool, call->arg_count);
    WR_TRY_ALLOC(ctx, c->work);
    wr_arena *a = c->work->arena;
    c->arg_list = WR_NEW_N(a, const wr_vec *, call->arg_count + 1);
    c->err_bits = WR_NEW_N(a, uint64_t, WR_BIT_WORDS(c->in->row_count) + 1);
    if (!c->arg_list || !c->err_bits || !wr_batch_keep(c->work, c->in)) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < call->arg_count; i++) c->arg_list[i] = &c->work->cols[i];
    if (!c->args) return WR_OK;
    return wr_program_run(ctx, c->args, c->in, c->in->sel, wr_batch_live(c->in), a, c->work->cols);
}

static void
let_go(correlate_op *c)
{
    wr_batch_release(c->in);
    wr_batch_release(c->work);
    c->in = c->work = NULL;
}

typedef struct piece { /* one round of expansion */
    wr_vec *cols;      /* of the function */
    uint32_t *rows;    /* input row of each */
    uint32_t n;
    uint32_t *done_at; /* per finished live row: rows made when it was finished */
    uint32_t first, finished;
} piece;

/* Expand rows until the piece is full. */
static wr_status
expand(wr_ctx *ctx, correlate_op *c, piece *p, wr_arena *arena)
{
    const wr_pnode *node = c->op.node;
    const uint32_t live = wr_batch_live(c->in);
    wr_row_errs errs = {.bits = c->err_bits};
    wr_fn_call call = {.ctx = ctx,
                       .env = c->op.env->eval,
                       .expr = node->u.correlate.call,
                       .args = c->arg_list,
                       .arg_count = node->u.correlate.call->arg_count,
                       .sel = c->in->sel,
                       .n = live,
                       .row_count = c->in->row_count,
                       .arena = arena,
                       .errs = &errs,
                       .state = c->fn_state};
    p->first = c->at;
    while (c->at < live && p->n < WR_BATCH_ROWS) {
        const uint32_t row = wr_batch_row(c->in, c->at), before = p->n;
        const uint64_t pos = c->pos;
        bool done = false;
        WR_TRY(c->fn->expand(&call, row, &c->pos, p->cols, &p->n, WR_BATCH_ROWS - p->n, &done));
        if (errs.any) return wr_raise(ctx, errs.first_status, "%s", errs.first_message);
        for (uint32_t i = before; i < p->n; i++) p->rows[i] = row;
        if (!done) {
            WR_ASSERT(p->n > before || c->pos != pos); /* else it would go on for ever */
            continue;
        }
        p->done_at[p->finished++] = p->n;
        c->at++;
        c->pos = 0;
    }
    return WR_OK;
}

/* Which of the piece's rows meet the condition. */
static wr_status
test(wr_ctx *ctx, correlate_op *c, const piece *p, bool *passes)
{
    const uint32_t in_cols = c->in->col_count, all = c->op.node->schema.count;
    memset(passes, 1, p->n);
    if (!c->cond || p->n == 0) return WR_OK;
    wr_batch *b = wr_batch_acquire(c->op.env->pool, all);
    WR_TRY_ALLOC(ctx, b);
    wr_status status = WR_OK;
    for (uint32_t k = 0; k < in_cols && status == WR_OK; k++)
        if (!wr_vec_gather_shared(&b->cols[k], &c->in->cols[k], p->rows, p->n, b->arena))
            status = WRI_NOMEM(ctx);
    memcpy(b->cols + in_cols, p->cols, sizeof(wr_vec) * (all - in_cols));
    b->row_count = p->n;
    if (status == WR_OK) status = wri_test_rows(ctx, c->cond, b, b->arena, passes);
    wr_batch_release(b);
    return status;
}

/* The rows to show: index into the piece or WRI_NO_ROW (padding), and the input row. */
static uint32_t
choose(correlate_op *c, const piece *p, const bool *passes, uint32_t *idx, uint32_t *rows)
{
    const bool left = c->op.node->u.correlate.type == WR_JOIN_LEFT;
    uint32_t m = 0, at = 0;
    for (uint32_t k = 0; k <= p->finished; k++) {
        const bool open = k == p->finished; /* the row that goes on in the next piece */
        const uint32_t end = open ? p->n : p->done_at[k];
        for (; at < end; at++) {
            if (!passes[at]) continue;
            c->matched = true;
            idx[m] = at;
            rows[m++] = p->rows[at];
        }
        if (open) break;
        if (left && !c->matched) {
            idx[m] = WRI_NO_ROW;
            rows[m++] = wr_batch_row(c->in, p->first + k);
        }
        c->matched = false;
    }
    return m;
}

static wr_status
fill(wr_ctx *ctx, correlate_op *c, wr_batch *out)
{
    const wr_schema *schema = &c->op.node->schema;
    const uint32_t in_cols = c->in->col_count, fn_cols = schema->count - in_cols;
    const uint32_t room = WR_BATCH_ROWS + wr_batch_live(c->in) - c->at + 1;
    piece p = {.cols = WR_NEW_N(out->arena, wr_vec, fn_cols + 1)};
    p.rows = wr_arena_alloc(out->arena, sizeof *p.rows * WR_BATCH_ROWS);
    p.done_at = wr_arena_alloc(out->arena, sizeof *p.done_at * room);
    bool *passes = wr_arena_alloc(out->arena, WR_BATCH_ROWS);
    uint32_t *idx = wr_arena_alloc(out->arena, sizeof *idx * room);
    uint32_t *rows = wr_arena_alloc(out->arena, sizeof *rows * room);
    if (!p.cols || !p.rows || !p.done_at || !passes || !idx || !rows) return WRI_NOMEM(ctx);
    for (uint32_t k = 0; k < fn_cols; k++)
        if (!wr_vec_init_flat(&p.cols[k], schema->fields[in_cols + k].type, WR_BATCH_ROWS,
                              out->arena))
            return WRI_NOMEM(ctx);
    WR_TRY(expand(ctx, c, &p, out->arena));
    WR_TRY(test(ctx, c, &p, passes));
    const uint32_t m = choose(c, &p, passes, idx, rows);
    for (uint32_t k = 0; k < in_cols; k++)
        if (!wr_vec_gather_shared(&out->cols[k], &c->in->cols[k], rows, m, out->arena))
            return WRI_NOMEM(ctx);
    for (uint32_t k = 0; k < fn_cols; k++) {
        wr_vec *v = &out->cols[in_cols + k];
        if (!wr_vec_init_flat(v, schema->fields[in_cols + k].type, m, out->arena) ||
            !wri_vec_gather_or_null(v, &p.cols[k], idx, m, out->arena))
            return WRI_NOMEM(ctx);
    }
    out->row_count = m;
    if (!c->in->kind) return WR_OK;
    uint8_t *kind = wr_batch_kinds(out, m);
    WR_TRY_ALLOC(ctx, kind);
    for (uint32_t i = 0; i < m; i++) kind[i] = c->in->kind[rows[i]];
    return WR_OK;
}

static wr_status
go_on(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    correlate_op *c = (correlate_op *)op;
    while (c->at < wr_batch_live(c->in)) {
        if (wr_emit_full(emit)) {
            op->pending = true;
            return WR_OK;
        }
        wr_batch *out = wr_batch_acquire(op->env->pool, op->node->schema.count);
        wr_status status = out && wr_batch_keep(out, c->work) ? WR_OK : WRI_NOMEM(ctx);
        if (status == WR_OK) status = fill(ctx, c, out);
        if (status != WR_OK || out->row_count == 0) {
            wr_batch_release(out);
            WR_TRY(status);
            continue;
        }
        WR_TRY(wr_emit(ctx, emit, out));
    }
    let_go(c);
    return WR_OK;
}

static wr_status
correlate_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input;
    correlate_op *c = (correlate_op *)op;
    c->in = take_batch;
    WR_TRY(prepare(ctx, c));
    return go_on(ctx, op, emit);
}

static void
correlate_close(wr_op *op)
{
    correlate_op *c = (correlate_op *)op;
    wr_program_close(c->args);
    wr_program_close(c->cond);
    let_go(c);
}

const wr_op_ops wri_correlate_ops = {
    .abi = WR_ABI,
    .name = "Correlate",
    .size_bytes = sizeof(correlate_op),
    .open = correlate_open,
    .on_batch = correlate_batch,
    .on_resume = go_on,
    .on_watermark = wr_op_pass_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = wr_op_no_end,
    .close = correlate_close,
    .snapshot = wr_op_no_snapshot,
    .restore = wr_op_no_restore,
    .committed = wr_op_no_committed,
};
