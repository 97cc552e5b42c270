/* SPDX-License-Identifier: Apache-2.0 */
/* Typing aggregate calls: arguments, result types, and the implementations for insert-only and for
 * updating input.
 *
 * Implementations are chosen by the function's `aggregate`, which is called twice: with
 * bind->has_order false for insert-only input, true for input with -U and -D. Results are nullable
 * when an argument is, and where a group may be empty (no GROUP BY, or a FILTER); `b->distinct`
 * tells resolvers of that: it holds "may be empty" while they run. */
#include "expr/agg_int.h"
#include "types/decimal.h"

static bool
nullable(const wr_fn_bind *b)
{
    return b->distinct || wri_any_nullable(b);
}

/* COUNT(*), COUNT(x) */
wr_status
wri_r_count(wr_ctx *ctx, wr_fn_bind *b)
{
    return wri_result_null(ctx, b, wr_type_of(WR_T_BIGINT, false), false);
}

static wr_status
need_numeric(wr_ctx *ctx, wr_fn_bind *b)
{
    return wr_type_is_numeric(b->arg_types[0]) ? WR_OK : wri_refuse(ctx, b, NULL);
}

wr_status
wri_r_sum(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    WR_TRY(need_numeric(ctx, b));
    if (t->id == WR_T_DECIMAL) t = wr_type_decimal(b->arena, WR_DECIMAL_MAX, t->scale, true);
    WR_TRY_ALLOC(ctx, t);
    return wri_result_null(ctx, b, t, nullable(b));
}

wr_status
wri_r_sum0(wr_ctx *ctx, wr_fn_bind *b)
{
    WR_TRY(wri_r_sum(ctx, b));
    return wri_result_null(ctx, b, b->result, false);
}

/* AVG, STDDEV_*, VAR_* */
wr_status
wri_r_avg(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    WR_TRY(need_numeric(ctx, b));
    if (t->id == WR_T_DECIMAL)
        t = wr_type_decimal(b->arena, WR_DECIMAL_MAX, WR_MAX(6, t->scale), true);
    WR_TRY_ALLOC(ctx, t);
    return wri_result_null(ctx, b, t, nullable(b));
}

/* MIN, MAX */
wr_status
wri_r_minmax(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    if (!wr_type_is_orderable(t) || t->id == WR_T_ARRAY || t->id == WR_T_ROW) {
        wr_text text;
        wr_text_init(&text, b->arena);
        wr_type_print(t, WR_TYPE_NO_NULL, &text);
        static const char *const names[] = {[WR_T_ARRAY] = "ARRAY",
                                            [WR_T_MAP] = "MAP",
                                            [WR_T_MULTISET] = "MULTISET",
                                            [WR_T_ROW] = "ROW",
                                            [WR_T_STRUCTURED] = "STRUCTURED_TYPE",
                                            [WR_T_RAW] = "RAW",
                                            [WR_T_VARIANT] = "VARIANT",
                                            [WR_T_BITMAP] = "BITMAP"};
        const char *root = t->id < WR_COUNT(names) && names[t->id] ? names[t->id] : "NULL";
        return wr_raise_at(
            ctx, WR_TYPE, b->span,
            "%s aggregate function does not support type: ''%s''.\nPlease re-check the data type.",
            b->fn->name[1] == 'I' ? "Min" : "Max", root);
    }
    return wri_result_null(ctx, b, t, nullable(b));
}

/* FIRST_VALUE, LAST_VALUE, SINGLE_VALUE */
wr_status
wri_r_value_agg(wr_ctx *ctx, wr_fn_bind *b)
{
    return wri_result_null(ctx, b, b->arg_types[0], nullable(b));
}

wr_status
wri_r_single_value(wr_ctx *ctx, wr_fn_bind *b)
{
    return wri_result_null(ctx, b, b->arg_types[0], true);
}

