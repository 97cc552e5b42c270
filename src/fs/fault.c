/* SPDX-License-Identifier: Apache-2.0 */
/* A file system that fails on demand: passes every call to another one, counts it, and lets the
 * n-th fail in the way asked for. UNSYNCED, LOST and DEAD buffer appends until sync, so that a
 * failure loses them, as a machine that dies does. For tests. The settings are made before other
 * threads come; the counters are atomic. */
#include "fs/fs_int.h"
#include "os/os.h"

typedef struct fault_fs {
    wr_fs base;
    wr_fs *inner;
    int64_t calls, fail_at; /* fail_at 0: never */
    wr_fs_fault how;
    uint8_t only;   /* calls that count */
    char part[256]; /* in files whose path contains this */
    bool hit;
} fault_fs;

typedef struct fault_file {
    wr_file base;
    fault_fs *fs;
    wr_file *inner;
    bool watched; /* its path is one that may fail */
    char *unsynced;
    size_t len, cap;
} fault_file;

static bool
matches(const fault_fs *f, wr_str path)
{
    const size_t n = strlen(f->part);
    for (size_t i = 0; n && i + n <= path.len; i++)
        if (memcmp(path.ptr + i, f->part, n) == 0) return true;
    return n == 0;
}

/* Counts a call if it is one of those that may fail; true: this one does. */
static bool
due(fault_fs *f, uint8_t call, bool watched)
{
    if (!watched || !(f->only & call)) return false;
    const int64_t n = wr_os_add(&f->calls, 1);
    const bool from = f->how == WR_FS_FAULT_FULL || f->how == WR_FS_FAULT_DEAD;
    if (f->fail_at == 0 || (from ? n < f->fail_at : n != f->fail_at)) return false;
    wr_os_store(&f->hit, true);
    return true;
}

static wr_status
fail(wr_ctx *ctx, const fault_fs *f, const char *what)
{
    return wr_raise(ctx, WR_IO, "%s failed: %s", what,
                    f->how == WR_FS_FAULT_FULL ? "no space left on device (injected fault)"
                                               : "injected fault");
}

