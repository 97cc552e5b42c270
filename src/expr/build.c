/* SPDX-License-Identifier: Apache-2.0 */
/* Making bound expressions: literals, columns, casts, calls, AND, OR, CASE.
 *
 * Constructors type what they make and insert implicit casts. A cast that Flink's plans show (of =,
 * CASE, COALESCE) is an ordinary CAST; one that only serves a kernel is hidden (WRI_CAST_HIDDEN).
 * Statement arena; immutable afterwards. */
#include "expr/compare_int.h"

wr_expr *
wri_expr_new(wr_arena *a, wr_expr_kind kind, const wr_type *t, wr_span span)
{
    wr_expr *e = WR_NEW(a, wr_expr);
    if (!e) return NULL;
    e->kind = (uint8_t)kind;
    e->type = t;
    e->span = span;
    return e;
}

wr_expr *
wri_expr_clone(wr_arena *a, const wr_expr *e)
{
    wr_expr *c = WR_NEW(a, wr_expr);
    if (!c) return NULL;
    *c = *e;
    if (e->arg_count) {
        c->args = WR_NEW_N(a, wr_expr *, e->arg_count);
        if (!c->args) return NULL;
        memcpy(c->args, e->args, sizeof *c->args * e->arg_count);
    }
    return c;
}

static wr_expr *
with_args(wr_arena *a, wr_expr *e, wr_expr *const *args, uint32_t n)
{
    if (!e) return NULL;
    e->args = WR_NEW_N(a, wr_expr *, n ? n : 1);
    if (!e->args) return NULL;
    if (n) memcpy(e->args, args, sizeof *args * n);
    e->arg_count = n;
    return e;
}

wr_expr *
wr_expr_literal(wr_arena *a, const wr_value *v, wr_span span)
{
    wr_expr *e = wri_expr_new(a, WR_EX_LITERAL, v->type, span);
    if (!e) return NULL;
    e->value = wr_value_copy(a, v);
    if (e->value.is_null && !v->is_null) return NULL;
    if (v->is_null) e->type = wr_type_nullable(a, v->type, true);
    e->value.type = e->type;
    return e->type ? e : NULL;
}

wr_expr *
wr_expr_symbol(wr_arena *a, const char *text, wr_span span)
{
    wr_value v = wr_value_null(wr_type_of(WR_T_SYMBOL, false));
    v.is_null = false;
    v.u.str = wr_str_c(text);
    wr_expr *e = wri_expr_new(a, WR_EX_LITERAL, v.type, span);
    if (!e) return NULL;
    v.u.str = wr_arena_str(a, v.u.str);
    e->value = v;
    return v.u.str.ptr ? e : NULL;
}

wr_expr *
wr_expr_column(wr_arena *a, uint32_t index, const wr_type *t, wr_span span)
{
    wr_expr *e = wri_expr_new(a, WR_EX_COLUMN, t, span);
    if (e) e->index = index;
    return e;
}

wr_expr *
wr_expr_cast(wr_arena *a, wr_expr *e, const wr_type *to, bool try_cast, wr_span span)
{
    if (wr_type_eq(e->type, to)) return e;
    wr_expr *c = with_args(a, wri_expr_new(a, WR_EX_CAST, to, span), &e, 1);
    if (c) c->flag = try_cast;
    return c;
}

void
wri_keep_written_scale(wr_expr *literal, const wr_expr *source)
{
    if (wr_type_family(source->type) != WR_FAM_EXACT || !wr_type_is_numeric(literal->type)) return;
    const bool decimal = source->type->id == WR_T_DECIMAL;
    const uint32_t scale = source->index ? source->index - 1
                           : decimal     ? (uint32_t)source->type->scale
                                         : 0;
    const bool fits = literal->type->id != WR_T_DECIMAL || scale <= (uint32_t)literal->type->scale;
    if (fits && !wr_type_is_integer(literal->type)) literal->index = scale + 1;
}

