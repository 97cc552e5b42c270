-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- order: any
-- Defaults of LAG that have to be of the value's type, and offsets that are columns.
CREATE TABLE t (id INT NOT NULL, k STRING, v INT, bi BIGINT, de DECIMAL(10,2), s STRING, n INT NOT NULL, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 1, 1, 1.0, "x", 0, "2024-01-01 00:00:01"]
["+I", 2, "a", 1, 2, 2.0, "y", 1, "2024-01-01 00:00:02"]
["+I", 3, "a", 2, 3, 3.0, null, 2, "2024-01-01 00:00:03"]
["+I", 4, "b", 2, null, 3.0, "z", 1, "2024-01-01 00:00:03"]
["+I", 5, "a", 2, 5, 3.0, "w", 7, "2024-01-01 00:00:04"]
["+I", 6, "a", 3, 6, 3.0, "w", 3, "2024-01-01 00:00:05"]');
SELECT id, LAG(v, 1, 1.5) OVER (ORDER BY ts) FROM t;
SELECT id, LAG(s, 1, 7) OVER (ORDER BY ts) FROM t;
SELECT id, LAG(v, 1, CAST(5000000000 AS BIGINT)) OVER (ORDER BY ts) FROM t;
SELECT id, LAG(bi, 1, 7) OVER (ORDER BY ts) FROM t;
SELECT id, LAG(v, 1, TRUE) OVER (ORDER BY ts) FROM t;
SELECT id, LAG(v, 1, NULL) OVER (PARTITION BY k ORDER BY ts) FROM t;
SELECT id, LAG(v, 1, 1.5) OVER (ORDER BY s) FROM t;
SELECT id, LAG(bi, n) OVER (PARTITION BY k ORDER BY ts) FROM t;
SELECT id, LAG(s, n) OVER (PARTITION BY k ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM t;
SELECT id, LAG(bi, v) OVER (PARTITION BY k ORDER BY ts), LAG(bi, 2) OVER (PARTITION BY k ORDER BY ts) FROM t;
SELECT id, LAG(bi, n + 1) OVER (PARTITION BY k ORDER BY ts) FROM t;
SELECT id, LAG(bi, n - 2) OVER (PARTITION BY k ORDER BY ts) FROM t;
SELECT id, LAG(v, 1 - 2) OVER (ORDER BY ts) FROM t;
