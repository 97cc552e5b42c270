/* SPDX-License-Identifier: Apache-2.0 */
/* SINK: what the sink's table promises is enforced (NOT NULL, lengths of character and binary
 * columns), -U is dropped for sinks that upsert, and the rows go to the connector's writer. The
 * writer's timed policies run on processing-time timers. At a barrier the writer prepares what it
 * has; the coordinator commits it when the checkpoint is complete (sink_state.c). */
#include "op/sink_int.h"

enum { LENGTH_IGNORE, LENGTH_TRIM_PAD, LENGTH_ERROR };

typedef struct sink_op {
    wr_op op;
    wr_writer *writer;
    wri_sink_state state;
    bool any_not_null, any_length;
    uint32_t refused; /* column + 1 that was NULL and must not be */
} sink_op;

static const wr_sink_ops *
ops_of(const wr_op *op)
{
    return op->node->u.sink.sink;
}

static bool
has_length(const wr_type *t)
{
    if (!wr_type_is_string(t) && !wr_type_is_binary(t)) return false;
    return t->length != WR_CHAR_LENGTH_MAX;
}

static wr_status
tick(wr_ctx *ctx, sink_op *s)
{
    const wr_sink_ops *ops = ops_of(&s->op);
    int64_t next = 0;
    if (!ops->tick) return WR_OK;
    WR_TRY(ops->tick(ctx, s->writer, *s->op.env->now_ms, &next));
    return next > 0 && s->op.env->timer ? s->op.env->timer(s->op.env, next) : WR_OK;
}

static wr_status
sink_open(wr_ctx *ctx, wr_op *op)
{
    sink_op *s = (sink_op *)op;
    const wr_schema *columns = &op->node->u.sink.spec.columns;
    for (uint32_t c = 0; c < columns->count; c++) {
        s->any_not_null |= !columns->fields[c].type->nullable;
        s->any_length |= has_length(columns->fields[c].type);
    }
    s->any_length &= op->node->u.sink.length != LENGTH_IGNORE;
    WR_TRY(ops_of(op)->open(ctx, &op->node->u.sink.spec, op->env->sink, &s->writer));
    return tick(ctx, s);
}

/* ---- lengths --------------------------------------------------------------------------------- */
static uint32_t
length_of(const wr_type *t, const wr_strv *s)
{
    return wr_type_is_string(t) ? (uint32_t)wr_utf8_count(wr_strv_ptr(s), s->len) : s->len;
}

static bool
fits(const wr_type *t, const wr_strv *s)
{
    const uint32_t n = length_of(t, s), want = (uint32_t)t->length;
    const bool fixed = t->id == WR_T_CHAR || t->id == WR_T_BINARY;
    return fixed ? n == want : n <= want;
}

static wr_status
refuse_length(wr_ctx *ctx, const wr_field *field, const wr_strv *s)
{
    wr_text type;
    wr_arena *a = wr_arena_create(NULL, 256);
    WR_TRY_ALLOC(ctx, a);
    wr_text_init(&type, a);
    wr_type_print(field->type, WR_TYPE_NO_NULL, &type);
    const uint32_t n = length_of(field->type, s);
    wr_status status = wr_raise(
        ctx, WR_CONSTRAINT,
        "Column '%.*s' is %.*s, however, a %s of length %u is being written into it. You can set "
        "job configuration 'table.exec.sink.type-length-enforcer' to control this behaviour.",
        WR_STR_ARG(field->name), WR_STR_ARG(wr_text_str(&type)),
        wr_type_is_string(field->type) ? "string" : "byte array", n);
    wr_arena_destroy(a);
    return status;
}

/* The value cut or padded to its type's length. */
static bool
fit_value(wr_vec *out, uint32_t row, const wr_type *t, const wr_strv *s, wr_arena *a)
{
    const char *p = wr_strv_ptr(s);
    const uint32_t want = (uint32_t)t->length, have = length_of(t, s);
    const bool text = wr_type_is_string(t);
    if (have > want) {
        const size_t cut = text ? wr_utf8_offset(p, s->len, want) : want;
        return wr_vec_set_str(out, row, p, (uint32_t)cut, a);
    }
    const uint32_t len = s->len + (want - have);
    char *padded = wr_arena_alloc(a, len + 1);
    if (!padded) return false;
    memcpy(padded, p, s->len);
    memset(padded + s->len, text ? ' ' : 0, want - have);
    return wr_vec_set_str(out, row, padded, len, a);
}

static bool
copy_column(wr_vec *to, const wr_batch *in, const wr_vec *v, wr_arena *a)
{
    if (!wr_vec_init_flat(to, v->type, in->row_count, a)) return false;
    WR_FOR_ROWS (in, row)
        if (!wr_vec_copy_entry(to, row, v, row, a)) return false;
    return true;
}

