/* SPDX-License-Identifier: Apache-2.0 */
/* The steady state allocates nothing from the system: a job over four times as many batches makes
 * exactly as many calls of the system's allocator. */
#include "check.h"

#include "engine/engine.h"

#include <ftw.h>
#include <unistd.h>

#define ROWS       (WR_BATCH_ROWS * 64ll)
#define TEXT_MAX   2048
#define IN_FLIGHT  400
#define JOIN_SLACK 4

static wr_status
begin(wr_ctx *ctx, void *arg, const wr_result_head *head)
{
    (void)ctx, (void)arg, (void)head;
    return WR_OK;
}

static wr_status
rows(wr_ctx *ctx, void *arg, const wr_batch *batch)
{
    (void)ctx, (void)arg, (void)batch;
    return WR_OK;
}

static wr_status
end(wr_ctx *ctx, void *arg)
{
    (void)ctx, (void)arg;
    return WR_OK;
}

static void
execute(wr_session *s, const char *sql)
{
    wr_ctx ctx;
    const wr_result_sink sink = {.begin = begin, .rows = rows, .end = end};
    wr_ctx_init(&ctx);
    ctx.sql = wr_str_c(sql);
    CHECK_OK(&ctx, wr_session_execute(&ctx, s, ctx.sql, &sink));
}

/* Allocator calls of the job over `count` rows: `ddl` has a %07lld for their number. */
static uint64_t
calls(wr_engine *e, const char *mode, uint32_t parallelism, const char *ddl, const char *dml,
      int64_t count)
{
    wr_ctx ctx;
    wr_session *s = NULL;
    char sql[TEXT_MAX];
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_session_create(&ctx, e, &s));
    if (!s) return 0;
    (void)snprintf(sql, sizeof sql, "SET 'execution.runtime-mode' = '%s'", mode);
    execute(s, sql);
    execute(s, "SET 'table.dml-sync' = 'true'");
    (void)snprintf(sql, sizeof sql, "SET 'parallelism.default' = '%u'", parallelism);
    execute(s, sql);
    for (const char *p = ddl; *p;) { /* statements, each ends with ';' */
        const char *stop = strchr(p, ';');
        char one[TEXT_MAX];
        (void)snprintf(one, sizeof one, "%.*s", (int)(stop - p), p);
        const char *hole = strstr(one, "%rows");
        if (hole)
            (void)snprintf(sql, sizeof sql, "%.*s%07lld%s", (int)(hole - one), one,
                           (long long)count, hole + 5);
        else
            (void)snprintf(sql, sizeof sql, "%s", one);
        execute(s, sql);
        p = stop + 1;
    }
    const uint64_t before = wr_mem_malloc_count();
    execute(s, dml);
    const uint64_t after = wr_mem_malloc_count();
    wr_session_destroy(s);
    return after - before;
}

/* slack: how many calls more or less may be: over several inputs the counts differ by one or two
 * from run to run. An allocation for each of the 192 batches more shows all the same. */
static void
check_steady(const char *what, const char *mode, const char *ddl, const char *dml, uint64_t slack)
{
    wr_ctx ctx;
    wr_engine *e = NULL;
    const wr_engine_config config = {.data_dir = WR_STR("")};
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_engine_create(&ctx, &config, &e));
    CHECK_FATAL(e != NULL);
    (void)calls(e, mode, 1, ddl, dml, ROWS); /* what the process makes once */
    const uint64_t some = calls(e, mode, 1, ddl, dml, ROWS),
                   many = calls(e, mode, 1, ddl, dml, 4 * ROWS);
    CHECK_MSG(some > 0, "%s: nothing was counted", what);
    if (WR_BATCH_ROWS <
        64) { /* preset tiny: a batch more or less on its way shows, where rows are
                 shared out so finely; far less than one call per batch all the same */
        CHECK_MSG(many < some + 16 && some < many + 16,
                  "%s, %s: %d calls over 64 batches, %d over 256", what, mode, (int)some,
                  (int)many);
        wr_engine_destroy(e);
        return;
    }
    CHECK_MSG(some <= many + slack && many <= some + slack,
              "%s, %s: %d calls over 64 batches, %d over 256", what, mode, (int)some, (int)many);
    /* How many batches are on their way at once is a matter of time, so the counts of two threads
     * are not equal; but less than one for each batch more. */
    uint64_t two = 0, more = 0;
    for (int i = 0; i < 3 && (i == 0 || more >= two + IN_FLIGHT); i++) { /* other programs delay */
        two = calls(e, mode, 2, ddl, dml, 4 * ROWS);
        more = calls(e, mode, 2, ddl, dml, 12 * ROWS);
    }
    CHECK_MSG(more < two + IN_FLIGHT, "%s, %s, two threads: %d calls over 256 batches, %d over 768",
              what, mode, (int)two, (int)more);
    wr_engine_destroy(e);
}