/* Casts of literals that Flink's planner folds when it makes them: no session, no failure. */
static bool
folds_at_once(const wr_expr *e, const wr_type *to)
{
    if (e->kind != WR_EX_LITERAL) return false;
    if (e->value.is_null) return true;
    if (wr_type_is_numeric(e->type) && wr_type_is_numeric(to)) return true;
    if (wr_type_is_string(e->type) && (wr_type_is_numeric(to) || to->id == WR_T_DATE ||
                                       to->id == WR_T_TIME || to->id == WR_T_TIMESTAMP))
        return true;
    return (wr_type_is_string(e->type) && wr_type_is_string(to)) ||
           (wr_type_is_binary(e->type) && wr_type_is_binary(to));
}

wr_status
wri_coerce(wr_ctx *ctx, wr_arena *a, wr_expr *e, const wr_type *to, bool hidden, wr_expr **out)
{
    *out = e;
    if (wr_type_eq_ignoring_null(e->type, to)) return WR_OK;
    if (!wr_type_can_cast_explicit(e->type, to))
        return wr_raise_at(ctx, WR_TYPE, e->span,
                           "Cast function cannot convert value of type %.*s to type %.*s",
                           WR_STR_ARG(wr_type_str(e->type, WR_TYPE_CALCITE, a)),
                           WR_STR_ARG(wr_type_str(to, WR_TYPE_CALCITE, a)));
    to = wr_type_nullable(a, to, e->type->nullable);
    WR_TRY_ALLOC(ctx, to);
    if (!hidden && folds_at_once(e, to)) {
        wr_value v;
        bool ok = true;
        if (e->value.is_null)
            v = wr_value_null(to);
        else
            WR_TRY(wri_cast_value(ctx, a, NULL, &e->value, to, true, &v, &ok));
        if (ok) {
            *out = wr_expr_literal(a, &v, e->span);
            WR_TRY_ALLOC(ctx, *out);
            wri_keep_written_scale(*out, e);
            return WR_OK;
        }
    }
    *out = wr_expr_cast(a, e, to, false, e->span);
    WR_TRY_ALLOC(ctx, *out);
    if (hidden) (*out)->sub = WRI_CAST_HIDDEN;
    return WR_OK;
}

bool
wri_is_fn(const wr_expr *e, const char *name)
{
    return e->kind == WR_EX_CALL && strcmp(e->fn->name, name) == 0;
}

/* ---- calls ----------------------------------------------------------------------------------- */
static wr_status
check_arity(wr_ctx *ctx, const wr_fn_bind *b)
{
    const wr_fn *fn = b->fn;
    const int64_t n = b->arg_count;
    if (n >= fn->min_args && (fn->max_args < 0 || n <= fn->max_args)) return WR_OK;
    if (fn->flags & WRI_NEW) return wri_no_match(ctx, b);
    return wr_raise_at(ctx, WR_TYPE, b->span,
                       "Invalid number of arguments to function '%s'. Was expecting %d arguments",
                       fn->name, fn->min_args);
}

static wr_status
bind_init(wr_ctx *ctx, wr_fn_bind *b, wr_expr *const *args)
{
    b->arg_types = WR_NEW_N(b->arena, const wr_type *, b->arg_count ? b->arg_count : 1);
    wr_span *spans = WR_NEW_N(b->arena, wr_span, b->arg_count ? b->arg_count : 1);
    WR_TRY_ALLOC(ctx, b->arg_types);
    WR_TRY_ALLOC(ctx, spans);
    for (uint32_t i = 0; i < b->arg_count; i++) {
        b->arg_types[i] = args[i]->type;
        spans[i] = args[i]->span;
    }
    b->args = (const wr_expr *const *)args;
    b->arg_spans = spans;
    return WR_OK;
}

static bool
hides_casts(const wr_fn *fn, wr_expr *const *args, uint32_t i, const wr_type *to)
{
    if (fn->resolve == wri_r_compare)
        return wri_compare_hides_cast(fn, args[i]->type, to, args[1 - i]->type);
    return !(fn->flags & WRI_SHOW_CASTS);
}

