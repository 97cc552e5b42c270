-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- Times at the edges: before 1970, the first and the last years, on the borders of windows; sizes small and large.
CREATE TABLE t (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'scan.watermark.emit.strategy' = 'on-event', 'rows' = '
["+I", 1, "0001-01-01 00:00:00"]
["+I", 2, "1582-10-10 00:00:00"]
["+I", 3, "1969-12-31 23:59:59.999"]
["+I", 4, "1970-01-01 00:00:00"]
["+I", 5, "1970-01-01 00:00:00.001"]
["+I", 6, "2024-02-29 12:00:00"]
["+I", 7, "9999-12-31 23:59:59.999"]');
CREATE TABLE n (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '3' SECOND) WITH ('connector' = 'script', 'scan.watermark.emit.strategy' = 'on-event', 'rows' = '
["+I", 1, "1969-12-31 23:59:50"]
["+I", 2, "1969-12-31 23:59:55.001"]
["+I", 3, "1969-12-31 23:59:49.999"]
["+I", 4, "1970-01-01 00:00:04.999"]
["+I", 5, "1970-01-01 00:00:05"]
["+I", 6, "1969-12-31 23:59:59.999"]
["+I", 7, "1970-01-01 00:00:10"]');
CREATE TABLE lz (id INT, ms BIGINT, ts AS TO_TIMESTAMP_LTZ(ms, 3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'scan.watermark.emit.strategy' = 'on-event', 'rows' = '
["+I", 1, -62135596800000]
["+I", 2, -1]
["+I", 3, 0]
["+I", 4, 253402300799999]');
SELECT id, window_start, window_end, window_time FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' DAY));
SELECT id, window_start, window_end, window_time FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '7' DAY));
SELECT id, window_start, window_end FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '0.001' SECOND));
SELECT id, window_start, window_end FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '99' DAY, INTERVAL '-98' DAY));
SELECT id, window_start, window_end FROM TABLE(TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '9999' DAY(4)));
SELECT id, window_start, window_end FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' DAY, INTERVAL '2' DAY));
SELECT id, window_start, window_end FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '12' HOUR, INTERVAL '1' DAY));
SELECT id, window_start, window_end FROM TABLE(SESSION(TABLE t, DESCRIPTOR(ts), INTERVAL '1' SECOND));
SELECT window_start, window_end, COUNT(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' DAY)) GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(*) FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' DAY, INTERVAL '3' DAY)) GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(*) FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '8' HOUR, INTERVAL '1' DAY)) GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(*) FROM TABLE(SESSION(TABLE t, DESCRIPTOR(ts), INTERVAL '1' DAY)) GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(*), MAX(id) FROM TABLE(TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(*), MAX(id) FROM TABLE(TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '-1' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(*), MAX(id) FROM TABLE(HOP(TABLE n, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(*), MAX(id) FROM TABLE(HOP(TABLE n, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND, INTERVAL '2' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(*), MAX(id) FROM TABLE(CUMULATE(TABLE n, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '15' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(*), MAX(id) FROM TABLE(CUMULATE(TABLE n, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '15' SECOND, INTERVAL '-2' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(*), MAX(id) FROM TABLE(SESSION(TABLE n, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(*), MAX(id) FROM TABLE(SESSION(TABLE n, DESCRIPTOR(ts), INTERVAL '4.999' SECOND)) GROUP BY window_start, window_end;
SELECT TUMBLE_START(ts, INTERVAL '5' SECOND), COUNT(*) FROM n GROUP BY TUMBLE(ts, INTERVAL '5' SECOND);
SELECT HOP_START(ts, INTERVAL '5' SECOND, INTERVAL '10' SECOND), COUNT(*) FROM n GROUP BY HOP(ts, INTERVAL '5' SECOND, INTERVAL '10' SECOND);
SELECT SESSION_START(ts, INTERVAL '5' SECOND), SESSION_END(ts, INTERVAL '5' SECOND), COUNT(*) FROM n GROUP BY SESSION(ts, INTERVAL '5' SECOND);
SELECT TUMBLE_START(ts, INTERVAL '1' DAY), COUNT(*) FROM t GROUP BY TUMBLE(ts, INTERVAL '1' DAY);
SELECT id, ts, window_start, window_end, window_time FROM TABLE(TUMBLE(TABLE lz, DESCRIPTOR(ts), INTERVAL '1' DAY));
SELECT window_start, window_end, COUNT(*) FROM TABLE(TUMBLE(TABLE lz, DESCRIPTOR(ts), INTERVAL '1' DAY)) GROUP BY window_start, window_end;
SELECT id, window_start FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY id) rn FROM TABLE(TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '5' SECOND))) WHERE rn <= 1;
SELECT id, window_start FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY ts DESC) rn FROM TABLE(TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '5' SECOND))) WHERE rn = 1;
SELECT a.id, b.id, a.window_start FROM (SELECT * FROM TABLE(TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '5' SECOND))) a JOIN (SELECT * FROM TABLE(TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '5' SECOND))) b ON a.window_start = b.window_start AND a.window_end = b.window_end;
SET 'table.local-time-zone' = 'Asia/Kolkata';
SELECT id, ts, window_start, window_end, window_time FROM TABLE(TUMBLE(TABLE lz, DESCRIPTOR(ts), INTERVAL '1' DAY));
SELECT window_start, window_end, window_time, COUNT(*) FROM TABLE(HOP(TABLE lz, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '2' HOUR)) GROUP BY window_start, window_end, window_time;
SELECT TUMBLE_START(ts, INTERVAL '1' DAY), TUMBLE_END(ts, INTERVAL '1' DAY), TUMBLE_ROWTIME(ts, INTERVAL '1' DAY), COUNT(*) FROM lz GROUP BY TUMBLE(ts, INTERVAL '1' DAY);
SELECT SESSION_START(ts, INTERVAL '1' DAY), SESSION_END(ts, INTERVAL '1' DAY), COUNT(*) FROM lz GROUP BY SESSION(ts, INTERVAL '1' DAY);
