/* SPDX-License-Identifier: Apache-2.0 */
/* MIN and MAX. Over insert-only input the best value is kept; over updating input all values are,
 * ordered, with counts. */
#include "expr/agg_int.h"

/* ---- insert-only ----------------------------------------------------------------------------- */

/* One integer of 64 bits, times included: no other case is as frequent. */
WR_ALWAYS_INLINE void
best_i64(wri_cell *acc, int64_t value, bool max)
{
    int64_t best[2];
    memcpy(best, acc->u.raw, sizeof best);
    if (acc->what == WRI_CELL_VALUE && (max ? best[0] >= value : best[0] <= value)) return;
    acc->what = WRI_CELL_VALUE;
    best[0] = value;
    best[1] = value < 0 ? -1 : 0; /* as wri_cell_set keeps integers */
    memcpy(acc->u.raw, best, sizeof best);
}

WR_ALWAYS_INLINE wr_status
best_apply(wr_agg_call *call, wri_cell *acc, const wr_view *w, uint32_t row, bool max)
{
    if (call->args[0]->phys == WR_PHYS_I64) {
        if (wr_view_valid(w, row)) best_i64(acc, WR_VIEW(w, int64_t, row), max);
        return WR_OK;
    }
    if (wr_vec_is_null(call->args[0], row)) return WR_OK;
    if (acc->what != WRI_CELL_NONE) {
        int c = wri_cell_cmp(call->table, acc, call->args[0], row);
        if (max ? c >= 0 : c <= 0) return WR_OK;
    }
    return wri_cell_set(call->ctx, call->table, acc, call->args[0], row);
}
WR_ALWAYS_INLINE wr_status
min_apply(wr_agg_call *call, wri_cell *acc, const wr_view *w, uint32_t i, uint32_t row,
          bool retract)
{
    (void)i;
    (void)retract;
    return best_apply(call, acc, w, row, false);
}
WR_ALWAYS_INLINE wr_status
max_apply(wr_agg_call *call, wri_cell *acc, const wr_view *w, uint32_t i, uint32_t row,
          bool retract)
{
    (void)i;
    (void)retract;
    return best_apply(call, acc, w, row, true);
}
WR_ALWAYS_INLINE wr_status
cell_value(wr_agg_call *call, const wri_cell *acc, uint32_t i, wr_vec *out)
{
    if (out->phys == WR_PHYS_I64 && acc->what == WRI_CELL_VALUE) {
        memcpy((int64_t *)out->data + i, acc->u.raw, sizeof(int64_t));
        return WR_OK;
    }
    return wri_cell_get(call->ctx, call->table, acc, out, i, call->arena);
}

#define K_NAME   min
#define K_ACC    wri_cell
#define K_APPLY  min_apply
#define K_RESULT cell_value
#include "expr/agg.tmpl.h"
#define K_NAME   max
#define K_ACC    wri_cell
#define K_APPLY  max_apply
#define K_RESULT cell_value
#include "expr/agg.tmpl.h"

static void
cell_clear(wr_agg_call *call)
{
    for (uint32_t i = 0; i < call->n; i++)
        wri_cell_free(call->table, (wri_cell *)(void *)call->recs[i]);
}

/* ---- updating input: an ordered state of (value -> count, cell) ------------------------------ */

typedef struct kept {
    int64_t count;
    wri_cell cell;
} kept;

static wr_status
kept_apply(wr_agg_call *call, int64_t *acc, const wr_view *w, uint32_t i, uint32_t row,
           bool retract)
{
    wr_text key;
    const wr_state_ops *ops = call->aux->ops;
    (void)w;
    if (wr_vec_is_null(call->args[0], row)) return WR_OK;
    wr_text_init(&key, call->arena);
    if (!wri_agg_sort_bytes(call, row, &key)) return wr_raise(call->ctx, WR_NOMEM, "out of memory");
    const uint8_t *k = (const uint8_t *)key.ptr;
    uint32_t slot = call->slots[i], len = (uint32_t)key.len;
    uint8_t *rec = NULL;
    bool fresh = false;
    WR_TRY(ops->ord_put(call->ctx, call->aux, slot, k, len, &rec, &fresh));
    kept *e = (kept *)(void *)rec;
    if (fresh) {
        WR_TRY(wri_cell_set(call->ctx, call->aux, &e->cell, call->args[0], row));
        ++*acc;
    }
    e->count += retract ? -1 : 1;
    if (e->count != 0) return WR_OK;
    ops->ord_remove(call->aux, slot, k, len); /* and the value with it */
    --*acc;
    return WR_OK;
}

/* Values that have been taken back more often than they came (counts below zero) do not show. */
static wr_status
kept_value(wr_agg_call *call, uint32_t i, wr_vec *out, bool max)
{
    const wr_state_ops *ops = call->aux->ops;
    wr_state_iter it;
    memset(&it, 0, sizeof it);
    bool have = max ? ops->ord_seek_last(call->aux, call->slots[i], NULL, 0, &it)
                    : ops->ord_seek(call->aux, call->slots[i], NULL, 0, &it);
    while (have && ((const kept *)(const void *)it.rec)->count <= 0)
        have = max ? ops->ord_prev(&it) : ops->ord_next(&it);
    if (!have) {
        wr_vec_set_null(out, i, call->arena);
        return WR_OK;
    }
    return wri_cell_get(call->ctx, call->aux, &((const kept *)(const void *)it.rec)->cell, out, i,
                        call->arena);
}
static wr_status
kept_min_value(wr_agg_call *call, const int64_t *acc, uint32_t i, wr_vec *out)
{
    (void)acc;
    return kept_value(call, i, out, false);
}
static wr_status
kept_max_value(wr_agg_call *call, const int64_t *acc, uint32_t i, wr_vec *out)
{
    (void)acc;
    return kept_value(call, i, out, true);
}

