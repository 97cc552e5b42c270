/* SPDX-License-Identifier: Apache-2.0 */
/* A changelog settled into a table: an insertion adds a row, a retraction takes an equal one away
 * (the latest of equals). Rows keep the order of their arrival.
 *
 * Rows are found by the hash of their cells in chains of indexes. A taken row stays as a dead entry
 * until half of them are dead; then the living are copied into a fresh arena, so memory follows the
 * table and not the changelog. */
#include "cli/output.h"

#define NO_ROW       UINT32_MAX
#define SLOTS_FIRST  256u
#define COMPACT_FROM 1024u

bool
wri_kept_init(wri_kept *k, uint32_t col_count)
{
    memset(k, 0, sizeof *k);
    k->col_count = col_count;
    k->arena = wr_arena_create(NULL, 0);
    return k->arena != NULL;
}

void
wri_kept_deinit(wri_kept *k)
{
    wr_arena_destroy(k->arena);
    memset(k, 0, sizeof *k);
}

static uint64_t
hash_row(const wri_kept *k, const wr_str *cells)
{
    uint64_t h = 0;
    for (uint32_t c = 0; c < k->col_count; c++)
        h = wr_hash_bytes(cells[c].ptr ? cells[c].ptr : "", cells[c].len,
                          h + (cells[c].ptr != NULL));
    return h;
}

static bool
equal_rows(const wri_kept *k, const wr_str *a, const wr_str *b)
{
    for (uint32_t c = 0; c < k->col_count; c++)
        if ((a[c].ptr == NULL) != (b[c].ptr == NULL) || !wr_str_eq(a[c], b[c])) return false;
    return true;
}

static bool
rehash(wri_kept *k, uint32_t slots)
{
    k->slots = WR_NEW_N(k->arena, uint32_t, slots);
    if (!k->slots) return false;
    k->slot_count = slots;
    memset(k->slots, 0xff, slots * sizeof *k->slots);
    for (uint32_t i = 0; i < k->rows.count; i++) {
        wri_row *row = &k->rows.items[i];
        uint32_t *slot = &k->slots[row->hash & (slots - 1)];
        if (row->dead) continue;
        row->next = *slot;
        *slot = i;
    }
    return true;
}

static bool
push_row(wri_kept *k, wri_row row)
{
    wr_str *cells = WR_NEW_N(k->arena, wr_str, k->col_count + 1);
    if (!cells) return false;
    for (uint32_t c = 0; c < k->col_count; c++) {
        if (!row.cells[c].ptr) continue;
        cells[c] = wr_arena_str(k->arena, row.cells[c]);
        if (!cells[c].ptr) return false;
    }
    row.cells = cells;
    uint32_t *slot = &k->slots[row.hash & (k->slot_count - 1)];
    row.next = *slot;
    if (!wr_list_push(k->arena, &k->rows, row)) return false;
    *slot = k->rows.count - 1;
    k->live++;
    return true;
}

/* The living into a fresh arena. */
static bool
compact(wri_kept *k)
{
    wri_kept fresh;
    uint32_t slots = SLOTS_FIRST;
    while (slots < k->live * 2) slots *= 2;
    bool ok = wri_kept_init(&fresh, k->col_count) && rehash(&fresh, slots);
    for (uint32_t i = 0; ok && i < k->rows.count; i++)
        if (!k->rows.items[i].dead) ok = push_row(&fresh, k->rows.items[i]);
    if (!ok) {
        wri_kept_deinit(&fresh);
        return false;
    }
    fresh.row_max = k->row_max;
    fresh.dropped = k->dropped;
    wri_kept_deinit(k);
    *k = fresh;
    return true;
}

static void
kill_row(wri_kept *k, uint32_t index)
{
    wri_row *row = &k->rows.items[index];
    uint32_t *at = &k->slots[row->hash & (k->slot_count - 1)];
    while (*at != index) at = &k->rows.items[*at].next;
    *at = row->next;
    row->dead = true;
    k->live--;
}

static void
drop_oldest(wri_kept *k)
{
    while (k->rows.items[k->oldest].dead) k->oldest++;
    kill_row(k, k->oldest);
    k->dropped++;
}

bool
wri_kept_apply(wri_kept *k, const wri_row *change)
{
    wri_row row = *change;
    row.hash = hash_row(k, row.cells);
    row.dead = false;
    if (!k->slots && !rehash(k, SLOTS_FIRST)) return false;
    if (row.kind == WR_INSERT || row.kind == WR_UPDATE_AFTER) {
        if (k->live >= k->slot_count && !rehash(k, k->slot_count * 4)) return false;
        if (!push_row(k, row)) return false;
        if (k->row_max && k->live > k->row_max) drop_oldest(k);
    } else {
        uint32_t i = k->slots[row.hash & (k->slot_count - 1)];
        while (i != NO_ROW && (k->rows.items[i].hash != row.hash ||
                               !equal_rows(k, k->rows.items[i].cells, row.cells)))
            i = k->rows.items[i].next;
        if (i != NO_ROW) kill_row(k, i);
    }
    if (k->rows.count >= COMPACT_FROM && k->live < k->rows.count / 2) return compact(k);
    return true;
}
