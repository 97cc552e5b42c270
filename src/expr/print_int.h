/* SPDX-License-Identifier: Apache-2.0 */
/* Printing of bound expressions: what print.c and print_literal.c share. */
#ifndef WR_EXPR_PRINT_INT_H
#define WR_EXPR_PRINT_INT_H

#include "expr/range_int.h"

typedef struct wri_printer {
    wr_expr_style style;
    const wr_field *names;
    wr_text *out;
    bool untyped; /* literals directly below carry no type */
} wri_printer;

/* Are literals and types written without character sets and the like? */
WR_ALWAYS_INLINE bool
wri_print_bare(const wri_printer *p)
{
    return p->style == WR_EXPR_INFIX || p->style == WR_EXPR_PLAIN;
}

const wr_expr *wri_shown(const wr_expr *e); /* below hidden casts */
void wri_expr_put_type(const wri_printer *p, const wr_type *t);
void wri_expr_put_expr(const wri_printer *p, const wr_expr *e);
void wri_print_literal(const wri_printer *p, const wr_value *v, const wr_type *t);
void wri_print_literal_expr(const wri_printer *p, const wr_expr *e);
/* The value of a literal of type `own`; does the type `as` show beside it? */
bool wri_print_value(const wri_printer *p, const wr_value *v, const wr_type *own,
                     const wr_type *as);
void wri_print_in(const wri_printer *p, const wr_expr *e);
void wri_print_search(const wri_printer *p, const wr_expr *e);
void wri_print_json(const wri_printer *p, const wr_expr *e);

#endif
