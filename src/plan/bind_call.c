/* SPDX-License-Identifier: Apache-2.0 */
/* Function calls: looking the name up, named and DEFAULT arguments, the clauses of JSON functions,
 * aggregates and grouping functions. Special syntax arrives from the parser as ordinary arguments
 * in the order that spi/function.h states. */
#include "plan/bind_int.h"

static bool
is_agg_name(wr_str name)
{
    const wr_fn *fn = wr_fn_find(name);
    return fn && fn->kind == WR_FN_AGGREGATE;
}

static bool
is_grouping_name(wr_str name)
{
    return wr_str_eq_nocase(name, WR_STR("GROUPING")) ||
           wr_str_eq_nocase(name, WR_STR("GROUPING_ID")) ||
           wr_str_eq_nocase(name, WR_STR("GROUP_ID"));
}

static bool
see_aggregate(void *arg, const wr_ast *e)
{
    if (*(bool *)arg || wr_ast_is_query(e)) return false;
    if (e->kind != WR_AST_CALL) return true;
    const wr_ast_call *c = WR_AST_AS(wr_ast_call, WR_AST_CALL, e);
    bool over = c->over || c->over_name.name.ptr;
    if (!over && c->name->part_count == 1 && is_agg_name(c->name->parts[0].name))
        *(bool *)arg = true;
    return !*(bool *)arg;
}

bool
wri_bind_has_aggregate(const wr_ast *e)
{
    bool found = false;
    wr_ast_walk(e, see_aggregate, &found);
    return found;
}

/* ---- arguments ------------------------------------------------------------------------------- */
static wr_status
place_named(wri_binder *b, const wr_ast_call *c, const wr_fn *fn, const wr_ast_named_arg *n,
            uint32_t *at)
{
    wr_span span = wri_bind_part_span(b, n->name.span);
    if (!fn->arg_names)
        return wr_raise_at(b->ctx, WR_NAME, span, "the arguments of function %s have no names",
                           fn->name);
    int32_t max = fn->max_args < 0 ? fn->min_args : fn->max_args;
    for (int32_t i = 0; i < max && fn->arg_names[i]; i++)
        if (wr_str_eq_c(n->name.name, fn->arg_names[i])) {
            *at = (uint32_t)i;
            return WR_OK;
        }
    wr_status status = wr_raise_at(b->ctx, WR_NAME, span, "function %s has no argument '%.*s'",
                                   fn->name, WR_STR_ARG(n->name.name));
    for (int32_t i = 0; i < max && fn->arg_names[i]; i++)
        wr_candidate(b->ctx, n->name.name, wr_str_c(fn->arg_names[i]));
    (void)c;
    return status;
}

static bool
is_default(const wr_ast *e)
{
    return e->kind == WR_AST_LITERAL &&
           WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, e)->lit == WR_SQL_LIT_DEFAULT;
}

/* Arguments by position: named ones moved to their place; DEFAULT and gaps only at the end. */
wr_status
wri_bind_args(wri_binder *b, const wri_where *w, const wr_ast_call *c, const wr_fn *fn,
              wr_expr ***args, uint32_t *count)
{
    uint32_t room = c->args.count;
    if (fn->max_args > (int32_t)room) room = (uint32_t)fn->max_args;
    wr_expr **out = WR_NEW_N(b->a, wr_expr *, room + 1);
    WR_TRY_ALLOC(b->ctx, out);
    *args = out;
    *count = 0;
    for (uint32_t i = 0; i < c->args.count; i++) {
        const wr_ast *e = c->args.items[i];
        uint32_t at = i;
        if (e->kind == WR_AST_NAMED_ARG) {
            const wr_ast_named_arg *n = WR_AST_AS(wr_ast_named_arg, WR_AST_NAMED_ARG, e);
            WR_TRY(place_named(b, c, fn, n, &at));
            e = n->value;
        }
        if (out[at])
            return wr_raise_at(b->ctx, WR_NAME, wri_bind_span(b, e),
                               "Duplicate argument name: argument %u of %s is given twice", at + 1,
                               fn->name);
        if (is_default(e)) continue;
        WR_TRY(wri_bind_expr(b, w, e, &out[at]));
        if (at + 1 > *count) *count = at + 1;
    }
    for (uint32_t i = 0; i < *count; i++)
        if (!out[i])
            return wr_raise_at(b->ctx, WR_TYPE, wri_bind_span(b, &c->base),
                               "No match found for function signature %s: argument %u is missing",
                               fn->name, i + 1);
    return WR_OK;
}

