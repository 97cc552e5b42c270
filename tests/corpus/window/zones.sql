-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- conf: table.local-time-zone=America/Los_Angeles
-- TIMESTAMP_LTZ: windows are aligned to the clock of the session's zone, days of 23 and 25 hours too.
CREATE TABLE spring (id INT, ms BIGINT, ts AS TO_TIMESTAMP_LTZ(ms, 3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1615705200000]
["+I", 2, 1615708800000]
["+I", 3, 1615712400000]
["+I", 4, 1615714200000]
["+I", 5, 1615716000000]
["+I", 6, 1615719600000]
["+I", 7, 1615723200000]
["+I", 8, 1615726800000]
["+I", 9, 1615790000000]
["+I", 10, 1615800000000]');
CREATE TABLE fall (id INT, ms BIGINT, ts AS TO_TIMESTAMP_LTZ(ms, 3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1636264800000]
["+I", 2, 1636268400000]
["+I", 3, 1636270200000]
["+I", 4, 1636272000000]
["+I", 5, 1636273800000]
["+I", 6, 1636275600000]
["+I", 7, 1636279200000]
["+I", 8, 1636282800000]
["+I", 9, 1636350000000]
["+I", 10, 1636360000000]');
SELECT id, ts, window_start, window_end, window_time FROM TABLE(TUMBLE(TABLE spring, DESCRIPTOR(ts), INTERVAL '4' HOUR));
SELECT id, ts, window_start, window_end, window_time FROM TABLE(TUMBLE(TABLE fall, DESCRIPTOR(ts), INTERVAL '1' HOUR));
SELECT window_start, window_end, window_time, COUNT(*) FROM TABLE(TUMBLE(TABLE spring, DESCRIPTOR(ts), INTERVAL '4' HOUR)) GROUP BY window_start, window_end, window_time;
SELECT window_start, window_end, window_time, COUNT(*) FROM TABLE(TUMBLE(TABLE fall, DESCRIPTOR(ts), INTERVAL '4' HOUR)) GROUP BY window_start, window_end, window_time;
SELECT window_start, window_end, window_time, COUNT(*) FROM TABLE(TUMBLE(TABLE spring, DESCRIPTOR(ts), INTERVAL '1' DAY)) GROUP BY window_start, window_end, window_time;
SELECT window_start, window_end, COUNT(*) FROM TABLE(HOP(TABLE spring, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '2' HOUR)) GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(*) FROM TABLE(CUMULATE(TABLE fall, DESCRIPTOR(ts), INTERVAL '6' HOUR, INTERVAL '1' DAY)) GROUP BY window_start, window_end;
