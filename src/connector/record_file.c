/* SPDX-License-Identifier: Apache-2.0 */
/* The file mode of 'record': a changelog, exactly once, in the folder 'path', for tests that kill
 * the process. It writes ahead; a commit writes the lines of one checkpoint and subtask into a file
 * that is named as their log is (walog.c).
 *
 * Files of one operator in the order of their names hold every key's changes in their order. A
 * commit that is repeated finds its file and compares: other lines than before are an error, not an
 * answer.
 *
 * A line is what print writes, with '\n' as \n and '\' as \\. */
#include "connector/record_int.h"
#include "connector/walog_int.h"

struct wri_record_files {
    wr_str dir;
    const wr_sink_env *env;
    wri_walog *log;
    wr_arena *arena; /* of the lines of a batch */
};

wr_status
wri_record_files_open(wr_ctx *ctx, wr_str dir, const wr_sink_env *env, uint64_t memory_bytes,
                      wri_record_files **out)
{
    wri_record_files *f = WR_NEW(env->arena, wri_record_files);
    WR_TRY_ALLOC(ctx, f);
    f->dir = dir;
    f->env = env;
    f->arena = wr_arena_create(env->budget, 0);
    WR_TRY_ALLOC(ctx, f->arena);
    wr_status status = wri_walog_open(ctx, env, memory_bytes, &f->log);
    if (status != WR_OK) wr_arena_destroy(f->arena);
    *out = f;
    return status;
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
    wr_text lines;
    bool ok = true;
    wr_arena_reset(f->arena);
    wr_text_init(&lines, f->arena);
    WR_FOR_ROWS (batch, row) {
        wr_text t;
        wr_text_init(&t, scratch);
        wr_print_row(batch, row, f->env->eval, &t);
        put_escaped(&lines, wr_text_str(&t));
        wr_text_putc(&lines, '\n');
        ok &= !t.failed;
    }
    wr_arena_destroy(scratch);
    if (!ok || lines.failed) return wr_raise(ctx, WR_NOMEM, "out of memory");
    return wri_walog_append(ctx, f->log, wr_text_str(&lines));
}

wr_status
wri_record_files_prepare(wr_ctx *ctx, wri_record_files *f, uint64_t checkpoint_id, wr_arena *a,
                         wr_str *committable)
{
    return wri_walog_prepare(ctx, f->log, checkpoint_id, a, committable);
}

wr_status
wri_record_files_snapshot(wr_ctx *ctx, wri_record_files *f, uint64_t checkpoint_id, wr_opstate *out)
{
    return wri_walog_snapshot(ctx, f->log, checkpoint_id, out);
}

wr_status
wri_record_files_restore(wr_ctx *ctx, wri_record_files *f, const wr_opstate *in)
{
    return wri_walog_restore(ctx, f->log, in);
}

/* ---- committing ------------------------------------------------------------------------------ */

typedef struct target { /* of one commit */
    const wr_sink_env *env;
    wr_str dir;
    wr_fs *fs;
    wr_file *file;       /* written, or compared */
    bool compared;       /* it was committed before */
    uint64_t at, bytes;  /* of what is compared */
    wr_str path, hidden; /* in env->arena */
    wr_arena *arena;
} target;

static wr_status
begin(wr_ctx *ctx, void *arg, wr_str name, bool *applied)
{
    target *t = arg;
    t->path = wr_arena_printf(t->env->arena, "%.*s/%.*s", WR_STR_ARG(t->dir), WR_STR_ARG(name));
    t->hidden = wr_arena_printf(t->env->arena, "%.*s/.%.*s", WR_STR_ARG(t->dir), WR_STR_ARG(name));
    if (!t->path.ptr || !t->hidden.ptr) return wr_raise(ctx, WR_NOMEM, "out of memory");
    wr_file_info info;
    wr_fs *fs = t->fs;
    WR_TRY(fs->ops->stat(ctx, fs, t->path, t->env->arena, &info, applied));
    t->compared = *applied;
    t->at = 0;
    t->bytes = *applied ? info.size_bytes : 0;
    if (*applied) return fs->ops->open(ctx, fs, t->path, &t->file);
    WR_TRY(fs->ops->mkdirs(ctx, fs, t->dir));
    WR_TRY(fs->ops->remove(ctx, fs, t->hidden, false));
    return fs->ops->create(ctx, fs, t->hidden, &t->file);
}

