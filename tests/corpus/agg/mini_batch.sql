-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- compare: final
-- conf: table.exec.mini-batch.enabled=true
-- conf: table.exec.mini-batch.allow-latency=1 s
-- conf: table.exec.mini-batch.size=3
-- Mini-batches fold changes per key: the final content is that of row by row.
CREATE TABLE t (id INT, k STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5]
["+I", 2, "b", 3]
["+I", 3, "a", 9]
["+I", 4, null, 1]
["+I", 5, "b", null]
["+I", 6, "a", 5]
["+I", 7, "c", 2]');
CREATE TABLE c (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5]
["+I", 2, "b", 3]
["-U", 1, "a", 5]
["+U", 1, "b", 6]
["+I", 3, "a", 7]
["-D", 2, "b", 3]
["-U", 3, "a", 7]
["+U", 3, "a", 8]
["-D", 1, "b", 6]');
CREATE TABLE u (id INT, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'upsert', 'rows' = '
["+I", 1, 5]
["+U", 1, 6]
["+U", 2, 7]
["-D", 1, null]
["+U", 2, 8]');
SELECT k, COUNT(*), SUM(v) FROM t GROUP BY k;
SELECT k, MIN(v), MAX(v), AVG(v) FROM t GROUP BY k;
SELECT k, COUNT(DISTINCT v) FROM t GROUP BY k;
SELECT COUNT(*), SUM(v) FROM t;
SELECT DISTINCT k FROM t;
SELECT k, COUNT(*), SUM(v) FROM c GROUP BY k;
SELECT k, MIN(v), MAX(v) FROM c GROUP BY k;
SELECT COUNT(*), COUNT(DISTINCT k) FROM c;
SELECT k, COUNT(*) FILTER (WHERE v > 5) FROM c GROUP BY k;
SELECT n, COUNT(*) FROM (SELECT k, COUNT(*) AS n FROM t GROUP BY k) GROUP BY n;
SELECT * FROM t JOIN c ON t.id = c.id;
SELECT t.id, c.v FROM t LEFT JOIN c ON t.id = c.id;
SELECT t.k, c.v FROM t FULL JOIN c ON t.k = c.k;
SELECT id FROM t WHERE id IN (SELECT id FROM c);
SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.id = t.id);
SELECT k, SUM(v) AS s FROM t GROUP BY k ORDER BY s DESC LIMIT 2;
SELECT * FROM u;
SELECT COUNT(*) FROM u;
SELECT k FROM t UNION SELECT k FROM c;
SELECT k, COUNT(*) FROM t GROUP BY ROLLUP (k);