static wr_status
resolve_call(wr_ctx *ctx, wr_fn_bind *b, wr_expr *const *args, wr_expr **out)
{
    WR_TRY(b->fn->resolve(ctx, b));
    WR_ASSERT(b->result != NULL);
    wr_expr *e = with_args(b->arena, wri_expr_new(b->arena, WR_EX_CALL, b->result, b->span), args,
                           b->arg_count);
    WR_TRY_ALLOC(ctx, e);
    e->fn = b->fn;
    e->fn_data = b->data;
    e->kernel = b->kernel;
    for (uint32_t i = 0; i < b->arg_count; i++) {
        const wr_type *to = b->arg_types[i];
        if (to == args[i]->type) continue;
        const bool hidden = hides_casts(b->fn, args, i, to);
        WR_TRY(wri_coerce(ctx, b->arena, args[i], to, hidden, &e->args[i]));
        if ((b->fn->resolve == wri_r_compare || (b->fn->resolve == wri_r_in && i == 0)) &&
            wri_compare_tries(b->fn, args[i], to)) {
            e->args[i]->type = to;
            e->args[i]->flag = true;
        }
    }
    *out = e;
    return WR_OK;
}

wr_status
wr_expr_call(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, const wr_fn *fn, wr_str called_as,
             wr_expr **args, uint32_t arg_count, const wr_call_extra *extra, wr_span span,
             wr_expr **out)
{
    wr_fn_bind b = {.arena = a,
                    .fn = fn,
                    .called_as = called_as,
                    .arg_count = arg_count,
                    .span = span,
                    .env = env,
                    .kernel = fn->kernel};
    if (extra) {
        b.returning = extra->returning;
        b.arg_is_json = extra->arg_is_json;
    }
    WR_TRY(bind_init(ctx, &b, args));
    WR_TRY(check_arity(ctx, &b));
    wri_rewrite_fn rewrite = wri_rewrite_of(fn);
    if (rewrite) return rewrite(ctx, a, env, args, arg_count, span, out);
    return resolve_call(ctx, &b, args, out);
}

/* A call as it is, without rewriting; `b` without types and spans. */
wr_status
wri_call_plain(wr_ctx *ctx, wr_fn_bind *b, wr_expr *const *args, wr_expr **out)
{
    b->kernel = b->fn->kernel;
    WR_TRY(bind_init(ctx, b, args));
    return resolve_call(ctx, b, args, out);
}

wr_status
wri_call_named(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, const char *name, wr_expr **args,
               uint32_t n, wr_span span, wr_expr **out)
{
    const wr_fn *fn = wr_fn_find(wr_str_c(name));
    WR_ASSERT(fn != NULL);
    return wr_expr_call(ctx, a, env, fn, wr_str_c(name), args, n, NULL, span, out);
}

/* ---- logic ----------------------------------------------------------------------------------- */
static wr_status
refuse_logic(wr_ctx *ctx, wr_arena *a, const char *op, wr_expr *const *args, uint32_t n)
{
    wr_text t;
    wr_text_init(&t, a);
    for (uint32_t i = 0; i < n; i++) {
        wr_text_puts(&t, i ? " " : "");
        if (i) wr_text_printf(&t, "%s ", op);
        wr_text_putc(&t, '<');
        wr_type_print(args[i]->type, WR_TYPE_CALCITE, &t);
        wr_text_putc(&t, '>');
    }
    if (t.failed) return wr_raise(ctx, WR_NOMEM, "out of memory");
    wr_str s = wr_text_str(&t);
    return wr_raise_at(ctx, WR_TYPE, args[0]->span,
                       "Cannot apply '%s' to arguments of type '%.*s'. Supported form(s): "
                       "'<BOOLEAN> %s <BOOLEAN>'",
                       op, WR_STR_ARG(s), op);
}

