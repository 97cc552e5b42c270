/* SPDX-License-Identifier: Apache-2.0 */
/* Time zones: finding them by name, and conversion both ways. Before the last transition of the
 * file the offset comes from binary search, after it from the yearly rule. */
#include "os/os.h"
#include "types/tz_int.h"

#include <stdio.h>

#define ZONEINFO "/usr/share/zoneinfo"

/* ---- the yearly rule ------------------------------------------------------------------------- */
/* UTC second of a change in `year`, the clock showing `offset` before it. */
static int64_t
change_at(const wri_tz_change *c, int64_t year, int32_t offset)
{
    int64_t day;
    if (c->when == WRI_TZ_MONTH) {
        const int64_t first = wr_days_of(year, c->month, 1);
        const int first_weekday = wr_day_of_week(first) % 7; /* Sunday 0 */
        int d = (c->weekday - first_weekday + 7) % 7 + 7 * (c->week - 1);
        if (d >= wr_month_days(year, c->month)) d -= 7; /* week 5 is the last one */
        day = first + d;
    } else {
        day = wr_days_of(year, 1, 1) + c->day;
        if (c->when == WRI_TZ_JULIAN) /* February 29 is never counted */
            day += (c->day < 60 || wr_month_days(year, 2) == 28) ? -1 : 0;
    }
    return day * 86400 + c->seconds - offset;
}

static const wri_tz_period *
by_rule(const wr_tz *tz, int64_t utc)
{
    if (!tz->has_dst) return &tz->std;
    const int64_t year = wr_civil_of(wr_floor_div(utc + tz->std.offset, 86400)).year;
    const int64_t dst = change_at(&tz->to_dst, year, tz->std.offset);
    const int64_t std = change_at(&tz->to_std, year, tz->dst.offset);
    const bool in_dst = dst < std ? utc >= dst && utc < std : utc >= dst || utc < std;
    return in_dst ? &tz->dst : &tz->std;
}

static const wri_tz_period *
period_at(const wr_tz *tz, int64_t utc)
{
    static const wri_tz_period zero = {0, "UTC"};
    if (!tz) return &zero;
    if (tz->count == 0 || utc < tz->at[0]) {
        if (tz->count == 0 && tz->has_rule) return by_rule(tz, utc);
        return &tz->periods[tz->first];
    }
    if (utc >= tz->at[tz->count - 1] && tz->has_rule) return by_rule(tz, utc);
    uint32_t lo = 0, hi = tz->count; /* the last transition at or before utc */
    while (hi - lo > 1) {
        const uint32_t mid = lo + (hi - lo) / 2;
        if (tz->at[mid] <= utc)
            lo = mid;
        else
            hi = mid;
    }
    return &tz->periods[tz->period[lo]];
}

int32_t
wr_tz_offset_at(const wr_tz *tz, int64_t utc_ms)
{
    return period_at(tz, wr_floor_div(utc_ms, 1000))->offset;
}

wr_str
wr_tz_abbreviation(const wr_tz *tz, int64_t utc_ms)
{
    return wr_str_c(period_at(tz, wr_floor_div(utc_ms, 1000))->abbr);
}

int64_t
wr_tz_to_local(const wr_tz *tz, int64_t utc_ms)
{
    if (!tz) return utc_ms;
    return wr_ms_add(utc_ms, (int64_t)wr_tz_offset_at(tz, utc_ms) * 1000);
}

bool
wr_tz_is_fixed(const wr_tz *tz)
{
    return !tz || (tz->count == 0 && !tz->has_dst);
}

/* The offsets in force one day before and one day after the reading bracket it: no zone changes
 * twice within two days. If they agree there is one answer. Else the reading is before the change
 * when it is so by the old offset; in a gap and in an overlap the old offset counts (or, for
 * `later`, the new one in an overlap). */
