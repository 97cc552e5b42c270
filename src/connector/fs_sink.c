/* SPDX-License-Identifier: Apache-2.0 */
/* The filesystem sink. Rows go to part files, one open file per partition, hidden while they are
 * written (".part-...inprogress...") and renamed when they are complete, so that a reader sees
 * whole files only. A part is complete when the rolling policy says so or the input ends. INSERT
 * OVERWRITE (bounded) removes, at the end, the files that were there at the beginning: all of the
 * table, or those of the partitions written. What is still hidden when the writer closes without
 * finish is removed.
 *
 * Names are Flink's: part-<uuid>-<subtask>-<n> in streaming, part-<uuid>-task-<subtask>-file-<n> in
 * batch. */
#include "connector/fs_int.h"
#include "os/os.h"

#define OPEN_PARTS_MAX 1024u

typedef struct part { /* an open file */
    wr_str dir;       /* "dt=a/h=1", empty for a table without partitions */
    wr_file *file;
    wr_str hidden, visible; /* paths */
    uint64_t bytes;
    int64_t opened_ms, written_ms;
} part;

typedef struct fs_writer { /* wr_writer */
    const wr_sink_spec *spec;
    const wr_sink_env *env;
    wr_fs *fs;
    wr_str path, default_name, success_name;
    bool success, batch;
    uint64_t roll_bytes;
    int64_t roll_age_ms, roll_idle_ms, check_ms, next_check_ms;
    char uuid[40];
    uint32_t next_part;
    const wr_format_ops *format;
    wr_encoder *encoder;
    uint32_t *columns; /* those the format writes */
    uint32_t column_count;
    WR_LIST(part) parts;
    WR_LIST(wr_str) written; /* partitions that got rows, for commits and overwriting */
    wr_file_info *old_files; /* OVERWRITE: what was there */
    uint32_t old_count;
    wr_arena *scratch; /* per write */
} fs_writer;

/* ---- planning -------------------------------------------------------------------------------- */

static wr_status
check_policies(wr_ctx *ctx, const wr_options *o, bool *success)
{
    wr_str kinds;
    bool compact;
    const wr_option *item = wr_options_find(o, "sink.partition-commit.policy.kind");
    WR_TRY(wri_option_bool(ctx, o, wri_fs_options, "auto-compaction", &compact));
    if (compact)
        return wr_raise_at(ctx, WR_UNSUPPORTED, wr_options_find(o, "auto-compaction")->span,
                           "not supported yet: option 'auto-compaction'");
    WR_TRY(wri_option_str(ctx, o, wri_fs_options, "sink.partition-commit.policy.kind", &kinds));
    *success = false;
    while (kinds.len) {
        const char *comma = memchr(kinds.ptr, ',', kinds.len);
        wr_str kind = {kinds.ptr, comma ? (size_t)(comma - kinds.ptr) : kinds.len};
        if (!wr_str_eq_c(kind, "success-file"))
            return wr_raise_at(ctx, WR_UNSUPPORTED, item->span,
                               "not supported: partition commit policy '%.*s'", WR_STR_ARG(kind));
        *success = true;
        size_t step = kind.len + (comma ? 1 : 0);
        kinds = (wr_str){kinds.ptr + step, kinds.len - step};
    }
    return WR_OK;
}

static wr_status
fs_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
            const wr_config *config, wr_clmode requested, wr_arena *arena, wr_sink_info *out)
{
    (void)config;
    (void)requested;
    const wr_format_ops *format;
    bool success;
    WR_TRY(wri_format_check(ctx, table, options, true, arena, &format));
    WR_TRY(check_policies(ctx, options, &success));
    out->changelog = WR_CL_INSERT_ONLY;
    out->overwrite = out->partitions = true;
    out->guarantee = "at-least-once: complete files of a failed attempt stay";
    return wri_option_parallelism(ctx, table, options, wri_fs_options, "sink.parallelism",
                                  &out->parallelism);
}

/* ---- opening --------------------------------------------------------------------------------- */

