/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that are other expressions: NULLIF is a CASE, YEAR(t) is EXTRACT(YEAR, t), OVERLAPS is
 * comparisons, and so on. They are rewritten when the call is made, as Flink does, so that plans
 * show what Flink's show. Statement arena. */
#include "expr/expr_int.h"

typedef struct rewriter {
    wr_ctx *ctx;
    wr_arena *arena;
    const wr_eval_env *env;
    wr_span span;
} rewriter;

static wr_status
call2(const rewriter *w, const char *name, wr_expr *a, wr_expr *b, wr_expr **out)
{
    wr_expr *args[2] = {a, b};
    return wri_call_named(w->ctx, w->arena, w->env, name, args, 2, w->span, out);
}

/* ---- NULLIF(a, b) ---------------------------------------------------------------------------- */
static wr_status
nullif(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, wr_expr **args, uint32_t n, wr_span span,
       wr_expr **out)
{
    (void)n;
    const rewriter w = {ctx, a, env, span};
    wr_expr *c[3] = {NULL, NULL, args[0]};
    WR_TRY(call2(&w, "=", args[0], args[1], &c[0]));
    const wr_type *t = wr_type_nullable(a, args[0]->type, true);
    WR_TRY_ALLOC(ctx, t);
    const wr_value null = wr_value_null(t);
    c[1] = wr_expr_literal(a, &null, span);
    WR_TRY_ALLOC(ctx, c[1]);
    return wr_expr_case(ctx, a, c, 3, span, out);
}

/* ---- COALESCE -------------------------------------------------------------------------------- */
static wr_status
refuse_coalesce(wr_ctx *ctx, wr_arena *a, wr_expr *const *args, uint32_t n, wr_span span)
{
    wr_text t;
    wr_text_init(&t, a);
    for (uint32_t i = 0; i < n; i++) {
        if (i) wr_text_puts(&t, ", ");
        wr_type_print(args[i]->type, WR_TYPE_SUMMARY, &t);
    }
    if (t.failed) return wr_raise(ctx, WR_NOMEM, "out of memory");
    const wr_str s = wr_text_str(&t);
    const wr_status st =
        wr_raise_at(ctx, WR_TYPE, span, "Invalid function call:\nCOALESCE(%.*s)", WR_STR_ARG(s));
    wr_hint(ctx, "Invalid input arguments. Expected signatures are:\n"
                 "COALESCE(<COMMON>, <COMMON>...)");
    return st;
}

