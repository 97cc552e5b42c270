/* SPDX-License-Identifier: Apache-2.0 */
/* Catalog objects as data, and the interface of a catalog. Descriptions are immutable once stored;
 * a change replaces. */
#ifndef WR_SPI_CATALOG_H
#define WR_SPI_CATALOG_H

#include "spi/options.h"

typedef enum wr_column_kind { WR_COL_PHYSICAL, WR_COL_METADATA, WR_COL_COMPUTED } wr_column_kind;

typedef struct wr_column {
    wr_str name;
    const wr_type *type; /* COMPUTED: derived when the table was made */
    uint8_t kind;        /* wr_column_kind */
    bool is_virtual;     /* METADATA: not written by INSERT */
    wr_str metadata_key; /* METADATA: key (the column's name if not given) */
    wr_str expr;         /* COMPUTED: canonical SQL text, as SHOW CREATE prints it */
    wr_str comment;      /* ptr NULL = none */
    wr_span span;
} wr_column;

typedef enum wr_table_kind { WR_TABLE_BASE, WR_TABLE_VIEW, WR_TABLE_MATERIALIZED } wr_table_kind;

typedef enum wr_refresh_status {
    WR_REFRESH_INITIALIZING, /* its first job has not been started */
    WR_REFRESH_ACTIVATED,
    WR_REFRESH_SUSPENDED
} wr_refresh_status;

typedef struct wr_refresh { /* MATERIALIZED: how the content is kept up to date */
    wr_str freshness;       /* as SHOW CREATE prints it: INTERVAL '30' SECOND */
    int64_t freshness_ms;   /* how old the content may be: the interval of checkpoints */
    bool full;              /* overwritten by a job every FRESHNESS, by the clock; else a job runs
                               all the time */
    uint8_t status;         /* wr_refresh_status */
    wr_str savepoint;       /* SUSPENDED: where its job goes on; empty: from the beginning */
} wr_refresh;

typedef struct wr_table_id {
    wr_str catalog, database, name;
} wr_table_id;

typedef struct wr_table_desc {
    wr_table_id id;
    uint8_t kind; /* wr_table_kind */
    bool temporary;
    const wr_column *columns;
    uint32_t column_count;
    wr_str watermark_column; /* empty = none; may be a computed column */
    wr_str watermark_expr;   /* canonical SQL text */
    const wr_str *primary_key;
    uint32_t primary_key_count;
    wr_str primary_key_name; /* constraint name; Flink's generated PK_... if not given */
    const wr_str *partition_keys;
    uint32_t partition_key_count;
    const wr_str *partitions; /* ALTER TABLE ADD PARTITION: "p=1/q=x" */
    uint32_t partition_count;
    wr_str distribution_kind; /* "", "HASH", "RANGE", "UNKNOWN" */
    const wr_str *distribution_columns;
    uint32_t distribution_column_count;
    int32_t bucket_count; /* -1 = not given */
    wr_options options;
    bool has_comment;
    wr_str comment;
    wr_str view_original, view_expanded; /* VIEW, MATERIALIZED: query text as written; canonical,
                                            fully qualified */
    wr_refresh refresh;
} wr_table_desc;

/* Physical + persisted metadata columns in the order a connector sees them; helper of catalog/. */
typedef struct wr_catalog wr_catalog; /* opaque instance */

typedef struct wr_database_desc {
    wr_str name, comment;
    wr_options options;
} wr_database_desc;

typedef struct wr_function_desc { /* CREATE FUNCTION: stored, not callable until there is a runtime
                                     for its language */
    wr_str name, class_name, language;
    bool temporary, system;
    wr_options options;
} wr_function_desc;

/* Pointers that `get` returns live until `trim` after a change, or `close`. Thread: session's. */
typedef struct wr_catalog_ops {
    uint32_t abi;
    const char *type; /* 'type' option: generic_in_memory, file, ... */
    wr_status (*open)(wr_ctx *ctx, wr_str name, const wr_options *options, wr_catalog **out);
    void (*close)(wr_catalog *c);
    wr_str (*default_database)(const wr_catalog *c);
    wr_status (*list_databases)(wr_ctx *ctx, wr_catalog *c, wr_arena *a, wr_str **names,
                                uint32_t *count);
    wr_status (*get_database)(wr_ctx *ctx, wr_catalog *c, wr_str db,
                              const wr_database_desc **out); /* NULL = none */
    wr_status (*create_database)(wr_ctx *ctx, wr_catalog *c, const wr_database_desc *db);
    wr_status (*alter_database)(wr_ctx *ctx, wr_catalog *c, const wr_database_desc *db);
    wr_status (*drop_database)(wr_ctx *ctx, wr_catalog *c, wr_str db);
    wr_status (*list_tables)(wr_ctx *ctx, wr_catalog *c, wr_str db, wr_arena *a, wr_str **names,
                             uint32_t *count);
    wr_status (*get_table)(wr_ctx *ctx, wr_catalog *c, wr_str db, wr_str name,
                           const wr_table_desc **out);                             /* NULL = none */
    wr_status (*create_table)(wr_ctx *ctx, wr_catalog *c, const wr_table_desc *t); /* copied */
    wr_status (*replace_table)(wr_ctx *ctx, wr_catalog *c,
                               const wr_table_desc *t); /* ALTER; copied */
    wr_status (*rename_table)(wr_ctx *ctx, wr_catalog *c, wr_str db, wr_str from, wr_str to);
    wr_status (*drop_table)(wr_ctx *ctx, wr_catalog *c, wr_str db, wr_str name);
    wr_status (*list_functions)(wr_ctx *ctx, wr_catalog *c, wr_str db, wr_arena *a, wr_str **names,
                                uint32_t *count);
    wr_status (*get_function)(wr_ctx *ctx, wr_catalog *c, wr_str db, wr_str name,
                              const wr_function_desc **out);
    wr_status (*put_function)(wr_ctx *ctx, wr_catalog *c, wr_str db, const wr_function_desc *f);
    wr_status (*drop_function)(wr_ctx *ctx, wr_catalog *c, wr_str db, wr_str name);
    /* Free descriptions that were replaced or dropped meanwhile: nobody holds one any more. */
    void (*trim)(wr_catalog *c);
    const wr_option_def *options; /* of CREATE CATALOG, beside 'type'; ends with key NULL */
} wr_catalog_ops;

#endif
