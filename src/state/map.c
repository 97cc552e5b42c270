/* SPDX-License-Identifier: Apache-2.0 */
/* Map state: (slot of the parent, sub-key) -> record. One index over all slots, sharded by hash;
 * the entries of a slot also form a list in the order they were inserted. */
#include "state/state_int.h"

#define BLOCK  64u /* keys resolved together: what they look at fits the first cache */
#define PROBED 8u  /* cells looked at ahead: a cache line of them */

WR_ALWAYS_INLINE wri_shard *
shard_of(const wri_table *t, uint64_t combined)
{
    return &t->shards[combined >> WRI_MAP_SHARD_SHIFT];
}

/* What n keys of a batch will look at, brought near in passes. */
typedef struct block {
    uint64_t combined[BLOCK];
    uint32_t likely[BLOCK]; /* the entry that the key probably has */
} block;

/* The entry of the first cell with this tag, from the key's home on. */
WR_ALWAYS_INLINE uint32_t
probe(const wri_shard *s, uint32_t tag)
{
    if (!s->cells) return WRI_NIL;
    uint32_t at = tag & s->mask;
    for (uint32_t k = 0; k < PROBED && s->cells[at]; k++, at = (at + 1) & s->mask)
        if ((uint32_t)(s->cells[at] >> 32) == tag) return (uint32_t)s->cells[at] - 1;
    return WRI_NIL;
}

static void
bring_near(const wri_table *t, const uint32_t *slots, const uint64_t *hash, uint32_t n, block *b)
{
    for (uint32_t i = 0; i < n; i++) {
        b->combined[i] = wri_combine(hash[i], slots[i]);
        const wri_shard *s = shard_of(t, b->combined[i]);
        if (s->cells) __builtin_prefetch(&s->cells[(uint32_t)b->combined[i] & s->mask]);
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t entry = probe(shard_of(t, b->combined[i]), (uint32_t)b->combined[i]);
        b->likely[i] = entry;
        if (entry == WRI_NIL) continue;
        const uint8_t *rec = wr_state_rec(&t->base, entry);
        __builtin_prefetch(rec);
        __builtin_prefetch(rec + t->record_bytes);
        __builtin_prefetch(wri_marks_of(t, entry));
    }
    for (uint32_t i = 0; i < n; i++) {
        if (b->likely[i] != WRI_NIL) { /* a long key does not lie in its entry */
            const wri_head *h = wri_head_of(t, b->likely[i]);
            if (h->key_len > 8 && h->key_len != WRI_FREE) __builtin_prefetch(wri_key_of(h));
        } else if (slots[i] != WR_SLOT_NONE) { /* a new entry follows the slot's last */
            const wri_anchor *a = wri_anchor_find(t, slots[i]);
            if (a && a->count) __builtin_prefetch(wri_head_of(t, a->last - 1) + 1);
        }
    }
}

WR_ALWAYS_INLINE bool
is_key(const wri_table *t, uint32_t entry, uint32_t slot, const uint8_t *key, uint32_t len)
{
    wri_head *h = wri_head_of(t, entry);
    return h->key_len == len && wri_link_of(h)->slot == slot &&
           wri_key_is(h, key, len, len <= 8 ? wri_pad8(key, len) : 0);
}

WR_ALWAYS_INLINE uint32_t
find(const wri_table *t, uint64_t combined, uint32_t slot, const uint8_t *key, uint32_t len)
{
    const wri_shard *s = shard_of(t, combined);
    if (!s->cells) return WRI_NIL;
    const uint64_t padded = len <= 8 ? wri_pad8(key, len) : 0;
    const uint32_t tag = (uint32_t)combined;
    for (uint32_t at = tag & s->mask; s->cells[at]; at = (at + 1) & s->mask) {
        if ((uint32_t)(s->cells[at] >> 32) != tag) continue;
        const uint32_t entry = (uint32_t)s->cells[at] - 1;
        wri_head *h = wri_head_of(t, entry);
        if (wri_link_of(h)->slot == slot && wri_key_is(h, key, len, padded)) return entry;
    }
    return WRI_NIL;
}

