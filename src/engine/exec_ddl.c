/* SPDX-License-Identifier: Apache-2.0 */
/* CREATE, ALTER, DROP, USE, SET, RESET, modules and jars: from the syntax tree to a change in the
 * session's catalogs. The catalogs know no positions, so errors from there get the name's. */
#include "engine/engine_int.h"

/* Gives an error without a position the one of what the statement is about. */
static wr_status
at(wr_ctx *ctx, wr_status status, wr_span span)
{
    if (status != WR_OK && ctx->err.span.start == UINT32_MAX) ctx->err.span = span;
    return status;
}

static wr_str
text_of(const wr_ast *literal)
{
    return literal ? WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, literal)->text : WR_STR("");
}

static wr_status
qualify(wr_ctx *ctx, wri_stmt *st, const wr_ast_ident *name, wr_table_id *out)
{
    wr_str parts[3] = {{0}};
    for (uint32_t i = 0; i < name->part_count && i < 3; i++) parts[i] = name->parts[i].name;
    return wr_catalogs_qualify(ctx, st->session->catalogs, parts, name->part_count, name->base.span,
                               out);
}

/* [catalog.]database; `verb` for Flink's sentence */
static wr_status
database_name(wr_ctx *ctx, wri_stmt *st, const char *verb, const wr_ast_ident *name,
              wr_str *catalog, wr_str *database)
{
    if (name->part_count > 2)
        return wr_raise_at(ctx, WR_NAME, name->base.span, "%s database identifier format error",
                           verb);
    *catalog = name->part_count == 2 ? name->parts[0].name
                                     : wr_catalogs_current_catalog(st->session->catalogs);
    *database = name->parts[name->part_count - 1].name;
    return WR_OK;
}

static wr_status
catalog_name(wr_ctx *ctx, const wr_ast_ident *name, wr_str *out)
{
    *out = name->parts[0].name;
    return name->part_count == 1
               ? WR_OK
               : wr_raise_at(ctx, WR_NAME, name->base.span, "a catalog has a name of one part");
}

wr_status
wri_read_options(wr_ctx *ctx, wri_stmt *st, const wr_ast_list *list, const wr_options *old,
                 wr_options *out)
{
    uint32_t n = old ? old->count : 0;
    wr_option *items = WR_NEW_N(st->arena, wr_option, n + list->count + 1);
    WR_TRY_ALLOC(ctx, items);
    for (uint32_t i = 0; i < n; i++) items[i] = old->items[i];
    for (uint32_t i = 0; i < list->count; i++) {
        const wr_ast_option *o = WR_AST_AS(wr_ast_option, WR_AST_OPTION, list->items[i]);
        uint32_t k = 0;
        while (k < n && !wr_str_eq(items[k].key, o->key)) k++;
        items[k] = (wr_option){.key = o->key, .value = o->value, .span = o->key_span};
        if (k == n) n++;
    }
    *out = (wr_options){.items = items, .count = n};
    return WR_OK;
}

static wr_status
not_yet(wr_ctx *ctx, wr_span span, const char *what)
{
    return wr_raise_at(ctx, WR_UNSUPPORTED, span, "not supported yet: %s", what);
}

/* Statements that Flink parses and refuses, too. */
wr_status
wri_unsupported_query(wr_ctx *ctx, wri_stmt *st, const wr_ast *ast)
{
    wr_text t;
    wr_text_init(&t, st->arena);
    wr_sql_print(ast, &t);
    return wr_raise_at(ctx, WR_UNSUPPORTED, ast->span, "Unsupported query: %.*s",
                       WR_STR_ARG(wr_text_str(&t)));
}

/* ---- CREATE ---------------------------------------------------------------------------------- */

static wr_status
create_table(wr_ctx *ctx, wri_stmt *st, const wr_ast_create_table *create)
{
    wr_table_desc *t = NULL;
    WR_TRY(wr_ddl_table(ctx, &st->env, &create->base, &t));
    return at(ctx, wr_catalogs_create_table(ctx, st->session->catalogs, t, create->if_not_exists),
              create->name->base.span);
}

static wr_status
create_view(wr_ctx *ctx, wri_stmt *st, const wr_ast_create_view *create)
{
    wr_table_desc *t = NULL;
    WR_TRY(wr_ddl_view(ctx, &st->env, &create->base, &t));
    return at(ctx, wr_catalogs_create_table(ctx, st->session->catalogs, t, create->if_not_exists),
              create->name->base.span);
}

