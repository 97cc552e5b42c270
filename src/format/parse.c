/* SPDX-License-Identifier: Apache-2.0 */
/* Integers, dates, times and Base64 from text: the careful versions. The hot loops have their own
 * fast paths and come here for whatever those do not like. */
#include "format/parse.h"

wr_str
wri_trim(wr_str s)
{
    while (s.len && (unsigned char)s.ptr[0] <= ' ') s.ptr++, s.len--;
    while (s.len && (unsigned char)s.ptr[s.len - 1] <= ' ') s.len--;
    return s;
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool
wri_parse_int(wr_str s, int64_t min, int64_t max, int64_t *out)
{
    size_t i = 0;
    bool neg = s.len && s.ptr[0] == '-';
    if (s.len && (s.ptr[0] == '-' || s.ptr[0] == '+')) i++;
    if (i == s.len) return false;
    int64_t v = 0;
    for (; i < s.len; i++) {
        if (!is_digit(s.ptr[i])) return false;
        int64_t d = s.ptr[i] - '0';
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_sub_overflow(v, d, &v)) return false;
    }
    if (!neg && __builtin_sub_overflow((int64_t)0, v, &v)) return false;
    *out = v;
    return v >= min && v <= max;
}

/* ---- dates and times ------------------------------------------------------------------------- */

int64_t
wri_days_from_civil(int64_t y, unsigned m, unsigned d)
{
    y -= m <= 2;
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t yoe = y - era * 400;
    int64_t doy = (int64_t)((153 * (m > 2 ? m - 3 : m + 9) + 2) / 5 + d - 1);
    return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

static bool
leap(int64_t y)
{
    return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
}

/* Reads exactly `n` digits. */
static bool
fixed_digits(const char **p, const char *end, int n, int *out)
{
    int v = 0;
    if (end - *p < n) return false;
    for (int i = 0; i < n; i++) {
        char c = (*p)[i];
        if (!is_digit(c)) return false;
        v = v * 10 + (c - '0');
    }
    *p += n;
    *out = v;
    return true;
}

bool
wri_scan_iso_date(const char **p, const char *end, int64_t *days)
{
    const char *q = *p;
    bool sign = q < end && (*q == '-' || *q == '+'), neg = sign && *q == '-';
    if (sign) q++;
    int64_t year = 0;
    int n = 0, month, day;
    while (q < end && is_digit(*q) && n < 10) year = year * 10 + (*q++ - '0'), n++;
    if (n < 4 || (n > 4 && !sign) || (n == 4 && sign && !neg) || year > 999999999) return false;
    if (neg) year = -year;
    if (q == end || *q++ != '-' || !fixed_digits(&q, end, 2, &month)) return false;
    if (q == end || *q++ != '-' || !fixed_digits(&q, end, 2, &day)) return false;
    static const int length[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (month < 1 || month > 12 || day < 1) return false;
    if (day > length[month - 1] + (month == 2 && leap(year))) return false;
    *days = wri_days_from_civil(year, (unsigned)month, (unsigned)day);
    *p = q;
    return true;
}

static bool
scan_fraction(const char **p, const char *end, int64_t *nanos)
{
    int n = 0;
    int64_t v = 0;
    while (*p < end && is_digit(**p) && n < 9) v = v * 10 + (*(*p)++ - '0'), n++;
    for (; n < 9; n++) v *= 10;
    *nanos = v;
    return true;
}

bool
wri_scan_time(const char **p, const char *end, bool seconds, wri_local_time *t)
{
    const char *q = *p;
    int h, m, s = 0;
    int64_t nanos = 0;
    if (!fixed_digits(&q, end, 2, &h) || q == end || *q != ':') return false;
    q++;
    if (!fixed_digits(&q, end, 2, &m)) return false;
    if (q < end && *q == ':') {
        q++;
        if (!fixed_digits(&q, end, 2, &s)) return false;
        if (q < end && *q == '.') {
            q++;
            if (!scan_fraction(&q, end, &nanos)) return false;
        }
    } else if (seconds) {
        return false;
    }
    const bool midnight = h == 24 && m == 0 && s == 0 && nanos == 0; /* of the next day */
    if ((h > 23 && !midnight) || m > 59 || s > 59) return false;
    t->ms = ((int64_t)h * 3600 + m * 60 + s) * 1000 + nanos / 1000000;
    t->nano = (int32_t)(nanos % 1000000);
    *p = q;
    return true;
}

bool
wri_parse_timestamp(wr_str s, char sep, bool seconds, bool z, wri_local_time *t)
{
    const char *p = s.ptr, *end = s.ptr + s.len;
    if (!wri_scan_iso_date(&p, end, &t->days) || p == end || *p++ != sep) return false;
    if (!wri_scan_time(&p, end, seconds, t)) return false;
    if (z && (p == end || *p++ != 'Z')) return false;
    return p == end;
}

bool
wri_parse_sql_date(wr_str s, int64_t *days)
{
    const char *p = s.ptr, *end = s.ptr + s.len;
    int year, part[2] = {0, 0};
    if (!fixed_digits(&p, end, 4, &year)) return false;
    for (int i = 0; i < 2; i++) {
        int n = 0;
        if (p == end || *p++ != '-') return false;
        while (p < end && is_digit(*p) && n < 2) part[i] = part[i] * 10 + (*p++ - '0'), n++;
        if (n == 0) return false;
    }
    if (p != end || part[0] < 1 || part[0] > 12 || part[1] < 1 || part[1] > 31) return false;
    *days = wri_days_from_civil(year, (unsigned)part[0], 1) + part[1] - 1;
    return true;
}

/* ---- Base64 ---------------------------------------------------------------------------------- */

static int
sextet(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool
wri_format_base64_decode(wr_str s, uint8_t *out, size_t *out_len)
{
    size_t n = 0, i = 0;
    while (i < s.len) {
        if ((unsigned char)s.ptr[i] <= ' ') {
            i++;
            continue;
        }
        if (s.len - i < 4) return false;
        int a = sextet(s.ptr[i]), b = sextet(s.ptr[i + 1]);
        int c = sextet(s.ptr[i + 2]), d = sextet(s.ptr[i + 3]);
        if (a < 0 || b < 0) return false;
        bool pad2 = s.ptr[i + 2] == '=' && s.ptr[i + 3] == '=', pad1 = s.ptr[i + 3] == '=';
        if ((c < 0 && !pad2) || (d < 0 && !pad1)) return false;
        out[n++] = (uint8_t)(a << 2 | b >> 4);
        if (!pad2) out[n++] = (uint8_t)((b & 15) << 4 | c >> 2);
        if (!pad1) out[n++] = (uint8_t)((c & 3) << 6 | d);
        i += 4;
        if (pad1) break;
    }
    for (; i < s.len; i++)
        if ((unsigned char)s.ptr[i] > ' ') return false;
    *out_len = n;
    return true;
}

void
wri_format_base64_encode(const uint8_t *p, size_t len, wr_text *out)
{
    static const char abc[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < len; i += 3) {
        uint32_t left = (uint32_t)WR_MIN(len - i, (size_t)3);
        uint32_t v = (uint32_t)p[i] << 16;
        if (left > 1) v |= (uint32_t)p[i + 1] << 8;
        if (left > 2) v |= p[i + 2];
        char unit[4] = {abc[v >> 18], abc[v >> 12 & 63], left > 1 ? abc[v >> 6 & 63] : '=',
                        left > 2 ? abc[v & 63] : '='};
        wr_text_put(out, unit, 4);
    }
}
