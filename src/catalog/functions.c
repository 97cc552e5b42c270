/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of users: kept and listed. Names are compared in lower case, as Flink does. A function
 * without catalog and database is a (temporary) system function. */
#include "catalog/catalog_int.h"

static wr_status
no_memory(wr_ctx *ctx)
{
    return wr_raise(ctx, WR_NOMEM, "out of memory");
}

static wr_str
lower_case(wr_arena *a, wr_str s)
{
    char *p = wr_arena_dup(a, s.ptr, s.len);
    for (size_t i = 0; p && i < s.len; i++)
        if (p[i] >= 'A' && p[i] <= 'Z') p[i] = (char)(p[i] + 32);
    return (wr_str){p, s.len};
}

/* Key in the bag of temporary functions. */
static wr_str
temporary_key(wr_arena *a, const wr_function_id *id)
{
    wr_table_id full = {.catalog = id->catalog, .database = id->database, .name = id->name};
    wr_str key = wri_full_name(a, &full);
    return key.ptr ? lower_case(a, key) : key;
}

static wr_status
put_temporary(wr_ctx *ctx, wr_catalogs *cats, const wr_function_id *id, const wr_function_desc *f,
              bool exists_ok)
{
    wri_bag *bag = f->system ? &cats->system_functions : &cats->temporary_functions;
    wri_home *home = wri_home_create();
    wr_function_desc *copy = home ? wri_copy_function(home->arena, f) : NULL;
    if (copy) copy->name = lower_case(home->arena, f->name);
    wr_str key = !copy ? (wr_str){0} : f->system ? copy->name : temporary_key(home->arena, id);
    if (!copy || !copy->name.ptr || !key.ptr) {
        wri_home_destroy(home);
        return no_memory(ctx);
    }
    if (!wri_bag_find(bag, key))
        return wri_bag_put(bag, &cats->graves, key, copy, home) ? WR_OK : no_memory(ctx);
    wri_home_destroy(home);
    if (exists_ok) return WR_OK;
    if (f->system)
        return wr_raise(ctx, WR_EXISTS,
                        "Could not register temporary system function. A function named '%.*s' "
                        "does already exist.",
                        WR_STR_ARG(f->name));
    return wr_raise(ctx, WR_EXISTS,
                    "Temporary catalog function `%.*s`.`%.*s`.`%.*s` is already defined",
                    WR_STR_ARG(id->catalog), WR_STR_ARG(id->database), WR_STR_ARG(id->name));
}

/* The catalog of a permanent function; raises when its catalog or database is missing. */
static wr_status
catalog_of(wr_ctx *ctx, wr_catalogs *cats, const wr_function_id *id, wri_catalog_entry **out)
{
    const wr_database_desc *db = NULL;
    *out = wri_catalog_find(cats, id->catalog);
    if (!*out)
        return wr_raise(ctx, WR_NAME, "Catalog %.*s does not exist", WR_STR_ARG(id->catalog));
    WR_TRY((*out)->ops->get_database(ctx, (*out)->impl, id->database, &db));
    if (db) return WR_OK;
    return wr_raise(ctx, WR_NAME, "Database %.*s does not exist in Catalog %.*s.",
                    WR_STR_ARG(id->database), WR_STR_ARG(id->catalog));
}

static wr_status
put_permanent(wr_ctx *ctx, wr_catalogs *cats, const wr_function_id *id, const wr_function_desc *f,
              wri_catalog_entry *e)
{
    (void)cats;
    wr_arena *a = wr_arena_create(NULL, 256);
    WR_TRY_ALLOC(ctx, a);
    wr_function_desc named = *f;
    named.name = lower_case(a, f->name);
    wr_status status =
        named.name.ptr ? e->ops->put_function(ctx, e->impl, id->database, &named) : no_memory(ctx);
    wr_arena_destroy(a);
    return status;
}

static wr_status
get_permanent(wr_ctx *ctx, wri_catalog_entry *e, const wr_function_id *id,
              const wr_function_desc **out)
{
    wr_arena *a = wr_arena_create(NULL, 256);
    WR_TRY_ALLOC(ctx, a);
    wr_str name = lower_case(a, id->name);
    wr_status status =
        name.ptr ? e->ops->get_function(ctx, e->impl, id->database, name, out) : no_memory(ctx);
    wr_arena_destroy(a);
    return status;
}

