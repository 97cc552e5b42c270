/* SPDX-License-Identifier: Apache-2.0 */
/* Catalogs of a session: name resolution, temporary objects, current catalog and database, session
 * options, and the SHOW and DESCRIBE forms. Catalog implementations (generic_in_memory, file)
 * implement spi/catalog.h.
 *
 * Threads: one session is used by one thread at a time. */
#ifndef WR_CATALOG_CATALOG_H
#define WR_CATALOG_CATALOG_H

#include "spi/catalog.h"

bool wr_catalog_register(void); /* put generic_in_memory and file into the registry */

typedef struct wr_catalogs wr_catalogs;
/* default_catalog with default_database, in memory, or kept in files below `data_dir` when that is
 * not empty. */
wr_status wr_catalogs_create(wr_ctx *ctx, wr_str data_dir, wr_catalogs **out) WR_MUST_USE;
void wr_catalogs_destroy(wr_catalogs *cats);

/* ---- names ----------------------------------------------------------------------------------- */
wr_str wr_catalogs_current_catalog(const wr_catalogs *cats);
wr_str wr_catalogs_current_database(const wr_catalogs *cats);
wr_status wr_catalogs_use_catalog(wr_ctx *ctx, wr_catalogs *cats, wr_str name) WR_MUST_USE;
wr_status wr_catalogs_use_database(wr_ctx *ctx, wr_catalogs *cats, wr_str catalog,
                                   wr_str database) WR_MUST_USE;
/* 1 to 3 parts to a full identifier, by the current catalog and database. Nothing need exist. */
wr_status wr_catalogs_qualify(wr_ctx *ctx, const wr_catalogs *cats, const wr_str *parts,
                              uint32_t count, wr_span span, wr_table_id *out) WR_MUST_USE;
/* Temporary objects first. *out NULL = none of that name (then wr_catalogs_candidates adds near
 * names). Borrowed until the catalog changes. */
wr_status wr_catalogs_find_table(wr_ctx *ctx, wr_catalogs *cats, const wr_table_id *id,
                                 const wr_table_desc **out) WR_MUST_USE;
void wr_catalogs_candidates(wr_ctx *ctx, wr_catalogs *cats, const wr_table_id *id);
/* The table that DROP and ALTER without TEMPORARY mean. *out NULL = none. */
wr_status wr_catalogs_find_permanent(wr_ctx *ctx, wr_catalogs *cats, const wr_table_id *id,
                                     const wr_table_desc **out) WR_MUST_USE;
/* Free descriptions that were replaced or dropped. Call when no statement and no job holds one. */
void wr_catalogs_trim(wr_catalogs *cats);

/* ---- listing: sorted names, copied into the arena -------------------------------------------- */
wr_status wr_catalogs_list_catalogs(wr_ctx *ctx, wr_catalogs *cats, wr_arena *a, wr_str **names,
                                    uint32_t *count) WR_MUST_USE;
/* "Catalog x does not exist" when there is none. */
wr_status wr_catalogs_list_databases(wr_ctx *ctx, wr_catalogs *cats, wr_str catalog, wr_arena *a,
                                     wr_str **names, uint32_t *count) WR_MUST_USE;
typedef enum wr_list_what {
    WR_LIST_TABLES, /* of every kind */
    WR_LIST_VIEWS,
    WR_LIST_MATERIALIZED
} wr_list_what;
/* Permanent and temporary; "Database 'c'.'d' doesn't exist." when there is none. */
wr_status wr_catalogs_list_tables(wr_ctx *ctx, wr_catalogs *cats, wr_str catalog, wr_str database,
                                  wr_list_what what, wr_arena *a, wr_str **names,
                                  uint32_t *count) WR_MUST_USE;
wr_status wr_catalogs_get_database(wr_ctx *ctx, wr_catalogs *cats, wr_str catalog, wr_str database,
                                   const wr_database_desc **out) WR_MUST_USE; /* NULL = none */
typedef struct wr_catalog_info { /* borrowed until the catalog is altered or dropped */
    const wr_options *options;   /* 'type' among them */
    bool has_comment;
    wr_str comment;
} wr_catalog_info;
/* "Cannot obtain metadata information from Catalog x." when there is none, or for the built-in one.
 */
wr_status wr_catalogs_get_info(wr_ctx *ctx, wr_catalogs *cats, wr_str name,
                               wr_catalog_info *out) WR_MUST_USE;

/* ---- changing -------------------------------------------------------------------------------- */
/* Temporary or permanent as the description says. `exists_ok`: IF NOT EXISTS. Texts as Flink's. */
wr_status wr_catalogs_create_table(wr_ctx *ctx, wr_catalogs *cats, const wr_table_desc *t,
                                   bool exists_ok) WR_MUST_USE;
wr_status wr_catalogs_replace_table(wr_ctx *ctx, wr_catalogs *cats,
                                    const wr_table_desc *t) WR_MUST_USE; /* ALTER */
