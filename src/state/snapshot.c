/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots of the memory backend: freezing, writing and the chain of segments that incremental
 * ones share. How writer and task keep out of each other's way is told in gate.c. */
#include "state/canonical_int.h"
#include "state/restore_int.h"
#include "state/sort_int.h"

/* ---- the chain ------------------------------------------------------------------------------- */

void
wri_chain_drop(wri_backend *b, uint32_t from)
{
    while (b->chain_count > from) {
        const wri_segment *g = &b->chain[--b->chain_count];
        wr_mem_free(b->budget, (void *)(uintptr_t)g->file.name.ptr, g->file.name.len + 1);
    }
}

/* How many segments a new one of this level leaves. */
static uint32_t
chain_keeps(const wri_backend *b, uint32_t level)
{
    uint32_t count = b->chain_count;
    while (count && b->chain[count - 1].level < level) count--;
    return level == WRI_FULL ? 0 : count;
}

/* Roughly what everything would take now. */
static uint64_t
live_bytes(const wri_backend *b)
{
    uint64_t bytes = 4096;
    for (const wri_table *t = b->tables; t; t = t->next)
        bytes += (uint64_t)t->live * (t->record_bytes + 32u);
    return bytes;
}

static uint32_t
next_level(const wri_backend *b)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < b->chain_count; i++) bytes += b->chain[i].file.bytes;
    if (!b->chain_count || bytes > 2 * WR_MAX(live_bytes(b), b->chain[0].file.bytes))
        return WRI_FULL;
    uint32_t level = 0;
    for (uint32_t at = b->chain_count; level < WRI_FULL; level++) {
        uint32_t count = 0;
        for (; at && b->chain[at - 1].level == level; at--) count++;
        if (count < WRI_FAN_OUT) break;
    }
    return level;
}

static wr_status
name_copy(wr_ctx *ctx, wri_backend *b, wr_str name, wr_str *out)
{
    char *p = wr_mem_alloc(b->budget, name.len + 1);
    WR_TRY_ALLOC(ctx, p);
    memcpy(p, name.ptr, name.len);
    p[name.len] = '\0';
    *out = (wr_str){p, name.len};
    return WR_OK;
}

/* Nothing has changed since the segments that the entries came from. */
static void
calm(wri_table *t)
{
    for (uint32_t page = 0; page < t->page_count; page++)
        for (uint32_t i = 0; i < t->mark_words; i++) {
            wri_marks *m = &t->marks[page][i];
            m->now = 0;
            for (uint32_t l = 0; l < WRI_LEVELS; l++) m->since[l] = 0;
        }
}

/* Which levels they had is not known. As the highest but one they stay until all is written again,
 * which happens at the latest when there would be another one of that level. */
wr_status
wri_chain_take(wr_ctx *ctx, wri_backend *b, const wr_state_handle *h)
{
    WR_ASSERT(!b->chain && h->file_count > 0);
    b->chain = wr_mem_zalloc(b->budget, h->file_count * sizeof *b->chain);
    WR_TRY_ALLOC(ctx, b->chain);
    b->chain_cap = h->file_count;
    for (uint32_t i = 0; i < h->file_count; i++) {
        wri_segment *g = &b->chain[i];
        *g = (wri_segment){.file = h->files[i], .level = i ? WRI_FULL - 1 : WRI_FULL};
        WR_TRY(name_copy(ctx, b, h->files[i].name, &g->file.name));
        b->chain_count++;
    }
    for (wri_table *t = b->tables; t; t = t->next) calm(t);
    return WR_OK;
}

/* ---- freezing -------------------------------------------------------------------------------- */

static void
drop_packs(wri_backend *b, wri_pack *p)
{
    while (p) {
        wri_pack *next = p->next;
        wri_pack_destroy(b->budget, p);
        p = next;
    }
}