#define BID                                                                                        \
    "ROW<auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, "                \
    "`dateTime` TIMESTAMP(3), extra STRING>"
#define EVENTS(rng)                                                                                \
    "CREATE TABLE events (event_type INT, person ROW<id BIGINT, name STRING, emailAddress "        \
    "STRING, creditCard STRING, city STRING, state STRING, `dateTime` TIMESTAMP(3), extra "        \
    "STRING>, auction ROW<id BIGINT, itemName STRING, description STRING, initialBid BIGINT, "     \
    "reserve BIGINT, `dateTime` TIMESTAMP(3), expires TIMESTAMP(3), seller BIGINT, category "      \
    "BIGINT, extra STRING>, bid " BID ", `dateTime` AS CASE event_type WHEN 0 THEN "               \
    "person.`dateTime` WHEN 1 THEN auction.`dateTime` ELSE bid.`dateTime` END, WATERMARK FOR "     \
    "`dateTime` AS `dateTime` - INTERVAL '4' SECOND) WITH ('connector' = 'nexmark', 'rng' = "      \
    "'" rng "', 'base-time' = '0', 'events.num' = '%rows');"
#define SINK(columns) "CREATE TABLE sink (" columns ") WITH ('connector' = 'blackhole');"

TEST(projection)
{
    static const char columns[] =
        SINK("auction BIGINT, bidder BIGINT, price DECIMAL(23, 3), ts TIMESTAMP(3), extra STRING");
    static const char dml[] = "INSERT INTO sink SELECT bid.auction, bid.bidder, 0.908 * bid.price, "
                              "`dateTime`, UPPER(bid.extra) FROM events WHERE event_type = 2";
    char ddl[TEXT_MAX];
    (void)snprintf(ddl, sizeof ddl, "%s%s", EVENTS("java"), columns);
    check_steady("java events", "streaming", ddl, dml, 0);
    (void)snprintf(ddl, sizeof ddl, "%s%s", EVENTS("counter"), columns);
    check_steady("counter events", "streaming", ddl, dml, 0);
    check_steady("counter events", "batch", ddl, dml, 0);
}

TEST(whole_events)
{
    check_steady("whole events", "streaming", EVENTS("java") SINK("bid " BID),
                 "INSERT INTO sink SELECT bid FROM events", 0);
}

#define NUMBERS                                                                                    \
    "CREATE TABLE numbers (k BIGINT, v INT, s STRING) WITH ('connector' = 'datagen', "             \
    "'rows-per-second' = '2000000000', 'number-of-rows' = '%rows', 'fields.k.min' = '0', "         \
    "'fields.k.max' = '9', 'fields.s.length' = '40');"

TEST(aggregation)
{
    static const char ddl[] = NUMBERS SINK("k BIGINT, c BIGINT, m INT");
    static const char dml[] = "INSERT INTO sink SELECT k, COUNT(*), MAX(v) FROM numbers GROUP BY k";
    check_steady("groups", "batch", ddl, dml, 0);
    check_steady("groups", "streaming", ddl, dml, 0);
}

TEST(filters_and_branches)
{
    check_steady(
        "branches", "streaming", NUMBERS SINK("a STRING, b INT"),
        "INSERT INTO sink SELECT CASE WHEN k > 5 THEN s ELSE 'few' END, v % 7 FROM numbers "
        "WHERE v > 0 AND s LIKE '%a%'",
        0);
}

#define FEW                                                                                        \
    "CREATE TABLE few (k BIGINT, name STRING) WITH ('connector' = 'datagen', 'number-of-rows' = "  \
    "'8', 'fields.k.kind' = 'sequence', 'fields.k.start' = '0', 'fields.k.end' = '7');"

