/* SPDX-License-Identifier: Apache-2.0 */
/* Where the events of a batch go. Bids are most events: their column is FLAT, its values are not
 * cleared before they are written. Persons and auctions are few: their columns are dictionaries
 * whose entry 0 is NULL and whose other entries are the events in order, so that a batch costs what
 * its events cost. Fields that nobody reads are constant NULLs. Memory of the batch's arena. */
#include "connector/nexmark_int.h"

/* A field that nobody reads: may be looked at (copied, gathered), never written. */
static void
leave_out(wr_vec *v, const wr_type *t)
{
    static const uint64_t nothing[2] = {0, 0};
    *v = (wr_vec){.type = t,
                  .form = WR_FORM_CONST,
                  .phys = t->phys,
                  .has_nulls = true,
                  .len = 1,
                  .cap = 1,
                  .data = (void *)(uintptr_t)nothing,
                  .validity = (uint64_t *)(uintptr_t)nothing};
}

/* A ROW vector with room for `cap` entries, all NULL yet. `wanted`: bitmap of fields, NULL = all */
static bool
init_row(wr_vec *v, const wr_type *t, const uint64_t *wanted, uint32_t cap, wr_arena *a)
{
    *v = (wr_vec){.type = t, .form = WR_FORM_FLAT, .phys = t->phys, .has_nulls = true};
    v->len = v->cap = cap;
    v->child_count = t->field_count;
    v->child = WR_NEW_N(a, wr_vec, t->field_count);
    v->validity = wr_arena_zalloc(a, 8 * WR_BIT_WORDS(cap));
    if (!v->child || !v->validity) return false;
    for (uint32_t f = 0; f < t->field_count; f++) {
        wr_vec *k = &v->child[f];
        const wr_type *kt = t->fields[f].type;
        if (wanted && !wr_bit_get(wanted, f)) {
            leave_out(k, kt);
            continue;
        }
        *k = (wr_vec){.type = kt, .form = WR_FORM_FLAT, .phys = kt->phys, .len = cap, .cap = cap};
        k->data = wr_arena_alloc(a, (size_t)cap * wr_phys_bytes((wr_phys)kt->phys));
        if (!k->data) return false;
    }
    return true;
}

static bool
init_rare(wri_nx_rare *r, wr_vec *v, const wr_type *t, const uint64_t *wanted, uint32_t cap,
          uint32_t rows, wr_arena *a)
{
    r->v = v;
    r->next = 1;
    r->dict = wr_arena_zalloc(a, sizeof *r->dict * rows);
    if (!r->dict || !init_row(v, t, wanted, cap + 1, a)) return false;
    for (uint32_t f = 0; f < v->child_count; f++) {
        wr_vec *k = &v->child[f];
        if (k->form == WR_FORM_FLAT) memset(k->data, 0, wr_phys_bytes((wr_phys)k->phys));
    }
    return true;
}

/* How many of `rows` events in a row, beginning anywhere, can be of a kind with this proportion. */
static uint32_t
most(const wri_nx_config *c, int32_t proportion, uint32_t rows)
{
    const uint64_t n = ((uint64_t)rows / (uint64_t)c->total + 2) * (uint64_t)proportion;
    return (uint32_t)WR_MIN(n, (uint64_t)rows);
}

bool
wri_nx_open_columns(const wri_nx_config *c, const wr_source_spec *spec, wr_batch *fill,
                    uint32_t rows, wri_nx_out *out)
{
    wr_arena *a = fill->arena;
    *out = (wri_nx_out){.arena = a};
    for (uint32_t i = 0; i < spec->columns.count; i++) {
        wr_vec *v = &fill->cols[i];
        const wr_type *t = spec->columns.fields[i].type;
        const uint64_t *wanted = spec->fields ? spec->fields[i] : NULL;
        bool ok = true;
        switch (spec->physical[i]) {
        case 0:
            *v = (wr_vec){.type = t, .form = WR_FORM_FLAT, .phys = t->phys, .len = rows};
            v->cap = rows;
            v->data = out->type = wr_arena_alloc(a, sizeof(int32_t) * rows);
            ok = v->data != NULL;
            break;
        case 1:
            ok = init_rare(&out->person, v, t, wanted, most(c, c->person, rows), rows, a);
            break;
        case 2:
            ok = init_rare(&out->auction, v, t, wanted, most(c, c->auction, rows), rows, a);
            break;
        default:
            out->bid = v;
            ok = init_row(v, t, wanted, rows, a);
            break;
        }
        if (!ok) return false;
    }
    return true;
}

static void
close_rare(wri_nx_rare *r)
{
    wr_vec *v = r->v;
    if (!v) return;
    v->form = WR_FORM_DICT;
    v->dict = r->dict;
    v->len = r->next;
    for (uint32_t f = 0; f < v->child_count; f++)
        if (v->child[f].form == WR_FORM_FLAT) v->child[f].len = r->next;
    for (uint32_t i = 1; i < r->next; i++) wr_bit_set(v->validity, i);
}

void
wri_nx_close_columns(wri_nx_out *out)
{
    close_rare(&out->person);
    close_rare(&out->auction);
}

void
wri_nx_mark(wr_vec *bid, uint32_t row, uint32_t n)
{
    uint64_t *bits = bid->validity;
    while (n > 0) {
        const uint32_t at = row & 63, here = WR_MIN(64 - at, n);
        const uint64_t ones = here == 64 ? ~0ull : (1ull << here) - 1;
        bits[row >> 6] |= ones << at;
        row += here;
        n -= here;
    }
}
