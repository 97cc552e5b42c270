/* SPDX-License-Identifier: Apache-2.0 */
/* Interval literals: INTERVAL '1 02:03:04.5' DAY TO SECOND and its shorter kin. The first field may
 * be as large as the leading precision allows, the others as the calendar allows; the fraction of a
 * second is cut to milliseconds. */
#include "types/datetime.h"

typedef struct part {
    wr_unit unit;
    int64_t ms_or_months; /* one of it */
    int64_t max;          /* when it is not the first */
    char before;          /* separator */
} part;

static const part parts[] = {
    {WR_UNIT_YEAR, 12, 0, 0},
    {WR_UNIT_MONTH, 1, 11, '-'},
    {WR_UNIT_DAY, WR_MS_DAY, 0, 0},
    {WR_UNIT_HOUR, WR_MS_HOUR, 23, ' '},
    {WR_UNIT_MINUTE, WR_MS_MINUTE, 59, ':'},
    {WR_UNIT_SECOND, WR_MS_SECOND, 59, ':'},
};

static const part *
find_part(wr_unit unit)
{
    for (uint32_t i = 0; i < WR_COUNT(parts); i++)
        if (parts[i].unit == unit) return &parts[i];
    return NULL;
}

static bool
take_digits(const char **p, const char *end, int64_t *out)
{
    const char *from = *p;
    int64_t v = 0;
    while (*p < end && **p >= '0' && **p <= '9') {
        if (v > INT64_MAX / 20) return false;
        v = v * 10 + (*(*p)++ - '0');
    }
    *out = v;
    return *p > from;
}

/* ".5" to ms: at most `frac` digits, of which three count. */
static bool
take_fraction(const char **p, const char *end, int frac, int64_t *ms)
{
    int64_t unit = 100;
    int n = 0;
    *ms = 0;
    if (*p == end || **p != '.') return true;
    for ((*p)++; *p < end && **p >= '0' && **p <= '9'; (*p)++, n++) {
        *ms += unit * (**p - '0');
        unit /= 10;
    }
    return n > 0 && n <= WR_MAX(frac, 0);
}

static bool
within_leading(int64_t v, int lead)
{
    int64_t limit = 1;
    for (int i = 0; i < lead && limit < INT64_MAX / 10; i++) limit *= 10;
    return v < limit;
}

bool
wr_interval_literal(wr_str text, wr_unit from, wr_unit to, int lead, int frac, int64_t *value,
                    int64_t *too_big)
{
    const char *p = text.ptr, *end = text.ptr + text.len;
    int64_t total = 0, v;
    bool negative = false;
    *too_big = 0;
    if (to == WR_UNIT_NONE) to = from;
    if (from == WR_UNIT_QUARTER || from == WR_UNIT_WEEK) { /* counted in months and days */
        const wr_unit base = from == WR_UNIT_WEEK ? WR_UNIT_DAY : WR_UNIT_MONTH;
        if (!wr_interval_literal(text, base, base, lead, frac, value, too_big)) return false;
        *value *= from == WR_UNIT_WEEK ? 7 : 3;
        return true;
    }
    while (p < end && *p == ' ') p++;
    while (end > p && end[-1] == ' ') end--;
    if (p < end && (*p == '-' || *p == '+')) negative = *p++ == '-';
    const part *first = find_part(from), *last = find_part(to);
    if (!first || !last || last < first) return false;
    for (const part *q = first; q <= last; q++) {
        if (q > first && (p == end || *p++ != q->before)) return false;
        if (!take_digits(&p, end, &v)) return false;
        if (q == first && !within_leading(v, lead)) *too_big = v;
        if (q > first && v > q->max) return false;
        if (v > INT64_MAX / 4 / q->ms_or_months) return false;
        total += v * q->ms_or_months;
    }
    if (last->unit == WR_UNIT_SECOND) {
        if (!take_fraction(&p, end, frac, &v)) return false;
        total += v;
    }
    if (p != end || *too_big) return false;
    *value = negative ? -total : total;
    return true;
}
