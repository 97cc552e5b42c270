/* SPDX-License-Identifier: Apache-2.0 */
/* Debug builds only: has an operator changed a record without saying so? At every barrier the
 * entries that are not marked as changed are compared, by checksum, with what they were at the last
 * one. Big tables are left out. */
#include "state/snapshot_int.h"

#ifdef NDEBUG

void
wri_check_marks(wri_backend *b)
{
    (void)b;
}

void
wri_check_free(wri_table *t)
{
    (void)t;
}

#else

#define ENTRIES_MAX 10000u

#include <stdio.h>

/* Of what a snapshot would keep of the entry; 0 for a free one. */
static uint64_t
sum_of(const wri_table *t, uint32_t entry, wri_pack **pack)
{
    if (wri_head_of(t, entry)->key_len == WRI_FREE) return 0;
    const wri_cut c = {.t = (wri_table *)(uintptr_t)t};
    wri_pack *full = NULL;
    if (*pack) {
        (*pack)->len = WRI_SEG_BLOCK_HEAD;
        (*pack)->entries = 0;
    }
    const bool ok = wri_encode(&c, wri_backend_of(t)->block_count, entry,
                               wr_state_rec(&t->base, entry), pack, &full);
    wri_pack_destroy(wri_backend_of(t)->budget, full);
    if (!ok) return UINT64_MAX;
    const uint64_t sum = wr_hash_bytes(wri_pack_bytes(*pack) + WRI_SEG_BLOCK_HEAD,
                                       (*pack)->len - WRI_SEG_BLOCK_HEAD, 1);
    return WR_MAX(sum, 1u);
}

static void
check_table(wri_table *t, wri_pack **pack)
{
    for (uint32_t i = 0; i < t->sum_count; i++) {
        const wri_marks *m = wri_marks_of(t, i);
        const bool marked = m->turned == t->epoch && m->now >> wri_mark_bit(t, i) & 1;
        if (marked || t->sums[i] == UINT64_MAX) continue;
        const uint64_t sum = sum_of(t, i, pack);
        if (sum == t->sums[i] || sum == UINT64_MAX) continue;
        char text[256];
        (void)snprintf(text, sizeof text,
                       "state '%.*s': entry %u was changed without touch(), rec_touch() or UPSERT",
                       WR_STR_ARG(t->info.logical_id), i);
        wr_assert_failed(text, __FILE__, __LINE__);
    }
}

static void
remember(wri_table *t, wri_pack **pack)
{
    wri_check_free(t);
    if (t->used > ENTRIES_MAX) return;
    t->sums = wr_mem_alloc(wri_backend_of(t)->budget, t->used * sizeof *t->sums);
    if (!t->sums) return;
    t->sum_count = t->used;
    for (uint32_t i = 0; i < t->used; i++) t->sums[i] = sum_of(t, i, pack);
}

void
wri_check_marks(wri_backend *b)
{
    for (wri_table *t = b->tables; t; t = t->next) {
        wri_pack *pack = NULL; /* each table has its own */
        check_table(t, &pack);
        remember(t, &pack);
        wri_pack_destroy(b->budget, pack);
    }
}

void
wri_check_free(wri_table *t)
{
    wr_mem_free(wri_backend_of(t)->budget, t->sums, t->sum_count * sizeof *t->sums);
    t->sums = NULL;
    t->sum_count = 0;
}

#endif
