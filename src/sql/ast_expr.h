/* SPDX-License-Identifier: Apache-2.0 */
/* The syntax tree of expressions and data types. Include sql/ast.h, never this file. */
#ifndef WR_SQL_AST_EXPR_H
#define WR_SQL_AST_EXPR_H

#include "sql/ast.h"

/* ---- literals and names
 * ------------------------------------------------------------------------------------------ */
typedef enum wr_sql_unit {
    WR_SQL_UNIT_NONE,
    WR_SQL_UNIT_MILLENNIUM,
    WR_SQL_UNIT_CENTURY,
    WR_SQL_UNIT_DECADE,
    WR_SQL_UNIT_YEAR,
    WR_SQL_UNIT_ISOYEAR,
    WR_SQL_UNIT_QUARTER,
    WR_SQL_UNIT_MONTH,
    WR_SQL_UNIT_WEEK,
    WR_SQL_UNIT_DAY,
    WR_SQL_UNIT_DOW,
    WR_SQL_UNIT_ISODOW,
    WR_SQL_UNIT_DOY,
    WR_SQL_UNIT_HOUR,
    WR_SQL_UNIT_MINUTE,
    WR_SQL_UNIT_SECOND,
    WR_SQL_UNIT_MILLISECOND,
    WR_SQL_UNIT_MICROSECOND,
    WR_SQL_UNIT_NANOSECOND,
    WR_SQL_UNIT_EPOCH,
    WR_SQL_UNIT_COUNT
} wr_sql_unit;
const char *wr_sql_unit_name(wr_sql_unit unit); /* "DAY" */

/* DAY(2) TO SECOND(3): from, to (NONE when single), digits of the leading field and of the
 * fraction, -1 = not given. */
typedef struct wr_sql_interval_qual {
    wr_sql_unit from, to;
    int32_t precision, fraction;
} wr_sql_interval_qual;

typedef enum wr_sql_lit {
    WR_SQL_LIT_NULL,
    WR_SQL_LIT_TRUE,
    WR_SQL_LIT_FALSE,
    WR_SQL_LIT_UNKNOWN,
    WR_SQL_LIT_INTEGER, /* text: digits */
    WR_SQL_LIT_DECIMAL, /* text: "1.50", ".5", "1." */
    WR_SQL_LIT_DOUBLE,  /* text: with exponent */
    WR_SQL_LIT_STRING,  /* text: the value in UTF-8, escapes undone */
    WR_SQL_LIT_BINARY,  /* text: the bytes */
    WR_SQL_LIT_DATE,    /* text: inside of the quotes, not checked */
    WR_SQL_LIT_TIME,
    WR_SQL_LIT_TIMESTAMP,
    WR_SQL_LIT_TIMESTAMP_LTZ, /* TIMESTAMP WITH LOCAL TIME ZONE '...' */
    WR_SQL_LIT_TIMESTAMP_TZ,  /* TIMESTAMP WITH TIME ZONE '...' */
    WR_SQL_LIT_TIME_LTZ,
    WR_SQL_LIT_TIME_TZ,
    WR_SQL_LIT_DATETIME,
    WR_SQL_LIT_UUID,
    WR_SQL_LIT_INTERVAL, /* text, negative, qual */
    WR_SQL_LIT_DEFAULT,  /* DEFAULT as an argument or a value of INSERT/UPDATE */
    WR_SQL_LIT_COUNT
} wr_sql_lit;

struct wr_ast_literal {
    wr_ast base;
    wr_sql_lit lit;
    bool negative; /* INTERVAL -'1' DAY */
    wr_str text;
    wr_str charset;            /* _utf8'..' or N'..': the introducer as written; else empty */
    wr_sql_interval_qual qual; /* INTERVAL only */
};

/* a, a.b, `x`.c, *, t.*: a path. `star`: ends in (or is only) a star. */
struct wr_ast_ident {
    wr_ast base;
    wr_ast_part *parts;
    uint32_t part_count;
    bool star;
};

/* ---- operators
 * -----------------------------------------------------------------------------------------------------
 */
