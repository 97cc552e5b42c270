/* SPDX-License-Identifier: Apache-2.0 */
/* Times moved by intervals, the interval between two times, multiples of intervals. */
#include "expr/time_int.h"
#include "vec/kernel.h"

static int64_t
wrap_add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* ---- time + interval ------------------------------------------------------------------------- */
typedef struct mover {
    uint8_t id;  /* type of the time */
    bool months; /* the interval counts months, else milliseconds */
    int64_t sign;
} mover;

/* Days count in whole ones, cut toward zero; a time of day wraps. */
static int64_t
move_short(const mover *m, int64_t t, int64_t amount)
{
    if (m->id == WR_T_TIME) {
        if (m->months) return t;
        return wr_floor_mod(t + m->sign * (amount % WR_MS_DAY), WR_MS_DAY);
    }
    if (m->months) return wr_date_add_months(t, m->sign * amount);
    return t + m->sign * (amount / WR_MS_DAY);
}

static wr_ts
move_stamp(const mover *m, wr_ts t, int64_t amount)
{
    if (!m->months) {
        t.ms = wrap_add(t.ms, m->sign > 0 ? amount : (int64_t)(0 - (uint64_t)amount));
        return t;
    }
    t.ms = wr_ms_add_months(t.ms, m->sign * amount);
    return t;
}

/* Milliseconds and a constant number of them, every row: a plain loop (under NULLs: garbage). */
static bool
move_all(wr_fn_call *call, const mover *m, const wr_vec *time, const wr_vec *interval)
{
    if (m->months || time->phys != WR_PHYS_I64 || call->out->phys != WR_PHYS_I64 ||
        time->form != WR_FORM_FLAT || interval->form != WR_FORM_CONST ||
        interval->phys != WR_PHYS_I64 || interval->has_nulls)
        return false;
    const uint64_t amount = *(const uint64_t *)interval->data, add = m->sign > 0 ? amount : -amount;
    const uint64_t *restrict t = time->data;
    uint64_t *restrict out = call->out->data;
    const uint32_t n = call->n ? (call->sel ? call->sel[call->n - 1] + 1 : call->n) : 0;
    for (uint32_t i = 0; i < n; i++) out[i] = t[i] + add;
    return true;
}

wr_status
wri_k_time_plus(wr_fn_call *call)
{
    WR_TRY(wri_own_out(call));
    const bool swapped = wr_type_family(call->expr->args[0]->type) == WR_FAM_INTERVAL;
    const wr_vec *time = call->args[swapped], *interval = call->args[!swapped];
    const wr_view t = wr_vec_view(time), iv = wr_vec_view(interval);
    const mover m = {call->expr->type->id, call->expr->args[!swapped]->type->id == WR_T_INTERVAL_YM,
                     call->expr->fn->name[0] == '-' ? -1 : 1};
    const bool stamp = m.id == WR_T_TIMESTAMP || m.id == WR_T_TIMESTAMP_LTZ;
    if (stamp && move_all(call, &m, time, interval)) return WR_OK;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const int64_t amount = wri_int(&iv, interval->phys, row);
        if (stamp)
            wri_put_ts(call, row, move_stamp(&m, wri_ts(&t, time->phys, row), amount));
        else
            WRI_OUT(call, int32_t)
        [row] = (int32_t)move_short(&m, WR_VIEW(&t, int32_t, row), amount);
    }
    return WR_OK;
}

/* ---- interval * number ----------------------------------------------------------------------- */
wr_status
wri_k_interval_times(wr_fn_call *call)
{
    WR_TRY(wri_own_out(call));
    const wr_view a = wri_view(call, 0), b = wri_view(call, 1);
    const uint8_t pa = call->args[0]->phys, pb = call->args[1]->phys;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const uint64_t x = (uint64_t)wri_int(&a, pa, row), y = (uint64_t)wri_int(&b, pb, row);
        wri_put_int(call, row, (int64_t)(x * y));
    }
    return WR_OK;
}

