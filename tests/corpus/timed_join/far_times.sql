-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- order: any
-- parallel: no
-- conf: pipeline.auto-watermark-interval=0
-- Interval and temporal joins at times before 1970 and in the year 9999, bounds of years, TIMESTAMP_LTZ, microseconds, rows without time or key, watermarks that never come.
CREATE TABLE l (id INT, k STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", "0001-01-01 00:00:00"]
["+I", 2, "a", "1969-12-31 23:59:59.999"]
["+I", 3, "a", "1970-01-01 00:00:00"]
{"step": 3}
["+I", 4, "a", "9999-12-31 23:59:59.999"]
["+I", 5, "b", "9999-12-31 23:59:59.999"]');
CREATE TABLE r (id INT, k STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 11, "a", "0001-01-01 00:00:00.001"]
["+I", 12, "a", "1969-12-31 23:59:58"]
["+I", 13, "a", "1970-01-01 00:00:00.001"]
{"step": 4}
["+I", 14, "a", "9999-12-31 23:59:59.998"]
["+I", 15, "c", "9999-12-31 23:59:59.999"]');
CREATE TABLE z (id INT, k STRING, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 21, "a", "2024-03-31 00:59:59Z"]
["+I", 22, "a", "2024-03-31 01:00:00Z"]
["+I", 23, null, "2024-03-31 01:00:00Z"]
["+I", 24, "a", "1969-12-31 23:59:59Z"]');
CREATE TABLE zr (id INT, k STRING, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 31, "a", "2024-03-31 00:59:58Z"]
["+I", 32, "a", "2024-03-31 01:00:01Z"]
["+I", 33, "a", "2024-03-31 00:00:00Z"]
["+I", 34, "b", "2024-04-01 00:00:00Z"]');
CREATE TABLE zv (k STRING NOT NULL, v INT, ts TIMESTAMP_LTZ(3), PRIMARY KEY (k) NOT ENFORCED, WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", "a", 1, "2024-03-31 00:59:59Z"]
["-U", "a", 1, "2024-03-31 00:59:59Z"]
["+U", "a", 2, "2024-03-31 01:00:00Z"]');
CREATE TABLE v (k STRING NOT NULL, n INT, ts TIMESTAMP(3), PRIMARY KEY (k) NOT ENFORCED, WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", "a", 1, "0001-01-01 00:00:00"]
["-U", "a", 1, "0001-01-01 00:00:00"]
["+U", "a", 2, "1969-12-31 23:59:59.999"]
["-U", "a", 2, "1969-12-31 23:59:59.999"]
["+U", "a", 3, "9999-12-31 23:59:59.999"]');
CREATE TABLE e (id INT, k STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '10' DAY) WITH ('connector' = 'script', 'rows' = '');
CREATE TABLE p (id INT, k STRING, pt AS PROCTIME()) WITH ('connector' = 'script', 'rows' = '
["+I", 41, "a"]
["+I", 42, null]
["+I", 43, "b"]');
CREATE TABLE pr (id INT, k STRING, pt AS PROCTIME()) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 51, "a"]
["+I", 52, null]
["+I", 53, "a"]');
SELECT l.id, r.id FROM l JOIN r ON l.k = r.k AND l.ts BETWEEN r.ts - INTERVAL '2' SECOND AND r.ts + INTERVAL '2' SECOND;
SELECT l.id, r.id FROM l LEFT JOIN r ON l.k = r.k AND l.ts BETWEEN r.ts - INTERVAL '2' SECOND AND r.ts + INTERVAL '2' SECOND;
SELECT l.id, r.id FROM l FULL JOIN r ON l.k = r.k AND l.ts BETWEEN r.ts - INTERVAL '1' SECOND AND r.ts;
SELECT l.id, r.id FROM l JOIN r ON l.k = r.k AND l.ts BETWEEN r.ts - INTERVAL '99' DAY AND r.ts + INTERVAL '99' DAY;
SELECT l.id, r.id FROM l RIGHT JOIN r ON l.k = r.k AND l.ts = r.ts - INTERVAL '0.001' SECOND;
SELECT l.id, e.id FROM l LEFT JOIN e ON l.k = e.k AND l.ts BETWEEN e.ts - INTERVAL '1' SECOND AND e.ts;
SELECT l.id, e.id FROM e FULL JOIN l ON l.k = e.k AND l.ts BETWEEN e.ts - INTERVAL '1' SECOND AND e.ts;
SELECT a.id, b.id FROM z a JOIN zr b ON a.k = b.k AND a.ts BETWEEN b.ts - INTERVAL '1' SECOND AND b.ts + INTERVAL '2' SECOND;
SELECT a.id, b.id FROM z a LEFT JOIN zr b ON a.k = b.k AND a.ts BETWEEN b.ts - INTERVAL '1' HOUR AND b.ts;
SELECT a.id, b.id FROM z a FULL JOIN zr b ON a.k = b.k AND a.ts BETWEEN b.ts AND b.ts + INTERVAL '1' HOUR;
SELECT a.id, a.ts, b.ts FROM z a JOIN zr b ON a.k = b.k AND a.ts BETWEEN b.ts - INTERVAL '1' SECOND AND b.ts + INTERVAL '2' SECOND;
SELECT a.id, zv.v FROM z a LEFT JOIN zv FOR SYSTEM_TIME AS OF a.ts ON a.k = zv.k;
SELECT l.id, v.n, v.ts FROM l LEFT JOIN v FOR SYSTEM_TIME AS OF l.ts ON l.k = v.k;
SELECT l.id, v.n FROM l JOIN v FOR SYSTEM_TIME AS OF l.ts ON l.k = v.k AND v.n > 1;
SELECT l.id, zr.id FROM l JOIN zr ON l.k = zr.k AND l.ts BETWEEN zr.ts - INTERVAL '1' SECOND AND zr.ts;
SELECT l.id, zr.id FROM l JOIN zr ON l.k = zr.k AND l.ts = zr.ts;
SELECT l.id, zv.v FROM l JOIN zv FOR SYSTEM_TIME AS OF l.ts ON l.k = zv.k;
SELECT p.id, pr.id FROM p JOIN pr ON p.k = pr.k AND p.pt BETWEEN pr.pt - INTERVAL '1' HOUR AND pr.pt;
SELECT p.id, pr.id FROM p JOIN pr ON p.k = pr.k AND p.pt BETWEEN pr.pt - INTERVAL '1' HOUR AND pr.pt + INTERVAL '1' HOUR AND pr.id > 51;
SELECT p.id, l.id FROM p JOIN l ON p.k = l.k AND p.pt BETWEEN l.ts - INTERVAL '1' HOUR AND l.ts;
SELECT k, id FROM p WHERE k IN (SELECT k FROM pr WHERE pr.pt BETWEEN p.pt - INTERVAL '1' HOUR AND p.pt + INTERVAL '1' HOUR);
SET 'table.local-time-zone' = 'Europe/Berlin';
SELECT a.id, b.id, a.ts FROM z a LEFT JOIN zr b ON a.k = b.k AND a.ts BETWEEN b.ts - INTERVAL '1' HOUR AND b.ts;
SELECT a.id, zv.v, zv.ts FROM z a LEFT JOIN zv FOR SYSTEM_TIME AS OF a.ts ON a.k = zv.k;
