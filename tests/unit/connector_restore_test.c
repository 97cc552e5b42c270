/* SPDX-License-Identifier: Apache-2.0 */
/* Sources after a restore: readers run to random points, their splits are kept, and other readers,
 * perhaps fewer or more, go on from there. Together they give the rows of an undisturbed run, each
 * once. Every source that can go back, every format, parallelism 1 to 4, several cuts in a run;
 * where single splits can be paused, they are, now and then.
 * links: format fs */
#include "unit/table_rig.h"

#include <zlib.h>

#define READERS_MAX 4
#define SPLITS_MAX  64
#define PAUSES      100 /* polls of a last run with paused splits */

typedef struct team { /* the readers of one attempt */
    const wr_source_ops *ops;
    wr_source_spec *spec;
    wr_source_env env[READERS_MAX];
    wr_reader *reader[READERS_MAX];
    bool ended[READERS_MAX];
    uint32_t splits[READERS_MAX];
    bool paused[READERS_MAX][SPLITS_MAX];
    uint32_t count;
    int job;
} team;

static bool
always_quiet(void *arg)
{
    (void)arg;
    return true;
}

static uint64_t dice;
static bool pausing;

static uint32_t
throw_dice(uint32_t below)
{
    dice = dice * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(dice >> 33) % below;
}

static void
team_open(rig *r, team *t, const char *project, uint32_t count)
{
    memset(t, 0, sizeof *t);
    memset(&r->source, 0, sizeof r->source);
    CHECK_OK(&r->ctx, wr_source_find_checked(&r->ctx, &r->table, &r->table.options, &t->ops));
    CHECK_OK(&r->ctx, t->ops->describe(&r->ctx, &r->table, &r->table.options, &r->config, r->arena,
                                       &r->source));
    CHECK(r->source.replayable);
    t->spec = WR_NEW(r->arena, wr_source_spec);
    *t->spec = rig_spec(r, project);
    t->count = r->source.parallelism_max ? WR_MIN(count, r->source.parallelism_max) : count;
    for (uint32_t i = 0; i < t->count; i++) {
        t->env[i] = (wr_source_env){.arena = r->arena,
                                    .eval = &r->eval,
                                    .config = &r->config,
                                    .subtask = i,
                                    .parallelism = t->count,
                                    .job = &t->job,
                                    .quiet = always_quiet};
        CHECK_OK(&r->ctx, t->ops->open(&r->ctx, t->spec, &t->env[i], &t->reader[i]));
    }
}

static void
team_no_more(rig *r, team *t)
{
    for (uint32_t i = 0; i < t->count; i++)
        CHECK_OK(&r->ctx, t->ops->no_more_splits(&r->ctx, t->reader[i]));
}

static void
team_start(rig *r, team *t, const char *project, uint32_t count)
{
    wr_str *splits = NULL;
    uint32_t n = 0;
    int64_t recheck;
    team_open(r, t, project, count);
    CHECK_OK(&r->ctx,
             t->ops->discover(&r->ctx, t->spec, t->count, r->arena, &splits, &n, &recheck));
    for (uint32_t i = 0; i < n; i++)
        CHECK_OK(&r->ctx,
                 t->ops->add_split(&r->ctx, t->reader[i % t->count], splits[i], WR_STR("")));
    for (uint32_t i = 0; i < n; i++) t->splits[i % t->count]++;
    team_no_more(r, t);
}

static void
team_restore(rig *r, team *t, const char *project, uint32_t count, const wr_opstate *const *old,
             uint32_t old_count)
{
    team_open(r, t, project, count);
    for (uint32_t i = 0; i < t->count; i++) {
        wr_opstate mine = {.arena = r->arena};
        CHECK_OK(&r->ctx, wr_opstate_redistribute(&r->ctx, old, old_count, i, t->count, &mine));
        const wr_opstate_list *list = wr_opstate_find(&mine, "splits");
        for (uint32_t k = 0; list && k < list->items.count; k++) {
            wr_str split, position;
            CHECK_FATAL(wr_split_get(list->items.items[k], &split, &position));
            CHECK_OK(&r->ctx, t->ops->add_split(&r->ctx, t->reader[i], split, position));
            t->splits[i]++;
        }
    }
    team_no_more(r, t);
}