/* X(NAME, "SQL", left binding power, right binding power): Calcite's precedence; bigger binds
 * tighter. */
#define WR_SQL_BINOP_MAP(X)                                                                        \
    X(OR, "OR", 22, 23)                                                                            \
    X(AND, "AND", 24, 25)                                                                          \
    X(EQ, "=", 30, 31)                                                                             \
    X(NE, "<>", 30, 31)                                                                            \
    X(LT, "<", 30, 31)                                                                             \
    X(LE, "<=", 30, 31)                                                                            \
    X(GT, ">", 30, 31)                                                                             \
    X(GE, ">=", 30, 31)                                                                            \
    X(IS_DISTINCT, "IS DISTINCT FROM", 30, 31)                                                     \
    X(IS_NOT_DISTINCT, "IS NOT DISTINCT FROM", 30, 31)                                             \
    X(OVERLAPS, "OVERLAPS", 30, 31)                                                                \
    X(CONTAINS, "CONTAINS", 30, 31)                                                                \
    X(PRECEDES, "PRECEDES", 30, 31)                                                                \
    X(SUCCEEDS, "SUCCEEDS", 30, 31)                                                                \
    X(IMMEDIATELY_PRECEDES, "IMMEDIATELY PRECEDES", 30, 31)                                        \
    X(IMMEDIATELY_SUCCEEDS, "IMMEDIATELY SUCCEEDS", 30, 31)                                        \
    X(EQUALS, "EQUALS", 30, 31)                                                                    \
    X(MEMBER_OF, "MEMBER OF", 30, 31)                                                              \
    X(SUBMULTISET_OF, "SUBMULTISET OF", 30, 31)                                                    \
    X(NOT_SUBMULTISET_OF, "NOT SUBMULTISET OF", 30, 31)                                            \
    X(ADD, "+", 40, 41)                                                                            \
    X(SUB, "-", 40, 41)                                                                            \
    X(MUL, "*", 60, 61)                                                                            \
    X(DIV, "/", 60, 61)                                                                            \
    X(MOD, "%", 60, 61)                                                                            \
    X(CONCAT, "||", 60, 61)                                                                        \
    X(MULTISET_UNION, "MULTISET UNION", 14, 15)                                                    \
    X(MULTISET_UNION_ALL, "MULTISET UNION ALL", 14, 15)                                            \
    X(MULTISET_EXCEPT, "MULTISET EXCEPT", 14, 15)                                                  \
    X(MULTISET_EXCEPT_ALL, "MULTISET EXCEPT ALL", 14, 15)                                          \
    X(MULTISET_INTERSECT, "MULTISET INTERSECT", 18, 19)                                            \
    X(MULTISET_INTERSECT_ALL, "MULTISET INTERSECT ALL", 18, 19)

typedef enum wr_sql_binop {
#define X(name, sql, l, r) WR_SQL_BINOP_##name,
    WR_SQL_BINOP_MAP(X)
#undef X
        WR_SQL_BINOP_COUNT
} wr_sql_binop;
const char *wr_sql_binop_text(wr_sql_binop op);

typedef enum wr_sql_unop {
    WR_SQL_UNOP_PLUS,
    WR_SQL_UNOP_MINUS,
    WR_SQL_UNOP_NOT,
    WR_SQL_UNOP_PRIOR,   /* not used by Flink */
    WR_SQL_UNOP_FINAL,   /* MATCH_RECOGNIZE: FINAL expr */
    WR_SQL_UNOP_RUNNING, /* MATCH_RECOGNIZE: RUNNING expr */
    WR_SQL_UNOP_COUNT
} wr_sql_unop;

struct wr_ast_unary {
    wr_ast base;
    wr_sql_unop op;
    wr_span op_span;
    wr_ast *arg;
};
struct wr_ast_binary {
    wr_ast base;
    wr_sql_binop op;
    wr_span op_span;
    wr_ast *left, *right;
};

