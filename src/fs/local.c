/* SPDX-License-Identifier: Apache-2.0 */
/* The local file system: spi/fs.h over os/. Stateless: one constant instance. Listings are sorted
 * by path, so that reading a folder gives the same order everywhere. A file handle is its own
 * allocation, freed by close. */
#include "fs/fs_int.h"
#include "os/os.h"

typedef struct local_file {
    wr_file base;
    wr_os_file os;
    wr_os_map map;
    bool mapped;
    char path[];
} local_file;

static size_t
file_bytes(const local_file *f)
{
    return sizeof *f + strlen(f->path) + 1;
}

static wr_status
local_handle(wr_ctx *ctx, wr_str path, wr_os_open_mode mode, wr_file **out)
{
    char name[WR_OS_PATH_MAX];
    WR_TRY(wri_fs_path(ctx, path, "file", name, sizeof name));
    local_file *f = wr_mem_zalloc(NULL, sizeof *f + strlen(name) + 1);
    WR_TRY_ALLOC(ctx, f);
    memcpy(f->path, name, strlen(name) + 1);
    f->base.ops = wr_fs_local()->ops;
    wr_status status = wr_os_file_open(ctx, name, mode, &f->os);
    if (status != WR_OK) {
        wr_mem_free(NULL, f, file_bytes(f));
        return status;
    }
    *out = &f->base;
    return WR_OK;
}

static wr_status
local_open(wr_ctx *ctx, wr_fs *fs, wr_str path, wr_file **out)
{
    (void)fs;
    return local_handle(ctx, path, WR_OS_READ, out);
}

static wr_status
local_create(wr_ctx *ctx, wr_fs *fs, wr_str path, wr_file **out)
{
    (void)fs;
    return local_handle(ctx, path, WR_OS_WRITE_NEW, out);
}

static wr_status
local_read_at(wr_ctx *ctx, wr_file *file, uint64_t off, void *buf, size_t len, size_t *got)
{
    return wr_os_file_read_at(ctx, &((local_file *)file)->os, off, buf, len, got);
}

static wr_status
local_map(wr_ctx *ctx, wr_file *file, const char **data, size_t *len)
{
    local_file *f = (local_file *)file;
    if (f->mapped && wr_os_map_lost(&f->map))
        return wr_raise(ctx, WR_IO, "'%s' became shorter while it was read", f->path);
    if (!f->mapped) {
        WR_TRY(wr_os_map_file(ctx, f->path, &f->map));
        f->mapped = true;
    }
    *data = f->map.ptr;
    *len = f->map.len;
    return WR_OK;
}

static wr_status
local_append(wr_ctx *ctx, wr_file *file, const void *buf, size_t len)
{
    return wr_os_file_write(ctx, &((local_file *)file)->os, buf, len);
}

static wr_status
local_sync(wr_ctx *ctx, wr_file *file)
{
    return wr_os_file_sync(ctx, &((local_file *)file)->os);
}

static wr_status
local_close(wr_ctx *ctx, wr_file *file)
{
    local_file *f = (local_file *)file;
    if (f->mapped) wr_os_unmap(&f->map);
    wr_status status = wr_os_file_finish(ctx, &f->os);
    wr_mem_free(NULL, f, file_bytes(f));
    return status;
}

static uint64_t
file_id(const wr_os_stat *st)
{
    return wr_hash_bytes(&st->inode, sizeof st->inode, st->device) | 1;
}

