/* SPDX-License-Identifier: Apache-2.0 */
/* Dates, times of day, timestamps, intervals and time zones on single values.
 *
 * The calendar is proleptic Gregorian with a year 0. A DATE is days since 1970-01-01, a TIME ms of
 * the day, a TIMESTAMP ms since the epoch of the local calendar (with nanoseconds in wr_ts), a
 * TIMESTAMP_LTZ the same in UTC. Nothing here keeps state; a wr_tz is immutable once loaded and may
 * be used by any thread. A NULL zone is UTC. */
#ifndef WR_TYPES_DATETIME_H
#define WR_TYPES_DATETIME_H

#include "types/types.h"

#define WR_MS_DAY    86400000ll
#define WR_MS_HOUR   3600000ll
#define WR_MS_MINUTE 60000ll
#define WR_MS_SECOND 1000ll

WR_ALWAYS_INLINE int64_t
wr_floor_div(int64_t a, int64_t b) /* b > 0 */
{
    const int64_t q = a / b;
    return q - (a % b < 0);
}
WR_ALWAYS_INLINE int64_t
wr_floor_mod(int64_t a, int64_t b) /* b > 0 */
{
    const int64_t r = a % b;
    return r < 0 ? r + b : r;
}

/* Sums wrap: a timestamp is any 64 bits. */
WR_ALWAYS_INLINE int64_t
wr_ms_add(int64_t ms, int64_t more)
{
    return (int64_t)((uint64_t)ms + (uint64_t)more);
}
WR_ALWAYS_INLINE int64_t
wr_ms_of_days(int64_t days)
{
    return (int64_t)((uint64_t)days * (uint64_t)WR_MS_DAY);
}

/* ---- the calendar ---------------------------------------------------------------------------- */
typedef struct wr_civil {
    int64_t year;
    int month, day; /* 1..12, 1..31 */
} wr_civil;
int64_t wr_days_of(int64_t year, int month, int day); /* a valid month; any day */
wr_civil wr_civil_of(int64_t days);
int wr_month_days(int64_t year, int month);
bool wr_date_valid(int64_t year, int month, int day);
int wr_day_of_week(int64_t days); /* ISO: Monday 1 .. Sunday 7 */
int wr_day_of_year(int64_t days); /* 1.. */
int wr_iso_week(int64_t days, int64_t *iso_year);
/* The same day of the month that many months later, or the month's last. */
int64_t wr_date_add_months(int64_t days, int64_t months);
int64_t wr_ms_add_months(int64_t ms, int64_t months);
/* Whole months from one timestamp to another, negative backwards (TIMESTAMPDIFF). */
int64_t wr_months_between(int64_t from_ms, int64_t to_ms);

/* EXTRACT. Fields of a timestamp's date come from its day, of its time from its ms of the day. */
int64_t wr_date_extract(wr_unit unit, int64_t days);
int64_t wr_time_extract(wr_unit unit, int64_t ms_of_day, int32_t nano);
int64_t wr_ts_extract(wr_unit unit, wr_ts local);
int64_t wr_interval_extract(wr_unit unit, const wr_type *t, int64_t value);
/* FLOOR and CEIL of a local timestamp; weeks begin on Sunday. Finer than the value: unchanged. */
int64_t wr_ms_floor(wr_unit unit, int64_t ms);
int64_t wr_ms_ceil(wr_unit unit, int64_t ms);
/* Fixed length of a unit in ms (WEEK and below), 0 for months and above. */
int64_t wr_unit_ms(wr_unit unit);

WR_ALWAYS_INLINE wr_ts
wr_ts_of(int64_t ms, int32_t nano)
{
    return (wr_ts){ms, nano, 0};
}
/* Cut to `precision` fractional digits, toward the past. */
wr_ts wr_ts_truncate(wr_ts t, int precision);
int32_t wr_time_truncate(int32_t ms, int precision);

