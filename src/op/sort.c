/* SPDX-License-Identifier: Apache-2.0 */
/* SORT and SORT_LIMIT, batch. Rows are collected with their sort keys (bytes in memcmp order). The
 * order is made of pairs (first 8 key bytes, row number): a radix sort over the bytes that differ,
 * stable, then a merge sort of each run that the 8 bytes do not decide. With a limit, what cannot
 * be among the first rows is thrown away whenever enough has been collected. */
#include "op/op_int.h"

#define PRUNE_ROWS_MIN (8u * WR_BATCH_ROWS)

typedef struct pair {
    uint64_t prefix;
    uint32_t row, pad;
} pair;

typedef struct sort_op {
    wr_op op;
    wri_store store, spare; /* spare: empty, what pruning fills */
    wr_sort_key *keys;
    wr_arena *key_arena;
    const uint8_t **key; /* per row; key_len beside */
    uint32_t *key_len;
    uint32_t key_cap;
    pair *pairs, *other; /* the order, and room to sort */
    uint32_t pair_cap;
    int64_t offset, fetch; /* fetch < 0: all */
    uint32_t next, end;    /* positions in the order yet to come out */
} sort_op;

_Static_assert(sizeof(sort_op) <= WRI_SORT_LIMIT_BYTES, "room for SORT_LIMIT");

static wr_status
sort_open(wr_ctx *ctx, wr_op *op)
{
    sort_op *s = (sort_op *)op;
    const wr_pnode *node = op->node;
    wri_store_init(&s->store, op, &node->schema);
    wri_store_init(&s->spare, op, &node->schema);
    s->keys = WR_NEW_N(op->env->arena, wr_sort_key, node->u.sort.key_count + 1);
    WR_TRY_ALLOC(ctx, s->keys);
    for (uint32_t i = 0; i < node->u.sort.key_count; i++)
        s->keys[i] = (wr_sort_key){.col = node->u.sort.keys[i].col,
                                   .desc = node->u.sort.keys[i].desc,
                                   .nulls_last = node->u.sort.keys[i].nulls_last,
                                   .one_zero = node->kind != WR_P_SORT || node->u.sort.one_zero};
    s->offset = WR_MAX(node->u.sort.offset, 0);
    s->fetch = node->kind == WR_P_SORT ? -1 : node->u.sort.fetch;
    s->key_arena = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, s->key_arena);
    return WR_OK;
}

/* ---- collecting ------------------------------------------------------------------------------ */
static wr_status
reserve_keys(wr_ctx *ctx, sort_op *s, uint32_t rows)
{
    if (rows <= s->key_cap) return WR_OK;
    wr_memtrack *m = s->op.env->budget;
    const uint32_t cap = WR_MAX(rows, s->key_cap + s->key_cap / 2 + 64);
    const uint8_t **key =
        wr_mem_realloc(m, (void *)s->key, s->key_cap * sizeof *key, cap * sizeof *key);
    WR_TRY_ALLOC(ctx, key);
    s->key = key;
    uint32_t *len = wr_mem_alloc(m, cap * sizeof *len);
    if (!len) { /* give the room back, so that sizes agree */
        s->key = wr_mem_realloc(m, (void *)key, cap * sizeof *key, s->key_cap * sizeof *key);
        return WRI_NOMEM(ctx);
    }
    if (s->key_cap) memcpy(len, s->key_len, s->key_cap * sizeof *len);
    wr_mem_free(m, s->key_len, s->key_cap * sizeof *len);
    s->key_len = len;
    s->key_cap = cap;
    return WR_OK;
}

static wr_status
collect(wr_ctx *ctx, sort_op *s, const wr_batch *b)
{
    const uint32_t first = s->store.rows;
    wr_bytes bytes;
    if (!wr_sortkey_encode(b, s->keys, s->op.node->u.sort.key_count, s->key_arena, &bytes))
        return WRI_NOMEM(ctx);
    WR_TRY(wri_store_append(ctx, &s->store, b));
    WR_TRY(reserve_keys(ctx, s, s->store.rows));
    for (uint32_t i = 0; i < bytes.n; i++) {
        s->key[first + i] = bytes.data + bytes.off[i];
        s->key_len[first + i] = bytes.off[i + 1] - bytes.off[i];
    }
    return WR_OK;
}

/* ---- ordering -------------------------------------------------------------------------------- */
/* How many first bytes all keys share (at most 8): null markers mostly. */
static uint32_t
common_bytes(const sort_op *s, uint32_t n)
{
    uint32_t same = 8;
    for (uint32_t i = 0; i < n && same; i++) {
        same = WR_MIN(same, s->key_len[i]);
        while (same && memcmp(s->key[i], s->key[0], same) != 0) same--;
    }
    return same;
}

