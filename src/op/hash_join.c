/* SPDX-License-Identifier: Apache-2.0 */
/* HASH_JOIN and NESTED_LOOP_JOIN, batch: all join types, either side as build side, with a
 * remaining condition, and null-aware anti joins (NOT IN). Probe rows that come before the build
 * side has ended wait. A probe batch goes through in pieces: candidate pairs of one output batch
 * are collected, the condition is tested on all of them, pairs come out. Rows kept or dropped by
 * whether they matched (outer, semi, anti) come out when their probe batch is through, or, for the
 * build side, at the end. */
#include "op/hash_join_int.h"

typedef struct hash_join_op {
    wr_op op;
    wri_build build;
    wri_keyspec probe_key;
    uint32_t build_side, probe_side;
    wr_program *cond;
    bool pairs_out;   /* inner and outer joins: pairs are output */
    bool probe_outer; /* unmatched probe rows come out padded */
    bool probe_keeps; /* semi, anti by probe rows */
    bool build_outer, build_keeps;
    bool anti, build_done;
    wr_arena *scratch; /* for the probe batch */
    WR_LIST(wr_batch *) waiting;
    uint32_t waiting_at;
    wr_arena *waiting_arena;
    wr_batch *in;
    uint32_t at, n;   /* probe row, rows */
    uint32_t chain;   /* next candidate of that row + 1; 0: take the next row */
    uint32_t rest_at; /* probe rows looked at for output by match */
    uint8_t *matched; /* per probe row */
    wr_keys keys;
    bool *no_key;    /* per probe row: NULL key */
    uint32_t end_at; /* build rows looked at for output by match */
    bool ending;
} hash_join_op;

static wr_status
hash_join_open(wr_ctx *ctx, wr_op *op)
{
    hash_join_op *h = (hash_join_op *)op;
    const wr_pnode *node = op->node;
    const uint8_t t = node->u.join.type;
    h->build_side = node->u.join.build ? 1 : 0;
    h->probe_side = 1 - h->build_side;
    const bool outer[2] = {t == WR_JOIN_LEFT || t == WR_JOIN_FULL,
                           t == WR_JOIN_RIGHT || t == WR_JOIN_FULL};
    const bool semi = t == WR_JOIN_SEMI || t == WR_JOIN_ANTI;
    h->pairs_out = !semi;
    h->probe_outer = outer[h->probe_side];
    h->build_outer = outer[h->build_side];
    h->probe_keeps = semi && h->probe_side == 0;
    h->build_keeps = semi && h->build_side == 0;
    h->anti = t == WR_JOIN_ANTI;
    if (node->u.join.null_aware &&
        (h->build_side == 0 || node->u.join.key_count != 1 || node->u.join.cond))
        return wr_raise(ctx, WR_UNSUPPORTED,
                        "not supported yet: null-aware anti join of this form");
    h->scratch = wr_arena_create(op->env->budget, 0);
    h->waiting_arena = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, h->scratch);
    WR_TRY_ALLOC(ctx, h->waiting_arena);
    WR_TRY(wri_op_compile_cond(ctx, op, node->u.join.cond, &h->cond));
    WR_TRY(wri_build_open(ctx, &h->build, op, h->build_side));
    return wri_keyspec_init(ctx, op, node->inputs[h->probe_side],
                            h->probe_side ? node->u.join.right_keys : node->u.join.left_keys,
                            node->u.join.key_count, &h->probe_key);
}

/* ---- candidates ------------------------------------------------------------------------------ */
static bool
keys_equal(const hash_join_op *h, uint32_t probe_row, uint32_t build_row)
{
    for (uint32_t k = 0; k < h->probe_key.count; k++) {
        uint32_t at;
        const wr_vec *b = wri_store_vec(&h->build.store, build_row, h->build.key.cols[k], &at);
        if (!wr_vec_entry_eq(&h->in->cols[h->probe_key.cols[k]], probe_row, b, at)) return false;
    }
    return true;
}

/* First build row + 1 that may match probe row i, or the one after `from`. */
static uint32_t
first_in_chain(const hash_join_op *h, uint32_t i)
{
    if (h->build.store.rows == 0 || h->no_key[i]) return 0;
    if (h->probe_key.count == 0) return 1;
    return h->build.heads[(uint32_t)h->keys.hash[i] & h->build.mask];
}

static uint32_t
next_in_chain(const hash_join_op *h, uint32_t row)
{
    if (h->probe_key.count == 0) return row + 1 < h->build.store.rows ? row + 2 : 0;
    return h->build.next[row];
}

