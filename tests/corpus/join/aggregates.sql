-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- Joins above, below and between aggregates: upsert keys of either side.
CREATE TABLE o (oid INT, cid INT, amt INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1, 10]
["+I", 2, 1, 20]
{"step": 3}
["+I", 3, 2, 5]
["+I", 4, 1, -5]
{"step": 5}
["+I", 5, 3, 7]');
CREATE TABLE c (cid INT, name STRING, PRIMARY KEY (cid) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "ann"]
["+I", 2, "bob"]
{"step": 4}
["-U", 1, "ann"]
["+U", 1, "anna"]
{"step": 6}
["-D", 2, "bob"]');
SELECT name, n FROM c JOIN (SELECT cid, COUNT(*) AS n FROM o GROUP BY cid) q ON c.cid = q.cid;
SELECT name, n FROM c LEFT JOIN (SELECT cid, COUNT(*) AS n FROM o GROUP BY cid) q ON c.cid = q.cid;
SELECT name, s FROM (SELECT cid, SUM(amt) AS s FROM o GROUP BY cid) q LEFT JOIN c ON c.cid = q.cid;
SELECT name, s FROM (SELECT cid, SUM(amt) AS s FROM o GROUP BY cid) q FULL JOIN c ON c.cid = q.cid;
SELECT name, SUM(amt) FROM o JOIN c ON o.cid = c.cid GROUP BY name;
SELECT name, COUNT(oid) FROM c LEFT JOIN o ON o.cid = c.cid GROUP BY name;
SELECT c.cid, name, COUNT(oid), MAX(amt) FROM c LEFT JOIN o ON o.cid = c.cid GROUP BY c.cid, name;
SELECT q.n, COUNT(*) FROM c JOIN (SELECT cid, COUNT(*) AS n FROM o GROUP BY cid) q ON c.cid = q.cid GROUP BY q.n;
SELECT name FROM c WHERE cid IN (SELECT cid FROM o GROUP BY cid HAVING COUNT(*) > 1);
SELECT name FROM c WHERE cid NOT IN (SELECT cid FROM o WHERE amt > 8);
SELECT DISTINCT name FROM c JOIN o ON c.cid = o.cid;
SELECT MAX(n) FROM (SELECT name, COUNT(*) AS n FROM c JOIN o ON c.cid = o.cid GROUP BY name);
SELECT o.cid, AVG(amt) FROM o JOIN c ON o.cid = c.cid WHERE name <> 'bob' GROUP BY o.cid HAVING COUNT(*) > 1;
SELECT name, t FROM c CROSS JOIN (SELECT SUM(amt) AS t FROM o) q;
SELECT c.name, q.n FROM c JOIN (SELECT DISTINCT cid, 1 AS n FROM o) q ON c.cid = q.cid;
