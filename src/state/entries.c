/* SPDX-License-Identifier: Apache-2.0 */
/* Entries: pages of records with their heads, and the anchors that child tables hang on the slots
 * of their parent. The first pages are single allocations; later ones are cut from mapped chunks,
 * which huge pages can back. */
#include "state/kept_int.h"
#include "state/restore_int.h"

#define SINGLE_PAGES 8u
#define CHUNK_BYTES  ((size_t)2 << 20)
#define CHUNK_HEAD   ((sizeof(wri_chunk) + 63) / 64 * 64)

static size_t
page_bytes(const wri_table *t)
{
    return ((size_t)t->base.page_mask + 1) * t->base.stride;
}

/* A chunk of at least one page becomes the rest to cut from. */
static bool
more_pages(wri_table *t)
{
    wr_memtrack *budget = wri_backend_of(t)->budget;
    size_t want = CHUNK_HEAD + page_bytes(t);
    const bool mapped = t->page_count >= SINGLE_PAGES;
    if (mapped) want = WR_MAX(want, CHUNK_BYTES);
    wri_chunk *c = mapped ? wr_mem_map(budget, want) : wr_mem_zalloc(budget, want);
    if (!c) return false;
    c->next = t->chunks;
    c->bytes = want;
    c->mapped = mapped;
    t->chunks = c;
    t->fresh_page = (uint8_t *)c + CHUNK_HEAD;
    t->fresh_end = (uint8_t *)c + want;
    return true;
}

