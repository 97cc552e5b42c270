/* SPDX-License-Identifier: Apache-2.0 */
/* Files: open, read, write, sync, rename. Interrupted calls are repeated, short writes
 * continued. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/os_int.h"

#define CHUNK_BYTES_MAX ((size_t)1 << 30) /* one read or write call */

static int
open_flags(wr_os_open_mode mode)
{
    switch (mode) {
    case WR_OS_READ:
        return O_RDONLY;
    case WR_OS_WRITE:
        return O_WRONLY | O_CREAT | O_TRUNC;
    case WR_OS_WRITE_NEW:
        return O_WRONLY | O_CREAT | O_EXCL;
    case WR_OS_APPEND:
        return O_WRONLY | O_CREAT | O_APPEND;
    case WR_OS_READ_WRITE:
        return O_RDWR | O_CREAT;
    }
    WR_UNREACHABLE();
}

wr_status
wr_os_file_open(wr_ctx *ctx, const char *path, wr_os_open_mode mode, wr_os_file *out)
{
    out->fd = -1;
    wri_os_name_set(out->name, sizeof out->name, path);
    WR_TRY(wri_os_inject(ctx, "open", path));
    int fd;
    do {
        fd = open(path, open_flags(mode) | O_CLOEXEC, 0666);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0)
        return wri_os_raise(ctx, errno, mode == WR_OS_READ ? "open" : "open for writing", path);
    struct stat st;
    if (mode == WR_OS_READ && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        (void)close(fd);
        return wri_os_raise(ctx, EISDIR, "open", path);
    }
    out->fd = fd;
    return WR_OK;
}

wr_status
wr_os_file_read(wr_ctx *ctx, wr_os_file *f, void *out, size_t bytes, size_t *got)
{
    *got = 0;
    WR_TRY(wri_os_inject(ctx, "read", f->name));
    for (;;) {
        ssize_t n = read(f->fd, out, WR_MIN(bytes, CHUNK_BYTES_MAX));
        if (n >= 0) {
            *got = (size_t)n;
            return WR_OK;
        }
        if (errno != EINTR) return wri_os_raise(ctx, errno, "read", f->name);
        if (ctx->cancel && *ctx->cancel) return wr_raise(ctx, WR_CANCELLED, "cancelled");
    }
}

wr_status
wr_os_file_read_at(wr_ctx *ctx, wr_os_file *f, uint64_t offset, void *out, size_t bytes,
                   size_t *got)
{
    *got = 0;
    WR_TRY(wri_os_inject(ctx, "read", f->name));
    while (*got < bytes) {
        size_t want = WR_MIN(bytes - *got, CHUNK_BYTES_MAX);
        ssize_t n = pread(f->fd, (char *)out + *got, want, (off_t)(offset + *got));
        if (n == 0) break;
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return wri_os_raise(ctx, errno, "read", f->name);
        *got += (size_t)n;
    }
    return WR_OK;
}

/* Writes all; `offset` NULL = at the present position. */
static wr_status
write_all(wr_ctx *ctx, wr_os_file *f, const uint64_t *offset, const void *p, size_t bytes)
{
    bool torn;
    WR_TRY(wri_os_inject_write(ctx, f->name, &torn));
    if (torn) bytes /= 2;
    for (size_t done = 0; done < bytes;) {
        size_t want = WR_MIN(bytes - done, CHUNK_BYTES_MAX);
        const char *from = (const char *)p + done;
        ssize_t n =
            offset ? pwrite(f->fd, from, want, (off_t)(*offset + done)) : write(f->fd, from, want);
        if (n < 0 && errno == EAGAIN) { /* someone else's non-blocking terminal or pipe */
            wr_os_poll_item item = {f, WR_OS_POLL_OUT, 0};
            uint32_t ready;
            WR_TRY(wr_os_poll(ctx, &item, 1, -1, &ready));
            continue;
        }
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return wri_os_raise(ctx, errno, "write", f->name);
        done += (size_t)n;
    }
    return torn ? wri_os_raise(ctx, EIO, "write", f->name) : WR_OK;
}