wr_status wr_catalogs_rename_table(wr_ctx *ctx, wr_catalogs *cats, const wr_table_id *from,
                                   wr_str to) WR_MUST_USE;
wr_status wr_catalogs_drop_table(wr_ctx *ctx, wr_catalogs *cats, const wr_table_id *id,
                                 wr_table_kind kind, bool temporary, bool absent_ok) WR_MUST_USE;
wr_status wr_catalogs_create_database(wr_ctx *ctx, wr_catalogs *cats, wr_str catalog,
                                      const wr_database_desc *db, bool exists_ok) WR_MUST_USE;
wr_status wr_catalogs_alter_database(wr_ctx *ctx, wr_catalogs *cats, wr_str catalog,
                                     const wr_database_desc *db) WR_MUST_USE;
wr_status wr_catalogs_drop_database(wr_ctx *ctx, wr_catalogs *cats, wr_str catalog, wr_str database,
                                    bool absent_ok, bool cascade) WR_MUST_USE;
/* comment.ptr NULL: none. */
wr_status wr_catalogs_create_catalog(wr_ctx *ctx, wr_catalogs *cats, wr_str name,
                                     const wr_options *options, wr_str comment,
                                     bool exists_ok) WR_MUST_USE;
/* The whole set of options as it shall be; the objects of the catalog stay. */
wr_status wr_catalogs_alter_catalog(wr_ctx *ctx, wr_catalogs *cats, wr_str name,
                                    const wr_options *options, wr_str comment) WR_MUST_USE;
wr_status wr_catalogs_drop_catalog(wr_ctx *ctx, wr_catalogs *cats, wr_str name,
                                   bool absent_ok) WR_MUST_USE;

/* ---- functions of users: stored, listed, not callable yet ------------------------------------ */
typedef struct wr_function_id {
    wr_str catalog, database, name; /* catalog and database empty: system function */
} wr_function_id;
wr_status wr_catalogs_create_function(wr_ctx *ctx, wr_catalogs *cats, const wr_function_id *id,
                                      const wr_function_desc *f, bool exists_ok) WR_MUST_USE;
wr_status wr_catalogs_alter_function(wr_ctx *ctx, wr_catalogs *cats, const wr_function_id *id,
                                     const wr_function_desc *f, bool absent_ok) WR_MUST_USE;
wr_status wr_catalogs_drop_function(wr_ctx *ctx, wr_catalogs *cats, const wr_function_id *id,
                                    bool temporary, bool system, bool absent_ok) WR_MUST_USE;
/* As calls find it: temporary system, temporary, permanent function. NULL = none. */
wr_status wr_catalogs_find_function(wr_ctx *ctx, wr_catalogs *cats, const wr_function_id *id,
                                    const wr_function_desc **out) WR_MUST_USE;
wr_status wr_catalogs_list_functions(wr_ctx *ctx, wr_catalogs *cats, wr_str catalog,
                                     wr_str database, wr_arena *a, wr_str **names,
                                     uint32_t *count) WR_MUST_USE;

/* ---- session options (SET) ------------------------------------------------------------------- */
/* Every key that weir reads or Flink has; weir's own first. `used` tells which weir acts on. Ends
 * with key NULL. */
const wr_option_def *wr_session_option_defs(void);
bool wr_session_option_used(wr_str key);
/* The key that took the place of an older one; NULL if `key` is none of those. */
const char *wr_session_option_renamed(wr_str key);
const wr_config *
wr_catalogs_config(const wr_catalogs *cats); /* current; borrowed until the next set/reset */
/* Unknown keys are errors with candidates; known but unused ones give a one-line notice; values are
 * checked. */
wr_status wr_catalogs_set(wr_ctx *ctx, wr_catalogs *cats, wr_str key, wr_str value,
                          wr_span span) WR_MUST_USE;
wr_status wr_catalogs_reset(wr_ctx *ctx, wr_catalogs *cats, wr_str key,
                            wr_span span) WR_MUST_USE; /* empty key: all */

/* ---- table descriptions ---------------------------------------------------------------------- */
wr_table_desc *wr_table_desc_copy(wr_arena *a, const wr_table_desc *t) WR_MUST_USE; /* deep */
const wr_column *wr_table_column(const wr_table_desc *t, wr_str name,
                                 uint32_t *index_out); /* NULL = none */
/* SHOW CREATE TABLE and SHOW CREATE VIEW; check text->failed afterwards. Secrets are masked. */
void wr_table_show_create(const wr_table_desc *t, wr_text *text);
void wr_catalog_show_create(wr_str name, const wr_catalog_info *info, wr_text *text);
/* `value`, or ****** when the key is that of a secret. */
wr_str wr_option_shown(const wr_option *o);
/* SHOW ... LIKE: % and _ with \% and \_ for themselves. */
bool wr_like_match(wr_str pattern, wr_str name, bool ignore_case);
/* Full schema (every column, time attributes set on rowtime and proctime columns). */
bool wr_table_schema(const wr_table_desc *t, wr_arena *a, wr_schema *out) WR_MUST_USE;

#endif
