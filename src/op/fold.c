/* SPDX-License-Identifier: Apache-2.0 */
/* See fold_int.h. The home position of a group is the low half of its hash, which its cell keeps,
 * so growing never looks at records. */
#include "op/fold_int.h"

#define CELLS_MIN       64u
#define BLOCK           256u /* rows resolved together: their cells and records fit the first cache */
#define CHUNK_BYTES_MAX ((size_t)4 << 20)
#define MAP_BYTES       ((size_t)1 << 20) /* from here on memory is mapped, for huge pages */

typedef struct wri_fold_chunk {
    struct wri_fold_chunk *next;
    size_t bytes;
    uint64_t pad[6]; /* pages begin on a cache line */
} wri_fold_chunk;

WR_ALWAYS_INLINE uint32_t
tag_of(uint64_t key)
{
    uint64_t x = key * 0x9e3779b97f4a7c15ull;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ull;
    return (uint32_t)(x >> 32);
}

void
wri_fold_init(wri_fold *f, wr_memtrack *budget, uint32_t record_bytes)
{
    *f = (wri_fold){.budget = budget, .stride = 8 + (record_bytes + 7) / 8 * 8};
}

static size_t
page_bytes(const wri_fold *f)
{
    return (size_t)f->stride << WRI_FOLD_SHIFT;
}

static void *
take_memory(wri_fold *f, size_t bytes)
{
    return bytes >= MAP_BYTES ? wr_mem_map(f->budget, bytes) : wr_mem_zalloc(f->budget, bytes);
}

static void
give_memory(wri_fold *f, void *p, size_t bytes)
{
    if (bytes >= MAP_BYTES)
        wr_mem_unmap(f->budget, p, bytes);
    else
        wr_mem_free(f->budget, p, bytes);
}

void
wri_fold_deinit(wri_fold *f)
{
    if (f->cells) give_memory(f, f->cells, (f->mask + 1) * sizeof *f->cells);
    while (f->chunks) {
        wri_fold_chunk *c = f->chunks;
        f->chunks = c->next;
        give_memory(f, c, c->bytes);
    }
    wr_mem_free(f->budget, f->pages, f->page_cap * sizeof *f->pages);
    f->cells = NULL;
    f->pages = NULL;
    f->page_count = f->page_cap = f->count = 0;
}

/* Room for `more` groups at a load of at most one half. */
static wr_status
reserve(wr_ctx *ctx, wri_fold *f, uint32_t more)
{
    const uint64_t want = (uint64_t)f->count + more, cap = f->cells ? f->mask + 1 : 0;
    if (want >= UINT32_MAX - 1) return wr_raise(ctx, WR_LIMIT, "more than four billion groups");
    if (want * 2 <= cap) return WR_OK;
    uint64_t now = cap ? cap : CELLS_MIN;
    while (now < want * 2) now *= 2;
    uint64_t *cells = take_memory(f, now * sizeof *cells);
    WR_TRY_ALLOC(ctx, cells);
    for (uint64_t i = 0; i < cap; i++) {
        if (!f->cells[i]) continue;
        uint64_t at = (f->cells[i] >> 32) & (now - 1);
        while (cells[at]) at = (at + 1) & (now - 1);
        cells[at] = f->cells[i];
    }
    if (f->cells) give_memory(f, f->cells, cap * sizeof *cells);
    f->cells = cells;
    f->mask = now - 1;
    return WR_OK;
}

/* A zeroed page, cut from chunks that double up to 4 MiB. */
static uint8_t *
take_page(wri_fold *f)
{
    if ((size_t)(f->chunk_end - f->next_page) < page_bytes(f)) {
        const size_t want = WR_MAX(f->chunk_bytes, sizeof(wri_fold_chunk) + page_bytes(f));
        wri_fold_chunk *c = take_memory(f, want);
        if (!c) return NULL;
        c->next = f->chunks;
        c->bytes = want;
        f->chunks = c;
        f->next_page = (uint8_t *)(c + 1);
        f->chunk_end = (uint8_t *)c + want;
        f->chunk_bytes = WR_MIN(want * 2, CHUNK_BYTES_MAX);
    }
    uint8_t *page = f->next_page;
    f->next_page += page_bytes(f);
    return page;
}

static wr_status
add_group(wr_ctx *ctx, wri_fold *f, uint64_t key, uint32_t *out)
{
    const uint32_t page = f->count >> WRI_FOLD_SHIFT;
    if (page == f->page_count) {
        if (page == f->page_cap) {
            const uint32_t cap = f->page_cap ? f->page_cap * 2 : 8;
            uint8_t **more =
                wr_mem_realloc(f->budget, f->pages, f->page_cap * sizeof *more, cap * sizeof *more);
            WR_TRY_ALLOC(ctx, more);
            f->pages = more;
            f->page_cap = cap;
        }
        f->pages[page] = take_page(f);
        WR_TRY_ALLOC(ctx, f->pages[page]);
        f->page_count++;
    }
    *out = f->count++;
    wr_store64(wri_fold_at(f, *out), key);
    return WR_OK;
}

static wr_status
resolve_null(wr_ctx *ctx, wri_fold *f, uint32_t *group)
{
    if (!f->null_group) {
        WR_TRY(add_group(ctx, f, 0, group));
        f->null_group = *group + 1;
    }
    *group = f->null_group - 1;
    return WR_OK;
}

/* One key whose cells and record are near. */
WR_ALWAYS_INLINE wr_status
resolve_one(wr_ctx *ctx, wri_fold *f, uint64_t key, uint32_t tag, uint8_t **rec)
{
    uint64_t at = tag & f->mask;
    for (; f->cells[at]; at = (at + 1) & f->mask) {
        if ((uint32_t)(f->cells[at] >> 32) != tag) continue;
        uint8_t *r = wri_fold_at(f, (uint32_t)f->cells[at] - 1);
        if (wr_load64(r) != key) continue;
        *rec = r + 8;
        return WR_OK;
    }
    uint32_t group;
    WR_TRY(add_group(ctx, f, key, &group));
    f->cells[at] = (uint64_t)tag << 32 | (group + 1);
    *rec = wri_fold_at(f, group) + 8;
    return WR_OK;
}

static wr_status
resolve_block(wr_ctx *ctx, wri_fold *f, const uint64_t *keys, const uint64_t *valid, uint32_t first,
              uint32_t n, uint8_t **recs)
{
    uint32_t tag[BLOCK];
    for (uint32_t i = 0; i < n; i++) tag[i] = tag_of(keys[i]);
    for (uint32_t i = 0; i < n; i++) __builtin_prefetch(&f->cells[tag[i] & f->mask]);
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t cell = f->cells[tag[i] & f->mask];
        if (cell) __builtin_prefetch(wri_fold_at(f, (uint32_t)cell - 1), 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (valid && !wr_bit_get(valid, first + i)) {
            uint32_t group;
            WR_TRY(resolve_null(ctx, f, &group));
            recs[i] = wri_fold_at(f, group) + 8;
            continue;
        }
        WR_TRY(resolve_one(ctx, f, keys[i], tag[i], &recs[i]));
    }
    return WR_OK;
}

wr_status
wri_fold_resolve(wr_ctx *ctx, wri_fold *f, const wr_keys *keys, uint8_t **recs)
{
    WR_TRY(reserve(ctx, f, keys->n));
    for (uint32_t at = 0; at < keys->n; at += BLOCK)
        WR_TRY(resolve_block(ctx, f, keys->fixed + at, keys->valid, at, WR_MIN(BLOCK, keys->n - at),
                             recs + at));
    return WR_OK;
}
