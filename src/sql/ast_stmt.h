/* SPDX-License-Identifier: Apache-2.0 */
/* The syntax tree of statements. Include sql/ast.h, never this file. A statement is one of the
 * kinds below or a query. `comment` is a LITERAL STRING or NULL everywhere. */
#ifndef WR_SQL_AST_STMT_H
#define WR_SQL_AST_STMT_H

#include "sql/ast.h"

/* ---- parts of DDL ---------------------------------------------------------------------------- */
struct wr_ast_column {
    wr_ast base;
    wr_ast_ident *path; /* nearly always one part */
    wr_sql_column_kind column;
    bool is_virtual;
    wr_sql_position position; /* ALTER TABLE ADD/MODIFY ... FIRST | AFTER c */
    wr_ast_type *type;        /* NOT NULL is type->nullability */
    wr_ast *expr;
    wr_ast *metadata_key;          /* LITERAL STRING or NULL */
    wr_ast_constraint *constraint; /* inline PRIMARY KEY / UNIQUE */
    wr_ast *comment;
    wr_ast_ident *after;
};
struct wr_ast_constraint {
    wr_ast base;
    wr_ast_part name;
    bool unique; /* UNIQUE instead of PRIMARY KEY */
    wr_sql_enforced enforced;
    wr_ast_parts columns; /* empty when inline */
};
struct wr_ast_watermark {
    wr_ast base;
    wr_ast_ident *column;
    wr_ast *expr;
};
struct wr_ast_distribution {
    wr_ast base;
    wr_sql_distribution what;
    wr_ast_parts columns;
    wr_ast *buckets; /* LITERAL INTEGER or NULL */
};
typedef struct wr_ast_like_option {
    wr_sql_like_mode mode;
    wr_sql_like_feature feature;
    wr_span span;
} wr_ast_like_option;
struct wr_ast_table_like {
    wr_ast base;
    wr_ast_ident *source;
    wr_ast_like_option *options;
    uint32_t option_count;
};
struct wr_ast_partition { /* PARTITION (k = v, k2); in ALTER TABLE ADD PARTITION also WITH (...) */
    wr_ast base;
    bool has_options;
    wr_ast_parts columns;
    wr_ast_list values; /* as many; NULL where no value is given */
    wr_ast_list options;
};
struct wr_ast_resource {
    wr_ast base;
    wr_sql_resource what;
    wr_ast *uri;
};
struct wr_ast_start_mode {
    wr_ast base;
    wr_sql_start what;
    wr_ast *value; /* the interval or timestamp in parentheses, or NULL */
};
struct wr_ast_assign {
    wr_ast base;
    wr_ast_part column;
    wr_ast *expr;
};

/* ---- CREATE ---------------------------------------------------------------------------------- */
struct wr_ast_create_table { /* also CREATE MATERIALIZED TABLE (materialized) */
    wr_ast base;
    bool temporary, if_not_exists;
    bool or_replace; /* CREATE OR REPLACE TABLE ... AS */
    bool replace;    /* REPLACE TABLE ... AS */
    bool materialized;
    bool or_alter;    /* CREATE OR ALTER MATERIALIZED TABLE */
    bool has_columns; /* a parenthesised list was written */
    bool has_options;
    wr_sql_refresh refresh;
    wr_ast_ident *name;
    wr_ast_list columns; /* COLUMN, in order */
    wr_ast_list
        constraints; /* CONSTRAINT written as table elements; inline ones stay in their COLUMN */
    wr_ast_watermark *watermark;
    wr_ast *comment;
    wr_ast_distribution *distribution;
    wr_ast_parts partitions; /* PARTITIONED BY */
    wr_ast_list options;     /* OPTION */
    wr_ast_table_like *like;
    wr_ast *query;     /* AS query */
    wr_ast *freshness; /* INTERVAL literal */
    wr_ast_start_mode *start_mode;
};
struct wr_ast_create_view {
    wr_ast base;
    bool temporary, or_replace, if_not_exists;
    wr_ast_ident *name;
    wr_ast_parts columns;
    wr_ast *comment;
    wr_ast *query;
};
struct wr_ast_create_function {
    wr_ast base;
    bool temporary, system, if_not_exists, has_options;
    wr_ast_ident *name;
    wr_ast *class_name; /* LITERAL STRING */
    wr_str language;    /* JAVA, SCALA, PYTHON, SQL in upper case; empty when absent */
    wr_ast_list resources;
    wr_ast_list options;
};
struct wr_ast_create_model {
    wr_ast base;
    bool temporary, if_not_exists, has_options;
    wr_ast_ident *name;
    wr_ast_list inputs, outputs; /* COLUMN */
    wr_ast *comment;
    wr_ast_list options;
    wr_ast *query;
};
struct wr_ast_create_object { /* CATALOG, DATABASE, CONNECTION */
    wr_ast base;
    wr_sql_object object;
    bool temporary, system, if_not_exists, has_options;
    wr_ast_ident *name;
    wr_ast *comment;
    wr_ast_list options;
};

/* ---- ALTER, DROP ----------------------------------------------------------------------------- */
struct wr_ast_alter {
    wr_ast base;
    wr_sql_object object;
    wr_sql_alter action; /* says which of the fields below count */
    bool temporary, system, if_exists, if_not_exists, part_if_exists, has_options;
    wr_sql_refresh refresh;
    wr_ast_ident *name;
    wr_ast_list columns, constraints;
    wr_ast_watermark *watermark;
    wr_ast_distribution *distribution;
    wr_ast_list partitions; /* PARTITION */
    wr_ast_list names;      /* IDENT */
    wr_ast_ident *new_name;
    wr_ast_list options, keys;
    wr_ast *comment, *query, *freshness, *class_name;
    wr_str language;
};
struct wr_ast_drop {
    wr_ast base;
    wr_sql_object object;
    wr_sql_drop behaviour;
    bool temporary, system, if_exists;
    wr_ast_ident *name;
};

