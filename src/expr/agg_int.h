/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of aggregate functions share: reading a row of a call, values kept in state, and
 * the common loop (agg.tmpl.h). Private to expr/.
 *
 * An accumulator is all zero at first. `update` applies rows in order of arrival and, when the
 * operator wants the changelog row by row, writes the result before and after each. */
#ifndef WR_EXPR_AGG_INT_H
#define WR_EXPR_AGG_INT_H

#include "expr/fn_int.h"

WR_ALWAYS_INLINE uint32_t
wri_agg_row(const wr_agg_call *call, uint32_t i)
{
    return call->rows ? call->rows[i] : i;
}
WR_ALWAYS_INLINE bool
wri_agg_takes(const wr_agg_call *call, uint32_t i)
{
    return !call->mask || wr_bit_get(call->mask, i);
}
WR_ALWAYS_INLINE bool
wri_agg_retracts(const wr_agg_call *call, uint32_t row)
{
    return call->kind && (call->kind[row] == WR_UPDATE_BEFORE || call->kind[row] == WR_DELETE);
}

/* A value in state: fixed layouts in place (integers in all 16 bytes), others as a blob of the
 * table `t` whose record it lies in (strings as they are, nested values in the row encoding). 24
 * bytes, all zero = nothing. */
typedef struct wri_cell {
    uint64_t what; /* wri_cell_what */
    union {
        uint8_t raw[16];
        wr_blob blob;
    } u;
} wri_cell;
enum { WRI_CELL_NONE, WRI_CELL_NULL, WRI_CELL_VALUE };
wr_status wri_cell_set(wr_ctx *ctx, wr_state_table *t, wri_cell *c, const wr_vec *v,
                       uint32_t row) WR_MUST_USE;
void wri_cell_free(wr_state_table *t, wri_cell *c);
/* Write the value (NONE and NULL as NULL) to entry i of `out`. */
wr_status wri_cell_get(wr_ctx *ctx, const wr_state_table *t, const wri_cell *c, wr_vec *out,
                       uint32_t i, wr_arena *a) WR_MUST_USE;
/* The order of a kept value and an entry: <0 0 >0. `type` of both; not for nested types. */
int wri_cell_cmp(const wr_state_table *t, const wri_cell *c, const wr_vec *v, uint32_t row);

/* The encodings of entry `row` of every argument, as one key. */
bool wri_agg_row_bytes(const wr_agg_call *call, uint32_t row, wr_text *out) WR_MUST_USE;
/* The order-preserving key of the first argument. */
bool wri_agg_sort_bytes(const wr_agg_call *call, uint32_t row, wr_text *out) WR_MUST_USE;

wr_status wri_agg_no_merge(wr_agg_call *call, uint8_t *const *other);

/* ---- values in order of arrival, insert-only input (agg_list.c) ------------------------------ */
typedef struct wri_items { /* accumulator: [u32 length][row encoding of the arguments] ... */
    wr_blob bytes;
    uint64_t count;
} wri_items;
wr_status wri_items_add(wr_agg_call *call, wri_items *acc, uint32_t row) WR_MUST_USE;
void wri_items_clear(wr_agg_call *call);
/* Decode every entry into vectors of the argument types (arg_count of them, FLAT, in call->arena).
 */
wr_status wri_items_decode(wr_agg_call *call, const wri_items *acc, wr_vec *vecs) WR_MUST_USE;
const wr_type *wri_agg_arg_type(const wr_agg_call *call, uint32_t k);

#define WRI_LIST_OPS(prefix, sql, acc, retracts, aux_shape, aux_size, clear_fn)                    \
    static const wr_agg_ops prefix##_ops = {.abi = WR_ABI,                                         \
                                            .name = sql,                                           \
                                            .can_retract = retracts,                               \
                                            .aux = aux_shape,                                      \
                                            .aux_bytes = aux_size,                                 \
                                            .state_bytes = sizeof(acc),                            \
                                            .state_align = 8,                                      \
                                            .update = prefix##_on_rows,                            \
                                            .result = prefix##_on_result,                          \
                                            .merge = wri_agg_no_merge,                             \
                                            .clear = clear_fn}

/* ---- values in order of arrival, with removal of the first equal one (agg_log.c) ------------- */
/* For aggregates over updating input that need the order: an ordered state with two kinds of
 * entries, 'O' sequence (8 bytes, big endian)                 -> cell 'V' value length (4) value
 * bytes sequence (8)      -> nothing */
typedef struct wri_log { /* accumulator */
    uint64_t next, count;
} wri_log;
#define WRI_LOG_AUX_BYTES ((uint32_t)sizeof(wri_cell))
wr_status wri_log_add(wr_agg_call *call, uint32_t i, uint32_t row) WR_MUST_USE;
wr_status wri_log_remove(wr_agg_call *call, uint32_t i, uint32_t row) WR_MUST_USE;
/* Iterate the values: *it zero at first; NULL at the end. */
const wri_cell *wri_log_next(wr_agg_call *call, uint32_t i, wr_state_iter *it, bool first);
const wri_cell *wri_log_last(wr_agg_call *call, uint32_t i);
void wri_log_clear(wr_agg_call *call);

#endif
