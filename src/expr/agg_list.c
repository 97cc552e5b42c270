/* SPDX-License-Identifier: Apache-2.0 */
/* LISTAGG, ARRAY_AGG: values in order of arrival. COLLECT: a multiset in order of first arrival.
 *
 * Over insert-only input LISTAGG keeps the joined text, ARRAY_AGG a blob of [u32 length][row
 * encoding of the arguments]. Over updating input both keep a log (agg_log.c) of the encoded
 * arguments, from which the first equal entry is removed. */
#include "expr/agg_int.h"

#define NOMEM(call) wr_raise((call)->ctx, WR_NOMEM, "out of memory")

/* ---- LISTAGG, insert-only -------------------------------------------------------------------- */

typedef struct joined {
    wr_blob text;
    uint64_t count;
} joined;

/* The separator: the second argument (a constant), "," without. */
static wr_str
separator(const wr_agg_call *call, uint32_t row)
{
    if (call->arg_count < 2 || wr_vec_is_null(call->args[1], row)) return WR_STR(",");
    wr_view w = wr_vec_view(call->args[1]);
    return wr_view_str(&w, row);
}

static wr_status
joined_apply(wr_agg_call *call, joined *acc, const wr_view *w, uint32_t i, uint32_t row,
             bool retract)
{
    const wr_state_ops *ops = call->table->ops;
    (void)i;
    (void)retract;
    if (!wr_view_valid(w, row)) return WR_OK;
    wr_str sep = separator(call, row), s = wr_view_str(w, row);
    if (acc->count++)
        WR_TRY(ops->blob_append(call->ctx, call->table, &acc->text, sep.ptr, (uint32_t)sep.len));
    return ops->blob_append(call->ctx, call->table, &acc->text, s.ptr, (uint32_t)s.len);
}
static wr_status
joined_value(wr_agg_call *call, const joined *acc, uint32_t i, wr_vec *out)
{
    if (acc->count == 0) {
        wr_vec_set_null(out, i, call->arena);
        return WR_OK;
    }
    const char *p =
        acc->text.len ? (const char *)call->table->ops->blob_get(call->table, &acc->text) : "";
    return wr_vec_set_str(out, i, p, acc->text.len, call->arena) ? WR_OK : NOMEM(call);
}
static void
joined_clear(wr_agg_call *call)
{
    for (uint32_t i = 0; i < call->n; i++) {
        joined *acc = (joined *)(void *)call->recs[i];
        call->table->ops->blob_free(call->table, &acc->text);
        memset(acc, 0, sizeof *acc);
    }
}
#define K_NAME   joined
#define K_ACC    joined
#define K_APPLY  joined_apply
#define K_RESULT joined_value
#include "expr/agg.tmpl.h"

/* ---- LISTAGG over updating input ------------------------------------------------------------- */

typedef struct log_sep { /* the log and the separator that came last */
    wri_log log;
    wr_blob sep;
    uint64_t has_sep;
} log_sep;

static wr_status
listagg_log_apply(wr_agg_call *call, log_sep *acc, const wr_view *w, uint32_t i, uint32_t row,
                  bool retract)
{
    (void)w;
    if (wr_vec_is_null(call->args[0], row)) return WR_OK;
    if (!acc->has_sep) {
        wr_str sep = separator(call, row);
        WR_TRY(call->table->ops->blob_set(call->ctx, call->table, &acc->sep, sep.ptr,
                                          (uint32_t)sep.len));
        acc->has_sep = 1;
    }
    return retract ? wri_log_remove(call, i, row) : wri_log_add(call, i, row);
}
static wr_status
listagg_log_value(wr_agg_call *call, const log_sep *acc, uint32_t i, wr_vec *out)
{
    wr_state_iter it;
    wr_text text;
    bool first = true;
    memset(&it, 0, sizeof it);
    wr_text_init(&text, call->arena);
    for (const wri_cell *c = wri_log_next(call, i, &it, true); c;
         c = wri_log_next(call, i, &it, false)) {
        if (!first && acc->sep.len)
            wr_text_put(&text, (const char *)call->table->ops->blob_get(call->table, &acc->sep),
                        acc->sep.len);
        if (c->u.blob.len)
            wr_text_put(&text, (const char *)call->aux->ops->blob_get(call->aux, &c->u.blob),
                        c->u.blob.len);
        first = false;
    }
    if (text.failed) return wr_text_raise(call->ctx, &text);
    if (first) {
        wr_vec_set_null(out, i, call->arena);
        return WR_OK;
    }
    wr_str s = wr_text_str(&text);
    return wr_vec_set_str(out, i, s.ptr, (uint32_t)s.len, call->arena) ? WR_OK : NOMEM(call);
}
static void
listagg_log_clear(wr_agg_call *call)
{
    wri_log_clear(call);
    for (uint32_t i = 0; i < call->n; i++)
        call->table->ops->blob_free(call->table, &((log_sep *)(void *)call->recs[i])->sep);
}
#define K_NAME   listagg_log
#define K_ACC    log_sep
#define K_APPLY  listagg_log_apply
#define K_RESULT listagg_log_value
#include "expr/agg.tmpl.h"

