-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Random multi-way joins over random changes.
SET 'table.optimizer.multi-join.enabled' = 'true';
CREATE TABLE t0 (k INT, j INT, s STRING, v INT, PRIMARY KEY (v) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
{"step": 1}
["+I", 1, 2, "longer text", 6]
{"step": 4}
["-D", 1, 2, "longer text", 6]
{"step": 15}
["+I", 1, null, "a", 0]
{"step": 18}
["+I", 1, 1, "longer text", 3]
{"step": 26}
["+I", 2, 1, "c", 1]
{"step": 27}
["-D", 1, 1, "longer text", 3]
{"step": 28}
["+I", 2, 2, "b", 2]
{"step": 29}
["+I", 1, 0, null, 3]
{"step": 37}
["-D", 2, 2, "b", 2]
{"step": 40}
["-U", 1, 0, null, 3]
["+U", 2, 2, null, 3]
{"step": 41}
["-U", 1, null, "a", 0]
["+U", 2, 0, "longer text", 0]
{"step": 44}
["-U", 2, 0, "longer text", 0]
["+U", 1, null, "c", 0]
{"step": 47}
["-D", 2, 1, "c", 1]
{"step": 51}
["+I", 3, 0, "a", 4]');
CREATE TABLE t1 (k INT, j INT, s STRING, v INT, PRIMARY KEY (v) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'I,UA,D', 'rows' = '
{"step": 6}
["+I", 1, 0, null, 6]
{"step": 7}
["+U", 1, 1, "c", 6]
{"step": 9}
["-D", 1, 1, "c", 6]
{"step": 10}
["+I", 3, 2, null, 4]
{"step": 12}
["+I", 3, null, "longer text", 1]
{"step": 14}
["+U", 1, 1, "a", 4]
{"step": 16}
["+I", 1, 2, "a", 2]
{"step": 17}
["+U", 2, 0, "longer text", 1]
{"step": 20}
["+U", 2, 0, "c", 2]
{"step": 21}
["+I", 1, 0, "a", 0]
{"step": 25}
["+I", 1, 1, "c", 3]
{"step": 34}
["+U", 3, 1, "a", 2]
{"step": 46}
["+I", null, 1, "longer text", 6]
{"step": 48}
["+U", 1, 2, "a", 4]');
CREATE TABLE t2 (k INT, j INT, s STRING, v INT) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
{"step": 3}
["+I", null, 2, "longer text", 1]
{"step": 5}
["+I", 2, 1, "b", 1]
{"step": 8}
["-D", 2, 1, "b", 1]
{"step": 11}
["+I", 1, 1, "b", 0]
{"step": 19}
["+I", 1, 0, "longer text", 0]
{"step": 22}
["-U", 1, 0, "longer text", 0]
["+U", 2, 0, null, 3]
{"step": 23}
["-D", null, 2, "longer text", 1]
{"step": 24}
["-U", 2, 0, null, 3]
["+U", 1, null, "b", 1]
{"step": 30}
["+I", null, 0, "c", 3]
{"step": 32}
["+I", 3, 2, "c", 4]
{"step": 35}
["-U", null, 0, "c", 3]
["+U", 1, 1, "c", 4]
{"step": 39}
["+I", null, null, null, 3]
{"step": 45}
["+I", 1, 1, "longer text", 6]
{"step": 50}
["-D", 3, 2, "c", 4]
{"step": 54}
["+I", 3, 2, "b", 3]');
SELECT t2.v, t0.v FROM t2 LEFT JOIN t0 ON t2.k = t0.k AND t2.j = t0.j AND t2.s = t0.s AND t2.s IS NOT NULL;
SELECT t1.j, t1.v, t0.k, t0.s, t0.v FROM t1 LEFT JOIN t0 ON t0.k = t1.k AND t1.v <= t0.v;
SELECT t2.v, t0.v, t1.j, t1.v FROM t2 LEFT JOIN t0 ON t0.k = t2.k LEFT JOIN t1 ON t1.k = t0.k;
SELECT t2.j, t2.v, t1.j, t1.v, t0.v FROM t2 JOIN t1 ON t2.k = t1.k AND t2.j = t1.j LEFT JOIN t0 ON t0.k = t1.k AND t2.j = t0.j AND t2.s = t0.s AND t1.v < t0.v AND t1.s IS NOT NULL;
SELECT t2.v, t0.v FROM t2 LEFT JOIN t0 ON t2.k = t0.k AND t2.j = t0.j AND t2.v <= t0.v;
SELECT t1.v, t0.j, t0.v FROM t1 LEFT JOIN t0 ON t0.k = t1.k AND t1.j = t0.j;
SELECT t1.k, COUNT(*), COUNT(t2.v), SUM(t2.v) FROM t1 LEFT JOIN t0 ON t0.k = t1.k AND t1.s IS NOT NULL LEFT JOIN t2 ON t0.k = t2.k GROUP BY t1.k;
SELECT t2.k, t2.s, t2.v, t1.v, t0.k, t0.s, t0.v FROM t2 JOIN t1 ON t2.k = t1.k JOIN t0 ON t2.v > t0.v AND t2.s IS NOT NULL AND t0.k = t2.k AND t2.s = t0.s;
SELECT t1.v, t0.k, t0.s, t0.v, t2.k, t2.s, t2.v FROM t1 LEFT JOIN t0 ON t1.k = t0.k AND t1.s IS NOT NULL JOIN t2 ON t2.k = t0.k WHERE t1.v < 5;
SELECT t2.k, t2.s, t2.v, t0.k, t0.s, t0.v FROM t2 JOIN t0 ON t2.k = t0.k AND t0.v > 2;
SELECT t2.j, t2.v, t0.v FROM t2 LEFT JOIN t0 ON t2.k = t0.k;
SELECT t0.j, t0.v, t2.v FROM t0 LEFT JOIN t2 ON t2.k = t0.k AND t2.v > 2;
SELECT t2.j, t2.v, t1.k, t1.s, t1.v, t0.v FROM t2 JOIN t1 ON t1.k = t2.k AND t2.v > t1.v JOIN t0 ON t1.k = t0.k AND t2.v <= t0.v WHERE t2.v < 5;
SELECT t2.k, COUNT(*), COUNT(t0.v), SUM(t0.v) FROM t2 LEFT JOIN t1 ON t1.k = t2.k AND t2.v <> t1.v AND t1.v > 2 LEFT JOIN t0 ON t2.j = t0.j AND t0.k = t1.k GROUP BY t2.k;
