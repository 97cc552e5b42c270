/* SPDX-License-Identifier: Apache-2.0 */
/* Changing tables, views, databases and catalogs. The manager checks, with Flink's texts; the
 * catalogs only do. The sentence of the cause is the message, the one around it a frame. */
#include "catalog/catalog_int.h"

#include "spi/factory.h"

typedef struct kind_word {
    const char *statement, *lower, *upper;
} kind_word;

static const kind_word kind_words[] = {
    [WR_TABLE_BASE] = {"TABLE", "table", "Table"},
    [WR_TABLE_VIEW] = {"VIEW", "view", "View"},
    [WR_TABLE_MATERIALIZED] = {"MATERIALIZED TABLE", "materialized table", "Materialized Table"},
};

static wr_status
no_memory(wr_ctx *ctx)
{
    return wr_raise(ctx, WR_NOMEM, "out of memory");
}

/* ---- tables and views ------------------------------------------------------------------------ */

static wr_status
create_temporary(wr_ctx *ctx, wr_catalogs *cats, const wr_table_desc *t, bool exists_ok,
                 bool replace)
{
    wri_home *home = wri_home_create();
    wr_table_desc *copy = home ? wr_table_desc_copy(home->arena, t) : NULL;
    wr_str key = copy ? wri_full_name(home->arena, &t->id) : (wr_str){0};
    if (!key.ptr) {
        wri_home_destroy(home);
        return no_memory(ctx);
    }
    if (!replace && wri_bag_find(&cats->temporary, key)) {
        wri_home_destroy(home);
        if (exists_ok) return WR_OK;
        return wr_raise(ctx, WR_EXISTS, "Temporary table '`%.*s`.`%.*s`.`%.*s`' already exists",
                        WR_STR_ARG(t->id.catalog), WR_STR_ARG(t->id.database),
                        WR_STR_ARG(t->id.name));
    }
    return wri_bag_put(&cats->temporary, &cats->graves, key, copy, home) ? WR_OK : no_memory(ctx);
}

static void
create_frame(wr_ctx *ctx, const wr_table_id *id)
{
    wr_frame(ctx, "Could not execute CreateTable in path `%.*s`.`%.*s`.`%.*s`",
             WR_STR_ARG(id->catalog), WR_STR_ARG(id->database), WR_STR_ARG(id->name));
}

static wr_status
already_there(wr_ctx *ctx, wr_str catalog, wr_str database, wr_str name)
{
    return wr_raise(ctx, WR_EXISTS, "Table (or view) %.*s.%.*s already exists in Catalog %.*s.",
                    WR_STR_ARG(database), WR_STR_ARG(name), WR_STR_ARG(catalog));
}

/* The catalog of an object that is to be made; both its catalog and its database must be there. */
static wr_status
home_of(wr_ctx *ctx, wr_catalogs *cats, wr_str catalog, wr_str database, wri_catalog_entry **out)
{
    *out = wri_catalog_find(cats, catalog);
    if (!*out) {
        for (uint32_t i = 0; i < cats->catalogs.count; i++)
            wr_candidate(ctx, catalog, cats->catalogs.items[i].name);
        return wr_raise(ctx, WR_NAME, "Catalog %.*s does not exist.", WR_STR_ARG(catalog));
    }
    const wr_database_desc *db = NULL;
    WR_TRY((*out)->ops->get_database(ctx, (*out)->impl, database, &db));
    if (db) return WR_OK;
    return wr_raise(ctx, WR_NAME, "Database %.*s does not exist in Catalog %.*s.",
                    WR_STR_ARG(database), WR_STR_ARG(catalog));
}

wr_status
wr_catalogs_create_table(wr_ctx *ctx, wr_catalogs *cats, const wr_table_desc *t, bool exists_ok)
{
    if (t->temporary) return create_temporary(ctx, cats, t, exists_ok, false);
    wri_catalog_entry *e = NULL;
    const wr_table_desc *old = NULL;
    wr_status status = home_of(ctx, cats, t->id.catalog, t->id.database, &e);
    if (status == WR_OK) status = e->ops->get_table(ctx, e->impl, t->id.database, t->id.name, &old);
    if (status == WR_OK && old) {
        if (exists_ok) return WR_OK;
        status = already_there(ctx, t->id.catalog, t->id.database, t->id.name);
    }
    if (status == WR_OK) return e->ops->create_table(ctx, e->impl, t);
    create_frame(ctx, &t->id);
    return status;
}