/* ---- JSON ------------------------------------------------------------------------------------ */
static const char *
behaviour(wr_sql_json_behaviour x, const char *if_none)
{
    switch (x) {
    case WR_SQL_JSON_NONE:
        return if_none;
    case WR_SQL_JSON_NULL:
        return "NULL";
    case WR_SQL_JSON_ERROR:
        return "ERROR";
    case WR_SQL_JSON_DEFAULT:
        return "DEFAULT";
    case WR_SQL_JSON_TRUE:
        return "TRUE";
    case WR_SQL_JSON_FALSE:
        return "FALSE";
    case WR_SQL_JSON_UNKNOWN:
        return "UNKNOWN";
    case WR_SQL_JSON_EMPTY_ARRAY:
        return "EMPTY_ARRAY";
    case WR_SQL_JSON_EMPTY_OBJECT:
        return "EMPTY_OBJECT";
    }
    WR_UNREACHABLE();
}

static wr_status
push_symbol(wri_binder *b, wri_expr_list *l, const char *text)
{
    wr_expr *e = wr_expr_symbol(b->a, text, WR_NO_SPAN);
    WR_TRY_ALLOC(b->ctx, e);
    return wr_list_push(b->a, l, e) ? WR_OK : wr_raise(b->ctx, WR_NOMEM, "out of memory");
}

static wr_status
push_value(wri_binder *b, const wri_where *w, wri_expr_list *l, const wr_ast *e)
{
    wr_expr *x = NULL;
    if (e) {
        WR_TRY(wri_bind_expr(b, w, e, &x));
    } else {
        wr_value v = wr_value_null(wr_type_of(WR_T_NULL, true));
        x = wr_expr_literal(b->a, &v, WR_NO_SPAN);
        WR_TRY_ALLOC(b->ctx, x);
    }
    return wr_list_push(b->a, l, x) ? WR_OK : wr_raise(b->ctx, WR_NOMEM, "out of memory");
}

static bool
yields_json(const wr_expr *e)
{
    return wri_rex_is_call(e, "JSON_OBJECT") || wri_rex_is_call(e, "JSON_ARRAY") ||
           wri_rex_is_call(e, "JSON") || wri_rex_is_call(e, "JSON_QUERY");
}

/* The clauses of JSON_VALUE, JSON_QUERY, JSON_EXISTS behind their two operands. */
static wr_status
push_clauses(wri_binder *b, const wri_where *w, const wr_ast_json *j, wr_str name, wri_expr_list *l)
{
    static const char *const wrappers[] = {"WITHOUT", "WITHOUT", "CONDITIONAL", "UNCONDITIONAL"};
    if (wr_str_eq_nocase(name, WR_STR("JSON_EXISTS")))
        return push_symbol(b, l, behaviour(j->on_error, "FALSE"));
    if (wr_str_eq_nocase(name, WR_STR("JSON_VALUE"))) {
        WR_TRY(push_symbol(b, l, behaviour(j->on_empty, "NULL")));
        WR_TRY(push_value(b, w, l, j->empty_value));
        WR_TRY(push_symbol(b, l, behaviour(j->on_error, "NULL")));
        return push_value(b, w, l, j->error_value);
    }
    if (!wr_str_eq_nocase(name, WR_STR("JSON_QUERY"))) return WR_OK;
    WR_TRY(push_symbol(b, l, wrappers[j->wrapper]));
    WR_TRY(push_symbol(b, l, behaviour(j->on_empty, "NULL")));
    return push_symbol(b, l, behaviour(j->on_error, "NULL"));
}

