/* SPDX-License-Identifier: Apache-2.0 */
/* Names and types, with nullability, of the columns of bound queries.
 * Expected values: Flink 2.3's answers to the same statements. */
#include "unit/plan_fixture.h"

typedef struct expectation {
    const char *sql, *want;
} expectation;

static void
tables_a(session *s)
{
    session_ddl(s, "CREATE TABLE t (id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr "
                   "ARRAY<INT>, m MAP<STRING,INT>, r ROW<a INT, b ROW<c STRING>>, ra ARRAY<ROW<x "
                   "INT, y STRING>>, ms MULTISET<STRING>, pt AS PROCTIME(), d DECIMAL(10,2), "
                   "WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector'='fake')");
    session_ddl(s, "CREATE TABLE u (id INT NOT NULL, w STRING NOT NULL) WITH ('connector'='fake')");
    session_ddl(s, "CREATE TABLE snk (a INT, b STRING) WITH ('connector'='fake')");
    session_ddl(s, "CREATE TABLE snn (a INT NOT NULL, b STRING) WITH ('connector'='fake')");
    session_ddl(s, "CREATE VIEW vw AS SELECT id, k AS kk FROM t");
}

static void
tables_b(session *s)
{
    session_ddl(s, "CREATE TABLE t (id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), d "
                   "DECIMAL(10,2), arr ARRAY<INT>, r ROW<a INT, b STRING>, WATERMARK FOR ts AS ts "
                   "- INTERVAL '5' SECOND) WITH ('connector'='fake')");
    session_ddl(s, "CREATE TABLE u (id INT NOT NULL, w STRING NOT NULL, x INT) WITH "
                   "('connector'='fake')");
}

