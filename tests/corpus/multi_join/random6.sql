-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Random multi-way joins over random changes: tools/gen_multi_joins.py 6 --queries 25 --changes 80
SET 'table.optimizer.multi-join.enabled' = 'true';
CREATE TABLE t0 (k INT, j INT, s STRING, v INT) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
{"step": 2}
["+I", 3, null, null, 6]
{"step": 3}
["+I", 2, 2, null, 5]
{"step": 6}
["+I", null, 2, "c", 4]
{"step": 9}
["-U", null, 2, "c", 4]
["+U", 2, null, "b", 4]
{"step": 10}
["+I", null, 1, "a", 21]
{"step": 12}
["+I", 3, null, "a", 3]
{"step": 26}
["+I", 1, null, "c", 4]
{"step": 29}
["+I", null, 1, "c", 6]
{"step": 36}
["-D", 1, null, "c", 4]
{"step": 38}
["+I", 3, 1, "c", 10]
{"step": 39}
["+I", 2, 0, null, 1]
{"step": 44}
["-U", null, 1, "a", 21]
["+U", 3, 0, "longer text", 2]
{"step": 45}
["+I", null, 2, "a", 0]
{"step": 46}
["+I", 1, null, "a", 5]
{"step": 47}
["-D", 3, null, "a", 3]
{"step": 49}
["-D", 3, null, null, 6]
{"step": 51}
["+I", 2, 2, "a", 37]
{"step": 52}
["-U", null, 2, "a", 0]
["+U", 1, 1, "c", 11]
{"step": 57}
["-D", 3, 0, "longer text", 2]
{"step": 60}
["+I", 2, 0, null, 31]
{"step": 63}
["-D", 3, 1, "c", 10]
{"step": 64}
["+I", 1, 1, "c", 29]
{"step": 66}
["-D", 2, 2, null, 5]
{"step": 68}
["-D", 2, 0, null, 1]
{"step": 70}
["-D", 2, 0, null, 31]
{"step": 73}
["+I", 3, 0, null, 4]
{"step": 74}
["-D", 1, null, "a", 5]
{"step": 76}
["-D", 3, 0, null, 4]
{"step": 78}
["-D", 2, null, "b", 4]');
CREATE TABLE t1 (k INT, j INT, s STRING, v INT, PRIMARY KEY (v) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'I,UA,D', 'rows' = '
{"step": 4}
["+I", 1, 2, "c", 3]
{"step": 8}
["-D", 1, 2, "c", 3]
{"step": 13}
["+I", 1, null, "b", 4]
{"step": 16}
["-D", 1, null, "b", 4]
{"step": 18}
["+I", 2, null, "longer text", 30]
{"step": 22}
["+U", 2, 0, null, 30]
{"step": 23}
["+U", 1, null, null, 30]
{"step": 24}
["+U", null, null, "a", 30]
{"step": 28}
["+I", null, null, "c", 1]
{"step": 31}
["+I", 1, 2, "a", 4]
{"step": 32}
["-D", null, null, "a", 30]
{"step": 34}
["+I", 1, 0, "a", 13]
{"step": 35}
["-D", 1, 0, "a", 13]
{"step": 37}
["+I", 3, 1, null, 24]
{"step": 40}
["+I", 2, null, "a", 6]
{"step": 42}
["+I", 1, 1, "b", 5]
{"step": 43}
["+I", 1, 0, "a", 3]
{"step": 53}
["-D", null, null, "c", 1]
{"step": 54}
["-D", 3, 1, null, 24]
{"step": 58}
["+I", 1, 0, "c", 39]
{"step": 61}
["-D", 1, 2, "a", 4]
{"step": 69}
["-D", 1, 0, "c", 39]
{"step": 72}
["+I", 1, 2, "c", 2]
{"step": 75}
["+U", 1, 2, "longer text", 5]');
CREATE TABLE t2 (k INT, j INT, s STRING, v INT) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
{"step": 1}
["+I", 1, 2, "a", 3]
{"step": 5}
["+I", 1, 1, "longer text", 0]
{"step": 7}
["+I", null, 0, "longer text", 4]
{"step": 11}
["+I", 2, 2, "longer text", 4]
{"step": 14}
["-D", 2, 2, "longer text", 4]
{"step": 15}
["+I", null, null, "a", 5]
{"step": 17}
["+I", 2, 2, null, 3]
{"step": 19}
["+I", 2, null, "b", 24]
{"step": 20}
["-D", 2, 2, null, 3]
{"step": 21}
["+I", 1, 2, "c", 5]
{"step": 25}
["-D", 1, 2, "c", 5]
{"step": 27}
["+I", 2, 1, null, 1]
{"step": 30}
["+I", 1, null, null, 6]
{"step": 33}
["+I", 3, 1, null, 2]
{"step": 41}
["+I", null, 1, "b", 34]
{"step": 48}
["-U", 2, 1, null, 1]
["+U", null, 1, "longer text", 0]
{"step": 50}
["-D", 1, null, null, 6]
{"step": 55}
["+I", 2, null, "c", 34]
{"step": 59}
["+I", 1, 1, "c", 1]
{"step": 62}
["+I", 2, 1, null, 7]
{"step": 65}
["+I", 2, 1, "c", 4]
{"step": 67}
["+I", 2, 2, "a", 2]
{"step": 71}
["+I", null, 1, "c", 2]
{"step": 79}
["+I", 2, 2, null, 5]');
SELECT t1.v, t0.v FROM t1 LEFT JOIN t0 ON t1.k = t0.k AND t1.s = t0.s AND t1.j = t0.j;
SELECT t1.v, t2.v, t0.k, t0.s, t0.v FROM t1 LEFT JOIN t2 ON t1.k = t2.k LEFT JOIN t0 ON t1.k = t0.k AND t1.j = t0.j AND t2.v <> t0.v;
SELECT t2.j, t2.v, t1.k, t1.s, t1.v, t0.j, t0.v FROM t2 LEFT JOIN t1 ON t1.k = t2.k AND t2.j = t1.j AND t2.v <> t1.v LEFT JOIN t0 ON t2.s = t0.s AND t1.k = t0.k;
SELECT t1.j, t1.v, t2.j, t2.v, t0.v FROM t1 LEFT JOIN t2 ON t2.k = t1.k AND t1.s = t2.s JOIN t0 ON t0.k = t2.k;
SELECT t2.j, t2.v, t1.k, t1.s, t1.v FROM t2 LEFT JOIN t1 ON t2.k = t1.k AND t2.s = t1.s AND t2.v > t1.v;
SELECT t2.k, t2.s, t2.v, t1.j, t1.v FROM t2 LEFT JOIN t1 ON t2.k = t1.k AND t2.v < t1.v WHERE t2.v < 5;
SELECT t0.v, t1.v FROM t0 JOIN t1 ON t0.k = t1.k AND t0.j = t1.j;
SELECT t1.v, t0.j, t0.v FROM t1 LEFT JOIN t0 ON t1.k = t0.k;
SELECT t2.k, t2.s, t2.v, t0.j, t0.v, t1.k, t1.s, t1.v FROM t2 JOIN t0 ON t2.k = t0.k AND t2.s IS NOT NULL JOIN t1 ON t1.k = t2.k AND t2.s IS NOT NULL;
SELECT t2.k, COUNT(*), COUNT(t1.v), SUM(t1.v) FROM t2 JOIN t0 ON t0.k = t2.k AND t2.j = t0.j AND t2.v > t0.v LEFT JOIN t1 ON t0.k = t1.k GROUP BY t2.k;
SELECT t2.k, COUNT(*), COUNT(t1.v), SUM(t1.v) FROM t2 LEFT JOIN t1 ON t2.k = t1.k AND t2.s = t1.s GROUP BY t2.k;
SELECT t0.v, t1.v, t2.v FROM t0 JOIN t1 ON t0.k = t1.k AND t1.v > 2 AND t0.v <= t1.v JOIN t2 ON t0.v <= t2.v AND t2.k = t1.k;
SELECT t2.j, t2.v, t1.j, t1.v FROM t2 JOIN t1 ON t2.k = t1.k AND t2.s = t1.s;
SELECT t0.j, t0.v, t2.v FROM t0 LEFT JOIN t2 ON t0.k = t2.k WHERE t0.v < 5;
SELECT t1.k, COUNT(*), COUNT(t0.v), SUM(t0.v) FROM t1 JOIN t0 ON t0.k = t1.k AND t1.j = t0.j GROUP BY t1.k;
SELECT t0.j, t0.v, t2.k, t2.s, t2.v, t1.v FROM t0 LEFT JOIN t2 ON t0.k = t2.k AND t0.v <> t2.v LEFT JOIN t1 ON t2.k = t1.k AND t2.s = t1.s;
SELECT t2.k, COUNT(*), COUNT(t1.v), SUM(t1.v) FROM t2 LEFT JOIN t1 ON t2.k = t1.k GROUP BY t2.k;
SELECT t2.v, t1.k, t1.s, t1.v FROM t2 JOIN t1 ON t2.k = t1.k AND t2.j = t1.j WHERE t2.v < 5;
SELECT t0.v, t2.k, t2.s, t2.v, t1.j, t1.v FROM t0 LEFT JOIN t2 ON t2.k = t0.k AND t0.s IS NOT NULL LEFT JOIN t1 ON t2.k = t1.k AND t0.v > t1.v AND t1.v > 2;
SELECT t2.v, t0.v, t1.k, t1.s, t1.v FROM t2 LEFT JOIN t0 ON t0.k = t2.k AND t2.s = t0.s JOIN t1 ON t2.k = t1.k AND t2.j = t1.j;
SELECT t0.v, t2.k, t2.s, t2.v, t1.v FROM t0 JOIN t2 ON t0.k = t2.k JOIN t1 ON t1.k = t0.k AND t0.j = t1.j AND t1.v > 2;
SELECT t0.v, t2.k, t2.s, t2.v FROM t0 JOIN t2 ON t2.k = t0.k AND t0.s = t2.s;
SELECT t2.v, t1.k, t1.s, t1.v FROM t2 LEFT JOIN t1 ON t2.s IS NOT NULL AND t2.v < t1.v AND t1.k = t2.k AND t2.s = t1.s;
SELECT t0.v, t1.k, t1.s, t1.v FROM t0 JOIN t1 ON t0.k = t1.k;
SELECT t0.v, t1.v FROM t0 JOIN t1 ON t0.k = t1.k AND t0.s = t1.s AND t0.v < t1.v;
