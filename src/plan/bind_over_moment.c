/* SPDX-License-Identifier: Apache-2.0 */
/* SUM, AVG, STDDEV_* and VAR_* with OVER, made of COUNT, SUM and $SUM0 over the same window, in the
 * argument's type, as Calcite makes them: what they give for integers and for long frames is what
 * that arithmetic gives.
 *
 *   SUM(x)      CASE(COUNT(x) > 0, $SUM0(x), NULL); SUM(x) itself when x is never NULL
 *   AVG(x)      SUM(x) / COUNT(x)
 *   VAR_POP(x)  (SUM(x * x) - SUM(x) * SUM(x) / COUNT(x)) / COUNT(x)
 *   VAR_SAMP    the same, / CASE(COUNT(x) = 1, NULL, COUNT(x) - 1)
 *   STDDEV_*    POWER(VAR_*, 0.5) */
#include "plan/bind_int.h"

typedef struct moment {
    wri_binder *b;
    const wri_over_site *site;
    bool distinct;
} moment;

static wr_status
aggregate(const moment *m, const char *name, wr_expr *x, wr_expr **out)
{
    wr_expr **args = WR_NEW_N(m->b->a, wr_expr *, 1);
    WR_TRY_ALLOC(m->b->ctx, args);
    args[0] = x;
    return wri_bind_over_agg(m->b, m->site, wr_fn_find(wr_str_c(name)), args, 1, m->distinct, false,
                             out);
}

static wr_status
sum_of(const moment *m, wr_expr *x, wr_expr **out)
{
    wri_binder *b = m->b;
    if (!x->type->nullable && m->site->filled) return aggregate(m, "SUM", x, out);
    wr_expr **args = WR_NEW_N(b->a, wr_expr *, 3), *count = NULL;
    WR_TRY_ALLOC(b->ctx, args);
    WR_TRY(aggregate(m, "COUNT", x, &count));
    WR_TRY(aggregate(m, "$SUM0", x, &args[1]));
    wr_expr *zero = wri_rex_int(b->a, WR_T_BIGINT, 0);
    WR_TRY_ALLOC(b->ctx, zero);
    WR_TRY(wri_rex_call2(&b->r, ">", count, zero, &args[0]));
    const wr_type *t = wr_type_nullable(b->a, args[1]->type, true);
    WR_TRY_ALLOC(b->ctx, t);
    args[2] = wri_rex_null(b->a, t);
    WR_TRY_ALLOC(b->ctx, args[2]);
    return wr_expr_case(b->ctx, b->a, args, 3, m->site->span, out);
}

static wr_status
cast_to(wri_binder *b, wr_expr *e, const wr_type *t, bool nullable, wr_expr **out)
{
    t = wr_type_nullable(b->a, t, nullable);
    WR_TRY_ALLOC(b->ctx, t);
    *out = wr_type_eq_ignoring_null(e->type, t) ? e : wr_expr_cast(b->a, e, t, false, e->span);
    WR_TRY_ALLOC(b->ctx, *out);
    return WR_OK;
}

/* The type of the function itself: DECIMAL(38, max(6, s)), else the argument's. */
static wr_status
result_type(const moment *m, const wr_fn *fn, wr_expr *x, const wr_type **out)
{
    wr_agg_bound bound;
    WR_TRY(wr_agg_resolve(m->b->ctx, m->b->a, m->b->env->eval, fn, wr_str_c(fn->name), &x, 1, false,
                          false, m->site->filled, NULL, m->site->span, &bound));
    *out = bound.type;
    return WR_OK;
}

static wr_status
average(const moment *m, const wr_type *t, wr_expr *x, wr_expr **out)
{
    wr_expr *sum = NULL, *count = NULL, *ratio = NULL;
    WR_TRY(sum_of(m, x, &sum));
    WR_TRY(aggregate(m, "COUNT", x, &count));
    WR_TRY(cast_to(m->b, sum, t, sum->type->nullable, &sum));
    WR_TRY(wri_rex_call2(&m->b->r, "/", sum, count, &ratio));
    return cast_to(m->b, ratio, t, t->nullable, out);
}