static void
make_uuid(char out[40])
{
    static const char hex[] = "0123456789abcdef";
    uint8_t b[16];
    wr_os_random(b, sizeof b);
    b[6] = (uint8_t)((b[6] & 0x0f) | 0x40);
    b[8] = (uint8_t)((b[8] & 0x3f) | 0x80);
    char *o = out;
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) *o++ = '-';
        *o++ = hex[b[i] >> 4];
        *o++ = hex[b[i] & 15];
    }
    *o = '\0';
}

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
    WR_TRY(wri_fs_path_option(ctx, o, &w->path));
    WR_TRY(wri_option_str(ctx, o, wri_fs_options, "partition.default-name", &w->default_name));
    WR_TRY(wri_option_str(ctx, o, wri_fs_options, "sink.partition-commit.success-file.name",
                          &w->success_name));
    WR_TRY(wri_option_int(ctx, o, wri_fs_options, "sink.rolling-policy.file-size", &bytes));
    WR_TRY(wri_option_int(ctx, o, wri_fs_options, "sink.rolling-policy.rollover-interval",
                          &w->roll_age_ms));
    WR_TRY(wri_option_int(ctx, o, wri_fs_options, "sink.rolling-policy.inactivity-interval",
                          &w->roll_idle_ms));
    WR_TRY(
        wri_option_int(ctx, o, wri_fs_options, "sink.rolling-policy.check-interval", &w->check_ms));
    w->roll_bytes = bytes > 0 ? (uint64_t)bytes : 1;
    return check_policies(ctx, o, &w->success);
}

static wr_status
list_old_files(wr_ctx *ctx, fs_writer *w)
{
    wr_file_info info;
    bool exists;
    WR_TRY(w->fs->ops->stat(ctx, w->fs, w->path, w->env->arena, &info, &exists));
    if (!exists || !info.is_dir) return WR_OK;
    return w->fs->ops->list(ctx, w->fs, w->path, true, w->env->arena, &w->old_files, &w->old_count);
}

