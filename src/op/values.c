/* SPDX-License-Identifier: Apache-2.0 */
/* VALUES: constant rows. It has no input, so the runtime calls on_end at once; subtask 0 emits the
 * rows, a batch at a time, yielding when the output is full. Literals are stored directly; other
 * expressions run over one row without columns. */
#include "op/op_int.h"

typedef struct values_op {
    wr_op op;
    uint32_t next; /* row to emit next */
} values_op;

/* Row `at` of the node into row `row` of `out`. */
static wr_status
put_row(wr_ctx *ctx, values_op *v, uint32_t at, wr_batch *out, uint32_t row)
{
    const wr_schema *schema = &v->op.node->schema;
    wr_expr **exprs = v->op.node->u.values.rows[at];
    for (uint32_t c = 0; c < schema->count; c++) {
        wr_expr *e = exprs[c];
        if (e->kind == WR_EX_LITERAL) {
            if (!wr_vec_put(&out->cols[c], row, &e->value, out->arena)) return WRI_NOMEM(ctx);
            continue;
        }
        wr_batch *one = wr_batch_acquire(v->op.env->pool, 0);
        WR_TRY_ALLOC(ctx, one);
        one->row_count = 1;
        wr_program *p = NULL;
        wr_vec made;
        wr_status status = wr_program_compile(ctx, v->op.env->arena, v->op.env->eval, &e, 1, &p);
        if (status == WR_OK) status = wr_program_run(ctx, p, one, NULL, 1, out->arena, &made);
        if (status == WR_OK && !wr_vec_copy_entry(&out->cols[c], row, &made, 0, out->arena))
            status = WRI_NOMEM(ctx);
        wr_program_close(p);
        wr_batch_release(one);
        WR_TRY(status);
    }
    return WR_OK;
}

static wr_status
emit_rows(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    values_op *v = (values_op *)op;
    const uint32_t total = op->env->subtask == 0 ? op->node->u.values.row_count : 0;
    while (v->next < total) {
        if (wr_emit_full(emit)) {
            op->pending = true;
            return WR_OK;
        }
        const uint32_t n = WR_MIN(total - v->next, WR_BATCH_ROWS);
        wr_batch *out = wr_batch_acquire(op->env->pool, op->node->schema.count);
        WR_TRY_ALLOC(ctx, out);
        wr_status status = WR_OK;
        if (!wr_batch_init_flat(out, &op->node->schema, n)) status = WRI_NOMEM(ctx);
        for (uint32_t i = 0; status == WR_OK && i < n; i++)
            status = put_row(ctx, v, v->next + i, out, i);
        if (status != WR_OK) {
            wr_batch_release(out);
            return status;
        }
        out->row_count = n;
        v->next += n;
        WR_TRY(wr_emit(ctx, emit, out));
    }
    return WR_OK;
}

static wr_status
values_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)op, (void)input, (void)emit;
    wr_batch_release(take_batch);
    return wr_raise(ctx, WR_INTERNAL, "VALUES has no input");
}

/* "emitted": the rows that have come out already. */
static wr_status
values_snapshot(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)checkpoint_id;
    const uint32_t next = ((values_op *)op)->next;
    return next ? wri_number_keep(ctx, out, "emitted", WR_OPSTATE_UNION, next) : WR_OK;
}

static wr_status
values_restore(wr_ctx *ctx, wr_op *op, const wr_opstate *in)
{
    const wr_opstate_list *list = wr_opstate_find(in, "emitted");
    for (uint32_t i = 0; list && i < list->items.count; i++) {
        int64_t next;
        WR_TRY(wri_number_item(ctx, list, i, &next));
        if (next >= 0 && next <= UINT32_MAX) ((values_op *)op)->next = (uint32_t)next;
    }
    return WR_OK;
}

const wr_op_ops wri_values_ops = {
    .abi = WR_ABI,
    .name = "Values",
    .size_bytes = sizeof(values_op),
    .open = wr_op_open_nothing,
    .on_batch = values_batch,
    .on_resume = emit_rows,
    .on_watermark = wr_op_pass_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = emit_rows,
    .close = wr_op_close_nothing,
    .snapshot = values_snapshot,
    .restore = values_restore,
    .committed = wr_op_no_committed,
};
