/* SPDX-License-Identifier: Apache-2.0 */
/* The calendar: days and civil dates, fields, floors, months. */
#include "types/datetime.h"

/* A 400-year era has 146097 days; years begin in March so that the leap day comes last. */
#define ERA_DAYS   146097
#define EPOCH_DAYS 719468 /* 0000-03-01 to 1970-01-01 */

int64_t
wr_days_of(int64_t year, int month, int day)
{
    const int64_t y = year - (month <= 2);
    const int64_t era = wr_floor_div(y, 400);
    const int64_t year_of_era = y - era * 400;
    const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    const int64_t day_of_era =
        year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * ERA_DAYS + day_of_era - EPOCH_DAYS;
}

wr_civil
wr_civil_of(int64_t days)
{
    const int64_t z = days + EPOCH_DAYS;
    const int64_t era = wr_floor_div(z, ERA_DAYS);
    const int64_t doe = z - era * ERA_DAYS;
    const int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    const int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    const int64_t mp = (5 * doy + 2) / 153;
    wr_civil c;
    c.day = (int)(doy - (153 * mp + 2) / 5 + 1);
    c.month = (int)(mp < 10 ? mp + 3 : mp - 9);
    c.year = yoe + era * 400 + (c.month <= 2);
    return c;
}

static bool
is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int
wr_month_days(int64_t year, int month)
{
    static const uint8_t days[13] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    WR_KASSERT(month >= 1 && month <= 12);
    return days[month] + (month == 2 && is_leap(year));
}

bool
wr_date_valid(int64_t year, int month, int day)
{
    return month >= 1 && month <= 12 && day >= 1 && day <= wr_month_days(year, month);
}

int
wr_day_of_week(int64_t days)
{
    return (int)wr_floor_mod(days + 3, 7) + 1; /* 1970-01-01 was a Thursday */
}

int
wr_day_of_year(int64_t days)
{
    return (int)(days - wr_days_of(wr_civil_of(days).year, 1, 1)) + 1;
}

int
wr_iso_week(int64_t days, int64_t *iso_year)
{
    const int64_t thursday = days + 4 - wr_day_of_week(days); /* its year owns the week */
    const int64_t year = wr_civil_of(thursday).year;
    if (iso_year) *iso_year = year;
    return (int)((thursday - wr_days_of(year, 1, 1)) / 7) + 1;
}

int64_t
wr_date_add_months(int64_t days, int64_t months)
{
    const wr_civil c = wr_civil_of(days);
    const int64_t m = c.year * 12 + (c.month - 1) + (int32_t)months; /* intervals are INT */
    const int64_t year = wr_floor_div(m, 12);
    const int month = (int)wr_floor_mod(m, 12) + 1;
    return wr_days_of(year, month, WR_MIN(c.day, wr_month_days(year, month)));
}

int64_t
wr_ms_add_months(int64_t ms, int64_t months)
{
    const int64_t days = wr_floor_div(ms, WR_MS_DAY);
    return wr_ms_add(wr_ms_of_days(wr_date_add_months(days, months)), wr_floor_mod(ms, WR_MS_DAY));
}

/* from <= to */
static int64_t
months_forward(int64_t from_ms, int64_t to_ms)
{
    const int64_t d0 = wr_floor_div(from_ms, WR_MS_DAY), d1 = wr_floor_div(to_ms, WR_MS_DAY);
    const wr_civil a = wr_civil_of(d0), b = wr_civil_of(d1);
    int64_t m = (b.year - a.year) * 12 + (b.month - a.month);
    int64_t there = wr_date_add_months(d0, m);
    if (there > d1) there = wr_date_add_months(d0, --m);
    if (there == d1 && wr_floor_mod(to_ms, WR_MS_DAY) < wr_floor_mod(from_ms, WR_MS_DAY)) m--;
    return m;
}

