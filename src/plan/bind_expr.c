/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions: names to columns, operators to calls; the typing is expr/'s. Calls with their
 * special syntax are in bind_call.c, sub-queries in bind_subquery.c.
 *
 * In a SELECT with aggregation the expression is bound over the rows of FROM; aggregate calls
 * become WR_EX_AGG, and bind_group.c then replaces what equals a grouping key. */
#include "plan/bind_int.h"

bool
wri_bind_is_null_ast(const wr_ast *e)
{
    return e->kind == WR_AST_LITERAL &&
           WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, e)->lit == WR_SQL_LIT_NULL;
}

bool
wri_bind_is_null_expr(const wr_expr *e)
{
    return e->kind == WR_EX_LITERAL && wr_type_is(e->type, WR_T_NULL);
}

const char *
wri_bind_cmp_name(wr_sql_binop op)
{
    switch ((int)op) {
    case WR_SQL_BINOP_EQ:
        return "=";
    case WR_SQL_BINOP_NE:
        return "<>";
    case WR_SQL_BINOP_LT:
        return "<";
    case WR_SQL_BINOP_LE:
        return "<=";
    case WR_SQL_BINOP_GT:
        return ">";
    case WR_SQL_BINOP_GE:
        return ">=";
    default:
        return NULL;
    }
}

/* A value picked from arguments that are time attributes is shown as one (whether it still is one
 * the rules decide, rule_time.c). */
static wr_status
keep_time(wri_binder *b, wr_expr **args, uint32_t n, wr_expr *e)
{
    uint8_t attr = WR_ATTR_NONE;
    for (uint32_t i = n; i-- > 0;)
        if (args[i]->type->id == e->type->id) attr = (uint8_t)args[i]->type->attr;
    if (attr == WR_ATTR_NONE || e->type->attr != WR_ATTR_NONE) return WR_OK;
    e->type = wr_type_attr(b->a, e->type, (wr_timeattr)attr);
    WR_TRY_ALLOC(b->ctx, e->type);
    return WR_OK;
}

static bool
picks_argument(wr_str name)
{
    static const char *const names[] = {"+",        "-",     "IF",     "COALESCE", "IFNULL",
                                        "GREATEST", "LEAST", "NULLIF", "FLOOR",    "CEIL"};
    for (uint32_t i = 0; i < WR_COUNT(names); i++)
        if (wr_str_eq_nocase(name, wr_str_c(names[i]))) return true;
    return false;
}

wr_status
wri_bind_fn_as(wri_binder *b, const wr_fn *fn, wr_str as, wr_expr **args, uint32_t n,
               const wr_call_extra *extra, wr_span span, wr_expr **out)
{
    WR_TRY(wr_expr_call(b->ctx, b->a, b->env->eval, fn, as, args, n, extra, span, out));
    return picks_argument(as) ? keep_time(b, args, n, *out) : WR_OK;
}

wr_status
wri_bind_fn(wri_binder *b, const char *fn, wr_expr **args, uint32_t n, wr_span span, wr_expr **out)
{
    const wr_fn *f = wr_fn_find(wr_str_c(fn));
    if (!f) return wr_fn_no_match(b->ctx, b->a, wr_str_c(fn), args, n, NULL, span);
    return wri_bind_fn_as(b, f, wr_str_c(fn), args, n, NULL, span, out);
}

static wr_status
fn1(wri_binder *b, const char *fn, wr_expr *x, wr_span span, wr_expr **out)
{
    wr_expr **args = WR_NEW_N(b->a, wr_expr *, 1);
    WR_TRY_ALLOC(b->ctx, args);
    args[0] = x;
    return wri_bind_fn(b, fn, args, 1, span, out);
}

static wr_status
fn2(wri_binder *b, const char *fn, wr_expr *x, wr_expr *y, wr_span span, wr_expr **out)
{
    wr_expr **args = WR_NEW_N(b->a, wr_expr *, 2);
    WR_TRY_ALLOC(b->ctx, args);
    args[0] = x;
    args[1] = y;
    return wri_bind_fn(b, fn, args, 2, span, out);
}

static wr_status
negated(wri_binder *b, bool yes, wr_expr *e, wr_span span, wr_expr **out)
{
    *out = e;
    return yes ? fn1(b, "NOT", e, span, out) : WR_OK;
}

