/* SPDX-License-Identifier: Apache-2.0 */
/* Filling an empty memory backend from snapshots.
 *
 * Tables are filled one after the other, parents first; for each, the handles one after the other;
 * of a handle the segments from the newest to the oldest, and of every number what is met first.
 * `map` tells what the numbers of a value table have become, so that its children find their slots.
 * Canonical files say all of this by key, and so do native snapshots of RocksDB's. */
#include "state/canonical_int.h"
#include "state/restore_int.h"

#define DENSE_ENOUGH 4096u /* numbers */
#define FILES_MOST   32u   /* that increments go on from; without restores a chain has 25 at most */

#define ENTRY_BYTES_LEAST 16u /* number, length of the key, hash */

#define UNKNOWN UINT32_MAX       /* no entry has this number */
#define OUTSIDE (UINT32_MAX - 1) /* not in use, or its key group is somebody else's */

typedef struct source { /* one handle */
    const wr_state_handle *h;
    bool canonical;
    wri_native *native; /* of RocksDB's; NULL: it has files of blocks */
    wri_seg_file *files;
    uint32_t *used;  /* per table: numbers are below */
    uint32_t **maps; /* per table, once it has been filled: number -> entry */
} source;

typedef struct restore {
    wri_backend *b;
    wr_state_reader *r;
    wr_arena *a;
    source *sources;
    uint32_t count;
    bool allow_dropped, canonical; /* canonical: one of them is by key */
    bool goes_on; /* entries keep their numbers, and increments go on from the files */
} restore;

typedef struct filling { /* one table from one handle */
    wri_table *t;
    const wr_state_table_info *info;
    wri_layout layout, parent_layout;
    uint32_t table; /* index in the handle */
    uint32_t used;
    const uint32_t *parents; /* NULL: a value table */
    uint32_t parents_used;
    uint32_t *map;
    bool keep_numbers;
    /* Canonical: the parent of the entry before, and where that is now; sequences of map entries.
     */
    const uint8_t *parent_key;
    uint32_t parent_slot;
    bool keep_seqs;
    uint64_t *seqs;
    uint32_t seq_cap;
    wri_indexing index;
} filling;

/* ---- one entry ------------------------------------------------------------------------------- */

static wr_status
fill_record(wr_ctx *ctx, const filling *f, const wri_seg_entry *e, uint32_t entry)
{
    wri_table *t = f->t;
    uint8_t *rec = wr_state_rec(&t->base, entry);
    for (uint32_t i = 0; i < f->layout.moves.count; i++) {
        const wri_move *m = &f->layout.moves.items[i];
        memcpy(rec + m->to, e->rec + m->from, m->bytes);
    }
    if (t->time_offset && f->info->ttl_ms > 0) *wri_time_of(t, entry) = e->time;
    const uint8_t *p = e->blobs;
    for (uint32_t i = 0; i < e->blob_count; i++) {
        uint32_t offset, len;
        const uint8_t *bytes = wri_seg_blob(&p, &offset, &len);
        uint32_t to;
        WR_TRY(wri_layout_blob(ctx, &f->layout, offset, &bytes, &len, &to));
        if (to == UINT32_MAX) continue;
        wr_blob *blob = (wr_blob *)(void *)(rec + to);
        *blob = (wr_blob){0};
        WR_TRY(wri_blob_set(ctx, &t->base, blob, bytes, len));
    }
    return WR_OK;
}

static bool
is_ours(const wri_backend *b, uint64_t hash)
{
    const uint32_t kg = wr_key_group(hash, b->max_parallelism);
    return kg >= b->kg_first && kg <= b->kg_last;
}

/* *entry: where the entry is now, below this slot if it is a child. *wrong: what is wrong with it.
 */