wr_status
wr_catalogs_replace_table(wr_ctx *ctx, wr_catalogs *cats, const wr_table_desc *t)
{
    if (t->temporary) return create_temporary(ctx, cats, t, false, true);
    wri_catalog_entry *e = NULL;
    WR_TRY(home_of(ctx, cats, t->id.catalog, t->id.database, &e));
    return e->ops->replace_table(ctx, e->impl, t);
}

wr_status
wr_catalogs_rename_table(wr_ctx *ctx, wr_catalogs *cats, const wr_table_id *from, wr_str to)
{
    wri_catalog_entry *e = NULL;
    const wr_table_desc *t = NULL, *there = NULL;
    WR_TRY(home_of(ctx, cats, from->catalog, from->database, &e));
    WR_TRY(e->ops->get_table(ctx, e->impl, from->database, from->name, &t));
    if (!t)
        return wr_raise(ctx, WR_NAME, "Table (or view) %.*s.%.*s does not exist in Catalog %.*s.",
                        WR_STR_ARG(from->database), WR_STR_ARG(from->name),
                        WR_STR_ARG(from->catalog));
    WR_TRY(e->ops->get_table(ctx, e->impl, from->database, to, &there));
    if (!there) return e->ops->rename_table(ctx, e->impl, from->database, from->name, to);
    wr_status status = already_there(ctx, from->catalog, from->database, to);
    wr_frame(ctx, "Could not execute ALTER %s %.*s.%.*s.%.*s RENAME TO %.*s.%.*s.%.*s",
             kind_words[t->kind].statement, WR_STR_ARG(from->catalog), WR_STR_ARG(from->database),
             WR_STR_ARG(from->name), WR_STR_ARG(from->catalog), WR_STR_ARG(from->database),
             WR_STR_ARG(to));
    return status;
}

/* *key: in the bag of temporary objects, valid in arena `a`. */
static wr_status
temporary_of(wr_ctx *ctx, wr_catalogs *cats, const wr_table_id *id, wr_arena *a, wr_str *key,
             const wr_table_desc **out)
{
    *key = wri_full_name(a, id);
    if (!key->ptr) return no_memory(ctx);
    wri_entry *e = wri_bag_find(&cats->temporary, *key);
    *out = e ? e->item : NULL;
    return WR_OK;
}

static wr_status
drop_temporary(wr_ctx *ctx, wr_catalogs *cats, const wr_table_id *id, wr_table_kind kind,
               bool absent_ok, wr_arena *a)
{
    wr_str key;
    const wr_table_desc *t = NULL;
    WR_TRY(temporary_of(ctx, cats, id, a, &key, &t));
    if (t && t->kind == kind) {
        wri_bag_remove(&cats->temporary, &cats->graves, key);
        return WR_OK;
    }
    if (absent_ok) return WR_OK;
    return wr_raise(ctx, WR_NAME,
                    "Temporary table or view with identifier '%.*s.%.*s.%.*s' does not exist.",
                    WR_STR_ARG(id->catalog), WR_STR_ARG(id->database), WR_STR_ARG(id->name));
}

static wr_status
drop_permanent(wr_ctx *ctx, wr_catalogs *cats, const wr_table_id *id, wr_table_kind kind,
               bool absent_ok, wr_arena *a)
{
    wr_str key;
    const wr_table_desc *t = NULL;
    const kind_word *word = &kind_words[kind];
    WR_TRY(temporary_of(ctx, cats, id, a, &key, &t));
    if (t && t->kind == kind)
        return wr_raise(ctx, WR_SEMANTIC,
                        "Temporary %s with identifier '`%.*s`.`%.*s`.`%.*s`' exists. Drop it first "
                        "before removing the permanent %s.",
                        word->lower, WR_STR_ARG(id->catalog), WR_STR_ARG(id->database),
                        WR_STR_ARG(id->name), word->lower);
    wri_catalog_entry *e = wri_catalog_find(cats, id->catalog);
    wr_ctx own;
    wr_ctx_init(&own);
    wr_status status = wr_catalogs_find_permanent(&own, cats, id, &t);
    if (status == WR_CORRUPT) { /* what cannot be read can still be dropped */
        wr_notice(ctx, "%s", own.err.message);
        return e->ops->drop_table(ctx, e->impl, id->database, id->name);
    }
    if (status != WR_OK) return wr_raise(ctx, status, "%s", own.err.message);
    if (t && t->kind == kind) return e->ops->drop_table(ctx, e->impl, id->database, id->name);
    if (absent_ok) return WR_OK;
    if (!t) wr_catalogs_candidates(ctx, cats, id);
    if (t)
        wr_hint(ctx, "it is a %s: use DROP %s", kind_words[t->kind].lower,
                kind_words[t->kind].statement);
    return wr_raise(ctx, WR_NAME, "%s with identifier '%.*s.%.*s.%.*s' does not exist.",
                    word->upper, WR_STR_ARG(id->catalog), WR_STR_ARG(id->database),
                    WR_STR_ARG(id->name));
}

