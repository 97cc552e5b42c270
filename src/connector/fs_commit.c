/* SPDX-License-Identifier: Apache-2.0 */
/* What a checkpoint makes visible in a filesystem sink: its complete files get their names, then
 * partitions that are due get their success file. Everything here may have been done before, wholly
 * or in part: a file that has its name already is fine, and so is a success file that is not older
 * than what it covers.
 *
 * A partition is due when every writer that has rows in it says so; by partition time, when the
 * least watermark of all writers has passed it, which is what they all say then. */
#include "connector/fs_sink_int.h"
#include "os/os.h"

wr_status
wri_fs_item_put(wr_ctx *ctx, wri_twophase *t, const wri_fs_item *item)
{
    wr_text text;
    wr_text_init(&text, t->arena);
    wr_text_putc(&text, (char)item->kind);
    wri_item_put_str(&text, item->dir);
    wri_item_put_str(&text, item->hidden);
    wri_item_put_str(&text, item->name);
    wri_item_put_u64(&text, item->bytes);
    wri_item_put_i64(&text, item->reported_ms);
    wri_item_put_u64(&text, item->ready);
    if (text.failed) return wr_text_raise(ctx, &text);
    return wri_twophase_add(ctx, t, wr_text_str(&text));
}

wr_status
wri_fs_item_get(wr_ctx *ctx, wr_str text, wri_fs_item *out)
{
    wri_item_reader r = {.rest = text};
    *out = (wri_fs_item){0};
    if (text.len) {
        out->kind = (uint8_t)*text.ptr;
        r.rest = (wr_str){text.ptr + 1, text.len - 1};
    }
    out->dir = wri_item_take_str(&r);
    out->hidden = wri_item_take_str(&r);
    out->name = wri_item_take_str(&r);
    out->bytes = wri_item_take_u64(&r);
    out->reported_ms = wri_item_take_i64(&r);
    out->ready = wri_item_take_u64(&r) != 0;
    const bool known = out->kind == WRI_FS_FILE || out->kind == WRI_FS_PARTITION;
    if (!r.bad && known) return WR_OK;
    return wr_raise(ctx, WR_CORRUPT, "what a filesystem sink left to be committed is malformed");
}

/* ---- files ----------------------------------------------------------------------------------- */

/* The file is not under its hidden name. It was on disk before a checkpoint named it, so it has
 * been committed before; whoever reads the table may have taken it away since. Where there is not
 * even its folder, this is another place than the one that was written to. */
static wr_status
was_committed(wr_ctx *ctx, const wri_target *t, wr_str dir, wr_str from, wr_arena *a)
{
    wr_file_info info;
    wr_str folder;
    bool there;
    WR_TRY(wri_target_path(ctx, t, dir, WR_STR(""), a, &folder));
    WR_TRY(t->fs->ops->stat(ctx, t->fs, folder, a, &info, &there));
    if (there) return WR_OK;
    wr_status status = wr_raise(ctx, WR_IO,
                                "file '%.*s', which a checkpoint is to make visible, "
                                "is missing, and its folder too",
                                WR_STR_ARG(from));
    wr_hint(ctx, "has the path of the table been changed since the checkpoint?");
    return status;
}

wr_status
wri_fs_publish(wr_ctx *ctx, const wri_target *t, const wri_fs_item *file, wr_arena *a)
{
    wr_fs *fs = t->fs;
    wr_str from, to;
    wr_file_info info;
    wr_ctx first;
    bool done, there;
    WR_TRY(wri_target_path(ctx, t, file->dir, file->hidden, a, &from));
    WR_TRY(wri_target_path(ctx, t, file->dir, file->name, a, &to));
    wr_ctx_init(&first);
    wr_status status = fs->ops->rename_new(&first, fs, from, to, &done);
    if (status == WR_OK && done) return WR_OK;
    if (status == WR_OK) return fs->ops->remove(ctx, fs, from, false); /* a second name of it */
    WR_TRY(fs->ops->stat(ctx, fs, from, a, &info, &there));
    if (!there) return was_committed(ctx, t, file->dir, from, a);
    ctx->err = first.err;
    return status;
}