typedef enum wr_sql_is {
    WR_SQL_IS_NULL,
    WR_SQL_IS_TRUE,
    WR_SQL_IS_FALSE,
    WR_SQL_IS_UNKNOWN,
    WR_SQL_IS_JSON_VALUE, /* also plain IS JSON */
    WR_SQL_IS_JSON_SCALAR,
    WR_SQL_IS_JSON_ARRAY,
    WR_SQL_IS_JSON_OBJECT,
    WR_SQL_IS_A_SET,
    WR_SQL_IS_EMPTY,
    WR_SQL_IS_COUNT
} wr_sql_is;
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
typedef enum wr_sql_like {
    WR_SQL_LIKE_LIKE,
    WR_SQL_LIKE_ILIKE,
    WR_SQL_LIKE_RLIKE,
    WR_SQL_LIKE_SIMILAR,
    WR_SQL_LIKE_COUNT
} wr_sql_like;
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
    wr_ast_list conditions; /* one; several in CASE x WHEN 1, 2 THEN ... */
    wr_ast *result;
};
struct wr_ast_case {
    wr_ast base;
    wr_ast *operand; /* NULL: searched CASE */
    wr_ast_list whens;
    wr_ast *otherwise; /* NULL: ELSE NULL */
};
struct wr_ast_cast {
    wr_ast base;
    bool is_try;  /* TRY_CAST */
    bool is_safe; /* SAFE_CAST: parses, is no function of Flink's */
    wr_ast *arg;
    wr_ast_type *type;
    wr_ast *format; /* CAST(x AS t FORMAT 'f'), or NULL */
};
struct wr_ast_item { /* base_expr[index] */
    wr_ast base;
    wr_ast *arg, *index;
};
struct wr_ast_field { /* (expr).name, f(x).name, a[1].name; star: (expr).* */
    wr_ast base;
    wr_ast *arg;
    wr_ast_part name;
    bool star;
};
struct wr_ast_interval_expr { /* INTERVAL expr DAY */
    wr_ast base;
    wr_ast *arg;
    wr_sql_interval_qual qual;
    bool negative;
};
/* A keyword as an argument: a time unit, BOTH/LEADING/TRAILING, a charset. */
struct wr_ast_symbol {
    wr_ast base;
    wr_str text;      /* upper case */
    wr_sql_unit unit; /* WR_SQL_UNIT_NONE if it is no built-in time unit */
};
struct wr_ast_param { /* ? */
    wr_ast base;
    uint32_t index;
};
struct wr_ast_lambda { /* x -> e, (x, y) -> e */
    wr_ast base;
    wr_ast_parts params;
    wr_ast *body;
};
struct wr_ast_next_value { /* {NEXT|CURRENT} VALUE FOR s */
    wr_ast base;
    bool current;
    wr_ast_ident *name;
};

/* ---- calls
 * ---------------------------------------------------------------------------------------------------------
 */
typedef enum wr_sql_call_syntax {
    WR_SQL_CALL_PLAIN,
    WR_SQL_CALL_BARE,     /* CURRENT_DATE, PI: written without parentheses; no arguments */
    WR_SQL_CALL_EXTRACT,  /* EXTRACT(unit FROM x): args {SYMBOL, x} */
    WR_SQL_CALL_ROUND_TO, /* FLOOR/CEIL(x TO unit): args {x, SYMBOL} */
    WR_SQL_CALL_TRIM, /* TRIM: args {SYMBOL BOTH|LEADING|TRAILING, chars (' ' when not written), x}
                       */
    WR_SQL_CALL_SUBSTRING, /* both forms: args {x, from [, for]} */
    WR_SQL_CALL_POSITION,  /* POSITION(a IN b [FROM n]): args {a, b [, n]} */
    WR_SQL_CALL_OVERLAY,   /* OVERLAY(x PLACING y FROM a [FOR b]): args {x, y, a [, b]} */
    WR_SQL_CALL_USING,     /* CONVERT(x USING cs), TRANSLATE(x USING cs): args {x, SYMBOL} */
    WR_SQL_CALL_JSON,      /* `json` holds the clauses */
    WR_SQL_CALL_ODBC,      /* {fn f(x)}: normalised, same as PLAIN otherwise */
    WR_SQL_CALL_SYNTAX_COUNT
} wr_sql_call_syntax;
typedef enum wr_sql_quantifier {
    WR_SQL_QUANT_NONE,
    WR_SQL_QUANT_ALL,
    WR_SQL_QUANT_DISTINCT
} wr_sql_quantifier;
typedef enum wr_sql_nulls { WR_SQL_NULLS_NONE, WR_SQL_NULLS_FIRST, WR_SQL_NULLS_LAST } wr_sql_nulls;
typedef enum wr_sql_null_treatment {
    WR_SQL_TREAT_NONE,
    WR_SQL_TREAT_RESPECT,
    WR_SQL_TREAT_IGNORE
} wr_sql_null_treatment;

