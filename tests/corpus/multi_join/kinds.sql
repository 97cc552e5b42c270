-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Inner and left joins of three and more inputs without keys, NULLs in the join key, retractions.
SET 'table.optimizer.multi-join.enabled' = 'true';
CREATE TABLE a (id INT, x STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a1"]
["+I", 2, "a2"]
{"step": 4}
["+I", 1, "a11"]
{"step": 5}
["-D", 2, "a2"]
{"step": 10}
["-U", 1, "a1"]
["+U", 1, "a1x"]
["+I", null, "an"]
["-D", 1, "a1x"]
["-D", 1, "a11"]');
CREATE TABLE b (id INT, y STRING) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "b1"]
["+I", 4, "b4"]
["+I", 1, "b2"]
["+I", null, "bn"]
{"step": 6}
["-U", 1, "b1"]
["+U", 1, "b1x"]
{"step": 11}
["-D", 1, "b1x"]
["-D", 1, "b2"]');
CREATE TABLE c (id INT, z STRING) WITH ('connector' = 'script', 'rows' = '
{"step": 3}
["+I", 1, "c1"]
["+I", 1, "c2"]
["+I", 2, "c2"]
["+I", 4, "c4"]
["+I", null, "cn"]
{"step": 7}
["-D", 1, "c1"]
["-U", 1, "c2"]
["+U", 1, "c22"]
["-D", 1, "c22"]
["+I", 1, "c3"]');
CREATE TABLE e (id INT, w STRING) WITH ('connector' = 'script', 'rows' = '');
SELECT x, y, z FROM a JOIN b ON a.id = b.id JOIN c ON a.id = c.id;
SELECT x, y, z FROM a JOIN b ON a.id = b.id JOIN c ON b.id = c.id;
SELECT x, y, z FROM a LEFT JOIN b ON a.id = b.id LEFT JOIN c ON a.id = c.id;
SELECT x, y, z FROM a LEFT JOIN b ON a.id = b.id LEFT JOIN c ON b.id = c.id;
SELECT x, y, z FROM a LEFT JOIN b ON a.id = b.id JOIN c ON a.id = c.id;
SELECT x, y, z FROM a LEFT JOIN b ON a.id = b.id JOIN c ON b.id = c.id;
SELECT x, y, z FROM a JOIN b ON a.id = b.id LEFT JOIN c ON a.id = c.id;
SELECT x, y, z FROM a JOIN b ON a.id = b.id LEFT JOIN c ON b.id = c.id;
SELECT z, y, x FROM c LEFT JOIN b ON c.id = b.id LEFT JOIN a ON a.id = c.id;
SELECT z, y, x FROM b JOIN a ON a.id = b.id LEFT JOIN c ON a.id = c.id;
SELECT x, y FROM a LEFT JOIN b ON a.id = b.id;
SELECT x, y FROM a JOIN b ON a.id = b.id;
SELECT x, w FROM a LEFT JOIN e ON a.id = e.id;
SELECT x, y, w FROM a JOIN b ON a.id = b.id LEFT JOIN e ON a.id = e.id;
SELECT x, w, y FROM a LEFT JOIN e ON a.id = e.id LEFT JOIN b ON a.id = b.id;
SELECT x, y, w FROM a JOIN b ON a.id = b.id JOIN e ON a.id = e.id;
SELECT w, x, y FROM e LEFT JOIN a ON a.id = e.id LEFT JOIN b ON b.id = e.id;
SELECT * FROM a NATURAL JOIN b NATURAL JOIN c;
SELECT id, x, y, z FROM a LEFT JOIN b USING (id) LEFT JOIN c USING (id);
SELECT x, y, z FROM a, b, c WHERE a.id = b.id AND b.id = c.id;
SELECT COUNT(*), COUNT(y), COUNT(z) FROM a LEFT JOIN b ON a.id = b.id LEFT JOIN c ON a.id = c.id;
SELECT a.id, COUNT(y), MAX(z) FROM a LEFT JOIN b ON a.id = b.id LEFT JOIN c ON a.id = c.id GROUP BY a.id;
SELECT DISTINCT x FROM a JOIN b ON a.id = b.id JOIN c ON b.id = c.id;
