-- SPDX-License-Identifier: Apache-2.0
-- modes: batch
-- alone
-- order: any
-- Ranks, groups and OVER in batch mode: what is ranked by what, and their plans.
CREATE TABLE t (id INT NOT NULL, k STRING, v INT, d DECIMAL(10, 2), ts TIMESTAMP(3)) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 10, 1.00, "2024-01-01 00:00:00"]
["+I", 2, "a", 10, 2.00, "2024-01-01 00:00:01"]
["+I", 3, "a", 30, 3.00, "2024-01-01 00:00:01"]
["+I", 4, "b", null, 3.00, "2024-01-01 00:00:02"]
["+I", 5, "b", 5, null, null]
["+I", 6, null, 5, 9.00, "2024-01-02 00:00:00"]
["+I", 7, null, 7, 8.00, "2024-01-02 00:00:00"]');
SELECT id, k, r FROM (SELECT id, k, RANK() OVER (PARTITION BY k ORDER BY v) AS r FROM t) WHERE r <= 1;
SELECT id, k, r FROM (SELECT id, k, RANK() OVER (PARTITION BY k ORDER BY v DESC) AS r FROM t) WHERE r < 3 AND id > 1;
SELECT id, k, r FROM (SELECT id, k, RANK() OVER (ORDER BY v) AS r FROM t) WHERE r BETWEEN 2 AND 4;
SELECT id, k, r FROM (SELECT id, k, RANK() OVER (PARTITION BY k ORDER BY v, d DESC) AS r FROM t) WHERE r = 2;
SELECT id, k FROM (SELECT id, k, ROW_NUMBER() OVER (PARTITION BY k ORDER BY id) AS r FROM t) WHERE r = 1;
SELECT id, k FROM (SELECT id, k, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts DESC, id) AS r FROM t) WHERE r <= 1;
SELECT k, SUM(r) FROM (SELECT id, k, RANK() OVER (PARTITION BY k ORDER BY v) AS r FROM t) WHERE r <= 2 GROUP BY k;
SELECT k, c, RANK() OVER (ORDER BY c DESC) FROM (SELECT k, COUNT(*) AS c FROM t GROUP BY k);
SELECT id, r FROM (SELECT id, RANK() OVER (PARTITION BY k ORDER BY v) AS r FROM t) WHERE r + 0 <= 1;
SELECT id, r FROM (SELECT id, RANK() OVER (PARTITION BY k ORDER BY v) AS r FROM t) WHERE r >= 2;
EXPLAIN SELECT id, k FROM (SELECT id, k, ROW_NUMBER() OVER (PARTITION BY k ORDER BY id) AS r FROM t) WHERE r = 1;
EXPLAIN SELECT id, v FROM t ORDER BY v NULLS LAST, id DESC NULLS FIRST LIMIT 2;
EXPLAIN SELECT id, v FROM t ORDER BY v NULLS LAST;
EXPLAIN SELECT id, SUM(v) OVER (PARTITION BY k ORDER BY v NULLS LAST) FROM t;
EXPLAIN SELECT k, COUNT(*), SUM(v) FROM t GROUP BY k HAVING COUNT(*) > 1;
EXPLAIN SELECT k, COUNT(DISTINCT v), COUNT(DISTINCT d) FROM t GROUP BY k;
