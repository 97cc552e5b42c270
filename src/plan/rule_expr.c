/* SPDX-License-Identifier: Apache-2.0 */
/* Making and looking at bound expressions, as the binder and the rules need them. */
#include "plan/rule_int.h"

wr_expr *
wri_rex_new(wr_arena *a, wr_expr_kind kind, const wr_type *t, wr_span span)
{
    wr_expr *e = WR_NEW(a, wr_expr);
    if (!e || !t) return NULL;
    e->kind = (uint8_t)kind;
    e->type = t;
    e->span = span;
    return e;
}

wr_expr *
wri_rex_col(wr_arena *a, const wr_rel *rel, uint32_t col)
{
    if (!rel) return NULL;
    WR_ASSERT(col < rel->schema.count);
    return wr_expr_column(a, col, rel->schema.fields[col].type, WR_NO_SPAN);
}

wr_expr *
wri_rex_bool(wr_arena *a, bool v)
{
    wr_value value = wr_value_bool(v);
    return wr_expr_literal(a, &value, WR_NO_SPAN);
}

wr_expr *
wri_rex_int(wr_arena *a, wr_type_id id, int64_t v)
{
    wr_value value = wr_value_int(wr_type_of(id, false), v);
    return wr_expr_literal(a, &value, WR_NO_SPAN);
}

wr_expr *
wri_rex_null(wr_arena *a, const wr_type *t)
{
    const wr_type *nullable = wr_type_nullable(a, wri_rel_type_plain(a, t), true);
    if (!nullable) return NULL;
    wr_value value = wr_value_null(nullable);
    return wr_expr_literal(a, &value, WR_NO_SPAN);
}

wr_status
wri_rex_call(wri_rules *r, const char *fn, wr_expr **args, uint32_t n, wr_expr **out)
{
    const wr_fn *f = wr_fn_find(wr_str_c(fn));
    if (!f) return wr_raise(r->ctx, WR_INTERNAL, "no function %s", fn);
    for (uint32_t i = 0; i < n; i++) WR_TRY_ALLOC(r->ctx, args[i]);
    return wr_expr_call(r->ctx, r->a, r->env->eval, f, wr_str_c(fn), args, n, NULL,
                        n ? args[0]->span : WR_NO_SPAN, out);
}

wr_status
wri_rex_call1(wri_rules *r, const char *fn, wr_expr *x, wr_expr **out)
{
    wr_expr **args = WR_NEW_N(r->a, wr_expr *, 1);
    WR_TRY_ALLOC(r->ctx, args);
    args[0] = x;
    return wri_rex_call(r, fn, args, 1, out);
}

wr_status
wri_rex_call2(wri_rules *r, const char *fn, wr_expr *x, wr_expr *y, wr_expr **out)
{
    wr_expr **args = WR_NEW_N(r->a, wr_expr *, 2);
    WR_TRY_ALLOC(r->ctx, args);
    args[0] = x;
    args[1] = y;
    return wri_rex_call(r, fn, args, 2, out);
}

bool
wri_rex_is_true(const wr_expr *e)
{
    return !e || (e->kind == WR_EX_LITERAL && !e->value.is_null &&
                  wr_type_is(e->type, WR_T_BOOLEAN) && e->value.u.b);
}

bool
wri_rex_is_false_or_null(const wr_expr *e)
{
    return e && e->kind == WR_EX_LITERAL &&
           (e->value.is_null || (wr_type_is(e->type, WR_T_BOOLEAN) && !e->value.u.b));
}

bool
wri_rex_is_call(const wr_expr *e, const char *fn)
{
    return e->kind == WR_EX_CALL && strcmp(e->fn->name, fn) == 0;
}

wr_status
wri_rex_and2(wri_rules *r, wr_expr *x, wr_expr *y, wr_expr **out)
{
    wri_expr_list l = {0};
    if (!wri_rex_conjuncts(r->a, x, &l) || !wri_rex_conjuncts(r->a, y, &l))
        return wr_raise(r->ctx, WR_NOMEM, "out of memory");
    return wri_rex_and_all(r, &l, out);
}

bool
wri_rex_conjuncts(wr_arena *a, wr_expr *e, wri_expr_list *out)
{
    if (wri_rex_is_true(e)) return true;
    if (e->kind != WR_EX_AND) return wr_list_push(a, out, e);
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!wri_rex_conjuncts(a, e->args[i], out)) return false;
    return true;
}

