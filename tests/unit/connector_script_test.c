/* SPDX-License-Identifier: Apache-2.0 */
/* script (rows, kinds, watermarks, steps between tables, pauses, errors), record, print, blackhole.
 * links: format fs */
#include "os/os.h"
#include "unit/table_rig.h"

TEST(rows_and_kinds)
{
    rig r;
    rig_init(&r);
    CHECK(rig_columns(&r, "a INT, b DATE, c STRING"));
    RIG_OPTIONS(&r, "connector", "script", "rows",
                "[\"+I\",\"5\"]\n\n  [\"-U\",1.9,\"2024-01-02\",{\"q\": 1.50},9]\n"
                "[\"+U\", null, null, null]\n[\"-D\",7]");
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(rig_rows(&r), "+I[5, null, null]\n-U[1, 2024-01-02, {\"q\":1.5}]\n"
                               "+U[null, null, null]\n-D[7, null, null]");
    CHECK(r.source.changelog == WR_CL_ALL && r.source.bounded && r.source.parallelism_max == 1 &&
          r.source.source_watermark);
    CHECK_OK(&r.ctx, rig_read(&r, "c")); /* projection */
    CHECK_EQ_STR(rig_rows(&r), "+I[null]\n-U[{\"q\":1.5}]\n+U[null]\n-D[null]");
    r.max_rows = 1;
    CHECK_OK(&r.ctx, rig_read(&r, "a"));
    CHECK_EQ_STR(rig_rows(&r), "+I[5]\n-U[1]\n+U[null]\n-D[7]");
    rig_deinit(&r);
}

TEST(changelog_modes)
{
    static const struct {
        const char *mode;
        wr_clmode want;
    } modes[] = {{"all", WR_CL_ALL},
                 {"upsert", WR_CL_UPSERT},
                 {"insert", WR_CL_INSERT_ONLY},
                 {"I, UA,D", WR_CL_I | WR_CL_UA | WR_CL_D}};
    for (uint32_t i = 0; i < WR_COUNT(modes); i++) {
        rig r;
        rig_init(&r);
        CHECK(rig_columns(&r, "a INT"));
        RIG_OPTIONS(&r, "connector", "script", "rows", "", "changelog-mode", modes[i].mode,
                    "bounded", "false");
        CHECK_OK(&r.ctx, rig_read(&r, NULL));
        CHECK_EQ_INT(r.source.changelog, modes[i].want);
        CHECK(!r.source.bounded);
        rig_deinit(&r);
    }
}

TEST(file_with_lines)
{
    rig r;
    rig_init(&r);
    const char *dir = rig_temp_dir(&r);
    CHECK(rig_columns(&r, "a INT"));
    RIG_OPTIONS(&r, "connector", "script", "path",
                RIG_FILE(&r, dir, "lines", "[\"+I\",1]\r\n[\"-D\",1]\n"));
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(rig_rows(&r), "+I[1]\n-D[1]");
    rig_remove(dir);
    rig_deinit(&r);
}

static const char *
message_of(const char *key, const char *value)
{
    static rig r;
    rig_init(&r);
    CHECK(rig_columns(&r, "a INT"));
    RIG_OPTIONS(&r, "connector", "script", key, value);
    wr_status status = rig_read(&r, NULL);
    rig_deinit(&r);
    return status == WR_OK ? "ok" : r.ctx.err.message;
}

TEST(errors)
{
    CHECK_EQ_STR(message_of("rows", "[\"+X\",1]"), "row kind +X");
    CHECK_EQ_STR(message_of("rows", "{\"foo\":1}"), "script line: {\"foo\":1}");
    CHECK_EQ_STR(message_of("rows", "{\"step\":\"x\"}"), "script line: {\"step\":\"x\"}");
    CHECK_EQ_STR(message_of("rows", "5"), "script line: 5");
    CHECK_EQ_STR(message_of("rows", "[\"+I\",1"), "script: malformed JSON: [\"+I\",1");
    CHECK_EQ_STR(message_of("rows", "[\"+I\",\"x\"]"),
                 "Failed to deserialize JSON '[\"+I\",\"x\"]'.");
    CHECK_EQ_STR(message_of("path", "/nope"), "script: there is no file '/nope'");
    CHECK_EQ_STR(message_of("changelog-mode", "all"),
                 "script: one of the options 'rows' and 'path' is needed");
    CHECK(strncmp(message_of("roows", "x"),
                  "Unsupported options found for 'script'.\n\nUnsupported options:\n\nroows\n\n"
                  "Supported options:\n\nbounded\nchangelog-mode\nconnector\npath\n",
                  120) == 0);
}

