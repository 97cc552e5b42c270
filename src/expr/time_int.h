/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of temporal functions share: units, times of every layout, patterns. The calendar
 * and the zones are in types/datetime.h. */
#ifndef WR_EXPR_TIME_INT_H
#define WR_EXPR_TIME_INT_H

#include "expr/fn_int.h"
#include "types/datetime.h"

/* Months of a unit; 0 for weeks and shorter. */
WR_ALWAYS_INLINE int64_t
wri_unit_months(wr_unit unit)
{
    switch ((int)unit) {
    case WR_UNIT_MONTH:
        return 1;
    case WR_UNIT_QUARTER:
        return 3;
    case WR_UNIT_YEAR:
    case WR_UNIT_ISOYEAR:
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

/* A DATE (at midnight), TIME or TIMESTAMP entry as a timestamp. */
WR_ALWAYS_INLINE wr_ts
wri_time_of(const wr_view *w, const wr_type *t, uint8_t phys, uint32_t row)
{
    switch (t->id) {
    case WR_T_DATE:
        return wr_ts_of((int64_t)WR_VIEW(w, int32_t, row) * WR_MS_DAY, 0);
    case WR_T_TIME:
        return wr_ts_of(WR_VIEW(w, int32_t, row), 0);
    default:
        return wri_ts(w, phys, row);
    }
}
/* The same in the session's local time. */
WR_ALWAYS_INLINE wr_ts
wri_local_of(const wr_eval_env *env, const wr_view *w, const wr_type *t, uint8_t phys, uint32_t row)
{
    wr_ts v = wri_time_of(w, t, phys, row);
    if (t->id == WR_T_TIMESTAMP_LTZ && env) v.ms = wr_tz_to_local(env->tz, v.ms);
    return v;
}

/* ---- date patterns (pattern.c): both of Java's dialects -------------------------------------- */
typedef enum wri_dialect { WRI_PATTERN_MODERN, WRI_PATTERN_SIMPLE } wri_dialect;
typedef struct wri_pattern wri_pattern;
/* Compile; NULL in *out and Flink's message in `why` when the pattern is malformed. Lives in `a`.
 */
wr_status wri_pattern_compile(wr_ctx *ctx, wr_arena *a, wr_str text, wri_dialect dialect,
                              const wri_pattern **out, char why[WR_WHY_MAX]) WR_MUST_USE;
#define WRI_PATTERN_TEXT_MAX 512
/* Write a local time; false: a field that a time without zone does not have (`why`). `tz` and the
 * instant are for the zone letters of the SIMPLE dialect. */
bool wri_pattern_print(const wri_pattern *p, wr_ts local, const wr_tz *tz, char *out, uint32_t *len,
                       char why[WR_WHY_MAX]);
/* Local times without zone write alike within multiples of this; 0 = not known. */
int64_t wri_pattern_step_ms(const wri_pattern *p);
/* Read; false: the text does not match. SIMPLE is lenient and needs no end of text. */
bool wri_pattern_parse(const wri_pattern *p, wr_str text, const wr_tz *tz, wr_ts *local);

/* Kernels chosen by resolve. */
wr_status wri_k_floor_time(wr_fn_call *call);
wr_status wri_k_ltz_number(wr_fn_call *call);
wr_status wri_k_time_plus(wr_fn_call *call);
wr_status wri_k_interval_times(wr_fn_call *call);
wr_status wri_k_mod_int(wr_fn_call *call);
wr_status wri_own_out(wr_fn_call *call);

#endif
