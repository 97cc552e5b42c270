/* SPDX-License-Identifier: Apache-2.0 */
/* Private to vec/: making vectors without zeroing, hash mixing, validity words. */
#ifndef WR_VEC_VEC_INT_H
#define WR_VEC_VEC_INT_H

#include "vec/vec.h"

/* A FLAT vector for a kernel's output: data not zeroed (except strings), no validity. LIST, MAP and
 * ROW as in wr_vec_init_flat. */
bool wri_vec_init_out(wr_vec *v, const wr_type *t, uint32_t cap, wr_arena *a) WR_MUST_USE;
/* Set `len` of a vector and of the ROW fields below it. */
void wri_vec_set_len(wr_vec *v, uint32_t len);
/* Decimal halves of wr_kernel_arith and wr_kernel_compare. */
wr_status wri_decimal_arith(wr_ctx *ctx, wr_binop op, const wr_vec *a, const wr_vec *b,
                            const uint32_t *sel, uint32_t n, wr_vec *out, wr_arena *arena,
                            wr_row_errs *errs) WR_MUST_USE;
void wri_decimal_compare(wr_cmpop op, const wr_vec *a, const wr_vec *b, const uint32_t *sel,
                         uint32_t n, uint8_t *out);
/* Row `i` (an entry index) of a DECIMAL or integer vector, and the scale of its type. */
wr_i128 wri_exact_get(const wr_vec *v, uint32_t entry);
int wri_exact_scale(const wr_type *t);
/* All-valid bitmap of `n` rows, not zero-filled beyond. NULL when out of memory. */
uint64_t *wri_validity_make(wr_arena *a, uint32_t n) WR_MUST_USE;
/* Validity of rows 0..n) of `v` as a dense bitmap: NULL in *out when there are no NULLs. */
bool wri_validity_flat(const wr_vec *v, uint32_t n, wr_arena *a, uint64_t **out) WR_MUST_USE;
/* out->validity = a & b for rows 0..n) (out is FLAT). */
bool wri_validity_and(const wr_vec *a, const wr_vec *b, uint32_t n, wr_vec *out,
                      wr_arena *arena) WR_MUST_USE;
/* The rows 0..n) of `v` as plain data: FLAT and CONST as they are (*step 1, 0), DICT expanded. NULL
 * when out of memory. */
const void *wri_vec_plain(const wr_vec *v, uint32_t n, wr_arena *a, uint32_t *step) WR_MUST_USE;

/* How many rows must be computed so that all of sel (n entries, ascending; NULL: 0..n) are. */
WR_ALWAYS_INLINE uint32_t
wri_rows(const uint32_t *sel, uint32_t n)
{
    return sel ? (n ? sel[n - 1] + 1 : 0) : n;
}

/* ---- hash mixing: one 64x64 multiplication per word ------------------------------------------ */
#define WRI_HASH_NULL 0xa0761d6478bd642full
WR_ALWAYS_INLINE uint64_t
wri_mix(uint64_t x, uint64_t seed)
{
    const wr_u128 m = (wr_u128)(x ^ 0xe7037ed1a0b428dbull) * (seed ^ 0x8ebc6af09c88c6e3ull);
    return (uint64_t)m ^ (uint64_t)(m >> 64);
}
WR_ALWAYS_INLINE uint64_t
wri_hash_strv(const wr_strv *s, uint64_t seed)
{
    if (s->len <= 12) {
        uint64_t w[2];
        memcpy(w, s, 16);
        return wri_mix(w[1], wri_mix(w[0], seed));
    }
    return wr_hash_bytes(wr_strv_ptr(s), s->len, seed);
}
WR_ALWAYS_INLINE uint64_t
wri_f64_bits(double d)
{
    uint64_t u;
    memcpy(&u, &d, 8);
    return d != d ? 0x7ff8000000000000ull : u;
}
WR_ALWAYS_INLINE uint32_t
wri_f32_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return f != f ? 0x7fc00000u : u;
}
WR_ALWAYS_INLINE int
wri_cmp_bits64(uint64_t a, uint64_t b) /* total order of IEEE bits */
{
    a ^= (uint64_t)((int64_t)a >> 63) | 1ull << 63;
    b ^= (uint64_t)((int64_t)b >> 63) | 1ull << 63;
    return (a > b) - (a < b);
}

#endif