static wr_status
put_entry(wr_ctx *ctx, filling *f, const wri_seg_entry *e, uint32_t slot, uint32_t *entry,
          const char **wrong)
{
    bool twice = false;
    *entry = OUTSIDE;
    if (f->t->shape == WR_STATE_VALUE) {
        if (!is_ours(wri_backend_of(f->t), e->hash)) return WR_OK;
        WR_TRY(wri_entry_add(ctx, f->t, e->hash, e->key, e->key_len, entry));
    } else {
        if (slot == UNKNOWN) *wrong = "an entry belongs to a key that is not there";
        if (slot == UNKNOWN || slot == OUTSIDE) return WR_OK;
        if (f->t->shape == WR_STATE_MAP)
            WR_TRY(wri_map_restore(ctx, f->t, slot, e->hash, e->seq, e->key, e->key_len, entry));
        else
            WR_TRY(wri_ord_restore(ctx, f->t, slot, e->key, e->key_len, entry, &twice));
    }
    if (twice) *wrong = "a key is there twice";
    if (twice) return WR_OK;
    if (f->t->shape != WR_STATE_ORDERED)
        WR_TRY(wri_index_add(ctx, f->t, &f->index, wri_head_of(f->t, *entry)->hash, *entry));
    return fill_record(ctx, f, e, *entry);
}

/* The entry as it is now. */
static wr_status
place(wr_ctx *ctx, filling *f, wri_seg_entry *e, uint32_t slot, uint32_t *entry, const char **wrong)
{
    const wr_arena_mark mark = wr_arena_get_mark(f->layout.arena);
    WR_TRY(wri_layout_key(ctx, &f->layout, &e->key, &e->key_len, &e->hash));
    WR_TRY(put_entry(ctx, f, e, slot, entry, wrong));
    wr_arena_pop(f->layout.arena, mark);
    return WR_OK;
}

/* Remember the sequence of a map entry until the map is arranged. */
static wr_status
keep_seq(wr_ctx *ctx, filling *f, uint32_t entry, uint64_t seq)
{
    if (entry == OUTSIDE || !f->keep_seqs) return WR_OK;
    if (entry >= f->seq_cap) {
        wr_memtrack *m = wri_backend_of(f->t)->budget;
        const uint32_t cap = WR_MAX(entry + 1, WR_MIN(f->seq_cap, UINT32_MAX / 2) * 2);
        uint64_t *more = wr_mem_realloc(m, f->seqs, f->seq_cap * sizeof *more, cap * sizeof *more);
        WR_TRY_ALLOC(ctx, more);
        f->seqs = more;
        f->seq_cap = cap;
    }
    f->seqs[entry] = seq;
    return WR_OK;
}

static wr_status
fill_block(wr_ctx *ctx, filling *f, wri_seg_file *file, uint32_t block)
{
    const uint8_t *p, *end;
    WR_TRY(wri_seg_load(ctx, file, block, &p, &end));
    const wri_seg_block *k = &file->blocks[block];
    for (uint32_t i = 0; i < k->entries; i++) {
        wri_seg_entry e;
        if (!wri_seg_next(f->info, &p, end, &e) || e.number >= f->used)
            return wri_seg_corrupt(ctx, file, k->offset, "an entry makes no sense");
        if (f->map[e.number] != UNKNOWN) continue; /* a newer segment has told */
        f->map[e.number] = OUTSIDE;
        if (!e.live) continue;
        const char *wrong = NULL;
        if (f->keep_numbers) wri_entry_aim(f->t, e.number);
        const uint32_t slot =
            f->parents && e.parent < f->parents_used ? f->parents[e.parent] : UNKNOWN;
        WR_TRY(place(ctx, f, &e, slot, &f->map[e.number], &wrong));
        if (wrong) return wri_seg_corrupt(ctx, file, k->offset, wrong);
        WR_TRY(keep_seq(ctx, f, f->map[e.number], e.seq));
    }
    if (p != end) return wri_seg_corrupt(ctx, file, k->offset, "the block is too long");
    return WR_OK;
}

