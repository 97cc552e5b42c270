/* SPDX-License-Identifier: Apache-2.0 */
/* The filesystem source. A split is a file, or a range of lines of a big plain one, written
 * "offset:length:path" (length 0: to the end). The coordinator lists files, leaves out partitions
 * that filters exclude, and cuts big files when the format allows it. With
 * 'source.monitor-interval' it lists again and again, and readers look at their files' ends: a file
 * may grow; a last line without newline counts when the file has not grown for an interval.
 *
 * A batch comes from one file, so partition and metadata columns are constants. Pushed filters are
 * applied exactly: to partitions when listing, to rows by a selection. */
#include "connector/fs_int.h"
#include "format/format.h"
#include "os/os.h"

#define SPLIT_BYTES_MIN (8ull << 20)
#define PRINT_BYTES     1024 /* of a growing file's beginning, to know it again */

static wr_status
filter_accepts(wr_ctx *ctx, const wr_pushed_filter *f, const wr_vec *column, wr_arena *a, bool *out)
{
    wr_vec literal, cond;
    uint32_t sel[1];
    if (!wr_vec_init_const(&literal, &f->value, a) ||
        !wr_vec_init_flat(&cond, wr_type_of(WR_T_BOOLEAN, true), 1, a))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_TRY(wr_kernel_compare(ctx, f->op, column, &literal, NULL, 1, &cond, a));
    *out = wr_kernel_select(&cond, NULL, 1, sel) == 1;
    return WR_OK;
}

/* ---- planning -------------------------------------------------------------------------------- */

static const wr_metadata_col fs_metadata[] = {{"file.path", NULL, false},
                                              {"file.name", NULL, false},
                                              {"file.size", NULL, false},
                                              {"file.modification-time", NULL, false},
                                              {NULL, NULL, false}};

static wr_status
fs_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
            const wr_config *config, wr_arena *arena, wr_source_info *out)
{
    (void)config;
    const wr_format_ops *format;
    const wr_metadata_col *more = NULL;
    uint32_t more_count = 0;
    WR_TRY(wri_format_check(ctx, table, options, false, arena, &format));
    if (format->metadata) WR_TRY(format->metadata(ctx, arena, &more));
    while (more && more[more_count].key) more_count++;
    wr_metadata_col *meta = WR_NEW_N(arena, wr_metadata_col, WR_COUNT(fs_metadata) + more_count);
    WR_TRY_ALLOC(ctx, meta);
    memcpy(meta, fs_metadata, sizeof fs_metadata);
    for (uint32_t i = 0; i < more_count; i++) meta[WR_COUNT(fs_metadata) - 1 + i] = more[i];
    meta[0].type = meta[1].type = wr_type_string(false);
    meta[2].type = wr_type_of(WR_T_BIGINT, false);
    meta[3].type = wr_type_time(arena, WR_T_TIMESTAMP_LTZ, 3, false);
    WR_TRY_ALLOC(ctx, meta[3].type);
    out->bounded = wr_options_find(options, "source.monitor-interval") == NULL;
    out->changelog = format->changelog;
    out->can_project = out->can_limit = out->can_filter = true;
    /* a changelog has an order, also from file to file */
    if (out->changelog != WR_CL_INSERT_ONLY) out->parallelism_max = 1;
    out->metadata = meta;
    out->row_count = -1;
    out->keeps_order = out->replayable = out->in_turn = true;
    WR_TRY(wri_option_bool(ctx, options, wri_fs_options, "scan.watermark.per-split",
                           &out->split_watermarks));
    WR_TRY(wri_full_cache(ctx, options, wri_fs_options, out));
    out->can_lookup &= out->bounded;
    return WR_OK;
}

typedef struct partition_test { /* a filter on a partition column */
    const wr_pushed_filter *filter;
    wr_str key;
    const wr_type *type;
} partition_test;

static bool
is_partition_key(const wr_table_desc *t, wr_str name)
{
    for (uint32_t i = 0; i < t->partition_key_count; i++)
        if (wr_str_eq(t->partition_keys[i], name)) return true;
    return false;
}

