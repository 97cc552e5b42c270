-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Keys of several columns and of every type, many inputs, deep chains.
SET 'table.optimizer.multi-join.enabled' = 'true';
CREATE TABLE a (k1 INT, k2 STRING, k3 BIGINT, d DECIMAL(10, 2), t TIMESTAMP(3), v INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 10, 1.50, "2020-01-01 00:00:00", 1]
["+I", 1, "a", 11, 2.50, "2020-01-01 00:00:01", 2]
["+I", 1, "b", 10, 1.50, "2020-01-01 00:00:02", 3]
["+I", 2, "a", 12, null, "2020-01-01 00:00:00", 4]
["+I", 2, "a longer key than fits", 12, 3.25, null, 5]
["+I", null, null, null, null, null, 6]
{"step": 8}
["-D", 1, "b", 10, 1.50, "2020-01-01 00:00:02", 3]
["-U", 1, "a", 11, 2.50, "2020-01-01 00:00:01", 2]
["+U", 1, "b", 11, 2.50, "2020-01-01 00:00:01", 2]');
CREATE TABLE b (k1 INT, k2 STRING, k3 BIGINT, d DECIMAL(10, 2), t TIMESTAMP(3), w STRING) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "a", 10, 1.50, "2020-01-01 00:00:00", "p"]
["+I", 1, "a", 10, 2.50, "2020-01-01 00:00:01", "q"]
["+I", 1, "b", 11, 1.50, "2020-01-01 00:00:01", "r"]
["+I", 2, "a longer key than fits", 12, 3.25, null, "s"]
["+I", null, "a", 10, 1.50, "2020-01-01 00:00:00", "t"]
{"step": 9}
["-D", 1, "a", 10, 2.50, "2020-01-01 00:00:01", "q"]
["+I", 1, "b", 10, 2.50, "2020-01-01 00:00:01", "u"]');
CREATE TABLE c (k1 INT, k2 STRING, k3 BIGINT, d DECIMAL(10, 2), t TIMESTAMP(3), x BOOLEAN) WITH ('connector' = 'script', 'rows' = '
{"step": 3}
["+I", 1, "a", 10, 1.50, "2020-01-01 00:00:00", true]
["+I", 1, "a", 11, 1.50, "2020-01-01 00:00:01", false]
["+I", 1, "b", 10, 2.50, "2020-01-01 00:00:02", null]
["+I", 2, "a longer key than fits", 12, 3.25, null, true]
{"step": 10}
["-U", 1, "a", 10, 1.50, "2020-01-01 00:00:00", true]
["+U", 1, "a", 10, 1.50, "2020-01-01 00:00:00", false]
["-D", 1, "b", 10, 2.50, "2020-01-01 00:00:02", null]');
SELECT v, w, x FROM a JOIN b ON a.k1 = b.k1 JOIN c ON a.k1 = c.k1;
SELECT v, w, x FROM a LEFT JOIN b ON a.k1 = b.k1 LEFT JOIN c ON b.k1 = c.k1;
SELECT v, w, x FROM a JOIN b ON a.k2 = b.k2 JOIN c ON a.k2 = c.k2;
SELECT v, w, x FROM a LEFT JOIN b ON a.k2 = b.k2 LEFT JOIN c ON b.k2 = c.k2;
SELECT v, w, x FROM a JOIN b ON a.k3 = b.k3 JOIN c ON a.k3 = c.k3;
SELECT v, w, x FROM a LEFT JOIN b ON a.k3 = b.k3 LEFT JOIN c ON b.k3 = c.k3;
SELECT v, w, x FROM a JOIN b ON a.d = b.d JOIN c ON a.d = c.d;
SELECT v, w, x FROM a LEFT JOIN b ON a.d = b.d LEFT JOIN c ON b.d = c.d;
SELECT v, w, x FROM a JOIN b ON a.t = b.t JOIN c ON a.t = c.t;
SELECT v, w, x FROM a LEFT JOIN b ON a.t = b.t LEFT JOIN c ON b.t = c.t;
SELECT v, w, x FROM a JOIN b ON a.k1 = b.k1 AND a.k2 = b.k2 JOIN c ON a.k1 = c.k1 AND a.k2 = c.k2;
SELECT v, w, x FROM a LEFT JOIN b ON a.k1 = b.k1 AND a.k2 = b.k2 LEFT JOIN c ON a.k1 = c.k1 AND a.k2 = c.k2;
SELECT v, w, x FROM a LEFT JOIN b ON a.k1 = b.k1 AND a.k2 = b.k2 AND a.k3 = b.k3 LEFT JOIN c ON b.k1 = c.k1 AND b.k2 = c.k2 AND b.k3 = c.k3;
SELECT v, w, x FROM a JOIN b ON a.k1 = b.k1 AND a.k2 = b.k2 JOIN c ON b.k2 = c.k2 AND a.k3 = c.k3;
SELECT v, w, x FROM a LEFT JOIN b ON a.k1 = b.k1 AND a.k2 = b.k2 LEFT JOIN c ON a.k2 = c.k2 AND b.k3 = c.k3;
SELECT v, w, x FROM a LEFT JOIN b ON a.k1 = b.k1 AND a.k3 < b.k3 + 1 LEFT JOIN c ON a.k1 = c.k1 AND b.d = c.d;
SELECT v, w, x FROM a LEFT JOIN b ON a.k1 = b.k1 AND a.d = b.d AND a.t <= b.t LEFT JOIN c ON a.k1 = c.k1 AND c.x IS NOT FALSE;
SELECT a.*, b.w, c.x FROM a LEFT JOIN b ON a.k1 = b.k1 AND a.k2 = b.k2 JOIN c ON a.k1 = c.k1 AND a.k2 = c.k2;
SELECT a.k1, SUM(v), MIN(w), COUNT(DISTINCT x) FROM a LEFT JOIN b ON a.k1 = b.k1 LEFT JOIN c ON a.k1 = c.k1 GROUP BY a.k1;
SELECT v, w, x FROM (SELECT * FROM a WHERE v < 5) q JOIN b ON q.k1 = b.k1 JOIN (SELECT k1, MAX(k3) AS k3, COUNT(*) > 1 AS x FROM c GROUP BY k1) r ON r.k1 = q.k1;
SELECT v, w, x FROM a LEFT JOIN b ON a.k1 = b.k1 AND a.v = 1 LEFT JOIN c ON a.k1 = c.k1 AND b.w = 'p';
SELECT v, w, x FROM a JOIN b ON a.k1 = b.k1 AND CAST(a.k3 AS INT) = b.k1 + 9 JOIN c ON a.k1 = c.k1;
SELECT v, w FROM a LEFT JOIN b ON a.k1 = b.k1 AND a.k2 = b.k2 AND a.k3 = b.k3 AND a.d = b.d AND a.t = b.t;
