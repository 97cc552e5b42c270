/* SPDX-License-Identifier: Apache-2.0 */
/* The syntax tree: kinds and header here; expressions and types in ast_expr.h, queries in
 * ast_query.h, statements in ast_stmt.h. Include sql/sql.h or this file, never the parts.
 *
 * Every node starts with a `wr_ast` header {kind, span}; the kind names the struct (WR_AST_MAP).
 * Cast with WR_AST_AS, which checks the kind. All memory, strings included, lives in the arena
 * given to the parser; the tree keeps no reference to the text it was parsed from. Nodes are
 * immutable after parsing and may be shared.
 *
 * Pointers to nodes and `wr_ast_part`s are absent when NULL (part: name.ptr == NULL). Spans are
 * byte offsets, see wr_sql_parse(). Which SQL form was written is kept only where it matters to the
 * printer or the binder.
 */
#ifndef WR_SQL_AST_H
#define WR_SQL_AST_H

#include "base/base.h"
#include "mem/mem.h"

/* X(KIND, struct, "name for messages") */
#define WR_AST_MAP(X)                                                                              \
    /* expressions */                                                                              \
    X(LITERAL, wr_ast_literal, "literal")                                                          \
    X(IDENT, wr_ast_ident, "identifier")                                                           \
    X(UNARY, wr_ast_unary, "unary operator")                                                       \
    X(BINARY, wr_ast_binary, "binary operator")                                                    \
    X(IS, wr_ast_is, "IS predicate")                                                               \
    X(BETWEEN, wr_ast_between, "BETWEEN")                                                          \
    X(LIKE, wr_ast_like, "LIKE")                                                                   \
    X(IN, wr_ast_in, "IN")                                                                         \
    X(EXISTS, wr_ast_exists, "EXISTS")                                                             \
    X(QUANTIFIED, wr_ast_quantified, "quantified comparison")                                      \
    X(CASE, wr_ast_case, "CASE")                                                                   \
    X(WHEN, wr_ast_when, "WHEN")                                                                   \
    X(CAST, wr_ast_cast, "CAST")                                                                   \
    X(CALL, wr_ast_call, "function call")                                                          \
    X(JSON, wr_ast_json, "JSON clause")                                                            \
    X(CONSTRUCTOR, wr_ast_constructor, "constructor")                                              \
    X(ITEM, wr_ast_item, "element access")                                                         \
    X(FIELD, wr_ast_field, "field access")                                                         \
    X(INTERVAL_EXPR, wr_ast_interval_expr, "interval expression")                                  \
    X(SYMBOL, wr_ast_symbol, "keyword argument")                                                   \
    X(NAMED_ARG, wr_ast_named_arg, "named argument")                                               \
    X(TABLE_ARG, wr_ast_table_arg, "table argument")                                               \
    X(MODEL_ARG, wr_ast_model_arg, "model argument")                                               \
    X(DESCRIPTOR, wr_ast_descriptor, "DESCRIPTOR")                                                 \
    X(PARAM, wr_ast_param, "dynamic parameter")                                                    \
    X(INTERVAL_DIFF, wr_ast_interval_diff, "interval difference")                                  \
    X(NEXT_VALUE, wr_ast_next_value, "NEXT VALUE")                                                 \
    X(ALIAS, wr_ast_alias, "alias")                                                                \
    X(TYPE, wr_ast_type, "data type")                                                              \
    X(TYPE_FIELD, wr_ast_type_field, "row field")                                                  \
    /* queries */                                                                                  \
    X(QUERY, wr_ast_query, "query")                                                                \
    X(CTE, wr_ast_cte, "common table expression")                                                  \
    X(SELECT, wr_ast_select, "SELECT")                                                             \
    X(SETOP, wr_ast_setop, "set operation")                                                        \
    X(VALUES, wr_ast_values, "VALUES")                                                             \
    X(EXPLICIT_TABLE, wr_ast_explicit_table, "TABLE")                                              \
    X(GROUPING, wr_ast_grouping, "grouping sets")                                                  \
    X(ORDER_ITEM, wr_ast_order_item, "ORDER BY item")                                              \
    X(WINDOW, wr_ast_window, "window specification")                                               \
    X(HINT, wr_ast_hint, "hint")                                                                   \
    X(OPTION, wr_ast_option, "option")                                                             \
    /* FROM */                                                                                     \
    X(TABLE_REF, wr_ast_table_ref, "table")                                                        \
    X(DERIVED, wr_ast_derived, "derived table")                                                    \
    X(TABLE_FUNC, wr_ast_table_func, "table function")                                             \
    X(UNNEST, wr_ast_unnest, "UNNEST")                                                             \
    X(JOIN, wr_ast_join, "join")                                                                   \
    X(PIVOT, wr_ast_pivot, "PIVOT")                                                                \
    X(UNPIVOT, wr_ast_unpivot, "UNPIVOT")                                                          \
    X(MATCH, wr_ast_match, "MATCH_RECOGNIZE")                                                      \
    X(PATTERN, wr_ast_pattern, "row pattern")                                                      \
    /* statements: ast_stmt.h */                                                                   \
    X(COLUMN, wr_ast_column, "column definition")                                                  \
    X(CONSTRAINT, wr_ast_constraint, "constraint")                                                 \
    X(WATERMARK, wr_ast_watermark, "watermark")                                                    \
    X(DISTRIBUTION, wr_ast_distribution, "distribution")                                           \
    X(TABLE_LIKE, wr_ast_table_like, "LIKE clause")                                                \
    X(PARTITION, wr_ast_partition, "partition")                                                    \
    X(RESOURCE, wr_ast_resource, "resource")                                                       \
    X(START_MODE, wr_ast_start_mode, "start mode")                                                 \
    X(ASSIGN, wr_ast_assign, "assignment")                                                         \
    X(CREATE_TABLE, wr_ast_create_table, "CREATE TABLE")                                           \
    X(CREATE_VIEW, wr_ast_create_view, "CREATE VIEW")                                              \
    X(CREATE_FUNCTION, wr_ast_create_function, "CREATE FUNCTION")                                  \
    X(CREATE_MODEL, wr_ast_create_model, "CREATE MODEL")                                           \
    X(CREATE_OBJECT, wr_ast_create_object, "CREATE CATALOG")                                       \
    X(ALTER, wr_ast_alter, "ALTER")                                                                \
    X(DROP, wr_ast_drop, "DROP")                                                                   \
    X(INSERT, wr_ast_insert, "INSERT")                                                             \
    X(STATEMENT_SET, wr_ast_statement_set, "STATEMENT SET")                                        \
    X(SET_MARK, wr_ast_set_mark, "BEGIN STATEMENT SET")                                            \
    X(EXECUTE, wr_ast_execute, "EXECUTE")                                                          \
    X(EXPLAIN, wr_ast_explain, "EXPLAIN")                                                          \
    X(PLAN, wr_ast_plan, "COMPILE PLAN")                                                           \
    X(DELETE, wr_ast_delete, "DELETE")                                                             \
    X(UPDATE, wr_ast_update, "UPDATE")                                                             \
    X(MERGE, wr_ast_merge, "MERGE")                                                                \
    X(TRUNCATE, wr_ast_truncate, "TRUNCATE TABLE")                                                 \
    X(CALL_PROCEDURE, wr_ast_call_procedure, "CALL")                                               \
    X(ANALYZE, wr_ast_analyze, "ANALYZE TABLE")                                                    \
    X(USE, wr_ast_use, "USE")                                                                      \
    X(MODULE, wr_ast_module, "LOAD MODULE")                                                        \
    X(SET, wr_ast_set, "SET")                                                                      \
    X(JAR, wr_ast_jar, "ADD JAR")                                                                  \
    X(SHOW, wr_ast_show, "SHOW")                                                                   \
    X(DESCRIBE, wr_ast_describe, "DESCRIBE")                                                       \
    X(STOP_JOB, wr_ast_stop_job, "STOP JOB")                                                       \
    X(SAVEPOINT, wr_ast_savepoint, "CREATE SAVEPOINT")

