-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- What else is asked for beside the common key; what is no multi-way join stays what it was.
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
SELECT x, y, z FROM a JOIN b ON a.id = b.id AND x <> 'a11' JOIN c ON a.id = c.id AND y < z;
SELECT x, y, z FROM a LEFT JOIN b ON a.id = b.id AND x <> 'a11' LEFT JOIN c ON a.id = c.id AND y < z;
SELECT x, y, z FROM a LEFT JOIN b ON a.id = b.id AND y > 'b1' LEFT JOIN c ON a.id = c.id AND z > 'c1';
SELECT x, y, z FROM a LEFT JOIN b ON a.id = b.id AND CHAR_LENGTH(x) = CHAR_LENGTH(y) LEFT JOIN c ON a.id = c.id AND CHAR_LENGTH(y) = CHAR_LENGTH(z);
SELECT x, y, z FROM a LEFT JOIN b ON a.id = b.id AND CHAR_LENGTH(x) < CHAR_LENGTH(y) JOIN c ON a.id = c.id AND (y IS NULL OR z > 'c1');
SELECT x, y, z FROM a LEFT JOIN b ON a.id = b.id LEFT JOIN c ON a.id = c.id AND y IS NULL;
SELECT x, y, z FROM a LEFT JOIN b ON a.id = b.id LEFT JOIN c ON a.id = c.id AND y IS NOT NULL AND x < 'a2';
SELECT x, y, z FROM a LEFT JOIN b ON a.id = b.id LEFT JOIN c ON a.id = c.id WHERE x <> 'a11';
SELECT x, y, z FROM a LEFT JOIN b ON a.id = b.id LEFT JOIN c ON a.id = c.id WHERE y IS NULL OR z > 'c1';
SELECT x, y, z FROM a LEFT JOIN b ON FALSE LEFT JOIN c ON a.id = c.id;
SELECT x, y FROM a LEFT JOIN b ON a.id = b.id AND x < y AND y <> 'b2';
SELECT x, y FROM a LEFT JOIN b ON a.id = b.id AND SUBSTRING(x FROM 2) = SUBSTRING(y FROM 2);
SELECT x, y, z FROM a JOIN b ON a.id = b.id JOIN c ON a.id = c.id AND (x < z OR y < z);
SELECT x, y, z || 'q' FROM a JOIN b ON a.id + 1 = b.id + 1 JOIN c ON a.id + 1 = c.id + 1;
SELECT x, y FROM a JOIN b ON a.id < b.id;
SELECT x, y FROM a LEFT JOIN b ON a.id > b.id;
SELECT x, y FROM a CROSS JOIN b;
SELECT x, y FROM a LEFT JOIN b ON TRUE;
SELECT x, y FROM a JOIN b ON a.id IS NOT DISTINCT FROM b.id;
SELECT x, y FROM a LEFT JOIN b ON a.id IS NOT DISTINCT FROM b.id;
SELECT x, y, z FROM a RIGHT JOIN b ON a.id = b.id JOIN c ON b.id = c.id;
SELECT x, y, z FROM a JOIN b ON a.id = b.id RIGHT JOIN c ON b.id = c.id;
SELECT x, y, z FROM a FULL JOIN b ON a.id = b.id LEFT JOIN c ON b.id = c.id;
SELECT x, y FROM a JOIN b ON a.id = b.id WHERE a.id IN (SELECT id FROM c);
SELECT x, y FROM a LEFT JOIN b ON a.id = b.id WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.id = a.id);
