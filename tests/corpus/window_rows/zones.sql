-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- conf: pipeline.auto-watermark-interval=0
-- conf: table.local-time-zone=Europe/Berlin
-- Windows of a session zone, over the night when clocks go forward.
CREATE TABLE l (id INT, k STRING, v INT, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5, "2024-03-30 23:30:01Z"]
["+I", 2, "b", 3, "2024-03-31 00:30:00Z"]
["+I", 3, "a", 7, "2024-03-31 01:30:00Z"]
["+I", 4, "b", 1, "2024-03-31 22:30:00Z"]');
CREATE TABLE r (id INT, k STRING, x INT, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", 11, "a", 6, "2024-03-30 23:59:59Z"]
["+I", 12, "b", 1, "2024-03-31 02:00:04Z"]
["+I", 13, "b", 4, "2024-03-31 22:00:05Z"]');
SELECT a.id, b.id, a.window_start, a.window_end, a.window_time FROM (SELECT * FROM TABLE(TUMBLE(TABLE l, DESCRIPTOR(ts), INTERVAL '1' DAY))) a FULL JOIN (SELECT * FROM TABLE(TUMBLE(TABLE r, DESCRIPTOR(ts), INTERVAL '1' DAY))) b ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end;
SELECT id, window_start, window_end, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY v DESC) rn FROM TABLE(TUMBLE(TABLE l, DESCRIPTOR(ts), INTERVAL '1' DAY))) WHERE rn <= 2;
SELECT id, window_start FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, k ORDER BY ts DESC) rn FROM TABLE(HOP(TABLE l, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '2' HOUR))) WHERE rn = 1;
