/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that take columns of their left neighbours: UNNEST and table functions become CORRELATE,
 * LATERAL (query) a lateral JOIN whose right side refers to the left row by WR_EX_OUTER. */
#include "plan/bind_int.h"

bool
wri_bind_is_lateral(const wri_binder *b, const wr_ast *t)
{
    if (t->kind == WR_AST_UNNEST) return true;
    if (wri_bind_is_call_table(b, t) || wri_bind_is_window(t) || wri_bind_is_changelog(t))
        return false;
    if (t->kind == WR_AST_TABLE_FUNC)
        return WR_AST_AS(wr_ast_table_func, WR_AST_TABLE_FUNC, t)->lateral;
    return t->kind == WR_AST_DERIVED && WR_AST_AS(wr_ast_derived, WR_AST_DERIVED, t)->lateral;
}

/* ---- calls of table functions ---------------------------------------------------------------- */
static wr_status
columns_of(wri_binder *b, const wr_expr *call, wr_schema *out)
{
    const wr_type **types = WR_NEW_N(b->a, const wr_type *, call->arg_count + 1);
    wr_span *spans = WR_NEW_N(b->a, wr_span, call->arg_count + 1);
    WR_TRY_ALLOC(b->ctx, types);
    WR_TRY_ALLOC(b->ctx, spans);
    for (uint32_t i = 0; i < call->arg_count; i++) {
        types[i] = call->args[i]->type;
        spans[i] = call->args[i]->span;
    }
    wr_fn_bind bind = {.arena = b->a,
                       .fn = call->fn,
                       .called_as = wr_str_c(call->fn->name),
                       .arg_count = call->arg_count,
                       .arg_types = types,
                       .args = (const wr_expr *const *)call->args,
                       .arg_spans = spans,
                       .span = call->span,
                       .env = b->env->eval,
                       .data = call->fn_data};
    return call->fn->table->schema(b->ctx, &bind, out);
}

/* A scalar element is called EXPR$0, or what the table is called; entries of a map KEY and VALUE;
 * rows have their fields' names; WITH ORDINALITY adds ORDINALITY. */
static wr_status
name_unnested(wri_binder *b, const wr_type *t, bool ordinality, wr_str alias, wr_schema *s)
{
    wr_field *fields = WR_NEW_N(b->a, wr_field, s->count + 1);
    WR_TRY_ALLOC(b->ctx, fields);
    for (uint32_t i = 0; i < s->count; i++) fields[i] = s->fields[i];
    const wr_type *element = wr_type_is(t, WR_T_MAP) ? NULL : t->fields[0].type;
    bool row = element && (wr_type_is(element, WR_T_ROW) || wr_type_is(element, WR_T_STRUCTURED));
    if (!element) {
        fields[0].name = WR_STR("KEY");
        fields[1].name = WR_STR("VALUE");
    } else if (row) {
        for (uint32_t i = 0; i < element->field_count; i++)
            fields[i].name = element->fields[i].name;
    } else {
        fields[0].name = alias.len ? alias : WR_STR("EXPR$0");
    }
    if (ordinality) fields[s->count - 1].name = WR_STR("ORDINALITY");
    s->fields = fields;
    return WR_OK;
}

static wr_status
unnest_call(wri_binder *b, const wri_where *w, const wr_ast_unnest *u, wr_expr **call,
            wr_schema *columns)
{
    wr_span span = wri_bind_span(b, &u->base);
    if (u->args.count != 1)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span, "UNNEST takes one argument");
    wr_expr **args = WR_NEW_N(b->a, wr_expr *, 1);
    WR_TRY_ALLOC(b->ctx, args);
    WR_TRY(wri_bind_expr_as(b, w, u->args.items[0], NULL, &args[0]));
    const wr_type *t = args[0]->type;
    if (!wr_type_is(t, WR_T_ARRAY) && !wr_type_is(t, WR_T_MAP) && !wr_type_is(t, WR_T_MULTISET))
        return wr_raise_at(b->ctx, WR_TYPE, span,
                           "Cannot apply 'UNNEST' to arguments of type 'UNNEST(<%.*s>)'. Supported "
                           "form(s): 'UNNEST(<MULTISET>)'\n'UNNEST(<ARRAY>)'\n'UNNEST(<MAP>)'",
                           WR_STR_ARG(wr_type_str(t, WR_TYPE_CALCITE, b->a)));
    const char *name = u->with_ordinality ? WRI_FN_UNNEST_ORDINALITY : WRI_FN_UNNEST;
    WR_TRY(wri_bind_fn(b, name, args, 1, span, call));
    WR_TRY(columns_of(b, *call, columns));
    wr_str alias = u->as.columns.count ? WR_STR("") : u->as.name.name;
    return name_unnested(b, t, u->with_ordinality, alias, columns);
}

