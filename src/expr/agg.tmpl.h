/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of an aggregate function. No guard; undefines its parameters.
 *   K_NAME    prefix of the functions made: <K_NAME>_on_rows, <K_NAME>_on_result
 *   K_ACC     type of the accumulator
 *   K_APPLY   wr_status (call, acc, w, i, row, retract): one row that takes part; `w` views the
 * first argument K_RESULT  wr_status (call, acc, i, out): the result to entry i of out */
#define K_CAT_(a, b) a##b
#define K_CAT(a, b)  K_CAT_(a, b)

static wr_status
K_CAT(K_NAME, _on_rows)(wr_agg_call *call)
{
    const wr_view w = call->arg_count ? wr_vec_view(call->args[0]) : (wr_view){0};
    if (!call->before && !call->after && !call->mask && !call->kind) { /* every row, no results */
        const uint32_t *rows = call->rows;
        uint8_t *const *recs = call->recs;
        for (uint32_t i = 0, n = call->n; i < n; i++)
            WR_TRY(K_APPLY(call, (K_ACC *)(void *)recs[i], &w, i, rows ? rows[i] : i, false));
        return WR_OK;
    }
    for (uint32_t i = 0; i < call->n; i++) {
        const uint32_t row = wri_agg_row(call, i);
        K_ACC *acc = (K_ACC *)(void *)call->recs[i];
        if (call->before) WR_TRY(K_RESULT(call, acc, i, call->before));
        if (wri_agg_takes(call, i))
            WR_TRY(K_APPLY(call, acc, &w, i, row, wri_agg_retracts(call, row)));
        if (call->after) WR_TRY(K_RESULT(call, acc, i, call->after));
    }
    return WR_OK;
}

static wr_status
K_CAT(K_NAME, _on_result)(wr_agg_call *call)
{
    for (uint32_t i = 0; i < call->n; i++)
        WR_TRY(K_RESULT(call, (K_ACC *)(void *)call->recs[i], i, call->after));
    return WR_OK;
}

#undef K_CAT
#undef K_CAT_
#undef K_NAME
#undef K_ACC
#undef K_APPLY
#undef K_RESULT
