/* SPDX-License-Identifier: Apache-2.0 */
/* Entries as wri_encode makes them, put in the order of canonical-1 (sort_int.h). */
#include "state/sort_int.h"

void
wri_sorter_init(wri_sorter *o, wr_state_snapshot *s, wr_state_writer *w)
{
    const size_t bytes = w->sort_bytes ? w->sort_bytes : WRI_SORT_BYTES;
    *o = (wri_sorter){.s = s, .w = w, .budget = s->b->budget, .runs.budget = s->b->budget};
    /* A thousand runs can be merged with buffers that are not too small. */
    o->limit = WR_MAX(bytes - WR_MIN(bytes, WRI_SORT_REST), wr_memtrack_used(s->b->budget) / 1024);
    o->last = &o->first;
}

static void
drop_packs(wri_sorter *o)
{
    while (o->first) {
        wri_pack *p = o->first;
        o->first = p->next;
        wri_pack_destroy(o->budget, p);
    }
    o->last = &o->first;
    o->pack_count = 0;
    o->entries = o->held = 0;
}

/* ---- one entry ------------------------------------------------------------------------------- */

/* The entry at *p as a canonical one. *live false: it is gone, and nothing else is known. */
static wr_status
take(wr_ctx *ctx, const wri_sorter *o, uint32_t table, const uint8_t **p, const uint8_t *end,
     wri_canon_entry *e, size_t *blob_bytes)
{
    const wri_cut *c = &o->s->cuts[table];
    const uint8_t *parent = NULL;
    *e = (wri_canon_entry){0};
    bool ok = wri_seg_next(&c->t->info, p, end, &e->e);
    if (ok && e->e.live) {
        *blob_bytes = (size_t)(*p - e->e.blobs);
        e->seq = e->e.seq;
        ok = !c->parent || (parent = wri_seg_take(p, end, WRI_PARENT_HEAD));
    }
    if (ok && parent) {
        e->parent_hash = wr_load64(parent);
        e->parent_len = wr_load32(parent + 8);
        ok = (e->parent_key = wri_seg_take(p, end, e->parent_len)) != NULL;
    }
    return ok ? WR_OK : wr_raise(ctx, WR_INTERNAL, "an entry of state cannot be read back");
}

/* ---- in memory ------------------------------------------------------------------------------- */

static wr_status
note_pack(wr_ctx *ctx, wri_sorter *o, uint32_t number)
{
    wri_pack *k = o->packs[number];
    const uint8_t *start = wri_pack_bytes(k), *p = start + WRI_SEG_BLOCK_HEAD,
                  *end = start + k->len;
    for (uint32_t i = 0; i < k->entries; i++) {
        const uint32_t at = (uint32_t)(p - start);
        wri_canon_entry e;
        size_t blob_bytes;
        WR_TRY(take(ctx, o, k->table, &p, end, &e, &blob_bytes));
        if (!e.e.live) continue;
        const bool child = o->s->cuts[k->table].parent != NULL;
        const uint32_t group =
            wr_key_group(child ? e.parent_hash : e.e.hash, o->s->b->max_parallelism);
        o->sorted[o->count++] =
            (wri_sorted){wri_place(group, k->table, child ? e.e.parent : 0), number, at};
    }
    return WR_OK;
}

/* By one byte of the places, keeping the order of equals. */
static void
sort_by_byte(wri_sorter *o, uint32_t shift, const uint32_t *counts)
{
    uint32_t starts[256];
    for (uint32_t i = 0, at = 0; i < 256; i++) {
        starts[i] = at;
        at += counts[i];
    }
    for (uint32_t i = 0; i < o->count; i++)
        o->other[starts[o->sorted[i].place >> shift & 255]++] = o->sorted[i];
    wri_sorted *swap = o->sorted;
    o->sorted = o->other;
    o->other = swap;
}

static void
sort_places(wri_sorter *o)
{
    uint32_t counts[8][256] = {{0}};
    for (uint32_t i = 0; i < o->count; i++)
        for (uint32_t k = 0; k < 8; k++) counts[k][o->sorted[i].place >> k * 8 & 255]++;
    for (uint32_t k = 0; k < 8 && o->count; k++)
        if (counts[k][o->sorted[0].place >> k * 8 & 255] != o->count)
            sort_by_byte(o, k * 8, counts[k]);
}

static void
forget_order(wri_sorter *o)
{
    wr_mem_free(o->budget, o->packs, o->packs ? o->pack_count * sizeof(wri_pack *) : 0);
    wr_mem_free(o->budget, o->sorted, o->sorted ? o->entries * sizeof *o->sorted : 0);
    wr_mem_free(o->budget, o->other, o->other ? o->entries * sizeof *o->other : 0);
    o->packs = NULL;
    o->sorted = o->other = NULL;
    o->count = 0;
}

