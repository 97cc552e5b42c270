/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of formats, file systems and connectors: a table from text, batches read through a
 * source and written through a sink, rows as the print connector writes them. Every source that is
 * read through it is held to the contract of spi/connector.h: at most max_rows, no poll after the
 * end, no selection outside the rows. */
#ifndef WR_TESTS_TABLE_RIG_H
#define WR_TESTS_TABLE_RIG_H

#include <stdlib.h>
#include <unistd.h>

#include "connector/connector.h"
#include "format/format.h"
#include "fs/fs.h"
#include "spi/factory.h"
#include "unit/check.h"
#include "unit/type_parse.h"

#define RIG_LINES_MAX 100000

typedef struct rig {
    wr_ctx ctx;
    wr_arena *arena;
    wr_batch_pool *pool;
    wr_eval_env eval;
    wr_config config;
    wr_table_desc table;
    wr_source_info source;
    wr_str *lines;
    uint32_t line_count;
    uint32_t batch_count;
    uint32_t max_rows;    /* 0: WR_BATCH_ROWS */
    uint32_t parallelism; /* 0: 1 */
    wr_pushed_filter filters[4];
    uint32_t filter_count;
    int64_t limit; /* 0 = none */
    int64_t watermark;
    int64_t fail_after; /* > 0: the so many-th allocation of a read fails */
    wr_text output;     /* what print writes */
} rig;

static inline void
rig_init(rig *r)
{
    memset(r, 0, sizeof *r);
    wr_ctx_init(&r->ctx);
    r->arena = wr_arena_create(NULL, 0);
    r->pool = wr_batch_pool_create(NULL);
    r->lines = WR_NEW_N(r->arena, wr_str, RIG_LINES_MAX);
    wr_text_init(&r->output, r->arena);
    if (!wr_find_source(WR_STR("script")))
        CHECK(wr_fs_register() && wr_formats_register() && wr_connectors_register());
}

static inline void
rig_deinit(rig *r)
{
    wr_batch_pool_destroy(r->pool);
    wr_arena_destroy(r->arena);
}

/* "a INT, `b c` ROW<x INT>, m STRING METADATA FROM 'file.name'" */
static inline bool
rig_columns(rig *r, const char *text)
{
    tp t = {text, text + strlen(text), r->arena, false};
    wr_column *c = WR_NEW_N(r->arena, wr_column, 64);
    uint32_t n = 0;
    do {
        tp_blanks(&t);
        if (t.p < t.end && *t.p == '`') {
            const char *end = strchr(t.p + 1, '`');
            c[n].name = (wr_str){t.p + 1, (size_t)(end - t.p - 1)};
            t.p = end + 1;
        } else {
            c[n].name = tp_name(&t);
        }
        c[n].type = tp_type(&t);
        c[n].kind = WR_COL_PHYSICAL;
        if (tp_take(&t, "METADATA")) {
            tp_need(&t, "FROM");
            tp_need(&t, "'");
            const char *end = strchr(t.p, '\'');
            c[n].kind = WR_COL_METADATA;
            c[n].metadata_key = (wr_str){t.p, (size_t)(end - t.p)};
            t.p = end + 1;
        }
        n++;
    } while (n < 64 && tp_take(&t, ","));
    tp_blanks(&t);
    r->table =
        (wr_table_desc){.id = {WR_STR("default_catalog"), WR_STR("default_database"), WR_STR("t")},
                        .columns = c,
                        .column_count = n,
                        .options = r->table.options,
                        .bucket_count = -1};
    return !t.bad && t.p == t.end;
}

static inline void
rig_options(rig *r, const char *const *kv)
{
    wr_option *o = WR_NEW_N(r->arena, wr_option, 64);
    uint32_t n = 0;
    for (; kv[0]; kv += 2) o[n++] = (wr_option){wr_str_c(kv[0]), wr_str_c(kv[1]), WR_NO_SPAN};
    r->table.options = (wr_options){o, n};
}
#define RIG_OPTIONS(r, ...) rig_options((r), (const char *const[]){__VA_ARGS__, NULL})

static inline void
rig_partitioned(rig *r, const char *const *keys, uint32_t count)
{
    wr_str *k = WR_NEW_N(r->arena, wr_str, count);
    for (uint32_t i = 0; i < count; i++) k[i] = wr_str_c(keys[i]);
    r->table.partition_keys = k;
    r->table.partition_key_count = count;
}