/* ---- (time - time) unit ---------------------------------------------------------------------- */
wr_status
wri_r_minus_date(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *l = b->arg_types[0], *r = b->arg_types[1];
    const wr_unit unit = wri_unit_of(b->args[2]);
    if (wr_type_family(l) != WR_FAM_DATETIME || wr_type_family(r) != WR_FAM_DATETIME)
        return wri_refuse(ctx, b, NULL);
    if (l->id != r->id)
        return wr_raise_at(ctx, WR_TYPE, b->span, "%s",
                           wr_type_is(l, WR_T_TIMESTAMP_LTZ) || wr_type_is(r, WR_T_TIMESTAMP_LTZ)
                               ? "TIMESTAMP_LTZ only supports diff between the same type."
                               : "Parameters must be of the same type");
    if (!wr_unit_ms(unit) && !wri_unit_months(unit)) return wri_refuse(ctx, b, NULL);
    const wr_type *t = wr_type_interval(b->arena, unit, unit, 0, 0, true);
    return wri_result(ctx, b, t);
}

wr_status
wri_k_minus_date(wr_fn_call *call)
{
    const wr_view a = wri_view(call, 0), b = wri_view(call, 1);
    const wr_type *ta = call->expr->args[0]->type, *tb = call->expr->args[1]->type;
    const bool months = call->expr->type->id == WR_T_INTERVAL_YM;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const int64_t x = wri_time_of(&a, ta, call->args[0]->phys, row).ms;
        const int64_t y = wri_time_of(&b, tb, call->args[1]->phys, row).ms;
        wri_put_int(call, row, months ? wr_months_between(y, x) : x - y);
    }
    return WR_OK;
}

/* ---- TIMESTAMPADD ---------------------------------------------------------------------------- */
/* A DATE moved by less than a day becomes a TIMESTAMP(6). */
wr_status
wri_r_timestampadd(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_unit unit = wri_unit_of(b->args[0]);
    const bool fine = unit == WR_UNIT_MICROSECOND || unit == WR_UNIT_NANOSECOND;
    if (!wri_unit_months(unit) && !wr_unit_ms(unit) && !fine) return wri_refuse_unit(ctx, b, 0);
    const wr_type *n = b->arg_types[1], *t = b->arg_types[2];
    if (n->id != WR_T_NULL && !wr_type_is_integer(n)) return wri_refuse(ctx, b, NULL);
    if (t->id == WR_T_NULL) WR_TRY(wri_cast_arg_id(ctx, b, 2, WR_T_TIMESTAMP));
    t = b->arg_types[2];
    if (wr_type_family(t) != WR_FAM_DATETIME) return wri_refuse(ctx, b, NULL);
    WR_TRY(wri_cast_arg_id(ctx, b, 1, WR_T_BIGINT));
    const int64_t ms = wr_unit_ms(unit);
    const wr_type *result = t;
    if (t->id == WR_T_DATE && ((ms && ms < WR_MS_DAY) || fine))
        result = wr_type_time(b->arena, WR_T_TIMESTAMP, unit == WR_UNIT_NANOSECOND ? 9 : 6, true);
    const int digits = unit == WR_UNIT_MILLISECOND   ? 3
                       : unit == WR_UNIT_MICROSECOND ? 6
                       : unit == WR_UNIT_NANOSECOND  ? 9
                                                     : 0;
    if ((t->id == WR_T_TIMESTAMP || t->id == WR_T_TIMESTAMP_LTZ) && t->precision < digits)
        result = wr_type_time(b->arena, (wr_type_id)t->id, digits, true);
    return wri_result(ctx, b, result);
}

static wr_ts
add_nanos(wr_ts t, int64_t n)
{
    const int64_t sum = t.nano + wr_floor_mod(n, 1000000);
    t.ms = wrap_add(t.ms, wr_floor_div(n, 1000000) + sum / 1000000);
    t.nano = (int32_t)(sum % 1000000);
    return t;
}

static wr_ts
add_units(wr_ts t, wr_unit unit, int64_t n)
{
    const int64_t months = wri_unit_months(unit);
    if (unit == WR_UNIT_NANOSECOND) return add_nanos(t, n);
    if (unit == WR_UNIT_MICROSECOND) {
        t = add_nanos(t, wr_floor_mod(n, 1000) * 1000);
        t.ms = wrap_add(t.ms, wr_floor_div(n, 1000));
        return t;
    }
    const mover m = {WR_T_TIMESTAMP, months != 0, 1};
    const uint64_t k = (uint64_t)(months ? months : wr_unit_ms(unit));
    return move_stamp(&m, t, (int64_t)((uint64_t)n * k));
}

