/* SPDX-License-Identifier: Apache-2.0 */
/* The filesystem sink. Rows go to part files, one open file per partition, hidden while they are
 * written, so that a reader sees whole files only. A part is complete when the rolling policy says
 * so or the input ends.
 *
 * With checkpoints: a barrier makes everything written durable; complete parts become visible when
 * the checkpoint is committed, others go on being written, and the checkpoint says up to where they
 * count: a restored writer cuts them there. Formats that Flink writes in bulk (csv) complete their
 * parts at every barrier, as do partitions that are about to be committed, and all of them do when
 * the job stops behind the barrier. Without checkpoints complete parts become visible at once, and
 * the rest at the end.
 *
 * INSERT OVERWRITE (bounded) removes, at the end, the files that were there at the beginning: all
 * of the table, or those of the partitions written. */
#include "connector/fs_sink_int.h"
#include "os/os.h"

typedef struct fs_writer { /* wr_writer */
    const wr_sink_spec *spec;
    const wr_sink_env *env;
    wri_target target;
    wri_twophase items;
    wri_parts parts;
    wri_pendings pendings;
    bool batch, roll_at_barrier, commits_partitions;
    int64_t watermark;
    uint64_t roll_bytes;
    int64_t roll_age_ms, roll_idle_ms, check_ms;
    const wr_format_ops *format;
    wr_encoder *encoder;
    uint32_t *columns; /* those the format writes */
    uint32_t column_count;
    WR_LIST(wr_str) written; /* partitions that got rows, when the end asks for them */
    wr_file_info *old_files; /* OVERWRITE: what was there */
    uint32_t old_count;
    wr_arena *scratch; /* per call */
} fs_writer;

static wr_status
fs_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
            const wr_config *config, wr_clmode requested, wr_arena *arena, wr_sink_info *out)
{
    (void)config;
    (void)requested;
    const wr_format_ops *format;
    WR_TRY(wri_format_check(ctx, table, options, true, arena, &format));
    WR_TRY(wri_target_check(ctx, options));
    out->changelog = format->changelog;
    out->overwrite = out->partitions = true;
    out->guarantee =
        "exactly-once: a file becomes visible with the first checkpoint after it is "
        "closed (sink.rolling-policy.*); without checkpoints at-least-once: files of a "
        "failed attempt stay";
    return wri_option_parallelism(ctx, table, options, wri_fs_options, "sink.parallelism",
                                  &out->parallelism);
}

/* ---- opening --------------------------------------------------------------------------------- */

static bool
is_partition(const wr_sink_spec *spec, uint32_t column)
{
    for (uint32_t i = 0; i < spec->partition_count; i++)
        if (spec->partition[i] == column) return true;
    return false;
}

static wr_status
open_encoder(wr_ctx *ctx, fs_writer *w)
{
    const wr_sink_spec *spec = w->spec;
    wr_arena *a = w->env->arena;
    wr_options options;
    uint32_t n = spec->columns.count;
    wr_field *fields = WR_NEW_N(a, wr_field, n ? n : 1);
    w->columns = WR_NEW_N(a, uint32_t, n ? n : 1);
    if (!fields || !w->columns) return wr_raise(ctx, WR_NOMEM, "out of memory");
    for (uint32_t c = 0; c < n; c++) {
        if (is_partition(spec, c)) continue;
        fields[w->column_count] = spec->columns.fields[c];
        w->columns[w->column_count++] = c;
    }
    wr_schema *schema = WR_NEW(a, wr_schema);
    WR_TRY_ALLOC(ctx, schema);
    *schema = (wr_schema){fields, w->column_count};
    WR_TRY(wr_format_of(ctx, &spec->options, "format", a, &w->format, &options));
    return w->format->encoder_open(ctx, &options, schema, w->env->eval, a, &w->encoder);
}