/* All columns, or those named in `project`. */
static inline wr_source_spec
rig_spec(rig *r, const char *project)
{
    const wr_table_desc *t = &r->table;
    wr_field *f = WR_NEW_N(r->arena, wr_field, 64);
    int32_t *physical = WR_NEW_N(r->arena, int32_t, 64);
    const char **meta = WR_NEW_N(r->arena, const char *, 64);
    uint32_t n = 0, p = 0;
    for (uint32_t i = 0; i < t->column_count; i++) {
        const wr_column *c = &t->columns[i];
        const bool is_meta = c->kind == WR_COL_METADATA;
        const int32_t at = is_meta ? -1 : (int32_t)p;
        if (!is_meta) p++;
        if (project) {
            const char *hit = strstr(project, wr_arena_dup(r->arena, c->name.ptr, c->name.len));
            if (!hit) continue;
        }
        f[n] = (wr_field){c->name, c->type, WR_STR("")};
        physical[n] = at;
        meta[n] = is_meta ? wr_arena_dup(r->arena, c->metadata_key.ptr, c->metadata_key.len) : NULL;
        n++;
    }
    return (wr_source_spec){.table = t,
                            .options = t->options,
                            .columns = {f, n},
                            .physical = physical,
                            .metadata = meta,
                            .filters = r->filters,
                            .filter_count = r->filter_count,
                            .limit = r->limit ? r->limit : -1,
                            .changelog = r->source.changelog};
}

static inline void
rig_take(rig *r, const wr_batch *b)
{
    for (uint32_t i = 0; i < wr_batch_live(b); i++) {
        wr_text t;
        wr_text_init(&t, r->arena);
        if (b->sel) CHECK(b->sel[i] < b->row_count && (i == 0 || b->sel[i] > b->sel[i - 1]));
        wr_print_row(b, wr_batch_row(b, i), &r->eval, &t);
        if (r->line_count < RIG_LINES_MAX) r->lines[r->line_count++] = wr_text_str(&t);
    }
}

static inline wr_status
rig_run_reader(rig *r, const wr_source_ops *ops, wr_reader *reader, const wr_source_spec *spec,
               int polls_max)
{
    const uint32_t max_rows = r->max_rows ? r->max_rows : WR_BATCH_ROWS;
    for (int i = 0; i < polls_max; i++) {
        wr_batch *b = wr_batch_acquire(r->pool, spec->columns.count);
        wr_poll p = {.kind = WR_POLL_PENDING, .fd = -1};
        if (!b) return wr_raise(&r->ctx, WR_NOMEM, "out of memory");
        wr_status status = ops->poll(&r->ctx, reader, b, max_rows, &p);
        if (status == WR_OK) {
            CHECK(b->row_count <= max_rows);
            CHECK(p.kind != WR_POLL_PENDING || wr_batch_live(b) == 0);
            rig_take(r, b);
            r->batch_count++;
            if (p.has_watermark) r->watermark = p.watermark;
        }
        wr_batch_release(b);
        if (status != WR_OK) return status;
        if (p.kind == WR_POLL_END) return WR_OK;
        if (p.kind == WR_POLL_PENDING) usleep(1000);
    }
    return WR_OK;
}