/* The slot of a canonical entry's parent; mostly that of the entry before. */
static wr_status
parent_of(wr_ctx *ctx, filling *f, const wri_canon_entry *e, uint32_t *slot)
{
    *slot = f->parent_slot;
    if (f->t->shape == WR_STATE_VALUE || f->parent_key == e->parent_key) return WR_OK;
    const wr_arena_mark mark = wr_arena_get_mark(f->layout.arena);
    const uint8_t *key = e->parent_key;
    uint32_t len = e->parent_len;
    uint64_t hash = e->parent_hash;
    WR_TRY(wri_layout_key(ctx, &f->parent_layout, &key, &len, &hash));
    f->parent_key = e->parent_key;
    f->parent_slot = OUTSIDE;
    if (is_ours(wri_backend_of(f->t), hash)) {
        f->parent_slot = wri_value_find(f->t->parent, hash, key, len);
        if (f->parent_slot == WRI_NIL) f->parent_slot = UNKNOWN;
    }
    wr_arena_pop(f->layout.arena, mark);
    *slot = f->parent_slot;
    return WR_OK;
}

static wr_status
fill_canonical(wr_ctx *ctx, filling *f, wri_seg_file *file, uint32_t block)
{
    const uint8_t *p, *end;
    WR_TRY(wri_seg_load(ctx, file, block, &p, &end));
    const wri_seg_block *k = &file->blocks[block];
    wri_canon_entry e = {0};
    f->parent_key = NULL;
    for (uint32_t i = 0; i < k->entries; i++) {
        if (!wri_canon_next(f->info, &p, end, &e))
            return wri_seg_corrupt(ctx, file, k->offset, "an entry makes no sense");
        const char *wrong = NULL;
        uint32_t entry, slot;
        WR_TRY(parent_of(ctx, f, &e, &slot));
        WR_TRY(place(ctx, f, &e.e, slot, &entry, &wrong));
        if (wrong) return wri_seg_corrupt(ctx, file, k->offset, wrong);
        WR_TRY(keep_seq(ctx, f, entry, e.seq));
    }
    if (p != end) return wri_seg_corrupt(ctx, file, k->offset, "the block is too long");
    return WR_OK;
}

/* ---- tables ---------------------------------------------------------------------------------- */

wri_table *
wri_table_named(const wri_backend *b, wr_str id)
{
    for (wri_table *t = b->tables; t; t = t->next)
        if (wr_str_eq(t->info.logical_id, id)) return t;
    return NULL;
}

/* Its index in the handle; UINT32_MAX: the handle does not know it. */
static uint32_t
index_in(const wr_state_handle *h, wr_str id)
{
    for (uint32_t i = 0; i < h->table_count; i++)
        if (wr_str_eq(h->tables[i].logical_id, id)) return i;
    return UINT32_MAX;
}

/* Table number `table` of the handle is the one to fill from now: does it fit? */
static wr_status
begin(wr_ctx *ctx, restore *r, const source *s, filling *f, uint32_t table)
{
    const wr_state_handle *h = s->h;
    f->info = &h->tables[table];
    f->table = table;
    f->used = s->used[table];
    WR_TRY(wri_info_match(ctx, r->a, f->info, &f->t->info, r->allow_dropped, &f->layout));
    f->parents = NULL;
    if (!f->t->parent) return WR_OK;
    const uint32_t parent = (uint32_t)f->info->parent;
    if (parent >= h->table_count ||
        !wr_str_eq(h->tables[parent].logical_id, f->t->parent->info.logical_id))
        return wr_raise(ctx, WR_SEMANTIC, "state '%.*s' belongs to another table in the snapshot",
                        WR_STR_ARG(f->t->info.logical_id));
    WR_TRY(wri_info_match(ctx, r->a, &h->tables[parent], &f->t->parent->info, true,
                          &f->parent_layout));
    f->parents = s->maps[parent]; /* parents are filled first */
    f->parents_used = s->used[parent];
    return WR_OK;
}

