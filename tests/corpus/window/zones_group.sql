-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- conf: table.local-time-zone=America/New_York
-- Windows over TIMESTAMP_LTZ where days have 23 and 25 hours: all functions, group windows, cascades, what windows say in expressions.
CREATE TABLE f (id INT, ms BIGINT, ts AS TO_TIMESTAMP_LTZ(ms, 3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'scan.watermark.emit.strategy' = 'on-event', 'rows' = '
["+I", 1, 1730606400000]
["+I", 2, 1730610000000]
["+I", 3, 1730613600000]
["+I", 4, 1730615400000]
["+I", 5, 1730617200000]
["+I", 6, 1730620800000]
["+I", 7, 1730700000000]');
CREATE TABLE s (id INT, ms BIGINT, ts AS TO_TIMESTAMP_LTZ(ms, 3), WATERMARK FOR ts AS ts - INTERVAL '1' HOUR) WITH ('connector' = 'script', 'scan.watermark.emit.strategy' = 'on-event', 'rows' = '
["+I", 1, 1710050400000]
["+I", 2, 1710052200000]
["+I", 3, 1710054000000]
["+I", 4, 1710055800000]
["+I", 5, 1710057600000]
["+I", 6, 1710130000000]');
SELECT id, ts, window_start, window_end, window_time FROM TABLE(TUMBLE(TABLE f, DESCRIPTOR(ts), INTERVAL '1' HOUR));
SELECT id, window_start, window_end, window_time FROM TABLE(HOP(TABLE f, DESCRIPTOR(ts), INTERVAL '30' MINUTE, INTERVAL '1' HOUR));
SELECT id, window_start, window_end, window_time FROM TABLE(CUMULATE(TABLE f, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '3' HOUR));
SELECT id, window_start, window_end, window_time FROM TABLE(SESSION(TABLE f, DESCRIPTOR(ts), INTERVAL '40' MINUTE));
SELECT window_start, window_end, window_time, COUNT(*) FROM TABLE(TUMBLE(TABLE f, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY window_start, window_end, window_time;
SELECT window_start, window_end, window_time, COUNT(*) FROM TABLE(HOP(TABLE f, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '2' HOUR)) GROUP BY window_start, window_end, window_time;
SELECT window_start, window_end, window_time, COUNT(*) FROM TABLE(CUMULATE(TABLE f, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '6' HOUR)) GROUP BY window_start, window_end, window_time;
SELECT window_start, window_end, window_time, COUNT(*) FROM TABLE(SESSION(TABLE f, DESCRIPTOR(ts), INTERVAL '45' MINUTE)) GROUP BY window_start, window_end, window_time;
SELECT window_start, window_end, COUNT(*) FROM TABLE(TUMBLE(TABLE f, DESCRIPTOR(ts), INTERVAL '1' DAY, INTERVAL '90' MINUTE)) GROUP BY window_start, window_end;
SELECT TUMBLE_START(ts, INTERVAL '1' HOUR), TUMBLE_END(ts, INTERVAL '1' HOUR), TUMBLE_ROWTIME(ts, INTERVAL '1' HOUR), COUNT(*) FROM f GROUP BY TUMBLE(ts, INTERVAL '1' HOUR);
SELECT HOP_START(ts, INTERVAL '1' HOUR, INTERVAL '2' HOUR), HOP_END(ts, INTERVAL '1' HOUR, INTERVAL '2' HOUR), HOP_ROWTIME(ts, INTERVAL '1' HOUR, INTERVAL '2' HOUR), COUNT(*) FROM f GROUP BY HOP(ts, INTERVAL '1' HOUR, INTERVAL '2' HOUR);
SELECT SESSION_START(ts, INTERVAL '45' MINUTE), SESSION_END(ts, INTERVAL '45' MINUTE), SESSION_ROWTIME(ts, INTERVAL '45' MINUTE), COUNT(*) FROM f GROUP BY SESSION(ts, INTERVAL '45' MINUTE);
SELECT TUMBLE_START(ts, INTERVAL '1' DAY), COUNT(*) FROM f GROUP BY TUMBLE(ts, INTERVAL '1' DAY);
SELECT window_start, window_end, SUM(c) FROM TABLE(TUMBLE((SELECT window_time AS wt, COUNT(*) AS c FROM TABLE(TUMBLE(TABLE f, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY window_start, window_end, window_time), DESCRIPTOR(wt), INTERVAL '4' HOUR)) GROUP BY window_start, window_end;
SELECT window_start, SUM(c) FROM (SELECT window_start, window_end, id, COUNT(*) AS c FROM TABLE(TUMBLE(TABLE f, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY window_start, window_end, id) GROUP BY window_start, window_end;
SELECT id, window_start FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY id DESC) rn FROM TABLE(TUMBLE(TABLE f, DESCRIPTOR(ts), INTERVAL '1' HOUR))) WHERE rn <= 1;
SELECT id, window_start FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY ts DESC) rn FROM TABLE(TUMBLE(TABLE f, DESCRIPTOR(ts), INTERVAL '1' HOUR))) WHERE rn = 1;
SELECT a.id, b.id, a.window_start FROM (SELECT * FROM TABLE(TUMBLE(TABLE f, DESCRIPTOR(ts), INTERVAL '1' HOUR))) a JOIN (SELECT * FROM TABLE(TUMBLE(TABLE f, DESCRIPTOR(ts), INTERVAL '1' HOUR))) b ON a.window_start = b.window_start AND a.window_end = b.window_end;
SELECT DATE_FORMAT(window_start, 'yyyy-MM-dd HH'), CAST(window_time AS STRING), COUNT(*) FROM TABLE(TUMBLE(TABLE f, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY window_start, window_end, window_time;
SELECT CAST(ts AS TIMESTAMP(3)), CAST(window_end AS TIMESTAMP_LTZ(3)) FROM TABLE(TUMBLE(TABLE f, DESCRIPTOR(ts), INTERVAL '1' HOUR));
SELECT id, ts, window_start, window_end, window_time FROM TABLE(TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' HOUR));
SELECT id, window_start, window_end, window_time FROM TABLE(HOP(TABLE s, DESCRIPTOR(ts), INTERVAL '30' MINUTE, INTERVAL '1' HOUR));
SELECT id, window_start, window_end, window_time FROM TABLE(CUMULATE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '3' HOUR));
SELECT id, window_start, window_end, window_time FROM TABLE(SESSION(TABLE s, DESCRIPTOR(ts), INTERVAL '40' MINUTE));
SELECT window_start, window_end, window_time, COUNT(*) FROM TABLE(TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY window_start, window_end, window_time;
SELECT window_start, window_end, window_time, COUNT(*) FROM TABLE(HOP(TABLE s, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '2' HOUR)) GROUP BY window_start, window_end, window_time;
SELECT window_start, window_end, window_time, COUNT(*) FROM TABLE(CUMULATE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '6' HOUR)) GROUP BY window_start, window_end, window_time;
SELECT window_start, window_end, window_time, COUNT(*) FROM TABLE(SESSION(TABLE s, DESCRIPTOR(ts), INTERVAL '45' MINUTE)) GROUP BY window_start, window_end, window_time;
SELECT window_start, window_end, COUNT(*) FROM TABLE(TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' DAY, INTERVAL '90' MINUTE)) GROUP BY window_start, window_end;
SELECT TUMBLE_START(ts, INTERVAL '1' HOUR), TUMBLE_END(ts, INTERVAL '1' HOUR), TUMBLE_ROWTIME(ts, INTERVAL '1' HOUR), COUNT(*) FROM s GROUP BY TUMBLE(ts, INTERVAL '1' HOUR);
SELECT HOP_START(ts, INTERVAL '1' HOUR, INTERVAL '2' HOUR), HOP_END(ts, INTERVAL '1' HOUR, INTERVAL '2' HOUR), HOP_ROWTIME(ts, INTERVAL '1' HOUR, INTERVAL '2' HOUR), COUNT(*) FROM s GROUP BY HOP(ts, INTERVAL '1' HOUR, INTERVAL '2' HOUR);
SELECT SESSION_START(ts, INTERVAL '45' MINUTE), SESSION_END(ts, INTERVAL '45' MINUTE), SESSION_ROWTIME(ts, INTERVAL '45' MINUTE), COUNT(*) FROM s GROUP BY SESSION(ts, INTERVAL '45' MINUTE);
SELECT TUMBLE_START(ts, INTERVAL '1' DAY), COUNT(*) FROM s GROUP BY TUMBLE(ts, INTERVAL '1' DAY);
SELECT window_start, window_end, SUM(c) FROM TABLE(TUMBLE((SELECT window_time AS wt, COUNT(*) AS c FROM TABLE(TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY window_start, window_end, window_time), DESCRIPTOR(wt), INTERVAL '4' HOUR)) GROUP BY window_start, window_end;
SELECT window_start, SUM(c) FROM (SELECT window_start, window_end, id, COUNT(*) AS c FROM TABLE(TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY window_start, window_end, id) GROUP BY window_start, window_end;
SELECT id, window_start FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY id DESC) rn FROM TABLE(TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' HOUR))) WHERE rn <= 1;
SELECT id, window_start FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY ts DESC) rn FROM TABLE(TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' HOUR))) WHERE rn = 1;
SELECT a.id, b.id, a.window_start FROM (SELECT * FROM TABLE(TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' HOUR))) a JOIN (SELECT * FROM TABLE(TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' HOUR))) b ON a.window_start = b.window_start AND a.window_end = b.window_end;
SELECT DATE_FORMAT(window_start, 'yyyy-MM-dd HH'), CAST(window_time AS STRING), COUNT(*) FROM TABLE(TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY window_start, window_end, window_time;
SELECT CAST(ts AS TIMESTAMP(3)), CAST(window_end AS TIMESTAMP_LTZ(3)) FROM TABLE(TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' HOUR));
