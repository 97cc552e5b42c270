-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- Windows above and below other queries: cascades of all kinds, unions, joins, OVER, Top-N, subqueries, views of views, late rows in each.
CREATE TABLE t (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '2' SECOND) WITH ('connector' = 'script', 'scan.watermark.emit.strategy' = 'on-event', 'rows' = '
["+I", 1, "a", 1, "2024-01-01 00:00:01"]
["+I", 2, "b", 2, "2024-01-01 00:00:04"]
["+I", 3, "a", 3, "2024-01-01 00:00:11"]
["+I", 4, "a", 4, "2024-01-01 00:00:03"]
["+I", 5, null, 5, "2024-01-01 00:00:13"]
["+I", 6, "b", null, "2024-01-01 00:00:12"]
["+I", 7, "b", 7, "2024-01-01 00:00:10"]
["+I", 8, "c", 8, "2024-01-01 00:00:25"]
["+I", 9, "c", 9, "2024-01-01 00:00:19"]
["+I", 10, "a", 10, "2024-01-01 00:01:02"]');
CREATE TABLE m (k STRING, f INT) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 10]
["+I", "b", 20]');
CREATE TABLE late_only (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts + INTERVAL '1' MINUTE) WITH ('connector' = 'script', 'scan.watermark.emit.strategy' = 'on-event', 'rows' = '
["+I", 1, "2024-01-01 00:00:01"]
["+I", 2, "2024-01-01 00:00:01"]
["+I", 3, "2024-01-01 00:00:02"]');
CREATE VIEW w AS SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND));
CREATE VIEW a5 AS SELECT window_start, window_end, window_time AS rt, k, SUM(v) AS v, COUNT(*) AS n FROM w GROUP BY window_start, window_end, window_time, k;
CREATE VIEW b5 AS SELECT rt, k, v FROM a5 WHERE n > 0;
SELECT window_start, COUNT(*) FROM TABLE(TUMBLE(TABLE late_only, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end;
SELECT TUMBLE_START(ts, INTERVAL '10' SECOND), COUNT(*) FROM late_only GROUP BY TUMBLE(ts, INTERVAL '10' SECOND);
SELECT window_start, COUNT(*) FROM TABLE(SESSION(TABLE late_only, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end;
SELECT SESSION_START(ts, INTERVAL '10' SECOND), COUNT(*) FROM late_only GROUP BY SESSION(ts, INTERVAL '10' SECOND);
SELECT id, window_start FROM TABLE(TUMBLE(TABLE late_only, DESCRIPTOR(ts), INTERVAL '10' SECOND));
SELECT id, window_start, window_end FROM TABLE(SESSION(TABLE late_only, DESCRIPTOR(ts), INTERVAL '10' SECOND));
SELECT id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY id) AS rn FROM TABLE(TUMBLE(TABLE late_only, DESCRIPTOR(ts), INTERVAL '10' SECOND))) WHERE rn <= 2;
SELECT window_start, window_end, SUM(v), SUM(n) FROM TABLE(TUMBLE((SELECT rt, v, n FROM a5), DESCRIPTOR(rt), INTERVAL '20' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, k, SUM(v) FROM TABLE(HOP(TABLE b5, DESCRIPTOR(rt), INTERVAL '10' SECOND, INTERVAL '20' SECOND)) GROUP BY window_start, window_end, k;
SELECT window_start, window_end, MAX(v), COUNT(DISTINCT k) FROM TABLE(CUMULATE(TABLE b5, DESCRIPTOR(rt), INTERVAL '10' SECOND, INTERVAL '30' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, k, COUNT(*) FROM TABLE(SESSION(TABLE b5 PARTITION BY k, DESCRIPTOR(rt), INTERVAL '10' SECOND)) GROUP BY window_start, window_end, k;
SELECT TUMBLE_START(rt, INTERVAL '20' SECOND), SUM(v) FROM b5 GROUP BY TUMBLE(rt, INTERVAL '20' SECOND);
SELECT SESSION_END(rt, INTERVAL '10' SECOND), SUM(v), COUNT(*) FROM b5 GROUP BY SESSION(rt, INTERVAL '10' SECOND);
SELECT rt, k, v, SUM(v) OVER (PARTITION BY k ORDER BY rt ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM b5;
SELECT rt, k, v, LAG(v) OVER (PARTITION BY k ORDER BY rt) FROM b5;
SELECT b5.rt, b5.k, v, f FROM b5 JOIN m ON b5.k = m.k;
SELECT window_start, SUM(v * f) FROM (SELECT w.window_start, w.window_end, w.v, m.f FROM w JOIN m ON w.k = m.k) GROUP BY window_start, window_end;
SELECT x.rt, x.k, x.v, y.v FROM b5 x JOIN b5 y ON x.k = y.k AND y.rt BETWEEN x.rt - INTERVAL '10' SECOND AND x.rt - INTERVAL '1' SECOND;
SELECT window_start, window_end, k, v FROM a5 WHERE v > (SELECT MIN(f) / 4 FROM m);
SELECT window_start, k, v FROM a5 WHERE k IN (SELECT k FROM m);
SELECT k, COUNT(*), SUM(v), MAX(rt) FROM a5 GROUP BY k;
SELECT k, v FROM (SELECT k, v, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM b5) WHERE rn = 1;
SELECT k, rt, v FROM (SELECT k, v, rt, ROW_NUMBER() OVER (PARTITION BY k ORDER BY rt DESC) AS rn FROM b5) WHERE rn = 1;
SELECT * FROM (SELECT window_start, window_end, k, v, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY v DESC) AS rn FROM a5) WHERE rn <= 1;
SELECT window_start, COUNT(*) FROM (SELECT window_start, window_end, k FROM w GROUP BY window_start, window_end, k) GROUP BY window_start, window_end;
SELECT window_start, SUM(c) FROM (SELECT window_start, window_end, k, v, COUNT(*) AS c FROM w GROUP BY window_start, window_end, GROUPING SETS ((k), (v))) GROUP BY window_start, window_end;
SELECT window_start, MAX(c) - MIN(c) FROM (SELECT window_start, window_end, k, COUNT(*) AS c FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND)) GROUP BY window_start, window_end, k) GROUP BY window_start, window_end HAVING COUNT(*) > 1;
SELECT window_start, window_end, COUNT(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND)) WHERE v IS NULL OR k IS NULL GROUP BY window_start, window_end;
SELECT MAX(v) FROM w GROUP BY window_start, window_end, MOD(id, 2);
SELECT window_start, CASE WHEN v > 4 THEN 'big' ELSE 'small' END AS c, COUNT(*) FROM w GROUP BY window_start, window_end, CASE WHEN v > 4 THEN 'big' ELSE 'small' END;
SELECT window_start, x, COUNT(*) FROM w CROSS JOIN UNNEST(ARRAY[id, v]) AS q (x) GROUP BY window_start, window_end, x;
SELECT window_start, window_end, COUNT(*) FROM TABLE(TUMBLE((SELECT k, ts FROM t WHERE k <> 'c'), DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, k, COUNT(*) FROM w GROUP BY window_start, window_end, k ORDER BY window_start, k LIMIT 3;
SELECT DISTINCT window_start FROM w;
SELECT window_start, k FROM w INTERSECT SELECT window_start, k FROM a5;
SELECT COUNT(*) FROM (SELECT window_start FROM w GROUP BY window_start, window_end);
SELECT window_start, window_end, AVG(v) OVER (PARTITION BY k ORDER BY rt RANGE BETWEEN INTERVAL '10' SECOND PRECEDING AND CURRENT ROW) FROM a5;
SELECT window_start, FIRST_VALUE(id), LAST_VALUE(id), MIN(ts), MAX(ts) FROM w GROUP BY window_start, window_end;
SELECT id, window_start, CURRENT_WATERMARK(ts) FROM w;
