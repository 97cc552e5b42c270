/* SPDX-License-Identifier: Apache-2.0 */
/* Write-back caches: lists of changed entries, and what is known of entries that are not here. */
#include "state/kept_int.h"

wr_status
wri_kept_make(wr_ctx *ctx, wri_table *t)
{
    t->kept = wr_mem_zalloc(wri_backend_of(t)->budget, sizeof *t->kept);
    WR_TRY_ALLOC(ctx, t->kept);
    return WR_OK;
}

void
wri_kept_free(wri_table *t)
{
    wr_memtrack *budget = wri_backend_of(t)->budget;
    struct wri_kept *k = t->kept;
    for (uint32_t i = 0; i < k->reach_pages; i++)
        if (k->reach[i]) wr_mem_free(budget, k->reach[i], WRI_REACHES * sizeof(wri_reach));
    wr_mem_free(budget, k->reach, k->reach_pages * sizeof *k->reach);
    wr_mem_free(budget, k, sizeof *k);
}

/* ---- changed entries ------------------------------------------------------------------------- */

void
wri_kept_mark(wri_table *t, uint32_t entry)
{
    struct wri_kept *k = t->kept;
    wri_trace *trace = wri_trace_of(t, entry);
    trace->flags |= WRI_TRACE_USED;
    if (trace->flags & WRI_TRACE_DIRTY) return;
    trace->flags |= WRI_TRACE_DIRTY;
    trace->next = 0;
    trace->prev = k->dirty_last;
    if (k->dirty_last)
        wri_trace_of(t, k->dirty_last - 1)->next = entry + 1;
    else
        k->dirty_first = entry + 1;
    k->dirty_last = entry + 1;
    k->dirty_count++;
}

void
wri_kept_clean(wri_table *t, uint32_t entry)
{
    struct wri_kept *k = t->kept;
    wri_trace *trace = wri_trace_of(t, entry);
    if (!(trace->flags & WRI_TRACE_DIRTY)) return;
    if (trace->prev)
        wri_trace_of(t, trace->prev - 1)->next = trace->next;
    else
        k->dirty_first = trace->next;
    if (trace->next)
        wri_trace_of(t, trace->next - 1)->prev = trace->prev;
    else
        k->dirty_last = trace->prev;
    trace->flags &= ~(uint32_t)WRI_TRACE_DIRTY;
    trace->next = trace->prev = 0;
    k->dirty_count--;
}

void
wri_kept_dying(wri_table *t, uint32_t entry)
{
    if (!t->kept->quiet) {
        if (wri_trace_of(t, entry)->flags & WRI_TRACE_STORED) t->kept->forget(t, entry);
        /* its parent's record tells how many entries there are */
        if (t->parent) wri_kept_mark(t->parent, wri_parent_slot(t, entry));
    }
    wri_kept_clean(t, entry);
}

/* ---- entries that are not here --------------------------------------------------------------- */

wr_status
wri_reach_make(wr_ctx *ctx, wri_table *t, uint32_t slot, wri_reach **out)
{
    wr_memtrack *budget = wri_backend_of(t)->budget;
    struct wri_kept *k = t->kept;
    const uint32_t page = slot / WRI_REACHES;
    if (page >= k->reach_pages) {
        const uint32_t count = WR_MAX(page + 1, k->reach_pages * 2);
        wri_reach **pages =
            wr_mem_realloc(budget, k->reach, k->reach_pages * sizeof *pages, count * sizeof *pages);
        WR_TRY_ALLOC(ctx, pages);
        memset(pages + k->reach_pages, 0, (count - k->reach_pages) * sizeof *pages);
        k->reach = pages;
        k->reach_pages = count;
    }
    if (!k->reach[page]) {
        k->reach[page] = wr_mem_zalloc(budget, WRI_REACHES * sizeof(wri_reach));
        WR_TRY_ALLOC(ctx, k->reach[page]);
    }
    *out = &k->reach[page][slot % WRI_REACHES];
    return WR_OK;
}

void
wri_bound_free(wri_table *t, wri_bound *b)
{
    wri_heap_free(&wri_backend_of(t)->heap, b->key, b->len);
    *b = (wri_bound){0};
}

wr_status
wri_bound_set(wr_ctx *ctx, wri_table *t, wri_bound *b, const uint8_t *key, uint32_t len)
{
    uint8_t *copy = wri_heap_alloc(&wri_backend_of(t)->heap, WR_MAX(len, 1u));
    WR_TRY_ALLOC(ctx, copy);
    if (len) memcpy(copy, key, len);
    wri_bound_free(t, b);
    *b = (wri_bound){.key = copy, .len = len};
    return WR_OK;
}

void
wri_reach_reset(wri_table *t, uint32_t slot)
{
    wri_reach *r = wri_reach_find(t, slot);
    if (r) {
        wri_bound_free(t, &r->from);
        wri_bound_free(t, &r->to);
        *r = (wri_reach){0};
    }
    wri_anchor *a = wri_anchor_find(t, slot);
    WR_ASSERT(!a || !a->count);
    if (a) *a = (wri_anchor){0};
}

/* A slot goes; what hangs on it in memory has gone already. */
void
wri_kept_clear(wri_table *t, uint32_t slot)
{
    if (wri_absent(t, slot)) t->kept->forget_absent(t, slot);
    wri_reach_reset(t, slot);
}