static wr_status
illegal_null(wri_binder *b, wr_span span)
{
    return wr_raise_at(b->ctx, WR_TYPE, span, "Illegal use of 'NULL'");
}

wr_status
wri_bind_expr_as(wri_binder *b, const wri_where *w, const wr_ast *e, const wr_type *t,
                 wr_expr **out)
{
    WR_TRY(wri_bind_expr(b, w, e, out));
    if (!wri_bind_is_null_expr(*out)) return WR_OK;
    if (!t) return illegal_null(b, wri_bind_span(b, e));
    wr_value v = wr_value_null(wr_type_nullable(b->a, t, true));
    WR_TRY_ALLOC(b->ctx, v.type);
    *out = wr_expr_literal(b->a, &v, (*out)->span);
    WR_TRY_ALLOC(b->ctx, *out);
    return WR_OK;
}

wr_status
wri_bind_cond(wri_binder *b, const wri_where *w, const wr_ast *e, const char *clause, wr_expr **out)
{
    const wr_status status = wri_bind_expr_as(b, w, e, wr_type_of(WR_T_BOOLEAN, true), out);
    WR_TRY(wri_bind_join_cond(b, w, e, *out, status));
    if (wr_type_is((*out)->type, WR_T_BOOLEAN)) return WR_OK;
    return wr_raise_at(b->ctx, WR_TYPE, wri_bind_span(b, e), "%s clause must be a condition",
                       clause);
}

wr_status
wri_bind_list(wri_binder *b, const wri_where *w, const wr_ast_list *l, wr_expr ***out)
{
    *out = WR_NEW_N(b->a, wr_expr *, l->count + 1);
    WR_TRY_ALLOC(b->ctx, *out);
    for (uint32_t i = 0; i < l->count; i++) WR_TRY(wri_bind_expr(b, w, l->items[i], &(*out)[i]));
    return WR_OK;
}

/* ---- operators ------------------------------------------------------------------------------- */
static wr_status
bind_unary(wri_binder *b, const wri_where *w, const wr_ast_unary *u, wr_expr **out)
{
    wr_span span = wri_bind_span(b, &u->base);
    wr_expr *x = NULL;
    switch (u->op) {
    case WR_SQL_UNOP_PLUS:
        WR_TRY(wri_bind_expr_as(b, w, u->arg, NULL, out));
        if (wr_type_is_numeric((*out)->type) || wr_type_family((*out)->type) == WR_FAM_INTERVAL)
            return WR_OK;
        return wr_raise_at(b->ctx, WR_TYPE, span,
                           "Cannot apply '+' to arguments of type '+<%.*s>'. Supported form(s): "
                           "'+<NUMERIC>'\n'+<DATETIME_INTERVAL>'",
                           WR_STR_ARG(wr_type_str((*out)->type, WR_TYPE_CALCITE, b->a)));
    case WR_SQL_UNOP_MINUS:
        if (u->arg->kind == WR_AST_LITERAL) {
            const wr_ast_literal *l = WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, u->arg);
            if (l->lit == WR_SQL_LIT_INTEGER || l->lit == WR_SQL_LIT_DECIMAL ||
                l->lit == WR_SQL_LIT_DOUBLE)
                return wri_bind_literal(b, l, true, span, out);
        }
        WR_TRY(wri_bind_expr_as(b, w, u->arg, NULL, &x));
        return fn1(b, "NEGATE", x, span, out);
    case WR_SQL_UNOP_NOT:
        WR_TRY(wri_bind_expr_as(b, w, u->arg, NULL, &x));
        return fn1(b, "NOT", x, span, out);
    case WR_SQL_UNOP_FINAL:
    case WR_SQL_UNOP_RUNNING:
        if (w->match) return wri_match_unary(b, w, u, out);
        break;
    }
    return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                       "FINAL and RUNNING are only allowed inside MATCH_RECOGNIZE");
}

