/* SPDX-License-Identifier: Apache-2.0 */
/* Mathematical functions: powers, logarithms, trigonometry over DOUBLE; ABS, SIGN, FLOOR, CEIL,
 * ROUND and TRUNCATE over every numeric type. */
#include <math.h>

#include "expr/time_int.h"
#include "types/decimal.h"
#include "types/number.h"

typedef double (*double_fn)(double);

static wr_status
map_double(wr_fn_call *call, double_fn f)
{
    const wr_view v = wri_view(call, 0);
    double *out = call->out->data;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        out[row] = f(WR_VIEW(&v, double, row));
    }
    return WR_OK;
}

static double
log2_by_ln(double x)
{
    return log(x) / log(2.0);
}

static double
cot(double x)
{
    return 1.0 / tan(x);
}

static double
degrees(double x)
{
    return x * (180.0 / M_PI);
}

static double
radians(double x)
{
    return x * (M_PI / 180.0);
}

#define DOUBLE_KERNEL(name, f)                                                                     \
    wr_status wri_k_##name(wr_fn_call *call)                                                       \
    {                                                                                              \
        return map_double(call, f);                                                                \
    }
/* Flink writes SQRT(x) as POWER(x, 0.5): 0.0 for -0.0, Infinity for -Infinity. */
static double
half_power(double x)
{
    return pow(x, 0.5);
}
DOUBLE_KERNEL(sqrt, half_power)
DOUBLE_KERNEL(ln, log)
DOUBLE_KERNEL(log10, log10)
DOUBLE_KERNEL(log2, log2_by_ln)
DOUBLE_KERNEL(exp, exp)
DOUBLE_KERNEL(sin, sin)
DOUBLE_KERNEL(sinh, sinh)
DOUBLE_KERNEL(cos, cos)
DOUBLE_KERNEL(cosh, cosh)
DOUBLE_KERNEL(tan, tan)
DOUBLE_KERNEL(tanh, tanh)
DOUBLE_KERNEL(cot, cot)
DOUBLE_KERNEL(asin, asin)
DOUBLE_KERNEL(acos, acos)
DOUBLE_KERNEL(atan, atan)
DOUBLE_KERNEL(degrees, degrees)
DOUBLE_KERNEL(radians, radians)
#undef DOUBLE_KERNEL

/* Java's Math.pow: NaN as exponent is never forgiven, and |1| to the infinite is NaN. */
static double
power(double x, double y)
{
    if (isnan(y) || (isinf(y) && !(fabs(x) < 1) && !(fabs(x) > 1))) return NAN;
    return pow(x, y);
}

static wr_status
map_pair(wr_fn_call *call, double (*f)(double, double))
{
    const wr_view a = wri_view(call, 0), b = wri_view(call, 1);
    double *out = call->out->data;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        out[row] = f(WR_VIEW(&a, double, row), WR_VIEW(&b, double, row));
    }
    return WR_OK;
}

wr_status
wri_k_power(wr_fn_call *call)
{
    return map_pair(call, power);
}

wr_status
wri_k_atan2(wr_fn_call *call)
{
    return map_pair(call, atan2);
}

static double
log_base(double base, double x)
{
    return log(x) / log(base);
}

wr_status
wri_k_log(wr_fn_call *call)
{
    return call->arg_count == 1 ? map_double(call, log) : map_pair(call, log_base);
}

static wr_status
constant(wr_fn_call *call, double v)
{
    WR_FOR_CALL(call, row)
    WRI_OUT(call, double)[row] = v;
    return WR_OK;
}

wr_status
wri_k_pi(wr_fn_call *call)
{
    return constant(call, M_PI);
}

wr_status
wri_k_e(wr_fn_call *call)
{
    return constant(call, M_E);
}

/* ---- ABS, SIGN ------------------------------------------------------------------------------- */
wr_status
wri_r_abs(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    if (t->id == WR_T_NULL) WR_TRY(wri_cast_arg_id(ctx, b, 0, WR_T_INT));
    t = b->arg_types[0];
    if (!wr_type_is_numeric(t) && wr_type_family(t) != WR_FAM_INTERVAL)
        return wri_refuse(ctx, b, NULL);
    return wri_result(ctx, b, t);
}

wr_status
wri_k_abs(wr_fn_call *call)
{
    const wr_view v = wri_view(call, 0);
    const uint8_t phys = call->args[0]->phys;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        if (phys == WR_PHYS_F64) {
            WRI_OUT(call, double)[row] = fabs(WR_VIEW(&v, double, row));
        } else if (phys == WR_PHYS_F32) {
            WRI_OUT(call, float)[row] = fabsf(WR_VIEW(&v, float, row));
        } else if (phys == WR_PHYS_I128) {
            const wr_i128 x = WR_VIEW(&v, wr_i128, row);
            WRI_OUT(call, wr_i128)[row] = x < 0 ? -x : x;
        } else {
            const int64_t x = wri_int(&v, phys, row); /* the least integer stays: it wraps */
            wri_put_int(call, row, x < 0 ? (int64_t)(0 - (uint64_t)x) : x);
        }
    }
    return WR_OK;
}

