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

/* ---- batches --------------------------------------------------------------------------------- */
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

/* passes[i]: does the i-th live row meet the condition? (all do when there is none) */
wr_status wri_test_rows(wr_ctx *ctx, wr_program *cond, const wr_batch *in, wr_arena *arena,
                        bool *passes) WR_MUST_USE;

/* ---- rows between batches (rows.c) ----------------------------------------------------------- */
/* out[j] = which[j] ? b[idx[j]] : a[idx[j]]; a and b FLAT, strings shared. `out` is made. */
wr_status wri_vec_pick(wr_ctx *ctx, wr_vec *out, const wr_vec *a, const wr_vec *b,
                       const uint32_t *idx, const uint8_t *which, uint32_t n,
                       wr_arena *arena) WR_MUST_USE;
/* dst[at + i * step] = src[rows[i]] (rows NULL: i), strings shared; dst FLAT with room. */
bool wri_vec_copy_rows(wr_vec *dst, uint32_t at, uint32_t step, const wr_vec *src,
                       const uint32_t *rows, uint32_t n, wr_arena *arena) WR_MUST_USE;
/* out[i] = src[rows[i]], NULL for WRI_NO_ROW; out FLAT with room, strings shared. */
#define WRI_NO_ROW UINT32_MAX
bool wri_vec_gather_or_null(wr_vec *out, const wr_vec *src, const uint32_t *rows, uint32_t n,
                            wr_arena *arena) WR_MUST_USE;
/* changed[i] |= a[i] differs from b[i] as Flink's equaliser sees it (NaN differs from NaN). FLAT.
 */
void wri_vec_mark_changed(const wr_vec *a, const wr_vec *b, uint32_t n, uint8_t *changed);
/* 0..n-1 */
uint32_t *wri_iota(wr_arena *a, uint32_t n) WR_MUST_USE;

/* ---- keys of state (keys.c) ------------------------------------------------------------------ */
typedef struct wri_keyspec { /* which columns make a key, and how it is stored */
    const uint32_t *cols;
    uint32_t count;
    uint8_t fixed; /* wr_phys of the one integer column whose value is the key; 0: encoded bytes */
    wr_schema schema;
} wri_keyspec;
/* Columns of the output of `of`, by the names of what they are computed from: snapshots keep them,
 * and find columns by name when a query has changed. */
wr_status wri_keyspec_init(wr_ctx *ctx, wr_op *op, const wr_pnode *of, const uint32_t *cols,
                           uint32_t count, wri_keyspec *out) WR_MUST_USE;
/* All columns of `of`, likewise. */
wr_status wri_row_schema(wr_ctx *ctx, wr_op *op, const wr_pnode *of,
                         const wr_schema **out) WR_MUST_USE;
/* Keys and hashes of the live rows, in `arena` or borrowed from `b`. */
wr_status wri_keys_make(wr_ctx *ctx, const wri_keyspec *spec, const wr_batch *b, wr_arena *arena,
                        wr_keys *out) WR_MUST_USE;
/* The same without encoded keys: hashes, and fixed keys if that is how they are stored. */
wr_status wri_keys_hash(wr_ctx *ctx, const wri_keyspec *spec, const wr_batch *b, wr_arena *arena,
                        wr_keys *out) WR_MUST_USE;
/* Fixed keys alone, without hashes (spec->fixed). */
wr_status wri_keys_fixed(wr_ctx *ctx, const wri_keyspec *spec, const wr_batch *b, wr_arena *arena,
                         wr_keys *out) WR_MUST_USE;
