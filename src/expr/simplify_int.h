/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of wr_expr_simplify. NULL where an expression is asked for: out of memory, or
 * nothing to do where a comment says so. */
#ifndef WR_EXPR_SIMPLIFY_INT_H
#define WR_EXPR_SIMPLIFY_INT_H

#include "expr/range_int.h"

/* Out of memory: NULL, and s->nomem is set. */
wr_expr *wri_simplified_clone(wri_simplifier *s, const wr_expr *e);
#define WRI_SIMPLIFIED_NEW(s, T, n) ((T *)wri_simplified_alloc(s, sizeof(T) * (n)))

/* simplify.c */
wr_expr *wri_simplify(wri_simplifier *s, const wr_expr *e, bool condition);
wr_expr *wri_simplified_node(wri_simplifier *s, wr_expr_kind kind, const wr_type *t, wr_expr **args,
                             uint32_t n);
wr_expr *wri_simplified_call(wri_simplifier *s, const char *name, const wr_type *t, wr_expr **args,
                             uint32_t n);
wr_expr *wri_simplified_truth(wri_simplifier *s, bool v);
bool wri_is_truth(const wr_expr *e, bool v);
bool wri_is_unknown(const wr_expr *e); /* NULL, or a comparison with it */

/* simplify_call.c: of nodes whose arguments are simplified and which are the caller's own; NULL:
 * nothing to do. */
wr_expr *wri_simplify_call(wri_simplifier *s, wr_expr *e, bool condition);
wr_expr *wri_simplify_case(wri_simplifier *s, wr_expr *e, bool condition);
wr_expr *wri_simplify_cast(wr_expr *e);

#endif