TEST(watermarks_when_the_table_asks)
{
    for (int declared = 0; declared < 2; declared++) {
        rig r;
        rig_init(&r);
        CHECK(rig_columns(&r, "a INT"));
        if (declared) r.table.watermark_expr = WR_STR("`source_watermark`()");
        RIG_OPTIONS(&r, "connector", "script", "rows",
                    "[\"+I\",1]\n{\"watermark\":\"2020-01-01 00:00:01.5\"}\n[\"+I\",2]\n"
                    "{\"watermark\": 7}");
        r.watermark = -1;
        CHECK_OK(&r.ctx, rig_read(&r, NULL));
        CHECK_EQ_STR(rig_rows(&r), "+I[1]\n+I[2]");
        CHECK_EQ_INT(r.watermark, declared ? 7 : -1);
        CHECK(r.batch_count >= (declared ? 3 : 1));
        rig_deinit(&r);
    }
}

/* ---- two tables of a job take turns ---------------------------------------------------------- */

typedef struct player {
    rig r;
    wr_source_spec spec;
    wr_source_env env;
    wr_reader *reader;
    bool ended;
} player;

static bool quiet_now;

static bool
is_quiet(void *arg)
{
    (void)arg;
    return quiet_now;
}

static void
player_open(player *p, void *job, const char *rows)
{
    const wr_source_ops *ops = wr_find_source(WR_STR("script"));
    memset(p, 0, sizeof *p);
    rig_init(&p->r);
    CHECK(rig_columns(&p->r, "a INT"));
    RIG_OPTIONS(&p->r, "connector", "script", "rows", rows);
    p->spec = rig_spec(&p->r, NULL);
    p->env = (wr_source_env){
        .arena = p->r.arena, .eval = &p->r.eval, .parallelism = 1, .job = job, .quiet = is_quiet};
    CHECK_OK(&p->r.ctx, ops->open(&p->r.ctx, &p->spec, &p->env, &p->reader));
    CHECK_OK(&p->r.ctx, ops->add_split(&p->r.ctx, p->reader, WR_STR(""), WR_STR("")));
    CHECK_OK(&p->r.ctx, ops->no_more_splits(&p->r.ctx, p->reader));
}

/* Polls once; rows go to `log`. */
static void
player_poll(player *p, const char *name, wr_text *log)
{
    const wr_source_ops *ops = wr_find_source(WR_STR("script"));
    wr_batch *b = wr_batch_acquire(p->r.pool, 1);
    wr_poll out;
    if (!p->ended) {
        CHECK_OK(&p->r.ctx, ops->poll(&p->r.ctx, p->reader, b, 100, &out));
        for (uint32_t i = 0; i < b->row_count; i++)
            wr_text_printf(log, "%s%d ", name, ((const int32_t *)b->cols[0].data)[i]);
        p->ended = out.kind == WR_POLL_END;
        if (p->ended) wr_text_printf(log, "%send ", name);
    }
    wr_batch_release(b);
}

TEST(steps_wait_for_all_and_for_quiet)
{
    player a, b;
    int job;
    wr_text log;
    player_open(&a, &job, "[\"+I\",1]\n{\"step\":2}\n[\"+I\",3]\n{\"step\":4}\n[\"+I\",5]");
    player_open(&b, &job, "{\"step\":1}\n[\"+I\",1]\n{\"step\":3}\n[\"+I\",4]");
    wr_text_init(&log, a.r.arena);
    quiet_now = true;
    for (int i = 0; i < 40; i++) {
        player_poll(&a, "a", &log);
        player_poll(&b, "b", &log);
    }
    wr_text_putc(&log, '\0');
    /* order by steps: a1 b1 (step 1), a3 (2), b4 (3), a5 (4), the ends together */
    CHECK(strcmp(log.ptr, "b1 a1 a3 b4 a5 aend bend ") == 0 ||
          strcmp(log.ptr, "a1 b1 a3 b4 a5 aend bend ") == 0 ||
          strcmp(log.ptr, "b1 a1 a3 b4 a5 bend aend ") == 0 ||
          strcmp(log.ptr, "a1 b1 a3 b4 a5 bend aend ") == 0);
    CHECK(a.ended && b.ended);
    const wr_source_ops *ops = wr_find_source(WR_STR("script"));
    ops->close(a.reader);
    ops->close(b.reader);
    rig_deinit(&a.r);
    rig_deinit(&b.r);
}

