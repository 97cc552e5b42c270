/* SPDX-License-Identifier: Apache-2.0 */
/* One shard of an index: linear probing over 8-byte cells that hold the low half of the hash, which
 * is also the home position, so that growing and removing never look at entries. Removal shifts
 * cells back, so there are no tombstones. */
#include "state/restore_int.h"

#define CELLS_MIN    8u
#define MAPPED_BYTES ((size_t)2 << 20)

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

/* Many cells are mapped: they are met at random, and huge pages spare the misses of the TLB. */
static uint64_t *
new_cells(wr_memtrack *budget, size_t count)
{
    const size_t bytes = count * sizeof(uint64_t);
    return bytes >= MAPPED_BYTES ? wr_mem_map(budget, bytes) : wr_mem_zalloc(budget, bytes);
}

static void
free_cells(wr_memtrack *budget, uint64_t *cells, size_t count)
{
    const size_t bytes = count * sizeof *cells;
    if (bytes >= MAPPED_BYTES)
        wr_mem_unmap(budget, cells, bytes);
    else
        wr_mem_free(budget, cells, bytes);
}

/* At least `cap` cells, a power of two, and more than before. */
static wr_status
grow_to(wr_ctx *ctx, wri_table *t, wri_shard *s, size_t cap)
{
    wr_memtrack *budget = wri_backend_of(t)->budget;
    const size_t old = s->cells ? (size_t)s->mask + 1 : 0;
    if (cap > (size_t)1 << 31) return wr_raise(ctx, WR_LIMIT, "too many keys in one key group");
    uint64_t *cells = new_cells(budget, cap);
    WR_TRY_ALLOC(ctx, cells);
    for (size_t i = 0; i < old; i++)
        if (s->cells[i]) put(cells, (uint32_t)cap - 1, s->cells[i]);
    free_cells(budget, s->cells, old);
    s->cells = cells;
    s->mask = (uint32_t)cap - 1;
    return WR_OK;
}

/* Room for one more; two thirds full at most. */
static wr_status
grow(wr_ctx *ctx, wri_table *t, wri_shard *s)
{
    return grow_to(ctx, t, s, s->cells ? ((size_t)s->mask + 1) * 2 : CELLS_MIN);
}

static bool
is_full(const wri_shard *s)
{
    return !s->cells || s->count + 1 > (s->mask + 1) / 3 * 2;
}

wr_status
wri_shard_insert(wr_ctx *ctx, wri_table *t, wri_shard *s, uint64_t hash, uint32_t entry)
{
    if (is_full(s)) WR_TRY(grow(ctx, t, s));
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

/* ---- as a restore fills a table -------------------------------------------------------------- */

#define ROOM_MOST ((uint64_t)1 << 31) /* whoever claims more entries is not believed */
#define AHEAD     16u
#ifdef WR_TINY
#define WAITING_MOST 2u
#else
#define WAITING_MOST 4096u /* cells of a shard */
#endif

WR_ALWAYS_INLINE uint32_t
shard_of(const wri_table *t, uint64_t hash)
{
    if (t->shape == WR_STATE_MAP) return (uint32_t)(hash >> WRI_MAP_SHARD_SHIFT);
    const wri_backend *b = wri_backend_of(t);
    return wr_key_group(hash, b->max_parallelism) - b->kg_first;
}

/* Cells that wait for their shard: a stretch of each. */
static wr_status
make_waiting(wr_ctx *ctx, wri_table *t, wri_indexing *x)
{
    wr_memtrack *budget = wri_backend_of(t)->budget;
    x->shards = t->shard_count;
    x->waiting = wr_mem_zalloc(budget, x->shards * sizeof *x->waiting);
    WR_TRY_ALLOC(ctx, x->waiting);
    x->cells = wr_mem_alloc(budget, (size_t)x->shards * WAITING_MOST * sizeof *x->cells);
    WR_TRY_ALLOC(ctx, x->cells);
    return WR_OK;
}

wr_status
wri_index_begin(wr_ctx *ctx, wri_table *t, wri_indexing *x, uint64_t entries)
{
    *x = (wri_indexing){0};
    uint64_t each = WR_MIN(entries, ROOM_MOST) / t->shard_count;
    if (!each) return WR_OK;
    each += each / 32; /* no shard has just its share */
    size_t cap = CELLS_MIN;
    while (each > cap / 3 * 2) cap *= 2;
    for (uint32_t i = 0; i < t->shard_count; i++)
        if (!t->shards[i].cells) WR_TRY(grow_to(ctx, t, &t->shards[i], cap));
    return each >= WAITING_MOST ? make_waiting(ctx, t, x) : WR_OK;
}

void
wri_index_close(wri_table *t, wri_indexing *x)
{
    wr_memtrack *budget = wri_backend_of(t)->budget;
    wr_mem_free(budget, x->waiting, x->shards * sizeof *x->waiting);
    wr_mem_free(budget, x->cells, (size_t)x->shards * WAITING_MOST * sizeof *x->cells);
    *x = (wri_indexing){0};
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

static wr_status
put_new(wr_ctx *ctx, wri_table *t, wri_shard *s, uint64_t cell)
{
    if (is_full(s)) WR_TRY(grow(ctx, t, s));
    uint32_t at = (uint32_t)(cell >> 32) & s->mask;
    for (; s->cells[at]; at = (at + 1) & s->mask)
        if (s->cells[at] >> 32 == cell >> 32 &&
            same_key(t, wri_head_of(t, (uint32_t)cell - 1),
                     wri_head_of(t, (uint32_t)s->cells[at] - 1)))
            return wr_raise(ctx, WR_CORRUPT, "state '%.*s' is damaged: a key is there twice",
                            WR_STR_ARG(t->info.logical_id));
    s->cells[at] = cell;
    s->count++;
    return WR_OK;
}

static wr_status
put_waiting(wr_ctx *ctx, wri_table *t, wri_indexing *x, uint32_t shard)
{
    wri_shard *s = &t->shards[shard];
    const uint64_t *cells = x->cells + (size_t)shard * WAITING_MOST;
    const uint32_t count = x->waiting[shard];
    x->waiting[shard] = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i + AHEAD < count && s->cells)
            __builtin_prefetch(&s->cells[(uint32_t)(cells[i + AHEAD] >> 32) & s->mask], 1);
        WR_TRY(put_new(ctx, t, s, cells[i]));
    }
    return WR_OK;
}

wr_status
wri_index_add(wr_ctx *ctx, wri_table *t, wri_indexing *x, uint64_t hash, uint32_t entry)
{
    const uint32_t shard = shard_of(t, hash);
    if (!x->cells) return put_new(ctx, t, &t->shards[shard], cell_of(hash, entry));
    if (x->waiting[shard] == WAITING_MOST) WR_TRY(put_waiting(ctx, t, x, shard));
    x->cells[(size_t)shard * WAITING_MOST + x->waiting[shard]++] = cell_of(hash, entry);
    return WR_OK;
}

wr_status
wri_index_end(wr_ctx *ctx, wri_table *t, wri_indexing *x)
{
    for (uint32_t i = 0; i < x->shards; i++) WR_TRY(put_waiting(ctx, t, x, i));
    return WR_OK;
}

void
wri_shard_free(wri_table *t, wri_shard *s)
{
    if (s->cells) free_cells(wri_backend_of(t)->budget, s->cells, (size_t)s->mask + 1);
    s->cells = NULL;
}
