/* SPDX-License-Identifier: Apache-2.0 */
/* A decorator that holds any operator to its contract: the batches it emits have the node's columns
 * and only the kinds its changelog mode allows, a -U is followed by its +U or stands for a
 * deletion, nothing follows the end, watermarks rise. A breach is a bug of the operator: it fails
 * the job with WR_INTERNAL and the operator's label. In debug builds every operator is decorated.
 */
#include "op/op_int.h"

typedef struct check_op {
    wr_op op;
    wr_op *inner;
    bool ended;
    bool before_open;  /* the last row was a -U whose +U must follow */
    int64_t watermark; /* last one forwarded by the operator itself */
} check_op;

typedef struct check_emitter {
    wr_emitter emit; /* first */
    check_op *check;
    wr_emitter *to;
} check_emitter;

static wr_status
breach(wr_ctx *ctx, const wr_op *op, const char *what)
{
    return wr_raise(ctx, WR_INTERNAL, "operator %s broke its contract: %s (%.*s)", op->ops->name,
                    what, WR_STR_ARG(op->node->label));
}

/* ---- what is emitted ------------------------------------------------------------------------- */
static bool
column_fits(const wr_vec *v, const wr_type *t)
{
    return v->phys == t->phys || v->phys == WR_PHYS_NONE;
}

static wr_status
check_rows(wr_ctx *ctx, const wr_op *op, const wr_batch *b)
{
    const wr_clmode mode = op->node->changelog;
    uint32_t last = 0;
    for (uint32_t i = 0; i < wr_batch_live(b); i++) {
        const uint32_t row = wr_batch_row(b, i);
        if (row >= b->row_count || (i && row <= last))
            return breach(ctx, op, "the selection is not ascending");
        last = row;
        const wr_kind k = wr_batch_kind(b, row);
        if (k > WR_DELETE) return breach(ctx, op, "a row has no kind");
        if (mode && !(mode >> k & 1))
            return breach(ctx, op, "a row of a kind that is not in its changelog mode");
    }
    return WR_OK;
}

/* Key columns of an operator that pairs its updates; NULL: it does not. */
static const uint32_t *
paired_keys(const wr_pnode *node, uint32_t *count)
{
    static const uint32_t first[] = {0, 1, 2, 3, 4, 5, 6, 7};
    if (node->kind == WR_P_GROUP_AGG) { /* its output begins with the keys */
        *count = WR_MIN(node->u.agg.key_count, WR_COUNT(first));
        return first;
    }
    *count = node->kind == WR_P_CHANGELOG_NORMALIZE ? node->u.normalize.key_count : 0;
    return node->kind == WR_P_CHANGELOG_NORMALIZE ? node->u.normalize.keys : NULL;
}

static wr_status
check_pairs(wr_ctx *ctx, check_op *c, const wr_batch *b)
{
    uint32_t count, last = 0;
    const uint32_t *keys = paired_keys(c->inner->node, &count);
    if (!keys || !(c->inner->node->changelog & WR_CL_UB)) return WR_OK;
    for (uint32_t i = 0; i < wr_batch_live(b); i++) {
        const uint32_t row = wr_batch_row(b, i);
        const wr_kind kind = wr_batch_kind(b, row);
        if (c->before_open != (kind == WR_UPDATE_AFTER))
            return breach(ctx, c->inner, "-U and +U do not come in pairs");
        for (uint32_t k = 0; c->before_open && i > 0 && k < count; k++)
            if (!wr_vec_entry_eq(&b->cols[keys[k]], last, &b->cols[keys[k]], row))
                return breach(ctx, c->inner, "-U and +U of different keys");
        c->before_open = kind == WR_UPDATE_BEFORE;
        last = row;
    }
    return WR_OK;
}

static wr_status
check_push(wr_ctx *ctx, wr_emitter *e, wr_batch *take_batch)
{
    check_emitter *c = (check_emitter *)(void *)e;
    const wr_op *op = c->check->inner;
    const wr_schema *schema = &op->node->schema;
    wr_status status = WR_OK;
    if (c->check->ended) status = breach(ctx, op, "output after the end");
    if (status == WR_OK && take_batch->col_count != schema->count)
        status = breach(ctx, op, "a batch with the wrong number of columns");
    for (uint32_t i = 0; status == WR_OK && i < schema->count; i++)
        if (!column_fits(&take_batch->cols[i], schema->fields[i].type))
            status = breach(ctx, op, "a column of the wrong type");
    if (status == WR_OK) status = check_rows(ctx, op, take_batch);
    if (status == WR_OK) status = check_pairs(ctx, c->check, take_batch);
    if (status != WR_OK) {
        wr_batch_release(take_batch);
        return status;
    }
    return wr_emit(ctx, c->to, take_batch);
}

static wr_status
check_watermark(wr_ctx *ctx, wr_emitter *e, int64_t watermark)
{
    check_emitter *c = (check_emitter *)(void *)e;
    if (watermark < c->check->watermark)
        return breach(ctx, c->check->inner, "its watermark went back");
    c->check->watermark = watermark;
    return c->to->watermark(ctx, c->to, watermark);
}

