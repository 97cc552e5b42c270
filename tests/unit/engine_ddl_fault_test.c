/* SPDX-License-Identifier: Apache-2.0 */
/* DDL, SHOW and DESCRIBE while the n-th allocation fails, for every n: each statement succeeds or
 * is out of memory, and afterwards the session is as good as before. */
#include "check.h"

#include "catalog/catalog.h"
#include "engine/engine.h"

static const char *const statements[] = {
    "CREATE TABLE t (a INT NOT NULL COMMENT 'c', b ROW<x INT, y STRING>, c AS a + 1, ts "
    "TIMESTAMP(3), m STRING METADATA VIRTUAL, "
    "WATERMARK FOR ts AS ts - INTERVAL '5' SECOND, PRIMARY KEY (a) NOT ENFORCED) COMMENT 'tab' "
    "DISTRIBUTED BY HASH(a) INTO 3 "
    "BUCKETS PARTITIONED BY (a) WITH ('connector' = 'blackhole', 'x' = 'y')",
    "SHOW CREATE TABLE t",
    "DESCRIBE t",
    "CREATE TABLE s (a INT, b STRING) WITH ('connector' = 'datagen', 'number-of-rows' = '1')",
    "CREATE VIEW v (k, n) AS SELECT s.*, COUNT(*) FROM (SELECT b FROM s WHERE a IN (SELECT x.a "
    "FROM s x)) s GROUP BY b",
    "CREATE VIEW w AS WITH q AS (SELECT * FROM s) SELECT * FROM q JOIN s USING (a) ORDER BY a "
    "LIMIT 3",
    "SHOW CREATE VIEW w",
    "CREATE TABLE l (d AS a * 2) WITH ('z' = '1') LIKE t (EXCLUDING CONSTRAINTS)",
    "ALTER TABLE t ADD (n1 INT FIRST, n2 AS a + 3 AFTER a)",
    "ALTER TABLE t MODIFY n1 BIGINT",
    "ALTER TABLE t RENAME n1 TO n3",
    "ALTER TABLE t DROP n3",
    "ALTER TABLE t SET ('x' = 'z')",
    "ALTER TABLE t RESET ('x')",
    "ALTER TABLE t ADD PARTITION (a = 1)",
    "SHOW PARTITIONS t",
    "ALTER TABLE l RENAME TO l2",
    "CREATE TEMPORARY VIEW tv AS SELECT 1 AS x",
    "CREATE FUNCTION f AS 'a.b'",
    "CREATE CATALOG c WITH ('type' = 'generic_in_memory')",
    "CREATE DATABASE c.d COMMENT 'x' WITH ('a' = 'b')",
    "ALTER CATALOG c COMMENT 'y'",
    "DESCRIBE CATALOG EXTENDED c",
    "USE c.d",
    "SHOW DATABASES",
    "USE CATALOG default_catalog",
    "SHOW TABLES LIKE '%t%'",
    "SHOW VIEWS",
    "SHOW FUNCTIONS",
    "DESCRIBE FUNCTION EXTENDED `upper`",
    "SET 'table.exec.state.ttl' = '1 h'",
    "SET",
    "RESET",
    "DROP VIEW w",
    "DROP DATABASE c.d CASCADE",
    "DROP CATALOG c",
};

static wr_status
begin(wr_ctx *ctx, void *arg, const wr_result_head *head)
{
    (void)ctx;
    (void)arg;
    (void)head;
    return WR_OK;
}

static wr_status
rows(wr_ctx *ctx, void *arg, const wr_batch *batch)
{
    (void)ctx;
    *(uint64_t *)arg += batch->row_count;
    return WR_OK;
}

static wr_status
end(wr_ctx *ctx, void *arg)
{
    (void)ctx;
    (void)arg;
    return WR_OK;
}

static wr_status
execute(wr_ctx *ctx, wr_session *s, const char *sql)
{
    uint64_t count = 0;
    wr_result_sink sink = {.begin = begin, .rows = rows, .end = end, .arg = &count};
    wr_ctx_reset(ctx);
    ctx->sql = wr_str_c(sql);
    return wr_session_execute(ctx, s, ctx->sql, &sink);
}

/* Everything up to statement `upto` without faults. */
static wr_session *
prepare(wr_engine *e, uint32_t upto)
{
    wr_ctx ctx;
    wr_session *s = NULL;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_session_create(&ctx, e, &s));
    for (uint32_t i = 0; s && i < upto; i++) CHECK_OK(&ctx, execute(&ctx, s, statements[i]));
    return s;
}

TEST(every_statement_survives_failing_memory)
{
    wr_ctx ctx;
    wr_engine *e = NULL;
    wr_engine_config config = {.data_dir = WR_STR("")};
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_engine_create(&ctx, &config, &e));
    CHECK_FATAL(e != NULL);
    for (uint32_t i = 0; i < WR_COUNT(statements); i++) {
        wr_session *s = prepare(e, i);
        CHECK_FATAL(s != NULL);
        for (int64_t n = 1; n < 500; n++) {
            wr_mem_fail_after(n);
            wr_status status = execute(&ctx, s, statements[i]);
            bool hit = wr_mem_fail_hit();
            wr_mem_fail_after(0);
            if (status == WR_OK) break; /* done, with or without a hit on the way out */
            CHECK_MSG(hit && status == WR_NOMEM, "%s: allocation %d: %s", statements[i], (int)n,
                      ctx.err.message);
            if (status != WR_NOMEM) break;
        }
        wr_session_destroy(s);
    }
    wr_session *s = prepare(e, WR_COUNT(statements));
    wr_session_destroy(s);
    wr_engine_destroy(e);
}

CHECK_MAIN()
