-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- compare: final
-- Counts of sub-queries. While there is nothing to count they are 0; Flink has NULL then, so only the end is compared.
CREATE TABLE a (x INT, s STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "p"]
["+I", 2, "q"]
{"step": 3}
["+I", 4, "r"]');
CREATE TABLE b (x INT, w INT) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 2, 10]
["+I", 2, 30]
{"step": 4}
["+I", 4, 5]');
CREATE TABLE cust (cid INT, name STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "ann"]
["+I", 2, "bob"]
["+I", 3, "eve"]');
CREATE TABLE o (oid INT, cid INT, amt INT) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 10, 1, 5]
["+I", 11, 1, 7]
["+I", 12, 2, 3]
["+I", 13, 9, 1]');
SELECT s, (SELECT COUNT(*) FROM b) FROM a;
SELECT x, COUNT(*) FROM a GROUP BY x HAVING x < (SELECT MAX(x) FROM b);
SELECT SUM(x) - (SELECT COUNT(*) FROM b) FROM a;
SELECT name FROM cust c WHERE 1 < (SELECT COUNT(*) FROM o WHERE o.cid = c.cid);
SELECT oid FROM o WHERE amt > (SELECT AVG(amt) FROM o o2 WHERE o2.cid = o.cid);
SELECT (SELECT COUNT(*) FROM o), (SELECT COUNT(*) FROM cust);
SELECT s, (SELECT COUNT(*) FROM b WHERE b.x = a.x) + 1 FROM a WHERE x > 1;
SELECT name, (SELECT COUNT(oid) FROM o WHERE o.cid = c.cid) AS n FROM cust c WHERE cid < 3;
SELECT name FROM cust c WHERE (SELECT COUNT(*) FROM o WHERE o.cid = c.cid) = 1;
SELECT name FROM cust c WHERE (SELECT COUNT(*) FROM o WHERE o.cid = c.cid) > 0 AND cid < 9;
SELECT x, (SELECT COUNT(*) FROM o) * x FROM a;
