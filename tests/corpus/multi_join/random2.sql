-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Random multi-way joins over random changes.
SET 'table.optimizer.multi-join.enabled' = 'true';
CREATE TABLE t0 (k INT, j INT, s STRING, v INT, PRIMARY KEY (v) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'I,UA,D', 'rows' = '
{"step": 6}
["+I", 1, 0, "b", 2]
{"step": 7}
["+U", 3, 1, "c", 2]
{"step": 15}
["+I", 1, 0, "longer text", 5]
{"step": 16}
["+I", 1, 0, "a", 4]
{"step": 18}
["+I", 1, null, "a", 0]
{"step": 20}
["-D", 3, 1, "c", 2]
{"step": 23}
["+I", 2, 0, "longer text", 2]
{"step": 26}
["+I", 1, 0, "a", 3]
{"step": 31}
["+U", 3, 0, "b", 4]
{"step": 36}
["-D", 1, null, "a", 0]
{"step": 46}
["+I", 3, 0, "b", 6]
{"step": 50}
["+U", 3, null, "longer text", 4]');
CREATE TABLE t1 (k INT, j INT, s STRING, v INT) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
{"step": 1}
["+I", 2, 1, null, 0]
{"step": 3}
["+I", null, 2, null, 3]
{"step": 5}
["+I", 2, 1, null, 1]
{"step": 8}
["+I", null, 2, null, 2]
{"step": 9}
["+I", 2, 1, "c", 5]
{"step": 11}
["+I", null, 2, "c", 3]
{"step": 12}
["+I", 2, null, "c", 5]
{"step": 14}
["-U", 2, null, "c", 5]
["+U", 2, null, "longer text", 5]
{"step": 19}
["+I", 1, 0, "a", 0]
{"step": 24}
["-U", 1, 0, "a", 0]
["+U", 2, 0, "longer text", 6]
{"step": 25}
["+I", 3, 1, "c", 1]
{"step": 28}
["-D", null, 2, "c", 3]
{"step": 34}
["-D", 2, 1, null, 0]
{"step": 35}
["+I", 1, 0, "b", 0]
{"step": 40}
["+I", 2, 1, "a", 5]
{"step": 41}
["+I", 2, 0, null, 2]
{"step": 42}
["+I", 1, 2, "a", 6]
{"step": 47}
["-D", 2, 0, null, 2]
{"step": 49}
["-U", 2, 1, null, 1]
["+U", 1, null, "b", 5]
{"step": 51}
["-D", 3, 1, "c", 1]');
CREATE TABLE t2 (k INT, j INT, s STRING, v INT) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
{"step": 2}
["+I", 3, 1, "c", 5]
{"step": 4}
["-U", 3, 1, "c", 5]
["+U", 1, null, "longer text", 3]
{"step": 10}
["+I", 2, 1, "c", 2]
{"step": 17}
["-U", 1, null, "longer text", 3]
["+U", 1, 1, "longer text", 1]
{"step": 29}
["+I", 3, 0, null, 1]
{"step": 30}
["-D", 2, 1, "c", 2]
{"step": 32}
["+I", 1, 0, null, 1]
{"step": 33}
["+I", 2, 2, "longer text", 5]
{"step": 38}
["+I", 3, 1, "c", 3]
{"step": 39}
["-D", 3, 1, "c", 3]
{"step": 43}
["+I", 1, 2, "b", 6]
{"step": 44}
["+I", null, null, "a", 3]
{"step": 45}
["+I", 1, 0, "a", 2]
{"step": 48}
["+I", null, 2, "c", 0]
{"step": 52}
["+I", 3, null, "c", 6]
{"step": 53}
["-D", 2, 2, "longer text", 5]
{"step": 54}
["-U", null, 2, "c", 0]
["+U", 3, 0, null, 5]');
SELECT t0.v, t1.j, t1.v FROM t0 JOIN t1 ON t1.k = t0.k WHERE t0.v < 5;
SELECT t0.v, t1.j, t1.v, t2.k, t2.s, t2.v FROM t0 LEFT JOIN t1 ON t1.k = t0.k AND t0.j = t1.j LEFT JOIN t2 ON t1.k = t2.k AND t1.v < t2.v;
SELECT t2.v, t0.k, t0.s, t0.v, t1.k, t1.s, t1.v FROM t2 LEFT JOIN t0 ON t2.k = t0.k AND t2.s IS NOT NULL LEFT JOIN t1 ON t2.j = t1.j AND t2.k = t1.k;
SELECT t2.k, t2.s, t2.v, t0.v, t1.v FROM t2 LEFT JOIN t0 ON t2.k = t0.k AND t2.s IS NOT NULL LEFT JOIN t1 ON t1.k = t0.k AND t2.j = t1.j;
SELECT t2.j, t2.v, t1.j, t1.v, t0.v FROM t2 LEFT JOIN t1 ON t1.k = t2.k LEFT JOIN t0 ON t0.k = t2.k AND t0.v > 2;
SELECT t2.v, t0.v FROM t2 LEFT JOIN t0 ON t0.k = t2.k AND t0.v > 2;
SELECT t0.v, t1.j, t1.v, t2.v FROM t0 JOIN t1 ON t0.k = t1.k LEFT JOIN t2 ON t1.k = t2.k AND t1.j = t2.j AND t0.s = t2.s;
SELECT t2.v, t1.v, t0.v FROM t2 JOIN t1 ON t2.k = t1.k AND t2.v <> t1.v LEFT JOIN t0 ON t2.k = t0.k;
SELECT t1.v, t2.j, t2.v FROM t1 JOIN t2 ON t1.j = t2.j AND t2.k = t1.k;
SELECT t0.k, t0.s, t0.v, t2.v FROM t0 LEFT JOIN t2 ON t0.k = t2.k;
SELECT t2.v, t0.j, t0.v, t1.v FROM t2 LEFT JOIN t0 ON t2.k = t0.k AND t2.j = t0.j AND t2.v <> t0.v JOIN t1 ON t2.k = t1.k AND t0.j = t1.j WHERE t2.v < 5;
SELECT t0.v, t2.k, t2.s, t2.v, t1.v FROM t0 JOIN t2 ON t2.k = t0.k AND t0.j = t2.j AND t0.s = t2.s LEFT JOIN t1 ON t1.k = t0.k AND t0.j = t1.j AND t2.s = t1.s AND t0.v <= t1.v;
SELECT t2.v, t0.v FROM t2 LEFT JOIN t0 ON t0.k = t2.k AND t2.j = t0.j AND t2.s = t0.s;
SELECT t2.v, t0.v, t1.v FROM t2 LEFT JOIN t0 ON t0.k = t2.k AND t2.j = t0.j JOIN t1 ON t2.k = t1.k AND t2.v < t1.v;
