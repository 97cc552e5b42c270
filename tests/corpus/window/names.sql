-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- Names of window columns: aliases, columns of that name, the same twice, forms of GROUP BY.
CREATE TABLE t (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'scan.watermark.emit.strategy' = 'on-event', 'rows' = '
["+I", 1, "a", 1, "2024-01-01 00:00:01"]
["+I", 2, "b", 2, "2024-01-01 00:00:05"]
["+I", 3, "a", 3, "2024-01-01 00:00:12"]
["+I", 4, null, 4, "2024-01-01 00:00:04"]
["+I", 5, "b", 5, "2024-01-01 00:00:27"]');
CREATE TABLE ws (window_start INT, window_end STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '["+I", 1, "x", "2024-01-01 00:00:01"]');
CREATE TABLE wt (id INT, window_time TIMESTAMP(3), WATERMARK FOR window_time AS window_time) WITH ('connector' = 'script', 'rows' = '["+I", 1, "2024-01-01 00:00:01"]');
CREATE VIEW w AS SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND));
SELECT * FROM TABLE(TUMBLE(TABLE ws, DESCRIPTOR(ts), INTERVAL '10' SECOND));
SELECT window_start FROM TABLE(TUMBLE(TABLE ws, DESCRIPTOR(ts), INTERVAL '10' SECOND));
SELECT * FROM TABLE(TUMBLE(TABLE wt, DESCRIPTOR(window_time), INTERVAL '10' SECOND));
SELECT window_start0, COUNT(*) FROM TABLE(TUMBLE(TABLE ws, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start0, window_end0;
SELECT s, e, COUNT(*) FROM (SELECT window_start AS s, window_end AS e, v FROM w) GROUP BY s, e;
SELECT x.window_start, x.window_end, COUNT(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) AS x GROUP BY x.window_start, x.window_end;
SELECT a, b, COUNT(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) AS x (p, q, r, u, a, b, c) GROUP BY a, b;
SELECT window_start ws, window_end we, COUNT(*) c FROM w GROUP BY ws, we;
SELECT window_start AS ws, COUNT(*) FROM w GROUP BY 1, window_end;
SELECT window_start, window_end, k, COUNT(*) FROM w GROUP BY (window_start, window_end), k;
SELECT window_start, window_end, k, COUNT(*) FROM w GROUP BY window_start, window_end, window_start, k, k;
SELECT window_start, window_start AS s2, window_end, COUNT(*) FROM w GROUP BY window_start, window_end;
SELECT window_end, window_start, window_time, v, COUNT(*) FROM w GROUP BY v, window_time, window_end, window_start;
SELECT s, SUM(c) FROM (SELECT window_start AS s, window_end AS e, k, COUNT(*) AS c FROM w GROUP BY window_start, window_end, k) GROUP BY s, e;
SELECT s, SUM(c) FROM (SELECT window_start AS s, window_end AS e, window_start AS s3, k, COUNT(*) AS c FROM w GROUP BY window_start, window_end, k) GROUP BY s, e, s3;
SELECT s, SUM(c) FROM (SELECT window_start AS s, window_end AS e, k, COUNT(*) AS c FROM w GROUP BY window_start, window_end, k HAVING COUNT(*) >= 1) GROUP BY s, e HAVING SUM(c) > 1;
WITH q AS (SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND))), q2 AS (SELECT window_start, window_end, k, SUM(v) AS v FROM q GROUP BY window_start, window_end, k) SELECT window_start, MAX(v) FROM q2 GROUP BY window_start, window_end;
SELECT `window_start`, `window_end`, COUNT(*) FROM w GROUP BY `window_start`, `window_end`;
SELECT WINDOW_START, WINDOW_END, COUNT(*) FROM w GROUP BY WINDOW_START, WINDOW_END;
SELECT w.window_start, COUNT(*) FROM w GROUP BY w.window_start, w.window_end;
SELECT window_start, window_end, COUNT(*) FROM w GROUP BY GROUPING SETS ((window_start, window_end));
SELECT window_start, window_end, k, COUNT(*) FROM w GROUP BY GROUPING SETS ((window_start, window_end, k), (window_start, window_end));
SELECT window_start, window_end, k, COUNT(*) FROM w GROUP BY ROLLUP (window_start, window_end);
SELECT window_start, window_end, k, v, COUNT(*), GROUPING_ID(k, v), GROUPING(k) FROM w GROUP BY window_start, window_end, GROUPING SETS ((k, v), (k), (v), ());
SELECT window_start, window_end, k, v, COUNT(*) FROM w GROUP BY window_start, window_end, k, ROLLUP (v);
SELECT window_start, window_end, k, COUNT(*) FROM w GROUP BY window_start, window_end, GROUPING SETS ((), ());
SELECT window_start, window_end, k, COUNT(DISTINCT v), SUM(v) FILTER (WHERE v > 1) FROM w GROUP BY window_start, window_end, CUBE (k);
SELECT window_start, window_end, k, COUNT(*) FROM w GROUP BY window_start, window_end, CUBE (k) HAVING GROUPING(k) = 1;
SELECT window_start + INTERVAL '1' SECOND AS s, COUNT(*) FROM w GROUP BY window_start + INTERVAL '1' SECOND, window_end;
SELECT COUNT(*) FROM w GROUP BY window_start;
SELECT COUNT(*), MAX(window_start), MIN(window_end) FROM w;
SELECT window_time, COUNT(*) FROM w GROUP BY window_time;
SELECT window_start, window_time, COUNT(*) FROM w GROUP BY window_start, window_time;
SELECT window_start, window_end, CASE WHEN COUNT(*) > 1 THEN 'many' ELSE 'one' END FROM w GROUP BY window_start, window_end;
SELECT TIMESTAMPDIFF(SECOND, window_start, window_end), DATE_FORMAT(window_end, 'HH:mm:ss'), COUNT(*) FROM w GROUP BY window_start, window_end;
SELECT CAST(window_start AS STRING), CAST(window_time AS DATE), EXTRACT(SECOND FROM window_end), COUNT(*) FROM w GROUP BY window_start, window_end, window_time;
SELECT window_start, window_end, 'c' AS c, COUNT(*) FROM w GROUP BY window_start, window_end, 'c';
SELECT window_start, window_end, c, COUNT(*) FROM (SELECT *, 7 AS c FROM w) GROUP BY window_start, window_end, c;
SELECT window_start, window_end, COUNT(*) FROM w WHERE 1 = 0 GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(*) FROM w WHERE window_end < TIMESTAMP '2024-01-01 00:00:15' AND k IS NOT NULL GROUP BY window_start, window_end;
SELECT window_start, COUNT(*) FROM w GROUP BY window_start, window_end HAVING window_start > TIMESTAMP '2024-01-01 00:00:05' OR COUNT(*) > 2;
SELECT window_start, COUNT(*) FROM w WHERE window_time IS NOT NULL AND window_start <> window_end GROUP BY window_start, window_end;
SELECT window_start, window_end FROM w GROUP BY window_start, window_end ORDER BY window_start DESC LIMIT 2;
SELECT window_start, window_end, window_time, window_time AS wt2 FROM w GROUP BY window_start, window_end, window_time;
SELECT v FROM (SELECT v, window_start, window_end FROM w) GROUP BY v, window_start, window_end;
SELECT COUNT(DISTINCT window_start), COUNT(DISTINCT window_end) FROM w GROUP BY k;
