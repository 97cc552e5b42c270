/* SPDX-License-Identifier: Apache-2.0 */
/* The syntax tree of expressions and data types. Include sql/ast.h, never this file. */
#ifndef WR_SQL_AST_EXPR_H
#define WR_SQL_AST_EXPR_H

#include "sql/ast.h"

/* DAY(2) TO SECOND(3): `to` is NONE when single; digits of the leading field and of the fraction,
 * -1 = not given. */
typedef struct wr_ast_interval {
    wr_sql_unit from, to;
    int32_t precision, fraction;
} wr_ast_interval;

/* ---- literals and names ---------------------------------------------------------------------- */
struct wr_ast_literal {
    wr_ast base;
    wr_sql_lit lit;
    bool negative; /* INTERVAL -'1' DAY. A negative number is UNARY MINUS of a literal */
    wr_str text;
    wr_str
        charset; /* STRING: upper-case name of _utf8'..', UTF16 for U&'..' and E'..', else empty */
    wr_ast_interval qual; /* INTERVAL */
};
/* a, a.b, `x`.c, *, t.*: a path. `star`: ends in (or is only) a star. */
struct wr_ast_ident {
    wr_ast base;
    wr_ast_part *parts;
    uint32_t part_count;
    bool star;
};
/* A keyword as an argument: a time unit, BOTH/LEADING/TRAILING, a character set. */
struct wr_ast_symbol {
    wr_ast base;
    wr_str text;      /* as written */
    wr_sql_unit unit; /* NONE if it is no built-in time unit; SQL_TSI_DAY is DAY */
};
struct wr_ast_param { /* ? */
    wr_ast base;
    uint32_t index; /* from 0 */
};

/* ---- operators ------------------------------------------------------------------------------- */
struct wr_ast_unary {
    wr_ast base;
    wr_sql_unop op;
    wr_span op_span;
    wr_ast *arg;
};
struct wr_ast_binary {
    wr_ast base;
    wr_sql_binop op;
    bool chained; /* inside of a long AND or OR chain, which is built as a balanced tree */
    wr_span op_span;
    wr_ast *left, *right;
};
struct wr_ast_is {
    wr_ast base;
    wr_sql_is what;
    bool negated;
    wr_ast *arg;
};
struct wr_ast_between {
    wr_ast base;
    bool negated, symmetric;
    wr_ast *arg, *low, *high;
};
struct wr_ast_like {
    wr_ast base;
    wr_sql_like what;
    bool negated;
    wr_ast *arg, *pattern, *escape; /* escape may be NULL */
};
struct wr_ast_in {
    wr_ast base;
    bool negated;
    wr_ast *arg;
    wr_ast *query;    /* either a query ... */
    wr_ast_list list; /* ... or a list */
};
struct wr_ast_exists {
    wr_ast base;
    bool unique; /* UNIQUE (query) instead of EXISTS (query) */
    wr_ast *query;
};
struct wr_ast_quantified { /* arg op {SOME|ALL} (query | list); ANY is SOME */
    wr_ast base;
    wr_sql_binop op; /* one of EQ..GE */
    bool all;
    wr_ast *arg, *query;
    wr_ast_list list;
};
struct wr_ast_when {
    wr_ast base;
    wr_ast *condition, *result;
};
/* CASE x WHEN 1 THEN a WHEN 2, 3 THEN b END is read as CASE WHEN x = 1 THEN a WHEN x IN (2, 3) THEN
 * b ELSE NULL END. */
struct wr_ast_case {
    wr_ast base;
    wr_ast_list whens;
    wr_ast *otherwise; /* never NULL */
};
struct wr_ast_cast {
    wr_ast base;
    bool is_try;  /* TRY_CAST */
    bool is_safe; /* SAFE_CAST: parses, Flink has no such function */
    wr_ast *arg;
    wr_ast_type *type;
};
struct wr_ast_item { /* arg[index] */
    wr_ast base;
    wr_sql_item mode;
    wr_ast *arg, *index;
};
struct wr_ast_field { /* (expr).name, f(x).name, a[1].name; a.b.c is an IDENT */
    wr_ast base;
    wr_ast *arg;
    wr_ast_part name;
};
struct wr_ast_interval_expr { /* INTERVAL expr DAY */
    wr_ast base;
    bool negative;
    wr_ast *arg;
    wr_ast_interval qual;
};
struct wr_ast_interval_diff { /* (left - right) DAY */
    wr_ast base;
    wr_ast *left, *right;
    wr_ast_interval qual;
};
struct wr_ast_next_value { /* {NEXT|CURRENT} VALUE FOR s */
    wr_ast base;
    bool current;
    wr_ast_ident *name;
};

