/* SPDX-License-Identifier: Apache-2.0 */
/* SHOW and STOP JOB: lists out of the session's catalogs, functions and jobs, with Flink's column
 * names. DESCRIBE is in exec_describe.c. */
#include "engine/engine_int.h"
#include "engine/show_int.h"

#include "os/os.h"

/* ---- lists of names -------------------------------------------------------------------------- */

bool
wri_show_matches(const wr_ast_show *show, wr_str name)
{
    if (!show->pattern) return true;
    wr_str pattern = WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, show->pattern)->text;
    return wr_like_match(pattern, name, show->ilike) != show->not_like;
}

static wr_status
show_names(wr_ctx *ctx, wri_stmt *st, const wr_ast_show *show, const char *column,
           const wr_str *names, uint32_t count)
{
    wri_table t;
    WR_TRY(wri_table_init(ctx, &t, st->arena, &column, NULL, 1));
    for (uint32_t i = 0; i < count; i++) {
        if (!wri_show_matches(show, names[i])) continue;
        wr_value *row = wri_table_row(&t);
        WR_TRY_ALLOC(ctx, row);
        wri_table_set(&t, row, 0, names[i]);
    }
    return wri_result_table(ctx, st, &t);
}

/* a.b.c */
static wr_str
dotted(wr_arena *a, const wr_ast_ident *name)
{
    wr_text t;
    wr_text_init(&t, a);
    for (uint32_t i = 0; i < name->part_count; i++)
        wr_text_printf(&t, "%s%.*s", i ? "." : "", WR_STR_ARG(name->parts[i].name));
    return wr_text_str(&t);
}

/* FROM/IN [catalog.]database, or the current one. */
static wr_status
database_of(wr_ctx *ctx, wri_stmt *st, const wr_ast_show *show, wr_str *catalog, wr_str *database)
{
    static const char *const what[] = {[WR_SQL_SHOW_TABLES] = "TABLES",
                                       [WR_SQL_SHOW_VIEWS] = "VIEWS",
                                       [WR_SQL_SHOW_MATERIALIZED_TABLES] = "MATERIALIZED TABLES",
                                       [WR_SQL_SHOW_FUNCTIONS] = "FUNCTIONS",
                                       [WR_SQL_SHOW_USER_FUNCTIONS] = "FUNCTIONS",
                                       [WR_SQL_SHOW_MODELS] = "MODELS",
                                       [WR_SQL_SHOW_COUNT] = NULL};
    const wr_ast_ident *name = show->name;
    wr_catalogs *cats = st->session->catalogs;
    *catalog = wr_catalogs_current_catalog(cats);
    *database = wr_catalogs_current_database(cats);
    if (!name) return WR_OK;
    if (name->part_count > 2)
        return wr_raise_at(ctx, WR_NAME, name->base.span,
                           "SHOW %s from/in identifier [ %.*s ] format error, it should be "
                           "[catalog_name.]database_name.",
                           what[show->what], WR_STR_ARG(dotted(st->arena, name)));
    if (name->part_count == 2) *catalog = name->parts[0].name;
    *database = name->parts[name->part_count - 1].name;
    return WR_OK;
}

wr_status
wri_show_at(wr_ctx *ctx, wr_status status, const wr_ast_ident *name)
{
    if (status != WR_OK && name && ctx->err.span.start == UINT32_MAX)
        ctx->err.span = name->base.span;
    return status;
}

static wr_status
show_catalogs(wr_ctx *ctx, wri_stmt *st, const wr_ast_show *show)
{
    wr_str *names = NULL;
    uint32_t n = 0;
    WR_TRY(wr_catalogs_list_catalogs(ctx, st->session->catalogs, st->arena, &names, &n));
    return show_names(ctx, st, show, "catalog name", names, n);
}

static wr_status
show_databases(wr_ctx *ctx, wri_stmt *st, const wr_ast_show *show)
{
    wr_str *names = NULL;
    uint32_t n = 0;
    if (show->name && show->name->part_count > 1)
        return wr_raise_at(ctx, WR_SYNTAX, show->name->base.span,
                           "SQL parse failed. Show databases from/in identifier [ %.*s ] format "
                           "error, catalog must be a single part identifier.",
                           WR_STR_ARG(dotted(st->arena, show->name)));
    wr_str catalog =
        show->name ? show->name->parts[0].name : wr_catalogs_current_catalog(st->session->catalogs);
    WR_TRY(wri_show_at(
        ctx, wr_catalogs_list_databases(ctx, st->session->catalogs, catalog, st->arena, &names, &n),
        show->name));
    return show_names(ctx, st, show, "database name", names, n);
}

