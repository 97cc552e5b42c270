/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a local time by a date pattern. MODERN is exact to the end of the text; SIMPLE is
 * lenient: fields may be out of range, blanks before numbers are skipped, what follows is ignored.
 */
#include "expr/pattern_int.h"
#include "os/os.h"

typedef struct fields {
    bool has_year, has_month, has_day, has_doy, has_dow, has_hour12, has_pm, has_zone, has_week;
    int64_t year, month, day, doy, week;
    int64_t dow; /* Monday 1 */
    int64_t hour, hour12, minute, second, nano;
    bool pm, hour24_as_0;
    int64_t offset_ms; /* of the zone read */
} fields;

typedef struct reader {
    wr_str s;
    size_t at;
    wri_dialect dialect;
} reader;

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- tokens ---------------------------------------------------------------------------------- */
static bool
same(char a, char b, bool nocase)
{
    if (nocase && a >= 'A' && a <= 'Z') a = (char)(a | 32);
    if (nocase && b >= 'A' && b <= 'Z') b = (char)(b | 32);
    return a == b;
}

static bool
read_word(reader *r, const char *word, size_t n)
{
    if (r->s.len - r->at < n) return false;
    const bool nocase = r->dialect == WRI_PATTERN_SIMPLE;
    for (size_t i = 0; i < n; i++)
        if (!same(r->s.ptr[r->at + i], word[i], nocase)) return false;
    r->at += n;
    return true;
}

/* One of `count` names: whole, or its first three letters. -1: none. */
static int
read_name(reader *r, const char *const *names, int count, bool whole, bool brief)
{
    for (int i = 0; i < count && whole; i++)
        if (read_word(r, names[i], strlen(names[i]))) return i;
    for (int i = 0; i < count && brief; i++)
        if (read_word(r, names[i], 3)) return i;
    return -1;
}

/* A number. `min`..`max` digits; `digits` gets how many. */
static bool
read_number(reader *r, const wri_item *it, uint32_t min, uint32_t max, bool sign, int64_t *out,
            uint32_t *digits)
{
    if (r->dialect == WRI_PATTERN_SIMPLE)
        while (r->at < r->s.len && (r->s.ptr[r->at] == ' ' || r->s.ptr[r->at] == '\t')) r->at++;
    bool negative = false;
    if (sign && r->at < r->s.len && r->s.ptr[r->at] == '-') {
        negative = true;
        r->at++;
    }
    uint32_t have = 0;
    while (r->at + have < r->s.len && is_digit(r->s.ptr[r->at + have])) have++;
    if (it->reserve && have > it->reserve) have -= it->reserve;
    if (have > max) have = max;
    if (have < min || have == 0 || have > 18) return false;
    int64_t v = 0;
    for (uint32_t i = 0; i < have; i++) v = v * 10 + (r->s.ptr[r->at + i] - '0');
    r->at += have;
    if (negative) v = -v;
    *out = r->dialect == WRI_PATTERN_SIMPLE ? (int32_t)v : v; /* Java keeps the lower half */
    *digits = have;
    return true;
}

/* ---- zones ----------------------------------------------------------------------------------- */
static const struct {
    const char *name;
    int hours;
} zone_names[] = {{"UTC", 0},  {"GMT", 0},  {"EST", -5}, {"EDT", -4}, {"CST", -6},
                  {"CDT", -5}, {"MST", -7}, {"MDT", -6}, {"PST", -8}, {"PDT", -7},
                  {"CEST", 2}, {"CET", 1},  {"EEST", 3}, {"EET", 2},  {"WEST", 1},
                  {"WET", 0},  {"BST", 1},  {"MSK", 3},  {"JST", 9},  {"IST", 5}};

