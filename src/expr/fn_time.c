/* SPDX-License-Identifier: Apache-2.0 */
/* Temporal functions that need no patterns: EXTRACT, FLOOR and CEIL of times, the present time,
 * watermarks. Fields and steps of a TIMESTAMP_LTZ are those of its reading in the session's zone.
 */
#include "expr/time_int.h"
#include "os/os.h"

/* ---- EXTRACT --------------------------------------------------------------------------------- */
static bool
is_time_unit(wr_unit u)
{
    return u == WR_UNIT_HOUR || u == WR_UNIT_MINUTE || u == WR_UNIT_SECOND ||
           u == WR_UNIT_MILLISECOND;
}

static bool
is_fine_unit(wr_unit u)
{
    return u == WR_UNIT_MICROSECOND || u == WR_UNIT_NANOSECOND;
}

static wr_status
check_interval_unit(wr_ctx *ctx, wr_fn_bind *b, const wr_type *t, wr_unit u, wr_str name)
{
    if (u == WR_UNIT_EPOCH)
        return wr_raise_at(ctx, WR_TYPE, b->span, "Unit '%.*s' is not supported.",
                           WR_STR_ARG(name));
    const bool months = wri_unit_months(u) != 0 && u != WR_UNIT_ISOYEAR;
    const bool fits =
        t->id == WR_T_INTERVAL_YM ? months : u == WR_UNIT_DAY || is_time_unit(u) || is_fine_unit(u);
    return fits ? WR_OK : wri_refuse(ctx, b, NULL);
}

static wr_status
check_datetime_unit(wr_ctx *ctx, wr_fn_bind *b, const wr_type *t, wr_unit u, wr_str name)
{
    if (t->id == WR_T_TIME && !is_time_unit(u) && !is_fine_unit(u))
        return wr_raise_at(ctx, WR_TYPE, b->span, "unit %.*s can not be applied to time variable",
                           WR_STR_ARG(name));
    if (is_fine_unit(u) && (t->id == WR_T_TIME || t->id == WR_T_DATE)) {
        const wr_str s = wr_type_str(t, WR_TYPE_SUMMARY, b->arena);
        return wr_raise_at(ctx, WR_TYPE, b->span, "unit %.*s can not be applied to %.*s variable",
                           WR_STR_ARG(name), WR_STR_ARG(s));
    }
    return WR_OK;
}

wr_status
wri_r_extract(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_unit u = wri_unit_of(b->args[0]);
    wr_str name = WR_STR("");
    (void)wri_lit_str(b->args[0], &name);
    if (u == WR_UNIT_NONE) return wri_refuse_unit(ctx, b, 0);
    if (b->arg_types[1]->id == WR_T_NULL) WR_TRY(wri_cast_arg_id(ctx, b, 1, WR_T_TIMESTAMP));
    const wr_type *t = b->arg_types[1];
    const wr_family f = wr_type_family(t);
    if (f == WR_FAM_INTERVAL)
        WR_TRY(check_interval_unit(ctx, b, t, u, name));
    else if (f == WR_FAM_DATETIME)
        WR_TRY(check_datetime_unit(ctx, b, t, u, name));
    else
        return wri_refuse(ctx, b, NULL);
    return wri_result_id(ctx, b, WR_T_BIGINT);
}

static int64_t
extract_one(wr_unit u, const wr_type *t, wr_ts v, wr_ts local)
{
    switch (t->id) {
    case WR_T_DATE:
        if (u == WR_UNIT_EPOCH) return v.ms / 1000;
        if (is_time_unit(u)) return 0;
        return wr_date_extract(u, v.ms / WR_MS_DAY);
    case WR_T_TIME:
        return wr_time_extract(u, v.ms, 0);
    default:
        /* the epoch of an instant does not depend on the zone */
        return wr_ts_extract(u, u == WR_UNIT_EPOCH ? v : local);
    }
}

wr_status
wri_k_extract(wr_fn_call *call)
{
    const wr_unit u = wri_unit_of(call->expr->args[0]);
    const wr_view w = wri_view(call, 1);
    const wr_type *t = call->expr->args[1]->type;
    const uint8_t phys = call->args[1]->phys;
    const bool interval = wr_type_family(t) == WR_FAM_INTERVAL;
    int64_t *out = call->out->data;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        if (interval)
            out[row] = wr_interval_extract(u, t, wri_int(&w, phys, row));
        else
            out[row] = extract_one(u, t, wri_time_of(&w, t, phys, row),
                                   wri_local_of(call->env, &w, t, phys, row));
    }
    return WR_OK;
}

/* ---- FLOOR, CEIL of a time ------------------------------------------------------------------- */
static wr_ts
step_nanos(wr_ts v, int32_t unit, bool up)
{
    const int32_t rest = v.nano % unit;
    v.nano -= rest;
    if (up && rest) v.nano += unit;
    if (v.nano >= 1000000) v = wr_ts_of(v.ms + 1, v.nano - 1000000);
    return v;
}

