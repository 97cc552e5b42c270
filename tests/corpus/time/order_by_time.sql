-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- conf: pipeline.auto-watermark-interval=0
-- ORDER BY a time attribute sorts as the watermark passes; late rows are dropped. CURRENT_WATERMARK after every row.
CREATE TABLE t (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "2024-01-01 10:00:05"]
["+I", 2, "2024-01-01 10:00:03"]
["+I", 3, "2024-01-01 10:00:05"]
["+I", 4, "2024-01-01 10:00:20"]
["+I", 5, "2024-01-01 10:00:01"]
["+I", 6, "2024-01-01 10:00:18"]
["+I", 7, "2024-01-01 10:00:20"]
["+I", 9, "2024-01-01 10:00:15"]');
CREATE TABLE n (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "2024-01-01 10:00:05"]
["+I", 2, "2024-01-01 10:00:03"]
["+I", 3, "2024-01-01 10:00:05"]
["+I", 4, "2024-01-01 10:00:06"]');
SELECT * FROM n ORDER BY ts;
SELECT id FROM n ORDER BY ts;
SELECT id, ts FROM t ORDER BY ts, id DESC;
SELECT id, ts FROM t ORDER BY ts ASC, id;
SELECT id FROM t WHERE id <> 4 ORDER BY ts ASC;
SELECT id FROM t ORDER BY id;
SELECT id FROM t ORDER BY ts DESC;
SELECT id FROM n ORDER BY ts LIMIT 2;
SELECT COUNT(*) FROM t;
SELECT id, CURRENT_WATERMARK(ts) FROM t;
SELECT id FROM t WHERE CURRENT_WATERMARK(ts) IS NULL OR ts > CURRENT_WATERMARK(ts);
SELECT id, ts <= CURRENT_WATERMARK(ts) FROM n;
SELECT COUNT(*) FROM t WHERE ts > CURRENT_WATERMARK(ts);
