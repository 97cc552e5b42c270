/* SPDX-License-Identifier: Apache-2.0 */
/* Which files a path stands for: one file, everything below a folder, or what a glob matches.
 * A glob is expanded folder by folder, so that only folders that can match are listed. */
#include "connector/fs_int.h"
#include "format/format.h"
#include "os/os.h"

#define NEAR_MAX 1000 /* files that are looked at for a name like the one that is missing */

typedef WR_LIST(wr_file_info) info_list;

typedef struct listing {
    wr_fs *fs;
    wr_str regex;
    wr_arena *arena;
    info_list out;
} listing;

wr_str
wri_fs_name(wr_str path)
{
    size_t i = path.len;
    while (i > 0 && path.ptr[i - 1] != '/') i--;
    return (wr_str){path.ptr + i, path.len - i};
}

wr_str
wri_fs_root(wr_str path)
{
    size_t magic = 0;
    while (magic < path.len && !strchr("*?[", path.ptr[magic])) magic++;
    if (magic == path.len) return path;
    size_t i = magic;
    while (i > 0 && path.ptr[i - 1] != '/') i--;
    return (wr_str){path.ptr, i};
}

static bool
is_hidden(wr_str path)
{
    wr_str name = wri_fs_name(path);
    return name.len > 0 && (name.ptr[0] == '.' || name.ptr[0] == '_');
}

static wr_status
add_file(wr_ctx *ctx, listing *l, const wr_file_info *info)
{
    bool match = true;
    if (l->regex.ptr)
        WR_TRY(wr_option_matches(ctx, "source.path.regex-pattern", l->regex, info->path, &match));
    if (match && !wr_list_push(l->arena, &l->out, *info))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

typedef struct folder { /* on the way down */
    const wr_file_info *info;
    const struct folder *parent;
    uint32_t depth;
} folder;

/* A link that leads back up: following it would give every file again and again. */
static bool
is_ring(const folder *f, const wr_file_info *info)
{
    for (; f && info->id; f = f->parent)
        if (f->info->id == info->id) return true;
    return false;
}

static wr_status
add_below(wr_ctx *ctx, listing *l, const folder *f)
{
    wr_file_info *items;
    uint32_t count;
    wr_str dir = f->info->path;
    if (f->depth > 64)
        return wr_raise(ctx, WR_LIMIT, "folders nested too deep below '%.*s'", WR_STR_ARG(dir));
    WR_TRY(l->fs->ops->list(ctx, l->fs, dir, false, l->arena, &items, &count));
    for (uint32_t i = 0; i < count; i++) {
        const folder below = {&items[i], f, f->depth + 1};
        if (is_hidden(items[i].path)) continue;
        if (!items[i].is_dir)
            WR_TRY(add_file(ctx, l, &items[i]));
        else if (!is_ring(f, &items[i]))
            WR_TRY(add_below(ctx, l, &below));
    }
    return WR_OK;
}

static wr_status
add_path(wr_ctx *ctx, listing *l, const wr_file_info *info)
{
    const folder top = {info, NULL, 0};
    return info->is_dir ? add_below(ctx, l, &top) : add_file(ctx, l, info);
}

/* `rest`: the components still to match below the folder. */
static wr_status
expand(wr_ctx *ctx, listing *l, const folder *f, wr_str rest)
{
    while (rest.len && rest.ptr[0] == '/') rest.ptr++, rest.len--;
    const char *slash = rest.len ? memchr(rest.ptr, '/', rest.len) : NULL;
    wr_str part = {rest.ptr, slash ? (size_t)(slash - rest.ptr) : rest.len};
    wr_str after = {rest.ptr + part.len, rest.len - part.len};
    bool any = wr_str_eq_c(part, "**");
    wr_file_info *items;
    uint32_t count;
    if (f->depth > 64) return WR_OK;
    if (any) WR_TRY(expand(ctx, l, f, after)); /* no folder at all */
    WR_TRY(l->fs->ops->list(ctx, l->fs, f->info->path, false, l->arena, &items, &count));
    for (uint32_t i = 0; i < count; i++) {
        wr_str name = wri_fs_name(items[i].path);
        const folder below = {&items[i], f, f->depth + 1};
        if (any) {
            if (items[i].is_dir && !is_hidden(items[i].path) && !is_ring(f, &items[i]))
                WR_TRY(expand(ctx, l, &below, rest));
            continue;
        }
        if (!wr_os_glob_match(part, name) || is_hidden(items[i].path)) continue;
        if (after.len <= 1)
            WR_TRY(add_path(ctx, l, &items[i]));
        else if (items[i].is_dir)
            WR_TRY(expand(ctx, l, &below, after));
    }
    return WR_OK;
}

static void
drop_doubles(info_list *list)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        bool seen = false;
        for (uint32_t k = n; k > 0 && !seen && n - k < 8; k--)
            seen = wr_str_eq(list->items[k - 1].path, list->items[i].path);
        if (!seen) list->items[n++] = list->items[i];
    }
    list->count = n;
}