static int64_t
to_utc(const wr_tz *tz, int64_t local_ms, bool later)
{
    if (!tz) return local_ms;
    const int64_t day = 86400000;
    const int64_t before = wr_tz_offset_at(tz, wr_ms_add(local_ms, -day)) * 1000ll;
    const int64_t after = wr_tz_offset_at(tz, wr_ms_add(local_ms, day)) * 1000ll;
    if (before == after) {
        /* a change and back within the two days would hide here: test the answer itself */
        const int64_t utc = wr_ms_add(local_ms, -before);
        if (wr_tz_offset_at(tz, utc) * 1000ll == before) return utc;
    }
    const int64_t by_old = wr_ms_add(local_ms, -before), by_new = wr_ms_add(local_ms, -after);
    const bool old_holds = wr_tz_offset_at(tz, by_old) * 1000ll == before;
    const bool new_holds = wr_tz_offset_at(tz, by_new) * 1000ll == after;
    if (old_holds && new_holds) return later ? by_new : by_old;
    if (new_holds) return by_new;
    return by_old; /* before the change, or in the gap */
}

int64_t
wr_tz_to_utc(const wr_tz *tz, int64_t local_ms)
{
    return to_utc(tz, local_ms, false);
}

int64_t
wr_tz_to_utc_later(const wr_tz *tz, int64_t local_ms)
{
    return to_utc(tz, local_ms, true);
}

wr_str
wr_tz_name(const wr_tz *tz)
{
    return tz ? tz->name : WR_STR("UTC");
}

/* ---- finding --------------------------------------------------------------------------------- */
static bool
two_digits(const char *p, int *out)
{
    if (p[0] < '0' || p[0] > '9' || p[1] < '0' || p[1] > '9') return false;
    *out = (p[0] - '0') * 10 + (p[1] - '0');
    return true;
}

/* +h, +hh, +hh:mm, +hhmm, +hh:mm:ss, +hhmmss, at most 18 hours */
static bool
parse_offset(wr_str s, int32_t *seconds)
{
    int h = 0, m = 0, sec = 0;
    if (s.len < 2 || (s.ptr[0] != '+' && s.ptr[0] != '-')) return false;
    const char *p = s.ptr + 1;
    const size_t n = s.len - 1;
    bool ok = true;
    if (n == 1 || (n == 4 && p[1] == ':')) { /* a single digit: +8, +8:00 */
        ok = *p >= '0' && *p <= '9';
        h = *p - '0';
        if (n == 4) ok = ok && two_digits(p + 2, &m);
    } else if (n == 2) {
        ok = two_digits(p, &h);
    } else if (n == 4) {
        ok = two_digits(p, &h) && two_digits(p + 2, &m);
    } else if (n == 5) {
        ok = two_digits(p, &h) && p[2] == ':' && two_digits(p + 3, &m);
    } else if (n == 6) {
        ok = two_digits(p, &h) && two_digits(p + 2, &m) && two_digits(p + 4, &sec);
    } else if (n == 8) {
        ok = two_digits(p, &h) && p[2] == ':' && two_digits(p + 3, &m) && p[5] == ':' &&
             two_digits(p + 6, &sec);
    } else {
        ok = false;
    }
    if (!ok || m > 59 || sec > 59) return false;
    const int32_t total = h * 3600 + m * 60 + sec;
    if (total > 18 * 3600) return false;
    *seconds = s.ptr[0] == '-' ? -total : total;
    return true;
}

static bool
fixed_zone(wr_str name, int32_t *seconds)
{
    static const char *const zero[] = {"Z", "UTC", "GMT", "UT"};
    *seconds = 0;
    for (uint32_t i = 0; i < WR_COUNT(zero); i++) {
        const wr_str prefix = wr_str_c(zero[i]);
        if (wr_str_eq(name, prefix)) return true;
        if (i > 0 && wr_str_starts(name, prefix) && name.len > prefix.len)
            if (parse_offset((wr_str){name.ptr + prefix.len, name.len - prefix.len}, seconds))
                return true;
    }
    return parse_offset(name, seconds);
}

/* A region's name, safe as a path below the zone folder. */
static bool
is_region_name(wr_str s)
{
    if (s.len == 0 || s.len > 100 || s.ptr[0] == '/' || s.ptr[0] == '.') return false;
    for (size_t i = 0; i < s.len; i++) {
        const char c = s.ptr[i];
        const bool ok = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                        (c >= '0' && c <= '9') || c == '/' || c == '_' || c == '-' || c == '+';
        if (!ok) return false;
    }
    return true;
}