wr_status
wr_catalogs_drop_table(wr_ctx *ctx, wr_catalogs *cats, const wr_table_id *id, wr_table_kind kind,
                       bool temporary, bool absent_ok)
{
    wr_arena *a = wr_arena_create(NULL, 256);
    WR_TRY_ALLOC(ctx, a);
    wr_status status = temporary ? drop_temporary(ctx, cats, id, kind, absent_ok, a)
                                 : drop_permanent(ctx, cats, id, kind, absent_ok, a);
    wr_arena_destroy(a);
    return status;
}

/* ---- databases ------------------------------------------------------------------------------- */

static wr_status
catalog_of(wr_ctx *ctx, wr_catalogs *cats, wr_str name, const char *stop, wri_catalog_entry **out)
{
    *out = wri_catalog_find(cats, name);
    if (*out) return WR_OK;
    for (uint32_t i = 0; i < cats->catalogs.count; i++)
        wr_candidate(ctx, name, cats->catalogs.items[i].name);
    return wr_raise(ctx, WR_NAME, "Catalog %.*s does not exist%s", WR_STR_ARG(name), stop);
}

wr_status
wr_catalogs_create_database(wr_ctx *ctx, wr_catalogs *cats, wr_str catalog,
                            const wr_database_desc *db, bool exists_ok)
{
    wri_catalog_entry *e = NULL;
    const wr_database_desc *old = NULL;
    wr_status status = catalog_of(ctx, cats, catalog, "", &e);
    if (status == WR_OK) status = e->ops->get_database(ctx, e->impl, db->name, &old);
    if (status == WR_OK && !old) return e->ops->create_database(ctx, e->impl, db);
    if (status == WR_OK && exists_ok) return WR_OK;
    if (status == WR_OK)
        status = wr_raise(ctx, WR_EXISTS, "Database %.*s already exists in Catalog %.*s.",
                          WR_STR_ARG(db->name), WR_STR_ARG(catalog));
    wr_frame(ctx,
             "Could not execute CREATE DATABASE: (catalogName: [%.*s], databaseName: [%.*s], "
             "ignoreIfExists: [%s])",
             WR_STR_ARG(catalog), WR_STR_ARG(db->name), exists_ok ? "true" : "false");
    return status;
}

static wr_status
no_database(wr_ctx *ctx, wr_str catalog, wr_str database)
{
    return wr_raise(ctx, WR_NAME, "Database %.*s does not exist in Catalog %.*s.",
                    WR_STR_ARG(database), WR_STR_ARG(catalog));
}

wr_status
wr_catalogs_alter_database(wr_ctx *ctx, wr_catalogs *cats, wr_str catalog,
                           const wr_database_desc *db)
{
    wri_catalog_entry *e = NULL;
    const wr_database_desc *old = NULL;
    WR_TRY(catalog_of(ctx, cats, catalog, "", &e));
    WR_TRY(e->ops->get_database(ctx, e->impl, db->name, &old));
    if (old) return e->ops->alter_database(ctx, e->impl, db);
    wr_status status = no_database(ctx, catalog, db->name);
    wr_frame(ctx, "Database %.*s not exists", WR_STR_ARG(db->name));
    return status;
}

static wr_status
check_empty(wr_ctx *ctx, wri_catalog_entry *e, wr_str database)
{
    wr_arena *a = wr_arena_create(NULL, 1024);
    WR_TRY_ALLOC(ctx, a);
    wr_str *names = NULL;
    uint32_t tables = 0, functions = 0;
    wr_status status = e->ops->list_tables(ctx, e->impl, database, a, &names, &tables);
    if (status == WR_OK)
        status = e->ops->list_functions(ctx, e->impl, database, a, &names, &functions);
    wr_arena_destroy(a);
    if (status == WR_OK && tables + functions > 0)
        return wr_raise(ctx, WR_SEMANTIC, "Database %.*s in catalog %.*s is not empty.",
                        WR_STR_ARG(database), WR_STR_ARG(e->name));
    return status;
}

