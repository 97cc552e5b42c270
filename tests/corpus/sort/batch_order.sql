-- SPDX-License-Identifier: Apache-2.0
-- modes: batch
-- Full sorts in batch: direction, NULL placement, several keys, types.
CREATE TABLE t (id INT, s STRING, v INT, d DOUBLE, n DECIMAL(6, 2), b BOOLEAN, dt DATE) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "b", 5, 1.5, 1.10, true, "2024-01-02"]
["+I", 2, null, 3, -1.5, -1.10, false, null]
["+I", 3, "a", null, 0.0, null, null, "2023-01-02"]
["+I", 4, "B", 3, 1e10, 9999.99, true, "2024-01-01"]
["+I", 5, "", 9, null, 0.00, false, "1969-12-31"]
["+I", 6, "ab", -3, -1e10, -9999.99, true, "2024-01-03"]');
SELECT id FROM t ORDER BY id;
SELECT id FROM t ORDER BY id DESC;
SELECT s, id FROM t ORDER BY s;
SELECT s, id FROM t ORDER BY s DESC;
SELECT v, id FROM t ORDER BY v, id;
SELECT v, id FROM t ORDER BY v DESC, id DESC;
SELECT v, id FROM t ORDER BY v NULLS LAST, id;
SELECT v, id FROM t ORDER BY v DESC NULLS FIRST, id;
SELECT d, id FROM t ORDER BY d;
SELECT n, id FROM t ORDER BY n;
SELECT b, id FROM t ORDER BY b, id;
SELECT dt, id FROM t ORDER BY dt;
SELECT id FROM t ORDER BY v + COALESCE(id, 0) DESC, id;
SELECT id, v AS w FROM t ORDER BY w, id;
SELECT id, v FROM t ORDER BY 2, 1;
SELECT id FROM t ORDER BY CHAR_LENGTH(s), id;
SELECT id FROM t ORDER BY CASE WHEN v IS NULL THEN 0 ELSE 1 END, id DESC;
SELECT id FROM t ORDER BY id LIMIT 2;
SELECT id FROM t ORDER BY id LIMIT 2 OFFSET 2;
SELECT id FROM t ORDER BY id OFFSET 4 ROWS;
SELECT v, COUNT(*) FROM t GROUP BY v ORDER BY COUNT(*) DESC, v;
SELECT v, SUM(id) AS x FROM t GROUP BY v ORDER BY x DESC;
SELECT DISTINCT v FROM t ORDER BY v;
SELECT id FROM t UNION ALL SELECT 10 ORDER BY 1 DESC;
SELECT s FROM t WHERE s IS NOT NULL ORDER BY LOWER(s), s;
SELECT b, COUNT(*), MAX(v) FROM t GROUP BY b ORDER BY b DESC;
