-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- Sub-queries in FROM, correlated sub-queries over tables, nested CTEs.
CREATE TABLE c (cid INT, name STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "ann"]
["+I", 2, "bob"]
["+I", 3, "eve"]');
CREATE TABLE o (oid INT, cid INT, amt INT) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 10, 1, 5]
["+I", 11, 1, 7]
["+I", 12, 2, 3]
["+I", 13, 9, 1]');
SELECT name, (SELECT SUM(amt) FROM o WHERE o.cid = c.cid) AS total FROM c;
SELECT name FROM c WHERE cid IN (SELECT cid FROM o WHERE amt > 4);
SELECT name FROM c WHERE EXISTS (SELECT 1 FROM o WHERE o.cid = c.cid AND o.amt > 5);
SELECT name FROM c WHERE NOT EXISTS (SELECT 1 FROM o WHERE o.cid = c.cid);
SELECT name FROM c WHERE (SELECT MAX(amt) FROM o WHERE o.cid = c.cid) > 4;
SELECT q.name, q.n FROM (SELECT name, COUNT(oid) AS n FROM c LEFT JOIN o ON c.cid = o.cid GROUP BY name) AS q WHERE q.n < 2;
SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM o GROUP BY cid) q;
WITH a AS (SELECT cid, SUM(amt) AS s FROM o GROUP BY cid), b AS (SELECT MAX(s) AS m FROM a) SELECT * FROM b;
WITH a AS (SELECT * FROM o WHERE amt > 2) SELECT c.name, a.amt FROM c JOIN a ON c.cid = a.cid;
WITH a AS (SELECT cid FROM c), b AS (SELECT cid FROM a WHERE cid < 3) SELECT COUNT(*) FROM b;
SELECT x.cid FROM (SELECT cid FROM c UNION SELECT cid FROM o) x WHERE x.cid > 2;
SELECT * FROM (SELECT cid, amt FROM o WHERE amt > 1) x, (SELECT name, cid AS k FROM c) y WHERE x.cid = y.k;
SELECT name, CASE WHEN EXISTS (SELECT 1 FROM o WHERE o.cid = c.cid) THEN 'yes' ELSE 'no' END FROM c;
SELECT name FROM c ORDER BY cid DESC LIMIT 2;
SELECT * FROM (SELECT * FROM (SELECT * FROM c WHERE cid > 1) WHERE cid < 3);
