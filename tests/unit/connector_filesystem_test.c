/* SPDX-License-Identifier: Apache-2.0 */
/* filesystem: listing, globs, hidden files, partitions and their pruning, compressed files, ranges
 * of big files, metadata, growing files, filters and limits; writing: names, rolling, partitions,
 * success files, overwriting, what an unfinished writer leaves; files as tables. links: format fs
 */
#include "unit/table_rig.h"

#include <zlib.h>
#ifdef WR_HAVE_ZSTD
#include <zstd.h>
#endif

static const char *
sorted_rows(rig *r)
{
    for (uint32_t i = 1; i < r->line_count; i++)
        for (uint32_t k = i; k > 0 && wr_str_cmp(r->lines[k], r->lines[k - 1]) < 0; k--) {
            wr_str t = r->lines[k];
            r->lines[k] = r->lines[k - 1];
            r->lines[k - 1] = t;
        }
    return rig_rows(r);
}

TEST(folders_hidden_files_globs)
{
    rig r;
    rig_init(&r);
    const char *dir = rig_temp_dir(&r);
    RIG_FILE(&r, dir, "d1/f.csv", "1\n");
    RIG_FILE(&r, dir, "g.csv", "2\n");
    RIG_FILE(&r, dir, "_x", "3\n");
    RIG_FILE(&r, dir, ".y", "4\n");
    RIG_FILE(&r, dir, ".hid/f", "5\n");
    RIG_FILE(&r, dir, "d2/deep/h.csv", "6\n");
    CHECK(rig_columns(&r, "a INT"));
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv");
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(rig_rows(&r), "+I[1]\n+I[6]\n+I[2]");
    static const struct {
        const char *glob, *want;
    } globs[] = {{"*.csv", "+I[2]"},
                 {"*/*.csv", "+I[1]"},
                 {"d?", "+I[1]\n+I[6]"},
                 {"**/*.csv", "+I[1]\n+I[2]\n+I[6]"},
                 {"d[12]/deep", "+I[6]"}};
    for (uint32_t i = 0; i < WR_COUNT(globs); i++) {
        wr_str path = wr_arena_printf(r.arena, "%s/%s", dir, globs[i].glob);
        RIG_OPTIONS(&r, "connector", "filesystem", "path", path.ptr, "format", "csv");
        CHECK_OK(&r.ctx, rig_read(&r, NULL));
        CHECK_EQ_STR(sorted_rows(&r), globs[i].want);
    }
    wr_str url = wr_arena_printf(r.arena, "file://%s/g.csv", dir);
    RIG_OPTIONS(&r, "connector", "filesystem", "path", url.ptr, "format", "csv");
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(rig_rows(&r), "+I[2]");
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv",
                "source.path.regex-pattern", ".*/[fg].csv");
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(sorted_rows(&r), "+I[1]\n+I[2]");
    wr_str none = wr_arena_printf(r.arena, "%s/none", dir);
    RIG_OPTIONS(&r, "connector", "filesystem", "path", none.ptr, "format", "csv");
    CHECK(rig_read(&r, NULL) == WR_IO);
    CHECK(strstr(r.ctx.err.message, "does not exist"));
    rig_remove(dir);
    rig_deinit(&r);
}

TEST(metadata)
{
    rig r;
    rig_init(&r);
    const char *dir = rig_temp_dir(&r);
    RIG_FILE(&r, dir, "a.csv", "1\n22\n");
    RIG_FILE(&r, dir, "b.csv", "3\n");
    CHECK(rig_columns(&r, "a INT, n STRING METADATA FROM 'file.name', "
                          "s BIGINT METADATA FROM 'file.size', "
                          "p STRING METADATA FROM 'file.path', "
                          "m TIMESTAMP_LTZ(3) METADATA FROM 'file.modification-time'"));
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv");
    CHECK_OK(&r.ctx, rig_read(&r, "a n s"));
    CHECK_EQ_STR(rig_rows(&r), "+I[1, a.csv, 5]\n+I[22, a.csv, 5]\n+I[3, b.csv, 2]");
    CHECK_OK(&r.ctx, rig_read(&r, "p"));
    wr_str want =
        wr_arena_printf(r.arena, "+I[%s/a.csv]\n+I[%s/a.csv]\n+I[%s/b.csv]", dir, dir, dir);
    CHECK_EQ_STR(rig_rows(&r), want.ptr);
    CHECK_OK(&r.ctx, rig_read(&r, "m"));
    CHECK(strncmp(rig_rows(&r), "+I[20", 5) == 0);
    rig_remove(dir);
    rig_deinit(&r);
}

