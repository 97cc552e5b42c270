/* SPDX-License-Identifier: Apache-2.0 */
/* The syntax tree of statements. Include sql/ast.h, never this file. A statement is one of the
 * kinds below or a query. */
#ifndef WR_SQL_AST_STMT_H
#define WR_SQL_AST_STMT_H

#include "sql/ast.h"

/* ---- parts of DDL
 * ------------------------------------------------------------------------------------------------
 */
typedef enum wr_sql_column_kind {
    WR_SQL_COLUMN_NAME,     /* CTAS: a bare name */
    WR_SQL_COLUMN_PHYSICAL, /* type */
    WR_SQL_COLUMN_COMPUTED, /* expr */
    WR_SQL_COLUMN_METADATA, /* type, metadata_key, is_virtual */
} wr_sql_column_kind;
typedef enum wr_sql_position {
    WR_SQL_POSITION_NONE,
    WR_SQL_POSITION_FIRST,
    WR_SQL_POSITION_AFTER
} wr_sql_position;
struct wr_ast_column {
    wr_ast base;
    wr_ast_part name;
    wr_ast_ident *path; /* ALTER: nested column a.b, else NULL */
    wr_sql_column_kind column;
    wr_ast_type *type;
    wr_ast *expr;
    wr_ast *metadata_key; /* LITERAL STRING or NULL */
    bool is_virtual;
    wr_ast_constraint *constraint; /* inline PRIMARY KEY / UNIQUE */
    wr_ast *comment;               /* LITERAL STRING or NULL; everywhere below as well */
    wr_sql_position position;      /* ALTER TABLE ADD/MODIFY ... FIRST | AFTER c */
    wr_ast_ident *after;
};
typedef enum wr_sql_enforced {
    WR_SQL_ENFORCED_UNSET,
    WR_SQL_ENFORCED_YES,
    WR_SQL_ENFORCED_NO
} wr_sql_enforced;
struct wr_ast_constraint {
    wr_ast base;
    wr_ast_part name;
    bool unique;          /* UNIQUE instead of PRIMARY KEY */
    wr_ast_parts columns; /* empty when inline */
    wr_sql_enforced enforced;
};
struct wr_ast_watermark {
    wr_ast base;
    wr_ast_ident *column;
    wr_ast *expr;
};
typedef enum wr_sql_distribution {
    WR_SQL_DISTRIBUTION_UNSET,
    WR_SQL_DISTRIBUTION_HASH,
    WR_SQL_DISTRIBUTION_RANGE
} wr_sql_distribution;
struct wr_ast_distribution {
    wr_ast base;
    wr_sql_distribution what;
    wr_ast_parts columns;
    wr_ast *buckets; /* LITERAL INTEGER or NULL */
};
typedef enum wr_sql_like_mode {
    WR_SQL_LIKE_INCLUDING,
    WR_SQL_LIKE_EXCLUDING,
    WR_SQL_LIKE_OVERWRITING
} wr_sql_like_mode;
typedef enum wr_sql_like_feature {
    WR_SQL_LIKE_ALL,
    WR_SQL_LIKE_CONSTRAINTS,
    WR_SQL_LIKE_DISTRIBUTION,
    WR_SQL_LIKE_GENERATED,
    WR_SQL_LIKE_METADATA,
    WR_SQL_LIKE_OPTIONS,
    WR_SQL_LIKE_PARTITIONS,
    WR_SQL_LIKE_WATERMARKS,
    WR_SQL_LIKE_FEATURE_COUNT
} wr_sql_like_feature;
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
    wr_ast_parts columns;
    wr_ast_list values; /* as many; NULL items where no value is given */
    wr_ast_list options;
    bool has_options;
};
typedef enum wr_sql_resource {
    WR_SQL_RESOURCE_JAR,
    WR_SQL_RESOURCE_ARTIFACT,
    WR_SQL_RESOURCE_FILE,
    WR_SQL_RESOURCE_ARCHIVE
} wr_sql_resource;
struct wr_ast_resource {
    wr_ast base;
    wr_sql_resource what;
    wr_ast *uri;
};
typedef enum wr_sql_start {
    WR_SQL_START_FROM_BEGINNING,
    WR_SQL_START_FROM_NOW,
    WR_SQL_START_FROM_TIMESTAMP,
    WR_SQL_START_RESUME_OR_FROM_BEGINNING,
    WR_SQL_START_RESUME_OR_FROM_NOW,
    WR_SQL_START_RESUME_OR_FROM_TIMESTAMP,
    WR_SQL_START_COUNT
} wr_sql_start;
struct wr_ast_start_mode {
    wr_ast base;
    wr_sql_start what;
    wr_ast *value; /* the interval or timestamp in parentheses, or NULL */
};
typedef enum wr_sql_refresh {
    WR_SQL_REFRESH_UNSET,
    WR_SQL_REFRESH_CONTINUOUS,
    WR_SQL_REFRESH_FULL
} wr_sql_refresh;

