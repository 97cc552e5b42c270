/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots of the memory backend. */
#include "state/log_int.h"
#include "state/state_int.h"

struct wr_state_snapshot {
    wri_backend *b;
    wr_snapshot_kind kind;
    wri_pack *first, *last;
    uint32_t *used; /* per table */
    uint64_t *live;
};

/* ---- one entry ------------------------------------------------------------------------------- */

WR_ALWAYS_INLINE uint8_t *
put32(uint8_t *p, uint32_t v)
{
    wr_store32(p, v);
    return p + 4;
}

WR_ALWAYS_INLINE uint8_t *
put64(uint8_t *p, uint64_t v)
{
    wr_store64(p, v);
    return p + 8;
}

static bool
is_transient(const wri_table *t, uint32_t offset)
{
    for (uint32_t i = 0; i < t->info.part_count; i++) {
        const wr_state_part_info *p = &t->info.parts[i];
        if (p->kind == WR_PART_TRANSIENT && offset >= p->offset && offset - p->offset < p->bytes)
            return true;
    }
    return false;
}

/* Bytes that the blobs of a record take, and how many there are. */
static uint64_t
measure_blobs(const wri_table *t, const uint8_t *rec, uint32_t *count)
{
    uint64_t bytes = 0;
    const uint8_t *data;
    *count = 0;
    for (uint32_t at = 0;; at += sizeof(wr_blob)) {
        const wr_blob *blob = wri_blob_next(wri_backend_of(t), rec, t->record_bytes, &at, &data);
        if (!blob) return bytes;
        if (is_transient(t, at)) continue;
        bytes += WRI_SEG_BLOB_HEAD + (uint64_t)blob->len;
        ++*count;
    }
}

/* The record without what means nothing elsewhere; its blobs behind it. */
static uint8_t *
put_record(const wri_table *t, const uint8_t *rec, uint32_t blobs, uint8_t *p)
{
    uint8_t *copy = p;
    if (t->record_bytes) memcpy(copy, rec, t->record_bytes);
    for (uint32_t i = 0; i < t->info.part_count; i++)
        if (t->info.parts[i].kind == WR_PART_TRANSIENT)
            memset(copy + t->info.parts[i].offset, 0, t->info.parts[i].bytes);
    p = put32(p + t->record_bytes, blobs);
    const uint8_t *data;
    for (uint32_t at = 0; blobs; at += sizeof(wr_blob)) {
        const wr_blob *blob = wri_blob_next(wri_backend_of(t), rec, t->record_bytes, &at, &data);
        if (!blob) break;
        if (is_transient(t, at)) continue;
        memset(copy + at, 0, sizeof *blob);
        p = put32(put32(p, at), blob->len);
        memcpy(p, data, blob->len);
        p += blob->len;
    }
    return p;
}

/* The pack that takes `bytes` more of table t. */
static wri_pack *
pack_for(wr_state_snapshot *s, const wri_table *t, uint64_t bytes)
{
    wri_pack *p = s->last;
    if (p && p->table == t->index && p->cap - p->len >= bytes) return p;
    p = wri_pack_create(s->b->budget, t->index, WR_MAX(bytes, (uint64_t)WRI_SEG_BLOCK_BYTES));
    if (!p) return NULL;
    p->next = NULL;
    if (s->last)
        s->last->next = p;
    else
        s->first = p;
    s->last = p;
    return p;
}

static bool
put_entry(wr_state_snapshot *s, wri_table *t, uint32_t entry)
{
    wri_head *h = wri_head_of(t, entry);
    const uint8_t *rec = wr_state_rec(&t->base, entry);
    uint32_t blobs = 0;
    uint64_t bytes = 8;
    if (h->key_len != WRI_FREE)
        bytes = 64 + (uint64_t)h->key_len + t->record_bytes + measure_blobs(t, rec, &blobs);
    wri_pack *pack = pack_for(s, t, bytes);
    if (!pack) return false;
    uint8_t *p = put32(wri_pack_bytes(pack) + pack->len, entry);
    p = put32(p, h->key_len == WRI_FREE ? WRI_SEG_GONE : h->key_len);
    if (h->key_len != WRI_FREE) {
        const wri_link *l = wri_link_of(h);
        if (t->shape == WR_STATE_VALUE) p = put64(p, h->hash);
        if (t->shape == WR_STATE_MAP) p = put64(p, wri_uncombine(h->hash, l->slot));
        if (t->shape != WR_STATE_VALUE)
            p = put32(put32(p, l->slot), t->shape == WR_STATE_MAP ? l->seq : 0);
        if (t->time_offset) p = put64(p, (uint64_t)*wri_time_of(t, entry));
        memcpy(p, wri_key_of(h), h->key_len);
        p = put_record(t, rec, blobs, p + h->key_len);
    }
    pack->len = (size_t)(p - wri_pack_bytes(pack));
    pack->entries++;
    return true;
}