static wr_status
partition_wanted(wr_ctx *ctx, const wr_source_spec *spec, wr_str path, wr_str root,
                 wr_str default_name, wr_arena *a, bool *out)
{
    *out = true;
    for (uint32_t i = 0; i < spec->filter_count && *out; i++) {
        const wr_pushed_filter *f = &spec->filters[i];
        const wr_field *col = &spec->columns.fields[f->col];
        if (spec->physical[f->col] < 0 || !is_partition_key(spec->table, col->name)) continue;
        wr_str text;
        wr_vec value;
        WR_TRY(wri_partition_of(ctx, path, root, col->name, a, &text));
        WR_TRY(wri_partition_value(ctx, text, default_name, col->type, a, &value));
        WR_TRY(filter_accepts(ctx, f, &value, a, out));
    }
    return WR_OK;
}

/* May the lines of this file be dealt out? Not when a quote could hide a newline. */
static wr_status
may_cut(wr_ctx *ctx, const wr_source_spec *spec, const wr_file_info *info, bool *out)
{
    wr_option_value v;
    const wr_option *format = wr_options_find(&spec->options, "format");
    wri_input *in;
    const char *data;
    size_t len;
    bool last, stable;
    *out = false;
    const wri_input_spec whole = {.path = info->path, .length = UINT64_MAX};
    WR_TRY(wri_input_open(ctx, &whole, &in));
    wr_status status = wri_input_peek(ctx, in, false, &data, &len, &last, &stable);
    if (status == WR_OK && stable) {
        *out = true;
        if (wr_str_eq_c(format->value, "csv")) {
            wr_options csv;
            wr_arena *a = wr_arena_create(NULL, 1024);
            status = a ? wr_options_strip(ctx, &spec->options, WR_STR("csv."), a, &csv)
                       : wr_raise(ctx, WR_NOMEM, "out of memory");
            if (status == WR_OK)
                status = wr_options_get(ctx, &csv, wr_format_csv.options, "quote-character", &v);
            char quote = status == WR_OK && v.text.len ? v.text.ptr[0] : '"';
            *out = status == WR_OK &&
                   (wr_csv_lines_are_records(&csv) || !memchr(data, quote, len)) &&
                   !wr_options_find(&csv, "escape-character") && !wr_options_find(&csv, "header");
            wr_arena_destroy(a);
        }
    }
    wri_input_close(in);
    return status;
}

typedef WR_LIST(wr_str) split_list;

static wr_status
add_splits(wr_ctx *ctx, const wr_source_spec *spec, const wr_format_ops *format,
           const wr_file_info *info, uint64_t cut_bytes, wr_arena *a, split_list *out)
{
    bool cut = cut_bytes > 0 && format->line_delimited && info->size_bytes > cut_bytes;
    if (cut) WR_TRY(may_cut(ctx, spec, info, &cut));
    uint64_t step = cut ? cut_bytes : UINT64_MAX;
    uint64_t offset = 0;
    do {
        uint64_t n = info->size_bytes - offset <= step + step / 2 ? 0 : step;
        if (!cut) n = 0;
        wr_str s = wr_arena_printf(a, "%llu:%llu:%.*s", (unsigned long long)offset,
                                   (unsigned long long)n, WR_STR_ARG(info->path));
        if (!s.ptr || !wr_list_push(a, out, s)) return wr_raise(ctx, WR_NOMEM, "out of memory");
        offset = n == 0 ? info->size_bytes : offset + n;
    } while (offset < info->size_bytes);
    return WR_OK;
}