wr_status
wri_r_listagg(wr_ctx *ctx, wr_fn_bind *b)
{
    if (!wr_type_is_string(b->arg_types[0])) return wri_refuse(ctx, b, NULL);
    if (b->arg_count == 2 && !wr_type_is_string(b->arg_types[1])) return wri_refuse(ctx, b, NULL);
    if (b->arg_count == 2 && wri_lit_null(b->args[1]))
        return wr_raise_at(ctx, WR_TYPE, b->span,
                           "Argument to function 'LISTAGG' must not be NULL");
    if (b->arg_count == 2 && b->args[1]->kind != WR_EX_LITERAL)
        return wr_raise_at(ctx, WR_TYPE, b->span,
                           "Argument to function 'LISTAGG' must be a literal");
    return wri_result_null(ctx, b, b->arg_types[0], b->arg_types[0]->nullable);
}

wr_status
wri_r_array_agg(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *e = b->arg_types[0], *t = wr_type_array(b->arena, e, e->nullable);
    WR_TRY_ALLOC(ctx, t);
    return wri_result_null(ctx, b, t, e->nullable);
}

wr_status
wri_r_collect(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = wr_type_multiset(b->arena, b->arg_types[0], false);
    WR_TRY_ALLOC(ctx, t);
    return wri_result_null(ctx, b, t, false);
}

/* JSON_ARRAYAGG(on_null, v), JSON_OBJECTAGG(on_null, k, v): `data` is non-NULL for ABSENT ON NULL.
 */
wr_status
wri_r_json_agg(wr_ctx *ctx, wr_fn_bind *b)
{
    static const char absent = 1;
    const wr_type *t = wr_type_char(b->arena, WR_T_VARCHAR, 2000, false);
    WR_TRY_ALLOC(ctx, t);
    wr_str on_null = b->args[0]->value.u.str;
    if (wr_str_eq_c(on_null, "ABSENT")) b->data = (void *)(uintptr_t)&absent;
    if (b->arg_count == 3 && !wr_type_is_string(b->arg_types[1])) return wri_refuse(ctx, b, NULL);
    WR_TRY(wri_check_json_able(ctx, b, b->arg_count - 1));
    return wri_result_null(ctx, b, t, false);
}

/* A percentage that is written as a number lies in [0, 1]; others are checked when they come. */
static bool
percentage_ok(const wr_expr *e)
{
    if (e->kind == WR_EX_CALL && e->arg_count == 1) /* -0.1 */
        return e->args[0]->kind != WR_EX_LITERAL || strcmp(e->fn->name, "-") != 0;
    if (e->kind != WR_EX_LITERAL || e->value.is_null) return true;
    const wr_type *t = e->value.type;
    double p = 0;
    if (t->phys == WR_PHYS_F64)
        p = e->value.u.f64;
    else if (t->id == WR_T_DECIMAL)
        p = wr_dec_to_f64(t->phys == WR_PHYS_I128 ? e->value.u.i128 : (wr_i128)e->value.u.i,
                          t->scale);
    else if (wr_type_is_integer(t))
        p = (double)e->value.u.i;
    return p >= 0 && p <= 1;
}

wr_status
wri_r_percentile(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *p = b->arg_types[1], *d = wr_type_of(WR_T_DOUBLE, true), *t = d;
    bool list = p->id == WR_T_ARRAY;
    if (!wr_type_is_numeric(b->arg_types[0])) return wri_invalid_call(ctx, b, NULL);
    if (!wr_type_is_numeric(list ? p->fields[0].type : p)) return wri_invalid_call(ctx, b, NULL);
    if (p->nullable || (list && p->fields[0].type->nullable)) return wri_invalid_call(ctx, b, NULL);
    if (!percentage_ok(b->args[1])) return wri_invalid_call(ctx, b, NULL);
    if (b->arg_count == 3 && !wr_type_is_integer(b->arg_types[2]))
        return wri_invalid_call(ctx, b, NULL);
    WR_TRY(wri_cast_arg(ctx, b, 0, d));
    if (list) {
        t = wr_type_array(b->arena, d, true);
        WR_TRY_ALLOC(ctx, t);
    }
    WR_TRY(wri_cast_arg(ctx, b, 1, t));
    if (b->arg_count == 3) WR_TRY(wri_cast_arg_id(ctx, b, 2, WR_T_BIGINT));
    return wri_result_null(ctx, b, t, true);
}