/* ---- ARRAY_AGG ------------------------------------------------------------------------------- */

wr_status
wri_items_add(wr_agg_call *call, wri_items *acc, uint32_t row)
{
    wr_text text;
    char len[4];
    wr_text_init(&text, call->arena);
    if (!wri_agg_row_bytes(call, row, &text)) return NOMEM(call);
    wr_store32(len, (uint32_t)text.len);
    acc->count++;
    WR_TRY(call->table->ops->blob_append(call->ctx, call->table, &acc->bytes, len, 4));
    return call->table->ops->blob_append(call->ctx, call->table, &acc->bytes, text.ptr,
                                         (uint32_t)text.len);
}
void
wri_items_clear(wr_agg_call *call)
{
    for (uint32_t i = 0; i < call->n; i++) {
        wri_items *acc = (wri_items *)(void *)call->recs[i];
        call->table->ops->blob_free(call->table, &acc->bytes);
        memset(acc, 0, sizeof *acc);
    }
}
/* Decode every entry into vectors of the argument types (arg_count of them, FLAT, in call->arena).
 */
const wr_type *
wri_agg_arg_type(const wr_agg_call *call, uint32_t k)
{
    return call->agg
        ->arg_types[k + (call->agg->arg_types[0]->id == WR_T_SYMBOL)]; /* a clause is no argument */
}
wr_status
wri_items_decode(wr_agg_call *call, const wri_items *acc, wr_vec *vecs)
{
    uint32_t n = (uint32_t)acc->count;
    for (uint32_t k = 0; k < call->agg->arg_count; k++)
        if (!wr_vec_init_flat(&vecs[k], wri_agg_arg_type(call, k), n, call->arena))
            return NOMEM(call);
    const uint8_t *p = n ? call->table->ops->blob_get(call->table, &acc->bytes) : NULL;
    for (uint32_t r = 0; r < n; r++) {
        uint32_t len = wr_load32(p);
        WR_TRY(
            wr_row_decode(call->ctx, p + 4, len, vecs, call->agg->arg_count, r, true, call->arena));
        p += 4 + len;
    }
    return WR_OK;
}

static wr_status
array_apply(wr_agg_call *call, wri_items *acc, const wr_view *w, uint32_t i, uint32_t row,
            bool retract)
{
    (void)w;
    (void)i;
    (void)retract;
    if (call->agg->ignore_nulls && wr_vec_is_null(call->args[0], row)) return WR_OK;
    return wri_items_add(call, acc, row);
}
static wr_status
put_array(wr_agg_call *call, wr_vec *out, uint32_t i, const wr_vec *from, uint32_t n)
{
    uint32_t off = 0;
    if (n == 0) {
        wr_vec_set_null(out, i, call->arena);
        return WR_OK;
    }
    if (!wr_vec_child_reserve(out, n, call->arena, &off)) return NOMEM(call);
    for (uint32_t k = 0; k < n; k++)
        if (!wr_vec_copy_entry(&out->child[0], off + k, from, k, call->arena)) return NOMEM(call);
    ((wr_list *)out->data)[i] = (wr_list){off, n};
    return WR_OK;
}
static wr_status
array_value(wr_agg_call *call, const wri_items *acc, uint32_t i, wr_vec *out)
{
    wr_vec v[8];
    WR_TRY(wri_items_decode(call, acc, v));
    return put_array(call, out, i, &v[0], (uint32_t)acc->count);
}
static wr_status
array_log_apply(wr_agg_call *call, wri_log *acc, const wr_view *w, uint32_t i, uint32_t row,
                bool retract)
{
    (void)acc;
    (void)w;
    if (call->agg->ignore_nulls && wr_vec_is_null(call->args[0], row)) return WR_OK;
    return retract ? wri_log_remove(call, i, row) : wri_log_add(call, i, row);
}
static wr_status
array_log_value(wr_agg_call *call, const wri_log *acc, uint32_t i, wr_vec *out)
{
    wr_vec v;
    wr_state_iter it;
    uint32_t n = 0, cap = (uint32_t)acc->count;
    memset(&it, 0, sizeof it);
    if (!wr_vec_init_flat(&v, call->agg->arg_types[0], cap, call->arena)) return NOMEM(call);
    for (const wri_cell *c = wri_log_next(call, i, &it, true); c && n < cap;
         c = wri_log_next(call, i, &it, false))
        WR_TRY(wri_cell_get(call->ctx, call->aux, c, &v, n++, call->arena));
    return put_array(call, out, i, &v, n);
}
#define K_NAME   array
#define K_ACC    wri_items
#define K_APPLY  array_apply
#define K_RESULT array_value
#include "expr/agg.tmpl.h"
#define K_NAME   array_log
#define K_ACC    wri_log
#define K_APPLY  array_log_apply
#define K_RESULT array_log_value
#include "expr/agg.tmpl.h"

