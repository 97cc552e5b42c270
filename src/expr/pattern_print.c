/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a local time by a date pattern. */
#include "expr/pattern_int.h"

#include <stdio.h>

typedef struct printer {
    char *out;
    uint32_t len;
    char *why;
    const wr_tz *tz;
    int64_t utc_ms;
    wr_civil day;
    int64_t days, ms_of_day;
    int32_t nano; /* of the second */
    int dow;      /* Monday 1 */
} printer;

static void
put(printer *w, const char *p, size_t n)
{
    n = WR_MIN(n, (size_t)(WRI_PATTERN_TEXT_MAX - w->len));
    memcpy(w->out + w->len, p, n);
    w->len += (uint32_t)n;
}

static void
puts_(printer *w, const char *p)
{
    put(w, p, strlen(p));
}

/* Padded with zeros to `width` characters, a sign among them. */
static void
put_number(printer *w, int64_t v, uint32_t width)
{
    char text[32], *const end = text + sizeof text, *p = end;
    uint64_t rest = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    do *--p = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    const size_t digits = WR_MIN(width, 20u) - (size_t)(v < 0 && width > 0);
    while ((size_t)(end - p) < digits) *--p = '0';
    if (v < 0) *--p = '-';
    put(w, p, (size_t)(end - p));
}

/* Weeks begin on Sunday, the first has January 1st (the US rule). */
static int64_t
us_week(int64_t days, int64_t *week_year)
{
    const wr_civil d = wr_civil_of(days);
    const int64_t sunday = days - wr_day_of_week(days) % 7;
    for (int64_t y = d.year + 1;; y--) {
        const int64_t first = wr_days_of(y, 1, 1);
        const int64_t start = first - wr_day_of_week(first) % 7;
        if (sunday >= start) {
            *week_year = y;
            return (sunday - start) / 7 + 1;
        }
    }
}

static int64_t
us_week_of_month(const printer *w)
{
    const int64_t first = w->days - w->day.day + 1;
    return (w->day.day - 1 + wr_day_of_week(first) % 7) / 7 + 1;
}

static void
put_name(printer *w, const char *name, uint32_t count)
{
    if (count == 4)
        puts_(w, name);
    else
        put(w, name, count >= 5 ? 1 : 3);
}

static void
put_year(printer *w, int64_t year, uint32_t count)
{
    if (count == 2) {
        put_number(w, wr_floor_mod(year, 100), 2);
        return;
    }
    if (count >= 4 && year > 0) {
        int64_t limit = 1;
        for (uint32_t i = 0; i < WR_MIN(count, 18u); i++) limit *= 10;
        if (year >= limit) put(w, "+", 1);
    }
    if (year < 0) {
        put(w, "-", 1);
        year = -year;
    }
    put_number(w, year, count == 1 ? 1 : count);
}

static const char *
day_period(const printer *w)
{
    const int64_t h = w->ms_of_day / WR_MS_HOUR;
    if (w->ms_of_day == 0) return "midnight";
    if (w->ms_of_day == 12 * WR_MS_HOUR) return "noon";
    return h < 6 || h >= 21 ? "at night"
           : h < 12         ? "in the morning"
           : h < 18         ? "in the afternoon"
                            : "in the evening";
}

static void
put_offset(printer *w, bool colon, bool minutes, bool zulu)
{
    const int32_t off = w->tz ? wr_tz_offset_at(w->tz, w->utc_ms) : 0;
    if (off == 0 && zulu) {
        put(w, "Z", 1);
        return;
    }
    const int32_t a = off < 0 ? -off : off;
    put(w, off < 0 ? "-" : "+", 1);
    put_number(w, a / 3600, 2);
    if (!minutes) return;
    if (colon) put(w, ":", 1);
    put_number(w, a / 60 % 60, 2);
}

static void
put_zone_name(printer *w, uint32_t count)
{
    const wr_str ab = w->tz ? wr_tz_abbreviation(w->tz, w->utc_ms) : WR_STR("UTC");
    if (count >= 4 && wr_str_eq_c(ab, "UTC"))
        puts_(w, "Coordinated Universal Time");
    else if (ab.len > 0)
        put(w, ab.ptr, ab.len);
    else {
        puts_(w, "GMT");
        put_offset(w, true, true, false);
    }
}

