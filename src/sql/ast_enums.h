/* SPDX-License-Identifier: Apache-2.0 */
/* The small enumerations of the syntax tree, those with names as lists. Include sql/ast.h, never
 * this file. */
#ifndef WR_SQL_AST_ENUMS_H
#define WR_SQL_AST_ENUMS_H

#include "sql/ast_words.h" /* IWYU pragma: export */

/* ---- operators: X(NAME, "SQL", binding power). Calcite's precedence; bigger binds tighter;
 * left-associative. */
#define WR_SQL_BINOP_MAP(X)                                                                        \
    X(OR, "OR", 22)                                                                                \
    X(AND, "AND", 24)                                                                              \
    X(EQ, "=", 30)                                                                                 \
    X(NE, "<>", 30)                                                                                \
    X(LT, "<", 30)                                                                                 \
    X(LE, "<=", 30)                                                                                \
    X(GT, ">", 30)                                                                                 \
    X(GE, ">=", 30)                                                                                \
    X(IS_DISTINCT, "IS DISTINCT FROM", 30)                                                         \
    X(IS_NOT_DISTINCT, "IS NOT DISTINCT FROM", 30)                                                 \
    X(OVERLAPS, "OVERLAPS", 30)                                                                    \
    X(CONTAINS, "CONTAINS", 30)                                                                    \
    X(PRECEDES, "PRECEDES", 30)                                                                    \
    X(SUCCEEDS, "SUCCEEDS", 30)                                                                    \
    X(IMMEDIATELY_PRECEDES, "IMMEDIATELY PRECEDES", 30)                                            \
    X(IMMEDIATELY_SUCCEEDS, "IMMEDIATELY SUCCEEDS", 30)                                            \
    X(EQUALS, "EQUALS", 30)                                                                        \
    X(MEMBER_OF, "MEMBER OF", 30)                                                                  \
    X(SUBMULTISET_OF, "SUBMULTISET OF", 30)                                                        \
    X(NOT_SUBMULTISET_OF, "NOT SUBMULTISET OF", 30)                                                \
    X(ADD, "+", 40)                                                                                \
    X(SUB, "-", 40)                                                                                \
    X(MUL, "*", 60)                                                                                \
    X(DIV, "/", 60)                                                                                \
    X(MOD, "%", 60)                                                                                \
    X(CONCAT, "||", 60)                                                                            \
    X(MULTISET_UNION_ALL, "MULTISET UNION ALL", 14)                                                \
    X(MULTISET_UNION_DISTINCT, "MULTISET UNION DISTINCT", 14)                                      \
    X(MULTISET_EXCEPT_ALL, "MULTISET EXCEPT ALL", 14)                                              \
    X(MULTISET_EXCEPT_DISTINCT, "MULTISET EXCEPT DISTINCT", 14)                                    \
    X(MULTISET_INTERSECT_ALL, "MULTISET INTERSECT ALL", 18)                                        \
    X(MULTISET_INTERSECT_DISTINCT, "MULTISET INTERSECT DISTINCT", 18)

typedef enum wr_sql_binop {
#define X(name, sql, power) WR_SQL_BINOP_##name,
    WR_SQL_BINOP_MAP(X)
#undef X
        WR_SQL_BINOP_COUNT
} wr_sql_binop;
const char *wr_sql_binop_text(wr_sql_binop op);

typedef enum wr_sql_unop {
    WR_SQL_UNOP_PLUS,
    WR_SQL_UNOP_MINUS,
    WR_SQL_UNOP_NOT,
    WR_SQL_UNOP_FINAL,   /* MATCH_RECOGNIZE: FINAL expr */
    WR_SQL_UNOP_RUNNING, /* MATCH_RECOGNIZE: RUNNING expr */
} wr_sql_unop;

#define WR_SQL_IS_MAP(X)                                                                           \
    X(NULL, "NULL")                                                                                \
    X(TRUE, "TRUE")                                                                                \
    X(FALSE, "FALSE")                                                                              \
    X(UNKNOWN, "UNKNOWN")                                                                          \
    X(JSON_VALUE, "JSON VALUE") /* also plain IS JSON */                                           \
    X(JSON_SCALAR, "JSON SCALAR")                                                                  \
    X(JSON_ARRAY, "JSON ARRAY")                                                                    \
    X(JSON_OBJECT, "JSON OBJECT")                                                                  \
    X(A_SET, "A SET")                                                                              \
    X(EMPTY, "EMPTY")