/* NULL in *out when the path is no zone. */
static wr_status
load_file(wr_ctx *ctx, wr_arena *a, const char *path, wr_str name, const wr_tz **out)
{
    wr_os_stat stat;
    wr_os_map map;
    wr_ctx quiet; /* what cannot be read is not a zone: no error */
    wr_ctx_init(&quiet);
    *out = NULL;
    if (wr_os_stat_path(&quiet, path, &stat) != WR_OK || stat.kind != WR_OS_FILE) return WR_OK;
    if (wr_os_map_file(&quiet, path, &map) != WR_OK) return WR_OK;
    wr_tz *tz = WR_NEW(a, wr_tz);
    const wr_str kept = wr_arena_str(a, name);
    if (!tz || !kept.ptr) {
        wr_os_unmap(&map);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    tz->name = kept;
    if (wri_tz_parse_file(a, (const uint8_t *)map.ptr, map.len, tz)) *out = tz;
    wr_os_unmap(&map);
    return WR_OK;
}

static wr_status
make_fixed(wr_ctx *ctx, wr_arena *a, wr_str name, int32_t seconds, const wr_tz **out)
{
    wr_tz *tz = WR_NEW(a, wr_tz);
    if (!tz) return wr_raise(ctx, WR_NOMEM, "out of memory");
    tz->name = wr_arena_str(a, name);
    if (!tz->name.ptr) return wr_raise(ctx, WR_NOMEM, "out of memory");
    tz->has_rule = true;
    tz->std.offset = seconds;
    const size_t n = WR_MIN(name.len, sizeof tz->std.abbr - 1);
    memcpy(tz->std.abbr, name.ptr, n);
    *out = tz;
    return WR_OK;
}

static wr_status
find_default(wr_ctx *ctx, wr_arena *a, const wr_tz **out)
{
    const char *env = wr_os_env("TZ");
    if (env && *env == ':') env++;
    if (env && *env) {
        WR_TRY(wr_tz_find(ctx, a, wr_str_c(env), out));
        if (*out) return WR_OK;
    }
    WR_TRY(load_file(ctx, a, "/etc/localtime", WR_STR("default"), out));
    return *out ? WR_OK : make_fixed(ctx, a, WR_STR("UTC"), 0, out);
}

wr_status
wr_tz_find(wr_ctx *ctx, wr_arena *a, wr_str name, const wr_tz **out)
{
    int32_t seconds;
    char path[WR_OS_PATH_MAX];
    *out = NULL;
    if (wr_str_eq_c(name, "default")) return find_default(ctx, a, out);
    if (fixed_zone(name, &seconds)) return make_fixed(ctx, a, name, seconds, out);
    if (!is_region_name(name)) return WR_OK;
    const char *dir = wr_os_env("TZDIR");
    const int n = snprintf(path, sizeof path, "%s/%.*s", dir ? dir : ZONEINFO, WR_STR_ARG(name));
    if (n < 0 || (size_t)n >= sizeof path) return WR_OK;
    return load_file(ctx, a, path, name, out);
}

wr_status
wr_tz_open(wr_ctx *ctx, wr_arena *a, wr_str name, const wr_tz **out)
{
    WR_TRY(wr_tz_find(ctx, a, name, out));
    if (*out) return WR_OK;
    (void)wr_raise(ctx, WR_OPTION, "invalid time zone '%.*s'", WR_STR_ARG(name));
    wr_hint(ctx, "use a region such as 'America/Los_Angeles' or an offset such as 'GMT-08:00'");
    return ctx->err.status;
}

struct wr_tz_entry {
    wr_str name;
    const wr_tz *tz; /* NULL: no such zone */
    wr_tz_entry *next;
};

wr_status
wr_tz_cache_find(wr_ctx *ctx, wr_tz_cache *c, wr_str name, const wr_tz **out)
{
    for (wr_tz_entry *e = c->first; e; e = e->next) {
        if (!wr_str_eq(e->name, name)) continue;
        *out = e->tz;
        return WR_OK;
    }
    wr_tz_entry *e = WR_NEW(c->arena, wr_tz_entry);
    if (!e) return wr_raise(ctx, WR_NOMEM, "out of memory");
    e->name = wr_arena_str(c->arena, name);
    if (!e->name.ptr) return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_TRY(wr_tz_find(ctx, c->arena, name, &e->tz));
    e->next = c->first;
    c->first = e;
    *out = e->tz;
    return WR_OK;
}
