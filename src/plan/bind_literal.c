/* SPDX-License-Identifier: Apache-2.0 */
/* Literals: from their text to a typed value, with Flink's checks and texts. A date or time literal
 * is stricter than a CAST of the same string. */
#include "plan/bind_int.h"
#include "types/decimal.h"

static wr_status
make(wri_binder *b, const wr_type *t, int64_t i, wr_span span, wr_expr **out)
{
    WR_TRY_ALLOC(b->ctx, t);
    wr_value v = wr_value_int(t, i);
    *out = wr_expr_literal(b->a, &v, span);
    WR_TRY_ALLOC(b->ctx, *out);
    return WR_OK;
}

static wr_status
out_of_range(wri_binder *b, wr_str text, wr_span span)
{
    return wr_raise_at(b->ctx, WR_TYPE, span, "Numeric literal '%.*s' out of range",
                       WR_STR_ARG(text));
}

/* ---- numbers --------------------------------------------------------------------------------- */
static wr_status
bind_integer(wri_binder *b, wr_str text, bool negate, wr_span span, wr_expr **out)
{
    uint64_t v = 0;
    for (size_t i = 0; i < text.len; i++) {
        uint64_t digit = (uint64_t)(text.ptr[i] - '0');
        if (digit > 9 || __builtin_mul_overflow(v, 10u, &v) || __builtin_add_overflow(v, digit, &v))
            return out_of_range(b, text, span);
    }
    uint64_t limit = (uint64_t)INT64_MAX + (negate ? 1 : 0);
    if (v > limit) return out_of_range(b, text, span);
    int64_t i = negate ? (int64_t)(0 - v) : (int64_t)v;
    wr_type_id id = i >= INT32_MIN && i <= INT32_MAX ? WR_T_INT : WR_T_BIGINT;
    return make(b, wr_type_of(id, false), i, span, out);
}

static wr_status
bind_decimal(wri_binder *b, wr_str text, bool negate, wr_span span, wr_expr **out)
{
    wr_i128 v = 0;
    int p = 0, s = 0;
    if (wr_dec_literal(text.ptr, text.len, &v, &p, &s) != WR_DEC_OK || v > INT64_MAX ||
        v < INT64_MIN)
        return out_of_range(b, text, span);
    int digits = (int)text.len - 1; /* as written: 0.50 is DECIMAL(3, 2) */
    if (digits > p && digits <= WR_DECIMAL_MAX) p = digits;
    const wr_type *t = wr_type_decimal(b->a, p, s, false);
    WR_TRY_ALLOC(b->ctx, t);
    wr_value value = wr_value_int(t, (int64_t)(negate ? -v : v));
    if (t->phys == WR_PHYS_I128) value.u.i128 = negate ? -v : v;
    *out = wr_expr_literal(b->a, &value, span);
    WR_TRY_ALLOC(b->ctx, *out);
    return WR_OK;
}

static wr_status
bind_double(wri_binder *b, wr_str text, bool negate, wr_span span, wr_expr **out)
{
    wr_value s = wr_value_str(wr_type_string(false), text);
    wr_expr *e = wr_expr_literal(b->a, &s, span);
    WR_TRY_ALLOC(b->ctx, e);
    e = wr_expr_cast(b->a, e, wr_type_of(WR_T_DOUBLE, false), false, span);
    WR_TRY_ALLOC(b->ctx, e);
    WR_TRY(wr_expr_fold(b->ctx, b->a, b->env->eval, e, out));
    wr_value v = (*out)->value;
    if ((*out)->kind != WR_EX_LITERAL || !__builtin_isfinite(v.u.f64))
        return out_of_range(b, text, span);
    v.type = wr_type_of(WR_T_DOUBLE, false);
    if (negate) v.u.f64 = -v.u.f64;
    *out = wr_expr_literal(b->a, &v, span);
    WR_TRY_ALLOC(b->ctx, *out);
    return WR_OK;
}

/* ---- dates and times ------------------------------------------------------------------------- */
typedef struct scanner {
    const char *p, *end;
} scanner;