/* After 2^32 insertions into one slot: its entries are numbered anew. They count as changed. */
static void
renumber(wri_table *t, wri_anchor *a)
{
    a->top = 0;
    for (uint32_t at = a->count ? a->first - 1 : WRI_NIL; at != WRI_NIL;) {
        wri_link *l = wri_link_of(wri_head_of(t, at));
        wri_mark(t, at);
        l->seq = ++a->top;
        at = l->next;
    }
}

/* Put a new entry at the end of the slot's list; its sequence is the next one if `seq` is 0. */
static void
hang(wri_table *t, wri_anchor *a, uint32_t slot, uint32_t seq, uint32_t entry)
{
    wri_link *l = wri_link_of(wri_head_of(t, entry));
    l->slot = slot;
    l->next = WRI_NIL;
    l->prev = a->count ? a->last - 1 : WRI_NIL;
    if (a->count)
        wri_link_of(wri_head_of(t, l->prev))->next = entry;
    else
        a->first = entry + 1;
    a->last = entry + 1;
    a->count++;
    if (!seq && a->top == UINT32_MAX) renumber(t, a);
    l->seq = seq ? seq : ++a->top;
}

/* A new entry of the slot; its sequence is the next one if `seq` is 0. */
static wr_status
insert(wr_ctx *ctx, wri_table *t, uint64_t combined, uint32_t slot, uint32_t seq,
       const uint8_t *key, uint32_t len, uint32_t *out)
{
    wri_anchor *a;
    WR_TRY(wri_anchor_make(ctx, t, slot, &a));
    WR_TRY(wri_entry_add(ctx, t, combined, key, len, out));
    const wr_status status = wri_shard_insert(ctx, t, shard_of(t, combined), combined, *out);
    if (status != WR_OK) {
        wri_entry_free(t, *out);
        return status;
    }
    hang(t, a, slot, seq, *out);
    return WR_OK;
}

void
wri_map_drop_entry(wri_table *t, uint32_t entry)
{
    wri_head *h = wri_head_of(t, entry);
    const wri_link l = *wri_link_of(h);
    wri_anchor *a = wri_anchor_find(t, l.slot);
    if (l.prev == WRI_NIL)
        a->first = l.next + 1; /* WRI_NIL + 1 = 0 */
    else
        wri_link_of(wri_head_of(t, l.prev))->next = l.next;
    if (l.next == WRI_NIL)
        a->last = l.prev + 1;
    else
        wri_link_of(wri_head_of(t, l.next))->prev = l.prev;
    a->count--;
    wri_shard_remove(shard_of(t, h->hash), h->hash, entry);
    wri_entry_free(t, entry);
}

static wr_status
resolve_one(wr_ctx *ctx, wri_table *t, uint64_t combined, uint32_t likely, uint32_t slot,
            const uint8_t *key, uint32_t len, wr_intent intent, uint8_t **rec, bool *fresh)
{
    uint32_t entry = likely; /* a key is there once, so nothing else has it */
    if (entry == WRI_NIL || !is_key(t, entry, slot, key, len))
        entry = find(t, combined, slot, key, len);
    if (entry != WRI_NIL && wri_expired(t, entry)) {
        wri_map_drop_entry(t, entry);
        entry = WRI_NIL;
    }
    *fresh = false;
    if (entry == WRI_NIL && intent == WR_STATE_UPSERT) {
        WR_TRY(insert(ctx, t, combined, slot, 0, key, len, &entry));
        *fresh = true;
    } else if (entry != WRI_NIL && intent == WR_STATE_UPSERT) {
        wri_touch(t, entry);
    }
    *rec = entry == WRI_NIL ? NULL : wr_state_rec(&t->base, entry);
    return WR_OK;
}