wr_status
wri_bind_json_args(wri_binder *b, const wri_where *w, const wr_ast_call *c, wr_expr ***args,
                   uint32_t *count, wr_call_extra *extra)
{
    static const wr_ast_json none;
    const wr_ast_json *j = c->json ? c->json : &none;
    wr_str name = c->name->parts[0].name;
    bool constructs = wr_str_eq_nocase(name, WR_STR("JSON_OBJECT")) ||
                      wr_str_eq_nocase(name, WR_STR("JSON_OBJECTAGG"));
    bool arrays = wr_str_eq_nocase(name, WR_STR("JSON_ARRAY")) ||
                  wr_str_eq_nocase(name, WR_STR("JSON_ARRAYAGG"));
    wri_expr_list l = {0};
    if (constructs || arrays) {
        bool absent =
            j->nulls == WR_SQL_JSON_NULLS_NONE ? arrays : j->nulls == WR_SQL_JSON_ABSENT_ON_NULL;
        WR_TRY(push_symbol(b, &l, absent ? "ABSENT" : "NULL"));
    }
    uint32_t first = l.count;
    for (uint32_t i = 0; i < c->args.count; i++) WR_TRY(push_value(b, w, &l, c->args.items[i]));
    WR_TRY(push_clauses(b, w, j, name, &l));
    bool *json = WR_NEW_N(b->a, bool, l.count + 1);
    WR_TRY_ALLOC(b->ctx, json);
    for (uint32_t i = first; i < first + c->args.count; i++)
        json[i] = yields_json(l.items[i]) || (i - first < 64 && j->formatted >> (i - first) & 1);
    extra->arg_is_json = json;
    if (j->returning) {
        const wr_type *t = NULL;
        WR_TRY(wri_bind_type_ast(b, j->returning, &t));
        extra->returning = t;
    }
    *args = l.items;
    *count = l.count;
    return WR_OK;
}

/* ---- windows, grouping functions ------------------------------------------------------------- */
static wr_status
push_call(wri_binder *b, wri_group *g, const wri_agg_call *call, const wr_type *t, wr_span span,
          wr_expr **out)
{
    *out = wri_rex_new(b->a, WR_EX_AGG, t, span);
    WR_TRY_ALLOC(b->ctx, *out);
    (*out)->index = g->calls.count;
    if (!wr_list_push(b->a, &g->calls, *call)) return wr_raise(b->ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

static wr_status
bind_grouping(wri_binder *b, const wri_where *w, const wr_ast_call *c, wr_expr **out)
{
    wr_span span = wri_bind_span(b, &c->base);
    wr_str name = c->name->parts[0].name;
    bool id = wr_str_eq_nocase(name, WR_STR("GROUP_ID"));
    if (!w->group || w->in_agg)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "%s operator may only occur in an aggregate query",
                           id ? "GROUP_ID" : "GROUPING");
    if (!id && c->args.count == 0)
        return wr_raise_at(b->ctx, WR_TYPE, span,
                           "Invalid number of arguments to function '%.*s'. Was expecting 1 "
                           "arguments",
                           WR_STR_ARG(name));
    wri_agg_call call = {.kind = id ? WRI_GROUP_ID : WRI_GROUPING, .ast = &c->base};
    wri_where inner = *w;
    inner.group = NULL;
    inner.clause = "GROUPING";
    call.args = WR_NEW_N(b->a, wr_expr *, c->args.count + 1);
    WR_TRY_ALLOC(b->ctx, call.args);
    for (uint32_t i = 0; i < c->args.count; i++) {
        WR_TRY(wri_bind_expr(b, &inner, c->args.items[i], &call.args[i]));
        bool grouped = false;
        for (uint32_t k = 0; k < w->group->key_count; k++)
            grouped |= wr_expr_equal(w->group->keys[k], call.args[i]);
        if (!grouped)
            return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, c->args.items[i]),
                               "Argument to GROUPING operator must be a grouped expression");
    }
    call.arg_count = c->args.count;
    return push_call(b, w->group, &call, wr_type_of(WR_T_BIGINT, false), span, out);
}

static wr_status
bind_window_prop(wri_binder *b, const wri_where *w, const wr_ast_call *c, wr_expr **out)
{
    wri_agg_call call;
    const wr_type *type;
    WR_TRY(wri_bind_group_window_call(b, w, c, &call, &type));
    return push_call(b, w->group, &call, type, wri_bind_span(b, &c->base), out);
}

