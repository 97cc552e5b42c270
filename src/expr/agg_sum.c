/* SPDX-License-Identifier: Apache-2.0 */
/* COUNT, SUM, $SUM0, AVG. Sums of integers wrap in the argument's type, as Flink's; sums of
 * decimals are exact to 38 digits, beyond that NULL; AVG of integers truncates. All of them take
 * back what they were given, so they serve updating input too. */
#include "expr/agg_int.h"

#include "types/decimal.h"

/* ---- COUNT ----------------------------------------------------------------------------------- */

WR_ALWAYS_INLINE wr_status
count_apply(wr_agg_call *call, int64_t *acc, const wr_view *w, uint32_t i, uint32_t row,
            bool retract)
{
    (void)i;
    if (call->arg_count == 0 || wr_view_valid(w, row)) *acc += retract ? -1 : 1;
    return WR_OK;
}
WR_ALWAYS_INLINE wr_status
count_result(wr_agg_call *call, const int64_t *acc, uint32_t i, wr_vec *out)
{
    (void)call;
    ((int64_t *)out->data)[i] = *acc;
    return WR_OK;
}
#define K_NAME   count
#define K_ACC    int64_t
#define K_APPLY  count_apply
#define K_RESULT count_result
#include "expr/agg.tmpl.h"

/* Rows that only add one each, with the counts after and perhaps before. Neighbours of one group
 * stay in a register. */
static wr_status
count_update(wr_agg_call *call)
{
    if (!call->after || call->kind ||
        (call->arg_count && (call->args[0]->has_nulls || call->args[0]->phys == WR_PHYS_NONE)))
        return count_on_rows(call);
    int64_t *before = call->before ? call->before->data : NULL, *after = call->after->data;
    int64_t *at = NULL, count = 0;
    for (uint32_t i = 0; i < call->n; i++) {
        if (call->recs[i] != (uint8_t *)at) {
            if (at) *at = count;
            at = (int64_t *)(void *)call->recs[i];
            count = *at;
        }
        if (before) before[i] = count;
        count += call->mask ? wr_bit_get(call->mask, i) : 1;
        after[i] = count;
    }
    if (at) *at = count;
    return WR_OK;
}

static wr_status
count_merge(wr_agg_call *call, uint8_t *const *other)
{
    for (uint32_t i = 0; i < call->n; i++)
        *(int64_t *)(void *)call->recs[i] += *(const int64_t *)(const void *)other[i];
    return WR_OK;
}

static wr_status
count_unmerge(wr_agg_call *call, uint8_t *const *other, uint8_t *again)
{
    (void)again;
    for (uint32_t i = 0; i < call->n; i++)
        *(int64_t *)(void *)call->recs[i] -= *(const int64_t *)(const void *)other[i];
    return WR_OK;
}

static const wr_agg_ops count_ops = {.abi = WR_ABI,
                                     .name = "COUNT",
                                     .can_retract = true,
                                     .state_bytes = 8,
                                     .state_align = 8,
                                     .keeps = WR_AGG_KEEPS_COUNTS,
                                     .update = count_update,
                                     .result = count_on_result,
                                     .mergeable = true,
                                     .merge = count_merge,
                                     .unmerge = count_unmerge};

const wr_agg_ops *
wri_a_count(wr_ctx *ctx, const wr_fn_bind *b)
{
    (void)ctx;
    (void)b;
    return &count_ops;
}

/* ---- SUM ------------------------------------------------------------------------------------- */

typedef struct sum_i64 {
    int64_t sum, count; /* count: rows that are not NULL */
} sum_i64;
typedef struct sum_f64 {
    double sum;
    int64_t count;
} sum_f64;
typedef struct sum_dec {
    wr_i128 sum;
    int64_t count, pad;
} sum_dec;

WR_ALWAYS_INLINE void
put_null(wr_agg_call *call, wr_vec *out, uint32_t i)
{
    wr_vec_set_null(out, i, call->arena);
}

static void
put_int(wr_vec *out, uint32_t i, int64_t v)
{
    switch (out->phys) {
    case WR_PHYS_I8:
        ((int8_t *)out->data)[i] = (int8_t)v;
        break;
    case WR_PHYS_I16:
        ((int16_t *)out->data)[i] = (int16_t)v;
        break;
    case WR_PHYS_I32:
        ((int32_t *)out->data)[i] = (int32_t)v;
        break;
    default:
        ((int64_t *)out->data)[i] = v;
        break;
    }
}

