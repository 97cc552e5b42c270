/* SPDX-License-Identifier: Apache-2.0 */
/* A checkpoint or savepoint read back: finding its metadata, verifying its files, opening them. */
#include "state/ckpt_int.h"

#define METADATA_BYTES_MAX (4ull << 30)

const char *
wr_checkpoint_kind_name(wr_checkpoint_kind k)
{
    static const char *const names[WR_CHECKPOINT_KINDS] = {
        [WR_CHECKPOINT] = "Checkpoint",
        [WR_CHECKPOINT_FULL] = "Full Checkpoint",
        [WR_SAVEPOINT_CANONICAL] = "Savepoint",
        [WR_SAVEPOINT_NATIVE] = "Savepoint",
    };
    return (unsigned)k < WR_CHECKPOINT_KINDS ? names[k] : "?";
}

/* `dir` is a job's folder: its newest checkpoint is meant, perhaps. Failures say nothing. */
static void
hint_newest(wr_ctx *ctx, wr_fs *fs, wr_str dir, wr_arena *a)
{
    wr_file_info info, *list = NULL;
    uint32_t count = 0;
    uint64_t newest = 0, n;
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    if (fs->ops->list(&quiet, fs, dir, false, a, &list, &count) != WR_OK) return;
    for (uint32_t i = 0; i < count; i++) {
        bool exists = false;
        if (!wr_ckpt_number(wri_ckpt_path_last(list[i].path), &n) || n <= newest) continue;
        const wr_str meta = wri_ckpt_path_join(a, list[i].path, WR_STR(WRI_METADATA));
        if (!meta.ptr || fs->ops->stat(&quiet, fs, meta, a, &info, &exists) != WR_OK) return;
        if (exists) newest = n;
    }
    if (newest)
        wr_hint(ctx, "it is the folder of a job; its newest checkpoint is %.*s/chk-%llu",
                WR_STR_ARG(dir), (unsigned long long)newest);
}

/* The folder and the metadata file that `path` means. Flink's sentences where there is none. */
static wr_status
find_metadata(wr_ctx *ctx, wr_fs *fs, wr_str path, wr_arena *a, wr_str *folder, wr_str *file)
{
    wr_file_info info;
    bool exists;
    WR_TRY(fs->ops->stat(ctx, fs, path, a, &info, &exists));
    if (!exists)
        return wr_raise(ctx, WR_IO,
                        "Cannot find checkpoint or savepoint file/directory '%.*s' on file system "
                        "'%s'.",
                        WR_STR_ARG(path), fs->ops->scheme);
    *folder = info.is_dir ? wr_arena_str(a, path) : wri_ckpt_path_parent(a, path);
    *file = info.is_dir ? wri_ckpt_path_join(a, path, WR_STR(WRI_METADATA)) : wr_arena_str(a, path);
    if (!folder->ptr || !file->ptr) return wr_raise(ctx, WR_NOMEM, "out of memory");
    if (!info.is_dir) return WR_OK;
    WR_TRY(fs->ops->stat(ctx, fs, *file, a, &info, &exists));
    if (exists) return WR_OK;
    (void)wr_raise(ctx, WR_IO,
                   "Cannot find meta data file '_metadata' in directory '%.*s'. Please try to "
                   "load the checkpoint/savepoint directly from the metadata file instead of the "
                   "directory.",
                   WR_STR_ARG(*folder));
    hint_newest(ctx, fs, path, a);
    return WR_IO;
}

static bool
is_savepoint(const wr_ckpt_meta *m)
{
    return m->kind == WR_SAVEPOINT_CANONICAL || m->kind == WR_SAVEPOINT_NATIVE;
}

wr_status
wr_ckpt_load(wr_ctx *ctx, wr_str path, wr_arena *a, wr_ckpt_meta **out)
{
    wr_fs *fs;
    wr_str folder, file, bytes;
    while (path.len > 1 && path.ptr[path.len - 1] == '/') path.len--;
    WR_TRY(wri_ckpt_fs(ctx, path, &fs));
    WR_TRY(find_metadata(ctx, fs, path, a, &folder, &file));
    WR_TRY(wri_ckpt_file_read(ctx, fs, file, METADATA_BYTES_MAX, a, &bytes));
    wr_ckpt_meta *m = WR_NEW(a, wr_ckpt_meta);
    WR_TRY_ALLOC(ctx, m);
    const wr_status status = wr_ckpt_decode(ctx, bytes, a, m);
    if (status != WR_OK) {
        wr_frame(ctx, "reading '%.*s'", WR_STR_ARG(file));
        return status;
    }
    m->path = folder;
    m->shared_dir = WR_STR("");
    if (!is_savepoint(m)) {
        const wr_str job = wri_ckpt_path_parent(a, folder);
        WR_TRY_ALLOC(ctx, job.ptr);
        m->shared_dir = wri_ckpt_path_join(a, job, WR_STR("shared"));
        WR_TRY_ALLOC(ctx, m->shared_dir.ptr);
    }
    *out = m;
    return WR_OK;
}

wr_status
wri_ckpt_file_path(wr_ctx *ctx, const wr_ckpt_meta *m, const wr_state_file *f, wr_arena *a,
                   wr_str *out)
{
    const wr_str dir = f->shared && m->shared_dir.len ? m->shared_dir : m->path;
    *out = wri_ckpt_path_join(a, dir, f->name);
    WR_TRY_ALLOC(ctx, out->ptr);
    return WR_OK;
}

/* ---- every file of a checkpoint -------------------------------------------------------------- */

