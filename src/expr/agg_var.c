/* SPDX-License-Identifier: Apache-2.0 */
/* STDDEV_POP, STDDEV_SAMP, VAR_POP, VAR_SAMP and their aliases. Numbers that are no decimals go
 * through Welford's update in DOUBLE, as Flink's do, and the result is cast to the argument's type
 * (integers truncate and saturate). Decimals keep exact sums; the result is DECIMAL(38, max(6, s)).
 */
#include <math.h>

#include "expr/agg_int.h"
#include "types/decimal.h"

typedef struct var_acc {
    wr_i128 isum, isquares; /* decimals (squares at twice the scale) */
    double mean, m2;        /* the others: Welford */
    double sum, squares;    /* decimals whose squares do not fit */
    int64_t count, wide;    /* wide: times the exact sum of squares did not fit */
} var_acc;

enum { VAR_SAMPLE = 1, VAR_ROOT = 2 };

/* acc->count has been changed already. */
static void
welford(var_acc *acc, double x, bool retract)
{
    double n = (double)acc->count, delta = x - acc->mean;
    if (acc->count == 0) {
        acc->mean = acc->m2 = 0;
        return;
    }
    if (retract) {
        acc->mean -= delta / n;
        acc->m2 -= delta * (x - acc->mean);
    } else {
        acc->mean += delta / n;
        acc->m2 += delta * (x - acc->mean);
    }
}

/* Flink computes these from a count and two sums, and sends an update when one of those changes. */
WR_ALWAYS_INLINE wr_status
var_apply(wr_agg_call *call, var_acc *acc, const wr_view *w, uint32_t i, uint32_t row, bool retract)
{
    if (!wr_view_valid(w, row)) return WR_OK;
    if (call->touched) call->touched[i] = 1;
    const wr_type *t = call->agg->arg_types[0];
    acc->count += retract ? -1 : 1;
    if (t->id != WR_T_DECIMAL) {
        welford(acc, wri_double(w, t, row), retract);
        return WR_OK;
    }
    wr_i128 v = wri_dec(w, call->args[0]->phys, row), sq = 0;
    double d = wr_dec_to_f64(v, t->scale);
    acc->isum += retract ? -v : v;
    acc->sum += retract ? -d : d;
    acc->squares += retract ? -(d * d) : d * d;
    if (__builtin_mul_overflow(v, v, &sq) ||
        __builtin_add_overflow(acc->isquares, retract ? -sq : sq, &acc->isquares))
        acc->wide++;
    return WR_OK;
}

/* CAST of a DOUBLE to the integer type: toward zero, saturating at INT and BIGINT, then wrapping.
 */
static int64_t
to_integer(const wr_type *t, double d)
{
    int64_t v = d >= 9223372036854775808.0    ? INT64_MAX
                : d <= -9223372036854775808.0 ? INT64_MIN
                                              : (int64_t)d;
    if (t->id == WR_T_BIGINT) return v;
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
}

/* (n * squares - sum * sum) / (n * div), exactly when the products fit. */
static void
var_decimal(wr_agg_call *call, const var_acc *acc, int how, wr_vec *out, uint32_t i)
{
    int scale = call->agg->arg_types[0]->scale, to = out->type->scale;
    int64_t n = acc->count, div = how & VAR_SAMPLE ? n - 1 : n;
    wr_i128 a = 0, b = 0, v = 0;
    const bool whole = !acc->wide && !(how & VAR_ROOT) &&
                       !__builtin_mul_overflow(acc->isquares, (wr_i128)n, &a) &&
                       !__builtin_mul_overflow(acc->isum, acc->isum, &b) &&
                       !__builtin_sub_overflow(a, b, &a) && wr_dec_fits(a, WR_DECIMAL_MAX);
    bool ok = whole && 2 * scale <= WR_DECIMAL_MAX &&
              wr_dec_div(a, 2 * scale, (wr_i128)n * div, 0, WR_DECIMAL_MAX, to, &v);
    if (!ok) {
        double d = (acc->squares - acc->sum * acc->sum / (double)n) / (double)div;
        if (whole && a) d = wr_dec_to_f64(a, 2 * scale) / ((double)n * (double)div);
        if (how & VAR_ROOT) d = sqrt(d < 0 ? 0 : d);
        ok = wr_dec_from_f64(d, WR_DECIMAL_MAX, to, &v);
    }
    if (!ok)
        wr_vec_set_null(out, i, call->arena);
    else if (out->phys == WR_PHYS_I128)
        ((wr_i128 *)out->data)[i] = v;
    else
        ((int64_t *)out->data)[i] = (int64_t)v;
}

