-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- conf: pipeline.auto-watermark-interval=0
-- Sessions: rows that bridge two, late rows, partitions, the function alone and below aggregates.
CREATE TABLE t (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '10' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 1, "2024-01-01 00:00:01"]
["+I", 2, "b", 2, "2024-01-01 00:00:05"]
["+I", 3, "a", 3, "2024-01-01 00:00:12"]
["+I", 4, "a", 4, "2024-01-01 00:00:07"]
["+I", 5, null, 5, "2024-01-01 00:00:14"]
["+I", 6, "b", null, "2024-01-01 00:00:25"]
["+I", 7, "a", 7, "2024-01-01 00:00:09"]
["+I", 8, "a", 8, "2024-01-01 00:00:31"]
["+I", 9, "a", 9, "2024-01-01 00:00:26"]
["+I", 10, "a", 10, "2024-01-01 00:00:21"]
["+I", 11, "b", 11, "2024-01-01 00:00:02"]
["+I", 12, "b", 12, "2024-01-01 00:01:00"]
["+I", 13, null, 13, "2024-01-01 00:00:55"]
["+I", 14, null, 14, "2024-01-01 00:00:51"]
["+I", 15, "z", 15, "2024-01-01 00:00:40"]');
SELECT * FROM TABLE(SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' SECOND));
SELECT id, window_start, window_end, window_time FROM TABLE(SESSION(TABLE t, DESCRIPTOR(ts), INTERVAL '4' SECOND));
SELECT id, window_start FROM TABLE(SESSION(DATA => TABLE t PARTITION BY (k, v), TIMECOL => DESCRIPTOR(ts), GAP => INTERVAL '5' SECOND));
SELECT window_start, window_end, k, SUM(v), COUNT(*), MIN(v), MAX(v), AVG(v) FROM TABLE(SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end, k;
SELECT window_start, window_end, window_time, k, COUNT(DISTINCT v), SUM(v) FILTER (WHERE id > 4) FROM TABLE(SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end, window_time, k;
SELECT window_start, window_end, COUNT(*), SUM(v) FROM TABLE(SESSION(TABLE t, DESCRIPTOR(ts), INTERVAL '4' SECOND)) GROUP BY window_start, window_end;
SELECT k, COUNT(*) FROM TABLE(SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' SECOND)) WHERE v > 2 GROUP BY window_start, window_end, k HAVING COUNT(*) > 1;
SELECT window_start, window_end, COUNT(*) FROM TABLE(SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, k, COUNT(*) FROM TABLE(SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, k;
CREATE VIEW s AS SELECT window_start AS ws, window_end AS we, window_time AS wt, k, SUM(v) AS v FROM TABLE(SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end, window_time, k;
SELECT * FROM s;
SELECT window_start, window_end, SUM(v), COUNT(*) FROM TABLE(TUMBLE(TABLE s, DESCRIPTOR(wt), INTERVAL '20' SECOND)) GROUP BY window_start, window_end;
