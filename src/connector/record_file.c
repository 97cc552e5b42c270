/* SPDX-License-Identifier: Apache-2.0 */
/* The file mode of 'record': a changelog, exactly once, in the folder 'path', for tests that kill
 * the process. It is a write-ahead log: the lines of a checkpoint are its committable, and a commit
 * writes them into a file of their own, named
 *
 *     <operator, 16 hex digits>-<job id>-<checkpoint id, 20 digits>-<subtask, 5 digits>
 *
 * Files of one operator in the order of their names hold every key's changes in their order. A
 * commit that is repeated finds its file and compares: other lines than before are an error, not an
 * answer. Writers have no state: the position in the output is the checkpoint's id.
 *
 * Committable: name, '\n', lines. A line is what print writes, with '\n' as \n and '\' as \\. */
#include "connector/record_int.h"

struct wri_record_files {
    wr_str dir;
    const wr_sink_env *env;
    wr_arena *arena; /* of the lines, which wait for a checkpoint */
    wr_text lines;
};

wr_status
wri_record_files_open(wr_ctx *ctx, wr_str dir, const wr_sink_env *env, wri_record_files **out)
{
    wri_record_files *f = WR_NEW(env->arena, wri_record_files);
    WR_TRY_ALLOC(ctx, f);
    f->dir = dir;
    f->env = env;
    f->arena = wr_arena_create(env->budget, 0);
    WR_TRY_ALLOC(ctx, f->arena);
    wr_text_init(&f->lines, f->arena);
    *out = f;
    return WR_OK;
}

static void
put_escaped(wr_text *out, wr_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '\n' || s.ptr[i] == '\\') wr_text_putc(out, '\\');
        wr_text_putc(out, s.ptr[i] == '\n' ? 'n' : s.ptr[i]);
    }
}

wr_status
wri_record_files_write(wr_ctx *ctx, wri_record_files *f, const wr_batch *batch)
{
    wr_arena *scratch = wr_arena_create(f->env->budget, 0);
    WR_TRY_ALLOC(ctx, scratch);
    bool ok = true;
    WR_FOR_ROWS (batch, row) {
        wr_text t;
        wr_text_init(&t, scratch);
        wr_print_row(batch, row, f->env->eval, &t);
        put_escaped(&f->lines, wr_text_str(&t));
        wr_text_putc(&f->lines, '\n');
        ok &= !t.failed;
    }
    wr_arena_destroy(scratch);
    return ok && !f->lines.failed ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
}

wr_status
wri_record_files_prepare(wr_ctx *ctx, wri_record_files *f, uint64_t checkpoint_id, wr_arena *a,
                         wr_str *committable)
{
    *committable = WR_STR("");
    if (f->lines.len == 0) return WR_OK;
    const wr_str op = f->env->operator_id, lines = wr_text_str(&f->lines);
    *committable = wr_arena_printf(a, "%016llx-%.*s-%020llu-%05u\n%.*s",
                                   (unsigned long long)wr_hash_bytes(op.ptr, op.len, 0),
                                   WR_STR_ARG(f->env->job_id), (unsigned long long)checkpoint_id,
                                   f->env->subtask, WR_STR_ARG(lines));
    WR_TRY_ALLOC(ctx, committable->ptr);
    wr_arena_reset(f->arena);
    wr_text_init(&f->lines, f->arena);
    return WR_OK;
}

/* ---- committing ------------------------------------------------------------------------------ */

static wr_status
same_content(wr_ctx *ctx, wr_fs *fs, wr_str path, uint64_t bytes, wr_str want, wr_arena *a)
{
    char *have = wr_arena_alloc(a, want.len + 1);
    size_t got = 0;
    wr_file *file;
    WR_TRY_ALLOC(ctx, have);
    if (bytes == want.len) {
        WR_TRY(fs->ops->open(ctx, fs, path, &file));
        wr_status status = fs->ops->read_at(ctx, file, 0, have, want.len, &got);
        wr_status closed = file->ops->close(ctx, file);
        WR_TRY(status);
        WR_TRY(closed);
    }
    if (got == want.len && memcmp(have, want.ptr, got) == 0) return WR_OK;
    return wr_raise(ctx, WR_CORRUPT, "record: '%.*s' was committed before with other lines",
                    WR_STR_ARG(path));
}

static wr_status
write_file(wr_ctx *ctx, wr_fs *fs, wr_str path, wr_str bytes)
{
    wr_file *file;
    WR_TRY(fs->ops->remove(ctx, fs, path, false));
    WR_TRY(fs->ops->create(ctx, fs, path, &file));
    wr_status status = file->ops->append(ctx, file, bytes.ptr, bytes.len);
    if (status == WR_OK) status = file->ops->sync(ctx, file);
    wr_status closed = file->ops->close(ctx, file);
    return status != WR_OK ? status : closed;
}

static wr_status
commit_one(wr_ctx *ctx, wr_str dir, wr_str committable, wr_arena *a)
{
    const char *nl = committable.len ? memchr(committable.ptr, '\n', committable.len) : NULL;
    if (!nl) return wr_raise(ctx, WR_CORRUPT, "record: malformed committable");
    const wr_str name = {committable.ptr, (size_t)(nl - committable.ptr)};
    const wr_str lines = {nl + 1, committable.len - name.len - 1};
    wr_fs *fs = wr_find_fs(dir);
    if (!fs) return wr_raise(ctx, WR_OPTION, "record: no file system for '%.*s'", WR_STR_ARG(dir));
    wr_str path = wr_arena_printf(a, "%.*s/%.*s", WR_STR_ARG(dir), WR_STR_ARG(name));
    wr_str hidden = wr_arena_printf(a, "%.*s/.%.*s", WR_STR_ARG(dir), WR_STR_ARG(name));
    if (!path.ptr || !hidden.ptr) return wr_raise(ctx, WR_NOMEM, "out of memory");
    wr_file_info info;
    bool exists, done;
    WR_TRY(fs->ops->stat(ctx, fs, path, a, &info, &exists));
    if (exists) return same_content(ctx, fs, path, info.size_bytes, lines, a);
    WR_TRY(fs->ops->mkdirs(ctx, fs, dir));
    WR_TRY(write_file(ctx, fs, hidden, lines));
    WR_TRY(fs->ops->rename_new(ctx, fs, hidden, path, &done));
    if (done) return WR_OK;
    return wr_raise(ctx, WR_EXISTS, "record: '%.*s' exists already", WR_STR_ARG(path));
}

wr_status
wri_record_files_commit(wr_ctx *ctx, wr_str dir, const wr_commit *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        WR_TRY(commit_one(ctx, dir, c->committables[i], c->env->arena));
    return WR_OK;
}

/* Without checkpoints everything becomes visible at the end. */
wr_status
wri_record_files_finish(wr_ctx *ctx, wri_record_files *f)
{
    wr_str all;
    if (f->env->checkpointing) return WR_OK;
    WR_TRY(wri_record_files_prepare(ctx, f, 0, f->env->arena, &all));
    return all.len ? commit_one(ctx, f->dir, all, f->env->arena) : WR_OK;
}

void
wri_record_files_close(wri_record_files *f)
{
    if (f) wr_arena_destroy(f->arena);
}
