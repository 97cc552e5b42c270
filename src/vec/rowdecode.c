/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding of the row encoding, version 1 (README.md). The bytes may come from a damaged file:
 * every length is checked against what is left before anything is made of it. */
#include "vec/vec_int.h"

#define TO(v, T, i) (((T *)(v)->data)[i])

typedef struct decoder {
    wr_ctx *ctx;
    const uint8_t *p, *end;
    bool copy;
    wr_arena *arena;
} decoder;

static wr_status
corrupt(decoder *d, const char *what)
{
    return wr_raise(d->ctx, WR_CORRUPT, "encoded row is damaged: %s", what);
}

static wr_status
take(decoder *d, size_t n, const uint8_t **out)
{
    if ((size_t)(d->end - d->p) < n) return corrupt(d, "it ends too early");
    *out = d->p;
    d->p += n;
    return WR_OK;
}

static wr_status
take_varint(decoder *d, uint32_t *out)
{
    uint64_t x = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
        const uint8_t *b;
        WR_TRY(take(d, 1, &b));
        x |= (uint64_t)(*b & 0x7f) << shift;
        if (*b & 0x80) continue;
        if (x > UINT32_MAX || (*b == 0 && shift > 0)) return corrupt(d, "bad length");
        *out = (uint32_t)x;
        return WR_OK;
    }
    return corrupt(d, "bad length");
}

/* The null bits of n columns; the unused bits of the last byte must be clear. */
static wr_status
take_nulls(decoder *d, uint32_t n, const uint8_t **out)
{
    WR_TRY(take(d, ((size_t)n + 7) / 8, out));
    if (n % 8 && (*out)[n / 8] >> (n % 8)) return corrupt(d, "unused null bits are set");
    return WR_OK;
}

static bool
is_null_bit(const uint8_t *nulls, uint32_t i)
{
    return (nulls[i / 8] >> (i % 8)) & 1;
}

static wr_status take_value(decoder *d, wr_vec *v, uint32_t row);

static wr_status
set_null(decoder *d, wr_vec *v, uint32_t row)
{
    if (!wr_vec_set_null(v, row, d->arena)) return wr_raise(d->ctx, WR_NOMEM, "out of memory");
    for (uint32_t c = 0; v->phys == WR_PHYS_ROW && c < v->child_count; c++)
        WR_TRY(set_null(d, &v->child[c], row));
    return WR_OK;
}

static wr_status
take_column(decoder *d, wr_vec *v, uint32_t row, bool null)
{
    if (null) return set_null(d, v, row);
    if (v->phys == WR_PHYS_NONE) return corrupt(d, "a value of type NULL");
    if (v->has_nulls) wr_bit_set(v->validity, row);
    return take_value(d, v, row);
}

static wr_status
take_items(decoder *d, wr_vec *c, uint32_t off, uint32_t len)
{
    const uint8_t *nulls;
    WR_TRY(take_nulls(d, len, &nulls));
    for (uint32_t k = 0; k < len; k++) WR_TRY(take_column(d, c, off + k, is_null_bit(nulls, k)));
    return WR_OK;
}

static wr_status
take_list(decoder *d, wr_vec *v, uint32_t row)
{
    uint32_t len, off;
    WR_TRY(take_varint(d, &len));
    /* an element costs at least its null bit: refuse lengths that cannot be before making room */
    if (((size_t)len + 7) / 8 > (size_t)(d->end - d->p)) return corrupt(d, "bad length");
    if (!wr_vec_child_reserve(v, len, d->arena, &off))
        return wr_raise(d->ctx, WR_NOMEM, "out of memory");
    TO(v, wr_list, row) = (wr_list){off, len};
    for (uint32_t c = 0; c < v->child_count; c++) WR_TRY(take_items(d, &v->child[c], off, len));
    return WR_OK;
}

