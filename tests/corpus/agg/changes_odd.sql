-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- mini: no
-- order: any
-- conf: weir.explain.state=false
-- Groups over changing rows: everything that can be taken back, rows that never came, keys that move, filters that open and close.
CREATE TABLE c (id INT NOT NULL, k STRING, b BOOLEAN, v INT, bi BIGINT, d DECIMAL(10, 2), f DOUBLE, s STRING, ts TIMESTAMP(3)) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
["+I", 1, "a", true, 10, 9223372036854775807, 1.50, 0.5, "x", "2024-01-01 10:00:01"]
["+I", 2, "a", false, 20, 1, 2.50, 1.5, "y", "2024-01-01 10:00:02"]
["+I", 3, "b", null, null, null, null, null, null, null]
["-U", 1, "a", true, 10, 9223372036854775807, 1.50, 0.5, "x", "2024-01-01 10:00:01"]
["+U", 1, "a", false, 5, -1, 3.50, 2.5, "x", "2024-01-01 09:00:00"]
["+I", 4, "a", true, 20, 1, 2.50, 1.5, "y", "2024-01-01 10:00:02"]
["-D", 2, "a", false, 20, 1, 2.50, 1.5, "y", "2024-01-01 10:00:02"]
["-U", 3, "b", null, null, null, null, null, null, null]
["+U", 3, "a", null, 7, null, 0.00, 8.25, null, "1969-12-31 23:59:59"]
["-D", 9, "z", true, 1, 1, 1.00, 1.0, "q", "2024-01-01 00:00:00"]
["+I", 5, "z", true, 3, 3, 3.00, 3.0, "q", "2024-01-01 00:00:00"]
["-D", 1, "a", false, 5, -1, 3.50, 2.5, "x", "2024-01-01 09:00:00"]
["-D", 4, "a", true, 20, 1, 2.50, 1.5, "y", "2024-01-01 10:00:02"]
["-D", 3, "a", null, 7, null, 0.00, 8.25, null, "1969-12-31 23:59:59"]
["+I", 6, "a", true, 1, 1, 1.00, 1.0, "w", "2024-01-01 00:00:00"]');
CREATE TABLE u (id INT NOT NULL, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'I,UA,D', 'rows' = '
["+I", 1, "a", 10]
["+I", 2, "b", 20]
["+U", 1, "b", 11]
["+U", 2, "b", 20]
["-D", 1, null, null]
["+U", 3, "a", 5]
["-D", 7, "q", 5]
["+I", 1, "a", 1]
["-D", 3, "a", 5]');
SELECT k, COUNT(*), COUNT(v), SUM(v), AVG(v) FROM c GROUP BY k;
SELECT k, SUM(bi), AVG(bi) FROM c GROUP BY k;
SELECT k, SUM(d), AVG(d), SUM(f) FROM c GROUP BY k;
SELECT k, MIN(v), MAX(v), MIN(s), MAX(s), MIN(ts), MAX(ts) FROM c WHERE k <> 'z' GROUP BY k;
SELECT k, MIN(b), MAX(b), MIN(d), MAX(f) FROM c WHERE k <> 'z' GROUP BY k;
SELECT k, COUNT(DISTINCT v), SUM(DISTINCT v), COUNT(DISTINCT s) FROM c WHERE k <> 'z' GROUP BY k;
SELECT k, COUNT(DISTINCT v) FILTER (WHERE b), COUNT(DISTINCT v) FILTER (WHERE NOT b), COUNT(*) FILTER (WHERE b IS NULL) FROM c WHERE k <> 'z' GROUP BY k;
SELECT k, FIRST_VALUE(s), LAST_VALUE(s), FIRST_VALUE(v), LAST_VALUE(v) FROM c WHERE k <> 'z' GROUP BY k;
SELECT k, LISTAGG(s), LISTAGG(s, '|') FROM c WHERE k <> 'z' GROUP BY k;
SELECT k, ARRAY_AGG(v) FROM c WHERE k <> 'z' GROUP BY k;
SELECT k, COLLECT(s) FROM c WHERE k <> 'z' GROUP BY k;
SELECT k, VAR_POP(v), STDDEV_SAMP(v) FROM c WHERE k <> 'z' GROUP BY k;
SELECT k, JSON_ARRAYAGG(v) FROM c WHERE k <> 'z' GROUP BY k;
SELECT COUNT(*), SUM(v), MIN(v), MAX(s) FROM c WHERE k <> 'z';
SELECT COUNT(*), SUM(v), MAX(v) FROM c WHERE id > 100;
SELECT k, SUM(v) FROM c GROUP BY k HAVING SUM(v) > 15;
SELECT k, COUNT(*) FROM c GROUP BY k HAVING MAX(v) >= 20 AND COUNT(*) < 3;
SELECT k FROM c GROUP BY k;
SELECT DISTINCT k, b FROM c;
SELECT DISTINCT v > 6 FROM c WHERE k <> 'z';
SELECT b, k, COUNT(*) FROM c WHERE k <> 'z' GROUP BY CUBE (b, k);
SELECT k, b, GROUPING(k), GROUPING(b), MAX(v) FROM c WHERE k <> 'z' GROUP BY GROUPING SETS ((k), (b), ());
SELECT cnt, COUNT(*) FROM (SELECT k, COUNT(*) AS cnt FROM c WHERE k <> 'z' GROUP BY k) GROUP BY cnt;
SELECT MAX(s), MIN(s), SUM(s) FROM (SELECT k, SUM(v) AS s FROM c WHERE k <> 'z' GROUP BY k);
SELECT s, COUNT(DISTINCT k) FROM (SELECT k, SUM(v) AS s FROM c WHERE k <> 'z' GROUP BY k) GROUP BY s;
SELECT k, COUNT(*), SUM(v), MAX(v) FROM u GROUP BY k;
SELECT COUNT(*), SUM(v), COUNT(DISTINCT k) FROM u;
SELECT k, LISTAGG(CAST(id AS STRING)) FROM u GROUP BY k;
SELECT k, MAX(m) FROM (SELECT id, k, MAX(v) AS m FROM u GROUP BY id, k) GROUP BY k;
SELECT k, SUM(v) FROM u GROUP BY k HAVING SUM(v) > 10;
SELECT id, v, rn FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY v DESC) AS rn FROM u) WHERE rn <= 2;
SELECT k, id, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS rn FROM u) WHERE rn <= 1;
SELECT id, v, SUM(v) OVER (PARTITION BY k ORDER BY id) FROM u;
SELECT k, s, RANK() OVER (ORDER BY s) FROM (SELECT k, SUM(v) AS s FROM u GROUP BY k);
SELECT id, COUNT(*) OVER (ORDER BY v), SUM(v) OVER (ORDER BY v), MAX(k) OVER (ORDER BY v) FROM u;
SELECT k, SUM(v) + COUNT(*) * 10 AS x, CASE WHEN COUNT(*) > 1 THEN 'many' ELSE 'one' END FROM u GROUP BY k;
SELECT k, AVG(v * 1.0), AVG(CAST(v AS DOUBLE)), SUM(v) / COUNT(v) FROM u GROUP BY k;
SELECT SUM(d) FROM (SELECT CAST(99999999999999999999999999999999999999 AS DECIMAL(38, 0)) AS d FROM u WHERE id < 3);
SELECT SUM(CAST(9223372036854775807 AS BIGINT)), AVG(CAST(9223372036854775807 AS BIGINT)) FROM u WHERE id < 3;
SELECT SUM(CAST(2147483647 AS INT)), AVG(2147483647), SUM(CAST(127 AS TINYINT)) FROM u WHERE id < 3;
EXPLAIN CHANGELOG_MODE SELECT k, SUM(v) FROM c GROUP BY k HAVING SUM(v) > 15;
EXPLAIN CHANGELOG_MODE SELECT cnt, COUNT(*) FROM (SELECT k, COUNT(*) AS cnt FROM u GROUP BY k) GROUP BY cnt;
EXPLAIN CHANGELOG_MODE SELECT MAX(s), MIN(s) FROM (SELECT k, SUM(v) AS s FROM c GROUP BY k);
EXPLAIN SELECT k, COUNT(DISTINCT v) FILTER (WHERE b), COUNT(DISTINCT v), SUM(v) FILTER (WHERE v > 3) FROM c GROUP BY k;
EXPLAIN SELECT COUNT(*) FROM c HAVING COUNT(*) > 1;
EXPLAIN SELECT DISTINCT v > 6 FROM c;
EXPLAIN SELECT k, MAX(v) FROM u GROUP BY k, 1, UPPER(k);