static bool
team_over(const team *t)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (!t->ended[i]) return false;
    return true;
}

/* Pauses a split of reader i, or lets it go on; at the end none is paused. */
static void
team_pause(team *t, uint32_t i, bool end)
{
    if (!pausing || !t->ops->pause || t->splits[i] == 0 || t->splits[i] > SPLITS_MAX) return;
    for (uint32_t k = 0; end && k < t->splits[i]; k++) {
        if (t->paused[i][k]) t->ops->pause(t->reader[i], k, false);
        t->paused[i][k] = false;
    }
    if (end || throw_dice(3)) return;
    const uint32_t k = throw_dice(t->splits[i]);
    t->paused[i][k] = !t->paused[i][k];
    t->ops->pause(t->reader[i], k, t->paused[i][k]);
}

/* Polls readers in turn, so many times altogether, or until all have ended. */
static void
team_run(rig *r, team *t, uint32_t polls, uint32_t rows_max)
{
    for (uint32_t n = 0; n < polls && !team_over(t); n++) {
        const uint32_t i = throw_dice(t->count);
        if (t->ended[i]) continue;
        team_pause(t, i, polls == UINT32_MAX && n > PAUSES);
        wr_batch *b = wr_batch_acquire(r->pool, t->spec->columns.count);
        wr_poll p = {.kind = WR_POLL_PENDING, .fd = -1};
        CHECK_OK(&r->ctx, t->ops->poll(&r->ctx, t->reader[i], b, 1 + throw_dice(rows_max), &p));
        const bool rows = wr_batch_live(b) > 0;
        CHECK(!rows || p.split >= SPLITS_MAX || !t->paused[i][p.split]);
        rig_take(r, b);
        wr_batch_release(b);
        t->ended[i] = p.kind == WR_POLL_END;
        if (p.has_watermark) r->watermark = p.watermark;
    }
}

static const wr_opstate *const *
team_snapshot(rig *r, team *t)
{
    const wr_opstate **out = WR_NEW_N(r->arena, const wr_opstate *, READERS_MAX);
    for (uint32_t i = 0; i < t->count; i++) {
        wr_opstate *s = WR_NEW(r->arena, wr_opstate);
        s->arena = r->arena;
        if (!t->ended[i]) CHECK_OK(&r->ctx, t->ops->snapshot(&r->ctx, t->reader[i], 1, s));
        out[i] = s;
    }
    return out;
}

static void
team_close(team *t)
{
    for (uint32_t i = 0; i < t->count; i++) t->ops->close(t->reader[i]);
}

static int
by_text(const void *a, const void *b)
{
    return wr_str_cmp(*(const wr_str *)a, *(const wr_str *)b);
}

static const char *
sorted(rig *r)
{
    qsort(r->lines, r->line_count, sizeof *r->lines, by_text);
    return rig_rows(r);
}

/* Runs with `cuts` restores; rows that came behind a snapshot are forgotten, as the rest of the job
 * would forget them. */
static void
run_with_cuts(rig *r, const char *project, uint32_t cuts, uint32_t rows_max, uint32_t polls_max)
{
    team t;
    r->line_count = 0;
    team_start(r, &t, project, 1 + throw_dice(READERS_MAX));
    for (uint32_t c = 0; c < cuts; c++) {
        team_run(r, &t, throw_dice(polls_max), rows_max);
        const wr_opstate *const *kept = team_snapshot(r, &t);
        const uint32_t kept_rows = r->line_count, old = t.count;
        team_run(r, &t, throw_dice(5), rows_max); /* lost work */
        r->line_count = kept_rows;
        team_close(&t);
        team_restore(r, &t, project, 1 + throw_dice(READERS_MAX), kept, old);
    }
    team_run(r, &t, UINT32_MAX, WR_BATCH_ROWS);
    CHECK(team_over(&t));
    team_close(&t);
}

static void
same_with_cuts(rig *r, const char *project, uint32_t rounds, uint32_t rows_max, uint32_t polls_max)
{
    CHECK_OK(&r->ctx, rig_read(r, project));
    const uint32_t count = r->line_count;
    const char *want = sorted(r);
    CHECK(count > 0);
    for (uint32_t i = 0; i < rounds; i++) {
        const uint64_t seed = dice;
        pausing = i % 2;
        run_with_cuts(r, project, 1 + i % 3, rows_max, polls_max);
        const bool same = r->line_count == count && strcmp(sorted(r), want) == 0;
        if (!same) fprintf(stderr, "round %u, dice %llu\n", i, (unsigned long long)seed);
        CHECK_EQ_UINT(r->line_count, count);
        CHECK(same);
    }
    pausing = false;
}

