-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- compare: final
-- conf: weir.explain.state=false
-- conf: table.exec.mini-batch.enabled=true
-- conf: table.exec.mini-batch.allow-latency=2 s
-- conf: table.exec.mini-batch.size=5
-- Mini-batches with two phases and split DISTINCT: joins, sub-queries, DISTINCT, FILTER, retractions, odd types, Top-N and deduplication above and below.
CREATE TABLE c (id INT NOT NULL, k STRING, v INT, d DECIMAL(8, 2), dt DATE, bo BOOLEAN, ts TIMESTAMP(3), ar ARRAY<INT>, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 1, 1.50, "2024-01-01", true, "2024-01-01 00:00:00", [1]]
["+I", 2, "a", 2, 2.50, "2024-01-02", false, "2024-01-01 00:00:01", [2]]
["+I", 3, "b", null, null, null, null, null, null]
["+I", 4, null, 4, 4.00, "2024-01-01", true, "2024-01-01 00:00:00", []]
["-U", 1, "a", 1, 1.50, "2024-01-01", true, "2024-01-01 00:00:00", [1]]
["+U", 1, "b", 5, 1.50, "2024-01-01", true, "2024-01-01 00:00:00", [1]]
["+I", 5, "a", 2, 2.50, "2024-01-02", false, "2024-01-01 00:00:01", [2]]
["-D", 4, null, 4, 4.00, "2024-01-01", true, "2024-01-01 00:00:00", []]
["+I", 6, "c", -7, -0.01, "1969-12-31", false, "1969-12-31 23:59:59", [7, 7]]
["-U", 3, "b", null, null, null, null, null, null]
["+U", 3, "b", 9, 9.99, "2024-01-03", true, "2024-01-01 00:00:02", [9]]
["-D", 6, "c", -7, -0.01, "1969-12-31", false, "1969-12-31 23:59:59", [7, 7]]');
CREATE TABLE a (k STRING, v INT, w STRING) WITH ('connector' = 'script', 'changelog-mode' = 'I', 'rows' = '
["+I", "a", 1, "x"]
["+I", "a", 1, "y"]
["+I", "b", null, "x"]
["+I", "a", 3, null]
["+I", null, 4, "z"]
["+I", "b", 5, "x"]
["+I", "a", 1, "x"]');
CREATE TABLE u (id INT NOT NULL, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'upsert', 'rows' = '
["+I", 1, "a", 10]
["+U", 1, "b", 11]
["+U", 2, "a", 20]
["-D", 1, null, null]
["+U", 3, "c", 1]
["+U", 2, "a", 21]');
SELECT k, COUNT(*), SUM(v), AVG(v), MIN(v), MAX(v), COUNT(v) FROM c GROUP BY k;
SELECT k, SUM(d), AVG(d), MIN(d), MAX(dt), MIN(ts), MAX(bo) FROM c GROUP BY k;
SELECT k, COUNT(DISTINCT v), COUNT(DISTINCT dt), SUM(DISTINCT v), COUNT(DISTINCT bo) FROM c GROUP BY k;
SELECT k, COUNT(DISTINCT v) FILTER (WHERE v > 1), COUNT(*) FILTER (WHERE bo), SUM(v) FILTER (WHERE id < 4) FROM c GROUP BY k;
SELECT k, FIRST_VALUE(v), LAST_VALUE(v) FROM c GROUP BY k;
SELECT k, COUNT(DISTINCT v), LISTAGG(CAST(v AS STRING)) FROM a GROUP BY k;
SELECT COUNT(*), SUM(v), COUNT(DISTINCT k) FROM c;
SELECT COUNT(DISTINCT k), COUNT(DISTINCT w), COUNT(DISTINCT v) FROM a;
SELECT dt, bo, COUNT(*) FROM c GROUP BY dt, bo;
SELECT ar, COUNT(*) FROM c GROUP BY ar;
SELECT ts, SUM(v) FROM c GROUP BY ts;
SELECT k, STDDEV_POP(v), VAR_SAMP(v) FROM c GROUP BY k;
SELECT k, COLLECT(v), ARRAY_AGG(v) FROM a GROUP BY k;
SELECT k, w, COUNT(*) FROM a GROUP BY ROLLUP (k, w);
SELECT k, w, COUNT(DISTINCT v), GROUPING(k), GROUPING_ID(k, w) FROM a GROUP BY CUBE (k, w);
SELECT k, COUNT(DISTINCT v) FROM c GROUP BY GROUPING SETS ((k), ());
SELECT k, COUNT(*) FROM u GROUP BY k;
SELECT COUNT(DISTINCT k), SUM(v) FROM u;
SELECT n, COUNT(*) FROM (SELECT k, COUNT(*) AS n FROM c GROUP BY k) GROUP BY n;
SELECT MAX(n), SUM(n), COUNT(DISTINCT n) FROM (SELECT k, COUNT(DISTINCT v) AS n FROM a GROUP BY k);
SELECT k, COUNT(*) AS n FROM c GROUP BY k HAVING COUNT(*) > 1 AND MAX(v) > 2;
SELECT a.k, COUNT(*), SUM(c.v) FROM a JOIN c ON a.k = c.k GROUP BY a.k;
SELECT a.k, c.id FROM a LEFT JOIN c ON a.k = c.k AND a.v = c.v;
SELECT a.w, u.v FROM a FULL JOIN u ON a.k = u.k;
SELECT c.k, COUNT(u.id) FROM c LEFT JOIN u ON c.id = u.id GROUP BY c.k;
SELECT id FROM c WHERE k IN (SELECT k FROM a WHERE v > 1);
SELECT id FROM c WHERE NOT EXISTS (SELECT 1 FROM a WHERE a.k = c.k);
SELECT DISTINCT k FROM c;
SELECT DISTINCT k, w FROM a;
SELECT k FROM c UNION SELECT k FROM a;
SELECT k FROM c EXCEPT SELECT k FROM a;
SELECT k FROM c INTERSECT ALL SELECT k FROM a;
SELECT k, v, rn FROM (SELECT k, v, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM (SELECT k, v, COUNT(*) AS n FROM c WHERE v IS NOT NULL GROUP BY k, v)) WHERE rn <= 2;
SELECT k, n FROM (SELECT k, COUNT(*) AS n FROM c GROUP BY k) ORDER BY n DESC, k LIMIT 2;
SELECT k, SUM(v) FROM c GROUP BY k, dt;
SELECT SUM(v) FROM c WHERE FALSE;
SELECT k, COUNT(*) FROM c WHERE id > 100 GROUP BY k;
SELECT k, (SELECT MAX(v) FROM u WHERE u.k = c.k) FROM c;
SET 'table.optimizer.distinct-agg.split.enabled' = 'true';
SELECT k, COUNT(DISTINCT v), SUM(v), MAX(w) FROM a GROUP BY k;
SELECT COUNT(DISTINCT k), COUNT(DISTINCT v), COUNT(*) FROM a;
SELECT k, COUNT(DISTINCT v), COUNT(DISTINCT bo), AVG(v) FROM c GROUP BY k;
SELECT k, COUNT(DISTINCT v) FILTER (WHERE v > 1), COUNT(DISTINCT v) FROM c GROUP BY k;
SELECT k, SUM(DISTINCT v), MIN(d) FROM c GROUP BY k;
SET 'table.optimizer.agg-phase-strategy' = 'ONE_PHASE';
SELECT k, COUNT(DISTINCT v), SUM(v) FROM c GROUP BY k;
SELECT COUNT(DISTINCT k), COUNT(DISTINCT v) FROM a;
SELECT k, AVG(DISTINCT v) FROM a GROUP BY k;
SET 'table.optimizer.incremental-agg-enabled' = 'false';
SET 'table.optimizer.agg-phase-strategy' = 'TWO_PHASE';
SELECT k, COUNT(DISTINCT v), SUM(v) FROM a GROUP BY k;