/* Operands of a chain of one operator, left to right. */
static wr_status
collect_chain(wri_binder *b, const wri_where *w, const wr_ast *e, wr_sql_binop op,
              wri_expr_list *out)
{
    if (e->kind == WR_AST_BINARY) {
        const wr_ast_binary *x = WR_AST_AS(wr_ast_binary, WR_AST_BINARY, e);
        if (x->op == op) {
            WR_TRY(collect_chain(b, w, x->left, op, out));
            return collect_chain(b, w, x->right, op, out);
        }
    }
    wr_expr *item = NULL;
    WR_TRY(wri_bind_expr_as(b, w, e, NULL, &item));
    if (!wr_list_push(b->a, out, item)) return wr_raise(b->ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

static wr_status
bind_logic(wri_binder *b, const wri_where *w, const wr_ast_binary *x, wr_expr **out)
{
    wri_expr_list l = {0};
    WR_TRY(collect_chain(b, w, &x->base, x->op, &l));
    bool and = x->op == WR_SQL_BINOP_AND;
    WR_TRY((and? wr_expr_and : wr_expr_or)(b->ctx, b->a, l.items, l.count, out));
    (*out)->span = wri_bind_span(b, &x->base);
    return WR_OK;
}

/* (a, b) OVERLAPS (c, d) has four operands. */
static wr_status
bind_overlaps(wri_binder *b, const wri_where *w, const wr_ast_binary *x, wr_expr **out)
{
    wr_span span = wri_bind_span(b, &x->base);
    wr_expr **args = WR_NEW_N(b->a, wr_expr *, 4);
    WR_TRY_ALLOC(b->ctx, args);
    for (uint32_t side = 0; side < 2; side++) {
        const wr_ast *e = side ? x->right : x->left;
        const wr_ast_constructor *c = e->kind == WR_AST_CONSTRUCTOR
                                          ? WR_AST_AS(wr_ast_constructor, WR_AST_CONSTRUCTOR, e)
                                          : NULL;
        if (!c || c->what != WR_SQL_CONSTRUCT_ROW || c->items.count != 2)
            return wr_raise_at(b->ctx, WR_TYPE, wri_bind_span(b, e),
                               "OVERLAPS wants two pairs: (start, end) OVERLAPS (start, end)");
        for (uint32_t i = 0; i < 2; i++)
            WR_TRY(wri_bind_expr_as(b, w, c->items.items[i], NULL, &args[side * 2 + i]));
    }
    return wri_bind_fn(b, "OVERLAPS", args, 4, span, out);
}

static wr_status
bind_binary(wri_binder *b, const wri_where *w, const wr_ast_binary *x, wr_expr **out)
{
    wr_span span = wri_bind_span(b, &x->base);
    wr_expr *l = NULL, *r = NULL;
    if (x->op == WR_SQL_BINOP_AND || x->op == WR_SQL_BINOP_OR) return bind_logic(b, w, x, out);
    if (x->op == WR_SQL_BINOP_OVERLAPS) return bind_overlaps(b, w, x, out);
    bool compares = x->op <= WR_SQL_BINOP_IS_NOT_DISTINCT;
    bool known = compares || (x->op >= WR_SQL_BINOP_ADD && x->op <= WR_SQL_BINOP_CONCAT);
    if (!known)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span, "the operator %s is not supported",
                           wr_sql_binop_text(x->op));
    WR_TRY(wri_bind_expr(b, w, x->left, &l));
    WR_TRY(wri_bind_expr(b, w, x->right, &r));
    bool l_null = wri_bind_is_null_expr(l), r_null = wri_bind_is_null_expr(r);
    if (l_null && !compares) return illegal_null(b, wri_bind_span(b, x->left));
    if (l_null && r_null) { /* both NULL: any type will do */
        l = wr_expr_cast(b->a, l, wr_type_of(WR_T_BOOLEAN, true), false, l->span);
        WR_TRY_ALLOC(b->ctx, l);
    }
    if (r_null && !compares) return illegal_null(b, wri_bind_span(b, x->right));
    return fn2(b, wr_sql_binop_text(x->op), l, r, span, out);
}

static wr_status
bind_is(wri_binder *b, const wri_where *w, const wr_ast_is *is, wr_expr **out)
{
    wr_span span = wri_bind_span(b, &is->base);
    wr_expr *x = NULL;
    const wr_type *bool_type = wr_type_of(WR_T_BOOLEAN, true);
    if (is->what == WR_SQL_IS_A_SET || is->what == WR_SQL_IS_EMPTY)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span, "IS %s is not supported",
                           wr_sql_is_text(is->what));
    WR_TRY(wri_bind_expr_as(b, w, is->arg, is->what == WR_SQL_IS_NULL ? bool_type : NULL, &x));
    wr_str name =
        wr_arena_printf(b->a, "IS %s%s", is->negated ? "NOT " : "",
                        is->what <= WR_SQL_IS_UNKNOWN ? wr_sql_is_text(is->what) : "JSON");
    WR_TRY_ALLOC(b->ctx, name.ptr);
    if (is->what <= WR_SQL_IS_UNKNOWN) return fn1(b, name.ptr, x, span, out);
    const char *json = wr_sql_is_text(is->what); /* "JSON VALUE" */
    wr_expr *what = wr_expr_symbol(b->a, strchr(json, ' ') + 1, span);
    WR_TRY_ALLOC(b->ctx, what);
    return fn2(b, name.ptr, x, what, span, out);
}

