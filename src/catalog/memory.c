/* SPDX-License-Identifier: Apache-2.0 */
/* The catalog 'generic_in_memory': databases with tables, views and functions, as long as the
 * session lives. Thread: session's. */
#include "catalog/catalog_int.h"

typedef struct database {
    const wr_database_desc *desc;
    wri_home *desc_home; /* the description's own: it can be replaced */
    wri_bag tables, functions;
} database;

struct wr_catalog {
    wri_home *home;
    wr_str name, default_database;
    wri_bag databases;
    wri_graves graves;
};

static const wr_option_def memory_options[] = {
    {"default-database", WR_OPT_STRING, "default", NULL, 0,
     "Name of the database the catalog starts with."},
    {"property-version", WR_OPT_INT, "1", NULL, 0, "Version of the option names; only 1 exists."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

static database *
find_database(const wr_catalog *c, wr_str name)
{
    wri_entry *e = wri_bag_find(&c->databases, name);
    return e ? e->item : NULL;
}

static wr_status
copy_database(wr_ctx *ctx, const wr_database_desc *desc, wri_home **home,
              const wr_database_desc **out)
{
    *home = wri_home_create();
    *out = *home ? wri_copy_database((*home)->arena, desc) : NULL;
    if (*out) return WR_OK;
    wri_home_destroy(*home);
    return wr_raise(ctx, WR_NOMEM, "out of memory");
}

static wr_status
memory_create_database(wr_ctx *ctx, wr_catalog *c, const wr_database_desc *desc)
{
    wri_home *desc_home, *home = wri_home_create();
    database *db = home ? WR_NEW(home->arena, database) : NULL;
    wr_str name = home ? wr_arena_str(home->arena, desc->name) : (wr_str){0};
    if (!db || !name.ptr) {
        wri_home_destroy(home);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    wr_status status = copy_database(ctx, desc, &desc_home, &db->desc);
    if (status != WR_OK) {
        wri_home_destroy(home);
        return status;
    }
    db->desc_home = desc_home;
    if (wri_bag_put(&c->databases, &c->graves, name, db, home)) return WR_OK;
    wri_home_destroy(desc_home);
    return wr_raise(ctx, WR_NOMEM, "out of memory");
}

static void
memory_close(wr_catalog *c)
{
    for (uint32_t i = 0; i < c->databases.count; i++) {
        database *db = c->databases.items[i].item;
        wri_bag_free(&db->tables);
        wri_bag_free(&db->functions);
        wri_home_destroy(db->desc_home);
    }
    wri_bag_free(&c->databases);
    wri_graves_free(&c->graves);
    wri_home_destroy(c->home);
}

static wr_status
memory_open(wr_ctx *ctx, wr_str name, const wr_options *options, wr_catalog **out)
{
    wri_home *home = wri_home_create();
    wr_catalog *c = home ? WR_NEW(home->arena, wr_catalog) : NULL;
    if (!c) {
        wri_home_destroy(home);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    const wr_option *o = wr_options_find(options, "default-database");
    c->home = home;
    wr_status status = WR_OK;
    if (!wri_copy_str(home->arena, name, &c->name) ||
        !wri_copy_str(home->arena, o ? o->value : WR_STR("default"), &c->default_database))
        status = wr_raise(ctx, WR_NOMEM, "out of memory");
    wr_database_desc db = {.name = c->default_database};
    if (status == WR_OK) status = memory_create_database(ctx, c, &db);
    if (status != WR_OK) {
        memory_close(c);
        return status;
    }
    *out = c;
    return WR_OK;
}

static wr_str
memory_default_database(const wr_catalog *c)
{
    return c->default_database;
}

static wr_status
memory_list_databases(wr_ctx *ctx, wr_catalog *c, wr_arena *a, wr_str **names, uint32_t *count)
{
    return wri_bag_names(ctx, &c->databases, a, names, count);
}

static wr_status
memory_get_database(wr_ctx *ctx, wr_catalog *c, wr_str name, const wr_database_desc **out)
{
    (void)ctx;
    database *db = find_database(c, name);
    *out = db ? db->desc : NULL;
    return WR_OK;
}

static wr_status
memory_alter_database(wr_ctx *ctx, wr_catalog *c, const wr_database_desc *desc)
{
    database *db = find_database(c, desc->name);
    wri_home *home;
    const wr_database_desc *copy;
    WR_ASSERT(db != NULL); /* the manager has looked */
    WR_TRY(copy_database(ctx, desc, &home, &copy));
    wri_bury(&c->graves, db->desc_home);
    db->desc = copy;
    db->desc_home = home;
    return WR_OK;
}

static wr_status
memory_drop_database(wr_ctx *ctx, wr_catalog *c, wr_str name)
{
    (void)ctx;
    database *db = find_database(c, name);
    if (!db) return WR_OK;
    wri_bag_bury(&db->tables, &c->graves);
    wri_bag_bury(&db->functions, &c->graves);
    wri_bury(&c->graves, db->desc_home);
    wri_bag_remove(&c->databases, &c->graves, name);
    return WR_OK;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static wr_status
memory_list_tables(wr_ctx *ctx, wr_catalog *c, wr_str db_name, wr_arena *a, wr_str **names,
                   uint32_t *count)
{
    static const wri_bag empty;
    database *db = find_database(c, db_name);
    return wri_bag_names(ctx, db ? &db->tables : &empty, a, names, count);
}

static wr_status
memory_get_table(wr_ctx *ctx, wr_catalog *c, wr_str db_name, wr_str name, const wr_table_desc **out)
{
    (void)ctx;
    database *db = find_database(c, db_name);
    wri_entry *e = db ? wri_bag_find(&db->tables, name) : NULL;
    *out = e ? e->item : NULL;
    return WR_OK;
}

static wr_status
memory_put_table(wr_ctx *ctx, wr_catalog *c, const wr_table_desc *t)
{
    database *db = find_database(c, t->id.database);
    WR_ASSERT(db != NULL); /* the manager has looked */
    wri_home *home = wri_home_create();
    wr_table_desc *copy = home ? wr_table_desc_copy(home->arena, t) : NULL;
    if (!copy) {
        wri_home_destroy(home);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    return wri_bag_put(&db->tables, &c->graves, copy->id.name, copy, home)
               ? WR_OK
               : wr_raise(ctx, WR_NOMEM, "out of memory");
}

static wr_status
memory_drop_table(wr_ctx *ctx, wr_catalog *c, wr_str db_name, wr_str name)
{
    (void)ctx;
    database *db = find_database(c, db_name);
    if (db) wri_bag_remove(&db->tables, &c->graves, name);
    return WR_OK;
}

static wr_status
memory_rename_table(wr_ctx *ctx, wr_catalog *c, wr_str db_name, wr_str from, wr_str to)
{
    const wr_table_desc *t = NULL;
    WR_TRY(memory_get_table(ctx, c, db_name, from, &t));
    if (!t) return WR_OK;
    wr_table_desc renamed = *t;
    renamed.id.name = to;
    WR_TRY(memory_put_table(ctx, c, &renamed));
    return memory_drop_table(ctx, c, db_name, from);
}

/* ---- functions ------------------------------------------------------------------------------- */

static wr_status
memory_list_functions(wr_ctx *ctx, wr_catalog *c, wr_str db_name, wr_arena *a, wr_str **names,
                      uint32_t *count)
{
    static const wri_bag empty;
    database *db = find_database(c, db_name);
    return wri_bag_names(ctx, db ? &db->functions : &empty, a, names, count);
}

static wr_status
memory_get_function(wr_ctx *ctx, wr_catalog *c, wr_str db_name, wr_str name,
                    const wr_function_desc **out)
{
    (void)ctx;
    database *db = find_database(c, db_name);
    wri_entry *e = db ? wri_bag_find(&db->functions, name) : NULL;
    *out = e ? e->item : NULL;
    return WR_OK;
}

static wr_status
memory_put_function(wr_ctx *ctx, wr_catalog *c, wr_str db_name, const wr_function_desc *f)
{
    database *db = find_database(c, db_name);
    WR_ASSERT(db != NULL);
    wri_home *home = wri_home_create();
    wr_function_desc *copy = home ? wri_copy_function(home->arena, f) : NULL;
    if (!copy) {
        wri_home_destroy(home);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    return wri_bag_put(&db->functions, &c->graves, copy->name, copy, home)
               ? WR_OK
               : wr_raise(ctx, WR_NOMEM, "out of memory");
}

static wr_status
memory_drop_function(wr_ctx *ctx, wr_catalog *c, wr_str db_name, wr_str name)
{
    (void)ctx;
    database *db = find_database(c, db_name);
    if (db) wri_bag_remove(&db->functions, &c->graves, name);
    return WR_OK;
}

static void
memory_trim(wr_catalog *c)
{
    wri_graves_free(&c->graves);
}

const wr_catalog_ops wri_memory_ops = {.abi = WR_ABI,
                                       .type = "generic_in_memory",
                                       .open = memory_open,
                                       .close = memory_close,
                                       .default_database = memory_default_database,
                                       .list_databases = memory_list_databases,
                                       .get_database = memory_get_database,
                                       .create_database = memory_create_database,
                                       .alter_database = memory_alter_database,
                                       .drop_database = memory_drop_database,
                                       .list_tables = memory_list_tables,
                                       .get_table = memory_get_table,
                                       .create_table = memory_put_table,
                                       .replace_table = memory_put_table,
                                       .rename_table = memory_rename_table,
                                       .drop_table = memory_drop_table,
                                       .list_functions = memory_list_functions,
                                       .get_function = memory_get_function,
                                       .put_function = memory_put_function,
                                       .drop_function = memory_drop_function,
                                       .trim = memory_trim,
                                       .options = memory_options};