WR_ALWAYS_INLINE wr_status
sum_int_apply(wr_agg_call *call, sum_i64 *acc, const wr_view *w, uint32_t i, uint32_t row,
              bool retract)
{
    (void)i;
    if (!wr_view_valid(w, row)) return WR_OK;
    uint64_t v = (uint64_t)wri_int(w, call->args[0]->phys, row);
    acc->sum = (int64_t)(retract ? (uint64_t)acc->sum - v : (uint64_t)acc->sum + v);
    acc->count += retract ? -1 : 1;
    return WR_OK;
}
WR_ALWAYS_INLINE wr_status
sum_int_value(wr_agg_call *call, const sum_i64 *acc, uint32_t i, wr_vec *out)
{
    if (acc->count == 0)
        put_null(call, out, i);
    else
        put_int(out, i, acc->sum);
    return WR_OK;
}
WR_ALWAYS_INLINE wr_status
sum0_int_value(wr_agg_call *call, const sum_i64 *acc, uint32_t i, wr_vec *out)
{
    (void)call;
    put_int(out, i, acc->sum);
    return WR_OK;
}
WR_ALWAYS_INLINE wr_status
avg_int_value(wr_agg_call *call, const sum_i64 *acc, uint32_t i, wr_vec *out)
{
    if (acc->count == 0)
        put_null(call, out, i);
    else
        put_int(out, i, acc->sum / acc->count);
    return WR_OK;
}

/* A SUM begins with its first value, which may be -0.0; the others with 0.0. */
WR_ALWAYS_INLINE bool
begins(const sum_f64 *acc)
{
    return acc->count == 0 && acc->sum <= 0 && acc->sum >= 0;
}

/* FLOAT adds as FLOAT in SUM, as DOUBLE in AVG. */
WR_ALWAYS_INLINE wr_status
sum_f32_apply(wr_agg_call *call, sum_f64 *acc, const wr_view *w, uint32_t i, uint32_t row,
              bool retract)
{
    (void)call;
    (void)i;
    if (!wr_view_valid(w, row)) return WR_OK;
    float v = WR_VIEW(w, float, row), sum = (float)acc->sum;
    acc->sum = retract ? (double)(sum - v) : begins(acc) ? (double)v : (double)(sum + v);
    acc->count += retract ? -1 : 1;
    return WR_OK;
}
WR_ALWAYS_INLINE wr_status
add_f64(wr_agg_call *call, sum_f64 *acc, const wr_view *w, uint32_t row, bool retract, bool first)
{
    if (!wr_view_valid(w, row)) return WR_OK;
    double v = call->args[0]->phys == WR_PHYS_F32 ? (double)WR_VIEW(w, float, row)
                                                  : WR_VIEW(w, double, row);
    acc->sum = retract ? acc->sum - v : first && begins(acc) ? v : acc->sum + v;
    acc->count += retract ? -1 : 1;
    return WR_OK;
}
WR_ALWAYS_INLINE wr_status
sum_f64_apply(wr_agg_call *call, sum_f64 *acc, const wr_view *w, uint32_t i, uint32_t row,
              bool retract)
{
    (void)i;
    return add_f64(call, acc, w, row, retract, true);
}
WR_ALWAYS_INLINE wr_status
sum0_f64_apply(wr_agg_call *call, sum_f64 *acc, const wr_view *w, uint32_t i, uint32_t row,
               bool retract)
{
    (void)i;
    return add_f64(call, acc, w, row, retract, false);
}
static void
put_f(wr_vec *out, uint32_t i, double v)
{
    if (out->phys == WR_PHYS_F32)
        ((float *)out->data)[i] = (float)v;
    else
        ((double *)out->data)[i] = v;
}
WR_ALWAYS_INLINE wr_status
sum_f_value(wr_agg_call *call, const sum_f64 *acc, uint32_t i, wr_vec *out)
{
    if (acc->count == 0)
        put_null(call, out, i);
    else
        put_f(out, i, acc->sum);
    return WR_OK;
}
WR_ALWAYS_INLINE wr_status
sum0_f_value(wr_agg_call *call, const sum_f64 *acc, uint32_t i, wr_vec *out)
{
    (void)call;
    put_f(out, i, acc->sum);
    return WR_OK;
}
WR_ALWAYS_INLINE wr_status
avg_f_value(wr_agg_call *call, const sum_f64 *acc, uint32_t i, wr_vec *out)
{
    if (acc->count == 0)
        put_null(call, out, i);
    else
        put_f(out, i, acc->sum / (double)acc->count);
    return WR_OK;
}

