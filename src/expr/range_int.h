/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of values as ascending ranges between literals: what several comparisons of one column with
 * constants mean. */
#ifndef WR_EXPR_RANGE_INT_H
#define WR_EXPR_RANGE_INT_H

#include "expr/expr_int.h"

typedef struct wri_simplifier { /* one simplification */
    wr_arena *arena;
    bool nomem; /* something could not be allocated: the result is not to be used */
    bool plain; /* to be run, not shown: comparisons stay as they are written, no SEARCH */
} wri_simplifier;
/* Zeroed; NULL, and s->nomem set. */
void *wri_simplified_alloc(wri_simplifier *s, size_t bytes);

typedef struct wri_range {
    const wr_expr *lo, *hi; /* literals; NULL: no bound */
    bool lo_in, hi_in;
} wri_range;
typedef struct wri_ranges {
    wri_range *items; /* disjoint, ascending */
    uint32_t count;
    bool nulls; /* and NULL */
} wri_ranges;

/* The values that make a term TRUE: a comparison of a column with a literal, IN, SEARCH. NULL: it
 * is no such term. */
wri_ranges *wri_ranges_of(wri_simplifier *s, const wr_expr *term, const wr_expr **column);
/* NULL: literals that can't be compared. */
wri_ranges *wri_ranges_intersect(wri_simplifier *s, const wri_ranges *x, const wri_ranges *y);
wri_ranges *wri_ranges_union(wri_simplifier *s, const wri_ranges *x, const wri_ranges *y);
wri_ranges *wri_ranges_complement(wri_simplifier *s, const wri_ranges *x);
bool wri_ranges_empty(const wri_ranges *r);
bool wri_ranges_all(const wri_ranges *r); /* but NULL */
/* Said by one comparison? */
bool wri_ranges_single(const wri_ranges *r, const char **op, const wr_expr **bound);
/* Is the term this comparison (the literal on either side)? */
bool wri_term_is(const wr_expr *term, const char *op, const wr_expr *bound);
bool wri_range_is_point(const wri_range *r);
/* <0 0 >0; *ok = false: not comparable. */
int wri_literal_order(const wr_expr *a, const wr_expr *b, bool *ok);

#endif