static wr_status
read_options(wr_ctx *ctx, fs_writer *w)
{
    const wr_options *o = &w->spec->options;
    int64_t bytes;
    WR_TRY(wri_target_open(ctx, w->spec, w->env->arena, &w->target));
    WR_TRY(wri_option_int(ctx, o, wri_fs_options, "sink.rolling-policy.file-size", &bytes));
    WR_TRY(wri_option_int(ctx, o, wri_fs_options, "sink.rolling-policy.rollover-interval",
                          &w->roll_age_ms));
    WR_TRY(wri_option_int(ctx, o, wri_fs_options, "sink.rolling-policy.inactivity-interval",
                          &w->roll_idle_ms));
    WR_TRY(
        wri_option_int(ctx, o, wri_fs_options, "sink.rolling-policy.check-interval", &w->check_ms));
    w->roll_bytes = bytes > 0 ? (uint64_t)bytes : 1;
    w->commits_partitions = w->target.success && w->env->checkpointing;
    return WR_OK;
}

static wr_status
list_old_files(wr_ctx *ctx, fs_writer *w)
{
    wr_file_info info;
    bool exists;
    WR_TRY(
        w->target.fs->ops->stat(ctx, w->target.fs, w->target.path, w->env->arena, &info, &exists));
    if (!exists || !info.is_dir) return WR_OK;
    return w->target.fs->ops->list(ctx, w->target.fs, w->target.path, true, w->env->arena,
                                   &w->old_files, &w->old_count);
}

static void
fs_close(wr_writer *writer)
{
    fs_writer *w = (fs_writer *)writer;
    if (!w) return;
    if (w->scratch && w->items.arena) wri_parts_close(&w->parts);
    wri_pending_close(&w->pendings);
    wri_twophase_deinit(&w->items);
    if (w->encoder) w->format->encoder_close(w->encoder);
    wr_arena_destroy(w->scratch);
}

static wr_status
open_writer(wr_ctx *ctx, fs_writer *w)
{
    const wr_sink_env *env = w->env;
    WR_TRY(read_options(ctx, w));
    WR_TRY(open_encoder(ctx, w));
    /* what Flink writes in bulk cannot go on in a file behind a barrier */
    w->roll_at_barrier = strcmp(w->format->name, "csv") == 0 || w->target.compact_bytes > 0;
    w->scratch = wr_arena_create(env->budget, 0);
    WR_TRY_ALLOC(ctx, w->scratch);
    w->parts = (wri_parts){.target = &w->target,
                           .env = env,
                           .items = &w->items,
                           .batch = w->batch,
                           .at_once = !env->checkpointing && !w->target.compact_bytes,
                           .scratch = w->scratch};
    w->pendings =
        (wri_pendings){.target = &w->target, .budget = env->budget, .list_arena = env->arena};
    WR_TRY(wri_parts_init(ctx, &w->parts));
    WR_TRY(wri_twophase_init(ctx, &w->items, w->parts.key, env->budget));
    if (w->spec->overwrite) WR_TRY(list_old_files(ctx, w));
    const bool clean = env->checkpointing && !env->restoring && env->job_id.len > 0;
    return clean ? wri_parts_clean(ctx, &w->parts, 0) : WR_OK;
}