typedef enum wr_ast_kind {
#define X(kind, type, title) WR_AST_##kind,
    WR_AST_MAP(X)
#undef X
        WR_AST_COUNT
} wr_ast_kind;

typedef struct wr_ast {
    wr_ast_kind kind;
    wr_span span;
    uint32_t
        height; /* 1 + that of the highest child, at most WR_SQL_DEPTH_MAX: recursion is safe */
} wr_ast;

#define X(kind, type, title) typedef struct type type;
WR_AST_MAP(X)
#undef X

/* WR_AST_AS(wr_ast_call, WR_AST_CALL, node): a checked cast */
#define WR_AST_AS(type, k, node) ((const type *)wr_ast_checked_((node), (k)))
const wr_ast *wr_ast_checked_(const wr_ast *node, wr_ast_kind kind);

typedef struct wr_ast_list {
    wr_ast **items;
    uint32_t count;
} wr_ast_list;

/* One simple identifier. `name` is what it means (back-ticks removed), case as written. */
typedef struct wr_ast_part {
    wr_str name;
    wr_span span;
    bool quoted;
} wr_ast_part;

typedef struct wr_ast_parts {
    wr_ast_part *items;
    uint32_t count;
} wr_ast_parts;

#include "sql/ast_enums.h" /* IWYU pragma: export */
#include "sql/ast_expr.h"  /* IWYU pragma: export */
#include "sql/ast_query.h" /* IWYU pragma: export */
#include "sql/ast_stmt.h"  /* IWYU pragma: export */

#endif
