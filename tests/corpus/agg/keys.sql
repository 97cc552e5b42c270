-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Group keys of every type; keys dropped by the projection; the same text under different types.
CREATE TABLE t (i INT, s STRING, b BOOLEAN, n DECIMAL(5, 2), f DOUBLE, dt DATE, ts TIMESTAMP(3), bn BYTES, r ROW<x INT, y STRING>, a ARRAY<INT>, m MAP<STRING, INT>) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", true, 1.50, 0.0, "2024-01-01", "2024-01-01 00:00:00", "YQ==", {"x": 1, "y": "p"}, [1, 2], {"k": 1}]
["+I", 1, "a ", false, 1.5, -0.0, "2024-01-02", "2024-01-01 00:00:00.001", "YQ==", {"x": 1, "y": "p"}, [1, 2], {"k": 1}]
["+I", null, "", null, null, null, null, null, null, null, null, null]
["+I", 2, "A", true, 0.00, 1e300, "2024-01-01", "2024-01-01 00:00:00", "YWI=", {"x": 1, "y": null}, [2, 1], {"k": 2}]
["+I", null, "", null, null, null, null, null, null, null, null, null]');
SELECT i, COUNT(*) FROM t GROUP BY i;
SELECT s, COUNT(*) FROM t GROUP BY s;
SELECT b, COUNT(*) FROM t GROUP BY b;
SELECT n, COUNT(*) FROM t GROUP BY n;
SELECT f, COUNT(*) FROM t GROUP BY f;
SELECT dt, COUNT(*) FROM t GROUP BY dt;
SELECT ts, COUNT(*) FROM t GROUP BY ts;
SELECT r, COUNT(*) FROM t GROUP BY r;
SELECT a, COUNT(*) FROM t GROUP BY a;
SELECT a[1], COUNT(*) FROM t GROUP BY a[1];
SELECT m['k'], COUNT(*) FROM t GROUP BY m['k'];
SELECT r.x, r.y, COUNT(*) FROM t GROUP BY r.x, r.y;
SELECT i, s, b, COUNT(*) FROM t GROUP BY i, s, b;
SELECT COUNT(*) FROM t GROUP BY i;
SELECT COUNT(*) AS n FROM t GROUP BY i, s;
SELECT 'c' AS tag, i FROM t GROUP BY i, s;
SELECT DISTINCT r FROM t;
SELECT DISTINCT a FROM t;
SELECT COUNT(DISTINCT a) FROM t;
SELECT COUNT(DISTINCT f), COUNT(DISTINCT n) FROM t;
SELECT CAST(i AS STRING) AS k, COUNT(*) FROM t GROUP BY CAST(i AS STRING);
SELECT TRIM(s), COUNT(*) FROM t GROUP BY TRIM(s);
SELECT YEAR(dt), MONTH(dt), COUNT(*) FROM t GROUP BY YEAR(dt), MONTH(dt);
SELECT FLOOR(ts TO DAY), COUNT(*) FROM t GROUP BY FLOOR(ts TO DAY);
SELECT i, i + 1, COUNT(*) FROM t GROUP BY i, i + 1;
SELECT NULL AS x, COUNT(*) FROM t GROUP BY i;
SELECT CAST(NULL AS INT) AS x, COUNT(*) FROM t GROUP BY CAST(NULL AS INT);
SELECT COUNT(*) FROM t GROUP BY 1;
SELECT COUNT(*) FROM t GROUP BY 'x';
