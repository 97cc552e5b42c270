-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Sub-queries as values over changing tables, one change at a time.
CREATE TABLE t (id INT, x INT) WITH ('connector' = 'script', 'rows' = '
{"step": 1}
["+I", 1, 10]
{"step": 3}
["+I", 2, 20]
{"step": 5}
["+I", 3, null]
{"step": 7}
["-D", 3, null]
{"step": 9}
["+I", 4, 40]');
CREATE TABLE u (y INT, z INT) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 10, 1]
{"step": 4}
["+I", 30, 1]
{"step": 6}
["+I", null, 1]
{"step": 8}
["-D", 10, 1]');
SELECT id, (SELECT COUNT(*) FROM u) FROM t;
SELECT id, (SELECT COUNT(y) FROM u) + 1 FROM t;
SELECT id, (SELECT SUM(y) FROM u) FROM t;
SELECT id, (SELECT COUNT(*) FROM u WHERE u.y = t.x) FROM t;
SELECT id, COALESCE((SELECT COUNT(*) FROM u WHERE u.y = t.x), 0) FROM t;
SELECT id FROM t WHERE (SELECT COUNT(*) FROM u WHERE u.y = t.x) = 0;
SELECT id FROM t WHERE (SELECT COUNT(*) FROM u) = 0;
SELECT id FROM t WHERE (SELECT COUNT(*) FROM u) > 1;
SELECT id, EXISTS (SELECT y FROM u) FROM t;
SELECT id, NOT EXISTS (SELECT y FROM u) FROM t;
SELECT id, EXISTS (SELECT y FROM u WHERE y = x) FROM t;
SELECT id, x > (SELECT MIN(y) FROM u) FROM t;
SELECT id, x > ANY (SELECT y FROM u) FROM t;
SELECT id, x > ALL (SELECT y FROM u) FROM t;
SELECT id, x = ALL (SELECT y FROM u) FROM t;
SELECT id, x <> ANY (SELECT y FROM u) FROM t;
SELECT id, x <= SOME (SELECT y FROM u) FROM t;
SELECT id FROM t WHERE x > ANY (SELECT y FROM u);
SELECT id FROM t WHERE x > ALL (SELECT y FROM u);
SELECT id FROM t WHERE x <> ALL (SELECT y FROM u);
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE y = x) OR id = 2;
SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE y = x) OR id = 2;
SELECT id, CASE WHEN EXISTS (SELECT y FROM u WHERE y = x) THEN 'in' ELSE 'out' END FROM t;
SELECT id FROM t WHERE x IN (SELECT y FROM u) AND EXISTS (SELECT 1 FROM u WHERE z = id);
SELECT id FROM t WHERE x NOT IN (SELECT y FROM u);
SELECT id FROM t WHERE x NOT IN (SELECT y FROM u WHERE y IS NOT NULL);
SELECT id FROM t WHERE id NOT IN (SELECT y FROM u WHERE u.z = t.id);
SELECT id FROM t GROUP BY id HAVING COUNT(*) < (SELECT COUNT(*) FROM u);
SELECT SUM(x) FROM t HAVING SUM(x) > (SELECT MIN(y) FROM u);
SELECT id, (SELECT y FROM u WHERE y = 10) FROM t;
SELECT id, (SELECT y FROM u WHERE y = x) FROM t;
SELECT id, (SELECT z FROM u WHERE y > x) FROM t;
SELECT id FROM t WHERE (SELECT MAX(y) FROM u WHERE u.y > t.x) IS NULL;
SELECT id, (SELECT MAX(y) FROM u WHERE u.y > t.x) FROM t;
SELECT id FROM t WHERE (x, 1) IN (SELECT y, z FROM u);
SELECT id FROM t WHERE (x, 1) NOT IN (SELECT y, z FROM u);
SELECT id FROM t WHERE x IN (SELECT y FROM u UNION SELECT 20);
SELECT id FROM t WHERE x IN (SELECT y FROM u INTERSECT SELECT x FROM t);
SELECT id FROM t WHERE x = (SELECT MAX(y) FROM u);
SELECT id FROM t WHERE x < (SELECT MAX(y) FROM u) AND x >= (SELECT MIN(y) FROM u);
SELECT id FROM t ORDER BY (SELECT MAX(y) FROM u) LIMIT 2;
