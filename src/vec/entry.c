/* SPDX-License-Identifier: Apache-2.0 */
/* One entry at a time: equality, order, hash. NULL equals NULL; NaN equals NaN and is largest; 0.0
 * and -0.0 differ, as in the encodings. Maps are unordered sets of entries. */
#include "vec/vec_int.h"

#define AT(v, T, i) (((const T *)(v)->data)[i])

static bool
null_at(const wr_vec *v, uint32_t i) /* by entry index */
{
    return v->phys == WR_PHYS_NONE || (v->has_nulls && !wr_bit_get(v->validity, i));
}

static bool
list_eq(const wr_vec *ca, wr_list la, const wr_vec *cb, wr_list lb)
{
    for (uint32_t k = 0; k < la.len; k++)
        if (!wr_vec_entry_eq(ca, la.off + k, cb, lb.off + k)) return false;
    return true;
}

static bool
map_eq(const wr_vec *a, wr_list la, const wr_vec *b, wr_list lb)
{
    uint32_t at = 0; /* equal maps mostly have one order: look on from the last hit */
    for (uint32_t i = 0; i < la.len; i++) {
        bool found = false;
        for (uint32_t n = 0; n < lb.len && !found; n++) {
            found = wr_vec_entry_eq(&a->child[0], la.off + i, &b->child[0], lb.off + at) &&
                    wr_vec_entry_eq(&a->child[1], la.off + i, &b->child[1], lb.off + at);
            at = at + 1 < lb.len ? at + 1 : 0;
        }
        if (!found) return false;
    }
    return true;
}

bool
wr_vec_entry_eq(const wr_vec *a, uint32_t ra, const wr_vec *b, uint32_t rb)
{
    const uint32_t i = wr_vec_index(a, ra), j = wr_vec_index(b, rb);
    const bool na = null_at(a, i), nb = null_at(b, j);
    if (na || nb) return na && nb;
    switch ((wr_phys)a->phys) {
    case WR_PHYS_NONE:
        return true;
    case WR_PHYS_BOOL:
    case WR_PHYS_I8:
        return AT(a, int8_t, i) == AT(b, int8_t, j);
    case WR_PHYS_I16:
        return AT(a, int16_t, i) == AT(b, int16_t, j);
    case WR_PHYS_I32:
        return AT(a, int32_t, i) == AT(b, int32_t, j);
    case WR_PHYS_I64:
        return AT(a, int64_t, i) == AT(b, int64_t, j);
    case WR_PHYS_F32:
        return wri_f32_bits(AT(a, float, i)) == wri_f32_bits(AT(b, float, j));
    case WR_PHYS_F64:
        return wri_f64_bits(AT(a, double, i)) == wri_f64_bits(AT(b, double, j));
    case WR_PHYS_I128:
        return AT(a, wr_i128, i) == AT(b, wr_i128, j);
    case WR_PHYS_STR:
        return wr_strv_eq(&AT(a, wr_strv, i), &AT(b, wr_strv, j));
    case WR_PHYS_TS:
        return AT(a, wr_ts, i).ms == AT(b, wr_ts, j).ms &&
               AT(a, wr_ts, i).nano == AT(b, wr_ts, j).nano;
    case WR_PHYS_LIST:
        return AT(a, wr_list, i).len == AT(b, wr_list, j).len &&
               list_eq(&a->child[0], AT(a, wr_list, i), &b->child[0], AT(b, wr_list, j));
    case WR_PHYS_MAP:
        return AT(a, wr_list, i).len == AT(b, wr_list, j).len &&
               map_eq(a, AT(a, wr_list, i), b, AT(b, wr_list, j));
    case WR_PHYS_ROW:
        for (uint32_t k = 0; k < a->child_count; k++)
            if (!wr_vec_entry_eq(&a->child[k], i, &b->child[k], j)) return false;
        return true;
    case WR_PHYS_COUNT:
        break;
    }
    return false;
}

#define CMP(x, y) (((x) > (y)) - ((x) < (y)))

static int
str_cmp(const wr_strv *a, const wr_strv *b)
{
    const uint32_t n = WR_MIN(a->len, b->len);
    const int c = n ? memcmp(wr_strv_ptr(a), wr_strv_ptr(b), n) : 0;
    return c ? c : CMP(a->len, b->len);
}

static int
list_cmp(const wr_vec *ca, wr_list la, const wr_vec *cb, wr_list lb)
{
    for (uint32_t k = 0; k < la.len && k < lb.len; k++) {
        const int c = wr_vec_entry_cmp(ca, la.off + k, cb, lb.off + k);
        if (c) return c;
    }
    return CMP(la.len, lb.len);
}

static uint64_t
widen_f32(uint32_t bits) /* keeps the order of the bits' total order */
{
    return (uint64_t)bits << 32;
}

