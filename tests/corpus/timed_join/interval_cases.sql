-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- order: any
-- conf: pipeline.auto-watermark-interval=0
-- Interval joins: months are those of 1970, refusals, empty input, times of TIMESTAMP_LTZ, duplicates, other types of keys.
CREATE TABLE m1 (id INT, a STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", "2024-02-13 00:00:00"]
["+I", 1, "b", "2024-02-15 00:00:00"]
["+I", 1, "c", "2024-02-29 00:00:00"]');
CREATE TABLE m2 (id INT, x STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "x", "2024-03-15 00:00:00"]
["+I", 1, "y", "2024-03-31 00:00:00"]');
SELECT m1.a, m2.x FROM m1 JOIN m2 ON m1.id = m2.id AND m1.ts BETWEEN m2.ts - INTERVAL '1' MONTH AND m2.ts;
SELECT m1.a, m2.x FROM m1 LEFT JOIN m2 ON m1.id = m2.id AND m2.ts BETWEEN m1.ts AND m1.ts + INTERVAL '1' MONTH;
CREATE TABLE c (id INT, x STRING, ts TIMESTAMP(3), PRIMARY KEY (id) NOT ENFORCED, WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'changelog-mode'='all', 'rows' = '
{"step": 2}
["+I", 1, "r7", "2024-01-01 10:01:00"]
["-D", 1, "r7", "2024-01-01 10:01:00"]');
SELECT m1.a, c.x FROM m1 JOIN c ON m1.id = c.id AND c.ts BETWEEN m1.ts AND m1.ts + INTERVAL '2' SECOND;
SELECT m1.a, c.x FROM c LEFT JOIN m1 ON m1.id = c.id AND c.ts BETWEEN m1.ts AND m1.ts + INTERVAL '2' SECOND;
SELECT m1.a, c.x FROM m1 JOIN c ON m1.id = c.id AND c.ts >= m1.ts;
CREATE TABLE z (id INT, x STRING, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "u", "2024-01-01 00:00:00Z"]
["+I", 1, "v", "2024-01-01 00:00:03Z"]
["+I", 2, "w", "2024-01-01 00:00:04Z"]');
SELECT m1.a, z.x FROM m1 JOIN z ON m1.id = z.id AND z.ts BETWEEN m1.ts AND m1.ts + INTERVAL '2' SECOND;
SELECT p.x, q.x FROM z p LEFT JOIN z q ON p.id = q.id AND q.ts BETWEEN p.ts AND p.ts + INTERVAL '3' SECOND;
SELECT p.x, q.x FROM z p FULL JOIN z q ON p.ts = q.ts;
CREATE TABLE e (id INT, x STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '');
SELECT m1.a, e.x FROM m1 LEFT JOIN e ON m1.id = e.id AND e.ts BETWEEN m1.ts AND m1.ts + INTERVAL '2' SECOND;
SELECT m1.a, e.x FROM m1 JOIN e ON m1.id = e.id AND e.ts BETWEEN m1.ts AND m1.ts + INTERVAL '2' SECOND;
SELECT m1.a, e.x FROM m1 RIGHT JOIN e ON m1.id = e.id AND e.ts BETWEEN m1.ts AND m1.ts + INTERVAL '2' SECOND;
SELECT m1.a, e.x FROM e FULL JOIN m1 ON m1.id = e.id AND e.ts BETWEEN m1.ts AND m1.ts + INTERVAL '2' SECOND;
CREATE TABLE d1 (k STRING, n DECIMAL(10, 2), i INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 1.50, 1, "2024-01-01 00:00:00"]
["+I", "a", 1.50, 1, "2024-01-01 00:00:00"]
["+I", "b", null, 2, "2024-01-01 00:00:00"]
["+I", null, 2.50, 3, "2024-01-01 00:00:01"]');
CREATE TABLE d2 (k STRING, n DECIMAL(10, 2), i INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", "a", 1.50, 11, "2024-01-01 00:00:00"]
["+I", "a", 1.50, 11, "2024-01-01 00:00:00"]
["+I", "b", null, 12, "2024-01-01 00:00:00"]
["+I", null, 2.50, 13, "2024-01-01 00:00:01"]');
SELECT d1.i, d2.i FROM d1 FULL JOIN d2 ON d1.k = d2.k AND d1.n = d2.n AND d1.ts = d2.ts;
SELECT d1.i, d2.i FROM d1 FULL JOIN d2 ON d1.k IS NOT DISTINCT FROM d2.k AND d1.n IS NOT DISTINCT FROM d2.n AND d1.ts BETWEEN d2.ts AND d2.ts + INTERVAL '1' SECOND;
SELECT d1.i, d2.i FROM d1 LEFT JOIN d2 ON d1.n = d2.n AND d1.ts BETWEEN d2.ts AND d2.ts + INTERVAL '1' SECOND AND d1.k <> d2.k;
SELECT d1.i, d2.i FROM d1 JOIN d2 ON d1.i + 10 = d2.i AND d1.ts BETWEEN d2.ts - INTERVAL '1' SECOND AND d2.ts + INTERVAL '1' SECOND;
SELECT i FROM d1 WHERE EXISTS (SELECT 1 FROM d2 WHERE d1.k = d2.k AND d1.ts BETWEEN d2.ts AND d2.ts + INTERVAL '1' SECOND);
SELECT i FROM d1 WHERE NOT EXISTS (SELECT 1 FROM d2 WHERE d1.k = d2.k AND d1.ts BETWEEN d2.ts AND d2.ts + INTERVAL '1' SECOND);
CREATE TABLE d3 (k STRING, i INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
{"step": 3}
["+I", "a", 21, "2024-01-01 00:00:01"]
["+I", "a", 22, "2024-01-01 00:00:00"]
["+I", "a", 23, "2024-01-01 00:00:02.500"]
["+I", "b", 24, "2024-01-01 00:00:01.500"]');
SELECT d1.i, d3.i FROM d1 FULL JOIN d3 ON d1.k = d3.k AND d3.ts BETWEEN d1.ts AND d1.ts + INTERVAL '1' SECOND;
SELECT d1.i, d3.i FROM d1 FULL JOIN d3 ON d1.k = d3.k AND d3.ts BETWEEN d1.ts AND d1.ts + INTERVAL '1' SECOND AND d1.i < d3.i - 20;
SELECT d1.k, d1.i, d3.i, d3.ts FROM d3 FULL JOIN d1 ON d1.k = d3.k AND d3.ts > d1.ts AND d3.ts < d1.ts + INTERVAL '3' SECOND;
CREATE TABLE old1 (i INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "1969-12-31 23:59:50"]
["+I", 2, "1970-01-01 00:00:01"]');
SELECT a.i, b.i FROM old1 a LEFT JOIN old1 b ON a.i = b.i AND a.ts BETWEEN b.ts AND b.ts + INTERVAL '1' SECOND;
