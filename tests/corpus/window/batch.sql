-- SPDX-License-Identifier: Apache-2.0
-- modes: batch
-- order: any
-- Windows over bounded input: nothing is late; sessions and processing time are refused.
CREATE TABLE t (id INT, k STRING, v INT, ts TIMESTAMP(3), pt AS PROCTIME(), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 1, "2024-01-01 00:00:01"]
["+I", 2, "b", 2, "2024-01-01 00:00:05"]
["+I", 3, "a", 3, "2024-01-01 00:00:12"]
["+I", 4, "a", 4, "2024-01-01 00:00:04"]
["+I", 5, null, 5, "2024-01-01 00:00:14"]
["+I", 6, "b", null, "2024-01-01 00:00:25"]
["+I", 7, "a", 7, "2024-01-01 00:00:09"]');
CREATE TABLE p (id INT, ts TIMESTAMP(0)) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "2024-01-01 00:00:01"]
["+I", 2, "2024-01-01 00:00:13"]');
SELECT id, window_start, window_end, window_time FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND));
SELECT id, window_start, window_end, window_time FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND));
SELECT id, window_start, window_end, window_time FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '20' SECOND));
SELECT * FROM TABLE(TUMBLE(TABLE p, DESCRIPTOR(ts), INTERVAL '10' SECOND));
SELECT window_start, window_end, k, SUM(v), COUNT(*), COUNT(DISTINCT v) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end, k;
SELECT window_start, window_end, window_time, SUM(v), COUNT(*) FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '15' SECOND)) GROUP BY window_start, window_end, window_time;
SELECT window_start, window_end, SUM(v), COUNT(*) FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '4' SECOND, INTERVAL '10' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, k, SUM(v) FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '20' SECOND)) GROUP BY window_start, window_end, k;
SELECT window_start, SUM(v) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start;
SELECT window_start, window_end, k, v, COUNT(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '30' SECOND)) GROUP BY window_start, window_end, ROLLUP (k, v);
SELECT TUMBLE_START(ts, INTERVAL '10' SECOND), TUMBLE_END(ts, INTERVAL '10' SECOND), k, SUM(v) FROM t GROUP BY TUMBLE(ts, INTERVAL '10' SECOND), k;
SELECT HOP_START(ts, INTERVAL '5' SECOND, INTERVAL '10' SECOND), COUNT(*) FROM t GROUP BY HOP(ts, INTERVAL '5' SECOND, INTERVAL '10' SECOND);
SELECT * FROM TABLE(SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' SECOND));
SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(pt), INTERVAL '5' SECOND));