/* ---- sources that make rows ------------------------------------------------------------------ */

TEST(datagen_sequences_go_on)
{
    rig r;
    rig_init(&r);
    dice = 1;
    CHECK(rig_columns(&r, "a INT, b STRING, c BIGINT"));
    RIG_OPTIONS(&r, "connector", "datagen", "fields.a.kind", "sequence", "fields.a.start", "5",
                "fields.a.end", "1007", "fields.b.kind", "sequence", "fields.b.start", "1",
                "fields.b.end", "5000", "rows-per-second", "100000000");
    same_with_cuts(&r, "a b", 30, 100, 12);
    run_with_cuts(&r, NULL, 2, 100, 12); /* with a random column: as many rows */
    CHECK_EQ_UINT(r.line_count, 1003);
    RIG_OPTIONS(&r, "connector", "datagen", "fields.a.kind", "sequence", "fields.a.start", "1",
                "fields.a.end", "100000", "number-of-rows", "777", "rows-per-second", "100000000");
    same_with_cuts(&r, "a", 20, 60, 12);
    rig_deinit(&r);
}

/* A paced source neither stands still after a restore nor hurries. */
TEST(datagen_keeps_its_rate)
{
    rig r;
    team t;
    rig_init(&r);
    CHECK(rig_columns(&r, "a INT"));
    RIG_OPTIONS(&r, "connector", "datagen", "rows-per-second", "1000", "number-of-rows", "1000000");
    wr_opstate old = {.arena = r.arena};
    const wr_opstate *olds[] = {&old};
    CHECK_OK(&r.ctx, wr_split_put(&r.ctx, &old, WR_STR("0/1"), WR_STR("500000 7")));
    team_restore(&r, &t, NULL, 1, olds, 1);
    team_run(&r, &t, 50, 2048); /* a tenth of a second's rows at once, then by the clock */
    CHECK(r.line_count >= 100 && r.line_count < 1000);
    team_close(&t);
    rig_deinit(&r);
}

#define NEXMARK                                                                                    \
    "event_type INT, person ROW<id BIGINT, name STRING, emailAddress STRING, creditCard STRING, "  \
    "city STRING, state STRING, dateTime TIMESTAMP(3), extra STRING>, auction ROW<id BIGINT, "     \
    "itemName STRING, description STRING, initialBid BIGINT, reserve BIGINT, dateTime "            \
    "TIMESTAMP(3), expires TIMESTAMP(3), seller BIGINT, category BIGINT, extra STRING>, bid "      \
    "ROW<auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, dateTime "       \
    "TIMESTAMP(3), extra STRING>"

TEST(nexmark_counter_goes_on)
{
    rig r;
    rig_init(&r);
    dice = 2;
    CHECK(rig_columns(&r, NEXMARK));
    RIG_OPTIONS(&r, "connector", "nexmark", "events.num", "4321", "base-time", "1767225600000");
    same_with_cuts(&r, NULL, 12, 700, 8);
    rig_deinit(&r);
}

/* The public generator's stream depends on the number of splits, which a restore keeps: one split
 * gives the same rows in the same order however it is cut. */
TEST(nexmark_java_goes_on)
{
    rig r;
    rig_init(&r);
    dice = 3;
    CHECK(rig_columns(&r, NEXMARK));
    RIG_OPTIONS(&r, "connector", "nexmark", "events.num", "3000", "base-time", "1767225600000",
                "rng", "java");
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    const char *want = rig_rows(&r);
    for (uint32_t i = 0; i < 8; i++) {
        team t;
        r.line_count = 0;
        team_start(&r, &t, NULL, 1);
        team_run(&r, &t, throw_dice(8), 600);
        const wr_opstate *const *kept = team_snapshot(&r, &t);
        team_close(&t);
        team_restore(&r, &t, NULL, 1 + throw_dice(3), kept, 1);
        team_run(&r, &t, UINT32_MAX, 600);
        team_close(&t);
        CHECK_EQ_STR(rig_rows(&r), want);
    }
    rig_deinit(&r);
}

