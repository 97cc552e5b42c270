/* SPDX-License-Identifier: Apache-2.0 */
/* BITMAP_{BUILD,AND,OR,XOR}_AGG and their CARDINALITY forms: a bitmap per group, serialised in a
 * blob. Over updating input a map (argument -> count) is kept and combined when the result is asked
 * for. */
#include "expr/agg_int.h"
#include "types/bitmap.h"

#define NOMEM(call) wr_raise((call)->ctx, WR_NOMEM, "out of memory")

typedef enum how { HOW_BUILD, HOW_AND, HOW_OR, HOW_XOR } how;

static how
how_of(const wr_agg_call *call)
{
    const char *n = call->agg->fn->name;
    return strncmp(n, "BITMAP_BUILD", 12) == 0 ? HOW_BUILD
           : strncmp(n, "BITMAP_AND", 10) == 0 ? HOW_AND
           : strncmp(n, "BITMAP_OR", 9) == 0   ? HOW_OR
                                               : HOW_XOR;
}

/* b = b combined with the argument; *b NULL at first. */
static wr_status
combine(wr_agg_call *call, wr_bitmap **b, how h, const wr_view *w, uint32_t row)
{
    bool first = *b == NULL;
    if (h == HOW_BUILD) {
        if (first) *b = wr_bitmap_create();
        if (!*b) return NOMEM(call);
        wr_bitmap_add(*b, (uint32_t)WR_VIEW(w, int32_t, row));
        return WR_OK;
    }
    wr_bitmap *other = wr_bitmap_decode(wr_view_str(w, row));
    if (!other) return wr_raise(call->ctx, WR_DATA, "a BITMAP value is malformed");
    if (first) {
        *b = other;
        return WR_OK;
    }
    wr_bitmap_apply(*b,
                    h == HOW_AND  ? WR_BITMAP_AND
                    : h == HOW_OR ? WR_BITMAP_OR
                                  : WR_BITMAP_XOR,
                    other);
    wr_bitmap_destroy(other);
    return WR_OK;
}

static wr_status
put_bitmap(wr_agg_call *call, wr_bitmap *b, uint32_t i, wr_vec *out)
{
    wr_text text;
    if (!b) {
        wr_vec_set_null(out, i, call->arena);
        return WR_OK;
    }
    if (out->phys == WR_PHYS_I64) {
        ((int64_t *)out->data)[i] = (int64_t)wr_bitmap_count(b);
        return WR_OK;
    }
    wr_text_init(&text, call->arena);
    wr_bitmap_encode(b, &text);
    if (text.failed) return wr_text_raise(call->ctx, &text);
    return wr_vec_set_str(out, i, text.ptr, (uint32_t)text.len, call->arena) ? WR_OK : NOMEM(call);
}

/* ---- insert-only ----------------------------------------------------------------------------- */

static wr_status
bits_apply(wr_agg_call *call, wr_blob *acc, const wr_view *w, uint32_t i, uint32_t row,
           bool retract)
{
    wr_text text;
    (void)i;
    (void)retract;
    if (!wr_view_valid(w, row)) return WR_OK;
    wr_bitmap *b = NULL;
    if (acc->len)
        b = wr_bitmap_decode(
            (wr_str){(const char *)call->table->ops->blob_get(call->table, acc), acc->len});
    wr_status status = combine(call, &b, how_of(call), w, row);
    wr_text_init(&text, call->arena);
    if (status == WR_OK) wr_bitmap_encode(b, &text);
    if (status == WR_OK && text.failed) status = wr_text_raise(call->ctx, &text);
    if (status == WR_OK)
        status =
            call->table->ops->blob_set(call->ctx, call->table, acc, text.ptr, (uint32_t)text.len);
    wr_bitmap_destroy(b);
    return status;
}
static wr_status
bits_value(wr_agg_call *call, const wr_blob *acc, uint32_t i, wr_vec *out)
{
    wr_bitmap *b = NULL;
    if (acc->len)
        b = wr_bitmap_decode(
            (wr_str){(const char *)call->table->ops->blob_get(call->table, acc), acc->len});
    wr_status status = put_bitmap(call, b, i, out);
    wr_bitmap_destroy(b);
    return status;
}
#define K_NAME   bits
#define K_ACC    wr_blob
#define K_APPLY  bits_apply
#define K_RESULT bits_value
#include "expr/agg.tmpl.h"

