/* SPDX-License-Identifier: Apache-2.0 */
/* INSERT: column lists, partitions, implicit casts and the refusals. Texts are Flink 2.3's. */
#include "unit/plan_fixture.h"

static session s;

static void
start(void)
{
    session_open(&s);
    session_ddl(&s, "CREATE TABLE t (id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), b BIGINT, "
                    "WATERMARK FOR ts AS ts) WITH ('connector'='fake')");
    session_ddl(&s, "CREATE TABLE snk (a INT, b STRING) WITH ('connector'='fake')");
    session_ddl(&s, "CREATE TABLE snn (a INT NOT NULL, b STRING) WITH ('connector'='fake')");
    session_ddl(&s, "CREATE TABLE big (a BIGINT, c AS a + 1, d DECIMAL(10, 2)) "
                    "WITH ('connector'='fake')");
    session_ddl(&s, "CREATE TABLE part (a INT, p STRING, q INT) PARTITIONED BY (p, q) "
                    "WITH ('connector'='fake')");
    session_ddl(&s,
                "CREATE TABLE times (x TIMESTAMP(3), y TIMESTAMP(3)) WITH ('connector'='fake')");
    session_ddl(&s, "CREATE VIEW vw AS SELECT id, k FROM t");
}

static void
refused(const char *sql, const char *want)
{
    start();
    CHECK_MSG(!session_bind(&s, sql), "%s: was bound", sql);
    CHECK_MSG(strstr(s.ctx.err.message, want) != NULL, "%s\n  got  %s\n  want %s", sql,
              s.ctx.err.message, want);
    session_close(&s);
}

static void
bound(const char *sql, const char *want)
{
    start();
    const char *got = session_print(&s, session_plan(&s, sql));
    CHECK_MSG(strcmp(got, want) == 0, "%s\n--- got\n%s--- want\n%s", sql, got, want);
    session_close(&s);
}

TEST(schemas_must_match)
{
    refused("INSERT INTO snk SELECT id FROM t",
            "Column types of query result and sink for 'default_catalog.default_database.snk' do "
            "not match.\nCause: Different number of columns.\n\nQuery schema: [id: INT]\nSink "
            "schema:  [a: INT, b: STRING]");
    refused("INSERT INTO snk SELECT id, v FROM t",
            "Cause: Incompatible types for sink column 'b' at position 2.\n\nQuery schema: [id: "
            "INT, v: INT NOT NULL]\nSink schema:  [a: INT, b: STRING]");
    refused("INSERT INTO snk VALUES (1, 2)",
            "Query schema: [EXPR$0: INT NOT NULL, EXPR$1: INT NOT NULL]");
    refused("INSERT INTO snk SELECT b, k FROM t",
            "Incompatible types for sink column 'a' at position 1."); /* no narrowing */
    refused("INSERT INTO snk VALUES (1, NULL)", "Illegal use of 'NULL'");
}

TEST(column_lists_are_checked)
{
    refused("INSERT INTO snk (a, zz) SELECT id, k FROM t", "Unknown target column 'zz'");
    refused("INSERT INTO snk (a, a) SELECT id, k FROM t",
            "Target column 'a' is assigned more than once");
    refused("INSERT INTO snk (a, b) SELECT id FROM t",
            "Number of columns must match number of query columns");
    refused("INSERT INTO snn (b) SELECT k FROM t",
            "Column 'a' has no default value and does not allow NULLs");
}

TEST(targets_are_checked)
{
    refused("INSERT INTO nope SELECT id FROM t",
            "Cannot find table '`default_catalog`.`default_database`.`nope`' in any of the "
            "catalogs [default_catalog], nor as a temporary table.");
    refused("INSERT INTO vw SELECT id, k FROM t",
            "Sink 'default_catalog.default_database.vw' does not exists");
    refused("INSERT OVERWRITE snk SELECT id, k FROM t",
            "INSERT OVERWRITE requires that the underlying DynamicTableSink of table "
            "'default_catalog.default_database.snk' implements the SupportsOverwrite interface.");
    refused("INSERT INTO snk PARTITION (b='x') SELECT id FROM t",
            "Static partition column 'b' should be in the partition keys list [] for table "
            "'default_catalog.default_database.snk'.");
    refused("INSERT INTO snk PARTITION (zz='x') SELECT id FROM t", "Unknown target column 'zz'");
}

#define SCAN "    Watermark($3, $3)\n      Scan(t: id, k, v, ts, b)\n"

TEST(values_are_placed_and_cast)
{
    bound("INSERT INTO snk (b) SELECT k FROM t", "Sink(snk)\n"
                                                 "  Project(EXPR$0=null:INTEGER, k=$1)\n" SCAN);
    bound("INSERT INTO big SELECT id, b FROM t",
          "Sink(big)\n"
          "  Project(a=CAST($0 AS BIGINT), d=CAST($4 AS DECIMAL(10, 2)))\n" SCAN);
    bound("INSERT INTO part PARTITION (q=7) SELECT id, k FROM t",
          "Sink(part)\n"
          "  Project(id=$0, k=$1, EXPR$2=7)\n" SCAN);
}

/* Event time ends at regular joins, aggregates and computations. */
TEST(one_rowtime_arrives)
{
    static const char *const ends[] = {
        "INSERT INTO times SELECT l.ts, r.ts FROM t AS l JOIN t AS r ON l.id = r.id",
        "INSERT INTO times SELECT ts, MAX(ts) FROM t GROUP BY ts",
        "INSERT INTO times SELECT ts, CAST(ts AS TIMESTAMP(3)) FROM t",
        "INSERT INTO times SELECT ts, ts + INTERVAL '1' SECOND FROM t",
    };
    for (uint32_t i = 0; i < WR_COUNT(ends); i++) {
        start();
        wr_rel *rel = session_plan(&s, ends[i]);
        CHECK_MSG(rel != NULL, "%s: %s", ends[i], s.ctx.err.message);
        session_close(&s);
    }
    start();
    CHECK(!session_plan(&s, "INSERT INTO times SELECT ts, ts FROM t"));
    CHECK_MSG(strstr(s.ctx.err.message,
                     "The query contains more than one rowtime attribute column [ts, ts0] for "
                     "writing into table 'default_catalog.default_database.times'."),
              "%s", s.ctx.err.message);
    session_close(&s);
}

CHECK_MAIN()
