-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- order: any
-- conf: pipeline.auto-watermark-interval=0
-- Interval joins: ways of writing the bounds, times that travel through sub-queries, views and unions, several joins in a row.
CREATE TABLE l (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '2' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 1, "2024-01-01 00:00:00"]
["+I", 2, "b", 2, "2024-01-01 00:00:01"]
["+I", 3, null, 3, "2024-01-01 00:00:02"]
{"step": 3}
["+I", 4, "a", 4, "2024-01-01 00:00:10"]
["+I", 5, "a", 5, "2024-01-01 00:00:01"]
{"step": 5}
["+I", 6, "c", 6, "2024-01-01 00:01:00"]');
CREATE TABLE r (id INT, k STRING, w INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 11, "a", 1, "1969-12-31 23:59:58"]
["+I", 12, "a", 2, "2024-01-01 00:00:01"]
["+I", 13, null, 3, "2024-01-01 00:00:02"]
["+I", 14, "b", 4, "2024-01-01 00:00:03"]
{"step": 4}
["+I", 15, "a", 5, "2024-01-01 00:00:12"]
["+I", 16, "c", 6, "2024-01-01 00:00:59.999"]
{"step": 6}
["+I", 17, "c", 7, "2024-01-01 00:01:00"]
["+I", 18, "z", 8, "2024-01-01 00:02:00"]');
SELECT l.id, r.id FROM l JOIN r ON l.k = r.k AND l.ts > r.ts - INTERVAL '3' SECOND AND l.ts < r.ts + INTERVAL '3' SECOND;
SELECT l.id, r.id FROM l JOIN r ON l.k = r.k AND r.ts - INTERVAL '3' SECOND <= l.ts AND r.ts + INTERVAL '3' SECOND >= l.ts;
SELECT l.id, r.id FROM l JOIN r ON l.k = r.k AND l.ts + INTERVAL '1' SECOND > r.ts AND l.ts < r.ts + INTERVAL '00:02' MINUTE TO SECOND;
SELECT l.id, r.id FROM l JOIN r ON l.k = r.k AND l.ts BETWEEN r.ts - INTERVAL '0 00:00:03' DAY TO SECOND AND r.ts;
SELECT l.id, r.id FROM l JOIN r ON l.k = r.k AND TIMESTAMPADD(SECOND, 3, l.ts) >= r.ts AND l.ts <= r.ts;
SELECT l.id, r.id FROM l JOIN r ON l.k = r.k AND l.ts >= r.ts - INTERVAL '1' SECOND * 3 AND l.ts <= r.ts;
SELECT l.id, r.id FROM l JOIN r ON l.k = r.k AND l.ts >= r.ts - (INTERVAL '1' SECOND + INTERVAL '2' SECOND) AND l.ts <= r.ts;
SELECT l.id, r.id FROM l JOIN r ON l.k = r.k AND l.ts >= r.ts - INTERVAL '1' SECOND - INTERVAL '2' SECOND AND l.ts <= r.ts;
SELECT l.id, r.id FROM l JOIN r ON l.k = r.k AND l.ts BETWEEN r.ts - INTERVAL '3.5' SECOND AND r.ts;
SELECT l.id, r.id FROM l LEFT JOIN r ON l.k = r.k AND l.ts BETWEEN r.ts - INTERVAL '10' SECOND AND r.ts - INTERVAL '2' SECOND;
SELECT l.id, r.id FROM l LEFT JOIN r ON l.k = r.k AND l.ts BETWEEN r.ts + INTERVAL '1' SECOND AND r.ts + INTERVAL '10' SECOND;
SELECT l.id, r.id FROM l RIGHT JOIN r ON l.k = r.k AND l.ts BETWEEN r.ts - INTERVAL '1' SECOND AND r.ts + INTERVAL '1' SECOND;
SELECT l.id, r.id FROM l FULL JOIN r ON l.k = r.k AND l.ts BETWEEN r.ts - INTERVAL '1' SECOND AND r.ts + INTERVAL '1' SECOND;
SELECT l.id, r.id FROM l FULL JOIN r ON l.k = r.k AND l.ts = r.ts;
SELECT l.id, r.id FROM l FULL JOIN r ON l.k IS NOT DISTINCT FROM r.k AND l.ts BETWEEN r.ts - INTERVAL '1' SECOND AND r.ts;
SELECT l.id, r.id FROM l FULL JOIN r ON l.k = r.k AND l.v < r.w AND l.ts BETWEEN r.ts - INTERVAL '3' SECOND AND r.ts;
SELECT l.id, r.id FROM l LEFT JOIN r ON l.k = r.k AND l.v > 2 AND l.ts BETWEEN r.ts - INTERVAL '3' SECOND AND r.ts;
SELECT l.id, r.id FROM l LEFT JOIN r ON l.k = r.k AND r.w > 2 AND l.ts BETWEEN r.ts - INTERVAL '3' SECOND AND r.ts;
SELECT l.id, r.id FROM l LEFT JOIN r ON l.k = r.k AND l.ts BETWEEN r.ts - INTERVAL '3' SECOND AND r.ts WHERE r.id IS NULL;
SELECT l.id, r.id FROM l LEFT JOIN r ON l.k = r.k AND l.ts BETWEEN r.ts - INTERVAL '3' SECOND AND r.ts WHERE r.w > 1;
SELECT l.id, r.id FROM l JOIN r ON l.ts BETWEEN r.ts - INTERVAL '1' SECOND AND r.ts;
SELECT l.id, r.id FROM l LEFT JOIN r ON l.ts BETWEEN r.ts - INTERVAL '1' SECOND AND r.ts;
SELECT l.id, r.id FROM l FULL JOIN r ON l.k = r.k AND l.ts BETWEEN r.ts + INTERVAL '5' SECOND AND r.ts - INTERVAL '5' SECOND;
SELECT l.id, r.id FROM l JOIN r ON l.k = r.k AND l.ts BETWEEN r.ts AND r.ts + INTERVAL '999' DAY(3);
SELECT l.id, r.id FROM l JOIN r ON l.k = r.k AND l.ts BETWEEN r.ts - INTERVAL '1' YEAR AND r.ts;
SELECT l.id, r.id FROM l JOIN r USING (k) WHERE l.ts BETWEEN r.ts - INTERVAL '3' SECOND AND r.ts;
SELECT l.id, r.id FROM l JOIN r ON l.k = r.k AND l.ts BETWEEN r.ts - INTERVAL '3' SECOND AND r.ts AND l.ts BETWEEN r.ts - INTERVAL '1' SECOND AND r.ts + INTERVAL '9' SECOND;
SELECT l.id, r.id FROM l JOIN r ON l.k = r.k AND l.ts >= r.ts - INTERVAL '3' SECOND WHERE l.ts <= r.ts;
SELECT p.id, q.id FROM (SELECT id, k, ts FROM l WHERE v > 1) p JOIN (SELECT id, UPPER(k) AS k, ts FROM r) q ON UPPER(p.k) = q.k AND p.ts BETWEEN q.ts - INTERVAL '3' SECOND AND q.ts;
CREATE VIEW lv AS SELECT ts AS t, k AS kk, id AS i FROM l;
CREATE VIEW lvv AS SELECT t, kk, i + 100 AS i FROM lv WHERE kk IS NOT NULL;
SELECT v.i, r.id FROM lvv v JOIN r ON v.kk = r.k AND r.ts BETWEEN v.t AND v.t + INTERVAL '3' SECOND;
WITH c AS (SELECT * FROM l), d AS (SELECT * FROM r) SELECT c.id, d.id FROM c JOIN d ON c.k = d.k AND d.ts BETWEEN c.ts AND c.ts + INTERVAL '3' SECOND;
SELECT u.id, r.id FROM (SELECT id, k, ts FROM l UNION ALL SELECT id, k, ts FROM r) u JOIN r ON u.k = r.k AND r.ts BETWEEN u.ts AND u.ts + INTERVAL '3' SECOND;
SELECT a.id, b.id FROM l a JOIN l b ON a.k = b.k AND a.ts BETWEEN b.ts - INTERVAL '10' SECOND AND b.ts AND a.id <> b.id;
SELECT a.id, b.id, c.id FROM l a JOIN r b ON a.k = b.k AND a.ts BETWEEN b.ts - INTERVAL '3' SECOND AND b.ts JOIN r c ON b.k = c.k AND c.ts BETWEEN b.ts AND b.ts + INTERVAL '30' SECOND;
SELECT a.id, b.id, c.id FROM l a JOIN r b ON a.k = b.k AND a.ts BETWEEN b.ts - INTERVAL '3' SECOND AND b.ts JOIN l c ON a.k = c.k AND c.ts BETWEEN a.ts AND a.ts + INTERVAL '30' SECOND;
SELECT k, COUNT(*), SUM(w) FROM (SELECT l.k, r.w FROM l LEFT JOIN r ON l.k = r.k AND l.ts BETWEEN r.ts - INTERVAL '3' SECOND AND r.ts) GROUP BY k;
SELECT window_start, COUNT(*) FROM TABLE(TUMBLE((SELECT l.ts, r.w FROM l JOIN r ON l.k = r.k AND l.ts BETWEEN r.ts - INTERVAL '3' SECOND AND r.ts), DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end;
SELECT l.id, l.ts, r.ts FROM l JOIN r ON l.k = r.k AND l.ts BETWEEN r.ts - INTERVAL '3' SECOND AND r.ts;
SELECT CAST(l.ts AS STRING), r.id FROM l JOIN r ON l.k = r.k AND l.ts BETWEEN r.ts - INTERVAL '3' SECOND AND r.ts;
SELECT l.id FROM l WHERE k IN (SELECT k FROM r WHERE r.ts BETWEEN l.ts AND l.ts + INTERVAL '3' SECOND);
SELECT l.id FROM l WHERE k NOT IN (SELECT k FROM r WHERE r.ts BETWEEN l.ts AND l.ts + INTERVAL '3' SECOND);
SELECT l.id FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE r.k = l.k AND r.ts BETWEEN l.ts AND l.ts + INTERVAL '3' SECOND);
SELECT l.id FROM l WHERE EXISTS (SELECT 1 FROM r WHERE r.k = l.k AND r.w > l.v AND r.ts BETWEEN l.ts AND l.ts + INTERVAL '3' SECOND);
SELECT a.id, b.id FROM l a JOIN (SELECT DISTINCT k, id, ts FROM r) b ON a.k = b.k AND a.ts BETWEEN b.ts - INTERVAL '3' SECOND AND b.ts;
SELECT a.id, b.id FROM l a JOIN r b ON a.k = b.k AND a.ts > b.ts AND a.ts < b.ts;
SELECT a.id, b.id FROM l a LEFT JOIN r b ON a.k = b.k AND a.ts > b.ts - INTERVAL '1' SECOND AND a.ts < b.ts - INTERVAL '1' SECOND;
SELECT a.id, b.id FROM l a JOIN r b ON a.k = b.k AND b.ts - a.ts BETWEEN INTERVAL '0' SECOND AND INTERVAL '3' SECOND;
SELECT a.id, b.id FROM l a JOIN r b ON a.k = b.k AND TIMESTAMPDIFF(SECOND, a.ts, b.ts) BETWEEN 0 AND 3;
SELECT a.id, b.id FROM l a JOIN r b ON a.k = b.k AND FLOOR(a.ts TO MINUTE) = FLOOR(b.ts TO MINUTE);
SELECT a.id, b.id FROM l a JOIN r b ON a.k = b.k AND a.ts <= b.ts;
SELECT a.id, b.id FROM l a LEFT JOIN r b ON a.k = b.k AND a.ts <= b.ts;
SELECT a.id, b.id FROM l a JOIN r b ON a.k = b.k;
SELECT a.id, a.ts, b.id FROM l a JOIN r b ON a.k = b.k;
SELECT a.id, CAST(a.ts AS TIMESTAMP(3)), b.id FROM l a JOIN r b ON a.k = b.k;
SELECT a.id, b.id FROM (SELECT id, k, CAST(ts AS TIMESTAMP(3)) AS ts FROM l) a JOIN (SELECT id, k, CAST(ts AS TIMESTAMP(3)) AS ts FROM r) b ON a.k = b.k AND a.ts BETWEEN b.ts - INTERVAL '3' SECOND AND b.ts;