static wr_status
refuse_function(wri_binder *b, const wri_where *w, const wr_ast_call *c)
{
    wr_span span = wri_bind_span(b, &c->base);
    wr_str name = c->name->parts[c->name->part_count - 1].name;
    static const char *const later[] = {"ML_PREDICT", "ML_EVALUATE", "VECTOR_SEARCH", "SNAPSHOT"};
    for (uint32_t i = 0; i < WR_COUNT(later); i++)
        if (wr_str_eq_nocase(name, wr_str_c(later[i])))
            return wri_bind_unsupported(b, span, later[i]);
    if (wr_fn_find(name))
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "Function '%.*s' cannot be used as a table function.", WR_STR_ARG(name));
    for (uint32_t i = 0; i < c->args.count; i++)
        if (c->args.items[i]->kind == WR_AST_TABLE_ARG) {
            wri_bind_window_names(b, name);
            return wr_raise_at(b->ctx, WR_NAME, span, "No match found for function signature %.*s",
                               WR_STR_ARG(name));
        }
    wr_expr *e = NULL;
    return wri_bind_call(b, w, c, &e);
}

static wr_status
function_call(wri_binder *b, const wri_where *w, const wr_ast_table_func *f, wr_expr **call,
              wr_schema *columns)
{
    const wr_ast_call *c = WR_AST_AS(wr_ast_call, WR_AST_CALL, f->call);
    const wr_fn *fn = c->name->part_count == 1 ? wr_fn_find(c->name->parts[0].name) : NULL;
    wr_expr **args = NULL;
    uint32_t n = 0;
    if (!fn || fn->kind != WR_FN_TABLE) return refuse_function(b, w, c);
    WR_TRY(wri_bind_args(b, w, c, fn, &args, &n));
    WR_TRY(wri_bind_fn_as(b, fn, c->name->parts[0].name, args, n, NULL, wri_bind_span(b, &c->base),
                          call));
    return columns_of(b, *call, columns);
}

static wr_status
any_call(wri_binder *b, const wri_where *w, const wr_ast *t, wr_expr **call, wr_schema *columns,
         const wr_ast_as **as, wr_str *name)
{
    *name = WR_STR("");
    if (t->kind == WR_AST_UNNEST) {
        const wr_ast_unnest *u = WR_AST_AS(wr_ast_unnest, WR_AST_UNNEST, t);
        *as = &u->as;
        return unnest_call(b, w, u, call, columns);
    }
    const wr_ast_table_func *f = WR_AST_AS(wr_ast_table_func, WR_AST_TABLE_FUNC, t);
    *as = &f->as;
    return function_call(b, w, f, call, columns);
}

/* The right side's own scope, for aliases and names. */
static wr_status
function_scope(wri_binder *b, const wr_ast *t, const wr_ast_as *as, wr_str name,
               const wr_schema *columns, wri_from *out)
{
    wr_rel *rel = wri_rel_empty(b->a, columns);
    WR_TRY_ALLOC(b->ctx, rel);
    b->raw_names = NULL;
    return wri_bind_as(b, as, name, NULL, wri_bind_span(b, t), rel, NULL, out);
}

wr_status
wri_bind_table_fn(wri_binder *b, const wr_ast *t, const wri_scope *outer, wri_from *out)
{
    wri_scope nothing = {.outer = outer};
    wri_where w = {.scope = &nothing, .clause = "FROM"};
    wr_expr *call = NULL;
    wr_schema columns;
    const wr_ast_as *as = NULL;
    wr_str name;
    wri_from right;
    if (wri_bind_is_call_table(b, t)) return wri_bind_call_table(b, t, outer, out);
    if (wri_bind_is_window(t)) return wri_bind_window(b, t, outer, out);
    if (wri_bind_is_changelog(t)) return wri_bind_changelog(b, t, outer, out);
    WR_TRY(any_call(b, &w, t, &call, &columns, &as, &name));
    WR_TRY(function_scope(b, t, as, name, &columns, &right));
    wr_rel *one = wri_rel_one_row(b->a);
    WR_TRY_ALLOC(b->ctx, one);
    wr_rel *rel = wri_rel_correlate(b->a, WR_JOIN_INNER, one, call, &right.rel->schema, NULL);
    WR_TRY_ALLOC(b->ctx, rel);
    uint32_t n = columns.count;
    wr_expr **exprs = WR_NEW_N(b->a, wr_expr *, n + 1);
    wr_str *names = WR_NEW_N(b->a, wr_str, n + 1);
    WR_TRY_ALLOC(b->ctx, exprs);
    WR_TRY_ALLOC(b->ctx, names);
    for (uint32_t i = 0; i < n; i++) {
        exprs[i] = wri_rex_col(b->a, rel, i + 1);
        names[i] = right.rel->schema.fields[i].name;
    }
    *out = right;
    out->rel = wri_rel_project(b->a, rel, exprs, names, n);
    WR_TRY_ALLOC(b->ctx, out->rel);
    out->rel->alias = right.rel->alias;
    out->scope.outer = outer;
    return WR_OK;
}