/* ---- text ------------------------------------------------------------------------------------ */
#define WR_DT_TEXT_MAX 48
/* As CAST AS STRING: 2024-05-17, 10:11:12.345, 2024-05-17 10:11:12.345, +1-02, +1 02:03:04.005 */
uint32_t wr_date_print(int64_t days, char out[WR_DT_TEXT_MAX]);
uint32_t wr_time_print(int32_t ms, int precision, char out[WR_DT_TEXT_MAX]);
uint32_t wr_ts_print(wr_ts local, int precision, char out[WR_DT_TEXT_MAX]);
uint32_t wr_interval_print(const wr_type *t, int64_t value, char out[WR_DT_TEXT_MAX]);
/* As java.time prints: 2024-05-17, 10:11, 2024-05-17T10:11:12.345, the instant with Z, PT26H, P14M
 */
uint32_t wr_date_print_java(int64_t days, char out[WR_DT_TEXT_MAX]);
uint32_t wr_time_print_java(int32_t ms, char out[WR_DT_TEXT_MAX]);
uint32_t wr_ts_print_java(wr_ts local, char out[WR_DT_TEXT_MAX]);
uint32_t wr_instant_print_java(wr_ts utc, char out[WR_DT_TEXT_MAX]);
uint32_t wr_interval_print_java(const wr_type *t, int64_t value, char out[WR_DT_TEXT_MAX]);

/* As CAST from STRING reads. On failure `why` holds Flink's message. */
#define WR_WHY_MAX 512
bool wr_date_parse(wr_str text, int32_t *days, char why[WR_WHY_MAX]);
bool wr_time_parse(wr_str text, int32_t *ms, char why[WR_WHY_MAX]);
bool wr_ts_parse(wr_str text, wr_ts *out, char why[WR_WHY_MAX]); /* nanoseconds kept */
/* As literals read: DATE 'y-m-d', TIME 'h:m:s[.f]', TIMESTAMP 'y-m-d[ h:m:s[.f]]', all in range.
 * *precision: digits of the fraction. */
bool wr_date_literal(wr_str text, int32_t *days);
bool wr_time_literal(wr_str text, int32_t *ms, int *precision);
bool wr_ts_literal(wr_str text, wr_ts *out, int *precision);
/* INTERVAL 'text' from [TO to]; false: not in that format. A field that exceeds the leading
 * precision is reported in *too_big (its value), else 0. */
bool wr_interval_literal(wr_str text, wr_unit from, wr_unit to, int lead, int frac, int64_t *value,
                         int64_t *too_big);

/* ---- time zones ------------------------------------------------------------------------------ */
typedef struct wr_tz wr_tz;
/* A zone by name: UTC, Z, +08:00, GMT+8, Asia/Shanghai, or "default" (the system's). Lives in `a`.
 * *out is NULL when there is no such zone; a status only for memory. */
wr_status wr_tz_find(wr_ctx *ctx, wr_arena *a, wr_str name, const wr_tz **out) WR_MUST_USE;
/* The same; raises when there is no such zone. */
wr_status wr_tz_open(wr_ctx *ctx, wr_arena *a, wr_str name, const wr_tz **out) WR_MUST_USE;
/* Zones by name as rows ask for them; one thread. Zero it and set `arena`. */
typedef struct wr_tz_entry wr_tz_entry;
typedef struct wr_tz_cache {
    wr_arena *arena;
    wr_tz_entry *first;
} wr_tz_cache;
wr_status wr_tz_cache_find(wr_ctx *ctx, wr_tz_cache *c, wr_str name, const wr_tz **out) WR_MUST_USE;

wr_str wr_tz_name(const wr_tz *tz);
bool wr_tz_is_fixed(const wr_tz *tz);                     /* the same offset always */
int32_t wr_tz_offset_at(const wr_tz *tz, int64_t utc_ms); /* seconds east of UTC */
int64_t wr_tz_to_local(const wr_tz *tz, int64_t utc_ms);
/* Java's rule: in a gap the clock reading counts with the offset before it, in an overlap too. */
int64_t wr_tz_to_utc(const wr_tz *tz, int64_t local_ms);
/* Of a reading that occurs twice, the later instant (else as above): for window ends. */
int64_t wr_tz_to_utc_later(const wr_tz *tz, int64_t local_ms);
/* "UTC", "CST", "PDT": the abbreviation in force; "" when the zone has none. */
wr_str wr_tz_abbreviation(const wr_tz *tz, int64_t utc_ms);

#endif
