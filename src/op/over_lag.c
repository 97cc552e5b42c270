/* SPDX-License-Identifier: Apache-2.0 */
/* LAG as an aggregate of rows that come in order: it keeps the last `offset` + 1 values.
 *
 * Accumulator: a blob of [u32 length][row encoding of the value] per value, oldest first; `head`
 * bytes of it belong to values that are too old. As in Flink, rows of one frame bound by RANGE have
 * one result: that of the last of them. Where the offset is a column, all values are kept: any row
 * may ask for the first. */
#include "op/over_int.h"

typedef struct lag {
    wr_blob values;
    uint32_t head, count;
} lag;

static int64_t
offset_of(const wr_agg_call *call, uint32_t row)
{
    if (call->arg_count < 2) return 1;
    const wr_vec *v = call->args[1];
    const wr_view w = wr_vec_view(v);
    int64_t n = 1;
    if (!wr_view_valid(&w, row)) return 1;
    switch (v->phys) {
    case WR_PHYS_I8:
        n = WR_VIEW(&w, int8_t, row);
        break;
    case WR_PHYS_I16:
        n = WR_VIEW(&w, int16_t, row);
        break;
    case WR_PHYS_I32:
        n = WR_VIEW(&w, int32_t, row);
        break;
    case WR_PHYS_I64:
        n = WR_VIEW(&w, int64_t, row);
        break;
    default:
        break;
    }
    return n;
}

/* Drop the oldest value; the blob is rewritten when half of it is of no use. */
static wr_status
drop_oldest(wr_agg_call *call, lag *acc)
{
    const wr_state_ops *ops = call->table->ops;
    const uint8_t *p = ops->blob_get(call->table, &acc->values);
    acc->head += 4 + wr_load32(p + acc->head);
    acc->count--;
    if (acc->head < 64 || acc->head < acc->values.len / 2) return WR_OK;
    const uint32_t len = acc->values.len - acc->head;
    uint8_t *rest = wr_arena_alloc(call->arena, len + 1);
    if (!rest) return WRI_NOMEM(call->ctx);
    memcpy(rest, p + acc->head, len);
    acc->head = 0;
    return ops->blob_set(call->ctx, call->table, &acc->values, rest, len);
}

/* The value `offset` rows ago when there are that many, the oldest one where the offset is fixed;
 * else the default. */
static wr_status
write_result(wr_agg_call *call, const lag *acc, uint64_t offset, uint32_t i, uint32_t row,
             wr_vec *out)
{
    if (acc->count > offset) {
        const uint8_t *p = call->table->ops->blob_get(call->table, &acc->values) + acc->head;
        for (uint64_t skip = acc->count - 1 - offset; skip; skip--) p += 4 + wr_load32(p);
        return wr_row_decode(call->ctx, p + 4, wr_load32(p), out, 1, i, true, call->arena);
    }
    const bool has = call->arg_count > 2 && !wr_vec_is_null(call->args[2], row);
    const bool ok = has ? wr_vec_copy_entry(out, i, call->args[2], row, call->arena)
                        : wr_vec_set_null(out, i, call->arena);
    return ok ? WR_OK : WRI_NOMEM(call->ctx);
}

static wr_status
update(wr_agg_call *call, bool fixed)
{
    const wr_state_ops *ops = call->table->ops;
    static const uint32_t first = 0;
    wr_batch values = {.cols = (wr_vec *)(uintptr_t)call->args[0],
                       .col_count = 1,
                       .row_count = call->n,
                       .sel = call->rows,
                       .sel_count = call->n};
    wr_bytes bytes;
    if (!wr_row_encode(&values, &first, 1, call->arena, &bytes)) return WRI_NOMEM(call->ctx);
    for (uint32_t i = 0; i < call->n; i++) {
        lag *acc = (lag *)(void *)call->recs[i];
        const uint32_t row = call->rows ? call->rows[i] : i;
        int64_t offset = offset_of(call, row);
        uint8_t len[4];
        if (offset < 0)
            return wr_raise(call->ctx, WR_DATA, "Offset(%lld) should be positive.",
                            (long long)offset);
        if (call->before) WR_TRY(write_result(call, acc, (uint64_t)offset, i, row, call->before));
        wr_store32(len, bytes.off[i + 1] - bytes.off[i]);
        WR_TRY(ops->blob_append(call->ctx, call->table, &acc->values, len, sizeof len));
        WR_TRY(ops->blob_append(call->ctx, call->table, &acc->values, bytes.data + bytes.off[i],
                                bytes.off[i + 1] - bytes.off[i]));
        acc->count++;
        while (fixed && acc->count > (uint64_t)offset + 1) WR_TRY(drop_oldest(call, acc));
        if (call->after) WR_TRY(write_result(call, acc, (uint64_t)offset, i, row, call->after));
    }
    return WR_OK;
}

static wr_status
lag_update(wr_agg_call *call)
{
    return update(call, true);
}

static wr_status
varying_update(wr_agg_call *call)
{
    return update(call, false);
}

static wr_status
lag_result(wr_agg_call *call)
{
    for (uint32_t i = 0; i < call->n; i++)
        if (!wr_vec_set_null(call->after, i, call->arena)) return WRI_NOMEM(call->ctx);
    return WR_OK;
}

static wr_status
lag_merge(wr_agg_call *call, uint8_t *const *other)
{
    (void)other;
    return wr_raise(call->ctx, WR_UNSUPPORTED, "LAG cannot be merged");
}

static void
lag_clear(wr_agg_call *call)
{
    for (uint32_t i = 0; i < call->n; i++) {
        lag *acc = (lag *)(void *)call->recs[i];
        call->table->ops->blob_free(call->table, &acc->values);
        *acc = (lag){0};
    }
}

static const wr_agg_ops lag_ops = {.abi = WR_ABI,
                                   .name = "LAG",
                                   .state_bytes = sizeof(lag),
                                   .state_align = _Alignof(lag),
                                   .keeps = WR_AGG_KEEPS_TYPES,
                                   .update = lag_update,
                                   .result = lag_result,
                                   .merge = lag_merge,
                                   .clear = lag_clear};

static const wr_agg_ops varying_ops = {.abi = WR_ABI,
                                       .name = "LAG by column",
                                       .state_bytes = sizeof(lag),
                                       .state_align = _Alignof(lag),
                                       .keeps = WR_AGG_KEEPS_TYPES,
                                       .update = varying_update,
                                       .result = lag_result,
                                       .merge = lag_merge,
                                       .clear = lag_clear};

wr_status
wri_over_lag(wr_ctx *ctx, wr_arena *a, const wr_over_call *call, const wr_over_spec *spec,
             uint32_t width, wr_agg_bound *out)
{
    if (strcmp(call->fn->name, "LAG") != 0)
        return wr_raise_at(ctx, WR_UNSUPPORTED, call->span,
                           "%s Function is not supported in stream mode.", call->fn->name);
    const bool varies = call->arg_count > 1 && call->args[1] < width;
    if (call->arg_count > 1 && !varies) {
        const wr_value *v = &spec->constants[call->args[1] - width]->value;
        if (v->is_null || v->u.i < 0)
            return wr_raise_at(ctx, WR_UNSUPPORTED, call->span, "Offset(%lld) should be positive.",
                               v->is_null ? -1 : (long long)v->u.i);
    }
    (void)a;
    *out = (wr_agg_bound){.fn = call->fn,
                          .ops = varies ? &varying_ops : &lag_ops,
                          .args = call->args,
                          .arg_count = call->arg_count,
                          .type = call->type,
                          .filter = -1,
                          .span = call->span};
    return WR_OK;
}
