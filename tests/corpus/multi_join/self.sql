-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- A table several times, and many inputs: which of them gets a row first is chance.
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
SELECT t1.x, t2.x FROM a t1 JOIN a t2 ON t1.id = t2.id;
SELECT t1.x, t2.x, t3.x FROM a t1 JOIN a t2 ON t1.id = t2.id JOIN a t3 ON t1.id = t3.id;
SELECT t1.y, t2.y, t3.y, t4.y, t5.y FROM b t1 JOIN b t2 ON t1.id = t2.id JOIN b t3 ON t1.id = t3.id JOIN b t4 ON t4.id = t3.id JOIN b t5 ON t5.id = t1.id;
SELECT x, y, z FROM a LEFT JOIN b ON a.id = b.id AND a.id = 2 LEFT JOIN c ON a.id = c.id AND c.id = 1;
