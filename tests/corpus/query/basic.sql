-- SPDX-License-Identifier: Apache-2.0
-- Projections, filters, names of columns, VALUES, derived tables, CTEs.
-- order: any
CREATE TABLE t (id INT, `order` STRING, v DOUBLE, b BOOLEAN) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "x", 1.5, true]
["+I", 2, "y", null, false]
["+I", 3, null, -2.0, null]');
SELECT * FROM t;
SELECT id FROM t;
SELECT id, id, id AS id FROM t;
SELECT id AS a, `order` AS b, v c FROM t;
SELECT t.id, t.`order` FROM t;
SELECT x.id FROM t AS x;
SELECT x.i FROM t AS x (i, o, v, b);
SELECT default_catalog.default_database.t.id FROM default_catalog.default_database.t;
SELECT t.* FROM t;
SELECT t.*, id + 1 FROM t;
SELECT id + 1, id * 2 AS d, -id FROM t;
SELECT 1, 2 AS x, 3 FROM t;
SELECT 'it''s', U&'\263A', E'a\tb' FROM t WHERE id = 1;
SELECT * FROM t WHERE id > 1;
SELECT * FROM t WHERE b;
SELECT * FROM t WHERE NOT b;
SELECT * FROM t WHERE b IS NULL;
SELECT * FROM t WHERE v IS NOT NULL AND (id = 1 OR id = 3);
SELECT * FROM t WHERE id BETWEEN 2 AND 3;
SELECT * FROM t WHERE id IN (1, 3);
SELECT * FROM t WHERE `order` LIKE 'x%' OR v < 0;
SELECT * FROM t WHERE TRUE;
SELECT * FROM t WHERE FALSE;
SELECT * FROM t WHERE CAST(NULL AS BOOLEAN);
SELECT id FROM (SELECT id, v FROM t WHERE v IS NOT NULL) WHERE v < 0;
SELECT q.i + 1 FROM (SELECT id AS i FROM t) AS q;
SELECT a, b FROM (SELECT id, v FROM t) AS q (a, b);
WITH q AS (SELECT id, v FROM t) SELECT * FROM q WHERE id < 3;
WITH q AS (SELECT id FROM t), r AS (SELECT id + 10 AS id FROM q) SELECT * FROM q UNION ALL SELECT * FROM r;
WITH q (a) AS (SELECT id FROM t) SELECT a FROM q;
WITH q AS (SELECT id FROM t) SELECT COUNT(*) FROM q q1 JOIN q q2 ON q1.id = q2.id;
VALUES (1, 'a'), (2, 'bc'), (3, NULL);
SELECT * FROM (VALUES (1, 2.5), (2, 3)) AS v (a, b);
SELECT a + b FROM (VALUES (1, 2), (3, 4)) AS v (a, b) WHERE a > 1;
SELECT 1;
SELECT 1 AS a, 'x' AS b, TRUE AS c, CAST(NULL AS INT) AS d;
SELECT ROW(1, 'a'), ARRAY[1, 2], MAP['k', 1];
SELECT ALL id FROM t;
TABLE t;
SELECT (SELECT 1) FROM t WHERE id = 1;
