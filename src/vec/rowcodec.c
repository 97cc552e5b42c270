/* SPDX-License-Identifier: Apache-2.0 */
/* Row encoding, version 1; the bytes are specified in README.md. Encoding makes two passes over the
 * columns: sizes, then bytes, each column by column over all rows. */
#include "vec/vec_int.h"

#define AT(v, T, i) (((const T *)(v)->data)[i])

static uint32_t
varint_size(uint32_t x)
{
    return x < 1u << 7 ? 1 : x < 1u << 14 ? 2 : x < 1u << 21 ? 3 : x < 1u << 28 ? 4 : 5;
}

static uint8_t *
put_varint(uint8_t *p, uint32_t x)
{
    while (x >= 0x80) {
        *p++ = (uint8_t)(x | 0x80);
        x >>= 7;
    }
    *p++ = (uint8_t)x;
    return p;
}

static uint32_t
null_bytes(uint32_t n)
{
    return (n + 7) / 8;
}

/* ---- sizes ----------------------------------------------------------------------------------- */
static uint64_t value_size(const wr_vec *v, uint32_t entry);

static bool
valid_at(const wr_vec *v, uint32_t entry)
{
    return v->phys != WR_PHYS_NONE && (!v->has_nulls || wr_bit_get(v->validity, entry));
}

static uint64_t
items_size(const wr_vec *c, uint32_t off, uint32_t len)
{
    uint64_t size = null_bytes(len);
    for (uint32_t k = 0; k < len; k++) {
        const uint32_t e = wr_vec_index(c, off + k);
        if (valid_at(c, e)) size += value_size(c, e);
    }
    return size;
}

/* Bytes of the value at `entry` (not NULL). */
static uint64_t
value_size(const wr_vec *v, uint32_t entry)
{
    switch ((wr_phys)v->phys) {
    case WR_PHYS_STR: {
        const uint32_t len = AT(v, wr_strv, entry).len;
        return (uint64_t)varint_size(len) + len;
    }
    case WR_PHYS_TS:
        return 12;
    case WR_PHYS_LIST:
    case WR_PHYS_MAP: {
        const wr_list l = AT(v, wr_list, entry);
        uint64_t size = varint_size(l.len);
        for (uint32_t c = 0; c < v->child_count; c++)
            size += items_size(&v->child[c], l.off, l.len);
        return size;
    }
    case WR_PHYS_ROW: {
        uint64_t size = null_bytes(v->child_count);
        for (uint32_t c = 0; c < v->child_count; c++) {
            const uint32_t e = wr_vec_index(&v->child[c], entry);
            if (valid_at(&v->child[c], e)) size += value_size(&v->child[c], e);
        }
        return size;
    }
    case WR_PHYS_NONE:
    case WR_PHYS_BOOL:
    case WR_PHYS_I8:
    case WR_PHYS_I16:
    case WR_PHYS_I32:
    case WR_PHYS_I64:
    case WR_PHYS_F32:
    case WR_PHYS_F64:
    case WR_PHYS_I128:
    case WR_PHYS_COUNT:
        break;
    }
    return wr_phys_bytes((wr_phys)v->phys);
}

/* ---- bytes ----------------------------------------------------------------------------------- */
typedef struct encoder {
    wr_arena *scratch; /* for the order of map entries; popped after use */
    bool failed;
} encoder;

static uint8_t *put_value(encoder *e, const wr_vec *v, uint32_t entry, uint8_t *p);

static uint8_t *
put_items(encoder *e, const wr_vec *c, wr_list l, const uint32_t *order, uint8_t *p)
{
    uint8_t *nulls = p;
    memset(nulls, 0, null_bytes(l.len));
    p += null_bytes(l.len);
    for (uint32_t k = 0; k < l.len; k++) {
        const uint32_t at = wr_vec_index(c, l.off + (order ? order[k] : k));
        if (valid_at(c, at))
            p = put_value(e, c, at, p);
        else
            nulls[k / 8] |= (uint8_t)(1u << (k % 8));
    }
    return p;
}

/* Stable bottom-up merge sort of `order` by the byte strings keys[off[i]..off[i + 1]). */
static void
sort_keys(uint32_t *order, uint32_t *tmp, uint32_t n, const uint8_t *keys, const uint64_t *off)
{
    for (uint32_t width = 1; width < n; width *= 2) {
        for (uint32_t lo = 0; lo < n; lo += 2 * width) {
            const uint32_t mid = WR_MIN(lo + width, n), hi = WR_MIN(lo + 2 * width, n);
            uint32_t i = lo, j = mid;
            for (uint32_t k = lo; k < hi; k++) {
                bool left = j >= hi;
                if (!left && i < mid) {
                    const uint32_t x = order[i], y = order[j];
                    const uint64_t lx = off[x + 1] - off[x], ly = off[y + 1] - off[y];
                    const int c = memcmp(keys + off[x], keys + off[y], WR_MIN(lx, ly));
                    left = c < 0 || (c == 0 && lx <= ly);
                }
                tmp[k] = left ? order[i++] : order[j++];
            }
        }
        memcpy(order, tmp, sizeof *order * n);
    }
}