static wr_status
take_str(decoder *d, wr_vec *v, uint32_t row)
{
    uint32_t len;
    const uint8_t *bytes;
    WR_TRY(take_varint(d, &len));
    WR_TRY(take(d, len, &bytes));
    if (!d->copy) {
        TO(v, wr_strv, row) = wr_strv_make((const char *)bytes, len);
        return WR_OK;
    }
    if (!wr_vec_set_str(v, row, (const char *)bytes, len, d->arena))
        return wr_raise(d->ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

static wr_status
take_value(decoder *d, wr_vec *v, uint32_t row)
{
    const uint8_t *b;
    switch ((wr_phys)v->phys) {
    case WR_PHYS_NONE:
        return WR_OK;
    case WR_PHYS_BOOL:
        WR_TRY(take(d, 1, &b));
        if (*b > 1) return corrupt(d, "bad BOOLEAN");
        TO(v, uint8_t, row) = *b;
        return WR_OK;
    case WR_PHYS_I8:
    case WR_PHYS_I16:
    case WR_PHYS_I32:
    case WR_PHYS_I64:
    case WR_PHYS_F32:
    case WR_PHYS_F64:
    case WR_PHYS_I128: {
        const size_t w = wr_phys_bytes((wr_phys)v->phys);
        WR_TRY(take(d, w, &b));
        memcpy((char *)v->data + w * row, b, w);
        return WR_OK;
    }
    case WR_PHYS_TS: {
        wr_ts ts = {0, 0, 0};
        WR_TRY(take(d, 12, &b));
        memcpy(&ts.ms, b, 8);
        memcpy(&ts.nano, b + 8, 4);
        if (ts.nano < 0 || ts.nano > 999999) return corrupt(d, "bad nanoseconds");
        TO(v, wr_ts, row) = ts;
        return WR_OK;
    }
    case WR_PHYS_STR:
        return take_str(d, v, row);
    case WR_PHYS_LIST:
    case WR_PHYS_MAP:
        return take_list(d, v, row);
    case WR_PHYS_ROW: {
        WR_TRY(take_nulls(d, v->child_count, &b));
        for (uint32_t c = 0; c < v->child_count; c++)
            WR_TRY(take_column(d, &v->child[c], row, is_null_bit(b, c)));
        return WR_OK;
    }
    case WR_PHYS_COUNT:
        break;
    }
    return corrupt(d, "unknown layout");
}

static bool
has_bytes(const wr_vec *vecs, uint32_t n)
{
    for (uint32_t c = 0; c < n; c++)
        if (vecs[c].phys >= WR_PHYS_STR) return true;
    return false;
}
_Static_assert(WR_PHYS_STR < WR_PHYS_LIST && WR_PHYS_STR < WR_PHYS_MAP &&
                   WR_PHYS_STR < WR_PHYS_ROW && WR_PHYS_I64 < WR_PHYS_STR,
               "what may refer to bytes comes last");

/* A value that is not NULL: the frequent cases here, without a call. */
WR_ALWAYS_INLINE wr_status
take_present(decoder *d, wr_vec *v, uint32_t row)
{
    const size_t left = (size_t)(d->end - d->p);
    if (v->phys == WR_PHYS_I64 && left >= 8) {
        memcpy((int64_t *)v->data + row, d->p, 8);
        d->p += 8;
        return WR_OK;
    }
    if (v->phys == WR_PHYS_STR && !d->copy && left > 0 && *d->p < 0x80 && left > *d->p) {
        TO(v, wr_strv, row) = wr_strv_make((const char *)d->p + 1, *d->p);
        d->p += 1 + *d->p;
        return WR_OK;
    }
    return take_value(d, v, row);
}

wr_status
wr_row_decode(wr_ctx *ctx, const uint8_t *p, size_t len, wr_vec *vecs, uint32_t n, uint32_t row,
              bool copy, wr_arena *a)
{
    decoder d = {.ctx = ctx, .p = p, .end = p + len, .copy = copy, .arena = a};
    const uint8_t *nulls;
    if (copy && len > 12 && has_bytes(vecs, n)) { /* all at once, then nothing is copied */
        uint8_t *own = wr_arena_alloc(a, len);
        if (!own) return wr_raise(ctx, WR_NOMEM, "out of memory");
        memcpy(own, p, len);
        d.p = own;
        d.end = own + len;
        d.copy = false;
    }
    WR_TRY(take_nulls(&d, n, &nulls));
    for (uint32_t c = 0; c < n; c++) {
        wr_vec *v = &vecs[c];
        if (is_null_bit(nulls, c) || v->phys == WR_PHYS_NONE) {
            WR_TRY(take_column(&d, v, row, is_null_bit(nulls, c)));
            continue;
        }
        if (v->has_nulls) wr_bit_set(v->validity, row);
        WR_TRY(take_present(&d, v, row));
    }
    if (d.p != d.end) return corrupt(&d, "bytes are left over");
    return WR_OK;
}