static wr_status
fs_open(wr_ctx *ctx, const wr_sink_spec *spec, const wr_sink_env *env, wr_writer **out)
{
    fs_writer *w = WR_NEW(env->arena, fs_writer);
    WR_TRY_ALLOC(ctx, w);
    w->spec = spec;
    w->env = env;
    w->batch = env->eval && env->eval->batch;
    if (spec->overwrite && !w->batch)
        return wr_raise(ctx, WR_SEMANTIC, "Streaming mode not support overwrite.");
    WR_TRY(read_options(ctx, w));
    while (w->path.len > 1 && w->path.ptr[w->path.len - 1] == '/') w->path.len--;
    w->fs = wr_find_fs(w->path);
    if (!w->fs)
        return wr_raise(ctx, WR_UNSUPPORTED, "not supported yet: file system of '%.*s'",
                        WR_STR_ARG(w->path));
    make_uuid(w->uuid);
    if (spec->overwrite) WR_TRY(list_old_files(ctx, w));
    WR_TRY(open_encoder(ctx, w));
    w->scratch = wr_arena_create(env->budget, 0);
    if (!w->scratch) {
        w->format->encoder_close(w->encoder);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    *out = (wr_writer *)w;
    return WR_OK;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static wr_status
note_written(wr_ctx *ctx, fs_writer *w, wr_str dir)
{
    for (uint32_t i = 0; i < w->written.count; i++)
        if (wr_str_eq(w->written.items[i], dir)) return WR_OK;
    return wr_list_push(w->env->arena, &w->written, dir) ? WR_OK
                                                         : wr_raise(ctx, WR_NOMEM, "out of memory");
}

static wr_status
open_part(wr_ctx *ctx, fs_writer *w, wr_str dir, part **out)
{
    wr_arena *a = w->env->arena;
    part p = {.opened_ms = wr_os_wall_ms(), .dir = wr_arena_str(a, dir)};
    char other[40];
    make_uuid(other);
    wr_str folder =
        dir.len ? wr_arena_printf(a, "%.*s/%.*s", WR_STR_ARG(w->path), WR_STR_ARG(dir)) : w->path;
    wr_str name =
        w->batch
            ? wr_arena_printf(a, "part-%s-task-%u-file-%u", w->uuid, w->env->subtask, w->next_part)
            : wr_arena_printf(a, "part-%s-%u-%u", w->uuid, w->env->subtask, w->next_part);
    WR_TRY_ALLOC(ctx, folder.ptr);
    WR_TRY_ALLOC(ctx, name.ptr);
    p.visible = wr_arena_printf(a, "%.*s/%.*s", WR_STR_ARG(folder), WR_STR_ARG(name));
    p.hidden =
        wr_arena_printf(a, "%.*s/.%.*s.inprogress.%s", WR_STR_ARG(folder), WR_STR_ARG(name), other);
    if (!p.visible.ptr || !p.hidden.ptr || (dir.len && !p.dir.ptr))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_TRY(w->fs->ops->mkdirs(ctx, w->fs, folder));
    WR_TRY(w->fs->ops->create(ctx, w->fs, p.hidden, &p.file));
    p.written_ms = p.opened_ms;
    w->next_part++;
    if (!wr_list_push(a, &w->parts, p)) {
        wr_status status = p.file->ops->close(ctx, p.file);
        return status != WR_OK ? status : wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    *out = &w->parts.items[w->parts.count - 1];
    return note_written(ctx, w, p.dir);
}

/* Makes a part visible: everything is on disk before it gets its name. */
static wr_status
close_part(wr_ctx *ctx, fs_writer *w, uint32_t i)
{
    part p = w->parts.items[i];
    bool done;
    w->parts.items[i] = w->parts.items[--w->parts.count];
    wr_status status = p.file->ops->sync(ctx, p.file);
    wr_status closed = p.file->ops->close(ctx, p.file);
    if (status == WR_OK) status = closed;
    if (status != WR_OK) return status;
    WR_TRY(w->fs->ops->rename_new(ctx, w->fs, p.hidden, p.visible, &done));
    if (done) return WR_OK;
    return wr_raise(ctx, WR_EXISTS, "file '%.*s' exists already", WR_STR_ARG(p.visible));
}

static wr_status
part_of(wr_ctx *ctx, fs_writer *w, wr_str dir, part **out)
{
    for (uint32_t i = 0; i < w->parts.count; i++)
        if (wr_str_eq(w->parts.items[i].dir, dir)) {
            *out = &w->parts.items[i];
            return WR_OK;
        }
    if (w->parts.count == OPEN_PARTS_MAX) { /* let the one go that has rested longest */
        uint32_t oldest = 0;
        for (uint32_t i = 1; i < w->parts.count; i++)
            if (w->parts.items[i].written_ms < w->parts.items[oldest].written_ms) oldest = i;
        WR_TRY(close_part(ctx, w, oldest));
    }
    return open_part(ctx, w, dir, out);
}

static wr_status
write_rows(wr_ctx *ctx, fs_writer *w, wr_str dir, const wr_batch *rows)
{
    wr_text text;
    part *p = NULL;
    wr_text_init(&text, w->scratch);
    WR_TRY(w->format->encode(ctx, w->encoder, rows, &text));
    if (text.len == 0) return WR_OK;
    WR_TRY(part_of(ctx, w, dir, &p));
    WR_TRY(p->file->ops->append(ctx, p->file, text.ptr, text.len));
    p->bytes += text.len;
    p->written_ms = wr_os_wall_ms();
    if (p->bytes >= w->roll_bytes) return close_part(ctx, w, (uint32_t)(p - w->parts.items));
    return WR_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

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
                                  w->default_name, &t));
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
fs_tick(wr_ctx *ctx, wr_writer *writer, int64_t now_ms, int64_t *next_ms)
{
    fs_writer *w = (fs_writer *)writer;
    for (uint32_t i = w->parts.count; i > 0; i--) {
        const part *p = &w->parts.items[i - 1];
        if (now_ms - p->opened_ms >= w->roll_age_ms || now_ms - p->written_ms >= w->roll_idle_ms)
            WR_TRY(close_part(ctx, w, i - 1));
    }
    *next_ms = now_ms + WR_MAX(w->check_ms, 1);
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

/* OVERWRITE: files of the beginning go, in the partitions that were written or named. */
static wr_status
remove_old_files(wr_ctx *ctx, fs_writer *w)
{
    wr_file_info root;
    bool exists;
    WR_TRY(w->fs->ops->stat(ctx, w->fs, w->path, w->env->arena, &root, &exists));
    wr_str base = exists ? root.path : w->path;
    for (uint32_t i = 0; i < w->old_count; i++) {
        const wr_file_info *f = &w->old_files[i];
        if (f->is_dir) continue;
        bool gone = w->spec->partition_count == 0;
        for (uint32_t k = 0; k < w->written.count && !gone; k++)
            gone = is_below(f->path, base, w->written.items[k]);
        if (!gone && w->spec->static_partition.len)
            gone = is_below(f->path, base, w->spec->static_partition);
        if (gone) WR_TRY(w->fs->ops->remove(ctx, w->fs, f->path, false));
    }
    return WR_OK;
}

static wr_status
write_success(wr_ctx *ctx, fs_writer *w, wr_str dir)
{
    wr_arena *a = w->env->arena;
    wr_file *f;
    bool done;
    wr_str path = wr_arena_printf(a, "%.*s/%.*s/%.*s", WR_STR_ARG(w->path), WR_STR_ARG(dir),
                                  WR_STR_ARG(w->success_name));
    wr_str tmp = wr_arena_printf(a, "%.*s/%.*s/.%.*s.%s", WR_STR_ARG(w->path), WR_STR_ARG(dir),
                                 WR_STR_ARG(w->success_name), w->uuid);
    WR_TRY_ALLOC(ctx, path.ptr);
    WR_TRY_ALLOC(ctx, tmp.ptr);
    WR_TRY(w->fs->ops->create(ctx, w->fs, tmp, &f));
    WR_TRY(f->ops->close(ctx, f));
    WR_TRY(w->fs->ops->rename_new(ctx, w->fs, tmp, path, &done));
    return done ? WR_OK : w->fs->ops->remove(ctx, w->fs, tmp, false);
}

static wr_status
fs_finish(wr_ctx *ctx, wr_writer *writer)
{
    fs_writer *w = (fs_writer *)writer;
    if (w->spec->overwrite) WR_TRY(remove_old_files(ctx, w));
    while (w->parts.count) WR_TRY(close_part(ctx, w, w->parts.count - 1));
    bool success = w->success && w->spec->partition_count > 0;
    for (uint32_t i = 0; success && i < w->written.count; i++)
        WR_TRY(write_success(ctx, w, w->written.items[i]));
    return WR_OK;
}

static void
fs_close(wr_writer *writer)
{
    fs_writer *w = (fs_writer *)writer;
    if (!w) return;
    wr_ctx ctx; /* nobody is left to tell */
    for (uint32_t i = 0; i < w->parts.count; i++) {
        const part *p = &w->parts.items[i];
        wr_ctx_init(&ctx);
        wr_status closed = p->file->ops->close(&ctx, p->file);
        wr_ctx_init(&ctx);
        wr_status removed = w->fs->ops->remove(&ctx, w->fs, p->hidden, false);
        (void)closed;
        (void)removed;
    }
    w->format->encoder_close(w->encoder);
    wr_arena_destroy(w->scratch);
}

const wr_sink_ops wri_filesystem_sink = {
    .abi = WR_ABI,
    .name = "filesystem",
    .options = wri_fs_options,
    .describe = fs_describe,
    .open = fs_open,
    .write = fs_write,
    .watermark = wri_sink_watermark_nothing,
    .tick = fs_tick,
    .flush = wri_sink_flush_nothing,
    .prepare = wri_sink_prepare_nothing,
    .snapshot = wri_sink_snapshot_nothing,
    .restore = wri_sink_restore_nothing,
    .commit = wri_sink_commit_nothing,
    .finish = fs_finish,
    .close = fs_close,
};
