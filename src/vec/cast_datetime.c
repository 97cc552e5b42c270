/* SPDX-License-Identifier: Apache-2.0 */
/* Casts among DATE, TIME and timestamps. A TIMESTAMP_LTZ is seen in the session's zone. */
#include "vec/cast_int.h"

#define AT(v, T, i)  (((const T *)(v)->data)[i])
#define OUT(c, T, i) (((T *)(c)->out->data)[i])

/* The value as a local timestamp. */
static wr_ts
get_local(const wri_cast *c, uint32_t e)
{
    switch (c->from->id) {
    case WR_T_DATE:
        return wr_ts_of(wr_ms_of_days(AT(c->in, int32_t, e)), 0);
    case WR_T_TIME:
        return wr_ts_of(AT(c->in, int32_t, e), 0); /* on 1970-01-01 */
    case WR_T_TIMESTAMP_LTZ: {
        wr_ts t = wri_ts_get(c->in, e);
        t.ms = wr_tz_to_local(c->env->tz, t.ms);
        return t;
    }
    default:
        return wri_ts_get(c->in, e);
    }
}

static void
put(const wri_cast *c, uint32_t row, wr_ts t)
{
    switch (c->to->id) {
    case WR_T_DATE:
        OUT(c, int32_t, row) = (int32_t)wr_floor_div(t.ms, WR_MS_DAY);
        return;
    case WR_T_TIME:
        OUT(c, int32_t, row) =
            wr_time_truncate((int32_t)wr_floor_mod(t.ms, WR_MS_DAY), c->to->precision);
        return;
    default:
        break;
    }
    t = wr_ts_truncate(t, c->to->precision);
    if (c->out->phys == WR_PHYS_TS)
        OUT(c, wr_ts, row) = t;
    else
        OUT(c, int64_t, row) = t.ms;
}

wr_status
wri_cast_datetime(const wri_cast *c)
{
    const wr_view w = wr_vec_view(c->in);
    const bool ltz = c->to->id == WR_T_TIMESTAMP_LTZ, same = c->from->id == c->to->id;
    for (uint32_t i = 0; i < c->n; i++) {
        const uint32_t row = wri_cast_row(c, i);
        if (!wr_view_valid(&w, row)) {
            WR_TRY(wri_cast_null(c, row));
            continue;
        }
        const uint32_t e = wr_view_at(&w, row);
        wr_ts t;
        if (same && ltz) {
            t = wri_ts_get(c->in, e); /* the instant stays */
        } else {
            t = get_local(c, e);
            if (ltz) t.ms = wr_tz_to_utc(c->env->tz, t.ms);
        }
        put(c, row, t);
    }
    return WR_OK;
}
