-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Random multi-way joins over random changes.
SET 'table.optimizer.multi-join.enabled' = 'true';
CREATE TABLE t0 (k INT, j INT, s STRING, v INT) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
{"step": 2}
["+I", 1, null, null, 6]
{"step": 4}
["+I", 2, null, "a", 5]
{"step": 5}
["-D", 1, null, null, 6]
{"step": 6}
["+I", 1, null, null, 5]
{"step": 9}
["+I", 1, null, "longer text", 3]
{"step": 14}
["+I", 3, null, "a", 2]
{"step": 15}
["+I", 1, 0, "longer text", 3]
{"step": 18}
["-U", 1, 0, "longer text", 3]
["+U", 1, null, "longer text", 4]
{"step": 31}
["+I", 3, 1, "longer text", 4]
{"step": 32}
["+I", 1, 1, "longer text", 1]
{"step": 35}
["-U", 3, 1, "longer text", 4]
["+U", 2, null, "longer text", 1]
{"step": 36}
["-D", 1, null, null, 5]
{"step": 39}
["+I", 2, 2, "c", 2]
{"step": 41}
["-U", 1, null, "longer text", 4]
["+U", 2, null, null, 5]
{"step": 42}
["-U", 1, 1, "longer text", 1]
["+U", 3, 2, null, 2]
{"step": 43}
["+I", null, 2, "a", 6]
{"step": 44}
["-U", 2, null, "longer text", 1]
["+U", 2, 0, "a", 3]');
CREATE TABLE t1 (k INT, j INT, s STRING, v INT, PRIMARY KEY (v) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
{"step": 7}
["+I", 3, null, "c", 5]
{"step": 11}
["+I", 1, 0, "longer text", 4]
{"step": 19}
["-U", 3, null, "c", 5]
["+U", 1, 2, "longer text", 5]
{"step": 28}
["-D", 1, 2, "longer text", 5]
{"step": 30}
["+I", 1, 2, "c", 0]
{"step": 34}
["+I", 3, 1, "c", 6]');
CREATE TABLE t2 (k INT, j INT, s STRING, v INT) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
{"step": 1}
["+I", 1, null, "longer text", 4]
{"step": 3}
["+I", 3, 1, "b", 5]
{"step": 8}
["+I", 1, 2, "a", 0]
{"step": 10}
["+I", 2, 2, null, 4]
{"step": 12}
["+I", 3, 2, null, 4]
{"step": 13}
["-U", 3, 1, "b", 5]
["+U", 2, 2, "longer text", 0]
{"step": 17}
["+I", 1, 1, "a", 2]
{"step": 21}
["-D", 2, 2, "longer text", 0]
{"step": 22}
["+I", 1, 2, "c", 2]
{"step": 23}
["-D", 2, 2, null, 4]
{"step": 25}
["+I", 1, 2, "c", 2]
{"step": 26}
["+I", 2, 2, "c", 0]
{"step": 27}
["-D", 1, 2, "c", 2]
{"step": 29}
["-D", 3, 2, null, 4]
{"step": 33}
["+I", 3, 0, "a", 4]
{"step": 37}
["-D", 1, 1, "a", 2]
{"step": 38}
["-D", 3, 0, "a", 4]
{"step": 40}
["+I", 2, null, "a", 3]
{"step": 45}
["-D", 2, null, "a", 3]
{"step": 46}
["-D", 2, 2, "c", 0]
{"step": 47}
["-D", 1, null, "longer text", 4]');
SELECT t0.v, t1.v, t2.v FROM t0 LEFT JOIN t1 ON t0.s IS NOT NULL AND t1.k = t0.k AND t0.j = t1.j LEFT JOIN t2 ON t1.k = t2.k AND t1.j = t2.j AND t0.v <= t2.v AND t2.v > 2 AND t1.s IS NOT NULL WHERE t0.v < 5;
SELECT t2.k, t2.s, t2.v, t1.v, t0.v FROM t2 LEFT JOIN t1 ON t1.k = t2.k AND t2.s IS NOT NULL AND t2.s = t1.s LEFT JOIN t0 ON t1.j = t0.j AND t1.k = t0.k;
SELECT t1.v, t2.v, t0.k, t0.s, t0.v FROM t1 LEFT JOIN t2 ON t2.k = t1.k LEFT JOIN t0 ON t1.k = t0.k WHERE t1.v < 5;
SELECT t2.k, COUNT(*), COUNT(t1.v), SUM(t1.v) FROM t2 LEFT JOIN t1 ON t2.k = t1.k AND t2.v < t1.v AND t2.s IS NOT NULL GROUP BY t2.k;
SELECT t2.v, t0.v FROM t2 LEFT JOIN t0 ON t0.k = t2.k AND t2.j = t0.j;
SELECT t0.k, t0.s, t0.v, t1.v, t2.v FROM t0 LEFT JOIN t1 ON t1.k = t0.k JOIN t2 ON t0.k = t2.k AND t1.v <> t2.v;
SELECT t0.v, t1.j, t1.v, t2.v FROM t0 LEFT JOIN t1 ON t0.k = t1.k JOIN t2 ON t0.k = t2.k AND t0.s = t2.s AND t0.s IS NOT NULL;
SELECT t0.k, t0.s, t0.v, t2.v, t1.v FROM t0 LEFT JOIN t2 ON t2.k = t0.k AND t0.s = t2.s AND t0.s IS NOT NULL LEFT JOIN t1 ON t1.k = t0.k WHERE t0.v < 5;
SELECT t0.k, COUNT(*), COUNT(t2.v), SUM(t2.v) FROM t0 LEFT JOIN t1 ON t0.k = t1.k LEFT JOIN t2 ON t0.k = t2.k AND t1.v <= t2.v GROUP BY t0.k;
SELECT t1.k, COUNT(*), COUNT(t2.v), SUM(t2.v) FROM t1 LEFT JOIN t2 ON t1.k = t2.k AND t1.v < t2.v GROUP BY t1.k;
SELECT t1.j, t1.v, t0.v, t2.v FROM t1 JOIN t0 ON t0.k = t1.k AND t1.j = t0.j LEFT JOIN t2 ON t2.k = t1.k AND t2.v > 2;
SELECT t2.v, t0.v FROM t2 LEFT JOIN t0 ON t2.k = t0.k;
SELECT t2.v, t1.v, t0.v FROM t2 JOIN t1 ON t2.k = t1.k AND t2.j = t1.j JOIN t0 ON t1.k = t0.k AND t1.j = t0.j WHERE t2.v < 5;
SELECT t1.v, t2.k, t2.s, t2.v, t0.v FROM t1 JOIN t2 ON t1.k = t2.k AND t1.j = t2.j LEFT JOIN t0 ON t0.k = t1.k AND t1.s = t0.s;