static wr_status
put_in_order(wr_ctx *ctx, wri_sorter *o)
{
    if (o->entries > UINT32_MAX) return wr_raise(ctx, WR_LIMIT, "too many entries in a savepoint");
    o->packs = wr_mem_alloc(o->budget, o->pack_count * sizeof(wri_pack *));
    o->sorted = wr_mem_alloc(o->budget, o->entries * sizeof *o->sorted);
    o->other = wr_mem_alloc(o->budget, o->entries * sizeof *o->other);
    if (!o->packs || !o->sorted || !o->other) return wr_raise(ctx, WR_NOMEM, "out of memory");
    uint32_t n = 0;
    for (wri_pack *k = o->first; k; k = k->next) o->packs[n++] = k;
    for (uint32_t i = 0; i < n; i++) WR_TRY(note_pack(ctx, o, i));
    sort_places(o);
    return WR_OK;
}

/* Where entry number i of the order begins and its pack ends. */
static const uint8_t *
bytes_of(const wri_sorter *o, uint32_t i, const uint8_t **end)
{
    wri_pack *k = o->packs[o->sorted[i].pack];
    *end = wri_pack_bytes(k) + k->len;
    return wri_pack_bytes(k) + o->sorted[i].at;
}

/* ---- to the file ----------------------------------------------------------------------------- */

static wr_status
put_entry(wr_ctx *ctx, const wri_sorter *o, wri_canon_writer *c, uint64_t place, const uint8_t *p,
          const uint8_t *end)
{
    const uint32_t table = wri_place_table(place);
    WR_ASSERT(table < o->s->cut_count);
    wri_canon_entry e;
    size_t blob_bytes = 0;
    WR_TRY(take(ctx, o, table, &p, end, &e, &blob_bytes));
    return wri_canon_put(ctx, c, table, &o->s->cuts[table].t->info, &e, blob_bytes);
}

/* What is in memory, in order, as one run. */
static wr_status
spill(wr_ctx *ctx, wri_sorter *o)
{
    WR_TRY(put_in_order(ctx, o));
    WR_TRY(wri_runs_begin(ctx, &o->runs, o->w));
    for (uint32_t i = 0; i < o->count; i++) {
        wri_canon_entry e;
        size_t blob_bytes;
        const uint8_t *end, *start = bytes_of(o, i, &end), *p = start;
        const uint64_t place = o->sorted[i].place;
        WR_TRY(take(ctx, o, wri_place_table(place), &p, end, &e, &blob_bytes));
        WR_TRY(wri_runs_put(ctx, &o->runs, place, start, (size_t)(p - start)));
    }
    forget_order(o);
    drop_packs(o);
    return wri_runs_end(ctx, &o->runs);
}

wr_status
wri_sorter_add(wr_ctx *ctx, wri_sorter *o, wri_pack *p)
{
    if (!p->entries) {
        wri_pack_destroy(o->budget, p);
        return WR_OK;
    }
    p->next = NULL;
    *o->last = p;
    o->last = &p->next;
    o->pack_count++;
    o->entries += p->entries;
    o->held += sizeof *p + p->cap + sizeof p + p->entries * 2 * sizeof(wri_sorted);
    if (ctx->cancel && *ctx->cancel) return wr_raise(ctx, WR_CANCELLED, "cancelled");
    if (p->table >= WRI_SORT_TABLES)
        return wr_raise(ctx, WR_LIMIT, "an operator has more than %u tables", WRI_SORT_TABLES);
    return o->held < o->limit || !o->w->scratch ? WR_OK : spill(ctx, o);
}

static wr_status
write_memory(wr_ctx *ctx, wri_sorter *o, wri_canon_writer *c)
{
    if (!o->first) return WR_OK;
    WR_TRY(put_in_order(ctx, o));
    for (uint32_t i = 0; i < o->count; i++) {
        const uint8_t *end, *p = bytes_of(o, i, &end);
        WR_TRY(put_entry(ctx, o, c, o->sorted[i].place, p, end));
    }
    return WR_OK;
}

static wr_status
write_merged(wr_ctx *ctx, wri_sorter *o, wri_canon_writer *c)
{
    if (o->first) WR_TRY(spill(ctx, o));
    WR_TRY(wri_runs_merge(ctx, &o->runs, o->limit));
    for (;;) {
        uint64_t place;
        const uint8_t *p, *end;
        WR_TRY(wri_runs_next(ctx, &o->runs, &place, &p, &end));
        if (!p) return WR_OK;
        if (ctx->cancel && *ctx->cancel) return wr_raise(ctx, WR_CANCELLED, "cancelled");
        WR_TRY(put_entry(ctx, o, c, place, p, end));
    }
}

wr_status
wri_sorter_write(wr_ctx *ctx, wri_sorter *o, wr_state_file *out)
{
    const wri_backend *b = o->s->b;
    wri_canon_writer c;
    wr_status status = wri_canon_begin(
        ctx, &c, o->w, o->budget, &(wri_seg_range){b->kg_first, b->kg_last, b->max_parallelism});
    if (status == WR_OK)
        status = o->runs.count ? write_merged(ctx, o, &c) : write_memory(ctx, o, &c);
    if (status == WR_OK) status = wri_canon_end(ctx, &c, out);
    wri_canon_deinit(&c);
    return status;
}

void
wri_sorter_deinit(wri_sorter *o)
{
    forget_order(o);
    drop_packs(o);
    wri_runs_deinit(&o->runs);
}
