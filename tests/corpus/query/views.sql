-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- Views: over tables, over views, with column lists, over aggregates, temporary ones; views that go stale.
CREATE TABLE t (id INT, k STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5]
["+I", 2, "b", 6]
["+I", 3, "a", 7]');
CREATE VIEW v1 AS SELECT id, v * 2 AS w FROM t;
CREATE VIEW v2 (a, b) AS SELECT id, w FROM v1 WHERE w > 10;
CREATE VIEW v3 AS SELECT k, COUNT(*) AS n, SUM(v) AS s FROM t GROUP BY k;
CREATE TEMPORARY VIEW v4 AS SELECT * FROM v3 WHERE n > 1;
CREATE VIEW v5 AS SELECT a.k, a.n, b.id FROM v3 a JOIN t b ON a.k = b.k;
CREATE VIEW v6 AS VALUES (1, 'x'), (2, 'y');
CREATE VIEW v7 AS WITH q AS (SELECT k FROM t) SELECT DISTINCT k FROM q;
CREATE VIEW v8 AS SELECT id FROM v1 UNION ALL SELECT a FROM v2;
SELECT * FROM v1;
SELECT * FROM v2;
SELECT a + b FROM v2;
SELECT * FROM v3;
SELECT * FROM v4;
SELECT MAX(n) FROM v4;
SELECT * FROM v6;
SELECT EXPR$0 FROM v6;
SELECT * FROM v7;
SELECT * FROM v8;
SELECT COUNT(*) FROM v8;
SELECT v1.id, v3.n FROM v1 JOIN t ON v1.id = t.id JOIN v3 ON t.k = v3.k WHERE v1.id = 9;
SELECT x.w FROM v1 AS x WHERE x.id = 2;
SELECT * FROM v1 WHERE id IN (SELECT a FROM v2);
CREATE VIEW bad AS SELECT nope FROM t;
CREATE VIEW bad (a) AS SELECT id, k FROM t;
CREATE VIEW v1 AS SELECT 1;
CREATE VIEW IF NOT EXISTS v1 AS SELECT 1 AS z;
SELECT * FROM v1 LIMIT 1;
INSERT INTO v1 VALUES (1, 2);
ALTER VIEW v1 AS SELECT id, 'new' AS w FROM t;
SELECT * FROM v1;
ALTER VIEW v3 RENAME TO v9;
SELECT * FROM v9;
SELECT * FROM v4;
DROP VIEW v1;
SELECT * FROM v2;
DESCRIBE v9;
SHOW CREATE VIEW v9;
