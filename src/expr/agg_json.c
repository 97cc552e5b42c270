/* SPDX-License-Identifier: Apache-2.0 */
/* JSON_ARRAYAGG(on_null, v), JSON_OBJECTAGG(on_null, k, v).
 *
 * The resolver leaves the ON NULL clause in agg->data: non-NULL = ABSENT. Arguments are then v, or
 * k and v. An array keeps its values in order of arrival (agg_list.c over insert-only input, a log
 * over updating input), an object one value per key. */
#include <stdlib.h>

#include "expr/agg_int.h"
#include "expr/json_int.h"

#define NOMEM(call) wr_raise((call)->ctx, WR_NOMEM, "out of memory")

typedef struct member {
    wr_str key;
    uint32_t row;
} member;
static wr_status
json_apply(wr_agg_call *call, wri_items *acc, const wr_view *w, uint32_t i, uint32_t row,
           bool retract)
{
    (void)w;
    (void)i;
    if (retract) /* the planner never asks: updating input takes json_log */
        return wr_raise(call->ctx, WR_INTERNAL, "%s cannot retract", call->agg->fn->name);
    if (call->agg->data && wr_vec_is_null(call->args[0], row)) return WR_OK;
    return wri_items_add(call, acc, row);
}
static int
by_key(const void *a, const void *b)
{
    return wri_json_key_cmp(((const member *)a)->key, ((const member *)b)->key);
}
/* The rows of `v` (keys and values, or values) in the order in which they are written. */
static const member *
members(wr_agg_call *call, const wr_vec *v, uint32_t n)
{
    member *m = WR_NEW_N(call->arena, member, n + 1);
    const wr_view keys = wr_vec_view(&v[0]);
    for (uint32_t r = 0; m && r < n; r++) {
        m[r].row = r;
        if (call->agg->arg_count == 2) m[r].key = wr_view_str(&keys, r);
    }
    if (m && call->agg->arg_count == 2) qsort(m, n, sizeof *m, by_key);
    return m;
}
static wr_status
put_json(wr_agg_call *call, const wr_vec *v, uint32_t n, wr_vec *out, uint32_t i)
{
    wr_text text;
    const bool object = call->agg->arg_count == 2;
    const member *m = members(call, v, n);
    if (!m) return NOMEM(call);
    wr_text_init(&text, call->arena);
    wr_text_putc(&text, object ? '{' : '[');
    for (uint32_t r = 0; r < n; r++) {
        if (r) wr_text_putc(&text, ',');
        if (object) {
            wri_json_put_string(&text, m[r].key);
            wr_text_putc(&text, ':');
        }
        wri_json_put_value(&text, &v[object ? 1 : 0], m[r].row, call->env->tz, NULL);
    }
    wr_text_putc(&text, object ? '}' : ']');
    if (text.failed) return wr_text_raise(call->ctx, &text);
    return wr_vec_set_str(out, i, text.ptr, (uint32_t)text.len, call->arena) ? WR_OK : NOMEM(call);
}
static wr_status
json_value(wr_agg_call *call, const wri_items *acc, uint32_t i, wr_vec *out)
{
    wr_vec v[8];
    WR_TRY(wri_items_decode(call, acc, v));
    return put_json(call, v, (uint32_t)acc->count, out, i);
}
#define K_NAME   json
#define K_ACC    wri_items
#define K_APPLY  json_apply
#define K_RESULT json_value
#include "expr/agg.tmpl.h"

/* JSON_ARRAYAGG over updating input: a log. */
static wr_status
json_log_apply(wr_agg_call *call, wri_log *acc, const wr_view *w, uint32_t i, uint32_t row,
               bool retract)
{
    (void)acc;
    (void)w;
    if (call->agg->data && wr_vec_is_null(call->args[0], row)) return WR_OK;
    return retract ? wri_log_remove(call, i, row) : wri_log_add(call, i, row);
}
static wr_status
json_log_value(wr_agg_call *call, const wri_log *acc, uint32_t i, wr_vec *out)
{
    wr_vec v;
    wr_state_iter it;
    uint32_t n = 0, cap = (uint32_t)acc->count;
    memset(&it, 0, sizeof it);
    if (!wr_vec_init_flat(&v, wri_agg_arg_type(call, 0), cap, call->arena)) return NOMEM(call);
    for (const wri_cell *c = wri_log_next(call, i, &it, true); c && n < cap;
         c = wri_log_next(call, i, &it, false))
        WR_TRY(wri_cell_get(call->ctx, call->aux, c, &v, n++, call->arena));
    return put_json(call, &v, n, out, i);
}
#define K_NAME   json_log
#define K_ACC    wri_log
#define K_APPLY  json_log_apply
#define K_RESULT json_log_value
#include "expr/agg.tmpl.h"

