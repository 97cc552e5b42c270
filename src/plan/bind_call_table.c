/* SPDX-License-Identifier: Apache-2.0 */
/* Calls in FROM that stand for tables of the engine's own: their arguments are constants, known
 * when the statement is planned, and what they give is scanned like any table. */
#include "plan/bind_int.h"

static const wr_ast_call *
call_of(const wr_ast *t)
{
    if (t->kind != WR_AST_TABLE_FUNC) return NULL;
    const wr_ast *c = WR_AST_AS(wr_ast_table_func, WR_AST_TABLE_FUNC, t)->call;
    return c->kind == WR_AST_CALL ? WR_AST_AS(wr_ast_call, WR_AST_CALL, c) : NULL;
}

bool
wri_bind_is_call_table(const wri_binder *b, const wr_ast *t)
{
    const wr_call_tables *known = b->env->call_tables;
    const wr_ast_call *c = known ? call_of(t) : NULL;
    return c && c->name->part_count == 1 && known->knows(known->arg, c->name->parts[0].name);
}

static wr_status
bind_args(wri_binder *b, const wr_ast_call *c, const wri_scope *outer, wr_table_call *out)
{
    const uint32_t n = c->args.count;
    wri_scope nothing = {.outer = outer};
    const wri_where w = {.scope = &nothing, .clause = "FROM"};
    wr_value *values = WR_NEW_N(b->a, wr_value, n + 1);
    wr_span *spans = WR_NEW_N(b->a, wr_span, n + 1);
    WR_TRY_ALLOC(b->ctx, values);
    WR_TRY_ALLOC(b->ctx, spans);
    for (uint32_t i = 0; i < n; i++) {
        wr_expr *e = NULL;
        spans[i] = wri_bind_span(b, c->args.items[i]);
        if (c->args.items[i]->kind == WR_AST_TABLE_ARG)
            return wr_raise_at(b->ctx, WR_SEMANTIC, spans[i], "%.*s takes no table",
                               WR_STR_ARG(c->name->parts[0].name));
        WR_TRY(wri_bind_expr_as(b, &w, c->args.items[i], wr_type_string(true), &e));
        if (wr_expr_is_constant(e)) WR_TRY(wr_expr_fold(b->ctx, b->a, b->env->eval, e, &e));
        if (e->kind != WR_EX_LITERAL)
            return wr_raise_at(b->ctx, WR_SEMANTIC, spans[i],
                               "the arguments of %.*s must be constants",
                               WR_STR_ARG(c->name->parts[0].name));
        values[i] = e->value;
    }
    *out = (wr_table_call){.name = c->name->parts[0].name,
                           .args = values,
                           .arg_spans = spans,
                           .arg_count = n,
                           .span = wri_bind_span(b, &c->base)};
    return WR_OK;
}

wr_status
wri_bind_call_table(wri_binder *b, const wr_ast *t, const wri_scope *outer, wri_from *out)
{
    const wr_call_tables *known = b->env->call_tables;
    const wr_ast_table_func *f = WR_AST_AS(wr_ast_table_func, WR_AST_TABLE_FUNC, t);
    const wr_ast_list no_hints = {0};
    wr_table_call call;
    wr_table_desc *desc = WR_NEW(b->a, wr_table_desc);
    wr_rel *rel = NULL;
    WR_TRY_ALLOC(b->ctx, desc);
    WR_TRY(bind_args(b, call_of(t), outer, &call));
    wr_status status = known->make(b->ctx, known->arg, &call, b->a, desc);
    if (status == WR_OK) {
        desc->id.catalog = wr_catalogs_current_catalog(b->env->catalogs);
        desc->id.database = wr_catalogs_current_database(b->env->catalogs);
        desc->id.name = call.name;
        status = wri_bind_scan(b, desc, &no_hints, call.span, &rel);
    }
    if (status != WR_OK) {
        if (b->ctx->err.span.start == UINT32_MAX) b->ctx->err.span = call.span;
        return status;
    }
    b->raw_names = NULL;
    return wri_bind_as(b, &f->as, call.name, NULL, wri_bind_span(b, t), rel, outer, out);
}
