-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- The order of a window is refused before its function.
CREATE TABLE t (id INT, k STRING, v INT, ts TIMESTAMP(3), d DOUBLE, WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'bounded' = 'true', 'rows' = '
["+I", 1, "a", 1, "2024-01-01 00:00:00", 0.0]
["+I", 2, "a", 1, "2024-01-01 00:00:01", -0.0]');
SELECT id, LEAD(v) OVER (ORDER BY ts) FROM t;
SELECT id, LEAD(v) OVER (ORDER BY ts DESC) FROM t;
SELECT id, LEAD(v) OVER (ORDER BY v) FROM t;
SELECT id, LEAD(v) OVER (ORDER BY v, ts) FROM t;
SELECT id, NTILE(2) OVER (ORDER BY v, ts) FROM t;
SELECT id, NTILE(2) OVER (ORDER BY ts DESC) FROM t;
SELECT id, CUME_DIST() OVER (ORDER BY v, ts) FROM t;
SELECT id, PERCENT_RANK() OVER (ORDER BY ts DESC) FROM t;
SELECT id, PERCENT_RANK() OVER (ORDER BY v DESC) FROM t;
SELECT id, PERCENT_RANK() OVER (ORDER BY v) FROM t;
SELECT id, LAG(v) OVER (ORDER BY v, ts) FROM t;
SELECT id, LAG(v) OVER (ORDER BY ts DESC) FROM t;