static void
make_partitions(rig *r, const char *dir)
{
    RIG_FILE(r, dir, "dt=2024-01-01/h=1/f.csv", "0,x\n");
    RIG_FILE(r, dir, "dt=2024-01-02/h=2/f.csv", "1,x\n");
    RIG_FILE(r, dir, "dt=__DEFAULT_PARTITION__/h=3/f.csv", "2,x\n");
    RIG_FILE(r, dir, "dt=a%20b%3Ac/h=4/f.csv", "3,x\n");
}

TEST(partitions_as_columns)
{
    rig r;
    rig_init(&r);
    const char *dir = rig_temp_dir(&r);
    make_partitions(&r, dir);
    CHECK(rig_columns(&r, "a INT, dt STRING, b STRING, h INT"));
    rig_partitioned(&r, (const char *const[]){"dt", "h"}, 2);
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv");
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(sorted_rows(&r), "+I[0, 2024-01-01, x, 1]\n+I[1, 2024-01-02, x, 2]\n"
                                  "+I[2, null, x, 3]\n+I[3, a b:c, x, 4]");
    CHECK_OK(&r.ctx, rig_read(&r, "h"));
    CHECK_EQ_STR(sorted_rows(&r), "+I[1]\n+I[2]\n+I[3]\n+I[4]");
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv",
                "partition.default-name", "2024-01-01");
    CHECK_OK(&r.ctx, rig_read(&r, "dt"));
    CHECK_EQ_STR(sorted_rows(&r), "+I[2024-01-02]\n+I[__DEFAULT_PARTITION__]\n+I[a b:c]\n+I[null]");
    rig_remove(dir);
    rig_deinit(&r);
}

TEST(partition_pruning_and_row_filters)
{
    rig r;
    rig_init(&r);
    const char *dir = rig_temp_dir(&r);
    make_partitions(&r, dir);
    /* a file that cannot be read: pruning must keep away from it */
    RIG_FILE(&r, dir, "dt=z/h=9/bad.csv", "no number,x\n");
    CHECK(rig_columns(&r, "a INT, dt STRING, b STRING, h INT"));
    rig_partitioned(&r, (const char *const[]){"dt", "h"}, 2);
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv");
    r.filters[0] = (wr_pushed_filter){
        .col = 3, .op = WR_CMP_LE, .value = wr_value_int(wr_type_of(WR_T_INT, false), 3)};
    r.filters[1] = (wr_pushed_filter){
        .col = 0, .op = WR_CMP_GE, .value = wr_value_int(wr_type_of(WR_T_INT, false), 1)};
    r.filter_count = 2;
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(sorted_rows(&r), "+I[1, 2024-01-02, x, 2]\n+I[2, null, x, 3]");
    r.filters[0] = (wr_pushed_filter){.col = 1, /* NULL is not selected */
                                      .op = WR_CMP_LT,
                                      .value = wr_value_str(wr_type_string(false), WR_STR("b"))};
    r.filter_count = 1;
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(sorted_rows(&r), "+I[0, 2024-01-01, x, 1]\n+I[1, 2024-01-02, x, 2]\n"
                                  "+I[3, a b:c, x, 4]");
    rig_remove(dir);
    rig_deinit(&r);
}

TEST(partition_values_of_types)
{
    rig r;
    rig_init(&r);
    const char *dir = rig_temp_dir(&r);
    RIG_FILE(&r, dir, "d=2024-01-02/t=2024-01-02T10%3A00/e=1.0E10/bo=true/dd=1.50/f", "7\n");
    CHECK(rig_columns(&r, "a INT, d DATE, t TIMESTAMP(3), e DOUBLE, bo BOOLEAN, dd DECIMAL(5,2)"));
    rig_partitioned(&r, (const char *const[]){"d", "t", "e", "bo", "dd"}, 5);
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv");
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(rig_rows(&r), "+I[7, 2024-01-02, 2024-01-02T10:00, 1.0E10, true, 1.50]");
    RIG_FILE(&r, dir, "d=x/t=2024-01-02T10%3A00/e=1.0E10/bo=true/dd=1.50/f", "7\n");
    CHECK(rig_read(&r, NULL) == WR_DATA);
    rig_remove(dir);
    rig_deinit(&r);
}

