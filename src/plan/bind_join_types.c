/* SPDX-License-Identifier: Apache-2.0 */
/* What a join may not compare: in Flink an equality that becomes a join's condition has to have one
 * type on both sides, where a filter or a projection casts strings. */
#include "plan/bind_int.h"

static const char IMPLICIT[] = "implicit type conversion between ";

wr_status
wri_join_types_refused(wr_ctx *ctx, wr_arena *a, const wr_type *l, const wr_type *r, wr_span span)
{
    const wr_str lt = wr_type_str(l, WR_TYPE_CALCITE, a), rt = wr_type_str(r, WR_TYPE_CALCITE, a);
    const wr_status status =
        wr_raise_at(ctx, WR_TYPE, span, "%s%.*s and %.*s is not supported on join's condition now",
                    IMPLICIT, WR_STR_ARG(lt), WR_STR_ARG(rt));
    wr_hint(ctx, "CAST one side to the type of the other");
    return status;
}

static wr_status
refuse(wri_binder *b, const wr_type *l, const wr_type *r, wr_span span)
{
    b->ctx->err.status = WR_OK; /* what the comparison alone said is forgotten */
    return wri_join_types_refused(b->ctx, b->a, l, r, span);
}

static bool
mixes(const wr_type *l, const wr_type *r)
{
    return l->id != WR_T_NULL && r->id != WR_T_NULL && wr_type_is_string(l) != wr_type_is_string(r);
}

/* Do the operands come from two inputs of a join? Then a filter becomes its condition. */
static bool
two_inputs(const wri_scope *s, const wr_expr *l, const wr_expr *r)
{
    uint32_t at[4];
    const bool in_l = wri_rex_col_range(l, &at[0], &at[1]);
    const bool in_r = wri_rex_col_range(r, &at[2], &at[3]);
    if (!in_l || !in_r) return in_l || in_r; /* a sub-query, a row of the query around */
    for (uint32_t i = 0; i < 4; i++) {
        if (at[i] >= s->column_count) return false;
        at[i] = s->columns[at[i]].item;
    }
    return at[1] < at[2] || at[3] < at[0];
}

static wr_status
check_pair(wri_binder *b, const wri_where *w, const wr_expr *l, const wr_expr *r, wr_span span)
{
    if (!mixes(l->type, r->type) || wr_expr_is_constant(l) || wr_expr_is_constant(r)) return WR_OK;
    if (!(w->clause && strcmp(w->clause, "ON") == 0) && !two_inputs(w->scope, l, r)) return WR_OK;
    return refuse(b, l->type, r->type, span);
}

/* `=` between the parts of an AND, bound again: a refusal tells no types. */
static wr_status
check_failed(wri_binder *b, const wri_where *w, const wr_ast *e)
{
    if (e->kind != WR_AST_BINARY) return WR_OK;
    const wr_ast_binary *x = WR_AST_AS(wr_ast_binary, WR_AST_BINARY, e);
    if (x->op == WR_SQL_BINOP_AND) {
        WR_TRY(check_failed(b, w, x->left));
        return check_failed(b, w, x->right);
    }
    wr_expr *l = NULL, *r = NULL;
    if (x->op != WR_SQL_BINOP_EQ) return WR_OK;
    WR_TRY(wri_bind_expr(b, w, x->left, &l));
    WR_TRY(wri_bind_expr(b, w, x->right, &r));
    return check_pair(b, w, l, r, wri_bind_span(b, e));
}

static bool
is_implicit(const wri_binder *b, wr_status status)
{
    return status == WR_TYPE && strncmp(b->ctx->err.message, IMPLICIT, sizeof IMPLICIT - 1) == 0;
}

wr_status
wri_bind_join_pair(wri_binder *b, const wr_type *l, const wr_type *r, wr_span span,
                   wr_status status)
{
    if (status != WR_OK && !is_implicit(b, status)) return status;
    return mixes(l, r) ? refuse(b, l, r, span) : status;
}

wr_status
wri_bind_join_cond(wri_binder *b, const wri_where *w, const wr_ast *ast, const wr_expr *cond,
                   wr_status status)
{
    if (status != WR_OK) {
        if (!is_implicit(b, status)) return status;
        const wr_err kept = b->ctx->err;
        b->ctx->err.status = WR_OK;
        WR_TRY(check_failed(b, w, ast));
        b->ctx->err = kept;
        return status;
    }
    wri_expr_list all = {0};
    if (!wri_rex_conjuncts(b->a, (wr_expr *)cond, &all))
        return wr_raise(b->ctx, WR_NOMEM, "out of memory");
    for (uint32_t i = 0; i < all.count; i++) {
        const wr_expr *e = all.items[i];
        if (wri_rex_is_call(e, "="))
            WR_TRY(check_pair(b, w, wr_expr_written(e->args[0]), wr_expr_written(e->args[1]),
                              e->span));
    }
    return WR_OK;
}
