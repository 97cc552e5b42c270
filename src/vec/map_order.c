/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which a java.util.HashMap hands out its entries. Flink shows some maps in that
 * order: the print connector by the hash codes of Java's classes (external), casts, COLLECT and
 * functions that build maps by those of its internal data (internal: strings by Murmur3 of their
 * bytes, timestamps by milliseconds and nanoseconds). Keys whose hash code is not defined by their
 * value (byte arrays) or that are nested count as equal: they keep their stored order. */
#include "types/decimal.h"
#include "vec/cast_int.h"

#define AT(v, T, i) (((const T *)(v)->data)[i])

static uint32_t
hash_long(int64_t v)
{
    const uint64_t u = (uint64_t)v;
    return (uint32_t)(u ^ u >> 32);
}

/* String.hashCode, over UTF-16 units */
static uint32_t
hash_string(wr_str s)
{
    uint32_t h = 0;
    const char *p = s.ptr, *end = p + s.len;
    while (p < end) {
        const uint32_t cp = wr_utf8_next(&p, end);
        if (cp >= 0x10000) {
            h = 31 * h + (0xd800 + ((cp - 0x10000) >> 10));
            h = 31 * h + (0xdc00 + ((cp - 0x10000) & 0x3ff));
        } else {
            h = 31 * h + cp;
        }
    }
    return h;
}

/* BigDecimal.hashCode: 31 * unscaled value + scale, the value's 32-bit words most significant first
 */
static uint32_t
hash_decimal(wr_i128 v, int scale)
{
    const bool negative = v < 0;
    const wr_u128 m = negative ? (wr_u128)0 - (wr_u128)v : (wr_u128)v;
    uint32_t h = 0;
    for (int i = 3; i >= 0; i--) h = 31 * h + (uint32_t)(m >> (32 * i));
    return 31 * (negative ? 0 - h : h) + (uint32_t)scale;
}

static uint32_t
hash_date(int64_t days)
{
    const wr_civil c = wr_civil_of(days);
    const uint32_t y = (uint32_t)c.year;
    return (y & 0xfffff800u) ^ ((y << 11) + ((uint32_t)c.month << 6) + (uint32_t)c.day);
}

static uint32_t
hash_timestamp(const wr_vec *v, uint32_t e)
{
    const wr_ts t = wri_ts_get(v, e);
    if (v->type->id == WR_T_TIMESTAMP_LTZ) { /* Instant */
        const int64_t seconds = wr_floor_div(t.ms, 1000);
        const int64_t nanos = wr_floor_mod(t.ms, 1000) * 1000000 + t.nano;
        return hash_long(seconds) + 51 * (uint32_t)nanos;
    }
    const int64_t days = wr_floor_div(t.ms, WR_MS_DAY);
    return hash_date(days) ^ hash_long(wr_floor_mod(t.ms, WR_MS_DAY) * 1000000 + t.nano);
}

/* ---- Flink's internal data ------------------------------------------------------------------- */
static uint32_t
rotate(uint32_t x, int r)
{
    return x << r | x >> (32 - r);
}

static uint32_t
murmur_step(uint32_t h, uint32_t k)
{
    k = rotate(k * 0xcc9e2d51u, 15) * 0x1b873593u;
    return rotate(h ^ k, 13) * 5 + 0xe6546b64u;
}

