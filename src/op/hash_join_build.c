/* SPDX-License-Identifier: Apache-2.0 */
/* The build side of a batch join: a chained hash table over the rows of a store. Chains run in the
 * order of the rows. Rows with a NULL in a key column where NULL equals nothing are not in it. */
#include "op/hash_join_int.h"

wr_status
wri_build_open(wr_ctx *ctx, wri_build *b, wr_op *op, uint32_t side)
{
    const wr_pnode *node = op->node;
    wri_store_init(&b->store, op, &node->inputs[side]->schema);
    b->null_equal = node->u.join.null_equal;
    return wri_keyspec_init(ctx, op, node->inputs[side],
                            side ? node->u.join.right_keys : node->u.join.left_keys,
                            node->u.join.key_count, &b->key);
}

static bool
null_key(const wri_build *b, const wr_batch *chunk, uint32_t row)
{
    for (uint32_t k = 0; k < b->key.count; k++)
        if (!(b->null_equal && b->null_equal[k]) &&
            wr_vec_is_null(&chunk->cols[b->key.cols[k]], row))
            return true;
    return false;
}

static wr_status
allocate(wr_ctx *ctx, wri_build *b, bool track)
{
    wr_memtrack *m = b->store.op->env->budget;
    const uint32_t rows = b->store.rows;
    if (track) {
        b->matched_bytes = (WR_BIT_WORDS(rows) + 1) * sizeof(uint64_t);
        b->matched = wr_mem_zalloc(m, b->matched_bytes);
        WR_TRY_ALLOC(ctx, b->matched);
    }
    if (b->key.count == 0) return WR_OK;
    uint64_t cap = 16;
    while (cap < (uint64_t)rows * 2) cap *= 2;
    cap = WR_MIN(cap, 1ull << 31);
    b->mask = (uint32_t)cap - 1;
    b->heads_bytes = cap * sizeof(uint32_t);
    b->heads = b->heads_bytes > 1u << 20 ? wr_mem_map(m, b->heads_bytes)
                                         : wr_mem_zalloc(m, b->heads_bytes);
    WR_TRY_ALLOC(ctx, b->heads);
    b->row_bytes = ((size_t)rows + 1) * sizeof(uint32_t);
    b->next = wr_mem_alloc(m, b->row_bytes);
    WR_TRY_ALLOC(ctx, b->next);
    b->tags = wr_mem_alloc(m, b->row_bytes);
    WR_TRY_ALLOC(ctx, b->tags);
    if (b->key.fixed && !(b->null_equal && b->null_equal[0])) {
        b->fixed_bytes = ((size_t)rows + 1) * sizeof(uint64_t);
        b->fixed = wr_mem_alloc(m, b->fixed_bytes);
        WR_TRY_ALLOC(ctx, b->fixed);
    }
    return WR_OK;
}

/* Rows of one chunk, last first, so that chains run forward. */
static wr_status
hash_chunk(wr_ctx *ctx, wri_build *b, uint32_t c, wr_arena *scratch)
{
    const wr_batch *chunk = b->store.chunks[c];
    wr_keys keys;
    WR_TRY(wri_keys_hash(ctx, &b->key, chunk, scratch, &keys));
    for (uint32_t i = chunk->row_count; i-- > 0;) {
        const uint32_t row = (c << WRI_STORE_SHIFT) + i;
        if (null_key(b, chunk, i)) {
            b->has_null_key = true;
            continue;
        }
        uint32_t *head = &b->heads[(uint32_t)keys.hash[i] & b->mask];
        b->next[row] = *head;
        *head = row + 1;
        b->tags[row] = (uint32_t)(keys.hash[i] >> 32);
        if (b->fixed) b->fixed[row] = keys.fixed[i];
    }
    return WR_OK;
}

wr_status
wri_build_finish(wr_ctx *ctx, wri_build *b, bool track)
{
    WR_TRY(wri_store_freeze(ctx, &b->store));
    WR_TRY(allocate(ctx, b, track));
    if (b->key.count == 0) return WR_OK;
    wr_arena *scratch = wr_arena_create(b->store.op->env->budget, 0);
    WR_TRY_ALLOC(ctx, scratch);
    wr_status status = WR_OK;
    for (uint32_t c = b->store.chunk_count; c-- > 0 && status == WR_OK;) {
        wr_arena_reset(scratch);
        status = hash_chunk(ctx, b, c, scratch);
    }
    wr_arena_destroy(scratch);
    return status;
}

void
wri_build_close(wri_build *b)
{
    if (!b->store.op) return;
    wr_memtrack *m = b->store.op->env->budget;
    if (b->heads && b->heads_bytes > 1u << 20)
        wr_mem_unmap(m, b->heads, b->heads_bytes);
    else
        wr_mem_free(m, b->heads, b->heads ? b->heads_bytes : 0);
    wr_mem_free(m, b->next, b->next ? b->row_bytes : 0);
    wr_mem_free(m, b->tags, b->tags ? b->row_bytes : 0);
    wr_mem_free(m, b->fixed, b->fixed ? b->fixed_bytes : 0);
    wr_mem_free(m, b->matched, b->matched ? b->matched_bytes : 0);
    b->heads = b->next = b->tags = NULL;
    b->fixed = b->matched = NULL;
    wri_store_deinit(&b->store);
}