TEST(compressed_input)
{
    rig r;
    rig_init(&r);
    const char *dir = rig_temp_dir(&r);
    enum { N = 20000 };
    wr_text plain, want;
    wr_text_init(&plain, r.arena);
    wr_text_init(&want, r.arena);
    for (int i = 0; i < N; i++) wr_text_printf(&plain, "%d,row number %d\n", i, i);
    uLongf len = compressBound(plain.len) + 64;
    char *packed = wr_arena_alloc(r.arena, len);
    z_stream z;
    memset(&z, 0, sizeof z);
    CHECK(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    z.next_in = (Bytef *)plain.ptr;
    z.avail_in = (uInt)plain.len;
    z.next_out = (Bytef *)packed;
    z.avail_out = (uInt)len;
    CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
    size_t packed_len = z.total_out;
    CHECK(deflateEnd(&z) == Z_OK);
    char *twice = wr_arena_alloc(r.arena, packed_len * 2); /* two members */
    memcpy(twice, packed, packed_len);
    memcpy(twice + packed_len, packed, packed_len);
    rig_file(&r, dir, "x.csv.gz", twice, packed_len * 2);
    CHECK(rig_columns(&r, "a INT, b STRING"));
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv");
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_UINT(r.line_count, 2 * N);
    CHECK_EQ_WRSTR(r.lines[0], "+I[0, row number 0]");
    CHECK_EQ_WRSTR(r.lines[2 * N - 1], "+I[19999, row number 19999]");
    rig_file(&r, dir, "x.csv.gz", packed, packed_len / 2);
    CHECK(rig_read(&r, NULL) == WR_DATA);
    CHECK_EQ_STR(r.ctx.err.message, "unexpected end of compressed data");
    wr_ctx_reset(&r.ctx);
#ifdef WR_HAVE_ZSTD
    size_t zn = ZSTD_compress(packed, len, plain.ptr, plain.len, 3);
    CHECK(!ZSTD_isError(zn));
    CHECK_OK(&r.ctx,
             wr_fs_local()->ops->remove(&r.ctx, wr_fs_local(),
                                        wr_arena_printf(r.arena, "%s/x.csv.gz", dir), false));
    rig_file(&r, dir, "by-magic", packed, zn);
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_UINT(r.line_count, N);
    CHECK_EQ_WRSTR(r.lines[N - 1], "+I[19999, row number 19999]");
#endif
    rig_remove(dir);
    rig_deinit(&r);
}

/* A file of 40 MB in ranges: every row once, whatever the parallelism. */
TEST(ranges_of_a_big_file)
{
    rig r;
    rig_init(&r);
    const char *dir = rig_temp_dir(&r);
    enum { ROWS = 90000 };
    wr_text t;
    wr_text_init(&t, r.arena);
    char filler[400];
    memset(filler, 'x', sizeof filler - 1);
    filler[sizeof filler - 1] = '\0';
    for (int i = 0; i < ROWS; i++) wr_text_printf(&t, "%d,%s\n", i, filler);
    rig_file(&r, dir, "big.csv", t.ptr, t.len);
    CHECK(rig_columns(&r, "a INT, b STRING"));
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv");
    for (uint32_t p = 1; p <= 3; p++) {
        r.parallelism = p;
        CHECK_OK(&r.ctx, rig_read(&r, "a"));
        CHECK_EQ_UINT(r.line_count, ROWS);
        uint8_t *seen = WR_NEW_N(r.arena, uint8_t, ROWS);
        uint32_t distinct = 0;
        for (uint32_t i = 0; i < r.line_count; i++) {
            long x = strtol(r.lines[i].ptr + 3, NULL, 10);
            if (x >= 0 && x < ROWS && !seen[x]++) distinct++;
        }
        CHECK_EQ_UINT(distinct, ROWS);
    }
    rig_remove(dir);
    rig_deinit(&r);
}

TEST(limit_stops_early)
{
    rig r;
    rig_init(&r);
    const char *dir = rig_temp_dir(&r);
    RIG_FILE(&r, dir, "a.csv", "1\n2\n3\n4\n5\n");
    CHECK(rig_columns(&r, "a INT"));
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv");
    r.limit = 3;
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(rig_rows(&r), "+I[1]\n+I[2]\n+I[3]");
    r.max_rows = 2;
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(rig_rows(&r), "+I[1]\n+I[2]\n+I[3]");
    rig_remove(dir);
    rig_deinit(&r);
}

TEST(errors_name_file_line_and_byte)
{
    rig r;
    rig_init(&r);
    const char *dir = rig_temp_dir(&r);
    RIG_FILE(&r, dir, "bad.csv", "1,a\n2,\"x\ny\"\nz,c\n");
    CHECK(rig_columns(&r, "a INT, b STRING"));
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv");
    CHECK(rig_read(&r, NULL) == WR_DATA);
    CHECK_EQ_STR(r.ctx.err.message, "Fail to deserialize at field: a.");
    wr_str want = wr_arena_printf(r.arena, "%s/bad.csv, line 4, column 1, byte 12", dir);
    CHECK_EQ_STR(r.ctx.err.frame[0], want.ptr);
    wr_ctx_reset(&r.ctx);
    RIG_FILE(&r, dir, "bad.csv", "{\"a\":1}\n\n{\"a\":1,}\n");
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "json");
    CHECK(rig_read(&r, NULL) == WR_DATA);
    CHECK_EQ_STR(r.ctx.err.message, "Failed to deserialize JSON '{\"a\":1,}'.");
    want = wr_arena_printf(r.arena, "%s/bad.csv, line 3, column 8, byte 16", dir);
    CHECK_EQ_STR(r.ctx.err.frame[0], want.ptr);
    rig_remove(dir);
    rig_deinit(&r);
}