/* Operators whose state is bounded by the number of keys. */
static const struct {
    const char *what, *mode, *sink, *dml;
} bounded[] = {
    {"distinct", "batch", SINK("k BIGINT"), "INSERT INTO sink SELECT DISTINCT k FROM numbers"},
    {"distinct", "streaming", SINK("k BIGINT"), "INSERT INTO sink SELECT DISTINCT k FROM numbers"},
    {"union", "streaming", SINK("k BIGINT"),
     "INSERT INTO sink SELECT k FROM numbers UNION SELECT k + 5 FROM numbers"},
    {"intersect", "batch", SINK("k BIGINT"),
     "INSERT INTO sink SELECT k FROM numbers INTERSECT SELECT k FROM few"},
    {"except", "batch", SINK("k BIGINT"),
     "INSERT INTO sink SELECT k FROM numbers EXCEPT SELECT k FROM few"},
    {"join", "batch", SINK("k BIGINT, s STRING, n STRING"),
     "INSERT INTO sink SELECT n.k, n.s, f.name FROM numbers AS n JOIN few AS f ON n.k = f.k"},
    {"left join", "batch", SINK("k BIGINT, s STRING, n STRING"),
     "INSERT INTO sink SELECT n.k, n.s, f.name FROM numbers AS n LEFT JOIN few AS f ON n.k = f.k"},
    {"semi join", "batch", SINK("k BIGINT, s STRING"),
     "INSERT INTO sink SELECT k, s FROM numbers WHERE k IN (SELECT k FROM few)"},
    {"join of changes", "streaming", SINK("k BIGINT, c BIGINT, n STRING"),
     "INSERT INTO sink SELECT n.k, n.c, f.name FROM (SELECT k, COUNT(*) AS c FROM numbers GROUP BY "
     "k) AS n LEFT JOIN few AS f ON n.k = f.k"},
    {"multi-way join", "streaming", SINK("k BIGINT, c BIGINT, n STRING"),
     "INSERT INTO sink SELECT /*+ MULTI_JOIN(n, f, g) */ n.k, n.c, f.name FROM (SELECT k, COUNT(*) "
     "AS c FROM numbers GROUP BY k) AS n LEFT JOIN few AS f ON n.k = f.k JOIN few AS g ON n.k = "
     "g.k "
     "AND n.c > g.k"},
    {"sort limit", "batch", SINK("k BIGINT, v INT"),
     "INSERT INTO sink SELECT k, v FROM numbers ORDER BY v, k LIMIT 10"},
};

TEST(bounded_state)
{
    for (size_t i = 0; i < WR_COUNT(bounded); i++) {
        char ddl[TEXT_MAX];
        (void)snprintf(ddl, sizeof ddl, "%s%s%s", NUMBERS, FEW, bounded[i].sink);
        check_steady(bounded[i].what, bounded[i].mode, ddl, bounded[i].dml, JOIN_SLACK);
    }
}

static int
remove_one(const char *path, const struct stat *st, int kind, struct FTW *walk)
{
    (void)st, (void)kind, (void)walk;
    return remove(path);
}

/* A file is written with as many rows as are then read. */
static void
check_files(const char *format)
{
    char dir[64], ddl[TEXT_MAX], copy[TEXT_MAX];
    static const char columns[] = "k BIGINT, v INT, s STRING, ts TIMESTAMP(3)";
    (void)snprintf(dir, sizeof dir, "/tmp/weir-steady-%d", (int)getpid());
    (void)snprintf(ddl, sizeof ddl,
                   "CREATE TABLE numbers (%s) WITH ('connector' = 'datagen', 'rows-per-second' = "
                   "'2000000000', 'number-of-rows' = '%%rows', 'fields.s.length' = '40');"
                   "CREATE TABLE file (%s) WITH ('connector' = 'filesystem', 'path' = '%s/%%rows', "
                   "'format' = '%s');"
                   "INSERT OVERWRITE file SELECT * FROM numbers;" SINK("%s"),
                   columns, columns, dir, format, columns);
    (void)snprintf(copy, sizeof copy, "INSERT INTO sink SELECT * FROM file");
    check_steady(format, "batch", ddl, copy, 0);
    (void)nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

TEST(json_files)
{
    check_files("json");
}

TEST(csv_files)
{
    check_files("csv");
}

CHECK_MAIN()