struct wr_ast_call {
    wr_ast base;
    wr_ast_ident *name; /* as written: compare without case */
    wr_sql_call_syntax syntax;
    wr_sql_quantifier quantifier; /* f(DISTINCT x) */
    wr_sql_null_treatment nulls;
    bool nulls_inside; /* treatment written inside the parentheses */
    wr_ast_list args; /* expressions, also NAMED_ARG, TABLE_ARG, MODEL_ARG, DESCRIPTOR, SYMBOL, star
                         IDENT, LITERAL DEFAULT, LAMBDA, queries */
    wr_ast_list order_by; /* inside the parentheses: ARRAY_AGG(x ORDER BY y) */
    wr_ast *separator;    /* GROUP_CONCAT(... SEPARATOR ',') */
    wr_ast_list within_group;
    bool has_within_group;
    wr_ast *filter;        /* FILTER (WHERE filter) */
    wr_ast_window *over;   /* OVER (...) */
    wr_ast_part over_name; /* OVER w */
    wr_ast_json *json;
};

typedef enum wr_sql_json_behaviour {
    WR_SQL_JSON_NONE, /* not written */
    WR_SQL_JSON_NULL,
    WR_SQL_JSON_ERROR,
    WR_SQL_JSON_DEFAULT, /* with an expression */
    WR_SQL_JSON_TRUE,
    WR_SQL_JSON_FALSE,
    WR_SQL_JSON_UNKNOWN,
    WR_SQL_JSON_EMPTY_ARRAY, /* also EMPTY */
    WR_SQL_JSON_EMPTY_OBJECT,
} wr_sql_json_behaviour;
typedef enum wr_sql_json_wrapper {
    WR_SQL_WRAPPER_NONE,
    WR_SQL_WRAPPER_WITHOUT,
    WR_SQL_WRAPPER_CONDITIONAL,
    WR_SQL_WRAPPER_UNCONDITIONAL, /* also plain WITH WRAPPER */
} wr_sql_json_wrapper;
typedef enum wr_sql_json_nulls {
    WR_SQL_JSON_NULLS_NONE,
    WR_SQL_JSON_NULL_ON_NULL,
    WR_SQL_JSON_ABSENT_ON_NULL
} wr_sql_json_nulls;
/* JSON_EXISTS/VALUE/QUERY: args {input, path}. JSON_OBJECT(AGG): args {key, value, key, value,
 * ...}; JSON_ARRAY(AGG): args {value, ...}. `formatted`: bit i set when args.items[i] was followed
 * by FORMAT JSON (i < 64). */
struct wr_ast_json {
    wr_ast base;
    wr_ast_type *returning;
    wr_sql_json_wrapper wrapper;
    wr_sql_json_behaviour on_empty, on_error;
    wr_ast *empty_value, *error_value; /* of DEFAULT */
    wr_sql_json_nulls nulls;
    uint64_t formatted;
};

