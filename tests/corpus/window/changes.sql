-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- conf: pipeline.auto-watermark-interval=0
-- Windows over input that takes rows back.
CREATE TABLE c (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
["+I", 1, "a", 1, "2024-01-01 00:00:01"]
["+I", 2, "b", 2, "2024-01-01 00:00:03"]
["-U", 1, "a", 1, "2024-01-01 00:00:01"]
["+U", 1, "a", 5, "2024-01-01 00:00:04"]
["-D", 2, "b", 2, "2024-01-01 00:00:03"]
["+I", 3, "a", 3, "2024-01-01 00:00:08"]
["+I", 4, "b", 4, "2024-01-01 00:00:12"]
["-U", 3, "a", 3, "2024-01-01 00:00:08"]
["+U", 3, "b", 9, "2024-01-01 00:00:13"]
["-D", 1, "a", 5, "2024-01-01 00:00:04"]
["+I", 5, "a", 7, "2024-01-01 00:00:30"]');
SELECT * FROM TABLE(TUMBLE(TABLE c, DESCRIPTOR(ts), INTERVAL '10' SECOND));
SELECT id, window_start FROM TABLE(HOP(TABLE c, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND));
SELECT window_start, window_end, k, COUNT(*), SUM(v), MIN(v), MAX(v), AVG(v) FROM TABLE(TUMBLE(TABLE c, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end, k;
SELECT window_start, window_end, COUNT(*), SUM(v), COUNT(DISTINCT k) FROM TABLE(TUMBLE(TABLE c, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, k, SUM(v), COUNT(*) FROM TABLE(HOP(TABLE c, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND)) GROUP BY window_start, window_end, k;
SELECT window_start, window_end, k, SUM(v), COUNT(*) FROM TABLE(CUMULATE(TABLE c, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '20' SECOND)) GROUP BY window_start, window_end, k;
SELECT window_start, window_end, k, SUM(v), COUNT(*) FROM TABLE(SESSION(TABLE c PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end, k;
SELECT window_start, k, SUM(v), COUNT(*) FROM TABLE(TUMBLE(TABLE c, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, k;