static wr_status
show_tables(wr_ctx *ctx, wri_stmt *st, const wr_ast_show *show)
{
    wr_str catalog, database, *names = NULL;
    uint32_t n = 0;
    const bool views = show->what == WR_SQL_SHOW_VIEWS;
    const bool materialized = show->what == WR_SQL_SHOW_MATERIALIZED_TABLES;
    const wr_list_what what = views          ? WR_LIST_VIEWS
                              : materialized ? WR_LIST_MATERIALIZED
                                             : WR_LIST_TABLES;
    WR_TRY(database_of(ctx, st, show, &catalog, &database));
    WR_TRY(wri_show_at(ctx,
                       wr_catalogs_list_tables(ctx, st->session->catalogs, catalog, database, what,
                                               st->arena, &names, &n),
                       show->name));
    return show_names(ctx, st, show,
                      views          ? "view name"
                      : materialized ? "materialized table"
                                     : "table name",
                      names, n);
}

static wr_status
show_models(wr_ctx *ctx, wri_stmt *st, const wr_ast_show *show)
{
    wr_str catalog, database;
    const wr_database_desc *db = NULL;
    WR_TRY(database_of(ctx, st, show, &catalog, &database));
    WR_TRY(wri_show_at(ctx,
                       wr_catalogs_get_database(ctx, st->session->catalogs, catalog, database, &db),
                       show->name));
    if (!db)
        return wr_raise_at(ctx, WR_NAME, show->name ? show->name->base.span : show->base.span,
                           "Database %.*s does not exist in Catalog %.*s.", WR_STR_ARG(database),
                           WR_STR_ARG(catalog));
    return show_names(ctx, st, show, "model name", NULL, 0);
}

