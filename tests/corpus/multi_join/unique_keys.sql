-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Repeated rows, deletions of what never came, inputs with unique keys and upserts.
SET 'table.optimizer.multi-join.enabled' = 'true';
CREATE TABLE a (id INT, x INT, s STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 10, "k"]
["+I", 2, 20, "m"]
["+I", 3, 30, "k"]
{"step": 9}
["+I", 1, 11, "k"]
["-U", 2, 20, "m"]
["+U", 2, 5, "m"]
["+I", null, 1, "k"]
["-D", null, 1, "k"]');
CREATE TABLE b (id INT, y INT, t STRING) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, 5, "k"]
["+I", 1, 5, "k"]
["+I", 1, 15, "k"]
["+I", 2, 5, "m"]
["+I", 2, 7, "q"]
["-D", 3, 1, "k"]
["+I", null, 2, "k"]
{"step": 6}
["-D", 1, 5, "k"]
["-D", 1, 15, "k"]
["-D", 1, 5, "k"]
["-U", 2, 5, "m"]
["+U", 2, 50, "m"]
["-U", 2, 50, "m"]
["+U", 2, 6, "m"]');
CREATE TABLE c (id INT, z INT, u STRING) WITH ('connector' = 'script', 'rows' = '
{"step": 3}
["+I", 1, 1, "k"]
["+I", 1, 2, "k"]
["+I", 1, 3, "m"]
["+I", 1, 4, "k"]
["+I", 1, 5, "k"]
["+I", 1, 6, "m"]
["+I", 2, 1, "m"]
["+I", 2, 2, "m"]
["+I", 2, 3, "k"]
{"step": 7}
["-D", 1, 2, "k"]
["-D", 2, 1, "m"]
["-D", 2, 2, "m"]');
CREATE TABLE p (id INT, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'I,UA,D', 'rows' = '
{"step": 4}
["+I", 1, 1]
["+I", 2, 10]
["+U", 2, 12]
["+U", 1, 100]
["+U", 3, 5]
{"step": 8}
["-D", 1, 100]
["+U", 1, 2]
["+I", 2, 13]
["-D", 3, 5]
["-D", 3, 5]');
CREATE TABLE q (id INT, w INT, r STRING, PRIMARY KEY (w) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
{"step": 5}
["+I", 1, 1, "a"]
["+I", 1, 2, "b"]
["+I", 1, 3, "c"]
["+I", 2, 4, "d"]
{"step": 11}
["-U", 1, 2, "b"]
["+U", 2, 2, "bb"]
["-D", 1, 1, "a"]
["-D", 1, 3, "c"]');
SELECT x, y, z FROM a LEFT JOIN b ON a.id = b.id AND a.x > b.y LEFT JOIN c ON a.id = c.id AND c.u = a.s;
SELECT x, y, z, t, u FROM a JOIN b ON a.id = b.id AND a.s = b.t JOIN c ON a.id = c.id AND b.t = c.u;
SELECT x, y, z, t, u FROM a LEFT JOIN b ON a.id = b.id AND a.s = b.t LEFT JOIN c ON a.id = c.id AND a.s = c.u;
SELECT x, z, u FROM a JOIN c ON a.id = c.id AND a.s = c.u;
SELECT x, y, z FROM a JOIN b ON a.s = b.t JOIN c ON b.t = c.u;
SELECT a.id, x, v, z FROM a LEFT JOIN p ON a.id = p.id LEFT JOIN c ON a.id = c.id;
SELECT a.id, x, v, z FROM a JOIN p ON a.id = p.id JOIN c ON a.id = c.id;
SELECT p.id, v, x, w, r FROM p LEFT JOIN a ON a.id = p.id LEFT JOIN q ON p.id = q.id;
SELECT p.id, v, x, w, r FROM p JOIN a ON a.id = p.id JOIN q ON p.id = q.id;
SELECT a.id, x, w, r, v FROM a LEFT JOIN q ON a.id = q.id AND x < w * 10 JOIN p ON a.id = p.id;
SELECT a.id, x, v FROM a LEFT JOIN p ON a.id = p.id AND p.v > a.x;
SELECT a.id, x, v FROM a JOIN p ON a.id = p.id AND p.v > a.x;
SELECT x, y, v FROM a JOIN b ON a.id = b.id LEFT JOIN p ON a.id = p.id AND p.v > b.y;
SELECT w, r, v FROM q LEFT JOIN p ON q.id = p.id;
SELECT w, r, v FROM q LEFT JOIN p ON q.w = p.id;
SELECT w, r, v, x FROM q LEFT JOIN p ON q.w = p.id LEFT JOIN a ON a.id = q.w;
SELECT v, w, r FROM p LEFT JOIN q ON q.id = p.id AND q.r > 'a';
SELECT a.id, x FROM a LEFT JOIN p ON a.id = p.id;
SELECT x, y FROM a LEFT JOIN p ON a.id = p.id JOIN b ON a.id = b.id;
SELECT p.id, SUM(x), COUNT(*) FROM p JOIN a ON a.id = p.id AND p.v > a.x GROUP BY p.id;
SELECT g.s, n, m, u, z FROM (SELECT s, COUNT(*) AS n FROM a GROUP BY s) g JOIN (SELECT t, COUNT(*) AS m FROM b GROUP BY t) h ON g.s = h.t JOIN c ON g.s = c.u;
SELECT g.s, n, m FROM (SELECT s, COUNT(*) AS n FROM a GROUP BY s) g LEFT JOIN (SELECT t, COUNT(*) AS m FROM b GROUP BY t) h ON g.s = h.t;
SELECT g.s, n, m, k FROM (SELECT s, COUNT(*) AS n FROM a GROUP BY s) g LEFT JOIN (SELECT t, COUNT(*) AS m FROM b GROUP BY t) h ON g.s = h.t LEFT JOIN (SELECT u, MAX(z) AS k FROM c GROUP BY u) i ON g.s = i.u;
SELECT q1.i, y, u FROM (SELECT a.id AS i, y FROM a JOIN b ON a.id = b.id) q1 JOIN c ON q1.i = c.id;
SELECT q1.i, y, u FROM (SELECT a.id AS i, y FROM a LEFT JOIN b ON a.id = b.id WHERE b.y IS NULL OR b.y > 5) q1 LEFT JOIN c ON q1.i = c.id;
CREATE TABLE up (id INT, n BIGINT, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record');
INSERT INTO up SELECT p.id, n, v FROM p JOIN (SELECT id, COUNT(*) AS n FROM a GROUP BY id) g ON g.id = p.id;
CREATE TABLE up2 (id INT, n BIGINT, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record');
INSERT INTO up2 SELECT p.id, n, v FROM p LEFT JOIN (SELECT id, COUNT(*) AS n FROM a GROUP BY id) g ON g.id = p.id;
CREATE TABLE up3 (id INT, n BIGINT, v INT, m INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record');
INSERT INTO up3 SELECT p.id, n, v, m FROM p LEFT JOIN (SELECT id, COUNT(*) AS n FROM a GROUP BY id) g ON g.id = p.id LEFT JOIN (SELECT id, MAX(y) AS m FROM b GROUP BY id) h ON h.id = p.id AND n < m;