/* Unbounded: new files, lines added, a last line without newline after an interval. */
TEST(growing_files)
{
    rig r;
    rig_init(&r);
    const char *dir = rig_temp_dir(&r);
    const wr_source_ops *ops;
    wr_source_spec spec;
    wr_source_env env = {.arena = r.arena, .eval = &r.eval, .parallelism = 1};
    wr_reader *reader;
    wr_str *splits;
    uint32_t count;
    int64_t recheck;
    const char *path = RIG_FILE(&r, dir, "a.csv", "1\n2\n3");
    CHECK(rig_columns(&r, "a INT"));
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv",
                "source.monitor-interval", "20 ms");
    CHECK_OK(&r.ctx, wr_source_find_checked(&r.ctx, &r.table, &r.table.options, &ops));
    CHECK_OK(&r.ctx,
             ops->describe(&r.ctx, &r.table, &r.table.options, &r.config, r.arena, &r.source));
    CHECK(!r.source.bounded);
    spec = rig_spec(&r, NULL);
    CHECK_OK(&r.ctx, ops->discover(&r.ctx, &spec, 1, r.arena, &splits, &count, &recheck));
    CHECK(count == 1 && recheck == 20);
    CHECK_OK(&r.ctx, ops->open(&r.ctx, &spec, &env, &reader));
    CHECK_OK(&r.ctx, ops->add_split(&r.ctx, reader, splits[0], WR_STR("")));
    CHECK_OK(&r.ctx, rig_run_reader(&r, ops, reader, &spec, 3));
    CHECK_EQ_STR(rig_rows(&r), "+I[1]\n+I[2]");
    CHECK_OK(&r.ctx, rig_run_reader(&r, ops, reader, &spec, 80)); /* the interval passes */
    CHECK_EQ_STR(rig_rows(&r), "+I[1]\n+I[2]\n+I[3]");
    FILE *f = fopen(path, "ab");
    CHECK_FATAL(f != NULL);
    (void)fputs("\n4\n", f);
    (void)fclose(f);
    CHECK_OK(&r.ctx, rig_run_reader(&r, ops, reader, &spec, 60));
    CHECK_EQ_STR(rig_rows(&r), "+I[1]\n+I[2]\n+I[3]\n+I[4]");
    wr_str first = splits[0];
    RIG_FILE(&r, dir, "b.csv", "9\n");
    CHECK_OK(&r.ctx, ops->discover(&r.ctx, &spec, 1, r.arena, &splits, &count, &recheck));
    CHECK(count == 2 && wr_str_eq(splits[0], first));
    CHECK(remove(path) == 0); /* a file that goes is no error, */
    CHECK_OK(&r.ctx, rig_run_reader(&r, ops, reader, &spec, 60));
    RIG_FILE(&r, dir, "a.csv", "7\n"); /* and what comes in its place is read from the beginning */
    CHECK_OK(&r.ctx, rig_run_reader(&r, ops, reader, &spec, 60));
    RIG_FILE(&r, dir, "a.csv", "");
    CHECK_OK(&r.ctx, rig_run_reader(&r, ops, reader, &spec, 60));
    RIG_FILE(&r, dir, "a.csv", "8\n");
    CHECK_OK(&r.ctx, rig_run_reader(&r, ops, reader, &spec, 60));
    CHECK_EQ_STR(rig_rows(&r), "+I[1]\n+I[2]\n+I[3]\n+I[4]\n+I[7]\n+I[8]");
    ops->close(reader);
    rig_remove(dir);
    rig_deinit(&r);
}

typedef struct growing_rig {
    rig r;
    const char *dir;
    const wr_source_ops *ops;
    wr_source_spec spec;
    wr_source_env env;
    wr_reader *reader;
} growing_rig;

/* A reader of dir/app.log alone, from `position`. */
static void
growing_open(growing_rig *g, wr_str position)
{
    rig *r = &g->r;
    wr_str *splits;
    uint32_t count;
    int64_t recheck;
    g->env = (wr_source_env){.arena = r->arena, .eval = &r->eval, .parallelism = 1};
    CHECK_OK(&r->ctx, wr_source_find_checked(&r->ctx, &r->table, &r->table.options, &g->ops));
    CHECK_OK(&r->ctx, g->ops->describe(&r->ctx, &r->table, &r->table.options, &r->config, r->arena,
                                       &r->source));
    g->spec = rig_spec(r, NULL);
    CHECK_OK(&r->ctx, g->ops->discover(&r->ctx, &g->spec, 1, r->arena, &splits, &count, &recheck));
    CHECK_FATAL(count == 1);
    CHECK_OK(&r->ctx, g->ops->open(&r->ctx, &g->spec, &g->env, &g->reader));
    CHECK_OK(&r->ctx, g->ops->add_split(&r->ctx, g->reader, splits[0], position));
}