static void
make_prefixes(sort_op *s, uint32_t n, uint32_t skip)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t p = 0;
        const uint32_t len = s->key_len[i] - skip;
        memcpy(&p, s->key[i] + skip, WR_MIN(len, 8u));
        s->pairs[i] = (pair){.prefix = __builtin_bswap64(p), .row = i};
    }
}

/* Least significant byte first; bytes that are the same everywhere are skipped. */
static void
radix_sort(sort_op *s, uint32_t n)
{
    uint64_t differ = 0;
    for (uint32_t i = 1; i < n; i++) differ |= s->pairs[i].prefix ^ s->pairs[0].prefix;
    for (uint32_t shift = 0; shift < 64; shift += 8) {
        if (!(differ >> shift & 0xff)) continue;
        uint32_t at[257] = {0};
        for (uint32_t i = 0; i < n; i++) at[(s->pairs[i].prefix >> shift & 0xff) + 1]++;
        for (uint32_t i = 0; i < 256; i++) at[i + 1] += at[i];
        for (uint32_t i = 0; i < n; i++)
            s->other[at[s->pairs[i].prefix >> shift & 0xff]++] = s->pairs[i];
        pair *t = s->pairs;
        s->pairs = s->other;
        s->other = t;
    }
}

/* Keys of two rows beyond the first `from` bytes. */
static int
compare_rest(const sort_op *s, uint32_t a, uint32_t b, uint32_t from)
{
    const uint32_t la = s->key_len[a], lb = s->key_len[b], n = WR_MIN(la, lb);
    const int c = n > from ? memcmp(s->key[a] + from, s->key[b] + from, n - from) : 0;
    return c ? c : (la > lb) - (la < lb);
}

static void
merge_run(sort_op *s, uint32_t lo, uint32_t hi, uint32_t from)
{
    pair *a = s->pairs, *tmp = s->other;
    for (uint32_t width = 1; width < hi - lo; width *= 2) {
        for (uint32_t l = lo; l < hi; l += 2 * width) {
            const uint32_t mid = WR_MIN(l + width, hi), end = WR_MIN(l + 2 * width, hi);
            uint32_t i = l, j = mid;
            for (uint32_t k = l; k < end; k++) {
                const bool left =
                    j >= end || (i < mid && compare_rest(s, a[i].row, a[j].row, from) <= 0);
                tmp[k] = left ? a[i++] : a[j++];
            }
        }
        memcpy(a + lo, tmp + lo, (hi - lo) * sizeof *a);
    }
}

static wr_status
order(wr_ctx *ctx, sort_op *s)
{
    const uint32_t n = s->store.rows;
    if (n > s->pair_cap) {
        wr_memtrack *m = s->op.env->budget;
        wr_mem_free(m, s->pairs, s->pair_cap * sizeof(pair));
        wr_mem_free(m, s->other, s->pair_cap * sizeof(pair));
        s->pair_cap = 0;
        s->other = NULL;
        s->pairs = wr_mem_alloc(m, n * sizeof(pair));
        WR_TRY_ALLOC(ctx, s->pairs);
        s->other = wr_mem_alloc(m, n * sizeof(pair));
        if (!s->other) {
            wr_mem_free(m, s->pairs, n * sizeof(pair));
            s->pairs = NULL;
            return WRI_NOMEM(ctx);
        }
        s->pair_cap = n;
    }
    const uint32_t skip = common_bytes(s, n);
    make_prefixes(s, n, skip);
    radix_sort(s, n);
    for (uint32_t lo = 0; lo < n;) {
        uint32_t hi = lo + 1;
        while (hi < n && s->pairs[hi].prefix == s->pairs[lo].prefix) hi++;
        if (hi - lo > 1) merge_run(s, lo, hi, skip); /* zero padding may hide a shorter key */
        lo = hi;
    }
    return WR_OK;
}

/* ---- limits ---------------------------------------------------------------------------------- */
static uint64_t
wanted(const sort_op *s)
{
    if (s->fetch < 0) return UINT64_MAX;
    return (uint64_t)s->offset + (uint64_t)s->fetch;
}

