/* SPDX-License-Identifier: Apache-2.0 */
/* Stored keys and values; rocksdb_int.h has every byte. */
#include "state/rocksdb_int.h"

#ifdef WR_HAVE_ROCKSDB

#define CHILD_BYTES 10u
#define BLOB_HEAD   8u

/* ---- buffers --------------------------------------------------------------------------------- */

bool
wri_bytes_room(wri_rocks *b, wri_bytes *k, size_t len)
{
    if (k->cap >= len) return true;
    const size_t cap = WR_MAX(len, k->cap ? k->cap * 2 : 256);
    uint8_t *p = wr_mem_realloc(b->mem.budget, k->p, k->cap, cap);
    if (!p) return false;
    k->p = p;
    k->cap = cap;
    return true;
}

void
wri_bytes_free(wri_rocks *b, wri_bytes *k)
{
    wr_mem_free(b->mem.budget, k->p, k->cap);
    *k = (wri_bytes){0};
}

static void
put16be(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 8);
    p[1] = (uint8_t)v;
}

static uint32_t
get16be(const uint8_t *p)
{
    return (uint32_t)p[0] << 8 | p[1];
}

/* ---- keys ------------------------------------------------------------------------------------ */

void
wri_rocks_key_head(uint8_t *p, uint32_t kg, uint32_t table)
{
    put16be(p, kg);
    put16be(p + 2, table);
}

bool
wri_rocks_key(wri_rocks *b, const wri_table *t, uint64_t hash, const uint8_t *key, uint32_t len,
              wri_bytes *out)
{
    if (!wri_bytes_room(b, out, (size_t)WRI_ROCKS_KEY_HEAD + len)) return false;
    wri_rocks_key_head(out->p, wr_key_group(hash, b->mem.max_parallelism), t->kept->id);
    if (len) memcpy(out->p + WRI_ROCKS_KEY_HEAD, key, len);
    out->len = (size_t)WRI_ROCKS_KEY_HEAD + len;
    return true;
}

bool
wri_rocks_child_key(wri_rocks *b, const wri_table *t, uint32_t slot, const uint8_t *key,
                    uint32_t len, wri_bytes *out)
{
    const wri_head *parent = wri_head_of(t->parent, slot);
    const size_t total = (size_t)WRI_ROCKS_KEY_HEAD + 4 + parent->key_len + len;
    if (!wri_bytes_room(b, out, total)) return false;
    wri_rocks_key_head(out->p, wr_key_group(parent->hash, b->mem.max_parallelism), t->kept->id);
    put16be(out->p + 4, parent->key_len >> 16);
    put16be(out->p + 6, parent->key_len & 0xffff);
    uint8_t *p = out->p + WRI_ROCKS_KEY_HEAD + 4;
    if (parent->key_len) memcpy(p, wri_key_of(parent), parent->key_len);
    if (len) memcpy(p + parent->key_len, key, len);
    out->len = total;
    return true;
}

bool
wri_rocks_entry_key(wri_rocks *b, const wri_table *t, uint32_t entry, wri_bytes *out)
{
    const wri_head *h = wri_head_of(t, entry);
    if (!t->parent) return wri_rocks_key(b, t, h->hash, wri_key_of(h), h->key_len, out);
    return wri_rocks_child_key(b, t, wri_parent_slot(t, entry), wri_key_of(h), h->key_len, out);
}