static wr_status
function_name(wr_ctx *ctx, wri_stmt *st, const wr_ast_ident *name, bool system, wr_function_id *out)
{
    wr_table_id id;
    WR_TRY(qualify(ctx, st, name, &id));
    if (system && name->part_count > 1)
        return wr_raise_at(ctx, WR_NAME, name->base.span,
                           "a system function has a name of one part");
    *out = (wr_function_id){.catalog = id.catalog, .database = id.database, .name = id.name};
    return WR_OK;
}

static wr_status
create_function(wr_ctx *ctx, wri_stmt *st, const wr_ast_create_function *create)
{
    wr_function_id id;
    wr_function_desc f = {.class_name = text_of(create->class_name),
                          .language = create->language.len ? create->language : WR_STR("JAVA"),
                          .temporary = create->temporary || create->system,
                          .system = create->system};
    WR_TRY(function_name(ctx, st, create->name, create->system, &id));
    WR_TRY(wri_read_options(ctx, st, &create->options, NULL, &f.options));
    f.name = id.name;
    if (create->resources.count) wr_notice(ctx, "resources of functions are not loaded");
    return at(
        ctx,
        wr_catalogs_create_function(ctx, st->session->catalogs, &id, &f, create->if_not_exists),
        create->name->base.span);
}

static wr_status
create_catalog(wr_ctx *ctx, wri_stmt *st, const wr_ast_create_object *create)
{
    wr_str name;
    wr_options options;
    WR_TRY(catalog_name(ctx, create->name, &name));
    WR_TRY(wri_read_options(ctx, st, &create->options, NULL, &options));
    wr_str comment = create->comment ? text_of(create->comment) : (wr_str){NULL, 0};
    return at(ctx,
              wr_catalogs_create_catalog(ctx, st->session->catalogs, name, &options, comment,
                                         create->if_not_exists),
              create->name->base.span);
}

static wr_status
create_database(wr_ctx *ctx, wri_stmt *st, const wr_ast_create_object *create)
{
    wr_str catalog;
    wr_database_desc db = {.comment = text_of(create->comment)};
    WR_TRY(database_name(ctx, st, "create", create->name, &catalog, &db.name));
    WR_TRY(wri_read_options(ctx, st, &create->options, NULL, &db.options));
    return at(ctx,
              wr_catalogs_create_database(ctx, st->session->catalogs, catalog, &db,
                                          create->if_not_exists),
              create->name->base.span);
}

static wr_status
create_object(wr_ctx *ctx, wri_stmt *st, const wr_ast_create_object *create)
{
    if (create->object == WR_SQL_OBJECT_CATALOG) return create_catalog(ctx, st, create);
    if (create->object == WR_SQL_OBJECT_DATABASE) return create_database(ctx, st, create);
    return wri_unsupported_query(ctx, st, &create->base);
}

/* ---- ALTER ----------------------------------------------------------------------------------- */

/* The permanent table or view that ALTER is about; *out NULL: absent and that is fine. */
static wr_status
altered(wr_ctx *ctx, wri_stmt *st, const wr_ast_alter *alter, const wr_table_desc **out)
{
    wr_table_id id;
    bool view = alter->object == WR_SQL_OBJECT_VIEW;
    const wr_table_desc *shadow = NULL;
    wr_catalogs *cats = st->session->catalogs;
    wr_span span = alter->name->base.span;
    WR_TRY(qualify(ctx, st, alter->name, &id));
    WR_TRY(at(ctx, wr_catalogs_find_permanent(ctx, cats, &id, out), span));
    WR_TRY(at(ctx, wr_catalogs_find_table(ctx, cats, &id, &shadow), span));
    if (shadow && shadow->temporary) *out = NULL;
    if (!*out && alter->if_exists) return WR_OK;
    if (!*out) {
        wr_catalogs_candidates(ctx, cats, &id);
        return wr_raise_at(ctx, WR_NAME, span,
                           "%s `%.*s`.`%.*s`.`%.*s` doesn't exist or is a temporary %s.",
                           view ? "View" : "Table", WR_STR_ARG(id.catalog), WR_STR_ARG(id.database),
                           WR_STR_ARG(id.name), view ? "view" : "table");
    }
    if ((*out)->kind != (view ? WR_TABLE_VIEW : WR_TABLE_BASE))
        return wr_raise_at(ctx, WR_SEMANTIC, span, "ALTER %s for a %s is not allowed",
                           view ? "VIEW" : "TABLE", wri_table_kind_name((*out)->kind));
    return WR_OK;
}

