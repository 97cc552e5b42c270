-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- Sub-queries as values over tables that change in turn.
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
SELECT n, (SELECT v FROM t1 LIMIT 1) FROM t3;
SELECT n, (SELECT v FROM t1 WHERE id = 0) FROM t3;
SELECT n, (SELECT MAX(v) FROM t1) FROM t3;
SELECT n, (SELECT MAX(v) FROM t1 HAVING COUNT(*) > 1) FROM t3;
SELECT n, (SELECT COUNT(*) FROM t1 HAVING COUNT(*) > 1) FROM t3;
SELECT n, (SELECT COUNT(*) FROM t1) FROM t3;
SELECT n, (SELECT COUNT(*) + 1 FROM t1) FROM t3;
SELECT n FROM t3 WHERE n > (SELECT AVG(v) FROM t1);
SELECT n FROM t3 WHERE n > (SELECT MAX(v) - 3 FROM t1);
SELECT n FROM t3 WHERE n > (SELECT COUNT(*) FROM t1);
SELECT n FROM t3 WHERE n > 3 OR n > (SELECT COUNT(*) FROM t1);
SELECT n, (SELECT COUNT(*) FROM t1 WHERE t1.v = t3.n) FROM t3;
SELECT n, (SELECT MAX(v) + 1 FROM t1 WHERE t1.k = t3.k) FROM t3;
SELECT n, (SELECT v FROM t1 WHERE t1.id = t3.n) FROM t3;
SELECT n, (SELECT MAX(v) FROM t1 WHERE t1.id > t3.n) FROM t3;
SELECT n, EXISTS (SELECT 1 FROM t1 WHERE t1.id > t3.n) FROM t3;
SELECT n, EXISTS (SELECT 1 FROM t1) FROM t3;
SELECT n, NOT EXISTS (SELECT 1 FROM t1 WHERE t1.k = t3.k) FROM t3;
SELECT n, EXISTS (SELECT 1 FROM t1 WHERE id > 2) FROM t3;
SELECT n FROM t3 WHERE n > 3 OR EXISTS (SELECT v FROM t1 WHERE t1.k = t3.k);
SELECT n, n >= SOME (SELECT v FROM t1) FROM t3;
SELECT n, n <> SOME (SELECT v FROM t1) FROM t3;
SELECT n, n = ALL (SELECT v FROM t1) FROM t3;
SELECT n, n > ALL (SELECT v FROM t1) FROM t3;
SELECT n FROM t3 WHERE n >= ALL (SELECT v FROM t1);
SELECT n FROM t3 WHERE n < SOME (SELECT v FROM t1);
SELECT n FROM t3 WHERE n < SOME (SELECT id FROM t1);
SELECT n FROM t3 WHERE n = SOME (SELECT v FROM t1);
SELECT n, (SELECT 7) FROM t3;
SELECT k, COUNT(*) FROM t3 GROUP BY k HAVING COUNT(*) > (SELECT COUNT(*) FROM t1);
