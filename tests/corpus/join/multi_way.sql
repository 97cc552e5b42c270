-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- Three and more tables, chained outer joins, bushy forms.
CREATE TABLE a (id INT, x STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a1"]
["+I", 2, "a2"]
["+I", 3, "a3"]
{"step": 5}
["-D", 2, "a2"]');
CREATE TABLE b (id INT, y STRING) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "b1"]
["+I", 4, "b4"]
{"step": 6}
["-U", 1, "b1"]
["+U", 1, "b1x"]');
CREATE TABLE c (id INT, z STRING) WITH ('connector' = 'script', 'rows' = '
{"step": 3}
["+I", 1, "c1"]
["+I", 2, "c2"]
["+I", 4, "c4"]
{"step": 7}
["-D", 1, "c1"]');
SELECT x, y, z FROM a JOIN b ON a.id = b.id JOIN c ON a.id = c.id;
SELECT x, y, z FROM a JOIN b ON a.id = b.id JOIN c ON b.id = c.id;
SELECT x, y, z FROM a LEFT JOIN b ON a.id = b.id LEFT JOIN c ON a.id = c.id;
SELECT x, y, z FROM a LEFT JOIN b ON a.id = b.id LEFT JOIN c ON b.id = c.id;
SELECT x, y, z FROM a LEFT JOIN b ON a.id = b.id JOIN c ON a.id = c.id;
SELECT x, y, z FROM a JOIN b ON a.id = b.id LEFT JOIN c ON a.id = c.id;
SELECT x, y, z FROM a LEFT JOIN b ON a.id = b.id JOIN c ON b.id = c.id;
SELECT x, y, z FROM a FULL JOIN b ON a.id = b.id LEFT JOIN c ON a.id = c.id;
SELECT x, y, z FROM a FULL JOIN b ON a.id = b.id FULL JOIN c ON b.id = c.id;
SELECT x, y, z FROM a RIGHT JOIN b ON a.id = b.id RIGHT JOIN c ON b.id = c.id;
SELECT x, y, z FROM a LEFT JOIN (b JOIN c ON b.id = c.id) ON a.id = b.id;
SELECT x, y, z FROM a FULL JOIN b ON a.id = b.id JOIN c ON COALESCE(a.id, b.id) = c.id;
SELECT x, y, z FROM a, b, c WHERE a.id = b.id AND b.id = c.id;
SELECT COUNT(*) FROM a LEFT JOIN b ON a.id = b.id LEFT JOIN c ON a.id = c.id;
SELECT a.id, COUNT(y), COUNT(z) FROM a LEFT JOIN b ON a.id = b.id LEFT JOIN c ON a.id = c.id GROUP BY a.id;
SELECT x, z FROM a JOIN c ON a.id = c.id WHERE EXISTS (SELECT 1 FROM b WHERE b.id = a.id);
SELECT x, y, z FROM a JOIN b USING (id) JOIN c USING (id);
SELECT * FROM a NATURAL JOIN b NATURAL JOIN c;
SELECT id, x, y, z FROM a LEFT JOIN b USING (id) LEFT JOIN c USING (id);
SELECT x, y, z FROM a LEFT JOIN b ON a.id = b.id AND a.x > 'a1' LEFT JOIN c ON a.id = c.id AND z < 'c2';
SELECT t1.x, t2.x, t3.x FROM a t1 JOIN a t2 ON t1.id < t2.id JOIN a t3 ON t2.id < t3.id;
SELECT q.x, q.y, c.z FROM (SELECT a.id, x, y FROM a LEFT JOIN b ON a.id = b.id) q LEFT JOIN c ON q.id = c.id;
