/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which a java.util.HashMap hands out its entries. The print connector writes maps in
 * that order, so the hash codes of the usual key classes are computed here as Java defines them.
 * Keys whose hash code is not defined by their value (byte arrays) or that are nested count as
 * equal: they keep their stored order. */
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

uint64_t *
wri_java_map_order(const wr_vec *keys, wr_list l, wr_arena *a)
{
    uint64_t *order = wr_arena_alloc(a, sizeof *order * (l.len ? l.len : 1));
    if (!order) return NULL;
    uint32_t buckets = 16; /* doubled when three quarters are used */
    while (l.len > buckets / 4 * 3 && buckets < 1u << 30) buckets *= 2;
    for (uint32_t k = 0; k < l.len; k++) {
        const uint32_t h = java_hash(keys, l.off + k);
        order[k] = (uint64_t)((h ^ h >> 16) & (buckets - 1)) << 32 | k;
    }
    heap_sort(order, l.len);
    return order;
}
