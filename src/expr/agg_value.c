/* SPDX-License-Identifier: Apache-2.0 */
/* FIRST_VALUE, LAST_VALUE (both skip NULLs) and SINGLE_VALUE. */
#include "expr/agg_int.h"

WR_ALWAYS_INLINE wr_status
first_apply(wr_agg_call *call, wri_cell *acc, const wr_view *w, uint32_t i, uint32_t row,
            bool retract)
{
    (void)i;
    (void)retract;
    if (acc->what != WRI_CELL_NONE || !wr_view_valid(w, row)) return WR_OK;
    return wri_cell_set(call->ctx, call->table, acc, call->args[0], row);
}
WR_ALWAYS_INLINE wr_status
last_apply(wr_agg_call *call, wri_cell *acc, const wr_view *w, uint32_t i, uint32_t row,
           bool retract)
{
    (void)i;
    (void)retract;
    if (wr_vec_is_null(call->args[0], row)) return WR_OK;
    (void)w;
    return wri_cell_set(call->ctx, call->table, acc, call->args[0], row);
}
WR_ALWAYS_INLINE wr_status
cell_value(wr_agg_call *call, const wri_cell *acc, uint32_t i, wr_vec *out)
{
    return wri_cell_get(call->ctx, call->table, acc, out, i, call->arena);
}

static wr_status
log_apply(wr_agg_call *call, wri_log *acc, const wr_view *w, uint32_t i, uint32_t row, bool retract)
{
    (void)acc;
    (void)w;
    if (wr_vec_is_null(call->args[0], row)) return WR_OK;
    return retract ? wri_log_remove(call, i, row) : wri_log_add(call, i, row);
}
static wr_status
log_first_value(wr_agg_call *call, const wri_log *acc, uint32_t i, wr_vec *out)
{
    static const wri_cell none;
    wr_state_iter it;
    (void)acc;
    memset(&it, 0, sizeof it);
    const wri_cell *c = wri_log_next(call, i, &it, true);
    return wri_cell_get(call->ctx, call->aux, c ? c : &none, out, i, call->arena);
}
static wr_status
log_last_value(wr_agg_call *call, const wri_log *acc, uint32_t i, wr_vec *out)
{
    static const wri_cell none;
    (void)acc;
    const wri_cell *c = wri_log_last(call, i);
    return wri_cell_get(call->ctx, call->aux, c ? c : &none, out, i, call->arena);
}

/* SINGLE_VALUE: the one row of a scalar sub-query. More than one at a time is an error when the
 * result is asked for after a whole row, as Flink's function fails at the second accumulation. */
typedef struct single {
    int64_t count;
    wri_cell cell;
} single;

static wr_status
single_apply(wr_agg_call *call, single *acc, const wr_view *w, uint32_t i, uint32_t row,
             bool retract)
{
    (void)w;
    (void)i;
    acc->count += retract ? -1 : 1;
    if (acc->count > 1)
        return wr_raise(call->ctx, WR_DATA,
                        "SingleValueAggFunction received more than one element.");
    if (acc->count == 1)
        return wri_cell_set(call->ctx, call->table, &acc->cell, call->args[0], row);
    if (acc->count == 0) wri_cell_free(call->table, &acc->cell);
    return WR_OK;
}
static wr_status
single_value(wr_agg_call *call, const single *acc, uint32_t i, wr_vec *out)
{
    return wri_cell_get(call->ctx, call->table, &acc->cell, out, i, call->arena);
}

#define K_NAME   first
#define K_ACC    wri_cell
#define K_APPLY  first_apply
#define K_RESULT cell_value
#include "expr/agg.tmpl.h"
#define K_NAME   last
#define K_ACC    wri_cell
#define K_APPLY  last_apply
#define K_RESULT cell_value
#include "expr/agg.tmpl.h"
#define K_NAME   log_first
#define K_ACC    wri_log
#define K_APPLY  log_apply
#define K_RESULT log_first_value
#include "expr/agg.tmpl.h"
#define K_NAME   log_last
#define K_ACC    wri_log
#define K_APPLY  log_apply
#define K_RESULT log_last_value
#include "expr/agg.tmpl.h"
#define K_NAME   single_row
#define K_ACC    single
#define K_APPLY  single_apply
#define K_RESULT single_value
#include "expr/agg.tmpl.h"

static void
cell_clear(wr_agg_call *call)
{
    for (uint32_t i = 0; i < call->n; i++)
        wri_cell_free(call->table, (wri_cell *)(void *)call->recs[i]);
}
static void
single_clear(wr_agg_call *call)
{
    for (uint32_t i = 0; i < call->n; i++)
        wri_cell_free(call->table, &((single *)(void *)call->recs[i])->cell);
}

#define VALUE_OPS(prefix, sql, acc, clear_fn)                                                      \
    static const wr_agg_ops prefix##_ops = {.abi = WR_ABI,                                         \
                                            .name = sql,                                           \
                                            .state_bytes = sizeof(acc),                            \
                                            .state_align = 8,                                      \
                                            .keeps = WR_AGG_KEEPS_FAMILIES,                        \
                                            .update = prefix##_on_rows,                            \
                                            .result = prefix##_on_result,                          \
                                            .merge = wri_agg_no_merge,                             \
                                            .clear = clear_fn}
#define LOG_OPS(prefix, sql)                                                                       \
    static const wr_agg_ops prefix##_ops = {.abi = WR_ABI,                                         \
                                            .name = sql,                                           \
                                            .can_retract = true,                                   \
                                            .aux = WR_AGG_AUX_ORDERED,                             \
                                            .aux_bytes = WRI_LOG_AUX_BYTES,                        \
                                            .state_bytes = sizeof(wri_log),                        \
                                            .state_align = 8,                                      \
                                            .update = prefix##_on_rows,                            \
                                            .result = prefix##_on_result,                          \
                                            .merge = wri_agg_no_merge,                             \
                                            .clear = wri_log_clear}
VALUE_OPS(first, "FIRST_VALUE", wri_cell, cell_clear);
VALUE_OPS(last, "LAST_VALUE", wri_cell, cell_clear);
VALUE_OPS(single_row, "SINGLE_VALUE", single, single_clear);
LOG_OPS(log_first, "FIRST_VALUE");
LOG_OPS(log_last, "LAST_VALUE");

const wr_agg_ops *
wri_a_first_value(wr_ctx *ctx, const wr_fn_bind *b)
{
    (void)ctx;
    return b->has_order ? &log_first_ops : &first_ops;
}
const wr_agg_ops *
wri_a_last_value(wr_ctx *ctx, const wr_fn_bind *b)
{
    (void)ctx;
    return b->has_order ? &log_last_ops : &last_ops;
}
const wr_agg_ops *
wri_a_single_value(wr_ctx *ctx, const wr_fn_bind *b)
{
    (void)ctx;
    (void)b;
    return &single_row_ops;
}
