/* SPDX-License-Identifier: Apache-2.0 */
/* The syntax tree of queries and of FROM. Include sql/ast.h, never this file.
 *
 * A "query" is any of QUERY, SELECT, SETOP, VALUES, EXPLICIT_TABLE (wr_ast_is_query). QUERY is
 * there only when there is a WITH, ORDER BY, OFFSET or LIMIT/FETCH to hold. A "table" is any of
 * TABLE_REF, DERIVED, TABLE_FUNC, UNNEST, JOIN, PIVOT, UNPIVOT, MATCH.
 */
#ifndef WR_SQL_AST_QUERY_H
#define WR_SQL_AST_QUERY_H

#include "sql/ast.h"

WR_ALWAYS_INLINE bool
wr_ast_is_query(const wr_ast *node)
{
    wr_ast_kind k = node->kind;
    return k == WR_AST_QUERY || k == WR_AST_SELECT || k == WR_AST_SETOP || k == WR_AST_VALUES ||
           k == WR_AST_EXPLICIT_TABLE;
}

struct wr_ast_query {
    wr_ast base;
    bool recursive;
    wr_ast_list with;     /* CTE */
    wr_ast *body;         /* a query (a QUERY itself when it was in parentheses) */
    wr_ast_list order_by; /* ORDER_ITEM */
    wr_ast *offset;       /* number literal or PARAM */
    wr_ast *fetch;        /* LIMIT n or FETCH NEXT n ROWS ONLY */
    wr_span order_span;   /* ORDER BY ... as a whole */
};
struct wr_ast_cte {
    wr_ast base;
    wr_ast_part name;
    wr_ast_parts columns;
    wr_ast *query;
};
struct wr_ast_select {
    wr_ast base;
    wr_ast_list hints; /* HINT */
    wr_sql_quantifier quantifier;
    bool stream; /* SELECT STREAM */
    bool has_group_by;
    wr_sql_quantifier group_quantifier; /* GROUP BY DISTINCT ... */
    wr_ast_list items;                  /* expressions or ALIAS; stars are IDENT */
    wr_ast *from;                       /* a table or NULL */
    wr_ast *where;
    wr_ast_list group_by; /* expressions, GROUPING; () is a ROW constructor without items */
    wr_ast *having;
    wr_ast_list windows; /* WINDOW with name */
    wr_ast *qualify;
};
struct wr_ast_setop {
    wr_ast base;
    wr_sql_setop op;
    bool all;
    wr_span op_span;
    wr_ast *left, *right; /* queries */
};
struct wr_ast_values {
    wr_ast base;
    wr_ast_list rows; /* every row a ROW constructor; VALUES 1, 2 gives rows of one item */
};
struct wr_ast_explicit_table { /* TABLE t */
    wr_ast base;
    wr_ast_ident *name;
};
struct wr_ast_grouping { /* items as in SELECT.group_by; (a, b) is a ROW constructor */
    wr_ast base;
    wr_sql_grouping what;
    wr_ast_list items;
};
struct wr_ast_order_item {
    wr_ast base;
    wr_sql_direction direction;
    wr_sql_nulls nulls;
    wr_ast *expr;
};
struct wr_ast_window {
    wr_ast base;
    wr_ast_part name; /* WINDOW name AS (...) */
    wr_ast_part ref;  /* (ref PARTITION BY ...) */
    wr_ast_list partition_by, order_by;
    wr_sql_frame frame;
    wr_sql_bound start, end; /* end NONE: short form, ROWS 2 PRECEDING */
    bool disallow_partial;
    wr_ast *start_expr, *end_expr;
};
struct wr_ast_hint { /* OPTIONS('k'='v'), BROADCAST(t), STATE_TTL('a'='1d') */
    wr_ast base;
    wr_ast_part name;
    bool has_parens;
    wr_ast_list args; /* OPTION (key = value), or IDENT / LITERAL / UNARY MINUS */
};
struct wr_ast_option { /* 'key' = 'value' in WITH, SET (...), hints */
    wr_ast base;
    wr_str key, value;
    wr_span key_span, value_span;
    bool key_is_ident; /* hints: k = 'v' */
};