static int64_t
hour_field(const printer *w, char c)
{
    const int64_t h = w->ms_of_day / WR_MS_HOUR;
    switch (c) {
    case 'H':
        return h;
    case 'k':
        return h == 0 ? 24 : h;
    case 'K':
        return h % 12;
    default:
        return h % 12 == 0 ? 12 : h % 12;
    }
}

/* Fields that both dialects write alike. */
static bool
put_shared(printer *w, const wri_item *it)
{
    int64_t week_year;
    switch (it->letter) {
    case 'd':
        put_number(w, w->day.day, it->count);
        return true;
    case 'D':
        put_number(w, wr_day_of_year(w->days), it->count);
        return true;
    case 'H':
    case 'h':
    case 'k':
    case 'K':
        put_number(w, hour_field(w, it->letter), it->count);
        return true;
    case 'm':
        put_number(w, w->ms_of_day / WR_MS_MINUTE % 60, it->count);
        return true;
    case 's':
        put_number(w, w->ms_of_day / WR_MS_SECOND % 60, it->count);
        return true;
    case 'a':
        puts_(w, w->ms_of_day < 12 * WR_MS_HOUR ? "AM" : "PM");
        return true;
    case 'w':
        put_number(w, us_week(w->days, &week_year), it->count);
        return true;
    case 'W':
        put_number(w, us_week_of_month(w), it->count);
        return true;
    default:
        return false;
    }
}

static void
put_simple(printer *w, const wri_item *it)
{
    int64_t year = w->day.year;
    switch (it->letter) {
    case 'G':
        puts_(w, year > 0 ? "AD" : "BC");
        break;
    case 'Y':
        (void)us_week(w->days, &year); /* fall through to printing it */
        put_number(w, it->count == 2 ? wr_floor_mod(year, 100) : year, it->count);
        break;
    case 'y':
        if (year <= 0) year = 1 - year;
        put_number(w, it->count == 2 ? year % 100 : year, it->count);
        break;
    case 'M':
    case 'L':
        if (it->count < 3)
            put_number(w, w->day.month, it->count);
        else
            put_name(w, wri_month_names[w->day.month - 1], it->count > 3 ? 4 : 3);
        break;
    case 'E':
        put_name(w, wri_day_names[w->dow - 1], it->count > 3 ? 4 : 3);
        break;
    case 'u':
        put_number(w, w->dow, it->count);
        break;
    case 'F':
        put_number(w, (w->day.day - 1) / 7 + 1, it->count);
        break;
    case 'S':
        put_number(w, w->nano / 1000000, it->count);
        break;
    case 'z':
        put_zone_name(w, it->count);
        break;
    case 'Z':
        put_offset(w, false, true, false);
        break;
    default: /* X */
        put_offset(w, it->count == 3, it->count > 1, true);
        break;
    }
}

static void
put_quarter(printer *w, uint32_t count)
{
    static const char *const names[4] = {"1st quarter", "2nd quarter", "3rd quarter",
                                         "4th quarter"};
    const int q = (w->day.month - 1) / 3 + 1;
    if (count == 3) put(w, "Q", 1);
    if (count == 4)
        puts_(w, names[q - 1]);
    else
        put_number(w, q, count == 2 ? 2 : 1);
}

static void
put_fraction(printer *w, uint32_t count)
{
    char digits[16];
    (void)snprintf(digits, sizeof digits, "%09d", (int)w->nano);
    put(w, digits, WR_MIN(count, 9u));
}

