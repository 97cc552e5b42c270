-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- compare: final
-- A table joined with itself: both sides read the same source, and which side sees a row first is not fixed.
CREATE TABLE t (k INT, v STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a"]
["+I", 1, "a"]
["+I", 2, "b"]
["-D", 1, "a"]
["+I", 2, "c"]
["-D", 2, "b"]');
CREATE TABLE o (oid INT, cid INT, amt INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1, 10]
["+I", 2, 1, 20]
{"step": 3}
["+I", 3, 2, 5]
["+I", 4, 1, -5]
{"step": 5}
["+I", 5, 3, 7]');
CREATE TABLE p (id INT, boss INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, null]
["+I", 2, 1]
["+I", 3, 1]
["-U", 3, 1]
["+U", 3, 2]
["+I", 4, 3]
["-D", 2, 1]');
SELECT t1.v, t2.v FROM t t1 JOIN t t2 ON t1.k = t2.k;
SELECT t1.k, COUNT(*) FROM t t1 JOIN t t2 ON t1.k = t2.k GROUP BY t1.k;
SELECT t1.v FROM t t1 WHERE EXISTS (SELECT 1 FROM t t2 WHERE t2.k = t1.k AND t2.v <> t1.v);
SELECT t1.v, t2.n FROM t t1 JOIN (SELECT k, COUNT(*) AS n FROM t GROUP BY k) t2 ON t1.k = t2.k;
SELECT t1.v, t2.v FROM t t1 LEFT JOIN t t2 ON t1.k = t2.k AND t1.v < t2.v;
SELECT t1.v, t2.v FROM t t1, t t2 WHERE t1.v < t2.v;
SELECT * FROM t t1 JOIN t t2 ON t1.k = t2.k AND t1.v = t2.v;
SELECT a.cid, a.n, b.s FROM (SELECT cid, COUNT(*) AS n FROM o GROUP BY cid) a JOIN (SELECT cid, SUM(amt) AS s FROM o GROUP BY cid) b ON a.cid = b.cid;
SELECT a.cid, a.n, b.m FROM (SELECT cid, COUNT(*) AS n FROM o GROUP BY cid) a LEFT JOIN (SELECT cid, MAX(amt) AS m FROM o WHERE amt > 6 GROUP BY cid) b ON a.cid = b.cid;
SELECT o.oid, o.amt, q.mx FROM o JOIN (SELECT MAX(amt) AS mx FROM o) q ON o.amt = q.mx;
SELECT a.id, b.id FROM p a JOIN p b ON a.boss = b.id;
SELECT a.id, b.id FROM p a LEFT JOIN p b ON a.boss = b.id;
SELECT a.id, b.id FROM p a FULL JOIN p b ON a.boss = b.id;
SELECT a.id FROM p a WHERE NOT EXISTS (SELECT 1 FROM p b WHERE b.boss = a.id);
SELECT b.id, COUNT(a.id) FROM p b LEFT JOIN p a ON a.boss = b.id GROUP BY b.id;
SELECT a.id, b.id, c.id FROM p a LEFT JOIN p b ON a.boss = b.id LEFT JOIN p c ON b.boss = c.id;
SELECT * FROM t EXCEPT SELECT * FROM t;
SELECT * FROM t INTERSECT SELECT * FROM t;
SELECT k FROM t WHERE k NOT IN (SELECT k FROM t WHERE v = 'c');
SELECT k, (SELECT COUNT(*) FROM t) FROM t;
