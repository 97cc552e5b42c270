-- SPDX-License-Identifier: Apache-2.0
-- parallel: no
-- modes: streaming
-- batch: no
-- order: any
-- conf: pipeline.auto-watermark-interval=0
-- Interval joins of event time: matches, rows that come padded when they expire, late rows, NULL keys, the held-back watermark.
CREATE TABLE l (id INT, a STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "l1", "2024-01-01 10:00:01"]
["+I", 2, "l2", "2024-01-01 10:00:02"]
["+I", null, "ln", "2024-01-01 10:00:02"]
{"step": 3}
["+I", 1, "l3", "2024-01-01 10:00:20"]
["+I", 1, "l4", "2024-01-01 10:00:05"]
{"step": 5}
["+I", 1, "l5", "2024-01-01 10:00:06"]
["+I", 1, "l6", "2024-01-01 10:01:00"]
["+I", 3, "l7", "2024-01-01 10:00:59"]');
CREATE TABLE r (id INT, x STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "r1", "2024-01-01 10:00:03"]
["+I", 1, "r2", "2024-01-01 10:00:06"]
["+I", null, "rn", "2024-01-01 10:00:02"]
["+I", 2, "r3", "2024-01-01 10:00:09"]
{"step": 4}
["+I", 1, "r4", "2024-01-01 10:00:20"]
["+I", 1, "r5", "2024-01-01 10:00:04"]
["+I", 2, "r6", "2024-01-01 10:00:25"]
{"step": 6}
["+I", 1, "r7", "2024-01-01 10:01:00"]
["+I", 4, "r8", "2024-01-01 10:02:00"]');
SELECT * FROM l JOIN r ON l.id = r.id AND r.ts BETWEEN l.ts AND l.ts + INTERVAL '5' SECOND;
SELECT * FROM l LEFT JOIN r ON l.id = r.id AND r.ts BETWEEN l.ts AND l.ts + INTERVAL '5' SECOND;
SELECT * FROM l RIGHT JOIN r ON l.id = r.id AND r.ts BETWEEN l.ts AND l.ts + INTERVAL '5' SECOND;
SELECT * FROM l FULL JOIN r ON l.id = r.id AND r.ts BETWEEN l.ts AND l.ts + INTERVAL '5' SECOND;
SELECT l.a, r.x, CURRENT_WATERMARK(l.ts), CURRENT_WATERMARK(r.ts) FROM l LEFT JOIN r ON l.id = r.id AND r.ts BETWEEN l.ts - INTERVAL '2' SECOND AND l.ts + INTERVAL '5' SECOND AND l.a <> 'l3';
SELECT l.a, r.x FROM l FULL JOIN r ON r.ts BETWEEN l.ts - INTERVAL '2' SECOND AND l.ts + INTERVAL '5' SECOND;
SELECT l.a, r.x FROM l FULL JOIN r ON l.id IS NOT DISTINCT FROM r.id AND r.ts BETWEEN l.ts - INTERVAL '2' SECOND AND l.ts + INTERVAL '5' SECOND;
SELECT l.a, r.x FROM l LEFT JOIN r ON l.id = r.id AND r.ts BETWEEN l.ts + INTERVAL '2' SECOND AND l.ts;
SELECT l.a, r.x FROM l RIGHT JOIN r ON l.id = r.id AND r.ts BETWEEN l.ts + INTERVAL '2' SECOND AND l.ts;
SELECT l.a, r.x FROM l FULL JOIN r ON l.id = r.id AND r.ts BETWEEN l.ts + INTERVAL '2' SECOND AND l.ts;
SELECT l.a, r.x FROM l JOIN r ON l.id = r.id AND r.ts BETWEEN l.ts + INTERVAL '2' SECOND AND l.ts;
SELECT l.a, r.x, CURRENT_WATERMARK(l.ts) FROM l LEFT JOIN r ON l.id = r.id AND r.ts = l.ts;
SELECT l.a, r.x FROM l RIGHT JOIN r ON l.id = r.id AND r.ts > l.ts - INTERVAL '10' SECOND AND r.ts < l.ts - INTERVAL '1' SECOND;
SELECT l.a, r.x FROM l FULL JOIN r ON l.id = r.id AND r.ts > l.ts + INTERVAL '1' SECOND AND r.ts <= l.ts + INTERVAL '5' SECOND;
SELECT l.a, r.x FROM l, r WHERE l.id = r.id AND r.ts >= l.ts AND r.ts < l.ts + INTERVAL '1' MINUTE AND l.a > r.x;
SELECT l.a, r.x FROM l FULL JOIN r ON l.id = r.id AND r.ts BETWEEN l.ts AND l.ts + INTERVAL '5' SECOND AND l.a = 'l1' AND r.x = 'r1';
SELECT l.a, r.x FROM l FULL JOIN r ON l.id = r.id AND r.ts BETWEEN l.ts AND l.ts + INTERVAL '5' SECOND WHERE r.x IS NULL;
SELECT l.id, COUNT(*), COUNT(r.x) FROM l LEFT JOIN r ON l.id = r.id AND r.ts BETWEEN l.ts AND l.ts + INTERVAL '5' SECOND GROUP BY l.id;
SELECT a.a, b.a, CURRENT_WATERMARK(a.ts) FROM l a JOIN l b ON a.id = b.id AND b.ts BETWEEN a.ts AND a.ts + INTERVAL '5' SECOND;
SELECT l.a, r.x, s.x FROM l LEFT JOIN r ON l.id = r.id AND r.ts BETWEEN l.ts AND l.ts + INTERVAL '5' SECOND LEFT JOIN r s ON l.id = s.id AND s.ts BETWEEN l.ts - INTERVAL '5' SECOND AND l.ts;
SELECT a, x, ts FROM (SELECT l.a, r.x, l.ts FROM l JOIN r ON l.id = r.id AND r.ts BETWEEN l.ts AND l.ts + INTERVAL '5' SECOND) ORDER BY ts, x;
