-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- compare: final
-- Top-N and deduplication below and above other operators.
CREATE TABLE s (id INT, k STRING, g INT, v INT, pt AS PROCTIME()) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 1, 5]
["+I", 2, "b", 1, 3]
["+I", 3, "a", 2, 7]
["+I", 4, "a", 2, 5]
["+I", 5, null, 1, 9]
["+I", 6, "a", 1, null]
["+I", 7, "b", 2, 8]
["+I", 8, "a", null, 9]
["+I", 9, null, 1, 1]
["+I", 10, "c", 3, 6]
["+I", 11, "b", 3, 3]
["+I", 12, "c", 3, 2]
["+I", 13, "a", 1, 11]
["+I", 14, "c", 1, 1]
["+I", 15, "b", 2, 12]');
CREATE TABLE d (k STRING, name STRING) WITH ('connector' = 'script', 'rows' = '
["+I", "a", "anna"]
["+I", "b", "bert"]
["+I", "b", "bill"]
["-D", "b", "bert"]');
SELECT k, SUM(v), COUNT(*), MAX(rn) FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC, id) AS rn FROM s) WHERE rn <= 3 GROUP BY k;
SELECT rn, SUM(v) FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC, id) AS rn FROM s) WHERE rn <= 3 GROUP BY rn;
SELECT name, id, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC, id) AS rn FROM s) AS x JOIN d ON x.k = d.k WHERE rn <= 2;
SELECT k, id, rn FROM (SELECT k, id, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC, id) AS rn FROM (SELECT k, id, v FROM s UNION ALL SELECT k, id + 100, v FROM s)) WHERE rn <= 3;
SELECT k, g, m, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY m DESC, g) AS rn FROM (SELECT k, g, MAX(v) AS m FROM s GROUP BY k, g)) WHERE rn <= 2;
SELECT k, g, m, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY m, g) AS rn FROM (SELECT k, g, AVG(v) AS m FROM s GROUP BY k, g)) WHERE rn <= 2;
SELECT g, m FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY m DESC, g) AS rn FROM (SELECT g, SUM(v) AS m FROM s GROUP BY g)) WHERE rn <= 2;
SELECT DISTINCT k FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC, id) AS rn FROM s) WHERE rn <= 2 AND v > 5;
SELECT id, k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC, id) AS rn FROM s) WHERE rn <= 4 ORDER BY v DESC, id LIMIT 5;
SELECT k, v FROM (SELECT k, v, ROW_NUMBER() OVER (PARTITION BY k ORDER BY n DESC, v) AS rn FROM (SELECT k, v, COUNT(*) AS n FROM s GROUP BY k, v)) WHERE rn = 1;
SELECT x.k, x.id, y.id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC, id) AS rn FROM s) x LEFT JOIN (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v, id) AS rn FROM s) y ON x.k = y.k AND x.rn = y.rn WHERE x.rn <= 2 AND (y.rn IS NULL OR y.rn <= 2);
SELECT k, id, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC, id) AS rn FROM s) WHERE rn < 3 AND rn > 1 - 1;
SELECT k, id, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v, id) AS rn FROM s) WHERE rn <= 3 AND rn <> 2;
SELECT k, id, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY id) AS rn FROM s) WHERE rn IN (1, 3);
SELECT k, id, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY id) AS rn FROM s) WHERE rn + 1 <= 3;
SELECT k, id, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY id) AS rn FROM s) WHERE rn = g;
SELECT k, id FROM (SELECT *, ROW_NUMBER() OVER w AS rn FROM s WINDOW w AS (PARTITION BY k ORDER BY v DESC, id)) WHERE rn <= 2;
SELECT k, c FROM (SELECT k, c, ROW_NUMBER() OVER (ORDER BY c DESC, k) AS rn FROM (SELECT k, COUNT(*) AS c FROM (SELECT k, id, ROW_NUMBER() OVER (PARTITION BY id ORDER BY pt) AS r FROM s) WHERE r = 1 GROUP BY k)) WHERE rn <= 2;
