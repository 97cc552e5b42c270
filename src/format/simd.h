/* SPDX-License-Identifier: Apache-2.0 */
/* The few vector instructions that the decoders use, for the ISA level that the including file is
 * built for. Private to format/. Loads may read up to 64 bytes behind what is asked for: callers
 * pad.
 */
#ifndef WR_FORMAT_SIMD_H
#define WR_FORMAT_SIMD_H

#include "types/types.h"

#if defined(__AVX2__)
#include <immintrin.h>
#define WRI_LANE 32
typedef __m256i wri_bytes;
WR_ALWAYS_INLINE wri_bytes
wri_load(const char *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}
WR_ALWAYS_INLINE wri_bytes
wri_splat(char c)
{
    return _mm256_set1_epi8(c);
}
WR_ALWAYS_INLINE uint64_t
wri_eq(wri_bytes a, wri_bytes b)
{
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(a, b));
}
WR_ALWAYS_INLINE uint64_t
wri_high(wri_bytes a) /* bytes >= 0x80 */
{
    return (uint32_t)_mm256_movemask_epi8(a);
}
#elif defined(__SSE2__)
#include <emmintrin.h>
#define WRI_LANE 16
typedef __m128i wri_bytes;
WR_ALWAYS_INLINE wri_bytes
wri_load(const char *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}
WR_ALWAYS_INLINE wri_bytes
wri_splat(char c)
{
    return _mm_set1_epi8(c);
}
WR_ALWAYS_INLINE uint64_t
wri_eq(wri_bytes a, wri_bytes b)
{
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(a, b));
}
WR_ALWAYS_INLINE uint64_t
wri_high(wri_bytes a)
{
    return (uint32_t)_mm_movemask_epi8(a);
}
#else
#define WRI_LANE 8
typedef struct wri_bytes {
    uint8_t b[8];
} wri_bytes;
WR_ALWAYS_INLINE wri_bytes
wri_load(const char *p)
{
    wri_bytes v;
    memcpy(v.b, p, 8);
    return v;
}
WR_ALWAYS_INLINE wri_bytes
wri_splat(char c)
{
    wri_bytes v;
    memset(v.b, c, 8);
    return v;
}
WR_ALWAYS_INLINE uint64_t
wri_eq(wri_bytes a, wri_bytes b)
{
    uint64_t m = 0;
    for (int i = 0; i < 8; i++) m |= (uint64_t)(a.b[i] == b.b[i]) << i;
    return m;
}
WR_ALWAYS_INLINE uint64_t
wri_high(wri_bytes a)
{
    uint64_t m = 0;
    for (int i = 0; i < 8; i++) m |= (uint64_t)(a.b[i] >> 7) << i;
    return m;
}
#endif

/* Masks of 64 bytes at once. */
WR_ALWAYS_INLINE uint64_t
wri_eq64(const char *p, wri_bytes c)
{
    uint64_t m = 0;
    for (int i = 0; i < 64; i += WRI_LANE) m |= wri_eq(wri_load(p + i), c) << i;
    return m;
}

/* ---- eight digits in a word (little endian) -------------------------------------------------- */

/* How many of the eight bytes are leading digits. */
WR_ALWAYS_INLINE uint32_t
wri_digit_count(uint64_t w)
{
    uint64_t x = w ^ 0x3030303030303030ull; /* digits are 0..9 now */
    uint64_t bad =
        (((x & 0x7f7f7f7f7f7f7f7full) + 0x7676767676767676ull) | x) & 0x8080808080808080ull;
    return bad ? (uint32_t)__builtin_ctzll(bad) >> 3 : 8;
}

/* Value of the first `n` (1..8) digits. */
WR_ALWAYS_INLINE uint64_t
wri_digits_value(uint64_t w, uint32_t n)
{
    w = (w ^ 0x3030303030303030ull) << (64 - 8 * n); /* right-aligned, zeros in front */
    w = w * 10 + (w >> 8);
    return (((w & 0x000000ff000000ffull) * 0x000f424000000064ull) +
            (((w >> 16) & 0x000000ff000000ffull) * 0x0000271000000001ull)) >>
           32;
}

/* An unsigned number at *p: up to 19 digits. Returns their count (20 = too many for 64 bits). */
WR_ALWAYS_INLINE uint32_t
wri_scan_u64(const char **p, uint64_t *out)
{
    static const uint64_t pow10[9] = {1,      10,      100,      1000,     10000,
                                      100000, 1000000, 10000000, 100000000};
    uint32_t n = wri_digit_count(wr_load64(*p));
    if (n == 0) return 0;
    uint64_t v = wri_digits_value(wr_load64(*p), n);
    *p += n;
    uint32_t count = n;
    while (n == 8) {
        n = wri_digit_count(wr_load64(*p));
        if (n == 0) break;
        count += n;
        if (count > 19) {
            while (n) { /* skip the rest */
                *p += n;
                n = n == 8 ? wri_digit_count(wr_load64(*p)) : 0;
            }
            *out = 0;
            return 20;
        }
        v = v * pow10[n] + wri_digits_value(wr_load64(*p), n);
        *p += n;
    }
    *out = v;
    return count;
}

/* A string of `len` bytes at `p` (16 bytes there may be read): inline or pointing at p. */
WR_ALWAYS_INLINE void
wri_put_strv(wr_strv *d, const char *p, uint32_t len)
{
    if (len > 12) {
        uint64_t v = (uint64_t)(uintptr_t)p;
        d->len = len;
        memcpy(d->u.ref.prefix, p, 4);
        d->u.ref.ptr_lo = (uint32_t)v;
        d->u.ref.ptr_hi = (uint32_t)(v >> 32);
        return;
    }
    uint64_t lo = wr_load64(p), hi = wr_load32(p + 8);
    uint64_t keep_lo = len >= 8 ? ~0ull : ~(~0ull << (8 * len));
    uint64_t keep_hi = len > 8 ? ~(~0ull << (8 * (len - 8))) : 0;
    lo &= keep_lo;
    hi &= keep_hi;
    d->len = len;
    memcpy(d->u.inl, &lo, 8);
    memcpy(d->u.inl + 8, &hi, 4);
}

#endif
