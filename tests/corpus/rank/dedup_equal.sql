-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- order: any
-- mini: no
-- conf: pipeline.auto-watermark-interval=0
-- The first row by event time: rows whose time is the watermark's own are not late.
CREATE TABLE s (id INT NOT NULL, k STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", "2024-01-01 10:00:05"]
["+I", 2, "b", "2024-01-01 10:00:05"]
["+I", 3, "c", "2024-01-01 10:00:04.999"]
["+I", 4, "a", "2024-01-01 10:00:05"]
["+I", 5, "b", "2024-01-01 10:00:04"]
["+I", 6, "d", "2024-01-01 10:00:05"]
["+I", 7, "c", "2024-01-01 10:00:05"]
["+I", 8, "a", "2024-01-01 10:00:06"]
["+I", 9, "b", "2024-01-01 10:00:06"]
["+I", 10, "e", "2024-01-01 10:00:06"]
["+I", 11, "f", "2024-01-01 10:00:05"]
["+I", 12, "e", "2024-01-01 10:00:06"]
["+I", 13, "f", "2024-01-01 10:00:07"]
["+I", 14, "g", "2024-01-01 10:00:07"]');
SELECT id, k, ts FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts) AS rn FROM s) WHERE rn = 1;
SELECT id, k, ts FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts DESC) AS rn FROM s) WHERE rn = 1;
SELECT k, COUNT(*) FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts) AS rn FROM s) WHERE rn = 1 GROUP BY k;
SELECT id, COUNT(*) OVER (PARTITION BY k ORDER BY ts) FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts) AS rn FROM s) WHERE rn = 1;
SELECT id, COUNT(*) OVER (PARTITION BY k ORDER BY ts) FROM s;
SELECT id, COUNT(*) OVER (PARTITION BY k ORDER BY ts ROWS 1 PRECEDING) FROM s;
SELECT id, COUNT(*) OVER (PARTITION BY k ORDER BY ts RANGE BETWEEN INTERVAL '1' SECOND PRECEDING AND CURRENT ROW) FROM s;
SELECT * FROM s MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES A.id AS a, B.id AS b PATTERN (A B) DEFINE B AS B.id > A.id);
SELECT window_start, k, COUNT(*) FROM TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' SECOND) GROUP BY window_start, window_end, k;
SELECT id, k FROM s ORDER BY ts;
