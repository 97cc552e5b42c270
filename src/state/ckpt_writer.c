/* SPDX-License-Identifier: Apache-2.0 */
/* The writer of one snapshot: its files get names that no other process, run or checkpoint uses
 * ("<16 hex digits of the run>-<number>"), so that a shared file keeps its name wherever it is
 * linked to. A file that was not closed is removed. thread: one for each writer; the store's mutex
 * guards what writers share. */
#include "spi/registry.h"
#include "state/ckpt_int.h"

struct wri_writer {
    wr_state_writer base;
    wri_writer *next;
    wr_ckpt *ckpt;
    wri_out out;
    char *buffer;
    uint32_t buffer_bytes;
    wr_str name, path; /* of the file in work */
    bool shared;
};

/* A name, the folder it goes to, and a note of it when it is shared. */
static wr_status
new_name(wr_ctx *ctx, wri_writer *w, bool shared)
{
    wr_ckpt *c = w->ckpt;
    wr_ckpt_store *s = c->store;
    const uint64_t n = wr_os_add(&s->counter, 1);
    w->shared = shared && !c->savepoint;
    w->name = wr_arena_printf(w->base.arena, "%016llx-%llu", (unsigned long long)s->run,
                              (unsigned long long)n);
    WR_TRY_ALLOC(ctx, w->name.ptr);
    w->path =
        wri_ckpt_path_join(w->base.arena, w->shared ? s->shared_dir : c->kept->folder, w->name);
    WR_TRY_ALLOC(ctx, w->path.ptr);
    if (!w->shared) return WR_OK;
    wr_os_mutex_lock(&s->mutex);
    const bool ok = wri_ckpt_names_add(c->kept->arena, &c->created, w->name);
    wr_os_mutex_unlock(&s->mutex);
    return ok ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
}

static void
remove_quietly(wr_fs *fs, wr_str path)
{
    wr_ctx probe;
    wr_ctx_init(&probe);
    (void)!fs->ops->remove(&probe, fs, path, false);
}

static void
close_quietly(wr_file *file)
{
    wr_ctx probe;
    wr_ctx_init(&probe);
    (void)!file->ops->close(&probe, file);
}

/* Whatever is open is of no use. */
static void
abandon(wri_writer *w)
{
    if (!w->out.file) return;
    wri_ckpt_out_abandon(&w->out);
    remove_quietly(w->ckpt->fs, w->path);
}

static wr_status
writer_create(wr_ctx *ctx, wr_state_writer *writer, bool shared)
{
    wri_writer *w = (wri_writer *)writer;
    abandon(w);
    WR_TRY(new_name(ctx, w, shared));
    return wri_ckpt_out_create(ctx, &w->out, w->ckpt->fs, w->path, w->buffer, w->buffer_bytes);
}

static wr_status
writer_append(wr_ctx *ctx, wr_state_writer *writer, const void *p, size_t len)
{
    return wri_ckpt_out_put(ctx, &((wri_writer *)writer)->out, p, len);
}

static wr_status
writer_close(wr_ctx *ctx, wr_state_writer *writer, wr_state_file *out)
{
    wri_writer *w = (wri_writer *)writer;
    *out = (wr_state_file){.name = w->name, .shared = w->shared};
    const wr_status status = wri_ckpt_out_finish(ctx, &w->out, &out->bytes, &out->checksum);
    if (status != WR_OK) remove_quietly(w->ckpt->fs, w->path);
    return status;
}

/* Copy, with the checksum of what was read. */
static wr_status
copy_file(wr_ctx *ctx, wri_writer *w, wr_fs *from, wr_str path, wr_state_file *out)
{
    WR_TRY(wri_ckpt_out_create(ctx, &w->out, w->ckpt->fs, w->path, w->buffer, w->buffer_bytes));
    const wr_status status = wri_ckpt_out_copy(ctx, &w->out, from, path);
    if (status == WR_OK) return writer_close(ctx, &w->base, out);
    abandon(w);
    return status;
}

