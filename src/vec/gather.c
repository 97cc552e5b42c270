/* SPDX-License-Identifier: Apache-2.0 */
/* Gathering rows into a dense FLAT vector, and copying single entries between vectors. */
#include "vec/vec_int.h"

#define AT(v, T, i) (((const T *)(v)->data)[i])
#define TO(v, T, i) (((T *)(v)->data)[i])

/* dst[i] = src[map(rows[i])] for one fixed-width layout. */
#define GATHER(T)                                                                                  \
    static void gather_##T(T *restrict dst, const wr_vec *v, const uint32_t *restrict rows,        \
                           uint32_t n)                                                             \
    {                                                                                              \
        const T *restrict src = v->data;                                                           \
        if (v->form == WR_FORM_FLAT) {                                                             \
            for (uint32_t i = 0; i < n; i++) dst[i] = src[rows[i]];                                \
        } else if (v->form == WR_FORM_DICT) {                                                      \
            const uint32_t *restrict d = v->dict;                                                  \
            for (uint32_t i = 0; i < n; i++) dst[i] = src[d[rows[i]]];                             \
        } else {                                                                                   \
            for (uint32_t i = 0; i < n; i++) dst[i] = src[0];                                      \
        }                                                                                          \
    }
GATHER(uint8_t)
GATHER(uint16_t)
GATHER(uint32_t)
GATHER(uint64_t)
GATHER(wr_u128)

static void
gather_fixed(void *dst, const wr_vec *v, const uint32_t *rows, uint32_t n)
{
    switch (wr_phys_bytes((wr_phys)v->phys)) {
    case 1:
        gather_uint8_t(dst, v, rows, n);
        break;
    case 2:
        gather_uint16_t(dst, v, rows, n);
        break;
    case 4:
        gather_uint32_t(dst, v, rows, n);
        break;
    case 8:
        gather_uint64_t(dst, v, rows, n);
        break;
    case 16:
        gather_wr_u128(dst, v, rows, n);
        break;
    default:
        break;
    }
}

static bool
gather_validity(wr_vec *out, const wr_vec *v, const uint32_t *rows, uint32_t n, wr_arena *a)
{
    if (!v->has_nulls || v->phys == WR_PHYS_NONE) return true;
    if (!wr_vec_ensure_validity(out, a)) return false;
    out->has_nulls = true;
    for (uint32_t w = 0; w < WR_BIT_WORDS(n); w++) {
        const uint32_t first = w * 64, count = WR_MIN(64u, n - first);
        uint64_t word = 0;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t at = wr_vec_index(v, rows[first + i]);
            word |= (uint64_t)wr_bit_get(v->validity, at) << i;
        }
        out->validity[w] = word;
    }
    return true;
}

/* LIST and MAP: lay the elements of the chosen rows end to end, then gather the children. */
static bool
gather_lists(wr_vec *out, const wr_vec *v, const uint32_t *rows, uint32_t n, wr_arena *a)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!wr_vec_is_null(v, rows[i])) total += AT(v, wr_list, wr_vec_index(v, rows[i])).len;
    if (total > UINT32_MAX) return false;
    uint32_t *kid_rows = wr_arena_alloc(a, sizeof *kid_rows * (total ? total : 1));
    if (!kid_rows) return false;
    uint32_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        wr_list l = {0, 0};
        if (!wr_vec_is_null(v, rows[i])) l = AT(v, wr_list, wr_vec_index(v, rows[i]));
        TO(out, wr_list, i) = (wr_list){at, l.len};
        for (uint32_t k = 0; k < l.len; k++) kid_rows[at++] = l.off + k;
    }
    for (uint32_t c = 0; c < v->child_count; c++)
        if (!wr_vec_gather(&out->child[c], &v->child[c], kid_rows, at, a)) return false;
    return true;
}

static bool
gather_fields(wr_vec *out, const wr_vec *v, const uint32_t *rows, uint32_t n, wr_arena *a)
{
    const uint32_t *at = rows;
    if (v->form != WR_FORM_FLAT) { /* children are indexed by entries */
        uint32_t *entries = wr_arena_alloc(a, sizeof *entries * (n ? n : 1));
        if (!entries) return false;
        for (uint32_t i = 0; i < n; i++) entries[i] = wr_vec_index(v, rows[i]);
        at = entries;
    }
    for (uint32_t c = 0; c < v->child_count; c++)
        if (!wr_vec_gather(&out->child[c], &v->child[c], at, n, a)) return false;
    return true;
}