typedef enum wr_sql_is {
#define X(name, sql) WR_SQL_IS_##name,
    WR_SQL_IS_MAP(X)
#undef X
        WR_SQL_IS_COUNT
} wr_sql_is;
const char *wr_sql_is_text(wr_sql_is what); /* "JSON VALUE" */

/* ---- time units ------------------------------------------------------------------------------ */
#define WR_SQL_UNIT_MAP(X)                                                                         \
    X(NONE)                                                                                        \
    X(MILLENNIUM)                                                                                  \
    X(CENTURY)                                                                                     \
    X(DECADE)                                                                                      \
    X(YEAR)                                                                                        \
    X(ISOYEAR)                                                                                     \
    X(QUARTER)                                                                                     \
    X(MONTH)                                                                                       \
    X(WEEK)                                                                                        \
    X(DAY)                                                                                         \
    X(DOW)                                                                                         \
    X(ISODOW)                                                                                      \
    X(DOY)                                                                                         \
    X(HOUR)                                                                                        \
    X(MINUTE)                                                                                      \
    X(SECOND)                                                                                      \
    X(MILLISECOND)                                                                                 \
    X(MICROSECOND)                                                                                 \
    X(NANOSECOND)                                                                                  \
    X(EPOCH)
typedef enum wr_sql_unit {
#define X(name) WR_SQL_UNIT_##name,
    WR_SQL_UNIT_MAP(X)
#undef X
        WR_SQL_UNIT_COUNT
} wr_sql_unit;
const char *wr_sql_unit_name(wr_sql_unit unit); /* "DAY" */

/* ---- literals -------------------------------------------------------------------------------- */
typedef enum wr_sql_lit {
    WR_SQL_LIT_NULL,
    WR_SQL_LIT_TRUE,
    WR_SQL_LIT_FALSE,
    WR_SQL_LIT_UNKNOWN,
    WR_SQL_LIT_INTEGER, /* text: digits without leading zeros ("1." too) */
    WR_SQL_LIT_DECIMAL, /* text: "1.50", "0.5" */
    WR_SQL_LIT_DOUBLE,  /* text: "1.5E3": one digit before the point, as Java prints it */
    WR_SQL_LIT_STRING,  /* text: the value in UTF-8, escapes undone */
    WR_SQL_LIT_BINARY,  /* text: the bytes */
    WR_SQL_LIT_DATE,    /* text: inside of the quotes, not checked; also the next three */
    WR_SQL_LIT_TIME,
    WR_SQL_LIT_TIMESTAMP,
    WR_SQL_LIT_TIMESTAMP_LTZ, /* TIMESTAMP WITH LOCAL TIME ZONE '...' */
    WR_SQL_LIT_DATETIME,      /* parses; Flink has no such literal */
    WR_SQL_LIT_INTERVAL,      /* text (not checked), negative, qual */
    WR_SQL_LIT_DEFAULT,       /* DEFAULT as an argument or a value of INSERT */
} wr_sql_lit;

