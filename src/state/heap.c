/* SPDX-License-Identifier: Apache-2.0 */
/* A heap of size classes for keys and blobs: multiples of 16 bytes up to 256, then four steps per
 * power of two up to 32 KiB, each with a free list, cut from chunks. Bigger ones are allocations of
 * their own. The caller tells the size again when it frees. */
#include "state/state_int.h"

#define SMALL_MAX  256u
#define CLASS_MAX  32768u
#define CHUNK_MAX  ((size_t)2 << 20)
#define CHUNK_HEAD ((sizeof(wri_chunk) + 15) / 16 * 16)

typedef struct wri_big { /* before an allocation of its own */
    struct wri_big *next, *prev;
    size_t bytes;
    size_t pad;
} wri_big;
_Static_assert(sizeof(wri_big) % 16 == 0, "alignment of big blocks");

static uint32_t
log2_floor(uint32_t x)
{
    return 31u - (uint32_t)__builtin_clz(x);
}

/* Class of a size up to CLASS_MAX and the bytes that class has. */
static uint32_t
class_of(uint32_t size, uint32_t *bytes)
{
    if (size <= SMALL_MAX) {
        const uint32_t c = size ? (size + 15) / 16 - 1 : 0;
        *bytes = (c + 1) * 16;
        return c;
    }
    const uint32_t power = log2_floor(size - 1); /* 2^power < size <= 2^(power + 1) */
    const uint32_t step = 1u << (power - 2);
    const uint32_t k = (size - (1u << power) + step - 1) / step; /* 1..4 */
    *bytes = (1u << power) + k * step;
    return 16 + (power - 8) * 4 + (k - 1);
}

void
wri_heap_init(wri_heap *h, wr_memtrack *budget)
{
    memset(h, 0, sizeof *h);
    h->budget = budget;
    h->chunk_bytes = WR_STATE_PAGE_BYTES;
}

void
wri_heap_deinit(wri_heap *h)
{
    while (h->chunks) {
        wri_chunk *c = h->chunks;
        h->chunks = c->next;
        if (c->mapped)
            wr_mem_unmap(h->budget, c, c->bytes);
        else
            wr_mem_free(h->budget, c, c->bytes);
    }
    while (h->bigs) {
        wri_big *b = h->bigs;
        h->bigs = b->next;
        wr_mem_free(h->budget, b, b->bytes);
    }
}

static void *
alloc_big(wri_heap *h, uint32_t size)
{
    const size_t bytes = sizeof(wri_big) + size;
    wri_big *b = wr_mem_alloc(h->budget, bytes);
    if (!b) return NULL;
    b->bytes = bytes;
    b->prev = NULL;
    b->next = h->bigs;
    if (b->next) b->next->prev = b;
    h->bigs = b;
    h->live += bytes;
    return b + 1;
}

static bool
more(wri_heap *h, uint32_t bytes)
{
    const size_t want = WR_MAX(h->chunk_bytes, CHUNK_HEAD + bytes);
    const bool mapped =
        want >= CHUNK_MAX; /* huge pages can back it: a fault for 2 MiB, not 4 KiB */
    wri_chunk *c = mapped ? wr_mem_map(h->budget, want) : wr_mem_alloc(h->budget, want);
    if (!c) return false;
    c->next = h->chunks;
    c->bytes = want;
    c->mapped = mapped;
    h->chunks = c;
    h->at = (uint8_t *)c + CHUNK_HEAD;
    h->end = (uint8_t *)c + want;
    h->chunk_bytes = WR_MIN(h->chunk_bytes * 2, CHUNK_MAX);
    return true;
}

void *
wri_heap_alloc(wri_heap *h, uint32_t size)
{
    if (size > CLASS_MAX) return alloc_big(h, size);
    uint32_t bytes;
    const uint32_t c = class_of(size, &bytes);
    void *p = h->free[c];
    if (p) {
        memcpy(&h->free[c], p, sizeof(void *));
        h->live += bytes;
        return p;
    }
    if ((size_t)(h->end - h->at) < bytes && !more(h, bytes)) return NULL;
    p = h->at;
    h->at += bytes;
    h->live += bytes;
    return p;
}

void
wri_heap_free(wri_heap *h, void *p, uint32_t size)
{
    if (!p) return;
    if (size > CLASS_MAX) {
        wri_big *b = (wri_big *)p - 1;
        if (b->prev)
            b->prev->next = b->next;
        else
            h->bigs = b->next;
        if (b->next) b->next->prev = b->prev;
        h->live -= b->bytes;
        wr_mem_free(h->budget, b, b->bytes);
        return;
    }
    uint32_t bytes;
    const uint32_t c = class_of(size, &bytes);
    memcpy(p, &h->free[c], sizeof(void *));
    h->free[c] = p;
    h->live -= bytes;
}

uint32_t
wri_heap_room(uint32_t size)
{
    if (size > CLASS_MAX) return size;
    uint32_t bytes;
    (void)class_of(size, &bytes);
    return bytes;
}