/* Grow an array of pointers to `cap` of them. A snapshot may still be reading the old one. */
static wr_status
grow_array(wr_ctx *ctx, wri_table *t, void **items, uint32_t *old, uint32_t cap)
{
    if (*old >= cap) return WR_OK;
    wri_backend *b = wri_backend_of(t);
    void *more = wr_mem_alloc(b->budget, cap * sizeof(void *));
    WR_TRY_ALLOC(ctx, more);
    if (*old) memcpy(more, *items, *old * sizeof(void *));
    if (!wri_retire(b, *items, *old * sizeof(void *))) {
        wr_mem_free(b->budget, more, cap * sizeof(void *));
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    *items = more;
    *old = cap;
    return WR_OK;
}

/* Marks for a new page: nothing has changed, nothing is awaited. */
static wri_marks *
new_marks(wri_table *t)
{
    const size_t bytes = sizeof(wri_marks) * t->mark_words;
    if ((size_t)(t->fresh_marks_end - t->fresh_marks) < bytes) {
        const size_t align = _Alignof(wri_marks) - 1;
        const size_t want = CHUNK_HEAD + align + bytes * WR_MIN(WR_MAX(t->page_count, 1u), 64u);
        wri_chunk *c = wr_mem_zalloc(wri_backend_of(t)->budget, want);
        if (!c) return NULL;
        *c = (wri_chunk){.next = t->chunks, .bytes = want};
        t->chunks = c;
        t->fresh_marks = (uint8_t *)(((uintptr_t)c + CHUNK_HEAD + align) & ~(uintptr_t)align);
        t->fresh_marks_end = (uint8_t *)c + want;
    }
    wri_marks *m = (wri_marks *)(void *)t->fresh_marks;
    t->fresh_marks += bytes;
    for (uint32_t i = 0; i < t->mark_words; i++) m[i].calm = m[i].turned = t->epoch;
    return m;
}

static wr_status
add_page(wr_ctx *ctx, wri_table *t)
{
    if (t->page_count == t->page_cap || t->page_count == t->marks_cap) {
        const uint32_t cap = t->page_count ? t->page_count * 2 : 4;
        void *pages = t->base.pages, *marks = t->marks;
        wr_status status = grow_array(ctx, t, &pages, &t->page_cap, cap);
        t->base.pages = pages;
        if (status == WR_OK) status = grow_array(ctx, t, &marks, &t->marks_cap, cap);
        t->marks = marks;
        WR_TRY(status);
    }
    if ((size_t)(t->fresh_end - t->fresh_page) < page_bytes(t) && !more_pages(t))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    t->marks[t->page_count] = new_marks(t);
    WR_TRY_ALLOC(ctx, t->marks[t->page_count]);
    t->base.pages[t->page_count++] = t->fresh_page;
    t->fresh_page += page_bytes(t);
    return WR_OK;
}

static wr_status
take_entry(wr_ctx *ctx, wri_table *t, uint32_t *entry)
{
    if (t->free_entry != WRI_NIL) {
        *entry = t->free_entry;
        t->free_entry = wri_head_of(t, *entry)->self;
        return WR_OK;
    }
    if (t->used >= WRI_NIL - 1) return wr_raise(ctx, WR_LIMIT, "too many entries of state");
    if (t->used >> t->base.page_shift >= t->page_count) WR_TRY(add_page(ctx, t));
    *entry = t->used++;
    return WR_OK;
}

wr_status
wri_entry_reserve(wr_ctx *ctx, wri_table *t, uint32_t used)
{
    WR_ASSERT(!t->used && used < WRI_NIL);
    while (used && (used - 1) >> t->base.page_shift >= t->page_count) WR_TRY(add_page(ctx, t));
    t->used = used;
    return WR_OK;
}

void
wri_entry_aim(wri_table *t, uint32_t number)
{
    wri_head_of(t, number)->self = WRI_NIL;
    t->free_entry = number;
}

void
wri_entry_skip(wri_table *t, uint32_t number)
{
    wri_head *h = wri_head_of(t, number);
    h->key_len = WRI_FREE;
    h->self = t->free_entry;
    t->free_entry = number;
}

wr_status
wri_entry_add(wr_ctx *ctx, wri_table *t, uint64_t hash, const uint8_t *key, uint32_t len,
              uint32_t *entry)
{
    uint8_t *copy = NULL;
    if (len > 8) {
        copy = wri_heap_alloc(&wri_backend_of(t)->heap, len);
        WR_TRY_ALLOC(ctx, copy);
        memcpy(copy, key, len);
    }
    const wr_status status = take_entry(ctx, t, entry);
    if (status != WR_OK) {
        wri_heap_free(&wri_backend_of(t)->heap, copy, len);
        return status;
    }
    wri_mark(t, *entry);
    wri_head *h = wri_head_of(t, *entry);
    h->hash = hash;
    h->key = copy ? (uint64_t)(uintptr_t)copy : wri_pad8(key, len);
    h->key_len = len;
    h->self = *entry;
    t->live++;
    if (t->time_offset) *wri_time_of(t, *entry) = t->base.backend->now_ms;
    return WR_OK;
}

void
wri_entry_free(wri_table *t, uint32_t entry)
{
    wri_backend *b = wri_backend_of(t);
    uint8_t *rec = wr_state_rec(&t->base, entry);
    wri_head *h = wri_head_of(t, entry);
    wri_mark(t, entry);
    if (t->kept) wri_kept_dying(t, entry);
    wri_blobs_drop(b, rec, t->record_bytes);
    if (h->key_len > 8) wri_heap_free(&b->heap, (void *)(uintptr_t)h->key, h->key_len);
    memset(rec, 0, t->base.stride); /* the next user finds zeroes */
    h->key_len = WRI_FREE;
    h->self = t->free_entry;
    t->free_entry = entry;
    t->live--;
}

wr_status
wri_anchor_make(wr_ctx *ctx, wri_table *t, uint32_t slot, wri_anchor **out)
{
    wr_memtrack *budget = wri_backend_of(t)->budget;
    const uint32_t page = slot / WRI_ANCHORS;
    if (page >= t->anchor_pages) {
        const uint32_t count = WR_MAX(page + 1, t->anchor_pages * 2);
        wri_anchor **pages = wr_mem_realloc(budget, t->anchors, t->anchor_pages * sizeof *pages,
                                            count * sizeof *pages);
        WR_TRY_ALLOC(ctx, pages);
        memset(pages + t->anchor_pages, 0, (count - t->anchor_pages) * sizeof *pages);
        t->anchors = pages;
        t->anchor_pages = count;
    }
    if (!t->anchors[page]) {
        t->anchors[page] = wr_mem_zalloc(budget, WRI_ANCHORS * sizeof(wri_anchor));
        WR_TRY_ALLOC(ctx, t->anchors[page]);
    }
    *out = &t->anchors[page][slot % WRI_ANCHORS];
    return WR_OK;
}

void
wri_table_free(wri_table *t)
{
    wr_memtrack *budget = wri_backend_of(t)->budget;
    while (t->chunks) {
        wri_chunk *c = t->chunks;
        t->chunks = c->next;
        if (c->mapped)
            wr_mem_unmap(budget, c, c->bytes);
        else
            wr_mem_free(budget, c, c->bytes);
    }
    for (uint32_t i = 0; i < t->shard_count; i++) wri_shard_free(t, &t->shards[i]);
    for (uint32_t i = 0; i < t->anchor_pages; i++)
        if (t->anchors[i]) wr_mem_free(budget, t->anchors[i], WRI_ANCHORS * sizeof(wri_anchor));
    wr_mem_free(budget, t->anchors, t->anchor_pages * sizeof *t->anchors);
    wr_mem_free(budget, t->shards, t->shard_count * sizeof *t->shards);
    wr_mem_free(budget, t->base.pages, t->page_cap * sizeof *t->base.pages);
    wr_mem_free(budget, t->marks, t->marks_cap * sizeof *t->marks);
    wri_check_free(t);
    if (t->kept) wri_kept_free(t);
    wr_mem_free(budget, t, sizeof *t);
}
