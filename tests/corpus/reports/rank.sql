-- SPDX-License-Identifier: Apache-2.0
-- Top-N and deduplication: inputs that made reported faults visible. Each statement names its report.
CREATE TABLE d (g STRING, id INT, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", "g", 1, 9]
["+I", "g", 2, 8]
["+I", "g", 3, 7]
["+I", "g", 4, 6]
["-D", "g", 3, 7]
["+I", "h", 5, 1]
["-D", "h", 5, 1]
["+I", "h", 6, 2]
["-D", "g", 1, 9]
["+I", "g", 7, 6]
["-D", "g", 4, 6]');
CREATE TABLE e (k STRING, a INT, b INT) WITH ('connector' = 'script', 'rows' = '
["+I", "x", 5, 1]
["+I", "x", 0, 1]
["+I", "x", 0, 1]
["+I", "y", 3, 2]
["+I", "y", null, 3]
["+I", "x", 7, 9]
["+I", null, 4, 4]
["+I", null, 2, 5]');
CREATE TABLE u (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "p", 10]
["+I", 2, "p", 20]
["+I", 3, "p", 30]
["-U", 1, "p", 10]
["+U", 1, "p", 40]
["-U", 2, "p", 20]
["+U", 2, "q", 20]
["+I", 4, "p", 5]
["-D", 3, "p", 30]
["-U", 1, "p", 40]
["+U", 1, "p", 1]');
-- FLINK-23107: deduplication by a column that is no time.
SELECT k, a, b FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY a DESC) AS rn FROM e) WHERE rn = 1;
-- FLINK-23142: sort keys change while the number is shown.
SELECT k, n, s, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY 1 ORDER BY s DESC) AS rn FROM (SELECT k, COUNT(*) AS n, SUM(b) AS s FROM e GROUP BY k)) WHERE rn <= 2;
-- FLINK-15497: the number is not wanted: fewer changes.
SELECT id, k FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS rn FROM u) WHERE rn <= 2;
-- FLINK-34702: deduplication over a changelog is a rank.
SELECT id, k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM u) WHERE rn = 1;
-- FLINK-26051: a CASE above the number one.
SELECT id, CASE WHEN v > 15 THEN 'big' ELSE 'small' END AS size FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM u) WHERE rn = 1 AND (CASE WHEN v > 15 THEN 'big' ELSE 'small' END) = 'big';
-- Partition by a key that is computed.
SELECT n, v FROM (SELECT UPPER(k) AS n, v, ROW_NUMBER() OVER (PARTITION BY UPPER(k) ORDER BY v) AS rn FROM u) WHERE rn <= 1;
-- The number is compared with another column.
SELECT id, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY id) AS rn FROM u) WHERE rn <= v;
-- A limit above an order that is a prefix.
SELECT k, v FROM (SELECT * FROM u ORDER BY v LIMIT 3) ORDER BY v DESC LIMIT 1;
-- FLINK-20370: the sink's key is not the key of the Top-N.
SELECT k, COUNT(*) FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM u) WHERE rn <= 2 GROUP BY k;
-- Only the number and constants are selected.
SELECT rn, 'c' FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM u) WHERE rn <= 2;
-- Two numbers in one query.
SELECT id, r1, r2 FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS r2 FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS r1 FROM e2) WHERE r1 <= 3) WHERE r2 <= 1;
-- A Top-N with a constant order key.
SELECT id, v FROM (SELECT *, RANK() OVER (ORDER BY v) AS rn FROM u) WHERE rn <= 2;
SELECT id, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS rn FROM u) WHERE rn <= 0;
SELECT id, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS rn FROM u) WHERE rn < 2 OR rn = 3;
SELECT id, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS rn FROM u) WHERE 2 >= rn;
SELECT id, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS rn FROM u) WHERE rn IN (1, 2);
SELECT MAX(rn) FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS rn FROM u) WHERE rn <= 3;