int64_t
wr_months_between(int64_t from_ms, int64_t to_ms)
{
    return from_ms <= to_ms ? months_forward(from_ms, to_ms) : -months_forward(to_ms, from_ms);
}

/* ---- fields ---------------------------------------------------------------------------------- */
/* ceil(year / span): the first century is 1..100 */
static int64_t
ordinal(int64_t year, int64_t span)
{
    return year > 0 ? (year + span - 1) / span : -((span - 1 - year) / span);
}

int64_t
wr_date_extract(wr_unit unit, int64_t days)
{
    int64_t iso_year;
    const wr_civil c = wr_civil_of(days);
    switch (unit) {
    case WR_UNIT_YEAR:
        return c.year;
    case WR_UNIT_QUARTER:
        return (c.month + 2) / 3;
    case WR_UNIT_MONTH:
        return c.month;
    case WR_UNIT_WEEK:
        return wr_iso_week(days, NULL);
    case WR_UNIT_DAY:
        return c.day;
    case WR_UNIT_DOY:
        return wr_day_of_year(days);
    case WR_UNIT_DOW:
        return wr_day_of_week(days) % 7 + 1; /* Sunday 1 */
    case WR_UNIT_ISODOW:
        return wr_day_of_week(days);
    case WR_UNIT_ISOYEAR:
        (void)wr_iso_week(days, &iso_year);
        return iso_year;
    case WR_UNIT_DECADE:
        return wr_floor_div(c.year, 10);
    case WR_UNIT_CENTURY:
        return ordinal(c.year, 100);
    case WR_UNIT_MILLENNIUM:
        return ordinal(c.year, 1000);
    case WR_UNIT_EPOCH:
        return days * 86400;
    case WR_UNIT_NONE:
    case WR_UNIT_HOUR:
    case WR_UNIT_MINUTE:
    case WR_UNIT_SECOND:
    case WR_UNIT_MILLISECOND:
    case WR_UNIT_MICROSECOND:
    case WR_UNIT_NANOSECOND:
        return 0;
    }
    return 0;
}

int64_t
wr_time_extract(wr_unit unit, int64_t ms, int32_t nano)
{
    switch ((uint8_t)unit) {
    case WR_UNIT_HOUR:
        return ms / WR_MS_HOUR;
    case WR_UNIT_MINUTE:
        return ms / WR_MS_MINUTE % 60;
    case WR_UNIT_SECOND:
        return ms / WR_MS_SECOND % 60;
    case WR_UNIT_MILLISECOND:
        return ms % 1000;
    case WR_UNIT_MICROSECOND:
        return ms % 1000 * 1000 + nano / 1000;
    case WR_UNIT_NANOSECOND:
        return ms % 1000 * 1000000 + nano;
    case WR_UNIT_EPOCH:
        return ms / 1000;
    default:
        return 0;
    }
}

int64_t
wr_ts_extract(wr_unit unit, wr_ts local)
{
    const int64_t days = wr_floor_div(local.ms, WR_MS_DAY);
    if (unit == WR_UNIT_EPOCH) return wr_floor_div(local.ms, 1000);
    if (unit >= WR_UNIT_HOUR && unit <= WR_UNIT_NANOSECOND)
        return wr_time_extract(unit, wr_floor_mod(local.ms, WR_MS_DAY), local.nano);
    return wr_date_extract(unit, days);
}

int64_t
wr_interval_extract(wr_unit unit, const wr_type *t, int64_t value)
{
    if (wr_type_is(t, WR_T_INTERVAL_YM)) {
        if (unit == WR_UNIT_YEAR) return value / 12;
        if (unit == WR_UNIT_QUARTER) return value % 12 / 3 + 1;
        return unit == WR_UNIT_MONTH ? value % 12 : 0;
    }
    if (unit == WR_UNIT_DAY) return value / WR_MS_DAY;
    if (unit == WR_UNIT_EPOCH) return value / 1000;
    return wr_time_extract(unit, value % WR_MS_DAY, 0);
}

