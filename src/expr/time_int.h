/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of temporal functions share. Dates are days since 1970-01-01 in the proleptic
 * Gregorian calendar, times are milliseconds. */
#ifndef WR_EXPR_TIME_INT_H
#define WR_EXPR_TIME_INT_H

#include "expr/fn_int.h"

#define WRI_DAY_MS 86400000ll

typedef struct wri_ymd {
    int64_t year;
    uint32_t month, day; /* 1.. */
} wri_ymd;

WR_ALWAYS_INLINE int64_t
wri_floor_div(int64_t a, int64_t b)
{
    const int64_t q = a / b;
    return q - (a % b != 0 && (a < 0) != (b < 0));
}
WR_ALWAYS_INLINE int64_t
wri_floor_mod(int64_t a, int64_t b)
{
    return a - wri_floor_div(a, b) * b;
}

int64_t wri_days_of(int64_t year, uint32_t month, uint32_t day);
wri_ymd wri_ymd_of(int64_t days);
uint32_t wri_month_days(int64_t year, uint32_t month);
/* The same day of another month, clipped to its last. */
int64_t wri_add_months(int64_t days, int64_t months);
/* Whole months from `b` to `a`, both days with milliseconds of the day. */
int64_t wri_months_between(int64_t a_ms, int64_t b_ms);
/* Milliseconds of a unit of fixed length; 0 for months and longer. */
int64_t wri_unit_ms(wr_unit unit);
/* Months of a unit; 0 for weeks and shorter. */
int64_t wri_unit_months(wr_unit unit);

/* Milliseconds in UTC as milliseconds of local time in the session's zone, and back. */
int64_t wri_to_local(const wr_eval_env *env, int64_t utc_ms);
int64_t wri_to_utc(const wr_eval_env *env, int64_t local_ms);

/* Kernels chosen by resolve. */
wr_status wri_k_floor_time(wr_fn_call *call);
wr_status wri_k_time_plus(wr_fn_call *call);
wr_status wri_k_interval_times(wr_fn_call *call);
wr_status wri_k_mod_int(wr_fn_call *call);
wr_status wri_own_out(wr_fn_call *call);

#endif