static wr_status
fill_from_log(wr_ctx *ctx, const restore *r, source *s, filling *f)
{
    f->map = s->maps[f->table] = wr_mem_alloc(r->b->budget, ((size_t)f->used + 1) * sizeof *f->map);
    WR_TRY_ALLOC(ctx, f->map);
    memset(f->map, 0xff, ((size_t)f->used + 1) * sizeof *f->map);
    if (f->keep_numbers) WR_TRY(wri_entry_reserve(ctx, f->t, f->used));
    for (uint32_t i = s->h->file_count; i-- > 0;)
        for (uint32_t k = 0; k < s->files[i].block_count; k++)
            if (s->files[i].blocks[k].table == f->table)
                WR_TRY(fill_block(ctx, f, &s->files[i], k));
    if (!f->keep_numbers) return WR_OK;
    f->t->free_entry = WRI_NIL;
    for (uint32_t n = f->t->used; n-- > 0;)
        if (f->map[n] != n) wri_entry_skip(f->t, n);
    return WR_OK;
}

static wr_status
fill_from_canonical(wr_ctx *ctx, const restore *r, source *s, filling *f)
{
    for (uint32_t i = 0; i < s->h->file_count; i++) {
        wri_seg_file *file = &s->files[i];
        for (uint32_t k = 0; k < file->block_count; k++) {
            const wri_seg_block *b = &file->blocks[k];
            if (b->table == f->table && b->group >= r->b->kg_first && b->group <= r->b->kg_last)
                WR_TRY(fill_canonical(ctx, f, file, k));
        }
    }
    return WR_OK;
}

static wr_status
fill_native(wr_ctx *ctx, void *arg, const wri_canon_entry *entry, bool same_parent)
{
    filling *f = arg;
    wri_canon_entry e = *entry;
    const char *wrong = NULL;
    uint32_t at, slot;
    if (!same_parent) f->parent_key = NULL;
    WR_TRY(parent_of(ctx, f, &e, &slot));
    WR_TRY(place(ctx, f, &e.e, slot, &at, &wrong));
    if (wrong)
        return wr_raise(ctx, WR_CORRUPT, "state '%.*s' in RocksDB's files makes no sense: %s",
                        WR_STR_ARG(f->info->logical_id), wrong);
    return keep_seq(ctx, f, at, e.seq);
}

static wr_status
fill_from_native(wr_ctx *ctx, const restore *r, source *s, filling *f)
{
    f->parent_key = NULL;
    return wri_native_each(ctx, s->native, f->table, r->b->kg_first, r->b->kg_last, fill_native, f);
}

/* How many entries of a handle's table will be ours, about. */
static uint64_t
expected(const restore *r, const source *s, const wr_state_table_info *info)
{
    const wr_state_handle *h = s->h;
    uint64_t bytes = 0; /* whatever is told, a file has no more entries than it has room for */
    for (uint32_t i = 0; i < h->file_count; i++) bytes += h->files[i].bytes;
    const uint32_t first = WR_MAX(h->kg_first, r->b->kg_first);
    const uint32_t last = WR_MIN(h->kg_last, r->b->kg_last);
    if (first > last || h->kg_first > h->kg_last) return 0;
    const double share = (double)(last - first + 1) / (h->kg_last - h->kg_first + 1);
    return (uint64_t)(share * (double)WR_MIN(info->entries, bytes / ENTRY_BYTES_LEAST));
}

static wr_status
begin_index(wr_ctx *ctx, const restore *r, filling *f)
{
    uint64_t entries = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        const source *s = &r->sources[i];
        const uint32_t table = index_in(s->h, f->t->info.logical_id);
        if (table != UINT32_MAX) entries += expected(r, s, &s->h->tables[table]);
    }
    return wri_index_begin(ctx, f->t, &f->index, entries);
}