static bool
read_offset(reader *r, fields *f)
{
    if (r->at >= r->s.len) return false;
    f->has_zone = true;
    f->offset_ms = 0;
    if (r->s.ptr[r->at] == 'Z') {
        r->at++;
        return true;
    }
    const char sign = r->s.ptr[r->at];
    if (sign != '+' && sign != '-') return false;
    r->at++;
    int64_t part[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        size_t k = r->at + (i > 0 && r->at < r->s.len && r->s.ptr[r->at] == ':');
        if (k + 1 >= r->s.len || !is_digit(r->s.ptr[k]) || !is_digit(r->s.ptr[k + 1])) {
            if (i == 0) return false;
            break;
        }
        part[i] = (r->s.ptr[k] - '0') * 10 + (r->s.ptr[k + 1] - '0');
        r->at = k + 2;
    }
    const int64_t ms = part[0] * WR_MS_HOUR + part[1] * WR_MS_MINUTE + part[2] * WR_MS_SECOND;
    f->offset_ms = sign == '-' ? -ms : ms;
    return true;
}

static bool
read_zone(reader *r, fields *f)
{
    for (uint32_t i = 0; i < WR_COUNT(zone_names); i++) {
        if (!read_word(r, zone_names[i].name, strlen(zone_names[i].name))) continue;
        f->has_zone = true;
        f->offset_ms = zone_names[i].hours * WR_MS_HOUR;
        if (zone_names[i].hours == 0 && r->at < r->s.len &&
            (r->s.ptr[r->at] == '+' || r->s.ptr[r->at] == '-'))
            return read_offset(r, f);
        return true;
    }
    if (read_offset(r, f)) return true;
    f->has_zone = false;
    size_t n = 0;
    if (r->dialect == WRI_PATTERN_SIMPLE) return false;
    while (r->at + n < r->s.len &&
           (same(r->s.ptr[r->at + n], '/', false) || r->s.ptr[r->at + n] == '_' ||
            (r->s.ptr[r->at + n] | 32) >= 'a'))
        n++;
    r->at += n;
    return n > 0;
}

/* ---- fields ---------------------------------------------------------------------------------- */
/* Two digits: of this century's window (SIMPLE: 80 years back, 19 on; MODERN: 2000..2099). */
static int64_t
full_year(wri_dialect d, int64_t two)
{
    if (d == WRI_PATTERN_MODERN) return 2000 + two;
    const wr_civil now = wr_civil_of(wr_floor_div(wr_os_wall_ms(), WR_MS_DAY));
    const int64_t first = now.year - 80;
    int64_t year = first - wr_floor_mod(first, 100) + two;
    if (year < first) year += 100;
    return year;
}

static bool
read_year(reader *r, const wri_item *it, fields *f)
{
    uint32_t digits;
    const bool modern = r->dialect == WRI_PATTERN_MODERN;
    int64_t v;
    uint32_t min = 1, max = 18;
    bool plus = false;
    if (modern && it->count == 2) min = max = 2;
    if (modern && it->count > 2) min = it->count;
    if (!modern && it->fixed) max = it->count;
    if (modern && it->count >= 4 && r->at < r->s.len && r->s.ptr[r->at] == '+') {
        plus = true;
        r->at++;
    }
    if (!read_number(r, it, min, max, it->count != 2 && !plus, &v, &digits)) return false;
    if (modern && it->count >= 4 && digits > it->count && !plus) return false;
    if (modern && plus && digits <= it->count) return false;
    if (it->count == 2 || (!modern && it->count < 2))
        if (digits == 2 && v >= 0) v = full_year(r->dialect, v);
    if (it->letter == 'Y' && modern) return true; /* a week-based year alone dates nothing */
    if (modern && it->letter == 'y' && v < 1) return false; /* a year of the era */
    f->year = v;
    f->has_year = true;
    return true;
}

static bool
read_month(reader *r, const wri_item *it, fields *f)
{
    uint32_t digits;
    f->has_month = true;
    if (it->count < 3)
        return read_number(r, it, it->fixed && r->dialect == WRI_PATTERN_MODERN ? it->count : 1,
                           it->fixed ? it->count : 18, r->dialect == WRI_PATTERN_SIMPLE, &f->month,
                           &digits);
    const bool simple = r->dialect == WRI_PATTERN_SIMPLE;
    const int m =
        read_name(r, wri_month_names, 12, simple || it->count == 4, simple || it->count == 3);
    f->month = m + 1;
    return m >= 0;
}