static wr_status
fs_discover(wr_ctx *ctx, const wr_source_spec *spec, uint32_t parallelism, wr_arena *arena,
            wr_str **splits_out, uint32_t *count_out, int64_t *recheck_ms)
{
    wr_str path, regex, default_name;
    wr_file_info *files;
    uint32_t count;
    split_list splits = {0};
    const wr_format_ops *format;
    const wr_options *o = &spec->options;
    WR_TRY(wri_fs_path_option(ctx, o, &path));
    WR_TRY(wri_option_str(ctx, o, wri_fs_options, "source.path.regex-pattern", &regex));
    WR_TRY(wri_option_str(ctx, o, wri_fs_options, "partition.default-name", &default_name));
    WR_TRY(wri_option_int(ctx, o, wri_fs_options, "source.monitor-interval", recheck_ms));
    const wr_option *name = wr_options_find(o, "format");
    WR_TRY(wr_format_find_checked(ctx, name->value, name->span, &format));
    const wr_status listed = wri_fs_list(ctx, path, regex, arena, &files, &count);
    if (listed != WR_OK) wr_frame(ctx, "reading table '%.*s'", WR_STR_ARG(spec->table->id.name));
    WR_TRY(listed);
    uint64_t total = 0;
    for (uint32_t i = 0; i < count; i++) total += files[i].size_bytes;
    uint64_t cut = parallelism > 1 && *recheck_ms == 0
                       ? WR_MAX(total / (4ull * parallelism), SPLIT_BYTES_MIN)
                       : 0;
    for (uint32_t i = 0; i < count; i++) {
        bool wanted;
        WR_TRY(partition_wanted(ctx, spec, files[i].path, wri_fs_root(path), default_name, arena,
                                &wanted));
        if (wanted) WR_TRY(add_splits(ctx, spec, format, &files[i], cut, arena, &splits));
    }
    *splits_out = splits.items;
    *count_out = splits.count;
    return WR_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct file_split {
    uint64_t offset, length; /* length UINT64_MAX: to the end */
    wr_str path, text;
    bool begun;          /* read up to `at` */
    uint64_t at, line;   /* uncompressed byte, and its line as far as known (from 1) */
    uint32_t part;       /* rows of the record there that were given already */
    bool packed;         /* compressed */
    bool done;           /* growing: a last line without newline counts */
    bool bare;           /* growing: the last line read had no newline (yet) */
    bool finished;       /* never to be read again */
    bool paused;         /* nobody wants its rows now */
    uint64_t seen_bytes; /* growing: size at the last look, and when that changed */
    int64_t seen_at_ms;
    uint64_t id;    /* growing: of the file that was read; 0 = unknown */
    wr_str moved;   /* growing: that file's new name, when it was renamed; else empty */
    bool rotated;   /* it was renamed: the file of this name is another one, for later */
    uint64_t print; /* growing: hash of its first print_len bytes, to know it again */
    uint32_t print_len;
} file_split;

enum { SPLIT_BARE = 1, SPLIT_PACKED = 2, SPLIT_PART = 8 }; /* flags in positions; the part above */

typedef WR_LIST(file_split) split_queue;

typedef struct fs_reader { /* wr_reader */
    const wr_source_spec *spec;
    const wr_source_env *env;
    wr_str path, regex, root, default_name;
    int64_t monitor_ms; /* 0: bounded */
    split_queue splits;
    uint32_t next; /* split being read or to be opened */
    bool no_more;
    int64_t look_again_ms; /* monotonic */
    const wr_format_ops *format;
    wr_decoder *decoder;
    wr_decode_pos pos;
    wri_input *in;
    bool need_more, skipping;
    wr_vec *constants; /* per column, of the present file; type NULL = not constant */
    wr_arena *file_arena;
    int64_t rows_left;    /* limit; -1 = none */
    uint64_t bytes_total; /* of the splits given; for the progress bar */
    bool bytes_unknown;   /* a file is compressed, grows, or tells no size */
} fs_reader;

static wr_status
fs_open(wr_ctx *ctx, const wr_source_spec *spec, const wr_source_env *env, wr_reader **out)
{
    fs_reader *r = WR_NEW(env->arena, fs_reader);
    WR_TRY_ALLOC(ctx, r);
    r->spec = spec;
    r->env = env;
    /* the first rows of a changelog are not the first of the table */
    r->rows_left = spec->changelog == WR_CL_INSERT_ONLY ? spec->limit : -1;
    WR_TRY(wri_fs_path_option(ctx, &spec->options, &r->path));
    WR_TRY(wri_option_str(ctx, &spec->options, wri_fs_options, "source.path.regex-pattern",
                          &r->regex));
    WR_TRY(wri_option_str(ctx, &spec->options, wri_fs_options, "partition.default-name",
                          &r->default_name));
    WR_TRY(wri_option_int(ctx, &spec->options, wri_fs_options, "source.monitor-interval",
                          &r->monitor_ms));
    r->root = wri_fs_root(r->path);
    r->constants = WR_NEW_N(env->arena, wr_vec, spec->columns.count ? spec->columns.count : 1);
    WR_TRY_ALLOC(ctx, r->constants);
    r->file_arena = wr_arena_create(env->budget, 4096);
    WR_TRY_ALLOC(ctx, r->file_arena);
    wr_status status = wri_decoder_open(ctx, spec, env, r->path, &r->format, &r->decoder);
    if (status != WR_OK) {
        wr_arena_destroy(r->file_arena);
        return status;
    }
    *out = (wr_reader *)r;
    return WR_OK;
}

static bool
take_number(wr_str *s, uint64_t *out)
{
    uint64_t v = 0;
    size_t i = 0;
    for (; i < s->len && s->ptr[i] >= '0' && s->ptr[i] <= '9'; i++)
        v = v * 10 + (uint64_t)(s->ptr[i] - '0');
    if (i == 0) return false;
    *s = (wr_str){s->ptr + i, s->len - i};
    *out = v;
    return true;
}

static bool
take_colon(wr_str *s)
{
    if (s->len == 0 || *s->ptr != ':') return false;
    *s = (wr_str){s->ptr + 1, s->len - 1};
    return true;
}

/* What a split adds to the amount of work. A file that tells no size is no error here. */
static void
count_bytes(fs_reader *r, const file_split *s)
{
    wr_ctx quiet;
    wr_fs *fs = wr_find_fs(s->path);
    wr_file_info info;
    bool exists = false;
    wr_ctx_init(&quiet);
    const uint64_t from = s->begun ? s->at : s->offset;
    if (s->length != UINT64_MAX) {
        const uint64_t end = s->offset + s->length;
        r->bytes_total += end > from ? end - from : 0;
        return;
    }
    wr_status status = fs->ops->stat(&quiet, fs, s->path, r->env->arena, &info, &exists);
    if (status == WR_OK && exists && info.size_bytes >= from && r->monitor_ms == 0)
        r->bytes_total += info.size_bytes - from;
    else
        r->bytes_unknown = true;
}

/* "at line flags id print print_len"; what follows the line only where files grow. */
static wr_status
take_position(wr_ctx *ctx, file_split *s, wr_str position)
{
    int64_t n[6] = {0};
    uint32_t got;
    WR_TRY(wri_position_get(ctx, s->text, position, n, WR_COUNT(n), &got));
    if (got == 0) return WR_OK;
    if (n[0] < 0 || n[1] < 0 || n[5] < 0 || n[5] > PRINT_BYTES)
        return wr_raise(ctx, WR_CORRUPT, "malformed position '%.*s' of split '%.*s'",
                        WR_STR_ARG(position), WR_STR_ARG(s->text));
    s->begun = true;
    s->at = (uint64_t)n[0];
    s->line = (uint64_t)WR_MAX(n[1], 1);
    s->bare = (n[2] & SPLIT_BARE) != 0;
    s->packed = (n[2] & SPLIT_PACKED) != 0;
    s->part = (uint32_t)((uint64_t)n[2] >> SPLIT_PART);
    s->id = (uint64_t)n[3];
    s->print = (uint64_t)n[4];
    s->print_len = (uint32_t)n[5];
    return WR_OK;
}

/* "offset:length:path" */
static wr_status
parse_split(wr_ctx *ctx, wr_str split, file_split *s)
{
    wr_str rest = split;
    const bool ok = take_number(&rest, &s->offset) && take_colon(&rest) &&
                    take_number(&rest, &s->length) && take_colon(&rest) && rest.len > 0;
    if (!ok) return wr_raise(ctx, WR_CORRUPT, "malformed split '%.*s'", WR_STR_ARG(split));
    s->path = rest;
    return WR_OK;
}

static wr_status
fs_covers(wr_ctx *ctx, const wr_source_spec *spec, wr_str split, bool *yes, wr_str *was,
          wr_str *now)
{
    file_split s = {0};
    WR_TRY(parse_split(ctx, split, &s));
    WR_TRY(wri_fs_path_option(ctx, &spec->options, now));
    wr_str root = wri_fs_root(*now);
    if (wr_str_starts(root, WR_STR("file://"))) root = (wr_str){root.ptr + 7, root.len - 7};
    while (root.len > 1 && root.ptr[root.len - 1] == '/') root.len--;
    *was = s.path;
    *yes = wr_str_starts(s.path, root) &&
           (s.path.len == root.len || root.len <= 1 || s.path.ptr[root.len] == '/');
    return WR_OK;
}

static wr_status
fs_add_split(wr_ctx *ctx, wr_reader *reader, wr_str split, wr_str position)
{
    fs_reader *r = (fs_reader *)reader;
    file_split s = {.text = wr_arena_str(r->env->arena, split), .line = 1, .moved = WR_STR("")};
    WR_TRY_ALLOC(ctx, s.text.ptr);
    WR_TRY(parse_split(ctx, s.text, &s));
    if (s.length == 0) s.length = UINT64_MAX;
    WR_TRY(take_position(ctx, &s, position));
    if (!wr_list_push(r->env->arena, &r->splits, s))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    count_bytes(r, &s);
    return WR_OK;
}

static wr_status
fs_no_more(wr_ctx *ctx, wr_reader *reader)
{
    (void)ctx;
    ((fs_reader *)reader)->no_more = true;
    return WR_OK;
}

/* Values of metadata and partition columns of a file. */
static wr_status
file_constants(wr_ctx *ctx, fs_reader *r, const file_split *s)
{
    const wr_source_spec *spec = r->spec;
    wr_arena *a = r->file_arena;
    wr_arena_reset(a);
    memset(r->constants, 0, sizeof *r->constants * spec->columns.count);
    wr_fs *fs = wr_find_fs(s->path);
    wr_file_info info = {.path = s->path};
    bool exists, have = false;
    for (uint32_t c = 0; c < spec->columns.count; c++) {
        const wr_type *t = spec->columns.fields[c].type;
        const char *key = spec->metadata ? spec->metadata[c] : NULL;
        wr_value v = wr_value_null(t);
        v.is_null = false;
        if (!key) {
            wr_str name = spec->columns.fields[c].name, text;
            if (!is_partition_key(spec->table, name)) continue;
            WR_TRY(wri_partition_of(ctx, s->path, r->root, name, a, &text));
            WR_TRY(wri_partition_value(ctx, text, r->default_name, t, a, &r->constants[c]));
            continue;
        }
        if (strncmp(key, "file.", 5) != 0) continue; /* the format's */
        if (!have) WR_TRY(fs->ops->stat(ctx, fs, s->path, a, &info, &exists));
        have = true;
        if (strcmp(key, "file.path") == 0)
            v.u.str = s->path;
        else if (strcmp(key, "file.name") == 0)
            v.u.str = wri_fs_name(s->path);
        else if (strcmp(key, "file.size") == 0)
            v.u.i = (int64_t)info.size_bytes;
        else
            v.u.i = info.mtime_ms;
        if (!wr_vec_init_const(&r->constants[c], &v, a))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    return WR_OK;
}

static wr_status
open_split(wr_ctx *ctx, fs_reader *r)
{
    file_split *s = &r->splits.items[r->next];
    const wri_input_spec spec = {.path = s->moved.len ? s->moved : s->path,
                                 .offset = s->offset,
                                 .length = s->length,
                                 .growing = r->monitor_ms > 0,
                                 .resume = s->begun,
                                 .resume_at = s->at};
    WR_TRY(file_constants(ctx, r, s));
    WR_TRY(wri_input_open(ctx, &spec, &r->in));
    s->packed = wri_input_is_packed(r->in);
    r->skipping = s->packed && s->begun;
    r->pos = (wr_decode_pos){.file = s->path, .line = s->line, .byte = wri_input_start(r->in)};
    r->need_more = false;
    if (r->format->resume) r->format->resume(r->decoder, s->begun ? s->part : 0);
    return WR_OK;
}

static wr_status
begin_batch(wr_ctx *ctx, fs_reader *r, wr_batch *fill, uint32_t max_rows)
{
    for (uint32_t c = 0; c < r->spec->columns.count; c++) {
        bool ok;
        if (r->constants[c].type) {
            wr_value v;
            ok = wr_vec_get(&r->constants[c], 0, fill->arena, &v);
            v = ok ? wr_value_copy(fill->arena, &v) : v;
            ok = ok && wr_vec_init_const(&fill->cols[c], &v, fill->arena);
        } else {
            ok = wr_vec_init_flat(&fill->cols[c], r->spec->columns.fields[c].type, max_rows,
                                  fill->arena);
        }
        if (!ok) return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    return WR_OK;
}

static wr_status
apply_limit(wr_ctx *ctx, fs_reader *r, wr_batch *fill)
{
    if (r->rows_left < 0) return WR_OK;
    uint32_t live = wr_batch_live(fill);
    uint32_t keep = (uint32_t)WR_MIN((int64_t)live, r->rows_left);
    r->rows_left -= keep;
    if (keep == live) return WR_OK;
    if (fill->sel) {
        fill->sel_count = keep;
    } else {
        fill->row_count = keep;
    }
    (void)ctx;
    return WR_OK;
}

/* A file that shrank is the cause of whatever the decoder says about it. */
static wr_status
undecoded(wr_ctx *ctx, fs_reader *r)
{
    wr_ctx cause;
    wr_ctx_init(&cause);
    if (wri_input_check(&cause, r->in) != WR_OK) ctx->err = cause.err;
    return ctx->err.status;
}

/* Decodes from the open file until the batch is full or there is nothing more; *done: its end. */
static wr_status
fill_from_file(wr_ctx *ctx, fs_reader *r, wr_batch *fill, uint32_t max_rows, uint64_t *bytes,
               bool *done)
{
    const char *data;
    size_t len, used;
    bool last, stable;
    *done = false;
    while (fill->row_count < max_rows && !*done) {
        file_split *s = &r->splits.items[r->next];
        wr_status status = wri_input_peek(ctx, r->in, r->need_more, &data, &len, &last, &stable);
        if (status != WR_OK) {
            wr_frame(ctx, "%.*s", WR_STR_ARG(s->path));
            return status;
        }
        bool tail = last && r->monitor_ms > 0 && !s->done;
        used = 0;
        if (s->bare && len) { /* the newline of a line that counted without it */
            s->bare = false;
            if (*data == '\n') {
                wri_input_consume(r->in, 1);
                continue;
            }
        }
        if (len)
            status = r->format->decode(ctx, r->decoder, data, len, last && !tail, stable, fill,
                                       &fill->row_count, max_rows, &used, &r->pos);
        if (status != WR_OK) return undecoded(ctx, r);
        wri_input_consume(r->in, used);
        *bytes += used;
        if (r->monitor_ms > 0 && last && used) s->bare = data[used - 1] != '\n';
        r->need_more = used == 0 && fill->row_count < max_rows;
        *done = last && (used == len || r->need_more);
    }
    return WR_OK;
}

/* Where the reader is in the open file, into its split. */
static wr_status
note_place(wr_ctx *ctx, fs_reader *r)
{
    file_split *s = &r->splits.items[r->next];
    if (r->skipping) return WR_OK; /* on the way to the old place */
    s->begun = true;
    s->at = wri_input_offset(r->in);
    s->line = r->pos.line;
    s->part = r->format->partial ? r->format->partial(r->decoder) : 0;
    const uint32_t len = (uint32_t)WR_MIN(s->at, (uint64_t)PRINT_BYTES);
    if (r->monitor_ms == 0 || s->packed || s->print_len >= len) return WR_OK;
    WR_TRY(wri_input_print(ctx, r->in, len, &s->print));
    s->print_len = len;
    return WR_OK;
}

/* A growing file at its present end: remember where, come back later. */
static wr_status
leave_growing(wr_ctx *ctx, fs_reader *r, int64_t now_ms)
{
    file_split *s = &r->splits.items[r->next];
    WR_TRY(note_place(ctx, r));
    if (s->at != s->seen_bytes || s->seen_at_ms == 0) {
        s->seen_bytes = s->at;
        s->seen_at_ms = now_ms;
        s->done = false;
    } else if (now_ms - s->seen_at_ms >= r->monitor_ms) {
        s->done = true;
    }
    s->finished = s->packed;
    return WR_OK;
}

/* Is the file the one that was read up to s->at? */
static wr_status
is_same_file(wr_ctx *ctx, const file_split *s, const wr_file_info *info, bool *same)
{
    *same = s->packed || info->size_bytes >= s->at;
    if (!*same || !s->id || !info->id || info->id == s->id || s->print_len == 0) return WR_OK;
    /* another one under the same name: a copy of it, or one that came after it */
    const wri_input_spec spec = {.path = s->path, .length = UINT64_MAX, .growing = true};
    uint64_t print;
    wri_input *in;
    WR_TRY(wri_input_open(ctx, &spec, &in));
    wr_status status = wri_input_print(ctx, in, s->print_len, &print);
    wri_input_close(in);
    *same = status == WR_OK && print == s->print;
    return status;
}

/* The file that is read from its beginning now is another one. */
static void
begin_anew(file_split *s, uint64_t id)
{
    s->id = id;
    s->at = 0;
    s->line = 1;
    s->seen_at_ms = 0;
    s->print_len = 0;
    s->part = 0;
    s->moved = WR_STR("");
    s->begun = s->done = s->bare = s->rotated = false;
}

/* A file that was renamed, as logs are when they are rotated, is read to its end under its new name
 * before the one that took its place: to the end is when it has not grown for an interval. */
static wr_status
follow_renamed(wr_ctx *ctx, fs_reader *r, file_split *s, bool replaced, bool *follow)
{
    wr_file_info now;
    *follow = false;
    if (!s->begun || !s->id || s->packed) return WR_OK;
    WR_TRY(wri_fs_find_renamed(ctx, s->path, s->id, r->path, r->regex, r->file_arena, &now));
    if (!now.path.len || now.size_bytes < s->at) return WR_OK;
    const bool at_end = now.size_bytes == s->at && s->done && s->rotated;
    if (!s->rotated) {
        s->rotated = true;
        s->seen_at_ms = 0;
        s->done = false;
    }
    if (at_end && replaced) return WR_OK;
    if (!wr_str_eq(s->moved, now.path)) s->moved = wr_arena_str(r->env->arena, now.path);
    WR_TRY_ALLOC(ctx, s->moved.ptr);
    *follow = true;
    return WR_OK;
}

/* Before a growing file is opened (again): one that has gone, or is shorter than what was read of
 * it, has been replaced or will be; what comes in its place is read from its beginning. */
static wr_status
look_again(wr_ctx *ctx, fs_reader *r, bool *gone)
{
    file_split *s = &r->splits.items[r->next];
    wr_fs *fs = wr_find_fs(s->path);
    wr_file_info info;
    bool exists = false, same = false, follow = false;
    wr_arena_reset(r->file_arena);
    WR_TRY(fs->ops->stat(ctx, fs, s->path, r->file_arena, &info, &exists));
    if (!exists || (info.id != s->id && info.id))
        WR_TRY(follow_renamed(ctx, r, s, exists, &follow));
    *gone = !exists && !follow;
    if (follow) return WR_OK;
    if (exists && !s->rotated) WR_TRY(is_same_file(ctx, s, &info, &same));
    if (!same)
        begin_anew(s, exists ? info.id : s->id);
    else
        s->id = info.id;
    return WR_OK;
}

/* The next split that has perhaps something; the count when all are at their ends. */
static wr_status
next_split(wr_ctx *ctx, fs_reader *r, int64_t now_ms)
{
    wr_status status = r->monitor_ms > 0 && r->in ? leave_growing(ctx, r, now_ms) : WR_OK;
    wri_input_close(r->in);
    r->in = NULL;
    if (r->monitor_ms == 0) r->splits.items[r->next].finished = true;
    r->next++;
    while (r->next < r->splits.count && r->splits.items[r->next].finished) r->next++;
    if (r->monitor_ms == 0 &&
        r->next == r->splits.count) { /* what was passed while it was paused */
        r->next = 0;
        while (r->next < r->splits.count && r->splits.items[r->next].finished) r->next++;
    }
    if (r->monitor_ms > 0 && r->next == r->splits.count) {
        r->next = 0; /* round again, but not before some time is over */
        while (r->next < r->splits.count && r->splits.items[r->next].finished) r->next++;
        r->look_again_ms = now_ms + WR_MIN(r->monitor_ms, 1000);
    }
    return status;
}

/* Files that may be read now: not behind a file that is paused. Those that grow go round anyway. */
static wr_status
pass_paused(wr_ctx *ctx, fs_reader *r, bool *none)
{
    uint32_t k = 0;
    *none = false;
    if (r->next == r->splits.count || !r->splits.items[r->next].paused) return WR_OK;
    if (r->in) WR_TRY(note_place(ctx, r));
    wri_input_close(r->in);
    r->in = NULL;
    for (; k < r->splits.count; k++) {
        const uint32_t at = (r->next + 1 + k) % r->splits.count;
        if (r->splits.items[at].finished || r->splits.items[at].paused) continue;
        r->next = at;
        return WR_OK;
    }
    *none = true;
    return WR_OK;
}

static void
fs_pause(wr_reader *reader, uint32_t split, bool paused)
{
    fs_reader *r = (fs_reader *)reader;
    if (split < r->splits.count) r->splits.items[split].paused = paused;
}

/* Compressed input on the way to where it was left. */
static wr_status
skip_some(wr_ctx *ctx, fs_reader *r, wr_poll *out)
{
    WR_TRY(wri_input_skip(ctx, r->in, &r->skipping));
    r->pos.byte = wri_input_start(r->in);
    out->kind = WR_POLL_PENDING;
    out->wake_at_ms = wr_os_now_ns() / 1000000;
    return WR_OK;
}

static wr_status
fs_poll(wr_ctx *ctx, wr_reader *reader, wr_batch *fill, uint32_t max_rows, wr_poll *out)
{
    fs_reader *r = (fs_reader *)reader;
    int64_t now = wr_os_now_ns() / 1000000;
    bool done = false, none;
    *out = (wr_poll){.kind = WR_POLL_PENDING, .fd = -1};
    WR_TRY(pass_paused(ctx, r, &none));
    if (none) return WR_OK;
    if (r->rows_left == 0 || (r->next == r->splits.count && r->no_more && !r->monitor_ms)) {
        out->kind = WR_POLL_END;
        return WR_OK;
    }
    if (r->next == r->splits.count) return WR_OK;
    if (now < r->look_again_ms && !r->in) {
        out->wake_at_ms = r->look_again_ms;
        return WR_OK;
    }
    if (!r->in && r->monitor_ms > 0) {
        bool gone;
        WR_TRY(look_again(ctx, r, &gone));
        if (gone) {
            WR_TRY(next_split(ctx, r, now));
            out->wake_at_ms = r->next == 0 ? r->look_again_ms : now;
            return WR_OK;
        }
    }
    if (!r->in) WR_TRY(open_split(ctx, r));
    if (r->skipping) return skip_some(ctx, r, out);
    r->bytes_unknown |= wri_input_is_packed(r->in);
    out->bytes_total = r->bytes_unknown ? 0 : r->bytes_total;
    out->split = r->next;
    WR_TRY(begin_batch(ctx, r, fill, max_rows));
    WR_TRY(wri_input_hold(ctx, r->in, fill->arena));
    WR_TRY(fill_from_file(ctx, r, fill, max_rows, &out->bytes, &done));
    WR_TRY(wri_input_check(ctx, r->in));
    uint32_t read = fill->row_count;
    WR_TRY(wri_filters_apply(ctx, r->spec, fill));
    WR_TRY(apply_limit(ctx, r, fill));
    out->split_ended = done && r->monitor_ms == 0;
    if (done) WR_TRY(next_split(ctx, r, now));
    if (read || !r->monitor_ms)
        out->kind = WR_POLL_READY;
    else
        out->wake_at_ms = r->look_again_ms ? r->look_again_ms : now + 1;
    return WR_OK;
}

static wr_status
fs_snapshot(wr_ctx *ctx, wr_reader *reader, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)checkpoint_id;
    fs_reader *r = (fs_reader *)reader;
    if (r->in) WR_TRY(note_place(ctx, r));
    for (uint32_t i = 0; i < r->splits.count; i++) {
        const file_split *s = &r->splits.items[i];
        const int64_t flags = (s->bare ? SPLIT_BARE : 0) | (s->packed ? SPLIT_PACKED : 0) |
                              (int64_t)s->part << SPLIT_PART;
        const int64_t n[] = {(int64_t)s->at, (int64_t)s->line,  flags,
                             (int64_t)s->id, (int64_t)s->print, s->print_len};
        if (s->finished) continue;
        WR_TRY(wri_position_put(ctx, out, s->text, n, !s->begun ? 0 : r->monitor_ms ? 6 : 3));
    }
    return WR_OK;
}

static void
fs_close(wr_reader *reader)
{
    fs_reader *r = (fs_reader *)reader;
    if (!r) return;
    wri_input_close(r->in);
    r->format->decoder_close(r->decoder);
    wr_arena_destroy(r->file_arena);
}

const wr_source_ops wri_filesystem_source = {
    .abi = WR_ABI,
    .name = "filesystem",
    .options = wri_fs_options,
    .describe = fs_describe,
    .discover = fs_discover,
    .covers = fs_covers,
    .open = fs_open,
    .add_split = fs_add_split,
    .no_more_splits = fs_no_more,
    .poll = fs_poll,
    .snapshot = fs_snapshot,
    .committed = wri_committed_nothing,
    .close = fs_close,
    .pause = fs_pause,
};
