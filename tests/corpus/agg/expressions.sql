-- SPDX-License-Identifier: Apache-2.0
-- Aggregates of expressions, expressions of aggregates, grouping by expressions.
CREATE TABLE t (k STRING, v INT, d DOUBLE) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 4, 0.5]
["+I", "b", 3, 1.5]
["+I", "a", 6, null]
["+I", "B", null, 2.0]
["+I", "A", 1, 4.0]');
SELECT UPPER(k), COUNT(*) FROM t GROUP BY UPPER(k);
SELECT UPPER(k) AS u, SUM(v * 2), SUM(v) * 2 FROM t GROUP BY UPPER(k);
SELECT v > 3, COUNT(*) FROM t GROUP BY v > 3;
SELECT CASE WHEN v > 3 THEN 'big' WHEN v > 0 THEN 'small' ELSE 'none' END AS c, COUNT(*) FROM t GROUP BY CASE WHEN v > 3 THEN 'big' WHEN v > 0 THEN 'small' ELSE 'none' END;
SELECT SUM(v) / COUNT(v), SUM(d) / COUNT(*) FROM t;
SELECT MAX(v) - MIN(v) + 1 AS spread FROM t;
SELECT SUM(CASE WHEN v > 3 THEN 1 ELSE 0 END) AS big FROM t;
SELECT COUNT(CASE WHEN v > 3 THEN 1 END) AS big FROM t;
SELECT k || '!' AS x, MAX(d) FROM t GROUP BY k;
SELECT CHAR_LENGTH(k) + 1, SUM(v) FROM t GROUP BY CHAR_LENGTH(k);
SELECT MOD(v, 2), COUNT(*), SUM(v) FROM t GROUP BY MOD(v, 2);
SELECT 1, 'x', COUNT(*) FROM t;
SELECT COUNT(*) + SUM(v) FROM t;
SELECT COALESCE(SUM(v), 0) FROM t GROUP BY k;
SELECT CAST(SUM(v) AS STRING) || '/' || CAST(COUNT(*) AS STRING) FROM t;
SELECT k, SUM(v) IS NULL FROM t GROUP BY k;
SELECT SUM(COALESCE(v, 100)) FROM t;
SELECT SUM(DISTINCT MOD(v, 3)) FROM t;
SELECT MAX(UPPER(k)), MIN(LOWER(k)) FROM t;
SELECT SUM(v) AS s, SUM(v) AS s2, COUNT(*) AS n FROM t GROUP BY k;
SELECT k, k AS kk, SUM(v) FROM t GROUP BY k;
SELECT t.k, COUNT(*) FROM t GROUP BY t.k;
SELECT SUM(v) FROM t GROUP BY k;
SELECT ABS(SUM(-v)) FROM t;
SELECT ROUND(AVG(d), 1), SUM(d * v) FROM t;
SELECT COUNT(v IS NULL), COUNT(v > 2) FROM t;
SELECT MAX(v) = 6, MIN(d) < 1 FROM t;
SELECT v AS k, COUNT(*) FROM t GROUP BY k;
SELECT GREATEST(MAX(v), 5), LEAST(MIN(v), 2) FROM t;