int64_t
wr_unit_ms(wr_unit unit)
{
    switch ((uint8_t)unit) {
    case WR_UNIT_WEEK:
        return 7 * WR_MS_DAY;
    case WR_UNIT_DAY:
        return WR_MS_DAY;
    case WR_UNIT_HOUR:
        return WR_MS_HOUR;
    case WR_UNIT_MINUTE:
        return WR_MS_MINUTE;
    case WR_UNIT_SECOND:
        return WR_MS_SECOND;
    case WR_UNIT_MILLISECOND:
        return 1;
    default:
        return 0;
    }
}

/* First day of the unit that `days` lies in; units from DAY up. */
static int64_t
floor_days(wr_unit unit, int64_t days)
{
    const wr_civil c = wr_civil_of(days);
    switch ((uint8_t)unit) {
    case WR_UNIT_WEEK:
        return days - wr_day_of_week(days) % 7;
    case WR_UNIT_MONTH:
        return wr_days_of(c.year, c.month, 1);
    case WR_UNIT_QUARTER:
        return wr_days_of(c.year, (c.month - 1) / 3 * 3 + 1, 1);
    case WR_UNIT_YEAR:
        return wr_days_of(c.year, 1, 1);
    case WR_UNIT_DECADE:
        return wr_days_of(wr_floor_div(c.year, 10) * 10, 1, 1);
    case WR_UNIT_CENTURY:
        return wr_days_of(wr_floor_div(c.year - 1, 100) * 100 + 1, 1, 1);
    case WR_UNIT_MILLENNIUM:
        return wr_days_of(wr_floor_div(c.year - 1, 1000) * 1000 + 1, 1, 1);
    default:
        return days;
    }
}

static int64_t
unit_months(wr_unit unit)
{
    switch ((uint8_t)unit) {
    case WR_UNIT_MONTH:
        return 1;
    case WR_UNIT_QUARTER:
        return 3;
    case WR_UNIT_YEAR:
        return 12;
    case WR_UNIT_DECADE:
        return 120;
    case WR_UNIT_CENTURY:
        return 1200;
    case WR_UNIT_MILLENNIUM:
        return 12000;
    default:
        return 0;
    }
}

int64_t
wr_ms_floor(wr_unit unit, int64_t ms)
{
    const int64_t fixed = wr_unit_ms(unit);
    if (fixed && unit != WR_UNIT_WEEK) return wr_ms_add(ms, -wr_floor_mod(ms, fixed));
    if (!fixed && !unit_months(unit)) return ms;
    return wr_ms_of_days(floor_days(unit, wr_floor_div(ms, WR_MS_DAY)));
}

int64_t
wr_ms_ceil(wr_unit unit, int64_t ms)
{
    const int64_t low = wr_ms_floor(unit, ms);
    if (low == ms) return ms;
    const int64_t fixed = wr_unit_ms(unit);
    return fixed ? wr_ms_add(low, fixed) : wr_ms_add_months(low, unit_months(unit));
}

/* ---- precision ------------------------------------------------------------------------------- */
static const int32_t below[10] = {0, 0, 0, 0, 100000, 10000, 1000, 100, 10, 1};

wr_ts
wr_ts_truncate(wr_ts t, int precision)
{
    static const int64_t ms_unit[4] = {1000, 100, 10, 1};
    if (precision <= 3) {
        t.nano = 0;
        t.ms = wr_ms_add(t.ms, -wr_floor_mod(t.ms, ms_unit[precision]));
        return t;
    }
    t.nano -= t.nano % below[WR_MIN(precision, 9)];
    return t;
}

int32_t
wr_time_truncate(int32_t ms, int precision)
{
    static const int32_t unit[4] = {1000, 100, 10, 1};
    return precision >= 3 ? ms : ms - ms % unit[WR_MAX(precision, 0)];
}
