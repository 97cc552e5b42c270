-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Aggregate functions over updates and deletions.
CREATE TABLE t (id INT, k STRING, v INT, d DOUBLE, n DECIMAL(8, 2), s STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 4, 1.5, 10.25, "x"]
["+I", 2, "b", 7, 2.5, -1.50, "y"]
["+I", 3, "a", 2, 0.5, 3.00, "z"]
["-U", 1, "a", 4, 1.5, 10.25, "x"]
["+U", 1, "a", 9, 4.0, 3.00, "x"]
["+I", 4, "b", 7, -2.0, 0.01, "w"]
["-D", 3, "a", 2, 0.5, 3.00, "z"]
["-U", 2, "b", 7, 2.5, -1.50, "y"]
["+U", 2, "a", 7, 2.5, -1.50, "y"]
["+I", 5, "c", -3, 0.25, 7.77, "v"]
["-D", 5, "c", -3, 0.25, 7.77, "v"]
["-D", 1, "a", 9, 4.0, 3.00, "x"]');
SELECT k, COUNT(*) FROM t GROUP BY k;
SELECT k, COUNT(v), COUNT(DISTINCT v) FROM t GROUP BY k;
SELECT k, SUM(v), SUM(d), SUM(n) FROM t GROUP BY k;
SELECT k, AVG(v), AVG(n) FROM t GROUP BY k;
SELECT k, AVG(d) FROM t GROUP BY k;
SELECT k, MIN(v), MAX(v) FROM t GROUP BY k;
SELECT k, MIN(s), MAX(s) FROM t GROUP BY k;
SELECT k, MIN(n), MAX(n) FROM t GROUP BY k;
SELECT k, FIRST_VALUE(v), LAST_VALUE(v) FROM t GROUP BY k;
SELECT k, FIRST_VALUE(s), LAST_VALUE(s) FROM t GROUP BY k;
SELECT k, LISTAGG(s) FROM t GROUP BY k;
SELECT k, LISTAGG(s, ';') FROM t GROUP BY k;
SELECT k, ARRAY_AGG(v) FROM t GROUP BY k;
SELECT k, COLLECT(v) FROM t GROUP BY k;
SELECT k, VAR_POP(d), VAR_SAMP(d) FROM t GROUP BY k;
SELECT k, STDDEV_POP(v), STDDEV_SAMP(v) FROM t GROUP BY k;
SELECT k, JSON_ARRAYAGG(s) FROM t GROUP BY k;
SELECT k, JSON_OBJECTAGG(KEY s VALUE v) FROM t GROUP BY k;
SELECT COUNT(*) FROM t;
SELECT SUM(v), MIN(v), MAX(v) FROM t;
SELECT COUNT(DISTINCT k), COUNT(k) FROM t;
SELECT MAX(v) FROM t WHERE k <> 'b';
SELECT AVG(v), SUM(n) FROM t;
SELECT k, SUM(v) + COUNT(*) AS x, MAX(v) * 2 AS y FROM t GROUP BY k;
SELECT k, v, COUNT(*) FROM t GROUP BY k, v;
