-- SPDX-License-Identifier: Apache-2.0
-- Aggregates: inputs that made reported faults visible.
CREATE TABLE t (a BOOLEAN, b INT, c STRING, d DECIMAL(10, 2), e BIGINT, f DOUBLE) WITH ('connector' = 'script', 'rows' = '
["+I", true, 1, "x", "1.10", 10, 0.5]
["+I", false, 2, "x", "2.20", 20, 1.5]
["+I", true, 3, "y", null, 30, null]
["+I", null, 4, null, "4.40", null, 2.5]
["+I", true, null, "y", "5.50", 50, -0.5]
["+I", false, 2, "x", "2.20", 20, 1.5]');
CREATE TABLE s (id INT, g STRING, v INT, x DECIMAL(10, 2), w STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5, "1.00", "p"]
["+I", 2, "a", null, "2.00", "q"]
["-D", 1, "a", 5, "1.00", "p"]
["+I", 3, "a", 7, "3.50", "p"]
["+I", 4, "b", 1, null, null]
["-U", 3, "a", 7, "3.50", "p"]
["+U", 3, "a", 2, "0.50", "r"]
["-D", 4, "b", 1, null, null]
["+I", 5, "c", 3, "9.99", "z"]
["+I", 6, "a", 2, "0.50", "r"]
["-D", 3, "a", 2, "0.50", "r"]');
-- FLINK-30687: FILTER by the first column.
SELECT COUNT(*) FILTER (WHERE a), SUM(b) FILTER (WHERE a), COUNT(b) FILTER (WHERE NOT a) FROM t;
SELECT c, COUNT(*) FILTER (WHERE a), COUNT(DISTINCT b) FILTER (WHERE a), MAX(e) FILTER (WHERE a IS NOT TRUE) FROM t GROUP BY c;
-- The like: MIN and MAX are taken back until only NULL is left.
SELECT g, MAX(v), MIN(v), COUNT(*), COUNT(v), SUM(v), AVG(v) FROM s GROUP BY g;
-- FLINK-24809: types of SUM and AVG of DECIMAL, with and without changes.
SELECT SUM(d), AVG(d), SUM(x1), AVG(x1) FROM (SELECT d, CAST(d AS DECIMAL(38, 10)) AS x1 FROM t);
SELECT g, SUM(x), AVG(x) FROM s GROUP BY g;
-- A DISTINCT on a sum that is filtered.
SELECT SUM(DISTINCT b) FILTER (WHERE c = 'x'), SUM(DISTINCT b), COUNT(DISTINCT c), COUNT(DISTINCT a) FROM t;
-- GROUP BY with functions on the keys.
SELECT UPPER(c), COUNT(*) FROM t GROUP BY UPPER(c) HAVING UPPER(c) IS NOT NULL;
-- No group at all, only constants.
SELECT 'c', COUNT(*) FROM t GROUP BY ();
SELECT COUNT(*) FROM t WHERE FALSE;
SELECT c, COUNT(*) FROM t WHERE FALSE GROUP BY c;
-- LISTAGG and separators, NULLs, retraction of them.
SELECT g, LISTAGG(w), LISTAGG(w, '|') FROM s GROUP BY g;
SELECT LISTAGG(DISTINCT c) FROM t;
SELECT LISTAGG(c, '') FROM t;
-- FIRST and LAST VALUE over changes and NULLs.
SELECT g, FIRST_VALUE(v), LAST_VALUE(v), FIRST_VALUE(w), LAST_VALUE(w) FROM s GROUP BY g;
SELECT FIRST_VALUE(e), LAST_VALUE(e), FIRST_VALUE(c), LAST_VALUE(a) FROM t;
-- ARRAY_AGG with NULLs, ROW.
SELECT g, ARRAY_AGG(v), ARRAY_AGG(DISTINCT v) FROM s GROUP BY g;
SELECT ARRAY_AGG(c) FILTER (WHERE b > 1), COUNT(*) FROM t;
-- A constant beside a group key.
SELECT 'tag' AS tag, c FROM t GROUP BY b, c;
-- GROUP BY a constant or the whole row.
SELECT COUNT(*) FROM t GROUP BY 1 + 1;
SELECT COUNT(*) FROM (SELECT DISTINCT a, b, c FROM t);
-- Statistics functions of few rows.
SELECT VAR_POP(f), VAR_SAMP(f), STDDEV_POP(f), STDDEV_SAMP(f), AVG(f) FROM t WHERE b = 1;
SELECT c, VAR_POP(e), VAR_SAMP(e), STDDEV_POP(e), STDDEV_SAMP(e) FROM t GROUP BY c;
-- COUNT of several columns.
SELECT COUNT(b, c), COUNT(DISTINCT b, c) FROM t;
-- Several DISTINCT with other arguments.
SELECT c, COUNT(DISTINCT a), COUNT(DISTINCT b), SUM(DISTINCT e), MAX(DISTINCT f), AVG(DISTINCT b) FROM t GROUP BY c;
-- FLINK-33936: results that do not change.
SELECT c, MAX(b) FROM t GROUP BY c;
-- Group by boolean, by decimal, by double, by NULL.
SELECT a, COUNT(*) FROM t GROUP BY a;
SELECT d, COUNT(*) FROM t GROUP BY d;
SELECT f, COUNT(*) FROM t GROUP BY f;
-- GROUPING SETS with duplicates, with ().
SELECT a, c, COUNT(*), GROUPING(a), GROUPING(c), GROUPING(a, c), GROUPING_ID(c, a) FROM t GROUP BY GROUPING SETS ((a, c), (a), (c), ());
SELECT c, b, SUM(e) FROM t GROUP BY ROLLUP (c, b);
SELECT c, SUM(b) FROM t GROUP BY CUBE (c);
SELECT c, SUM(b), GROUP_ID() FROM t GROUP BY GROUPING SETS ((c), ());
-- Aggregate of the group column in grouping sets.
SELECT c, MAX(c), COUNT(c), SUM(e) FROM t GROUP BY GROUPING SETS ((), (c), (c, e));
-- HAVING with an aggregate that is not selected.
SELECT c FROM t GROUP BY c HAVING COUNT(*) > 1 AND MAX(b) < 3;
SELECT g FROM s GROUP BY g HAVING SUM(v) > 2;
-- Nested aggregates over changes.
SELECT n, COUNT(*) FROM (SELECT g, COUNT(*) AS n FROM s GROUP BY g) GROUP BY n;
SELECT MAX(n), MIN(n), SUM(n) FROM (SELECT g, COUNT(v) AS n FROM s GROUP BY g);
SELECT SUM(m) FROM (SELECT g, MAX(v) AS m FROM s GROUP BY g);
-- BOOLEAN as MAX and MIN.
SELECT MAX(a), MIN(a), MAX(c), MIN(c) FROM t;
-- CASE inside of aggregates.
SELECT SUM(CASE WHEN a THEN 1 ELSE 0 END), SUM(CASE WHEN a THEN b END), COUNT(CASE WHEN c = 'x' THEN 1 END) FROM t;
-- Overflow of SUM wraps.
SELECT SUM(CAST(x AS INT)), SUM(CAST(x AS TINYINT)), SUM(x) FROM (VALUES (2147483647), (1)) AS v(x) WHERE x > 0;
SELECT SUM(x), AVG(x) FROM (VALUES (CAST(127 AS TINYINT)), (CAST(1 AS TINYINT))) AS v(x);
SELECT AVG(x), AVG(DISTINCT x) FROM (VALUES (1), (2), (2)) AS v(x);
SELECT SUM(x) FROM (VALUES (CAST(NULL AS INT))) AS v(x);
SELECT COUNT(x), SUM(x), MAX(x) FROM (VALUES (CAST(NULL AS DECIMAL(5, 2)))) AS v(x);
SELECT c, SUM(b) / COUNT(*) AS r, SUM(b) * 1.0 / COUNT(*) FROM t GROUP BY c;
SELECT APPROX_COUNT_DISTINCT(b) FROM t;
SELECT COLLECT(c) FROM t;
SELECT JSON_OBJECTAGG(KEY CAST(e AS STRING) VALUE c NULL ON NULL) FROM t WHERE e IS NOT NULL AND e < 25 AND b = 1;
SELECT JSON_ARRAYAGG(c) FROM t;
SELECT JSON_ARRAYAGG(c NULL ON NULL) FROM t;
