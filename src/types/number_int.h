/* SPDX-License-Identifier: Apache-2.0 */
/* Private to types/: natural numbers large enough for exact conversions of any double. */
#ifndef WR_TYPES_NUMBER_INT_H
#define WR_TYPES_NUMBER_INT_H

#include "base/base.h"

/* 5^1110 times 2^64 and a digit string of 800 digits both fit. */
#define WRI_BIG_LIMBS 128

typedef struct wri_big {
    int n; /* limbs in use; no leading zero limb */
    uint32_t w[WRI_BIG_LIMBS];
} wri_big;

WR_ALWAYS_INLINE void
wri_big_set(wri_big *x, uint64_t v)
{
    x->w[0] = (uint32_t)v;
    x->w[1] = (uint32_t)(v >> 32);
    x->n = x->w[1] ? 2 : x->w[0] ? 1 : 0;
}
/* x = x * m + add */
void wri_big_mul_add(wri_big *x, uint32_t m, uint32_t add);
void wri_big_mul_pow5(wri_big *x, int e);
void wri_big_shl(wri_big *x, int bits);
int wri_big_cmp(const wri_big *a, const wri_big *b);
void wri_big_add(wri_big *x, const wri_big *y);
void wri_big_sub(wri_big *x, const wri_big *y); /* x >= y */

#endif