static bool
read_fraction(reader *r, const wri_item *it, fields *f)
{
    int64_t v;
    uint32_t digits;
    if (r->dialect == WRI_PATTERN_SIMPLE) { /* milliseconds, whatever the number of digits */
        if (!read_number(r, it, 1, it->fixed ? it->count : 18, true, &v, &digits)) return false;
        f->nano = v * 1000000;
        return true;
    }
    if (!read_number(r, it, it->count, it->count, false, &v, &digits)) return false;
    for (uint32_t i = it->count; i < 9; i++) v *= 10;
    f->nano = v;
    return true;
}

static bool
read_weekday(reader *r, const wri_item *it, fields *f)
{
    const bool simple = r->dialect == WRI_PATTERN_SIMPLE;
    const int d =
        read_name(r, wri_day_names, 7, simple || it->count == 4, simple || it->count <= 3);
    f->dow = d + 1;
    f->has_dow = d >= 0;
    return d >= 0;
}

static bool
read_plain(reader *r, const wri_item *it, fields *f)
{
    int64_t v;
    uint32_t digits;
    const bool modern = r->dialect == WRI_PATTERN_MODERN;
    const uint32_t max = it->fixed ? it->count : modern && it->letter == 'D' ? 3 : 18;
    const uint32_t min = it->fixed && modern ? it->count : 1;
    if (!read_number(r, it, min, max, !modern, &v, &digits)) return false;
    switch (it->letter) {
    case 'd':
        f->day = v;
        f->has_day = true;
        break;
    case 'D':
        f->doy = v;
        f->has_doy = true;
        break;
    case 'H':
        f->hour = v;
        break;
    case 'k':
        if (modern && (v < 1 || v > 24)) return false;
        f->hour = v == 24 ? 0 : v;
        break;
    case 'h':
        if (modern && (v < 1 || v > 12)) return false;
        f->hour12 = v == 12 ? 0 : v;
        f->has_hour12 = true;
        break;
    case 'K':
        if (modern && v > 11) return false;
        f->hour12 = v;
        f->has_hour12 = true;
        break;
    case 'm':
        f->minute = v;
        break;
    case 's':
        f->second = v;
        break;
    case 'n':
        f->nano = v;
        break;
    case 'w':
        f->week = v;
        f->has_week = true;
        break;
    case 'u': /* SIMPLE: Monday is 1 */
        f->dow = v;
        f->has_dow = true;
        break;
    default: /* A N g Q F W e c: read, and not used */
        break;
    }
    return true;
}

static bool
read_field(reader *r, const wri_item *it, fields *f)
{
    const bool modern = r->dialect == WRI_PATTERN_MODERN;
    switch (it->letter) {
    case 'y':
    case 'Y':
        return read_year(r, it, f);
    case 'u':
        return modern ? read_year(r, it, f) : read_plain(r, it, f);
    case 'M':
    case 'L':
        return read_month(r, it, f);
    case 'S':
        return read_fraction(r, it, f);
    case 'E':
        return read_weekday(r, it, f);
    case 'G':
        return read_word(r, "AD", 2) || read_word(r, "Anno Domini", 11);
    case 'a':
        f->has_pm = true;
        f->pm = read_word(r, "PM", 2);
        return f->pm || read_word(r, "AM", 2);
    case 'X':
    case 'x':
    case 'Z':
        return modern || it->letter == 'X' ? read_offset(r, f) : read_zone(r, f);
    case 'z':
    case 'V':
    case 'O':
    case 'v':
        return read_zone(r, f);
    default:
        return read_plain(r, it, f);
    }
}

/* Milliseconds of a day; far away they wrap around, as Java's do. */
static int64_t
ms_of(int64_t days, int64_t ms)
{
    return (int64_t)((uint64_t)days * (uint64_t)WR_MS_DAY + (uint64_t)ms);
}