static void
put_exact(wr_fn_call *call, uint32_t row, wr_i128 v)
{
    if (call->expr->type->id == WR_T_DECIMAL)
        wri_put_dec(call, row, v);
    else
        wri_put_int(call, row, (int64_t)v);
}

wr_status
wri_k_sign(wr_fn_call *call)
{
    const wr_view v = wri_view(call, 0);
    const uint8_t phys = call->args[0]->phys;
    const wr_type *t = call->expr->type;
    const wr_i128 one = t->id == WR_T_DECIMAL ? wr_dec_pow10(t->scale) : 1;
    const bool fits = t->id != WR_T_DECIMAL || wr_dec_fits(one, t->precision);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        if (phys == WR_PHYS_F64) {
            const double x = WR_VIEW(&v, double, row);
            WRI_OUT(call, double)[row] = x > 0 ? 1 : x < 0 ? -1 : x;
        } else if (phys == WR_PHYS_F32) {
            const float x = WR_VIEW(&v, float, row);
            WRI_OUT(call, float)[row] = x > 0 ? 1 : x < 0 ? -1 : x;
        } else {
            const wr_i128 x = wri_dec(&v, phys, row);
            if (x != 0 && !fits) {
                wri_null(call, row);
                continue;
            }
            put_exact(call, row, x > 0 ? one : x < 0 ? -one : 0);
        }
    }
    return WR_OK;
}

/* ---- FLOOR, CEIL ----------------------------------------------------------------------------- */
static bool
is_ceil(const wr_fn *fn)
{
    return fn->name[0] == 'C';
}

static wr_status
resolve_floor_time(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    const wr_unit unit = wri_unit_of(b->args[1]);
    if (t->id == WR_T_NULL) WR_TRY(wri_cast_arg_id(ctx, b, 0, WR_T_TIMESTAMP));
    t = b->arg_types[0];
    if (wr_type_family(t) != WR_FAM_DATETIME) return wri_refuse(ctx, b, NULL);
    if (unit == WR_UNIT_NONE || unit == WR_UNIT_EPOCH || unit == WR_UNIT_DOY ||
        unit == WR_UNIT_DOW || unit == WR_UNIT_ISODOW || unit == WR_UNIT_ISOYEAR)
        return wri_refuse_unit(ctx, b, 1);
    b->kernel = wri_k_floor_time;
    return wri_result(ctx, b, t);
}

wr_status
wri_r_floor(wr_ctx *ctx, wr_fn_bind *b)
{
    if (b->arg_count == 2) return resolve_floor_time(ctx, b);
    const wr_type *t = b->arg_types[0];
    if (t->id == WR_T_NULL) WR_TRY(wri_cast_arg_id(ctx, b, 0, WR_T_INT));
    t = b->arg_types[0];
    if (!wr_type_is_numeric(t)) return wri_refuse(ctx, b, NULL);
    if (t->id == WR_T_DECIMAL) t = wr_type_decimal(b->arena, t->precision, 0, true);
    return wri_result(ctx, b, t);
}

wr_status
wri_k_floor(wr_fn_call *call)
{
    const wr_view v = wri_view(call, 0);
    const uint8_t phys = call->args[0]->phys;
    const wr_type *from = call->expr->args[0]->type, *to = call->expr->type;
    const bool ceiling = is_ceil(call->expr->fn);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        if (phys == WR_PHYS_F64) {
            const double x = WR_VIEW(&v, double, row);
            WRI_OUT(call, double)[row] = ceiling ? ceil(x) : floor(x);
        } else if (phys == WR_PHYS_F32) {
            const float x = WR_VIEW(&v, float, row);
            WRI_OUT(call, float)[row] = ceiling ? ceilf(x) : floorf(x);
        } else if (from->id != WR_T_DECIMAL) {
            wri_put_int(call, row, wri_int(&v, phys, row));
        } else {
            wr_i128 r;
            if (wr_dec_round(wri_dec(&v, phys, row), from->scale, 0,
                             ceiling ? WR_DEC_CEIL : WR_DEC_FLOOR, to->precision, 0, &r))
                wri_put_dec(call, row, r);
            else
                wri_null(call, row);
        }
    }
    return WR_OK;
}

/* ---- ROUND, TRUNCATE ------------------------------------------------------------------------- */
/* The scale is known when it is a literal: the type follows it. Otherwise the declared type stays,
 * and so does the value's scale. */
static const wr_type *
round_type(wr_fn_bind *b, const wr_type *t)
{
    int64_t r = 0;
    if (t->id != WR_T_DECIMAL) return t;
    if (b->arg_count == 2 && !wri_lit_int(b->args[1], &r)) return t;
    const int p = t->precision, s = t->scale;
    if (r >= s) return t;
    if (r < 0) return wr_type_decimal(b->arena, WR_MIN(WR_DECIMAL_MAX, 1 + p - s), 0, true);
    return wr_type_decimal(b->arena, WR_MIN(WR_DECIMAL_MAX, 1 + p - s + (int)r), (int)r, true);
}

