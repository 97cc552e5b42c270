-- order: any
-- kept from an earlier form of tools/gen_queries.py
CREATE TABLE t1 (id INT, k STRING, v INT, d DECIMAL(10, 2), b BOOLEAN) WITH ('connector' = 'script', 'rows' = '
["+I", 3, "a", -2, 1.5, true]
["+I", null, "b", null, 0.0, null]
["+I", 6, "", -3, 1.5, true]
["+I", 5, null, -1, null, true]
["+I", null, "", null, 0.0, true]
["+I", 4, "b", 0, null, true]
["+I", 4, "a", null, -0.75, true]
["+I", null, "", 2, -0.75, false]
["+I", -2, "ab", -2, null, false]');
CREATE TABLE t2 (id INT, k STRING, w BIGINT, f DOUBLE) WITH ('connector' = 'script', 'rows' = '
["+I", 3, "c", null, -1.25]
["+I", 4, null, 1, 100.0]
["+I", 4, null, -7, -1.25]
["+I", 5, "ab", 10000000000, -1.25]
["+I", -1, "B", 3, -1.25]
["+I", -3, null, -7, -1.25]
["+I", 5, "B", 0, 0.0]
["+I", 3, "ab", 0, -1.25]
["+I", -2, "a", null, 0.0]
["+I", null, "a", null, 100.0]
["+I", null, "c", 3, null]');
CREATE TABLE t3 (k STRING, n INT) WITH ('connector' = 'script', 'rows' = '
["+I", "ab", 1]
["+I", null, null]
["+I", "c", -1]
["+I", "b", 5]
["+I", "B", -3]
["+I", "c", -2]
["+I", "c", -1]
["+I", "b", 5]
["+I", "b", 0]
["+I", "ab", 0]
["+I", "ab", -3]');
SELECT q1.c0 AS c0, q1.c0 AS c1, q1.c0 AS c2, MOD((CASE WHEN q1.c0 <> 3 THEN q1.c0 ELSE 3 END), 3) AS c3 FROM (SELECT q2.v AS c0 FROM t1 AS q2 RIGHT JOIN t2 AS q3 ON q2.k = q3.k RIGHT JOIN t2 AS q4 ON q2.id = q4.id AND q3.k = q4.k WHERE q4.id NOT IN (SELECT s5.v FROM t1 AS s5)) AS q1;
SELECT k FROM t1 UNION SELECT k FROM t3;
SELECT q10.k AS c0, q10.v AS c1 FROM t1 AS q10 WHERE EXISTS (SELECT 1 FROM t1 AS s11 WHERE s11.k = q10.k);
SELECT DISTINCT ABS(NULLIF(q12.w, q14.v)) AS c0, q13.id AS c1, q12.w AS c2, q13.w AS c3 FROM t2 AS q12 RIGHT JOIN t2 AS q13 ON q12.k = q13.k LEFT JOIN t1 AS q14 ON q13.k = q14.k WHERE q12.k LIKE '_';
SELECT q15.id AS c0, COUNT(DISTINCT q16.c1) AS c1, MAX('x') AS c2 FROM t1 AS q15 JOIN (SELECT q18.b AS c0, q17.v AS c1, SUM(DISTINCT ABS(q17.id)) AS c2 FROM t1 AS q17 JOIN t1 AS q18 ON q17.id = q18.v WHERE q17.k > q18.k GROUP BY q18.b, q17.v) AS q16 ON q15.id = q16.c1 LEFT JOIN (SELECT q21.v AS c0, q20.k AS c1, MIN(q21.v) AS c2, MAX(q20.k) AS c3, MIN(q22.id) AS c4 FROM t3 AS q20 FULL JOIN t1 AS q21 ON q20.n = q21.v LEFT JOIN t2 AS q22 ON q20.k = q22.k WHERE q21.k LIKE '%b' GROUP BY q21.v, q20.k HAVING COUNT(*) > 1) AS q19 ON q15.v = q19.c0 AND q19.c1 LIKE '%b' WHERE q19.c0 = (SELECT MAX(s23.v) FROM t1 AS s23) GROUP BY q15.id;
SELECT 3 AS c0, q24.b AS c1, q24.d AS c2, q24.v AS c3 FROM t1 AS q24;
SELECT DISTINCT COUNT(*) FILTER (WHERE (q25.c0 <> q25.c0 AND q25.c0 LIKE '_')) AS c0, COUNT(*) AS c1, MIN(COALESCE(q25.c1, 2)) AS c2 FROM (SELECT q26.k AS c0, q26.n AS c1, ABS(q26.n) AS c2, q26.n AS c3 FROM t3 AS q26) AS q25 JOIN t2 AS q27 ON q25.c0 = q27.k WHERE (q25.c3 IS NOT NULL AND q27.k LIKE '%b');
SELECT DISTINCT NULLIF(MOD(1, 3), 0) AS c0, q28.c0 AS c1, 'b' AS c2 FROM (SELECT (q29.v BETWEEN 0 AND 3) AS c0 FROM t1 AS q29 LEFT JOIN t1 AS q30 ON q29.v = q30.id WHERE ((q29.id BETWEEN 0 AND 3 OR q29.k <> q30.k) OR q29.k LIKE 'a%')) AS q28;
SELECT q32.id AS c0, ((q32.w IN (1, 2, 5) OR q32.k > q32.k)) AS c1, q32.k AS c2 FROM t3 AS q31 JOIN t2 AS q32 ON q31.n = q32.id AND q31.n BETWEEN 0 AND 3;
SELECT q33.c0 AS c0, 'x' AS c1, (q33.c1 * 2) AS c2, q33.c0 AS c3 FROM (SELECT COUNT(DISTINCT q34.c0) AS c0, MIN(ABS(q34.c1)) AS c1 FROM (SELECT q35.b AS c0, q36.id AS c1, MAX(q36.k) AS c2, MIN(q35.v) AS c3 FROM t1 AS q35 FULL JOIN t1 AS q36 ON q35.k = q36.k JOIN t2 AS q37 ON q36.k = q37.k AND q35.id <= q36.v WHERE EXISTS (SELECT 1 FROM t3 AS s38 WHERE s38.k = q36.k) GROUP BY q35.b, q36.id) AS q34 WHERE q34.c2 LIKE 'a%' HAVING COUNT(*) >= 0) AS q33 WHERE q33.c1 <> q33.c0;
SELECT COALESCE(q40.k, 'z') AS c0, q40.n AS c1, MOD(q40.n, 3) AS c2, q40.n AS c3 FROM t3 AS q40 WHERE q40.n > (SELECT COUNT(*) FROM t3 AS s43 WHERE s43.k = q40.k);
SELECT DISTINCT (ABS(5) + q44.id) AS c0, q45.v AS c1, q45.k AS c2, q44.k AS c3 FROM t2 AS q44 JOIN t1 AS q45 ON q44.id = q45.v AND q45.id IN (1, 2, 5);
SELECT k FROM t2 UNION ALL SELECT k FROM t2;
SELECT DISTINCT q47.id AS c0, (q48.id NOT IN (1, 2, 5)) AS c1, q46.id AS c2 FROM t2 AS q46 FULL JOIN t1 AS q47 ON q46.id = q47.id FULL JOIN t1 AS q48 ON q47.id = q48.id;
SELECT COALESCE(q49.v, (q49.v - 5)) AS c0 FROM t1 AS q49;
SELECT q50.c1 AS c0, q50.c0 AS c1 FROM (SELECT (NOT (q51.n BETWEEN 0 AND 3)) AS c0, (q51.n - 2) AS c1 FROM t3 AS q51) AS q50;
SELECT q53.id AS c0 FROM t2 AS q53 WHERE q53.id > (SELECT COUNT(*) FROM t3 AS s58 WHERE s58.k = q53.k);
SELECT q59.n AS c0, (CASE WHEN q59.n BETWEEN 0 AND 3 THEN ABS(q59.n) ELSE COALESCE(q59.n, q59.n) END) AS c1, q59.n AS c2, ((q59.n BETWEEN 0 AND 3 OR q59.k <> q59.k)) AS c3 FROM t3 AS q59;
SELECT q60.id AS c0, MAX(q60.k) AS c1, COUNT(*) AS c2 FROM t2 AS q60 WHERE NOT EXISTS (SELECT 1 FROM t1 AS s64 WHERE s64.k = q60.k) GROUP BY q60.id;
SELECT k FROM t3 INTERSECT SELECT k FROM t1;
SELECT q65.w AS c0, q68.v AS c1, MOD(5, 3) AS c2, 5 AS c3 FROM t2 AS q65 FULL JOIN (SELECT SUBSTRING(q67.k FROM 1 FOR 1) AS c0 FROM t2 AS q67 WHERE q67.id BETWEEN 0 AND 3) AS q66 ON q65.k = q66.c0 JOIN t1 AS q68 ON q66.c0 = q68.k AND q65.id = q68.v;
SELECT q70.c2 AS c0, q69.d AS c1, MAX(q69.k) AS c2, SUM(DISTINCT (q70.c0 + q70.c2)) AS c3 FROM t1 AS q69 JOIN (SELECT COUNT(*) AS c0, MAX(q72.k) AS c1, COUNT(*) AS c2 FROM t1 AS q71 FULL JOIN t2 AS q72 ON q71.k = q72.k WHERE q71.v NOT IN (SELECT s73.n FROM t3 AS s73) HAVING COUNT(*) >= 0) AS q70 ON q69.k = q70.c1 AND q69.v IN (1, 2, 5) WHERE q69.id IN (SELECT s74.n FROM t3 AS s74) GROUP BY q70.c2, q69.d;
SELECT MAX('x') AS c0 FROM (SELECT COUNT(*) FILTER (WHERE NOT (q77.id < q77.v)) AS c0, SUM(ABS(q76.n)) AS c1 FROM t3 AS q76 FULL JOIN t1 AS q77 ON q76.k = q77.k AND q77.k > q76.k HAVING COUNT(*) >= 0) AS q75 WHERE q75.c0 IS NULL;
SELECT DISTINCT MIN(NULLIF(q81.n, q82.id)) AS c0, COUNT(*) AS c1, MIN(2) AS c2 FROM t3 AS q81 LEFT JOIN t2 AS q82 ON q81.k = q82.k;
SELECT (5 - q84.w) AS c0, q83.v AS c1, q84.w AS c2, 5 AS c3 FROM t1 AS q83 RIGHT JOIN t2 AS q84 ON q83.v = q84.id AND 'b' > q83.k WHERE NOT EXISTS (SELECT 1 FROM t2 AS s85 WHERE s85.k = q83.k);