/* ---- partitions ------------------------------------------------------------------------------ */

#define CLOCK_MS 10 /* times of files come from a clock that may be behind by some milliseconds */

wr_status
wri_fs_covered(wr_ctx *ctx, const wri_target *t, wr_str dir, int64_t reported_ms, wr_arena *a,
               bool *out)
{
    wr_str path;
    wr_file_info info;
    bool exists;
    WR_TRY(wri_target_path(ctx, t, dir, t->success_name, a, &path));
    WR_TRY(t->fs->ops->stat(ctx, t->fs, path, a, &info, &exists));
    *out = exists && info.mtime_ms + CLOCK_MS >= reported_ms;
    return WR_OK;
}

wr_status
wri_fs_success(wr_ctx *ctx, const wri_target *t, wr_str dir, wr_arena *a)
{
    wr_fs *fs = t->fs;
    wr_file *f;
    wr_str path, hidden, tmp;
    size_t base = t->success_name.len; /* the name may have folders before it */
    while (base && t->success_name.ptr[base - 1] != '/') base--;
    const wr_str above = {t->success_name.ptr, base ? base - 1 : 0};
    const wr_str hide =
        wr_arena_printf(a, "%.*s%s.%.*s.inprogress", WR_STR_ARG(above), base ? "/" : "",
                        (int)(t->success_name.len - base), t->success_name.ptr + base);
    WR_TRY_ALLOC(ctx, hide.ptr);
    if (base) {
        WR_TRY(wri_target_path(ctx, t, dir, above, a, &path));
        WR_TRY(fs->ops->mkdirs(ctx, fs, path));
    }
    WR_TRY(wri_target_path(ctx, t, dir, t->success_name, a, &path));
    WR_TRY(wri_target_path(ctx, t, dir, hide, a, &hidden));
    tmp = wr_arena_printf(a, "%.*s.%llx", WR_STR_ARG(hidden), (unsigned long long)wr_os_now_ns());
    WR_TRY_ALLOC(ctx, tmp.ptr);
    WR_TRY(fs->ops->create(ctx, fs, tmp, &f));
    wr_status status = f->ops->close(ctx, f);
    if (status == WR_OK) status = fs->ops->rename_over(ctx, fs, tmp, path);
    if (status == WR_OK) return WR_OK;
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    (void)(fs->ops->remove(&quiet, fs, tmp, false) == WR_OK);
    return status;
}

typedef struct told { /* what one subtask said last of a partition */
    wr_str dir;
    uint32_t subtask;
    int64_t reported_ms;
    bool ready;
} told;

typedef struct writer_time { /* a subtask's last watermark */
    uint32_t subtask;
    int64_t watermark;
} writer_time;

typedef struct committing {
    wri_target target;
    wr_arena *arena;
    WR_LIST(wri_fs_item) files; /* to be merged, of one checkpoint */
    uint64_t files_of;          /* that checkpoint */
    WR_LIST(told) told;
    WR_LIST(writer_time) times;
} committing;

static wr_status
hear_time(wr_ctx *ctx, committing *c, const wri_committable *head)
{
    const writer_time now = {head->subtask, head->watermark};
    for (uint32_t i = 0; i < c->times.count; i++)
        if (c->times.items[i].subtask == head->subtask) {
            c->times.items[i] = now;
            return WR_OK;
        }
    return wr_list_push(c->arena, &c->times, now) ? WR_OK
                                                  : wr_raise(ctx, WR_NOMEM, "out of memory");
}

static wr_status
hear(wr_ctx *ctx, committing *c, uint32_t subtask, const wri_fs_item *item)
{
    const told now = {item->dir, subtask, item->reported_ms, item->ready};
    for (uint32_t i = 0; i < c->told.count; i++) {
        told *old = &c->told.items[i];
        if (old->subtask != subtask || !wr_str_eq(old->dir, item->dir)) continue;
        *old = now;
        return WR_OK;
    }
    return wr_list_push(c->arena, &c->told, now) ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
}