wr_status
wri_r_round(wr_ctx *ctx, wr_fn_bind *b)
{
    if (b->arg_types[0]->id == WR_T_NULL) WR_TRY(wri_cast_arg_id(ctx, b, 0, WR_T_INT));
    const wr_type *t = b->arg_types[0];
    if (!wr_type_is_numeric(t)) return wri_refuse(ctx, b, NULL);
    if (b->arg_count == 2) {
        const wr_type *r = b->arg_types[1];
        if (!wr_type_is_integer(r) && r->id != WR_T_NULL) return wri_refuse(ctx, b, NULL);
        WR_TRY(wri_cast_arg_id(ctx, b, 1, WR_T_INT));
    }
    const wr_type *result = round_type(b, t);
    WR_TRY_ALLOC(ctx, result);
    return wri_result(ctx, b, result);
}

/* 10^n as a 64-bit integer, 0 beyond 18 */
static int64_t
pow10_i64(int64_t n)
{
    return n > 18 ? 0 : (int64_t)wr_dec_pow10((int)n);
}

static int64_t
round_int(int64_t x, int64_t digits, bool cut)
{
    if (digits >= 0) return x;
    const int64_t unit = pow10_i64(-digits);
    if (unit == 0) return 0;
    const int64_t rest = x % unit;
    const int64_t base = x - rest;
    if (cut) return base;
    const int64_t twice = rest < 0 ? -rest : rest;
    if (twice < unit - twice) return base;
    return (int64_t)((uint64_t)base + (uint64_t)(x < 0 ? -unit : unit));
}

/* By way of the shortest decimal text, as Java's BigDecimal.valueOf: half up away from zero. What
 * is too long for 38 digits has nothing behind the point to round. */
static double
round_text(double x, const char *text, size_t len, int64_t digits, bool cut)
{
    if (!isfinite(x) || digits > 22) return x;
    if (digits < -308) return 0;
    int s = 22;
    wr_i128 v, r;
    while (s > 0 && wr_dec_from_text(text, len, WR_DECIMAL_MAX, s, &v) != WR_DEC_OK) s--;
    if (wr_dec_from_text(text, len, WR_DECIMAL_MAX, s, &v) != WR_DEC_OK) {
        if (digits >= 0) return x;
        const double unit = pow(10, (double)-digits);
        return (cut ? trunc(x / unit) : round(x / unit)) * unit;
    }
    const int to = digits < 0 ? 0 : (int)digits;
    const int at = (int)WR_MAX(digits, (int64_t)-WR_DECIMAL_MAX);
    if (to >= s) return x;
    const wr_dec_mode mode = cut ? WR_DEC_DOWN : WR_DEC_HALF_UP;
    return wr_dec_round(v, s, at, mode, WR_DECIMAL_MAX, to, &r) ? wr_dec_to_f64(r, to) : x;
}

static double
round_double(double x, int64_t digits, bool cut)
{
    char text[WR_F64_TEXT_MAX];
    return round_text(x, text, wr_f64_print(x, text), digits, cut);
}

static float
round_float(float x, int64_t digits, bool cut)
{
    char text[WR_F64_TEXT_MAX];
    return (float)round_text((double)x, text, wr_f64_print((double)x, text), digits, cut);
}

static void
round_decimal(wr_fn_call *call, uint32_t row, wr_i128 x, int64_t digits, bool cut)
{
    const wr_type *from = call->expr->args[0]->type, *to = call->expr->type;
    const int r = (int)WR_MAX(WR_MIN(digits, (int64_t)from->scale), (int64_t)-WR_DECIMAL_MAX);
    wr_i128 v;
    if (wr_dec_round(x, from->scale, r, cut ? WR_DEC_DOWN : WR_DEC_HALF_UP, to->precision,
                     to->scale, &v))
        wri_put_dec(call, row, v);
    else
        wri_null(call, row);
}

wr_status
wri_k_round(wr_fn_call *call)
{
    const wr_view v = wri_view(call, 0);
    const uint8_t phys = call->args[0]->phys;
    const bool cut = call->expr->fn->name[0] == 'T', two = call->arg_count == 2;
    const bool decimal = call->expr->type->id == WR_T_DECIMAL;
    const wr_view d = two ? wri_view(call, 1) : v;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const int64_t digits = two ? WR_VIEW(&d, int32_t, row) : 0;
        if (phys == WR_PHYS_F64)
            WRI_OUT(call, double)[row] = round_double(WR_VIEW(&v, double, row), digits, cut);
        else if (phys == WR_PHYS_F32)
            WRI_OUT(call, float)[row] = round_float(WR_VIEW(&v, float, row), digits, cut);
        else if (decimal)
            round_decimal(call, row, wri_dec(&v, phys, row), digits, cut);
        else
            wri_put_int(call, row, round_int(wri_int(&v, phys, row), digits, cut));
    }
    return WR_OK;
}