static wr_status
drop_database(wr_ctx *ctx, wr_catalogs *cats, wr_str catalog, wr_str database, bool absent_ok,
              bool cascade)
{
    wri_catalog_entry *e = NULL;
    const wr_database_desc *db = NULL;
    if (wr_str_eq(catalog, cats->current_catalog) && wr_str_eq(database, cats->current_database))
        return wr_raise(ctx, WR_SEMANTIC, "Cannot drop a database which is currently in use.");
    WR_TRY(catalog_of(ctx, cats, catalog, ".", &e));
    WR_TRY(e->ops->get_database(ctx, e->impl, database, &db));
    if (!db) return absent_ok ? WR_OK : no_database(ctx, catalog, database);
    if (!cascade) WR_TRY(check_empty(ctx, e, database));
    return e->ops->drop_database(ctx, e->impl, database);
}

wr_status
wr_catalogs_drop_database(wr_ctx *ctx, wr_catalogs *cats, wr_str catalog, wr_str database,
                          bool absent_ok, bool cascade)
{
    wr_status status = drop_database(ctx, cats, catalog, database, absent_ok, cascade);
    if (status != WR_OK)
        wr_frame(ctx, "Could not execute DROP DATABASE %s%.*s.%.*s %s",
                 absent_ok ? "IF EXISTS  " : "", WR_STR_ARG(catalog), WR_STR_ARG(database),
                 cascade ? "CASCADE" : "RESTRICT");
    return status;
}

/* ---- catalogs -------------------------------------------------------------------------------- */

static wr_status
no_catalog_type(wr_ctx *ctx, wr_str type, wr_span span)
{
    const wr_catalog_ops *const *all;
    uint32_t n = wr_list_catalogs(&all);
    wr_arena *a = wr_arena_create(NULL, 1024);
    WR_TRY_ALLOC(ctx, a);
    wr_text list;
    wr_text_init(&list, a);
    for (uint32_t i = 0; i < n; i++) {
        wr_candidate(ctx, type, wr_str_c(all[i]->type));
        wr_text_printf(&list, "%s%s", i ? "\n" : "", all[i]->type);
    }
    wr_str names = wr_text_str(&list);
    wr_status status =
        wr_raise_at(ctx, WR_OPTION, span,
                    "Could not find any factory for identifier '%.*s' that implements "
                    "'org.apache.flink.table.factories.CatalogFactory' in the classpath.\n\n"
                    "Available factory identifiers are:\n\n%.*s",
                    WR_STR_ARG(type), WR_STR_ARG(names));
    wr_arena_destroy(a);
    return status;
}

/* Keys and values against the catalog's table; 'type' is known to all. */
static wr_status
check_catalog_options(wr_ctx *ctx, const wr_catalog_ops *ops, const wr_options *options)
{
    wr_arena *a = wr_arena_create(NULL, 1024);
    WR_TRY_ALLOC(ctx, a);
    WR_LIST(wr_str) bad = {0}, good = {0};
    wr_status status = WR_OK;
    wr_span span = WR_NO_SPAN;
    for (uint32_t i = 0; status == WR_OK && i < options->count; i++) {
        const wr_option *o = &options->items[i];
        const wr_option_def *def = wr_option_def_find(ops->options, o->key);
        wr_option_value v;
        if (wr_str_eq_c(o->key, "type")) continue;
        if (def) {
            status = wr_option_parse(ctx, def, o->value, o->span, &v);
            continue;
        }
        if (bad.count == 0) span = o->span;
        if (!wr_list_push(a, &bad, o->key)) status = no_memory(ctx);
    }
    for (const wr_option_def *d = ops->options; status == WR_OK && d->key; d++)
        if (!wr_list_push(a, &good, wr_str_c(d->key))) status = no_memory(ctx);
    if (status == WR_OK && bad.count)
        status = wr_options_unsupported(ctx, ops->type, bad.items, bad.count, good.items,
                                        good.count, span);
    wr_arena_destroy(a);
    return status;
}

wr_status
wri_catalog_open(wr_ctx *ctx, wr_str name, const wr_options *options, const wr_catalog_ops **ops,
                 wr_catalog **impl)
{
    const wr_option *type = wr_options_find(options, "type");
    wr_status status = WR_OK;
    *ops = type ? wr_find_catalog(type->value) : NULL;
    if (!type)
        status = wr_raise(
            ctx, WR_OPTION,
            "Catalog options do not contain an option key 'type' for discovering a catalog.");
    else if (!*ops)
        status = no_catalog_type(ctx, type->value, type->span);
    if (status == WR_OK) status = check_catalog_options(ctx, *ops, options);
    if (status == WR_OK) status = (*ops)->open(ctx, name, options, impl);
    if (status != WR_OK) wr_frame(ctx, "Unable to create catalog '%.*s'.", WR_STR_ARG(name));
    return status;
}

