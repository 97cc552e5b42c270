/* SPDX-License-Identifier: Apache-2.0 */
/* The gate in front of every change: what a snapshot still awaits is saved before it changes.
 *
 * At a barrier the epoch goes up; nothing else happens. From then on every page is turned once, by
 * the task at its first change or by the snapshot's writer when it comes to it: the bits of what
 * had changed before the barrier become those of what is awaited. Whoever clears an awaited bit
 * writes the entry: the writer takes a word of 64 bits at a time, the task, about to change an
 * entry, its bit alone. When the bit is gone already, the writer may be reading the entry at this
 * moment: it says which word it is at in `busy`, and the task waits until it has moved on. So the
 * task never waits for longer than 64 entries take, and an entry that it does not change costs it
 * nothing.
 *
 * What the writer reads of an entry that it has taken does not change: its record, key, blobs,
 * time, slot and sequence change behind this gate only. Links of lists and trees do change, and are
 * not read. */
#include "state/snapshot_int.h"

/* Bits of the entries of a page below `used`. */
static uint64_t
all_bits(uint32_t used, uint32_t word)
{
    if (used >= (word + 1) * 64) return ~0ull;
    return used <= word * 64 ? 0 : (1ull << (used - word * 64)) - 1;
}

void
wri_turn(wri_table *t, wri_marks *m, uint32_t epoch, const wr_state_snapshot *s, uint32_t used)
{
    const uint32_t words = t->mark_words;
    const wri_backend *b = wri_backend_of(t);
    uint64_t *now = m->bits, *awaited = wri_awaited(t, m), any = 0;
    used = WR_MIN(used, t->base.page_mask + 1);
    for (uint32_t l = 0; l < WRI_LEVELS; l++) {
        uint64_t *since = m->bits + (2 + l) * words;
        const bool kept = b->kept[l] >= m->turned; /* what they say is in that segment */
        for (uint32_t w = 0; w < words; w++) since[w] = (kept ? 0 : since[w]) | now[w];
    }
    for (uint32_t w = 0; w < words; w++) {
        uint64_t want = 0;
        if (s) want = s->level < WRI_FULL ? m->bits[(2 + s->level) * words + w] : all_bits(used, w);
        wr_os_store_relaxed(&awaited[w], want);
        any |= want;
        now[w] = 0;
    }
    m->turned = epoch;
    if (!any) wr_os_store(&m->calm, epoch);
}

/* Save the entry for the snapshot if it is awaited; s->lock is held. */
static void
save(wri_table *t, wri_marks *m, uint32_t entry, wr_state_snapshot *s)
{
    const uint32_t bit = entry & t->base.page_mask;
    uint64_t *word = &wri_awaited(t, m)[bit >> 6];
    const uint64_t mask = 1ull << (bit & 63);
    if (wr_os_load(word) & mask && wr_os_and(word, ~mask) & mask) {
        wri_cut *c = &s->cuts[t->index];
        if (!wri_encode(c, s->block_count, entry, wr_state_rec(&t->base, entry), &c->side,
                        &s->saved))
            s->failed = true;
        return;
    }
    for (uint32_t spin = 0; wr_os_load(&s->busy) == word; spin++)
        if (spin % 64 == 63)
            wr_os_thread_yield();
        else
            wr_os_relax();
}

void
wri_mark_slow(wri_table *t, uint32_t entry)
{
    wr_state_snapshot *s = wri_backend_of(t)->snapshot;
    const uint32_t page = entry >> t->base.page_shift;
    wri_marks *m = t->marks[page];
    if (!s || t->index >= s->cut_count) { /* a table opened since has no part in it */
        if (m->turned != t->epoch) wri_turn(t, m, t->epoch, NULL, 0);
        wr_os_store(&m->calm, t->epoch);
        return;
    }
    const uint32_t first = page << t->base.page_shift, used = s->cuts[t->index].used;
    wri_lock(&m->lock);
    if (m->turned != t->epoch)
        wri_turn(t, m, t->epoch, page < s->cuts[t->index].page_count ? s : NULL,
                 used > first ? used - first : 0);
    wri_unlock(&m->lock);
    if (wr_os_load(&m->calm) == t->epoch) return;
    wri_lock(&s->lock);
    if (s->done)
        wr_os_store(&m->calm, t->epoch);
    else
        save(t, m, entry, s);
    wri_unlock(&s->lock);
}

bool
wri_retire(wri_backend *b, void *p, size_t bytes)
{
    if (!p || !b->snapshot) {
        wr_mem_free(b->budget, p, bytes);
        return true;
    }
    wri_old *o = wr_mem_alloc(b->budget, sizeof *o);
    if (!o) return false;
    *o = (wri_old){b->snapshot->old, p, bytes};
    b->snapshot->old = o;
    return true;
}
