/* SPDX-License-Identifier: Apache-2.0 */
/* Casts among numbers and BOOLEAN. Integers and floats go through the conversion kernels; what
 * involves a DECIMAL goes entry by entry. */
#include "types/decimal.h"
#include "types/number.h"
#include "vec/cast_int.h"
#include "vec/kernels/kernels_int.h"

#include <stdio.h>

#define AT(v, T, i)  (((const T *)(v)->data)[i])
#define OUT(c, T, i) (((T *)(c)->out->data)[i])

/* The validity of `in` for rows 0..rows), owned by out. */
static bool
copy_validity(const wri_cast *c, uint32_t rows)
{
    uint64_t *bits;
    if (!wri_validity_flat(c->in, rows, c->arena, &bits)) return false;
    c->out->has_nulls = bits != NULL;
    if (!bits) return true;
    if (!c->out->validity) c->out->validity = wri_validity_make(c->arena, rows);
    if (!c->out->validity) return false;
    memcpy(c->out->validity, bits, 8 * WR_BIT_WORDS(rows));
    return true;
}

static wr_status
cast_by_kernel(const wri_cast *c, wri_unop_fn fn)
{
    const uint32_t rows = wri_rows(c->sel, c->n);
    uint32_t step;
    const void *x = wri_vec_plain(c->in, rows, c->arena, &step);
    if (!x || !copy_validity(c, rows)) return wri_cast_nomem(c);
    if (step) {
        fn(x, c->out->data, rows);
    } else if (rows) { /* a constant */
        const size_t width = wr_phys_bytes((wr_phys)c->out->phys);
        char *p = c->out->data;
        fn(x, p, 1);
        for (uint32_t i = 1; i < rows; i++) memcpy(p + width * i, p, width);
    }
    return WR_OK;
}

static bool
is_true(const wr_vec *v, uint32_t e)
{
    switch (v->phys) {
    case WR_PHYS_BOOL:
    case WR_PHYS_I8:
        return AT(v, int8_t, e) != 0;
    case WR_PHYS_I16:
        return AT(v, int16_t, e) != 0;
    case WR_PHYS_I32:
        return AT(v, int32_t, e) != 0;
    case WR_PHYS_I64:
        return AT(v, int64_t, e) != 0;
    case WR_PHYS_F32:
        return !(AT(v, float, e) >= 0 && AT(v, float, e) <= 0); /* NaN is true */
    case WR_PHYS_F64:
        return !(AT(v, double, e) >= 0 && AT(v, double, e) <= 0);
    default:
        return AT(v, wr_i128, e) != 0;
    }
}

static void
put_integer(const wri_cast *c, uint32_t row, int64_t v)
{
    switch (c->out->phys) {
    case WR_PHYS_BOOL:
        OUT(c, uint8_t, row) = v != 0;
        return;
    case WR_PHYS_I8:
        OUT(c, int8_t, row) = (int8_t)v;
        return;
    case WR_PHYS_I16:
        OUT(c, int16_t, row) = (int16_t)v;
        return;
    case WR_PHYS_I32:
        OUT(c, int32_t, row) = (int32_t)v;
        return;
    case WR_PHYS_I64:
        OUT(c, int64_t, row) = v;
        return;
    case WR_PHYS_F32:
        OUT(c, float, row) = (float)v;
        return;
    default:
        OUT(c, double, row) = (double)v;
        return;
    }
}

static void
put_decimal(const wri_cast *c, uint32_t row, wr_i128 v)
{
    if (c->out->phys == WR_PHYS_I64)
        OUT(c, int64_t, row) = (int64_t)v;
    else
        OUT(c, wr_i128, row) = v;
}

static wr_status
float_to_decimal(const wri_cast *c, uint32_t row, double d)
{
    wr_i128 v;
    if (d - d != 0) { /* NaN, infinities */
        char why[128];
        (void)snprintf(why, sizeof why,
                       "Character %c is neither a decimal digit number, decimal point, nor \"e\" "
                       "notation exponential mark.",
                       d != d ? 'N' : 'I');
        return wri_cast_fail(c, row, true, why);
    }
    if (!wr_dec_from_f64(d, c->to->precision, c->to->scale, &v)) return wri_cast_null(c, row);
    put_decimal(c, row, v);
    return WR_OK;
}

