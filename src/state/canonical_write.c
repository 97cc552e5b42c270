/* SPDX-License-Identifier: Apache-2.0 */
/* The memory backend's canonical snapshots. Its entries come by number, the format wants them by
 * key group and children with their parents; so all entries are first encoded as log-1 has them, in
 * memory, and then written in the other order. A canonical snapshot needs as much memory as the
 * state has bytes, while it is written. */
#include "state/canonical_int.h"
#include "state/snapshot_int.h"

typedef struct sorted { /* a table's entries */
    const wri_cut *cut;
    const uint8_t **at; /* by number; NULL: free */
    uint32_t *order;    /* numbers, sorted */
    uint32_t *rank;     /* by number: position in `order` */
    uint32_t count, next;
} sorted;

typedef struct sorting {
    wr_state_snapshot *s;
    wr_memtrack *budget;
    sorted *tables;
} sorting;

static wr_status
decode(wr_ctx *ctx, const sorted *t, uint32_t number, wri_seg_entry *e, const uint8_t **end)
{
    const uint8_t *p = t->at[number];
    /* Our own, and whole: find_entries has read it. So its end need not be known. */
    if (!wri_seg_next(&t->cut->t->info, &p, p + ((size_t)1 << 46), e))
        return wr_raise(ctx, WR_INTERNAL, "an entry of state cannot be read back");
    *end = p;
    return WR_OK;
}

/* Where the entries of all packs lie. */
static wr_status
find_entries(wr_ctx *ctx, sorting *o, const wri_pack *packs)
{
    for (const wri_pack *k = packs; k; k = k->next) {
        sorted *t = &o->tables[k->table];
        const uint8_t *p = (const uint8_t *)(k + 1) + WRI_SEG_BLOCK_HEAD;
        const uint8_t *end = (const uint8_t *)(k + 1) + k->len;
        for (uint32_t i = 0; i < k->entries; i++) {
            const uint8_t *at = p;
            wri_seg_entry e;
            if (!wri_seg_next(&t->cut->t->info, &p, end, &e) || e.number >= t->cut->used)
                return wr_raise(ctx, WR_INTERNAL, "an entry of state cannot be read back");
            if (e.live) t->at[e.number] = at;
        }
    }
    return WR_OK;
}

/* What a table is sorted by: the key group, or the parent's place. */
static wr_status
place_of(wr_ctx *ctx, const sorting *o, const sorted *t, uint32_t number, uint32_t *place)
{
    wri_seg_entry e;
    const uint8_t *end;
    WR_TRY(decode(ctx, t, number, &e, &end));
    const wri_table *table = t->cut->t;
    if (!table->parent)
        *place = wr_key_group(e.hash, o->s->b->max_parallelism);
    else
        *place = o->tables[table->parent->index].rank[e.parent];
    return WR_OK;
}

/* Counting sort. `rank` serves for the places until the ranks are known. */
static wr_status
sort_table(wr_ctx *ctx, sorting *o, sorted *t)
{
    const wri_table *parent = t->cut->t->parent;
    const size_t places =
        (parent ? o->tables[parent->index].count : o->s->b->max_parallelism) + (size_t)1;
    uint32_t *starts = wr_mem_zalloc(o->budget, places * sizeof *starts);
    WR_TRY_ALLOC(ctx, starts);
    wr_status status = WR_OK;
    for (uint32_t n = 0; n < t->cut->used && status == WR_OK; n++) {
        if (!t->at[n]) continue;
        status = place_of(ctx, o, t, n, &t->rank[n]);
        if (status == WR_OK) starts[t->rank[n] + 1]++;
        t->count++;
    }
    for (size_t i = 1; i < places; i++) starts[i] += starts[i - 1];
    for (uint32_t n = 0; n < t->cut->used && status == WR_OK; n++)
        if (t->at[n]) t->order[starts[t->rank[n]]++] = n;
    for (uint32_t i = 0; i < t->count && status == WR_OK; i++) t->rank[t->order[i]] = i;
    wr_mem_free(o->budget, starts, places * sizeof *starts);
    return status;
}

