/* SPDX-License-Identifier: Apache-2.0 */
/* The session's catalogs: which there are, the current one, names, finding objects. Changes are in
 * change.c, functions in functions.c, session options in options.c. Thread: session's. */
#include "catalog/catalog_int.h"

#include <stdio.h>

#define PATH_BYTES_MAX   4096
#define DEFAULT_CATALOG  "default_catalog"
#define DEFAULT_DATABASE "default_database"

bool
wr_catalog_register(void)
{
    return wr_register_catalog(&wri_memory_ops) && wr_register_catalog(&wri_file_ops);
}

wri_catalog_entry *
wri_catalog_find(const wr_catalogs *cats, wr_str name)
{
    wri_entry *e = wri_bag_find(&cats->catalogs, name);
    return e ? e->item : NULL;
}

wr_str
wri_full_name(wr_arena *a, const wr_table_id *id)
{
    return wr_arena_printf(a,
                           "%.*s\x1f"
                           "%.*s\x1f"
                           "%.*s",
                           WR_STR_ARG(id->catalog), WR_STR_ARG(id->database), WR_STR_ARG(id->name));
}

/* ---- begin and end --------------------------------------------------------------------------- */

static wr_status
set_current(wr_ctx *ctx, wr_catalogs *cats, wr_str catalog, wr_str database)
{
    wri_home *home = wri_home_create();
    wr_str c, d;
    if (!home || !wri_copy_str(home->arena, catalog, &c) ||
        !wri_copy_str(home->arena, database, &d)) {
        wri_home_destroy(home);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    wri_bury(&cats->graves, cats->current); /* the statement's environment may point at the names */
    cats->current = home;
    cats->current_catalog = c;
    cats->current_database = d;
    return WR_OK;
}

static wr_status
open_builtin(wr_ctx *ctx, wr_catalogs *cats, wr_str data_dir)
{
    char path[PATH_BYTES_MAX];
    (void)snprintf(path, sizeof path, "%.*s/catalog", WR_STR_ARG(data_dir));
    if (data_dir.len + sizeof "/catalog" > sizeof path)
        return wr_raise(ctx, WR_LIMIT, "the path of the data directory is too long");
    wr_option items[] = {
        {.key = WR_STR("default-database"), .value = WR_STR(DEFAULT_DATABASE), .span = WR_NO_SPAN},
        {.key = WR_STR("path"), .value = wr_str_c(path), .span = WR_NO_SPAN},
    };
    wr_options options = {.items = items, .count = data_dir.len ? 2 : 1};
    wri_home *home = wri_home_create();
    wri_catalog_entry *e = home ? WR_NEW(home->arena, wri_catalog_entry) : NULL;
    if (!e) {
        wri_home_destroy(home);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    e->name = WR_STR(DEFAULT_CATALOG);
    e->ops = data_dir.len ? &wri_file_ops : &wri_memory_ops;
    e->builtin = true;
    wr_status status = e->ops->open(ctx, e->name, &options, &e->impl);
    if (status != WR_OK) {
        wri_home_destroy(home);
        return status;
    }
    const wr_catalog_ops *ops = e->ops;
    wr_catalog *impl = e->impl;
    if (wri_bag_put(&cats->catalogs, &cats->graves, e->name, e, home)) return WR_OK;
    ops->close(impl);
    return wr_raise(ctx, WR_NOMEM, "out of memory");
}

wr_status
wr_catalogs_create(wr_ctx *ctx, wr_str data_dir, wr_catalogs **out)
{
    *out = NULL;
    wr_arena *arena = wr_arena_create(NULL, 1024);
    wr_catalogs *cats = arena ? WR_NEW(arena, wr_catalogs) : NULL;
    if (!cats) {
        wr_arena_destroy(arena);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    cats->arena = arena;
    wr_status status = wri_options_init(ctx, &cats->options);
    if (status == WR_OK) status = open_builtin(ctx, cats, data_dir);
    if (status == WR_OK)
        status = set_current(ctx, cats, WR_STR(DEFAULT_CATALOG), WR_STR(DEFAULT_DATABASE));
    if (status != WR_OK) {
        wr_catalogs_destroy(cats);
        return status;
    }
    *out = cats;
    return WR_OK;
}

static void
close_dropped(wr_catalogs *cats)
{
    for (wri_catalog_entry *e = cats->dropped; e; e = e->next_dropped) e->ops->close(e->impl);
    cats->dropped = NULL;
}

void
wr_catalogs_destroy(wr_catalogs *cats)
{
    if (!cats) return;
    for (uint32_t i = 0; i < cats->catalogs.count; i++) {
        wri_catalog_entry *e = cats->catalogs.items[i].item;
        e->ops->close(e->impl);
    }
    close_dropped(cats);
    wri_bag_free(&cats->catalogs);
    wri_bag_free(&cats->temporary);
    wri_bag_free(&cats->temporary_functions);
    wri_bag_free(&cats->system_functions);
    wri_graves_free(&cats->graves);
    wri_home_destroy(cats->current);
    wri_options_free(&cats->options);
    wr_arena_destroy(cats->arena);
}

void
wr_catalogs_trim(wr_catalogs *cats)
{
    close_dropped(cats);
    wri_graves_free(&cats->graves);
    for (uint32_t i = 0; i < cats->catalogs.count; i++) {
        wri_catalog_entry *e = cats->catalogs.items[i].item;
        e->ops->trim(e->impl);
    }
}

/* ---- current catalog and database ------------------------------------------------------------ */

wr_str
wr_catalogs_current_catalog(const wr_catalogs *cats)
{
    return cats->current_catalog;
}

wr_str
wr_catalogs_current_database(const wr_catalogs *cats)
{
    return cats->current_database;
}

static void
catalog_candidates(wr_ctx *ctx, const wr_catalogs *cats, wr_str wanted)
{
    for (uint32_t i = 0; i < cats->catalogs.count; i++)
        wr_candidate(ctx, wanted, cats->catalogs.items[i].name);
}

wr_status
wr_catalogs_use_catalog(wr_ctx *ctx, wr_catalogs *cats, wr_str name)
{
    wri_catalog_entry *e = wri_catalog_find(cats, name);
    if (e) return set_current(ctx, cats, e->name, e->ops->default_database(e->impl));
    catalog_candidates(ctx, cats, name);
    return wr_raise(ctx, WR_NAME, "A catalog with name [%.*s] does not exist.", WR_STR_ARG(name));
}

static void
database_candidates(wr_ctx *ctx, wri_catalog_entry *e, wr_str wanted)
{
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    wr_arena *a = wr_arena_create(NULL, 1024);
    wr_str *names = NULL;
    uint32_t count = 0;
    if (a && e->ops->list_databases(&quiet, e->impl, a, &names, &count) == WR_OK)
        for (uint32_t i = 0; i < count; i++) wr_candidate(ctx, wanted, names[i]);
    wr_arena_destroy(a);
}

wr_status
wr_catalogs_use_database(wr_ctx *ctx, wr_catalogs *cats, wr_str catalog, wr_str database)
{
    wr_str name = catalog.len ? catalog : cats->current_catalog;
    wri_catalog_entry *e = wri_catalog_find(cats, name);
    if (!e) {
        catalog_candidates(ctx, cats, name);
        return wr_raise(ctx, WR_NAME, "A catalog with name [%.*s] does not exist.",
                        WR_STR_ARG(name));
    }
    const wr_database_desc *db = NULL;
    WR_TRY(e->ops->get_database(ctx, e->impl, database, &db));
    if (db) return set_current(ctx, cats, e->name, database);
    database_candidates(ctx, e, database);
    return wr_raise(ctx, WR_NAME,
                    "A database with name [%.*s] does not exist in the catalog: [%.*s].",
                    WR_STR_ARG(database), WR_STR_ARG(e->name));
}

/* ---- names ----------------------------------------------------------------------------------- */

wr_status
wr_catalogs_qualify(wr_ctx *ctx, const wr_catalogs *cats, const wr_str *parts, uint32_t count,
                    wr_span span, wr_table_id *out)
{
    if (count < 1 || count > 3)
        return wr_raise_at(ctx, WR_NAME, span, "Object identifier must consist of 1 to 3 parts.");
    for (uint32_t i = 0; i < count; i++)
        if (parts[i].len == 0) return wr_raise_at(ctx, WR_NAME, span, "a name must not be empty");
    out->catalog = count == 3 ? parts[0] : cats->current_catalog;
    out->database = count >= 2 ? parts[count - 2] : cats->current_database;
    out->name = parts[count - 1];
    return WR_OK;
}

static wr_status
find_temporary(wr_ctx *ctx, wr_catalogs *cats, const wr_table_id *id, const wr_table_desc **out)
{
    *out = NULL;
    if (cats->temporary.count == 0) return WR_OK;
    wr_arena *a = wr_arena_create(NULL, 256);
    WR_TRY_ALLOC(ctx, a);
    wr_str key = wri_full_name(a, id);
    wri_entry *e = key.ptr ? wri_bag_find(&cats->temporary, key) : NULL;
    bool failed = !key.ptr;
    wr_arena_destroy(a);
    if (failed) return wr_raise(ctx, WR_NOMEM, "out of memory");
    *out = e ? e->item : NULL;
    return WR_OK;
}

wr_status
wr_catalogs_find_permanent(wr_ctx *ctx, wr_catalogs *cats, const wr_table_id *id,
                           const wr_table_desc **out)
{
    *out = NULL;
    wri_catalog_entry *e = wri_catalog_find(cats, id->catalog);
    if (!e) return WR_OK;
    const wr_database_desc *db = NULL;
    WR_TRY(e->ops->get_database(ctx, e->impl, id->database, &db));
    return db ? e->ops->get_table(ctx, e->impl, id->database, id->name, out) : WR_OK;
}

wr_status
wr_catalogs_find_table(wr_ctx *ctx, wr_catalogs *cats, const wr_table_id *id,
                       const wr_table_desc **out)
{
    WR_TRY(find_temporary(ctx, cats, id, out));
    return *out ? WR_OK : wr_catalogs_find_permanent(ctx, cats, id, out);
}

void
wr_catalogs_candidates(wr_ctx *ctx, wr_catalogs *cats, const wr_table_id *id)
{
    wri_catalog_entry *e = wri_catalog_find(cats, id->catalog);
    wr_arena *a = e ? wr_arena_create(NULL, 1024) : NULL;
    wr_str *names = NULL;
    uint32_t count = 0;
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    if (a && wr_catalogs_list_tables(&quiet, cats, id->catalog, id->database, WR_LIST_TABLES, a,
                                     &names, &count) == WR_OK)
        for (uint32_t i = 0; i < count; i++) wr_candidate(ctx, id->name, names[i]);
    wr_arena_destroy(a);
}

/* ---- listing --------------------------------------------------------------------------------- */

wr_status
wr_catalogs_list_catalogs(wr_ctx *ctx, wr_catalogs *cats, wr_arena *a, wr_str **names,
                          uint32_t *count)
{
    return wri_bag_names(ctx, &cats->catalogs, a, names, count);
}

static wr_status
catalog_or_error(wr_ctx *ctx, wr_catalogs *cats, wr_str name, wri_catalog_entry **out)
{
    *out = wri_catalog_find(cats, name);
    if (*out) return WR_OK;
    catalog_candidates(ctx, cats, name);
    return wr_raise(ctx, WR_NAME, "Catalog %.*s does not exist", WR_STR_ARG(name));
}

wr_status
wr_catalogs_list_databases(wr_ctx *ctx, wr_catalogs *cats, wr_str catalog, wr_arena *a,
                           wr_str **names, uint32_t *count)
{
    wri_catalog_entry *e = NULL;
    WR_TRY(catalog_or_error(ctx, cats, catalog, &e));
    return e->ops->list_databases(ctx, e->impl, a, names, count);
}

wr_status
wr_catalogs_get_database(wr_ctx *ctx, wr_catalogs *cats, wr_str catalog, wr_str database,
                         const wr_database_desc **out)
{
    wri_catalog_entry *e = NULL;
    WR_TRY(catalog_or_error(ctx, cats, catalog, &e));
    return e->ops->get_database(ctx, e->impl, database, out);
}

typedef WR_LIST(wr_str) name_list;

static bool
add_name(wr_arena *a, name_list *list, wr_str name)
{
    uint32_t at = list->count;
    while (at > 0 && wr_str_cmp(name, list->items[at - 1]) < 0) at--;
    if (at > 0 && wr_str_eq(name, list->items[at - 1])) return true;
    wr_str copy = wr_arena_str(a, name);
    if (!copy.ptr || !wr_list_push(a, list, copy)) return false;
    memmove(list->items + at + 1, list->items + at, (list->count - 1 - at) * sizeof *list->items);
    list->items[at] = copy;
    return true;
}

static bool
is_listed(const wr_table_desc *t, wr_list_what what)
{
    return what == WR_LIST_TABLES ||
           t->kind == (what == WR_LIST_VIEWS ? WR_TABLE_VIEW : WR_TABLE_MATERIALIZED);
}

/* Permanent names are sorted already, so that adding them is one comparison each. */
static wr_status
add_permanent(wr_ctx *ctx, wri_catalog_entry *e, wr_str database, wr_list_what what, wr_arena *a,
              name_list *list)
{
    wr_str *names = NULL;
    uint32_t count = 0;
    WR_TRY(e->ops->list_tables(ctx, e->impl, database, a, &names, &count));
    for (uint32_t i = 0; i < count; i++) {
        const wr_table_desc *t = NULL;
        if (what != WR_LIST_TABLES) {
            wr_ctx own; /* a damaged table hides none of the others */
            wr_ctx_init(&own);
            if (e->ops->get_table(&own, e->impl, database, names[i], &t) != WR_OK)
                wr_notice(ctx, "%s", own.err.message);
            if (!t || !is_listed(t, what)) continue;
        }
        if (!add_name(a, list, names[i])) return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    return WR_OK;
}

wr_status
wr_catalogs_list_tables(wr_ctx *ctx, wr_catalogs *cats, wr_str catalog, wr_str database,
                        wr_list_what what, wr_arena *a, wr_str **names, uint32_t *count)
{
    wri_catalog_entry *e = NULL;
    const wr_database_desc *db = NULL;
    name_list list = {0};
    WR_TRY(catalog_or_error(ctx, cats, catalog, &e));
    WR_TRY(e->ops->get_database(ctx, e->impl, database, &db));
    if (!db) {
        database_candidates(ctx, e, database);
        return wr_raise(ctx, WR_NAME, "Database '%.*s'.'%.*s' doesn't exist.", WR_STR_ARG(catalog),
                        WR_STR_ARG(database));
    }
    WR_TRY(add_permanent(ctx, e, database, what, a, &list));
    for (uint32_t i = 0; i < cats->temporary.count; i++) {
        const wr_table_desc *t = cats->temporary.items[i].item;
        if (!wr_str_eq(t->id.catalog, catalog) || !wr_str_eq(t->id.database, database)) continue;
        if (!is_listed(t, what)) continue;
        if (!add_name(a, &list, t->id.name)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    *names = list.items;
    *count = list.count;
    return WR_OK;
}

wr_status
wr_catalogs_get_info(wr_ctx *ctx, wr_catalogs *cats, wr_str name, wr_catalog_info *out)
{
    wri_catalog_entry *e = wri_catalog_find(cats, name);
    if (!e || e->builtin) {
        if (!e) catalog_candidates(ctx, cats, name);
        return wr_raise(ctx, WR_NAME, "Cannot obtain metadata information from Catalog %.*s.",
                        WR_STR_ARG(name));
    }
    *out = (wr_catalog_info){
        .options = &e->options, .has_comment = e->has_comment, .comment = e->comment};
    return WR_OK;
}
