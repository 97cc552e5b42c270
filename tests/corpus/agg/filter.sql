-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- FILTER (WHERE …) on aggregates, alone, shared, with DISTINCT, over retractions.
CREATE TABLE t (k STRING, v INT, w INT) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 1, 7]
["+I", "a", 5, 7]
["+I", "b", 2, 8]
["+I", "a", null, 8]
["+I", "b", 9, null]
["+I", "a", 5, 9]
["+I", "b", 2, 8]');
CREATE TABLE c (k STRING, v INT, w INT) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 1, 7]
["+I", "a", 5, 7]
["-U", "a", 1, 7]
["+U", "a", 6, 7]
["+I", "b", 2, 8]
["-D", "a", 5, 7]
["-U", "b", 2, 8]
["+U", "b", null, 8]
["-D", "b", null, 8]');
SELECT k, COUNT(*) FILTER (WHERE v > 1) FROM t GROUP BY k;
SELECT k, SUM(v) FILTER (WHERE v > 1), SUM(v) FROM t GROUP BY k;
SELECT k, COUNT(*) FILTER (WHERE v > 1), COUNT(*) FILTER (WHERE v <= 1), COUNT(*) FILTER (WHERE v IS NULL) FROM t GROUP BY k;
SELECT k, MIN(v) FILTER (WHERE w = 8), MAX(v) FILTER (WHERE w = 8) FROM t GROUP BY k;
SELECT k, AVG(v) FILTER (WHERE w < 9) FROM t GROUP BY k;
SELECT k, COUNT(DISTINCT w) FILTER (WHERE v > 1), COUNT(DISTINCT w) FROM t GROUP BY k;
SELECT k, COUNT(DISTINCT w) FILTER (WHERE v > 1), COUNT(*) FILTER (WHERE v > 1) FROM t GROUP BY k;
SELECT k, SUM(DISTINCT v) FILTER (WHERE w = 7), SUM(DISTINCT v) FILTER (WHERE w = 8) FROM t GROUP BY k;
SELECT k, LISTAGG(CAST(v AS STRING)) FILTER (WHERE v > 1) FROM t GROUP BY k;
SELECT k, FIRST_VALUE(v) FILTER (WHERE w = 8), LAST_VALUE(v) FILTER (WHERE w = 7) FROM t GROUP BY k;
SELECT k, ARRAY_AGG(v) FILTER (WHERE w > 7) FROM t GROUP BY k;
SELECT COUNT(*) FILTER (WHERE k = 'a'), COUNT(*) FILTER (WHERE k = 'b') FROM t;
SELECT COUNT(*) FILTER (WHERE TRUE), COUNT(*) FILTER (WHERE FALSE) FROM t;
SELECT SUM(v) FILTER (WHERE k = 'zz') FROM t;
SELECT k, COUNT(*) FILTER (WHERE v > 1 AND w > 7 OR v = 1) FROM t GROUP BY k;
SELECT k, COUNT(*) FILTER (WHERE v > 4) FROM c GROUP BY k;
SELECT k, SUM(v) FILTER (WHERE v > 4), COUNT(v) FROM c GROUP BY k;
SELECT k, MIN(v) FILTER (WHERE v > 1), MAX(v) FILTER (WHERE v < 6) FROM c GROUP BY k;
SELECT k, COUNT(DISTINCT w) FILTER (WHERE v > 1) FROM c GROUP BY k;
SELECT k, COUNT(DISTINCT w) FILTER (WHERE v > 5), COUNT(DISTINCT w) FILTER (WHERE v < 6) FROM c GROUP BY k;
SELECT COUNT(*) FILTER (WHERE v IS NULL), COUNT(*) FILTER (WHERE v IS NOT NULL) FROM c;
SELECT SUM(v) FILTER (WHERE w = 7) FROM c;
SELECT k, COUNT(*) FILTER (WHERE v > 1) AS n FROM t GROUP BY k HAVING COUNT(*) FILTER (WHERE v > 1) > 1;
