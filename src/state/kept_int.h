/* SPDX-License-Identifier: Apache-2.0 */
/* Tables whose entries are kept elsewhere, so that those in memory are a write-back cache: what
 * such a table knows beyond wri_table. Nothing here knows where "elsewhere" is.
 *
 * Behind every record lies a *trace*: is it changed, is it stored, was it used lately; and its
 * place in the table's list of changed entries, the oldest change first. A child table knows per
 * slot of its parent how many entries are stored and not here (absent), so that counting asks
 * nobody and a slot whose entries are all here is as fast as in memory. Thread: the owning task's.
 */
#ifndef WR_STATE_KEPT_INT_H
#define WR_STATE_KEPT_INT_H

#include "state/state_int.h"

enum { WRI_TRACE_DIRTY = 1, WRI_TRACE_STORED = 2, WRI_TRACE_USED = 4 };
typedef struct wri_trace {
    uint32_t flags;
    uint32_t next, prev; /* of the changed ones: number + 1, 0 = none */
    uint32_t pad;
} wri_trace;

typedef struct wri_bound { /* one end of a stretch of keys: the key itself is in the stretch when it
                              is the lower end, and not when it is the upper one */
    uint8_t *key;
    uint32_t len;
    bool open; /* no bound on this side */
} wri_bound;

typedef struct wri_reach { /* of a child table, per slot of the parent */
    uint32_t absent;       /* entries that are stored and not here */
    bool unsorted;         /* MAP: the list is not in order of insertion */
    bool covered;          /* ORDERED: every entry from `from` to before `to` is here */
    wri_bound from, to;
} wri_reach;
#define WRI_REACHES 256u /* per page */

struct wri_kept {
    uint32_t offset;                  /* of the trace, from the record */
    uint32_t dirty_first, dirty_last; /* number + 1 */
    uint32_t dirty_count;
    uint32_t hand;   /* where the search for entries to evict goes on */
    uint32_t id;     /* its number in stored keys */
    uint64_t absent; /* entries that are stored and not here */
    bool quiet;      /* entries leave the cache, not the state */
    bool held;       /* VALUE: slots stay */
    wri_reach **reach;
    uint32_t reach_pages;
    /* The stored copy of an entry is to go; every stored entry of a slot that is not here is. */
    void (*forget)(wri_table *t, uint32_t entry);
    void (*forget_absent)(wri_table *t, uint32_t slot);
};

WR_ALWAYS_INLINE wri_trace *
wri_trace_of(const wri_table *t, uint32_t entry)
{
    return (wri_trace *)(void *)(wr_state_rec(&t->base, entry) + t->kept->offset);
}
WR_ALWAYS_INLINE void
wri_use(const wri_table *t, uint32_t entry)
{
    wri_trace_of(t, entry)->flags |= WRI_TRACE_USED;
}
/* The slot of the parent that an entry of a child table belongs to. */
WR_ALWAYS_INLINE uint32_t
wri_parent_slot(const wri_table *t, uint32_t entry)
{
    wri_head *h = wri_head_of(t, entry);
    return t->shape == WR_STATE_MAP ? wri_link_of(h)->slot : wri_node_of(h)->slot;
}

WR_ALWAYS_INLINE wri_reach *
wri_reach_find(const wri_table *t, uint32_t slot) /* NULL: none made yet, everything is here */
{
    const uint32_t page = slot / WRI_REACHES;
    if (page >= t->kept->reach_pages || !t->kept->reach[page]) return NULL;
    return &t->kept->reach[page][slot % WRI_REACHES];
}
WR_ALWAYS_INLINE uint32_t
wri_absent(const wri_table *t, uint32_t slot)
{
    const wri_reach *r = wri_reach_find(t, slot);
    return r ? r->absent : 0;
}
wr_status wri_reach_make(wr_ctx *ctx, wri_table *t, uint32_t slot, wri_reach **out) WR_MUST_USE;
/* The slot is somebody else's from now on. */
void wri_reach_reset(wri_table *t, uint32_t slot);
void wri_bound_free(wri_table *t, wri_bound *b);
wr_status wri_bound_set(wr_ctx *ctx, wri_table *t, wri_bound *b, const uint8_t *key,
                        uint32_t len) WR_MUST_USE;

/* < 0: the key comes before the bound's. The bound is not open. */
WR_ALWAYS_INLINE int
wri_bound_compare(const uint8_t *key, uint32_t len, const wri_bound *b)
{
    const uint32_t n = WR_MIN(len, b->len);
    const int c = n ? memcmp(key, b->key, n) : 0;
    return c ? c : (len > b->len) - (len < b->len);
}
/* Is the key in the stretch that is known to be here? */
WR_ALWAYS_INLINE bool
wri_reach_covers(const wri_reach *r, const uint8_t *key, uint32_t len)
{
    return r->covered && (r->from.open || wri_bound_compare(key, len, &r->from) >= 0) &&
           (r->to.open || wri_bound_compare(key, len, &r->to) < 0);
}

wr_status wri_kept_make(wr_ctx *ctx, wri_table *t) WR_MUST_USE;
void wri_kept_free(wri_table *t);
void wri_kept_clean(wri_table *t, uint32_t entry); /* it is not changed any more */

#endif