/* What a CREATE, ALTER, DROP, SHOW CREATE or DESCRIBE is about. */
typedef enum wr_sql_object {
    WR_SQL_OBJECT_CATALOG,
    WR_SQL_OBJECT_DATABASE,
    WR_SQL_OBJECT_TABLE,
    WR_SQL_OBJECT_VIEW,
    WR_SQL_OBJECT_MATERIALIZED_TABLE,
    WR_SQL_OBJECT_FUNCTION,
    WR_SQL_OBJECT_MODEL,
    WR_SQL_OBJECT_CONNECTION,
    WR_SQL_OBJECT_JOB,
    WR_SQL_OBJECT_MODULE,
    WR_SQL_OBJECT_COUNT
} wr_sql_object;
const char *wr_sql_object_name(wr_sql_object o); /* "MATERIALIZED TABLE" */

/* ---- CREATE
 * --------------------------------------------------------------------------------------------------------
 */
struct wr_ast_create_table { /* also CREATE MATERIALIZED TABLE (materialized) */
    wr_ast base;
    bool temporary, if_not_exists;
    bool or_replace; /* CREATE OR REPLACE TABLE ... AS */
    bool replace;    /* REPLACE TABLE ... AS */
    bool materialized;
    bool or_alter;    /* CREATE OR ALTER MATERIALIZED TABLE */
    bool has_columns; /* a parenthesised list was written */
    wr_ast_ident *name;
    wr_ast_list columns; /* COLUMN, in order */
    wr_ast_list
        constraints; /* CONSTRAINT written as table elements; inline ones stay in their COLUMN */
    wr_ast_list watermarks; /* WATERMARK; more than one is the binder's error */
    wr_ast *comment;
    wr_ast_distribution *distribution;
    bool has_partitions;
    wr_ast_parts partitions;
    bool has_options;
    wr_ast_list options; /* OPTION */
    wr_ast_table_like *like;
    wr_ast *query;     /* AS query */
    wr_ast *freshness; /* INTERVAL literal */
    wr_sql_refresh refresh;
    wr_ast_start_mode *start_mode;
};
struct wr_ast_create_view {
    wr_ast base;
    bool temporary, or_replace, if_not_exists;
    wr_ast_ident *name;
    wr_ast_list columns; /* COLUMN (NAME, with comment) */
    wr_ast *comment;
    wr_ast_list options; /* WITH (...): parsed as Flink does */
    wr_ast *query;
};
struct wr_ast_create_function {
    wr_ast base;
    bool temporary, system, if_not_exists;
    wr_ast_ident *name;
    wr_ast *class_name; /* LITERAL STRING */
    wr_str language;    /* JAVA, SCALA, PYTHON as written; empty when absent */
    wr_ast_list resources;
    bool has_options;
    wr_ast_list options;
};
struct wr_ast_create_model {
    wr_ast base;
    bool temporary, if_not_exists, or_replace;
    wr_ast_ident *name;
    wr_ast_list inputs, outputs; /* COLUMN */
    bool has_inputs, has_outputs;
    wr_ast *comment;
    bool has_options;
    wr_ast_list options;
    wr_ast *query;
};
struct wr_ast_create_object { /* CATALOG, DATABASE, CONNECTION */
    wr_ast base;
    wr_sql_object object;
    bool temporary, system, if_not_exists;
    wr_ast_ident *name;
    wr_ast *comment;
    bool has_options;
    wr_ast_list options;
};

/* ---- ALTER, DROP
 * ------------------------------------------------------------------------------------------------------
 */
