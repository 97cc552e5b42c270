-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Top-N per partition over rows that are only inserted: with and without the number, ranges, ties, NULLs.
CREATE TABLE s (id INT, k STRING, v INT, d DOUBLE) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5, 1.5]
["+I", 2, "b", 3, 0.5]
["+I", 3, "a", 7, 2.5]
["+I", 4, "a", 5, 1.5]
["+I", 5, null, 9, null]
["+I", 6, "a", null, 4.0]
["+I", 7, "b", 8, 0.5]
["+I", 8, "a", 9, -1.0]
["+I", 9, null, 1, 3.0]
["+I", 10, "a", 6, 1.5]
["+I", 11, "b", 3, 0.25]
["+I", 12, "c", 3, 1.0]
["+I", 13, "a", 9, -1.0]
["+I", 14, "a", 1, 7.0]
["+I", 15, "b", null, null]');
CREATE TABLE e (k STRING, v INT) WITH ('connector' = 'script', 'rows' = '');
SELECT id, k, v, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM s) WHERE rn <= 3;
SELECT id, k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM s) WHERE rn <= 3;
SELECT id, k, v, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS rn FROM s) WHERE rn <= 2;
SELECT id, k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS rn FROM s) WHERE rn <= 2;
SELECT id, k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM s) WHERE rn = 1;
SELECT id, k, v, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM s) WHERE rn = 1;
SELECT id, k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM s) WHERE rn < 2;
SELECT id, k, v, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM s) WHERE rn = 2;
SELECT id, k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM s) WHERE rn = 2;
SELECT id, k, v, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM s) WHERE rn > 1 AND rn <= 3;
SELECT id, k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM s) WHERE rn BETWEEN 2 AND 4;
SELECT id, k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM s) WHERE rn >= 2 AND 4 > rn;
SELECT id, k, v, rn FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY v DESC) AS rn FROM s) WHERE rn <= 3;
SELECT id, k, v FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY v DESC, id DESC) AS rn FROM s) WHERE rn <= 3;
SELECT id, k, v, d, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC, d) AS rn FROM s) WHERE rn <= 2;
SELECT id, k, d, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY d DESC NULLS LAST) AS rn FROM s) WHERE rn <= 2;
SELECT id, k, d, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY d NULLS LAST) AS rn FROM s) WHERE rn <= 2;
SELECT id, k, d, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY d DESC NULLS FIRST) AS rn FROM s) WHERE rn <= 2;
SELECT k, v, v * 2, rn + 1 FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM s) WHERE rn <= 2;
SELECT id, k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM s) WHERE rn <= 2 AND v > 6;
SELECT id, k, v, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM s) WHERE rn <= 3 AND k <> 'b';
SELECT id, k, v, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v + 1 DESC, id) AS rn FROM s) WHERE rn <= 2;
SELECT id, k, v, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY UPPER(k) ORDER BY v) AS rn FROM s) WHERE rn <= 2;
SELECT id, k, v, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k, v ORDER BY id DESC) AS rn FROM s) WHERE rn <= 1;
SELECT id, k, v, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM s) WHERE rn >= 1 AND rn <= 5 AND rn < 3;
SELECT * FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) <= 2;
SELECT id, v FROM s WHERE v > 3 QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY d DESC) = 1;
SELECT k, COUNT(*), SUM(v) FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM s) WHERE rn <= 2 GROUP BY k;
SELECT k, rn, MAX(v) FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM s) WHERE rn <= 2 GROUP BY k, rn;
SELECT k, v, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM e) WHERE rn <= 2;
SELECT id, k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM s) WHERE rn <= v;
SELECT id, k, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k, v ORDER BY id DESC) AS rn FROM s) WHERE rn <= v;
CREATE VIEW vt AS SELECT k, id, v, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM s) WHERE rn <= 2;
SELECT a.k, a.id, b.id FROM vt AS a JOIN vt AS b ON a.k = b.k AND a.rn = b.rn;
SELECT * FROM vt WHERE rn = 2;
SELECT * FROM vt WHERE v > 5;