/* '5' BETWEEN 1 AND 9 compares numbers: strings are cast to the type of the first operand that is
 * none. */
static wr_status
unify_between(wri_binder *b, wr_expr *x[3])
{
    const wr_type *t = NULL;
    bool strings = false;
    for (int i = 0; i < 3; i++) {
        if (wr_type_is_string(x[i]->type))
            strings = true;
        else if (!t && !wri_bind_is_null_expr(x[i]))
            t = x[i]->type;
    }
    if (t && wr_type_is_binary(t)) return WR_OK; /* no cast: the comparison is refused */
    for (int i = 0; strings && t && i < 3; i++) {
        if (!wr_type_is_string(x[i]->type)) continue;
        const wr_type *to =
            wr_type_nullable(b->a, wri_rel_type_plain(b->a, t), x[i]->type->nullable);
        WR_TRY_ALLOC(b->ctx, to);
        x[i] = wr_expr_cast(b->a, x[i], to, false, x[i]->span);
        WR_TRY_ALLOC(b->ctx, x[i]);
    }
    return WR_OK;
}

static wr_status
range(wri_binder *b, wr_expr *x, wr_expr *low, wr_expr *high, wr_span span, wr_expr **out)
{
    wr_expr *both[2];
    WR_TRY(fn2(b, ">=", x, low, span, &both[0]));
    WR_TRY(fn2(b, "<=", x, high, span, &both[1]));
    return wr_expr_and(b->ctx, b->a, both, 2, out);
}

/* The refusal of a comparison inside of BETWEEN names all three operands. */
static wr_status
refuse_between(wri_binder *b, const wr_ast_between *x, const wr_str type[3], wr_span span)
{
    const char *negated = x->negated ? "NOT " : "";
    b->ctx->err.status = WR_OK; /* that of one comparison is forgotten */
    return wr_raise_at(
        b->ctx, WR_TYPE, span,
        "Cannot apply '%sBETWEEN %s' to arguments of type '<%.*s> %sBETWEEN %s <%.*s> AND <%.*s>'. "
        "Supported form(s): '<COMPARABLE_TYPE> %sBETWEEN <COMPARABLE_TYPE> AND <COMPARABLE_TYPE>'",
        negated, x->symmetric ? "SYMMETRIC" : "ASYMMETRIC", WR_STR_ARG(type[0]), negated,
        x->symmetric ? "SYMMETRIC" : "ASYMMETRIC", WR_STR_ARG(type[1]), WR_STR_ARG(type[2]),
        negated);
}

static wr_status
bind_between(wri_binder *b, const wri_where *w, const wr_ast_between *x, wr_expr **out)
{
    wr_span span = wri_bind_span(b, &x->base);
    wr_expr *e[3], *either[2];
    WR_TRY(wri_bind_expr(b, w, x->arg, &e[0]));
    WR_TRY(wri_bind_expr(b, w, x->low, &e[1]));
    WR_TRY(wri_bind_expr(b, w, x->high, &e[2]));
    if (wri_bind_is_null_expr(e[0]) && wri_bind_is_null_expr(e[1]) && wri_bind_is_null_expr(e[2]))
        return illegal_null(b, e[0]->span);
    wr_str type[3];
    for (int i = 0; i < 3; i++) type[i] = wr_type_str(e[i]->type, WR_TYPE_CALCITE, b->a);
    WR_TRY(unify_between(b, e));
    const wr_status status = range(b, e[0], e[1], e[2], span, &either[0]);
    if (status == WR_TYPE) return refuse_between(b, x, type, span);
    WR_TRY(status);
    if (x->symmetric) {
        WR_TRY(range(b, e[0], e[2], e[1], span, &either[1]));
        WR_TRY(wr_expr_or(b->ctx, b->a, either, 2, &either[0]));
    }
    return negated(b, x->negated, either[0], span, out);
}