static wr_status
show_one(wr_ctx *ctx, wri_stmt *st, const wr_ast_show *show, const char *column, wr_str value)
{
    return show_names(ctx, st, show, column, &value, 1);
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Flink lists its newer functions in upper case and the others in lower case. */
static bool
is_listed_upper(const char *name)
{
    static const char *const prefixes[] = {"ARRAY_",       "BITMAP_",      "MAP_",
                                           "JSON_",        "URL_",         "OBJECT_",
                                           "INET_",        "REGEXP_COUNT", "REGEXP_EXTRACT_ALL",
                                           "REGEXP_INSTR", "REGEXP_SUBSTR"};
    static const char *const whole[] = {"BTRIM",
                                        "COALESCE",
                                        "CURRENT_WATERMARK",
                                        "ELT",
                                        "ENDSWITH",
                                        "GREATEST",
                                        "IFNULL",
                                        "JSON",
                                        "LEAST",
                                        "LIKE",
                                        "PARSE_JSON",
                                        "PERCENTILE",
                                        "PRINTF",
                                        "SPLIT",
                                        "SOURCE_WATERMARK",
                                        "STARTSWITH",
                                        "TO_TIMESTAMP_LTZ",
                                        "TRANSLATE3",
                                        "TRY_PARSE_JSON",
                                        "TYPEOF",
                                        "UNHEX"};
    for (uint32_t i = 0; i < WR_COUNT(prefixes); i++)
        if (wr_str_starts(wr_str_c(name), wr_str_c(prefixes[i]))) return true;
    for (uint32_t i = 0; i < WR_COUNT(whole); i++)
        if (strcmp(name, whole[i]) == 0) return true;
    return false;
}

wr_str
wri_function_shown(wr_arena *a, const char *name)
{
    char *p = wr_arena_dup(a, name, strlen(name));
    bool upper = is_listed_upper(name);
    for (char *c = p; c && *c && !upper; c++)
        if (*c >= 'A' && *c <= 'Z') *c = (char)(*c + 32);
    return (wr_str){p, p ? strlen(p) : 0};
}

static void
insert_sorted(wr_str *list, uint32_t *count, wr_str name)
{
    for (uint32_t i = 0; i < *count; i++)
        if (wr_str_eq(list[i], name)) return;
    uint32_t at = (*count)++;
    while (at > 0 && wr_str_cmp(name, list[at - 1]) < 0) {
        list[at] = list[at - 1];
        at--;
    }
    list[at] = name;
}

static wr_status
show_functions(wr_ctx *ctx, wri_stmt *st, const wr_ast_show *show)
{
    wr_str catalog, database, *users = NULL;
    uint32_t n = 0, user_count = 0;
    wr_catalogs *cats = st->session->catalogs;
    const wr_database_desc *db = NULL;
    WR_TRY(database_of(ctx, st, show, &catalog, &database));
    wr_ctx quiet; /* an unknown database has just no functions of its own */
    wr_ctx_init(&quiet);
    if (wr_catalogs_get_database(&quiet, cats, catalog, database, &db) == WR_OK && db)
        WR_TRY(wr_catalogs_list_functions(ctx, cats, catalog, database, st->arena, &users,
                                          &user_count));
    if (show->what == WR_SQL_SHOW_USER_FUNCTIONS)
        return show_names(ctx, st, show, "function name", users, user_count);
    wr_str *list = WR_NEW_N(st->arena, wr_str, wr_fn_count() + user_count + 2);
    WR_TRY_ALLOC(ctx, list);
    if (wri_module_used(st->session, "state"))
        insert_sorted(list, &n, WR_STR("savepoint_metadata"));
    for (uint32_t i = 0; i < wr_fn_count(); i++) {
        const wr_fn *f = wr_fn_at(i);
        if (f->flags & WR_FNF_HIDDEN) continue;
        wr_str shown = wri_function_shown(st->arena, f->name);
        WR_TRY_ALLOC(ctx, shown.ptr);
        insert_sorted(list, &n, shown);
    }
    for (uint32_t i = 0; i < user_count; i++) insert_sorted(list, &n, users[i]);
    return show_names(ctx, st, show, "function name", list, n);
}

/* ---- one object ------------------------------------------------------------------------------ */

wr_status
wri_show_qualify(wr_ctx *ctx, wri_stmt *st, const wr_ast_ident *name, wr_table_id *id)
{
    wr_str parts[3] = {{0}};
    for (uint32_t i = 0; i < name->part_count && i < 3; i++) parts[i] = name->parts[i].name;
    return wr_catalogs_qualify(ctx, st->session->catalogs, parts, name->part_count, name->base.span,
                               id);
}

static const struct {
    const char *statement, *one, *name, *many;
} table_kinds[] = {[WR_TABLE_BASE] = {"TABLE", "table", "Table", "tables"},
                   [WR_TABLE_VIEW] = {"VIEW", "view", "View", "views"},
                   [WR_TABLE_MATERIALIZED] = {"MATERIALIZED TABLE", "materialized table",
                                              "Materialized table", "materialized tables"}};

const char *
wri_table_kind_name(uint8_t kind)
{
    return table_kinds[kind].one;
}

static wr_status
show_create_table(wr_ctx *ctx, wri_stmt *st, const wr_ast_show *show)
{
    wr_table_id id;
    const wr_table_desc *t = NULL;
    const wr_table_kind kind = show->object == WR_SQL_OBJECT_VIEW    ? WR_TABLE_VIEW
                               : show->object == WR_SQL_OBJECT_TABLE ? WR_TABLE_BASE
                                                                     : WR_TABLE_MATERIALIZED;
    wr_span span = show->name->base.span;
    WR_TRY(wri_show_qualify(ctx, st, show->name, &id));
    WR_TRY(
        wri_show_at(ctx, wr_catalogs_find_table(ctx, st->session->catalogs, &id, &t), show->name));
    if (!t) {
        const wr_str said =
            kind == WR_TABLE_MATERIALIZED
                ? wr_arena_printf(st->arena, " %.*s.%.*s.%.*s", WR_STR_ARG(id.catalog),
                                  WR_STR_ARG(id.database), WR_STR_ARG(id.name))
                : WR_STR("");
        wr_catalogs_candidates(ctx, st->session->catalogs, &id);
        return wr_raise_at(ctx, WR_NAME, span,
                           "Could not execute SHOW CREATE %s%.*s. %s with identifier "
                           "`%.*s`.`%.*s`.`%.*s` does not exist.",
                           table_kinds[kind].statement, WR_STR_ARG(said), table_kinds[kind].name,
                           WR_STR_ARG(id.catalog), WR_STR_ARG(id.database), WR_STR_ARG(id.name));
    }
    if (t->kind != kind)
        return wr_raise_at(ctx, WR_SEMANTIC, span,
                           "SHOW CREATE %s is only supported for %s, but `%.*s`.`%.*s`.`%.*s` is a "
                           "%s. Please use SHOW CREATE %s instead.",
                           table_kinds[kind].statement, table_kinds[kind].many,
                           WR_STR_ARG(id.catalog), WR_STR_ARG(id.database), WR_STR_ARG(id.name),
                           table_kinds[t->kind].one, table_kinds[t->kind].statement);
    wr_text text;
    wr_text_init(&text, st->arena);
    wr_table_show_create(t, &text);
    if (text.failed) return wr_raise(ctx, WR_NOMEM, "out of memory");
    return wri_result_text(ctx, st, wr_text_str(&text));
}

static wr_status
show_create(wr_ctx *ctx, wri_stmt *st, const wr_ast_show *show)
{
    wr_text text;
    wr_catalog_info info;
    if (show->object == WR_SQL_OBJECT_TABLE || show->object == WR_SQL_OBJECT_VIEW ||
        show->object == WR_SQL_OBJECT_MATERIALIZED_TABLE)
        return show_create_table(ctx, st, show);
    if (show->object != WR_SQL_OBJECT_CATALOG)
        return wr_raise_at(ctx, WR_UNSUPPORTED, show->base.span,
                           "not supported yet: SHOW CREATE %s", wr_sql_object_name(show->object));
    wr_str name = show->name->parts[0].name;
    WR_TRY(wri_show_at(ctx, wr_catalogs_get_info(ctx, st->session->catalogs, name, &info),
                       show->name));
    wr_text_init(&text, st->arena);
    wr_catalog_show_create(name, &info, &text);
    if (text.failed) return wr_raise(ctx, WR_NOMEM, "out of memory");
    return wri_result_text(ctx, st, wr_text_str(&text));
}

/* Does "p=1/q=x" have "p=1" among its parts? */
static bool
partition_has(wr_str partition, wr_str name, wr_str value)
{
    while (partition.len) {
        const char *slash = memchr(partition.ptr, '/', partition.len);
        size_t n = slash ? (size_t)(slash - partition.ptr) : partition.len;
        wr_str part = {partition.ptr, n};
        if (part.len == name.len + 1 + value.len && wr_str_starts(part, name) &&
            part.ptr[name.len] == '=' &&
            wr_str_eq((wr_str){part.ptr + name.len + 1, value.len}, value))
            return true;
        size_t skip = slash ? n + 1 : n;
        partition = (wr_str){partition.ptr + skip, partition.len - skip};
    }
    return false;
}

static bool
partition_matches(wri_stmt *st, const wr_ast_partition *p, wr_str partition)
{
    for (uint32_t i = 0; p && i < p->columns.count; i++) {
        const wr_ast *v = p->values.items[i];
        wr_str value = WR_STR("");
        if (v && v->kind == WR_AST_LITERAL) {
            value = WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, v)->text;
        } else if (v) {
            wr_text t;
            wr_text_init(&t, st->arena);
            wr_sql_expr_print(v, &t);
            value = wr_text_str(&t);
        }
        if (!partition_has(partition, p->columns.items[i].name, value)) return false;
    }
    return true;
}