typedef enum wr_sql_alter {
    WR_SQL_ALTER_ADD,            /* columns, constraints, watermarks, distribution */
    WR_SQL_ALTER_MODIFY,         /* the same */
    WR_SQL_ALTER_ADD_PARTITION,  /* partitions, if_not_exists */
    WR_SQL_ALTER_DROP_PARTITION, /* partitions, part_if_exists */
    WR_SQL_ALTER_DROP_COLUMNS,   /* names */
    WR_SQL_ALTER_DROP_PRIMARY_KEY,
    WR_SQL_ALTER_DROP_CONSTRAINT, /* names[0] */
    WR_SQL_ALTER_DROP_WATERMARK,
    WR_SQL_ALTER_DROP_DISTRIBUTION,
    WR_SQL_ALTER_RENAME_COLUMN, /* names[0], new_name */
    WR_SQL_ALTER_RENAME,        /* new_name */
    WR_SQL_ALTER_SET,           /* options */
    WR_SQL_ALTER_RESET,         /* keys: LITERAL STRING */
    WR_SQL_ALTER_COMMENT,       /* comment */
    WR_SQL_ALTER_AS,            /* query (view, materialized table), start_mode */
    WR_SQL_ALTER_CLASS,         /* function: class_name, language */
    WR_SQL_ALTER_SUSPEND,
    WR_SQL_ALTER_RESUME,           /* options */
    WR_SQL_ALTER_REFRESH,          /* partitions[0] or none */
    WR_SQL_ALTER_SET_FRESHNESS,    /* freshness */
    WR_SQL_ALTER_SET_REFRESH_MODE, /* refresh */
    WR_SQL_ALTER_RESET_REFRESH_MODE,
    WR_SQL_ALTER_COMPACT, /* ALTER TABLE t [PARTITION (..)] COMPACT */
    WR_SQL_ALTER_COUNT
} wr_sql_alter;
struct wr_ast_alter {
    wr_ast base;
    wr_sql_object object;
    bool temporary, system, if_exists;
    wr_ast_ident *name;
    wr_sql_alter action;
    bool parens; /* ADD ( ... ), DROP ( ... ) */
    bool if_not_exists, part_if_exists;
    wr_ast_list columns, constraints, watermarks;
    wr_ast_distribution *distribution;
    wr_ast_list partitions; /* PARTITION */
    wr_ast_list names;      /* IDENT */
    wr_ast_ident *new_name;
    wr_ast_list options, keys;
    bool has_options;
    wr_ast *comment, *query, *freshness, *class_name;
    wr_str language;
    wr_sql_refresh refresh;
    wr_ast_start_mode *start_mode;
};
typedef enum wr_sql_drop_behaviour {
    WR_SQL_DROP_UNSET,
    WR_SQL_DROP_RESTRICT,
    WR_SQL_DROP_CASCADE
} wr_sql_drop_behaviour;
struct wr_ast_drop {
    wr_ast base;
    wr_sql_object object;
    bool temporary, system, if_exists;
    wr_ast_ident *name;
    wr_sql_drop_behaviour behaviour;
};

/* ---- DML, jobs, plans
 * ---------------------------------------------------------------------------------------------------
 */
typedef enum wr_sql_conflict {
    WR_SQL_CONFLICT_UNSET,
    WR_SQL_CONFLICT_NOTHING,
    WR_SQL_CONFLICT_ERROR,
    WR_SQL_CONFLICT_DEDUPLICATE
} wr_sql_conflict;
struct wr_ast_insert {
    wr_ast base;
    bool overwrite, upsert;
    wr_ast_table_ref *target;    /* name, hints, extend */
    wr_ast_partition *partition; /* static values; columns without value are dynamic */
    wr_ast_list columns;         /* IDENT */
    bool has_columns;
    wr_ast *query;
    wr_sql_conflict conflict;
    wr_span conflict_span;
};
struct wr_ast_statement_set { /* STATEMENT SET BEGIN ...; END */
    wr_ast base;
    wr_ast_list inserts;
    bool legacy; /* BEGIN STATEMENT SET; ... END */
};
struct wr_ast_set_mark { /* BEGIN STATEMENT SET, and END, as statements of their own (old form in a
                            script) */
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
    bool plan_for;    /* EXPLAIN PLAN FOR */
    uint32_t details; /* WR_SQL_EXPLAIN_* */
    wr_ast *stmt;     /* query, INSERT, STATEMENT_SET, DELETE, UPDATE, CREATE_TABLE ... AS */
};
struct wr_ast_plan { /* COMPILE PLAN 'f' [IF NOT EXISTS] FOR stmt; EXECUTE PLAN 'f'; COMPILE AND
                        EXECUTE PLAN 'f' FOR stmt */
    wr_ast base;
    bool compile, execute, if_not_exists;
    wr_ast *path;
    wr_ast *stmt; /* INSERT or STATEMENT_SET; NULL for EXECUTE PLAN */
};
struct wr_ast_assign {
    wr_ast base;
    wr_ast_ident *column;
    wr_ast *expr;
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
    bool has_update, has_insert;
    wr_ast_list assigns;        /* WHEN MATCHED THEN UPDATE SET */
    wr_ast_list insert_columns; /* IDENT */
    wr_ast *insert_values;      /* VALUES */
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
    wr_ast_ident *name;
    wr_ast_partition *partition;
    wr_ast_parts columns;
    bool all_columns;
};

