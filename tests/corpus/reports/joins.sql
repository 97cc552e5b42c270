-- SPDX-License-Identifier: Apache-2.0
-- compare: final
-- Joins and sub-queries: inputs that made reported faults visible.
CREATE TABLE l (id INT, k INT, v STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 50, "a"]
["+I", 2, 70, "b"]
["+I", null, 80, "c"]
["+I", 1, 51, null]');
CREATE TABLE r (id INT, z INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 90]
["+I", null, 20]
["+I", 3, 40]
["+I", 1, 91]');
CREATE TABLE cl (id INT, k INT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1, "a"]
["+I", 2, 1, "b"]
["-U", 1, 1, "a"]
["+U", 1, 2, "a"]
["+I", 3, null, "c"]
["-D", 2, 1, "b"]
["-U", 3, null, "c"]
["+U", 3, 2, "c"]');
CREATE TABLE cr (k INT, n STRING, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "one"]
["+I", 2, "two"]
["-U", 1, "one"]
["+U", 1, "eins"]
["-D", 2, "two"]
["+I", 2, "zwei"]');
-- FLINK-20074: insertions and deletions only.
CREATE TABLE nd (k INT, v INT) WITH ('connector' = 'script', 'changelog-mode' = 'I,D', 'rows' = '
["+I", 1, 5]
["+I", 1, 6]
["-D", 1, 5]');
SELECT nd.v, cr.n FROM nd JOIN cr ON nd.k = cr.k;
-- Chained LEFT JOINs, NULL keys do not match.
SELECT l.id, l.k, p.z, q.z FROM l LEFT JOIN r p ON l.id = p.id LEFT JOIN r q ON l.id = q.id;
-- FLINK-20370: LEFT JOIN of changes.
SELECT cl.id, cl.v, cr.n FROM cl LEFT JOIN cr ON cl.k = cr.k;
SELECT cl.id, cl.v, cr.n FROM cl RIGHT JOIN cr ON cl.k = cr.k;
SELECT cl.id, cl.v, cr.n FROM cl FULL JOIN cr ON cl.k = cr.k;
-- FLINK-8428: outer joins with a condition beside the equality.
SELECT cl.id, cr.n FROM cl LEFT JOIN cr ON cl.k = cr.k AND cr.n <> 'one';
SELECT cl.id, cr.n FROM cl LEFT JOIN cr ON cl.k = cr.k AND cl.v = 'a';
SELECT cl.id, cr.n FROM cl FULL JOIN cr ON cl.k = cr.k AND cl.v > 'a' AND cr.n < 'zz';
SELECT cl.id, cr.n FROM cl LEFT JOIN cr ON cl.k < cr.k;
SELECT cl.id, cr.n FROM cl LEFT JOIN cr ON TRUE;
SELECT cl.id, cr.n FROM cl FULL JOIN cr ON FALSE;
-- Join on equality of expressions, USING, NATURAL.
SELECT l.id, r.z FROM l JOIN r ON l.id + 1 = r.id - 1;
SELECT * FROM l JOIN r USING (id);
SELECT * FROM l FULL JOIN r USING (id);
-- IS NOT DISTINCT FROM as a key.
SELECT l.id, l.k, r.z FROM l JOIN r ON l.id IS NOT DISTINCT FROM r.id;
SELECT l.id, l.k, r.z FROM l LEFT JOIN r ON l.id = r.id OR (l.id IS NULL AND r.id IS NULL);
-- FLINK-22113: a unique key that is lost or kept by the join.
SELECT cl.id, COUNT(*) FROM cl JOIN cr ON cl.k = cr.k GROUP BY cl.id;
SELECT cr.n, COUNT(cl.id) FROM cr LEFT JOIN cl ON cl.k = cr.k GROUP BY cr.n;
-- FLINK-25559: three tables.
SELECT a.id, b.n, c.id FROM cl a JOIN cr b ON a.k = b.k JOIN cl c ON c.k = b.k;
SELECT a.id, b.n, c.id FROM cl a LEFT JOIN cr b ON a.k = b.k LEFT JOIN cl c ON c.k = b.k AND c.id <> a.id;
-- Semi and anti joins.
SELECT id FROM cl WHERE k IN (SELECT k FROM cr);
SELECT id FROM cl WHERE k NOT IN (SELECT k FROM cr);
SELECT id FROM cl WHERE EXISTS (SELECT 1 FROM cr WHERE cr.k = cl.k AND cr.n > 'one');
SELECT id FROM cl WHERE NOT EXISTS (SELECT 1 FROM cr WHERE cr.k = cl.k);
SELECT id FROM l WHERE id NOT IN (SELECT id FROM r);
SELECT id FROM l WHERE id NOT IN (SELECT id FROM r WHERE id IS NOT NULL);
SELECT id, k FROM l WHERE (id, k) IN (SELECT id, z - 40 FROM r);
SELECT id FROM l WHERE k > ALL (SELECT z FROM r WHERE z < 50);
SELECT id FROM l WHERE k > ANY (SELECT z FROM r);
SELECT id FROM l WHERE k = SOME (SELECT z - 40 FROM r);
SELECT 7 IN (SELECT id FROM r), 1 IN (SELECT id FROM r), 7 NOT IN (SELECT id FROM r) FROM (VALUES (1)) AS v(x);
-- Correlated scalar sub-queries, COUNT of nothing.
SELECT id, (SELECT COUNT(*) FROM r WHERE r.id = l.id) FROM l;
SELECT id, (SELECT MAX(z) FROM r WHERE r.id = l.id) FROM l;
SELECT id, (SELECT SUM(z) FROM r WHERE r.id = l.id AND r.z > l.k) FROM l;
SELECT id FROM l WHERE (SELECT COUNT(*) FROM r WHERE r.id = l.id) = 0;
SELECT (SELECT z FROM r WHERE z = 90), (SELECT z FROM r WHERE z = -1);
SELECT id FROM l WHERE id IN (SELECT id FROM r WHERE r.z > l.k);
SELECT id FROM l WHERE EXISTS (SELECT 1 FROM r WHERE r.id = l.id GROUP BY r.id HAVING COUNT(*) > 1);
SELECT id FROM l WHERE EXISTS (SELECT COUNT(*) FROM r WHERE r.id = l.id);
SELECT id FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE FALSE);
-- FLINK-31830: COALESCE over the padded side.
SELECT COALESCE(l.id, r.id), COALESCE(r.z, -1) FROM l FULL JOIN r ON l.id = r.id;
-- COUNT(*) over a RIGHT JOIN that cannot match.
SELECT COUNT(*), MAX(l.k) FROM l RIGHT JOIN r ON r.z = 6;
-- a filter on the padded side makes an inner join; IS NULL does not.
SELECT l.id, r.z FROM l LEFT JOIN r ON l.id = r.id WHERE r.z > 50;
SELECT l.id, r.z FROM l LEFT JOIN r ON l.id = r.id WHERE r.z IS NULL;
SELECT l.id, r.z FROM l LEFT JOIN r ON l.id = r.id WHERE COALESCE(r.z, 0) = 0;
SELECT l.id, r.z FROM l LEFT JOIN r ON l.id = r.id WHERE NOT (r.z > 50);
SELECT l.id, r.z FROM l LEFT JOIN r ON l.id = r.id WHERE r.z > 50 IS NOT TRUE;
-- joins whose key types differ.
SELECT l.id, r.z FROM l JOIN r ON CAST(l.id AS BIGINT) = r.id;
SELECT l.id, r.z FROM l JOIN r ON l.id = CAST(r.id AS DECIMAL(10, 2));
SELECT l.id, r.z FROM l JOIN r ON CAST(l.id AS STRING) = r.id;
-- Cross joins, VALUES.
SELECT l.id, w.x FROM l CROSS JOIN (VALUES (1), (2)) AS w(x) WHERE w.x = l.id;
SELECT l.id, w.x FROM l, (VALUES (1, 'a'), (2, 'b')) AS w(x, y) WHERE w.x = l.id AND w.y = l.v;
-- a self join by the same column.
SELECT a.id, b.k FROM l a JOIN l b ON a.id = b.id AND a.k <> b.k;
-- INTERSECT, EXCEPT.
SELECT id FROM l INTERSECT SELECT id FROM r;
SELECT id FROM l EXCEPT SELECT id FROM r;
SELECT id FROM l INTERSECT ALL SELECT id FROM r;
SELECT id FROM l EXCEPT ALL SELECT id FROM r;
SELECT k FROM cl EXCEPT SELECT k FROM cr;
SELECT k FROM cl INTERSECT SELECT k FROM cr;
SELECT id FROM l UNION SELECT id FROM r UNION ALL SELECT 1;
SELECT id, NULL AS x FROM l UNION ALL SELECT id, z FROM r;
SELECT CAST(id AS BIGINT) FROM l UNION SELECT id FROM r;
