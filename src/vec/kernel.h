/* SPDX-License-Identifier: Apache-2.0 */
/* More kernels beside those of vec.h: sign, three-valued logic, NULL tests. The same rules: `sel`
 * and n as there, `out` is made FLAT with room up to the last row, other rows are undefined. */
#ifndef WR_VEC_KERNEL_H
#define WR_VEC_KERNEL_H

#include "vec/vec.h"

/* -a; integers wrap; the type is a's. */
wr_status wr_kernel_negate(wr_ctx *ctx, const wr_vec *a, const uint32_t *sel, uint32_t n,
                           wr_vec *out, wr_arena *arena) WR_MUST_USE;

/* Three-valued AND (all = true) and OR of two BOOLEAN vectors. */
wr_status wr_kernel_and(wr_ctx *ctx, const wr_vec *a, const wr_vec *b, const uint32_t *sel,
                        uint32_t n, wr_vec *out, wr_arena *arena) WR_MUST_USE;
wr_status wr_kernel_or(wr_ctx *ctx, const wr_vec *a, const wr_vec *b, const uint32_t *sel,
                       uint32_t n, wr_vec *out, wr_arena *arena) WR_MUST_USE;
wr_status wr_kernel_not(wr_ctx *ctx, const wr_vec *a, const uint32_t *sel, uint32_t n, wr_vec *out,
                        wr_arena *arena) WR_MUST_USE;

/* IS [NOT] NULL of any vector; IS [NOT] TRUE | FALSE of a BOOLEAN one. Never NULL. */
wr_status wr_kernel_is_null(wr_ctx *ctx, const wr_vec *a, bool negate, const uint32_t *sel,
                            uint32_t n, wr_vec *out, wr_arena *arena) WR_MUST_USE;
wr_status wr_kernel_is_bool(wr_ctx *ctx, const wr_vec *a, bool value, bool negate,
                            const uint32_t *sel, uint32_t n, wr_vec *out,
                            wr_arena *arena) WR_MUST_USE;
/* IS [NOT] DISTINCT FROM: NULL is not distinct from NULL; floats by IEEE (NaN is distinct from
 * NaN). */
wr_status wr_kernel_distinct(wr_ctx *ctx, const wr_vec *a, const wr_vec *b, bool negate,
                             const uint32_t *sel, uint32_t n, wr_vec *out,
                             wr_arena *arena) WR_MUST_USE;

#endif
