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

wr_status
wri_ckpt_file_write(wr_ctx *ctx, wr_fs *fs, wr_str path, wr_str bytes)
{
    wri_out o;
    uint64_t written, sum;
    char none[1]; /* nothing is put together */
    WR_TRY(wri_ckpt_out_create(ctx, &o, fs, path, none, sizeof none));
    const wr_status status = wri_ckpt_out_put(ctx, &o, bytes.ptr, bytes.len);
    if (status == WR_OK) return wri_ckpt_out_finish(ctx, &o, &written, &sum);
    wri_ckpt_out_abandon(&o);
    return status;
}

typedef wr_status (*piece_fn)(wr_ctx *ctx, void *arg, const void *p, size_t len);

/* A file from end to end, in pieces. */
static wr_status
read_through(wr_ctx *ctx, wr_fs *fs, wr_str path, piece_fn fn, void *arg)
{
    wr_file *file;
    WR_TRY(fs->ops->open(ctx, fs, path, &file));
    char *piece = wr_mem_alloc(NULL, READ_BYTES);
    wr_status status = piece ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
    size_t got = 1;
    for (uint64_t at = 0; status == WR_OK && got; at += got) {
        status = fs->ops->read_at(ctx, file, at, piece, READ_BYTES, &got);
        if (status == WR_OK && got) status = fn(ctx, arg, piece, got);
    }
    wr_mem_free(NULL, piece, READ_BYTES);
    const wr_status closed = fs->ops->close(ctx, file);
    return status == WR_OK ? closed : status;
}

typedef struct summing {
    wr_hasher sum;
    uint64_t bytes;
} summing;

static wr_status
sum_piece(wr_ctx *ctx, void *arg, const void *p, size_t len)
{
    summing *s = arg;
    wr_hasher_put(&s->sum, p, len);
    s->bytes += len;
    return ctx->cancel && *ctx->cancel ? wr_raise(ctx, WR_CANCELLED, "cancelled") : WR_OK;
}

wr_status
wri_ckpt_file_checksum(wr_ctx *ctx, wr_fs *fs, wr_str path, uint64_t *bytes, uint64_t *checksum)
{
    summing s = {.bytes = 0};
    wr_hasher_init(&s.sum, WRI_CKPT_SEED);
    const wr_status status = read_through(ctx, fs, path, sum_piece, &s);
    *bytes = s.bytes;
    *checksum = wr_hasher_get(&s.sum);
    return status;
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

static wr_status
copy_piece(wr_ctx *ctx, void *arg, const void *p, size_t len)
{
    return wri_ckpt_out_put(ctx, arg, p, len);
}

wr_status
wri_ckpt_out_copy(wr_ctx *ctx, wri_out *o, wr_fs *from, wr_str path)
{
    return read_through(ctx, from, path, copy_piece, o);
}
