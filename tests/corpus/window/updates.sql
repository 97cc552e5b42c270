-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- parallel: no
-- Every aggregate by windows over rows that change: rows taken back that never came, moved to other windows, emptied windows.
CREATE TABLE c (id INT, k STRING, v INT, n DECIMAL(10, 2), ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
["+I", 1, "a", 1, 1.5, "2024-01-01 00:00:01"]
["+I", 2, "b", 2, 2.5, "2024-01-01 00:00:03"]
["-U", 1, "a", 1, 1.5, "2024-01-01 00:00:01"]
["+U", 1, "a", 5, 9.99, "2024-01-01 00:00:13"]
["-D", 2, "b", 2, 2.5, "2024-01-01 00:00:03"]
["+I", 3, "a", 3, null, "2024-01-01 00:00:08"]
["+I", 4, "a", 3, 0, "2024-01-01 00:00:09"]
["-D", 9, "z", 7, 7, "2024-01-01 00:00:09"]
["+I", 5, null, null, null, "2024-01-01 00:00:12"]
["-U", 5, null, null, null, "2024-01-01 00:00:12"]
["+U", 5, "b", 4, 4, "2024-01-01 00:00:12"]
["+I", 6, "b", 4, 4, "2024-01-01 00:00:22"]
["-D", 6, "b", 4, 4, "2024-01-01 00:00:22"]');
CREATE TABLE p (id INT PRIMARY KEY NOT ENFORCED, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'changelog-mode' = 'I,UA,D', 'rows' = '
["+I", 1, "a", 1, "2024-01-01 00:00:01"]
["+U", 1, "a", 2, "2024-01-01 00:00:02"]
["+U", 1, "b", 3, "2024-01-01 00:00:12"]
["+I", 2, "b", 4, "2024-01-01 00:00:13"]
["-D", 2, "b", 4, "2024-01-01 00:00:13"]
["+I", 3, "b", 6, "2024-01-01 00:00:04"]');
CREATE VIEW w AS SELECT * FROM TABLE(TUMBLE(TABLE c, DESCRIPTOR(ts), INTERVAL '10' SECOND));
SELECT window_start, COUNT(*), SUM(v), AVG(v), SUM(n), AVG(n) FROM w GROUP BY window_start, window_end;
SELECT window_start, MIN(v), MAX(v), MIN(n), MAX(k), MIN(k) FROM w WHERE id <> 9 GROUP BY window_start, window_end;
SELECT window_start, COUNT(DISTINCT v), SUM(DISTINCT v), COUNT(DISTINCT k) FILTER (WHERE v > 1) FROM w WHERE id <> 9 GROUP BY window_start, window_end;
SELECT window_start, FIRST_VALUE(v), LAST_VALUE(v) FROM w WHERE id <> 9 GROUP BY window_start, window_end;
SELECT window_start, LISTAGG(k) FROM w WHERE id <> 9 GROUP BY window_start, window_end;
SELECT window_start, COLLECT(v) FROM w WHERE id <> 9 GROUP BY window_start, window_end;
SELECT window_start, ARRAY_AGG(v) FROM w WHERE id <> 9 GROUP BY window_start, window_end;
SELECT window_start, STDDEV_POP(v), VAR_SAMP(n) FROM w WHERE id <> 9 GROUP BY window_start, window_end;
SELECT window_start, k, COUNT(*), SUM(v) FROM w GROUP BY window_start, window_end, k;
SELECT window_start, k, COUNT(*) FROM w GROUP BY window_start, window_end, k HAVING COUNT(*) > 1;
SELECT window_start, k FROM w GROUP BY window_start, window_end, k;
SELECT DISTINCT window_start, window_end, k FROM w;
SELECT window_start, k, COUNT(*) FROM w GROUP BY window_start, window_end, GROUPING SETS ((k), ());
SELECT window_start, window_end, COUNT(*), MAX(v) FROM TABLE(HOP(TABLE c, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND)) WHERE id <> 9 GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(*), MIN(v) FROM TABLE(CUMULATE(TABLE c, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND)) WHERE id <> 9 GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(*), SUM(v) FROM TABLE(SESSION(TABLE c, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, k, COUNT(*), MAX(v) FROM TABLE(SESSION(TABLE c PARTITION BY k, DESCRIPTOR(ts), INTERVAL '3' SECOND)) GROUP BY window_start, window_end, k;
SELECT window_start, SUM(s) FROM (SELECT window_start, window_end, k, SUM(v) AS s FROM w GROUP BY window_start, window_end, k) GROUP BY window_start, window_end;
SELECT TUMBLE_START(ts, INTERVAL '10' SECOND), COUNT(*), SUM(v), MAX(v) FROM c WHERE id <> 9 GROUP BY TUMBLE(ts, INTERVAL '10' SECOND);
SELECT HOP_START(ts, INTERVAL '5' SECOND, INTERVAL '10' SECOND), k, COUNT(*), SUM(v) FROM c GROUP BY HOP(ts, INTERVAL '5' SECOND, INTERVAL '10' SECOND), k;
SELECT SESSION_START(ts, INTERVAL '3' SECOND), k, COUNT(*) FROM c GROUP BY SESSION(ts, INTERVAL '3' SECOND), k;
SELECT SESSION_START(ts, INTERVAL '3' SECOND), COUNT(*), SUM(v) FROM c GROUP BY SESSION(ts, INTERVAL '3' SECOND);
SELECT id, v, window_start FROM TABLE(TUMBLE(TABLE p, DESCRIPTOR(ts), INTERVAL '10' SECOND));
SELECT window_start, COUNT(*), SUM(v) FROM TABLE(TUMBLE(TABLE p, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, k, COUNT(*), MAX(v) FROM TABLE(HOP(TABLE p, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND)) GROUP BY window_start, window_end, k;
SELECT TUMBLE_START(ts, INTERVAL '10' SECOND), COUNT(*), SUM(v) FROM p GROUP BY TUMBLE(ts, INTERVAL '10' SECOND);
SELECT window_start, COUNT(*) FROM TABLE(SESSION(TABLE p, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, COUNT(*) FROM TABLE(TUMBLE((SELECT ts, COUNT(*) AS n FROM c GROUP BY ts), DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end;
SELECT a.window_start, a.id, b.id FROM w a JOIN w b ON a.window_start = b.window_start AND a.window_end = b.window_end AND a.k = b.k;
SELECT a.window_start, a.c, b.c FROM (SELECT window_start, window_end, COUNT(*) AS c FROM w GROUP BY window_start, window_end) a JOIN (SELECT window_start, window_end, SUM(v) AS c FROM w GROUP BY window_start, window_end) b ON a.window_start = b.window_start AND a.window_end = b.window_end;
SELECT * FROM (SELECT window_start, window_end, k, c, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY c DESC, k) AS rn FROM (SELECT window_start, window_end, k, COUNT(*) AS c FROM w GROUP BY window_start, window_end, k)) WHERE rn = 1;
