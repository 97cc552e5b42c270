/* SPDX-License-Identifier: Apache-2.0 */
/* The files of checkpoints: paths, writing with a checksum on the way, reading from end to end. */
#include "state/ckpt_int.h"

#include "spi/registry.h"

#define READ_BYTES (256u << 10)

wr_str
wri_ckpt_path_join(wr_arena *a, wr_str dir, wr_str name)
{
    const bool slash = dir.len && dir.ptr[dir.len - 1] == '/';
    return wr_arena_printf(a, "%.*s%s%.*s", WR_STR_ARG(dir), slash ? "" : "/", WR_STR_ARG(name));
}

wr_str
wri_ckpt_path_last(wr_str path)
{
    while (path.len && path.ptr[path.len - 1] == '/') path.len--;
    for (size_t i = path.len; i > 0; i--)
        if (path.ptr[i - 1] == '/') return (wr_str){path.ptr + i, path.len - i};
    return path;
}

wr_str
wri_ckpt_path_parent(wr_arena *a, wr_str path)
{
    while (path.len > 1 && path.ptr[path.len - 1] == '/') path.len--;
    const wr_str last = wri_ckpt_path_last(path);
    /* What is above a folder called "." or ".." only the system knows. */
    if (wr_str_eq_c(last, ".") || wr_str_eq_c(last, ".."))
        return wri_ckpt_path_join(a, path, WR_STR(".."));
    const size_t before = (size_t)(last.ptr - path.ptr);
    if (before == 0) return WR_STR(".");
    return wr_arena_str(a, (wr_str){path.ptr, before > 1 ? before - 1 : 1});
}

wr_status
wri_ckpt_out_create(wr_ctx *ctx, wri_out *o, wr_fs *fs, wr_str path, char *buffer, uint32_t cap)
{
    *o = (wri_out){.fs = fs, .buffer = buffer, .cap = cap};
    wr_hasher_init(&o->sum, WRI_CKPT_SEED);
    return fs->ops->create(ctx, fs, path, &o->file);
}

static wr_status
flush(wr_ctx *ctx, wri_out *o)
{
    const uint32_t n = o->len;
    o->len = 0;
    return n ? o->fs->ops->append(ctx, o->file, o->buffer, n) : WR_OK;
}

wr_status
wri_ckpt_out_put(wr_ctx *ctx, wri_out *o, const void *p, size_t len)
{
    WR_ASSERT(o->file);
    wr_hasher_put(&o->sum, p, len);
    o->bytes += len;
    if (len > o->cap - o->len) WR_TRY(flush(ctx, o));
    if (len >= o->cap) return o->fs->ops->append(ctx, o->file, p, len);
    if (len) memcpy(o->buffer + o->len, p, len);
    o->len += (uint32_t)len;
    return WR_OK;
}

wr_status
wri_ckpt_out_finish(wr_ctx *ctx, wri_out *o, uint64_t *bytes, uint64_t *checksum)
{
    WR_ASSERT(o->file);
    wr_status status = flush(ctx, o);
    if (status == WR_OK) status = o->fs->ops->sync(ctx, o->file);
    const wr_status closed = o->fs->ops->close(ctx, o->file);
    o->file = NULL;
    *bytes = o->bytes;
    *checksum = wr_hasher_get(&o->sum);
    return status == WR_OK ? closed : status;
}

void
wri_ckpt_out_abandon(wri_out *o)
{
    wr_ctx probe;
    wr_ctx_init(&probe);
    if (o->file) (void)!o->fs->ops->close(&probe, o->file);
    o->file = NULL;
}