/* By partition time: has the least watermark of all writers passed it? */
static wr_status
is_past(wr_ctx *ctx, const committing *c, wr_str dir, bool *out)
{
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < c->times.count; i++)
        least = WR_MIN(least, c->times.items[i].watermark);
    *out = true;
    if (!c->target.partition_time) return WR_OK;
    return wri_partition_is_past(ctx, &c->target, dir, least, c->arena, out);
}

/* What all writers say of a partition. */
static told
sum_up(const committing *c, wr_str dir)
{
    told sum = {.dir = dir, .reported_ms = INT64_MIN, .ready = true};
    for (uint32_t k = 0; k < c->told.count; k++) {
        const told *one = &c->told.items[k];
        if (!wr_str_eq(one->dir, dir)) continue;
        sum.ready = sum.ready && one->ready;
        sum.reported_ms = WR_MAX(sum.reported_ms, one->reported_ms);
    }
    return sum;
}

static bool
came_before(const committing *c, uint32_t index)
{
    for (uint32_t k = 0; k < index; k++)
        if (wr_str_eq(c->told.items[k].dir, c->told.items[index].dir)) return true;
    return false;
}

static wr_status
commit_partitions(wr_ctx *ctx, committing *c, bool end)
{
    for (uint32_t i = 0; i < c->told.count; i++) {
        if (came_before(c, i)) continue;
        const told sum = sum_up(c, c->told.items[i].dir);
        bool past = true, covered;
        if (!sum.ready && !end) continue;
        if (!end) WR_TRY(is_past(ctx, c, sum.dir, &past));
        if (!past) continue;
        WR_TRY(wri_fs_covered(ctx, &c->target, sum.dir, sum.reported_ms, c->arena, &covered));
        if (!covered) WR_TRY(wri_fs_success(ctx, &c->target, sum.dir, c->arena));
    }
    return WR_OK;
}

/* The files of one checkpoint: the same groups whenever it is committed. */
static wr_status
merge_files(wr_ctx *ctx, committing *c)
{
    wr_status status = wri_fs_compact(ctx, &c->target, c->files.items, c->files.count, c->arena);
    c->files.count = 0;
    return status;
}

/* ---- the commit ------------------------------------------------------------------------------ */

static wr_status
commit_item(wr_ctx *ctx, committing *c, uint32_t subtask, wr_str text)
{
    wri_fs_item item;
    WR_TRY(wri_fs_item_get(ctx, text, &item));
    if (item.kind == WRI_FS_FILE && c->target.compact_bytes)
        return wr_list_push(c->arena, &c->files, item) ? WR_OK
                                                       : wr_raise(ctx, WR_NOMEM, "out of memory");
    if (item.kind == WRI_FS_FILE) return wri_fs_publish(ctx, &c->target, &item, c->arena);
    return hear(ctx, c, subtask, &item);
}

wr_status
wri_fs_commit(wr_ctx *ctx, const wr_sink_spec *spec, const wr_commit *c)
{
    committing now = {.arena = c->env->arena};
    WR_TRY(wri_target_open(ctx, spec, now.arena, &now.target));
    for (uint32_t i = 0; i < c->count; i++) {
        wri_committable head;
        wri_item_reader items;
        wr_str text;
        WR_TRY(wri_committable_open(ctx, c->committables[i], &head, &items));
        if (head.checkpoint_id != now.files_of) WR_TRY(merge_files(ctx, &now));
        now.files_of = head.checkpoint_id;
        while (wri_committable_next(&items, &text))
            WR_TRY(commit_item(ctx, &now, head.subtask, text));
        WR_TRY(wri_committable_check(ctx, &items));
        WR_TRY(hear_time(ctx, &now, &head));
    }
    WR_TRY(merge_files(ctx, &now));
    return now.target.success ? commit_partitions(ctx, &now, c->end) : WR_OK;
}