/* Without base-time the stream begins at the time of the start: the first one, not the restart. */
TEST(nexmark_keeps_its_first_time)
{
    rig r;
    team t;
    rig_init(&r);
    dice = 4;
    CHECK(rig_columns(&r, NEXMARK));
    RIG_OPTIONS(&r, "connector", "nexmark", "events.num", "100", "bid.proportion", "1",
                "person.proportion", "1", "auction.proportion", "1");
    r.line_count = 0;
    team_start(&r, &t, "person", 1);
    team_run(&r, &t, 1, 50);
    const wr_opstate *const *kept = team_snapshot(&r, &t);
    const uint32_t cut = r.line_count;
    team_run(&r, &t, UINT32_MAX, 50);
    const char *want = rig_rows(&r);
    team_close(&t);
    r.line_count = cut;
    usleep(30000);
    team_restore(&r, &t, "person", 1, kept, 1);
    team_run(&r, &t, UINT32_MAX, 50);
    CHECK_EQ_STR(rig_rows(&r), want);
    team_close(&t);
    rig_deinit(&r);
}

/* ---- change messages ------------------------------------------------------------------------- */

/* Messages of several rows are cut between them, by batches of a row and by restores. */
TEST(change_messages_go_on_between_their_rows)
{
    static const struct {
        const char *format, *path;
    } files[] = {{"debezium-json", "tests/data/cdc/debezium.json"},
                 {"canal-json", "tests/data/cdc/canal.json"},
                 {"maxwell-json", "tests/data/cdc/maxwell.json"},
                 {"ogg-json", "tests/data/cdc/ogg.json"}};
    rig r;
    rig_init(&r);
    dice = 11;
    for (uint32_t f = 0; f < WR_COUNT(files); f++) {
        CHECK(rig_columns(&r, "id INT, name STRING, price DECIMAL(5,2)"));
        RIG_OPTIONS(&r, "connector", "filesystem", "path", files[f].path, "format",
                    files[f].format);
        CHECK_OK(&r.ctx, rig_read(&r, NULL));
        CHECK(r.line_count > 3);
        const char *want = rig_rows(&r);
        for (uint32_t i = 0; i < 60; i++) {
            run_with_cuts(&r, NULL, 1 + i % 3, 1 + i % 3, 25);
            CHECK_EQ_STR(rig_rows(&r), want);
        }
    }
    rig_deinit(&r);
}

/* ---- script ---------------------------------------------------------------------------------- */

TEST(script_goes_on_at_its_line)
{
    rig r;
    rig_init(&r);
    dice = 5;
    CHECK(rig_columns(&r, "a INT, b STRING"));
    wr_text rows;
    wr_text_init(&rows, r.arena);
    for (int i = 0; i < 60; i++) {
        if (i % 7 == 3) wr_text_printf(&rows, "{\"step\":%d}\n", 1 + i / 7);
        if (i % 11 == 5) wr_text_printf(&rows, "{\"watermark\":%d}\n", i);
        wr_text_printf(&rows, "[\"%s\",%d,\"x\"]\n", i % 5 ? "+I" : "-D", i);
    }
    wr_text_putc(&rows, '\0');
    RIG_OPTIONS(&r, "connector", "script", "rows", rows.ptr);
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_UINT(r.line_count, 60);
    const char *want = rig_rows(&r);
    for (uint32_t i = 0; i < 40; i++) {
        run_with_cuts(&r, NULL, 1 + i % 3, 9, 15);
        CHECK_EQ_STR(rig_rows(&r), want); /* in order */
    }
    rig_deinit(&r);
}

static void
give_watermarks(rig *r)
{
    r->table.watermark_expr = WR_STR("SOURCE_WATERMARK()");
    r->table.watermark_column = WR_STR("ts");
}

