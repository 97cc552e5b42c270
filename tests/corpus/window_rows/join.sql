-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- conf: pipeline.auto-watermark-interval=0
-- Window joins: every type, late rows, NULL keys, a condition beside, all kinds of windows, windows above.
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
CREATE TABLE u (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'all', 'rows' = '
["+I", 1, "a", 5, "2024-01-01 00:00:01"]
["-U", 1, "a", 5, "2024-01-01 00:00:01"]
["+U", 1, "a", 7, "2024-01-01 00:00:01"]
["+I", 2, "b", 3, "2024-01-01 00:00:20"]');
CREATE TABLE z (k STRING, v INT, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 5, "2024-01-01 00:00:01Z"]');
CREATE VIEW lt AS SELECT * FROM TABLE(TUMBLE(TABLE l, DESCRIPTOR(ts), INTERVAL '10' SECOND));
CREATE VIEW rt AS SELECT * FROM TABLE(TUMBLE(TABLE r, DESCRIPTOR(ts), INTERVAL '10' SECOND));
SELECT lt.id, rt.id, lt.k, lt.window_start, rt.window_end FROM lt JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end;
SELECT lt.id, rt.id, lt.k, lt.window_start, rt.window_end FROM lt LEFT JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end;
SELECT lt.id, rt.id, lt.k, lt.window_start, rt.window_end FROM lt RIGHT JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end;
SELECT lt.id, rt.id, lt.k, lt.window_start, rt.window_end FROM lt FULL JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end AND lt.v < rt.x;
SELECT lt.id, lt.k, lt.window_start FROM lt WHERE k IN (SELECT k FROM rt WHERE lt.window_start = rt.window_start AND lt.window_end = rt.window_end);
SELECT lt.id, lt.k, lt.window_start FROM lt WHERE k NOT IN (SELECT k FROM rt WHERE lt.window_start = rt.window_start AND lt.window_end = rt.window_end);
SELECT lt.id, lt.k, lt.window_start FROM lt WHERE EXISTS (SELECT * FROM rt WHERE lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end);
SELECT lt.id, lt.k, lt.window_start FROM lt WHERE NOT EXISTS (SELECT * FROM rt WHERE lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end);
SELECT lt.id, rt.id, lt.window_start FROM lt JOIN rt ON lt.window_start = rt.window_start AND lt.window_end = rt.window_end;
DESCRIBE lt;
SELECT a.id, b.id FROM (SELECT * FROM TABLE(TUMBLE(TABLE l, DESCRIPTOR(pt), INTERVAL '10' SECOND))) a JOIN (SELECT * FROM TABLE(TUMBLE(TABLE r, DESCRIPTOR(pt), INTERVAL '10' SECOND))) b ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end;
SELECT a.id, b.id FROM (SELECT * FROM TABLE(SESSION(TABLE l PARTITION BY k, DESCRIPTOR(ts), INTERVAL '10' SECOND))) a JOIN (SELECT * FROM TABLE(SESSION(TABLE r PARTITION BY k, DESCRIPTOR(ts), INTERVAL '10' SECOND))) b ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end;
SELECT a.id, b.id FROM (SELECT * FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), INTERVAL '10' SECOND))) a JOIN (SELECT * FROM TABLE(TUMBLE(TABLE r, DESCRIPTOR(ts), INTERVAL '10' SECOND))) b ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end;
SELECT a.id, b.id FROM (SELECT * FROM TABLE(HOP(TABLE l, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))) a JOIN (SELECT * FROM TABLE(HOP(TABLE r, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))) b ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end;
SELECT a.id, b.id FROM (SELECT * FROM TABLE(CUMULATE(TABLE l, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))) a JOIN (SELECT * FROM TABLE(CUMULATE(TABLE r, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))) b ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end;
SELECT lt.id, rt.id, lt.k FROM lt LEFT JOIN rt ON lt.window_start = rt.window_start AND lt.window_end = rt.window_end AND lt.v > rt.x AND lt.k = rt.k;
SELECT lt.id, rt.id FROM lt RIGHT JOIN rt ON lt.window_start = rt.window_start AND lt.window_end = rt.window_end AND lt.v = rt.x;
SELECT lt.id, rt.id FROM lt FULL JOIN rt ON lt.window_start = rt.window_start AND lt.window_end = rt.window_end AND lt.v = rt.x + 1;
SELECT lt.id, rt.id FROM lt FULL JOIN rt ON lt.window_start = rt.window_start AND lt.window_end = rt.window_end AND lt.v > rt.x;
SELECT lt.id, rt.id, lt.k FROM lt JOIN rt ON lt.k IS NOT DISTINCT FROM rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end;
SELECT lt.id, rt.id, lt.k FROM lt FULL JOIN rt ON lt.k IS NOT DISTINCT FROM rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end;
SELECT lt.id FROM lt WHERE EXISTS (SELECT * FROM rt WHERE lt.v < rt.x AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end);
SELECT lt.id FROM lt WHERE NOT EXISTS (SELECT * FROM rt WHERE lt.v < rt.x AND lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end);
SELECT lt.id FROM lt WHERE NOT EXISTS (SELECT * FROM rt WHERE lt.window_start = rt.window_start AND lt.window_end = rt.window_end);
SELECT lt.id, rt.id FROM lt JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end AND lt.window_time = rt.window_time WHERE lt.v > 3;
SELECT a.k, a.s, b.s FROM (SELECT k, window_start, window_end, SUM(v) AS s FROM TABLE(TUMBLE(TABLE l, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY k, window_start, window_end) a FULL JOIN (SELECT k, window_start, window_end, SUM(x) AS s FROM TABLE(TUMBLE(TABLE r, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY k, window_start, window_end) b ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end;
SELECT window_start, window_end, COUNT(*), COUNT(x) FROM (SELECT lt.window_start, lt.window_end, rt.x FROM lt LEFT JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end) GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(*), SUM(x) FROM (SELECT rt.window_start, rt.window_end, rt.x FROM lt JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end) GROUP BY window_start, window_end;
CREATE VIEW j AS SELECT lt.id, lt.k, lt.v, rt.x, lt.window_start, lt.window_end, lt.window_time FROM lt JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start AND lt.window_end = rt.window_end;
CREATE VIEW jw AS SELECT id, window_time AS wt FROM j;
SELECT window_start, window_end, COUNT(*) FROM TABLE(TUMBLE(TABLE jw, DESCRIPTOR(wt), INTERVAL '20' SECOND)) GROUP BY window_start, window_end;
SELECT j.id, j.x, lt.id FROM j JOIN lt ON j.k = lt.k AND j.window_start = lt.window_start AND j.window_end = lt.window_end;
SELECT id, k, x, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY x DESC, id) rn FROM j) WHERE rn <= 2;
SELECT k, COUNT(*), MAX(x) FROM j GROUP BY k;
SELECT a.id, b.id FROM (SELECT * FROM TABLE(TUMBLE(TABLE l, DESCRIPTOR(ts), INTERVAL '10' SECOND))) a JOIN (SELECT * FROM TABLE(TUMBLE(TABLE l, DESCRIPTOR(ts), INTERVAL '10' SECOND))) b ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end;
SELECT a.id, b.id FROM (SELECT * FROM TABLE(TUMBLE(TABLE l, DESCRIPTOR(ts), INTERVAL '10' SECOND))) a JOIN (SELECT * FROM TABLE(TUMBLE(TABLE r, DESCRIPTOR(ts), INTERVAL '5' SECOND))) b ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end;
SELECT lt.id, rt.id, lt.k FROM lt JOIN rt ON lt.k = rt.k AND lt.window_start = rt.window_start;