bool
wr_vec_gather(wr_vec *out, const wr_vec *v, const uint32_t *rows, uint32_t n, wr_arena *a)
{
    wr_vec made = {.type = v->type, .form = WR_FORM_FLAT, .phys = v->phys, .len = n, .cap = n};
    const size_t bytes = (size_t)wr_phys_bytes((wr_phys)v->phys) * n;
    if (v->phys != WR_PHYS_NONE && v->phys != WR_PHYS_ROW) {
        made.data = wr_arena_alloc(a, bytes ? bytes : 1);
        if (!made.data) return false;
    }
    if (v->child_count) {
        made.child = WR_NEW_N(a, wr_vec, v->child_count);
        if (!made.child) return false;
        made.child_count = v->child_count;
    }
    if (!gather_validity(&made, v, rows, n, a)) return false;
    bool ok = true;
    if (v->phys == WR_PHYS_LIST || v->phys == WR_PHYS_MAP)
        ok = gather_lists(&made, v, rows, n, a);
    else if (v->phys == WR_PHYS_ROW)
        ok = gather_fields(&made, v, rows, n, a);
    else
        gather_fixed(made.data, v, rows, n);
    *out = made;
    return ok;
}

bool
wr_vec_gather_shared(wr_vec *out, const wr_vec *v, const uint32_t *rows, uint32_t n, wr_arena *a)
{
    if (v->phys != WR_PHYS_LIST && v->phys != WR_PHYS_MAP) return wr_vec_gather(out, v, rows, n, a);
    wr_vec made = {.type = v->type, .form = WR_FORM_FLAT, .phys = v->phys, .len = n, .cap = n};
    made.data = wr_arena_alloc(a, sizeof(wr_list) * (n ? n : 1));
    made.child = WR_NEW_N(a, wr_vec, v->child_count);
    if (!made.data || !made.child || !gather_validity(&made, v, rows, n, a)) return false;
    made.child_count = v->child_count;
    for (uint32_t i = 0; i < n; i++)
        TO(&made, wr_list, i) =
            wr_vec_is_null(v, rows[i]) ? (wr_list){0, 0} : AT(v, wr_list, wr_vec_index(v, rows[i]));
    for (uint32_t c = 0; c < v->child_count; c++) {
        made.child[c] = v->child[c];
        made.child[c].cap = v->child[c].len; /* whoever appends makes room of their own */
    }
    *out = made;
    return true;
}

static bool
copy_list(wr_vec *dst, uint32_t dst_row, const wr_vec *src, wr_list l, wr_arena *a)
{
    uint32_t off;
    if (!wr_vec_child_reserve(dst, l.len, a, &off)) return false;
    TO(dst, wr_list, dst_row) = (wr_list){off, l.len};
    for (uint32_t c = 0; c < dst->child_count; c++)
        for (uint32_t k = 0; k < l.len; k++)
            if (!wr_vec_copy_entry(&dst->child[c], off + k, &src->child[c], l.off + k, a))
                return false;
    return true;
}

bool
wr_vec_copy_entry(wr_vec *dst, uint32_t dst_row, const wr_vec *src, uint32_t row, wr_arena *a)
{
    WR_KASSERT(dst->form == WR_FORM_FLAT && dst->phys == src->phys);
    if (wr_vec_is_null(src, row)) {
        if (!wr_vec_set_null(dst, dst_row, a)) return false;
        if (dst->phys != WR_PHYS_ROW) return true;
    } else if (dst->has_nulls) {
        wr_bit_set(dst->validity, dst_row);
    }
    const uint32_t i = wr_vec_index(src, row);
    switch ((wr_phys)src->phys) {
    case WR_PHYS_NONE:
        return true;
    case WR_PHYS_STR: {
        const wr_strv *s = &AT(src, wr_strv, i);
        return wr_vec_set_str(dst, dst_row, wr_strv_ptr(s), s->len, a);
    }
    case WR_PHYS_LIST:
    case WR_PHYS_MAP:
        return copy_list(dst, dst_row, src, AT(src, wr_list, i), a);
    case WR_PHYS_ROW:
        for (uint32_t c = 0; c < src->child_count; c++)
            if (!wr_vec_copy_entry(&dst->child[c], dst_row, &src->child[c], i, a)) return false;
        return true;
    case WR_PHYS_BOOL:
    case WR_PHYS_I8:
    case WR_PHYS_I16:
    case WR_PHYS_I32:
    case WR_PHYS_I64:
    case WR_PHYS_F32:
    case WR_PHYS_F64:
    case WR_PHYS_I128:
    case WR_PHYS_TS: {
        const size_t w = wr_phys_bytes((wr_phys)src->phys);
        memcpy((char *)dst->data + w * dst_row, (const char *)src->data + w * i, w);
        return true;
    }
    case WR_PHYS_COUNT:
        break;
    }
    return false;
}
