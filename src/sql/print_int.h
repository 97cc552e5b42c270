/* SPDX-License-Identifier: Apache-2.0 */
/* The printer's private half. */
#ifndef WR_SQL_PRINT_INT_H
#define WR_SQL_PRINT_INT_H

#include "sql/sql.h"

typedef struct wri_printer {
    wr_text *text;
    bool one_line; /* blanks instead of line ends */
} wri_printer;
void wri_put(wri_printer *o, const char *c);
void wri_put_str(wri_printer *o, wr_str s);
void wri_newline(wri_printer *o);
void wri_put_name(wri_printer *o, wr_str name);
void wri_put_parts(wri_printer *o, const wr_ast_parts *parts);    /* `a`, `b` */
void wri_put_quoted(wri_printer *o, wr_str value);                /* 'value' */
void wri_put_literal_text(wri_printer *o, const wr_ast *literal); /* 'value' of a LITERAL STRING */
void wri_put_list(wri_printer *o, const wr_ast_list *list, const char *separator);
void wri_put_interval(wri_printer *o, const wr_ast_interval *qual);
void wri_put_option_block(wri_printer *o, const wr_ast_list *options, bool break_lines);
void wri_print_expr(wri_printer *o, const wr_ast *node,
                    uint32_t power); /* parenthesised below `power` */
void wri_print_call(wri_printer *o, const wr_ast *node);
void wri_print_type(wri_printer *o, const wr_ast_type *type);
void wri_print_query(wri_printer *o, const wr_ast *query);
void wri_print_query_paren(wri_printer *o, const wr_ast *query);
void wri_print_table(wri_printer *o, const wr_ast *table);
void wri_print_window(wri_printer *o, const wr_ast_window *window);
void wri_print_order_by(wri_printer *o, const wr_ast_list *items);
void wri_print_hints(wri_printer *o, const wr_ast_list *hints);
void wri_print_node(wri_printer *o, const wr_ast *node);
bool wri_print_ddl(wri_printer *o, const wr_ast *node); /* false: not a statement of that file */
bool wri_print_dml(wri_printer *o, const wr_ast *node);
bool wri_print_session(wri_printer *o, const wr_ast *node);
void wri_print_partition(wri_printer *o, const wr_ast_partition *partition);
void wri_print_column(wri_printer *o, const wr_ast_column *column);
void wri_print_constraint(wri_printer *o, const wr_ast_constraint *constraint);
void wri_print_watermark(wri_printer *o, const wr_ast_watermark *watermark);
void wri_print_distribution(wri_printer *o, const wr_ast_distribution *distribution);

#endif
