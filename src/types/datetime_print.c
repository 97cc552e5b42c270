/* SPDX-License-Identifier: Apache-2.0 */
/* Dates, times and intervals as text: the form of CAST AS STRING and the form of java.time. */
#include "types/datetime.h"
#include "types/number.h"

static char *
put2(char *p, int64_t v)
{
    *p++ = (char)('0' + (int)(v / 10 % 10));
    *p++ = (char)('0' + (int)(v % 10));
    return p;
}

/* At least `width` digits. */
static char *
put_padded(char *p, int64_t v, int width)
{
    char digits[WR_I64_TEXT_MAX];
    const int n = (int)wr_i64_print(v, digits);
    for (int i = n; i < width; i++) *p++ = '0';
    memcpy(p, digits, (size_t)n);
    return p + n;
}

static char *
put_date(char *p, int64_t days, bool java)
{
    const wr_civil c = wr_civil_of(days);
    if (c.year < 0) *p++ = '-';
    if (java && c.year > 9999) *p++ = '+';
    p = put_padded(p, c.year < 0 ? -c.year : c.year, 4);
    *p++ = '-';
    p = put2(p, c.month);
    *p++ = '-';
    return put2(p, c.day);
}

static char *
put_clock(char *p, int64_t ms)
{
    p = put2(p, ms / WR_MS_HOUR);
    *p++ = ':';
    p = put2(p, ms / WR_MS_MINUTE % 60);
    *p++ = ':';
    return put2(p, ms / WR_MS_SECOND % 60);
}

uint32_t
wr_date_print(int64_t days, char out[WR_DT_TEXT_MAX])
{
    return (uint32_t)(put_date(out, days, false) - out);
}

/* The fraction of a TIME ends with its last digit that is not zero, but has one digit at least. */
uint32_t
wr_time_print(int32_t ms, int precision, char out[WR_DT_TEXT_MAX])
{
    char *p = put_clock(out, ms);
    int rest = ms % 1000;
    if (precision > 0) *p++ = '.';
    for (int i = 0; i < precision; i++) {
        *p++ = (char)('0' + rest / 100);
        rest = rest % 100 * 10;
        if (rest == 0) break;
    }
    return (uint32_t)(p - out);
}

uint32_t
wr_ts_print(wr_ts local, int precision, char out[WR_DT_TEXT_MAX])
{
    const int64_t days = wr_floor_div(local.ms, WR_MS_DAY);
    const int64_t ms = wr_floor_mod(local.ms, WR_MS_DAY);
    char *p = put_date(out, days, false);
    *p++ = ' ';
    p = put_clock(p, ms);
    if (precision > 0) {
        char nanos[WR_I64_TEXT_MAX + 9];
        *p++ = '.';
        (void)put_padded(nanos, ms % 1000 * 1000000 + local.nano, 9);
        memcpy(p, nanos, (size_t)precision);
        p += precision;
    }
    return (uint32_t)(p - out);
}

uint32_t
wr_interval_print(const wr_type *t, int64_t value, char out[WR_DT_TEXT_MAX])
{
    char *p = out;
    const uint64_t v = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    *p++ = value < 0 ? '-' : '+';
    if (wr_type_is(t, WR_T_INTERVAL_YM)) {
        p = put_padded(p, (int64_t)(v / 12), 1);
        *p++ = '-';
        return (uint32_t)(put2(p, (int64_t)(v % 12)) - out);
    }
    p = put_padded(p, (int64_t)(v / (uint64_t)WR_MS_DAY), 1);
    *p++ = ' ';
    p = put_clock(p, (int64_t)(v % (uint64_t)WR_MS_DAY));
    *p++ = '.';
    return (uint32_t)(put_padded(p, (int64_t)(v % 1000), 3) - out);
}

/* ---- java.time ------------------------------------------------------------------------------- */
uint32_t
wr_date_print_java(int64_t days, char out[WR_DT_TEXT_MAX])
{
    return (uint32_t)(put_date(out, days, true) - out);
}

/* .SSS, .SSSSSS or .SSSSSSSSS, whichever is enough; nothing for zero. */
static char *
put_fraction_java(char *p, int64_t nano)
{
    if (nano == 0) return p;
    *p++ = '.';
    if (nano % 1000000 == 0) return put_padded(p, nano / 1000000, 3);
    if (nano % 1000 == 0) return put_padded(p, nano / 1000, 6);
    return put_padded(p, nano, 9);
}

/* hh:mm[:ss[.fraction]] */
static char *
put_clock_java(char *p, int64_t ms, int32_t nano, bool seconds)
{
    char clock[8];
    const int64_t fraction = ms % 1000 * 1000000 + nano;
    (void)put_clock(clock, ms);
    seconds = seconds || ms % WR_MS_MINUTE != 0 || nano != 0;
    memcpy(p, clock, seconds ? 8 : 5);
    p += seconds ? 8 : 5;
    return put_fraction_java(p, fraction);
}

uint32_t
wr_time_print_java(int32_t ms, char out[WR_DT_TEXT_MAX])
{
    return (uint32_t)(put_clock_java(out, ms, 0, false) - out);
}

uint32_t
wr_ts_print_java(wr_ts local, char out[WR_DT_TEXT_MAX])
{
    const int64_t days = wr_floor_div(local.ms, WR_MS_DAY);
    char *p = put_date(out, days, true);
    *p++ = 'T';
    return (uint32_t)(put_clock_java(p, wr_floor_mod(local.ms, WR_MS_DAY), local.nano, false) -
                      out);
}

uint32_t
wr_instant_print_java(wr_ts utc, char out[WR_DT_TEXT_MAX])
{
    const int64_t days = wr_floor_div(utc.ms, WR_MS_DAY);
    char *p = put_date(out, days, true);
    *p++ = 'T';
    p = put_clock_java(p, wr_floor_mod(utc.ms, WR_MS_DAY), utc.nano, true);
    *p++ = 'Z';
    return (uint32_t)(p - out);
}

/* "12", "-12" and a unit; nothing for zero */
static char *
put_unit(char *p, int64_t v, char unit)
{
    if (v == 0) return p;
    p += wr_i64_print(v, p);
    *p++ = unit;
    return p;
}

/* Duration.toString: hours, minutes and seconds all carry the sign. */
static char *
put_duration(char *p, int64_t ms)
{
    const int64_t seconds = ms / 1000, rest = ms % 1000;
    *p++ = 'P';
    *p++ = 'T';
    if (ms == 0) {
        *p++ = '0';
        *p++ = 'S';
        return p;
    }
    p = put_unit(p, seconds / 3600, 'H');
    p = put_unit(p, seconds / 60 % 60, 'M');
    const int64_t s = seconds % 60;
    if (s == 0 && rest == 0) return p;
    if (ms < 0 && s == 0) *p++ = '-'; /* -0.5 */
    p += wr_i64_print(s, p);
    if (rest != 0) {
        *p++ = '.';
        p = put_padded(p, rest < 0 ? -rest : rest, 3);
        while (p[-1] == '0') p--;
    }
    *p++ = 'S';
    return p;
}

uint32_t
wr_interval_print_java(const wr_type *t, int64_t value, char out[WR_DT_TEXT_MAX])
{
    if (wr_type_is(t, WR_T_INTERVAL_DT)) return (uint32_t)(put_duration(out, value) - out);
    if (value == 0) {
        memcpy(out, "P0D", 3);
        return 3;
    }
    out[0] = 'P';
    return (uint32_t)(put_unit(out + 1, value, 'M') - out);
}
