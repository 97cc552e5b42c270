-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
CREATE TABLE c (id INT, k STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 10]
["+I", 2, "a", 20]
["+I", 3, "b", 5]
["+I", 4, "a", 10]
["-U", 1, "a", 10]
["+U", 1, "a", 15]
["+I", 5, "a", null]
["-D", 4, "a", 10]
["+I", 6, "b", 1]
["-U", 3, "b", 5]
["+U", 3, "a", 5]
["+I", 7, "a", 10]
["-D", 2, "a", 20]
["-D", 6, "b", 1]
["+I", 8, "b", 9]
["-D", 5, "a", null]
["+I", 9, "a", 10]
["+I", 10, "a", 10]
["-D", 9, "a", 10]');
CREATE TABLE u (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'I,UA,D', 'rows' = '
["+I", 1, "a", 10]
["+I", 2, "a", 20]
["+U", 1, "a", 25]
["+I", 3, "b", 5]
["+U", 2, "b", 5]
["-D", 1, "a", 25]
["+I", 4, "a", 1]');
SELECT id, k, v, COUNT(*) OVER (PARTITION BY k ORDER BY v) AS r FROM c;
SELECT id, k, v, SUM(v) OVER (PARTITION BY k ORDER BY v) AS r FROM c;
SELECT id, k, v, COUNT(v) OVER (PARTITION BY k ORDER BY v) AS r FROM c;
SELECT id, k, v, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS r FROM c;
SELECT id, k, v, AVG(v) OVER (PARTITION BY k ORDER BY v) AS r FROM c;
SELECT id, k, v, MIN(id) OVER (PARTITION BY k ORDER BY v) AS r FROM c;
SELECT id, k, v, MAX(v) OVER (PARTITION BY k ORDER BY v) AS r FROM c;
SELECT id, k, v, LAST_VALUE(id) OVER (PARTITION BY k ORDER BY v) AS r FROM c;
SELECT id, k, v, RANK() OVER (PARTITION BY k ORDER BY v) AS r FROM c;
SELECT id, k, v, COUNT(*) OVER (PARTITION BY k ORDER BY v ROWS UNBOUNDED PRECEDING) AS r FROM c;
SELECT id, k, v, SUM(id) OVER (PARTITION BY k ORDER BY v ROWS UNBOUNDED PRECEDING) AS r FROM c;
SELECT id, k, v, SUM(v) OVER (ORDER BY id) AS r FROM c;
SELECT k, n, SUM(n) OVER (ORDER BY k) AS r FROM (SELECT k, COUNT(*) AS n FROM c GROUP BY k);
SELECT k, SUM(SUM(v)) OVER (ORDER BY k) AS r FROM c GROUP BY k;
SELECT id, k, v, COUNT(*) OVER (PARTITION BY k ORDER BY v) AS r FROM u;
SELECT id, k, v, SUM(v) OVER (PARTITION BY k ORDER BY v) AS r FROM u;
SELECT id, k, v, COUNT(v) OVER (PARTITION BY k ORDER BY v) AS r FROM u;
SELECT id, k, v, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS r FROM u;
SELECT id, k, v, AVG(v) OVER (PARTITION BY k ORDER BY v) AS r FROM u;
SELECT id, k, v, MIN(id) OVER (PARTITION BY k ORDER BY v) AS r FROM u;
SELECT id, k, v, MAX(v) OVER (PARTITION BY k ORDER BY v) AS r FROM u;
SELECT id, k, v, LAST_VALUE(id) OVER (PARTITION BY k ORDER BY v) AS r FROM u;
SELECT id, k, v, FIRST_VALUE(id) OVER (PARTITION BY k ORDER BY v) AS r FROM u;
SELECT id, k, v, RANK() OVER (PARTITION BY k ORDER BY v) AS r FROM u;
SELECT id, k, v, COUNT(*) OVER (PARTITION BY k ORDER BY v ROWS UNBOUNDED PRECEDING) AS r FROM u;
SELECT id, k, v, SUM(id) OVER (PARTITION BY k ORDER BY v ROWS UNBOUNDED PRECEDING) AS r FROM u;
SELECT id, k, v, SUM(v) OVER (ORDER BY id) AS r FROM u;
SELECT k, n, SUM(n) OVER (ORDER BY k) AS r FROM (SELECT k, COUNT(*) AS n FROM u GROUP BY k);
SELECT k, SUM(SUM(v)) OVER (ORDER BY k) AS r FROM u GROUP BY k;
SELECT k, SUM(s) FROM (SELECT k, SUM(v) OVER (PARTITION BY k ORDER BY v) AS s FROM u) GROUP BY k;