static wr_status
local_stat(wr_ctx *ctx, wr_fs *fs, wr_str path, wr_arena *a, wr_file_info *out, bool *exists)
{
    (void)fs;
    char name[WR_OS_PATH_MAX];
    wr_os_stat st;
    WR_TRY(wri_fs_path(ctx, path, "file", name, sizeof name));
    WR_TRY(wr_os_stat_path(ctx, name, &st));
    memset(out, 0, sizeof *out);
    *exists = st.kind != WR_OS_NONE;
    if (st.kind == WR_OS_OTHER)
        return wr_raise(ctx, WR_IO, "'%s' is neither a file nor a folder", name);
    if (!*exists) return WR_OK;
    out->path = wr_arena_str(a, wr_str_c(name));
    WR_TRY_ALLOC(ctx, out->path.ptr);
    out->size_bytes = st.size_bytes;
    out->mtime_ms = st.mtime_ms;
    out->id = file_id(&st);
    out->is_dir = st.kind == WR_OS_DIR;
    return WR_OK;
}

typedef WR_LIST(wr_file_info) info_list;

static wr_status
list_dir(wr_ctx *ctx, const char *dir, bool recursive, uint32_t depth, wr_arena *a, info_list *out)
{
    if (depth > 64) return wr_raise(ctx, WR_LIMIT, "folders nested too deep below '%s'", dir);
    wr_os_dir d;
    WR_TRY(wr_os_dir_open(ctx, dir, &d));
    wr_status status = WR_OK;
    for (;;) {
        const char *name;
        wr_os_stat st;
        WR_TRY_GOTO(wr_os_dir_next(ctx, &d, &name), done);
        if (!name) break;
        wr_str path = wr_arena_printf(a, "%s%s%s", dir, strcmp(dir, "/") == 0 ? "" : "/", name);
        if (!path.ptr) {
            status = wr_raise(ctx, WR_NOMEM, "out of memory");
            goto done;
        }
        WR_TRY_GOTO(wr_os_stat_path(ctx, path.ptr, &st), done);
        if (st.kind == WR_OS_NONE || st.kind == WR_OS_OTHER)
            continue; /* gone since, a broken link; a pipe or socket */
        wr_file_info info = {path, st.size_bytes, st.mtime_ms, file_id(&st), st.kind == WR_OS_DIR};
        if (!wr_list_push(a, out, info)) {
            status = wr_raise(ctx, WR_NOMEM, "out of memory");
            goto done;
        }
        if (info.is_dir && recursive)
            WR_TRY_GOTO(list_dir(ctx, path.ptr, true, depth + 1, a, out), done);
    }
done:
    wr_os_dir_close(&d);
    return status;
}

/* Heap sort by path: no recursion, no scratch. */
static void
sift(wr_file_info *v, uint32_t i, uint32_t n)
{
    for (;;) {
        uint32_t k = 2 * i + 1;
        if (k >= n) return;
        if (k + 1 < n && wr_str_cmp(v[k + 1].path, v[k].path) > 0) k++;
        if (wr_str_cmp(v[i].path, v[k].path) >= 0) return;
        wr_file_info t = v[i];
        v[i] = v[k];
        v[k] = t;
        i = k;
    }
}

static void
sort_infos(wr_file_info *v, uint32_t n)
{
    for (uint32_t i = n / 2; i > 0; i--) sift(v, i - 1, n);
    for (uint32_t end = n; end > 1; end--) {
        wr_file_info t = v[0];
        v[0] = v[end - 1];
        v[end - 1] = t;
        sift(v, 0, end - 1);
    }
}

static wr_status
local_list(wr_ctx *ctx, wr_fs *fs, wr_str dir, bool recursive, wr_arena *a, wr_file_info **out,
           uint32_t *count)
{
    (void)fs;
    char name[WR_OS_PATH_MAX];
    WR_TRY(wri_fs_path(ctx, dir, "file", name, sizeof name));
    info_list list = {0};
    WR_TRY(list_dir(ctx, name, recursive, 0, a, &list));
    sort_infos(list.items, list.count);
    *out = list.items;
    *count = list.count;
    return WR_OK;
}

