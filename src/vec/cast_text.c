/* SPDX-License-Identifier: Apache-2.0 */
/* Casts to and from text. */
#include "types/decimal.h"
#include "types/number.h"
#include "vec/cast_int.h"

#include <stdio.h>

/* ---- to text --------------------------------------------------------------------------------- */
wr_status
wri_cast_to_text(const wri_cast *c)
{
    char buf[WRI_SCALAR_TEXT_MAX];
    const wr_view w = wr_vec_view(c->in);
    const bool scalar = c->in->phys < WR_PHYS_LIST && c->in->phys != WR_PHYS_STR;
    for (uint32_t i = 0; i < c->n; i++) {
        const uint32_t row = wri_cast_row(c, i);
        if (!wr_view_valid(&w, row)) {
            WR_TRY(wri_cast_null(c, row));
            continue;
        }
        const uint32_t entry = wr_view_at(&w, row);
        wr_str s = {buf, 0};
        if (scalar) {
            s.len = wri_scalar_print(WRI_TEXT_CAST, c->in, entry, c->env->tz, buf);
        } else {
            wr_text text;
            wr_text_init(&text, c->arena);
            wri_put_value(WRI_TEXT_CAST, c->in, row, c->env->tz, &text);
            if (text.failed) return wri_cast_nomem(c);
            s = wr_text_str(&text);
        }
        WR_TRY(wri_cast_store(c, row, s));
    }
    return WR_OK;
}

/* ---- from text ------------------------------------------------------------------------------- */
static wr_str
trim_blanks(wr_str s)
{
    while (s.len && s.ptr[0] == ' ') s.ptr++, s.len--;
    while (s.len && s.ptr[s.len - 1] == ' ') s.len--;
    return s;
}

static bool
bad_integer(wr_str s, const char *what, char *why)
{
    (void)snprintf(why, WR_WHY_MAX, "For input string: '%.*s'. %s", WR_STR_ARG(s), what);
    return false;
}

/* [+-]digits[.digits], the whole part within [-max - 1, max]; the fraction is dropped. */
static bool
text_to_whole(wr_str s, int64_t max, int64_t *out, char *why)
{
    s = trim_blanks(s);
    if (s.len == 0) return bad_integer(s, "Input is empty.", why);
    const char *p = s.ptr, *end = p + s.len;
    const bool negative = *p == '-';
    if (negative || *p == '+') p++;
    if (p == end) return bad_integer(s, "Input has only positive or negative symbol.", why);
    uint64_t v = 0;
    const uint64_t limit = negative ? (uint64_t)max + 1 : (uint64_t)max;
    for (; p < end && *p != '.'; p++) {
        const unsigned d = (unsigned)(*p - '0');
        if (d > 9) return bad_integer(s, "Invalid character found.", why);
        if (v > (limit - d) / 10) return bad_integer(s, "Overflow.", why);
        v = v * 10 + d;
    }
    for (p = p < end ? p + 1 : p; p < end; p++)
        if ((unsigned)(*p - '0') > 9) return bad_integer(s, "Invalid character found.", why);
    *out = negative ? (int64_t)(0 - v) : (int64_t)v;
    return true;
}

/* Smaller integers are read as INT first: of two faults, that one counts which INT sees. */
static bool
text_to_integer(wr_str s, int64_t max, int64_t *out, char *why)
{
    if (!text_to_whole(s, WR_MAX(max, INT32_MAX), out, why)) return false;
    if (*out >= -max - 1 && *out <= max) return true;
    return bad_integer(trim_blanks(s), "Overflow.", why);
}

static bool
text_to_bool(wr_str s, bool *out, char *why)
{
    static const char *const yes[] = {"t", "true", "y", "yes", "1"};
    static const char *const no[] = {"f", "false", "n", "no", "0"};
    for (uint32_t i = 0; i < WR_COUNT(yes); i++) {
        *out = true;
        if (wr_str_eq_nocase(s, wr_str_c(yes[i]))) return true;
        *out = false;
        if (wr_str_eq_nocase(s, wr_str_c(no[i]))) return true;
    }
    (void)snprintf(why, WR_WHY_MAX, "Cannot parse '%.*s' as BOOLEAN.", WR_STR_ARG(s));
    return false;
}

