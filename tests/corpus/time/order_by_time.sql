-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- ORDER BY a time attribute sorts as the watermark passes; late rows are dropped.
CREATE TABLE t (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "2024-01-01 10:00:05"]
["+I", 2, "2024-01-01 10:00:03"]
["+I", 3, "2024-01-01 10:00:05"]
["+I", 4, "2024-01-01 10:00:20"]
["+I", 5, "2024-01-01 10:00:01"]
["+I", 6, "2024-01-01 10:00:18"]
["+I", 7, "2024-01-01 10:00:20"]');
CREATE TABLE s (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS SOURCE_WATERMARK()) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "2024-01-01 10:00:05"]
["+I", 2, "2024-01-01 10:00:03"]
{"watermark": "2024-01-01 10:00:04"}
["+I", 3, "2024-01-01 10:00:04"]
["+I", 4, "2024-01-01 10:00:06"]
{"watermark": "2024-01-01 10:00:10"}
["+I", 5, "2024-01-01 10:00:02"]
["+I", 6, "2024-01-01 10:00:12"]');
SELECT * FROM s ORDER BY ts;
SELECT id FROM s ORDER BY ts;
SELECT id, ts FROM s ORDER BY ts, id DESC;
SELECT id FROM s WHERE id <> 4 ORDER BY ts ASC;
SELECT id FROM s ORDER BY id;
SELECT id FROM s ORDER BY ts DESC;
SELECT id FROM s ORDER BY ts LIMIT 2;
SELECT COUNT(*) FROM s;
SELECT id, CURRENT_WATERMARK(ts) FROM s;
SELECT id FROM s WHERE CURRENT_WATERMARK(ts) IS NULL OR ts > CURRENT_WATERMARK(ts);
