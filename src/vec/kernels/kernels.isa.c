/* SPDX-License-Identifier: Apache-2.0 */
/* The inner loops, built once per ISA level (-DWR_ISA=v1|v3|v4): bodies from the lists, then the
 * dispatch table from the same lists. */
#include "vec/kernels/kernels_int.h"
#include "vec/kernels/names.h"
#include "vec/vec_int.h"

#ifndef WR_ISA
#define WR_ISA v1
#endif
#define TABLE K_CAT2(wri_kernels, WR_ISA)

#include "vec/kernels/arith.def"
#include "vec/kernels/compare.def"
#include "vec/kernels/convert.def"
#include "vec/kernels/hash.def"
#include "vec/kernels/negate.def"

/* ---- strings: one multiplication for the two words of a short one ---------------------------- */
static void
hash_STR(const void *data, uint32_t n, uint64_t *restrict hash)
{
    const wr_strv *restrict s = data;
    for (uint32_t i = 0; i < n; i++) hash[i] = wri_hash_strv(&s[i], hash[i]);
}

static void
hash_TS(const void *data, uint32_t n, uint64_t *restrict hash)
{
    const wr_ts *restrict t = data;
    for (uint32_t i = 0; i < n; i++)
        hash[i] = wri_mix((uint64_t)t[i].nano, wri_mix((uint64_t)t[i].ms, hash[i]));
}

/* ---- is there a zero among the divisors? ----------------------------------------------------- */
#define ANY_ZERO(P, T)                                                                             \
    static bool any_zero_##P(const void *data, uint32_t n)                                         \
    {                                                                                              \
        const T *restrict a = data;                                                                \
        unsigned zero = 0;                                                                         \
        for (uint32_t i = 0; i < n; i++) zero |= a[i] == 0;                                        \
        return zero != 0;                                                                          \
    }
ANY_ZERO(I8, int8_t)
ANY_ZERO(I16, int16_t)
ANY_ZERO(I32, int32_t)
ANY_ZERO(I64, int64_t)

/* ---- BOOLEAN bytes --------------------------------------------------------------------------- */
static void
bool_and(const uint8_t *restrict a, const uint8_t *restrict b, uint8_t *restrict out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) out[i] = a[i] & b[i];
}

static void
bool_or(const uint8_t *restrict a, const uint8_t *restrict b, uint8_t *restrict out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) out[i] = a[i] | b[i];
}

static void
bool_not(const uint8_t *restrict a, uint8_t *restrict out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) out[i] = a[i] ^ 1;
}

/* Eight conditions at a time: none and all are common. */
static uint32_t
select_all(const uint8_t *restrict cond, uint32_t n, uint32_t *restrict out)
{
    uint32_t k = 0, i = 0;
    for (; i + 8 <= n; i += 8) {
        const uint64_t w = wr_load64(cond + i);
        if (w == 0) continue;
        if (w == 0x0101010101010101ull) {
            for (uint32_t j = 0; j < 8; j++) out[k + j] = i + j;
            k += 8;
            continue;
        }
        for (uint32_t j = 0; j < 8; j++) {
            out[k] = i + j;
            k += cond[i + j];
        }
    }
    for (; i < n; i++) {
        out[k] = i;
        k += cond[i];
    }
    return k;
}

static uint32_t
select_some(const uint8_t *restrict cond, const uint32_t *sel, uint32_t n, uint32_t *out)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = sel[i]; /* out may be sel itself */
        out[k] = row;
        k += cond[row];
    }
    return k;
}

#define K_EMIT_TABLE
const wri_kernel_table TABLE = {
    .arith =
        {
#include "vec/kernels/arith.def"
        },
    .compare =
        {
#include "vec/kernels/compare.def"
        },
    .convert =
        {
#include "vec/kernels/convert.def"
        },
    .negate =
        {
#include "vec/kernels/negate.def"
        },
    .hash =
        {
#include "vec/kernels/hash.def"
            [WR_PHYS_STR] = hash_STR,
            [WR_PHYS_TS] = hash_TS,
        },
    .any_zero =
        {
            [WR_PHYS_I8] = any_zero_I8,
            [WR_PHYS_I16] = any_zero_I16,
            [WR_PHYS_I32] = any_zero_I32,
            [WR_PHYS_I64] = any_zero_I64,
        },
    .bool_and = bool_and,
    .bool_or = bool_or,
    .bool_not = bool_not,
    .select_all = select_all,
    .select_some = select_some,
};
