-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- compare: final
-- IN as a value: a change of t1 takes two ways to a join, and Flink does not fix which comes first.
CREATE TABLE t1 (id INT NOT NULL, k STRING, v INT) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 4, "B", -3]
{"step": 4}
["+I", 0, "B", 1]
{"step": 6}
["+I", 1, "c", 4]
{"step": 8}
["+I", 2, "b", null]');
CREATE TABLE t3 (k STRING, n INT) WITH ('connector' = 'script', 'rows' = '
{"step": 1}
["+I", "B", 4]
{"step": 3}
["+I", "c", 1]
{"step": 5}
["+I", "b", null]
{"step": 7}
["-D", "c", 1]
["+I", "c", 5]
{"step": 9}
["+I", "d", 3]');
SELECT n, n IN (SELECT v FROM t1) FROM t3;
SELECT n, n IN (SELECT id FROM t1) FROM t3;
SELECT n, n NOT IN (SELECT v FROM t1) FROM t3;
SELECT n, COALESCE(n, 0) IN (SELECT id FROM t1) FROM t3;
SELECT n FROM t3 WHERE n > 3 OR n IN (SELECT v FROM t1);
SELECT n FROM t3 WHERE n > 3 OR n NOT IN (SELECT v FROM t1);
SELECT n FROM t3 WHERE n > 3 OR n IN (SELECT id FROM t1);
SELECT n FROM t3 WHERE CASE WHEN n IN (SELECT v FROM t1) THEN 1 ELSE 0 END = 1;
SELECT SUM(CASE WHEN n IN (SELECT v FROM t1) THEN 1 ELSE 0 END) FROM t3;