WR_ALWAYS_INLINE const uint8_t *
wri_key_at(const wr_keys *k, uint32_t i, uint32_t *len)
{
    if (k->fixed) {
        *len = !k->valid || wr_bit_get(k->valid, i) ? 8 : 0;
        return (const uint8_t *)&k->fixed[i];
    }
    *len = k->off[i + 1] - k->off[i];
    return k->data + k->off[i];
}
/* Key `i` alone: `data` of the result must not outlive `k`; a NULL fixed key is no bytes. */
WR_ALWAYS_INLINE wr_keys
wri_keys_one(const wr_keys *k, uint32_t i)
{
    wr_keys one = {.n = 1, .hash = k->hash + i};
    if (!k->fixed) {
        one.data = k->data;
        one.off = k->off + i;
    } else if (!k->valid || wr_bit_get(k->valid, i)) {
        one.fixed = k->fixed + i;
    } else {
        static const uint32_t none[2] = {0, 0};
        one.data = (const uint8_t *)"";
        one.off = none;
    }
    return one;
}
/* One stored key into row `row` of cols[0..spec->count). */
wr_status wri_key_decode(wr_ctx *ctx, const wri_keyspec *spec, const uint8_t *key, uint32_t len,
                         wr_vec *cols, uint32_t row, wr_arena *arena) WR_MUST_USE;
/* A stretch of a record, for wr_state_desc.parts. */
#define WRI_PART(record, field, what)                                                              \
    {                                                                                              \
        .name = #field, .kind = (what), .offset = offsetof(record, field),                         \
        .bytes = sizeof(((record *)NULL)->field)                                                   \
    }
/* `n` parts in the task's arena; NULL: out of memory. */
const wr_state_part *wri_parts_copy(wr_op *op, const wr_state_part *parts, uint32_t n) WR_MUST_USE;
/* Opens a table of this operator; `name` says what it is, in the operator. */
wr_status wri_table_open(wr_ctx *ctx, wr_op *op, const char *name, const wr_state_desc *desc,
                         wr_state_table **out) WR_MUST_USE;
/* The rows of side k of a join by time, in order below the records of join keys: `key` and
 * `all_cols` are how they are found and kept; parts[0] is the row itself. */
wr_status wri_timed_side_open(wr_ctx *ctx, wr_op *op, uint32_t k, wr_state_table *keys,
                              wr_state_part *parts, uint32_t part_count, size_t record_bytes,
                              wri_keyspec *key, uint32_t **all_cols,
                              wr_state_table **out) WR_MUST_USE;

/* ---- programs: NULL-safe compile and close --------------------------------------------------- */
wr_status wri_op_compile(wr_ctx *ctx, wr_op *op, wr_expr *const *exprs, uint32_t n,
                         wr_program **out) WR_MUST_USE;
wr_status wri_op_compile_cond(wr_ctx *ctx, wr_op *op, wr_expr *cond, wr_program **out) WR_MUST_USE;

/* The slot of the empty key, made if need be and touched: operators without key. Its record may be
 * changed until the next barrier; ask again for every batch, for a restored operator has another
 * slot. Only subtask 0 owns the empty key. */
wr_status wri_single_slot(wr_ctx *ctx, wr_state_table *t, uint32_t *slot,
                          uint64_t *fresh) WR_MUST_USE;

/* ---- operator state that is one number (keys.c) ---------------------------------------------- */
wr_status wri_number_keep(wr_ctx *ctx, wr_opstate *s, const char *name, wr_opstate_mode mode,
                          int64_t value) WR_MUST_USE;
/* Item `i` of a list of numbers. WR_CORRUPT: it is none. */
wr_status wri_number_item(wr_ctx *ctx, const wr_opstate_list *list, uint32_t i,
                          int64_t *out) WR_MUST_USE;

/* ---- output a row at a time (builder.c) ------------------------------------------------------ */
typedef struct wri_builder {
    wr_op *op;
    wr_emitter *emit;
    wr_batch *out; /* being filled; NULL: none */
    uint8_t *kind;
    uint32_t cap; /* rows of the next batch */
} wri_builder;
/* `rows`: how many rows are expected. */
void wri_builder_begin(wri_builder *b, wr_op *op, wr_emitter *emit, uint32_t rows);
/* A new row of this kind; its number in b->out. A full batch is emitted before. */
wr_status wri_builder_row(wr_ctx *ctx, wri_builder *b, wr_kind kind, uint32_t *row) WR_MUST_USE;
/* A whole row from its encoding, or from a batch of the same columns. */
wr_status wri_builder_encoded(wr_ctx *ctx, wri_builder *b, wr_kind kind, const uint8_t *p,
                              uint32_t len) WR_MUST_USE;
wr_status wri_builder_copy(wr_ctx *ctx, wri_builder *b, wr_kind kind, const wr_batch *in,
                           uint32_t row) WR_MUST_USE;