static bool
bad_float(wr_str s, char *why)
{
    while (s.len && (unsigned char)s.ptr[0] <= ' ') s.ptr++, s.len--;
    while (s.len && (unsigned char)s.ptr[s.len - 1] <= ' ') s.len--;
    if (s.len == 0)
        (void)snprintf(why, WR_WHY_MAX, "empty String");
    else
        (void)snprintf(why, WR_WHY_MAX, "For input string: \"%.*s\"", WR_STR_ARG(s));
    return false;
}

#define OUT(T) (((T *)c->out->data)[row])

static bool
text_to_timestamp(const wri_cast *c, wr_str s, uint32_t row, char *why)
{
    wr_ts t;
    if (!wr_ts_parse(s, &t, why)) return false;
    t = wr_ts_truncate(t, c->to->precision);
    if (c->to->id == WR_T_TIMESTAMP_LTZ) t.ms = wr_tz_to_utc(c->env->tz, t.ms);
    if (c->out->phys == WR_PHYS_TS)
        OUT(wr_ts) = t;
    else
        OUT(int64_t) = t.ms;
    return true;
}

static bool
text_to_decimal(const wri_cast *c, wr_str s, uint32_t row, char *why)
{
    wr_i128 v;
    if (!wr_dec_cast_text(s, c->to->precision, c->to->scale, &v, why)) return false;
    if (c->out->phys == WR_PHYS_I64)
        OUT(int64_t) = (int64_t)v;
    else
        OUT(wr_i128) = v;
    return true;
}

static bool
text_to_date_or_time(const wri_cast *c, wr_str s, uint32_t row, char *why)
{
    if (c->to->id == WR_T_DATE) return wr_date_parse(s, &OUT(int32_t), why);
    if (!wr_time_parse(s, &OUT(int32_t), why)) return false;
    OUT(int32_t) = wr_time_truncate(OUT(int32_t), c->to->precision);
    return true;
}

static bool
from_text(const wri_cast *c, wr_str s, uint32_t row, char *why)
{
    int64_t i;
    bool b;
    switch (c->to->id) {
    case WR_T_BOOLEAN:
        if (!text_to_bool(s, &b, why)) return false;
        OUT(uint8_t) = b;
        return true;
    case WR_T_TINYINT:
        if (!text_to_integer(s, INT8_MAX, &i, why)) return false;
        OUT(int8_t) = (int8_t)i;
        return true;
    case WR_T_SMALLINT:
        if (!text_to_integer(s, INT16_MAX, &i, why)) return false;
        OUT(int16_t) = (int16_t)i;
        return true;
    case WR_T_INT:
        if (!text_to_integer(s, INT32_MAX, &i, why)) return false;
        OUT(int32_t) = (int32_t)i;
        return true;
    case WR_T_BIGINT:
        return text_to_whole(s, INT64_MAX, &OUT(int64_t), why);
    case WR_T_FLOAT:
        return wr_f32_parse_java(s.ptr, s.len, &OUT(float)) || bad_float(s, why);
    case WR_T_DOUBLE:
        return wr_f64_parse_java(s.ptr, s.len, &OUT(double)) || bad_float(s, why);
    case WR_T_DECIMAL:
        return text_to_decimal(c, s, row, why);
    case WR_T_DATE:
    case WR_T_TIME:
        return text_to_date_or_time(c, s, row, why);
    case WR_T_TIMESTAMP:
    case WR_T_TIMESTAMP_LTZ:
        return text_to_timestamp(c, s, row, why);
    default:
        (void)snprintf(why, WR_WHY_MAX, "unsupported cast from STRING");
        return false;
    }
}

wr_status
wri_cast_from_text(const wri_cast *c)
{
    char why[WR_WHY_MAX];
    const wr_view w = wr_vec_view(c->in);
    for (uint32_t i = 0; i < c->n; i++) {
        const uint32_t row = wri_cast_row(c, i);
        if (!wr_view_valid(&w, row))
            WR_TRY(wri_cast_null(c, row));
        else if (!from_text(c, wr_view_str(&w, row), row, why))
            WR_TRY(wri_cast_fail(c, row, false, why));
    }
    return WR_OK;
}