static void
destroy(wr_state_snapshot *s)
{
    wri_backend *b = s->b;
    drop_packs(b, s->saved);
    for (uint32_t i = 0; i < s->cut_count; i++) wri_pack_destroy(b->budget, s->cuts[i].side);
    while (s->old) {
        wri_old *o = s->old;
        s->old = o->next;
        wr_mem_free(b->budget, o->p, o->bytes);
        wr_mem_free(b->budget, o, sizeof *o);
    }
    if (s->added.file.name.ptr)
        wr_mem_free(b->budget, (void *)(uintptr_t)s->added.file.name.ptr,
                    s->added.file.name.len + 1);
    wr_mem_free(b->budget, s->cuts, s->cut_count * sizeof *s->cuts);
    wr_mem_free(b->budget, s, sizeof *s);
    b->snapshot = NULL;
}

wr_status
wri_snapshot(wr_ctx *ctx, wr_state_backend *backend, uint64_t checkpoint_id, wr_snapshot_kind kind,
             wr_state_snapshot **out)
{
    wri_backend *b = (wri_backend *)(void *)backend;
    (void)checkpoint_id;
    *out = NULL;
    WR_ASSERT(!b->snapshot);
    wri_check_marks(b);
    wr_state_snapshot *s = wr_mem_zalloc(b->budget, sizeof *s);
    WR_TRY_ALLOC(ctx, s);
    s->b = b;
    s->kind = kind;
    s->level = kind == WR_SNAPSHOT_INCREMENTAL ? next_level(b) : WRI_FULL;
    s->block_count = b->block_count;
    s->cuts = wr_mem_zalloc(b->budget, b->table_count * sizeof *s->cuts);
    if (!s->cuts) {
        wr_mem_free(b->budget, s, sizeof *s);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    s->cut_count = b->table_count;
    s->epoch = ++b->epoch;
    for (wri_table *t = b->tables; t; t = t->next) {
        t->epoch = b->epoch;
        s->cuts[t->index] =
            (wri_cut){t, t->base.pages, t->marks, t->used, t->page_count, t->live, NULL, NULL};
        if (kind == WR_SNAPSHOT_CANONICAL && t->parent)
            s->cuts[t->index].parent = &s->cuts[t->parent->index];
    }
    b->snapshot = s;
    *out = s;
    return WR_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct writing { /* one segment; the writer's */
    wr_state_snapshot *s;
    wr_state_writer *w;
    wri_seg_writer seg;
    bool begun;
    wri_pack *pack, *full; /* the table's open one; those to be written */
    wri_sorter sorter;     /* canonical */
} writing;

static wr_status
put_pack(wr_ctx *ctx, writing *g, wri_pack *p)
{
    const wri_backend *b = g->s->b;
    if (!p->entries) return WR_OK;
    if (!g->begun)
        WR_TRY(wri_seg_begin(ctx, &g->seg, WRI_SEG_MAGIC, g->w, b->budget,
                             &(wri_seg_range){b->kg_first, b->kg_last, b->max_parallelism},
                             g->s->kind == WR_SNAPSHOT_INCREMENTAL));
    g->begun = true;
    return wri_seg_put(ctx, &g->seg, p);
}

/* Write the packs of a list and empty it. */
static wr_status
put_packs(wr_ctx *ctx, writing *g, wri_pack **list)
{
    while (*list) {
        wri_pack *p = *list;
        *list = p->next;
        if (g->s->kind == WR_SNAPSHOT_CANONICAL) {
            WR_TRY(wri_sorter_add(ctx, &g->sorter, p));
            continue;
        }
        const wr_status status = put_pack(ctx, g, p);
        wri_pack_destroy(g->s->b->budget, p);
        WR_TRY(status);
    }
    return WR_OK;
}

/* What the task has saved so far. */
static wr_status
put_saved(wr_ctx *ctx, writing *g)
{
    wr_state_snapshot *s = g->s;
    wri_lock(&s->lock);
    wri_pack *list = s->saved;
    s->saved = NULL;
    wri_unlock(&s->lock);
    const wr_status status = put_packs(ctx, g, &list);
    drop_packs(s->b, list);
    return status;
}

/* Those of 64 entries that are awaited, and that the task has not saved. `first`: number of the
 * first one, whose record is at `rec`. */
static bool
take_awaited(writing *g, const wri_cut *c, wri_marks *m, uint32_t first, const uint8_t *rec)
{
    const wri_table *t = c->t;
    bool ok = true;
    wr_os_store(&g->s->busy, m);
    for (uint64_t bits = wr_os_swap(&m->awaited, 0ull); bits && ok; bits &= bits - 1) {
        const uint32_t at = (uint32_t)__builtin_ctzll(bits);
        const uint8_t *one = rec + (size_t)at * t->base.stride;
        const wri_head *h = (const wri_head *)(const void *)(one + t->record_bytes);
        if (g->s->level == WRI_FULL && h->key_len == WRI_FREE) continue;
        ok = wri_encode(c, g->s->block_count, first + at, one, &g->pack, &g->full);
    }
    wr_os_store(&g->s->busy, (wri_marks *)NULL);
    return ok;
}

static wr_status
write_page(wr_ctx *ctx, writing *g, const wri_cut *c, uint32_t page)
{
    wri_table *t = c->t;
    for (uint32_t i = 0; i < t->mark_words; i++) {
        wri_marks *m = &c->marks[page][i];
        const uint32_t first = (page << t->base.page_shift) + i * 64;
        wri_lock(&m->lock);
        if (m->turned != g->s->epoch)
            wri_turn(t, m, g->s->epoch, g->s, c->used > first ? c->used - first : 0);
        wri_unlock(&m->lock);
        if (wr_os_load(&m->calm) == g->s->epoch) continue;
        if (!take_awaited(g, c, m, first, c->pages[page] + (size_t)i * 64 * t->base.stride))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
        wr_os_store(&m->calm, g->s->epoch);
        WR_TRY(put_packs(ctx, g, &g->full));
    }
    return WR_OK;
}

static wr_status
write_table(wr_ctx *ctx, writing *g, const wri_cut *c)
{
    for (uint32_t page = 0; page < c->page_count; page++) {
        WR_TRY(write_page(ctx, g, c, page));
        if (page % 16 == 15) WR_TRY(put_saved(ctx, g));
    }
    if (g->pack) {
        g->pack->next = g->full;
        g->full = g->pack;
        g->pack = NULL;
    }
    return put_packs(ctx, g, &g->full);
}

/* Every page has been visited: what is still missing the task has saved. */
static wr_status
write_rest(wr_ctx *ctx, writing *g)
{
    wr_state_snapshot *s = g->s;
    wri_lock(&s->lock);
    s->done = true;
    const bool failed = s->failed;
    for (uint32_t i = 0; i < s->cut_count; i++) {
        wri_pack *p = s->cuts[i].side;
        if (!p) continue;
        s->cuts[i].side = NULL;
        p->next = s->saved;
        s->saved = p;
    }
    wri_unlock(&s->lock);
    if (failed) return wr_raise(ctx, WR_NOMEM, "out of memory");
    return put_saved(ctx, g);
}

static wr_status
write_segment(wr_ctx *ctx, writing *g, wr_state_file *out)
{
    for (uint32_t i = 0; i < g->s->cut_count; i++) WR_TRY(write_table(ctx, g, &g->s->cuts[i]));
    WR_TRY(write_rest(ctx, g));
    if (g->s->kind == WR_SNAPSHOT_CANONICAL) {
        g->begun = true;
        return wri_sorter_write(ctx, &g->sorter, out);
    }
    return g->begun ? wri_seg_end(ctx, &g->seg, out) : WR_OK;
}

/* ---- the handle ------------------------------------------------------------------------------ */

static wr_status
put_tables(wr_ctx *ctx, wr_state_snapshot *s, wr_arena *a, wr_state_handle *out)
{
    out->tables = WR_NEW_N(a, wr_state_table_info, s->cut_count + (size_t)1);
    WR_TRY_ALLOC(ctx, out->tables);
    const size_t bytes = (size_t)s->cut_count * 4;
    char *meta = wr_arena_zalloc(a, bytes + 1);
    WR_TRY_ALLOC(ctx, meta);
    for (uint32_t i = 0; i < s->cut_count; i++) {
        WR_TRY(wri_info_copy(ctx, a, &s->cuts[i].t->info, &out->tables[i]));
        out->tables[i].entries = s->cuts[i].live;
        wr_store32(meta + (size_t)i * 4, s->cuts[i].used);
    }
    out->table_count = s->cut_count;
    out->meta = (wr_str){meta, bytes};
    return WR_OK;
}

/* The files: those of the chain that still count, and the new one, if there is one. */
static wr_status
put_files(wr_ctx *ctx, wr_state_snapshot *s, wr_arena *a, const wr_state_file *added,
          wr_state_handle *out)
{
    const wri_backend *b = s->b;
    const uint32_t keeps = s->kind == WR_SNAPSHOT_INCREMENTAL ? chain_keeps(b, s->level) : 0;
    out->files = WR_NEW_N(a, wr_state_file, keeps + (size_t)1);
    WR_TRY_ALLOC(ctx, out->files);
    for (uint32_t i = 0; i < keeps; i++) {
        out->files[i] = b->chain[i].file;
        out->files[i].name = wr_arena_str(a, b->chain[i].file.name);
        WR_TRY_ALLOC(ctx, out->files[i].name.ptr);
    }
    out->file_count = keeps;
    if (!added) return WR_OK;
    out->files[out->file_count++] = *added;
    out->bytes_written = added->bytes;
    s->added = (wri_segment){.file = *added, .level = s->level};
    s->added.file.name = (wr_str){0};
    return name_copy(ctx, s->b, added->name, &s->added.file.name);
}

wr_status
wri_snapshot_write(wr_ctx *ctx, wr_state_snapshot *s, wr_state_writer *w, wr_state_handle *out)
{
    const wri_backend *b = s->b;
    const bool canonical = s->kind == WR_SNAPSHOT_CANONICAL;
    *out =
        (wr_state_handle){.format = canonical ? WR_STR(WRI_CANON_FORMAT) : WR_STR(WRI_SEG_FORMAT),
                          .kg_first = b->kg_first,
                          .kg_last = b->kg_last,
                          .max_parallelism = b->max_parallelism};
    WR_TRY(put_tables(ctx, s, w->arena, out));
    if (canonical) out->meta = (wr_str){"", 0};
    writing g = {.s = s, .w = w};
    wri_sorter_init(&g.sorter, s, w);
    wr_state_file added;
    const wr_status status = write_segment(ctx, &g, &added);
    drop_packs(s->b, g.full);
    wri_sorter_deinit(&g.sorter);
    wri_pack_destroy(b->budget, g.pack);
    if (g.begun && !canonical) wri_seg_deinit(&g.seg);
    WR_TRY(status);
    WR_TRY(put_files(ctx, s, w->arena, g.begun ? &added : NULL, out));
    s->written = true;
    return WR_OK;
}

/* ---- afterwards ------------------------------------------------------------------------------ */

/* Its segment joins the chain. False: there is no memory to remember it. */
static bool
join_chain(wr_state_snapshot *s)
{
    wri_backend *b = s->b;
    const uint32_t keeps = chain_keeps(b, s->level);
    if (keeps == b->chain_cap) {
        const uint32_t cap = keeps ? keeps * 2 : 16;
        wri_segment *more =
            wr_mem_realloc(b->budget, b->chain, b->chain_cap * sizeof *more, cap * sizeof *more);
        if (!more) return false;
        b->chain = more;
        b->chain_cap = cap;
    }
    wri_chain_drop(b, keeps);
    b->chain[b->chain_count++] = s->added;
    s->added.file.name = (wr_str){0};
    return true;
}

void
wri_snapshot_release(wr_state_snapshot *s, bool kept)
{
    wri_backend *b = s->b;
    if (kept && s->written && s->kind == WR_SNAPSHOT_INCREMENTAL) {
        bool joined = true;
        if (s->added.file.name.ptr)
            joined = join_chain(s);
        else
            wri_chain_drop(b, chain_keeps(b, s->level));
        for (uint32_t l = 0; l < WRI_LEVELS && l <= s->level && joined; l++) b->kept[l] = s->epoch;
    }
    destroy(s);
}