static wr_status
link_file(wr_ctx *ctx, wri_writer *w, wr_fs *fs, wr_str path, wr_state_file *out, bool *done)
{
    wr_file *file;
    WR_TRY(fs->ops->link(ctx, fs, path, w->path, done));
    if (!*done) return WR_OK;
    *out = (wr_state_file){.name = w->name, .shared = w->shared};
    wr_status status = wri_ckpt_file_checksum(ctx, fs, w->path, &out->bytes, &out->checksum);
    if (status == WR_OK) status = fs->ops->open(ctx, fs, w->path, &file);
    if (status == WR_OK) {
        status = fs->ops->sync(ctx, file);
        const wr_status closed = fs->ops->close(ctx, file);
        if (status == WR_OK) status = closed;
    }
    if (status != WR_OK) remove_quietly(fs, w->path);
    return status;
}

static wr_status
writer_adopt(wr_ctx *ctx, wr_state_writer *writer, wr_str local_path, bool shared,
             wr_state_file *out)
{
    wri_writer *w = (wri_writer *)writer;
    wr_fs *from;
    bool done = false;
    abandon(w);
    WR_TRY(wri_ckpt_fs(ctx, local_path, &from));
    WR_TRY(new_name(ctx, w, shared));
    if (from == w->ckpt->fs) WR_TRY(link_file(ctx, w, from, local_path, out, &done));
    return done ? WR_OK : copy_file(ctx, w, from, local_path, out);
}

/* Beside the files of the checkpoint, where there is room for a copy of the state. It loses its
 * name at once, so that nothing is left however the process ends. */
static wr_status
writer_scratch(wr_ctx *ctx, wr_state_writer *writer, wr_file **out, wr_file **in)
{
    wri_writer *w = (wri_writer *)writer;
    wr_ckpt_store *s = w->ckpt->store;
    wr_fs *fs = w->ckpt->fs;
    wr_str name = wr_arena_printf(w->base.arena, "%016llx-%llu.tmp", (unsigned long long)s->run,
                                  (unsigned long long)wr_os_add(&s->counter, 1));
    WR_TRY_ALLOC(ctx, name.ptr);
    const wr_str path = wri_ckpt_path_join(w->base.arena, w->ckpt->kept->folder, name);
    WR_TRY_ALLOC(ctx, path.ptr);
    WR_TRY(fs->ops->create(ctx, fs, path, out));
    wr_status status = fs->ops->open(ctx, fs, path, in);
    if (status == WR_OK) {
        status = fs->ops->remove(ctx, fs, path, false);
        if (status == WR_OK) return WR_OK;
        close_quietly(*in);
    } else {
        remove_quietly(fs, path);
    }
    close_quietly(*out);
    *out = *in = NULL;
    return status;
}

wr_status
wr_ckpt_writer_open(wr_ctx *ctx, wr_ckpt *c, wr_state_writer **out)
{
    wr_ckpt_store *s = c->store;
    wr_arena *a = wr_arena_create(s->budget, 0);
    wri_writer *w = a ? WR_NEW(a, wri_writer) : NULL;
    char *buffer = w ? wr_arena_alloc(a, s->buffer_bytes) : NULL;
    if (!buffer) {
        wr_arena_destroy(a);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    w->base = (wr_state_writer){.arena = a,
                                .create = writer_create,
                                .append = writer_append,
                                .close = writer_close,
                                .adopt = writer_adopt,
                                .scratch = writer_scratch};
    w->ckpt = c;
    w->buffer = buffer;
    w->buffer_bytes = s->buffer_bytes;
    wr_os_mutex_lock(&s->mutex);
    w->next = c->writers;
    c->writers = w;
    wr_os_mutex_unlock(&s->mutex);
    *out = &w->base;
    return WR_OK;
}

void
wr_ckpt_writer_close(wr_state_writer *writer)
{
    if (writer) abandon((wri_writer *)writer);
}

void
wri_writers_destroy(wr_ckpt *c)
{
    while (c->writers) {
        wri_writer *w = c->writers;
        c->writers = w->next;
        abandon(w);
        wr_arena_destroy(w->base.arena);
    }
}
