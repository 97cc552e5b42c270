-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- conf: pipeline.auto-watermark-interval=0
-- Window table functions: each row once per window, late rows too; names, offsets, inputs.
CREATE TABLE t (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 1, "2024-01-01 00:00:01"]
["+I", 2, "b", 2, "2024-01-01 00:00:05"]
["+I", 3, "a", 3, "2024-01-01 00:00:12"]
["+I", 4, "a", 4, "2024-01-01 00:00:04"]
["+I", 5, null, 5, "2024-01-01 00:00:14"]
["+I", 6, "b", null, "2024-01-01 00:00:25"]
["+I", 7, "a", 7, "2024-01-01 00:00:09"]
["+I", 8, "a", 8, "2024-01-01 00:00:41"]');
CREATE TABLE before_epoch (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "1969-12-31 23:59:58"]
["+I", 2, "1970-01-01 00:00:00"]
["+I", 3, "1970-01-01 00:00:00.001"]');
CREATE TABLE empty_one (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '');
CREATE VIEW vt AS SELECT v + 1 AS w, ts FROM t WHERE id <> 3;
SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND));
SELECT * FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND);
SELECT id, window_start, window_end FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '3' SECOND));
SELECT id, window_start, window_end FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '-3' SECOND));
SELECT id, window_start, window_end, window_time FROM TABLE(TUMBLE(DATA => TABLE t, TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL '1' MINUTE));
SELECT id, window_start, window_end FROM TABLE(TUMBLE(DATA => TABLE t, SIZE => INTERVAL '1' MINUTE, `OFFSET` => INTERVAL '7' SECOND, TIMECOL => DESCRIPTOR(ts)));
SELECT id, window_start, window_end FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND));
SELECT id, window_start, window_end FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '4' SECOND, INTERVAL '10' SECOND));
SELECT id, window_start, window_end FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '3' SECOND));
SELECT id, window_start, window_end FROM TABLE(HOP(DATA => TABLE t, TIMECOL => DESCRIPTOR(ts), SLIDE => INTERVAL '5' SECOND, SIZE => INTERVAL '10' SECOND, `OFFSET` => INTERVAL '2' SECOND));
SELECT id, window_start, window_end FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '20' SECOND));
SELECT id, window_start, window_end FROM TABLE(CUMULATE(DATA => TABLE t, TIMECOL => DESCRIPTOR(ts), STEP => INTERVAL '10' SECOND, SIZE => INTERVAL '20' SECOND, `OFFSET` => INTERVAL '-5' SECOND));
SELECT id, window_start, window_end, window_time FROM TABLE(TUMBLE(TABLE before_epoch, DESCRIPTOR(ts), INTERVAL '5' SECOND));
SELECT id, window_start, window_end, window_time FROM TABLE(HOP(TABLE before_epoch, DESCRIPTOR(ts), INTERVAL '2' SECOND, INTERVAL '5' SECOND));
SELECT id, window_start, window_end, window_time FROM TABLE(CUMULATE(TABLE before_epoch, DESCRIPTOR(ts), INTERVAL '2' SECOND, INTERVAL '4' SECOND));
SELECT * FROM TABLE(TUMBLE(TABLE empty_one, DESCRIPTOR(ts), INTERVAL '5' SECOND));
SELECT * FROM TABLE(TUMBLE(TABLE vt, DESCRIPTOR(ts), INTERVAL '10' SECOND));
SELECT * FROM TABLE(TUMBLE((SELECT id, ts FROM t WHERE v > 3), DESCRIPTOR(ts), INTERVAL '10' SECOND)) AS x WHERE x.window_start > TIMESTAMP '2024-01-01 00:00:05';
WITH c AS (SELECT k, ts FROM t) SELECT k, window_start FROM TABLE(TUMBLE(TABLE c, DESCRIPTOR(ts), INTERVAL '10' SECOND));
SELECT a.id, b.id, a.window_start FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) AS a JOIN before_epoch AS b ON a.id = b.id;
SELECT id, ts + INTERVAL '1' HOUR, window_end - INTERVAL '1' SECOND FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND));
SELECT x, s, e, w FROM TABLE(TUMBLE(TABLE before_epoch, DESCRIPTOR(ts), INTERVAL '5' SECOND)) AS y (x, z, s, e, w);
SELECT window_start, COUNT(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start;
SELECT window_start, k, SUM(v), COUNT(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, k;
SELECT window_time, COUNT(*) FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND)) GROUP BY window_time;
CREATE VIEW described AS SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND));
DESCRIBE described;
SELECT * FROM described WHERE v > 3;