typedef enum wr_sql_construct {
    WR_SQL_CONSTRUCT_ROW,      /* ROW(a, b) or (a, b); `implicit` tells */
    WR_SQL_CONSTRUCT_ARRAY,    /* ARRAY[...] or ARRAY(query) */
    WR_SQL_CONSTRUCT_MAP,      /* MAP[k, v, ...] or MAP(query) */
    WR_SQL_CONSTRUCT_MULTISET, /* MULTISET[...] or MULTISET(query) */
    WR_SQL_CONSTRUCT_PERIOD,   /* PERIOD (a, b) */
    WR_SQL_CONSTRUCT_CURSOR,   /* CURSOR(query) */
    WR_SQL_CONSTRUCT_COUNT
} wr_sql_construct;
struct wr_ast_constructor {
    wr_ast base;
    wr_sql_construct what;
    bool implicit;
    wr_ast_list items; /* items of a ROW may be ALIAS nodes */
    wr_ast *query;
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
    bool has_partition_by;
};
struct wr_ast_model_arg { /* MODEL m */
    wr_ast base;
    wr_ast_ident *name;
};
struct wr_ast_descriptor { /* DESCRIPTOR(a, b): IDENT, or COLUMN with a type */
    wr_ast base;
    wr_ast_list columns;
};
struct wr_ast_alias { /* select item: expr AS name; also in ROW(a AS x), PIVOT, MEASURES */
    wr_ast base;
    wr_ast *expr;
    wr_ast_part name;
};

/* ---- types
 * -----------------------------------------------------------------------------------------------------------
 */
typedef enum wr_sql_type_name {
    WR_SQL_TN_BOOLEAN,
    WR_SQL_TN_TINYINT,
    WR_SQL_TN_SMALLINT,
    WR_SQL_TN_INT,
    WR_SQL_TN_BIGINT,
    WR_SQL_TN_FLOAT,
    WR_SQL_TN_REAL,
    WR_SQL_TN_DOUBLE,
    WR_SQL_TN_DECIMAL,
    WR_SQL_TN_CHAR,
    WR_SQL_TN_VARCHAR,
    WR_SQL_TN_STRING,
    WR_SQL_TN_BINARY,
    WR_SQL_TN_VARBINARY,
    WR_SQL_TN_BYTES,
    WR_SQL_TN_DATE,
    WR_SQL_TN_TIME,
    WR_SQL_TN_TIME_LTZ,
    WR_SQL_TN_TIME_TZ,
    WR_SQL_TN_TIMESTAMP,
    WR_SQL_TN_TIMESTAMP_LTZ,
    WR_SQL_TN_TIMESTAMP_TZ,
    WR_SQL_TN_INTERVAL,
    WR_SQL_TN_ARRAY,
    WR_SQL_TN_MULTISET,
    WR_SQL_TN_MAP,
    WR_SQL_TN_ROW,
    WR_SQL_TN_RAW,
    WR_SQL_TN_STRUCTURED,
    WR_SQL_TN_NULL,
    WR_SQL_TN_VARIANT,
    WR_SQL_TN_BITMAP,
    WR_SQL_TN_ANY,
    WR_SQL_TN_USER,
    WR_SQL_TN_OTHER, /* OTHER: parses, Flink has no such type (UUID, GEOMETRY, CURSOR): `name` */
    WR_SQL_TN_COUNT
} wr_sql_type_name;
typedef enum wr_sql_nullability {
    WR_SQL_NULLABLE_UNSET,
    WR_SQL_NULLABLE_NULL,
    WR_SQL_NULLABLE_NOT_NULL
} wr_sql_nullability;

struct wr_ast_type {
    wr_ast base;
    wr_sql_type_name name;
    int32_t precision, scale; /* -1: not written; lengths too */
    wr_sql_nullability nullability;
    bool postfix;                /* INT ARRAY, INT MULTISET */
    bool parens;                 /* ROW(f t) instead of ROW<f t> */
    wr_ast_type *key;            /* MAP */
    wr_ast_type *element;        /* ARRAY, MULTISET; value of MAP */
    wr_ast_list fields;          /* ROW, STRUCTURED: TYPE_FIELD */
    wr_sql_interval_qual qual;   /* INTERVAL */
    wr_ast_ident *user;          /* USER, OTHER */
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