/* Names in the folder of a path that does not exist, for "did you mean". Failures say nothing. */
static void
near_names(wr_fs *fs, wr_str path, wr_arena *a, wr_ctx *ctx)
{
    wr_ctx quiet;
    wr_file_info *files;
    uint32_t count = 0;
    size_t dir = path.len;
    wr_ctx_init(&quiet);
    while (dir > 0 && path.ptr[dir - 1] != '/') dir--;
    wr_str parent = dir ? (wr_str){path.ptr, dir} : WR_STR(".");
    if (fs->ops->list(&quiet, fs, parent, false, a, &files, &count) != WR_OK) return;
    for (uint32_t i = 0; i < WR_MIN(count, (uint32_t)NEAR_MAX); i++) {
        wr_str name = files[i].path;
        if (dir == 0 && name.len > 2 && memcmp(name.ptr, "./", 2) == 0)
            name = (wr_str){name.ptr + 2, name.len - 2};
        wr_candidate(ctx, path, name);
    }
}

wr_status
wri_fs_list(wr_ctx *ctx, wr_str path, wr_str regex, wr_arena *a, wr_file_info **out,
            uint32_t *count)
{
    listing l = {.fs = wr_find_fs(path), .regex = regex, .arena = a};
    if (!l.fs)
        return wr_raise(ctx, WR_UNSUPPORTED, "not supported yet: file system of '%.*s'",
                        WR_STR_ARG(path));
    wr_file_info info;
    bool exists;
    WR_TRY(l.fs->ops->stat(ctx, l.fs, path, a, &info, &exists));
    wr_str root = wri_fs_root(path);
    bool glob = root.len < path.len;
    if (exists) {
        WR_TRY(add_path(ctx, &l, &info));
    } else if (glob) {
        wr_str dir = root.len ? root : WR_STR(".");
        WR_TRY(l.fs->ops->stat(ctx, l.fs, dir, a, &info, &exists));
        wr_str rest = {path.ptr + root.len, path.len - root.len};
        const folder top = {&info, NULL, 0};
        if (exists && info.is_dir) WR_TRY(expand(ctx, &l, &top, rest));
        exists = l.out.count > 0;
        drop_doubles(&l.out);
    }
    if (!exists && !glob) near_names(l.fs, path, a, ctx);
    if (!exists)
        return wr_raise(ctx, WR_IO,
                        glob ? "no file matches '%.*s'"
                             : "File %.*s does not exist or the user running weir has insufficient "
                               "permissions to access it.",
                        WR_STR_ARG(path));
    *out = l.out.items;
    *count = l.out.count;
    return WR_OK;
}

static bool
is_listed(const wr_file_info *files, uint32_t count, uint64_t id)
{
    for (uint32_t i = 0; i < count; i++)
        if (files[i].id == id) return true;
    return false;
}

static wr_status
find_renamed(wr_ctx *ctx, wr_str path, uint64_t id, wr_str table_path, wr_str regex, wr_arena *a,
             wr_file_info *out)
{
    wr_fs *fs = wr_find_fs(path);
    wr_file_info *files = NULL, *listed = NULL;
    uint32_t count = 0, listed_count = 0;
    const size_t dir = path.len - wri_fs_name(path).len;
    wr_ctx quiet; /* nothing is there at the moment: nothing is listed */
    wr_ctx_init(&quiet);
    const wr_str place = dir > 1 ? (wr_str){path.ptr, dir - 1} : dir ? WR_STR("/") : WR_STR(".");
    WR_TRY(fs->ops->list(ctx, fs, place, false, a, &files, &count));
    (void)(wri_fs_list(&quiet, table_path, regex, a, &listed, &listed_count) == WR_OK);
    if (is_listed(listed, listed_count, id)) return WR_OK;
    for (uint32_t i = 0; i < count; i++)
        if (files[i].id == id && !files[i].is_dir) *out = files[i];
    return WR_OK;
}

wr_status
wri_fs_find_renamed(wr_ctx *ctx, wr_str path, uint64_t id, wr_str table_path, wr_str regex,
                    wr_arena *a, wr_file_info *out)
{
    wr_arena *scratch = wr_arena_create(NULL, 0);
    WR_TRY_ALLOC(ctx, scratch);
    *out = (wr_file_info){.path = WR_STR("")};
    wr_status status = find_renamed(ctx, path, id, table_path, regex, scratch, out);
    if (status == WR_OK && out->path.len) {
        out->path = wr_arena_str(a, out->path);
        if (!out->path.ptr) status = wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    wr_arena_destroy(scratch);
    return status;
}