/* One table from all handles. f carries what stays from one to the next. */
static wr_status
fill_table(wr_ctx *ctx, restore *r, wri_table *t, filling *f)
{
    for (uint32_t i = 0; i < r->count; i++) {
        source *s = &r->sources[i];
        const uint32_t table = index_in(s->h, t->info.logical_id);
        if (table == UINT32_MAX) continue;
        WR_TRY(begin(ctx, r, s, f, table));
        WR_TRY(s->native      ? fill_from_native(ctx, r, s, f)
               : s->canonical ? fill_from_canonical(ctx, r, s, f)
                              : fill_from_log(ctx, r, s, f));
    }
    return WR_OK;
}

static wr_status
fill_all(wr_ctx *ctx, restore *r)
{
    for (wri_table *t = r->b->tables; t; t = t->next) {
        filling f = {.t = t,
                     .keep_numbers = r->goes_on,
                     .keep_seqs = r->canonical && t->shape == WR_STATE_MAP};
        const bool indexed = t->shape != WR_STATE_ORDERED;
        wr_status status = indexed ? begin_index(ctx, r, &f) : WR_OK;
        if (status == WR_OK) status = fill_table(ctx, r, t, &f);
        if (indexed && status == WR_OK) status = wri_index_end(ctx, t, &f.index);
        wri_index_close(t, &f.index);
        if (t->shape == WR_STATE_MAP && status == WR_OK) wri_map_arrange(t, f.seqs);
        wr_mem_free(r->b->budget, f.seqs, f.seq_cap * sizeof *f.seqs);
        WR_TRY(status);
    }
    return WR_OK;
}

/* Tables with many gaps are not worth it: gaps take memory. */
static bool
is_dense(uint64_t entries, uint32_t used)
{
    return used < DENSE_ENOUGH || used <= entries + entries / 2;
}

/* Are its entries this backend's entries as they are, and its files the job's own? */
static wr_status
may_go_on(wr_ctx *ctx, restore *r, const source *s)
{
    const wr_state_handle *h = s->h;
    const wri_backend *b = r->b;
    const wri_table *t = b->tables;
    if (!r->r->owned || s->canonical || s->native || h->kg_first != b->kg_first ||
        h->kg_last != b->kg_last || !h->file_count || h->file_count > FILES_MOST)
        return WR_OK;
    for (uint32_t i = 0; i < h->file_count; i++)
        if (!h->files[i].shared) return WR_OK;
    for (uint32_t i = 0; i < h->table_count; i++, t = t->next) {
        wri_layout layout;
        const wr_state_table_info *info = &h->tables[i];
        if (!t || !wr_str_eq(t->info.logical_id, info->logical_id) ||
            t->info.parent != info->parent || s->used[i] >= WRI_NIL - 1 ||
            !is_dense(info->entries, s->used[i]))
            return WR_OK;
        WR_TRY(wri_info_match(ctx, r->a, info, &t->info, r->allow_dropped, &layout));
        if (!wri_info_stays(info, &t->info, &layout)) return WR_OK;
    }
    r->goes_on = true;
    return WR_OK;
}

/* ---- handles --------------------------------------------------------------------------------- */

wr_status
wri_handle_check(wr_ctx *ctx, const wri_backend *b, const wr_state_handle *h, bool allow_dropped)
{
    if (h->max_parallelism != b->max_parallelism)
        return wr_raise(ctx, WR_SEMANTIC,
                        "The maximum parallelism (%u) with which the latest checkpoint of the "
                        "execution job vertex has been taken and the current maximum parallelism "
                        "(%u) changed. This is currently not supported.",
                        h->max_parallelism, b->max_parallelism);
    for (uint32_t i = 0; i < h->table_count && !allow_dropped; i++)
        if (!wri_table_named(b, h->tables[i].logical_id)) {
            (void)wr_raise(ctx, WR_SEMANTIC,
                           "the snapshot holds state '%.*s', which is not used any more",
                           WR_STR_ARG(h->tables[i].logical_id));
            wr_hint(ctx, WRI_HINT_DROP);
            return WR_SEMANTIC;
        }
    return WR_OK;
}

