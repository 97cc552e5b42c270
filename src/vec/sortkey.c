/* SPDX-License-Identifier: Apache-2.0 */
/* Sort-key encoding, version 1; the bytes are specified in README.md. A row's key is written once
 * and then compared by memcmp. */
#include "vec/vec_int.h"

#define AT(v, T, i) (((const T *)(v)->data)[i])

enum { NULL_FIRST = 0, VALUE = 1, NULL_LAST = 2 };

static bool
valid_at(const wr_vec *v, uint32_t entry)
{
    return v->phys != WR_PHYS_NONE && (!v->has_nulls || wr_bit_get(v->validity, entry));
}

static size_t
str_key_size(const wr_strv *s)
{
    const char *p = wr_strv_ptr(s);
    size_t size = (size_t)s->len + 2;
    const char *end = p + s->len;
    while (p < end && (p = memchr(p, 0, (size_t)(end - p))) != NULL) {
        size++;
        p++;
    }
    return size;
}

/* Bytes of the value at `entry` (not NULL), without the marker. */
static uint64_t
key_size(const wr_vec *v, uint32_t entry)
{
    switch ((wr_phys)v->phys) {
    case WR_PHYS_STR:
        return str_key_size(&AT(v, wr_strv, entry));
    case WR_PHYS_TS:
        return 12;
    case WR_PHYS_LIST: {
        const wr_list l = AT(v, wr_list, entry);
        const wr_vec *c = &v->child[0];
        uint64_t size = 1;
        for (uint32_t k = 0; k < l.len; k++) {
            const uint32_t at = wr_vec_index(c, l.off + k);
            size += 2 + (valid_at(c, at) ? key_size(c, at) : 0);
        }
        return size;
    }
    case WR_PHYS_ROW: {
        uint64_t size = 0;
        for (uint32_t k = 0; k < v->child_count; k++) {
            const uint32_t at = wr_vec_index(&v->child[k], entry);
            size += 1 + (valid_at(&v->child[k], at) ? key_size(&v->child[k], at) : 0);
        }
        return size;
    }
    case WR_PHYS_MAP:
    case WR_PHYS_NONE:
        return 0;
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

/* Big endian; `bytes` is a constant wherever this is called. */
WR_ALWAYS_INLINE uint8_t *
put_be(uint8_t *p, uint64_t x, unsigned bytes)
{
    const uint64_t big = __builtin_bswap64(x << (64 - 8 * bytes));
    memcpy(p, &big, bytes);
    return p + bytes;
}

WR_ALWAYS_INLINE uint8_t *
put_signed(uint8_t *p, int64_t x, unsigned bytes)
{
    return put_be(p, (uint64_t)x ^ 1ull << (8 * bytes - 1), bytes);
}

static uint8_t *
put_str(uint8_t *p, const wr_strv *s)
{
    const char *from = wr_strv_ptr(s), *end = from + s->len;
    while (from < end) {
        const char *zero = memchr(from, 0, (size_t)(end - from));
        const size_t n = (size_t)((zero ? zero : end) - from);
        memcpy(p, from, n);
        p += n;
        from += n;
        if (zero) {
            *p++ = 0;
            *p++ = 0xff;
            from++;
        }
    }
    *p++ = 0;
    *p++ = 0;
    return p;
}

static uint8_t *put_key(const wr_vec *v, uint32_t entry, uint8_t *p);

/* A column inside a LIST or ROW: marker (nulls first) and value. */
static uint8_t *
put_inner(const wr_vec *c, uint32_t row, uint8_t *p)
{
    const uint32_t at = wr_vec_index(c, row);
    if (!valid_at(c, at)) {
        *p++ = NULL_FIRST;
        return p;
    }
    *p++ = VALUE;
    return put_key(c, at, p);
}

static uint8_t *
put_f32(uint8_t *p, float f)
{
    const uint32_t u = wri_f32_bits(f);
    return put_be(p, u ^ ((uint32_t)((int32_t)u >> 31) | 1u << 31), 4);
}

static uint8_t *
put_f64(uint8_t *p, double d)
{
    const uint64_t u = wri_f64_bits(d);
    return put_be(p, u ^ ((uint64_t)((int64_t)u >> 63) | 1ull << 63), 8);
}

static uint8_t *
put_key(const wr_vec *v, uint32_t entry, uint8_t *p)
{
    switch ((wr_phys)v->phys) {
    case WR_PHYS_BOOL:
        return put_be(p, AT(v, uint8_t, entry), 1);
    case WR_PHYS_I8:
        return put_signed(p, AT(v, int8_t, entry), 1);
    case WR_PHYS_I16:
        return put_signed(p, AT(v, int16_t, entry), 2);
    case WR_PHYS_I32:
        return put_signed(p, AT(v, int32_t, entry), 4);
    case WR_PHYS_I64:
        return put_signed(p, AT(v, int64_t, entry), 8);
    case WR_PHYS_F32:
        return put_f32(p, AT(v, float, entry));
    case WR_PHYS_F64:
        return put_f64(p, AT(v, double, entry));
    case WR_PHYS_I128: {
        const wr_u128 u = (wr_u128)AT(v, wr_i128, entry);
        p = put_signed(p, (int64_t)(uint64_t)(u >> 64), 8);
        return put_be(p, (uint64_t)u, 8);
    }
    case WR_PHYS_STR:
        return put_str(p, &AT(v, wr_strv, entry));
    case WR_PHYS_TS:
        p = put_signed(p, AT(v, wr_ts, entry).ms, 8);
        return put_signed(p, AT(v, wr_ts, entry).nano, 4);
    case WR_PHYS_LIST: {
        const wr_list l = AT(v, wr_list, entry);
        for (uint32_t k = 0; k < l.len; k++) {
            *p++ = VALUE;
            p = put_inner(&v->child[0], l.off + k, p);
        }
        *p++ = 0;
        return p;
    }
    case WR_PHYS_ROW:
        for (uint32_t k = 0; k < v->child_count; k++) p = put_inner(&v->child[k], entry, p);
        return p;
    case WR_PHYS_NONE:
    case WR_PHYS_MAP:
    case WR_PHYS_COUNT:
        break;
    }
    return p;
}

static void
invert(uint8_t *p, const uint8_t *end)
{
    for (; p < end; p++) *p = (uint8_t) ~*p;
}

static uint8_t *
put_one_zero(const wr_vec *v, uint32_t entry, uint8_t *p)
{
    if (v->phys == WR_PHYS_F64) return put_f64(p, AT(v, double, entry) + 0.0);
    if (v->phys == WR_PHYS_F32) return put_f32(p, AT(v, float, entry) + 0.0f);
    return put_key(v, entry, p);
}

static void
put_column(const wr_vec *v, const wr_batch *b, const wr_sort_key *key, uint32_t rows,
           uint8_t **cursor)
{
    for (uint32_t i = 0; i < rows; i++) {
        const uint32_t at = wr_vec_index(v, wr_batch_row(b, i));
        uint8_t *p = cursor[i];
        if (!valid_at(v, at)) {
            *p = key->nulls_last ? NULL_LAST : NULL_FIRST;
            cursor[i] = p + 1;
            continue;
        }
        *p = VALUE;
        cursor[i] = key->one_zero ? put_one_zero(v, at, p + 1) : put_key(v, at, p + 1);
        if (key->desc) invert(p + 1, cursor[i]);
    }
}

/* Add the bytes of the column's part of each key. */
static void
add_sizes(const wr_vec *v, const wr_batch *b, uint32_t rows, uint64_t *size)
{
    const bool fixed = !v->has_nulls && v->phys != WR_PHYS_NONE && v->phys < WR_PHYS_STR;
    if (fixed) {
        const uint64_t bytes = 1 + wr_phys_bytes((wr_phys)v->phys);
        for (uint32_t i = 0; i < rows; i++) size[i] += bytes;
        return;
    }
    for (uint32_t i = 0; i < rows; i++) {
        const uint32_t at = wr_vec_index(v, wr_batch_row(b, i));
        size[i] += 1 + (valid_at(v, at) ? key_size(v, at) : 0);
    }
}

bool
wr_sortkey_encode(const wr_batch *b, const wr_sort_key *keys, uint32_t n, wr_arena *a,
                  wr_bytes *out)
{
    const uint32_t rows = wr_batch_live(b);
    out->n = rows;
    out->off = wr_arena_alloc(a, sizeof *out->off * ((size_t)rows + 1));
    uint64_t *size = wr_arena_zalloc(a, sizeof *size * (rows ? rows : 1));
    uint8_t **cursor = wr_arena_alloc(a, sizeof *cursor * (rows ? rows : 1));
    if (!out->off || !size || !cursor) return false;
    for (uint32_t k = 0; k < n; k++) add_sizes(&b->cols[keys[k].col], b, rows, size);
    uint64_t total = 0;
    for (uint32_t i = 0; i < rows; i++) {
        out->off[i] = (uint32_t)total;
        total += size[i];
        if (total > UINT32_MAX) return false;
    }
    out->off[rows] = (uint32_t)total;
    out->data = wr_arena_alloc(a, total ? total : 1);
    if (!out->data) return false;
    for (uint32_t i = 0; i < rows; i++) cursor[i] = out->data + out->off[i];
    for (uint32_t k = 0; k < n; k++) put_column(&b->cols[keys[k].col], b, &keys[k], rows, cursor);
    return true;
}