static wr_status
to_decimal(const wri_cast *c, uint32_t row, uint32_t e)
{
    const wr_vec *in = c->in;
    wr_i128 v;
    if (in->phys == WR_PHYS_F32) return float_to_decimal(c, row, (double)AT(in, float, e));
    if (in->phys == WR_PHYS_F64) return float_to_decimal(c, row, AT(in, double, e));
    const wr_i128 x = in->phys == WR_PHYS_BOOL ? AT(in, uint8_t, e) : wri_exact_get(in, e);
    if (!wr_dec_rescale(x, wri_exact_scale(c->from), c->to->precision, c->to->scale, &v))
        return wri_cast_null(c, row);
    put_decimal(c, row, v);
    return WR_OK;
}

static wr_status
cast_entry(const wri_cast *c, uint32_t row, uint32_t e)
{
    if (c->to->id == WR_T_DECIMAL) return to_decimal(c, row, e);
    if (c->to->id == WR_T_BOOLEAN) {
        OUT(c, uint8_t, row) = is_true(c->in, e);
    } else if (c->from->id == WR_T_BOOLEAN) {
        put_integer(c, row, is_true(c->in, e));
    } else { /* from DECIMAL */
        const wr_i128 x = wri_exact_get(c->in, e);
        if (c->out->phys == WR_PHYS_F64)
            OUT(c, double, row) = wr_dec_to_f64(x, c->from->scale);
        else if (c->out->phys == WR_PHYS_F32)
            OUT(c, float, row) = (float)wr_dec_to_f64(x, c->from->scale);
        else
            put_integer(c, row, wr_dec_to_i64(x, c->from->scale));
    }
    return WR_OK;
}

/* out[row] = in[row] * factor for rows whose value lies within the limit; one that does not: false.
 */
#define RESCALE(name, TI, TO)                                                                      \
    static bool name(const wri_cast *c, const wr_view *w, wr_i128 limit, wr_i128 factor)           \
    {                                                                                              \
        TO *restrict out = c->out->data;                                                           \
        bool out_of = false;                                                                       \
        for (uint32_t i = 0; i < c->n; i++) {                                                      \
            const uint32_t row = wri_cast_row(c, i);                                               \
            const wr_i128 x = WR_VIEW(w, TI, row);                                                 \
            out_of |= x > limit || x < -limit;                                                     \
            out[row] = (TO)((wr_u128)x * (wr_u128)factor);                                         \
        }                                                                                          \
        return !out_of;                                                                            \
    }
RESCALE(rescale_64_64, int64_t, int64_t)
RESCALE(rescale_64_128, int64_t, wr_i128)
RESCALE(rescale_128_64, wr_i128, int64_t)
RESCALE(rescale_128_128, wr_i128, wr_i128)

/* To a DECIMAL of no smaller scale, when every row fits (also what lies under NULLs): no rounding.
 */
static bool
rescale_all(const wri_cast *c, const wr_view *w)
{
    const bool wide = c->in->phys == WR_PHYS_I128, out_wide = c->out->phys == WR_PHYS_I128;
    const int from = wri_exact_scale(c->from), to = c->to->scale, digits = c->to->precision;
    if (c->to->id != WR_T_DECIMAL || (!wide && c->in->phys != WR_PHYS_I64) || to < from ||
        to - from > digits || c->in->form == WR_FORM_DICT)
        return false;
    const wr_i128 factor = wr_dec_pow10(to - from);
    const wr_i128 limit = wr_dec_pow10(digits - (to - from)) - 1;
    const bool fits = wide       ? (out_wide ? rescale_128_128(c, w, limit, factor)
                                             : rescale_128_64(c, w, limit, factor))
                      : out_wide ? rescale_64_128(c, w, limit, factor)
                                 : rescale_64_64(c, w, limit, factor);
    return fits && copy_validity(c, wri_rows(c->sel, c->n));
}

wr_status
wri_cast_number(const wri_cast *c)
{
    const bool exact = c->from->id == WR_T_DECIMAL || c->to->id == WR_T_DECIMAL;
    const wri_unop_fn fn = wri_kernels()->convert[c->in->phys][c->out->phys];
    if (fn && !exact) return cast_by_kernel(c, fn);
    const wr_view w = wr_vec_view(c->in);
    if (rescale_all(c, &w)) return WR_OK;
    for (uint32_t i = 0; i < c->n; i++) {
        const uint32_t row = wri_cast_row(c, i);
        if (wr_view_valid(&w, row))
            WR_TRY(cast_entry(c, row, wr_view_at(&w, row)));
        else
            WR_TRY(wri_cast_null(c, row));
    }
    return WR_OK;
}