wr_status
wri_map_resolve(wr_ctx *ctx, wr_state_table *table, const uint32_t *slots, const wr_keys *k,
                wr_intent intent, uint8_t **recs, uint64_t *fresh)
{
    wri_table *t = wri_table_of(table);
    block b;
    if (fresh) memset(fresh, 0, WR_BIT_WORDS(k->n) * sizeof *fresh);
    for (uint32_t from = 0; from < k->n; from += BLOCK) {
        const uint32_t n = WR_MIN(k->n - from, BLOCK);
        bring_near(t, slots + from, k->hash + from, n, &b);
        for (uint32_t i = from; i < from + n; i++) {
            recs[i] = NULL;
            if (slots[i] == WR_SLOT_NONE) continue;
            uint32_t len;
            const uint8_t *key = wri_keys_at(k, i, &len);
            bool is_new;
            WR_TRY(resolve_one(ctx, t, b.combined[i - from], b.likely[i - from], slots[i], key, len,
                               intent, &recs[i], &is_new));
            if (is_new && fresh) wr_bit_set(fresh, i);
        }
    }
    return WR_OK;
}

void
wri_map_remove(wr_state_table *table, uint32_t slot, const uint8_t *key, uint32_t len,
               uint64_t hash)
{
    wri_table *t = wri_table_of(table);
    const uint32_t entry = find(t, wri_combine(hash, slot), slot, key, len);
    if (entry != WRI_NIL) wri_map_drop_entry(t, entry);
}

uint32_t
wri_map_count(const wr_state_table *table, uint32_t slot)
{
    const wri_anchor *a = wri_anchor_find(wri_table_of(table), slot);
    return a ? a->count : 0;
}

/* Step to `entry` or the first one behind it that has not expired; pos[0] is the entry after. */
static bool
arrive(wri_table *t, wr_state_iter *it, uint32_t entry)
{
    while (entry != WRI_NIL) {
        wri_head *h = wri_head_of(t, entry);
        const uint32_t next = wri_link_of(h)->next;
        if (wri_expired(t, entry)) {
            wri_map_drop_entry(t, entry);
            entry = next;
            continue;
        }
        if (next != WRI_NIL) __builtin_prefetch(wri_head_of(t, next));
        it->pos[0] = next;
        it->key = wri_key_of(h);
        it->key_len = h->key_len;
        it->rec = wr_state_rec(&t->base, entry);
        return true;
    }
    return false;
}

bool
wri_map_first(wr_state_table *table, uint32_t slot, wr_state_iter *it)
{
    wri_table *t = wri_table_of(table);
    const wri_anchor *a = wri_anchor_find(t, slot);
    it->table = table;
    it->slot = slot;
    return arrive(t, it, a && a->count ? a->first - 1 : WRI_NIL);
}

bool
wri_map_next(wr_state_iter *it)
{
    return arrive(wri_table_of(it->table), it, (uint32_t)it->pos[0]);
}

void
wri_map_clear(wr_state_table *table, uint32_t slot)
{
    wri_table *t = wri_table_of(table);
    const wri_anchor *a = wri_anchor_find(t, slot);
    while (a && a->count) wri_map_drop_entry(t, a->first - 1);
}

void
wri_rec_touch(wr_state_table *table, uint8_t *rec)
{
    wri_table *t = wri_table_of(table);
    wri_touch(t, ((const wri_head *)(const void *)(rec + t->record_bytes))->self);
}

/* ---- restoring ------------------------------------------------------------------------------- */

wr_status
wri_map_restore(wr_ctx *ctx, wri_table *t, uint32_t slot, uint64_t hash, uint32_t seq,
                const uint8_t *key, uint32_t len, uint32_t *entry)
{
    wri_anchor *a;
    WR_TRY(wri_anchor_make(ctx, t, slot, &a));
    WR_TRY(wri_entry_add(ctx, t, wri_combine(hash, slot), key, len, entry));
    hang(t, a, slot, WR_MAX(seq, 1u), *entry);
    return WR_OK;
}

/* What an entry is sorted by. */
WR_ALWAYS_INLINE uint64_t
seq_of(const wri_table *t, uint32_t entry, const uint64_t *seqs)
{
    return seqs ? seqs[entry] : wri_link_of(wri_head_of(t, entry))->seq;
}