WR_ALWAYS_INLINE wr_status
sum_dec_apply(wr_agg_call *call, sum_dec *acc, const wr_view *w, uint32_t i, uint32_t row,
              bool retract)
{
    (void)i;
    if (!wr_view_valid(w, row)) return WR_OK;
    wr_u128 v = (wr_u128)wri_dec(w, call->args[0]->phys, row);
    acc->sum = (wr_i128)(retract ? (wr_u128)acc->sum - v : (wr_u128)acc->sum + v);
    acc->count += retract ? -1 : 1;
    return WR_OK;
}
static void
put_dec(wr_agg_call *call, wr_vec *out, uint32_t i, wr_i128 v, bool fits)
{
    if (!fits || !wr_dec_fits(v, out->type->precision))
        put_null(call, out, i);
    else if (out->phys == WR_PHYS_I128)
        ((wr_i128 *)out->data)[i] = v;
    else
        ((int64_t *)out->data)[i] = (int64_t)v;
}
WR_ALWAYS_INLINE wr_status
sum_dec_value(wr_agg_call *call, const sum_dec *acc, uint32_t i, wr_vec *out)
{
    put_dec(call, out, i, acc->sum, acc->count != 0);
    return WR_OK;
}
WR_ALWAYS_INLINE wr_status
sum0_dec_value(wr_agg_call *call, const sum_dec *acc, uint32_t i, wr_vec *out)
{
    put_dec(call, out, i, acc->sum, true);
    return WR_OK;
}
WR_ALWAYS_INLINE wr_status
avg_dec_value(wr_agg_call *call, const sum_dec *acc, uint32_t i, wr_vec *out)
{
    wr_i128 v = 0;
    int scale = call->agg->arg_types[0]->scale;
    bool ok = acc->count != 0 && wr_dec_div(acc->sum, scale, acc->count, 0, out->type->precision,
                                            out->type->scale, &v);
    put_dec(call, out, i, v, ok);
    return WR_OK;
}

#define K_NAME   sum_int
#define K_ACC    sum_i64
#define K_APPLY  sum_int_apply
#define K_RESULT sum_int_value
#include "expr/agg.tmpl.h"
#define K_NAME   sum0_int
#define K_ACC    sum_i64
#define K_APPLY  sum_int_apply
#define K_RESULT sum0_int_value
#include "expr/agg.tmpl.h"
#define K_NAME   avg_int
#define K_ACC    sum_i64
#define K_APPLY  sum_int_apply
#define K_RESULT avg_int_value
#include "expr/agg.tmpl.h"
#define K_NAME   sum_f32
#define K_ACC    sum_f64
#define K_APPLY  sum_f32_apply
#define K_RESULT sum_f_value
#include "expr/agg.tmpl.h"
#define K_NAME   sum_dbl
#define K_ACC    sum_f64
#define K_APPLY  sum_f64_apply
#define K_RESULT sum_f_value
#include "expr/agg.tmpl.h"
#define K_NAME   sum0_dbl
#define K_ACC    sum_f64
#define K_APPLY  sum0_f64_apply
#define K_RESULT sum0_f_value
#include "expr/agg.tmpl.h"
#define K_NAME   avg_dbl
#define K_ACC    sum_f64
#define K_APPLY  sum0_f64_apply
#define K_RESULT avg_f_value
#include "expr/agg.tmpl.h"
#define K_NAME   sum_dec
#define K_ACC    sum_dec
#define K_APPLY  sum_dec_apply
#define K_RESULT sum_dec_value
#include "expr/agg.tmpl.h"
#define K_NAME   sum0_dec
#define K_ACC    sum_dec
#define K_APPLY  sum_dec_apply
#define K_RESULT sum0_dec_value
#include "expr/agg.tmpl.h"
#define K_NAME   avg_dec
#define K_ACC    sum_dec
#define K_APPLY  sum_dec_apply
#define K_RESULT avg_dec_value
#include "expr/agg.tmpl.h"

