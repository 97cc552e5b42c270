/* SPDX-License-Identifier: Apache-2.0 */
/* Bags: objects by name in a sorted array, each with the arena it lives in. A catalog has hundreds
 * of objects, seldom many thousands; a binary search and a memmove are enough. Thread: session's.
 */
#include "catalog/catalog_int.h"

#define OBJECT_BLOCK_BYTES 1024u

wri_home *
wri_home_create(void)
{
    wr_arena *arena = wr_arena_create(NULL, OBJECT_BLOCK_BYTES);
    wri_home *h = arena ? WR_NEW(arena, wri_home) : NULL;
    if (!h) {
        wr_arena_destroy(arena);
        return NULL;
    }
    h->arena = arena;
    return h;
}

void
wri_home_destroy(wri_home *h)
{
    if (h) wr_arena_destroy(h->arena);
}

void
wri_bury(wri_graves *g, wri_home *h)
{
    if (!h) return;
    h->next = g->first;
    g->first = h;
}

void
wri_graves_free(wri_graves *g)
{
    for (wri_home *h = g->first, *next; h; h = next) {
        next = h->next;
        wri_home_destroy(h);
    }
    g->first = NULL;
}

/* Position of `name`, or where it belongs. */
static uint32_t
lower_bound(const wri_bag *b, wr_str name)
{
    uint32_t lo = 0, hi = b->count;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (wr_str_cmp(b->items[mid].name, name) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

wri_entry *
wri_bag_find(const wri_bag *b, wr_str name)
{
    uint32_t at = lower_bound(b, name);
    return at < b->count && wr_str_eq(b->items[at].name, name) ? &b->items[at] : NULL;
}

/* Room for one more; the array belongs to no budget, as the catalogs themselves. */
static bool
reserve(wri_bag *b)
{
    if (b->count < b->cap) return true;
    uint32_t bigger = b->cap ? b->cap * 2 : 8;
    wri_entry *p =
        wr_mem_realloc(NULL, b->items, b->cap * sizeof *b->items, bigger * sizeof *b->items);
    if (!p) return false;
    b->items = p;
    b->cap = bigger;
    return true;
}

bool
wri_bag_put(wri_bag *b, wri_graves *g, wr_str name, void *item, wri_home *take_home)
{
    uint32_t at = lower_bound(b, name);
    if (at < b->count && wr_str_eq(b->items[at].name, name)) {
        wri_bury(g, b->items[at].home);
    } else {
        if (!reserve(b)) {
            wri_home_destroy(take_home);
            return false;
        }
        memmove(b->items + at + 1, b->items + at, (b->count - at) * sizeof *b->items);
        b->count++;
    }
    b->items[at] = (wri_entry){.name = name, .item = item, .home = take_home};
    return true;
}

void
wri_bag_remove(wri_bag *b, wri_graves *g, wr_str name)
{
    uint32_t at = lower_bound(b, name);
    if (at == b->count || !wr_str_eq(b->items[at].name, name)) return;
    wri_bury(g, b->items[at].home);
    memmove(b->items + at, b->items + at + 1, (b->count - at - 1) * sizeof *b->items);
    b->count--;
}

void
wri_bag_bury(wri_bag *b, wri_graves *g)
{
    for (uint32_t i = 0; i < b->count; i++) wri_bury(g, b->items[i].home);
    b->count = 0;
    wri_bag_free(b);
}

void
wri_bag_free(wri_bag *b)
{
    for (uint32_t i = 0; i < b->count; i++) wri_home_destroy(b->items[i].home);
    wr_mem_free(NULL, b->items, b->cap * sizeof *b->items);
    *b = (wri_bag){0};
}

wr_status
wri_bag_names(wr_ctx *ctx, const wri_bag *b, wr_arena *a, wr_str **names, uint32_t *count)
{
    wr_str *out = WR_NEW_N(a, wr_str, b->count + 1);
    WR_TRY_ALLOC(ctx, out);
    for (uint32_t i = 0; i < b->count; i++) {
        out[i] = wr_arena_str(a, b->items[i].name);
        WR_TRY_ALLOC(ctx, out[i].ptr);
    }
    *names = out;
    *count = b->count;
    return WR_OK;
}
