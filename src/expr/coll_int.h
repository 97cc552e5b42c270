/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of vector entries, and helpers shared by the files fn_collection*.c. */
#ifndef WR_EXPR_COLL_INT_H
#define WR_EXPR_COLL_INT_H

#include "expr/fn_int.h"

/* Entries of child vectors, found by value; NULL equals NULL. A few are compared one by one, more
 * through a hash table. Memory: the call's arena. */
typedef struct wri_elem {
    const wr_vec *vec;
    uint32_t row;
} wri_elem;
typedef struct wri_elem_set {
    wr_arena *arena;
    WR_LIST(wri_elem) list; /* in order of arrival */
    uint32_t *slots;        /* index + 1 into list; NULL while small */
    uint32_t slot_count;    /* power of two */
    bool one_zero;          /* 0.0 and -0.0 are equal, as for =; else as Java's sets have them */
} wri_elem_set;
void wri_set_init(wri_elem_set *s, wr_arena *a);
void wri_set_clear(wri_elem_set *s);
/* Index of an equal entry, or UINT32_MAX. */
uint32_t wri_set_find(const wri_elem_set *s, const wr_vec *vec, uint32_t row);
/* Add unless there; *index = where it is. false: out of memory. */
bool wri_set_add(wri_elem_set *s, const wr_vec *vec, uint32_t row, uint32_t *index,
                 bool *added) WR_MUST_USE;

/* The list of a row of an ARRAY, MAP or MULTISET argument, and its child. */
WR_ALWAYS_INLINE wr_list
wri_arg_list(const wr_fn_call *call, uint32_t i, uint32_t row)
{
    const wr_vec *v = call->args[i];
    return ((const wr_list *)v->data)[wr_vec_index(v, row)];
}
/* Copy child entry `src_row` of `src` to entry `at` of the result's child `c`. */
wr_status wri_copy_child(wr_fn_call *call, uint32_t c, uint32_t at, const wr_vec *src,
                         uint32_t src_row) WR_MUST_USE;
/* The result row = these entries, as an array. */
wr_status wri_put_elems(wr_fn_call *call, uint32_t row, const wri_elem *elems,
                        uint32_t n) WR_MUST_USE;

wr_status wri_k_item_variant(wr_fn_call *call); /* fn_variant.c */

#define WRI_ELEM(t) ((t)->fields[0].type) /* element type of an ARRAY or MULTISET, key of a MAP */

/* The element of argument `at` and the elements of array argument 0 get a common type, when Flink
 * would take the element (an implicit cast to the element type). false + OK: it would not. */
wr_status wri_unify_elem(wr_ctx *ctx, wr_fn_bind *b, uint32_t at, const wr_type **elem, bool *ok);

#endif