/* One entry with its parent's key; *group tells its key group. */
static wr_status
entry_at(wr_ctx *ctx, const sorting *o, const sorted *t, uint32_t number, wri_canon_entry *e,
         size_t *blob_bytes, uint32_t *group)
{
    const uint8_t *end;
    *e = (wri_canon_entry){0};
    WR_TRY(decode(ctx, t, number, &e->e, &end));
    *blob_bytes = (size_t)(end - e->e.blobs);
    e->seq = e->e.seq;
    uint64_t hash = e->e.hash;
    if (t->cut->t->parent) {
        wri_seg_entry parent;
        WR_TRY(decode(ctx, &o->tables[t->cut->t->parent->index], e->e.parent, &parent, &end));
        hash = e->parent_hash = parent.hash;
        e->parent_key = parent.key;
        e->parent_len = parent.key_len;
    }
    *group = wr_key_group(hash, o->s->b->max_parallelism);
    return WR_OK;
}

static wr_status
write_group(wr_ctx *ctx, sorting *o, wri_canon_writer *c, uint32_t group)
{
    for (uint32_t i = 0; i < o->s->cut_count; i++) {
        sorted *t = &o->tables[i];
        for (; t->next < t->count; t->next++) {
            wri_canon_entry e;
            size_t blob_bytes;
            uint32_t its;
            WR_TRY(entry_at(ctx, o, t, t->order[t->next], &e, &blob_bytes, &its));
            if (its != group) break;
            WR_TRY(wri_canon_put(ctx, c, i, &t->cut->t->info, &e, blob_bytes));
        }
    }
    return WR_OK;
}

static wr_status
write_sorted(wr_ctx *ctx, sorting *o, wr_state_writer *w, wr_state_file *out)
{
    const wri_backend *b = o->s->b;
    wri_canon_writer c;
    wr_status status = wri_canon_begin(
        ctx, &c, w, o->budget, &(wri_seg_range){b->kg_first, b->kg_last, b->max_parallelism});
    for (uint32_t g = b->kg_first; g <= b->kg_last && status == WR_OK; g++)
        status = write_group(ctx, o, &c, g);
    if (status == WR_OK) status = wri_canon_end(ctx, &c, out);
    wri_canon_deinit(&c);
    return status;
}

static wr_status
sort_all(wr_ctx *ctx, sorting *o, const wri_pack *packs)
{
    const wr_state_snapshot *s = o->s;
    for (uint32_t i = 0; i < s->cut_count; i++) {
        sorted *t = &o->tables[i];
        t->cut = &s->cuts[i];
        const size_t n = (size_t)t->cut->used + 1;
        t->at = wr_mem_zalloc(o->budget, n * sizeof *t->at);
        t->order = wr_mem_alloc(o->budget, n * sizeof *t->order);
        t->rank = wr_mem_alloc(o->budget, n * sizeof *t->rank);
        if (!t->at || !t->order || !t->rank) return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    WR_TRY(find_entries(ctx, o, packs));
    for (uint32_t i = 0; i < s->cut_count; i++) WR_TRY(sort_table(ctx, o, &o->tables[i]));
    return WR_OK;
}

wr_status
wri_canonical_write(wr_ctx *ctx, wr_state_snapshot *s, const wri_pack *packs, wr_state_writer *w,
                    wr_state_file *out)
{
    sorting o = {.s = s, .budget = s->b->budget};
    o.tables = wr_mem_zalloc(o.budget, (s->cut_count + (size_t)1) * sizeof *o.tables);
    WR_TRY_ALLOC(ctx, o.tables);
    wr_status status = sort_all(ctx, &o, packs);
    if (status == WR_OK) status = write_sorted(ctx, &o, w, out);
    for (uint32_t i = 0; i < s->cut_count; i++) {
        const size_t n = (size_t)s->cuts[i].used + 1;
        wr_mem_free(o.budget, (void *)(uintptr_t)o.tables[i].at, n * sizeof *o.tables->at);
        wr_mem_free(o.budget, o.tables[i].order, n * sizeof *o.tables->order);
        wr_mem_free(o.budget, o.tables[i].rank, n * sizeof *o.tables->rank);
    }
    wr_mem_free(o.budget, o.tables, (s->cut_count + (size_t)1) * sizeof *o.tables);
    return status;
}