/* A rename is on disk only when its folder is. */
static wr_status
sync_parent(wr_ctx *ctx, char *path)
{
    char *slash = strrchr(path, '/');
    if (!slash) return wr_os_sync_dir(ctx, ".");
    if (slash == path) return wr_os_sync_dir(ctx, "/");
    *slash = '\0';
    return wr_os_sync_dir(ctx, path);
}

/* Folders that are made are on disk too: a file renamed into one would be lost with it. */
static wr_status
make_folder(wr_ctx *ctx, char *path)
{
    wr_os_stat st;
    WR_TRY(wr_os_stat_path(ctx, path, &st));
    if (st.kind == WR_OS_DIR) return WR_OK;
    char *slash = strrchr(path, '/');
    if (slash && slash != path) {
        *slash = '\0';
        WR_TRY(make_folder(ctx, path));
        *slash = '/';
    }
    WR_TRY(wr_os_make_dirs(ctx, path));
    char copy[WR_OS_PATH_MAX];
    memcpy(copy, path, strlen(path) + 1);
    return sync_parent(ctx, copy);
}

static wr_status
local_mkdirs(wr_ctx *ctx, wr_fs *fs, wr_str dir)
{
    (void)fs;
    char name[WR_OS_PATH_MAX];
    WR_TRY(wri_fs_path(ctx, dir, "file", name, sizeof name));
    return make_folder(ctx, name);
}

static wr_status
local_reopen(wr_ctx *ctx, wr_fs *fs, wr_str path, uint64_t size_bytes, wr_file **out)
{
    (void)fs;
    char name[WR_OS_PATH_MAX];
    wr_os_stat st;
    WR_TRY(wri_fs_path(ctx, path, "file", name, sizeof name));
    WR_TRY(wr_os_stat_path(ctx, name, &st));
    if (st.kind != WR_OS_FILE) return wr_raise(ctx, WR_IO, "cannot open '%s': no such file", name);
    if (st.size_bytes < size_bytes)
        return wr_raise(ctx, WR_IO, "'%s' has become shorter: %llu bytes of %llu", name,
                        (unsigned long long)st.size_bytes, (unsigned long long)size_bytes);
    WR_TRY(local_handle(ctx, path, WR_OS_APPEND, out));
    wr_status status = wr_os_file_truncate(ctx, &((local_file *)*out)->os, size_bytes);
    if (status == WR_OK) return WR_OK;
    wr_ctx quiet; /* nothing was written through it */
    wr_ctx_init(&quiet);
    (void)(local_close(&quiet, *out) == WR_OK);
    return status;
}

static wr_status
local_rename_new(wr_ctx *ctx, wr_fs *fs, wr_str from, wr_str to, bool *done)
{
    (void)fs;
    char src[WR_OS_PATH_MAX], dst[WR_OS_PATH_MAX];
    WR_TRY(wri_fs_path(ctx, from, "file", src, sizeof src));
    WR_TRY(wri_fs_path(ctx, to, "file", dst, sizeof dst));
    wr_ctx probe;
    wr_ctx_init(&probe);
    wr_status status = wr_os_rename_new(&probe, src, dst);
    *done = status == WR_OK;
    if (status == WR_EXISTS) return WR_OK;
    if (status != WR_OK) return wr_raise(ctx, status, "%s", probe.err.message);
    return sync_parent(ctx, dst);
}

static wr_status
local_rename_over(wr_ctx *ctx, wr_fs *fs, wr_str from, wr_str to)
{
    (void)fs;
    char src[WR_OS_PATH_MAX], dst[WR_OS_PATH_MAX];
    WR_TRY(wri_fs_path(ctx, from, "file", src, sizeof src));
    WR_TRY(wri_fs_path(ctx, to, "file", dst, sizeof dst));
    WR_TRY(wr_os_rename(ctx, src, dst));
    return sync_parent(ctx, dst);
}