WR_ALWAYS_INLINE bool
is_match(const hash_join_op *h, uint32_t i, uint32_t row)
{
    if (h->probe_key.count == 0) return true;
    if (h->build.tags[row] != (uint32_t)(h->keys.hash[i] >> 32)) return false;
    if (h->build.fixed) return h->build.fixed[row] == h->keys.fixed[i];
    return keys_equal(h, wr_batch_row(h->in, i), row);
}

typedef struct pairs {
    uint32_t *probe, *row; /* live probe row, build row */
    uint32_t n;
} pairs;

/* Up to `room` candidates from the present position on. */
static void
collect_pairs(hash_join_op *h, pairs *p, uint32_t room)
{
    const bool once = !h->pairs_out && !h->cond && !h->build_keeps; /* one match is enough */
    while (h->at < h->n) {
        if (!h->chain) {
            if (h->at + 8 < h->n && h->probe_key.count)
                __builtin_prefetch(
                    &h->build.heads[(uint32_t)h->keys.hash[h->at + 8] & h->build.mask]);
            h->chain = first_in_chain(h, h->at);
        }
        while (h->chain) {
            if (p->n == room) return;
            const uint32_t row = h->chain - 1;
            h->chain = next_in_chain(h, row);
            if (!is_match(h, h->at, row)) continue;
            p->probe[p->n] = h->at;
            p->row[p->n++] = row;
            if (once) h->chain = 0;
        }
        h->at++;
    }
}

/* ---- columns --------------------------------------------------------------------------------- */
static wr_status
probe_columns(wr_ctx *ctx, hash_join_op *h, const uint32_t *rows, uint32_t n, wr_vec *vecs,
              wr_arena *arena)
{
    for (uint32_t c = 0; c < h->in->col_count; c++)
        if (!wr_vec_gather(&vecs[c], &h->in->cols[c], rows, n, arena)) return WRI_NOMEM(ctx);
    return WR_OK;
}

static uint32_t
first_col(const hash_join_op *h, uint32_t side)
{
    return side == 0 ? 0 : h->op.node->inputs[0]->schema.count;
}

/* Pairs into the columns left ++ right of `b`. */
static wr_status
pair_columns(wr_ctx *ctx, hash_join_op *h, const pairs *p, wr_batch *b)
{
    uint32_t *rows = wr_arena_alloc(b->arena, sizeof *rows * (p->n + 1));
    WR_TRY_ALLOC(ctx, rows);
    for (uint32_t i = 0; i < p->n; i++) rows[i] = wr_batch_row(h->in, p->probe[i]);
    WR_TRY(probe_columns(ctx, h, rows, p->n, b->cols + first_col(h, h->probe_side), b->arena));
    WR_TRY(wri_store_gather(ctx, &h->build.store, p->row, p->n,
                            b->cols + first_col(h, h->build_side), b->arena));
    b->row_count = p->n;
    if (!wr_batch_keep(b, h->in) || !wr_batch_keep(b, h->build.store.holder)) return WRI_NOMEM(ctx);
    return WR_OK;
}

static void
mark(hash_join_op *h, const pairs *p, uint32_t i)
{
    h->matched[p->probe[i]] = 1;
    if (h->build.matched) wr_bit_set(h->build.matched, p->row[i]);
}

/* One piece: collect, test, mark, and output (*out NULL: nothing). */
static wr_status
join_piece(wr_ctx *ctx, hash_join_op *h, wr_batch **out)
{
    const wr_pnode *node = h->op.node;
    const uint32_t cols = node->inputs[0]->schema.count + node->inputs[1]->schema.count;
    wr_batch *b = wr_batch_acquire(h->op.env->pool, cols);
    WR_TRY_ALLOC(ctx, b);
    *out = b;
    pairs p = {.probe = wr_arena_alloc(b->arena, sizeof(uint32_t) * WR_BATCH_ROWS),
               .row = wr_arena_alloc(b->arena, sizeof(uint32_t) * WR_BATCH_ROWS)};
    if (!p.probe || !p.row) return WRI_NOMEM(ctx);
    collect_pairs(h, &p, WR_BATCH_ROWS);
    if (h->pairs_out || h->cond) WR_TRY(pair_columns(ctx, h, &p, b));
    if (!h->cond) {
        for (uint32_t i = 0; i < p.n; i++) mark(h, &p, i);
        return WR_OK;
    }
    uint32_t *sel = wr_arena_alloc(b->arena, sizeof *sel * (p.n + 1)), count = 0;
    WR_TRY_ALLOC(ctx, sel);
    if (p.n) WR_TRY(wr_program_filter(ctx, h->cond, b, NULL, p.n, b->arena, sel, &count));
    for (uint32_t i = 0; i < count; i++) mark(h, &p, sel[i]);
    b->sel = sel;
    b->sel_count = count;
    return WR_OK;
}

