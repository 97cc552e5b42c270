/* SPDX-License-Identifier: Apache-2.0 */
/* Private to types/: what a loaded time zone is. */
#ifndef WR_TYPES_TZ_INT_H
#define WR_TYPES_TZ_INT_H

#include "types/datetime.h"

/* When a yearly change happens, in the terms of POSIX TZ strings (the footer of a TZif file). */
typedef enum wri_tz_when { WRI_TZ_JULIAN, WRI_TZ_DAY, WRI_TZ_MONTH } wri_tz_when;
typedef struct wri_tz_change {
    uint8_t when; /* J1..365 without leap day; 0..365; m.w.d */
    uint8_t month, week, weekday;
    int16_t day;
    int32_t seconds; /* of the local day, may be negative or beyond 24 h */
} wri_tz_change;

typedef struct wri_tz_period {
    int32_t offset; /* seconds east of UTC */
    char abbr[12];
} wri_tz_period;

struct wr_tz {
    wr_str name;
    uint32_t count;        /* transitions */
    const int64_t *at;     /* UTC seconds, ascending */
    const uint8_t *period; /* in force from at[i] on */
    wri_tz_period *periods;
    uint32_t period_count; /* periods[first] before the first transition */
    uint8_t first;
    bool has_rule; /* after the last transition: std and dst by the changes, or std alone */
    bool has_dst;
    wri_tz_period std, dst;
    wri_tz_change to_dst, to_std;
};

/* "CST6CDT,M3.2.0,M11.1.0": the footer of a TZif file. */
bool wri_tz_parse_rule(wr_str text, wr_tz *tz);
/* The whole content of a TZif file (version 2 or later). */
bool wri_tz_parse_file(wr_arena *a, const uint8_t *p, size_t len, wr_tz *tz);

#endif