static wr_status
bind_like(wri_binder *b, const wri_where *w, const wr_ast_like *x, wr_expr **out)
{
    static const char *const names[] = {"LIKE", "ILIKE", "RLIKE", "SIMILAR TO"};
    wr_span span = wri_bind_span(b, &x->base);
    wr_expr **args = WR_NEW_N(b->a, wr_expr *, 3), *e = NULL;
    WR_TRY_ALLOC(b->ctx, args);
    WR_TRY(wri_bind_expr(b, w, x->arg, &args[0]));
    WR_TRY(wri_bind_expr(b, w, x->pattern, &args[1]));
    if (x->escape) WR_TRY(wri_bind_expr(b, w, x->escape, &args[2]));
    WR_TRY(wri_bind_fn(b, names[x->what], args, x->escape ? 3 : 2, span, &e));
    return negated(b, x->negated, e, span, out);
}

static wr_status
bind_case(wri_binder *b, const wri_where *w, const wr_ast_case *c, wr_expr **out)
{
    uint32_t n = c->whens.count * 2 + 1;
    wr_expr **args = WR_NEW_N(b->a, wr_expr *, n);
    WR_TRY_ALLOC(b->ctx, args);
    for (uint32_t i = 0; i < c->whens.count; i++) {
        const wr_ast_when *x = WR_AST_AS(wr_ast_when, WR_AST_WHEN, c->whens.items[i]);
        WR_TRY(wri_bind_expr(b, w, x->condition, &args[2 * i]));
        WR_TRY(wri_bind_expr(b, w, x->result, &args[2 * i + 1]));
    }
    WR_TRY(wri_bind_expr(b, w, c->otherwise, &args[n - 1]));
    WR_TRY(wr_expr_case(b->ctx, b->a, args, n, wri_bind_span(b, &c->base), out));
    return keep_time(b, args, n, *out);
}

/* ---- casts ----------------------------------------------------------------------------------- */
static wr_status
refuse_cast(wri_binder *b, const wr_type *from, const wr_type *to, wr_span span)
{
    bool ltz = wr_type_is(to, WR_T_TIMESTAMP_LTZ);
    if (wr_type_is_numeric(from) && (wr_type_is(to, WR_T_TIMESTAMP) || ltz))
        return wr_raise_at(
            b->ctx, WR_TYPE, span,
            "The cast from NUMERIC type to %s type is not allowed. It's recommended to use %s",
            ltz ? "TIMESTAMP_LTZ" : "TIMESTAMP",
            ltz ? "TO_TIMESTAMP_LTZ(numeric_col, precision) instead."
                : "TO_TIMESTAMP(FROM_UNIXTIME(numeric_col)) instead, note the numeric is in "
                  "seconds.");
    if (wr_type_is(from, WR_T_TIMESTAMP) && wr_type_is_numeric(to))
        return wr_raise_at(b->ctx, WR_TYPE, span,
                           "The cast from TIMESTAMP type to NUMERIC type is not allowed. It's "
                           "recommended to use UNIX_TIMESTAMP(CAST(timestamp_col AS STRING)) "
                           "instead.");
    if (wr_type_is(from, WR_T_TIMESTAMP_LTZ) && wr_type_is_numeric(to))
        return wr_raise_at(b->ctx, WR_TYPE, span,
                           "The cast from TIMESTAMP_LTZ type to NUMERIC type is not allowed.");
    wr_family target = wr_type_family(to);
    if ((wr_type_is_binary(from) && target == WR_FAM_DATETIME) ||
        (wr_type_is_string(from) && (target == WR_FAM_INTERVAL || wr_type_is(to, WR_T_ARRAY))))
        return wr_raise_at(b->ctx, WR_TYPE, span, "Unsupported cast from '%.*s' to '%.*s'.",
                           WR_STR_ARG(wr_type_str(from, WR_TYPE_SUMMARY, b->a)),
                           WR_STR_ARG(wr_type_str(to, WR_TYPE_SUMMARY, b->a)));
    return wr_raise_at(b->ctx, WR_TYPE, span,
                       "Cast function cannot convert value of type %.*s to type %.*s",
                       WR_STR_ARG(wr_type_str(from, WR_TYPE_CALCITE, b->a)),
                       WR_STR_ARG(wr_type_str(to, WR_TYPE_CALCITE, b->a)));
}

