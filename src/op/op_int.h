/* SPDX-License-Identifier: Apache-2.0 */
/* What the operators share: batches seen through another selection, copying of rows between
 * batches, the builder of output batches, keys of state. Private to op/.
 *
 * Threads: everything here belongs to the task that owns the operator. */
#ifndef WR_OP_OP_INT_H
#define WR_OP_OP_INT_H

#include "expr/expr.h"
#include "op/op.h"

#define WRI_NOMEM(ctx) wr_raise((ctx), WR_NOMEM, "out of memory")

/* ---- batches ---- */
/* A batch with the columns, kinds and rows of `in`, which it keeps (the reference moves), and no
 * selection yet. NULL: out of memory (`in` released). */
wr_batch *wri_batch_view(wr_op *op, wr_batch *take_in) WR_MUST_USE;
/* `in` narrowed to the live rows whose kind is in `kinds` (a set of 1 << wr_kind); the same batch
 * when all are. */
wr_status wri_batch_keep_kinds(wr_ctx *ctx, wr_op *op, wr_batch *take_in, uint8_t kinds,
                               wr_batch **out) WR_MUST_USE;
/* `in` as rows 0..n-1 without a selection; the same batch when it has none. */
wr_status wri_batch_dense(wr_ctx *ctx, wr_op *op, wr_batch *take_in, wr_batch **out) WR_MUST_USE;
wr_status wri_watermark_swallow(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *out,
                                int64_t *forward);

/* ---- rows between batches (rows.c) ---- */
/* out[j] = which[j] ? b[idx[j]] : a[idx[j]]; a and b FLAT, strings shared. `out` is made. */
wr_status wri_vec_pick(wr_ctx *ctx, wr_vec *out, const wr_vec *a, const wr_vec *b,
                       const uint32_t *idx, const uint8_t *which, uint32_t n,
                       wr_arena *arena) WR_MUST_USE;
/* dst[at + i * step] = src[rows[i]] (rows NULL: i), strings shared; dst FLAT with room. */
bool wri_vec_copy_rows(wr_vec *dst, uint32_t at, uint32_t step, const wr_vec *src,
                       const uint32_t *rows, uint32_t n, wr_arena *arena) WR_MUST_USE;
/* changed[i] |= a[i] differs from b[i] as Flink's equaliser sees it (NaN differs from NaN). FLAT.
 */
void wri_vec_mark_changed(const wr_vec *a, const wr_vec *b, uint32_t n, uint8_t *changed);
/* 0..n-1 */
uint32_t *wri_iota(wr_arena *a, uint32_t n) WR_MUST_USE;

/* ---- keys of state (keys.c) ---- */
typedef struct wri_keyspec { /* which columns make a key, and how it is stored */
    const uint32_t *cols;
    uint32_t count;
    uint8_t fixed; /* wr_phys of the one integer column whose value is the key; 0: encoded bytes */
    wr_schema schema;
} wri_keyspec;
wr_status wri_keyspec_init(wr_ctx *ctx, wr_op *op, const wr_schema *input, const uint32_t *cols,
                           uint32_t count, wri_keyspec *out) WR_MUST_USE;
/* Keys and hashes of the live rows, in `arena` or borrowed from `b`. */
wr_status wri_keys_make(wr_ctx *ctx, const wri_keyspec *spec, const wr_batch *b, wr_arena *arena,
                        wr_keys *out) WR_MUST_USE;
/* One stored key into row `row` of cols[0..spec->count). */
wr_status wri_key_decode(wr_ctx *ctx, const wri_keyspec *spec, const uint8_t *key, uint32_t len,
                         wr_vec *cols, uint32_t row, wr_arena *arena) WR_MUST_USE;
/* Opens "<logical id of the node>/<name>". */
wr_status wri_table_open(wr_ctx *ctx, wr_op *op, const char *name, const wr_state_desc *desc,
                         wr_state_table **out) WR_MUST_USE;

/* ---- programs: NULL-safe compile and close ---- */
wr_status wri_op_compile(wr_ctx *ctx, wr_op *op, wr_expr *const *exprs, uint32_t n,
                      wr_program **out) WR_MUST_USE;
wr_status wri_op_compile_cond(wr_ctx *ctx, wr_op *op, wr_expr *cond, wr_program **out) WR_MUST_USE;

/* ---- the operators ---- */
extern const wr_op_ops wri_values_ops, wri_calc_ops, wri_watermark_ops, wri_union_ops,
    wri_limit_ops, wri_drop_before_ops, wri_sink_ops, wri_collect_ops, wri_group_agg_ops,
    wri_mini_batch_ops, wri_hash_agg_ops;

#endif
