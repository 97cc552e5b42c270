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
    wr_ast *offset;
    wr_ast *fetch;      /* LIMIT n or FETCH NEXT n ROWS ONLY (FETCH without a number: 1) */
    bool limit_all;     /* LIMIT ALL */
    wr_span order_span; /* ORDER BY ... as a whole */
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
    bool stream;       /* SELECT STREAM: parsed, refused by the binder */
    wr_ast_list items; /* expressions or ALIAS; stars are IDENT or FIELD with star */
    wr_ast *from;      /* a table or NULL */
    wr_ast *where;
    bool has_group_by;
    wr_sql_quantifier group_quantifier; /* GROUP BY DISTINCT ... */
    wr_ast_list group_by; /* expressions, GROUPING; () is a ROW constructor without items */
    wr_ast *having;
    wr_ast_list windows; /* WINDOW with name */
    wr_ast *qualify;
};
typedef enum wr_sql_setop {
    WR_SQL_SETOP_UNION,
    WR_SQL_SETOP_INTERSECT,
    WR_SQL_SETOP_EXCEPT
} wr_sql_setop;
struct wr_ast_setop {
    wr_ast base;
    wr_sql_setop op; /* MINUS is EXCEPT */
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
typedef enum wr_sql_grouping {
    WR_SQL_GROUPING_SETS,
    WR_SQL_GROUPING_ROLLUP,
    WR_SQL_GROUPING_CUBE
} wr_sql_grouping;
struct wr_ast_grouping { /* items as in SELECT.group_by; (a, b) is a ROW constructor */
    wr_ast base;
    wr_sql_grouping what;
    wr_ast_list items;
};
typedef enum wr_sql_direction { WR_SQL_DIR_NONE, WR_SQL_DIR_ASC, WR_SQL_DIR_DESC } wr_sql_direction;
struct wr_ast_order_item {
    wr_ast base;
    wr_ast *expr;
    wr_sql_direction direction;
    wr_sql_nulls nulls;
};
typedef enum wr_sql_bound {
    WR_SQL_BOUND_NONE,
    WR_SQL_BOUND_UNBOUNDED_PRECEDING,
    WR_SQL_BOUND_PRECEDING, /* expr */
    WR_SQL_BOUND_CURRENT_ROW,
    WR_SQL_BOUND_FOLLOWING, /* expr */
    WR_SQL_BOUND_UNBOUNDED_FOLLOWING,
} wr_sql_bound;
typedef enum wr_sql_frame {
    WR_SQL_FRAME_NONE,
    WR_SQL_FRAME_ROWS,
    WR_SQL_FRAME_RANGE,
    WR_SQL_FRAME_GROUPS
} wr_sql_frame;
typedef enum wr_sql_exclude {
    WR_SQL_EXCLUDE_NONE, /* not written, or NO OTHERS */
    WR_SQL_EXCLUDE_CURRENT_ROW,
    WR_SQL_EXCLUDE_GROUP,
    WR_SQL_EXCLUDE_TIES,
} wr_sql_exclude;
struct wr_ast_window {
    wr_ast base;
    wr_ast_part name; /* WINDOW name AS (...) */
    wr_ast_part ref;  /* (ref PARTITION BY ...) */
    wr_ast_list partition_by, order_by;
    wr_sql_frame frame;
    wr_sql_bound start, end; /* end NONE: short form, ROWS 2 PRECEDING */
    wr_ast *start_expr, *end_expr;
    wr_sql_exclude exclude;
    bool disallow_partial;
};
struct wr_ast_hint { /* OPTIONS('k'='v'), BROADCAST(t), STATE_TTL('a'='1d') */
    wr_ast base;
    wr_ast_part name;
    bool has_parens;
    wr_ast_list args; /* OPTION (key = value), or IDENT / LITERAL */
};
struct wr_ast_option { /* 'key' = 'value' in WITH, SET (...), hints */
    wr_ast base;
    wr_str key, value;
    wr_span key_span, value_span;
    bool key_is_ident; /* hints: k = 'v' */
};

/* ---- FROM
 * --------------------------------------------------------------------------------------------------------
 */
/* AS name (columns); name absent when there is no alias */
typedef struct wr_ast_as {
    wr_ast_part name;
    wr_ast_parts columns;
} wr_ast_as;

typedef enum wr_sql_sample {
    WR_SQL_SAMPLE_NONE,
    WR_SQL_SAMPLE_BERNOULLI,
    WR_SQL_SAMPLE_SYSTEM,
    WR_SQL_SAMPLE_SUBSTITUTE
} wr_sql_sample;
typedef struct wr_ast_tablesample {
    wr_sql_sample method;
    wr_ast *amount; /* percentage, or the string of SUBSTITUTE */
    wr_ast *seed;   /* REPEATABLE (seed) */
} wr_ast_tablesample;

struct wr_ast_table_ref { /* [LATERAL] t hints [EXTEND (columns)] [FOR SYSTEM_TIME AS OF e] [AS a
                             (c, ...)] [TABLESAMPLE] */
    wr_ast base;
    bool lateral;
    wr_ast_ident *name; /* one part with quoted and a slash or dot may be a file: binder */
    wr_ast_list hints;
    wr_ast_list extend; /* COLUMN */
    wr_ast *system_time;
    wr_ast_as as;
    wr_ast_tablesample sample;
};
struct wr_ast_derived { /* [LATERAL] (query) AS a; `table` instead of query: (a JOIN b ON ...) AS x
                         */
    wr_ast base;
    bool lateral;
    wr_ast *query;
    wr_ast *table;
    wr_ast *system_time;
    wr_ast_as as;
    wr_ast_tablesample sample;
};
struct wr_ast_table_func { /* [LATERAL] TABLE(f(...)), or bare f(...) */
    wr_ast base;
    bool lateral;
    bool table_keyword; /* written with TABLE( ... ) */
    bool specific;      /* SPECIFIC f(...) */
    wr_ast *call;       /* CALL; window functions TUMBLE/HOP/CUMULATE/SESSION too */
    wr_ast *system_time;
    wr_ast_as as;
    wr_ast_tablesample sample;
};
struct wr_ast_unnest {
    wr_ast base;
    bool lateral;
    wr_ast_list args;
    bool with_ordinality;
    wr_ast_as as;
    wr_ast_tablesample sample;
};
typedef enum wr_sql_join {
    WR_SQL_JOIN_COMMA,
    WR_SQL_JOIN_CROSS,
    WR_SQL_JOIN_INNER,
    WR_SQL_JOIN_LEFT,
    WR_SQL_JOIN_RIGHT,
    WR_SQL_JOIN_FULL,
    WR_SQL_JOIN_LEFT_SEMI,
    WR_SQL_JOIN_LEFT_ANTI,
    WR_SQL_JOIN_ASOF,
    WR_SQL_JOIN_LEFT_ASOF,
} wr_sql_join;
struct wr_ast_join {
    wr_ast base;
    wr_sql_join type;
    bool natural;
    wr_ast *left, *right; /* tables */
    wr_ast *on;
    wr_ast *match_condition; /* ASOF */
    wr_ast_parts using_columns;
    bool has_using;
    wr_span type_span;
};
struct wr_ast_pivot { /* input PIVOT (aggs FOR axes IN (values)) */
    wr_ast base;
    wr_ast *input;
    wr_ast_list aggs; /* CALL or ALIAS */
    wr_ast_parts axes;
    wr_ast_list values; /* expression or ROW, or ALIAS */
    wr_ast_as as;
};
struct wr_ast_unpivot { /* input UNPIVOT [INCLUDE|EXCLUDE NULLS] (measures FOR axes IN ((cols) [AS
                           values], ...)) */
    wr_ast base;
    wr_ast *input;
    bool include_nulls, exclude_nulls;
    wr_ast_parts measures, axes;
    wr_ast_list columns; /* ROW of IDENT, one for each group */
    wr_ast_list values;  /* as many; NULL items where AS is absent */
    wr_ast_as as;
};

/* ---- MATCH_RECOGNIZE
 * ------------------------------------------------------------------------------------------------
 */
typedef enum wr_sql_pattern {
    WR_SQL_PATTERN_VAR,       /* name */
    WR_SQL_PATTERN_CONCAT,    /* items */
    WR_SQL_PATTERN_ALTERNATE, /* items */
    WR_SQL_PATTERN_GROUP,     /* items[0]: (...) */
    WR_SQL_PATTERN_REPEAT,    /* items[0] {min,max}; max -1 = unbounded; reluctant */
    WR_SQL_PATTERN_EXCLUDE,   /* items[0]: {- ... -} */
    WR_SQL_PATTERN_PERMUTE,   /* items */
} wr_sql_pattern;
struct wr_ast_pattern {
    wr_ast base;
    wr_sql_pattern what;
    wr_ast_part name;
    wr_ast_list items;
    int64_t min, max;
    bool reluctant;
    char symbol; /* '*', '+', '?', or '{' */
};
typedef enum wr_sql_after_match {
    WR_SQL_AFTER_NONE,
    WR_SQL_AFTER_NEXT_ROW,
    WR_SQL_AFTER_PAST_LAST_ROW,
    WR_SQL_AFTER_FIRST, /* TO FIRST v */
    WR_SQL_AFTER_LAST,  /* TO LAST v, TO v */
} wr_sql_after_match;
typedef enum wr_sql_rows_per_match {
    WR_SQL_ROWS_PER_MATCH_NONE,
    WR_SQL_ROWS_PER_MATCH_ONE,
    WR_SQL_ROWS_PER_MATCH_ALL
} wr_sql_rows_per_match;
struct wr_ast_match {
    wr_ast base;
    wr_ast *input; /* a table */
    wr_ast_list partition_by, order_by;
    wr_ast_list measures; /* ALIAS */
    wr_sql_rows_per_match rows;
    wr_sql_after_match after;
    wr_ast_part after_var;
    wr_ast_pattern *pattern;
    bool strict_start, strict_end; /* ^ and $ */
    wr_ast *within;                /* interval literal */
    wr_ast_list subsets;           /* NAMED_ARG: name = ROW of IDENT */
    wr_ast_list define;            /* ALIAS: name AS condition */
    wr_ast_as as;
};

#endif