static wr_status
read_through(wr_ctx *ctx, wr_fs *fs, wr_file *file, wr_hasher *sum, uint64_t *bytes)
{
    char *buffer = wr_mem_alloc(NULL, READ_BYTES);
    WR_TRY_ALLOC(ctx, buffer);
    wr_status status = WR_OK;
    for (*bytes = 0;;) {
        size_t got = 0;
        status = ctx->cancel && *ctx->cancel ? wr_raise(ctx, WR_CANCELLED, "cancelled") : WR_OK;
        if (status == WR_OK) status = fs->ops->read_at(ctx, file, *bytes, buffer, READ_BYTES, &got);
        if (status != WR_OK || got == 0) break;
        wr_hasher_put(sum, buffer, got);
        *bytes += got;
    }
    wr_mem_free(NULL, buffer, READ_BYTES);
    return status;
}

wr_status
wri_ckpt_file_checksum(wr_ctx *ctx, wr_fs *fs, wr_str path, uint64_t *bytes, uint64_t *checksum)
{
    wr_file *file;
    wr_hasher sum;
    wr_hasher_init(&sum, WRI_CKPT_SEED);
    WR_TRY(fs->ops->open(ctx, fs, path, &file));
    wr_status status = read_through(ctx, fs, file, &sum, bytes);
    const wr_status closed = fs->ops->close(ctx, file);
    *checksum = wr_hasher_get(&sum);
    return status == WR_OK ? closed : status;
}

static wr_status
read_all(wr_ctx *ctx, wr_fs *fs, wr_str path, char *p, size_t len)
{
    wr_file *file;
    size_t done = 0, got = 1;
    WR_TRY(fs->ops->open(ctx, fs, path, &file));
    wr_status status = WR_OK;
    while (status == WR_OK && done < len && got) {
        status = fs->ops->read_at(ctx, file, done, p + done, len - done, &got);
        done += got;
    }
    const wr_status closed = fs->ops->close(ctx, file);
    if (status == WR_OK) status = closed;
    if (status == WR_OK && done < len)
        status = wr_raise(ctx, WR_IO, "'%.*s' became shorter while it was read", WR_STR_ARG(path));
    return status;
}

wr_status
wri_ckpt_file_read(wr_ctx *ctx, wr_fs *fs, wr_str path, uint64_t max, wr_arena *a, wr_str *out)
{
    wr_file_info info;
    bool exists;
    WR_TRY(fs->ops->stat(ctx, fs, path, a, &info, &exists));
    if (!exists || info.is_dir)
        return wr_raise(ctx, WR_IO, "there is no file '%.*s'", WR_STR_ARG(path));
    if (info.size_bytes > max)
        return wr_raise(ctx, WR_LIMIT, "'%.*s' has %llu bytes; the limit is %llu", WR_STR_ARG(path),
                        (unsigned long long)info.size_bytes, (unsigned long long)max);
    const size_t len = (size_t)info.size_bytes;
    char *p = wr_arena_alloc(a, len + 1);
    WR_TRY_ALLOC(ctx, p);
    WR_TRY(read_all(ctx, fs, path, p, len));
    *out = (wr_str){p, len};
    return WR_OK;
}

wr_status
wri_ckpt_fs(wr_ctx *ctx, wr_str path, wr_fs **out)
{
    *out = wr_find_fs(path);
    if (*out) return WR_OK;
    return wr_raise(ctx, WR_OPTION, "there is no file system for '%.*s'", WR_STR_ARG(path));
}

wr_status
wri_ckpt_out_copy(wr_ctx *ctx, wri_out *o, wr_fs *from, wr_str path)
{
    wr_file *file;
    char *piece = wr_mem_alloc(NULL, READ_BYTES);
    WR_TRY_ALLOC(ctx, piece);
    wr_status status = from->ops->open(ctx, from, path, &file);
    for (uint64_t at = 0; status == WR_OK;) {
        size_t got = 0;
        status = from->ops->read_at(ctx, file, at, piece, READ_BYTES, &got);
        if (status == WR_OK && got) status = wri_ckpt_out_put(ctx, o, piece, got);
        at += got;
        if (status == WR_OK && got) continue;
        const wr_status closed = from->ops->close(ctx, file);
        if (status == WR_OK) status = closed;
        break;
    }
    wr_mem_free(NULL, piece, READ_BYTES);
    return status;
}