wr_status
wr_os_file_write(wr_ctx *ctx, wr_os_file *f, const void *p, size_t bytes)
{
    return write_all(ctx, f, NULL, p, bytes);
}

wr_status
wr_os_file_write_at(wr_ctx *ctx, wr_os_file *f, uint64_t offset, const void *p, size_t bytes)
{
    return write_all(ctx, f, &offset, p, bytes);
}

wr_status
wr_os_file_sync(wr_ctx *ctx, wr_os_file *f)
{
    WR_TRY(wri_os_inject(ctx, "sync", f->name));
    if (fdatasync(f->fd) != 0 && errno != EINVAL && errno != EROFS)
        return wri_os_raise(ctx, errno, "sync", f->name);
    return WR_OK;
}

wr_status
wr_os_file_truncate(wr_ctx *ctx, wr_os_file *f, uint64_t size_bytes)
{
    WR_TRY(wri_os_inject(ctx, "truncate", f->name));
    if (ftruncate(f->fd, (off_t)size_bytes) != 0)
        return wri_os_raise(ctx, errno, "truncate", f->name);
    return WR_OK;
}

void
wr_os_file_make_private(wr_os_file *f)
{
    (void)!fchmod(f->fd, S_IRUSR | S_IWUSR);
}

static void
fill_stat(wr_os_stat *out, const struct stat *st)
{
    out->kind = S_ISREG(st->st_mode) ? WR_OS_FILE : S_ISDIR(st->st_mode) ? WR_OS_DIR : WR_OS_OTHER;
    out->size_bytes = (uint64_t)st->st_size;
    out->inode = (uint64_t)st->st_ino;
    out->device = (uint64_t)st->st_dev;
    out->mtime_ms = (int64_t)st->st_mtim.tv_sec * 1000 + st->st_mtim.tv_nsec / 1000000;
}

wr_status
wr_os_file_stat(wr_ctx *ctx, wr_os_file *f, wr_os_stat *out)
{
    WR_TRY(wri_os_inject(ctx, "examine", f->name));
    struct stat st;
    if (fstat(f->fd, &st) != 0) return wri_os_raise(ctx, errno, "examine", f->name);
    fill_stat(out, &st);
    return WR_OK;
}

wr_status
wr_os_file_lock(wr_ctx *ctx, wr_os_file *f, bool *locked)
{
    WR_TRY(wri_os_inject(ctx, "lock", f->name));
    *locked = flock(f->fd, LOCK_EX | LOCK_NB) == 0;
    if (!*locked && errno != EWOULDBLOCK) return wri_os_raise(ctx, errno, "lock", f->name);
    return WR_OK;
}

void
wr_os_file_close(wr_os_file *f)
{
    if (f->fd >= 0) (void)close(f->fd);
    f->fd = -1;
}

wr_status
wr_os_file_finish(wr_ctx *ctx, wr_os_file *f)
{
    if (f->fd < 0) return WR_OK;
    int rc = close(f->fd), error = errno;
    f->fd = -1;
    WR_TRY(wri_os_inject(ctx, "close", f->name));
    return rc == 0 || error == EINTR ? WR_OK : wri_os_raise(ctx, error, "close", f->name);
}

/* ---- paths ----------------------------------------------------------------------------------- */

wr_status
wr_os_stat_path(wr_ctx *ctx, const char *path, wr_os_stat *out)
{
    *out = (wr_os_stat){.kind = WR_OS_NONE};
    WR_TRY(wri_os_inject(ctx, "examine", path));
    struct stat st;
    if (stat(path, &st) == 0) {
        fill_stat(out, &st);
        return WR_OK;
    }
    const bool nothing = errno == ENOENT || errno == ENOTDIR || errno == ELOOP;
    return nothing ? WR_OK : wri_os_raise(ctx, errno, "examine", path);
}

wr_status
wr_os_rename(wr_ctx *ctx, const char *from, const char *to)
{
    WR_TRY(wri_os_inject(ctx, "rename", from));
    return rename(from, to) == 0 ? WR_OK : wri_os_raise(ctx, errno, "rename", from);
}

