-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- conf: weir.explain.state=false
-- Which joins are interval joins, and their bounds.
CREATE TABLE a (k INT, v STRING, ts TIMESTAMP(3), pt AS PROCTIME(), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector'='script','rows'='');
CREATE TABLE b (k INT, w STRING, ts TIMESTAMP(3), pt AS PROCTIME(), WATERMARK FOR ts AS ts) WITH ('connector'='script','rows'='');
EXPLAIN SELECT a.k, a.v, b.w FROM a JOIN b ON a.k = b.k AND b.ts BETWEEN a.ts - INTERVAL '1' MINUTE AND a.ts;
EXPLAIN SELECT a.k, a.v, b.w, a.ts, b.ts FROM a LEFT JOIN b ON a.k = b.k AND a.ts >= b.ts AND a.ts < b.ts + INTERVAL '5' SECOND AND a.v <> b.w;
EXPLAIN SELECT a.k FROM a FULL JOIN b ON a.k = b.k AND a.ts > b.ts - INTERVAL '5' SECOND AND b.ts > a.ts - INTERVAL '5' SECOND;
EXPLAIN SELECT a.k FROM a JOIN b ON a.k = b.k AND a.ts = b.ts;
EXPLAIN SELECT a.k FROM a JOIN b ON a.ts BETWEEN b.ts - INTERVAL '5' SECOND AND b.ts;
EXPLAIN SELECT a.k FROM a JOIN b ON a.k = b.k AND a.ts >= b.ts;
EXPLAIN SELECT a.k FROM a, b WHERE a.k = b.k AND a.ts >= b.ts AND a.ts <= b.ts + INTERVAL '5' SECOND;
EXPLAIN SELECT k FROM a WHERE EXISTS (SELECT 1 FROM b WHERE a.k = b.k AND b.ts BETWEEN a.ts AND a.ts + INTERVAL '1' HOUR);
EXPLAIN SELECT a.k FROM a JOIN (SELECT k, ts, COUNT(*) c FROM b GROUP BY k, ts) b ON a.k = b.k AND b.ts BETWEEN a.ts - INTERVAL '1' MINUTE AND a.ts;
EXPLAIN SELECT a.k FROM a JOIN (SELECT k, max(ts) ts FROM b GROUP BY k) b ON a.k = b.k AND b.ts BETWEEN a.ts - INTERVAL '1' MINUTE AND a.ts;
EXPLAIN SELECT a.k FROM a JOIN b ON a.k = b.k AND a.ts - b.ts < INTERVAL '5' SECOND AND a.ts >= b.ts;
EXPLAIN SELECT a.k FROM a JOIN b ON a.k = b.k AND a.ts + INTERVAL '1' SECOND > b.ts AND a.ts  - INTERVAL '1' MINUTE < b.ts + INTERVAL '1' SECOND AND a.ts > b.ts - INTERVAL '3' SECOND;
EXPLAIN SELECT a.k FROM a JOIN b ON a.k = b.k AND a.ts BETWEEN b.ts - INTERVAL '1' MONTH AND b.ts;
EXPLAIN SELECT a.k FROM a JOIN b ON a.k = b.k AND a.ts BETWEEN b.ts + INTERVAL '5' SECOND AND b.ts;
EXPLAIN SELECT a.k FROM a JOIN b ON a.k = b.k AND (a.ts BETWEEN b.ts - INTERVAL '5' SECOND AND b.ts OR a.k = 1);
EXPLAIN SELECT a.k FROM a JOIN b ON a.k = b.k AND a.ts BETWEEN b.ts - INTERVAL '5' SECOND AND b.ts AND a.ts > TIMESTAMP '2020-01-01 00:00:00';
EXPLAIN SELECT a.k FROM a JOIN b ON a.k = b.k AND a.ts BETWEEN b.ts - INTERVAL '5' SECOND AND b.ts AND CAST(a.ts AS STRING) <> CAST(b.ts AS STRING);
EXPLAIN CHANGELOG_MODE SELECT a.k FROM a JOIN b ON a.k IS NOT DISTINCT FROM b.k AND a.ts BETWEEN b.ts - INTERVAL '5' SECOND AND b.ts;
CREATE TABLE l (id INT, a STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '');
CREATE TABLE r (id INT, x STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '');
EXPLAIN SELECT l.a, r.x FROM l LEFT JOIN r ON l.id = r.id AND r.ts = l.ts AND r.ts > l.ts - INTERVAL '1' SECOND;
EXPLAIN SELECT l.a, r.x FROM l LEFT JOIN r ON l.id = r.id AND CAST(r.ts AS TIMESTAMP(3)) BETWEEN l.ts - INTERVAL '1' SECOND AND l.ts;
EXPLAIN SELECT l.a, r.x FROM l LEFT JOIN r ON l.id = r.id AND r.ts > l.ts + l.id * INTERVAL '1' SECOND AND r.ts < l.ts;
EXPLAIN SELECT l.a, r.x FROM l LEFT JOIN r ON l.id = r.id AND r.ts > l.ts - INTERVAL '1' SECOND AND r.ts < l.ts AND r.ts > l.ts - INTERVAL '1' SECOND;
EXPLAIN SELECT l.a, r.x FROM l LEFT JOIN r ON l.id = r.id AND l.ts > r.ts AND l.ts > r.ts - INTERVAL '1' SECOND;
EXPLAIN SELECT l.a, r.x FROM l JOIN r ON l.id = r.id AND l.ts > r.ts - INTERVAL '1' SECOND WHERE l.ts < r.ts + INTERVAL '1' SECOND AND l.a > r.x AND l.ts <> r.ts;
EXPLAIN SELECT l.a, r.x FROM l JOIN r ON l.id = r.id AND NOT (l.ts < r.ts - INTERVAL '1' SECOND OR l.ts > r.ts);
