/* SPDX-License-Identifier: Apache-2.0 */
/* Values in order of arrival, from which the first equal one can be taken away: see agg_int.h. */
#include "expr/agg_int.h"

static void
put_be64(wr_text *t, uint64_t v)
{
    char bytes[8];
    for (int k = 0; k < 8; k++) bytes[k] = (char)(v >> (56 - 8 * k));
    wr_text_put(t, bytes, 8);
}

static uint64_t
get_be64(const uint8_t *p)
{
    uint64_t v = 0;
    for (int k = 0; k < 8; k++) v = v << 8 | p[k];
    return v;
}

static void
order_key(wr_text *t, uint64_t sequence)
{
    wr_text_putc(t, 'O');
    put_be64(t, sequence);
}

static bool
value_prefix(const wr_agg_call *call, uint32_t row, wr_text *t)
{
    wr_text value;
    wr_text_init(&value, call->arena);
    if (!wri_agg_row_bytes(call, row, &value)) return false;
    char len[4];
    wr_store32(len, (uint32_t)value.len);
    wr_text_putc(t, 'V');
    wr_text_put(t, len, 4);
    wr_text_put(t, value.ptr, value.len);
    return !t->failed;
}

wr_status
wri_log_add(wr_agg_call *call, uint32_t i, uint32_t row)
{
    wri_log *log = (wri_log *)(void *)call->recs[i];
    const wr_state_ops *ops = call->aux->ops;
    wr_text key;
    uint8_t *rec = NULL;
    wr_text_init(&key, call->arena);
    order_key(&key, log->next);
    if (key.failed) return wr_raise(call->ctx, WR_NOMEM, "out of memory");
    WR_TRY(ops->ord_put(call->ctx, call->aux, call->slots[i], (const uint8_t *)key.ptr,
                        (uint32_t)key.len, &rec, NULL));
    WR_TRY(wri_cell_set(call->ctx, call->aux, (wri_cell *)(void *)rec, call->args[0], row));
    key.len = 0;
    bool ok = value_prefix(call, row, &key);
    put_be64(&key, log->next);
    if (!ok || key.failed) return wr_raise(call->ctx, WR_NOMEM, "out of memory");
    WR_TRY(ops->ord_put(call->ctx, call->aux, call->slots[i], (const uint8_t *)key.ptr,
                        (uint32_t)key.len, &rec, NULL));
    log->next++;
    log->count++;
    return WR_OK;
}

wr_status
wri_log_remove(wr_agg_call *call, uint32_t i, uint32_t row)
{
    wri_log *log = (wri_log *)(void *)call->recs[i];
    const wr_state_ops *ops = call->aux->ops;
    wr_state_iter it;
    wr_text key, order;
    uint32_t slot = call->slots[i];
    wr_text_init(&key, call->arena);
    wr_text_init(&order, call->arena);
    if (!value_prefix(call, row, &key)) return wr_raise(call->ctx, WR_NOMEM, "out of memory");
    memset(&it, 0, sizeof it);
    if (!ops->ord_seek(call->aux, slot, (const uint8_t *)key.ptr, (uint32_t)key.len, &it))
        return WR_OK;
    if (it.key_len != key.len + 8 || memcmp(it.key, key.ptr, key.len) != 0)
        return WR_OK; /* never came */
    const uint64_t sequence = get_be64(it.key + key.len);
    put_be64(&key, sequence);
    order_key(&order, sequence);
    if (key.failed || order.failed) return wr_raise(call->ctx, WR_NOMEM, "out of memory");
    ops->ord_remove(call->aux, slot, (const uint8_t *)order.ptr, (uint32_t)order.len);
    ops->ord_remove(call->aux, slot, (const uint8_t *)key.ptr, (uint32_t)key.len);
    log->count--;
    return WR_OK;
}

const wri_cell *
wri_log_next(wr_agg_call *call, uint32_t i, wr_state_iter *it, bool first)
{
    const wr_state_ops *ops = call->aux->ops;
    bool have = first ? ops->ord_seek(call->aux, call->slots[i], (const uint8_t *)"O", 1, it)
                      : ops->ord_next(it);
    return have && it->key_len == 9 && it->key[0] == 'O' ? (const wri_cell *)(const void *)it->rec
                                                         : NULL;
}

const wri_cell *
wri_log_last(wr_agg_call *call, uint32_t i)
{
    wr_state_iter it;
    memset(&it, 0, sizeof it);
    bool have =
        call->aux->ops->ord_seek_last(call->aux, call->slots[i], (const uint8_t *)"P", 1, &it);
    return have && it.key_len == 9 && it.key[0] == 'O' ? (const wri_cell *)(const void *)it.rec
                                                       : NULL;
}

void
wri_log_clear(wr_agg_call *call)
{
    for (uint32_t i = 0; i < call->n; i++) call->aux->ops->ord_clear(call->aux, call->slots[i]);
}
