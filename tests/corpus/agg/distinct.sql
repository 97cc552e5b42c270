-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- DISTINCT inside aggregates, several columns, with and without retraction.
CREATE TABLE t (k STRING, v INT, w INT) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 1, 10]
["+I", "a", 1, 20]
["+I", "a", 2, 10]
["+I", "b", null, 10]
["+I", "a", 2, 20]
["+I", "b", 3, null]
["+I", "b", 3, 10]
["+I", "a", null, 30]');
CREATE TABLE c (k STRING, v INT, w INT) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 1, 10]
["+I", "a", 1, 20]
["+I", "a", 2, 10]
["-D", "a", 1, 10]
["-U", "a", 1, 20]
["+U", "a", 3, 20]
["+I", "b", null, 5]
["-D", "b", null, 5]
["-D", "a", 2, 10]
["+I", "a", 2, null]
["-D", "a", 3, 20]
["-D", "a", 2, null]');
SELECT k, COUNT(DISTINCT v) FROM t GROUP BY k;
SELECT k, COUNT(DISTINCT v), COUNT(DISTINCT w) FROM t GROUP BY k;
SELECT k, SUM(DISTINCT v), AVG(DISTINCT w) FROM t GROUP BY k;
SELECT k, MIN(DISTINCT v), MAX(DISTINCT v) FROM t GROUP BY k;
SELECT k, COUNT(v), COUNT(DISTINCT v), SUM(v), SUM(DISTINCT v) FROM t GROUP BY k;
SELECT k, LISTAGG(DISTINCT CAST(v AS STRING)) FROM t GROUP BY k;
SELECT ARRAY_AGG(DISTINCT k) FROM t;
SELECT k, COLLECT(DISTINCT v) FROM t GROUP BY k;
SELECT COUNT(DISTINCT k), COUNT(DISTINCT v), COUNT(DISTINCT w) FROM t;
SELECT COUNT(DISTINCT k || '-' || CAST(v AS STRING)) FROM t;
SELECT k, COUNT(DISTINCT v + w) FROM t GROUP BY k;
SELECT COUNT(DISTINCT v) FROM t WHERE k = 'a';
SELECT k, COUNT(DISTINCT v) FROM c GROUP BY k;
SELECT k, COUNT(DISTINCT v), COUNT(DISTINCT w) FROM c GROUP BY k;
SELECT k, SUM(DISTINCT v), COUNT(*) FROM c GROUP BY k;
SELECT k, MIN(DISTINCT v), MAX(DISTINCT w) FROM c GROUP BY k;
SELECT COUNT(DISTINCT v), COUNT(v), COUNT(*) FROM c;
SELECT SUM(DISTINCT w), AVG(DISTINCT w) FROM c;
SELECT DISTINCT k FROM t;
SELECT DISTINCT v FROM t;
SELECT DISTINCT v, w FROM t;
SELECT DISTINCT k FROM c;
SELECT DISTINCT v, w FROM c;
SELECT DISTINCT COUNT(*) FROM t GROUP BY k;
SELECT DISTINCT v IS NULL FROM c;
