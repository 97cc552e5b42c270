/* SPDX-License-Identifier: Apache-2.0 */
/* The small enumerations of queries and statements. Include sql/ast.h, never this file. */
#ifndef WR_SQL_AST_WORDS_H
#define WR_SQL_AST_WORDS_H

/* ---- queries --------------------------------------------------------------------------------- */
typedef enum wr_sql_setop {
    WR_SQL_SETOP_UNION,
    WR_SQL_SETOP_INTERSECT,
    WR_SQL_SETOP_EXCEPT
} wr_sql_setop;
typedef enum wr_sql_grouping {
    WR_SQL_GROUPING_SETS,
    WR_SQL_GROUPING_ROLLUP,
    WR_SQL_GROUPING_CUBE
} wr_sql_grouping;
typedef enum wr_sql_direction { WR_SQL_DIR_ASC, WR_SQL_DIR_DESC } wr_sql_direction;
typedef enum wr_sql_nulls { WR_SQL_NULLS_NONE, WR_SQL_NULLS_FIRST, WR_SQL_NULLS_LAST } wr_sql_nulls;
typedef enum wr_sql_frame { WR_SQL_FRAME_NONE, WR_SQL_FRAME_ROWS, WR_SQL_FRAME_RANGE } wr_sql_frame;
typedef enum wr_sql_bound {
    WR_SQL_BOUND_NONE,
    WR_SQL_BOUND_UNBOUNDED_PRECEDING,
    WR_SQL_BOUND_PRECEDING, /* expr */
    WR_SQL_BOUND_CURRENT_ROW,
    WR_SQL_BOUND_FOLLOWING, /* expr */
    WR_SQL_BOUND_UNBOUNDED_FOLLOWING,
} wr_sql_bound;
typedef enum wr_sql_sample {
    WR_SQL_SAMPLE_NONE,
    WR_SQL_SAMPLE_BERNOULLI,
    WR_SQL_SAMPLE_SYSTEM,
    WR_SQL_SAMPLE_SUBSTITUTE
} wr_sql_sample;
typedef enum wr_sql_join {
    WR_SQL_JOIN_COMMA,
    WR_SQL_JOIN_CROSS,
    WR_SQL_JOIN_INNER,
    WR_SQL_JOIN_LEFT,
    WR_SQL_JOIN_RIGHT,
    WR_SQL_JOIN_FULL,
} wr_sql_join;
typedef enum wr_sql_pattern {
    WR_SQL_PATTERN_VAR,       /* name */
    WR_SQL_PATTERN_CONCAT,    /* items */
    WR_SQL_PATTERN_ALTERNATE, /* items */
    WR_SQL_PATTERN_GROUP,     /* items[0] in parentheses */
    WR_SQL_PATTERN_REPEAT,    /* items[0] {min,max}; max -1 = unbounded; reluctant */
    WR_SQL_PATTERN_EXCLUDE,   /* {- items[0] -} */
    WR_SQL_PATTERN_PERMUTE,   /* items */
} wr_sql_pattern;
typedef enum wr_sql_after_match {
    WR_SQL_AFTER_NONE,
    WR_SQL_AFTER_NEXT_ROW,
    WR_SQL_AFTER_PAST_LAST_ROW,
    WR_SQL_AFTER_FIRST, /* TO FIRST v */
    WR_SQL_AFTER_LAST,  /* TO LAST v, TO v */
} wr_sql_after_match;
typedef enum wr_sql_rows_per_match {
    WR_SQL_ROWS_NONE,
    WR_SQL_ROWS_ONE,
    WR_SQL_ROWS_ALL
} wr_sql_rows_per_match;