static wr_status
bind_cast(wri_binder *b, const wri_where *w, const wr_ast_cast *c, wr_expr **out)
{
    wr_span span = wri_bind_span(b, &c->base);
    const wr_type *to = NULL;
    wr_expr *x = NULL;
    WR_TRY(wri_bind_type_ast(b, c->type, &to));
    if (c->is_safe)
        return wr_raise_at(b->ctx, WR_NAME, span,
                           "No match found for function signature SAFE_CAST");
    WR_TRY(wri_bind_expr_as(b, w, c->arg, to, &x));
    const wr_type *from = x->type;
    to = wr_type_nullable(b->a, to, from->nullable || c->is_try);
    WR_TRY_ALLOC(b->ctx, to);
    if (!wr_type_can_cast_explicit(from, to)) return refuse_cast(b, from, to, span);
    if (from->attr != WR_ATTR_NONE && wr_type_eq(from, to)) { /* a cast ends a time attribute */
        *out = wri_rex_new(b->a, WR_EX_CAST, to, span);
        wr_expr **args = WR_NEW_N(b->a, wr_expr *, 1);
        WR_TRY_ALLOC(b->ctx, *out);
        WR_TRY_ALLOC(b->ctx, args);
        args[0] = x;
        (*out)->args = args;
        (*out)->arg_count = 1;
        return WR_OK;
    }
    *out = wr_expr_cast(b->a, x, to, c->is_try, span);
    WR_TRY_ALLOC(b->ctx, *out);
    return WR_OK;
}

/* ---- constructors and access ----------------------------------------------------------------- */
static wr_status
bind_constructor(wri_binder *b, const wri_where *w, const wr_ast_constructor *c, wr_expr **out)
{
    static const char *const names[] = {"ROW", "ARRAY", "MAP", "MULTISET", "CURSOR"};
    wr_span span = wri_bind_span(b, &c->base);
    wr_expr **items = NULL;
    if (c->query || c->what == WR_SQL_CONSTRUCT_CURSOR)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span, "%s(query) is not supported",
                           names[c->what]);
    if (c->items.count == 0)
        return wr_raise_at(b->ctx, WR_TYPE, span, "Require at least 1 argument");
    if (c->what == WR_SQL_CONSTRUCT_MAP && c->items.count % 2)
        return wr_raise_at(b->ctx, WR_TYPE, span, "Map requires an even number of arguments");
    WR_TRY(wri_bind_list(b, w, &c->items, &items));
    if (c->what == WR_SQL_CONSTRUCT_ROW)
        for (uint32_t i = 0; i < c->items.count; i++)
            if (wri_bind_is_null_expr(items[i])) return illegal_null(b, items[i]->span);
    return wri_bind_fn(b, names[c->what], items, c->items.count, span, out);
}