/* ---- COLLECT: (value -> count), insertion order ---------------------------------------------- */

static wr_status
collect_apply(wr_agg_call *call, int64_t *acc, const wr_view *w, uint32_t i, uint32_t row,
              bool retract)
{
    wr_text text;
    (void)w;
    if (wr_vec_is_null(call->args[0], row)) return WR_OK;
    wr_text_init(&text, call->arena);
    if (!wri_agg_row_bytes(call, row, &text)) return NOMEM(call);
    const uint32_t off[2] = {0, (uint32_t)text.len};
    const uint64_t hash = wr_hash_bytes(text.ptr, text.len, 0);
    const wr_keys key = {.n = 1, .hash = &hash, .data = (const uint8_t *)text.ptr, .off = off};
    uint8_t *rec = NULL;
    uint64_t fresh = 0;
    WR_TRY(call->aux->ops->map_resolve(call->ctx, call->aux, &call->slots[i], &key, WR_STATE_UPSERT,
                                       &rec, &fresh));
    int64_t *count = (int64_t *)(void *)rec;
    *count += retract ? -1 : 1;
    if (*count == 0)
        call->aux->ops->map_remove(call->aux, call->slots[i], (const uint8_t *)text.ptr, off[1],
                                   hash);
    *acc += retract ? -1 : 1;
    return WR_OK;
}
static wr_status
collect_value(wr_agg_call *call, const int64_t *acc, uint32_t i, wr_vec *out)
{
    wr_state_iter it;
    uint32_t n = call->aux->ops->map_count(call->aux, call->slots[i]), off = 0, k = 0;
    (void)acc;
    memset(&it, 0, sizeof it);
    if (!wr_vec_child_reserve(out, n, call->arena, &off)) return NOMEM(call);
    for (bool have = call->aux->ops->map_first(call->aux, call->slots[i], &it); have && k < n;
         have = call->aux->ops->map_next(&it)) {
        int64_t count = *(const int64_t *)(const void *)it.rec;
        if (count <= 0) continue;
        WR_TRY(wr_row_decode(call->ctx, it.key, it.key_len, &out->child[0], 1, off + k, true,
                             call->arena));
        ((int32_t *)out->child[1].data)[off + k] = (int32_t)count;
        k++;
    }
    ((wr_list *)out->data)[i] = (wr_list){off, k};
    return WR_OK;
}
static void
collect_clear(wr_agg_call *call)
{
    for (uint32_t i = 0; i < call->n; i++) call->aux->ops->map_clear(call->aux, call->slots[i]);
}
#define K_NAME   collect
#define K_ACC    int64_t
#define K_APPLY  collect_apply
#define K_RESULT collect_value
#include "expr/agg.tmpl.h"

WRI_LIST_OPS(joined, "LISTAGG", joined, false, WR_AGG_AUX_NONE, 0, joined_clear);
WRI_LIST_OPS(listagg_log, "LISTAGG", log_sep, true, WR_AGG_AUX_ORDERED, WRI_LOG_AUX_BYTES,
             listagg_log_clear);
WRI_LIST_OPS(array, "ARRAY_AGG", wri_items, false, WR_AGG_AUX_NONE, 0, wri_items_clear);
WRI_LIST_OPS(array_log, "ARRAY_AGG", wri_log, true, WR_AGG_AUX_ORDERED, WRI_LOG_AUX_BYTES,
             wri_log_clear);
WRI_LIST_OPS(collect, "COLLECT", int64_t, true, WR_AGG_AUX_MAP, 8, collect_clear);

const wr_agg_ops *
wri_a_listagg(wr_ctx *ctx, const wr_fn_bind *b)
{
    (void)ctx;
    return b->has_order ? &listagg_log_ops : &joined_ops;
}
const wr_agg_ops *
wri_a_array_agg(wr_ctx *ctx, const wr_fn_bind *b)
{
    (void)ctx;
    return b->has_order ? &array_log_ops : &array_ops;
}
const wr_agg_ops *
wri_a_collect(wr_ctx *ctx, const wr_fn_bind *b)
{
    (void)ctx;
    (void)b;
    return &collect_ops;
}