/* JSON_OBJECTAGG: a map (key text -> value), written by key. A key that is there already is an
 * error; a retraction takes the key away, whatever its value. */
static wr_status
object_insert(wr_agg_call *call, int64_t *acc, uint32_t i, uint32_t row, const wr_keys *key,
              bool skip)
{
    const wr_state_ops *ops = call->aux->ops;
    uint8_t *rec = NULL;
    uint64_t fresh = 0;
    WR_TRY(ops->map_resolve(call->ctx, call->aux, &call->slots[i], key,
                            skip ? WR_STATE_READ : WR_STATE_UPSERT, &rec, &fresh));
    if (skip ? rec != NULL : !(fresh & 1))
        return wr_raise(call->ctx, WR_DATA,
                        "Key '%.*s' is already present. Duplicate keys are not allowed in "
                        "JSON_OBJECTAGG. Please ensure that keys are unique.",
                        (int)key->off[1], (const char *)key->data);
    if (skip) return WR_OK;
    WR_TRY(wri_cell_set(call->ctx, call->aux, (wri_cell *)(void *)rec, call->args[1], row));
    ++*acc;
    return WR_OK;
}
static wr_status
object_apply(wr_agg_call *call, int64_t *acc, const wr_view *w, uint32_t i, uint32_t row,
             bool retract)
{
    const wr_state_ops *ops = call->aux->ops;
    if (!wr_view_valid(w, row))
        return wr_raise(
            call->ctx, WR_DATA,
            "JSON_OBJECTAGG found a key that is NULL: Map views don't support null keys.");
    const wr_str k = wr_view_str(w, row);
    const uint32_t off[2] = {0, (uint32_t)k.len};
    const uint64_t hash = wr_hash_bytes(k.ptr, k.len, 0);
    const wr_keys key = {.n = 1, .hash = &hash, .data = (const uint8_t *)k.ptr, .off = off};
    if (!retract)
        return object_insert(call, acc, i, row, &key,
                             call->agg->data && wr_vec_is_null(call->args[1], row));
    uint8_t *rec = NULL;
    WR_TRY(
        ops->map_resolve(call->ctx, call->aux, &call->slots[i], &key, WR_STATE_READ, &rec, NULL));
    if (!rec) return WR_OK;
    ops->map_remove(call->aux, call->slots[i], key.data, off[1], hash);
    --*acc;
    return WR_OK;
}
static wr_status
object_value(wr_agg_call *call, const int64_t *acc, uint32_t i, wr_vec *out)
{
    wr_vec v[2];
    wr_state_iter it;
    uint32_t n = 0, cap = *acc > 0 ? (uint32_t)*acc : 0;
    memset(&it, 0, sizeof it);
    for (uint32_t k = 0; k < 2; k++)
        if (!wr_vec_init_flat(&v[k], wri_agg_arg_type(call, k), cap, call->arena))
            return NOMEM(call);
    for (bool have = call->aux->ops->map_first(call->aux, call->slots[i], &it); have && n < cap;
         have = call->aux->ops->map_next(&it), n++) {
        if (!wr_vec_set_str(&v[0], n, (const char *)it.key, it.key_len, call->arena))
            return NOMEM(call);
        WR_TRY(wri_cell_get(call->ctx, call->aux, (const wri_cell *)(const void *)it.rec, &v[1], n,
                            call->arena));
    }
    return put_json(call, v, n, out, i);
}
static void
object_clear(wr_agg_call *call)
{
    for (uint32_t i = 0; i < call->n; i++) call->aux->ops->map_clear(call->aux, call->slots[i]);
}
#define K_NAME   object
#define K_ACC    int64_t
#define K_APPLY  object_apply
#define K_RESULT object_value
#include "expr/agg.tmpl.h"

WRI_LIST_OPS(json, "JSON_ARRAYAGG", wri_items, false, WR_AGG_AUX_NONE, 0, wri_items_clear);
WRI_LIST_OPS(json_log, "JSON_ARRAYAGG", wri_log, true, WR_AGG_AUX_ORDERED, WRI_LOG_AUX_BYTES,
             wri_log_clear);
WRI_LIST_OPS(object, "JSON_OBJECTAGG", int64_t, true, WR_AGG_AUX_MAP, sizeof(wri_cell),
             object_clear);

const wr_agg_ops *
wri_a_json_agg(wr_ctx *ctx, const wr_fn_bind *b)
{
    (void)ctx;
    if (b->arg_count == 3) return &object_ops;
    return b->has_order ? &json_log_ops : &json_ops;
}