static wr_status
bind_item(wri_binder *b, const wri_where *w, const wr_ast_item *x, wr_expr **out)
{
    wr_span span = wri_bind_span(b, &x->base);
    wr_expr *arg = NULL, *index = NULL;
    if (x->mode != WR_SQL_ITEM_PLAIN)
        return wr_raise_at(b->ctx, WR_NAME, span, "No match found for function signature %s",
                           x->mode == WR_SQL_ITEM_OFFSET        ? "OFFSET"
                           : x->mode == WR_SQL_ITEM_ORDINAL     ? "ORDINAL"
                           : x->mode == WR_SQL_ITEM_SAFE_OFFSET ? "SAFE_OFFSET"
                                                                : "SAFE_ORDINAL");
    WR_TRY(wri_bind_expr_as(b, w, x->arg, NULL, &arg));
    WR_TRY(wri_bind_expr_as(b, w, x->index, NULL, &index));
    bool literal = index->kind == WR_EX_LITERAL && !index->value.is_null;
    if (wr_type_is(arg->type, WR_T_ROW) && literal) { /* row[1], row['f'] */
        if (wr_type_is_string(index->type))
            return wri_bind_field(b, arg, index->value.u.str, span, out);
        int64_t i = wr_type_is_integer(index->type) ? index->value.u.i : 0;
        if (i < 1 || i > (int64_t)arg->type->field_count)
            return wr_raise_at(b->ctx, WR_TYPE, span,
                               "ROW type does not have a field at position %lld", (long long)i);
        *out = wri_bind_field_at(b, arg, (uint32_t)i - 1, span);
        WR_TRY_ALLOC(b->ctx, *out);
        return WR_OK;
    }
    return fn2(b, "ITEM", arg, index, span, out);
}

static wr_status
bind_ident(wri_binder *b, const wri_where *w, const wr_ast_ident *id, wr_expr **out)
{
    if (!id->star) return wri_bind_resolve(b, w, id, out);
    if (id->part_count)
        return wr_raise_at(b->ctx, WR_NAME, wri_bind_span(b, &id->base), "Unknown field '*'");
    return wr_raise_at(b->ctx, WR_NAME, wri_bind_span(b, &id->base), "Unknown identifier '%.*s'",
                       WR_STR_ARG(wri_bind_ident_text(b, id)));
}

static wr_status
bind_symbol(wri_binder *b, const wr_ast_symbol *s, wr_expr **out)
{
    wr_str text = s->text;
    if (s->unit != WR_SQL_UNIT_NONE) text = wr_str_c(wr_sql_unit_name(s->unit));
    char *upper = wr_arena_dup(b->a, text.ptr, text.len);
    WR_TRY_ALLOC(b->ctx, upper);
    for (char *p = upper; *p; p++)
        if (*p >= 'a' && *p <= 'z') *p = (char)(*p - 'a' + 'A');
    *out = wr_expr_symbol(b->a, upper, wri_bind_span(b, &s->base));
    WR_TRY_ALLOC(b->ctx, *out);
    return WR_OK;
}

static wr_status
refuse(wri_binder *b, const wr_ast *e)
{
    wr_span span = wri_bind_span(b, e);
    switch ((int)e->kind) {
    case WR_AST_PARAM:
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span, "Illegal use of dynamic parameter");
    case WR_AST_TABLE_ARG:
    case WR_AST_MODEL_ARG:
    case WR_AST_DESCRIPTOR:
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "a %s is only allowed as argument of a table function",
                           wr_ast_kind_name(e->kind));
    case WR_AST_NEXT_VALUE:
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span, "sequences are not supported");
    default:
        return wr_raise_at(b->ctx, WR_SEMANTIC, span, "a %s is not allowed here",
                           wr_ast_kind_name(e->kind));
    }
}

static wr_status
bind_field(wri_binder *b, const wri_where *w, const wr_ast_field *f, wr_expr **out)
{
    wr_expr *row = NULL;
    WR_TRY(wri_bind_expr_as(b, w, f->arg, NULL, &row));
    WR_TRY(wri_bind_field(b, row, f->name.name, wri_bind_part_span(b, f->name.span), out));
    (*out)->span = wri_bind_span(b, &f->base);
    return WR_OK;
}

/* (left - right) DAY */
static wr_status
bind_interval_diff(wri_binder *b, const wri_where *w, const wr_ast_interval_diff *d, wr_expr **out)
{
    wr_span span = wri_bind_span(b, &d->base);
    wr_expr **args = WR_NEW_N(b->a, wr_expr *, 3);
    WR_TRY_ALLOC(b->ctx, args);
    WR_TRY(wri_bind_expr(b, w, d->left, &args[0]));
    WR_TRY(wri_bind_expr(b, w, d->right, &args[1]));
    args[2] = wr_expr_symbol(b->a, wr_sql_unit_name(d->qual.from), span);
    WR_TRY_ALLOC(b->ctx, args[2]);
    return wri_bind_fn(b, "MINUS_DATE", args, 3, span, out);
}

