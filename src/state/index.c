/* SPDX-License-Identifier: Apache-2.0 */
/* One shard of an index: linear probing over 8-byte cells that hold the low half of the hash, which
 * is also the home position, so that growing and removing never look at entries. Removal shifts
 * cells back, so there are no tombstones. */
#include "state/state_int.h"

#define CELLS_MIN 8u

static uint64_t
cell_of(uint64_t hash, uint32_t entry)
{
    return hash << 32 | ((uint64_t)entry + 1);
}

static void
put(uint64_t *cells, uint32_t mask, uint64_t cell)
{
    uint32_t at = (uint32_t)(cell >> 32) & mask;
    while (cells[at]) at = (at + 1) & mask;
    cells[at] = cell;
}

static wr_status
grow(wr_ctx *ctx, wri_table *t, wri_shard *s)
{
    wr_memtrack *budget = wri_backend_of(t)->budget;
    const size_t old = s->cells ? (size_t)s->mask + 1 : 0, cap = old ? old * 2 : CELLS_MIN;
    if (cap > (size_t)1 << 31) return wr_raise(ctx, WR_LIMIT, "too many keys in one key group");
    uint64_t *cells = wr_mem_zalloc(budget, cap * sizeof *cells);
    WR_TRY_ALLOC(ctx, cells);
    for (size_t i = 0; i < old; i++)
        if (s->cells[i]) put(cells, (uint32_t)cap - 1, s->cells[i]);
    wr_mem_free(budget, s->cells, old * sizeof *cells);
    s->cells = cells;
    s->mask = (uint32_t)cap - 1;
    return WR_OK;
}

wr_status
wri_shard_insert(wr_ctx *ctx, wri_table *t, wri_shard *s, uint64_t hash, uint32_t entry)
{
    if (!s->cells || s->count + 1 > (s->mask + 1) / 3 * 2) WR_TRY(grow(ctx, t, s));
    put(s->cells, s->mask, cell_of(hash, entry));
    s->count++;
    return WR_OK;
}

void
wri_shard_remove(wri_shard *s, uint64_t hash, uint32_t entry)
{
    const uint64_t cell = cell_of(hash, entry);
    uint32_t at = (uint32_t)hash & s->mask;
    while (s->cells[at] != cell) {
        WR_ASSERT(s->cells[at] != 0);
        at = (at + 1) & s->mask;
    }
    for (uint32_t next = (at + 1) & s->mask; s->cells[next]; next = (next + 1) & s->mask) {
        const uint32_t home = (uint32_t)(s->cells[next] >> 32) & s->mask;
        /* May it move to `at`? Yes unless its home lies in (at, next]. */
        if (((next - home) & s->mask) < ((next - at) & s->mask)) continue;
        s->cells[at] = s->cells[next];
        at = next;
    }
    s->cells[at] = 0;
    s->count--;
}

/* ---- all at once, after a restore ------------------------------------------------------------ */

#define AHEAD 32u

WR_ALWAYS_INLINE wri_shard *
shard_of(const wri_table *t, uint64_t hash)
{
    if (t->shape == WR_STATE_MAP) return &t->shards[hash >> WRI_MAP_SHARD_SHIFT];
    const wri_backend *b = wri_backend_of(t);
    return &t->shards[wr_key_group(hash, b->max_parallelism) - b->kg_first];
}

/* Cells for `count` entries, two thirds full at most. */
static wr_status
size_shard(wr_ctx *ctx, wri_table *t, wri_shard *s)
{
    size_t cap = CELLS_MIN;
    while (s->count > cap / 3 * 2) cap *= 2;
    if (cap > (size_t)1 << 31) return wr_raise(ctx, WR_LIMIT, "too many keys in one key group");
    s->cells = wr_mem_zalloc(wri_backend_of(t)->budget, cap * sizeof *s->cells);
    WR_TRY_ALLOC(ctx, s->cells);
    s->mask = (uint32_t)cap - 1;
    return WR_OK;
}

static bool
same_key(const wri_table *t, const wri_head *a, const wri_head *b)
{
    if (a->hash != b->hash || a->key_len != b->key_len) return false;
    if (t->shape == WR_STATE_MAP && ((const wri_link *)(const void *)(a + 1))->slot !=
                                        ((const wri_link *)(const void *)(b + 1))->slot)
        return false;
    return a->key_len <= 8 ? a->key == b->key
                           : memcmp(wri_key_of(a), wri_key_of(b), a->key_len) == 0;
}

/* False: the key is there already. */
static bool
put_entry(const wri_table *t, wri_shard *s, const wri_head *h)
{
    const uint64_t cell = cell_of(h->hash, h->self);
    for (uint32_t at = (uint32_t)h->hash & s->mask;; at = (at + 1) & s->mask) {
        if (!s->cells[at]) {
            s->cells[at] = cell;
            return true;
        }
        if (s->cells[at] >> 32 == cell >> 32 &&
            same_key(t, h, wri_head_of(t, (uint32_t)s->cells[at] - 1)))
            return false;
    }
}

/* Entries are looked at in order, their cells at random: these are fetched some entries ahead. */
static wr_status
put_all(wr_ctx *ctx, wri_table *t)
{
    for (uint32_t i = 0; i < t->used; i++) {
        const wri_head *ahead = i + AHEAD < t->used ? wri_head_of(t, i + AHEAD) : NULL;
        if (ahead && ahead->key_len != WRI_FREE) {
            const wri_shard *s = shard_of(t, ahead->hash);
            __builtin_prefetch(&s->cells[(uint32_t)ahead->hash & s->mask], 1);
        }
        const wri_head *h = wri_head_of(t, i);
        if (h->key_len != WRI_FREE && !put_entry(t, shard_of(t, h->hash), h))
            return wr_raise(ctx, WR_CORRUPT, "state '%.*s' is damaged: a key is there twice",
                            WR_STR_ARG(t->info.logical_id));
    }
    return WR_OK;
}

wr_status
wri_index_build(wr_ctx *ctx, wri_table *t)
{
    for (uint32_t i = 0; i < t->used; i++) {
        const wri_head *h = wri_head_of(t, i);
        if (h->key_len != WRI_FREE) shard_of(t, h->hash)->count++;
    }
    for (uint32_t i = 0; i < t->shard_count; i++) {
        if (t->shards[i].count) WR_TRY(size_shard(ctx, t, &t->shards[i]));
    }
    return put_all(ctx, t);
}

void
wri_shard_free(wri_table *t, wri_shard *s)
{
    if (s->cells)
        wr_mem_free(wri_backend_of(t)->budget, s->cells, ((size_t)s->mask + 1) * sizeof *s->cells);
    s->cells = NULL;
}