wr_status
wri_rex_and_all(wri_rules *r, const wri_expr_list *l, wr_expr **out)
{
    *out = NULL;
    if (l->count == 0) return WR_OK;
    if (l->count == 1) {
        *out = l->items[0];
        return WR_OK;
    }
    wr_expr **args = WR_NEW_N(r->a, wr_expr *, l->count);
    WR_TRY_ALLOC(r->ctx, args);
    for (uint32_t i = 0; i < l->count; i++) args[i] = l->items[i];
    return wr_expr_and(r->ctx, r->a, args, l->count, out);
}

/* ---- factors --------------------------------------------------------------------------------- */
static bool
in_list(const wri_expr_list *l, const wr_expr *e)
{
    for (uint32_t i = 0; i < l->count; i++)
        if (wr_expr_equal(l->items[i], e)) return true;
    return false;
}

/* OR(AND(a, b), AND(a, c)): a, then OR(b, c). */
static wr_status
factor_or(wri_rules *r, wr_expr *e, wri_expr_list *out)
{
    wri_expr_list *each = WR_NEW_N(r->a, wri_expr_list, e->arg_count + 1), common = {0};
    wr_expr **rest = WR_NEW_N(r->a, wr_expr *, e->arg_count + 1), *left;
    WR_TRY_ALLOC(r->ctx, each);
    WR_TRY_ALLOC(r->ctx, rest);
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!wri_rex_conjuncts(r->a, e->args[i], &each[i])) goto nomem;
    for (uint32_t k = 0; k < each[0].count; k++) {
        bool all = true;
        for (uint32_t i = 1; i < e->arg_count && all; i++)
            all = in_list(&each[i], each[0].items[k]);
        if (all && !wr_list_push(r->a, &common, each[0].items[k])) goto nomem;
    }
    for (uint32_t k = 0; k < common.count; k++)
        if (!wr_list_push(r->a, out, common.items[k])) goto nomem;
    if (common.count == 0) {
        if (wr_list_push(r->a, out, e)) return WR_OK;
        goto nomem;
    }
    for (uint32_t i = 0; i < e->arg_count; i++) {
        wri_expr_list own = {0};
        for (uint32_t k = 0; k < each[i].count; k++)
            if (!in_list(&common, each[i].items[k]) && !wr_list_push(r->a, &own, each[i].items[k]))
                goto nomem;
        if (own.count == 0) return WR_OK; /* this branch asks for nothing more */
        WR_TRY(wri_rex_and_all(r, &own, &rest[i]));
    }
    WR_TRY(wr_expr_or(r->ctx, r->a, rest, e->arg_count, &left));
    if (wr_list_push(r->a, out, left)) return WR_OK;
nomem:
    return wr_raise(r->ctx, WR_NOMEM, "out of memory");
}

wr_status
wri_rex_factors(wri_rules *r, wr_expr *cond, wri_expr_list *out)
{
    wri_expr_list all = {0};
    if (!wri_rex_conjuncts(r->a, cond, &all)) return wr_raise(r->ctx, WR_NOMEM, "out of memory");
    for (uint32_t i = 0; i < all.count; i++) {
        if (all.items[i]->kind == WR_EX_OR && all.items[i]->arg_count > 1)
            WR_TRY(factor_or(r, all.items[i], out));
        else if (!wr_list_push(r->a, out, all.items[i]))
            return wr_raise(r->ctx, WR_NOMEM, "out of memory");
    }
    return WR_OK;
}

/* x IS NULL AND y IS NULL, in either order. */
static bool
both_null(const wr_expr *e, const wr_expr *x, const wr_expr *y)
{
    if (e->kind != WR_EX_AND || e->arg_count != 2) return false;
    for (uint32_t i = 0; i < 2; i++)
        if (!wri_rex_is_call(e->args[i], "IS NULL")) return false;
    const wr_expr *a = e->args[0]->args[0], *b = e->args[1]->args[0];
    return (wr_expr_equal(a, x) && wr_expr_equal(b, y)) ||
           (wr_expr_equal(a, y) && wr_expr_equal(b, x));
}

wr_status
wri_rex_null_equal(wri_rules *r, wr_expr **e)
{
    if ((*e)->kind != WR_EX_OR || (*e)->arg_count != 2) return WR_OK;
    for (uint32_t i = 0; i < 2; i++) {
        const wr_expr *eq = (*e)->args[i], *nulls = (*e)->args[1 - i];
        if (!wri_rex_is_call(eq, "=") || !both_null(nulls, eq->args[0], eq->args[1])) continue;
        return wri_rex_call2(r, "IS NOT DISTINCT FROM", eq->args[0], eq->args[1], e);
    }
    return WR_OK;
}
