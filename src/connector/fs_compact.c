/* SPDX-License-Identifier: Apache-2.0 */
/* Compaction: the small files of a checkpoint are put together before they become visible, per
 * partition and up to the target size, so that readers never see the small ones. A file that stays
 * alone is renamed. Names are Flink's: "compacted-" and the name of the first file.
 *
 * The commit may run again at any point, with the same files: a group whose result is there is done
 * but for the removal of what it was made of; else its parts are all there and it is made anew. */
#include <stdlib.h>

#include "connector/fs_sink_int.h"

#define COPY_BYTES (256u << 10)

/* By folder, then by name: the order of the groups must not depend on who answered first. */
static int
by_name(const void *x, const void *y)
{
    const wri_fs_item *a = x, *b = y;
    const int dirs = wr_str_cmp(a->dir, b->dir);
    return dirs ? dirs : wr_str_cmp(a->name, b->name);
}

wr_status
wri_fs_copy(wr_ctx *ctx, wr_file *from, wr_file *to, uint64_t bytes, wr_arena *a)
{
    char *buf = wr_arena_alloc(a, COPY_BYTES);
    WR_TRY_ALLOC(ctx, buf);
    for (uint64_t at = 0; at < bytes;) {
        size_t got = 0;
        const size_t want = (size_t)WR_MIN(bytes - at, (uint64_t)COPY_BYTES);
        WR_TRY(from->ops->read_at(ctx, from, at, buf, want, &got));
        if (got == 0) return wr_raise(ctx, WR_IO, "a file became shorter while it was copied");
        WR_TRY(to->ops->append(ctx, to, buf, got));
        at += got;
    }
    return WR_OK;
}

static wr_status
append_file(wr_ctx *ctx, const wri_target *t, const wri_fs_item *file, wr_file *to, wr_arena *a)
{
    wr_str path;
    wr_file *from;
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    WR_TRY(wri_target_path(ctx, t, file->dir, file->hidden, a, &path));
    WR_TRY(t->fs->ops->open(ctx, t->fs, path, &from));
    wr_status status = wri_fs_copy(ctx, from, to, file->bytes, a);
    (void)(from->ops->close(&quiet, from) == WR_OK);
    return status;
}

/* All of the group in one new file, on disk. */
static wr_status
write_group(wr_ctx *ctx, const wri_target *t, const wri_fs_item *files, uint32_t count, wr_str path)
{
    wr_file *out;
    wr_ctx quiet;
    WR_TRY(t->fs->ops->remove(ctx, t->fs, path, false)); /* of an earlier try */
    WR_TRY(t->fs->ops->create(ctx, t->fs, path, &out));
    wr_arena *scratch = wr_arena_create(NULL, 0);
    wr_status status = scratch ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
    for (uint32_t i = 0; i < count && status == WR_OK; i++) {
        status = append_file(ctx, t, &files[i], out, scratch);
        wr_arena_reset(scratch);
    }
    wr_arena_destroy(scratch);
    if (status == WR_OK) status = out->ops->sync(ctx, out);
    wr_ctx_init(&quiet);
    wr_status closed = out->ops->close(status == WR_OK ? ctx : &quiet, out);
    if (status == WR_OK) status = closed;
    if (status != WR_OK) (void)(t->fs->ops->remove(&quiet, t->fs, path, false) == WR_OK);
    return status;
}

static wr_status
is_there(wr_ctx *ctx, const wri_target *t, wr_str dir, wr_str name, wr_arena *a, bool *out)
{
    wr_str path;
    wr_file_info info;
    WR_TRY(wri_target_path(ctx, t, dir, name, a, &path));
    return t->fs->ops->stat(ctx, t->fs, path, a, &info, out);
}

static wr_status
merge_group(wr_ctx *ctx, const wri_target *t, const wri_fs_item *files, uint32_t count, wr_arena *a)
{
    wri_fs_item whole = files[0];
    bool done, parts;
    wr_str path;
    whole.name = wr_arena_printf(a, "compacted-%.*s", WR_STR_ARG(files[0].name));
    WR_TRY_ALLOC(ctx, whole.name.ptr);
    if (count == 1) return wri_fs_publish(ctx, t, &whole, a);
    whole.hidden = wr_arena_printf(a, ".compacted-%.*s", (int)(files[0].hidden.len - 1),
                                   files[0].hidden.ptr + 1);
    WR_TRY_ALLOC(ctx, whole.hidden.ptr);
    WR_TRY(is_there(ctx, t, whole.dir, whole.name, a, &done));
    WR_TRY(is_there(ctx, t, whole.dir, files[0].hidden, a, &parts));
    if (!done && parts) { /* neither: it was made and taken away since */
        WR_TRY(wri_target_path(ctx, t, whole.dir, whole.hidden, a, &path));
        WR_TRY(write_group(ctx, t, files, count, path));
    }
    if (!done) WR_TRY(wri_fs_publish(ctx, t, &whole, a));
    for (uint32_t i = count; i > 0; i--) { /* the first one last: it says that all are there */
        WR_TRY(wri_target_path(ctx, t, files[i - 1].dir, files[i - 1].hidden, a, &path));
        WR_TRY(t->fs->ops->remove(ctx, t->fs, path, false));
    }
    return WR_OK;
}

wr_status
wri_fs_compact(wr_ctx *ctx, const wri_target *t, wri_fs_item *files, uint32_t count, wr_arena *a)
{
    if (count > 1) qsort(files, count, sizeof *files, by_name);
    for (uint32_t i = 0; i < count;) {
        uint64_t bytes = files[i].bytes;
        uint32_t n = 1;
        while (i + n < count && wr_str_eq(files[i + n].dir, files[i].dir) &&
               bytes + files[i + n].bytes <= t->compact_bytes)
            bytes += files[i + n++].bytes;
        WR_TRY(merge_group(ctx, t, &files[i], n, a));
        i += n;
    }
    return WR_OK;
}
