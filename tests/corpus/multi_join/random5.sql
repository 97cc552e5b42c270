-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Random multi-way joins over random changes: tools/gen_multi_joins.py 5 --queries 25 --changes 80
SET 'table.optimizer.multi-join.enabled' = 'true';
CREATE TABLE t0 (k INT, j INT, s STRING, v INT) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
{"step": 1}
["+I", null, null, "b", 3]
{"step": 3}
["+I", 2, 1, "a", 13]
{"step": 9}
["+I", 2, 2, "a", 2]
{"step": 11}
["+I", 1, 0, "longer text", 0]
{"step": 17}
["+I", 3, 1, "longer text", 1]
{"step": 18}
["+I", 2, null, "a", 5]
{"step": 38}
["-U", 2, 2, "a", 2]
["+U", 3, 2, "a", 39]
{"step": 49}
["+I", 1, 1, "longer text", 4]
{"step": 52}
["+I", 3, 1, "a", 6]
{"step": 57}
["-D", null, null, "b", 3]
{"step": 61}
["-U", 3, 2, "a", 39]
["+U", 2, 0, "c", 4]
{"step": 67}
["-D", 2, null, "a", 5]
{"step": 74}
["+I", 2, null, "longer text", 3]
{"step": 80}
["+I", 2, 1, "a", 25]');
CREATE TABLE t1 (k INT, j INT, s STRING, v INT) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
{"step": 2}
["+I", 1, 2, "c", 3]
{"step": 4}
["+I", null, null, "b", 1]
{"step": 6}
["+I", 1, 1, "longer text", 1]
{"step": 7}
["+I", 1, 1, "c", 0]
{"step": 8}
["+I", 1, 2, "a", 2]
{"step": 13}
["+I", 1, 1, "c", 4]
{"step": 20}
["+I", 1, 1, "c", 1]
{"step": 21}
["+I", 1, null, "longer text", 3]
{"step": 22}
["+I", 2, null, "c", 20]
{"step": 24}
["+I", 3, null, "longer text", 0]
{"step": 30}
["-D", 1, 1, "longer text", 1]
{"step": 34}
["-D", 1, 1, "c", 0]
{"step": 35}
["+I", 2, 1, null, 3]
{"step": 41}
["+I", 1, 0, "longer text", 0]
{"step": 44}
["+I", 2, 2, "longer text", 2]
{"step": 48}
["+I", 3, 2, "longer text", 4]
{"step": 51}
["+I", 1, 0, "longer text", 29]
{"step": 54}
["-D", 1, 0, "longer text", 29]
{"step": 59}
["+I", 2, 0, "b", 5]
{"step": 60}
["+I", 1, 1, "c", 0]
{"step": 65}
["+I", null, 1, "longer text", 5]
{"step": 66}
["+I", 3, 0, "longer text", 4]
{"step": 70}
["+I", 1, null, "longer text", 2]
{"step": 73}
["-D", 1, null, "longer text", 3]
{"step": 79}
["-D", 2, null, "c", 20]');
CREATE TABLE t2 (k INT, j INT, s STRING, v INT) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
{"step": 14}
["+I", null, null, "a", 23]
{"step": 15}
["+I", 1, null, "a", 2]
{"step": 16}
["-D", 1, null, "a", 2]
{"step": 19}
["-D", null, null, "a", 23]
{"step": 23}
["+I", 2, null, "b", 3]
{"step": 25}
["+I", 1, 2, null, 2]
{"step": 26}
["+I", 2, 2, "c", 6]
{"step": 27}
["+I", 1, 1, null, 3]
{"step": 28}
["+I", 1, 2, "c", 6]
{"step": 29}
["+I", 1, 2, "longer text", 26]
{"step": 31}
["+I", null, null, "longer text", 5]
{"step": 33}
["+I", 3, 0, "b", 4]
{"step": 37}
["+I", 1, 2, "c", 6]
{"step": 39}
["+I", 2, 2, "longer text", 3]
{"step": 40}
["+I", 2, 1, "b", 24]
{"step": 42}
["+I", 2, 1, "longer text", 36]
{"step": 45}
["-U", 2, 1, "b", 24]
["+U", 1, null, "longer text", 3]
{"step": 50}
["+I", 3, 0, "c", 2]
{"step": 55}
["+I", 3, null, "longer text", 1]
{"step": 63}
["+I", 1, 1, "longer text", 4]
{"step": 64}
["-U", 3, null, "longer text", 1]
["+U", 2, 1, "longer text", 4]
{"step": 68}
["-U", 2, 2, "c", 6]
["+U", 1, 0, null, 24]
{"step": 71}
["+I", null, null, "c", 5]
{"step": 72}
["+I", null, null, "longer text", 2]
{"step": 77}
["+I", 3, 1, "a", 0]
{"step": 78}
["+I", 1, 0, "a", 29]');
CREATE TABLE t3 (k INT, j INT, s STRING, v INT) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
{"step": 5}
["+I", 1, 1, "a", 1]
{"step": 10}
["+I", 3, 2, "b", 3]
{"step": 12}
["-U", 1, 1, "a", 1]
["+U", 1, null, null, 3]
{"step": 32}
["+I", 1, null, "longer text", 35]
{"step": 36}
["+I", 3, 0, null, 1]
{"step": 43}
["+I", 1, null, "longer text", 5]
{"step": 46}
["+I", 1, 2, "a", 6]
{"step": 47}
["-D", 3, 0, null, 1]
{"step": 53}
["+I", null, null, "c", 5]
{"step": 56}
["+I", 1, 1, "c", 34]
{"step": 58}
["+I", 1, null, "c", 0]
{"step": 62}
["-D", 1, null, "c", 0]
{"step": 69}
["+I", 3, 1, "a", 5]
{"step": 75}
["-D", 1, null, "longer text", 35]
{"step": 76}
["-D", 3, 1, "a", 5]');
SELECT t2.v, t3.v, t1.j, t1.v, t0.v FROM t2 LEFT JOIN t3 ON t3.k = t2.k AND t2.j = t3.j AND t2.s = t3.s AND t2.v < t3.v JOIN t1 ON t3.k = t1.k AND t2.v > t1.v LEFT JOIN t0 ON t0.k = t2.k AND t2.j = t0.j AND t3.s IS NOT NULL;
SELECT t1.v, t0.k, t0.s, t0.v, t3.v, t2.j, t2.v FROM t1 JOIN t0 ON t1.k = t0.k AND t1.s = t0.s LEFT JOIN t3 ON t1.k = t3.k LEFT JOIN t2 ON t0.k = t2.k;
SELECT t1.k, COUNT(*), COUNT(t3.v), SUM(t3.v) FROM t1 LEFT JOIN t0 ON t1.k = t0.k JOIN t2 ON t2.k = t1.k AND t1.j = t2.j JOIN t3 ON t0.k = t3.k AND t0.s = t3.s AND t2.s IS NOT NULL WHERE t1.v < 5 GROUP BY t1.k;
SELECT t2.k, COUNT(*), COUNT(t1.v), SUM(t1.v) FROM t2 LEFT JOIN t1 ON t2.k = t1.k AND t2.s = t1.s AND t1.v > 2 GROUP BY t2.k;
SELECT t1.v, t2.j, t2.v, t0.j, t0.v, t3.k, t3.s, t3.v FROM t1 LEFT JOIN t2 ON t1.k = t2.k AND t1.v <= t2.v LEFT JOIN t0 ON t0.k = t2.k AND t2.s = t0.s AND t1.s IS NOT NULL LEFT JOIN t3 ON t3.k = t2.k AND t2.j = t3.j;
SELECT t1.v, t0.v FROM t1 LEFT JOIN t0 ON t1.k = t0.k AND t1.j = t0.j AND t1.s = t0.s;
SELECT t0.k, COUNT(*), COUNT(t2.v), SUM(t2.v) FROM t0 LEFT JOIN t3 ON t3.k = t0.k LEFT JOIN t2 ON t0.k = t2.k WHERE t0.v < 5 GROUP BY t0.k;
SELECT t3.v, t1.k, t1.s, t1.v, t0.j, t0.v FROM t3 LEFT JOIN t1 ON t3.k = t1.k AND t3.j = t1.j LEFT JOIN t0 ON t0.k = t3.k AND t1.v <> t0.v;
SELECT t0.v, t2.v, t1.v FROM t0 JOIN t2 ON t0.k = t2.k AND t0.j = t2.j AND t0.v < t2.v JOIN t1 ON t1.k = t2.k AND t2.j = t1.j;
SELECT t1.v, t3.k, t3.s, t3.v, t0.v FROM t1 LEFT JOIN t3 ON t3.k = t1.k AND t1.s = t3.s AND t1.v > t3.v JOIN t0 ON t3.k = t0.k AND t1.j = t0.j AND t3.s = t0.s AND t1.v <> t0.v;
SELECT t1.k, COUNT(*), COUNT(t0.v), SUM(t0.v) FROM t1 LEFT JOIN t0 ON t1.k = t0.k AND t0.v > 2 GROUP BY t1.k;
SELECT t2.j, t2.v, t0.v, t3.v, t1.j, t1.v FROM t2 LEFT JOIN t0 ON t2.k = t0.k AND t0.v > 2 LEFT JOIN t3 ON t3.k = t2.k LEFT JOIN t1 ON t0.v <= t1.v AND t0.s = t1.s AND t1.k = t0.k;
SELECT t1.v, t0.v, t2.v FROM t1 JOIN t0 ON t0.v > 2 AND t1.k = t0.k AND t1.j = t0.j LEFT JOIN t2 ON t2.k = t1.k AND t2.v > 2;
SELECT t3.k, COUNT(*), COUNT(t2.v), SUM(t2.v) FROM t3 JOIN t1 ON t1.k = t3.k AND t3.j = t1.j LEFT JOIN t2 ON t1.s IS NOT NULL AND t2.k = t3.k AND t3.s = t2.s GROUP BY t3.k;
SELECT t2.v, t3.k, t3.s, t3.v, t1.v FROM t2 JOIN t3 ON t2.k = t3.k AND t2.j = t3.j AND t2.v <> t3.v AND t3.v > 2 LEFT JOIN t1 ON t2.k = t1.k AND t2.j = t1.j AND t3.v > t1.v;
SELECT t0.k, COUNT(*), COUNT(t3.v), SUM(t3.v) FROM t0 JOIN t2 ON t0.j = t2.j AND t0.k = t2.k JOIN t1 ON t1.k = t2.k AND t1.v > 2 LEFT JOIN t3 ON t3.k = t1.k GROUP BY t0.k;
SELECT t0.k, t0.s, t0.v, t2.k, t2.s, t2.v, t3.v FROM t0 LEFT JOIN t2 ON t0.k = t2.k LEFT JOIN t3 ON t0.k = t3.k AND t0.s = t3.s AND t0.v > t3.v;
SELECT t2.v, t1.k, t1.s, t1.v, t0.v, t3.j, t3.v FROM t2 LEFT JOIN t1 ON t1.k = t2.k JOIN t0 ON t0.k = t2.k AND t1.j = t0.j AND t0.v > 2 LEFT JOIN t3 ON t3.k = t0.k AND t0.s = t3.s AND t2.v < t3.v AND t3.v > 2;
SELECT t2.v, t1.j, t1.v, t3.k, t3.s, t3.v FROM t2 LEFT JOIN t1 ON t1.k = t2.k LEFT JOIN t3 ON t3.k = t2.k AND t1.j = t3.j;
SELECT t1.k, t1.s, t1.v, t3.k, t3.s, t3.v FROM t1 LEFT JOIN t3 ON t1.k = t3.k WHERE t1.v < 5;
SELECT t0.k, COUNT(*), COUNT(t2.v), SUM(t2.v) FROM t0 LEFT JOIN t3 ON t0.k = t3.k JOIN t2 ON t2.k = t3.k AND t3.j = t2.j GROUP BY t0.k;
SELECT t1.v, t0.v FROM t1 JOIN t0 ON t1.k = t0.k AND t1.s = t0.s AND t1.v < t0.v WHERE t1.v < 5;
SELECT t0.v, t3.v FROM t0 LEFT JOIN t3 ON t3.k = t0.k AND t0.j = t3.j;
SELECT t0.v, t3.j, t3.v, t1.k, t1.s, t1.v FROM t0 JOIN t3 ON t3.k = t0.k LEFT JOIN t1 ON t0.v <> t1.v AND t1.k = t3.k WHERE t0.v < 5;
SELECT t3.j, t3.v, t2.j, t2.v, t0.k, t0.s, t0.v, t1.k, t1.s, t1.v FROM t3 JOIN t2 ON t2.k = t3.k LEFT JOIN t0 ON t0.k = t2.k AND t2.s IS NOT NULL LEFT JOIN t1 ON t1.k = t2.k AND t0.s = t1.s AND t0.v < t1.v AND t1.v > 2;