static wr_status
wrap(wr_ctx *ctx, fault_fs *f, wr_str path, wr_file *inner, wr_file **out)
{
    fault_file *file = wr_mem_zalloc(NULL, sizeof *file);
    if (!file) {
        wr_status status = inner->ops->close(ctx, inner);
        return status != WR_OK ? status : wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    file->base.ops = f->base.ops;
    file->fs = f;
    file->watched = matches(f, path);
    file->inner = inner;
    *out = &file->base;
    return WR_OK;
}

static wr_status
fault_open(wr_ctx *ctx, wr_fs *fs, wr_str path, wr_file **out)
{
    fault_fs *f = (fault_fs *)fs;
    wr_file *inner;
    if (due(f, WR_FS_READS, matches(f, path))) return fail(ctx, f, "open");
    WR_TRY(f->inner->ops->open(ctx, f->inner, path, &inner));
    return wrap(ctx, f, path, inner, out);
}

static wr_status
fault_create(wr_ctx *ctx, wr_fs *fs, wr_str path, wr_file **out)
{
    fault_fs *f = (fault_fs *)fs;
    wr_file *inner;
    if (due(f, WR_FS_CREATES, matches(f, path))) return fail(ctx, f, "create");
    WR_TRY(f->inner->ops->create(ctx, f->inner, path, &inner));
    return wrap(ctx, f, path, inner, out);
}

static wr_status
fault_read_at(wr_ctx *ctx, wr_file *file, uint64_t off, void *buf, size_t len, size_t *got)
{
    fault_file *f = (fault_file *)file;
    if (due(f->fs, WR_FS_READS, f->watched)) return fail(ctx, f->fs, "read");
    return f->inner->ops->read_at(ctx, f->inner, off, buf, len, got);
}

static wr_status
fault_map(wr_ctx *ctx, wr_file *file, const char **data, size_t *len)
{
    fault_file *f = (fault_file *)file;
    if (due(f->fs, WR_FS_READS, f->watched)) return fail(ctx, f->fs, "map");
    return f->inner->ops->map(ctx, f->inner, data, len);
}

static wr_status
keep_unsynced(wr_ctx *ctx, fault_file *f, const void *buf, size_t len)
{
    if (f->len + len > f->cap) {
        size_t cap = WR_MAX(f->cap * 2, f->len + len);
        char *p = wr_mem_realloc(NULL, f->unsynced, f->cap, cap);
        WR_TRY_ALLOC(ctx, p);
        f->unsynced = p;
        f->cap = cap;
    }
    if (len) memcpy(f->unsynced + f->len, buf, len);
    f->len += len;
    return WR_OK;
}

static bool
buffers(const fault_file *f)
{
    const wr_fs_fault how = f->fs->how;
    if (how == WR_FS_FAULT_UNSYNCED || how == WR_FS_FAULT_DEAD) return true;
    return how == WR_FS_FAULT_LOST && f->watched;
}

static wr_status
fault_append(wr_ctx *ctx, wr_file *file, const void *buf, size_t len)
{
    fault_file *f = (fault_file *)file;
    bool bad = due(f->fs, WR_FS_APPENDS, f->watched);
    if (bad && f->fs->how == WR_FS_FAULT_TORN)
        WR_TRY(f->inner->ops->append(ctx, f->inner, buf, len / 2));
    if (bad) f->len = 0;
    if (bad) return fail(ctx, f->fs, "append");
    if (buffers(f)) return keep_unsynced(ctx, f, buf, len);
    return f->inner->ops->append(ctx, f->inner, buf, len);
}

static wr_status
write_out(wr_ctx *ctx, fault_file *f)
{
    size_t len = f->len;
    f->len = 0;
    return len ? f->inner->ops->append(ctx, f->inner, f->unsynced, len) : WR_OK;
}

static wr_status
fault_sync(wr_ctx *ctx, wr_file *file)
{
    fault_file *f = (fault_file *)file;
    if (due(f->fs, WR_FS_SYNCS, f->watched)) {
        f->len = 0;
        return fail(ctx, f->fs, "sync");
    }
    WR_TRY(write_out(ctx, f));
    return f->inner->ops->sync(ctx, f->inner);
}

static wr_status
fault_close(wr_ctx *ctx, wr_file *file)
{
    fault_file *f = (fault_file *)file;
    bool bad = due(f->fs, WR_FS_CLOSES, f->watched);
    const bool lost = bad || (f->fs->how == WR_FS_FAULT_LOST && f->watched);
    wr_status status = lost ? WR_OK : write_out(ctx, f);
    wr_status closed = f->inner->ops->close(ctx, f->inner);
    if (status == WR_OK) status = closed;
    if (bad) status = fail(ctx, f->fs, "close");
    wr_mem_free(NULL, f->unsynced, f->cap);
    wr_mem_free(NULL, f, sizeof *f);
    return status;
}

static wr_status
fault_stat(wr_ctx *ctx, wr_fs *fs, wr_str path, wr_arena *a, wr_file_info *out, bool *exists)
{
    fault_fs *f = (fault_fs *)fs;
    if (due(f, WR_FS_READS, matches(f, path))) return fail(ctx, f, "stat");
    return f->inner->ops->stat(ctx, f->inner, path, a, out, exists);
}

static wr_status
fault_list(wr_ctx *ctx, wr_fs *fs, wr_str dir, bool recursive, wr_arena *a, wr_file_info **out,
           uint32_t *count)
{
    fault_fs *f = (fault_fs *)fs;
    if (due(f, WR_FS_READS, matches(f, dir))) return fail(ctx, f, "list");
    return f->inner->ops->list(ctx, f->inner, dir, recursive, a, out, count);
}

static wr_status
fault_mkdirs(wr_ctx *ctx, wr_fs *fs, wr_str dir)
{
    fault_fs *f = (fault_fs *)fs;
    if (due(f, WR_FS_CREATES, matches(f, dir))) return fail(ctx, f, "mkdirs");
    return f->inner->ops->mkdirs(ctx, f->inner, dir);
}

static wr_status
fault_rename_new(wr_ctx *ctx, wr_fs *fs, wr_str from, wr_str to, bool *done)
{
    fault_fs *f = (fault_fs *)fs;
    if (due(f, WR_FS_RENAMES, matches(f, to))) return fail(ctx, f, "rename");
    return f->inner->ops->rename_new(ctx, f->inner, from, to, done);
}

static wr_status
fault_rename_over(wr_ctx *ctx, wr_fs *fs, wr_str from, wr_str to)
{
    fault_fs *f = (fault_fs *)fs;
    if (due(f, WR_FS_RENAMES, matches(f, to))) return fail(ctx, f, "rename");
    return f->inner->ops->rename_over(ctx, f->inner, from, to);
}

static wr_status
fault_remove(wr_ctx *ctx, wr_fs *fs, wr_str path, bool recursive)
{
    fault_fs *f = (fault_fs *)fs;
    if (due(f, WR_FS_REMOVES, matches(f, path))) return fail(ctx, f, "remove");
    return f->inner->ops->remove(ctx, f->inner, path, recursive);
}

static wr_status
fault_link(wr_ctx *ctx, wr_fs *fs, wr_str from, wr_str to, bool *done)
{
    fault_fs *f = (fault_fs *)fs;
    if (due(f, WR_FS_RENAMES, matches(f, to))) return fail(ctx, f, "link");
    return f->inner->ops->link(ctx, f->inner, from, to, done);
}

static wr_status
fault_sync_dir(wr_ctx *ctx, wr_fs *fs, wr_str dir)
{
    fault_fs *f = (fault_fs *)fs;
    if (due(f, WR_FS_SYNCS, matches(f, dir))) return fail(ctx, f, "sync");
    return f->inner->ops->sync_dir(ctx, f->inner, dir);
}

static wr_status
fault_lock(wr_ctx *ctx, wr_fs *fs, wr_str path, wr_str owner, wr_arena *a, wr_file **out,
           wr_str *holder)
{
    fault_fs *f = (fault_fs *)fs;
    wr_file *inner;
    if (due(f, WR_FS_CREATES, matches(f, path))) return fail(ctx, f, "lock");
    *out = NULL;
    WR_TRY(f->inner->ops->lock(ctx, f->inner, path, owner, a, &inner, holder));
    return inner ? wrap(ctx, f, path, inner, out) : WR_OK;
}

static wr_status
fault_reopen(wr_ctx *ctx, wr_fs *fs, wr_str path, uint64_t size_bytes, wr_file **out)
{
    fault_fs *f = (fault_fs *)fs;
    wr_file *inner;
    if (due(f, WR_FS_CREATES, matches(f, path))) return fail(ctx, f, "open");
    WR_TRY(f->inner->ops->reopen(ctx, f->inner, path, size_bytes, &inner));
    return wrap(ctx, f, path, inner, out);
}

typedef struct fault_owner { /* the vtable carries the inner scheme, so it is one per wrapper */
    fault_fs fs;
    wr_fs_ops ops;
} fault_owner;

wr_fs *
wr_fs_fault_create(wr_fs *inner)
{
    fault_owner *o = wr_mem_zalloc(NULL, sizeof *o);
    if (!o) return NULL;
    o->ops = (wr_fs_ops){.abi = WR_ABI,
                         .scheme = inner->ops->scheme,
                         .open = fault_open,
                         .create = fault_create,
                         .read_at = fault_read_at,
                         .map = fault_map,
                         .append = fault_append,
                         .sync = fault_sync,
                         .close = fault_close,
                         .stat = fault_stat,
                         .list = fault_list,
                         .mkdirs = fault_mkdirs,
                         .rename_new = fault_rename_new,
                         .rename_over = fault_rename_over,
                         .remove = fault_remove,
                         .link = fault_link,
                         .sync_dir = fault_sync_dir,
                         .lock = fault_lock,
                         .reopen = fault_reopen};
    o->fs.base.ops = &o->ops;
    o->fs.inner = inner;
    o->fs.only = WR_FS_ANY_CALL;
    return &o->fs.base;
}

void
wr_fs_fault_destroy(wr_fs *fs)
{
    wr_mem_free(NULL, fs, fs ? sizeof(fault_owner) : 0);
}

void
wr_fs_fault_after(wr_fs *fs, int64_t n, wr_fs_fault how)
{
    fault_fs *f = (fault_fs *)fs;
    f->fail_at = n > 0 ? wr_os_load(&f->calls) + n : 0;
    f->how = how;
    f->hit = false;
}

void
wr_fs_fault_only(wr_fs *fs, uint8_t calls, wr_str part)
{
    fault_fs *f = (fault_fs *)fs;
    const size_t n = WR_MIN(part.len, sizeof f->part - 1);
    f->only = calls;
    if (n) memcpy(f->part, part.ptr, n);
    f->part[n] = '\0';
}

bool
wr_fs_fault_hit(const wr_fs *fs)
{
    return wr_os_load(&((const fault_fs *)fs)->hit);
}

int64_t
wr_fs_fault_calls(const wr_fs *fs)
{
    return wr_os_load(&((const fault_fs *)fs)->calls);
}
