-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Random multi-way joins over random changes.
SET 'table.optimizer.multi-join.enabled' = 'true';
CREATE TABLE t0 (k INT, j INT, s STRING, v INT) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
{"step": 2}
["+I", null, null, "c", 4]
{"step": 3}
["+I", 1, 1, null, 0]
{"step": 8}
["-D", 1, 1, null, 0]
{"step": 11}
["+I", 3, null, "c", 5]
{"step": 12}
["+I", 3, 2, "a", 3]
{"step": 23}
["+I", 3, 1, null, 4]
{"step": 24}
["+I", null, 2, "a", 6]
{"step": 27}
["-U", null, 2, "a", 6]
["+U", 3, 2, "longer text", 3]
{"step": 31}
["-D", 3, 1, null, 4]
{"step": 33}
["+I", 3, null, "b", 4]
{"step": 38}
["+I", null, 0, "c", 1]
{"step": 43}
["-U", null, null, "c", 4]
["+U", 2, 2, null, 3]
{"step": 45}
["-D", null, 0, "c", 1]
{"step": 50}
["+I", null, null, "a", 4]
{"step": 52}
["+I", 1, 0, "a", 6]
{"step": 55}
["+I", 2, null, "b", 0]
{"step": 57}
["+I", 2, 2, null, 2]
{"step": 59}
["-U", 2, 2, null, 3]
["+U", 1, null, "c", 2]');
CREATE TABLE t1 (k INT, j INT, s STRING, v INT) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
{"step": 4}
["+I", 1, 0, "a", 5]
{"step": 6}
["+I", 2, 1, "longer text", 1]
{"step": 9}
["+I", 3, null, null, 6]
{"step": 14}
["+I", 3, 0, "c", 0]
{"step": 15}
["+I", 2, null, "b", 1]
{"step": 17}
["+I", 2, 2, "c", 2]
{"step": 20}
["+I", 2, 1, null, 3]
{"step": 21}
["+I", 2, 2, "a", 4]
{"step": 26}
["-U", 2, 1, "longer text", 1]
["+U", 1, 2, "longer text", 0]
{"step": 29}
["+I", 2, 1, "longer text", 0]
{"step": 30}
["+I", 2, 1, null, 3]
{"step": 35}
["-U", 2, null, "b", 1]
["+U", 1, 0, "a", 2]
{"step": 36}
["+I", 2, 2, "b", 0]
{"step": 39}
["-U", 1, 0, "a", 2]
["+U", 2, 1, "c", 0]
{"step": 42}
["+I", 2, 1, "longer text", 3]
{"step": 46}
["+I", null, 2, "longer text", 2]
{"step": 47}
["-U", 2, 2, "c", 2]
["+U", 2, null, "b", 4]
{"step": 49}
["+I", null, 1, "b", 2]
{"step": 53}
["-D", 2, 1, "longer text", 3]
{"step": 54}
["-D", null, 1, "b", 2]
{"step": 56}
["-D", 2, 1, null, 3]
{"step": 60}
["-U", 2, 1, "longer text", 0]
["+U", 2, 0, "longer text", 1]');
CREATE TABLE t2 (k INT, j INT, s STRING, v INT, PRIMARY KEY (v) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'I,UA,D', 'rows' = '
{"step": 1}
["+I", 2, 1, "a", 3]
{"step": 5}
["+U", 2, 0, null, 3]
{"step": 7}
["+U", 1, null, null, 3]
{"step": 10}
["+U", 2, null, null, 3]
{"step": 13}
["+I", null, 1, null, 6]
{"step": 16}
["+U", 2, 1, "c", 3]
{"step": 19}
["+I", 1, 1, "c", 0]
{"step": 22}
["+I", 2, 2, "c", 4]
{"step": 25}
["-D", null, 1, null, 6]
{"step": 28}
["-D", 1, 1, "c", 0]
{"step": 32}
["+I", 2, null, null, 6]
{"step": 34}
["+U", 1, null, "a", 6]
{"step": 40}
["+I", 2, null, "a", 2]
{"step": 41}
["+I", 1, 0, "b", 1]
{"step": 44}
["-D", 2, 1, "c", 3]
{"step": 48}
["+I", 1, 0, "c", 0]
{"step": 51}
["+U", 1, 2, null, 4]');
SELECT t2.v, t1.v, t0.k, t0.s, t0.v FROM t2 JOIN t1 ON t1.k = t2.k AND t2.s = t1.s AND t1.v > 2 LEFT JOIN t0 ON t0.k = t1.k AND t2.j = t0.j;
SELECT t2.v, t0.k, t0.s, t0.v, t1.v FROM t2 JOIN t0 ON t0.k = t2.k AND t2.j = t0.j LEFT JOIN t1 ON t2.k = t1.k AND t2.j = t1.j;
SELECT t0.v, t1.v FROM t0 LEFT JOIN t1 ON t1.k = t0.k AND t0.j = t1.j AND t0.v <> t1.v WHERE t0.v < 5;
SELECT t2.k, t2.s, t2.v, t0.j, t0.v, t1.j, t1.v FROM t2 JOIN t0 ON t2.k = t0.k AND t2.s = t0.s LEFT JOIN t1 ON t1.k = t0.k;
SELECT t0.k, COUNT(*), COUNT(t2.v), SUM(t2.v) FROM t0 LEFT JOIN t2 ON t0.k = t2.k AND t0.j = t2.j GROUP BY t0.k;
SELECT t2.v, t1.k, t1.s, t1.v FROM t2 LEFT JOIN t1 ON t1.k = t2.k;
SELECT t1.v, t0.k, t0.s, t0.v FROM t1 LEFT JOIN t0 ON t0.k = t1.k AND t1.s = t0.s;
SELECT t0.k, COUNT(*), COUNT(t1.v), SUM(t1.v) FROM t0 LEFT JOIN t1 ON t0.k = t1.k GROUP BY t0.k;
SELECT t1.j, t1.v, t0.v FROM t1 JOIN t0 ON t0.k = t1.k;
SELECT t0.j, t0.v, t1.v, t2.k, t2.s, t2.v FROM t0 LEFT JOIN t1 ON t0.k = t1.k AND t0.j = t1.j LEFT JOIN t2 ON t1.k = t2.k AND t2.v > 2;
SELECT t1.v, t0.v FROM t1 LEFT JOIN t0 ON t1.k = t0.k;
SELECT t2.k, t2.s, t2.v, t1.v, t0.v FROM t2 LEFT JOIN t1 ON t1.k = t2.k LEFT JOIN t0 ON t0.k = t1.k;
SELECT t1.v, t0.v FROM t1 LEFT JOIN t0 ON t0.k = t1.k AND t1.s IS NOT NULL;
SELECT t1.k, t1.s, t1.v, t2.v FROM t1 LEFT JOIN t2 ON t2.k = t1.k AND t1.v > t2.v;