/* ---- statements ------------------------------------------------------------------------------ */
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
typedef enum wr_sql_enforced {
    WR_SQL_ENFORCED_UNSET,
    WR_SQL_ENFORCED_YES,
    WR_SQL_ENFORCED_NO
} wr_sql_enforced;
typedef enum wr_sql_distribution {
    WR_SQL_DISTRIBUTION_UNSET,
    WR_SQL_DISTRIBUTION_HASH,
    WR_SQL_DISTRIBUTION_RANGE
} wr_sql_distribution;
typedef enum wr_sql_like_mode {
    WR_SQL_LIKE_INCLUDING,
    WR_SQL_LIKE_EXCLUDING,
    WR_SQL_LIKE_OVERWRITING
} wr_sql_like_mode;
#define WR_SQL_LIKE_FEATURE_MAP(X)                                                                 \
    X(ALL)                                                                                         \
    X(CONSTRAINTS)                                                                                 \
    X(DISTRIBUTION)                                                                                \
    X(GENERATED)                                                                                   \
    X(METADATA)                                                                                    \
    X(OPTIONS)                                                                                     \
    X(PARTITIONS)                                                                                  \
    X(WATERMARKS)
typedef enum wr_sql_like_feature {
#define X(name) WR_SQL_LIKE_##name,
    WR_SQL_LIKE_FEATURE_MAP(X)
#undef X
        WR_SQL_LIKE_FEATURE_COUNT
} wr_sql_like_feature;
typedef enum wr_sql_resource { WR_SQL_RESOURCE_JAR, WR_SQL_RESOURCE_ARTIFACT } wr_sql_resource;
#define WR_SQL_START_MAP(X)                                                                        \
    X(FROM_BEGINNING)                                                                              \
    X(FROM_NOW)                                                                                    \
    X(FROM_TIMESTAMP)                                                                              \
    X(RESUME_OR_FROM_BEGINNING)                                                                    \
    X(RESUME_OR_FROM_NOW)                                                                          \
    X(RESUME_OR_FROM_TIMESTAMP)
typedef enum wr_sql_start {
#define X(name) WR_SQL_START_##name,
    WR_SQL_START_MAP(X)
#undef X
        WR_SQL_START_COUNT
} wr_sql_start;
typedef enum wr_sql_refresh {
    WR_SQL_REFRESH_UNSET,
    WR_SQL_REFRESH_CONTINUOUS,
    WR_SQL_REFRESH_FULL
} wr_sql_refresh;

/* What a CREATE, ALTER, DROP, SHOW CREATE or DESCRIBE is about: X(NAME, "SQL"). */
#define WR_SQL_OBJECT_MAP(X)                                                                       \
    X(CATALOG, "CATALOG")                                                                          \
    X(DATABASE, "DATABASE")                                                                        \
    X(TABLE, "TABLE")                                                                              \
    X(VIEW, "VIEW")                                                                                \
    X(MATERIALIZED_TABLE, "MATERIALIZED TABLE")                                                    \
    X(FUNCTION, "FUNCTION")                                                                        \
    X(MODEL, "MODEL")                                                                              \
    X(CONNECTION, "CONNECTION")                                                                    \
    X(JOB, "JOB")
typedef enum wr_sql_object {
#define X(name, sql) WR_SQL_OBJECT_##name,
    WR_SQL_OBJECT_MAP(X)
#undef X
        WR_SQL_OBJECT_COUNT
} wr_sql_object;
const char *wr_sql_object_name(wr_sql_object object); /* "MATERIALIZED TABLE" */

