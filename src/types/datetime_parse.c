/* SPDX-License-Identifier: Apache-2.0 */
/* Text to dates, times and timestamps, exactly as lenient and with the words of Flink's casts. */
#include "types/datetime.h"

#include <stdio.h>

typedef struct cursor {
    const char *p, *end, *start;
} cursor;

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static wr_str
trim(wr_str s)
{
    while (s.len && (unsigned char)s.ptr[0] <= ' ') s.ptr++, s.len--;
    while (s.len && (unsigned char)s.ptr[s.len - 1] <= ' ') s.len--;
    return s;
}

static wr_str
sub(wr_str s, size_t from, size_t to)
{
    return (wr_str){s.ptr + from, to - from};
}

/* Position of c at or after `from`; s.len when there is none. */
static size_t
find(wr_str s, char c, size_t from)
{
    if (from >= s.len) return s.len;
    const char *p = memchr(s.ptr + from, c, s.len - from);
    return p ? (size_t)(p - s.ptr) : s.len;
}

/* Digits only, blanks around them allowed. NUM_BIG: digits, but more than an int holds. */
typedef enum num { NUM_OK, NUM_NONE, NUM_BIG } num;
static num
integer(wr_str s, int64_t *out)
{
    s = trim(s);
    *out = 0;
    if (s.len == 0) return NUM_NONE;
    for (size_t i = 0; i < s.len; i++) {
        if (!is_digit(s.ptr[i])) return NUM_NONE;
        if (*out <= INT32_MAX) *out = *out * 10 + (s.ptr[i] - '0');
    }
    return *out > INT32_MAX ? NUM_BIG : NUM_OK;
}

static bool
too_big(wr_str part, char why[WR_WHY_MAX])
{
    const wr_str s = trim(part);
    (void)snprintf(why, WR_WHY_MAX, "For input string: \"%.*s\"", WR_STR_ARG(s));
    return false;
}

/* ---- DATE: y[-m[-d]], anything behind a blank dropped ---------------------------------------- */
bool
wr_date_parse(wr_str text, int32_t *days, char why[WR_WHY_MAX])
{
    wr_str s = text, part[3];
    int64_t v[3] = {0, 1, 1};
    const size_t blank = find(s, ' ', 0);
    if (blank > 0) s.len = blank;
    const size_t h1 = find(s, '-', 0), h2 = find(s, '-', h1 + 1);
    uint32_t count = h1 == s.len ? 1 : h2 == s.len ? 2 : 3;
    part[0] = sub(s, 0, h1);
    if (count > 1) part[1] = sub(s, h1 + 1, h2);
    if (count > 2) part[2] = sub(s, h2 + 1, s.len);
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++) {
        const num n = integer(part[i], &v[i]);
        if (n == NUM_BIG) return too_big(part[i], why);
        ok = n == NUM_OK;
    }
    if (!ok || v[0] > 9999 || v[1] > 12 || v[2] > 31 ||
        !wr_date_valid(v[0], (int)v[1], (int)v[2])) {
        (void)snprintf(why, WR_WHY_MAX, "For input string: '%.*s'.", WR_STR_ARG(text));
        return false;
    }
    *days = (int32_t)wr_days_of(v[0], (int)v[1], (int)v[2]);
    return true;
}

/* ---- TIME: h[:m[:s[.f]]] --------------------------------------------------------------------- */
/* Three digits, rounded by the fourth; what is no digit counts as zero. */
static int
fraction_ms(wr_str s)
{
    int ms = 0, unit = 100;
    for (size_t i = 0; i < s.len; i++) {
        ms += is_digit(s.ptr[i]) ? unit * (s.ptr[i] - '0') : 0;
        if (unit < 10) {
            if (i + 1 < s.len && s.ptr[i + 1] >= '5') ms++;
            break;
        }
        unit /= 10;
    }
    return ms;
}

bool
wr_time_parse(wr_str text, int32_t *ms, char why[WR_WHY_MAX])
{
    wr_str part[3];
    int64_t v[3] = {0, 0, 0};
    int fraction = 0;
    const size_t c1 = find(text, ':', 0), c2 = find(text, ':', c1 + 1);
    const uint32_t count = c1 == text.len ? 1 : c2 == text.len ? 2 : 3;
    part[0] = sub(text, 0, c1);
    if (count > 1) part[1] = sub(text, c1 + 1, c2);
    if (count > 2) {
        const size_t dot = find(text, '.', c2);
        part[2] = sub(text, c2 + 1, dot);
        if (dot < text.len) fraction = fraction_ms(trim(sub(text, dot + 1, text.len)));
    }
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++) {
        const num n = integer(part[i], &v[i]);
        if (n == NUM_BIG) return too_big(part[i], why);
        ok = n == NUM_OK;
    }
    if (!ok || v[0] > 23 || v[1] > 59 || v[2] > 59) {
        (void)snprintf(why, WR_WHY_MAX,
                       "Invalid time format: '%.*s'. Expected format: HH:mm:ss[.fff] where HH is "
                       "00-23, mm is 00-59, ss is 00-59",
                       WR_STR_ARG(text));
        return false;
    }
    const int64_t total = v[0] * WR_MS_HOUR + v[1] * WR_MS_MINUTE + v[2] * WR_MS_SECOND + fraction;
    *ms = (int32_t)WR_MIN(total, WR_MS_DAY - 1);
    return true;
}