/* ---- aggregates ------------------------------------------------------------------------------ */
static wr_status
check_aggregate(wri_binder *b, const wri_where *w, const wr_ast_call *c, const wr_fn *fn)
{
    wr_span span = wri_bind_span(b, &c->base);
    if (w->in_agg)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span, "Aggregate expressions cannot be nested");
    if (!w->group && w->clause && strcmp(w->clause, "ORDER BY") == 0)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "Aggregate expression is illegal in ORDER BY clause of non-aggregating "
                           "SELECT");
    if (!w->group)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "Aggregate expression is illegal in %s clause",
                           w->clause ? w->clause : "this");
    for (uint32_t i = 0; i < c->args.count; i++)
        if (wri_bind_has_aggregate(c->args.items[i]) || wri_bind_has_over(c->args.items[i]))
            return wr_raise_at(b->ctx, WR_SEMANTIC, span, "Aggregate expressions cannot be nested");
    if (c->filter && wri_bind_has_aggregate(c->filter))
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "FILTER must not contain aggregate expression");
    if (c->within_group.count && strcmp(fn->name, "JSON_ARRAYAGG") != 0)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "Aggregate expression '%s' must not contain a WITHIN GROUP clause",
                           fn->name);
    if (c->within_distinct.count) return wri_bind_unsupported(b, span, "WITHIN DISTINCT");
    return WR_OK;
}

/* COUNT(*), and COUNT of what can't be NULL, have no argument; Flink counts one field at most. */
static wr_status
count_args(wri_binder *b, const wr_ast_call *c, wr_expr **args, uint32_t *n, bool distinct)
{
    if (distinct) {
        if (*n > 1)
            return wr_raise_at(b->ctx, WR_UNSUPPORTED, wri_bind_span(b, &c->base),
                               "We now only support the count of one field.");
        return WR_OK;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *n; i++)
        if (args[i]->type->nullable) args[kept++] = args[i];
    *n = kept;
    if (kept > 1)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, wri_bind_span(b, &c->base),
                           "We now only support the count of one field.");
    return WR_OK;
}

/* ARRAY_AGG(x ORDER BY y): Flink checks the clause and aggregates in order of arrival all the same.
 */
static wr_status
ignored_order(wri_binder *b, const wri_where *w, const wr_ast_list *order, const wr_fn *fn)
{
    for (uint32_t i = 0; i < order->count; i++) {
        wr_expr *e = NULL;
        WR_TRY(wri_bind_expr_as(
            b, w, WR_AST_AS(wr_ast_order_item, WR_AST_ORDER_ITEM, order->items[i])->expr, NULL,
            &e));
    }
    if (order->count)
        wr_notice(b->ctx,
                  "ORDER BY inside %s has no effect, as in Flink: rows are aggregated as "
                  "they arrive",
                  fn->name);
    return WR_OK;
}

static wr_status
aggregate_args(wri_binder *b, const wri_where *w, const wr_ast_call *c, const wr_fn *fn,
               wri_agg_call *call, wr_call_extra *extra)
{
    wri_where inner = *w;
    inner.in_agg = true;
    bool count = strcmp(fn->name, "COUNT") == 0;
    bool star = c->args.count == 1 && c->args.items[0]->kind == WR_AST_IDENT &&
                WR_AST_AS(wr_ast_ident, WR_AST_IDENT, c->args.items[0])->star &&
                WR_AST_AS(wr_ast_ident, WR_AST_IDENT, c->args.items[0])->part_count == 0;
    call->args = WR_NEW_N(b->a, wr_expr *, 1);
    WR_TRY_ALLOC(b->ctx, call->args);
    if (count && star) return WR_OK;
    WR_TRY(ignored_order(b, &inner, &c->order_by, fn));
    WR_TRY(ignored_order(b, &inner, &c->within_group, fn));
    if (count && c->args.count == 0)
        return wr_raise_at(b->ctx, WR_TYPE, wri_bind_span(b, &c->base),
                           "Invalid number of arguments to function 'COUNT'. Was expecting 1 "
                           "arguments");
    if (c->syntax == WR_SQL_CALL_JSON)
        WR_TRY(wri_bind_json_args(b, &inner, c, &call->args, &call->arg_count, extra));
    else
        WR_TRY(wri_bind_args(b, &inner, c, fn, &call->args, &call->arg_count));
    for (uint32_t i = 0; i < call->arg_count; i++)
        if (wri_bind_is_null_expr(call->args[i]))
            return wr_raise_at(b->ctx, WR_TYPE, call->args[i]->span, "Illegal use of 'NULL'");
    if (count && call->arg_count)
        WR_TRY(
            count_args(b, c, call->args, &call->arg_count, c->quantifier == WR_SQL_QUANT_DISTINCT));
    return WR_OK;
}