/* BITMAP_BUILD_AGG(INT), BITMAP_{AND,OR,XOR}_AGG(BITMAP), and their CARDINALITY forms */
wr_status
wri_r_bitmap_agg(wr_ctx *ctx, wr_fn_bind *b)
{
    bool build = strncmp(b->fn->name, "BITMAP_BUILD", 12) == 0,
         count = strstr(b->fn->name, "CARDINALITY") != NULL;
    if (build && (!wr_type_is_integer(b->arg_types[0]) || b->arg_types[0]->id == WR_T_BIGINT))
        return wri_invalid_call(ctx, b, NULL);
    if (build) WR_TRY(wri_cast_arg_id(ctx, b, 0, WR_T_INT));
    if (!build && b->arg_types[0]->id != WR_T_BITMAP) return wri_invalid_call(ctx, b, NULL);
    return wri_result_null(ctx, b, wr_type_of(count ? WR_T_BIGINT : WR_T_BITMAP, true), true);
}

wr_status
wri_r_approx_distinct(wr_ctx *ctx, wr_fn_bind *b)
{
    if (!b->env->batch)
        return wr_raise_at(
            ctx, WR_UNSUPPORTED, b->span,
            "APPROX_COUNT_DISTINCT aggregate function does not support yet for streaming.");
    return wri_result_null(ctx, b, wr_type_of(WR_T_BIGINT, false), false);
}

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

wr_status
wr_agg_resolve(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, const wr_fn *fn, wr_str called_as,
               wr_expr *const *args, uint32_t arg_count, bool distinct, bool ignore_nulls,
               bool grouped, const wr_call_extra *extra, wr_span span, wr_agg_bound *out)
{
    wr_fn_bind b = {.arena = a,
                    .fn = fn,
                    .called_as = called_as,
                    .arg_count = arg_count,
                    .span = span,
                    .env = env,
                    .distinct = !grouped,
                    .ignore_nulls = ignore_nulls};
    wr_span *spans = WR_NEW_N(a, wr_span, arg_count + 1);
    b.arg_types = WR_NEW_N(a, const wr_type *, arg_count + 1);
    WR_TRY_ALLOC(ctx, spans);
    WR_TRY_ALLOC(ctx, b.arg_types);
    uint32_t symbols = 0;
    for (uint32_t i = 0; i < arg_count; i++) {
        b.arg_types[i] = args[i]->type;
        spans[i] = args[i]->span;
        symbols += args[i]->type->id == WR_T_SYMBOL;
    }
    b.args = (const wr_expr *const *)args;
    b.arg_spans = spans;
    if (extra) {
        b.returning = extra->returning;
        b.arg_is_json = extra->arg_is_json;
    }
    WR_ASSERT(fn->kind == WR_FN_AGGREGATE);
    if (ignore_nulls && strcmp(fn->name, "ARRAY_AGG") != 0)
        return wr_raise_at(ctx, WR_SEMANTIC, span,
                           "Cannot specify IGNORE NULLS or RESPECT NULLS following '%s'", fn->name);
    WR_TRY(check_arity(ctx, &b));
    WR_TRY(fn->resolve(ctx, &b));
    memset(out, 0, sizeof *out);
    out->fn = fn;
    out->ops = fn->aggregate(ctx, &b);
    b.has_order = true;
    out->retract_ops = fn->aggregate(ctx, &b);
    if (!out->ops || !out->retract_ops) return ctx->err.status ? ctx->err.status : WR_INTERNAL;
    out->arg_count = arg_count - symbols;
    out->arg_types = b.arg_types;
    out->type = b.result;
    out->filter = -1;
    out->distinct = distinct || strcmp(fn->name, "APPROX_COUNT_DISTINCT") == 0;
    out->ignore_nulls = ignore_nulls;
    out->data = b.data;
    out->span = span;
    return WR_OK;
}