int
wr_vec_entry_cmp(const wr_vec *a, uint32_t ra, const wr_vec *b, uint32_t rb)
{
    const uint32_t i = wr_vec_index(a, ra), j = wr_vec_index(b, rb);
    const bool na = null_at(a, i), nb = null_at(b, j);
    if (na || nb) return nb - na;
    switch ((wr_phys)a->phys) {
    case WR_PHYS_NONE:
        return 0;
    case WR_PHYS_BOOL:
    case WR_PHYS_I8:
        return CMP(AT(a, int8_t, i), AT(b, int8_t, j));
    case WR_PHYS_I16:
        return CMP(AT(a, int16_t, i), AT(b, int16_t, j));
    case WR_PHYS_I32:
        return CMP(AT(a, int32_t, i), AT(b, int32_t, j));
    case WR_PHYS_I64:
        return CMP(AT(a, int64_t, i), AT(b, int64_t, j));
    case WR_PHYS_F32:
        return wri_cmp_bits64(widen_f32(wri_f32_bits(AT(a, float, i))),
                              widen_f32(wri_f32_bits(AT(b, float, j))));
    case WR_PHYS_F64:
        return wri_cmp_bits64(wri_f64_bits(AT(a, double, i)), wri_f64_bits(AT(b, double, j)));
    case WR_PHYS_I128:
        return CMP(AT(a, wr_i128, i), AT(b, wr_i128, j));
    case WR_PHYS_STR:
        return str_cmp(&AT(a, wr_strv, i), &AT(b, wr_strv, j));
    case WR_PHYS_TS: {
        const int c = CMP(AT(a, wr_ts, i).ms, AT(b, wr_ts, j).ms);
        return c ? c : CMP(AT(a, wr_ts, i).nano, AT(b, wr_ts, j).nano);
    }
    case WR_PHYS_LIST:
        return list_cmp(&a->child[0], AT(a, wr_list, i), &b->child[0], AT(b, wr_list, j));
    case WR_PHYS_MAP:
        return 0; /* no order */
    case WR_PHYS_ROW:
        for (uint32_t k = 0; k < a->child_count; k++) {
            const int c = wr_vec_entry_cmp(&a->child[k], i, &b->child[k], j);
            if (c) return c;
        }
        return 0;
    case WR_PHYS_COUNT:
        break;
    }
    return 0;
}

static bool
is_zero(const wr_vec *v, uint32_t row)
{
    if (v->phys != WR_PHYS_F64 && v->phys != WR_PHYS_F32) return false;
    const uint32_t i = wr_vec_index(v, row);
    if (null_at(v, i)) return false;
    const double x = v->phys == WR_PHYS_F64 ? AT(v, double, i) : (double)AT(v, float, i);
    return x <= 0 && x >= 0;
}

bool
wr_vec_entry_peer(const wr_vec *a, uint32_t ra, const wr_vec *b, uint32_t rb)
{
    return wr_vec_entry_eq(a, ra, b, rb) || (is_zero(a, ra) && is_zero(b, rb));
}

int
wr_vec_entry_order(const wr_vec *a, uint32_t ra, const wr_vec *b, uint32_t rb)
{
    return is_zero(a, ra) && is_zero(b, rb) ? 0 : wr_vec_entry_cmp(a, ra, b, rb);
}

uint64_t
wr_vec_entry_hash(const wr_vec *v, uint32_t row, uint64_t seed)
{
    const uint32_t i = wr_vec_index(v, row);
    if (null_at(v, i)) return wri_mix(WRI_HASH_NULL, seed);
    switch ((wr_phys)v->phys) {
    case WR_PHYS_NONE:
        break;
    case WR_PHYS_BOOL:
    case WR_PHYS_I8:
        return wri_mix((uint64_t)(int64_t)AT(v, int8_t, i), seed);
    case WR_PHYS_I16:
        return wri_mix((uint64_t)(int64_t)AT(v, int16_t, i), seed);
    case WR_PHYS_I32:
        return wri_mix((uint64_t)(int64_t)AT(v, int32_t, i), seed);
    case WR_PHYS_I64:
        return wri_mix(AT(v, uint64_t, i), seed);
    case WR_PHYS_F32:
        return wri_mix(wri_f32_bits(AT(v, float, i)), seed);
    case WR_PHYS_F64:
        return wri_mix(wri_f64_bits(AT(v, double, i)), seed);
    case WR_PHYS_I128: {
        const wr_u128 u = (wr_u128)AT(v, wr_i128, i);
        return wri_mix((uint64_t)u, wri_mix((uint64_t)(u >> 64), seed));
    }
    case WR_PHYS_STR:
        return wri_hash_strv(&AT(v, wr_strv, i), seed);
    case WR_PHYS_TS:
        return wri_mix((uint64_t)AT(v, wr_ts, i).nano, wri_mix((uint64_t)AT(v, wr_ts, i).ms, seed));
    case WR_PHYS_LIST: {
        const wr_list l = AT(v, wr_list, i);
        uint64_t h = wri_mix(l.len, seed);
        for (uint32_t k = 0; k < l.len; k++) h = wr_vec_entry_hash(&v->child[0], l.off + k, h);
        return h;
    }
    case WR_PHYS_MAP: { /* the order of the entries must not matter */
        const wr_list l = AT(v, wr_list, i);
        uint64_t sum = 0;
        for (uint32_t k = 0; k < l.len; k++)
            sum += wr_vec_entry_hash(&v->child[1], l.off + k,
                                     wr_vec_entry_hash(&v->child[0], l.off + k, WR_HASH_SEED));
        return wri_mix(sum, wri_mix(l.len, seed));
    }
    case WR_PHYS_ROW: {
        uint64_t h = seed;
        for (uint32_t k = 0; k < v->child_count; k++) h = wr_vec_entry_hash(&v->child[k], i, h);
        return h;
    }
    case WR_PHYS_COUNT:
        break;
    }
    return seed;
}
