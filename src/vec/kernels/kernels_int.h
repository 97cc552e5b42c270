/* SPDX-License-Identifier: Apache-2.0 */
/* The table of inner loops, one per ISA level. Loops get plain arrays: step 1 is a FLAT vector,
 * step 0 a constant. They allocate nothing, cannot fail, and read every row. */
#ifndef WR_VEC_KERNELS_KERNELS_INT_H
#define WR_VEC_KERNELS_KERNELS_INT_H

#include "vec/vec.h"

typedef void (*wri_binop_fn)(const void *a, uint32_t a_step, const void *b, uint32_t b_step,
                             void *out, uint32_t n);
typedef void (*wri_unop_fn)(const void *a, void *out, uint32_t n);
typedef void (*wri_hash_fn)(const void *data, uint32_t n, uint64_t *hash);
typedef bool (*wri_test_fn)(const void *a, uint32_t n);

typedef struct wri_kernel_table {
    wri_binop_fn arith[WR_OP_MOD + 1][WR_PHYS_COUNT];   /* NULL: no such kernel */
    wri_binop_fn compare[WR_CMP_GE + 1][WR_PHYS_COUNT]; /* out: uint8_t 0/1 */
    wri_unop_fn negate[WR_PHYS_COUNT];
    wri_unop_fn convert[WR_PHYS_COUNT][WR_PHYS_COUNT]; /* [from][to], as Java converts */
    wri_test_fn any_zero[WR_PHYS_COUNT];               /* integers */
    wri_hash_fn hash[WR_PHYS_COUNT];                   /* hash[i] = mix(value, hash[i]) */
    void (*bool_and)(const uint8_t *a, const uint8_t *b, uint8_t *out, uint32_t n);
    void (*bool_or)(const uint8_t *a, const uint8_t *b, uint8_t *out, uint32_t n);
    void (*bool_not)(const uint8_t *a, uint8_t *out, uint32_t n);
    /* rows (of sel, or 0..n) whose condition is 1; returns how many */
    uint32_t (*select_all)(const uint8_t *cond, uint32_t n, uint32_t *out);
    uint32_t (*select_some)(const uint8_t *cond, const uint32_t *sel, uint32_t n, uint32_t *out);
} wri_kernel_table;

extern const wri_kernel_table wri_kernels_v1;
#if defined(__x86_64__)
extern const wri_kernel_table wri_kernels_v3, wri_kernels_v4;
#endif

/* The table for the running CPU. */
const wri_kernel_table *wri_kernels(void);

#endif