/* ---- DML, jobs, plans ------------------------------------------------------------------------ */
struct wr_ast_insert {
    wr_ast base;
    bool overwrite, upsert, has_columns;
    wr_sql_conflict conflict;
    wr_span conflict_span;
    wr_ast_table_ref *target;    /* name, hints, extend */
    wr_ast_partition *partition; /* static values */
    wr_ast_list columns;         /* IDENT */
    wr_ast *query;
};
struct wr_ast_statement_set { /* STATEMENT SET BEGIN ...; END, below EXECUTE, EXPLAIN or COMPILE
                                 PLAN */
    wr_ast base;
    wr_ast_list inserts;
};
struct wr_ast_set_mark { /* BEGIN STATEMENT SET, and END, as statements of their own (the old form
                            in a script) */
    wr_ast base;
    bool end;
};
struct wr_ast_execute { /* EXECUTE {query | INSERT | STATEMENT SET ...} */
    wr_ast base;
    wr_ast *stmt;
};
#define WR_SQL_EXPLAIN_ESTIMATED_COST      1u
#define WR_SQL_EXPLAIN_CHANGELOG_MODE      2u
#define WR_SQL_EXPLAIN_JSON_EXECUTION_PLAN 4u
#define WR_SQL_EXPLAIN_PLAN_ADVICE         8u
struct wr_ast_explain {
    wr_ast base;
    uint32_t details; /* WR_SQL_EXPLAIN_* */
    wr_ast *upgrade;  /* LITERAL STRING of UPGRADE 'path' FOR (extension); NULL: none */
    wr_ast *stmt;     /* query, INSERT, STATEMENT_SET, EXECUTE, CREATE_TABLE ... AS */
};
/* COMPILE PLAN 'f' [IF NOT EXISTS] FOR stmt; EXECUTE PLAN 'f'; COMPILE AND EXECUTE PLAN 'f' FOR
 * stmt */
struct wr_ast_plan {
    wr_ast base;
    bool compile, execute, if_not_exists;
    wr_ast *path;
    wr_ast *stmt; /* INSERT or STATEMENT_SET; NULL for EXECUTE PLAN */
};
struct wr_ast_delete {
    wr_ast base;
    wr_ast_table_ref *target;
    wr_ast *where;
};
struct wr_ast_update {
    wr_ast base;
    wr_ast_table_ref *target;
    wr_ast_list assigns;
    wr_ast *where;
};
struct wr_ast_merge {
    wr_ast base;
    wr_ast_table_ref *target;
    wr_ast *source; /* a table */
    wr_ast *on;
    wr_ast_list assigns;        /* WHEN MATCHED THEN UPDATE SET; empty: no such clause */
    wr_ast_list insert_columns; /* IDENT */
    wr_ast *insert_values;      /* VALUES; NULL: no WHEN NOT MATCHED clause */
};
struct wr_ast_truncate {
    wr_ast base;
    wr_ast_ident *name;
};
struct wr_ast_call_procedure {
    wr_ast base;
    wr_ast *call;
};
struct wr_ast_analyze {
    wr_ast base;
    bool all_columns;
    wr_ast_ident *name;
    wr_ast_partition *partition;
    wr_ast_parts columns;
};

/* ---- session --------------------------------------------------------------------------------- */
struct wr_ast_use {
    wr_ast base;
    wr_sql_use what;
    wr_ast_ident *name; /* DATABASE, CATALOG */
    wr_ast_parts modules;
};
struct wr_ast_module {
    wr_ast base;
    bool unload, has_options;
    wr_ast_ident *name;
    wr_ast_list options;
};
struct wr_ast_set { /* SET, SET 'k' = 'v', RESET, RESET 'k' */
    wr_ast base;
    bool reset;
    wr_ast *key, *value; /* LITERAL STRING or NULL */
};
struct wr_ast_jar {
    wr_ast base;
    bool remove;
    wr_ast *path;
};
struct wr_ast_show {
    wr_ast base;
    wr_sql_show what;
    wr_sql_object object; /* of SHOW CREATE */
    wr_sql_prep prep;     /* FROM / IN */
    bool or_alter;        /* SHOW CREATE OR ALTER MATERIALIZED TABLE */
    bool not_like, ilike;
    wr_ast_ident *name; /* after FROM/IN; the object of COLUMNS, PARTITIONS, CREATE */
    wr_ast *pattern;    /* LITERAL STRING of LIKE/ILIKE, or NULL */
    wr_ast_partition *partition;
    wr_ast *job; /* LITERAL STRING or number: SHOW CHECKPOINTS or METRICS FOR JOB, WATERMARKS,
                    extensions */
};
struct wr_ast_describe {
    wr_ast base;
    wr_sql_object
        object; /* TABLE (also for views), CATALOG, DATABASE, FUNCTION, MODEL, CONNECTION, JOB */
    bool extended;
    wr_ast_ident *name;
    wr_ast *job;  /* LITERAL STRING */
    wr_ast *file; /* LITERAL STRING: DESCRIBE 'a.csv', an extension */
};
struct wr_ast_stop_job {
    wr_ast base;
    bool with_savepoint, with_drain;
    wr_ast *job;
};
struct wr_ast_savepoint { /* CREATE SAVEPOINT FOR JOB, an extension */
    wr_ast base;
    wr_ast *job; /* LITERAL STRING or number */
    wr_ast *dir; /* LITERAL STRING, or NULL */
};

#endif