/* Keep the first rows only, in their order; keys are made again. */
static wr_status
prune(wr_ctx *ctx, sort_op *s)
{
    WR_TRY(order(ctx, s));
    const uint32_t keep = (uint32_t)WR_MIN(wanted(s), s->store.rows);
    wri_store *kept = &s->spare;
    wr_status status = wri_store_freeze(ctx, &s->store);
    wr_arena_reset(s->key_arena);
    for (uint32_t at = 0; status == WR_OK && at < keep; at += WR_BATCH_ROWS) {
        const uint32_t n = WR_MIN(keep - at, WR_BATCH_ROWS);
        wr_batch *b = wr_batch_acquire(s->op.env->pool, s->op.node->schema.count);
        uint32_t *rows = b ? wr_arena_alloc(b->arena, sizeof *rows * n) : NULL;
        if (!rows) {
            status = WRI_NOMEM(ctx);
        } else {
            for (uint32_t i = 0; i < n; i++) rows[i] = s->pairs[at + i].row;
            status = wri_store_gather(ctx, &s->store, rows, n, b->cols, b->arena);
            b->row_count = n;
        }
        if (status == WR_OK) status = wri_store_append(ctx, kept, b);
        wr_batch_release(b);
    }
    wri_store_clear(&s->store);
    const wri_store emptied = s->store;
    s->store = *kept;
    *kept = emptied;
    for (uint32_t c = 0; status == WR_OK && c < s->store.chunk_count; c++) {
        wr_bytes bytes;
        if (!wr_sortkey_encode(s->store.chunks[c], s->keys, s->op.node->u.sort.key_count,
                               s->key_arena, &bytes))
            return WRI_NOMEM(ctx);
        for (uint32_t i = 0; i < bytes.n; i++) {
            s->key[(c << WRI_STORE_SHIFT) + i] = bytes.data + bytes.off[i];
            s->key_len[(c << WRI_STORE_SHIFT) + i] = bytes.off[i + 1] - bytes.off[i];
        }
    }
    return status;
}

static wr_status
sort_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input, (void)emit;
    sort_op *s = (sort_op *)op;
    wr_status status = collect(ctx, s, take_batch);
    wr_batch_release(take_batch);
    if (status == WR_OK && s->store.rows >= PRUNE_ROWS_MIN && s->store.rows / 4 > wanted(s))
        status = prune(ctx, s);
    return status;
}

/* ---- output ---------------------------------------------------------------------------------- */
static wr_status
emit_rows(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    sort_op *s = (sort_op *)op;
    while (s->next < s->end) {
        if (wr_emit_full(emit)) {
            op->pending = true;
            return WR_OK;
        }
        const uint32_t n = WR_MIN(s->end - s->next, WR_BATCH_ROWS);
        wr_batch *out = wr_batch_acquire(op->env->pool, op->node->schema.count);
        uint32_t *rows = out ? wr_arena_alloc(out->arena, sizeof *rows * n) : NULL;
        wr_status status = rows && wr_batch_keep(out, s->store.holder) ? WR_OK : WRI_NOMEM(ctx);
        if (status == WR_OK) {
            for (uint32_t i = 0; i < n; i++) rows[i] = s->pairs[s->next + i].row;
            status = wri_store_gather(ctx, &s->store, rows, n, out->cols, out->arena);
            out->row_count = n;
        }
        if (status != WR_OK) {
            wr_batch_release(out);
            return status;
        }
        s->next += n;
        WR_TRY(wr_emit(ctx, emit, out));
    }
    return WR_OK;
}

static wr_status
sort_end(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    sort_op *s = (sort_op *)op;
    if (s->store.rows == 0) return WR_OK;
    WR_TRY(order(ctx, s));
    WR_TRY(wri_store_freeze(ctx, &s->store));
    s->end = (uint32_t)WR_MIN(wanted(s), s->store.rows);
    s->next = (uint32_t)WR_MIN((uint64_t)s->offset, s->end);
    return emit_rows(ctx, op, emit);
}

static void
sort_close(wr_op *op)
{
    sort_op *s = (sort_op *)op;
    wr_memtrack *m = op->env->budget;
    wri_store_deinit(&s->store);
    wri_store_deinit(&s->spare);
    wr_arena_destroy(s->key_arena);
    wr_mem_free(m, (void *)s->key, s->key_cap * sizeof *s->key);
    wr_mem_free(m, s->key_len, s->key_cap * sizeof *s->key_len);
    wr_mem_free(m, s->pairs, s->pair_cap * sizeof(pair));
    wr_mem_free(m, s->other, s->pair_cap * sizeof(pair));
}

const wr_op_ops wri_sort_ops = {
    .abi = WR_ABI,
    .name = "Sort",
    .size_bytes = sizeof(sort_op),
    .open = sort_open,
    .on_batch = sort_batch,
    .on_resume = emit_rows,
    .on_watermark = wr_op_pass_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = sort_end,
    .close = sort_close,
    .snapshot = wr_op_no_snapshot,
    .restore = wr_op_no_restore,
    .committed = wr_op_no_committed,
};
