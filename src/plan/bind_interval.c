/* SPDX-License-Identifier: Apache-2.0 */
/* Intervals: literals like INTERVAL '10 10:00:00.004' DAY TO SECOND and the types they have. Values
 * are months or milliseconds; the qualifier stays in the type, for printing. */
#include "plan/bind_int.h"

wr_unit
wri_bind_unit(wr_sql_unit u)
{
    switch (u) {
#define UNIT(x)                                                                                    \
    case WR_SQL_UNIT_##x:                                                                          \
        return WR_UNIT_##x;
        UNIT(NONE)
        UNIT(MILLENNIUM)
        UNIT(CENTURY)
        UNIT(DECADE)
        UNIT(YEAR)
        UNIT(ISOYEAR)
        UNIT(QUARTER)
        UNIT(MONTH)
        UNIT(WEEK)
        UNIT(DAY)
        UNIT(DOW)
        UNIT(ISODOW)
        UNIT(DOY)
        UNIT(HOUR)
        UNIT(MINUTE)
        UNIT(SECOND)
        UNIT(MILLISECOND)
        UNIT(MICROSECOND)
        UNIT(NANOSECOND)
        UNIT(EPOCH)
#undef UNIT
    case WR_SQL_UNIT_COUNT:
        break;
    }
    WR_UNREACHABLE();
}

/* Months or milliseconds of one unit; 0 = no interval has it. */
static int64_t
unit_size(wr_sql_unit u, bool *months)
{
    *months = u == WR_SQL_UNIT_YEAR || u == WR_SQL_UNIT_QUARTER || u == WR_SQL_UNIT_MONTH;
    if (u == WR_SQL_UNIT_YEAR) return 12;
    if (u == WR_SQL_UNIT_QUARTER) return 3;
    if (u == WR_SQL_UNIT_MONTH) return 1;
    if (u == WR_SQL_UNIT_WEEK) return 604800000;
    if (u == WR_SQL_UNIT_DAY) return 86400000;
    if (u == WR_SQL_UNIT_HOUR) return 3600000;
    if (u == WR_SQL_UNIT_MINUTE) return 60000;
    if (u == WR_SQL_UNIT_SECOND) return 1000;
    if (u == WR_SQL_UNIT_MILLISECOND) return 1;
    return 0;
}

wr_status
wri_bind_interval_type(wri_binder *b, const wr_ast_interval *q, bool nullable, wr_span span,
                       const wr_type **out)
{
    bool months;
    if (unit_size(q->from, &months) == 0)
        return wr_raise_at(b->ctx, WR_TYPE, span, "no interval has the unit %s",
                           wr_sql_unit_name(q->from));
    wr_unit to = q->to == WR_SQL_UNIT_NONE ? wri_bind_unit(q->from) : wri_bind_unit(q->to);
    *out = wr_type_interval(b->a, wri_bind_unit(q->from), to, q->precision, q->fraction, nullable);
    WR_TRY_ALLOC(b->ctx, *out);
    return WR_OK;
}

static void
print_qualifier(wr_text *t, const wr_ast_interval *q)
{
    wr_text_puts(t, wr_sql_unit_name(q->from));
    if (q->precision >= 0 && q->from == WR_SQL_UNIT_SECOND && q->fraction >= 0)
        wr_text_printf(t, "(%d, %d)", q->precision, q->fraction);
    else if (q->precision >= 0)
        wr_text_printf(t, "(%d)", q->precision);
    if (q->to == WR_SQL_UNIT_NONE) return;
    wr_text_printf(t, " TO %s", wr_sql_unit_name(q->to));
    if (q->fraction >= 0) wr_text_printf(t, "(%d)", q->fraction);
}

typedef struct scan {
    const char *p, *end;
    const wr_ast_interval *q;
    int64_t value;    /* months or ms */
    int64_t exceeded; /* leading field above its precision; -1 = fine */
} scan;

static bool
scan_field(scan *s, bool leading, int64_t unit, int64_t max)
{
    int64_t v = 0;
    const char *start = s->p;
    while (s->p < s->end && *s->p >= '0' && *s->p <= '9')
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *s->p++ - '0', &v))
            return false;
    if (s->p == start) return false;
    if (leading) {
        int digits = s->q->precision < 0 ? 2 : s->q->precision;
        int64_t limit = 1;
        for (int i = 0; i < digits && i < 18; i++) limit *= 10;
        if (v >= limit) s->exceeded = v;
    } else if (v > max) {
        return false;
    }
    return !__builtin_mul_overflow(v, unit, &v) && !__builtin_add_overflow(s->value, v, &s->value);
}

