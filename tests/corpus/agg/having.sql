-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- HAVING: the filter sees changes, and lets a row in, out and in again.
CREATE TABLE t (k STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 4]
["+I", "b", 9]
["+I", "a", 3]
["+I", "a", -5]
["+I", "b", -8]
["+I", "a", 6]
["+I", "c", null]');
CREATE TABLE c (k STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 4]
["+I", "a", 3]
["-D", "a", 4]
["-U", "a", 3]
["+U", "a", 8]
["+I", "b", 1]
["-D", "b", 1]
["-D", "a", 8]');
SELECT k, SUM(v) AS s FROM t GROUP BY k HAVING SUM(v) > 5;
SELECT k, COUNT(*) AS n FROM t GROUP BY k HAVING COUNT(*) > 1;
SELECT k FROM t GROUP BY k HAVING COUNT(*) > 1;
SELECT k, MAX(v) FROM t GROUP BY k HAVING MIN(v) > 0;
SELECT k, MAX(v) FROM t GROUP BY k HAVING MIN(v) < 0 AND COUNT(*) < 4;
SELECT k, AVG(v) FROM t GROUP BY k HAVING AVG(v) IS NULL;
SELECT k, SUM(v) FROM t GROUP BY k HAVING k = 'a';
SELECT k, SUM(v) FROM t GROUP BY k HAVING k <> 'a' OR SUM(v) > 5;
SELECT SUM(v) FROM t HAVING SUM(v) > 5;
SELECT COUNT(*) FROM t HAVING COUNT(*) > 3;
SELECT COUNT(*) FROM t HAVING SUM(v) BETWEEN 5 AND 10;
SELECT k, COUNT(DISTINCT v) FROM t GROUP BY k HAVING COUNT(DISTINCT v) >= 2;
SELECT k, SUM(v) AS s FROM c GROUP BY k HAVING SUM(v) > 5;
SELECT k, COUNT(*) FROM c GROUP BY k HAVING COUNT(*) = 1;
SELECT k, MAX(v), MIN(v) FROM c GROUP BY k HAVING MAX(v) > 3;
SELECT COUNT(*) FROM c HAVING COUNT(*) < 2;
SELECT k FROM c GROUP BY k HAVING SUM(v) > 3;
SELECT v FROM c GROUP BY v HAVING COUNT(*) > 0;
SELECT * FROM (SELECT k, SUM(v) AS s FROM t GROUP BY k) WHERE s > 5;
SELECT s FROM (SELECT k, SUM(v) AS s FROM t GROUP BY k) WHERE s > 5 AND k = 'a';
SELECT k, COUNT(*) FROM t WHERE v > 0 GROUP BY k HAVING SUM(v) < 10;
SELECT k FROM t HAVING COUNT(*) > 1;
SELECT k, v FROM t GROUP BY k HAVING v > 1;
