-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- conf: weir.explain.state=false
-- Plans of deduplication within windows.
CREATE TABLE l (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5, "2024-01-01 00:00:01"]
["+I", 2, "b", 3, "2024-01-01 00:00:02"]
["+I", 3, "a", 7, "2024-01-01 00:00:03"]
["+I", 4, null, 1, "2024-01-01 00:00:04"]
{"step": 3}
["+I", 5, "c", 2, "2024-01-01 00:00:12"]
["+I", 6, "a", 5, "2024-01-01 00:00:01"]
["+I", 7, "a", 5, "2024-01-01 00:00:11"]
{"step": 5}
["+I", 8, "d", 9, "2024-01-01 00:00:25"]
["+I", 9, "d", 9, "2024-01-01 00:00:02"]');
CREATE TABLE r (id INT, k STRING, x INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 11, "a", 6, "2024-01-01 00:00:02"]
["+I", 12, "b", 1, "2024-01-01 00:00:04"]
["+I", 13, "e", 4, "2024-01-01 00:00:05"]
["+I", 14, null, 4, "2024-01-01 00:00:05"]
["+I", 15, "a", 2, "2024-01-01 00:00:09"]
{"step": 4}
["+I", 16, "c", 2, "2024-01-01 00:00:13"]
["+I", 17, "c", 1, "2024-01-01 00:00:14"]
["+I", 18, "a", 8, "2024-01-01 00:00:19"]
{"step": 6}
["+I", 19, "f", 8, "2024-01-01 00:00:33"]
["+I", 20, "a", 8, "2024-01-01 00:00:05"]');
CREATE TABLE u (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'all', 'rows' = '
["+I", 1, "a", 5, "2024-01-01 00:00:01"]
["-U", 1, "a", 5, "2024-01-01 00:00:01"]
["+U", 1, "a", 7, "2024-01-01 00:00:01"]
["+I", 2, "b", 3, "2024-01-01 00:00:20"]');
CREATE TABLE z (k STRING, v INT, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 5, "2024-01-01 00:00:01Z"]');
CREATE VIEW lt AS SELECT * FROM TABLE(TUMBLE(TABLE l, DESCRIPTOR(ts), INTERVAL '10' SECOND));
EXPLAIN SELECT id, k, v, window_start FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, k ORDER BY ts DESC) rn FROM lt) WHERE rn = 1;
EXPLAIN SELECT id, k, v, window_start, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, k ORDER BY ts) rn FROM lt) WHERE rn = 1;
EXPLAIN SELECT id, k, v, window_start FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY ts) rn FROM lt) WHERE rn <= 1;
EXPLAIN SELECT id, k, v, window_start FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY window_time) rn FROM lt) WHERE rn <= 1;
EXPLAIN SELECT id, k, v, window_start FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY ts, id) rn FROM lt) WHERE rn <= 1;
EXPLAIN SELECT id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY ts) rn FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), INTERVAL '10' SECOND))) WHERE rn = 1;
EXPLAIN SELECT id, k, v, window_start FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, k ORDER BY ts DESC) rn FROM TABLE(SESSION(TABLE l PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' SECOND))) WHERE rn = 1;