wr_status
wr_os_rename_new(wr_ctx *ctx, const char *from, const char *to)
{
    WR_TRY(wri_os_inject(ctx, "rename", from));
#if defined(__linux__)
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return WR_OK;
    if (errno != EINVAL && errno != ENOSYS)
        return wri_os_raise(ctx, errno, "rename", errno == EEXIST ? to : from);
#endif
    /* File systems without the flag: a second name, then away with the first. */
    if (link(from, to) != 0) return wri_os_raise(ctx, errno, "rename", errno == EEXIST ? to : from);
    return unlink(from) == 0 ? WR_OK : wri_os_raise(ctx, errno, "remove", from);
}

wr_status
wr_os_link(wr_ctx *ctx, const char *from, const char *to, bool *done)
{
    WR_TRY(wri_os_inject(ctx, "link", from));
    *done = link(from, to) == 0;
    if (*done || errno == EXDEV || errno == EPERM || errno == ENOTSUP || errno == EMLINK ||
        errno == ENOSYS)
        return WR_OK;
    return wri_os_raise(ctx, errno, "link", errno == EEXIST ? to : from);
}

wr_status
wr_os_remove(wr_ctx *ctx, const char *path)
{
    WR_TRY(wri_os_inject(ctx, "remove", path));
    return remove(path) == 0 || errno == ENOENT ? WR_OK : wri_os_raise(ctx, errno, "remove", path);
}

wr_status
wr_os_sync_dir(wr_ctx *ctx, const char *path)
{
    WR_TRY(wri_os_inject(ctx, "sync", path));
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return wri_os_raise(ctx, errno, "open", path);
    int rc = fsync(fd), error = errno;
    (void)close(fd);
    return rc == 0 || error == EINVAL || error == EROFS ? WR_OK
                                                        : wri_os_raise(ctx, error, "sync", path);
}

/* A folder that was made is on disk only when its parent is. */
static wr_status
sync_parent(wr_ctx *ctx, const char *path)
{
    char dir[WR_OS_PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (!slash) return wr_os_sync_dir(ctx, ".");
    const size_t len = slash == path ? 1 : (size_t)(slash - path);
    memcpy(dir, path, len);
    dir[len] = '\0';
    return wr_os_sync_dir(ctx, dir);
}

wr_status
wr_os_make_dirs(wr_ctx *ctx, const char *path)
{
    WR_TRY(wri_os_inject(ctx, "make folder", path));
    char part[WR_OS_PATH_MAX];
    size_t len = strlen(path);
    if (len >= sizeof part) return wri_os_raise(ctx, ENAMETOOLONG, "make folder", path);
    memcpy(part, path, len + 1);
    for (size_t i = 1; i <= len; i++) {
        if (part[i] != '/' && part[i] != '\0') continue;
        char keep = part[i];
        part[i] = '\0';
        const bool made = mkdir(part, 0777) == 0;
        if (!made && errno != EEXIST) return wri_os_raise(ctx, errno, "make folder", part);
        if (made) WR_TRY(sync_parent(ctx, part));
        part[i] = keep;
    }
    struct stat st;
    if (stat(path, &st) != 0) return wri_os_raise(ctx, errno, "make folder", path);
    return S_ISDIR(st.st_mode) ? WR_OK : wri_os_raise(ctx, ENOTDIR, "make folder", path);
}

wr_status
wr_os_temp_name(wr_ctx *ctx, const char *dir, const char *prefix, char *out, size_t cap)
{
    if (!dir) dir = wr_os_env("TMPDIR");
    if (!dir || !*dir) dir = "/tmp";
    struct stat st;
    do {
        uint64_t r;
        wr_os_random(&r, sizeof r);
        int n = snprintf(out, cap, "%s/%s%016llx", dir, prefix, (unsigned long long)r);
        if (n < 0 || (size_t)n >= cap) return wri_os_raise(ctx, ENAMETOOLONG, "make up", prefix);
    } while (lstat(out, &st) == 0);
    return WR_OK;
}