/* ---- session
 * -------------------------------------------------------------------------------------------------------------
 */
typedef enum wr_sql_use { WR_SQL_USE_DATABASE, WR_SQL_USE_CATALOG, WR_SQL_USE_MODULES } wr_sql_use;
struct wr_ast_use {
    wr_ast base;
    wr_sql_use what;
    wr_ast_ident *name; /* DATABASE, CATALOG */
    wr_ast_parts modules;
};
struct wr_ast_module {
    wr_ast base;
    bool unload;
    wr_ast_ident *name;
    bool has_options;
    wr_ast_list options;
};
struct wr_ast_set { /* SET, SET 'k' = 'v', RESET, RESET 'k'; also SET k = v in the client's loose
                       form */
    wr_ast base;
    bool reset;
    wr_ast *key, *value; /* LITERAL STRING or NULL */
};
struct wr_ast_jar {
    wr_ast base;
    bool remove;
    wr_ast *path;
};
typedef enum wr_sql_show {
    WR_SQL_SHOW_CATALOGS,
    WR_SQL_SHOW_CURRENT_CATALOG,
    WR_SQL_SHOW_DATABASES,
    WR_SQL_SHOW_CURRENT_DATABASE,
    WR_SQL_SHOW_TABLES,
    WR_SQL_SHOW_VIEWS,
    WR_SQL_SHOW_MATERIALIZED_TABLES,
    WR_SQL_SHOW_COLUMNS,
    WR_SQL_SHOW_PARTITIONS,
    WR_SQL_SHOW_FUNCTIONS,
    WR_SQL_SHOW_USER_FUNCTIONS,
    WR_SQL_SHOW_PROCEDURES,
    WR_SQL_SHOW_MODULES,
    WR_SQL_SHOW_FULL_MODULES,
    WR_SQL_SHOW_MODELS,
    WR_SQL_SHOW_CONNECTIONS,
    WR_SQL_SHOW_JOBS,
    WR_SQL_SHOW_JARS,
    WR_SQL_SHOW_CREATE,
    WR_SQL_SHOW_COUNT
} wr_sql_show;
const char *wr_sql_show_name(wr_sql_show s); /* "CURRENT CATALOG" */
typedef enum wr_sql_prep { WR_SQL_PREP_NONE, WR_SQL_PREP_FROM, WR_SQL_PREP_IN } wr_sql_prep;
struct wr_ast_show {
    wr_ast base;
    wr_sql_show what;
    wr_sql_object object; /* of SHOW CREATE */
    bool or_alter;        /* SHOW CREATE OR ALTER MATERIALIZED TABLE */
    wr_sql_prep prep;     /* FROM / IN */
    wr_ast_ident *name;   /* after FROM/IN; the object of COLUMNS, PARTITIONS, CREATE */
    bool has_like, not_like, ilike;
    wr_ast *pattern; /* LITERAL STRING */
    wr_ast_partition *partition;
};
struct wr_ast_describe {
    wr_ast base;
    wr_sql_object
        object; /* TABLE (also for views), CATALOG, DATABASE, FUNCTION, MODEL, CONNECTION, JOB */
    bool extended;
    wr_ast_ident *name;
    wr_ast *job; /* LITERAL STRING */
};
struct wr_ast_stop_job {
    wr_ast base;
    wr_ast *job;
    bool with_savepoint, with_drain;
};

#endif
