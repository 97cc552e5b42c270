-- SPDX-License-Identifier: Apache-2.0
-- parallel: no
-- What Flink's optimizer leaves of x = x, x + 0 and NOT: seen by NaN and -0.0.
CREATE TABLE t (id INT NOT NULL, k STRING, d DOUBLE, f FLOAT, dn DOUBLE NOT NULL, de DECIMAL(10, 2), bi BIGINT, ti TINYINT, i INT) WITH ('connector' = 'script', 'bounded' = 'true', 'rows' = '
["+I", 1, "a", 0.0, 0.0, 0.0, 1.5, 2, 3, 4]
["+I", 2, "a", -0.0, -0.0, -0.0, 1.5, 2, 3, 4]
["+I", 3, "b", "NaN", "NaN", "NaN", 1.5, 2, 3, 4]
["+I", 4, "b", 1.5, 1.5, 1.5, null, null, null, null]
["+I", 5, "b", null, null, 2.5, null, null, null, null]');
EXPLAIN SELECT d + 0, d - 0, 0 + d, d * 1, d / 1, 1 * d, 0 - d, 1 / d FROM t;
EXPLAIN SELECT d + 0.0, d - 0e0, 0.00 + d, d * 1.0, d / 1e0, f + 0, f * 1, f + 0e0 FROM t;
EXPLAIN SELECT de + 0, de - 0, de * 1, de / 1, de + 0.0, de + 0e0, de * 1.00, 0 + de FROM t;
EXPLAIN SELECT bi + 0, ti + 0, ti * 1, i / 1, bi / 1, i + CAST(0 AS BIGINT), ti - 0, i % 1, MOD(i, 1) FROM t;
EXPLAIN SELECT id FROM t WHERE d IS NOT DISTINCT FROM d;
EXPLAIN SELECT id FROM t WHERE d IS DISTINCT FROM d;
EXPLAIN SELECT id FROM t WHERE d > 1e0 OR d <= 1e0;
EXPLAIN SELECT id FROM t WHERE d <> 1e0;
SELECT id FROM t WHERE d IN (CAST('NaN' AS DOUBLE), 0e0, 1e0, 2e0, 3e0);
SELECT id FROM t WHERE d = CAST('NaN' AS DOUBLE) OR d = 0e0;
SELECT id FROM t WHERE d = 0e0 OR d > 1e0;
SELECT id FROM t WHERE d IN (0e0, 1e0) AND id > 0;
SELECT id FROM t WHERE NOT (d < 1e0 OR d > 5e0);
SELECT id FROM t WHERE NOT (d < 1e0 AND d > -1e0);
SELECT id, NOT (d < 1e0), NOT (d = dn), NOT (d >= 1e0), NOT (d <= dn) FROM t;
SELECT id, d + 0, d - 0, 0 + d, d * 1, d / 1, 0 - d, d + 0e0, d + 0.0, f + 0, f + 0e0, d * 1.0 FROM t;
SELECT id, de + 0, de - 0, de * 1, de / 1, de + 0.0, de + 0e0, ti + 0, ti * 1, i + CAST(0 AS BIGINT) FROM t;
SELECT id, d IS DISTINCT FROM d, d IS NOT DISTINCT FROM d, d IS DISTINCT FROM dn, d + 1 = d + 1, ABS(d) = ABS(d), d * 2 <> d * 2 FROM t;
SELECT id, CASE WHEN d = d THEN 1 ELSE 2 END, CASE d WHEN d THEN 1 ELSE 2 END, NULLIF(d, d), COALESCE(d = d, FALSE) FROM t;
SELECT id FROM t WHERE d = d AND d <= d;
SELECT id FROM t WHERE NOT (d = d);
SELECT id FROM t WHERE NOT (d <> d);
SELECT id FROM t WHERE d = d IS NOT TRUE;
SELECT id FROM t WHERE (d <> d) IS NOT TRUE;
SELECT id FROM t HAVING MAX(id) > 0;
SELECT k, SUM(d) FROM t GROUP BY k HAVING SUM(d) = SUM(d);
SELECT k, SUM(d) FROM t GROUP BY k HAVING NOT (SUM(d) < 1e0);
SELECT id, GREATEST(d, dn) = dn, ARRAY[d] = ARRAY[d], ROW(d) = ROW(d), d BETWEEN d AND d, d NOT BETWEEN d AND d FROM t;
SELECT d = CAST('NaN' AS DOUBLE), dn <> CAST('NaN' AS DOUBLE), dn < CAST('NaN' AS DOUBLE), dn >= CAST('NaN' AS DOUBLE) FROM t;