#define K_NAME   kept_min
#define K_ACC    int64_t
#define K_APPLY  kept_apply
#define K_RESULT kept_min_value
#include "expr/agg.tmpl.h"
#define K_NAME   kept_max
#define K_ACC    int64_t
#define K_APPLY  kept_apply
#define K_RESULT kept_max_value
#include "expr/agg.tmpl.h"

static void
kept_clear(wr_agg_call *call)
{
    for (uint32_t i = 0; i < call->n; i++) call->aux->ops->ord_clear(call->aux, call->slots[i]);
}

/* The others' best values, as if they came as rows. */
static wr_status
merge_best(wr_agg_call *call, uint8_t *const *other, bool max)
{
    wr_vec v;
    const wr_vec *args[1] = {&v};
    wr_agg_call as_rows = *call;
    if (!wr_vec_init_flat(&v, wri_agg_arg_type(call, 0), call->n, call->arena))
        return wr_raise(call->ctx, WR_NOMEM, "out of memory");
    for (uint32_t i = 0; i < call->n; i++)
        WR_TRY(wri_cell_get(call->ctx, call->table, (const wri_cell *)(const void *)other[i], &v, i,
                            call->arena));
    as_rows.args = args;
    const wr_view w = wr_vec_view(&v);
    for (uint32_t i = 0; i < call->n; i++)
        WR_TRY(best_apply(&as_rows, (wri_cell *)(void *)call->recs[i], &w, i, max));
    return WR_OK;
}
static wr_status
min_merge(wr_agg_call *call, uint8_t *const *other)
{
    return merge_best(call, other, false);
}
static wr_status
max_merge(wr_agg_call *call, uint8_t *const *other)
{
    return merge_best(call, other, true);
}

/* What was merged was not the best value: nothing changes. Else only the others know. */
static wr_status
best_unmerge(wr_agg_call *call, uint8_t *const *other, uint8_t *again)
{
    for (uint32_t i = 0; i < call->n; i++) {
        const wri_cell *best = (const wri_cell *)(const void *)call->recs[i];
        const wri_cell *gone = (const wri_cell *)(const void *)other[i];
        if (gone->what == WRI_CELL_NONE) continue;
        if (gone->what != WRI_CELL_VALUE || best->what != WRI_CELL_VALUE ||
            memcmp(best->u.raw, gone->u.raw, sizeof best->u.raw) == 0)
            again[i] = 1;
    }
    return WR_OK;
}

static const wr_agg_ops min_ops = {.abi = WR_ABI,
                                   .name = "MIN",
                                   .state_bytes = sizeof(wri_cell),
                                   .state_align = 8,
                                   .keeps = WR_AGG_KEEPS_FAMILIES,
                                   .update = min_on_rows,
                                   .result = min_on_result,
                                   .mergeable = true,
                                   .merge = min_merge,
                                   .unmerge = best_unmerge,
                                   .clear = cell_clear};
static const wr_agg_ops max_ops = {.abi = WR_ABI,
                                   .name = "MAX",
                                   .state_bytes = sizeof(wri_cell),
                                   .state_align = 8,
                                   .keeps = WR_AGG_KEEPS_FAMILIES,
                                   .update = max_on_rows,
                                   .result = max_on_result,
                                   .mergeable = true,
                                   .merge = max_merge,
                                   .unmerge = best_unmerge,
                                   .clear = cell_clear};
static const wr_agg_ops kept_min_ops = {.abi = WR_ABI,
                                        .name = "MIN",
                                        .can_retract = true,
                                        .aux = WR_AGG_AUX_ORDERED,
                                        .aux_bytes = sizeof(kept),
                                        .state_bytes = 8,
                                        .state_align = 8,
                                        .update = kept_min_on_rows,
                                        .result = kept_min_on_result,
                                        .merge = wri_agg_no_merge,
                                        .clear = kept_clear};
static const wr_agg_ops kept_max_ops = {.abi = WR_ABI,
                                        .name = "MAX",
                                        .can_retract = true,
                                        .aux = WR_AGG_AUX_ORDERED,
                                        .aux_bytes = sizeof(kept),
                                        .state_bytes = 8,
                                        .state_align = 8,
                                        .update = kept_max_on_rows,
                                        .result = kept_max_on_result,
                                        .merge = wri_agg_no_merge,
                                        .clear = kept_clear};

const wr_agg_ops *
wri_a_min(wr_ctx *ctx, const wr_fn_bind *b)
{
    (void)ctx;
    return b->has_order ? &kept_min_ops
                        : &min_ops; /* has_order: for updating input, see agg_resolve.c */
}

const wr_agg_ops *
wri_a_max(wr_ctx *ctx, const wr_fn_bind *b)
{
    (void)ctx;
    return b->has_order ? &kept_max_ops : &max_ops;
}