/* ---- rows by match --------------------------------------------------------------------------- */
static bool
probe_row_comes_out(const hash_join_op *h, uint32_t i)
{
    if (h->probe_outer) return !h->matched[i];
    if (!h->op.node->u.join.null_aware) return h->matched[i] == !h->anti;
    /* x NOT IN (...): true for no rows at all; unknown with a NULL on either side */
    if (h->build.store.rows == 0) return true;
    return !h->matched[i] && !h->no_key[i] && !h->build.has_null_key;
}

/* Probe rows from h->rest_at on, as many as make a batch. */
static wr_status
rest_of_probe(wr_ctx *ctx, hash_join_op *h, wr_batch **out)
{
    const wr_schema *schema = &h->op.node->schema;
    wr_batch *b = wr_batch_acquire(h->op.env->pool, schema->count);
    WR_TRY_ALLOC(ctx, b);
    *out = b;
    uint32_t *rows = wr_arena_alloc(b->arena, sizeof *rows * WR_BATCH_ROWS), n = 0;
    WR_TRY_ALLOC(ctx, rows);
    for (; h->rest_at < h->n && n < WR_BATCH_ROWS; h->rest_at++)
        if (probe_row_comes_out(h, h->rest_at)) rows[n++] = wr_batch_row(h->in, h->rest_at);
    const uint32_t at = h->probe_keeps ? 0 : first_col(h, h->probe_side);
    WR_TRY(probe_columns(ctx, h, rows, n, b->cols + at, b->arena));
    for (uint32_t c = 0; c < schema->count; c++) {
        if (c >= at && c < at + h->in->col_count) continue;
        const wr_value null = wr_value_null(schema->fields[c].type);
        if (!wr_vec_init_const(&b->cols[c], &null, b->arena)) return WRI_NOMEM(ctx);
    }
    b->row_count = n;
    return wr_batch_keep(b, h->in) ? WR_OK : WRI_NOMEM(ctx);
}

/* Build rows from h->end_at on that come out by match. */
static wr_status
rest_of_build(wr_ctx *ctx, hash_join_op *h, wr_batch **out)
{
    const wr_schema *schema = &h->op.node->schema;
    const bool wanted = h->build_keeps && !h->anti;
    wr_batch *b = wr_batch_acquire(h->op.env->pool, schema->count);
    WR_TRY_ALLOC(ctx, b);
    *out = b;
    uint32_t *rows = wr_arena_alloc(b->arena, sizeof *rows * WR_BATCH_ROWS), n = 0;
    WR_TRY_ALLOC(ctx, rows);
    for (; h->end_at < h->build.store.rows && n < WR_BATCH_ROWS; h->end_at++)
        if (wr_bit_get(h->build.matched, h->end_at) == wanted) rows[n++] = h->end_at;
    const uint32_t at = h->build_keeps ? 0 : first_col(h, h->build_side);
    WR_TRY(wri_store_gather(ctx, &h->build.store, rows, n, b->cols + at, b->arena));
    for (uint32_t c = 0; c < schema->count; c++) {
        if (c >= at && c < at + h->build.store.schema->count) continue;
        const wr_value null = wr_value_null(schema->fields[c].type);
        if (!wr_vec_init_const(&b->cols[c], &null, b->arena)) return WRI_NOMEM(ctx);
    }
    b->row_count = n;
    return wr_batch_keep(b, h->build.store.holder) ? WR_OK : WRI_NOMEM(ctx);
}

/* ---- driving --------------------------------------------------------------------------------- */
static wr_status
start_probe(wr_ctx *ctx, hash_join_op *h, wr_batch *take_batch)
{
    h->in = take_batch;
    h->n = wr_batch_live(take_batch);
    h->at = h->chain = h->rest_at = 0;
    wr_arena_reset(h->scratch);
    h->matched = wr_arena_zalloc(h->scratch, h->n + 1);
    h->no_key = wr_arena_zalloc(h->scratch, h->n + 1);
    WR_TRY_ALLOC(ctx, h->matched);
    WR_TRY_ALLOC(ctx, h->no_key);
    if (h->probe_key.count == 0) return WR_OK;
    WR_TRY(wri_keys_hash(ctx, &h->probe_key, h->in, h->scratch, &h->keys));
    for (uint32_t k = 0; k < h->probe_key.count; k++) {
        const wr_vec *v = &h->in->cols[h->probe_key.cols[k]];
        if ((h->build.null_equal && h->build.null_equal[k]) ||
            (!v->has_nulls && v->phys != WR_PHYS_NONE))
            continue;
        for (uint32_t i = 0; i < h->n; i++)
            h->no_key[i] |= wr_vec_is_null(v, wr_batch_row(h->in, i));
    }
    return WR_OK;
}