/* Words first, then each byte left over as a word of its own, sign-extended. */
static uint32_t
hash_internal_string(wr_str s)
{
    uint32_t h = 42;
    const size_t words = s.len / 4 * 4;
    for (size_t i = 0; i < words; i += 4) h = murmur_step(h, wr_load32(s.ptr + i));
    for (size_t i = words; i < s.len; i++)
        h = murmur_step(h, (uint32_t)(int32_t)(signed char)s.ptr[i]);
    h ^= (uint32_t)s.len;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

static uint32_t
internal_hash(const wr_vec *v, uint32_t e)
{
    const wr_ts t =
        v->phys == WR_PHYS_TS || v->phys == WR_PHYS_I64 ? wri_ts_get(v, e) : wr_ts_of(0, 0);
    switch (v->type->id) {
    case WR_T_CHAR:
    case WR_T_VARCHAR:
        return hash_internal_string(wr_strv_str(&AT(v, wr_strv, e)));
    case WR_T_TIMESTAMP:
    case WR_T_TIMESTAMP_LTZ:
        return 31 * hash_long(t.ms) + (uint32_t)t.nano;
    default:
        return AT(v, uint32_t, e); /* DATE, TIME */
    }
}

static uint32_t
java_hash(const wr_vec *v, uint32_t row)
{
    if (wr_vec_is_null(v, row)) return 0;
    const uint32_t e = wr_vec_index(v, row);
    switch (v->type->id) {
    case WR_T_BOOLEAN:
        return AT(v, uint8_t, e) ? 1231 : 1237;
    case WR_T_TINYINT:
        return (uint32_t)(int32_t)AT(v, int8_t, e);
    case WR_T_SMALLINT:
        return (uint32_t)(int32_t)AT(v, int16_t, e);
    case WR_T_INT:
        return AT(v, uint32_t, e);
    case WR_T_BIGINT:
        return hash_long(AT(v, int64_t, e));
    case WR_T_FLOAT:
        return wri_f32_bits(AT(v, float, e));
    case WR_T_DOUBLE:
        return hash_long((int64_t)wri_f64_bits(AT(v, double, e)));
    case WR_T_DECIMAL:
        return hash_decimal(wri_exact_get(v, e), v->type->scale);
    case WR_T_CHAR:
    case WR_T_VARCHAR:
        return hash_string(wr_strv_str(&AT(v, wr_strv, e)));
    case WR_T_DATE:
        return hash_date(AT(v, int32_t, e));
    case WR_T_TIME:
        return hash_long((int64_t)AT(v, int32_t, e) * 1000000);
    case WR_T_TIMESTAMP:
    case WR_T_TIMESTAMP_LTZ:
        return hash_timestamp(v, e);
    default:
        return 0;
    }
}

static void
sift(uint64_t *h, uint32_t at, uint32_t n)
{
    for (uint32_t kid; (kid = 2 * at + 1) < n; at = kid) {
        if (kid + 1 < n && h[kid + 1] > h[kid]) kid++;
        if (h[at] >= h[kid]) return;
        const uint64_t t = h[at];
        h[at] = h[kid];
        h[kid] = t;
    }
}

static void
heap_sort(uint64_t *h, uint32_t n)
{
    for (uint32_t i = n / 2; i-- > 0;) sift(h, i, n);
    for (uint32_t i = n; i-- > 1;) {
        const uint64_t t = h[0];
        h[0] = h[i];
        h[i] = t;
        sift(h, 0, i);
    }
}

static uint32_t
hash_of(const wr_vec *v, uint32_t row, bool internal)
{
    const bool differs = wr_type_is_string(v->type) || wr_type_family(v->type) == WR_FAM_DATETIME;
    if (!internal || !differs) return java_hash(v, row);
    return wr_vec_is_null(v, row) ? 0 : internal_hash(v, wr_vec_index(v, row));
}

uint64_t *
wri_map_order(const wr_vec *keys, wr_list l, bool internal, wr_arena *a)
{
    uint64_t *order = wr_arena_alloc(a, sizeof *order * (l.len ? l.len : 1));
    if (!order) return NULL;
    uint32_t buckets = 16; /* doubled when three quarters are used */
    while (l.len > buckets / 4 * 3 && buckets < 1u << 30) buckets *= 2;
    for (uint32_t k = 0; k < l.len; k++) {
        const uint32_t h = hash_of(keys, l.off + k, internal);
        order[k] = (uint64_t)((h ^ h >> 16) & (buckets - 1)) << 32 | k;
    }
    heap_sort(order, l.len);
    return order;
}

bool
wr_map_sort(wr_vec *map, const uint32_t *sel, uint32_t n, wr_arena *a)
{
    const uint32_t len = map->child[0].len;
    uint32_t *from = wr_arena_alloc(a, sizeof *from * (len ? len : 1));
    if (!from) return false;
    for (uint32_t i = 0; i < len; i++) from[i] = i;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = sel ? sel[i] : i;
        if (wr_vec_is_null(map, row)) continue;
        const wr_list l = AT(map, wr_list, row);
        if (l.len < 2) continue;
        const uint64_t *order = wri_map_order(&map->child[0], l, true, a);
        if (!order) return false;
        for (uint32_t k = 0; k < l.len; k++) from[l.off + k] = l.off + (uint32_t)order[k];
    }
    for (uint32_t c = 0; c < 2; c++) {
        wr_vec sorted;
        if (!wr_vec_gather(&sorted, &map->child[c], from, len, a)) return false;
        map->child[c] = sorted;
    }
    return true;
}