static void
growing_setup(growing_rig *g, const char *name, const char *content)
{
    rig_init(&g->r);
    g->dir = rig_temp_dir(&g->r);
    RIG_FILE(&g->r, g->dir, "app.log", content);
    CHECK(rig_columns(&g->r, "a INT"));
    RIG_OPTIONS(&g->r, "connector", "filesystem", "path",
                wr_arena_printf(g->r.arena, "%s/%s", g->dir, name).ptr, "format", "csv",
                "source.monitor-interval", "20 ms");
    growing_open(g, WR_STR(""));
}

static void
growing_append(growing_rig *g, const char *name, const char *lines)
{
    FILE *f = fopen(wr_arena_printf(g->r.arena, "%s/%s", g->dir, name).ptr, "ab");
    CHECK_FATAL(f != NULL);
    CHECK(fputs(lines, f) >= 0 && fclose(f) == 0);
}

static void
growing_rename(growing_rig *g, const char *from, const char *to)
{
    CHECK(rename(wr_arena_printf(g->r.arena, "%s/%s", g->dir, from).ptr,
                 wr_arena_printf(g->r.arena, "%s/%s", g->dir, to).ptr) == 0);
}

/* A rotation between two looks: what the old file got meanwhile, and what its writer still wrote
 * before it let go of it, comes before the new file's lines; each line once, though both begin with
 * the same one. */
TEST(a_rotated_file_is_read_to_its_end)
{
    growing_rig g;
    growing_setup(&g, "app.log", "1\n2\n");
    CHECK_OK(&g.r.ctx, rig_run_reader(&g.r, g.ops, g.reader, &g.spec, 60));
    CHECK_EQ_STR(rig_rows(&g.r), "+I[1]\n+I[2]");
    growing_append(&g, "app.log", "3\n");
    growing_rename(&g, "app.log", "app.log.1");
    CHECK_OK(&g.r.ctx, rig_run_reader(&g.r, g.ops, g.reader, &g.spec, 5));
    growing_append(&g, "app.log.1", "4\n");
    growing_append(&g, "app.log", "1\n5\n");
    CHECK_OK(&g.r.ctx, rig_run_reader(&g.r, g.ops, g.reader, &g.spec, 150));
    CHECK_EQ_STR(rig_rows(&g.r), "+I[1]\n+I[2]\n+I[3]\n+I[4]\n+I[1]\n+I[5]");
    growing_append(&g, "app.log", "6\n");
    CHECK_OK(&g.r.ctx, rig_run_reader(&g.r, g.ops, g.reader, &g.spec, 60));
    CHECK_EQ_STR(rig_rows(&g.r), "+I[1]\n+I[2]\n+I[3]\n+I[4]\n+I[1]\n+I[5]\n+I[6]");
    g.ops->close(g.reader);
    rig_remove(g.dir);
    rig_deinit(&g.r);
}

/* The same while the job is down. */
TEST(a_file_that_was_rotated_behind_the_checkpoint)
{
    growing_rig g;
    wr_str split, position;
    growing_setup(&g, "*.log", "1\n2\n");
    CHECK_OK(&g.r.ctx, rig_run_reader(&g.r, g.ops, g.reader, &g.spec, 60));
    wr_opstate state = {.arena = g.r.arena};
    CHECK_OK(&g.r.ctx, g.ops->snapshot(&g.r.ctx, g.reader, 1, &state));
    g.ops->close(g.reader);
    const wr_opstate_list *list = wr_opstate_find(&state, "splits");
    CHECK_FATAL(list && list->items.count == 1);
    CHECK(wr_split_get(list->items.items[0], &split, &position));
    growing_append(&g, "app.log", "3\n");
    growing_rename(&g, "app.log", "app.log.1");
    growing_append(&g, "app.log", "1\n5\n");
    growing_open(&g, position);
    CHECK_OK(&g.r.ctx, rig_run_reader(&g.r, g.ops, g.reader, &g.spec, 150));
    CHECK_EQ_STR(rig_rows(&g.r), "+I[1]\n+I[2]\n+I[3]\n+I[1]\n+I[5]");
    g.ops->close(g.reader);
    rig_remove(g.dir);
    rig_deinit(&g.r);
}