static wr_status
fs_open(wr_ctx *ctx, const wr_sink_spec *spec, const wr_sink_env *env, wr_writer **out)
{
    fs_writer *w = WR_NEW(env->arena, fs_writer);
    WR_TRY_ALLOC(ctx, w);
    w->spec = spec;
    w->env = env;
    w->watermark = INT64_MIN;
    w->batch = env->eval && env->eval->batch;
    if (spec->overwrite && !w->batch)
        return wr_raise(ctx, WR_SEMANTIC, "Streaming mode not support overwrite.");
    wr_status status = open_writer(ctx, w);
    if (status != WR_OK)
        fs_close((wr_writer *)w);
    else
        *out = (wr_writer *)w;
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static wr_status
note_written(wr_ctx *ctx, fs_writer *w, wr_str dir)
{
    if (w->commits_partitions) return wri_pending_note(ctx, &w->pendings, dir, wr_os_wall_ms());
    if (w->env->checkpointing) return WR_OK;
    if (!w->target.success && !w->spec->overwrite) return WR_OK; /* nobody asks */
    for (uint32_t i = 0; i < w->written.count; i++)
        if (wr_str_eq(w->written.items[i], dir)) return WR_OK;
    const wr_str copy = dir.len ? wr_arena_str(w->env->arena, dir) : WR_STR("");
    if (!copy.ptr || !wr_list_push(w->env->arena, &w->written, copy))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

static wr_status
write_rows(wr_ctx *ctx, fs_writer *w, wr_str dir, const wr_batch *rows)
{
    wr_text text;
    wri_part *p;
    wr_text_init(&text, w->scratch);
    WR_TRY(w->format->encode(ctx, w->encoder, rows, &text));
    if (text.failed) return wr_text_raise(ctx, &text);
    if (text.len == 0) return WR_OK;
    WR_TRY(wri_part_of(ctx, &w->parts, dir, &p));
    p->unsynced = true;
    WR_TRY(p->file->ops->append(ctx, p->file, text.ptr, text.len));
    p->bytes += text.len;
    p->written_ms = wr_os_wall_ms();
    WR_TRY(note_written(ctx, w, dir));
    if (p->bytes < w->roll_bytes) return WR_OK;
    return wri_part_end(ctx, &w->parts, (uint32_t)(p - w->parts.open.items));
}

/* "k=v/..." of a row. */
static wr_status
dir_of_row(wr_ctx *ctx, fs_writer *w, const wr_batch *batch, uint32_t row, wr_str *out)
{
    wr_text t;
    wr_text_init(&t, w->scratch);
    for (uint32_t i = 0; i < w->spec->partition_count; i++) {
        uint32_t c = w->spec->partition[i];
        if (i) wr_text_putc(&t, '/');
        WR_TRY(wri_partition_name(ctx, w->spec->columns.fields[c].name, &batch->cols[c], row,
                                  w->target.default_name, &t));
    }
    *out = wr_text_str(&t);
    return t.failed ? wr_raise(ctx, WR_NOMEM, "out of memory") : WR_OK;
}

static bool
same_partition(const fs_writer *w, const wr_batch *batch, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < w->spec->partition_count; i++) {
        const wr_vec *v = &batch->cols[w->spec->partition[i]];
        if (!wr_vec_entry_eq(v, a, v, b)) return false;
    }
    return true;
}

typedef struct group { /* rows of a batch that go to one partition */
    wr_str dir;
    WR_LIST(uint32_t) rows;
    uint32_t sample;
} group;

static wr_status
write_partitioned(wr_ctx *ctx, fs_writer *w, const wr_batch *batch, wr_batch *view)
{
    WR_LIST(group) groups = {0};
    group *g = NULL;
    WR_FOR_ROWS (batch, row) {
        if (!g || !same_partition(w, batch, g->sample, row)) {
            g = NULL;
            for (uint32_t i = 0; i < groups.count && !g; i++)
                if (same_partition(w, batch, groups.items[i].sample, row)) g = &groups.items[i];
        }
        if (!g) {
            group fresh = {.sample = row};
            WR_TRY(dir_of_row(ctx, w, batch, row, &fresh.dir));
            if (!wr_list_push(w->scratch, &groups, fresh))
                return wr_raise(ctx, WR_NOMEM, "out of memory");
            g = &groups.items[groups.count - 1];
        }
        if (!wr_list_push(w->scratch, &g->rows, row))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    for (uint32_t i = 0; i < groups.count; i++) {
        view->sel = groups.items[i].rows.items;
        view->sel_count = groups.items[i].rows.count;
        WR_TRY(write_rows(ctx, w, groups.items[i].dir, view));
    }
    return WR_OK;
}

static wr_status
fs_write(wr_ctx *ctx, wr_writer *writer, const wr_batch *batch)
{
    fs_writer *w = (fs_writer *)writer;
    wr_batch view = *batch; /* the columns that the format writes */
    if (wr_batch_live(batch) == 0) return WR_OK;
    view.col_count = w->column_count;
    view.cols = WR_NEW_N(w->scratch, wr_vec, w->column_count ? w->column_count : 1);
    WR_TRY_ALLOC(ctx, view.cols);
    for (uint32_t c = 0; c < w->column_count; c++) view.cols[c] = batch->cols[w->columns[c]];
    wr_status status = w->spec->partition_count ? write_partitioned(ctx, w, batch, &view)
                                                : write_rows(ctx, w, WR_STR(""), &view);
    wr_arena_reset(w->scratch);
    return status;
}

static wr_status
fs_watermark(wr_ctx *ctx, wr_writer *writer, int64_t watermark)
{
    (void)ctx;
    ((fs_writer *)writer)->watermark = watermark;
    return WR_OK;
}

static wr_status
fs_tick(wr_ctx *ctx, wr_writer *writer, int64_t now_ms, int64_t *next_ms)
{
    fs_writer *w = (fs_writer *)writer;
    for (uint32_t i = w->parts.open.count; i > 0; i--) {
        const wri_part *p = &w->parts.open.items[i - 1];
        if (now_ms - p->opened_ms >= w->roll_age_ms || now_ms - p->written_ms >= w->roll_idle_ms)
            WR_TRY(wri_part_end(ctx, &w->parts, i - 1));
    }
    wr_arena_reset(w->scratch);
    *next_ms = now_ms + WR_MAX(w->check_ms, 1);
    return WR_OK;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

/* Is the part complete at this barrier? A job that stops leaves nothing hidden behind. */
static wr_status
ends_here(wr_ctx *ctx, fs_writer *w, const wri_part *p, int64_t now_ms, bool *out)
{
    *out = w->roll_at_barrier || w->env->stopping;
    if (*out || !w->commits_partitions) return WR_OK;
    const wri_pending *item = wri_pending_find(&w->pendings, p->dir);
    if (!item) return WR_OK;
    return wri_pending_ready(ctx, &w->pendings, item, now_ms, w->watermark, w->scratch, out);
}

static wr_status
fs_prepare(wr_ctx *ctx, wr_writer *writer, uint64_t checkpoint_id, wr_arena *a, wr_str *committable)
{
    fs_writer *w = (fs_writer *)writer;
    const int64_t now = wr_os_wall_ms();
    const wri_committable head = {checkpoint_id, w->env->subtask, w->watermark};
    for (uint32_t i = w->parts.open.count; i > 0; i--) {
        wri_part *p = &w->parts.open.items[i - 1];
        bool ends;
        WR_TRY(ends_here(ctx, w, p, now, &ends));
        if (ends)
            WR_TRY(wri_part_end(ctx, &w->parts, i - 1));
        else
            WR_TRY(wri_part_sync(ctx, p));
    }
    if (w->commits_partitions)
        WR_TRY(wri_pending_report(ctx, &w->pendings, now, w->watermark, w->scratch, &w->items));
    wr_arena_reset(w->scratch);
    if (w->items.items.count || w->commits_partitions)
        return wri_twophase_prepare(ctx, &w->items, &head, a, committable);
    w->items.epoch = checkpoint_id;
    *committable = WR_STR("");
    return WR_OK;
}

static wr_status
fs_snapshot(wr_ctx *ctx, wr_writer *writer, uint64_t checkpoint_id, wr_opstate *out)
{
    fs_writer *w = (fs_writer *)writer;
    WR_TRY(wri_twophase_snapshot(ctx, &w->items, checkpoint_id, out));
    WR_TRY(wri_parts_snapshot(ctx, &w->parts, out));
    return wri_pending_snapshot(ctx, &w->pendings, out);
}

static wr_status
fs_restore(wr_ctx *ctx, wr_writer *writer, const wr_opstate *in)
{
    fs_writer *w = (fs_writer *)writer;
    WR_TRY(wri_twophase_restore(ctx, &w->items, in));
    if (w->env->job_id.len) WR_TRY(wri_parts_clean(ctx, &w->parts, w->items.epoch));
    WR_TRY(wri_parts_restore(ctx, &w->parts, in, !w->roll_at_barrier));
    WR_TRY(wri_pending_restore(ctx, &w->pendings, in));
    wr_arena_reset(w->scratch);
    return WR_OK;
}

/* ---- the end --------------------------------------------------------------------------------- */

static bool
is_below(wr_str path, wr_str root, wr_str dir)
{
    if (path.len <= root.len || memcmp(path.ptr, root.ptr, root.len) != 0) return false;
    wr_str rest = {path.ptr + root.len, path.len - root.len};
    if (rest.ptr[0] == '/') rest.ptr++, rest.len--;
    return dir.len == 0 || (rest.len > dir.len && memcmp(rest.ptr, dir.ptr, dir.len) == 0 &&
                            rest.ptr[dir.len] == '/');
}

static bool
is_overwritten(const fs_writer *w, wr_str path, wr_str base)
{
    if (w->spec->partition_count == 0) return true;
    for (uint32_t k = 0; k < w->written.count; k++)
        if (is_below(path, base, w->written.items[k])) return true;
    return w->spec->static_partition.len && is_below(path, base, w->spec->static_partition);
}

/* OVERWRITE (batch: no checkpoints): files of the beginning go, in the partitions that were written
 * or named. */
static wr_status
remove_old_files(wr_ctx *ctx, fs_writer *w)
{
    wr_file_info root;
    bool exists;
    wr_fs *fs = w->target.fs;
    WR_TRY(fs->ops->stat(ctx, fs, w->target.path, w->scratch, &root, &exists));
    wr_str base = exists ? root.path : w->target.path;
    for (uint32_t i = 0; i < w->old_count; i++) {
        const wr_file_info *f = &w->old_files[i];
        if (f->is_dir || !is_overwritten(w, f->path, base)) continue;
        WR_TRY(fs->ops->remove(ctx, fs, f->path, false));
    }
    return WR_OK;
}

/* Without checkpoints: complete files that were kept to be put together. */
static wr_status
compact_items(wr_ctx *ctx, fs_writer *w)
{
    const uint32_t n = w->items.items.count;
    if (n == 0) return WR_OK;
    wri_fs_item *files = WR_NEW_N(w->scratch, wri_fs_item, n);
    WR_TRY_ALLOC(ctx, files);
    for (uint32_t i = 0; i < n; i++)
        WR_TRY(wri_fs_item_get(ctx, w->items.items.items[i], &files[i]));
    WR_TRY(wri_fs_compact(ctx, &w->target, files, n, w->scratch));
    wri_twophase_forget(&w->items);
    return WR_OK;
}

static wr_status
fs_finish(wr_ctx *ctx, wr_writer *writer)
{
    fs_writer *w = (fs_writer *)writer;
    if (w->spec->overwrite) WR_TRY(remove_old_files(ctx, w));
    while (w->parts.open.count) WR_TRY(wri_part_end(ctx, &w->parts, w->parts.open.count - 1));
    w->watermark = INT64_MAX;
    if (w->env->checkpointing) return WR_OK; /* prepare and commit follow */
    WR_TRY(compact_items(ctx, w));
    for (uint32_t i = 0; w->target.success && i < w->written.count; i++)
        WR_TRY(wri_fs_success(ctx, &w->target, w->written.items[i], w->scratch));
    wr_arena_reset(w->scratch);
    return WR_OK;
}

const wr_sink_ops wri_filesystem_sink = {
    .abi = WR_ABI,
    .name = "filesystem",
    .options = wri_fs_options,
    .describe = fs_describe,
    .open = fs_open,
    .write = fs_write,
    .watermark = fs_watermark,
    .tick = fs_tick,
    .flush = wri_sink_flush_nothing,
    .prepare = fs_prepare,
    .snapshot = fs_snapshot,
    .restore = fs_restore,
    .commit = wri_fs_commit,
    .finish = fs_finish,
    .close = fs_close,
};