static wr_status
bind_any(wri_binder *b, const wri_where *w, const wr_ast *e, wr_expr **out)
{
    switch ((int)e->kind) {
    case WR_AST_LITERAL:
        return wri_bind_literal(b, WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, e), false,
                                wri_bind_span(b, e), out);
    case WR_AST_IDENT:
        return bind_ident(b, w, WR_AST_AS(wr_ast_ident, WR_AST_IDENT, e), out);
    case WR_AST_UNARY:
        return bind_unary(b, w, WR_AST_AS(wr_ast_unary, WR_AST_UNARY, e), out);
    case WR_AST_BINARY:
        return bind_binary(b, w, WR_AST_AS(wr_ast_binary, WR_AST_BINARY, e), out);
    case WR_AST_IS:
        return bind_is(b, w, WR_AST_AS(wr_ast_is, WR_AST_IS, e), out);
    case WR_AST_BETWEEN:
        return bind_between(b, w, WR_AST_AS(wr_ast_between, WR_AST_BETWEEN, e), out);
    case WR_AST_LIKE:
        return bind_like(b, w, WR_AST_AS(wr_ast_like, WR_AST_LIKE, e), out);
    case WR_AST_IN:
        return wri_bind_in(b, w, WR_AST_AS(wr_ast_in, WR_AST_IN, e), out);
    case WR_AST_EXISTS:
        return wri_bind_exists(b, w, WR_AST_AS(wr_ast_exists, WR_AST_EXISTS, e), out);
    case WR_AST_QUANTIFIED:
        return wri_bind_quantified(b, w, WR_AST_AS(wr_ast_quantified, WR_AST_QUANTIFIED, e), out);
    case WR_AST_CASE:
        return bind_case(b, w, WR_AST_AS(wr_ast_case, WR_AST_CASE, e), out);
    case WR_AST_CAST:
        return bind_cast(b, w, WR_AST_AS(wr_ast_cast, WR_AST_CAST, e), out);
    case WR_AST_CALL:
        return wri_bind_call(b, w, WR_AST_AS(wr_ast_call, WR_AST_CALL, e), out);
    case WR_AST_CONSTRUCTOR:
        return bind_constructor(b, w, WR_AST_AS(wr_ast_constructor, WR_AST_CONSTRUCTOR, e), out);
    case WR_AST_ITEM:
        return bind_item(b, w, WR_AST_AS(wr_ast_item, WR_AST_ITEM, e), out);
    case WR_AST_FIELD:
        return bind_field(b, w, WR_AST_AS(wr_ast_field, WR_AST_FIELD, e), out);
    case WR_AST_INTERVAL_EXPR:
        return wri_bind_interval_expr(
            b, w, WR_AST_AS(wr_ast_interval_expr, WR_AST_INTERVAL_EXPR, e), out);
    case WR_AST_INTERVAL_DIFF:
        return bind_interval_diff(b, w, WR_AST_AS(wr_ast_interval_diff, WR_AST_INTERVAL_DIFF, e),
                                  out);
    case WR_AST_SYMBOL:
        return bind_symbol(b, WR_AST_AS(wr_ast_symbol, WR_AST_SYMBOL, e), out);
    case WR_AST_QUERY:
    case WR_AST_SELECT:
    case WR_AST_SETOP:
    case WR_AST_VALUES:
    case WR_AST_EXPLICIT_TABLE:
        return wri_bind_scalar_query(b, w, e, WR_SUBQ_SCALAR, out);
    default:
        return refuse(b, e);
    }
}

/* A grouping key that is not deterministic (GROUP BY RAND()) is recognised by its text. */
static wr_expr *
key_by_text(const wri_where *w, const wr_ast *e)
{
    if (!w->group || w->in_agg || e->kind == WR_AST_LITERAL || e->kind == WR_AST_IDENT) return NULL;
    int32_t key = wri_bind_group_key_of(w->group, e);
    return key < 0 ? NULL : w->group->keys[key];
}

wr_status
wri_bind_expr(wri_binder *b, const wri_where *w, const wr_ast *e, wr_expr **out)
{
    WR_TRY(wri_bind_enter(b, wri_bind_span(b, e)));
    *out = key_by_text(w, e);
    wr_status status = *out ? WR_OK : bind_any(b, w, e, out);
    wri_bind_leave(b);
    return status;
}
