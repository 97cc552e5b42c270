-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- conf: pipeline.auto-watermark-interval=0
-- Windows of windows: over window_time, and again by the same windows.
CREATE TABLE t (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 1, "2024-01-01 00:00:01"]
["+I", 2, "b", 2, "2024-01-01 00:00:03"]
["+I", 3, "a", 3, "2024-01-01 00:00:06"]
["+I", 4, "a", 4, "2024-01-01 00:00:04"]
["+I", 5, "c", 5, "2024-01-01 00:00:11"]
["+I", 6, "b", 6, "2024-01-01 00:00:17"]
["+I", 7, "a", 7, "2024-01-01 00:00:31"]');
CREATE VIEW w5 AS SELECT window_start AS s, window_end AS e, window_time AS wt, k, SUM(v) AS v, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end, window_time, k;
DESCRIBE w5;
SELECT * FROM w5;
SELECT window_start, window_end, SUM(v), SUM(n) FROM TABLE(TUMBLE(TABLE w5, DESCRIPTOR(wt), INTERVAL '10' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, k, SUM(v), SUM(n) FROM TABLE(HOP(TABLE w5, DESCRIPTOR(wt), INTERVAL '5' SECOND, INTERVAL '15' SECOND)) GROUP BY window_start, window_end, k;
SELECT window_start, window_end, MAX(v) FROM TABLE(CUMULATE(TABLE w5, DESCRIPTOR(wt), INTERVAL '5' SECOND, INTERVAL '20' SECOND)) GROUP BY window_start, window_end;
SELECT s, e, SUM(v), MAX(n) FROM w5 GROUP BY s, e;
SELECT window_start, window_end, MAX(sv), COUNT(*) FROM (SELECT k, window_start, window_end, SUM(v) AS sv FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND)) GROUP BY k, window_start, window_end) GROUP BY window_start, window_end;
SELECT window_start, window_end, MAX(sv), COUNT(*) FROM (SELECT k, window_start, window_end, SUM(v) AS sv FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '20' SECOND)) GROUP BY k, window_start, window_end) GROUP BY window_start, window_end;
SELECT window_start, window_end, SUM(v) FROM (SELECT window_start, window_end, v FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND)) WHERE id <> 4 UNION ALL SELECT window_start, window_end, v * 10 FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND)) WHERE id <> 4) GROUP BY window_start, window_end;
SELECT e, SUM(v) FROM w5 GROUP BY e;
SELECT k, SUM(v) FROM w5 GROUP BY k;
SELECT window_start, window_end, window_time, COUNT(*) FROM TABLE(TUMBLE(TABLE w5, DESCRIPTOR(wt), INTERVAL '30' SECOND)) GROUP BY window_start, window_end, window_time;
