-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Aggregates over aggregates: the inner one's updates retract from the outer one.
CREATE TABLE t (k STRING, g STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", "a", "x", 4]
["+I", "b", "x", 1]
["+I", "a", "y", 3]
["+I", "c", "y", 7]
["+I", "b", "x", 6]
["+I", "a", "x", 1]');
CREATE TABLE c (k STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 4]
["+I", "b", 4]
["-U", "a", 4]
["+U", "a", 5]
["-D", "b", 4]
["+I", "c", 5]
["-D", "a", 5]');
SELECT MAX(s) FROM (SELECT k, SUM(v) AS s FROM t GROUP BY k);
SELECT MIN(s), MAX(s), SUM(s), COUNT(*) FROM (SELECT k, SUM(v) AS s FROM t GROUP BY k);
SELECT s, COUNT(*) FROM (SELECT k, COUNT(*) AS s FROM t GROUP BY k) GROUP BY s;
SELECT g, SUM(n) FROM (SELECT k, g, COUNT(*) AS n FROM t GROUP BY k, g) GROUP BY g;
SELECT g, COUNT(*) FROM (SELECT DISTINCT k, g FROM t) GROUP BY g;
SELECT g, MAX(k), MIN(k) FROM (SELECT k, MAX(g) AS g FROM t GROUP BY k) GROUP BY g;
SELECT AVG(m) FROM (SELECT MAX(v) AS m FROM t GROUP BY k);
SELECT COUNT(*) FROM (SELECT k FROM t GROUP BY k);
SELECT COUNT(DISTINCT s) FROM (SELECT SUM(v) AS s FROM t GROUP BY k);
SELECT MAX(x) FROM (SELECT s, COUNT(*) AS x FROM (SELECT k, COUNT(*) AS s FROM t GROUP BY k) GROUP BY s);
SELECT n, COUNT(*) FROM (SELECT COUNT(*) AS n FROM t) GROUP BY n;
SELECT k, MAX(m) FROM (SELECT k, g, MIN(v) AS m FROM t GROUP BY k, g HAVING MIN(v) < 5) GROUP BY k;
SELECT v, COUNT(*) FROM c GROUP BY v;
SELECT n, COUNT(*) FROM (SELECT v, COUNT(*) AS n FROM c GROUP BY v) GROUP BY n;
SELECT MAX(n), MIN(n) FROM (SELECT v, COUNT(*) AS n FROM c GROUP BY v);
SELECT SUM(n) FROM (SELECT v, COUNT(*) AS n FROM c GROUP BY v);
SELECT COUNT(*) FROM (SELECT DISTINCT v FROM c);
SELECT COUNT(*) FROM (SELECT SUM(v) AS s FROM c);
SELECT m, COUNT(*) FROM (SELECT k, MAX(v) AS m FROM c GROUP BY k) GROUP BY m;
SELECT COUNT(COUNT(*)) FROM t;