wr_status
wri_ckpt_each_file(wr_ctx *ctx, const wr_ckpt_meta *m, wri_file_fn fn, void *arg)
{
    for (uint32_t i = 0; i < m->operator_count; i++) {
        const wr_ckpt_operator *op = &m->operators[i];
        for (uint32_t k = 0; k < op->subtask_count; k++) {
            const wr_ckpt_subtask *t = &op->subtasks[k];
            for (uint32_t n = 0; t->keyed && n < t->keyed->file_count; n++)
                WR_TRY(fn(ctx, arg, &t->keyed->files[n]));
            if (t->inflight) WR_TRY(fn(ctx, arg, t->inflight));
        }
    }
    return WR_OK;
}

static wr_status
add_bytes(wr_ctx *ctx, void *arg, const wr_state_file *f)
{
    (void)ctx;
    *(uint64_t *)arg += f->bytes;
    return WR_OK;
}

uint64_t
wr_ckpt_bytes(const wr_ckpt_meta *m)
{
    wr_ctx ctx;
    uint64_t bytes = 0;
    wr_ctx_init(&ctx);
    if (wri_ckpt_each_file(&ctx, m, add_bytes, &bytes) != WR_OK) bytes = 0;
    for (uint32_t i = 0; i < m->operator_count; i++)
        for (uint32_t k = 0; k < m->operators[i].subtask_count; k++)
            bytes += wr_opstate_bytes(&m->operators[i].subtasks[k].ops);
    return bytes;
}

uint64_t
wr_opstate_bytes(const wr_opstate *s)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < s->lists.count; i++)
        for (uint32_t k = 0; k < s->lists.items[i].items.count; k++)
            bytes += s->lists.items[i].items.items[k].len;
    return bytes;
}

/* Is the file there with the size that the metadata says? */
static wr_status
check_size(wr_ctx *ctx, wr_fs *fs, wr_str path, const wr_state_file *f, wr_arena *a)
{
    wr_file_info info;
    bool exists;
    WR_TRY(fs->ops->stat(ctx, fs, path, a, &info, &exists));
    if (!exists || info.is_dir)
        return wr_raise(ctx, WR_CORRUPT, "file '%.*s' of the checkpoint is missing",
                        WR_STR_ARG(path));
    if (info.size_bytes != f->bytes)
        return wr_raise(
            ctx, WR_CORRUPT, "file '%.*s' of the checkpoint has %llu bytes where %llu were written",
            WR_STR_ARG(path), (unsigned long long)info.size_bytes, (unsigned long long)f->bytes);
    return WR_OK;
}

typedef struct verifier {
    const wr_ckpt_meta *m;
    wr_fs *fs;
    wr_arena *a;
} verifier;

static wr_status
verify_file(wr_ctx *ctx, void *arg, const wr_state_file *f)
{
    verifier *v = arg;
    uint64_t bytes, sum;
    wr_str path;
    const wr_arena_mark mark = wr_arena_get_mark(v->a);
    WR_TRY(wri_ckpt_file_path(ctx, v->m, f, v->a, &path));
    WR_TRY(check_size(ctx, v->fs, path, f, v->a));
    WR_TRY(wri_ckpt_file_checksum(ctx, v->fs, path, &bytes, &sum));
    if (bytes != f->bytes || sum != f->checksum)
        return wr_raise(ctx, WR_CORRUPT,
                        "the checksum of file '%.*s' of the checkpoint does not match",
                        WR_STR_ARG(path));
    wr_arena_pop(v->a, mark);
    return WR_OK;
}

wr_status
wr_ckpt_verify(wr_ctx *ctx, const wr_ckpt_meta *m)
{
    verifier v = {.m = m};
    WR_TRY(wri_ckpt_fs(ctx, m->path, &v.fs));
    v.a = wr_arena_create(NULL, 0);
    WR_TRY_ALLOC(ctx, v.a);
    const wr_status status = wri_ckpt_each_file(ctx, m, verify_file, &v);
    wr_arena_destroy(v.a);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct reader {
    wr_state_reader base;
    const wr_ckpt_meta *m;
    wr_fs *fs;
} reader;

static wr_status
reader_path(wr_ctx *ctx, wr_state_reader *r, const wr_state_file *file, wr_str *out)
{
    return wri_ckpt_file_path(ctx, ((reader *)r)->m, file, r->arena, out);
}

static wr_status
reader_open(wr_ctx *ctx, wr_state_reader *r, const wr_state_file *file, wr_file **out)
{
    reader *self = (reader *)r;
    wr_str path;
    WR_TRY(reader_path(ctx, r, file, &path));
    WR_TRY(check_size(ctx, self->fs, path, file, r->arena));
    return self->fs->ops->open(ctx, self->fs, path, out);
}

wr_status
wr_ckpt_reader(wr_ctx *ctx, const wr_ckpt_meta *m, wr_arena *a, wr_state_reader **out)
{
    reader *r = WR_NEW(a, reader);
    WR_TRY_ALLOC(ctx, r);
    *r = (reader){.base = {.arena = a, .open = reader_open, .path = reader_path}, .m = m};
    WR_TRY(wri_ckpt_fs(ctx, m->path, &r->fs));
    *out = &r->base;
    return WR_OK;
}

const wr_ckpt_operator *
wr_ckpt_find(const wr_ckpt_meta *m, wr_str logical_id)
{
    for (uint32_t i = 0; i < m->operator_count; i++)
        if (wr_str_eq(m->operators[i].logical_id, logical_id)) return &m->operators[i];
    return NULL;
}