WR_ALWAYS_INLINE wr_status
var_value(wr_agg_call *call, const var_acc *acc, uint32_t i, wr_vec *out, int how)
{
    const wr_type *t = call->agg->arg_types[0];
    if (acc->count <= (how & VAR_SAMPLE ? 1 : 0)) {
        wr_vec_set_null(out, i, call->arena);
        return WR_OK;
    }
    if (t->id == WR_T_DECIMAL) {
        var_decimal(call, acc, how, out, i);
        return WR_OK;
    }
    double n = (double)acc->count, d = acc->m2 / (how & VAR_SAMPLE ? n - 1 : n);
    if (how & VAR_ROOT) d = sqrt(d < 0 ? 0 : d);
    int64_t v = wr_type_family(t) == WR_FAM_APPROX ? 0 : to_integer(t, d);
    switch (out->phys) {
    case WR_PHYS_I8:
        ((int8_t *)out->data)[i] = (int8_t)v;
        break;
    case WR_PHYS_I16:
        ((int16_t *)out->data)[i] = (int16_t)v;
        break;
    case WR_PHYS_I32:
        ((int32_t *)out->data)[i] = (int32_t)v;
        break;
    case WR_PHYS_F32:
        ((float *)out->data)[i] = (float)d;
        break;
    case WR_PHYS_F64:
        ((double *)out->data)[i] = d;
        break;
    default:
        ((int64_t *)out->data)[i] = v;
        break;
    }
    return WR_OK;
}

#define VAR(prefix, sql, how)                                                                      \
    WR_ALWAYS_INLINE wr_status prefix##_value(wr_agg_call *call, const var_acc *acc, uint32_t i,   \
                                              wr_vec *out)                                         \
    {                                                                                              \
        return var_value(call, acc, i, out, how);                                                  \
    }
VAR(var_pop, "VAR_POP", 0)
VAR(var_samp, "VAR_SAMP", VAR_SAMPLE)
VAR(stddev_pop, "STDDEV_POP", VAR_ROOT)
VAR(stddev_samp, "STDDEV_SAMP", VAR_SAMPLE | VAR_ROOT)

#define K_NAME   var_pop
#define K_ACC    var_acc
#define K_APPLY  var_apply
#define K_RESULT var_pop_value
#include "expr/agg.tmpl.h"
#define K_NAME   var_samp
#define K_ACC    var_acc
#define K_APPLY  var_apply
#define K_RESULT var_samp_value
#include "expr/agg.tmpl.h"
#define K_NAME   stddev_pop
#define K_ACC    var_acc
#define K_APPLY  var_apply
#define K_RESULT stddev_pop_value
#include "expr/agg.tmpl.h"
#define K_NAME   stddev_samp
#define K_ACC    var_acc
#define K_APPLY  var_apply
#define K_RESULT stddev_samp_value
#include "expr/agg.tmpl.h"

#define VAR_OPS(prefix, sql)                                                                       \
    static const wr_agg_ops prefix##_ops = {.abi = WR_ABI,                                         \
                                            .name = sql,                                           \
                                            .can_retract = true,                                   \
                                            .state_bytes = sizeof(var_acc),                        \
                                            .state_align = _Alignof(var_acc),                      \
                                            .keeps = WR_AGG_KEEPS_FAMILIES,                        \
                                            .update = prefix##_on_rows,                            \
                                            .result = prefix##_on_result,                          \
                                            .merge = wri_agg_no_merge};                            \
    const wr_agg_ops *wri_a_##prefix(wr_ctx *ctx, const wr_fn_bind *b)                             \
    {                                                                                              \
        (void)ctx;                                                                                 \
        (void)b;                                                                                   \
        return &prefix##_ops;                                                                      \
    }
VAR_OPS(var_pop, "VAR_POP")
VAR_OPS(var_samp, "VAR_SAMP")
VAR_OPS(stddev_pop, "STDDEV_POP")
VAR_OPS(stddev_samp, "STDDEV_SAMP")