/* ---- calls ----------------------------------------------------------------------------------- */
typedef enum wr_sql_call_syntax {
    WR_SQL_CALL_PLAIN,    /* f(a, b); SUBSTRING(x FROM a FOR b) too: args {x, a, b} */
    WR_SQL_CALL_BARE,     /* CURRENT_DATE, PI: written without parentheses; no arguments */
    WR_SQL_CALL_EXTRACT,  /* EXTRACT(unit FROM x): args {SYMBOL, x} */
    WR_SQL_CALL_ROUND_TO, /* FLOOR/CEIL(x TO unit): args {x, SYMBOL} */
    WR_SQL_CALL_TRIM,     /* TRIM: args {SYMBOL BOTH|LEADING|TRAILING, chars (' ' if absent), x} */
    WR_SQL_CALL_POSITION, /* POSITION(a IN b [FROM n]): args {a, b [, n]} */
    WR_SQL_CALL_OVERLAY,  /* OVERLAY(x PLACING y FROM a [FOR b]): args {x, y, a [, b]} */
    WR_SQL_CALL_USING,    /* CONVERT/TRANSLATE(x USING charset): args {x, SYMBOL} */
    WR_SQL_CALL_JSON,     /* `json` holds the clauses */
    WR_SQL_CALL_NEW,      /* NEW type(a, b) */
    WR_SQL_CALL_SPECIFIC, /* SPECIFIC f(a, b) */
} wr_sql_call_syntax;
typedef enum wr_sql_quantifier {
    WR_SQL_QUANT_NONE,
    WR_SQL_QUANT_ALL,
    WR_SQL_QUANT_DISTINCT
} wr_sql_quantifier;
typedef enum wr_sql_treatment {
    WR_SQL_TREAT_NONE,
    WR_SQL_TREAT_RESPECT, /* RESPECT NULLS */
    WR_SQL_TREAT_IGNORE
} wr_sql_treatment;
typedef enum wr_sql_json_behaviour {
    WR_SQL_JSON_NONE, /* not written */
    WR_SQL_JSON_NULL,
    WR_SQL_JSON_ERROR,
    WR_SQL_JSON_DEFAULT, /* with an expression */
    WR_SQL_JSON_TRUE,
    WR_SQL_JSON_FALSE,
    WR_SQL_JSON_UNKNOWN,
    WR_SQL_JSON_EMPTY_ARRAY,
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
typedef enum wr_sql_construct {
    WR_SQL_CONSTRUCT_ROW,      /* ROW(a, b) or (a, b) */
    WR_SQL_CONSTRUCT_ARRAY,    /* ARRAY[...] or ARRAY(query) */
    WR_SQL_CONSTRUCT_MAP,      /* MAP[k, v, ...] or MAP(query) */
    WR_SQL_CONSTRUCT_MULTISET, /* MULTISET[...] or MULTISET(query) */
    WR_SQL_CONSTRUCT_CURSOR,   /* never made: the parser refuses CURSOR(query), as Flink does */
} wr_sql_construct;
typedef enum wr_sql_like {
    WR_SQL_LIKE_LIKE,
    WR_SQL_LIKE_ILIKE,
    WR_SQL_LIKE_RLIKE,
    WR_SQL_LIKE_SIMILAR
} wr_sql_like;
typedef enum wr_sql_item {
    WR_SQL_ITEM_PLAIN,
    WR_SQL_ITEM_OFFSET, /* a[OFFSET(i)]: parses, Flink has none of these */
    WR_SQL_ITEM_ORDINAL,
    WR_SQL_ITEM_SAFE_OFFSET,
    WR_SQL_ITEM_SAFE_ORDINAL,
} wr_sql_item;

/* ---- types: X(NAME, "SQL") ------------------------------------------------------------------- */
#define WR_SQL_TYPE_MAP(X)                                                                         \
    X(BOOLEAN, "BOOLEAN")                                                                          \
    X(TINYINT, "TINYINT")                                                                          \
    X(SMALLINT, "SMALLINT")                                                                        \
    X(INT, "INTEGER")                                                                              \
    X(BIGINT, "BIGINT")                                                                            \
    X(FLOAT, "FLOAT")                                                                              \
    X(REAL, "REAL")                                                                                \
    X(DOUBLE, "DOUBLE")                                                                            \
    X(DECIMAL, "DECIMAL")                                                                          \
    X(CHAR, "CHAR")                                                                                \
    X(VARCHAR, "VARCHAR")                                                                          \
    X(STRING, "STRING")                                                                            \
    X(BINARY, "BINARY")                                                                            \
    X(VARBINARY, "VARBINARY")                                                                      \
    X(BYTES, "BYTES")                                                                              \
    X(DATE, "DATE")                                                                                \
    X(TIME, "TIME")                                                                                \
    X(TIME_LTZ, "TIME")                                                                            \
    X(TIMESTAMP, "TIMESTAMP")                                                                      \
    X(TIMESTAMP_LTZ, "TIMESTAMP_LTZ")                                                              \
    X(INTERVAL, "INTERVAL")                                                                        \
    X(ARRAY, "ARRAY")                                                                              \
    X(MULTISET, "MULTISET")                                                                        \
    X(MAP, "MAP")                                                                                  \
    X(ROW, "ROW")                                                                                  \
    X(RAW, "RAW")                                                                                  \
    X(STRUCTURED, "STRUCTURED")                                                                    \
    X(VARIANT, "VARIANT")                                                                          \
    X(BITMAP, "BITMAP")                                                                            \
    X(ANY, "ANY")                                                                                  \
    X(USER, "") /* a name: `user` */
typedef enum wr_sql_type_name {
#define X(name, sql) WR_SQL_TN_##name,
    WR_SQL_TYPE_MAP(X)
#undef X
        WR_SQL_TN_COUNT
} wr_sql_type_name;
const char *wr_sql_type_text(wr_sql_type_name name);
typedef enum wr_sql_nullability {
    WR_SQL_NULLABLE_UNSET,
    WR_SQL_NULLABLE_NOT_NULL
} wr_sql_nullability;

#endif
