/* SPDX-License-Identifier: Apache-2.0 */
/* The catalog 'file': databases are folders, every table, view and function is a file of its own
 * (formats in README.md), so that they outlive the process and a damaged one harms no other.
 *
 * A file is written beside its place, synced and renamed, so it is there whole or not at all;
 * creation fails when another process was faster. Nothing is kept open or locked: what was read is
 * kept with the file's identity (inode, size, time) and read again when that has changed, so
 * processes see each other's changes with their next statement. Of two processes that alter one
 * object at the same time, the later one wins.
 *
 * Thread: session's. */
#include "catalog/file_int.h"

#include "os/os.h"

#include <stdio.h>

#define FILE_BYTES_MAX  (64u << 20)
#define NAME_BYTES_KEPT 120u /* of longer names; the rest is a hash */
#define NAME_BYTES_MAX  200u

typedef struct stamp {
    uint64_t inode, size_bytes;
    int64_t mtime_ms;
} stamp;

typedef struct cached {
    stamp at;
    void *desc;
} cached;

struct wr_catalog {
    wri_home *home;
    wr_str name, default_database;
    const char *root;
    wri_bag cache[3]; /* by kind; key: database \x1f name */
    wri_graves graves;
};

static const wr_option_def file_options[] = {
    {"path", WR_OPT_STRING, NULL, NULL, WR_OPTF_REQUIRED, "Folder that holds the catalog."},
    {"default-database", WR_OPT_STRING, "default", NULL, 0,
     "Name of the database the catalog starts with."},
    {"property-version", WR_OPT_INT, "1", NULL, 0, "Version of the option names; only 1 exists."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

static wr_status
no_memory(wr_ctx *ctx)
{
    return wr_raise(ctx, WR_NOMEM, "out of memory");
}

/* ---- names and paths ------------------------------------------------------------------------- */

static bool
is_safe(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

/* Letters, digits, _ and - as they are, other bytes as %XX. A long name is cut and gets '~' and a
 * hash; the file knows it in full. */
static wr_str
encode_name(wr_arena *a, wr_str name)
{
    wr_text t;
    wr_text_init(&t, a);
    for (size_t i = 0; i < name.len; i++) {
        if (is_safe(name.ptr[i]))
            wr_text_putc(&t, name.ptr[i]);
        else
            wr_text_printf(&t, "%%%02X", (unsigned char)name.ptr[i]);
    }
    if (t.failed) return (wr_str){NULL, 0};
    if (t.len <= NAME_BYTES_MAX) return wr_text_str(&t);
    return wr_arena_printf(a, "%.*s~%016llx", (int)NAME_BYTES_KEPT, t.ptr,
                           (unsigned long long)wr_hash_bytes(name.ptr, name.len, 1));
}

static int
hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* False: no encoded name, or one that was cut. */
static bool
decode_name(wr_arena *a, wr_str text, wr_str *out)
{
    char *p = wr_arena_alloc(a, text.len + 1);
    size_t n = 0;
    if (!p) return false;
    for (size_t i = 0; i < text.len; i++) {
        if (is_safe(text.ptr[i])) {
            p[n++] = text.ptr[i];
            continue;
        }
        if (text.ptr[i] != '%' || text.len - i < 3) return false;
        int hi = hex_value(text.ptr[i + 1]), lo = hex_value(text.ptr[i + 2]);
        if (hi < 0 || lo < 0) return false;
        p[n++] = (char)(hi * 16 + lo);
        i += 2;
    }
    *out = (wr_str){p, n};
    return n > 0;
}

static const char *
folder_path(const wr_catalog *c, wr_arena *a, wr_str database)
{
    wr_str db = encode_name(a, database);
    return db.ptr ? wr_arena_printf(a, "%s/%.*s.db", c->root, WR_STR_ARG(db)).ptr : NULL;
}

/* <root>/<database>.db/<name>.<kind>; the database's own file is <root>/<database>.db/database */
static const char *
object_path(const wr_catalog *c, wr_arena *a, wri_file_kind kind, wr_str database, wr_str name)
{
    const char *folder = folder_path(c, a, database);
    if (folder && kind == WRI_FILE_DATABASE) return wr_arena_printf(a, "%s/database", folder).ptr;
    wr_str n = encode_name(a, name);
    return folder && n.ptr
               ? wr_arena_printf(a, "%s/%.*s.%s", folder, WR_STR_ARG(n), wri_file_kind_name(kind))
                     .ptr
               : NULL;
}

static wr_str
cache_key(wr_arena *a, wr_str database, wr_str name)
{
    return wr_arena_printf(a,
                           "%.*s\x1f"
                           "%.*s",
                           WR_STR_ARG(database), WR_STR_ARG(name));
}

/* ---- reading --------------------------------------------------------------------------------- */

static wr_status
read_whole(wr_ctx *ctx, const char *path, wr_arena *a, wr_str *out)
{
    wr_os_file f;
    wr_os_stat st;
    WR_TRY(wr_os_file_open(ctx, path, WR_OS_READ, &f));
    wr_status status = wr_os_file_stat(ctx, &f, &st);
    char *buf = NULL;
    size_t got = 0;
    if (status == WR_OK && st.size_bytes > FILE_BYTES_MAX)
        status =
            wr_raise(ctx, WR_CORRUPT, "the catalog file '%s' is damaged: it is too long", path);
    if (status == WR_OK) {
        buf = wr_arena_alloc(a, (size_t)st.size_bytes + 1);
        status =
            buf ? wr_os_file_read_at(ctx, &f, 0, buf, (size_t)st.size_bytes, &got) : no_memory(ctx);
    }
    wr_os_file_close(&f);
    *out = (wr_str){buf, got};
    return status;
}

/* The owner's names are the file's place, whatever it says: a copied file is another object. */
static void
place_table(const wr_catalog *c, wr_table_desc *t, wr_str database)
{
    t->id.catalog = c->name;
    t->id.database = database;
}

static wr_status
load(wr_ctx *ctx, wr_catalog *c, wri_file_kind kind, const char *path, wr_str database, wr_str name,
     const stamp *at, void **out)
{
    wr_str content, key;
    wri_home *home = wri_home_create();
    cached *entry = home ? WR_NEW(home->arena, cached) : NULL;
    if (!entry) {
        wri_home_destroy(home);
        return no_memory(ctx);
    }
    wr_str db = {NULL, 0};
    wr_status status = read_whole(ctx, path, home->arena, &content);
    if (status == WR_OK)
        status = wri_file_decode(ctx, kind, content, path, home->arena, &entry->desc);
    key = cache_key(home->arena, database, name);
    if (status == WR_OK && (!key.ptr || !wri_copy_str(home->arena, database, &db)))
        status = no_memory(ctx);
    if (status != WR_OK) {
        wri_home_destroy(home);
        return status;
    }
    entry->at = *at;
    if (kind == WRI_FILE_TABLE) place_table(c, entry->desc, db);
    *out = entry->desc;
    return wri_bag_put(&c->cache[kind], &c->graves, key, entry, home) ? WR_OK : no_memory(ctx);
}

/* *out NULL: there is no such file. */
static wr_status
get(wr_ctx *ctx, wr_catalog *c, wri_file_kind kind, wr_str database, wr_str name, void **out)
{
    *out = NULL;
    wr_arena *a = wr_arena_create(NULL, 1024);
    WR_TRY_ALLOC(ctx, a);
    const char *path = object_path(c, a, kind, database, name);
    wr_str key = cache_key(a, database, name);
    wr_os_stat st = {0};
    wr_status status = path && key.ptr ? wr_os_stat_path(ctx, path, &st) : no_memory(ctx);
    stamp at = {.inode = st.inode, .size_bytes = st.size_bytes, .mtime_ms = st.mtime_ms};
    wri_entry *e = key.ptr ? wri_bag_find(&c->cache[kind], key) : NULL;
    cached *old = e ? e->item : NULL;
    if (status == WR_OK && st.kind != WR_OS_FILE) {
        if (e) wri_bag_remove(&c->cache[kind], &c->graves, key);
    } else if (status == WR_OK && old && memcmp(&old->at, &at, sizeof at) == 0) {
        *out = old->desc;
    } else if (status == WR_OK) {
        status = load(ctx, c, kind, path, database, name, &at, out);
    }
    wr_arena_destroy(a);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static wr_status
write_new_file(wr_ctx *ctx, const char *path, wr_str content)
{
    wr_os_file f;
    WR_TRY(wr_os_file_open(ctx, path, WR_OS_WRITE_NEW, &f));
    wr_status status = wr_os_file_write(ctx, &f, content.ptr, content.len);
    if (status == WR_OK) status = wr_os_file_sync(ctx, &f);
    if (status != WR_OK) {
        wr_os_file_close(&f);
        return status;
    }
    return wr_os_file_finish(ctx, &f);
}

/* Beside its place, synced, renamed, and the folder synced. */
static wr_status
write_file(wr_ctx *ctx, const char *folder, const char *path, wr_str content, bool create)
{
    char temp[WR_OS_PATH_MAX];
    WR_TRY(wr_os_temp_name(ctx, folder, ".new-", temp, sizeof temp));
    wr_status status = write_new_file(ctx, temp, content);
    if (status == WR_OK)
        status = create ? wr_os_rename_new(ctx, temp, path) : wr_os_rename(ctx, temp, path);
    if (status == WR_OK) return wr_os_sync_dir(ctx, folder);
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    (void)!wr_os_remove(&quiet, temp);
    return status;
}

static wr_status
put(wr_ctx *ctx, wr_catalog *c, wri_file_kind kind, wr_str database, wr_str name, const void *desc,
    bool create)
{
    wr_arena *a = wr_arena_create(NULL, 4096);
    WR_TRY_ALLOC(ctx, a);
    wr_text t;
    wr_text_init(&t, a);
    wri_file_encode(kind, desc, &t);
    const char *folder = folder_path(c, a, database);
    const char *path = object_path(c, a, kind, database, name);
    wr_status status = !t.failed && folder && path ? WR_OK : no_memory(ctx);
    if (status == WR_OK && kind == WRI_FILE_DATABASE) status = wr_os_make_dirs(ctx, folder);
    if (status == WR_OK) status = write_file(ctx, folder, path, wr_text_str(&t), create);
    wr_arena_destroy(a);
    return status;
}

static wr_status
drop(wr_ctx *ctx, wr_catalog *c, wri_file_kind kind, wr_str database, wr_str name)
{
    wr_arena *a = wr_arena_create(NULL, 1024);
    WR_TRY_ALLOC(ctx, a);
    const char *folder = folder_path(c, a, database);
    const char *path = object_path(c, a, kind, database, name);
    wr_str key = cache_key(a, database, name);
    wr_status status = folder && path && key.ptr ? wr_os_remove(ctx, path) : no_memory(ctx);
    if (status == WR_OK) status = wr_os_sync_dir(ctx, folder);
    if (status == WR_OK) wri_bag_remove(&c->cache[kind], &c->graves, key);
    wr_arena_destroy(a);
    return status;
}

/* ---- listing --------------------------------------------------------------------------------- */

typedef WR_LIST(wr_str) name_list;

static bool
add_sorted(wr_arena *a, name_list *list, wr_str name)
{
    uint32_t at = list->count;
    if (!wr_list_push(a, list, name)) return false;
    while (at > 0 && wr_str_cmp(name, list->items[at - 1]) < 0) {
        list->items[at] = list->items[at - 1];
        at--;
    }
    list->items[at] = name;
    return true;
}

/* The full name behind a cut one is in the file. */
static wr_status
name_in_file(wr_ctx *ctx, wri_file_kind kind, const char *path, wr_arena *a, wr_str *out)
{
    wr_str content;
    void *desc = NULL;
    WR_TRY(read_whole(ctx, path, a, &content));
    WR_TRY(wri_file_decode(ctx, kind, content, path, a, &desc));
    *out = kind == WRI_FILE_TABLE      ? ((wr_table_desc *)desc)->id.name
           : kind == WRI_FILE_FUNCTION ? ((wr_function_desc *)desc)->name
                                       : ((wr_database_desc *)desc)->name;
    return WR_OK;
}

static wr_status
add_entry(wr_ctx *ctx, wri_file_kind kind, const char *folder, const char *entry, wr_arena *a,
          name_list *list)
{
    wr_str file = wr_str_c(entry), name;
    wr_str suffix =
        wr_arena_printf(a, ".%s", kind == WRI_FILE_DATABASE ? "db" : wri_file_kind_name(kind));
    if (!suffix.ptr) return no_memory(ctx);
    if (file.len <= suffix.len || file.ptr[0] == '.' ||
        memcmp(file.ptr + file.len - suffix.len, suffix.ptr, suffix.len) != 0)
        return WR_OK;
    const char *path = kind == WRI_FILE_DATABASE
                           ? wr_arena_printf(a, "%s/%s/database", folder, entry).ptr
                           : wr_arena_printf(a, "%s/%s", folder, entry).ptr;
    if (!path) return no_memory(ctx);
    if (kind == WRI_FILE_DATABASE) { /* a folder without its file is no database (yet) */
        wr_os_stat st;
        WR_TRY(wr_os_stat_path(ctx, path, &st));
        if (st.kind != WR_OS_FILE) return WR_OK;
    }
    wr_str stem = {file.ptr, file.len - suffix.len};
    if (!decode_name(a, stem, &name)) {
        wr_ctx quiet; /* a damaged file whose name is not known is left out */
        wr_ctx_init(&quiet);
        if (name_in_file(&quiet, kind, path, a, &name) != WR_OK) {
            wr_notice(ctx, "%s", quiet.err.message);
            return WR_OK;
        }
    }
    return add_sorted(a, list, name) ? WR_OK : no_memory(ctx);
}

static wr_status
list_names(wr_ctx *ctx, wri_file_kind kind, const char *folder, wr_arena *a, wr_str **names,
           uint32_t *count)
{
    name_list list = {0};
    wr_os_dir dir;
    wr_os_stat st;
    const char *entry = NULL;
    *names = NULL;
    *count = 0;
    if (!folder) return no_memory(ctx);
    WR_TRY(wr_os_stat_path(ctx, folder, &st));
    if (st.kind != WR_OS_DIR) return WR_OK;
    WR_TRY(wr_os_dir_open(ctx, folder, &dir));
    wr_status status = wr_os_dir_next(ctx, &dir, &entry);
    while (status == WR_OK && entry) {
        char *copy = wr_arena_dup(a, entry, strlen(entry));
        status = copy ? add_entry(ctx, kind, folder, copy, a, &list) : no_memory(ctx);
        if (status == WR_OK) status = wr_os_dir_next(ctx, &dir, &entry);
    }
    wr_os_dir_close(&dir);
    *names = list.items;
    *count = list.count;
    return status;
}

/* ---- the catalog ----------------------------------------------------------------------------- */

static void
file_close(wr_catalog *c)
{
    for (uint32_t i = 0; i < WR_COUNT(c->cache); i++) wri_bag_free(&c->cache[i]);
    wri_graves_free(&c->graves);
    wri_home_destroy(c->home);
}

static wr_status
file_get_database(wr_ctx *ctx, wr_catalog *c, wr_str db, const wr_database_desc **out)
{
    void *desc = NULL;
    wr_status status = get(ctx, c, WRI_FILE_DATABASE, db, db, &desc);
    *out = desc;
    return status;
}

static wr_status
file_create_database(wr_ctx *ctx, wr_catalog *c, const wr_database_desc *db)
{
    return put(ctx, c, WRI_FILE_DATABASE, db->name, db->name, db, true);
}

/* The folder and the first database are made by whoever comes first. */
static wr_status
prepare(wr_ctx *ctx, wr_catalog *c)
{
    const wr_database_desc *db = NULL;
    WR_TRY(wr_os_make_dirs(ctx, c->root));
    WR_TRY(file_get_database(ctx, c, c->default_database, &db));
    if (db) return WR_OK;
    wr_database_desc made = {.name = c->default_database, .comment = WR_STR("")};
    wr_status status = file_create_database(ctx, c, &made);
    if (status == WR_EXISTS) {
        wr_ctx_reset(ctx);
        status = WR_OK;
    }
    return status;
}

static wr_status
file_open(wr_ctx *ctx, wr_str name, const wr_options *options, wr_catalog **out)
{
    const wr_option *path = wr_options_find(options, "path");
    const wr_option *db = wr_options_find(options, "default-database");
    if (!path || path->value.len == 0)
        return wr_raise(ctx, WR_OPTION,
                        "One or more required options are missing.\n\nMissing required options "
                        "are:\n\npath");
    wri_home *home = wri_home_create();
    wr_catalog *c = home ? WR_NEW(home->arena, wr_catalog) : NULL;
    if (!c) {
        wri_home_destroy(home);
        return no_memory(ctx);
    }
    c->home = home;
    c->root = wr_arena_dup(home->arena, path->value.ptr, path->value.len);
    wr_status status = WR_OK;
    if (!c->root || !wri_copy_str(home->arena, name, &c->name) ||
        !wri_copy_str(home->arena, db ? db->value : WR_STR("default"), &c->default_database))
        status = no_memory(ctx);
    if (status == WR_OK) status = prepare(ctx, c);
    if (status != WR_OK) {
        file_close(c);
        return status;
    }
    *out = c;
    return WR_OK;
}

static wr_str
file_default_database(const wr_catalog *c)
{
    return c->default_database;
}

static wr_status
file_list_databases(wr_ctx *ctx, wr_catalog *c, wr_arena *a, wr_str **names, uint32_t *count)
{
    return list_names(ctx, WRI_FILE_DATABASE, c->root, a, names, count);
}

static wr_status
file_alter_database(wr_ctx *ctx, wr_catalog *c, const wr_database_desc *db)
{
    return put(ctx, c, WRI_FILE_DATABASE, db->name, db->name, db, false);
}

/* Renamed away first, so that nobody sees half of it. */
static wr_status
file_drop_database(wr_ctx *ctx, wr_catalog *c, wr_str db)
{
    char temp[WR_OS_PATH_MAX];
    wr_arena *a = wr_arena_create(NULL, 1024);
    WR_TRY_ALLOC(ctx, a);
    const char *folder = folder_path(c, a, db);
    wr_str key = cache_key(a, db, db);
    wr_status status = folder && key.ptr ? WR_OK : no_memory(ctx);
    if (status == WR_OK) status = wr_os_temp_name(ctx, c->root, ".dropped-", temp, sizeof temp);
    if (status == WR_OK) status = wr_os_rename(ctx, folder, temp);
    if (status == WR_OK) status = wr_os_sync_dir(ctx, c->root);
    if (status == WR_OK) status = wr_os_remove_tree(ctx, temp);
    if (status == WR_OK) wri_bag_remove(&c->cache[WRI_FILE_DATABASE], &c->graves, key);
    wr_arena_destroy(a);
    return status;
}

static wr_status
list_in(wr_ctx *ctx, wr_catalog *c, wri_file_kind kind, wr_str db, wr_arena *a, wr_str **names,
        uint32_t *count)
{
    return list_names(ctx, kind, folder_path(c, a, db), a, names, count);
}

static wr_status
file_list_tables(wr_ctx *ctx, wr_catalog *c, wr_str db, wr_arena *a, wr_str **names,
                 uint32_t *count)
{
    return list_in(ctx, c, WRI_FILE_TABLE, db, a, names, count);
}

static wr_status
file_get_table(wr_ctx *ctx, wr_catalog *c, wr_str db, wr_str name, const wr_table_desc **out)
{
    void *desc = NULL;
    wr_status status = get(ctx, c, WRI_FILE_TABLE, db, name, &desc);
    *out = desc;
    return status;
}

static wr_status
file_create_table(wr_ctx *ctx, wr_catalog *c, const wr_table_desc *t)
{
    wr_status status = put(ctx, c, WRI_FILE_TABLE, t->id.database, t->id.name, t, true);
    if (status != WR_EXISTS) return status;
    wr_ctx_reset(ctx); /* another process was faster */
    return wr_raise(ctx, WR_EXISTS, "Table (or view) %.*s.%.*s already exists in Catalog %.*s.",
                    WR_STR_ARG(t->id.database), WR_STR_ARG(t->id.name), WR_STR_ARG(c->name));
}

static wr_status
file_replace_table(wr_ctx *ctx, wr_catalog *c, const wr_table_desc *t)
{
    return put(ctx, c, WRI_FILE_TABLE, t->id.database, t->id.name, t, false);
}

static wr_status
file_drop_table(wr_ctx *ctx, wr_catalog *c, wr_str db, wr_str name)
{
    return drop(ctx, c, WRI_FILE_TABLE, db, name);
}

/* Under the new name first: a crash in between leaves both, never none. */
static wr_status
file_rename_table(wr_ctx *ctx, wr_catalog *c, wr_str db, wr_str from, wr_str to)
{
    const wr_table_desc *t = NULL;
    WR_TRY(file_get_table(ctx, c, db, from, &t));
    if (!t) return WR_OK;
    wr_table_desc renamed = *t;
    renamed.id.name = to;
    WR_TRY(file_create_table(ctx, c, &renamed));
    return file_drop_table(ctx, c, db, from);
}

static wr_status
file_list_functions(wr_ctx *ctx, wr_catalog *c, wr_str db, wr_arena *a, wr_str **names,
                    uint32_t *count)
{
    return list_in(ctx, c, WRI_FILE_FUNCTION, db, a, names, count);
}

static wr_status
file_get_function(wr_ctx *ctx, wr_catalog *c, wr_str db, wr_str name, const wr_function_desc **out)
{
    void *desc = NULL;
    wr_status status = get(ctx, c, WRI_FILE_FUNCTION, db, name, &desc);
    *out = desc;
    return status;
}

static wr_status
file_put_function(wr_ctx *ctx, wr_catalog *c, wr_str db, const wr_function_desc *f)
{
    return put(ctx, c, WRI_FILE_FUNCTION, db, f->name, f, false);
}

static wr_status
file_drop_function(wr_ctx *ctx, wr_catalog *c, wr_str db, wr_str name)
{
    return drop(ctx, c, WRI_FILE_FUNCTION, db, name);
}

static void
file_trim(wr_catalog *c)
{
    wri_graves_free(&c->graves);
}

const wr_catalog_ops wri_file_ops = {.abi = WR_ABI,
                                     .type = "file",
                                     .open = file_open,
                                     .close = file_close,
                                     .default_database = file_default_database,
                                     .list_databases = file_list_databases,
                                     .get_database = file_get_database,
                                     .create_database = file_create_database,
                                     .alter_database = file_alter_database,
                                     .drop_database = file_drop_database,
                                     .list_tables = file_list_tables,
                                     .get_table = file_get_table,
                                     .create_table = file_create_table,
                                     .replace_table = file_replace_table,
                                     .rename_table = file_rename_table,
                                     .drop_table = file_drop_table,
                                     .list_functions = file_list_functions,
                                     .get_function = file_get_function,
                                     .put_function = file_put_function,
                                     .drop_function = file_drop_function,
                                     .trim = file_trim,
                                     .options = file_options};
