/* SPDX-License-Identifier: Apache-2.0 */
/* Reading time zones: TZif files (RFC 8536, version 2 and later: the 64-bit block and the footer)
 * and the POSIX TZ strings in their footers. Files are data from outside: every count is checked.
 */
#include "types/tz_int.h"

/* ---- TZif ------------------------------------------------------------------------------------ */
#define HEADER_BYTES 44
#define COUNT_MAX    100000u

typedef struct counts {
    uint32_t isutc, isstd, leap, time, type, chars;
} counts;

static uint32_t
be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static bool
read_header(const uint8_t *p, size_t len, counts *c)
{
    if (len < HEADER_BYTES || memcmp(p, "TZif", 4) != 0) return false;
    const uint8_t *n = p + 20;
    *c = (counts){be32(n), be32(n + 4), be32(n + 8), be32(n + 12), be32(n + 16), be32(n + 20)};
    return c->isutc <= COUNT_MAX && c->isstd <= COUNT_MAX && c->leap <= COUNT_MAX &&
           c->time <= COUNT_MAX && c->type >= 1 && c->type <= 255 && c->chars <= COUNT_MAX;
}

static size_t
block_bytes(const counts *c, size_t time_bytes)
{
    return c->time * time_bytes + c->time + c->type * 6 + c->chars + c->leap * (time_bytes + 4) +
           c->isstd + c->isutc;
}

static bool
read_periods(wr_arena *a, const uint8_t *types, const char *chars, const counts *c, wr_tz *tz)
{
    tz->periods = WR_NEW_N(a, wri_tz_period, c->type);
    if (!tz->periods) return false;
    tz->period_count = c->type;
    for (uint32_t i = 0; i < c->type; i++) {
        const uint8_t *t = types + 6 * i;
        tz->periods[i].offset = (int32_t)be32(t);
        for (uint32_t at = t[5], k = 0; at < c->chars && k < sizeof tz->periods[i].abbr - 1; at++) {
            if (!chars[at]) break;
            tz->periods[i].abbr[k++] = chars[at];
        }
    }
    return true;
}

static bool
read_block(wr_arena *a, const uint8_t *p, const counts *c, wr_tz *tz)
{
    const uint8_t *index = p + 8 * (size_t)c->time, *types = index + c->time;
    int64_t *at = wr_arena_alloc(a, sizeof *at * (c->time ? c->time : 1));
    uint8_t *period = wr_arena_alloc(a, c->time ? c->time : 1);
    if (!at || !period) return false;
    for (uint32_t i = 0; i < c->time; i++) {
        at[i] = (int64_t)((uint64_t)be32(p + 8 * i) << 32 | be32(p + 8 * i + 4));
        period[i] = index[i];
        if (period[i] >= c->type || (i && at[i] <= at[i - 1])) return false;
    }
    tz->count = c->time;
    tz->at = at;
    tz->period = period;
    return read_periods(a, types, (const char *)types + 6 * (size_t)c->type, c, tz);
}

bool
wri_tz_parse_file(wr_arena *a, const uint8_t *p, size_t len, wr_tz *tz)
{
    counts c;
    if (!read_header(p, len, &c) || p[4] < '2') return false;
    const size_t first = HEADER_BYTES + block_bytes(&c, 4); /* the old 32-bit block: skipped */
    if (first > len || !read_header(p + first, len - first, &c)) return false;
    const size_t body = first + HEADER_BYTES, bytes = block_bytes(&c, 8);
    if (body > len || bytes > len - body) return false;
    if (!read_block(a, p + body, &c, tz)) return false;
    const char *foot = (const char *)p + body + bytes, *end = (const char *)p + len;
    if (foot == end || *foot != '\n') return false;
    foot++;
    const char *stop = memchr(foot, '\n', (size_t)(end - foot));
    if (!stop) return false;
    if (stop > foot && !wri_tz_parse_rule((wr_str){foot, (size_t)(stop - foot)}, tz)) return false;
    return true;
}

/* ---- TZ strings ------------------------------------------------------------------------------ */
typedef struct cursor {
    const char *p, *end;
} cursor;

static bool
skip(cursor *c, char x)
{
    if (c->p == c->end || *c->p != x) return false;
    c->p++;
    return true;
}

static bool
read_number(cursor *c, int max, int *out)
{
    int v = 0;
    const char *from = c->p;
    while (c->p < c->end && *c->p >= '0' && *c->p <= '9' && c->p - from < 4)
        v = v * 10 + (*c->p++ - '0');
    *out = v;
    return c->p > from && v <= max;
}

/* "CST" or "<+08>" */
static bool
read_abbr(cursor *c, char out[12])
{
    const bool quoted = skip(c, '<');
    size_t n = 0;
    while (c->p < c->end) {
        const char x = *c->p;
        const bool letter = (x >= 'A' && x <= 'Z') || (x >= 'a' && x <= 'z');
        const bool more = letter || (quoted && (x == '+' || x == '-' || (x >= '0' && x <= '9')));
        if (!more) break;
        if (n < 11) out[n++] = x;
        c->p++;
    }
    out[n] = 0;
    return n > 0 && (!quoted || skip(c, '>'));
}

/* [+-]h[:m[:s]], at most 167 hours */
static bool
read_clock(cursor *c, int32_t *seconds)
{
    int h, m = 0, s = 0;
    const bool negative = skip(c, '-');
    if (!negative) (void)skip(c, '+');
    if (!read_number(c, 167, &h)) return false;
    if (skip(c, ':')) {
        if (!read_number(c, 59, &m)) return false;
        if (skip(c, ':') && !read_number(c, 59, &s)) return false;
    }
    *seconds = h * 3600 + m * 60 + s;
    if (negative) *seconds = -*seconds;
    return true;
}

static bool
read_change(cursor *c, wri_tz_change *out)
{
    int month, week, weekday, day = 0;
    if (skip(c, 'M')) {
        if (!read_number(c, 12, &month) || month < 1 || !skip(c, '.')) return false;
        if (!read_number(c, 5, &week) || week < 1 || !skip(c, '.')) return false;
        if (!read_number(c, 6, &weekday)) return false;
        *out = (wri_tz_change){WRI_TZ_MONTH, (uint8_t)month, (uint8_t)week, (uint8_t)weekday, 0, 0};
    } else {
        const bool julian = skip(c, 'J');
        if (!read_number(c, 365, &day) || (julian && day < 1)) return false;
        *out = (wri_tz_change){.when = julian ? WRI_TZ_JULIAN : WRI_TZ_DAY, .day = (int16_t)day};
    }
    out->seconds = 7200;
    return !skip(c, '/') || read_clock(c, &out->seconds);
}

bool
wri_tz_parse_rule(wr_str text, wr_tz *tz)
{
    cursor c = {text.ptr, text.ptr + text.len};
    int32_t west;
    if (!read_abbr(&c, tz->std.abbr) || !read_clock(&c, &west)) return false;
    tz->std.offset = -west; /* POSIX counts west of Greenwich */
    tz->has_rule = true;
    if (c.p == c.end) return true;
    if (!read_abbr(&c, tz->dst.abbr)) return false;
    tz->dst.offset = tz->std.offset + 3600;
    if (c.p < c.end && *c.p != ',') {
        if (!read_clock(&c, &west)) return false;
        tz->dst.offset = -west;
    }
    tz->has_dst = true;
    return skip(&c, ',') && read_change(&c, &tz->to_dst) && skip(&c, ',') &&
           read_change(&c, &tz->to_std) && c.p == c.end;
}
