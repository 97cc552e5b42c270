/* SPDX-License-Identifier: Apache-2.0 */
/* PERCENTILE(value, percentage | array of them [, frequency]): exact, with linear interpolation
 * between the two values next to position p * (n - 1). A map (value -> frequency) serves
 * insert-only and updating input alike. */
#include "expr/agg_int.h"
#include "types/number.h"

#define NOMEM(call) wr_raise((call)->ctx, WR_NOMEM, "out of memory")

typedef struct percentile {
    wr_blob points; /* doubles: the percentages, from the first row */
    int64_t total;  /* sum of the frequencies */
} percentile;

static wr_status
check_point(wr_agg_call *call, double p)
{
    char text[WR_F64_TEXT_MAX];
    if (p >= 0 && p <= 1) return WR_OK;
    const uint32_t len = wr_f64_print(p, text);
    return wr_raise(call->ctx, WR_DATA,
                    "Percentage of PERCENTILE should be between [0.0, 1.0], but was '%.*s'.",
                    (int)len, text);
}

static wr_status
keep_points(wr_agg_call *call, percentile *acc, uint32_t row)
{
    const wr_vec *v = call->args[1];
    const wr_state_ops *ops = call->table->ops;
    if (acc->points.len || wr_vec_is_null(v, row)) return WR_OK;
    wr_view w = wr_vec_view(v);
    if (v->phys == WR_PHYS_F64) {
        double p = WR_VIEW(&w, double, row);
        WR_TRY(check_point(call, p));
        return ops->blob_set(call->ctx, call->table, &acc->points, &p, sizeof p);
    }
    wr_list list = WR_VIEW(&w, wr_list, row);
    wr_view items = wr_vec_view(&v->child[0]);
    for (uint32_t k = 0; k < list.len; k++) {
        double p = WR_VIEW(&items, double, list.off + k);
        WR_TRY(check_point(call, p));
        WR_TRY(ops->blob_append(call->ctx, call->table, &acc->points, &p, sizeof p));
    }
    return WR_OK;
}

static wr_status
percentile_apply(wr_agg_call *call, percentile *acc, const wr_view *w, uint32_t i, uint32_t row,
                 bool retract)
{
    int64_t times = 1;
    WR_TRY(keep_points(call, acc, row));
    if (!wr_view_valid(w, row)) return WR_OK;
    if (call->arg_count == 3) {
        wr_view f = wr_vec_view(call->args[2]);
        times = wr_view_valid(&f, row) ? WR_VIEW(&f, int64_t, row) : 0;
    }
    if (times <= 0) return WR_OK;
    double v = WR_VIEW(w, double, row);
    const uint32_t off[2] = {0, sizeof v};
    const uint64_t hash = wr_hash_bytes(&v, sizeof v, 0);
    const wr_keys key = {.n = 1, .hash = &hash, .data = (const uint8_t *)&v, .off = off};
    uint8_t *rec = NULL;
    uint64_t fresh = 0;
    WR_TRY(call->aux->ops->map_resolve(call->ctx, call->aux, &call->slots[i], &key, WR_STATE_UPSERT,
                                       &rec, &fresh));
    int64_t *count = (int64_t *)(void *)rec;
    *count += retract ? -times : times;
    acc->total += retract ? -times : times;
    if (*count == 0)
        call->aux->ops->map_remove(call->aux, call->slots[i], (const uint8_t *)&v, sizeof v, hash);
    return WR_OK;
}

typedef struct counted {
    double v;
    int64_t count;
} counted;

static void
sort_counted(counted *list, uint32_t n, counted *tmp)
{
    for (uint32_t width = 1; width < n; width *= 2) {
        for (uint32_t at = 0; at < n; at += 2 * width) {
            uint32_t l = at, mid = WR_MIN(at + width, n), r = mid, end = WR_MIN(at + 2 * width, n),
                     k = at;
            while (l < mid || r < end)
                tmp[k++] = r >= end || (l < mid && list[l].v <= list[r].v) ? list[l++] : list[r++];
        }
        memcpy(list, tmp, n * sizeof *list);
    }
}

/* The value at position k of the expanded sequence. */
static double
value_at(const counted *list, uint32_t n, int64_t k)
{
    for (uint32_t i = 0; i < n; i++) {
        if (k < list[i].count) return list[i].v;
        k -= list[i].count;
    }
    return list[n - 1].v;
}

static double
point_of(const counted *list, uint32_t n, int64_t total, double p)
{
    double position = (double)(total - 1) * p;
    int64_t lower = (int64_t)position, upper = (double)lower < position ? lower + 1 : lower;
    double a = value_at(list, n, lower), b = value_at(list, n, upper);
    if (lower == upper || a == b) return a;
    return ((double)upper - position) * a + (position - (double)lower) * b;
}

static wr_status
percentile_value(wr_agg_call *call, const percentile *acc, uint32_t i, wr_vec *out)
{
    wr_state_iter it;
    uint32_t n = 0, cap = call->aux->ops->map_count(call->aux, call->slots[i]),
             points = acc->points.len / 8;
    counted *list = wr_arena_alloc(call->arena, 2 * ((size_t)cap + 1) * sizeof *list);
    memset(&it, 0, sizeof it);
    if (!list) return NOMEM(call);
    for (bool have = call->aux->ops->map_first(call->aux, call->slots[i], &it); have && n < cap;
         have = call->aux->ops->map_next(&it)) {
        memcpy(&list[n].v, it.key, sizeof(double));
        list[n].count = *(const int64_t *)(const void *)it.rec;
        if (list[n].count > 0) n++;
    }
    if (n == 0 || points == 0) {
        wr_vec_set_null(out, i, call->arena);
        return WR_OK;
    }
    sort_counted(list, n, list + cap);
    const uint8_t *bytes = call->table->ops->blob_get(call->table, &acc->points);
    bool array = out->phys == WR_PHYS_LIST;
    uint32_t off = 0;
    if (array && !wr_vec_child_reserve(out, points, call->arena, &off)) return NOMEM(call);
    double *to = array ? (double *)out->child[0].data + off : (double *)out->data + i;
    for (uint32_t k = 0; k < (array ? points : 1); k++) {
        double p;
        memcpy(&p, bytes + 8 * (size_t)k, 8);
        to[k] = point_of(list, n, acc->total, p);
    }
    if (array) ((wr_list *)out->data)[i] = (wr_list){off, points};
    return WR_OK;
}

#define K_NAME   percentile
#define K_ACC    percentile
#define K_APPLY  percentile_apply
#define K_RESULT percentile_value
#include "expr/agg.tmpl.h"

static void
percentile_clear(wr_agg_call *call)
{
    for (uint32_t i = 0; i < call->n; i++) {
        call->table->ops->blob_free(call->table, &((percentile *)(void *)call->recs[i])->points);
        call->aux->ops->map_clear(call->aux, call->slots[i]);
    }
}

static const wr_agg_ops percentile_ops = {.abi = WR_ABI,
                                          .name = "PERCENTILE",
                                          .can_retract = true,
                                          .aux = WR_AGG_AUX_MAP,
                                          .aux_bytes = 8,
                                          .state_bytes = sizeof(percentile),
                                          .state_align = 8,
                                          .update = percentile_on_rows,
                                          .result = percentile_on_result,
                                          .merge = wri_agg_no_merge,
                                          .clear = percentile_clear};

const wr_agg_ops *
wri_a_percentile(wr_ctx *ctx, const wr_fn_bind *b)
{
    (void)ctx;
    (void)b;
    return &percentile_ops;
}