static wr_status
local_remove(wr_ctx *ctx, wr_fs *fs, wr_str path, bool recursive)
{
    (void)fs;
    char name[WR_OS_PATH_MAX];
    WR_TRY(wri_fs_path(ctx, path, "file", name, sizeof name));
    return recursive ? wr_os_remove_tree(ctx, name) : wr_os_remove(ctx, name);
}

static wr_status
local_link(wr_ctx *ctx, wr_fs *fs, wr_str from, wr_str to, bool *done)
{
    (void)fs;
    char src[WR_OS_PATH_MAX], dst[WR_OS_PATH_MAX];
    WR_TRY(wri_fs_path(ctx, from, "file", src, sizeof src));
    WR_TRY(wri_fs_path(ctx, to, "file", dst, sizeof dst));
    return wr_os_link(ctx, src, dst, done);
}

static wr_status
local_sync_dir(wr_ctx *ctx, wr_fs *fs, wr_str dir)
{
    (void)fs;
    char name[WR_OS_PATH_MAX];
    WR_TRY(wri_fs_path(ctx, dir, "file", name, sizeof name));
    return wr_os_sync_dir(ctx, name);
}

static wr_status
read_holder(wr_ctx *ctx, local_file *f, wr_arena *a, wr_str *holder)
{
    char text[256];
    size_t got = 0;
    WR_TRY(wr_os_file_read_at(ctx, &f->os, 0, text, sizeof text, &got));
    *holder = wr_arena_str(a, (wr_str){text, got});
    WR_TRY_ALLOC(ctx, holder->ptr);
    return WR_OK;
}

/* One attempt. *stale: the file was removed between opening and locking it. */
static wr_status
try_lock(wr_ctx *ctx, local_file *f, wr_str owner, wr_arena *a, bool *locked, bool *stale,
         wr_str *holder)
{
    wr_os_stat mine, there;
    *stale = false;
    WR_TRY(wr_os_file_lock(ctx, &f->os, locked));
    if (!*locked) return read_holder(ctx, f, a, holder);
    WR_TRY(wr_os_file_stat(ctx, &f->os, &mine));
    WR_TRY(wr_os_stat_path(ctx, f->path, &there));
    *stale = there.kind == WR_OS_NONE || there.inode != mine.inode || there.device != mine.device;
    if (*stale) return WR_OK;
    WR_TRY(wr_os_file_truncate(ctx, &f->os, 0));
    return wr_os_file_write_at(ctx, &f->os, 0, owner.ptr, owner.len);
}

static wr_status
local_lock(wr_ctx *ctx, wr_fs *fs, wr_str path, wr_str owner, wr_arena *a, wr_file **out,
           wr_str *holder)
{
    (void)fs;
    *out = NULL;
    for (;;) {
        wr_file *file;
        bool locked = false, stale = false;
        WR_TRY(local_handle(ctx, path, WR_OS_READ_WRITE, &file));
        wr_status status = try_lock(ctx, (local_file *)file, owner, a, &locked, &stale, holder);
        if (status == WR_OK && locked && !stale) {
            *out = file;
            return WR_OK;
        }
        wr_status closed = local_close(ctx, file);
        if (status == WR_OK) status = closed;
        if (status != WR_OK || !locked) return status;
    }
}

static const wr_fs_ops local_ops = {
    .abi = WR_ABI,
    .scheme = "file",
    .open = local_open,
    .create = local_create,
    .read_at = local_read_at,
    .map = local_map,
    .append = local_append,
    .sync = local_sync,
    .close = local_close,
    .stat = local_stat,
    .list = local_list,
    .mkdirs = local_mkdirs,
    .rename_new = local_rename_new,
    .rename_over = local_rename_over,
    .remove = local_remove,
    .link = local_link,
    .sync_dir = local_sync_dir,
    .lock = local_lock,
    .reopen = local_reopen,
};

wr_fs *
wr_fs_local(void)
{
    static const wr_fs fs = {&local_ops};
    return (wr_fs *)(uintptr_t)&fs; /* nobody writes to it */
}