/* Where the new name is one of the table's files it is read as such, as a whole, and not here. */
TEST(a_renamed_file_that_is_listed_is_a_new_one)
{
    growing_rig g;
    growing_setup(&g, "app*", "1\n2\n");
    CHECK_OK(&g.r.ctx, rig_run_reader(&g.r, g.ops, g.reader, &g.spec, 60));
    growing_append(&g, "app.log", "3\n");
    growing_rename(&g, "app.log", "app.log.1");
    growing_append(&g, "app.log", "7\n");
    CHECK_OK(&g.r.ctx, rig_run_reader(&g.r, g.ops, g.reader, &g.spec, 150));
    CHECK_EQ_STR(rig_rows(&g.r), "+I[1]\n+I[2]\n+I[7]");
    g.ops->close(g.reader);
    rig_remove(g.dir);
    rig_deinit(&g.r);
}

/* ---- writing --------------------------------------------------------------------------------- */

TEST(part_names)
{
    for (int batch = 0; batch < 2; batch++) {
        rig r;
        rig_init(&r);
        r.eval.batch = batch;
        const char *dir = rig_temp_dir(&r);
        CHECK(rig_columns(&r, "a INT"));
        RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv");
        CHECK_OK(&r.ctx, rig_write(&r, (const char *const[]){"[1]", "[2]"}, 2, false));
        CHECK_EQ_STR(rig_tree(&r, dir),
                     batch ? "part-task-0-file-0:\n1\n2\n" : "part-0-0:\n1\n2\n");
        rig_remove(dir);
        rig_deinit(&r);
    }
}

TEST(partitions_written_and_read_again)
{
    rig r;
    rig_init(&r);
    r.eval.batch = true;
    const char *dir = rig_temp_dir(&r);
    CHECK(rig_columns(&r, "a INT, dt STRING, b STRING, h INT"));
    rig_partitioned(&r, (const char *const[]){"dt", "h"}, 2);
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv",
                "sink.partition-commit.policy.kind", "success-file");
    CHECK_OK(&r.ctx, rig_write(&r,
                               (const char *const[]){"[1,\"a\",\"x\",1]", "[2,\"b c\",\"y\",2]",
                                                     "[3,null,\"z\",3]", "[4,\"a/b=c\",\"w\",4]",
                                                     "[5,\"\",\"w\",5]", "[6,\"a\",\"v\",1]"},
                               6, false));
    CHECK_EQ_STR(rig_tree(&r, dir),
                 "dt=__DEFAULT_PARTITION__/h=3/_SUCCESS:\n"
                 "dt=__DEFAULT_PARTITION__/h=3/part-task-0-file-2:\n3,z\n"
                 "dt=__DEFAULT_PARTITION__/h=5/_SUCCESS:\n"
                 "dt=__DEFAULT_PARTITION__/h=5/part-task-0-file-4:\n5,w\n"
                 "dt=a%2Fb%3Dc/h=4/_SUCCESS:\ndt=a%2Fb%3Dc/h=4/part-task-0-file-3:\n4,w\n"
                 "dt=a/h=1/_SUCCESS:\ndt=a/h=1/part-task-0-file-0:\n1,x\n6,v\n"
                 "dt=b c/h=2/_SUCCESS:\ndt=b c/h=2/part-task-0-file-1:\n2,y\n");
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(sorted_rows(&r), "+I[1, a, x, 1]\n+I[2, b c, y, 2]\n+I[3, null, z, 3]\n"
                                  "+I[4, a/b=c, w, 4]\n+I[5, null, w, 5]\n+I[6, a, v, 1]");
    rig_remove(dir);
    rig_deinit(&r);
}

TEST(overwriting)
{
    rig r;
    rig_init(&r);
    r.eval.batch = true;
    const char *dir = rig_temp_dir(&r);
    CHECK(rig_columns(&r, "a INT, dt STRING"));
    rig_partitioned(&r, (const char *const[]){"dt"}, 1);
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv");
    CHECK_OK(&r.ctx, rig_write(&r, (const char *const[]){"[1,\"a\"]", "[2,\"b\"]"}, 2, false));
    CHECK_OK(&r.ctx, rig_write(&r, (const char *const[]){"[3,\"a\"]"}, 1, true));
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(sorted_rows(&r), "+I[2, b]\n+I[3, a]");
    r.table.partition_key_count = 0; /* the whole table */
    CHECK_OK(&r.ctx, rig_write(&r, (const char *const[]){"[9,\"z\"]"}, 1, true));
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(sorted_rows(&r), "+I[9, z]");
    CHECK_OK(&r.ctx, rig_write(&r, NULL, 0, true)); /* by nothing */
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(rig_rows(&r), "");
    r.eval.batch = false;
    CHECK(rig_write(&r, NULL, 0, true) == WR_SEMANTIC);
    CHECK_EQ_STR(r.ctx.err.message, "Streaming mode not support overwrite.");
    rig_remove(dir);
    rig_deinit(&r);
}