static wr_status
other_lines(wr_ctx *ctx, const target *t)
{
    return wr_raise(ctx, WR_CORRUPT, "record: '%.*s' was committed before with other lines",
                    WR_STR_ARG(t->path));
}

static wr_status
entry(wr_ctx *ctx, void *arg, wr_str lines)
{
    target *t = arg;
    if (!t->compared) return t->file->ops->append(ctx, t->file, lines.ptr, lines.len);
    if (lines.len > t->bytes - t->at) return other_lines(ctx, t);
    wr_arena_reset(t->arena);
    char *have = wr_arena_alloc(t->arena, lines.len + 1);
    size_t got = 0;
    WR_TRY_ALLOC(ctx, have);
    WR_TRY(t->file->ops->read_at(ctx, t->file, t->at, have, lines.len, &got));
    if (got != lines.len || memcmp(have, lines.ptr, got) != 0) return other_lines(ctx, t);
    t->at += got;
    return WR_OK;
}

static wr_status
end(wr_ctx *ctx, void *arg)
{
    target *t = arg;
    wr_file *file = t->file;
    bool done;
    t->file = NULL;
    wr_status status = t->compared ? WR_OK : file->ops->sync(ctx, file);
    wr_status closed = file->ops->close(ctx, file);
    WR_TRY(status);
    WR_TRY(closed);
    if (t->compared) return t->at == t->bytes ? WR_OK : other_lines(ctx, t);
    WR_TRY(t->fs->ops->rename_new(ctx, t->fs, t->hidden, t->path, &done));
    if (done) return WR_OK;
    return wr_raise(ctx, WR_EXISTS, "record: '%.*s' exists already", WR_STR_ARG(t->path));
}

static void
abandon(void *arg)
{
    target *t = arg;
    wr_ctx quiet; /* the first error is the one to tell */
    wr_ctx_init(&quiet);
    if (t->file) (void)(t->file->ops->close(&quiet, t->file) == WR_OK);
    t->file = NULL;
}

static const wri_walog_target files_target = {
    .begin = begin, .entry = entry, .end = end, .abandon = abandon, .again = true};

wr_status
wri_record_files_commit(wr_ctx *ctx, wr_str dir, const wr_commit *c)
{
    target t = {.env = c->env, .dir = dir, .fs = wr_find_fs(dir)};
    if (!t.fs)
        return wr_raise(ctx, WR_OPTION, "record: no file system for '%.*s'", WR_STR_ARG(dir));
    t.arena = wr_arena_create(c->env->budget, 0);
    WR_TRY_ALLOC(ctx, t.arena);
    wr_status status = wri_walog_commit(ctx, c, &files_target, &t);
    wr_arena_destroy(t.arena);
    return status;
}

/* Without checkpoints everything becomes visible at the end. */
wr_status
wri_record_files_finish(wr_ctx *ctx, wri_record_files *f)
{
    wr_str all;
    if (f->env->checkpointing) return WR_OK;
    WR_TRY(wri_record_files_prepare(ctx, f, 0, f->env->arena, &all));
    const wr_commit c = {.committables = &all, .count = 1, .end = true, .env = f->env};
    return all.len ? wri_record_files_commit(ctx, f->dir, &c) : WR_OK;
}

void
wri_record_files_close(wri_record_files *f)
{
    if (!f) return;
    wri_walog_close(f->log);
    wr_arena_destroy(f->arena);
}