/* What was given before the barrier holds behind it. */
TEST(script_gives_its_watermark_again)
{
    rig r;
    team t;
    rig_init(&r);
    CHECK(rig_columns(&r, "a INT, ts TIMESTAMP(3)"));
    RIG_OPTIONS(&r, "connector", "script", "rows",
                "[\"+I\",1,\"2020-01-01 00:00:00\"]\n{\"watermark\":77}\n"
                "[\"+I\",2,\"2020-01-01 00:00:00\"]");
    give_watermarks(&r);
    team_start(&r, &t, NULL, 1);
    for (int i = 0; i < 20 && r.line_count < 1; i++) team_run(&r, &t, 1, 1);
    for (int i = 0; i < 20 && r.watermark != 77; i++) team_run(&r, &t, 1, 1);
    const wr_opstate *const *kept = team_snapshot(&r, &t);
    team_close(&t);
    CHECK_EQ_INT(r.watermark, 77);
    r.watermark = 0;
    team_restore(&r, &t, NULL, 1, kept, 1);
    team_run(&r, &t, 1, 10);
    CHECK_EQ_INT(r.watermark, 77);
    CHECK_EQ_UINT(r.line_count, 1);
    team_run(&r, &t, UINT32_MAX, 10);
    CHECK_EQ_UINT(r.line_count, 2);
    team_close(&t);
    rig_deinit(&r);
}

/* ---- savepoint ------------------------------------------------------------------------------- */

TEST(savepoint_goes_on_behind_its_rows)
{
    static const wr_str key = {"k", 1};
    rig r;
    rig_init(&r);
    dice = 6;
    CHECK(rig_columns(&r, "k BIGINT, number BIGINT, text BYTES"));
    r.table.primary_key = &key;
    r.table.primary_key_count = 1;
    RIG_OPTIONS(&r, "connector", "savepoint", "state.path", "tests/data/state/version-1/canonical",
                "operator.uid", "agg:k");
    same_with_cuts(&r, NULL, 20, 50, 20);
    CHECK_EQ_UINT(r.line_count, 200);
    same_with_cuts(&r, "number", 5, 3, 60);
    rig_deinit(&r);
}

/* ---- files ----------------------------------------------------------------------------------- */

enum { ROWS = 1500 };

static void
make_files(rig *r, const char *dir, const char *format)
{
    for (int f = 0; f < 5; f++) {
        wr_text t;
        wr_text_init(&t, r->arena);
        if (strcmp(format, "header") == 0) wr_text_puts(&t, "no,number,here\n");
        for (int i = f; i < ROWS; i += 5) {
            if (strcmp(format, "json") == 0)
                wr_text_printf(&t, "{\"a\":%d,\"b\":\"line %d\"}\n", i, i);
            else if (strcmp(format, "raw") == 0)
                wr_text_printf(&t, "%d", i);
            else if (i % 3 == 0)
                wr_text_printf(&t, "%d,\"quoted,\n%d\"\n", i, i);
            else
                wr_text_printf(&t, "%d,plain %d%s", i, i, i + 5 < ROWS ? "\n" : "");
            if (strcmp(format, "raw") == 0) wr_text_putc(&t, '\n');
        }
        wr_str name = wr_arena_printf(r->arena, "f%d", f);
        rig_file(r, dir, name.ptr, t.ptr, t.len);
    }
}

static void
check_format(const char *columns, const char *what, const char *format, const char *key,
             const char *value)
{
    rig r;
    rig_init(&r);
    const char *dir = rig_temp_dir(&r);
    make_files(&r, dir, what);
    CHECK(rig_columns(&r, columns));
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", format, key, value);
    same_with_cuts(&r, NULL, 15, 200, 20);
    rig_remove(dir);
    rig_deinit(&r);
}

TEST(files_of_every_format_go_on)
{
    dice = 6;
    check_format("a INT, b STRING", "csv", "csv", NULL, NULL);
    check_format("a INT, b STRING", "header", "csv", "csv.header", "true");
    check_format("a INT, b STRING", "json", "json", NULL, NULL);
    check_format("a STRING", "raw", "raw", NULL, NULL);
}

TEST(compressed_files_go_on)
{
    rig r;
    rig_init(&r);
    dice = 7;
    const char *dir = rig_temp_dir(&r);
    for (int f = 0; f < 3; f++) {
        wr_str path = wr_arena_printf(r.arena, "%s/f%d.csv.gz", dir, f);
        gzFile z = gzopen(path.ptr, "wb");
        CHECK_FATAL(z != NULL);
        for (int i = f; i < 3 * ROWS; i += 3) (void)gzprintf(z, "%d,text number %d\n", i, i);
        (void)gzclose(z);
    }
    CHECK(rig_columns(&r, "a INT, b STRING"));
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv");
    same_with_cuts(&r, NULL, 12, 500, 14);
    rig_remove(dir);
    rig_deinit(&r);
}