TEST(rolling_and_unfinished_files)
{
    rig r;
    rig_init(&r);
    rig_sink s;
    int64_t next;
    const char *dir = rig_temp_dir(&r);
    CHECK(rig_columns(&r, "a INT"));
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv",
                "sink.rolling-policy.file-size", "4b", "sink.rolling-policy.rollover-interval",
                "1 h");
    CHECK_OK(&r.ctx, rig_sink_open(&r, &s, false));
    wr_batch *b = rig_batch(&r, (const char *const[]){"[1]", "[2]"}, 2);
    wr_batch *one = rig_batch(&r, (const char *const[]){"[3]"}, 1);
    CHECK_OK(&r.ctx, s.ops->write(&r.ctx, s.writer, b));   /* big enough: visible */
    CHECK_OK(&r.ctx, s.ops->write(&r.ctx, s.writer, one)); /* stays hidden */
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(rig_rows(&r), "+I[1]\n+I[2]");
    CHECK_OK(&r.ctx, s.ops->tick(&r.ctx, s.writer, 1, &next));
    CHECK_EQ_INT(next, 60001);
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_UINT(r.line_count, 2);
    CHECK_OK(&r.ctx, s.ops->tick(&r.ctx, s.writer, INT64_MAX / 2, &next)); /* old enough */
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_UINT(r.line_count, 3);
    CHECK_OK(&r.ctx, s.ops->write(&r.ctx, s.writer, one));
    s.ops->close(s.writer); /* without finish: the last row never was */
    CHECK_EQ_STR(rig_tree(&r, dir), strstr(rig_tree(&r, dir), "part-0-0"));
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_UINT(r.line_count, 3);
    wr_batch_release(b);
    wr_batch_release(one);
    rig_remove(dir);
    rig_deinit(&r);
}

TEST(what_is_not_supported_says_so)
{
    rig r;
    rig_init(&r);
    rig_sink s;
    CHECK(rig_columns(&r, "a INT"));
    RIG_OPTIONS(&r, "connector", "filesystem", "path", "/tmp/x", "format", "csv",
                "partition.time-extractor.kind", "custom");
    CHECK(rig_sink_open(&r, &s, false) == WR_UNSUPPORTED);
    CHECK_EQ_STR(r.ctx.err.message, "not supported: partition time extractor 'custom'");
    wr_ctx_reset(&r.ctx);
    RIG_OPTIONS(&r, "connector", "filesystem", "path", "/tmp/x", "format", "csv",
                "sink.partition-commit.policy.kind", "custom");
    CHECK(rig_sink_open(&r, &s, false) == WR_UNSUPPORTED);
    wr_ctx_reset(&r.ctx);
    RIG_OPTIONS(&r, "connector", "filesystem", "path", "/tmp/x", "format", "csv",
                "sink.partition-commit.policy.kind", "metastore");
    CHECK(rig_sink_open(&r, &s, false) == WR_OPTION);
    CHECK_EQ_STR(r.ctx.err.message,
                 "Can not configure a 'metastore' partition commit policy for a file system table. "
                 "You can only configure 'metastore' partition commit policy for a hive table.");
    rig_deinit(&r);
}

/* Every I/O call failing in turn: an error, never a crash, never a partly visible file. */
TEST(every_io_call_fails_once)
{
    for (int64_t n = 1; n < 200; n++) {
        rig r;
        rig_init(&r);
        r.eval.batch = true;
        const char *dir = rig_temp_dir(&r);
        CHECK(rig_columns(&r, "a INT, p STRING"));
        rig_partitioned(&r, (const char *const[]){"p"}, 1);
        RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv",
                    "sink.partition-commit.policy.kind", "success-file");
        wr_fs *fault = wr_fs_fault_create(wr_fs_local());
        CHECK(wr_register_fs(fault));
        wr_fs_fault_after(fault, n, WR_FS_FAULT_TORN);
        wr_status status =
            rig_write(&r, (const char *const[]){"[1,\"x\"]", "[2,\"y\"]", "[3,\"x\"]"}, 3, true);
        CHECK(wr_fs_fault_hit(fault) == (status != WR_OK));
        if (status == WR_OK) status = rig_read(&r, NULL); /* closing what was read cannot fail */
        bool hit = wr_fs_fault_hit(fault);
        CHECK(wr_register_fs(wr_fs_local()));
        wr_ctx_reset(&r.ctx);
        CHECK_OK(&r.ctx, rig_read(&r, NULL)); /* what is visible is whole */
        for (uint32_t i = 0; i < r.line_count; i++)
            CHECK(wr_str_eq_c(r.lines[i], "+I[1, x]") || wr_str_eq_c(r.lines[i], "+I[2, y]") ||
                  wr_str_eq_c(r.lines[i], "+I[3, x]"));
        wr_fs_fault_destroy(fault);
        rig_remove(dir);
        rig_deinit(&r);
        if (!hit) return;
    }
    CHECK(false); /* still failing */
}