static wr_status
fit_column(wr_ctx *ctx, sink_op *s, const wr_batch *in, uint32_t col, wr_batch *out)
{
    const wr_field *field = &s->op.node->u.sink.spec.columns.fields[col];
    const wr_vec *v = &in->cols[col];
    const wr_view view = wr_vec_view(v);
    bool made = false;
    WR_FOR_ROWS (in, row) {
        if (!wr_view_valid(&view, row)) continue;
        const wr_strv *x = &((const wr_strv *)view.data)[wr_view_at(&view, row)];
        if (fits(field->type, x)) continue;
        if (s->op.node->u.sink.length == LENGTH_ERROR) return refuse_length(ctx, field, x);
        if (!made) { /* a changed copy of the column */
            if (!copy_column(&out->cols[col], in, v, out->arena)) return WRI_NOMEM(ctx);
            made = true;
        }
        if ((uint32_t)field->type->length > WR_STRING_BYTES_MAX && x->len < WR_STRING_BYTES_MAX)
            return wr_raise(ctx, WR_LIMIT, "column '%.*s' is padded to more than 1 GiB",
                            WR_STR_ARG(field->name));
        if (!fit_value(&out->cols[col], row, field->type, x, out->arena)) return WRI_NOMEM(ctx);
    }
    return WR_OK;
}

static wr_status
enforce_length(wr_ctx *ctx, sink_op *s, wr_batch **batch)
{
    const wr_schema *columns = &s->op.node->u.sink.spec.columns;
    wr_batch *in = *batch;
    wr_batch_ref(in);
    wr_batch *out = wri_batch_view(&s->op, in);
    WR_TRY_ALLOC(ctx, out);
    out->sel = in->sel;
    out->sel_count = in->sel_count;
    wr_status status = WR_OK;
    for (uint32_t c = 0; c < columns->count && status == WR_OK; c++)
        if (has_length(columns->fields[c].type) && in->cols[c].phys == WR_PHYS_STR)
            status = fit_column(ctx, s, in, c, out);
    wr_batch_release(in);
    *batch = out;
    return status;
}

static wr_status
sink_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input, (void)emit;
    sink_op *s = (sink_op *)op;
    wr_batch *b = take_batch;
    if (op->node->u.sink.drop_update_before)
        WR_TRY(wri_batch_keep_kinds(ctx, op, b, WR_CL_UPSERT, &b));
    wr_status status = WR_OK;
    const wr_schema *columns = &op->node->u.sink.spec.columns;
    if (s->any_not_null)
        status = wri_not_null(ctx, op, columns, op->node->u.sink.not_null, &b, &s->refused);
    if (status == WR_OK && s->any_length) status = enforce_length(ctx, s, &b);
    if (status == WR_OK && wr_batch_live(b) > 0) status = ops_of(op)->write(ctx, s->writer, b);
    wr_batch_release(b);
    if (status == WR_OK && s->refused)
        return wri_not_null_refuse(ctx, &columns->fields[s->refused - 1]);
    return status;
}

static wr_status
sink_watermark(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *out, int64_t *forward)
{
    (void)out, (void)forward;
    const wr_sink_ops *ops = ops_of(op);
    return ops->watermark ? ops->watermark(ctx, ((sink_op *)op)->writer, watermark) : WR_OK;
}

static wr_status
sink_timer(wr_ctx *ctx, wr_op *op, int64_t time_ms, wr_emitter *out)
{
    (void)time_ms, (void)out;
    return tick(ctx, (sink_op *)op);
}

static wr_status
sink_barrier(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id, wr_emitter *out)
{
    (void)checkpoint_id, (void)out;
    return ops_of(op)->flush(ctx, ((sink_op *)op)->writer);
}

static wr_status
sink_snapshot(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id, wr_opstate *out)
{
    sink_op *s = (sink_op *)op;
    return wri_sink_snapshot(ctx, op, &s->state, s->writer, checkpoint_id, out);
}

static wr_status
sink_restore(wr_ctx *ctx, wr_op *op, const wr_opstate *in)
{
    return wri_sink_restore(ctx, op, ((sink_op *)op)->writer, in);
}

static wr_status
sink_committed(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id)
{
    (void)ctx;
    wri_sink_committed(&((sink_op *)op)->state, op->env->budget, checkpoint_id);
    return WR_OK;
}

/* With checkpoints the last one commits what is finished here. */
static wr_status
sink_end(wr_ctx *ctx, wr_op *op, wr_emitter *out)
{
    (void)out;
    sink_op *s = (sink_op *)op;
    WR_TRY(ops_of(op)->flush(ctx, s->writer));
    return ops_of(op)->finish(ctx, s->writer);
}

static void
sink_close(wr_op *op)
{
    sink_op *s = (sink_op *)op;
    if (s->writer) ops_of(op)->close(s->writer);
    s->writer = NULL;
    wri_sink_state_free(&s->state, op->env->budget);
}

const wr_op_ops wri_sink_ops = {
    .abi = WR_ABI,
    .name = "Sink",
    .size_bytes = sizeof(sink_op),
    .open = sink_open,
    .on_batch = sink_batch,
    .on_resume = wr_op_no_resume,
    .on_watermark = sink_watermark,
    .on_timer = sink_timer,
    .on_barrier = sink_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = sink_end,
    .close = sink_close,
    .snapshot = sink_snapshot,
    .restore = sink_restore,
    .committed = sink_committed,
};