/* ---- TIMESTAMP: yyyy-[MM][M]-[dd][d][ [HH][H]:[mm][m]:[ss][s][.f{0,9}]] ---------------------- */
typedef struct fields {
    int64_t year, month, day, hour, minute, second, nano;
} fields;

/* Digits at the cursor, at most `max`; how many. */
static int
digits(cursor *c, int max, int64_t *out)
{
    int n = 0;
    int64_t v = 0;
    while (n < max && c->p < c->end && is_digit(*c->p)) {
        if (v < INT64_MAX / 100) v = v * 10 + (*c->p - '0');
        c->p++;
        n++;
    }
    *out = v;
    return n;
}

/* "[MM][M]": two digits, and then perhaps a number of the same value; or just a number, perhaps
 * negative. Both halves are optional. */
static void
two_or_one(cursor *c, int64_t *out)
{
    const cursor before = *c;
    int64_t v, again;
    bool have = digits(c, 2, &v) == 2;
    if (!have) *c = before;
    const cursor mid = *c;
    const bool negative = c->p < c->end && *c->p == '-';
    if (negative) c->p++;
    const int n = digits(c, 19, &again);
    again = negative ? -again : again;
    if (n == 0 || (have && again != v))
        *c = mid;
    else if (!have)
        v = again, have = true;
    if (have) *out = v;
}

static bool
literal(cursor *c, char x)
{
    if (c->p == c->end || *c->p != x) return false;
    c->p++;
    return true;
}

/* The optional part; restores the cursor when it is not there. */
static void
time_part(cursor *c, fields *f)
{
    const cursor before = *c;
    fields t = *f;
    bool ok = literal(c, ' ');
    if (ok) two_or_one(c, &t.hour);
    ok = ok && literal(c, ':');
    if (ok) two_or_one(c, &t.minute);
    ok = ok && literal(c, ':');
    if (ok) two_or_one(c, &t.second);
    if (!ok) {
        *c = before;
        return;
    }
    if (literal(c, '.')) {
        int64_t v;
        int n = digits(c, 9, &v);
        for (; n < 9; n++) v *= 10;
        t.nano = v;
    }
    *f = t;
}

static bool
failed_at(const cursor *c, const char *at, char why[WR_WHY_MAX])
{
    (void)snprintf(why, WR_WHY_MAX, "Text '%.*s' could not be parsed at index %d",
                   (int)(c->end - c->start), c->start, (int)(at - c->start));
    return false;
}

/* Four digits; more only behind a '+', which is only for more; '-' before any. */
static bool
year_part(cursor *c, fields *f, char why[WR_WHY_MAX])
{
    const bool plus = c->p < c->end && *c->p == '+';
    const bool minus = c->p < c->end && *c->p == '-';
    if (plus || minus) c->p++;
    const char *from = c->p;
    const int n = digits(c, 19, &f->year);
    if (n < 4) return failed_at(c, from, why);
    if (plus && n == 4) return failed_at(c, from - 1, why);
    if (!plus && !minus && n > 4) return failed_at(c, from, why);
    if (minus) f->year = -f->year;
    return true;
}

static bool
out_of_range(const cursor *c, const char *field, const char *range, int64_t v, char why[WR_WHY_MAX])
{
    (void)snprintf(why, WR_WHY_MAX,
                   "Text '%.*s' could not be parsed: Invalid value for %s (valid values %s): %lld",
                   (int)(c->end - c->start), c->start, field, range, (long long)v);
    return false;
}

static bool
check_fields(const cursor *c, const fields *f, char why[WR_WHY_MAX])
{
    if (f->year < 1 || f->year > 999999999)
        return out_of_range(c, "YearOfEra", "1 - 999999999/1000000000", f->year, why);
    if (f->month < 1 || f->month > 12)
        return out_of_range(c, "MonthOfYear", "1 - 12", f->month, why);
    if (f->day < 1 || f->day > 31) return out_of_range(c, "DayOfMonth", "1 - 28/31", f->day, why);
    const bool midnight =
        f->hour == 24 && f->minute == 0 && f->second == 0 && f->nano == 0; /* of the next day */
    if (f->hour < 0 || (f->hour > 23 && !midnight))
        return out_of_range(c, "HourOfDay", "0 - 23", f->hour, why);
    if (f->minute < 0 || f->minute > 59)
        return out_of_range(c, "MinuteOfHour", "0 - 59", f->minute, why);
    if (f->second < 0 || f->second > 59)
        return out_of_range(c, "SecondOfMinute", "0 - 59", f->second, why);
    return true;
}

