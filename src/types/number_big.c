/* SPDX-License-Identifier: Apache-2.0 */
/* Natural numbers of fixed capacity; see number_int.h. */
#include "types/number_int.h"

void
wri_big_mul_add(wri_big *x, uint32_t m, uint32_t add)
{
    uint64_t carry = add;
    for (int i = 0; i < x->n; i++) {
        carry += (uint64_t)x->w[i] * m;
        x->w[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) {
        WR_ASSERT(x->n < WRI_BIG_LIMBS);
        x->w[x->n++] = (uint32_t)carry;
    }
}

void
wri_big_mul_pow5(wri_big *x, int e)
{
    for (; e >= 13; e -= 13) wri_big_mul_add(x, 1220703125u, 0); /* 5^13 */
    uint32_t rest = 1;
    for (; e > 0; e--) rest *= 5;
    wri_big_mul_add(x, rest, 0);
}

void
wri_big_shl(wri_big *x, int bits)
{
    const int limbs = bits / 32, shift = bits % 32;
    if (x->n == 0 || bits == 0) return;
    WR_ASSERT(x->n + limbs + 1 <= WRI_BIG_LIMBS);
    uint32_t carry = 0;
    for (int i = 0; i < x->n && shift; i++) {
        const uint32_t w = x->w[i];
        x->w[i] = w << shift | carry;
        carry = w >> (32 - shift);
    }
    if (carry) x->w[x->n++] = carry;
    if (!limbs) return;
    memmove(x->w + limbs, x->w, sizeof(uint32_t) * (size_t)x->n);
    memset(x->w, 0, sizeof(uint32_t) * (size_t)limbs);
    x->n += limbs;
}

int
wri_big_cmp(const wri_big *a, const wri_big *b)
{
    if (a->n != b->n) return a->n < b->n ? -1 : 1;
    for (int i = a->n - 1; i >= 0; i--)
        if (a->w[i] != b->w[i]) return a->w[i] < b->w[i] ? -1 : 1;
    return 0;
}

void
wri_big_add(wri_big *x, const wri_big *y)
{
    uint64_t carry = 0;
    const int n = WR_MAX(x->n, y->n);
    for (int i = 0; i < n; i++) {
        carry += (uint64_t)(i < x->n ? x->w[i] : 0) + (i < y->n ? y->w[i] : 0);
        x->w[i] = (uint32_t)carry;
        carry >>= 32;
    }
    x->n = n;
    if (carry) {
        WR_ASSERT(n < WRI_BIG_LIMBS);
        x->w[x->n++] = 1;
    }
}

void
wri_big_sub(wri_big *x, const wri_big *y)
{
    int64_t borrow = 0;
    for (int i = 0; i < x->n; i++) {
        const int64_t d = (int64_t)x->w[i] - (i < y->n ? y->w[i] : 0) + borrow;
        x->w[i] = (uint32_t)d;
        borrow = d < 0 ? -1 : 0;
    }
    while (x->n > 0 && x->w[x->n - 1] == 0) x->n--;
}
