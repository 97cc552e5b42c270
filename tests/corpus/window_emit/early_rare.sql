-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- conf: pipeline.auto-watermark-interval=0
-- conf: weir.explain.state=false
-- conf: table.exec.emit.early-fire.enabled=true
-- conf: table.exec.emit.early-fire.delay=1 h
-- Early firing less often than the test lasts: windows come out when they are over.
CREATE TABLE t (id INT, k STRING, v INT, d DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5, 1.5, "2024-01-01 00:00:01"]
["+I", 2, "b", 3, 2.5, "2024-01-01 00:00:02"]
["+I", 3, "a", 5, 1.5, "2024-01-01 00:00:01"]
["+I", 4, null, 1, null, "2024-01-01 00:00:04"]
["+I", 5, "a", 7, 1.5, "2024-01-01 00:00:11"]
["+I", 6, "a", 1, 0.5, "2024-01-01 00:00:03"]
["+I", 7, "b", 9, 4.5, "2024-01-01 00:00:09.999"]
["+I", 8, "c", 2, 2.5, "2024-01-01 00:00:05"]
["+I", 9, "a", 2, 2.5, "2024-01-01 00:00:12"]
["+I", 10, "c", null, null, "2024-01-01 00:00:06"]
["+I", 11, "d", 1, 2.5, "2024-01-01 00:00:31"]
["+I", 12, "a", 100, 2.5, "2024-01-01 00:00:06"]
["+I", 13, "a", 4, 2.5, "2024-01-01 00:00:21"]
["+I", 14, "d", 2, 2.5, "2024-01-01 00:00:35"]
["+I", 15, "a", 5, 2.5, "2024-01-01 00:00:22"]
["+I", 16, "a", 50, 2.5, "2024-01-01 00:00:18"]
["+I", 17, "e", 1, 2.5, "2024-01-01 00:00:45"]
["+I", 18, "a", 6, 2.5, "2024-01-01 00:00:23"]');
CREATE TABLE u (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'all', 'rows' = '
["+I", 1, "a", 5, "2024-01-01 00:00:01"]
["+I", 2, "a", 3, "2024-01-01 00:00:02"]
["-U", 1, "a", 5, "2024-01-01 00:00:01"]
["+U", 1, "a", 2, "2024-01-01 00:00:01"]
["+I", 3, "b", 3, "2024-01-01 00:00:02"]
["-D", 3, "b", 3, "2024-01-01 00:00:02"]
["+I", 4, "b", 4, "2024-01-01 00:00:12"]
["-U", 1, "a", 2, "2024-01-01 00:00:01"]
["+U", 1, "a", 7, "2024-01-01 00:00:01"]
["-D", 2, "a", 3, "2024-01-01 00:00:02"]
["-D", 1, "a", 7, "2024-01-01 00:00:01"]
["+I", 5, "a", 8, "2024-01-01 00:00:03"]
["+I", 6, "c", 1, "2024-01-01 00:00:40"]
["-D", 4, "b", 4, "2024-01-01 00:00:12"]');
CREATE TABLE z (k STRING, v INT, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 5, "2024-01-01 00:00:01Z"]
["+I", "a", 6, "2024-01-01 23:59:59Z"]
["+I", "a", 7, "2024-01-02 00:00:01Z"]
["+I", "a", 8, "2024-01-01 23:00:01Z"]
["+I", "b", 9, "2024-01-03 12:00:01Z"]');
SELECT k, TUMBLE_START(ts, INTERVAL '10' SECOND), COUNT(*), SUM(v), MAX(d) FROM t GROUP BY k, TUMBLE(ts, INTERVAL '10' SECOND);
SELECT k, TUMBLE_START(ts, INTERVAL '10' SECOND), TUMBLE_END(ts, INTERVAL '10' SECOND), TUMBLE_ROWTIME(ts, INTERVAL '10' SECOND), SUM(v) FROM t GROUP BY k, TUMBLE(ts, INTERVAL '10' SECOND);
SELECT TUMBLE_START(ts, INTERVAL '10' SECOND), COUNT(*), MIN(v), AVG(v), COUNT(DISTINCT k) FROM t GROUP BY TUMBLE(ts, INTERVAL '10' SECOND);
SELECT k, MAX(v) FROM t GROUP BY k, TUMBLE(ts, INTERVAL '10' SECOND);
SELECT k, HOP_START(ts, INTERVAL '5' SECOND, INTERVAL '10' SECOND), COUNT(*), SUM(v) FROM t GROUP BY k, HOP(ts, INTERVAL '5' SECOND, INTERVAL '10' SECOND);
SELECT HOP_START(ts, INTERVAL '5' SECOND, INTERVAL '20' SECOND), COUNT(*), COUNT(DISTINCT v) FROM t GROUP BY HOP(ts, INTERVAL '5' SECOND, INTERVAL '20' SECOND);
SELECT k, TUMBLE_START(ts, INTERVAL '10' SECOND), COUNT(*), SUM(v) FROM t GROUP BY k, TUMBLE(ts, INTERVAL '10' SECOND) HAVING COUNT(*) > 1;
SELECT k, TUMBLE_START(ts, INTERVAL '10' SECOND), COUNT(*), MAX(v), SUM(v) FROM u GROUP BY k, TUMBLE(ts, INTERVAL '10' SECOND);
SELECT TUMBLE_START(ts, INTERVAL '10' SECOND), COUNT(*), MIN(v) FROM u GROUP BY TUMBLE(ts, INTERVAL '10' SECOND);
SELECT k, TUMBLE_START(ts, INTERVAL '1' DAY), COUNT(*), SUM(v) FROM z GROUP BY k, TUMBLE(ts, INTERVAL '1' DAY);
SELECT n, COUNT(*) FROM (SELECT k, COUNT(*) AS n FROM t GROUP BY k, TUMBLE(ts, INTERVAL '10' SECOND)) GROUP BY n;
SELECT TUMBLE_START(ts, INTERVAL '10' SECOND) FROM t GROUP BY TUMBLE(ts, INTERVAL '10' SECOND);