/* An entry with copies of everything, in a home of its own. */
static wr_status
make_entry(wr_ctx *ctx, wr_str name, const wr_options *options, wr_str comment, wri_home **home,
           wri_catalog_entry **out)
{
    *home = wri_home_create();
    wr_arena *a = *home ? (*home)->arena : NULL;
    wri_catalog_entry *e = a ? WR_NEW(a, wri_catalog_entry) : NULL;
    if (!e || !wri_copy_str(a, name, &e->name) || !wri_copy_options(a, options, &e->options) ||
        !wri_copy_str(a, comment, &e->comment)) {
        wri_home_destroy(*home);
        return no_memory(ctx);
    }
    e->has_comment = comment.ptr != NULL;
    *out = e;
    return WR_OK;
}

wr_status
wr_catalogs_create_catalog(wr_ctx *ctx, wr_catalogs *cats, wr_str name, const wr_options *options,
                           wr_str comment, bool exists_ok)
{
    if (wri_catalog_find(cats, name)) {
        if (exists_ok) return WR_OK;
        wr_status status =
            wr_raise(ctx, WR_EXISTS, "Catalog %.*s already exists.", WR_STR_ARG(name));
        wr_frame(ctx, "Could not execute CREATE CATALOG: (catalogName: [%.*s])", WR_STR_ARG(name));
        return status;
    }
    wri_home *home;
    wri_catalog_entry *e;
    WR_TRY(make_entry(ctx, name, options, comment, &home, &e));
    wr_status status = wri_catalog_open(ctx, e->name, options, &e->ops, &e->impl);
    if (status != WR_OK) {
        wri_home_destroy(home);
        return status;
    }
    const wr_catalog_ops *ops = e->ops;
    wr_catalog *impl = e->impl;
    if (wri_bag_put(&cats->catalogs, &cats->graves, e->name, e, home)) return WR_OK;
    ops->close(impl);
    return no_memory(ctx);
}

wr_status
wr_catalogs_alter_catalog(wr_ctx *ctx, wr_catalogs *cats, wr_str name, const wr_options *options,
                          wr_str comment)
{
    wri_catalog_entry *old = wri_catalog_find(cats, name);
    if (!old || old->builtin)
        return wr_raise(ctx, WR_NAME, "Catalog %.*s does not exist in the catalog store.",
                        WR_STR_ARG(name));
    const wr_option *was = wr_options_find(&old->options, "type"),
                    *type = wr_options_find(options, "type");
    wr_status status = WR_OK;
    if (!type || !was || !wr_str_eq(was->value, type->value)) {
        status = type && !wr_find_catalog(type->value)
                     ? no_catalog_type(ctx, type->value, type->span)
                     : wr_raise(ctx, WR_OPTION, "the type of a catalog cannot be changed");
    } else {
        status = check_catalog_options(ctx, old->ops, options);
    }
    if (status != WR_OK) {
        wr_frame(ctx, "Unable to create catalog '%.*s'.", WR_STR_ARG(name));
        return status;
    }
    wri_home *home;
    wri_catalog_entry *e;
    WR_TRY(make_entry(ctx, name, options, comment, &home, &e));
    e->ops = old->ops;
    e->impl = old->impl;
    return wri_bag_put(&cats->catalogs, &cats->graves, e->name, e, home) ? WR_OK : no_memory(ctx);
}

wr_status
wr_catalogs_drop_catalog(wr_ctx *ctx, wr_catalogs *cats, wr_str name, bool absent_ok)
{
    wri_catalog_entry *e = wri_catalog_find(cats, name);
    wr_status status = WR_OK;
    if (!e && absent_ok) return WR_OK;
    if (!e)
        status = wr_raise(ctx, WR_NAME, "Catalog %.*s does not exist.", WR_STR_ARG(name));
    else if (wr_str_eq(name, cats->current_catalog))
        status = wr_raise(ctx, WR_SEMANTIC, "Cannot drop a catalog which is currently in use.");
    if (status != WR_OK) {
        wr_frame(ctx, "Could not execute DROP CATALOG: (catalogName: [%.*s])", WR_STR_ARG(name));
        return status;
    }
    /* Jobs may still run on its tables: it is closed by trim. */
    wri_bag_remove(&cats->catalogs, &cats->graves, name);
    e->next_dropped = cats->dropped;
    cats->dropped = e;
    return WR_OK;
}