static bool
check_full(const wr_emitter *e)
{
    return wr_emit_full(((const check_emitter *)(const void *)e)->to);
}

static check_emitter
wrap(wr_op *op, wr_emitter *to)
{
    return (check_emitter){
        .emit = {.push = check_push, .watermark = check_watermark, .full = check_full},
        .check = (check_op *)op,
        .to = to};
}

/* ---- calls ----------------------------------------------------------------------------------- */
static wr_op *
inner_of(const wr_op *op)
{
    return ((const check_op *)op)->inner;
}

/* After a call: what the operator says of itself becomes the decorator's. */
static wr_status
done(wr_op *op, wr_status status)
{
    op->pending = inner_of(op)->pending;
    op->again_ms = inner_of(op)->again_ms;
    op->holds_slots = inner_of(op)->holds_slots;
    return status;
}

static wr_status
check_open(wr_ctx *ctx, wr_op *op)
{
    check_op *c = (check_op *)op;
    const wr_op_ops *ops = wr_op_plain_ops_of(op->node);
    c->watermark = INT64_MIN;
    c->inner = wr_arena_zalloc(op->env->arena, ops->size_bytes);
    WR_TRY_ALLOC(ctx, c->inner);
    c->inner->ops = ops;
    c->inner->node = op->node;
    c->inner->env = op->env;
    c->inner->input_count = op->input_count;
    return ops->open(ctx, c->inner);
}

static wr_status
check_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *out)
{
    check_emitter e = wrap(op, out);
    wr_op *in = inner_of(op);
    if (in->pending || wr_batch_live(take_batch) == 0) {
        wr_batch_release(take_batch);
        return breach(ctx, in, "its caller gave an empty batch, or one while it was pending");
    }
    return done(op, in->ops->on_batch(ctx, in, input, take_batch, &e.emit));
}

static wr_status
check_resume(wr_ctx *ctx, wr_op *op, wr_emitter *out)
{
    check_emitter e = wrap(op, out);
    wr_op *in = inner_of(op);
    in->pending = false;
    return done(op, in->ops->on_resume(ctx, in, &e.emit));
}

static wr_status
check_on_watermark(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *out, int64_t *forward)
{
    check_emitter e = wrap(op, out);
    wr_op *in = inner_of(op);
    return done(op, in->ops->on_watermark(ctx, in, watermark, &e.emit, forward));
}

static wr_status
check_timer(wr_ctx *ctx, wr_op *op, int64_t time_ms, wr_emitter *out)
{
    check_emitter e = wrap(op, out);
    wr_op *in = inner_of(op);
    return done(op, in->ops->on_timer(ctx, in, time_ms, &e.emit));
}

static wr_status
check_barrier(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id, wr_emitter *out)
{
    check_emitter e = wrap(op, out);
    wr_op *in = inner_of(op);
    return done(op, in->ops->on_barrier(ctx, in, checkpoint_id, &e.emit));
}

static wr_status
check_end_input(wr_ctx *ctx, wr_op *op, uint32_t input, wr_emitter *out)
{
    check_emitter e = wrap(op, out);
    wr_op *in = inner_of(op);
    return done(op, in->ops->on_end_input(ctx, in, input, &e.emit));
}

static wr_status
check_end(wr_ctx *ctx, wr_op *op, wr_emitter *out)
{
    check_emitter e = wrap(op, out);
    wr_op *in = inner_of(op);
    const wr_status status = done(op, in->ops->on_end(ctx, in, &e.emit));
    if (!in->pending) ((check_op *)op)->ended = true;
    return status;
}

static void
check_close(wr_op *op)
{
    wr_op *in = inner_of(op);
    if (in) in->ops->close(in);
    ((check_op *)op)->inner = NULL;
}

static wr_status
check_snapshot(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id, wr_opstate *out)
{
    wr_op *in = inner_of(op);
    WR_ASSERT(!in->pending);
    return in->ops->snapshot(ctx, in, checkpoint_id, out);
}

static wr_status
check_restore(wr_ctx *ctx, wr_op *op, const wr_opstate *in_state)
{
    wr_op *in = inner_of(op);
    return done(op, in->ops->restore(ctx, in, in_state));
}

static wr_status
check_committed(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id)
{
    wr_op *in = inner_of(op);
    return in->ops->committed(ctx, in, checkpoint_id);
}

static const wr_op_ops check_ops = {
    .abi = WR_ABI,
    .name = "Checked",
    .size_bytes = sizeof(check_op),
    .open = check_open,
    .on_batch = check_batch,
    .on_resume = check_resume,
    .on_watermark = check_on_watermark,
    .on_timer = check_timer,
    .on_barrier = check_barrier,
    .on_end_input = check_end_input,
    .on_end = check_end,
    .close = check_close,
    .snapshot = check_snapshot,
    .restore = check_restore,
    .committed = check_committed,
};

const wr_op_ops *
wr_op_checked_ops_of(const struct wr_pnode *node)
{
    return wr_op_plain_ops_of(node) ? &check_ops : NULL;
}
