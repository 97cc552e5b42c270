-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- conf: pipeline.auto-watermark-interval=0
-- Joins, Top-N and deduplication within windows below, above and beside others; ways to write them.
CREATE TABLE l (id INT, k STRING, v INT, ts TIMESTAMP(3), pt AS PROCTIME(), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5, "2024-01-01 00:00:01"]
["+I", 2, "b", 3, "2024-01-01 00:00:02"]
["+I", 3, "a", 7, "2024-01-01 00:00:03"]
["+I", 4, null, 1, "2024-01-01 00:00:04"]
{"step": 3}
["+I", 5, "c", 2, "2024-01-01 00:00:12"]
["+I", 6, "a", 5, "2024-01-01 00:00:01"]
["+I", 7, "a", 5, "2024-01-01 00:00:11"]
{"step": 5}
["+I", 8, "d", 9, "2024-01-01 00:00:25"]
["+I", 9, "d", 9, "2024-01-01 00:00:02"]');
CREATE TABLE r (id INT, k STRING, x INT, ts TIMESTAMP(3), pt AS PROCTIME(), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 11, "a", 6, "2024-01-01 00:00:02"]
["+I", 12, "b", 1, "2024-01-01 00:00:04"]
["+I", 13, "e", 4, "2024-01-01 00:00:05"]
["+I", 14, null, 4, "2024-01-01 00:00:05"]
["+I", 15, "a", 2, "2024-01-01 00:00:09"]
{"step": 4}
["+I", 16, "c", 2, "2024-01-01 00:00:13"]
["+I", 17, "c", 1, "2024-01-01 00:00:14"]
["+I", 18, "a", 8, "2024-01-01 00:00:19"]
{"step": 6}
["+I", 19, "f", 8, "2024-01-01 00:00:33"]
["+I", 20, "a", 8, "2024-01-01 00:00:05"]');
CREATE VIEW lt AS SELECT * FROM TABLE(TUMBLE(TABLE l, DESCRIPTOR(ts), INTERVAL '10' SECOND));
CREATE VIEW rt AS SELECT * FROM TABLE(TUMBLE(TABLE r, DESCRIPTOR(ts), INTERVAL '10' SECOND));
SELECT lt.id FROM lt WHERE (lt.k, lt.window_start, lt.window_end) IN (SELECT k, window_start, window_end FROM rt WHERE x > 3);
SELECT lt.id, rt.id FROM lt JOIN rt USING (k, window_start, window_end);
SELECT COALESCE(lt.window_start, rt.window_start), lt.id, rt.id FROM lt FULL JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end;
SELECT lt.id, rt.id FROM lt, rt WHERE rt.window_end = lt.window_end AND lt.window_start = rt.window_start AND rt.x = lt.v + 1;
SELECT lt.id, rt.id FROM lt JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end AND lt.ts BETWEEN rt.ts - INTERVAL '1' SECOND AND rt.ts;
SELECT lt.id, rt.id FROM lt LEFT JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end AND lt.k <> 'a';
SELECT lt.id, rt.id FROM lt LEFT JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end WHERE rt.id IS NULL;
SELECT lt.id, rt.id FROM lt LEFT JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end AND 1 = 0;
SELECT lt.id, rt.id FROM lt FULL JOIN rt ON lt.k = UPPER(rt.k) AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end;
SELECT lt.id, rt.id FROM lt JOIN rt ON lt.k = rt.k AND lt.id + 10 = rt.id AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end;
SELECT window_start, window_end, k, SUM(v) FROM (SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, k ORDER BY v DESC, id) rn FROM lt) WHERE rn <= 3) GROUP BY GROUPING SETS ((window_start, window_end), (window_start, window_end, k));
SELECT window_start, window_end, k, id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, k ORDER BY ts) rn FROM (SELECT window_start, window_end, window_time AS ts, k, SUM(v) AS id FROM TABLE(TUMBLE(TABLE l, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end, window_time, k)) WHERE rn = 1;
SELECT COUNT(*) FROM lt JOIN rt ON lt.window_start = rt.window_start AND lt.window_end = rt.window_end;
SELECT a.k, a.rn, b.rn FROM (SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY v DESC, id) rn FROM lt) WHERE rn <= 3) a JOIN (SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY x DESC, id) rn FROM rt) WHERE rn <= 3) b ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end;
SELECT * FROM (SELECT id, k, v, window_start, window_end, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY v DESC, id) rn FROM lt) WHERE rn BETWEEN 2 AND 3;
SELECT id, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, CHAR_LENGTH(k) ORDER BY v + 1 DESC, id) rn FROM lt) WHERE rn <= 2;
SELECT lt.id, x.id FROM lt JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end JOIN lt x ON x.k = rt.k AND x.window_start = rt.window_start AND x.window_end = rt.window_end;
SELECT lt.id, rt.id, lt.ts, rt.ts, lt.window_time FROM lt JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end;
SELECT TUMBLE_START(ts, INTERVAL '20' SECOND), COUNT(*) FROM (SELECT lt.ts FROM lt JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end) GROUP BY TUMBLE(ts, INTERVAL '20' SECOND);