static bool
same_call(const wri_agg_call *x, const wri_agg_call *y)
{
    if (x->kind != WRI_AGG || y->kind != WRI_AGG || x->bound.fn != y->bound.fn ||
        x->bound.distinct != y->bound.distinct || x->bound.ignore_nulls != y->bound.ignore_nulls ||
        x->arg_count != y->arg_count || !x->filter != !y->filter)
        return false;
    for (uint32_t i = 0; i < x->arg_count; i++)
        if (!wr_expr_equal(x->args[i], y->args[i])) return false;
    return !x->filter || wr_expr_equal(x->filter, y->filter);
}

/* A group has at least one row, unless there is an empty grouping set. */
static bool
never_empty(const wri_group *g)
{
    if (g->window) return true;
    if (g->key_count == 0) return false;
    for (uint32_t s = 0; s < g->set_count; s++)
        if (g->sets[s] == 0) return false;
    return true;
}

/* An extreme or a chosen value of a time attribute is shown as one (see rule_time.c). */
static wr_status
keep_time(wri_binder *b, wri_agg_call *call)
{
    static const char *const names[] = {"MIN", "MAX", "FIRST_VALUE", "LAST_VALUE"};
    if (call->arg_count == 0 || call->args[0]->type->attr == WR_ATTR_NONE) return WR_OK;
    for (uint32_t i = 0; i < WR_COUNT(names); i++) {
        if (strcmp(call->bound.fn->name, names[i]) != 0) continue;
        wr_timeattr attr = (wr_timeattr)call->args[0]->type->attr;
        call->bound.type = wr_type_attr(b->a, call->bound.type, attr);
        WR_TRY_ALLOC(b->ctx, call->bound.type);
    }
    return WR_OK;
}

wr_status
wri_bind_aggregate(wri_binder *b, const wri_where *w, const wr_ast_call *c, const wr_fn *fn,
                   wr_expr **out)
{
    wr_span span = wri_bind_span(b, &c->base);
    wr_call_extra extra = {0};
    wri_agg_call call = {.kind = WRI_AGG, .ast = &c->base};
    WR_TRY(check_aggregate(b, w, c, fn));
    WR_TRY(aggregate_args(b, w, c, fn, &call, &extra));
    if (c->filter) {
        wri_where inner = *w;
        inner.in_agg = true;
        if (wri_bind_is_null_ast(c->filter))
            return wr_raise_at(b->ctx, WR_TYPE, wri_bind_span(b, c->filter),
                               "Illegal use of 'NULL'");
        WR_TRY(wri_bind_cond(b, &inner, c->filter, "FILTER", &call.filter));
        if (call.filter->type->nullable)
            WR_TRY(wri_rex_call1(&b->r, "IS TRUE", call.filter, &call.filter));
    }
    WR_TRY(wr_agg_resolve(b->ctx, b->a, b->env->eval, fn, c->name->parts[0].name, call.args,
                          call.arg_count, c->quantifier == WR_SQL_QUANT_DISTINCT,
                          c->nulls == WR_SQL_TREAT_IGNORE, never_empty(w->group) && !c->filter,
                          &extra, span, &call.bound));
    call.bound.fn = fn;
    WR_TRY(keep_time(b, &call));
    bool extreme =
        strcmp(call.bound.fn->name, "MIN") == 0 || strcmp(call.bound.fn->name, "MAX") == 0;
    call.bound.distinct |= c->quantifier == WR_SQL_QUANT_DISTINCT;
    call.bound.distinct &= !extreme; /* repetition makes no difference */
    call.bound.ignore_nulls = c->nulls == WR_SQL_TREAT_IGNORE;
    call.bound.span = span;
    for (uint32_t i = 0; i < w->group->calls.count; i++)
        if (same_call(&w->group->calls.items[i], &call)) {
            *out = wri_rex_new(b->a, WR_EX_AGG, w->group->calls.items[i].bound.type, span);
            WR_TRY_ALLOC(b->ctx, *out);
            (*out)->index = i;
            return WR_OK;
        }
    return push_call(b, w->group, &call, call.bound.type, span, out);
}

