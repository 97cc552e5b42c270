-- SPDX-License-Identifier: Apache-2.0
-- modes: batch
-- order: any
-- Joins by equal windows and Top-N of windows in batch.
CREATE TABLE l (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5, "2024-01-01 00:00:01"]
["+I", 2, "b", 3, "2024-01-01 00:00:02"]
["+I", 3, "a", 7, "2024-01-01 00:00:03"]
["+I", 4, null, 1, "2024-01-01 00:00:04"]
["+I", 5, "c", 2, "2024-01-01 00:00:12"]
["+I", 6, "a", 5, "2024-01-01 00:00:01"]
["+I", 7, "a", 5, "2024-01-01 00:00:11"]
["+I", 8, "d", 9, "2024-01-01 00:00:25"]
["+I", 9, "d", 9, "2024-01-01 00:00:02"]');
CREATE TABLE r (id INT, k STRING, x INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 11, "a", 6, "2024-01-01 00:00:02"]
["+I", 12, "b", 1, "2024-01-01 00:00:04"]
["+I", 13, "e", 4, "2024-01-01 00:00:05"]
["+I", 14, null, 4, "2024-01-01 00:00:05"]
["+I", 15, "a", 2, "2024-01-01 00:00:09"]
["+I", 16, "c", 2, "2024-01-01 00:00:13"]
["+I", 17, "c", 1, "2024-01-01 00:00:14"]
["+I", 18, "a", 8, "2024-01-01 00:00:19"]
["+I", 19, "f", 8, "2024-01-01 00:00:33"]
["+I", 20, "a", 8, "2024-01-01 00:00:05"]');
CREATE VIEW lt AS SELECT * FROM TABLE(TUMBLE(TABLE l, DESCRIPTOR(ts), INTERVAL '10' SECOND));
CREATE VIEW rt AS SELECT * FROM TABLE(TUMBLE(TABLE r, DESCRIPTOR(ts), INTERVAL '10' SECOND));
SELECT lt.id, rt.id FROM lt  JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end;
SELECT lt.id, rt.id FROM lt LEFT JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end;
SELECT lt.id, rt.id FROM lt RIGHT JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end;
SELECT lt.id, rt.id FROM lt FULL JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end;
SELECT lt.id FROM lt WHERE k IN (SELECT k FROM rt WHERE lt.window_start = rt.window_start AND lt.window_end = rt.window_end);
SELECT lt.id FROM lt WHERE NOT EXISTS (SELECT * FROM rt WHERE lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end);
SELECT lt.id, rt.id FROM lt JOIN rt ON lt.window_start = rt.window_start AND lt.window_end = rt.window_end AND lt.v > rt.x;
SELECT id, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY v DESC, id) rn FROM lt) WHERE rn <= 2;
SELECT id, rn FROM (SELECT *, RANK() OVER (PARTITION BY window_start, window_end ORDER BY v DESC) rn FROM lt) WHERE rn <= 2;
SELECT id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, k ORDER BY ts DESC, id) rn FROM lt) WHERE rn = 1;
SELECT window_start, window_end, COUNT(*) FROM (SELECT lt.window_start, lt.window_end FROM lt JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end) GROUP BY window_start, window_end;
SELECT lt.id, rt.id FROM lt JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start;