bool
wr_ts_parse(wr_str text, wr_ts *out, char why[WR_WHY_MAX])
{
    cursor c = {text.ptr, text.ptr + text.len, text.ptr};
    fields f = {.month = 1, .day = 1};
    if (!year_part(&c, &f, why)) return false;
    if (!literal(&c, '-')) return failed_at(&c, c.p, why);
    two_or_one(&c, &f.month);
    if (!literal(&c, '-')) return failed_at(&c, c.p, why);
    two_or_one(&c, &f.day);
    time_part(&c, &f);
    if (c.p != c.end) {
        (void)snprintf(why, WR_WHY_MAX,
                       "Text '%.*s' could not be parsed, unparsed text found at index %d",
                       WR_STR_ARG(text), (int)(c.p - c.start));
        return false;
    }
    if (!check_fields(&c, &f, why)) return false;
    /* a day that the month does not have becomes its last */
    const int day = WR_MIN((int)f.day, wr_month_days(f.year, (int)f.month));
    const int64_t days = wr_days_of(f.year, (int)f.month, day);
    out->ms = days * WR_MS_DAY + f.hour * WR_MS_HOUR + f.minute * WR_MS_MINUTE +
              f.second * WR_MS_SECOND + f.nano / 1000000;
    out->nano = (int32_t)(f.nano % 1000000);
    out->pad = 0;
    return true;
}

/* ---- literals -------------------------------------------------------------------------------- */
/* Up to `max` digits and at least one. */
static bool
number(cursor *c, int max, int64_t *out)
{
    return digits(c, max, out) > 0;
}

static bool
literal_date(cursor *c, int64_t *days)
{
    int64_t y, m, d;
    const bool ok = digits(c, 4, &y) == 4 && literal(c, '-') && number(c, 2, &m) &&
                    literal(c, '-') && number(c, 2, &d);
    if (!ok || !wr_date_valid(y, (int)m, (int)d)) return false;
    *days = wr_days_of(y, (int)m, (int)d);
    return true;
}

static bool
literal_time(cursor *c, int64_t *ms, int32_t *nano, int *precision)
{
    int64_t h, m, s, f = 0;
    int n = 0;
    const bool ok = number(c, 2, &h) && literal(c, ':') && number(c, 2, &m) && literal(c, ':') &&
                    number(c, 2, &s);
    if (!ok || h > 23 || m > 59 || s > 59) return false;
    if (literal(c, '.')) {
        n = digits(c, 9, &f);
        if (n == 0) return false;
        for (int i = n; i < 9; i++) f *= 10;
        while (c->p < c->end && is_digit(*c->p)) c->p++; /* beyond nanoseconds: dropped */
    }
    *precision = n;
    *ms = h * WR_MS_HOUR + m * WR_MS_MINUTE + s * WR_MS_SECOND + f / 1000000;
    *nano = (int32_t)(f % 1000000);
    return true;
}

static cursor
cursor_of(wr_str text)
{
    return (cursor){text.ptr, text.ptr + text.len, text.ptr};
}

bool
wr_date_literal(wr_str text, int32_t *days)
{
    cursor c = cursor_of(trim(text));
    int64_t d;
    if (!literal_date(&c, &d) || c.p != c.end) return false;
    *days = (int32_t)d;
    return true;
}

bool
wr_time_literal(wr_str text, int32_t *ms, int *precision)
{
    cursor c = cursor_of(trim(text));
    int64_t t;
    int32_t nano;
    if (!literal_time(&c, &t, &nano, precision) || c.p != c.end) return false;
    *ms = (int32_t)t;
    *precision = WR_MIN(*precision, 3);
    return true;
}

bool
wr_ts_literal(wr_str text, wr_ts *out, int *precision)
{
    cursor c = cursor_of(trim(text));
    int64_t days, ms = 0;
    int32_t nano = 0;
    *precision = 0;
    if (!literal_date(&c, &days)) return false;
    if (c.p != c.end && (!literal(&c, ' ') || !literal_time(&c, &ms, &nano, precision)))
        return false;
    if (c.p != c.end) return false;
    *out = wr_ts_of(days * WR_MS_DAY + ms, nano);
    return true;
}