/* ---- the snapshot ---------------------------------------------------------------------------- */

static void
destroy(wr_state_snapshot *s)
{
    wri_backend *b = s->b;
    while (s->first) {
        wri_pack *p = s->first;
        s->first = p->next;
        wri_pack_destroy(b->budget, p);
    }
    wr_mem_free(b->budget, s->used, b->table_count * sizeof *s->used);
    wr_mem_free(b->budget, s->live, b->table_count * sizeof *s->live);
    wr_mem_free(b->budget, s, sizeof *s);
    b->frozen = false;
}

wr_status
wri_snapshot(wr_ctx *ctx, wr_state_backend *backend, uint64_t checkpoint_id, wr_snapshot_kind kind,
             wr_state_snapshot **out)
{
    wri_backend *b = (wri_backend *)(void *)backend;
    (void)checkpoint_id;
    *out = NULL;
    WR_ASSERT(!b->frozen);
    if (kind == WR_SNAPSHOT_CANONICAL)
        return wr_raise(ctx, WR_UNSUPPORTED, "not supported yet: canonical savepoints");
    wr_state_snapshot *s = wr_mem_zalloc(b->budget, sizeof *s);
    WR_TRY_ALLOC(ctx, s);
    s->b = b;
    s->kind = kind;
    b->frozen = true;
    s->used = wr_mem_zalloc(b->budget, b->table_count * sizeof *s->used);
    s->live = wr_mem_zalloc(b->budget, b->table_count * sizeof *s->live);
    bool ok = s->used && s->live;
    for (wri_table *t = b->tables; t && ok; t = t->next) {
        s->used[t->index] = t->used;
        s->live[t->index] = t->live;
        for (uint32_t i = 0; i < t->used && ok; i++)
            if (wri_head_of(t, i)->key_len != WRI_FREE) ok = put_entry(s, t, i);
    }
    if (!ok) {
        destroy(s);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    *out = s;
    return WR_OK;
}

/* What the numbers of each table run to: the handle's meta. */
static wr_status
put_meta(wr_ctx *ctx, wr_state_snapshot *s, wr_arena *a, wr_state_handle *out)
{
    const wri_backend *b = s->b;
    out->tables = WR_NEW_N(a, wr_state_table_info, b->table_count + 1);
    WR_TRY_ALLOC(ctx, out->tables);
    const size_t bytes = (size_t)b->table_count * 4;
    char *meta = wr_arena_zalloc(a, bytes + 1);
    WR_TRY_ALLOC(ctx, meta);
    for (wri_table *t = b->tables; t; t = t->next) {
        WR_TRY(wri_info_copy(ctx, a, &t->info, &out->tables[t->index]));
        out->tables[t->index].entries = s->live[t->index];
        wr_store32(meta + (size_t)t->index * 4, s->used[t->index]);
    }
    out->table_count = b->table_count;
    out->meta = (wr_str){meta, bytes};
    return WR_OK;
}

static wr_status
write_segment(wr_ctx *ctx, wr_state_snapshot *s, wr_state_writer *w, wri_seg_writer *l,
              wr_state_file *out)
{
    const wri_backend *b = s->b;
    WR_TRY(wri_seg_begin(ctx, l, w, b->budget, b->kg_first, b->kg_last, b->max_parallelism,
                         s->kind == WR_SNAPSHOT_INCREMENTAL));
    for (wri_pack *p = s->first; p; p = p->next) WR_TRY(wri_seg_put(ctx, l, p));
    return wri_seg_end(ctx, l, out);
}

wr_status
wri_snapshot_write(wr_ctx *ctx, wr_state_snapshot *s, wr_state_writer *w, wr_state_handle *out)
{
    const wri_backend *b = s->b;
    *out = (wr_state_handle){.format = WR_STR(WRI_SEG_FORMAT),
                             .kg_first = b->kg_first,
                             .kg_last = b->kg_last,
                             .max_parallelism = b->max_parallelism};
    WR_TRY(put_meta(ctx, s, w->arena, out));
    out->files = WR_NEW(w->arena, wr_state_file);
    WR_TRY_ALLOC(ctx, out->files);
    wri_seg_writer l;
    const wr_status status = write_segment(ctx, s, w, &l, &out->files[0]);
    wri_seg_deinit(&l);
    WR_TRY(status);
    out->file_count = 1;
    out->bytes_written = out->files[0].bytes;
    return WR_OK;
}

void
wri_snapshot_release(wr_state_snapshot *s, bool kept)
{
    (void)kept;
    destroy(s);
}