static wr_status
check_handle(wr_ctx *ctx, const restore *r, const wr_state_handle *h)
{
    WR_TRY(wri_handle_check(ctx, r->b, h, r->allow_dropped));
    const char *const known[] = {WRI_SEG_FORMAT, WRI_CANON_FORMAT, WRI_NATIVE_FORMAT};
    for (uint32_t i = 0; i < WR_COUNT(known); i++)
        if (wr_str_eq_c(h->format, known[i])) return WR_OK;
    return wr_raise(ctx, WR_UNSUPPORTED, "state format '%.*s' is not known to this weir",
                    WR_STR_ARG(h->format));
}

static wr_status
open_files(wr_ctx *ctx, restore *r, source *s)
{
    const wr_state_handle *h = s->h;
    if (!s->canonical && h->meta.len != (size_t)h->table_count * 4)
        return wr_raise(ctx, WR_CORRUPT, "the description of a state snapshot is damaged");
    for (uint32_t i = 0; i < h->table_count && !s->canonical; i++)
        s->used[i] = wr_load32(h->meta.ptr + (size_t)i * 4);
    for (uint32_t i = 0; i < h->file_count; i++)
        WR_TRY(wri_seg_open(ctx, &s->files[i], s->canonical ? WRI_CANON_MAGIC : WRI_SEG_MAGIC, r->r,
                            &h->files[i], r->a, r->b->budget));
    return WR_OK;
}

static wr_status
open_source(wr_ctx *ctx, restore *r, source *s, const wr_state_handle *h)
{
    WR_TRY(check_handle(ctx, r, h));
    s->files = WR_NEW_N(r->a, wri_seg_file, h->file_count + (size_t)1);
    s->used = WR_NEW_N(r->a, uint32_t, h->table_count + (size_t)1);
    s->maps = WR_NEW_N(r->a, uint32_t *, h->table_count + (size_t)1);
    if (!s->files || !s->used || !s->maps) return wr_raise(ctx, WR_NOMEM, "out of memory");
    s->canonical = wr_str_eq_c(h->format, WRI_CANON_FORMAT);
    const bool native = wr_str_eq_c(h->format, WRI_NATIVE_FORMAT);
    r->canonical |= s->canonical || native;
    s->h = h; /* from here on there is something to close */
    return native ? wri_native_open(ctx, h, r->r, r->b->budget, &s->native) : open_files(ctx, r, s);
}

static void
close_source(restore *r, source *s)
{
    if (!s->h) return;
    wri_native_close(s->native);
    for (uint32_t i = 0; i < s->h->file_count; i++)
        if (s->files[i].what) wri_seg_close(&s->files[i]);
    for (uint32_t i = 0; i < s->h->table_count; i++)
        if (s->maps[i])
            wr_mem_free(r->b->budget, s->maps[i], ((size_t)s->used[i] + 1) * sizeof(uint32_t));
}

wr_status
wri_restore(wr_ctx *ctx, wr_state_backend *backend, const wr_state_handle *const *handles,
            uint32_t count, wr_state_reader *reader, bool allow_dropped)
{
    wri_backend *b = (wri_backend *)(void *)backend;
    restore r = {.b = b, .r = reader, .count = count, .allow_dropped = allow_dropped};
    r.a = wr_arena_create(b->budget, 0);
    WR_TRY_ALLOC(ctx, r.a);
    r.sources = WR_NEW_N(r.a, source, count + (size_t)1);
    wr_status status = r.sources ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
    for (uint32_t i = 0; i < count && status == WR_OK; i++)
        status = open_source(ctx, &r, &r.sources[i], handles[i]);
    if (status == WR_OK && count == 1) status = may_go_on(ctx, &r, &r.sources[0]);
    if (status == WR_OK) status = fill_all(ctx, &r);
    if (status == WR_OK && r.goes_on) status = wri_chain_take(ctx, b, handles[0]);
    for (uint32_t i = 0; i < count && r.sources; i++) close_source(&r, &r.sources[i]);
    wr_arena_destroy(r.a);
    return status;
}