wr_status
wr_catalogs_create_function(wr_ctx *ctx, wr_catalogs *cats, const wr_function_id *id,
                            const wr_function_desc *f, bool exists_ok)
{
    if (f->temporary) return put_temporary(ctx, cats, id, f, exists_ok);
    wri_catalog_entry *e = NULL;
    const wr_function_desc *old = NULL;
    WR_TRY(catalog_of(ctx, cats, id, &e));
    WR_TRY(get_permanent(ctx, e, id, &old));
    if (!old) return put_permanent(ctx, cats, id, f, e);
    if (exists_ok) return WR_OK;
    return wr_raise(ctx, WR_EXISTS, "Function %.*s.%.*s already exists in Catalog %.*s.",
                    WR_STR_ARG(id->database), WR_STR_ARG(old->name), WR_STR_ARG(id->catalog));
}

static wr_status
no_function(wr_ctx *ctx, wr_catalogs *cats, const wr_function_id *id)
{
    (void)cats;
    return wr_raise(ctx, WR_NAME, "Function %.*s.%.*s does not exist in Catalog %.*s.",
                    WR_STR_ARG(id->database), WR_STR_ARG(id->name), WR_STR_ARG(id->catalog));
}

wr_status
wr_catalogs_alter_function(wr_ctx *ctx, wr_catalogs *cats, const wr_function_id *id,
                           const wr_function_desc *f, bool absent_ok)
{
    if (f->temporary)
        return wr_raise(ctx, WR_UNSUPPORTED, "Alter temporary %s function is not supported",
                        f->system ? "system" : "catalog");
    wri_catalog_entry *e = NULL;
    const wr_function_desc *old = NULL;
    WR_TRY(catalog_of(ctx, cats, id, &e));
    WR_TRY(get_permanent(ctx, e, id, &old));
    if (old) return put_permanent(ctx, cats, id, f, e);
    return absent_ok ? WR_OK : no_function(ctx, cats, id);
}

static wr_status
drop_temporary(wr_ctx *ctx, wr_catalogs *cats, const wr_function_id *id, bool system,
               bool absent_ok, wr_arena *a)
{
    wri_bag *bag = system ? &cats->system_functions : &cats->temporary_functions;
    wr_str key = system ? lower_case(a, id->name) : temporary_key(a, id);
    if (!key.ptr) return no_memory(ctx);
    if (wri_bag_find(bag, key)) {
        wri_bag_remove(bag, &cats->graves, key);
        return WR_OK;
    }
    if (absent_ok) return WR_OK;
    if (system)
        return wr_raise(ctx, WR_NAME,
                        "Could not drop temporary system function. A function named '%.*s' doesn't "
                        "exist.",
                        WR_STR_ARG(id->name));
    return wr_raise(ctx, WR_NAME, "Temporary catalog function `%.*s`.`%.*s`.`%.*s` doesn't exist",
                    WR_STR_ARG(id->catalog), WR_STR_ARG(id->database), WR_STR_ARG(id->name));
}

static wr_status
drop_permanent(wr_ctx *ctx, wr_catalogs *cats, const wr_function_id *id, bool absent_ok,
               wr_arena *a)
{
    wri_catalog_entry *e = NULL;
    const wr_function_desc *old = NULL;
    wr_str key = temporary_key(a, id), name = lower_case(a, id->name);
    if (!key.ptr || !name.ptr) return no_memory(ctx);
    if (wri_bag_find(&cats->temporary_functions, key))
        return wr_raise(ctx, WR_SEMANTIC,
                        "Temporary catalog function `%.*s`.`%.*s`.`%.*s` exists. Drop it first "
                        "before removing the permanent function.",
                        WR_STR_ARG(id->catalog), WR_STR_ARG(id->database), WR_STR_ARG(id->name));
    WR_TRY(catalog_of(ctx, cats, id, &e));
    WR_TRY(e->ops->get_function(ctx, e->impl, id->database, name, &old));
    if (old) return e->ops->drop_function(ctx, e->impl, id->database, name);
    return absent_ok ? WR_OK : no_function(ctx, cats, id);
}

