-- SPDX-License-Identifier: Apache-2.0
-- parallel: no
-- NaN, -0.0 and 0.0 in comparisons, as keys, in aggregates.
CREATE TABLE t (id INT NOT NULL, k STRING, d DOUBLE, f FLOAT, dn DOUBLE NOT NULL) WITH ('connector' = 'script', 'bounded' = 'true', 'rows' = '
["+I", 1, "a", 0.0, 0.0, 0.0]
["+I", 2, "a", -0.0, -0.0, -0.0]
["+I", 3, "b", "NaN", "NaN", "NaN"]
["+I", 4, "b", 1.5, 1.5, 1.5]
["+I", 5, "a", "NaN", "NaN", "NaN"]
["+I", 6, "b", "Infinity", "Infinity", "Infinity"]
["+I", 7, "b", "-Infinity", "-Infinity", "-Infinity"]
["+I", 8, "b", null, null, 7]
["+I", 9, "b", -0.0, -0.0, -0.0]
["+I", 10, "b", 0.0, 0.0, 0.0]');
SELECT d, COUNT(*) FROM t GROUP BY d;
SELECT f, COUNT(*) FROM t GROUP BY f;
SELECT dn, COUNT(*) FROM t GROUP BY dn;
SELECT dn, k, COUNT(*) FROM t GROUP BY dn, k;
SELECT k, d, COUNT(*) FROM t GROUP BY k, d;
SELECT DISTINCT d FROM t;
SELECT DISTINCT f FROM t;
SELECT DISTINCT d, k FROM t;
SELECT COUNT(DISTINCT d), COUNT(DISTINCT f), COUNT(DISTINCT dn) FROM t;
SELECT k, COUNT(DISTINCT d) FROM t GROUP BY k;
SELECT COUNT(DISTINCT d) FILTER (WHERE id > 1), SUM(DISTINCT dn) FROM t;
SELECT COUNT(DISTINCT d), COUNT(DISTINCT k) FROM t;
SELECT id FROM t WHERE d = 0;
SELECT id FROM t WHERE d = 0.0;
SELECT id FROM t WHERE d = 0e0;
SELECT id FROM t WHERE d = -0.0;
SELECT id FROM t WHERE d IN (0, 5, 6, 7, 8);
SELECT id FROM t WHERE d IN (0e0, 1.5e0);
SELECT id FROM t WHERE d IN (0e0, 1e0, 2e0, 3e0, 4e0, 5e0, 6e0, 7e0, 8e0, 9e0, 10e0, 11e0, 12e0, 13e0, 14e0, 15e0, 16e0, 17e0, 18e0, 19e0, 20e0, 21e0);
SELECT id FROM t WHERE d NOT IN (0e0, 1e0, 2e0, 3e0, 4e0, 5e0, 6e0, 7e0, 8e0, 9e0, 10e0, 11e0, 12e0, 13e0, 14e0, 15e0, 16e0, 17e0, 18e0, 19e0, 20e0, 21e0);
SELECT id FROM t WHERE f IN (CAST(0 AS FLOAT), CAST(1 AS FLOAT), CAST(1.5 AS FLOAT), CAST(3 AS FLOAT), CAST(4 AS FLOAT));
SELECT id FROM t WHERE f IN (CAST(0 AS FLOAT), CAST(1.5 AS FLOAT));
SELECT id, d IN (0e0, 1.5e0), d IN (dn, 1e0), d NOT IN (dn) FROM t;
SELECT id, d IN (CAST('NaN' AS DOUBLE), 1.5e0) FROM t;
SELECT id FROM t WHERE d = CAST('NaN' AS DOUBLE);
SELECT id FROM t WHERE d IN (CAST('NaN' AS DOUBLE), 1e0, 2e0, 3e0, 4e0, 5e0, 6e0, 7e0, 8e0, 9e0, 10e0, 11e0, 12e0, 13e0, 14e0, 15e0, 16e0, 17e0, 18e0, 19e0, 20e0, 21e0);
SELECT id, d = d, d <> d, d < d, d <= d, dn = dn, dn <> dn, f = f FROM t;
SELECT id FROM t WHERE d = d;
SELECT id FROM t WHERE dn = dn;
SELECT id FROM t WHERE dn <> dn;
SELECT id, d = f, d <> f, d <= dn, d >= dn FROM t;
SELECT id, d IS DISTINCT FROM dn, d IS NOT DISTINCT FROM f FROM t;
SELECT d FROM t UNION SELECT f FROM t;
SELECT d FROM t UNION SELECT d FROM t;
SELECT MIN(d), MAX(d), MIN(f), MAX(f) FROM t WHERE id IN (1, 2);
SELECT MIN(d), MAX(d), MIN(f), MAX(f) FROM t WHERE id IN (2, 10);
SELECT MAX(d), MIN(d) FROM t WHERE id <> 3 AND id <> 5;
SELECT ARRAY_AGG(d) FROM t;
SELECT COLLECT(d) FROM t;
SELECT COLLECT(f) FROM t;
SELECT COLLECT(DISTINCT d) FROM t;
SELECT id, d + 0, d * -1, -d, ABS(d), SIGN(d), d / d FROM t;
SELECT GREATEST(d, 0e0), LEAST(d, 0e0), GREATEST(0e0, d), LEAST(0e0, d), GREATEST(d, dn) FROM t;
SELECT NULLIF(d, 0e0), COALESCE(d, -0e0), CASE d WHEN 0 THEN 'zero' WHEN 1.5 THEN 'x' ELSE 'other' END FROM t;
SELECT NULLIF(d, dn), NULLIF(d, f) FROM t;
SELECT id FROM t WHERE d BETWEEN 0e0 AND 2e0;
SELECT id FROM t WHERE d > 1e0;
SELECT id FROM t WHERE d < 1e0;
SELECT id FROM t WHERE NOT (d < 1e0);
SELECT id FROM t WHERE NOT (d >= 1e0);
SELECT id FROM t WHERE d <> 1.5e0;
SELECT id, d IS TRUE FROM (SELECT id, d > 0e0 AS d FROM t);
SELECT id, CAST(d AS BOOLEAN), CAST(d AS INT), CAST(d AS STRING), CAST(d AS FLOAT), CAST(f AS DOUBLE) FROM t;
SELECT d + 0 AS e, COUNT(*) FROM t GROUP BY d + 0;
SELECT ROW(d, k), COUNT(*) FROM t GROUP BY ROW(d, k);
SELECT ARRAY[d], COUNT(*) FROM t GROUP BY ARRAY[d];
SELECT k, d, COUNT(*) FROM t GROUP BY ROLLUP(k, d);
SELECT d, COUNT(*) FROM t GROUP BY GROUPING SETS ((d), ());
SELECT SUM(d), COUNT(*) FROM t WHERE id IN (1, 2) HAVING SUM(d) = 0;
SELECT x, COUNT(*) FROM (SELECT MAX(d) AS x FROM t WHERE id IN (1, 2, 9, 10) GROUP BY id) GROUP BY x;