static wr_status
coalesce(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, wr_expr **args, uint32_t n, wr_span span,
         wr_expr **out)
{
    (void)env;
    const wr_type **types = WR_NEW_N(a, const wr_type *, n);
    wr_expr *e = wri_expr_new(a, WR_EX_COALESCE, NULL, span);
    WR_TRY_ALLOC(ctx, types);
    WR_TRY_ALLOC(ctx, e);
    bool nullable = true;
    for (uint32_t i = 0; i < n; i++) {
        types[i] = args[i]->type;
        nullable &= types[i]->nullable;
    }
    const wr_type *t = wr_type_common(a, types, n);
    if (!t) return refuse_coalesce(ctx, a, args, n, span);
    t = wr_type_attr(a, t, WR_ATTR_NONE);
    WR_TRY_ALLOC(ctx, t);
    e->type = wr_type_nullable(a, t, nullable);
    e->args = WR_NEW_N(a, wr_expr *, n);
    WR_TRY_ALLOC(ctx, e->type);
    WR_TRY_ALLOC(ctx, e->args);
    e->arg_count = n;
    for (uint32_t i = 0; i < n; i++) { /* texts of any length are of one kind */
        e->args[i] = args[i];
        if (!wr_type_is_string(args[i]->type) || !wr_type_is_string(t))
            WR_TRY(wri_coerce(ctx, a, args[i], t, false, &e->args[i]));
    }
    *out = e;
    return WR_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */
static wr_status
plain_call(const rewriter *w, const char *name, wr_expr **args, uint32_t n, wr_expr **out)
{
    wr_fn_bind b = {.arena = w->arena,
                    .fn = wr_fn_find(wr_str_c(name)),
                    .called_as = wr_str_c(name),
                    .arg_count = n,
                    .args = (const wr_expr *const *)args,
                    .span = w->span,
                    .env = w->env};
    return wri_call_plain(w->ctx, &b, args, out);
}

/* Are both rows written out, with as many fields? */
static bool
rows_match(const wr_expr *l, const wr_expr *r)
{
    return wri_is_fn(l, "ROW") && wri_is_fn(r, "ROW") && l->arg_count == r->arg_count &&
           l->arg_count > 0;
}

/* (a, b) = (c, d) is a = c AND b = d, three-valued. <> of rows is not rewritten: as in Flink it
 * compares values, where a NULL inside equals a NULL. */
static wr_status
compare_rows(const rewriter *w, wr_expr *l, wr_expr *r, wr_expr **out)
{
    wr_expr *both[2] = {l, r};
    if (!rows_match(l, r)) return plain_call(w, "=", both, 2, out);
    wr_expr **each = WR_NEW_N(w->arena, wr_expr *, l->arg_count);
    WR_TRY_ALLOC(w->ctx, each);
    for (uint32_t i = 0; i < l->arg_count; i++)
        WR_TRY(call2(w, "=", l->args[i], r->args[i], &each[i]));
    return wr_expr_and(w->ctx, w->arena, each, l->arg_count, out);
}

static wr_status
equals(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, wr_expr **args, uint32_t n, wr_span span,
       wr_expr **out)
{
    (void)n;
    return compare_rows(&(rewriter){ctx, a, env, span}, args[0], args[1], out);
}

/* ---- IN with one value, IN of rows ----------------------------------------------------------- */
/* (a, b) IN ((c, d), (e, f)) is (a, b) = (c, d) OR (a, b) = (e, f). */
static wr_status
in_rows(const rewriter *w, wr_expr **args, uint32_t n, wr_expr **out)
{
    wr_expr **each = WR_NEW_N(w->arena, wr_expr *, n);
    WR_TRY_ALLOC(w->ctx, each);
    WR_TRY(plain_call(w, "IN", args, n, out)); /* refuses what is incompatible */
    for (uint32_t i = 1; i < n; i++) WR_TRY(compare_rows(w, args[0], args[i], &each[i - 1]));
    return wr_expr_or(w->ctx, w->arena, each, n - 1, out);
}

static wr_status
in(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, wr_expr **args, uint32_t n, wr_span span,
   wr_expr **out)
{
    const rewriter w = {ctx, a, env, span};
    const bool text = wr_type_is_string(args[0]->type) != wr_type_is_string(args[n - 1]->type);
    const bool plain = wr_type_family(args[0]->type) == wr_type_family(args[n - 1]->type) ||
                       (wr_type_is_numeric(args[0]->type) && wr_type_is_numeric(args[1]->type));
    if (n == 2 && !text && plain) {
        WR_TRY(call2(&w, "=", args[0], args[1], out));
        if (wr_type_is_string(args[1]->type) && wri_is_fn(*out, "=")) (*out)->args[1] = args[1];
        return WR_OK;
    }
    bool rows = n > 2;
    for (uint32_t i = 1; i < n && rows; i++) rows = rows_match(args[0], args[i]);
    if (rows) return in_rows(&w, args, n, out);
    return plain_call(&w, "IN", args, n, out);
}

/* ---- IS [NOT] UNKNOWN ------------------------------------------------------------------------ */
static wr_status
is_unknown(const rewriter *w, const char *name, wr_expr *e, wr_expr **out)
{
    wr_expr *truth = NULL; /* refuses what is no condition */
    WR_TRY(wri_call_named(w->ctx, w->arena, w->env, "IS TRUE", &e, 1, w->span, &truth));
    return wri_call_named(w->ctx, w->arena, w->env, name, &e, 1, w->span, out);
}

static wr_status
unknown(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, wr_expr **args, uint32_t n, wr_span span,
        wr_expr **out)
{
    (void)n;
    return is_unknown(&(rewriter){ctx, a, env, span}, "IS NULL", args[0], out);
}

static wr_status
not_unknown(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, wr_expr **args, uint32_t n,
            wr_span span, wr_expr **out)
{
    (void)n;
    return is_unknown(&(rewriter){ctx, a, env, span}, "IS NOT NULL", args[0], out);
}

/* ---- YEAR(t) ... ----------------------------------------------------------------------------- */
static wr_status
extract(const rewriter *w, const char *unit, wr_expr *t, wr_expr **out)
{
    wr_expr *symbol = wr_expr_symbol(w->arena, unit, w->span);
    WR_TRY_ALLOC(w->ctx, symbol);
    return call2(w, "EXTRACT", symbol, t, out);
}

#define EXTRACT_AS(name, unit)                                                                     \
    static wr_status name(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, wr_expr **args,        \
                          uint32_t n, wr_span span, wr_expr **out)                                 \
    {                                                                                              \
        return (void)n, extract(&(rewriter){ctx, a, env, span}, unit, args[0], out);               \
    }
EXTRACT_AS(year, "YEAR")
EXTRACT_AS(quarter, "QUARTER")
EXTRACT_AS(month, "MONTH")
EXTRACT_AS(week, "WEEK")
EXTRACT_AS(dayofyear, "DOY")
EXTRACT_AS(dayofmonth, "DAY")
EXTRACT_AS(dayofweek, "DOW")
EXTRACT_AS(hour, "HOUR")
EXTRACT_AS(minute, "MINUTE")
EXTRACT_AS(second, "SECOND")
#undef EXTRACT_AS

/* ---- (a1, a2) OVERLAPS (b1, b2) -------------------------------------------------------------- */
/* The end of a period given by its start and its end or length. */
static wr_status
period_end(const rewriter *w, wr_expr *start, wr_expr *end, wr_expr **out)
{
    *out = end;
    if (wr_type_family(end->type) == WR_FAM_INTERVAL) return call2(w, "+", start, end, out);
    return WR_OK;
}

/* The lesser (op "<=") or the greater of two. */
static wr_status
pick(const rewriter *w, const char *op, wr_expr *a, wr_expr *b, wr_expr **out)
{
    wr_expr *c[3] = {NULL, a, b};
    WR_TRY(call2(w, op, a, b, &c[0]));
    return wr_expr_case(w->ctx, w->arena, c, 3, w->span, out);
}

static wr_status
overlaps(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, wr_expr **args, uint32_t n, wr_span span,
         wr_expr **out)
{
    (void)n;
    const rewriter w = {ctx, a, env, span};
    for (uint32_t i = 0; i < 4; i++) {
        const wr_family f = wr_type_family(args[i]->type);
        if (f != WR_FAM_DATETIME && !(i % 2 == 1 && f == WR_FAM_INTERVAL))
            return wr_raise_at(ctx, WR_TYPE, args[i]->span,
                               "OVERLAPS takes (start, end) or (start, interval) pairs of times");
    }
    wr_expr *ea, *eb, *alo, *ahi, *blo, *bhi, *both[2];
    WR_TRY(period_end(&w, args[0], args[1], &ea));
    WR_TRY(period_end(&w, args[2], args[3], &eb));
    WR_TRY(pick(&w, "<=", args[0], ea, &alo));
    WR_TRY(pick(&w, ">", args[0], ea, &ahi));
    WR_TRY(pick(&w, "<=", args[2], eb, &blo));
    WR_TRY(pick(&w, ">", args[2], eb, &bhi));
    WR_TRY(call2(&w, ">=", ahi, blo, &both[0]));
    WR_TRY(call2(&w, ">=", bhi, alo, &both[1]));
    return wr_expr_and(ctx, a, both, 2, out);
}

/* ---- the list -------------------------------------------------------------------------------- */
wri_rewrite_fn
wri_rewrite_of(const wr_fn *fn)
{
    static const struct {
        const char *name;
        wri_rewrite_fn rewrite;
    } list[] = {
        {"NULLIF", nullif},
        {"COALESCE", coalesce},
        {"IN", in},
        {"YEAR", year},
        {"QUARTER", quarter},
        {"MONTH", month},
        {"WEEK", week},
        {"DAYOFYEAR", dayofyear},
        {"DAYOFMONTH", dayofmonth},
        {"DAYOFWEEK", dayofweek},
        {"HOUR", hour},
        {"MINUTE", minute},
        {"=", equals},
        {"IS UNKNOWN", unknown},
        {"IS NOT UNKNOWN", not_unknown},
        {"SECOND", second},
        {"OVERLAPS", overlaps},
    };
    for (uint32_t i = 0; i < WR_COUNT(list); i++)
        if (strcmp(list[i].name, fn->name) == 0) return list[i].rewrite;
    return NULL;
}