/* clang-format off */
static const expectation queries_a[] = {
    {"SELECT id0 FROM (SELECT * FROM t JOIN u ON t.id = u.id)",
     "id0 INT NOT NULL"},
    {"SELECT id, id, v AS id FROM t",
     "id INT, id0 INT, id1 INT NOT NULL"},
    {"SELECT * FROM t JOIN u USING (id)",
     "id INT NOT NULL, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), w STRING NOT NULL"},
    {"SELECT t.*, u.* FROM t JOIN u USING (id)",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), id0 INT NOT NULL, w STRING NOT NULL"},
    {"SELECT * FROM t NATURAL JOIN u",
     "id INT NOT NULL, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), w STRING NOT NULL"},
    {"SELECT * FROM t FULL JOIN u USING (id)",
     "id INT, k STRING, v INT, ts TIMESTAMP(3), arr ARRAY<INT>, m MAP<STRING, INT>, "
     "r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, `y` STRING>>, ms "
     "MULTISET<STRING>, pt TIMESTAMP_LTZ(3) *PROCTIME*, d DECIMAL(10, 2), w STRING"},
    {"SELECT id FROM t JOIN u USING (id)",
     "id INT NOT NULL"},
    {"SELECT r.a, r.b.c, arr[1], m['x'], (r).b FROM t",
     "a INT, c STRING, EXPR$2 INT, EXPR$3 INT, EXPR$4 ROW<`c` STRING>"},
    {"SELECT r.* FROM t",
     "a INT, b ROW<`c` STRING>"},
    {"SELECT t.r.* FROM t",
     "a INT, b ROW<`c` STRING>"},
    {"SELECT t.r.a FROM t",
     "a INT"},
    {"SELECT * FROM t, UNNEST(arr)",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), EXPR$0 INT"},
    {"SELECT * FROM t, UNNEST(arr) AS x",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), x INT"},
    {"SELECT * FROM t CROSS JOIN UNNEST(arr) AS x (e)",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), e INT"},
    {"SELECT * FROM t CROSS JOIN UNNEST(m)",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), KEY STRING, VALUE INT"},
    {"SELECT * FROM t CROSS JOIN UNNEST(m) AS x(a,b)",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), a STRING, b INT"},
    {"SELECT * FROM t CROSS JOIN UNNEST(ra)",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), x INT, y STRING"},
    {"SELECT * FROM t CROSS JOIN UNNEST(ra) AS q",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), x INT, y STRING"},
    {"SELECT * FROM t CROSS JOIN UNNEST(ms) AS q",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), q STRING"},
    {"SELECT * FROM t CROSS JOIN UNNEST(arr) WITH ORDINALITY",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), EXPR$0 INT, ORDINALITY INT NOT NULL"},
    {"SELECT * FROM t CROSS JOIN UNNEST(arr) WITH ORDINALITY AS q",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), q INT, ORDINALITY INT NOT NULL"},
    {"SELECT * FROM t CROSS JOIN UNNEST(arr) WITH ORDINALITY AS q(e, o)",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), e INT, o INT NOT NULL"},
    {"SELECT * FROM t CROSS JOIN UNNEST(ra) WITH ORDINALITY AS q(e, f, o)",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), e INT, f STRING, o INT NOT NULL"},
    {"SELECT * FROM t LEFT JOIN UNNEST(arr) AS q(e) ON TRUE",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), e INT"},
    {"SELECT * FROM t LEFT JOIN UNNEST(arr) AS q(e) ON e > 1",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), e INT"},
    {"SELECT * FROM t LEFT JOIN UNNEST(arr) WITH ORDINALITY AS q(e, o) ON TRUE",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), e INT, o INT"},
    {"SELECT * FROM UNNEST(ARRAY[1,2,3])",
     "EXPR$0 INT NOT NULL"},
    {"SELECT * FROM UNNEST(ARRAY[1,2,3]) AS x(e)",
     "e INT NOT NULL"},
    {"SELECT * FROM UNNEST(MAP['a',1])",
     "KEY CHAR(1) NOT NULL, VALUE INT NOT NULL"},
    {"SELECT * FROM UNNEST(ARRAY[ROW(1,'a'),ROW(2,'b')])",
     "EXPR$0 INT NOT NULL, EXPR$1 CHAR(1) NOT NULL"},
    {"SELECT * FROM (VALUES (1, 'a'), (2, CAST(NULL AS STRING))) AS x(p, q)",
     "p INT NOT NULL, q STRING"},
    {"SELECT * FROM (VALUES (1, 'a'), (2.5, 'bcd')) AS x(p, q)",
     "p DECIMAL(11, 1) NOT NULL, q VARCHAR(3) NOT NULL"},
    {"VALUES (1, 2), (3, 4)",
     "EXPR$0 INT NOT NULL, EXPR$1 INT NOT NULL"},
    {"VALUES 1, 2",
     "EXPR$0 INT NOT NULL"},
    {"SELECT id FROM t ORDER BY 1",
     "id INT"},
    {"SELECT id AS i2 FROM t GROUP BY id ORDER BY i2",
     "i2 INT"},
    {"SELECT COUNT(*), SUM(v) FROM t",
     "EXPR$0 BIGINT NOT NULL, EXPR$1 INT"},
    {"SELECT k, COUNT(*) AS c FROM t GROUP BY k ORDER BY c LIMIT 3",
     "k STRING, c BIGINT NOT NULL"},
    {"SELECT k FROM t GROUP BY k ORDER BY COUNT(*) DESC LIMIT 2",
     "k STRING"},
    {"SELECT k, GROUPING(k), GROUP_ID(), GROUPING_ID(k, id) FROM t GROUP BY "
     "ROLLUP(k, id)",
     "k STRING, EXPR$1 BIGINT NOT NULL, EXPR$2 BIGINT NOT NULL, EXPR$3 BIGINT NOT "
     "NULL"},
    {"SELECT k, COUNT(*) FROM t GROUP BY GROUPING SETS ((k), (k), ())",
     "k STRING, EXPR$1 BIGINT NOT NULL"},
    {"SELECT k, id, COUNT(*) FROM t GROUP BY GROUPING SETS (k, ROLLUP(id))",
     "k STRING, id INT, EXPR$2 BIGINT NOT NULL"},
    {"SELECT id AS x, k FROM t UNION ALL SELECT v, 'abc' FROM t",
     "x INT, k STRING"},
    {"SELECT id FROM t UNION SELECT v FROM t",
     "id INT"},
    {"SELECT id FROM t EXCEPT SELECT v FROM t",
     "id INT"},
    {"SELECT d FROM t UNION ALL SELECT id FROM t",
     "d DECIMAL(12, 2)"},
    {"SELECT ts FROM t UNION ALL SELECT ts FROM t",
     "ts TIMESTAMP(3)"},
    {"SELECT CASE WHEN id > 1 THEN v END, CASE WHEN id > 1 THEN v ELSE 0 END, CASE "
     "id WHEN 1 THEN v ELSE id END FROM t",
     "EXPR$0 INT, EXPR$1 INT NOT NULL, EXPR$2 INT"},
    {"SELECT COUNT(id, v) FROM t",
     "EXPR$0 BIGINT NOT NULL"},
    {"SELECT COUNT(*) FILTER (WHERE id > 1) FROM t",
     "EXPR$0 BIGINT NOT NULL"},
    {"SELECT id FROM t WHERE (id, k) IN (SELECT id, w FROM u)",
     "id INT"},
    {"SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.id = t.id)",
     "id INT"},
    {"SELECT (SELECT MAX(id) FROM u), EXISTS (SELECT 1 FROM u), id IN (SELECT id "
     "FROM u) FROM t",
     "EXPR$0 INT, EXPR$1 BOOLEAN NOT NULL, EXPR$2 BOOLEAN"},
    {"SELECT id FROM t WHERE id > ANY (SELECT id FROM u)",
     "id INT"},
    {"SELECT id FROM t WHERE id > ALL (SELECT id FROM u)",
     "id INT"},
    {"SELECT id FROM t WHERE id <> ALL (SELECT id FROM u)",
     "id INT"},
    {"SELECT id FROM t WHERE id = SOME (1,2)",
     "id INT"},
    {"SELECT COALESCE(NULL, 1), IFNULL(NULL, 2), NULLIF(1, NULL)",
     "EXPR$0 INT NOT NULL, EXPR$1 INT NOT NULL, EXPR$2 INT"},
    {"SELECT CAST(NULL AS INT)",
     "EXPR$0 INT"},
    {"SELECT id FROM t LIMIT 0",
     "id INT"},
    {"SELECT id FROM t WHERE NULL",
     "id INT"},
    {"SELECT t.id FROM t, u WHERE t.id = u.id",
     "id INT"},
    {"SELECT x.a FROM t AS x (a, b, c, d, e, f, g, h, i, j, l)",
     "a INT"},
    {"SELECT default_database.t.id FROM t",
     "id INT"},
    {"SELECT default_catalog.default_database.t.id FROM "
     "default_catalog.default_database.t",
     "id INT"},
    {"WITH a AS (SELECT id FROM t), b(z) AS (SELECT * FROM a) SELECT * FROM b",
     "z INT"},
    {"WITH a AS (SELECT id FROM t), a AS (SELECT 1) SELECT * FROM a",
     "EXPR$0 INT NOT NULL"},
    {"SELECT CURRENT_DATABASE()",
     "EXPR$0 STRING NOT NULL"},
    {"SELECT /*+ STATE_TTL('t'='1d', 'u'='12h') */ t.id FROM t JOIN u ON t.id = u.id",
     "id INT"},
    {"SELECT id FROM t WHERE id BETWEEN SYMMETRIC 3 AND 1 AND k LIKE 'a%' ESCAPE "
     "'x' AND k SIMILAR TO 'b'",
     "id INT"},
    {"SELECT ts, pt FROM t",
     "ts TIMESTAMP(3), pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*"},
    {"SELECT TIMESTAMPADD(DAY, 1, ts), EXTRACT(DAY FROM ts), FLOOR(ts TO DAY), "
     "TRIM(BOTH ' ' FROM k), POSITION('a' IN k), SUBSTRING(k FROM 1 FOR 2), "
     "OVERLAY(k PLACING 'x' FROM 1) FROM t",
     "EXPR$0 TIMESTAMP(3), EXPR$1 BIGINT, EXPR$2 TIMESTAMP(3), EXPR$3 STRING, "
     "EXPR$4 INT, EXPR$5 STRING, EXPR$6 STRING"},
    {"SELECT u.id, u.w, t.v FROM t LEFT JOIN u ON t.id = u.id",
     "id INT, w STRING, v INT NOT NULL"},
    {"SELECT u.id, u.w, t.v FROM t FULL JOIN u ON t.id = u.id",
     "id INT, w STRING, v INT"},
    {"SELECT id FROM t WHERE t.id = (SELECT u.id FROM u WHERE u.w = t.k)",
     "id INT"},
    {"SELECT * FROM t, LATERAL (SELECT w FROM u WHERE u.id = t.id)",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), w STRING NOT NULL"},
    {"SELECT * FROM t, LATERAL (SELECT COUNT(*) FROM u WHERE u.id = t.id) AS q(c)",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), c BIGINT NOT NULL"},
    {"SELECT 1 FROM t GROUP BY ()",
     "EXPR$0 INT NOT NULL"},
    {"SELECT COUNT(*) FROM t HAVING COUNT(*) > 1",
     "EXPR$0 BIGINT NOT NULL"},
    {"SELECT *, id AS z, t.* FROM t",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr ARRAY<INT>, m "
     "MAP<STRING, INT>, r ROW<`a` INT, `b` ROW<`c` STRING>>, ra ARRAY<ROW<`x` INT, "
     "`y` STRING>>, ms MULTISET<STRING>, pt TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d "
     "DECIMAL(10, 2), z INT, id0 INT, k0 STRING, v0 INT NOT NULL, ts0 TIMESTAMP(3), "
     "arr0 ARRAY<INT>, m0 MAP<STRING, INT>, r0 ROW<`a` INT, `b` ROW<`c` STRING>>, "
     "ra0 ARRAY<ROW<`x` INT, `y` STRING>>, ms0 MULTISET<STRING>, pt0 "
     "TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, d0 DECIMAL(10, 2)"},
    {"SELECT EXPR$0 FROM (SELECT id + 1 FROM t)",
     "EXPR$0 INT"},
    {"SELECT `EXPR$0` FROM (SELECT id + 1 FROM t)",
     "EXPR$0 INT"},
    {"SELECT id FROM t UNION ALL SELECT id FROM u ORDER BY id LIMIT 1",
     "id INT"},
    {"SELECT id FROM t ORDER BY 'x' LIMIT 1",
     "id INT"},
    {"SELECT id AS v FROM t ORDER BY v LIMIT 1",
     "v INT"},
    {"SELECT -id AS v FROM t ORDER BY v + 1 LIMIT 1",
     "v INT"},
    {"SELECT id FROM t ORDER BY ts DESC",
     "id INT"},
    {"SELECT id FROM t ORDER BY v",
     "id INT"},
    {"SELECT id FROM t OFFSET 3",
     "id INT"},
    {"SELECT id FROM t LIMIT 1.5",
     "id INT"},
    {"SELECT id FROM t ORDER BY arr LIMIT 1",
     "id INT"},
    {"SELECT DISTINCT r, arr FROM t",
     "r ROW<`a` INT, `b` ROW<`c` STRING>>, arr ARRAY<INT>"},
    {"SELECT X'0102', U&'\\00e9', E'a\\nb', 1.5, 1e0, 12345678901, TRUE, TIMESTAMP "
     "'2024-01-01 10:00:00.123', TIME '10:00:00'",
     "EXPR$0 BINARY(2) NOT NULL, EXPR$1 CHAR(1) NOT NULL, EXPR$2 CHAR(3) NOT NULL, "
     "EXPR$3 DECIMAL(2, 1) NOT NULL, EXPR$4 DOUBLE NOT NULL, EXPR$5 BIGINT NOT "
     "NULL, EXPR$6 BOOLEAN NOT NULL, EXPR$7 TIMESTAMP(3) NOT NULL, EXPR$8 TIME(0) "
     "NOT NULL"},
    {"SELECT id FROM t WHERE ts = '2024-01-01 00:00:00'",
     "id INT"},
    {"SELECT arr = arr, r = r, m = m FROM t",
     "EXPR$0 BOOLEAN, EXPR$1 BOOLEAN, EXPR$2 BOOLEAN"},
    {"SELECT COUNT(*) FROM (SELECT id FROM t WHERE id > 1 AND k = 'x' AND 1 = 1)",
     "EXPR$0 BIGINT NOT NULL"},
    {"SELECT t.id FROM t JOIN u USING (id) WHERE t.id = 1",
     "id INT"},
    {"SELECT (SELECT id FROM u WHERE 1 = 0)",
     "EXPR$0 INT"},
    {"SELECT ELEMENT(ARRAY[1]), CARDINALITY(arr), CARDINALITY(m) FROM t",
     "EXPR$0 INT NOT NULL, EXPR$1 INT, EXPR$2 INT"},
};

