-- SPDX-License-Identifier: Apache-2.0
-- parallel: no
-- modes: streaming
-- batch: no
-- order: any
-- conf: pipeline.auto-watermark-interval=0
-- Windows behind joins by time: the times go on, and the watermark is held back so that padded rows are not late.
CREATE TABLE l (id INT, a STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "l1", "2024-01-01 10:00:01"]
["+I", 2, "l2", "2024-01-01 10:00:02"]
["+I", null, "ln", "2024-01-01 10:00:02"]
{"step": 3}
["+I", 1, "l3", "2024-01-01 10:00:20"]
["+I", 1, "l4", "2024-01-01 10:00:05"]
{"step": 5}
["+I", 1, "l5", "2024-01-01 10:00:06"]
["+I", 1, "l6", "2024-01-01 10:01:00"]
["+I", 3, "l7", "2024-01-01 10:00:59"]');
CREATE TABLE r (id INT, x STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "r1", "2024-01-01 10:00:03"]
["+I", 1, "r2", "2024-01-01 10:00:06"]
["+I", null, "rn", "2024-01-01 10:00:02"]
["+I", 2, "r3", "2024-01-01 10:00:09"]
{"step": 4}
["+I", 1, "r4", "2024-01-01 10:00:20"]
["+I", 1, "r5", "2024-01-01 10:00:04"]
["+I", 2, "r6", "2024-01-01 10:00:25"]
{"step": 6}
["+I", 1, "r7", "2024-01-01 10:01:00"]
["+I", 4, "r8", "2024-01-01 10:02:00"]');
CREATE VIEW j AS SELECT l.id, l.a, r.x, l.ts, r.ts AS rts FROM l LEFT JOIN r ON l.id = r.id AND r.ts BETWEEN l.ts AND l.ts + INTERVAL '5' SECOND;
SELECT window_start, COUNT(*), COUNT(x) FROM TABLE(TUMBLE(TABLE j, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end;
CREATE VIEW ji AS SELECT l.id, l.a, r.x, l.ts, r.ts AS rts FROM l JOIN r ON l.id = r.id AND r.ts BETWEEN l.ts - INTERVAL '1' HOUR AND l.ts + INTERVAL '1' HOUR;
SELECT window_start, id, COUNT(*), MIN(a), MAX(x) FROM TABLE(TUMBLE(TABLE ji, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end, id;
SELECT window_start, id, COUNT(*), MIN(a), MAX(x) FROM TABLE(TUMBLE(TABLE ji, DESCRIPTOR(rts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end, id;
SELECT TUMBLE_START(ts, INTERVAL '10' SECOND), COUNT(*) FROM ji GROUP BY TUMBLE(ts, INTERVAL '10' SECOND);
SELECT l.id, TUMBLE_START(l.ts, INTERVAL '10' SECOND), COUNT(r.x) FROM l LEFT JOIN r ON l.id = r.id AND r.ts BETWEEN l.ts AND l.ts + INTERVAL '5' SECOND GROUP BY l.id, TUMBLE(l.ts, INTERVAL '10' SECOND);
SELECT window_start, COUNT(*) FROM TABLE(HOP(TABLE ji, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '20' SECOND)) GROUP BY window_start, window_end;
CREATE TABLE v (id INT, rate INT, vts TIMESTAMP(3), PRIMARY KEY (id) NOT ENFORCED, WATERMARK FOR vts AS vts) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1, "2024-01-01 10:00:00"]
{"step": 7}
["+I", 1, 2, "2024-01-01 10:00:10"]
["+I", 2, 3, "2024-01-01 10:00:30"]');
CREATE VIEW jt AS SELECT l.id, l.a, v.rate, l.ts FROM l LEFT JOIN v FOR SYSTEM_TIME AS OF l.ts ON l.id = v.id;
SELECT window_start, COUNT(*), SUM(rate) FROM TABLE(TUMBLE(TABLE jt, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end;
SELECT jt.a, jt.rate, r.x FROM jt JOIN r ON jt.id = r.id AND r.ts BETWEEN jt.ts AND jt.ts + INTERVAL '5' SECOND;
SELECT l.a, r.x, v.rate FROM l JOIN r ON l.id = r.id AND r.ts BETWEEN l.ts AND l.ts + INTERVAL '5' SECOND LEFT JOIN v FOR SYSTEM_TIME AS OF l.ts ON l.id = v.id;
