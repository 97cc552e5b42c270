/* SPDX-License-Identifier: Apache-2.0 */
/* The types that two operands are compared in, by Flink's rules. */
#ifndef WR_EXPR_COMPARE_INT_H
#define WR_EXPR_COMPARE_INT_H

#include "expr/expr_int.h"

typedef enum wri_cmp_verdict {
    WRI_CMP_OK,
    WRI_CMP_REFUSED, /* "Cannot apply '=' to arguments of type ..." */
    WRI_CMP_IMPLICIT /* "implicit type conversion between INTEGER and CHAR is not supported now" */
} wri_cmp_verdict;

/* The types to cast l and r to (the same pointer: no cast). `equality`: =, <> and their kin, which
 * refuse a string with a number. `*l_bad`, `*r_bad`: the types that an IMPLICIT verdict is about.
 */
typedef struct wri_cmp_types {
    const wr_type *l, *r;
    const wr_type *l_bad, *r_bad;
} wri_cmp_types;
wri_cmp_verdict wri_compare_types(wr_arena *a, const wr_type *l, const wr_type *r, bool equality,
                                  wri_cmp_types *out);
/* The argument is text that need not be a time: where it is none, = and <> know nothing. */
bool wri_compare_tries(const wr_fn *fn, const wr_expr *arg, const wr_type *to);
/* Are two entries equal? Neither is NULL. Inside rows a NULL equals a NULL and nothing else, as in
 * Flink: only rows written out on both sides are compared field by field with three values. */
bool wri_entry_equal(const wr_vec *a, uint32_t ra, const wr_vec *b, uint32_t rb);
/* May a row's equality be unknown although the row is not NULL? */
bool wri_row_has_nulls(const wr_type *t);
/* Is the implicit cast of a comparison's operand left out of plans? */
bool wri_compare_hides_cast(const wr_fn *fn, const wr_type *from, const wr_type *to,
                            const wr_type *other);
/* Raise the refusal of an equality between these types. */
wr_status wri_raise_implicit(wr_ctx *ctx, wr_span span, const wri_cmp_types *t) WR_MUST_USE;

#endif