typedef enum wr_sql_alter {
    WR_SQL_ALTER_ADD,            /* columns, constraints, watermarks; or distribution */
    WR_SQL_ALTER_MODIFY,         /* the same */
    WR_SQL_ALTER_ADD_PARTITION,  /* partitions, if_not_exists */
    WR_SQL_ALTER_DROP_PARTITION, /* partitions, part_if_exists */
    WR_SQL_ALTER_DROP_COLUMNS,   /* names */
    WR_SQL_ALTER_DROP_PRIMARY_KEY,
    WR_SQL_ALTER_DROP_CONSTRAINT, /* names[0] */
    WR_SQL_ALTER_DROP_WATERMARK,
    WR_SQL_ALTER_DROP_DISTRIBUTION,
    WR_SQL_ALTER_RENAME_COLUMN,    /* names[0], new_name */
    WR_SQL_ALTER_RENAME,           /* new_name */
    WR_SQL_ALTER_SET,              /* options */
    WR_SQL_ALTER_RESET,            /* keys: LITERAL STRING */
    WR_SQL_ALTER_COMMENT,          /* catalog: comment */
    WR_SQL_ALTER_AS,               /* view, materialized table: query */
    WR_SQL_ALTER_CLASS,            /* function: class_name, language */
    WR_SQL_ALTER_SUSPEND,          /* materialized table; the rest as well */
    WR_SQL_ALTER_RESUME,           /* options */
    WR_SQL_ALTER_REFRESH,          /* partitions[0] or none */
    WR_SQL_ALTER_SET_FRESHNESS,    /* freshness */
    WR_SQL_ALTER_SET_REFRESH_MODE, /* refresh */
    WR_SQL_ALTER_COUNT
} wr_sql_alter;
typedef enum wr_sql_drop {
    WR_SQL_DROP_UNSET,
    WR_SQL_DROP_RESTRICT,
    WR_SQL_DROP_CASCADE
} wr_sql_drop;
typedef enum wr_sql_conflict {
    WR_SQL_CONFLICT_UNSET,
    WR_SQL_CONFLICT_NOTHING,
    WR_SQL_CONFLICT_ERROR,
    WR_SQL_CONFLICT_DEDUPLICATE
} wr_sql_conflict;
typedef enum wr_sql_use { WR_SQL_USE_DATABASE, WR_SQL_USE_CATALOG, WR_SQL_USE_MODULES } wr_sql_use;
#define WR_SQL_SHOW_MAP(X)                                                                         \
    X(CATALOGS, "CATALOGS")                                                                        \
    X(CURRENT_CATALOG, "CURRENT CATALOG")                                                          \
    X(DATABASES, "DATABASES")                                                                      \
    X(CURRENT_DATABASE, "CURRENT DATABASE")                                                        \
    X(TABLES, "TABLES")                                                                            \
    X(VIEWS, "VIEWS")                                                                              \
    X(MATERIALIZED_TABLES, "MATERIALIZED TABLES")                                                  \
    X(COLUMNS, "COLUMNS")                                                                          \
    X(PARTITIONS, "PARTITIONS")                                                                    \
    X(FUNCTIONS, "FUNCTIONS")                                                                      \
    X(USER_FUNCTIONS, "USER FUNCTIONS")                                                            \
    X(PROCEDURES, "PROCEDURES")                                                                    \
    X(MODULES, "MODULES")                                                                          \
    X(FULL_MODULES, "FULL MODULES")                                                                \
    X(MODELS, "MODELS")                                                                            \
    X(CONNECTIONS, "CONNECTIONS")                                                                  \
    X(CHECKPOINTS, "CHECKPOINTS FOR JOB")                                                          \
    X(METRICS, "METRICS FOR JOB")                                                                  \
    X(WATERMARKS, "WATERMARKS")                                                                    \
    X(JOBS, "JOBS")                                                                                \
    X(JARS, "JARS")                                                                                \
    X(CREATE, "CREATE")
typedef enum wr_sql_show {
#define X(name, sql) WR_SQL_SHOW_##name,
    WR_SQL_SHOW_MAP(X)
#undef X
        WR_SQL_SHOW_COUNT
} wr_sql_show;
const char *wr_sql_show_name(wr_sql_show show); /* "CURRENT CATALOG" */
typedef enum wr_sql_prep { WR_SQL_PREP_NONE, WR_SQL_PREP_FROM, WR_SQL_PREP_IN } wr_sql_prep;

#endif