wr_status
wri_k_timestampadd(wr_fn_call *call)
{
    const wr_unit unit = wri_unit_of(call->expr->args[0]);
    const wr_view n = wri_view(call, 1), v = wri_view(call, 2);
    const wr_type *from = call->expr->args[2]->type, *to = call->expr->type;
    const uint8_t phys = call->args[2]->phys;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const wr_ts t =
            add_units(wri_time_of(&v, from, phys, row), unit, WR_VIEW(&n, int64_t, row));
        if (to->id == WR_T_DATE)
            WRI_OUT(call, int32_t)[row] = (int32_t)wr_floor_div(t.ms, WR_MS_DAY);
        else if (to->id == WR_T_TIME)
            WRI_OUT(call, int32_t)[row] = (int32_t)wr_floor_mod(t.ms, WR_MS_DAY);
        else
            wri_put_ts(call, row, t);
    }
    return WR_OK;
}

/* ---- TIMESTAMPDIFF --------------------------------------------------------------------------- */
wr_status
wri_r_timestampdiff(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_unit unit = wri_unit_of(b->args[0]);
    const bool fine = unit == WR_UNIT_MICROSECOND || unit == WR_UNIT_NANOSECOND;
    if (!wri_unit_months(unit) && !wr_unit_ms(unit) && !fine) return wri_refuse_unit(ctx, b, 0);
    for (uint32_t i = 1; i <= 2; i++) {
        if (b->arg_types[i]->id == WR_T_NULL) WR_TRY(wri_cast_arg_id(ctx, b, i, WR_T_TIMESTAMP));
        if (wr_type_family(b->arg_types[i]) != WR_FAM_DATETIME) return wri_refuse(ctx, b, NULL);
    }
    const wr_type *l = b->arg_types[1], *r = b->arg_types[2];
    if ((l->id == WR_T_TIMESTAMP_LTZ) != (r->id == WR_T_TIMESTAMP_LTZ))
        return wr_raise_at(ctx, WR_TYPE, b->span, "%s",
                           wr_type_is(l, WR_T_TIMESTAMP_LTZ) || wr_type_is(r, WR_T_TIMESTAMP_LTZ)
                               ? "TIMESTAMP_LTZ only supports diff between the same type."
                               : "Parameters must be of the same type");
    if ((l->id == WR_T_TIME) != (r->id == WR_T_TIME)) return wri_refuse(ctx, b, NULL);
    return wri_result_id(ctx, b, WR_T_INT);
}

/* `to` - `from` in whole units, toward zero; wraps at 32 bits. */
static int64_t
units_between(wr_ts from, wr_ts to, wr_unit unit)
{
    const int64_t months = wri_unit_months(unit);
    if (months) return wr_months_between(from.ms, to.ms) / months;
    const wr_i128 nanos =
        ((wr_i128)to.ms - from.ms) * 1000000 + ((int64_t)to.nano - (int64_t)from.nano);
    if (unit == WR_UNIT_NANOSECOND) return (int64_t)nanos;
    if (unit == WR_UNIT_MICROSECOND) return (int64_t)(nanos / 1000);
    return (int64_t)((to.ms - from.ms) / wr_unit_ms(unit));
}

wr_status
wri_k_timestampdiff(wr_fn_call *call)
{
    const wr_unit unit = wri_unit_of(call->expr->args[0]);
    const wr_view a = wri_view(call, 1), b = wri_view(call, 2);
    const wr_type *ta = call->expr->args[1]->type, *tb = call->expr->args[2]->type;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const wr_ts x = wri_time_of(&a, ta, call->args[1]->phys, row);
        const wr_ts y = wri_time_of(&b, tb, call->args[2]->phys, row);
        WRI_OUT(call, int32_t)[row] = (int32_t)units_between(x, y, unit);
    }
    return WR_OK;
}