wr_status
wr_catalogs_drop_function(wr_ctx *ctx, wr_catalogs *cats, const wr_function_id *id, bool temporary,
                          bool system, bool absent_ok)
{
    wr_arena *a = wr_arena_create(NULL, 256);
    WR_TRY_ALLOC(ctx, a);
    wr_status status = temporary ? drop_temporary(ctx, cats, id, system, absent_ok, a)
                                 : drop_permanent(ctx, cats, id, absent_ok, a);
    wr_arena_destroy(a);
    return status;
}

static wr_status
find_temporary(wr_ctx *ctx, wr_catalogs *cats, const wr_function_id *id,
               const wr_function_desc **out)
{
    if (cats->system_functions.count + cats->temporary_functions.count == 0) return WR_OK;
    wr_arena *a = wr_arena_create(NULL, 256);
    WR_TRY_ALLOC(ctx, a);
    wr_str name = lower_case(a, id->name), key = temporary_key(a, id);
    wri_entry *e = name.ptr ? wri_bag_find(&cats->system_functions, name) : NULL;
    if (!e && key.ptr) e = wri_bag_find(&cats->temporary_functions, key);
    bool failed = !name.ptr || !key.ptr;
    wr_arena_destroy(a);
    if (failed) return no_memory(ctx);
    if (e) *out = e->item;
    return WR_OK;
}

wr_status
wr_catalogs_find_function(wr_ctx *ctx, wr_catalogs *cats, const wr_function_id *id,
                          const wr_function_desc **out)
{
    *out = NULL;
    WR_TRY(find_temporary(ctx, cats, id, out));
    wri_catalog_entry *e = *out ? NULL : wri_catalog_find(cats, id->catalog);
    const wr_database_desc *db = NULL;
    if (!e) return WR_OK;
    WR_TRY(e->ops->get_database(ctx, e->impl, id->database, &db));
    return db ? get_permanent(ctx, e, id, out) : WR_OK;
}

typedef WR_LIST(wr_str) name_list;

static bool
add_sorted(wr_arena *a, name_list *list, wr_str name, bool once)
{
    uint32_t at = list->count;
    while (at > 0 && wr_str_cmp(name, list->items[at - 1]) < 0) at--;
    if (once && at > 0 && wr_str_eq(name, list->items[at - 1])) return true;
    wr_str copy = wr_arena_str(a, name);
    if (!copy.ptr || !wr_list_push(a, list, copy)) return false;
    memmove(list->items + at + 1, list->items + at, (list->count - 1 - at) * sizeof *list->items);
    list->items[at] = copy;
    return true;
}

wr_status
wr_catalogs_list_functions(wr_ctx *ctx, wr_catalogs *cats, wr_str catalog, wr_str database,
                           wr_arena *a, wr_str **names, uint32_t *count)
{
    wr_function_id id = {.catalog = catalog, .database = database};
    wri_catalog_entry *e = NULL;
    name_list list = {0};
    wr_str *permanent = NULL;
    uint32_t n = 0;
    bool ok = true;
    WR_TRY(catalog_of(ctx, cats, &id, &e));
    WR_TRY(e->ops->list_functions(ctx, e->impl, database, a, &permanent, &n));
    for (uint32_t i = 0; ok && i < n; i++) ok = add_sorted(a, &list, permanent[i], true);
    wr_str prefix = temporary_key(a, &id);
    for (uint32_t i = 0; ok && prefix.ptr && i < cats->temporary_functions.count; i++) {
        const wri_entry *t = &cats->temporary_functions.items[i];
        const wr_function_desc *f = t->item;
        if (wr_str_starts(t->name, prefix)) ok = add_sorted(a, &list, f->name, true);
    }
    for (uint32_t i = 0; ok && i < cats->system_functions.count; i++)
        ok = add_sorted(a, &list, cats->system_functions.items[i].name, false);
    if (!ok || !prefix.ptr) return no_memory(ctx);
    *names = list.items;
    *count = list.count;
    return WR_OK;
}