wr_status wri_builder_flush(wr_ctx *ctx, wri_builder *b) WR_MUST_USE;
void wri_builder_drop(wri_builder *b);
/* Between rows: time to yield? */
WR_ALWAYS_INLINE bool
wri_builder_full(const wri_builder *b)
{
    return !b->out && wr_emit_full(b->emit);
}

/* ---- rows kept in columns (store.c) ---------------------------------------------------------- */
#ifdef WR_TINY
#define WRI_STORE_SHIFT 2u
#else
#define WRI_STORE_SHIFT 12u
#endif
typedef struct wri_store { /* batches of 2^WRI_STORE_SHIFT rows; row r is in chunk r >> shift */
    wr_op *op;
    const wr_schema *schema;
    wr_batch **chunks;
    uint32_t chunk_count, chunk_cap;
    uint32_t rows;
    wr_batch *holder; /* keeps all chunks: what outputs keep */
    uint32_t *iota;   /* 0, 1, 2, ... */
    uint32_t iota_cap;
} wri_store;
void wri_store_init(wri_store *s, wr_op *op, const wr_schema *schema);
void wri_store_deinit(wri_store *s);
void wri_store_clear(wri_store *s); /* no rows; keeps its arrays */
/* Append the live rows of `b`, strings copied. */
wr_status wri_store_append(wr_ctx *ctx, wri_store *s, const wr_batch *b) WR_MUST_USE;
/* After the last append: makes the holder. */
wr_status wri_store_freeze(wr_ctx *ctx, wri_store *s) WR_MUST_USE;
/* Columns of rows[0..n) (WRI_NO_ROW: NULLs) into vecs[0..schema->count), strings shared: the batch
 * of the vecs must keep s->holder. */
wr_status wri_store_gather(wr_ctx *ctx, const wri_store *s, const uint32_t *rows, uint32_t n,
                           wr_vec *vecs, wr_arena *arena) WR_MUST_USE;
WR_ALWAYS_INLINE const wr_vec *
wri_store_vec(const wri_store *s, uint32_t row, uint32_t col, uint32_t *at)
{
    *at = row & ((1u << WRI_STORE_SHIFT) - 1);
    return &s->chunks[row >> WRI_STORE_SHIFT]->cols[col];
}

/* ---- the operators --------------------------------------------------------------------------- */
extern const wr_op_ops wri_values_ops, wri_calc_ops, wri_watermark_ops, wri_union_ops,
    wri_limit_ops, wri_drop_before_ops, wri_sink_ops, wri_collect_ops, wri_group_agg_ops,
    wri_mini_batch_ops, wri_hash_agg_ops, wri_sort_ops, wri_temporal_sort_ops, wri_rank_ops,
    wri_sort_limit_ops, wri_join_ops, wri_hash_join_ops, wri_correlate_ops, wri_expand_ops,
    wri_normalize_ops, wri_materialize_ops, wri_conflict_ops, wri_interval_join_ops,
    wri_window_tvf_ops, wri_window_agg_ops, wri_window_session_ops, wri_over_time_ops,
    wri_over_value_ops, wri_over_batch_ops;
extern const wr_op_ops wri_match_ops, wri_dedup_ops, wri_changelog_ops;
extern const wr_op_ops wri_temporal_join_ops, wri_multi_join_ops;
extern const wr_op_ops wri_lookup_join_ops;
extern const wr_op_ops wri_window_join_ops, wri_window_rank_ops;
/* SORT_LIMIT is a sort in batch mode and a Top-N in streaming mode; both must fit. */
#define WRI_SORT_LIMIT_BYTES 1024u

/* ---- not_null.c ------------------------------------------------------------------------------ */
/* Narrow the batch to the rows that may come out. Unless `drop`: those before the first bad one,
 * whose column number + 1 is then in *refused; hand them on, then fail with wri_not_null_refuse. */
wr_status wri_not_null(wr_ctx *ctx, wr_op *op, const wr_schema *columns, bool drop,
                       wr_batch **batch, uint32_t *refused) WR_MUST_USE;
wr_status wri_not_null_refuse(wr_ctx *ctx, const wr_field *field);

#endif