bool
wri_rocks_key_parts(const uint8_t *p, size_t len, bool child, wri_rocks_parts *out)
{
    if (len < WRI_ROCKS_KEY_HEAD || len > UINT32_MAX) return false;
    *out = (wri_rocks_parts){.kg = get16be(p), .table = get16be(p + 2)};
    p += WRI_ROCKS_KEY_HEAD;
    len -= WRI_ROCKS_KEY_HEAD;
    if (child) {
        if (len < 4) return false;
        out->parent_len = get16be(p) << 16 | get16be(p + 2);
        out->parent = p + 4;
        if (out->parent_len > len - 4) return false;
        p += (size_t)4 + out->parent_len;
        len -= (size_t)4 + out->parent_len;
    }
    out->key = p;
    out->key_len = (uint32_t)len;
    return true;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Children of a slot that have or had entries: what their anchors and reaches say. */
static size_t
put_children(const wri_table *t, uint32_t slot, uint8_t *p)
{
    uint32_t n = 0;
    uint8_t *at = p + 2;
    for (const wri_table *c = t->first_child; c; c = c->next_child) {
        const wri_anchor *a = wri_anchor_find(c, slot);
        const uint32_t count = (a ? a->count : 0) + wri_absent(c, slot);
        if (!count) continue;
        put16be(at, c->kept->id);
        wr_store32(at + 2, count);
        wr_store32(at + 6, a && c->shape == WR_STATE_MAP ? a->top : 0);
        at += CHILD_BYTES;
        n++;
    }
    put16be(p, n);
    return (size_t)(at - p);
}

static const wr_blob *
next_blob(const wri_table *t, const uint8_t *rec, uint32_t *at, const uint8_t **data)
{
    const wri_backend *b = wri_backend_of(t);
    return wri_blob_next(b, b->block_count, rec, t->record_bytes, at, data);
}

static size_t
measure(const wri_table *t, const uint8_t *rec)
{
    size_t bytes = 8 + 8 + 4 + 2 + (size_t)t->record_bytes;
    for (const wri_table *c = t->first_child; c; c = c->next_child) bytes += CHILD_BYTES;
    const uint8_t *data;
    for (uint32_t at = 0;; at += sizeof(wr_blob)) {
        const wr_blob *blob = next_blob(t, rec, &at, &data);
        if (!blob) return bytes;
        bytes += BLOB_HEAD + (size_t)blob->len;
    }
}

/* The record without what means nothing elsewhere, and its blobs. */
static uint8_t *
put_record(const wri_table *t, const uint8_t *rec, uint8_t *p)
{
    uint8_t *copy = p;
    if (t->record_bytes) memcpy(copy, rec, t->record_bytes);
    p += t->record_bytes;
    const uint8_t *data;
    for (uint32_t at = 0;; at += sizeof(wr_blob)) {
        const wr_blob *blob = next_blob(t, rec, &at, &data);
        if (!blob) break;
        memset(copy + at, 0, sizeof *blob);
        if (wri_info_is_transient(&t->info, at)) continue;
        wr_store32(p, at);
        wr_store32(p + 4, blob->len);
        memcpy(p + BLOB_HEAD, data, blob->len);
        p += BLOB_HEAD + (size_t)blob->len;
    }
    for (uint32_t i = 0; i < t->info.part_count; i++)
        if (t->info.parts[i].kind == WR_PART_TRANSIENT)
            memset(copy + t->info.parts[i].offset, 0, t->info.parts[i].bytes);
    return p;
}

bool
wri_rocks_entry_value(wri_rocks *b, const wri_table *t, uint32_t entry, wri_bytes *out)
{
    const uint8_t *rec = wr_state_rec(&t->base, entry);
    wri_head *h = wri_head_of(t, entry);
    if (!wri_bytes_room(b, out, measure(t, rec))) return false;
    uint8_t *p = out->p;
    if (t->time_offset) {
        wr_store64(p, (uint64_t)*wri_time_of(t, entry));
        p += 8;
    }
    if (t->shape == WR_STATE_VALUE) {
        wr_store64(p, h->hash);
        p += 8;
        p += put_children(t, entry, p);
    } else if (t->shape == WR_STATE_MAP) {
        wr_store64(p, wri_uncombine(h->hash, wri_link_of(h)->slot));
        wr_store32(p + 8, wri_link_of(h)->seq);
        p += 12;
    }
    out->len = (size_t)(put_record(t, rec, p) - out->p);
    return true;
}

static bool
blobs_fit(const wr_state_table_info *info, const wri_rocks_value *v)
{
    const uint8_t *p = v->blobs;
    while (p < v->end) {
        if ((size_t)(v->end - p) < BLOB_HEAD) return false;
        const uint32_t offset = wr_load32(p), len = wr_load32(p + 4);
        p += BLOB_HEAD;
        if (len > (size_t)(v->end - p) || offset % 8 != 0 ||
            (uint64_t)offset + sizeof(wr_blob) > info->record_bytes)
            return false;
        p += len;
    }
    return true;
}

bool
wri_rocks_value_parts(const wr_state_table_info *info, const uint8_t *p, size_t len,
                      wri_rocks_value *v)
{
    *v = (wri_rocks_value){.end = p + len};
    size_t head = info->ttl_ms > 0 ? 8 : 0;
    head += info->shape == WR_STATE_VALUE ? 10 : info->shape == WR_STATE_MAP ? 12 : 0;
    if (len < head + info->record_bytes) return false;
    if (info->ttl_ms > 0) {
        v->time = (int64_t)wr_load64(p);
        p += 8;
    }
    if (info->shape != WR_STATE_ORDERED) {
        v->hash = wr_load64(p);
        p += 8;
    }
    if (info->shape == WR_STATE_MAP) {
        v->seq = wr_load32(p);
        p += 4;
    }
    if (info->shape == WR_STATE_VALUE) {
        v->children = get16be(p);
        v->child = p + 2;
        if (len < head + info->record_bytes + (size_t)v->children * CHILD_BYTES) return false;
        p += 2 + (size_t)v->children * CHILD_BYTES;
    }
    v->rec = p;
    v->blobs = p + info->record_bytes;
    return blobs_fit(info, v);
}

wri_rocks_child
wri_rocks_child_at(const wri_rocks_value *v, uint32_t i)
{
    const uint8_t *p = v->child + (size_t)i * CHILD_BYTES;
    return (wri_rocks_child){get16be(p), wr_load32(p + 2), wr_load32(p + 6)};
}

bool
wri_rocks_blob_next(const wri_rocks_value *v, const uint8_t **at, uint32_t *offset,
                    const uint8_t **data, uint32_t *len)
{
    const uint8_t *p = *at;
    if (p >= v->end) return false;
    *offset = wr_load32(p);
    *len = wr_load32(p + 4);
    *data = p + BLOB_HEAD;
    *at = *data + *len;
    return true;
}

#endif