/* COUNT(x), or for samples CASE(COUNT(x) = 1, NULL, COUNT(x) - 1). */
static wr_status
divisor(const moment *m, wr_expr *count, bool sample, wr_expr **out)
{
    wri_binder *b = m->b;
    *out = count;
    if (!sample) return WR_OK;
    wr_expr **args = WR_NEW_N(b->a, wr_expr *, 3), *one = wri_rex_int(b->a, WR_T_INT, 1);
    WR_TRY_ALLOC(b->ctx, args);
    WR_TRY_ALLOC(b->ctx, one);
    WR_TRY(wri_rex_call2(&b->r, "=", count, one, &args[0]));
    args[1] = wri_rex_null(b->a, wr_type_of(WR_T_BIGINT, true));
    WR_TRY_ALLOC(b->ctx, args[1]);
    WR_TRY(wri_rex_call2(&b->r, "-", count, one, &args[2]));
    return wr_expr_case(b->ctx, b->a, args, 3, m->site->span, out);
}

static wr_status
variance(const moment *m, const wr_type *t, wr_expr *x, bool sample, bool root, wr_expr **out)
{
    wri_binder *b = m->b;
    wr_expr *squared = NULL, *squares = NULL, *sum = NULL, *count = NULL, *typed = NULL;
    wr_expr *product = NULL, *mean = NULL, *by = NULL;
    WR_TRY(cast_to(b, x, t, x->type->nullable, &x));
    WR_TRY(wri_rex_call2(&b->r, "*", x, x, &squared));
    WR_TRY(cast_to(b, squared, t, squared->type->nullable, &squared));
    WR_TRY(sum_of(m, squared, &squares));
    WR_TRY(sum_of(m, x, &sum));
    WR_TRY(aggregate(m, "COUNT", x, &count));
    WR_TRY(wri_rex_call2(&b->r, "*", sum, sum, &product));
    WR_TRY(cast_to(b, product, t, product->type->nullable, &product));
    WR_TRY(cast_to(b, count, t, false, &typed));
    WR_TRY(wri_rex_call2(&b->r, "/", product, typed, &mean));
    WR_TRY(cast_to(b, mean, t, mean->type->nullable, &mean));
    WR_TRY(wri_rex_call2(&b->r, "-", squares, mean, out));
    WR_TRY(cast_to(b, *out, t, (*out)->type->nullable, out));
    WR_TRY(divisor(m, sample ? count : typed, sample, &by));
    WR_TRY(wri_rex_call2(&b->r, "/", *out, by, out));
    if (root) {
        const wr_type *dec = wr_type_decimal(b->a, 2, 1, false);
        WR_TRY_ALLOC(b->ctx, dec);
        wr_value v = wr_value_int(dec, 5); /* 0.5 */
        wr_expr *half = wr_expr_literal(b->a, &v, m->site->span);
        WR_TRY_ALLOC(b->ctx, half);
        if (sample) WR_TRY(cast_to(b, *out, t, (*out)->type->nullable, out));
        WR_TRY(wri_rex_call2(&b->r, "POWER", *out, half, out));
    }
    return cast_to(b, *out, t, (*out)->type->nullable || t->nullable, out);
}

wr_status
wri_bind_over_moment(wri_binder *b, const wri_over_site *site, const wr_fn *fn, wr_expr *x,
                     bool distinct, bool *made, wr_expr **out)
{
    moment m = {b, site, distinct};
    const wr_type *t = NULL;
    bool root = strncmp(fn->name, "STDDEV", 6) == 0;
    bool var = root || strncmp(fn->name, "VAR", 3) == 0, sum = strcmp(fn->name, "SUM") == 0;
    *made = var || sum || strcmp(fn->name, "AVG") == 0;
    if (!*made) return WR_OK;
    WR_TRY(result_type(&m, fn, x, &t)); /* refuses what is no number */
    if (sum) return sum_of(&m, x, out);
    if (!var) return average(&m, t, x, out);
    bool sample = strstr(fn->name, "_POP") == NULL;
    return variance(&m, t, x, sample, root, out);
}
