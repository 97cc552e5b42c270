/* SPDX-License-Identifier: Apache-2.0 */
/* Binding and rewriting while the n-th allocation fails, for every n: the statement is planned or
 * is out of memory, and nothing else happens. The arena is made of tiny blocks, so that most of its
 * allocations are allocations. */
#include "unit/plan_fixture.h"

#include "mem/mem.h"

static const char *const statements[] = {
    "SELECT id AS a, UPPER(k), r.a, arr[1], m['x'] FROM t WHERE v BETWEEN 1 AND 3 OR k LIKE 'a%'",
    "SELECT t.*, u.x FROM t LEFT JOIN u ON t.id = u.id AND u.x > 2 WHERE u.w <> 'b' AND t.v = 3",
    "SELECT id, COUNT(*), SUM(DISTINCT v) FILTER (WHERE v > 1) FROM t GROUP BY id HAVING MAX(v) > "
    "2",
    "SELECT k, id, GROUPING(k), SUM(v) FROM t GROUP BY ROLLUP (k, id)",
    "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.id = t.id) AND v NOT IN (SELECT x FROM "
    "u)",
    "SELECT id, (SELECT SUM(x) FROM u WHERE u.id = t.id AND u.x < t.v) FROM t",
    "SELECT id FROM t WHERE v > ALL (SELECT x FROM u WHERE u.id = t.id)",
    "SELECT id FROM t WHERE (id, v) IN (SELECT id, x FROM u) OR v = (SELECT MAX(x) FROM u)",
    "SELECT id, s FROM t, LATERAL (SELECT COUNT(*) AS s FROM u WHERE u.x > t.id OR u.id = t.v) AS "
    "q",
    "SELECT id, e, o FROM t CROSS JOIN UNNEST(arr) WITH ORDINALITY AS a (e, o)",
    "SELECT id, x FROM t LEFT JOIN UNNEST(ra) AS a (x, y) ON TRUE",
    "SELECT id FROM t INTERSECT ALL SELECT id FROM u",
    "SELECT id FROM t EXCEPT SELECT id FROM u UNION SELECT x FROM u",
    "WITH c AS (SELECT id, v FROM t) SELECT * FROM c JOIN c AS d USING (id) ORDER BY 1 LIMIT 3",
    "SELECT id, a + 1 FROM (VALUES (1, 2), (3, NULL)) AS q (id, a) WHERE 1 = 1 AND a IS NOT NULL",
    "SELECT kk, COUNT(*) FROM vw NATURAL JOIN u GROUP BY kk ORDER BY COUNT(*) DESC",
    "INSERT INTO big (a) SELECT id FROM t WHERE id > 3 AND TRUE",
    "SELECT id FROM t FULL JOIN u USING (id) WHERE COALESCE(t.v, 1) = 1 OR u.x IS NULL",
    "SELECT /*+ BROADCAST(u) */ t.id, m.id, COLLECT(u.w) FROM t JOIN u ON t.id = u.id JOIN t AS m "
    "ON "
    "m.v = u.x GROUP BY t.id, m.id",
    "SELECT id FROM t WHERE EXISTS (SELECT k FROM u WHERE u.x = t.v GROUP BY CUBE (w, x) LIMIT 2) "
    "OR "
    "id = 2",
    "SELECT id FROM u /*+ OPTIONS('bounded'='false') */ WHERE x IN (1, 2, 3) AND CAST(x AS STRING) "
    "= "
    "w LIMIT 2",
    "SELECT DISTINCT CASE WHEN v > 1 THEN 'a' ELSE k END, ROW(id, v), MAP['a', id], ARRAY[v, id] "
    "FROM "
    "t",
    "SELECT v FROM t AS a WHERE v > (SELECT AVG(x) FROM u WHERE EXISTS (SELECT 1 FROM t AS b WHERE "
    "b.id = a.id AND b.v = u.x))",
    "SELECT id FROM t, LATERAL (SELECT x FROM u WHERE u.id = t.id UNION SELECT v FROM t AS c WHERE "
    "c.v "
    "< t.v) AS q WHERE q.x = 3",
    "INSERT INTO part PARTITION (p = 'x') SELECT id FROM t",
    "SELECT idd, zz FROM t",
    "SELECT id, SUM(v) FROM t GROUP BY k",
    "SELECT NOFUNC(id), id + k FROM t JOIN u ON t.id = u.id",
    "INSERT INTO big SELECT k, id FROM t",
};

static void
start(session *s)
{
    session_open(s);
    session_ddl(
        s, "CREATE TABLE t (id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, "
           "r ROW<a INT, b STRING>, m MAP<STRING, INT>, ra ARRAY<ROW<x INT, y STRING>>, "
           "c AS v + 1, WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) "
           "WITH ('connector'='fake')");
    session_ddl(s, "CREATE TABLE u (id INT NOT NULL, w STRING NOT NULL, x INT) "
                   "WITH ('connector'='fake','pushdown'='true')");
    session_ddl(s, "CREATE TABLE big (a BIGINT, b STRING) WITH ('connector'='fake')");
    session_ddl(s, "CREATE TABLE part (a INT, p STRING) PARTITIONED BY (p) "
                   "WITH ('connector'='fake')");
    session_ddl(s, "CREATE VIEW vw AS SELECT id, k AS kk FROM t");
}

/* One try; false when the allocation that should fail was not reached. `want`: the plan. */
static bool
attempt(session *s, const char *sql, int64_t n, bool batch, const char *want)
{
    wr_arena *kept = s->arena;
    s->arena = s->env.arena = wr_arena_create(NULL, 64);
    if (!s->arena) abort();
    s->env.batch = s->eval.batch = batch;
    wr_mem_fail_after(n);
    wr_rel *plan = session_plan(s, sql);
    bool hit = wr_mem_fail_hit();
    wr_mem_fail_after(0);
    if (!plan && hit && want[0])
        CHECK_MSG(s->ctx.err.status == WR_NOMEM, "%s: allocation %d: %s", sql, (int)n,
                  s->ctx.err.message);
    if (plan && hit)
        CHECK_MSG(strcmp(session_print(s, plan), want) == 0, "%s: allocation %d\n%s", sql, (int)n,
                  session_print(s, plan));
    wr_arena_destroy(s->arena);
    s->arena = s->env.arena = kept;
    return hit;
}

TEST(memory_may_fail_anywhere)
{
    session s;
    start(&s);
    for (uint32_t i = 0; i < WR_COUNT(statements); i++) {
        for (int batch = 0; batch < 2; batch++) {
            s.env.batch = s.eval.batch = batch != 0;
            wr_rel *plan = session_plan(&s, statements[i]);
            const char *want = plan ? session_print(&s, plan) : "";
            for (int64_t n = 1; attempt(&s, statements[i], n, batch != 0, want); n++) {
            }
        }
    }
    session_close(&s);
}

CHECK_MAIN()