static inline wr_status
rig_read_some(rig *r, const char *project, int polls_max)
{
    const wr_source_ops *ops;
    wr_ctx *ctx = &r->ctx;
    uint32_t parallelism = r->parallelism ? r->parallelism : 1, count = 0;
    int64_t recheck;
    wr_str *splits = NULL;
    wr_reader *readers[16] = {0};
    wr_source_env env[16];
    wr_status status = WR_OK;
    r->line_count = r->batch_count = 0;
    memset(&r->source, 0, sizeof r->source);
    wr_source_spec *spec = WR_NEW(r->arena, wr_source_spec);
    *spec = rig_spec(r, project);
    if (r->fail_after) wr_mem_fail_after(r->fail_after);
    WR_TRY(wr_source_find_checked(ctx, &r->table, &r->table.options, &ops));
    WR_TRY(ops->describe(ctx, &r->table, &r->table.options, &r->config, r->arena, &r->source));
    spec->changelog = r->source.changelog;
    WR_TRY(ops->discover(ctx, spec, parallelism, r->arena, &splits, &count, &recheck));
    for (uint32_t i = 0; i < parallelism && status == WR_OK; i++) {
        env[i] = (wr_source_env){.arena = r->arena,
                                 .eval = &r->eval,
                                 .config = &r->config,
                                 .subtask = i,
                                 .parallelism = parallelism,
                                 .job = r};
        status = ops->open(ctx, spec, &env[i], &readers[i]);
    }
    for (uint32_t i = 0; i < count && status == WR_OK; i++)
        status = ops->add_split(ctx, readers[i % parallelism], splits[i], WR_STR(""));
    for (uint32_t i = 0; i < parallelism && status == WR_OK; i++) {
        status = ops->no_more_splits(ctx, readers[i]);
        if (status == WR_OK) status = rig_run_reader(r, ops, readers[i], spec, polls_max);
    }
    for (uint32_t i = 0; i < parallelism; i++)
        if (readers[i]) ops->close(readers[i]);
    return status;
}

static inline wr_status
rig_read(rig *r, const char *project)
{
    return rig_read_some(r, project, 1000000);
}

static inline const char *
rig_rows(rig *r)
{
    wr_text t;
    wr_text_init(&t, r->arena);
    for (uint32_t i = 0; i < r->line_count; i++) {
        if (i) wr_text_putc(&t, '\n');
        wr_text_put(&t, r->lines[i].ptr, r->lines[i].len);
    }
    wr_text_putc(&t, '\0');
    return t.ptr;
}

/* Rows for sinks: JSON arrays of values, all +I. */
static inline wr_batch *
rig_batch(rig *r, const char *const *rows, uint32_t count)
{
    const wr_table_desc *t = &r->table;
    wr_field *f = WR_NEW_N(r->arena, wr_field, 64);
    int32_t *out = WR_NEW_N(r->arena, int32_t, 64);
    for (uint32_t i = 0; i < t->column_count; i++) {
        f[i] = (wr_field){t->columns[i].name, t->columns[i].type, WR_STR("")};
        out[i] = (int32_t)i;
    }
    wr_decode_spec spec = {.schema = {f, t->column_count}, .out = out, .arena = r->arena};
    wr_decoder *d;
    wr_batch *b = wr_batch_acquire(r->pool, t->column_count);
    CHECK(b && wr_batch_init_flat(b, &spec.schema, count ? count : 1));
    CHECK_OK(&r->ctx, wr_format_json.decoder_open(&r->ctx, &spec, &d));
    for (uint32_t i = 0; i < count; i++) {
        wr_decode_pos pos = {.file = WR_STR("rows"), .line = i + 1};
        CHECK_OK(&r->ctx, wr_json_decode_array(&r->ctx, d, wr_str_c(rows[i]), 0, b, i, &pos));
    }
    b->row_count = count;
    wr_format_json.decoder_close(d);
    return b;
}

static inline wr_status
rig_out(void *arg, wr_str text)
{
    wr_text_put(&((rig *)arg)->output, text.ptr, text.len);
    return WR_OK;
}

typedef struct rig_sink {
    const wr_sink_ops *ops;
    wr_sink_spec spec;
    wr_sink_env env;
    wr_writer *writer;
    wr_sink_info info;
} rig_sink;

static inline wr_status
rig_sink_open(rig *r, rig_sink *s, bool overwrite)
{
    const wr_table_desc *t = &r->table;
    memset(s, 0, sizeof *s);
    WR_TRY(wr_sink_find_checked(&r->ctx, t, &t->options, &s->ops));
    WR_TRY(s->ops->describe(&r->ctx, t, &t->options, &r->config, WR_CL_ALL, r->arena, &s->info));
    wr_field *f = WR_NEW_N(r->arena, wr_field, 64);
    uint32_t *partition = WR_NEW_N(r->arena, uint32_t, 16), partitions = 0;
    for (uint32_t i = 0; i < t->column_count; i++)
        f[i] = (wr_field){t->columns[i].name, t->columns[i].type, WR_STR("")};
    for (uint32_t k = 0; k < t->partition_key_count; k++)
        for (uint32_t i = 0; i < t->column_count; i++)
            if (wr_str_eq(t->columns[i].name, t->partition_keys[k])) partition[partitions++] = i;
    s->spec = (wr_sink_spec){.table = t,
                             .options = t->options,
                             .columns = {f, t->column_count},
                             .partition = partition,
                             .partition_count = partitions,
                             .changelog = s->info.changelog,
                             .overwrite = overwrite};
    s->env = (wr_sink_env){.arena = r->arena,
                           .eval = &r->eval,
                           .config = &r->config,
                           .parallelism = r->parallelism ? r->parallelism : 1,
                           .job = r,
                           .out = rig_out,
                           .err = rig_out,
                           .arg = r};
    return s->ops->open(&r->ctx, &s->spec, &s->env, &s->writer);
}

