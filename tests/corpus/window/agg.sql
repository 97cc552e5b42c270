-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- conf: pipeline.auto-watermark-interval=0
-- Aggregates by windows on event time: late rows are dropped, each window comes out once.
CREATE TABLE t (id INT, k STRING, v INT, d DECIMAL(10, 2), ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 1, 1.50, "2024-01-01 00:00:01"]
["+I", 2, "b", 2, 2.25, "2024-01-01 00:00:05"]
["+I", 3, "a", 3, null, "2024-01-01 00:00:12"]
["+I", 4, "a", 4, 4.00, "2024-01-01 00:00:04"]
["+I", 5, null, 5, -5.10, "2024-01-01 00:00:14"]
["+I", 6, "b", null, 6.00, "2024-01-01 00:00:25"]
["+I", 7, "a", 7, 7.77, "2024-01-01 00:00:09"]
["+I", 8, "a", 3, 8.00, "2024-01-01 00:00:26"]
["+I", 9, "a", 3, 9.00, "2024-01-01 00:00:27"]
["+I", 10, "b", 1, 10.00, "2024-01-01 00:00:24.999"]
["+I", 11, "c", 8, 11.00, "2024-01-01 00:00:41"]
["+I", 12, "c", 9, 12.00, "2024-01-01 00:01:59.999"]');
CREATE TABLE empty_one (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '');
SELECT window_start, window_end, k, SUM(v), COUNT(*), AVG(v), MIN(v), MAX(v) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end, k;
SELECT window_start, window_end, SUM(d), COUNT(v), AVG(d), MIN(k), MAX(k) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end;
SELECT COUNT(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_end, window_start;
SELECT k, window_end, window_time, COUNT(DISTINCT v), SUM(DISTINCT v), COUNT(*) FILTER (WHERE v > 2), MAX(v) FILTER (WHERE id < 9) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY k, window_start, window_end, window_time;
SELECT window_start, window_end, LISTAGG(k), FIRST_VALUE(v), LAST_VALUE(v), STDDEV_POP(v) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, k, COLLECT(v), COUNT(DISTINCT v) FILTER (WHERE id > 8), COUNT(DISTINCT id) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '30' SECOND)) GROUP BY window_start, window_end, k;
SELECT window_start, window_end, k FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end, k;
SELECT DISTINCT window_start, window_end, v FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '30' SECOND));
SELECT window_start, window_end, k, SUM(v) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '4' SECOND)) GROUP BY window_start, window_end, k;
SELECT window_start, window_end, k, SUM(v) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '-4' SECOND)) GROUP BY window_start, window_end, k;
SELECT window_start, window_end, k, SUM(v) s FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) WHERE v > 1 GROUP BY window_start, window_end, k HAVING SUM(v) > 3;
SELECT window_start, window_end, COUNT(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) WHERE v > 1 AND k LIKE 'a%' GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) WHERE window_start >= TIMESTAMP '2024-01-01 00:00:20' GROUP BY window_start, window_end;
SELECT window_start, window_end, MAX(window_start), MIN(window_time), SUM(v) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, MAX(ts), SUM(v) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, ts, COUNT(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end, ts;
SELECT EXTRACT(MINUTE FROM window_start), v * 2, COUNT(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, v * 2;
SELECT window_start, window_end, SUM(v), COUNT(*) FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '15' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, k, SUM(v), MIN(v), MAX(v), AVG(v) FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND)) GROUP BY window_start, window_end, k;
SELECT window_start, window_end, k, COUNT(DISTINCT v) FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '30' SECOND)) GROUP BY window_start, window_end, k;
SELECT window_start, window_end, k, SUM(v) FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND, INTERVAL '1' SECOND)) GROUP BY window_start, window_end, k;
SELECT window_start, window_end, k, SUM(v), MAX(v) FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '10' SECOND)) GROUP BY window_start, window_end, k;
SELECT window_start, window_end, window_time, k, SUM(v), COUNT(*) FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '20' SECOND)) GROUP BY window_start, window_end, window_time, k;
SELECT window_start, window_end, MIN(v), MAX(v), AVG(d), COUNT(DISTINCT k) FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '30' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, SUM(v) FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '20' SECOND, INTERVAL '5' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, k, SUM(v), COUNT(*), GROUPING(k) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end, GROUPING SETS ((k), ());
SELECT window_start, window_end, k, v, COUNT(*), GROUPING_ID(k, v) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '30' SECOND)) GROUP BY window_start, window_end, CUBE (k, v);
SELECT window_start, window_end, k, v, COUNT(*) FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '20' SECOND)) GROUP BY window_start, window_end, ROLLUP (k, v);
SELECT COUNT(*), SUM(id) FROM TABLE(TUMBLE(TABLE empty_one, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end;