/* Every allocation failing in turn while a file is read: out of memory, or the whole of it. */
TEST(every_allocation_fails_once)
{
    static const char *const formats[] = {"csv", "json", "raw"};
    for (int f = 0; f < 3; f++)
        for (int64_t n = 1; n < 500; n++) {
            rig r;
            rig_init(&r);
            const char *dir = rig_temp_dir(&r);
            CHECK(rig_columns(&r, f == 2 ? "s STRING" : "s STRING, a ARRAY<STRING>, p INT"));
            if (f < 2) rig_partitioned(&r, (const char *const[]){"p"}, 1);
            RIG_FILE(&r, dir, "p=1/f",
                     f == 1 ? "{\"s\":\"a longer \\u00e9 text\",\"a\":[\"x\",{\"y\":1.50}]}\n"
                            : "\"a longer \"\"text\",x;y\n");
            RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", formats[f]);
            r.fail_after = n;
            wr_status status = rig_read(&r, NULL);
            bool hit = wr_mem_fail_hit();
            wr_mem_fail_after(0);
            CHECK(status == (hit ? WR_NOMEM : WR_OK) || (hit && status == WR_OK));
            if (!hit) CHECK_EQ_UINT(r.line_count, 1);
            rig_remove(dir);
            rig_deinit(&r);
            if (!hit) break;
            CHECK_FATAL(n < 499);
        }
}

/* ---- files as tables ------------------------------------------------------------------------- */

static const char *
table_of(rig *r, const char *path)
{
    wr_text t;
    wr_text_init(&t, r->arena);
    wr_ctx_reset(&r->ctx);
    if (wr_file_table(&r->ctx, wr_str_c(path), r->arena, &r->table) != WR_OK)
        return r->ctx.err.message;
    for (uint32_t i = 0; i < r->table.column_count; i++) {
        wr_text_printf(&t, "%s%.*s ", i ? ", " : "", WR_STR_ARG(r->table.columns[i].name));
        wr_type_print(r->table.columns[i].type, WR_TYPE_SUMMARY, &t);
    }
    wr_text_putc(&t, '\0');
    return t.ptr;
}

TEST(files_as_tables)
{
    rig r;
    rig_init(&r);
    const char *dir = rig_temp_dir(&r);
    const char *p = RIG_FILE(&r, dir, "a.csv",
                             "id,name,at,ok,price\n1,ann,2024-01-02 10:00:00,"
                             "true,1.5\n2,\"b, c\",2024-01-03 11:00:00,false,\n");
    CHECK_EQ_STR(table_of(&r, p),
                 "id BIGINT, name STRING, at TIMESTAMP(3), ok BOOLEAN, price DOUBLE");
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(rig_rows(&r), "+I[1, ann, 2024-01-02T10:00, true, 1.5]\n"
                               "+I[2, b, c, 2024-01-03T11:00, false, null]");
    p = RIG_FILE(&r, dir, "b.csv", "1;x\n2;y\n");
    CHECK_EQ_STR(table_of(&r, p), "c0 BIGINT, c1 STRING");
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(rig_rows(&r), "+I[1, x]\n+I[2, y]");
    p = RIG_FILE(&r, dir, "c.tsv", "city\tland\nBern\tCH\nKyiv\tUA\n");
    CHECK_EQ_STR(table_of(&r, p), "city STRING, land STRING");
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(rig_rows(&r), "+I[Bern, CH]\n+I[Kyiv, UA]");
    p = RIG_FILE(&r, dir, "d.jsonl",
                 "{\"a\":1,\"b\":{\"c\":[1,2.5]},\"d\":\"2024-01-02\"}\n"
                 "{\"a\":2.5,\"e\":null,\"f\":\"x\",\"d\":\"2024-01-03\"}\n");
    CHECK_EQ_STR(table_of(&r, p), "a DOUBLE, b ROW<`c` ARRAY<DOUBLE>>, d DATE, e STRING, f STRING");
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(rig_rows(&r), "+I[1.0, +I[[1.0, 2.5]], 2024-01-02, null, null]\n"
                               "+I[2.5, null, 2024-01-03, null, x]");
    p = RIG_FILE(&r, dir, "e.log", "one line\n\nand another");
    CHECK_EQ_STR(table_of(&r, p), "line STRING");
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(rig_rows(&r), "+I[one line]\n+I[]\n+I[and another]");
    p = RIG_FILE(&r, dir, "f.xyz", "?");
    wr_str want = wr_arena_printf(r.arena, "the format of '%s' cannot be told from its name", p);
    CHECK_EQ_STR(table_of(&r, p), want.ptr);
    rig_remove(dir);
    rig_deinit(&r);
}

CHECK_MAIN()