static const expectation queries_b[] = {
    {"SELECT ABS(-2147483648)",
     "EXPR$0 INT NOT NULL"},
    {"SELECT 1e-400",
     "EXPR$0 DOUBLE NOT NULL"},
    {"SELECT INTERVAL '1' YEAR, INTERVAL '2-10' YEAR TO MONTH, INTERVAL '15' MONTH, "
     "INTERVAL '10 10:00:00.004' DAY TO SECOND, INTERVAL '1' QUARTER, INTERVAL '2' "
     "WEEK, INTERVAL '0.5' SECOND, INTERVAL '1.123456' SECOND, INTERVAL -'3' DAY, "
     "INTERVAL '-3' DAY, INTERVAL '10:20' HOUR TO MINUTE, INTERVAL '10:20.5' MINUTE "
     "TO SECOND",
     "EXPR$0 INTERVAL MONTH NOT NULL, EXPR$1 INTERVAL MONTH NOT NULL, EXPR$2 "
     "INTERVAL MONTH NOT NULL, EXPR$3 INTERVAL SECOND(3) NOT NULL, EXPR$4 INTERVAL "
     "MONTH NOT NULL, EXPR$5 INTERVAL SECOND(3) NOT NULL, EXPR$6 INTERVAL SECOND(3) "
     "NOT NULL, EXPR$7 INTERVAL SECOND(3) NOT NULL, EXPR$8 INTERVAL SECOND(3) NOT "
     "NULL, EXPR$9 INTERVAL SECOND(3) NOT NULL, EXPR$10 INTERVAL SECOND(3) NOT "
     "NULL, EXPR$11 INTERVAL SECOND(3) NOT NULL"},
    {"SELECT INTERVAL v DAY FROM t",
     "EXPR$0 INTERVAL SECOND(3) NOT NULL"},
    {"SELECT INTERVAL v SECOND, INTERVAL v MONTH, ts + INTERVAL v HOUR FROM t",
     "EXPR$0 INTERVAL SECOND(3) NOT NULL, EXPR$1 INTERVAL MONTH NOT NULL, EXPR$2 "
     "TIMESTAMP(3)"},
    {"SELECT TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-01 10:00:00.123456789', "
     "TIME '10:00:00.123', DATE '2024-1-5'",
     "EXPR$0 TIMESTAMP(0) NOT NULL, EXPR$1 TIMESTAMP(9) NOT NULL, EXPR$2 TIME(3) "
     "NOT NULL, EXPR$3 DATE NOT NULL"},
    {"SELECT TIMESTAMP '2024-1-1 1:2:3'",
     "EXPR$0 TIMESTAMP(0) NOT NULL"},
    {"SELECT TIMESTAMP WITH LOCAL TIME ZONE '2024-01-01 10:00:00'",
     "EXPR$0 TIMESTAMP_LTZ(0) NOT NULL"},
    {"SELECT TRUE, UNKNOWN, FALSE",
     "EXPR$0 BOOLEAN NOT NULL, EXPR$1 BOOLEAN, EXPR$2 BOOLEAN NOT NULL"},
    {"SELECT NULL IS NULL",
     "EXPR$0 BOOLEAN NOT NULL"},
    {"SELECT NULL = 1",
     "EXPR$0 BOOLEAN"},
    {"SELECT v IN (1, NULL), v BETWEEN NULL AND 3, v NOT IN (NULL) FROM t",
     "EXPR$0 BOOLEAN, EXPR$1 BOOLEAN, EXPR$2 BOOLEAN"},
    {"SELECT SUM(v), SUM(id), AVG(v), MIN(v), MAX(v), COUNT(v), FIRST_VALUE(v), "
     "COLLECT(v), ARRAY_AGG(v), LISTAGG(k), STDDEV_POP(v) FROM t",
     "EXPR$0 INT, EXPR$1 INT, EXPR$2 INT, EXPR$3 INT, EXPR$4 INT, EXPR$5 BIGINT NOT "
     "NULL, EXPR$6 INT, EXPR$7 MULTISET<INT NOT NULL> NOT NULL, EXPR$8 ARRAY<INT "
     "NOT NULL> NOT NULL, EXPR$9 STRING, EXPR$10 INT"},
    {"SELECT v, SUM(v), SUM(id), AVG(v), MIN(v), MAX(v), COUNT(v), FIRST_VALUE(v), "
     "COLLECT(v), ARRAY_AGG(v), LISTAGG(k), STDDEV_POP(v) FROM t GROUP BY v",
     "v INT NOT NULL, EXPR$1 INT NOT NULL, EXPR$2 INT, EXPR$3 INT NOT NULL, EXPR$4 "
     "INT NOT NULL, EXPR$5 INT NOT NULL, EXPR$6 BIGINT NOT NULL, EXPR$7 INT NOT "
     "NULL, EXPR$8 MULTISET<INT NOT NULL> NOT NULL, EXPR$9 ARRAY<INT NOT NULL> NOT "
     "NULL, EXPR$10 STRING, EXPR$11 INT NOT NULL"},
    {"SELECT SUM(v) FILTER (WHERE v > 1), MIN(v) FILTER (WHERE v > 1) FROM t GROUP "
     "BY k",
     "EXPR$0 INT, EXPR$1 INT"},
    {"SELECT SUM(DISTINCT v), COUNT(DISTINCT k), MAX(DISTINCT v) FROM t",
     "EXPR$0 INT, EXPR$1 BIGINT NOT NULL, EXPR$2 INT"},
    {"SELECT v, k, COUNT(*) FROM t GROUP BY ROLLUP(v, k)",
     "v INT, k STRING, EXPR$2 BIGINT NOT NULL"},
    {"SELECT (v, 1).EXPR$0 FROM t",
     "EXPR$0 INT NOT NULL"},
    {"SELECT CAST(ROW(v, 2) AS ROW<a INT, b INT>).b FROM t",
     "EXPR$0 INT"},
    {"SELECT arr[1] + 1, r.a, (r).b, t.r.b FROM t",
     "EXPR$0 INT, a INT, EXPR$2 STRING, b STRING"},
    {"SELECT (1, 2) IN ((1, 2), (3, 4)), (v, k) IN ((1, 'a')) FROM t",
     "EXPR$0 BOOLEAN NOT NULL, EXPR$1 BOOLEAN"},
    {"SELECT 1 IN ('1'), v IN (1, 2.5), k IN ('a', 'bcd'), k IN (1, 2) FROM t",
     "EXPR$0 BOOLEAN NOT NULL, EXPR$1 BOOLEAN NOT NULL, EXPR$2 BOOLEAN, EXPR$3 "
     "BOOLEAN"},
    {"SELECT v IN (id, 5) FROM t",
     "EXPR$0 BOOLEAN"},
    {"SELECT v = ANY (1, 2), v > ALL (1, 2), v < SOME (3) FROM t",
     "EXPR$0 BOOLEAN NOT NULL, EXPR$1 BOOLEAN NOT NULL, EXPR$2 BOOLEAN NOT NULL"},
    {"SELECT v IN (SELECT x FROM u), v IN (SELECT id FROM u), v = ANY (SELECT id "
     "FROM u), v > ALL (SELECT id FROM u), EXISTS (SELECT id FROM u) FROM t",
     "EXPR$0 BOOLEAN, EXPR$1 BOOLEAN NOT NULL, EXPR$2 BOOLEAN NOT NULL, EXPR$3 "
     "BOOLEAN NOT NULL, EXPR$4 BOOLEAN NOT NULL"},
    {"SELECT (v, k) IN (SELECT id, w FROM u), ROW(v, k) NOT IN (SELECT x, w FROM u) "
     "FROM t",
     "EXPR$0 BOOLEAN, EXPR$1 BOOLEAN"},
    {"SELECT v FROM t WHERE (SELECT COUNT(*) FROM u) > 0",
     "v INT NOT NULL"},
    {"SELECT v FROM t WHERE v IS DISTINCT FROM NULL",
     "v INT NOT NULL"},
    {"SELECT v FROM t GROUP BY v HAVING v > 1 AND COUNT(*) > 1",
     "v INT NOT NULL"},
    {"SELECT SUM(v) FROM t WHERE TRUE HAVING TRUE",
     "EXPR$0 INT"},
    {"SELECT k FROM t ORDER BY 2 - 1",
     "k STRING"},
    {"SELECT t.k FROM t ORDER BY t.v",
     "k STRING"},
    {"SELECT k AS v FROM t ORDER BY t.v",
     "v STRING"},
    {"SELECT DISTINCT k FROM t ORDER BY UPPER(k)",
     "k STRING"},
    {"SELECT DISTINCT k AS z FROM t ORDER BY z || 'x'",
     "z STRING"},
    {"SELECT v FROM (SELECT v FROM t ORDER BY v)",
     "v INT NOT NULL"},
    {"VALUES (1), (2) ORDER BY 1",
     "EXPR$0 INT NOT NULL"},
    {"VALUES (1), (2) ORDER BY EXPR$0 DESC LIMIT 1",
     "EXPR$0 INT NOT NULL"},
    {"(SELECT v FROM t LIMIT 1) UNION ALL (SELECT id FROM u LIMIT 1)",
     "v INT NOT NULL"},
    {"SELECT v FROM t UNION ALL SELECT id FROM u ORDER BY v + 1",
     "v INT NOT NULL"},
    {"SELECT v AS a FROM t LIMIT ALL",
     "a INT NOT NULL"},
    {"SELECT v FROM t FETCH NEXT 2 ROWS ONLY",
     "v INT NOT NULL"},
    {"SELECT v FROM t LIMIT 99999999999",
     "v INT NOT NULL"},
    {"SELECT v FROM t OFFSET 1 ROW",
     "v INT NOT NULL"},
    {"SELECT v FROM t LIMIT 2 OFFSET 1",
     "v INT NOT NULL"},
    {"SELECT id, id, 1 FROM t",
     "id INT, id0 INT, EXPR$2 INT NOT NULL"},
    {"SELECT id, k AS id, v + 1 FROM t",
     "id INT, id0 STRING, EXPR$2 INT NOT NULL"},
    {"SELECT *, 1, v + 1 FROM u, t",
     "id INT NOT NULL, w STRING NOT NULL, x INT, id0 INT, k STRING, v INT NOT NULL, "
     "ts TIMESTAMP(3), d DECIMAL(10, 2), arr ARRAY<INT>, r ROW<`a` INT, `b` "
     "STRING>, EXPR$10 INT NOT NULL, EXPR$11 INT NOT NULL"},
    {"SELECT (SELECT COUNT(*) FROM u), (SELECT id FROM u), (SELECT MAX(id) FROM u), "
     "(SELECT 1) FROM t",
     "EXPR$0 BIGINT, EXPR$1 INT, EXPR$2 INT, EXPR$3 INT"},
    {"SELECT * FROM t ORDER BY id NULLS LAST, k DESC NULLS FIRST LIMIT 1",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), d DECIMAL(10, 2), arr "
     "ARRAY<INT>, r ROW<`a` INT, `b` STRING>"},
    {"SELECT arr, COUNT(*) FROM t GROUP BY arr",
     "arr ARRAY<INT>, EXPR$1 BIGINT NOT NULL"},
    {"SELECT k FROM t GROUP BY k, 1, 'x'",
     "k STRING"},
    {"SELECT 1, k FROM t GROUP BY k HAVING SUM(v) > 0",
     "EXPR$0 INT NOT NULL, k STRING"},
    {"SELECT RAND() FROM t GROUP BY RAND()",
     "EXPR$0 DOUBLE NOT NULL"},
    {"SELECT UPPER(k) || 'x' FROM t GROUP BY UPPER(k)",
     "EXPR$0 STRING"},
    {"SELECT t.k FROM t GROUP BY k",
     "k STRING"},
    {"SELECT k FROM t GROUP BY t.k",
     "k STRING"},
    {"SELECT r.a FROM t GROUP BY r.a",
     "a INT"},
    {"SELECT k, SUM((SELECT MAX(x) FROM u)) FROM t GROUP BY k",
     "k STRING, EXPR$1 INT"},
    {"SELECT k, COUNT(*) FROM t GROUP BY DISTINCT k",
     "k STRING, EXPR$1 BIGINT NOT NULL"},
    {"SELECT k, v, COUNT(*) FROM t GROUP BY k, ROLLUP(v)",
     "k STRING, v INT, EXPR$2 BIGINT NOT NULL"},
    {"SELECT k, v, COUNT(*) FROM t GROUP BY CUBE(k, v)",
     "k STRING, v INT, EXPR$2 BIGINT NOT NULL"},
    {"SELECT k, v, COUNT(*) FROM t GROUP BY ROLLUP((k, v), id)",
     "k STRING, v INT, EXPR$2 BIGINT NOT NULL"},
    {"SELECT k, v, COUNT(*), GROUPING(k, v) FROM t GROUP BY GROUPING SETS ((k, v), "
     "(k), ())",
     "k STRING, v INT, EXPR$2 BIGINT NOT NULL, EXPR$3 BIGINT NOT NULL"},
    {"SELECT COUNT(*) FROM t WHERE FALSE GROUP BY ()",
     "EXPR$0 BIGINT NOT NULL"},
    {"SELECT COUNT(*) FROM t WHERE FALSE GROUP BY GROUPING SETS ((), (k))",
     "EXPR$0 BIGINT NOT NULL"},
    {"SELECT COUNT(*) FROM t WHERE FALSE GROUP BY ROLLUP(k)",
     "EXPR$0 BIGINT NOT NULL"},
    {"SELECT k, SUM(v) FROM t GROUP BY k ORDER BY SUM(v) + 1",
     "k STRING, EXPR$1 INT NOT NULL"},
    {"SELECT DISTINCT SUM(v) FROM t GROUP BY k",
     "EXPR$0 INT NOT NULL"},
    {"SELECT JSON_OBJECTAGG(KEY k VALUE v), JSON_ARRAYAGG(v) FROM t",
     "EXPR$0 VARCHAR(2000) NOT NULL, EXPR$1 VARCHAR(2000) NOT NULL"},
    {"SELECT JSON_VALUE('{\"a\":1}', '$.a' RETURNING INT), JSON_OBJECT('a' VALUE 1, "
     "'b' VALUE JSON_ARRAY(1,2)) FROM t",
     "EXPR$0 INT, EXPR$1 STRING NOT NULL"},
    {"SELECT SUM(v) FILTER (WHERE TRUE), SUM(v) FILTER (WHERE id > 1) FROM t GROUP "
     "BY k",
     "EXPR$0 INT, EXPR$1 INT"},
    {"SELECT SINGLE_VALUE(v) FROM t",
     "EXPR$0 INT"},
    {"SELECT id FROM t WINDOW w AS (ORDER BY ts)",
     "id INT"},
    {"SELECT ALL id FROM t",
     "id INT"},
    {"SELECT DISTINCT * FROM u",
     "id INT NOT NULL, w STRING NOT NULL, x INT"},
    {"SELECT CAST(ts AS TIMESTAMP(3)) FROM t",
     "EXPR$0 TIMESTAMP(3)"},
    {"SELECT CAST(v AS CHAR(0)) FROM t",
     "EXPR$0 CHAR(0) NOT NULL"},
    {"SELECT x.* FROM t, UNNEST(arr) AS x",
     "x INT"},
    {"SELECT x FROM t, UNNEST(arr) AS x",
     "x INT"},
    {"SELECT x.x FROM t, UNNEST(arr) AS x",
     "x INT"},
    {"SELECT y.* FROM t, UNNEST(ARRAY[ROW(1,2)]) AS y",
     "EXPR$0 INT NOT NULL, EXPR$1 INT NOT NULL"},
    {"SELECT * FROM (SELECT 1 AS a) AS q(b)",
     "b INT NOT NULL"},
    {"SELECT q.b FROM (SELECT 1 AS a) AS q(b)",
     "b INT NOT NULL"},
    {"SELECT * FROM t a LEFT JOIN u b USING (id) WHERE a.v > 1",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), d DECIMAL(10, 2), arr "
     "ARRAY<INT>, r ROW<`a` INT, `b` STRING>, w STRING, x INT"},
    {"SELECT * FROM t RIGHT JOIN u USING (id)",
     "id INT NOT NULL, k STRING, v INT, ts TIMESTAMP(3), d DECIMAL(10, 2), arr "
     "ARRAY<INT>, r ROW<`a` INT, `b` STRING>, w STRING NOT NULL, x INT"},
    {"SELECT * FROM t JOIN u ON t.id = u.id JOIN u b ON b.id = u.id",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), d DECIMAL(10, 2), arr "
     "ARRAY<INT>, r ROW<`a` INT, `b` STRING>, id0 INT NOT NULL, w STRING NOT NULL, "
     "x INT, id1 INT NOT NULL, w0 STRING NOT NULL, x0 INT"},
    {"SELECT * FROM (t JOIN u ON t.id = u.id)",
     "id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), d DECIMAL(10, 2), arr "
     "ARRAY<INT>, r ROW<`a` INT, `b` STRING>, id0 INT NOT NULL, w STRING NOT NULL, "
     "x INT"},
    {"SELECT u.w FROM (t JOIN u ON t.id = u.id)",
     "w STRING NOT NULL"},
    {"SELECT id FROM t JOIN u USING (id, id)",
     "id INT NOT NULL"},
    {"SELECT 1 FROM t JOIN u ON t.id = u.id AND EXISTS (SELECT 1 FROM u b WHERE "
     "b.id = t.id)",
     "EXPR$0 INT NOT NULL"},
    {"SELECT w.id FROM (SELECT * FROM t) w",
     "id INT"},
    {"SELECT default_database.u.id FROM t, u",
     "id INT NOT NULL"},
    {"SELECT `t`.`id` FROM t",
     "id INT"},
    {"SELECT t.k FROM t, LATERAL (SELECT w FROM u WHERE u.id = t.id) x",
     "k STRING"},
    {"SELECT t.k FROM t LEFT JOIN LATERAL (SELECT w FROM u WHERE u.id = t.id) x ON "
     "TRUE",
     "k STRING"},
    {"SELECT * FROM (VALUES (1), (CAST(NULL AS INT))) v(x) WHERE x IN (SELECT id "
     "FROM u)",
     "x INT"},
};
/* clang-format on */

static void
check_types(void (*tables)(session *), const expectation *list, uint32_t count)
{
    session s;
    session_open(&s);
    s.env.batch = s.eval.batch = true;
    tables(&s);
    for (uint32_t i = 0; i < count; i++) {
        const char *got = session_types(&s, list[i].sql);
        CHECK_MSG(strcmp(got, list[i].want) == 0, "%s\n  got  %s\n  want %s", list[i].sql, got,
                  list[i].want);
    }
    session_close(&s);
}

TEST(queries_have_flinks_columns)
{
    check_types(tables_a, queries_a, WR_COUNT(queries_a));
}

TEST(expressions_have_flinks_types)
{
    check_types(tables_b, queries_b, WR_COUNT(queries_b));
}

CHECK_MAIN()
