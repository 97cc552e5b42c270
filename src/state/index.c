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

void
wri_shard_free(wri_table *t, wri_shard *s)
{
    if (s->cells)
        wr_mem_free(wri_backend_of(t)->budget, s->cells, ((size_t)s->mask + 1) * sizeof *s->cells);
    s->cells = NULL;
}
