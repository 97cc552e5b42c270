/* SPDX-License-Identifier: Apache-2.0 */
/* Plain aggregates for tests of the operators, after op_rig.h: COUNT and SUM of BIGINT. */
#ifndef WR_TESTS_OP_RIG_AGG_H
#define WR_TESTS_OP_RIG_AGG_H

#include "unit/op_rig.h"

typedef struct rig_acc {
    int64_t count, sum;
} rig_acc;

static inline wr_status
rig_acc_result(wr_vec *out, uint32_t i, const rig_acc *acc, bool is_sum, wr_arena *a)
{
    if (is_sum && acc->count == 0) {
        if (!wr_vec_set_null(out, i, a)) return WR_NOMEM;
    } else {
        ((int64_t *)out->data)[i] = is_sum ? acc->sum : acc->count;
    }
    return WR_OK;
}

static inline wr_status
rig_acc_update(wr_agg_call *call, bool is_sum)
{
    for (uint32_t i = 0; i < call->n; i++) {
        uint32_t row = call->rows ? call->rows[i] : i;
        rig_acc *acc = (rig_acc *)(void *)call->recs[i];
        if (call->before) WR_TRY(rig_acc_result(call->before, i, acc, is_sum, call->arena));
        bool take = !call->mask || wr_bit_get(call->mask, i);
        if (take && (call->arg_count == 0 || !wr_vec_is_null(call->args[0], row))) {
            int64_t sign = call->kind && call->kind[row] % 2 ? -1 : 1;
            acc->count += sign;
            if (is_sum) {
                wr_value v;
                if (!wr_vec_get(call->args[0], row, call->arena, &v)) return WR_NOMEM;
                acc->sum += sign * v.u.i;
            }
        }
        if (call->after) WR_TRY(rig_acc_result(call->after, i, acc, is_sum, call->arena));
    }
    return WR_OK;
}
static inline wr_status
rig_count_update(wr_agg_call *call)
{
    return rig_acc_update(call, false);
}
static inline wr_status
rig_sum_update(wr_agg_call *call)
{
    return rig_acc_update(call, true);
}
static inline wr_status
rig_count_result(wr_agg_call *call)
{
    for (uint32_t i = 0; i < call->n; i++)
        WR_TRY(
            rig_acc_result(call->after, i, (rig_acc *)(void *)call->recs[i], false, call->arena));
    return WR_OK;
}
static inline wr_status
rig_sum_result(wr_agg_call *call)
{
    for (uint32_t i = 0; i < call->n; i++)
        WR_TRY(rig_acc_result(call->after, i, (rig_acc *)(void *)call->recs[i], true, call->arena));
    return WR_OK;
}
static const wr_agg_ops rig_count_ops = {.abi = WR_ABI,
                                         .name = "COUNT",
                                         .can_retract = true,
                                         .state_bytes = sizeof(rig_acc),
                                         .state_align = 8,
                                         .keeps = WR_AGG_KEEPS_COUNTS,
                                         .update = rig_count_update,
                                         .result = rig_count_result};
static const wr_agg_ops rig_sum_ops = {.abi = WR_ABI,
                                       .name = "SUM",
                                       .can_retract = true,
                                       .state_bytes = sizeof(rig_acc),
                                       .state_align = 8,
                                       .keeps = WR_AGG_KEEPS_FAMILIES,
                                       .update = rig_sum_update,
                                       .result = rig_sum_result};

static const wr_fn rig_count_fn = {.name = "COUNT"}, rig_sum_fn = {.name = "SUM"};

/* COUNT(*) when arg < 0 */
static inline wr_agg_bound
rig_agg(rig *r, const wr_agg_ops *ops, int arg)
{
    wr_agg_bound b = {.fn = ops == &rig_sum_ops ? &rig_sum_fn : &rig_count_fn,
                      .ops = ops,
                      .retract_ops = ops,
                      .type = wr_type_of(WR_T_BIGINT, true),
                      .filter = -1,
                      .arg_count = arg >= 0};
    b.args = rig_cols(r, 1, arg >= 0 ? (uint32_t)arg : 0, 0);
    return b;
}

#endif