static wr_status
emit_or_drop(wr_ctx *ctx, wr_emitter *emit, wr_batch *out, wr_status status)
{
    if (status == WR_OK && out && wr_batch_live(out) > 0) return wr_emit(ctx, emit, out);
    wr_batch_release(out);
    return status;
}

/* Work on the probe batch until it is through or the output is full. */
static wr_status
go_on_probe(wr_ctx *ctx, hash_join_op *h, wr_emitter *emit)
{
    const bool rest = h->probe_outer || h->probe_keeps;
    while (h->at < h->n || (rest && h->rest_at < h->n)) {
        if (wr_emit_full(emit)) {
            h->op.pending = true;
            return WR_OK;
        }
        wr_batch *out = NULL;
        wr_status status;
        if (h->at < h->n) {
            status = join_piece(ctx, h, &out);
            if (status == WR_OK && !h->pairs_out) {
                wr_batch_release(out);
                out = NULL;
            }
        } else {
            status = rest_of_probe(ctx, h, &out);
        }
        WR_TRY(emit_or_drop(ctx, emit, out, status));
    }
    wr_batch_release(h->in);
    h->in = NULL;
    return WR_OK;
}

static wr_status
go_on(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    hash_join_op *h = (hash_join_op *)op;
    for (;;) {
        if (h->in) WR_TRY(go_on_probe(ctx, h, emit));
        if (op->pending) return WR_OK;
        if (!h->build_done || h->waiting_at == h->waiting.count) break;
        WR_TRY(start_probe(ctx, h, h->waiting.items[h->waiting_at++]));
    }
    while (h->ending && (h->build_outer || h->build_keeps) && h->end_at < h->build.store.rows) {
        if (wr_emit_full(emit)) {
            op->pending = true;
            return WR_OK;
        }
        wr_batch *out = NULL;
        const wr_status status = rest_of_build(ctx, h, &out);
        WR_TRY(emit_or_drop(ctx, emit, out, status));
    }
    return WR_OK;
}

static wr_status
hash_join_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    hash_join_op *h = (hash_join_op *)op;
    if (input == h->build_side) {
        const wr_status status = wri_store_append(ctx, &h->build.store, take_batch);
        wr_batch_release(take_batch);
        return status;
    }
    if (!h->build_done) {
        if (wr_list_push(h->waiting_arena, &h->waiting, take_batch)) return WR_OK;
        wr_batch_release(take_batch);
        return WRI_NOMEM(ctx);
    }
    WR_TRY(start_probe(ctx, h, take_batch));
    return go_on(ctx, op, emit);
}

static wr_status
hash_join_end_input(wr_ctx *ctx, wr_op *op, uint32_t input, wr_emitter *emit)
{
    hash_join_op *h = (hash_join_op *)op;
    if (input != h->build_side) return WR_OK;
    WR_TRY(wri_build_finish(ctx, &h->build, h->build_outer || h->build_keeps));
    h->build_done = true;
    return go_on(ctx, op, emit);
}

static wr_status
hash_join_end(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    ((hash_join_op *)op)->ending = true;
    return go_on(ctx, op, emit);
}

static void
hash_join_close(wr_op *op)
{
    hash_join_op *h = (hash_join_op *)op;
    wr_program_close(h->cond);
    wr_batch_release(h->in);
    h->in = NULL;
    while (h->waiting_at < h->waiting.count) wr_batch_release(h->waiting.items[h->waiting_at++]);
    wri_build_close(&h->build);
    wr_arena_destroy(h->scratch);
    wr_arena_destroy(h->waiting_arena);
}

const wr_op_ops wri_hash_join_ops = {
    .abi = WR_ABI,
    .name = "HashJoin",
    .size_bytes = sizeof(hash_join_op),
    .open = hash_join_open,
    .on_batch = hash_join_batch,
    .on_resume = go_on,
    .on_watermark = wr_op_pass_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = hash_join_end_input,
    .on_end = hash_join_end,
    .close = hash_join_close,
    .snapshot = wr_op_no_snapshot,
    .restore = wr_op_no_restore,
    .committed = wr_op_no_committed,
};