static wr_status
alter_table(wr_ctx *ctx, wri_stmt *st, const wr_ast_alter *alter)
{
    const wr_table_desc *old = NULL;
    wr_table_desc *t = NULL;
    wr_catalogs *cats = st->session->catalogs;
    WR_TRY(altered(ctx, st, alter, &old));
    if (!old) return WR_OK;
    if (alter->action == WR_SQL_ALTER_RENAME) {
        wr_table_id to;
        WR_TRY(qualify(ctx, st, alter->new_name, &to));
        return at(ctx, wr_catalogs_rename_table(ctx, cats, &old->id, to.name),
                  alter->new_name->base.span);
    }
    WR_TRY(alter->object == WR_SQL_OBJECT_VIEW
               ? wr_ddl_alter_view(ctx, &st->env, &alter->base, old, &t)
               : wr_ddl_alter(ctx, &st->env, &alter->base, old, &t));
    return at(ctx, wr_catalogs_replace_table(ctx, cats, t), alter->name->base.span);
}

static wr_status
alter_database(wr_ctx *ctx, wri_stmt *st, const wr_ast_alter *alter)
{
    wr_str catalog;
    wr_database_desc db = {0};
    const wr_database_desc *old = NULL;
    wr_catalogs *cats = st->session->catalogs;
    WR_TRY(database_name(ctx, st, "alter", alter->name, &catalog, &db.name));
    WR_TRY(at(ctx, wr_catalogs_get_database(ctx, cats, catalog, db.name, &old),
              alter->name->base.span));
    if (old) db.comment = old->comment;
    WR_TRY(wri_read_options(ctx, st, &alter->options, old ? &old->options : NULL, &db.options));
    return at(ctx, wr_catalogs_alter_database(ctx, cats, catalog, &db), alter->name->base.span);
}

static wr_status
reset_catalog_keys(wr_ctx *ctx, const wr_ast_alter *alter, wr_options *o)
{
    if (alter->keys.count == 0)
        return wr_raise_at(ctx, WR_SEMANTIC, alter->base.span,
                           "ALTER CATALOG RESET does not support empty key");
    for (uint32_t i = 0; i < alter->keys.count; i++) {
        wr_str key = text_of(alter->keys.items[i]);
        if (wr_str_eq_c(key, "type"))
            return wr_raise_at(ctx, WR_SEMANTIC, alter->keys.items[i]->span,
                               "ALTER CATALOG RESET does not support changing 'type'");
        uint32_t n = 0;
        for (uint32_t k = 0; k < o->count; k++)
            if (!wr_str_eq(o->items[k].key, key)) o->items[n++] = o->items[k];
        o->count = n;
    }
    return WR_OK;
}

static wr_status
alter_catalog(wr_ctx *ctx, wri_stmt *st, const wr_ast_alter *alter)
{
    wr_str name, comment = {NULL, 0};
    wr_options options;
    wr_catalog_info info = {0};
    wr_catalogs *cats = st->session->catalogs;
    wr_span span = alter->name->base.span;
    WR_TRY(catalog_name(ctx, alter->name, &name));
    wr_ctx quiet; /* that there is none is told below, in other words */
    wr_ctx_init(&quiet);
    if (wr_catalogs_get_info(&quiet, cats, name, &info) == WR_OK && info.has_comment)
        comment = info.comment;
    WR_TRY(wri_read_options(ctx, st, &alter->options, info.options, &options));
    if (alter->action == WR_SQL_ALTER_RESET) WR_TRY(reset_catalog_keys(ctx, alter, &options));
    if (alter->action == WR_SQL_ALTER_COMMENT) comment = text_of(alter->comment);
    return at(ctx, wr_catalogs_alter_catalog(ctx, cats, name, &options, comment), span);
}

static wr_status
alter_function(wr_ctx *ctx, wri_stmt *st, const wr_ast_alter *alter)
{
    wr_function_id id;
    wr_function_desc f = {.class_name = text_of(alter->class_name),
                          .language = alter->language.len ? alter->language : WR_STR("JAVA"),
                          .temporary = alter->temporary || alter->system,
                          .system = alter->system};
    WR_TRY(function_name(ctx, st, alter->name, alter->system, &id));
    f.name = id.name;
    return at(ctx,
              wr_catalogs_alter_function(ctx, st->session->catalogs, &id, &f, alter->if_exists),
              alter->name->base.span);
}