static wr_status
show_partitions(wr_ctx *ctx, wri_stmt *st, const wr_ast_show *show)
{
    wr_table_id id;
    const wr_table_desc *t = NULL;
    WR_TRY(wri_show_qualify(ctx, st, show->name, &id));
    WR_TRY(
        wri_show_at(ctx, wr_catalogs_find_table(ctx, st->session->catalogs, &id, &t), show->name));
    if (!t) {
        wr_catalogs_candidates(ctx, st->session->catalogs, &id);
        return wr_raise_at(ctx, WR_NAME, show->name->base.span,
                           "Table (or view) %.*s.%.*s does not exist in Catalog %.*s.",
                           WR_STR_ARG(id.database), WR_STR_ARG(id.name), WR_STR_ARG(id.catalog));
    }
    if (t->partition_key_count == 0)
        return wr_raise_at(ctx, WR_SEMANTIC, show->name->base.span,
                           "Table %.*s.%.*s in catalog %.*s is not partitioned.",
                           WR_STR_ARG(id.database), WR_STR_ARG(id.name), WR_STR_ARG(id.catalog));
    wr_str *names = WR_NEW_N(st->arena, wr_str, t->partition_count + 1);
    WR_TRY_ALLOC(ctx, names);
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->partition_count; i++)
        if (partition_matches(st, show->partition, t->partitions[i])) names[n++] = t->partitions[i];
    return show_names(ctx, st, show, "partition name", names, n);
}

