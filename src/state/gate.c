/* SPDX-License-Identifier: Apache-2.0 */
/* The gate in front of every change: what a snapshot still awaits is saved before it changes.
 *
 * At a barrier the epoch goes up; nothing else happens. From then on every 64 entries are
 * turned once, by the task at its first change or by the snapshot's writer when it comes to them:
 * the bits of what had changed before the barrier become those of what is awaited. Whoever clears
 * an awaited bit writes the entry: the writer takes all 64 at a time, the task, about to change an
 * entry, its bit alone. When the bit is gone already, the writer may be reading the entry at this
 * moment: it says which marks it is at in `busy`, and the task waits until it has moved on. So the
 * task never waits for longer than 64 entries take, and an entry that it does not change costs it
 * nothing.
 *
 * What the writer reads of an entry that it has taken does not change: its record, key, blobs,
 * time, slot and sequence change behind this gate only. Links of lists and trees do change, and are
 * not read. */
#include "state/snapshot_int.h"

void
wri_turn(wri_table *t, wri_marks *m, uint32_t epoch, const wr_state_snapshot *s, uint32_t used)
{
    const wri_backend *b = wri_backend_of(t);
    uint64_t awaited = 0;
    used = WR_MIN(used, t->base.page_mask + 1);
    for (uint32_t l = 0; l < WRI_LEVELS; l++) {
        const bool kept = b->kept[l] >= m->turned; /* what they say is in that segment */
        m->since[l] = (kept ? 0 : m->since[l]) | m->now;
    }
    if (s && s->level < WRI_FULL)
        awaited = m->since[s->level];
    else if (s)
        awaited = used >= 64 ? ~0ull : (1ull << used) - 1;
    wr_os_store_relaxed(&m->awaited, awaited);
    m->now = 0;
    m->turned = epoch;
    if (!awaited) wr_os_store(&m->calm, epoch);
}

/* Save the entry for the snapshot if it is awaited; s->lock is held. */
static void
save(wri_table *t, wri_marks *m, uint32_t entry, wr_state_snapshot *s)
{
    const uint64_t mask = 1ull << wri_mark_bit(t, entry);
    if (wr_os_load(&m->awaited) & mask && wr_os_and(&m->awaited, ~mask) & mask) {
        wri_cut *c = &s->cuts[t->index];
        if (!wri_encode(c, s->block_count, entry, wr_state_rec(&t->base, entry), &c->side,
                        &s->saved))
            s->failed = true;
        return;
    }
    for (uint32_t spin = 0; wr_os_load(&s->busy) == m; spin++)
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
    wri_marks *m = wri_marks_of(t, entry);
    if (!s || t->index >= s->cut_count) { /* a table opened since has no part in it */
        if (m->turned != t->epoch) wri_turn(t, m, t->epoch, NULL, 0);
        wr_os_store(&m->calm, t->epoch);
        return;
    }
    const uint32_t first = entry - wri_mark_bit(t, entry), used = s->cuts[t->index].used;
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