static wr_status
exec_alter(wr_ctx *ctx, wri_stmt *st, const wr_ast_alter *alter)
{
    switch (alter->object) {
    case WR_SQL_OBJECT_TABLE:
    case WR_SQL_OBJECT_VIEW:
        return alter_table(ctx, st, alter);
    case WR_SQL_OBJECT_DATABASE:
        return alter_database(ctx, st, alter);
    case WR_SQL_OBJECT_CATALOG:
        return alter_catalog(ctx, st, alter);
    case WR_SQL_OBJECT_FUNCTION:
        return alter_function(ctx, st, alter);
    case WR_SQL_OBJECT_MODEL:
        return not_yet(ctx, alter->base.span, "models");
    case WR_SQL_OBJECT_MATERIALIZED_TABLE: /* exec_materialized.c */
    case WR_SQL_OBJECT_CONNECTION:
    case WR_SQL_OBJECT_JOB:
    case WR_SQL_OBJECT_COUNT:
        break;
    }
    return wri_unsupported_query(ctx, st, &alter->base);
}

/* ---- DROP ------------------------------------------------------------------------------------ */

static wr_status
drop_table(wr_ctx *ctx, wri_stmt *st, const wr_ast_drop *drop)
{
    wr_table_id id;
    WR_TRY(qualify(ctx, st, drop->name, &id));
    return wr_catalogs_drop_table(ctx, st->session->catalogs, &id,
                                  drop->object == WR_SQL_OBJECT_VIEW ? WR_TABLE_VIEW
                                                                     : WR_TABLE_BASE,
                                  drop->temporary, drop->if_exists);
}

static wr_status
drop_function(wr_ctx *ctx, wri_stmt *st, const wr_ast_drop *drop)
{
    wr_function_id id;
    WR_TRY(function_name(ctx, st, drop->name, drop->system, &id));
    return wr_catalogs_drop_function(ctx, st->session->catalogs, &id,
                                     drop->temporary || drop->system, drop->system,
                                     drop->if_exists);
}

static wr_status
exec_drop(wr_ctx *ctx, wri_stmt *st, const wr_ast_drop *drop)
{
    wr_catalogs *cats = st->session->catalogs;
    wr_str catalog, name;
    switch (drop->object) {
    case WR_SQL_OBJECT_TABLE:
    case WR_SQL_OBJECT_VIEW:
        return drop_table(ctx, st, drop);
    case WR_SQL_OBJECT_FUNCTION:
        return drop_function(ctx, st, drop);
    case WR_SQL_OBJECT_DATABASE:
        WR_TRY(database_name(ctx, st, "drop", drop->name, &catalog, &name));
        return wr_catalogs_drop_database(ctx, cats, catalog, name, drop->if_exists,
                                         drop->behaviour == WR_SQL_DROP_CASCADE);
    case WR_SQL_OBJECT_CATALOG:
        WR_TRY(catalog_name(ctx, drop->name, &name));
        return wr_catalogs_drop_catalog(ctx, cats, name, drop->if_exists);
    case WR_SQL_OBJECT_MATERIALIZED_TABLE:
        return wri_drop_materialized(ctx, st, drop);
    case WR_SQL_OBJECT_MODEL:
        return not_yet(ctx, drop->base.span, "models");
    case WR_SQL_OBJECT_CONNECTION:
    case WR_SQL_OBJECT_JOB:
    case WR_SQL_OBJECT_COUNT:
        break;
    }
    return wri_unsupported_query(ctx, st, &drop->base);
}

/* ---- session --------------------------------------------------------------------------------- */

static wr_status
exec_use(wr_ctx *ctx, wri_stmt *st, const wr_ast_use *use)
{
    wr_catalogs *cats = st->session->catalogs;
    wr_str catalog, name;
    if (use->what == WR_SQL_USE_MODULES) return wri_use_modules(ctx, st, use);
    if (use->what == WR_SQL_USE_CATALOG) {
        WR_TRY(catalog_name(ctx, use->name, &name));
        return at(ctx, wr_catalogs_use_catalog(ctx, cats, name), use->name->base.span);
    }
    WR_TRY(database_name(ctx, st, "use", use->name, &catalog, &name));
    return at(ctx, wr_catalogs_use_database(ctx, cats, catalog, name), use->name->base.span);
}

/* SET without a key: what is set. */
static wr_status
show_set(wr_ctx *ctx, wri_stmt *st)
{
    static const char *const names[] = {"key", "value"};
    const wr_config *c = wr_catalogs_config(st->session->catalogs);
    wri_table t;
    WR_TRY(wri_table_init(ctx, &t, st->arena, names, NULL, 2));
    for (uint32_t i = 0; i < c->set->count; i++) {
        wr_value *row = wri_table_row(&t);
        WR_TRY_ALLOC(ctx, row);
        wri_table_set(&t, row, 0, c->set->items[i].key);
        wri_table_set(&t, row, 1, wr_option_shown(&c->set->items[i]));
    }
    return wri_result_table(ctx, st, &t);
}