TEST(a_job_that_is_not_quiet_stays)
{
    player a;
    int job;
    wr_text log;
    player_open(&a, &job, "[\"+I\",1]\n{\"step\":2}\n[\"+I\",3]");
    wr_text_init(&log, a.r.arena);
    quiet_now = true;
    player_poll(&a, "a", &log);
    quiet_now = false;
    for (int i = 0; i < 10; i++) player_poll(&a, "a", &log);
    CHECK_EQ_WRSTR(wr_text_str(&log), "a1 ");
    quiet_now = true;
    for (int i = 0; i < 10; i++) player_poll(&a, "a", &log);
    CHECK_EQ_WRSTR(wr_text_str(&log), "a1 a3 aend ");
    wr_find_source(WR_STR("script"))->close(a.reader);
    rig_deinit(&a.r);
}

TEST(a_closed_reader_holds_nobody_up)
{
    player a, b;
    int job;
    wr_text log;
    const wr_source_ops *ops = wr_find_source(WR_STR("script"));
    quiet_now = true;
    player_open(&a, &job, "[\"+I\",1]");
    ops = wr_find_source(WR_STR("script"));
    player_open(&b, &job, "[\"+I\",1]");
    wr_text_init(&log, a.r.arena);
    ops->close(b.reader);
    for (int i = 0; i < 5; i++) player_poll(&a, "a", &log);
    CHECK_EQ_WRSTR(wr_text_str(&log), "a1 aend ");
    ops->close(a.reader);
    rig_deinit(&a.r);
    rig_deinit(&b.r);
}

TEST(sleep_pauses)
{
    rig r;
    rig_init(&r);
    CHECK(rig_columns(&r, "a INT"));
    RIG_OPTIONS(&r, "connector", "script", "rows", "[\"+I\",1]\n{\"sleep\":30}\n[\"+I\",2]");
    int64_t t0 = wr_os_now_ns();
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    int64_t ms = (wr_os_now_ns() - t0) / 1000000;
    CHECK(ms >= 29);
    CHECK_EQ_STR(rig_rows(&r), "+I[1]\n+I[2]");
    rig_deinit(&r);
}

/* ---- sinks ----------------------------------------------------------------------------------- */

#define EVERYTHING                                                                                 \
    "a TINYINT, d FLOAT, e DOUBLE, f DECIMAL(10,2), h BYTES, i DATE, j TIME(3), k TIMESTAMP(3), "  \
    "l TIMESTAMP_LTZ(3), m TIMESTAMP(9), n ARRAY<STRING>, o ROW<x INT, y STRING>, r CHAR(3), "     \
    "s DECIMAL(38,18), u MAP<STRING,INT>"
#define ROW1                                                                                       \
    "[1, 1.1, 1e10, 1.50, \"Af8=\", \"2024-01-02\", \"10:00:00.123\", \"2024-01-02 10:00:00\", "   \
    "\"2024-01-02 10:00:00.12Z\", \"2024-01-02 10:00:00.123456789\", [\"a\",\"b c\",null], "       \
    "{\"x\":1,\"y\":\"q\"}, \"abc\", 0.0000000001, {\"a\":1,\"b\":null}]"
#define TEXT1                                                                                      \
    "+I[1, 1.1, 1.0E10, 1.50, [1, -1], 2024-01-02, 10:00:00.123, 2024-01-02T10:00, "               \
    "2024-01-02T10:00:00.120Z, 2024-01-02T10:00:00.123456789, [a, b c, null], +I[1, q], abc, "     \
    "1.00000000E-10, {a=1, b=null}]"

