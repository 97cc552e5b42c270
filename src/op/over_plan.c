/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of an OVER window as aggregates: see over_int.h. */
#include "op/over_int.h"

/* The input's columns and the constants. */
static wr_status
make_input(wr_ctx *ctx, wr_op *op, const wr_over_spec *spec, wr_pnode **out)
{
    wr_arena *a = op->env->arena;
    wr_pnode *in = op->node->inputs[0], *n = WR_NEW(a, wr_pnode);
    const uint32_t width = in->schema.count, all = width + spec->constant_count;
    wr_field *fields = WR_NEW_N(a, wr_field, all + 1);
    wr_expr **exprs = WR_NEW_N(a, wr_expr *, all + 1);
    wr_pnode **inputs = WR_NEW_N(a, wr_pnode *, 1);
    if (!n || !fields || !exprs || !inputs) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < all; i++) {
        if (i < width) {
            fields[i] = in->schema.fields[i];
            exprs[i] = wr_expr_column(a, i, fields[i].type, WR_NO_SPAN);
        } else {
            exprs[i] = spec->constants[i - width];
            fields[i] = (wr_field){.name = wr_arena_printf(a, "constant %u", i - width),
                                   .type = exprs[i]->type};
        }
        if (!exprs[i] || !fields[i].name.ptr) return WRI_NOMEM(ctx);
    }
    inputs[0] = in;
    *n = (wr_pnode){.kind = WR_P_CALC,
                    .schema = {fields, all},
                    .inputs = inputs,
                    .input_count = 1,
                    .changelog = in->changelog,
                    .label = op->node->label};
    n->u.calc.exprs = exprs;
    *out = n;
    return WR_OK;
}

static bool
counts_rows(const wr_fn *fn)
{
    return strcmp(fn->name, "ROW_NUMBER") == 0 || strcmp(fn->name, "RANK") == 0 ||
           strcmp(fn->name, "DENSE_RANK") == 0;
}

/* ROW_NUMBER() and, over rows that come in order of time, the ranks are COUNT(*) of the frame. */
static wr_status
count_rows(wr_ctx *ctx, wr_op *op, const wr_over_call *call, wr_agg_bound *out)
{
    const wr_fn *count = wr_fn_find(WR_STR("COUNT"));
    WR_ASSERT(count);
    WR_TRY(wr_agg_resolve(ctx, op->env->arena, op->env->eval, count, WR_STR("COUNT"), NULL, 0,
                          false, false, true, NULL, call->span, out));
    out->type = call->type;
    return WR_OK;
}

static wr_status
make_calls(wr_ctx *ctx, wr_op *op, wri_over_calls *c, wr_pnode *n)
{
    const wr_over_window *w = c->window;
    wr_agg_bound *aggs = WR_NEW_N(op->env->arena, wr_agg_bound, w->call_count + 1);
    WR_TRY_ALLOC(ctx, aggs);
    for (uint32_t i = 0; i < w->call_count; i++) {
        const wr_over_call *call = &w->calls[i];
        if (counts_rows(call->fn)) {
            WR_TRY(count_rows(ctx, op, call, &aggs[i]));
            continue;
        }
        if (call->fn->kind == WR_FN_WINDOW) {
            WR_TRY(wri_over_lag(ctx, op->env->arena, call, c->spec, c->width, &aggs[i]));
            continue;
        }
        aggs[i] = call->agg;
        aggs[i].args = call->args;
        aggs[i].arg_count = call->arg_count;
        aggs[i].filter = -1;
    }
    n->u.agg.aggs = n->u.agg.shown = aggs;
    n->u.agg.agg_count = w->call_count;
    return WR_OK;
}

static wr_status
make_constants(wr_ctx *ctx, wr_op *op, wri_over_calls *c)
{
    const wr_over_spec *spec = c->spec;
    c->constants = WR_NEW_N(op->env->arena, wr_vec, spec->constant_count + 1);
    WR_TRY_ALLOC(ctx, c->constants);
    for (uint32_t i = 0; i < spec->constant_count; i++)
        if (!wr_vec_init_const(&c->constants[i], &spec->constants[i]->value, op->env->arena))
            return WRI_NOMEM(ctx);
    return WR_OK;
}

wr_status
wri_over_calls_open(wr_ctx *ctx, wr_op *op, const wr_over_window *window, bool retract, bool ttl,
                    uint32_t number, wri_over_calls *out)
{
    static const wr_state_part head[] = {WRI_PART(wri_over_head, last, WR_PART_PLAIN),
                                         WRI_PART(wri_over_head, count, WR_PART_PLAIN),
                                         WRI_PART(wri_over_head, next_seq, WR_PART_PLAIN),
                                         WRI_PART(wri_over_head, clean_at, WR_PART_PLAIN)};
    const wr_over_spec *spec = op->node->u.over;
    wri_over_calls *c = out;
    *c = (wri_over_calls){.spec = spec, .window = window, .inner = *op};
    c->width = op->node->inputs[0]->schema.count;
    c->columns = c->width + spec->constant_count;
    wr_pnode *n = WR_NEW(op->env->arena, wr_pnode);
    wr_pnode **inputs = WR_NEW_N(op->env->arena, wr_pnode *, 1);
    WR_TRY_ALLOC(ctx, n);
    WR_TRY_ALLOC(ctx, inputs);
    *n = *op->node;
    n->kind = WR_P_GROUP_AGG;
    memset(&n->u, 0, sizeof n->u);
    n->u.agg.keys = window->partition;
    n->u.agg.key_count = window->partition_count;
    n->u.agg.ttl_ms = ttl ? spec->ttl_ms : 0;
    WR_TRY(make_input(ctx, op, spec, &inputs[0]));
    n->inputs = inputs;
    WR_TRY(make_calls(ctx, op, c, n));
    WR_TRY(make_constants(ctx, op, c));
    c->inner.node = n;
    return wri_aggs_open_headed(ctx, &c->inner, retract, sizeof(wri_over_head), head,
                                WR_COUNT(head), number, &c->aggs);
}

wr_batch *
wri_over_view(const wri_over_calls *c, const wr_batch *in, wr_arena *arena)
{
    wr_batch *v = WR_NEW(arena, wr_batch);
    wr_vec *cols = WR_NEW_N(arena, wr_vec, c->columns + 1);
    if (!v || !cols) return NULL;
    memcpy(cols, in->cols, c->width * sizeof *cols);
    for (uint32_t i = c->width; i < c->columns; i++) cols[i] = c->constants[i - c->width];
    *v = (wr_batch){.cols = cols, .col_count = c->columns, .row_count = in->row_count};
    return v;
}