static bool
put_modern(printer *w, const wri_item *it)
{
    int64_t year = w->day.year;
    const uint32_t n = it->count;
    switch (it->letter) {
    case 'G':
        puts_(w, n == 4   ? (year > 0 ? "Anno Domini" : "Before Christ")
                 : n == 5 ? (year > 0 ? "A" : "B")
                          : (year > 0 ? "AD" : "BC"));
        return true;
    case 'Y':
        (void)us_week(w->days, &year);
        put_year(w, year, n);
        return true;
    case 'y':
        put_year(w, year > 0 ? year : 1 - year, n);
        return true;
    case 'u':
        put_year(w, year, n);
        return true;
    case 'M':
    case 'L':
        if (n < 3)
            put_number(w, w->day.month, n);
        else
            put_name(w, wri_month_names[w->day.month - 1], n);
        return true;
    case 'Q':
    case 'q':
        put_quarter(w, n);
        return true;
    case 'E':
        put_name(w, wri_day_names[w->dow - 1], n < 3 ? 3 : n);
        return true;
    case 'e':
    case 'c':
        if (n < 3)
            put_number(w, w->dow % 7 + 1, n);
        else
            put_name(w, wri_day_names[w->dow - 1], n);
        return true;
    case 'F':
        put_number(w, (w->day.day - 1) % 7 + 1, 1);
        return true;
    case 'S':
        put_fraction(w, n);
        return true;
    case 'n':
        put_number(w, w->nano, n);
        return true;
    case 'A':
        put_number(w, w->ms_of_day, n);
        return true;
    case 'N':
        put_number(w, w->ms_of_day / 1000 * 1000000000 + w->nano, n);
        return true;
    case 'g':
        put_number(w, w->days + 40587, n);
        return true;
    case 'B':
        puts_(w, day_period(w));
        return true;
    default:
        return false; /* zones */
    }
}

static bool
no_zone(const printer *w, wr_ts local, char letter)
{
    char text[WR_DT_TEXT_MAX];
    const uint32_t n = wr_ts_print_java(local, text);
    if (letter == 'V' || letter == 'z' || letter == 'v')
        (void)snprintf(w->why, WR_WHY_MAX, "Unable to extract ZoneId from temporal %.*s", (int)n,
                       text);
    else
        (void)snprintf(w->why, WR_WHY_MAX, "Unsupported field: OffsetSeconds");
    return false;
}

static void
pad_left(printer *w, uint32_t from, uint32_t width)
{
    const uint32_t n = w->len - from;
    if (n >= width || w->len + width - n > WRI_PATTERN_TEXT_MAX) return;
    memmove(w->out + from + (width - n), w->out + from, n);
    memset(w->out + from, ' ', width - n);
    w->len += width - n;
}

int64_t
wri_pattern_step_ms(const wri_pattern *p)
{
    int64_t step = WR_MS_DAY;
    for (uint32_t i = 0; i < p->count; i++) {
        const wri_item *it = &p->items[i];
        if (it->kind != WRI_ITEM_FIELD || strchr("GyuYMLdDEFwWQqecg", it->letter)) continue;
        if (it->letter == 's')
            step = WR_MIN(step, WR_MS_SECOND);
        else if (it->letter == 'm')
            step = WR_MIN(step, WR_MS_MINUTE);
        else if (strchr("HhkKa", it->letter))
            step = WR_MIN(step, WR_MS_HOUR);
        else
            return 0;
    }
    return step;
}

bool
wri_pattern_print(const wri_pattern *p, wr_ts local, const wr_tz *tz, char *out, uint32_t *len,
                  char why[WR_WHY_MAX])
{
    printer w = {.out = out, .why = why, .tz = tz};
    w.days = wr_floor_div(local.ms, WR_MS_DAY);
    w.ms_of_day = local.ms - w.days * WR_MS_DAY;
    w.day = p->dialect == WRI_PATTERN_SIMPLE ? wri_hybrid_civil(w.days) : wr_civil_of(w.days);
    w.dow = wr_day_of_week(w.days);
    w.nano = (int32_t)(w.ms_of_day % 1000) * 1000000 + local.nano;
    w.utc_ms = tz ? wr_tz_to_utc(tz, local.ms) : local.ms;
    for (uint32_t i = 0; i < p->count; i++) {
        const wri_item *it = &p->items[i];
        const uint32_t from = w.len;
        if (it->kind == WRI_ITEM_TEXT) put(&w, it->text.ptr, it->text.len);
        if (it->kind != WRI_ITEM_FIELD) continue;
        if (it->letter == 'D' && it->count == 2 && p->dialect == WRI_PATTERN_MODERN)
            put_number(&w, wr_day_of_year(w.days), 2);
        else if (!put_shared(&w, it)) {
            if (p->dialect == WRI_PATTERN_SIMPLE)
                put_simple(&w, it);
            else if (!put_modern(&w, it))
                return no_zone(&w, local, it->letter);
        }
        if (it->pad) pad_left(&w, from, it->pad);
    }
    *len = w.len;
    return true;
}