/* ---- from fields to a time ------------------------------------------------------------------- */
static bool
resolve_modern(const fields *f, wr_ts *out)
{
    const int64_t year = f->has_year ? f->year : 1970;
    const int64_t month = f->has_month ? f->month : 1;
    int64_t hour = f->hour, extra = 0, days;
    if (year < -999999999 || year > 999999999) return false;
    if (f->has_hour12 && f->has_pm) hour = f->hour12 + (f->pm ? 12 : 0);
    if (hour == 24 && f->minute == 0 && f->second == 0 && f->nano == 0) {
        hour = 0;
        extra = 1;
    }
    if (hour > 23 || f->minute > 59 || f->second > 59) return false;
    if (f->has_doy && f->has_year) {
        days = wr_days_of(year, 1, 1) + f->doy - 1;
        if (f->doy < 1 || wr_civil_of(days).year != year) return false;
    } else {
        const int64_t day = f->has_day ? f->day : 1;
        if (month < 1 || month > 12 || day < 1 || day > 31) return false;
        if (!wr_date_valid(year, (int)month, (int)day)) return false;
        days = wr_days_of(year, (int)month, (int)day);
        if (f->has_dow && f->has_day && f->has_month && f->has_year &&
            wr_day_of_week(days) != f->dow)
            return false;
    }
    const int64_t ms = hour * WR_MS_HOUR + f->minute * WR_MS_MINUTE + f->second * WR_MS_SECOND;
    *out = wr_ts_of(ms_of(days + extra, ms + f->nano / 1000000), (int32_t)(f->nano % 1000000));
    return true;
}

static int64_t
lenient_days(const fields *f)
{
    const int64_t year = f->has_year ? f->year : 1970;
    const int64_t m = (f->has_month ? f->month : 1) - 1;
    if (f->has_doy && !f->has_day) return wr_days_of(year, 1, 1) + f->doy - 1;
    const int64_t y = year + wr_floor_div(m, 12);
    const int month = (int)wr_floor_mod(m, 12) + 1;
    if (f->has_day || (!f->has_dow && !f->has_week))
        return wri_hybrid_days(y, month, f->has_day ? f->day : 1);
    const int64_t first = wri_hybrid_days(y, month, 1);
    /* a weekday of a week that begins on Sunday */
    int64_t sunday = first - wr_day_of_week(first) % 7;
    if (f->has_week) {
        const int64_t jan1 = wr_days_of(year, 1, 1);
        sunday = jan1 - wr_day_of_week(jan1) % 7 + (f->week - 1) * 7;
    }
    return sunday + (f->has_dow ? f->dow % 7 : 0);
}

static void
resolve_simple(const fields *f, const wr_tz *tz, wr_ts *out)
{
    int64_t hour = f->hour;
    if (f->has_hour12) hour = f->hour12 + (f->has_pm && f->pm ? 12 : 0);
    int64_t ms = ms_of(lenient_days(f), hour * WR_MS_HOUR + f->minute * WR_MS_MINUTE +
                                            f->second * WR_MS_SECOND + f->nano / 1000000);
    if (f->has_zone) { /* the instant, as a reading of the caller's zone */
        ms -= f->offset_ms;
        if (tz) ms = wr_tz_to_local(tz, ms);
    }
    *out = wr_ts_of(ms, 0);
}

static bool
run(const wri_pattern *p, uint32_t from, uint32_t to, reader *r, fields *f)
{
    for (uint32_t i = from; i < to; i++) {
        const wri_item *it = &p->items[i];
        if (it->kind == WRI_ITEM_END) continue;
        if (it->kind == WRI_ITEM_TEXT) {
            if (r->s.len - r->at < it->text.len ||
                memcmp(r->s.ptr + r->at, it->text.ptr, it->text.len) != 0)
                return false;
            r->at += it->text.len;
            continue;
        }
        if (it->kind == WRI_ITEM_OPTIONAL) {
            const reader keep = *r;
            const fields fields_kept = *f;
            if (!run(p, i + 1, it->end, r, f)) {
                *r = keep;
                *f = fields_kept;
            }
            i = it->end;
            continue;
        }
        while (it->pad && r->at < r->s.len && r->s.ptr[r->at] == ' ') r->at++;
        if (!read_field(r, it, f)) return false;
    }
    return true;
}

bool
wri_pattern_parse(const wri_pattern *p, wr_str text, const wr_tz *tz, wr_ts *local)
{
    reader r = {text, 0, p->dialect};
    fields f;
    memset(&f, 0, sizeof f);
    if (!run(p, 0, p->count, &r, &f)) return false;
    if (p->dialect == WRI_PATTERN_MODERN) return r.at == text.len && resolve_modern(&f, local);
    resolve_simple(&f, tz, local);
    return true;
}
