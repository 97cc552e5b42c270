/* SPDX-License-Identifier: Apache-2.0 */
/* Dates, times and decimals as text. */
#include "format/print.h"
#include "types/decimal.h"

static void
civil_from_days(int64_t days, int64_t *y, uint32_t *m, uint32_t *d)
{
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    uint32_t doe = (uint32_t)(days - era * 146097);
    uint32_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    uint32_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    uint32_t mp = (5 * doy + 2) / 153;
    *d = doy - (153 * mp + 2) / 5 + 1;
    *m = mp < 10 ? mp + 3 : mp - 9;
    *y = (int64_t)yoe + era * 400 + (*m <= 2);
}

static char *
put_digits(char *o, uint64_t v, uint32_t n)
{
    for (uint32_t i = n; i > 0; i--) {
        o[i - 1] = (char)('0' + v % 10);
        v /= 10;
    }
    return o + n;
}

uint32_t
wri_print_date(int64_t days, char *out)
{
    int64_t y;
    uint32_t m, d, n = 4;
    char *o = out;
    civil_from_days(days, &y, &m, &d);
    if (y < 0)
        *o++ = '-';
    else if (y > 9999)
        *o++ = '+';
    uint64_t a = (uint64_t)(y < 0 ? -y : y);
    for (uint64_t t = a / 10000; t; t /= 10) n++;
    o = put_digits(o, a, n);
    *o++ = '-';
    o = put_digits(o, m, 2);
    *o++ = '-';
    o = put_digits(o, d, 2);
    return (uint32_t)(o - out);
}

uint32_t
wri_print_time(int64_t ms, int32_t nano, char *out)
{
    char *o = out;
    uint32_t s = (uint32_t)(ms / 1000);
    o = put_digits(o, s / 3600, 2);
    *o++ = ':';
    o = put_digits(o, s / 60 % 60, 2);
    *o++ = ':';
    o = put_digits(o, s % 60, 2);
    uint32_t frac = (uint32_t)(ms % 1000) * 1000000u + (uint32_t)nano;
    if (!frac) return (uint32_t)(o - out);
    *o++ = '.';
    o = put_digits(o, frac, 9);
    while (o[-1] == '0') o--;
    return (uint32_t)(o - out);
}

uint32_t
wri_print_timestamp(int64_t ms, int32_t nano, char sep, bool z, char *out)
{
    int64_t days = ms / 86400000, rest = ms % 86400000;
    if (rest < 0) days--, rest += 86400000;
    uint32_t n = wri_print_date(days, out);
    out[n++] = sep;
    n += wri_print_time(rest, nano, out + n);
    if (z) out[n++] = 'Z';
    return n;
}

uint32_t
wri_print_stripped(wr_i128 v, int scale, bool plain, char *out)
{
    if (v == 0) {
        out[0] = '0';
        return 1;
    }
    while (v % 10 == 0) v /= 10, scale--;
    if (scale >= 0) return plain ? wr_dec_print(v, scale, out) : wr_dec_print_java(v, scale, out);
    if (plain) { /* back to an integer */
        for (; scale < 0; scale++) v *= 10;
        return wr_dec_print(v, 0, out);
    }
    /* BigDecimal.toString with a negative scale: d.dddE+n */
    char digits[WR_DEC_TEXT_MAX];
    uint32_t n = wr_dec_print(v < 0 ? -v : v, 0, digits), o = 0;
    if (v < 0) out[o++] = '-';
    out[o++] = digits[0];
    if (n > 1) {
        out[o++] = '.';
        memcpy(out + o, digits + 1, n - 1);
        o += n - 1;
    }
    uint32_t exp = (uint32_t)-scale + n - 1;
    out[o++] = 'E';
    out[o++] = '+';
    if (exp >= 10) out[o++] = (char)('0' + exp / 10);
    out[o++] = (char)('0' + exp % 10);
    return o;
}

void
wri_ts_parts(const wr_vec *v, uint32_t i, int64_t *ms, int32_t *nano)
{
    if (v->phys == WR_PHYS_TS) {
        const wr_ts *t = &((const wr_ts *)v->data)[i];
        *ms = t->ms;
        *nano = t->nano;
    } else {
        *ms = ((const int64_t *)v->data)[i];
        *nano = 0;
    }
}

wr_i128
wri_decimal_at(const wr_vec *v, uint32_t i)
{
    return v->phys == WR_PHYS_I128 ? ((const wr_i128 *)v->data)[i] : ((const int64_t *)v->data)[i];
}

int64_t
wri_integer_at(const wr_vec *v, uint32_t i)
{
    switch ((wr_phys)v->phys) {
    case WR_PHYS_BOOL:
        return ((const uint8_t *)v->data)[i];
    case WR_PHYS_I8:
        return ((const int8_t *)v->data)[i];
    case WR_PHYS_I16:
        return ((const int16_t *)v->data)[i];
    case WR_PHYS_I32:
        return ((const int32_t *)v->data)[i];
    case WR_PHYS_I64:
        return ((const int64_t *)v->data)[i];
    case WR_PHYS_NONE:
    case WR_PHYS_F32:
    case WR_PHYS_F64:
    case WR_PHYS_I128:
    case WR_PHYS_STR:
    case WR_PHYS_TS:
    case WR_PHYS_LIST:
    case WR_PHYS_MAP:
    case WR_PHYS_ROW:
    case WR_PHYS_COUNT:
        break;
    }
    return 0;
}
