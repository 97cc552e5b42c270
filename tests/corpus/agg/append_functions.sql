-- SPDX-License-Identifier: Apache-2.0
-- Every aggregate function over insert-only input: grouped and global, one change a row.
CREATE TABLE t (k STRING, v INT, d DOUBLE, n DECIMAL(8, 2), s STRING) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 4, 1.5, 10.25, "x"]
["+I", "b", 7, 2.5, -1.50, "y"]
["+I", "a", 2, 0.5, 3.00, "z"]
["+I", "a", 9, 4.0, 3.00, "x"]
["+I", "b", 7, -2.0, 0.01, "w"]
["+I", "c", -3, 0.25, 7.77, "v"]');
SELECT k, COUNT(*) FROM t GROUP BY k;
SELECT k, COUNT(v), COUNT(1), COUNT(s) FROM t GROUP BY k;
SELECT k, SUM(v) FROM t GROUP BY k;
SELECT k, SUM(d), SUM(n) FROM t GROUP BY k;
SELECT k, AVG(v), AVG(d), AVG(n) FROM t GROUP BY k;
SELECT k, MIN(v), MIN(d), MIN(n), MIN(s) FROM t GROUP BY k;
SELECT k, MAX(v), MAX(d), MAX(n), MAX(s) FROM t GROUP BY k;
SELECT k, FIRST_VALUE(v), LAST_VALUE(v) FROM t GROUP BY k;
SELECT k, FIRST_VALUE(s), LAST_VALUE(s) FROM t GROUP BY k;
SELECT k, LISTAGG(s) FROM t GROUP BY k;
SELECT k, LISTAGG(s, '|') FROM t GROUP BY k;
SELECT k, ARRAY_AGG(v) FROM t GROUP BY k;
SELECT k, ARRAY_AGG(s) FROM t GROUP BY k;
SELECT k, COLLECT(v) FROM t GROUP BY k;
SELECT k, STDDEV_POP(d), STDDEV_SAMP(d) FROM t GROUP BY k;
SELECT k, VAR_POP(d), VAR_SAMP(d), VARIANCE(d), STDDEV(d) FROM t GROUP BY k;
SELECT k, VAR_POP(v), STDDEV_POP(v) FROM t GROUP BY k;
SELECT k, JSON_ARRAYAGG(v) FROM t GROUP BY k;
SELECT JSON_OBJECTAGG(KEY s VALUE v) FROM t;
SELECT COUNT(*), SUM(v), MIN(v), MAX(v), AVG(v) FROM t;
SELECT LISTAGG(s), FIRST_VALUE(s), LAST_VALUE(s) FROM t;
SELECT ARRAY_AGG(k) FROM t;
SELECT MAX(v) FROM t;
SELECT MIN(s), MAX(s) FROM t;
SELECT COUNT(*) FROM t;