/* 1 to `max` digits. */
static bool
scan_int(scanner *s, int max, int *out)
{
    int n = 0, v = 0;
    while (s->p < s->end && n < max && *s->p >= '0' && *s->p <= '9') {
        v = v * 10 + (*s->p++ - '0');
        n++;
    }
    *out = v;
    return n > 0;
}

static bool
scan_char(scanner *s, char c)
{
    if (s->p >= s->end || *s->p != c) return false;
    s->p++;
    return true;
}

static int
days_in_month(int y, int m)
{
    static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
    return m == 2 && leap ? 29 : days[m - 1];
}

/* Days since 1970-01-01 of a date of the (proleptic) Gregorian calendar. */
static int64_t
days_of(int64_t y, int m, int d)
{
    y -= m <= 2;
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t yoe = y - era * 400, doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
    return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

static bool
scan_date(scanner *s, int64_t *days)
{
    int y, m, d;
    const char *start = s->p;
    if (!scan_int(s, 4, &y) || s->p - start != 4 || !scan_char(s, '-') || !scan_int(s, 2, &m) ||
        !scan_char(s, '-') || !scan_int(s, 2, &d))
        return false;
    if (m < 1 || m > 12 || d < 1 || d > days_in_month(y, m)) return false;
    *days = days_of(y, m, d);
    return true;
}

/* HH:mm:ss[.f]: milliseconds of the day, nanoseconds within, digits of the fraction. */
static bool
scan_time(scanner *s, int64_t *ms, int32_t *nano, int *digits)
{
    int h, m, sec, frac = 0;
    *digits = 0;
    if (!scan_int(s, 2, &h) || !scan_char(s, ':') || !scan_int(s, 2, &m) || !scan_char(s, ':') ||
        !scan_int(s, 2, &sec) || h > 23 || m > 59 || sec > 59)
        return false;
    if (scan_char(s, '.')) {
        const char *start = s->p;
        if (!scan_int(s, 9, &frac)) return false;
        *digits = (int)(s->p - start);
        while (s->p < s->end && *s->p >= '0' && *s->p <= '9') s->p++;
        for (int i = *digits; i < 9; i++) frac *= 10;
    }
    *ms = ((int64_t)h * 3600 + m * 60 + sec) * 1000 + frac / 1000000;
    *nano = frac % 1000000;
    return true;
}

static wr_status
illegal(wri_binder *b, const char *what, wr_str text, const char *format, wr_span span)
{
    return wr_raise_at(b->ctx, WR_TYPE, span, "Illegal %s literal '%.*s': not in format '%s'", what,
                       WR_STR_ARG(text), format);
}

static wr_status
bind_date(wri_binder *b, wr_str text, wr_span span, wr_expr **out)
{
    scanner s = {text.ptr, text.ptr + text.len};
    int64_t days;
    if (!scan_date(&s, &days) || s.p != s.end) return illegal(b, "DATE", text, "yyyy-MM-dd", span);
    return make(b, wr_type_of(WR_T_DATE, false), days, span, out);
}

static wr_status
bind_time(wri_binder *b, wr_str text, wr_span span, wr_expr **out)
{
    scanner s = {text.ptr, text.ptr + text.len};
    int64_t ms;
    int32_t nano;
    int digits;
    if (!scan_time(&s, &ms, &nano, &digits) || s.p != s.end)
        return illegal(b, "TIME", text, "HH:mm:ss", span);
    return make(b, wr_type_time(b->a, WR_T_TIME, WR_MIN(digits, 3), false), ms, span, out);
}

static wr_status
bind_timestamp(wri_binder *b, wr_str text, wr_type_id id, wr_span span, wr_expr **out)
{
    scanner s = {text.ptr, text.ptr + text.len};
    int64_t days, ms = 0;
    int32_t nano = 0;
    int digits = 0;
    bool ok = scan_date(&s, &days);
    if (ok && s.p != s.end)
        ok = scan_char(&s, ' ') && scan_time(&s, &ms, &nano, &digits) && s.p == s.end;
    if (!ok) return illegal(b, "TIMESTAMP", text, "yyyy-MM-dd HH:mm:ss", span);
    if (id == WR_T_TIMESTAMP_LTZ) { /* wall-clock time of the session's zone */
        wr_expr *local = NULL;
        WR_TRY(bind_timestamp(b, text, WR_T_TIMESTAMP, span, &local));
        const wr_type *to = wr_type_time(b->a, id, digits, false);
        WR_TRY_ALLOC(b->ctx, to);
        local = wr_expr_cast(b->a, local, to, false, span);
        WR_TRY_ALLOC(b->ctx, local);
        return wr_expr_fold(b->ctx, b->a, b->env->eval, local, out);
    }
    const wr_type *t = wr_type_time(b->a, id, digits, false);
    WR_TRY_ALLOC(b->ctx, t);
    wr_value v = wr_value_int(t, days * 86400000 + ms);
    if (t->phys == WR_PHYS_TS) v.u.ts = (wr_ts){days * 86400000 + ms, nano, 0};
    *out = wr_expr_literal(b->a, &v, span);
    WR_TRY_ALLOC(b->ctx, *out);
    return WR_OK;
}

/* ---- dispatch -------------------------------------------------------------------------------- */
static wr_status
bind_bytes(wri_binder *b, wr_str text, wr_type_id id, wr_span span, wr_expr **out)
{
    size_t n = id == WR_T_CHAR ? wr_utf8_count(text.ptr, text.len) : text.len;
    const wr_type *t = wr_type_char(b->a, id, (int32_t)n, false);
    WR_TRY_ALLOC(b->ctx, t);
    wr_value v = wr_value_str(t, text);
    *out = wr_expr_literal(b->a, &v, span);
    WR_TRY_ALLOC(b->ctx, *out);
    return WR_OK;
}

static wr_status
bind_null(wri_binder *b, wr_type_id id, wr_span span, wr_expr **out)
{
    wr_value v = wr_value_null(wr_type_of(id, true));
    *out = wr_expr_literal(b->a, &v, span);
    WR_TRY_ALLOC(b->ctx, *out);
    return WR_OK;
}

wr_status
wri_bind_literal(wri_binder *b, const wr_ast_literal *l, bool negate, wr_span span, wr_expr **out)
{
    wr_value v;
    switch (l->lit) {
    case WR_SQL_LIT_NULL:
        return bind_null(b, WR_T_NULL, span, out);
    case WR_SQL_LIT_UNKNOWN:
        return bind_null(b, WR_T_BOOLEAN, span, out);
    case WR_SQL_LIT_TRUE:
    case WR_SQL_LIT_FALSE:
        v = wr_value_bool(l->lit == WR_SQL_LIT_TRUE);
        *out = wr_expr_literal(b->a, &v, span);
        WR_TRY_ALLOC(b->ctx, *out);
        return WR_OK;
    case WR_SQL_LIT_INTEGER:
        return bind_integer(b, l->text, negate, span, out);
    case WR_SQL_LIT_DECIMAL:
        return bind_decimal(b, l->text, negate, span, out);
    case WR_SQL_LIT_DOUBLE:
        return bind_double(b, l->text, negate, span, out);
    case WR_SQL_LIT_STRING:
        return bind_bytes(b, l->text, WR_T_CHAR, span, out);
    case WR_SQL_LIT_BINARY:
        return bind_bytes(b, l->text, WR_T_BINARY, span, out);
    case WR_SQL_LIT_DATE:
        return bind_date(b, l->text, span, out);
    case WR_SQL_LIT_TIME:
        return bind_time(b, l->text, span, out);
    case WR_SQL_LIT_TIMESTAMP:
        return bind_timestamp(b, l->text, WR_T_TIMESTAMP, span, out);
    case WR_SQL_LIT_TIMESTAMP_LTZ:
        return bind_timestamp(b, l->text, WR_T_TIMESTAMP_LTZ, span, out);
    case WR_SQL_LIT_INTERVAL:
        return wri_bind_interval(b, l, span, out);
    case WR_SQL_LIT_DATETIME:
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span,
                           "DATETIME literals are not supported; write TIMESTAMP '...'");
    case WR_SQL_LIT_DEFAULT:
        return wr_raise_at(b->ctx, WR_SEMANTIC, span, "DEFAULT is not allowed here");
    }
    WR_UNREACHABLE();
}