static void
bits_clear(wr_agg_call *call)
{
    for (uint32_t i = 0; i < call->n; i++)
        call->table->ops->blob_free(call->table, (wr_blob *)(void *)call->recs[i]);
}

/* ---- updating input -------------------------------------------------------------------------- */

static wr_status
bits_map_apply(wr_agg_call *call, int64_t *acc, const wr_view *w, uint32_t i, uint32_t row,
               bool retract)
{
    wr_text text;
    if (!wr_view_valid(w, row)) return WR_OK;
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
    *acc += retract ? -1 : 1;
    if (*count == 0)
        call->aux->ops->map_remove(call->aux, call->slots[i], (const uint8_t *)text.ptr, off[1],
                                   hash);
    return WR_OK;
}
static wr_status
bits_map_value(wr_agg_call *call, const int64_t *acc, uint32_t i, wr_vec *out)
{
    wr_state_iter it;
    wr_vec v;
    wr_bitmap *b = NULL;
    wr_status status = WR_OK;
    how h = how_of(call);
    (void)acc;
    memset(&it, 0, sizeof it);
    if (!wr_vec_init_flat(&v, call->agg->arg_types[0], 1, call->arena)) return NOMEM(call);
    for (bool have = call->aux->ops->map_first(call->aux, call->slots[i], &it);
         have && status == WR_OK; have = call->aux->ops->map_next(&it)) {
        int64_t times = *(const int64_t *)(const void *)it.rec;
        status = wr_row_decode(call->ctx, it.key, it.key_len, &v, 1, 0, true, call->arena);
        wr_view w = wr_vec_view(&v);
        times = h == HOW_XOR && times > 0 ? 2 - times % 2
                                          : WR_MIN(times, 1); /* the same bitmap twice cancels */
        for (; times > 0 && status == WR_OK; times--) status = combine(call, &b, h, &w, 0);
    }
    if (status == WR_OK) status = put_bitmap(call, b, i, out);
    wr_bitmap_destroy(b);
    return status;
}
#define K_NAME   bits_map
#define K_ACC    int64_t
#define K_APPLY  bits_map_apply
#define K_RESULT bits_map_value
#include "expr/agg.tmpl.h"

static void
bits_map_clear(wr_agg_call *call)
{
    for (uint32_t i = 0; i < call->n; i++) call->aux->ops->map_clear(call->aux, call->slots[i]);
}

static const wr_agg_ops bits_ops = {.abi = WR_ABI,
                                    .name = "BITMAP_AGG",
                                    .state_bytes = sizeof(wr_blob),
                                    .state_align = 8,
                                    .update = bits_on_rows,
                                    .result = bits_on_result,
                                    .merge = wri_agg_no_merge,
                                    .clear = bits_clear};
static const wr_agg_ops bits_map_ops = {.abi = WR_ABI,
                                        .name = "BITMAP_AGG",
                                        .can_retract = true,
                                        .aux = WR_AGG_AUX_MAP,
                                        .aux_bytes = 8,
                                        .state_bytes = 8,
                                        .state_align = 8,
                                        .update = bits_map_on_rows,
                                        .result = bits_map_on_result,
                                        .merge = wri_agg_no_merge,
                                        .clear = bits_map_clear};

const wr_agg_ops *
wri_a_bitmap_agg(wr_ctx *ctx, const wr_fn_bind *b)
{
    (void)ctx;
    return b->has_order ? &bits_map_ops : &bits_ops;
}