static wr_status
show_columns(wr_ctx *ctx, wri_stmt *st, const wr_ast_show *show)
{
    wri_column_filter f = {
        .pattern = show->pattern ? WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, show->pattern)->text
                                 : (wr_str){NULL, 0},
        .ignore_case = show->ilike,
        .negate = show->not_like};
    return wri_describe_table(ctx, st, show->name, &f);
}

/* ---- the statement --------------------------------------------------------------------------- */

static wr_status
not_yet(wr_ctx *ctx, const wr_ast_show *show)
{
    return wr_raise_at(ctx, WR_UNSUPPORTED, show->base.span, "not supported yet: SHOW %s",
                       wr_sql_show_name(show->what));
}

static wr_status
exec_show(wr_ctx *ctx, wri_stmt *st, const wr_ast_show *show)
{
    wr_catalogs *cats = st->session->catalogs;
    switch (show->what) {
    case WR_SQL_SHOW_CATALOGS:
        return show_catalogs(ctx, st, show);
    case WR_SQL_SHOW_CURRENT_CATALOG:
        return show_one(ctx, st, show, "current catalog name", wr_catalogs_current_catalog(cats));
    case WR_SQL_SHOW_DATABASES:
        return show_databases(ctx, st, show);
    case WR_SQL_SHOW_CURRENT_DATABASE:
        return show_one(ctx, st, show, "current database name", wr_catalogs_current_database(cats));
    case WR_SQL_SHOW_TABLES:
    case WR_SQL_SHOW_VIEWS:
    case WR_SQL_SHOW_MATERIALIZED_TABLES:
        return show_tables(ctx, st, show);
    case WR_SQL_SHOW_COLUMNS:
        return show_columns(ctx, st, show);
    case WR_SQL_SHOW_PARTITIONS:
        return show_partitions(ctx, st, show);
    case WR_SQL_SHOW_FUNCTIONS:
    case WR_SQL_SHOW_USER_FUNCTIONS:
        return show_functions(ctx, st, show);
    case WR_SQL_SHOW_MODULES:
    case WR_SQL_SHOW_FULL_MODULES:
        return wri_show_modules(ctx, st, show);
    case WR_SQL_SHOW_MODELS:
        return show_models(ctx, st, show);
    case WR_SQL_SHOW_JOBS:
        return wri_show_job_table(ctx, st, (wr_str){NULL, 0});
    case WR_SQL_SHOW_CHECKPOINTS:
        return wri_show_checkpoints(ctx, st, show->job);
    case WR_SQL_SHOW_METRICS:
        return wri_show_metrics(ctx, st, show->job);
    case WR_SQL_SHOW_WATERMARKS:
        return wri_show_watermarks(ctx, st, show->job);
    case WR_SQL_SHOW_JARS:
        return show_names(ctx, st, show, "jars", st->session->jars.items, st->session->jars.count);
    case WR_SQL_SHOW_CREATE:
        return show_create(ctx, st, show);
    case WR_SQL_SHOW_PROCEDURES:
    case WR_SQL_SHOW_CONNECTIONS:
    case WR_SQL_SHOW_COUNT:
        break;
    }
    return not_yet(ctx, show);
}

wr_status
wri_exec_show(wr_ctx *ctx, wri_stmt *st, const wr_ast *ast)
{
    if (ast->kind == WR_AST_DESCRIBE)
        return wri_exec_describe(ctx, st, WR_AST_AS(wr_ast_describe, WR_AST_DESCRIBE, ast));
    if (ast->kind == WR_AST_STOP_JOB)
        return wri_exec_stop_job(ctx, st, WR_AST_AS(wr_ast_stop_job, WR_AST_STOP_JOB, ast));
    if (ast->kind == WR_AST_SAVEPOINT)
        return wri_exec_savepoint(ctx, st, WR_AST_AS(wr_ast_savepoint, WR_AST_SAVEPOINT, ast));
    return exec_show(ctx, st, WR_AST_AS(wr_ast_show, WR_AST_SHOW, ast));
}