/* ---- calls ----------------------------------------------------------------------------------- */
struct wr_ast_call {
    wr_ast base;
    wr_ast_ident *name; /* as written: compare without case */
    wr_sql_call_syntax syntax;
    wr_sql_quantifier quantifier; /* f(DISTINCT x) */
    wr_sql_treatment nulls;       /* RESPECT/IGNORE NULLS, inside or behind the parentheses */
    /* expressions, also NAMED_ARG, TABLE_ARG, MODEL_ARG, DESCRIPTOR, SYMBOL, TYPE (CONVERT), star
     * IDENT, LITERAL DEFAULT, queries */
    wr_ast_list args;
    wr_ast_list order_by; /* inside the parentheses: ARRAY_AGG(x ORDER BY y) */
    wr_ast_list within_group, within_distinct;
    wr_ast *filter;        /* FILTER (WHERE filter) */
    wr_ast_window *over;   /* OVER (...) */
    wr_ast_part over_name; /* OVER w */
    wr_ast_json *json;     /* with syntax JSON; JSON_ARRAYAGG(x ORDER BY y) has within_group */
};
/* JSON_EXISTS/VALUE/QUERY: args {input, path}. JSON_OBJECT(AGG): args {key, value, key, value,
 * ...}; JSON_ARRAY(AGG): args {value, ...}. Absent clauses have Flink's defaults where it prints
 * them: JSON_QUERY, JSON_OBJECT, the rest of the constructors. `formatted`: bit i set when
 * args.items[i] was followed by FORMAT JSON (i < 64). */
struct wr_ast_json {
    wr_ast base;
    wr_ast_type *returning;
    wr_sql_json_wrapper wrapper;
    wr_sql_json_behaviour on_empty, on_error;
    wr_ast *empty_value, *error_value; /* of DEFAULT */
    wr_sql_json_nulls nulls;
    uint64_t formatted;
};
struct wr_ast_constructor {
    wr_ast base;
    wr_sql_construct what;
    bool implicit; /* (a, b) instead of ROW(a, b) */
    wr_ast_list items;
    wr_ast *query; /* ARRAY(query), ... */
};
struct wr_ast_named_arg { /* name => value */
    wr_ast base;
    wr_ast_part name;
    wr_ast *value;
};
struct wr_ast_table_arg { /* TABLE t, or a query, with [PARTITION BY ...] [ORDER BY ...] */
    wr_ast base;
    wr_ast *table; /* EXPLICIT_TABLE or another query */
    wr_ast_list partition_by, order_by;
};
struct wr_ast_model_arg { /* MODEL m */
    wr_ast base;
    wr_ast_ident *name;
};
struct wr_ast_descriptor { /* DESCRIPTOR(a, b): IDENT */
    wr_ast base;
    wr_ast_list columns;
};
struct wr_ast_alias { /* expr AS name: select items, MEASURES, DEFINE, PIVOT */
    wr_ast base;
    wr_ast *expr;
    wr_ast_part name;
};

/* ---- types ----------------------------------------------------------------------------------- */
struct wr_ast_type {
    wr_ast base;
    wr_sql_type_name name;
    int32_t precision, scale; /* -1: not written; lengths too; not checked */
    wr_sql_nullability nullability;
    bool postfix;                /* INT ARRAY, INT MULTISET */
    bool parens;                 /* ROW(f t) instead of ROW<f t> */
    bool long_form;              /* TIMESTAMP WITH LOCAL TIME ZONE instead of TIMESTAMP_LTZ */
    wr_ast_type *key;            /* MAP */
    wr_ast_type *element;        /* ARRAY, MULTISET; value of MAP */
    wr_ast_list fields;          /* ROW, STRUCTURED: TYPE_FIELD */
    wr_ast_interval qual;        /* INTERVAL */
    wr_ast_ident *user;          /* USER */
    wr_str class_name, snapshot; /* RAW('class', 'snapshot'), STRUCTURED<'class', ...> */
    wr_str charset;              /* CHARACTER SET x */
};
struct wr_ast_type_field {
    wr_ast base;
    wr_ast_part name;
    wr_ast_type *type;
    wr_ast *comment; /* LITERAL STRING or NULL */
};

#endif