/* The entries of a map in the order of their encoded keys; NULL when out of memory. */
static uint32_t *
map_order(encoder *e, const wr_vec *keys, wr_list l)
{
    uint64_t total = 0;
    for (uint32_t k = 0; k < l.len; k++) {
        const uint32_t at = wr_vec_index(keys, l.off + k);
        total += 1 + (valid_at(keys, at) ? value_size(keys, at) : 0);
    }
    uint32_t *order = wr_arena_alloc(e->scratch, sizeof *order * 2 * (size_t)l.len);
    uint64_t *off = wr_arena_alloc(e->scratch, sizeof *off * ((size_t)l.len + 1));
    uint8_t *bytes = wr_arena_alloc(e->scratch, total + 1);
    if (!order || !off || !bytes) return NULL;
    uint8_t *p = bytes;
    for (uint32_t k = 0; k < l.len; k++) {
        const uint32_t at = wr_vec_index(keys, l.off + k);
        const bool ok = valid_at(keys, at);
        order[k] = k;
        off[k] = (uint64_t)(p - bytes);
        *p++ = ok;
        if (ok) p = put_value(e, keys, at, p);
    }
    off[l.len] = (uint64_t)(p - bytes);
    sort_keys(order, order + l.len, l.len, bytes, off);
    return order;
}

static uint8_t *
put_map(encoder *e, const wr_vec *v, wr_list l, uint8_t *p)
{
    p = put_varint(p, l.len);
    uint32_t *order = NULL;
    const wr_arena_mark mark = wr_arena_get_mark(e->scratch);
    if (l.len > 1) {
        order = map_order(e, &v->child[0], l);
        if (!order) e->failed = true;
    }
    p = put_items(e, &v->child[0], l, order, p);
    p = put_items(e, &v->child[1], l, order, p);
    wr_arena_pop(e->scratch, mark);
    return p;
}

static uint8_t *
put_bytes(uint8_t *p, const void *src, size_t n)
{
    memcpy(p, src, n);
    return p + n;
}

static uint8_t *
put_f32(uint8_t *p, float f)
{
    const uint32_t u = wri_f32_bits(f);
    return put_bytes(p, &u, 4);
}

static uint8_t *
put_f64(uint8_t *p, double d)
{
    const uint64_t u = wri_f64_bits(d);
    return put_bytes(p, &u, 8);
}

static uint8_t *
put_str(uint8_t *p, const wr_strv *s)
{
    p = put_varint(p, s->len);
    return put_bytes(p, wr_strv_ptr(s), s->len);
}

static uint8_t *
put_ts(uint8_t *p, wr_ts ts)
{
    p = put_bytes(p, &ts.ms, 8);
    return put_bytes(p, &ts.nano, 4);
}

static uint8_t *
put_row(encoder *e, const wr_vec *v, uint32_t entry, uint8_t *p)
{
    uint8_t *nulls = p;
    memset(nulls, 0, null_bytes(v->child_count));
    p += null_bytes(v->child_count);
    for (uint32_t c = 0; c < v->child_count; c++) {
        const uint32_t at = wr_vec_index(&v->child[c], entry);
        if (valid_at(&v->child[c], at))
            p = put_value(e, &v->child[c], at, p);
        else
            nulls[c / 8] |= (uint8_t)(1u << (c % 8));
    }
    return p;
}

static uint8_t *
put_value(encoder *e, const wr_vec *v, uint32_t entry, uint8_t *p)
{
    switch ((wr_phys)v->phys) {
    case WR_PHYS_NONE:
        return p;
    case WR_PHYS_BOOL:
        *p++ = AT(v, uint8_t, entry) != 0;
        return p;
    case WR_PHYS_F32:
        return put_f32(p, AT(v, float, entry));
    case WR_PHYS_F64:
        return put_f64(p, AT(v, double, entry));
    case WR_PHYS_STR:
        return put_str(p, &AT(v, wr_strv, entry));
    case WR_PHYS_TS:
        return put_ts(p, AT(v, wr_ts, entry));
    case WR_PHYS_LIST: {
        const wr_list l = AT(v, wr_list, entry);
        return put_items(e, &v->child[0], l, NULL, put_varint(p, l.len));
    }
    case WR_PHYS_MAP:
        return put_map(e, v, AT(v, wr_list, entry), p);
    case WR_PHYS_ROW:
        return put_row(e, v, entry, p);
    case WR_PHYS_I8:
    case WR_PHYS_I16:
    case WR_PHYS_I32:
    case WR_PHYS_I64:
    case WR_PHYS_I128: {
        const size_t w = wr_phys_bytes((wr_phys)v->phys);
        return put_bytes(p, (const char *)v->data + w * entry, w);
    }
    case WR_PHYS_COUNT:
        break;
    }
    return p;
}