static bool
scan_fraction(scan *s)
{
    if (s->p == s->end || *s->p != '.') return true;
    const char *start = ++s->p;
    int64_t ms = 0;
    for (; s->p < s->end && *s->p >= '0' && *s->p <= '9'; s->p++)
        if (s->p - start < 3) ms = ms * 10 + (*s->p - '0');
    int64_t n = s->p - start;
    for (int64_t i = n; i < 3; i++) ms *= 10;
    s->value += ms;
    return n > 0 && n <= 9;
}

/* The fields from q->from to q->to, each with the separator that comes before it. */
static bool
scan_interval(scan *s)
{
    static const struct {
        wr_sql_unit unit;
        char sep;
        int64_t max;
    } fields[] = {{WR_SQL_UNIT_YEAR, 0, 0},      {WR_SQL_UNIT_MONTH, '-', 11},
                  {WR_SQL_UNIT_DAY, 0, 0},       {WR_SQL_UNIT_HOUR, ' ', 23},
                  {WR_SQL_UNIT_MINUTE, ':', 59}, {WR_SQL_UNIT_SECOND, ':', 59}};
    bool months;
    wr_sql_unit to = s->q->to == WR_SQL_UNIT_NONE ? s->q->from : s->q->to, at = s->q->from;
    if (!scan_field(s, true, unit_size(at, &months), 0)) return false;
    for (uint32_t i = 0; i < WR_COUNT(fields) && at != to; i++) {
        if (fields[i].unit != at) continue;
        if (i + 1 == WR_COUNT(fields) || !fields[i + 1].sep) return false;
        if (s->p == s->end || *s->p++ != fields[i + 1].sep) return false;
        at = fields[i + 1].unit;
        if (!scan_field(s, false, unit_size(at, &months), fields[i + 1].max)) return false;
    }
    return at == to && (to != WR_SQL_UNIT_SECOND || scan_fraction(s)) && s->p == s->end;
}

wr_status
wri_bind_interval(wri_binder *b, const wr_ast_literal *l, wr_span span, wr_expr **out)
{
    const wr_type *t = NULL;
    WR_TRY(wri_bind_interval_type(b, &l->qual, false, span, &t));
    scan s = {l->text.ptr, l->text.ptr + l->text.len, &l->qual, 0, -1};
    bool minus = l->negative;
    if (s.p < s.end && (*s.p == '-' || *s.p == '+')) minus ^= *s.p++ == '-';
    wr_text q;
    wr_text_init(&q, b->a);
    print_qualifier(&q, &l->qual);
    if (!scan_interval(&s))
        return wr_raise_at(b->ctx, WR_TYPE, span,
                           "Illegal interval literal format '%.*s' for INTERVAL %.*s",
                           WR_STR_ARG(l->text), WR_STR_ARG(wr_text_str(&q)));
    if (s.exceeded >= 0)
        return wr_raise_at(
            b->ctx, WR_TYPE, span, "Interval field value %lld exceeds precision of %s(%d) field",
            (long long)(minus ? -s.exceeded : s.exceeded), wr_sql_unit_name(l->qual.from),
            l->qual.precision < 0 ? 2 : l->qual.precision);
    wr_value v = wr_value_int(t, minus ? -s.value : s.value);
    *out = wr_expr_literal(b->a, &v, span);
    WR_TRY_ALLOC(b->ctx, *out);
    return WR_OK;
}

/* INTERVAL e DAY: e times one day. */
wr_status
wri_bind_interval_expr(wri_binder *b, const wri_where *w, const wr_ast_interval_expr *i,
                       wr_expr **out)
{
    wr_span span = wri_bind_span(b, &i->base);
    const wr_type *t = NULL;
    bool months;
    if (i->qual.to != WR_SQL_UNIT_NONE)
        return wr_raise_at(b->ctx, WR_TYPE, span,
                           "an interval of an expression has a single unit, as INTERVAL x DAY");
    WR_TRY(wri_bind_interval_type(b, &i->qual, false, span, &t));
    int64_t unit = unit_size(i->qual.from, &months);
    wr_value one = wr_value_int(t, i->negative ? -unit : unit);
    wr_expr **args = WR_NEW_N(b->a, wr_expr *, 2);
    WR_TRY_ALLOC(b->ctx, args);
    args[0] = wr_expr_literal(b->a, &one, span);
    WR_TRY_ALLOC(b->ctx, args[0]);
    WR_TRY(wri_bind_expr(b, w, i->arg, &args[1]));
    return wri_bind_fn(b, "*", args, 2, span, out);
}