static wr_status
exec_set(wr_ctx *ctx, wri_stmt *st, const wr_ast_set *set)
{
    wr_catalogs *cats = st->session->catalogs;
    wr_span span = set->key ? set->key->span : set->base.span;
    if (set->reset) return wr_catalogs_reset(ctx, cats, text_of(set->key), span);
    return wr_catalogs_set(ctx, cats, text_of(set->key), text_of(set->value), span);
}

/* Jars are remembered, so that scripts run; there is nothing to load them into. */
static wr_status
exec_jar(wr_ctx *ctx, wri_stmt *st, const wr_ast_jar *jar)
{
    wr_session *s = st->session;
    wr_str path = text_of(jar->path);
    uint32_t k = 0;
    while (k < s->jars.count && !wr_str_eq(s->jars.items[k], path)) k++;
    if (jar->remove) {
        if (k == s->jars.count)
            return wr_raise_at(ctx, WR_NAME, jar->path->span, "the jar '%.*s' was not added",
                               WR_STR_ARG(path));
        memmove(s->jars.items + k, s->jars.items + k + 1,
                (s->jars.count - k - 1) * sizeof *s->jars.items);
        s->jars.count--;
        return WR_OK;
    }
    if (k < s->jars.count) return WR_OK;
    wr_str copy = wr_arena_str(s->arena, path);
    if (!copy.ptr || !wr_list_push(s->arena, &s->jars, copy))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    wr_notice(ctx, "jars are listed, but not loaded: there is no JVM");
    return WR_OK;
}

/* ---- the statement --------------------------------------------------------------------------- */

static wr_status
dispatch(wr_ctx *ctx, wri_stmt *st, const wr_ast *ast)
{
    switch ((int)ast->kind) {
    case WR_AST_CREATE_TABLE:
        return create_table(ctx, st, WR_AST_AS(wr_ast_create_table, WR_AST_CREATE_TABLE, ast));
    case WR_AST_CREATE_VIEW:
        return create_view(ctx, st, WR_AST_AS(wr_ast_create_view, WR_AST_CREATE_VIEW, ast));
    case WR_AST_CREATE_FUNCTION:
        return create_function(ctx, st,
                               WR_AST_AS(wr_ast_create_function, WR_AST_CREATE_FUNCTION, ast));
    case WR_AST_CREATE_OBJECT:
        return create_object(ctx, st, WR_AST_AS(wr_ast_create_object, WR_AST_CREATE_OBJECT, ast));
    case WR_AST_CREATE_MODEL:
        return not_yet(ctx, ast->span, "models");
    case WR_AST_ALTER:
        return exec_alter(ctx, st, WR_AST_AS(wr_ast_alter, WR_AST_ALTER, ast));
    case WR_AST_DROP: {
        const wr_ast_drop *drop = WR_AST_AS(wr_ast_drop, WR_AST_DROP, ast);
        return at(ctx, exec_drop(ctx, st, drop), drop->name->base.span);
    }
    case WR_AST_USE:
        return exec_use(ctx, st, WR_AST_AS(wr_ast_use, WR_AST_USE, ast));
    case WR_AST_MODULE:
        return wri_exec_module(ctx, st, WR_AST_AS(wr_ast_module, WR_AST_MODULE, ast));
    case WR_AST_SET:
        return exec_set(ctx, st, WR_AST_AS(wr_ast_set, WR_AST_SET, ast));
    case WR_AST_JAR:
        return exec_jar(ctx, st, WR_AST_AS(wr_ast_jar, WR_AST_JAR, ast));
    default:
        return wri_unsupported_query(ctx, st, ast);
    }
}

static bool
has_running_jobs(const wr_session *s)
{
    for (uint32_t i = 0; i < s->job_count; i++)
        if (s->jobs[i].job) return true;
    return false;
}

wr_status
wri_exec_ddl(wr_ctx *ctx, wri_stmt *st, const wr_ast *ast)
{
    if (ast->kind == WR_AST_SET) {
        const wr_ast_set *set = WR_AST_AS(wr_ast_set, WR_AST_SET, ast);
        if (!set->reset && !set->key) return show_set(ctx, st);
    }
    WR_TRY(dispatch(ctx, st, ast));
    WR_TRY(wri_result_ok(ctx, st));
    /* Nothing of this statement points into the catalogs any more; a running job may. */
    if (!has_running_jobs(st->session)) wr_catalogs_trim(st->session->catalogs);
    return WR_OK;
}