/* ---- scalar calls ---------------------------------------------------------------------------- */
static wr_status
bind_scalar(wri_binder *b, const wri_where *w, const wr_ast_call *c, const wr_fn *fn, wr_expr **out)
{
    wr_span span = wri_bind_span(b, &c->base);
    wr_str name = c->name->parts[0].name;
    wr_expr **args = NULL;
    uint32_t n = 0;
    wr_call_extra extra = {0};
    if (c->quantifier != WR_SQL_QUANT_NONE)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span, "DISTINCT/ALL not allowed with %s function",
                           fn->name);
    if (c->filter)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "FILTER must be applied to aggregate function");
    if (c->syntax == WR_SQL_CALL_JSON)
        WR_TRY(wri_bind_json_args(b, w, c, &args, &n, &extra));
    else
        WR_TRY(wri_bind_args(b, w, c, fn, &args, &n));
    for (uint32_t i = 0; i < n; i++)
        if (wri_bind_is_null_expr(args[i]) && !wr_fn_takes_null(fn, i))
            return wr_raise_at(b->ctx, WR_TYPE, args[i]->span, "Illegal use of 'NULL'");
    return wri_bind_fn_as(b, fn, name, args, n, &extra, span, out);
}

/* Functions of users are known to the catalogs, but nothing runs them yet. */
static wr_status
refuse_user_function(wri_binder *b, const wr_ast_call *c)
{
    wr_str parts[3] = {{0}};
    wr_table_id id;
    const wr_function_desc *f = NULL;
    for (uint32_t i = 0; i < c->name->part_count && i < 3; i++) parts[i] = c->name->parts[i].name;
    if (c->name->part_count > 3) return WR_OK;
    WR_TRY(wr_catalogs_qualify(b->ctx, b->env->catalogs, parts, c->name->part_count,
                               wri_bind_span(b, &c->name->base), &id));
    wr_function_id fid = {.catalog = id.catalog, .database = id.database, .name = id.name};
    WR_TRY(wr_catalogs_find_function(b->ctx, b->env->catalogs, &fid, &f));
    if (!f) return WR_OK;
    return wr_raise_at(b->ctx, WR_UNSUPPORTED, wri_bind_span(b, &c->base),
                       "not supported yet: user-defined functions in %.*s",
                       WR_STR_ARG(f->language));
}

static wr_status
unknown_function(wri_binder *b, const wri_where *w, const wr_ast_call *c)
{
    if (c->syntax == WR_SQL_CALL_BARE)
        return wr_raise_at(b->ctx, WR_NAME, wri_bind_span(b, &c->base),
                           "Column '%.*s' not found in any table",
                           WR_STR_ARG(c->name->parts[0].name));
    WR_TRY(refuse_user_function(b, c));
    wr_expr **args = NULL;
    uint32_t n = 0;
    static const wr_fn any = {.name = "", .min_args = 0, .max_args = -1};
    wr_str name = wri_bind_ident_text(b, c->name);
    WR_TRY(wri_bind_args(b, w, c, &any, &args, &n));
    wr_status status =
        wr_fn_no_match(b->ctx, b->a, name, args, n, NULL, wri_bind_span(b, &c->base));
    wr_fn_candidates(b->ctx, name);
    return status;
}

wr_status
wri_bind_call(wri_binder *b, const wri_where *w, const wr_ast_call *c, wr_expr **out)
{
    wr_span span = wri_bind_span(b, &c->base);
    wr_str name = c->name->parts[c->name->part_count - 1].name;
    if (w->match) {
        bool done = false;
        WR_TRY(wri_match_call(b, w, c, out, &done));
        if (done) return WR_OK;
    } else {
        WR_TRY(wri_match_only(b, c));
    }
    if (c->name->part_count == 1) {
        bool over = c->over || c->over_name.name.ptr;
        if (over && (wr_fn_find(name) || !w->overs)) return wri_bind_over(b, w, c, out);
        if (is_grouping_name(name)) return bind_grouping(b, w, c, out);
        if (wri_bind_is_group_window_name(name)) return bind_window_prop(b, w, c, out);
    }
    const wr_fn *fn = c->name->part_count == 1 ? wr_fn_find(name) : NULL;
    bool no_ident =
        c->syntax == WR_SQL_CALL_BARE && wr_str_eq_nocase(name, WR_STR("CURRENT_CATALOG"));
    if (!fn || no_ident) return unknown_function(b, w, c);
    switch ((wr_fn_kind)fn->kind) {
    case WR_FN_SCALAR:
        return bind_scalar(b, w, c, fn, out);
    case WR_FN_AGGREGATE:
        return wri_bind_aggregate(b, w, c, fn, out);
    case WR_FN_WINDOW:
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "OVER clause is necessary for window functions");
    case WR_FN_TABLE:
        break;
    }
    return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                       "%s is a table function: write it in FROM, as LATERAL TABLE(%s(...))",
                       fn->name, fn->name);
}