/* ---- LATERAL --------------------------------------------------------------------------------- */
static wr_status
on_condition(wri_binder *b, const wri_from *l, const wri_from *r, const wr_ast_join *j,
             wr_expr **out)
{
    *out = NULL;
    if (!j->on) return WR_OK;
    wr_rel *inner = wri_rel_join(b->a, WR_JOIN_INNER, l->rel, r->rel, NULL);
    wri_scope both;
    WR_TRY_ALLOC(b->ctx, inner);
    WR_TRY(wri_bind_scope_join(b, &l->scope, &r->scope, inner, &both));
    wri_where w = {.scope = &both, .clause = "ON"};
    return wri_bind_cond(b, &w, j->on, "ON", out);
}

static wr_status
lateral_function(wri_binder *b, wri_from *left, const wr_ast *t, const wr_ast_join *j,
                 wr_join_type type, wri_from *out)
{
    wri_where w = {.scope = &left->scope, .clause = "FROM"};
    wr_expr *call = NULL, *cond = NULL;
    wr_schema columns;
    const wr_ast_as *as = NULL;
    wr_str name;
    wri_from right;
    uint32_t lo, hi;
    WR_TRY(any_call(b, &w, t, &call, &columns, &as, &name));
    if (!wri_rex_col_range(call, &lo, &hi)) { /* does not depend on the left row: a plain join */
        WR_TRY(wri_bind_table_fn(b, t, left->scope.outer, &right));
        WR_TRY(on_condition(b, left, &right, j, &cond));
        out->rel = wri_rel_join(b->a, type, left->rel, right.rel, cond);
        WR_TRY_ALLOC(b->ctx, out->rel);
        return wri_bind_scope_join(b, &left->scope, &right.scope, out->rel, &out->scope);
    }
    WR_TRY(function_scope(b, t, as, name, &columns, &right));
    WR_TRY(on_condition(b, left, &right, j, &cond));
    out->rel = wri_rel_correlate(b->a, type, left->rel, call, &right.rel->schema, cond);
    WR_TRY_ALLOC(b->ctx, out->rel);
    return wri_bind_scope_join(b, &left->scope, &right.scope, out->rel, &out->scope);
}

static wr_status
lateral_query(wri_binder *b, wri_from *left, const wr_ast_derived *d, const wr_ast_join *j,
              wr_join_type type, wri_from *out)
{
    wri_from right;
    wr_rel *rel = NULL;
    wr_expr *cond = NULL;
    wri_hint_use *hints = b->hints;
    uint32_t hint_count = b->hint_count;
    b->level++;
    wr_status status = wri_bind_any_query(b, d->query, &left->scope, &rel);
    b->level--;
    if (status != WR_OK) return status;
    b->hints = hints;
    b->hint_count = hint_count;
    bool lateral = wri_rel_is_correlated(rel);
    if (!lateral) { /* refers at most to what is further out: one level less */
        wr_str *raw = b->raw_names;
        rel = wri_rel_shift_outer(b->a, rel, -1);
        WR_TRY_ALLOC(b->ctx, rel);
        b->raw_names = raw;
    }
    WR_TRY(wri_bind_as(b, &d->as, WR_STR(""), NULL, wri_bind_span(b, &d->base), rel, NULL, &right));
    WR_TRY(on_condition(b, left, &right, j, &cond));
    out->rel = wri_rel_join(b->a, type, left->rel, right.rel, cond);
    WR_TRY_ALLOC(b->ctx, out->rel);
    out->rel->u.join.lateral = lateral;
    return wri_bind_scope_join(b, &left->scope, &right.scope, out->rel, &out->scope);
}

/* What stands on the right of a RIGHT or FULL join cannot depend on the left row. */
wr_status
wri_bind_check_outer(wri_binder *b, wri_from *left, const wr_ast *right, wr_join_type type)
{
    wri_where w = {.scope = &left->scope, .clause = "FROM"};
    bool depends;
    uint32_t lo, hi;
    if (right->kind == WR_AST_DERIVED) {
        wr_rel *rel = NULL;
        b->level++;
        wr_status status = wri_bind_any_query(
            b, WR_AST_AS(wr_ast_derived, WR_AST_DERIVED, right)->query, &left->scope, &rel);
        b->level--;
        b->raw_names = NULL;
        if (status != WR_OK) return status;
        depends = wri_rel_is_correlated(rel);
    } else {
        wr_expr *call = NULL;
        wr_schema columns;
        const wr_ast_as *as = NULL;
        wr_str name;
        WR_TRY(any_call(b, &w, right, &call, &columns, &as, &name));
        depends = wri_rex_col_range(call, &lo, &hi);
    }
    if (!depends) return WR_OK;
    return wr_raise_at(b->ctx, WR_UNSUPPORTED, wri_bind_span(b, right), "Unknown join type %s",
                       type == WR_JOIN_RIGHT ? "RIGHT" : "FULL");
}

wr_status
wri_bind_lateral(wri_binder *b, wri_from *left, const wr_ast *right, const wr_ast_join *join,
                 wr_join_type type, wri_from *out)
{
    if (right->kind == WR_AST_DERIVED)
        return lateral_query(b, left, WR_AST_AS(wr_ast_derived, WR_AST_DERIVED, right), join, type,
                             out);
    return lateral_function(b, left, right, join, type, out);
}