TEST(print_writes_as_flink_prints)
{
    rig r;
    rig_init(&r);
    CHECK(rig_columns(&r, EVERYTHING));
    RIG_OPTIONS(&r, "connector", "print");
    CHECK_OK(&r.ctx, rig_write(&r, (const char *const[]){ROW1}, 1, false));
    CHECK_EQ_WRSTR(wr_text_str(&r.output), TEXT1 "\n");
    rig_deinit(&r);
}

TEST(print_prefixes)
{
    static const struct {
        const char *id;
        uint32_t parallelism;
        const char *want;
    } cases[] = {{NULL, 1, "+I[5]\n"},
                 {"ID", 1, "ID> +I[5]\n"},
                 {NULL, 2, "1> +I[5]\n"},
                 {"ID", 2, "ID:1> +I[5]\n"}};
    for (uint32_t i = 0; i < WR_COUNT(cases); i++) {
        rig r;
        rig_init(&r);
        CHECK(rig_columns(&r, "a INT"));
        if (cases[i].id)
            RIG_OPTIONS(&r, "connector", "print", "print-identifier", cases[i].id);
        else
            RIG_OPTIONS(&r, "connector", "print");
        r.parallelism = cases[i].parallelism;
        CHECK_OK(&r.ctx, rig_write(&r, (const char *const[]){"[5]"}, 1, false));
        CHECK_EQ_WRSTR(wr_text_str(&r.output), cases[i].want);
        rig_deinit(&r);
    }
}

TEST(record_keeps_per_table)
{
    rig r;
    rig_init(&r);
    rig_sink s;
    wr_str *names, *lines;
    uint32_t count;
    wr_record_reset();
    CHECK(rig_columns(&r, "a INT"));
    RIG_OPTIONS(&r, "connector", "record", "changelog-mode", "upsert");
    CHECK_OK(&r.ctx, rig_sink_open(&r, &s, false));
    CHECK_EQ_INT(s.info.changelog, WR_CL_UPSERT);
    wr_batch *b = rig_batch(&r, (const char *const[]){"[1]", "[2]", "[3]"}, 3);
    uint8_t *kinds = wr_batch_kinds(b, 3);
    kinds[1] = WR_UPDATE_AFTER;
    kinds[2] = WR_DELETE;
    CHECK_OK(&r.ctx, s.ops->write(&r.ctx, s.writer, b));
    s.ops->close(s.writer);
    wr_batch_release(b);
    r.table.id.name = WR_STR("other");
    RIG_OPTIONS(&r, "connector", "record");
    CHECK_OK(&r.ctx, rig_write(&r, (const char *const[]){"[9]"}, 1, false));
    CHECK_OK(&r.ctx, wr_record_tables(&r.ctx, r.arena, &names, &count));
    CHECK_FATAL(count == 2);
    CHECK_EQ_WRSTR(names[0], "t");
    CHECK_EQ_WRSTR(names[1], "other");
    CHECK_OK(&r.ctx, wr_record_lines(&r.ctx, WR_STR("t"), r.arena, &lines, &count));
    CHECK_FATAL(count == 3);
    CHECK_EQ_WRSTR(lines[0], "+I[1]");
    CHECK_EQ_WRSTR(lines[1], "+U[2]");
    CHECK_EQ_WRSTR(lines[2], "-D[3]");
    wr_record_reset();
    CHECK_OK(&r.ctx, wr_record_lines(&r.ctx, WR_STR("t"), r.arena, &lines, &count));
    CHECK_EQ_UINT(count, 0);
    rig_deinit(&r);
}

TEST(sinks_ask_for_changes)
{
    static const struct {
        const char *connector;
        wr_clmode want;
    } cases[] = {{"print", WR_CL_ALL}, {"record", WR_CL_ALL}, {"blackhole", WR_CL_UPSERT}};
    for (uint32_t i = 0; i < WR_COUNT(cases); i++) {
        rig r;
        rig_sink s;
        rig_init(&r);
        CHECK(rig_columns(&r, "a INT"));
        RIG_OPTIONS(&r, "connector", cases[i].connector);
        CHECK_OK(&r.ctx, rig_sink_open(&r, &s, false));
        CHECK_EQ_INT(s.info.changelog, cases[i].want);
        CHECK(s.info.guarantee && s.info.guarantee[0]);
        s.ops->close(s.writer);
        rig_deinit(&r);
    }
    wr_record_reset();
}

CHECK_MAIN()
