-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- compare: final
-- Joins that see one table twice, whose parts come in any order.
CREATE TABLE a (x INT NOT NULL, y INT NOT NULL, v STRING, PRIMARY KEY (x, y) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1, "a"]
["+I", 1, 2, "b"]
{"step": 3}
["-U", 1, 1, "a"]
["+U", 1, 1, "aa"]
["-D", 1, 2, "b"]');
CREATE TABLE b (x INT NOT NULL, w STRING, g INT, PRIMARY KEY (x) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "p", 1]
["+I", 2, "q", 1]
{"step": 4}
["-U", 1, "p", 1]
["+U", 1, "pp", 2]
["-D", 2, "q", 1]');
CREATE TABLE n (x INT, y INT, u STRING) WITH ('connector' = 'script', 'rows' = '
{"step": 5}
["+I", 1, 1, "n1"]
["+I", 1, 1, "n1"]
["+I", 2, null, "n2"]
{"step": 8}
["-D", 1, 1, "n1"]
["+I", null, 2, "n3"]');
CREATE TABLE ups (x INT NOT NULL, w STRING, PRIMARY KEY (x) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'upsert', 'rows' = '
{"step": 6}
["+I", 1, "u"]
["+U", 1, "uu"]
{"step": 9}
["+U", 2, "u2"]
["-D", 1, null]');
SELECT a.x, a.y, b.w, c.w FROM a JOIN b ON a.x = b.x JOIN b AS c ON a.y = c.x;
SELECT a.x, a.y, b.w, c.w FROM a LEFT JOIN b ON a.x = b.x LEFT JOIN b AS c ON a.y = c.x;
SELECT * FROM (SELECT x, w FROM b UNION ALL SELECT x, w FROM ups) q JOIN b ON q.x = b.x;
SELECT * FROM a WHERE (x, y) NOT IN (SELECT x, y FROM n WHERE y IS NOT NULL);