static inline wr_status
rig_write(rig *r, const char *const *rows, uint32_t count, bool overwrite)
{
    rig_sink s;
    WR_TRY(rig_sink_open(r, &s, overwrite));
    wr_batch *b = rig_batch(r, rows, count);
    wr_status status = s.ops->write(&r->ctx, s.writer, b);
    if (status == WR_OK) status = s.ops->flush(&r->ctx, s.writer);
    if (status == WR_OK) status = s.ops->finish(&r->ctx, s.writer);
    s.ops->close(s.writer);
    wr_batch_release(b);
    return status;
}

static inline const char *
rig_temp_dir(rig *r)
{
    char *path = wr_arena_dup(r->arena, "/tmp/weir-test-XXXXXX", 21);
    CHECK(mkdtemp(path) != NULL);
    return path;
}

static inline void
rig_remove(const char *dir)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_fs_local()->ops->remove(&ctx, wr_fs_local(), wr_str_c(dir), true));
}

static inline const char *
rig_file(rig *r, const char *dir, const char *name, const char *data, size_t len)
{
    wr_str path = wr_arena_printf(r->arena, "%s/%s", dir, name);
    char *copy = wr_arena_dup(r->arena, path.ptr, path.len);
    char *slash = strrchr(copy, '/');
    *slash = '\0';
    wr_fs *fs = wr_fs_local();
    wr_file *f;
    CHECK_OK(&r->ctx, fs->ops->mkdirs(&r->ctx, fs, wr_str_c(copy)));
    CHECK_OK(&r->ctx, fs->ops->remove(&r->ctx, fs, path, false));
    CHECK_OK(&r->ctx, fs->ops->create(&r->ctx, fs, path, &f));
    CHECK_OK(&r->ctx, f->ops->append(&r->ctx, f, data, len));
    CHECK_OK(&r->ctx, f->ops->close(&r->ctx, f));
    return path.ptr;
}
#define RIG_FILE(r, dir, name, text) rig_file((r), (dir), (name), (text), strlen(text))

/* Every file below a folder as "name:\ncontent", names without the uuid. */
static inline const char *
rig_tree(rig *r, const char *dir)
{
    wr_fs *fs = wr_fs_local();
    wr_file_info *items;
    uint32_t count;
    wr_text t;
    wr_text_init(&t, r->arena);
    CHECK_OK(&r->ctx, fs->ops->list(&r->ctx, fs, wr_str_c(dir), true, r->arena, &items, &count));
    for (uint32_t i = 0; i < count; i++) {
        if (items[i].is_dir) continue;
        wr_file *f;
        size_t got = 0;
        char *data = wr_arena_alloc(r->arena, items[i].size_bytes + 1);
        CHECK_OK(&r->ctx, fs->ops->open(&r->ctx, fs, items[i].path, &f));
        CHECK_OK(&r->ctx, f->ops->read_at(&r->ctx, f, 0, data, items[i].size_bytes, &got));
        CHECK_OK(&r->ctx, f->ops->close(&r->ctx, f));
        wr_str rest = {items[i].path.ptr + strlen(dir) + 1, items[i].path.len - strlen(dir) - 1};
        for (size_t k = 0; k < rest.len; k++) {
            bool uuid = rest.len - k > 41 && memcmp(rest.ptr + k, "part-", 5) == 0;
            wr_text_put(&t, rest.ptr + k, uuid ? 5 : 1);
            if (uuid) k += 4 + 37;
        }
        wr_text_puts(&t, ":\n");
        wr_text_put(&t, data, got);
    }
    wr_text_putc(&t, '\0');
    return t.ptr;
}

#endif