/* Add the sizes of column `v` to size[]. */
static void
add_sizes(const wr_vec *v, const wr_batch *b, uint32_t n, uint64_t *size)
{
    const wr_view w = wr_vec_view(v);
    if (v->phys < WR_PHYS_STR && v->phys != WR_PHYS_NONE) {
        const uint64_t bytes = wr_phys_bytes((wr_phys)v->phys);
        for (uint32_t i = 0; i < n; i++)
            if (!w.validity || wr_view_valid(&w, wr_batch_row(b, i))) size[i] += bytes;
        return;
    }
    if (v->phys == WR_PHYS_STR) {
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t at = wr_view_at(&w, wr_batch_row(b, i));
            if (w.validity && !wr_bit_get(w.validity, at)) continue;
            const uint32_t len = AT(v, wr_strv, at).len;
            size[i] += varint_size(len) + len;
        }
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = wr_view_at(&w, wr_batch_row(b, i));
        if (!w.validity || wr_bit_get(w.validity, at)) size[i] += value_size(v, at);
    }
}

/* Append column `v` (the c-th of the row) at each row's cursor. */
static void
put_column(encoder *e, const wr_vec *v, const wr_batch *b, uint32_t c, wr_bytes *out,
           uint8_t **cursor)
{
    const wr_view w = wr_vec_view(v);
#define LOOP(put)                                                                                  \
    for (uint32_t i = 0; i < out->n; i++) {                                                        \
        const uint32_t at = wr_view_at(&w, wr_batch_row(b, i));                                    \
        if (!w.validity || wr_bit_get(w.validity, at))                                             \
            cursor[i] = (put);                                                                     \
        else                                                                                       \
            out->data[out->off[i] + c / 8] |= (uint8_t)(1u << (c % 8));                            \
    }
    switch (v->phys) {
    case WR_PHYS_I32:
        LOOP(put_bytes(cursor[i], &AT(v, int32_t, at), 4)) break;
    case WR_PHYS_I64:
        LOOP(put_bytes(cursor[i], &AT(v, int64_t, at), 8)) break;
    case WR_PHYS_STR:
        LOOP(put_str(cursor[i], &AT(v, wr_strv, at))) break;
    default:
        LOOP(put_value(e, v, at, cursor[i])) break;
    }
#undef LOOP
}

bool
wr_row_encode(const wr_batch *b, const uint32_t *cols, uint32_t n, wr_arena *a, wr_bytes *out)
{
    const uint32_t rows = wr_batch_live(b);
    out->n = rows;
    out->off = wr_arena_alloc(a, sizeof *out->off * ((size_t)rows + 1));
    if (!out->off) return false;
    /* two arrays of words that are not part of the result */
    uint64_t *size = wr_arena_alloc(a, sizeof *size * (rows ? rows : 1));
    uint8_t **cursor = wr_arena_alloc(a, sizeof *cursor * (rows ? rows : 1));
    if (!size || !cursor) return false;
    for (uint32_t i = 0; i < rows; i++) size[i] = null_bytes(n);
    for (uint32_t c = 0; c < n; c++) add_sizes(&b->cols[cols[c]], b, rows, size);
    uint64_t total = 0;
    for (uint32_t i = 0; i < rows; i++) {
        out->off[i] = (uint32_t)total;
        total += size[i];
        if (total > UINT32_MAX) return false;
    }
    out->off[rows] = (uint32_t)total;
    out->data = wr_arena_alloc(a, total ? total : 1);
    if (!out->data) return false;
    for (uint32_t i = 0; i < rows; i++) {
        memset(out->data + out->off[i], 0, null_bytes(n));
        cursor[i] = out->data + out->off[i] + null_bytes(n);
    }
    encoder e = {.scratch = a};
    for (uint32_t c = 0; c < n; c++) put_column(&e, &b->cols[cols[c]], b, c, out, cursor);
    return !e.failed;
}

bool
wr_row_encode_one(const wr_batch *b, const uint32_t *cols, uint32_t n, uint32_t row, wr_text *out)
{
    uint64_t size = null_bytes(n);
    for (uint32_t c = 0; c < n; c++) {
        const wr_vec *v = &b->cols[cols[c]];
        if (!wr_vec_is_null(v, row)) size += value_size(v, wr_vec_index(v, row));
    }
    if (size > UINT32_MAX) return false;
    uint8_t *bytes = wr_arena_alloc(out->arena, size ? size : 1);
    if (!bytes) return false;
    memset(bytes, 0, null_bytes(n));
    uint8_t *p = bytes + null_bytes(n);
    encoder e = {.scratch = out->arena};
    for (uint32_t c = 0; c < n; c++) {
        const wr_vec *v = &b->cols[cols[c]];
        if (wr_vec_is_null(v, row))
            bytes[c / 8] |= (uint8_t)(1u << (c % 8));
        else
            p = put_value(&e, v, wr_vec_index(v, row), p);
    }
    wr_text_put(out, (const char *)bytes, size);
    return !e.failed && !out->failed;
}