/* Merge two lists, linked by `next` alone. */
static uint32_t
merge(wri_table *t, uint32_t a, uint32_t b, const uint64_t *seqs)
{
    uint32_t first = WRI_NIL, last = WRI_NIL;
    while (a != WRI_NIL || b != WRI_NIL) {
        const bool from_a =
            b == WRI_NIL || (a != WRI_NIL && seq_of(t, a, seqs) <= seq_of(t, b, seqs));
        const uint32_t at = from_a ? a : b;
        if (last == WRI_NIL)
            first = at;
        else
            wri_link_of(wri_head_of(t, last))->next = at;
        last = at;
        const uint32_t next = wri_link_of(wri_head_of(t, at))->next;
        if (from_a)
            a = next;
        else
            b = next;
    }
    return first;
}

/* Merge sort of a list by a binary counter of sorted runs. */
static uint32_t
sort_list(wri_table *t, uint32_t first, const uint64_t *seqs)
{
    uint32_t runs[33];
    for (uint32_t i = 0; i < 33; i++) runs[i] = WRI_NIL;
    while (first != WRI_NIL) {
        wri_link *l = wri_link_of(wri_head_of(t, first));
        uint32_t run = first, i = 0;
        first = l->next;
        l->next = WRI_NIL;
        for (; runs[i] != WRI_NIL; i++) {
            run = merge(t, runs[i], run, seqs);
            runs[i] = WRI_NIL;
        }
        runs[i] = run;
    }
    uint32_t all = WRI_NIL;
    for (uint32_t i = 0; i < 33; i++)
        if (runs[i] != WRI_NIL) all = all == WRI_NIL ? runs[i] : merge(t, runs[i], all, seqs);
    return all;
}

static bool
is_sorted(const wri_table *t, const wri_anchor *a, const uint64_t *seqs)
{
    uint64_t before = 0;
    for (uint32_t at = a->first - 1; at != WRI_NIL; at = wri_link_of(wri_head_of(t, at))->next) {
        const uint64_t seq = seq_of(t, at, seqs);
        if (seq < before) return false;
        before = seq;
    }
    return true;
}

static void
arrange(wri_table *t, wri_anchor *a, const uint64_t *seqs)
{
    if (!is_sorted(t, a, seqs)) {
        a->first = sort_list(t, a->first - 1, seqs) + 1;
        uint32_t prev = WRI_NIL;
        for (uint32_t at = a->first - 1; at != WRI_NIL;) {
            wri_link *l = wri_link_of(wri_head_of(t, at));
            l->prev = prev;
            prev = at;
            at = l->next;
        }
        a->last = prev + 1;
    }
    if (seqs) renumber(t, a);
    a->top = wri_link_of(wri_head_of(t, a->last - 1))->seq;
}

void
wri_map_arrange(wri_table *t, const uint64_t *seqs)
{
    for (uint32_t page = 0; page < t->anchor_pages; page++)
        for (uint32_t i = 0; t->anchors[page] && i < WRI_ANCHORS; i++)
            if (t->anchors[page][i].count) arrange(t, &t->anchors[page][i], seqs);
}

void
wri_map_arrange_slot(wri_table *t, uint32_t slot)
{
    wri_anchor *a = wri_anchor_find(t, slot);
    if (!a || !a->count) return;
    const uint32_t newest = a->top; /* whose entry may have gone */
    arrange(t, a, NULL);
    a->top = WR_MAX(a->top, newest);
}

uint32_t
wri_map_find(const wri_table *t, uint32_t slot, uint64_t hash, const uint8_t *key, uint32_t len)
{
    return find(t, wri_combine(hash, slot), slot, key, len);
}

wr_status
wri_map_add(wr_ctx *ctx, wri_table *t, uint32_t slot, uint64_t hash, uint32_t seq,
            const uint8_t *key, uint32_t len, uint32_t *entry, bool *twice)
{
    *twice = wri_map_find(t, slot, hash, key, len) != WRI_NIL;
    if (*twice) return WR_OK;
    return insert(ctx, t, wri_combine(hash, slot), slot, WR_MAX(seq, 1u), key, len, entry);
}