TEST(ranges_of_a_big_file_go_on)
{
    rig r;
    rig_init(&r);
    dice = 8;
    const char *dir = rig_temp_dir(&r);
    wr_text t;
    wr_text_init(&t, r.arena);
    char filler[2001];
    memset(filler, 'x', sizeof filler - 1);
    filler[sizeof filler - 1] = '\0';
    for (int i = 0; i < 15000; i++) wr_text_printf(&t, "%d,%s\n", i, filler);
    rig_file(&r, dir, "big.csv", t.ptr, t.len);
    CHECK(rig_columns(&r, "a INT, b STRING"));
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv");
    same_with_cuts(&r, "a", 6, 2000, 8);
    rig_remove(dir);
    rig_deinit(&r);
}

TEST(errors_name_the_line_after_a_restore_too)
{
    rig r;
    team t;
    rig_init(&r);
    dice = 9;
    const char *dir = rig_temp_dir(&r);
    RIG_FILE(&r, dir, "f", "1\n2\n3\n4\nx\n");
    CHECK(rig_columns(&r, "a INT"));
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv");
    team_start(&r, &t, NULL, 1);
    team_run(&r, &t, 2, 1);
    const wr_opstate *const *kept = team_snapshot(&r, &t);
    team_close(&t);
    team_restore(&r, &t, NULL, 1, kept, 1);
    wr_batch *b = wr_batch_acquire(r.pool, 1);
    wr_poll p;
    CHECK(t.ops->poll(&r.ctx, t.reader[0], b, 100, &p) == WR_DATA);
    wr_str want = wr_arena_printf(r.arena, "%s/f, line 5, column 1, byte 8", dir);
    CHECK_EQ_STR(r.ctx.err.frame[0], want.ptr);
    wr_ctx_reset(&r.ctx);
    wr_batch_release(b);
    team_close(&t);
    RIG_FILE(&r, dir, "f", "1\n"); /* less than what was read of it */
    team_restore(&r, &t, NULL, 1, kept, 1);
    b = wr_batch_acquire(r.pool, 1);
    CHECK(t.ops->poll(&r.ctx, t.reader[0], b, 100, &p) == WR_DATA);
    CHECK(strstr(r.ctx.err.message, "shorter"));
    wr_ctx_reset(&r.ctx);
    wr_batch_release(b);
    team_close(&t);
    rig_remove(dir);
    rig_deinit(&r);
}

/* A position that is none is refused by every source. */
TEST(malformed_positions_are_refused)
{
    static const char *const bad[] = {"x", "1 2 3 4 5 6 x", "-", "99999999999999999999", "1,2"};
    rig r;
    team t;
    rig_init(&r);
    const char *dir = rig_temp_dir(&r);
    RIG_FILE(&r, dir, "f", "1\n");
    for (int kind = 0; kind < 4; kind++) {
        static const char *const splits[] = {"", "0/2", "0/2", "0:0:f"};
        CHECK(rig_columns(&r, kind == 2 ? NEXMARK : "a INT"));
        if (kind == 0) RIG_OPTIONS(&r, "connector", "script", "rows", "[\"+I\",1]");
        if (kind == 1) RIG_OPTIONS(&r, "connector", "datagen", "number-of-rows", "5");
        if (kind == 2) RIG_OPTIONS(&r, "connector", "nexmark", "events.num", "5");
        if (kind == 3) RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv");
        team_open(&r, &t, NULL, 1);
        for (uint32_t i = 0; i < WR_COUNT(bad); i++) {
            CHECK(t.ops->add_split(&r.ctx, t.reader[0], wr_str_c(splits[kind]), wr_str_c(bad[i])) ==
                  WR_CORRUPT);
            wr_ctx_reset(&r.ctx);
        }
        if (kind)
            CHECK(t.ops->add_split(&r.ctx, t.reader[0], WR_STR("7/2"), WR_STR("")) == WR_CORRUPT);
        wr_ctx_reset(&r.ctx);
        team_close(&t);
    }
    rig_remove(dir);
    rig_deinit(&r);
}

CHECK_MAIN()