/* ---- FROM ------------------------------------------------------------------------------------ */
/* AS name (columns); name absent when there is no alias */
typedef struct wr_ast_as {
    wr_ast_part name;
    wr_ast_parts columns;
} wr_ast_as;
typedef struct wr_ast_tablesample {
    wr_sql_sample method;
    wr_ast *amount; /* percentage, or the string of SUBSTITUTE */
    wr_ast *seed;   /* REPEATABLE (seed) */
} wr_ast_tablesample;

/* t hints [EXTEND (columns)] [FOR SYSTEM_TIME AS OF e] [AS a (c, ...)] [TABLESAMPLE ...] */
struct wr_ast_table_ref {
    wr_ast base;
    wr_ast_ident *name; /* NULL when `file` is given */
    wr_ast *file;       /* LITERAL STRING: FROM 'a.csv', an extension */
    wr_ast_list hints;
    wr_ast_list extend; /* COLUMN */
    wr_ast *system_time;
    wr_ast_as as;
    wr_ast_tablesample sample;
};
struct wr_ast_derived { /* [LATERAL] (query) AS a */
    wr_ast base;
    bool lateral;
    wr_ast *query;
    wr_ast_as as;
    wr_ast_tablesample sample;
};
struct wr_ast_table_func { /* [LATERAL] TABLE(f(...)), or bare f(...) */
    wr_ast base;
    bool lateral;
    wr_ast *call; /* CALL; window functions TUMBLE/HOP/CUMULATE/SESSION too */
    wr_ast_as as;
    wr_ast_tablesample sample;
};
struct wr_ast_unnest { /* [LATERAL] UNNEST(args) [WITH ORDINALITY]: always lateral in effect */
    wr_ast base;
    bool with_ordinality;
    wr_ast_list args;
    wr_ast_as as;
    wr_ast_tablesample sample;
};
struct wr_ast_join {
    wr_ast base;
    wr_sql_join type;
    bool natural, has_using;
    wr_span type_span;
    wr_ast *left, *right; /* tables */
    wr_ast *on;           /* NULL: none was written */
    wr_ast_parts using_columns;
};
struct wr_ast_pivot { /* input PIVOT (aggs FOR axes IN (values)) */
    wr_ast base;
    wr_ast *input;
    wr_ast_list aggs; /* CALL or ALIAS */
    wr_ast_parts axes;
    wr_ast_list values; /* expression or ROW, or ALIAS of one */
    wr_ast_as as;
};
/* input UNPIVOT [INCLUDE|EXCLUDE NULLS] (measures FOR axes IN ((cols) [AS values], ...)) */
struct wr_ast_unpivot {
    wr_ast base;
    bool include_nulls;
    wr_ast *input;
    wr_ast_parts measures, axes;
    wr_ast_list columns; /* ROW of IDENT, one for each group */
    wr_ast_list values;  /* as many; NULL where AS is absent, else a ROW */
    wr_ast_as as;
};

/* ---- MATCH_RECOGNIZE ------------------------------------------------------------------------- */
struct wr_ast_pattern {
    wr_ast base;
    wr_sql_pattern what;
    bool reluctant;
    wr_ast_part name;
    wr_ast_list items;
    int64_t min, max; /* ? is 0,1; * is 0,-1; + is 1,-1 */
};
struct wr_ast_match {
    wr_ast base;
    wr_sql_rows_per_match rows;
    wr_sql_after_match after;
    bool strict_start, strict_end; /* ^ and $ */
    wr_ast *input;                 /* a table */
    wr_ast_list partition_by, order_by;
    wr_ast_list measures; /* ALIAS */
    wr_ast_part after_var;
    wr_ast_pattern *pattern;
    wr_ast *within;      /* interval literal */
    wr_ast_list subsets; /* NAMED_ARG: name = ROW of IDENT */
    wr_ast_list define;  /* ALIAS: name AS condition */
    wr_ast_as as;
};

#endif