static wr_ts
step(wr_unit u, wr_ts v, bool up)
{
    if (u == WR_UNIT_NANOSECOND) return v;
    if (u == WR_UNIT_MICROSECOND) return step_nanos(v, 1000, up);
    if (u == WR_UNIT_MILLISECOND) return step_nanos(v, 1000000, up);
    if (!up) return wr_ts_of(wr_ms_floor(u, v.ms), 0);
    return wr_ts_of(wr_ms_ceil(u, v.ms + (v.nano > 0)), 0);
}

wr_status
wri_k_floor_time(wr_fn_call *call)
{
    const wr_unit u = wri_unit_of(call->expr->args[1]);
    const bool up = call->expr->fn->name[0] == 'C';
    const wr_view w = wri_view(call, 0);
    const wr_type *t = call->expr->args[0]->type;
    const uint8_t phys = call->args[0]->phys;
    const struct wr_tz *tz = call->env ? call->env->tz : NULL;
    const bool coarse = wri_unit_months(u) || u == WR_UNIT_WEEK || u == WR_UNIT_DAY;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_ts v = wri_local_of(call->env, &w, t, phys, row);
        if (t->id != WR_T_TIME || !coarse) v = step(u, v, up);
        if (t->id == WR_T_DATE)
            WRI_OUT(call, int32_t)[row] = (int32_t)wr_floor_div(v.ms, WR_MS_DAY);
        else if (t->id == WR_T_TIME)
            WRI_OUT(call, int32_t)[row] = (int32_t)wr_floor_mod(v.ms, WR_MS_DAY);
        else {
            if (t->id == WR_T_TIMESTAMP_LTZ) v.ms = wr_tz_to_utc(tz, v.ms);
            wri_put_ts(call, row, v);
        }
    }
    return WR_OK;
}

/* ---- the present ----------------------------------------------------------------------------- */
wr_status
wri_r_now(wr_ctx *ctx, wr_fn_bind *b)
{
    const char *name = b->fn->name;
    if (b->arg_count > 0)
        return wr_raise_at(ctx, WR_TYPE, b->span, "Unsupported call: %s(INT NOT NULL)", name);
    const wr_type *t;
    if (strcmp(name, "CURRENT_DATE") == 0)
        t = wr_type_of(WR_T_DATE, false);
    else if (strcmp(name, "CURRENT_TIME") == 0 || strcmp(name, "LOCALTIME") == 0)
        t = wr_type_time(b->arena, WR_T_TIME, 0, false);
    else if (strcmp(name, "LOCALTIMESTAMP") == 0 || strcmp(name, "SOURCE_WATERMARK") == 0)
        t = wr_type_time(b->arena, WR_T_TIMESTAMP, 3, false);
    else
        t = wr_type_time(b->arena, WR_T_TIMESTAMP_LTZ, 3, false);
    WR_TRY_ALLOC(ctx, t);
    WR_TRY(wri_result_null(ctx, b, t, false));
    if (strcmp(name, "PROCTIME") == 0)
        b->result = wr_type_attr(b->arena, b->result, WR_ATTR_PROCTIME);
    WR_TRY_ALLOC(ctx, b->result);
    return WR_OK;
}

static int64_t
now_ms(const wr_fn_call *call)
{
    const bool fixed = call->env && call->env->batch && call->expr->fn->flags & WR_FNF_DYNAMIC;
    return fixed ? call->env->query_time_ms : wr_os_processing_ms();
}

wr_status
wri_k_now(wr_fn_call *call)
{
    const wr_type *t = call->expr->type;
    int64_t ms = now_ms(call);
    if (t->id != WR_T_TIMESTAMP_LTZ) ms = wr_tz_to_local(call->env ? call->env->tz : NULL, ms);
    WR_FOR_CALL(call, row)
    {
        if (t->id == WR_T_DATE)
            WRI_OUT(call, int32_t)[row] = (int32_t)wr_floor_div(ms, WR_MS_DAY);
        else if (t->id == WR_T_TIME)
            WRI_OUT(call, int32_t)[row] = (int32_t)(wr_floor_mod(ms, WR_MS_DAY) / 1000 * 1000);
        else
            WRI_OUT(call, int64_t)[row] = ms;
    }
    return WR_OK;
}

/* ---- watermarks ------------------------------------------------------------------------------ */
wr_status
wri_r_current_watermark(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    if (t->attr != WR_ATTR_ROWTIME) return wri_invalid_call(ctx, b, NULL);
    return wri_result_null(ctx, b, wr_type_time(b->arena, (wr_type_id)t->id, 3, true), true);
}

wr_status
wri_k_current_watermark(wr_fn_call *call)
{
    const int64_t *mark = call->env ? call->env->watermark : NULL;
    WR_FOR_CALL(call, row)
    {
        if (!mark || *mark == INT64_MIN)
            wri_null(call, row);
        else
            WRI_OUT(call, int64_t)[row] = *mark;
    }
    return WR_OK;
}

wr_status
wri_k_source_watermark(wr_fn_call *call)
{
    return wr_raise_at(
        call->ctx, WR_SEMANTIC, call->expr->span,
        "SOURCE_WATERMARK() is a declarative marker function and doesn't have concrete "
        "runtime implementation. It can only be used as a single expression in "
        "watermark strategies in CREATE TABLE DDL");
}