/* Flat n-ary AND and OR: nested ones of the same kind are drawn in. */
static wr_status
logic(wr_ctx *ctx, wr_arena *a, wr_expr_kind kind, wr_expr **args, uint32_t n, wr_expr **out)
{
    uint32_t total = 0;
    bool nullable = false;
    for (uint32_t i = 0; i < n; i++) {
        if (args[i]->type->id == WR_T_NULL)
            WR_TRY(wri_coerce(ctx, a, args[i], wr_type_of(WR_T_BOOLEAN, true), false, &args[i]));
        if (args[i]->type->id != WR_T_BOOLEAN)
            return refuse_logic(ctx, a, kind == WR_EX_AND ? "AND" : "OR", args, n);
        total += args[i]->kind == (uint8_t)kind ? args[i]->arg_count : 1;
        nullable |= args[i]->type->nullable;
    }
    if (n == 0) {
        wr_value v = wr_value_bool(kind == WR_EX_AND);
        *out = wr_expr_literal(a, &v, WR_NO_SPAN);
        WR_TRY_ALLOC(ctx, *out);
        return WR_OK;
    }
    *out = args[0];
    if (n == 1) return WR_OK;
    const wr_span span = {args[0]->span.start, args[n - 1]->span.end};
    wr_expr *e = wri_expr_new(a, kind, wr_type_of(WR_T_BOOLEAN, nullable), span);
    WR_TRY_ALLOC(ctx, e);
    e->args = WR_NEW_N(a, wr_expr *, total);
    WR_TRY_ALLOC(ctx, e->args);
    for (uint32_t i = 0; i < n; i++) {
        if (args[i]->kind != (uint8_t)kind) {
            e->args[e->arg_count++] = args[i];
            continue;
        }
        memcpy(e->args + e->arg_count, args[i]->args, sizeof *e->args * args[i]->arg_count);
        e->arg_count += args[i]->arg_count;
    }
    *out = e;
    return WR_OK;
}

wr_status
wr_expr_and(wr_ctx *ctx, wr_arena *a, wr_expr **args, uint32_t n, wr_expr **out)
{
    return logic(ctx, a, WR_EX_AND, args, n, out);
}

wr_status
wr_expr_or(wr_ctx *ctx, wr_arena *a, wr_expr **args, uint32_t n, wr_expr **out)
{
    return logic(ctx, a, WR_EX_OR, args, n, out);
}

wr_status
wr_expr_not(wr_ctx *ctx, wr_arena *a, wr_expr *e, wr_expr **out)
{
    return wri_call_named(ctx, a, NULL, "NOT", &e, 1, e->span, out);
}

/* ---- CASE ------------------------------------------------------------------------------------ */
wr_status
wr_expr_case(wr_ctx *ctx, wr_arena *a, wr_expr **args, uint32_t n, wr_span span, wr_expr **out)
{
    WR_ASSERT(n >= 3 && n % 2 == 1);
    const uint32_t branches = n / 2;
    const wr_type **types = WR_NEW_N(a, const wr_type *, branches + 1);
    wr_expr *e = wri_expr_new(a, WR_EX_CASE, NULL, span);
    WR_TRY_ALLOC(ctx, types);
    WR_TRY_ALLOC(ctx, with_args(a, e, args, n));
    uint32_t typed = 0;
    bool nullable = !args[n - 1];
    for (uint32_t i = 0; i < branches; i++) {
        const wr_type *c = args[2 * i]->type;
        if (c->id == WR_T_NULL)
            WR_TRY(wri_coerce(ctx, a, args[2 * i], wr_type_of(WR_T_BOOLEAN, true), false,
                              &e->args[2 * i]));
        else if (c->id != WR_T_BOOLEAN)
            return wr_raise_at(ctx, WR_TYPE, args[2 * i]->span, "Expected a boolean type");
        types[typed++] = args[2 * i + 1]->type;
    }
    if (args[n - 1]) types[typed++] = args[n - 1]->type;
    const wr_type *t = wr_type_least_restrictive(a, types, typed);
    if (!t)
        return wr_raise_at(ctx, WR_TYPE, span,
                           "Illegal mixing of types in CASE or COALESCE statement");
    if (t->id == WR_T_NULL)
        return wr_raise_at(ctx, WR_TYPE, span,
                           "ELSE clause or at least one THEN clause must be non-NULL");
    for (uint32_t i = 0; i < typed; i++) nullable |= types[i]->nullable;
    e->type = t = wr_type_nullable(a, wr_type_attr(a, t, WR_ATTR_NONE), nullable);
    WR_TRY_ALLOC(ctx, t);
    for (uint32_t i = 0; i <= branches; i++) {
        wr_expr **slot = &e->args[i < branches ? 2 * i + 1 : n - 1];
        if (*slot) {
            WR_TRY(wri_coerce(ctx, a, *slot, t, false, slot));
            continue;
        }
        wr_value v = wr_value_null(wr_type_nullable(a, t, true));
        *slot = wr_expr_literal(a, &v, span);
        WR_TRY_ALLOC(ctx, *slot);
    }
    *out = e;
    return WR_OK;
}