static wr_status
merge_i64(wr_agg_call *call, uint8_t *const *other)
{
    for (uint32_t i = 0; i < call->n; i++) {
        sum_i64 *to = (sum_i64 *)(void *)call->recs[i];
        const sum_i64 *from = (const sum_i64 *)(const void *)other[i];
        to->sum = (int64_t)((uint64_t)to->sum + (uint64_t)from->sum);
        to->count += from->count;
    }
    return WR_OK;
}
static wr_status
merge_f32(wr_agg_call *call, uint8_t *const *other)
{
    for (uint32_t i = 0; i < call->n; i++) {
        sum_f64 *to = (sum_f64 *)(void *)call->recs[i];
        const sum_f64 *from = (const sum_f64 *)(const void *)other[i];
        if (from->count || !begins(from))
            to->sum = begins(to) ? from->sum : (double)((float)to->sum + (float)from->sum);
        to->count += from->count;
    }
    return WR_OK;
}
static wr_status
merge_f64(wr_agg_call *call, uint8_t *const *other)
{
    for (uint32_t i = 0; i < call->n; i++) {
        sum_f64 *to = (sum_f64 *)(void *)call->recs[i];
        const sum_f64 *from = (const sum_f64 *)(const void *)other[i];
        if (from->count || !begins(from)) to->sum = begins(to) ? from->sum : to->sum + from->sum;
        to->count += from->count;
    }
    return WR_OK;
}
static wr_status
merge_dec(wr_agg_call *call, uint8_t *const *other)
{
    for (uint32_t i = 0; i < call->n; i++) {
        sum_dec *to = (sum_dec *)(void *)call->recs[i];
        const sum_dec *from = (const sum_dec *)(const void *)other[i];
        to->sum = (wr_i128)((wr_u128)to->sum + (wr_u128)from->sum);
        to->count += from->count;
    }
    return WR_OK;
}

static wr_status
unmerge_i64(wr_agg_call *call, uint8_t *const *other, uint8_t *again)
{
    (void)again;
    for (uint32_t i = 0; i < call->n; i++) {
        sum_i64 *to = (sum_i64 *)(void *)call->recs[i];
        const sum_i64 *from = (const sum_i64 *)(const void *)other[i];
        to->sum = (int64_t)((uint64_t)to->sum - (uint64_t)from->sum);
        to->count -= from->count;
    }
    return WR_OK;
}
static wr_status
unmerge_dec(wr_agg_call *call, uint8_t *const *other, uint8_t *again)
{
    (void)again;
    for (uint32_t i = 0; i < call->n; i++) {
        sum_dec *to = (sum_dec *)(void *)call->recs[i];
        const sum_dec *from = (const sum_dec *)(const void *)other[i];
        to->sum = (wr_i128)((wr_u128)to->sum - (wr_u128)from->sum);
        to->count -= from->count;
    }
    return WR_OK;
}

#define SUM_OPS(prefix, acc, sql, how, back)                                                       \
    static const wr_agg_ops prefix##_ops = {.abi = WR_ABI,                                         \
                                            .name = sql,                                           \
                                            .can_retract = true,                                   \
                                            .state_bytes = sizeof(acc),                            \
                                            .state_align = _Alignof(acc),                          \
                                            .keeps = WR_AGG_KEEPS_FAMILIES,                        \
                                            .update = prefix##_on_rows,                            \
                                            .result = prefix##_on_result,                          \
                                            .mergeable = true,                                     \
                                            .merge = how,                                          \
                                            .unmerge = back}
SUM_OPS(sum_int, sum_i64, "SUM", merge_i64, unmerge_i64);
SUM_OPS(sum0_int, sum_i64, "$SUM0", merge_i64, unmerge_i64);
SUM_OPS(avg_int, sum_i64, "AVG", merge_i64, unmerge_i64);
SUM_OPS(sum_f32, sum_f64, "SUM", merge_f32, NULL);
SUM_OPS(sum_dbl, sum_f64, "SUM", merge_f64, NULL);
SUM_OPS(sum0_dbl, sum_f64, "$SUM0", merge_f64, NULL);
SUM_OPS(avg_dbl, sum_f64, "AVG", merge_f64, NULL);
SUM_OPS(sum_dec, sum_dec, "SUM", merge_dec, unmerge_dec);
SUM_OPS(sum0_dec, sum_dec, "$SUM0", merge_dec, unmerge_dec);
SUM_OPS(avg_dec, sum_dec, "AVG", merge_dec, unmerge_dec);

const wr_agg_ops *
wri_a_sum(wr_ctx *ctx, const wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    (void)ctx;
    if (t->id == WR_T_DECIMAL) return &sum_dec_ops;
    if (t->id == WR_T_FLOAT) return &sum_f32_ops;
    return t->id == WR_T_DOUBLE ? &sum_dbl_ops : &sum_int_ops;
}

const wr_agg_ops *
wri_a_sum0(wr_ctx *ctx, const wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    (void)ctx;
    if (t->id == WR_T_DECIMAL) return &sum0_dec_ops;
    return wr_type_family(t) == WR_FAM_APPROX ? &sum0_dbl_ops : &sum0_int_ops;
}

const wr_agg_ops *
wri_a_avg(wr_ctx *ctx, const wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    (void)ctx;
    if (t->id == WR_T_DECIMAL) return &avg_dec_ops;
    return wr_type_family(t) == WR_FAM_APPROX ? &avg_dbl_ops : &avg_int_ops;
}
