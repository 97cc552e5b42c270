-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- Aggregate functions over windows that overlap; watermarks behind every row by the table's option.
CREATE TABLE t (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'scan.watermark.emit.strategy' = 'on-event', 'rows' = '
["+I", 1, "a", 1, "2024-01-01 00:00:01"]
["+I", 2, "b", 2, "2024-01-01 00:00:05"]
["+I", 3, "a", 3, "2024-01-01 00:00:12"]
["+I", 4, "a", 4, "2024-01-01 00:00:04"]
["+I", 5, null, 5, "2024-01-01 00:00:14"]
["+I", 6, "b", null, "2024-01-01 00:00:25"]
["+I", 7, "a", 7, "2024-01-01 00:00:09"]
["+I", 8, "a", 8, "2024-01-01 00:00:41"]');
SELECT window_start, window_end, COLLECT(v) FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '20' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(DISTINCT k), COUNT(*) FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '15' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, STDDEV_SAMP(v), VAR_POP(v), MIN(k), MAX(k) FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '15' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, LISTAGG(k), ARRAY_AGG(v) FROM TABLE(SESSION(TABLE t, DESCRIPTOR(ts), INTERVAL '6' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, MIN(v), MAX(v), AVG(CAST(v AS DOUBLE)), SUM(CAST(v AS FLOAT)), SUM(CAST(v AS DECIMAL(10, 3))) FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '20' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, k, COUNT(*), AVG(v) FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '15' SECOND)) GROUP BY window_start, window_end, GROUPING SETS ((k), ());
