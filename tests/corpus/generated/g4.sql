-- order: any
-- kept from an earlier form of tools/gen_queries.py
CREATE TABLE t1 (id INT, k STRING, v INT, d DECIMAL(10, 2), b BOOLEAN) WITH ('connector' = 'script', 'rows' = '
["+I", 3, "a", null, -0.75, false]
["+I", 5, "b", 1, 1.5, false]
["+I", 0, "c", 2, null, false]
["+I", -1, "c", null, 0.0, true]
["+I", 1, "", 3, 10.0, true]
["+I", -3, null, 1, 10.0, true]
["+I", -2, "b", 4, -0.75, false]');
CREATE TABLE t2 (id INT, k STRING, w BIGINT, f DOUBLE) WITH ('connector' = 'script', 'rows' = '
["+I", 2, null, null, 0.0]
["+I", 0, null, 2, 0.5]
["+I", -2, "c", 2, null]
["+I", -1, "ab", -7, 0.5]
["+I", 0, "c", null, -1.25]
["+I", -3, "ab", 2, 0.0]
["+I", null, "ab", 0, null]
["+I", null, "B", -7, null]
["+I", 0, "a", null, 100.0]
["+I", 0, "b", 3, null]
["+I", 0, "ab", 3, 0.5]
["+I", 0, "b", 2, null]');
CREATE TABLE t3 (k STRING, n INT) WITH ('connector' = 'script', 'rows' = '
["+I", "c", 6]
["+I", "B", -3]
["+I", "a", 6]
["+I", "b", 4]');
SELECT (CASE WHEN q1.w < q1.id THEN MOD(q1.w, 3) ELSE (q2.n - q3.c1) END) AS c0, (q3.c2 || q1.k) AS c1, q3.c1 AS c2, MOD((CASE WHEN q2.n IS NULL THEN q3.c1 ELSE q3.c1 END), 3) AS c3 FROM t2 AS q1 FULL JOIN t3 AS q2 ON q1.k = q2.k JOIN (SELECT (q5.k || q4.k) AS c0, ((q5.n - q4.v) * 2) AS c1, q4.k AS c2 FROM t1 AS q4 FULL JOIN t3 AS q5 ON q4.v = q5.n AND q4.id <> q4.v WHERE q4.id IN (SELECT s6.id FROM t2 AS s6)) AS q3 ON q2.k = q3.c0 WHERE q1.k IS NULL;
SELECT q7.c0 AS c0 FROM (SELECT q8.w AS c0, q8.k AS c1 FROM t2 AS q8 WHERE q8.id IN (SELECT s9.id FROM t2 AS s9)) AS q7;
SELECT q10.k AS c0 FROM t3 AS q10 WHERE ((q10.n > q10.n OR q10.n > q10.n) AND q10.n < q10.n);
SELECT (q12.k || q12.k) AS c0, q11.id AS c1, COALESCE((q11.id + q11.w), (q11.w + q12.id)) AS c2 FROM t2 AS q11 JOIN t1 AS q12 ON q11.k = q12.k WHERE (q11.w BETWEEN 0 AND 3 AND q12.d IS NOT NULL);
SELECT q14.v AS c0 FROM t3 AS q13 FULL JOIN t1 AS q14 ON q13.k = q14.k WHERE NOT EXISTS (SELECT 1 FROM t1 AS s15 WHERE s15.k = q14.k);
SELECT q16.w AS c0, COUNT(DISTINCT q16.f) AS c1, COUNT(DISTINCT q16.k) AS c2, COUNT(DISTINCT q16.id) AS c3 FROM t2 AS q16 WHERE q16.id IN (SELECT s17.id FROM t2 AS s17) GROUP BY q16.w HAVING COUNT(*) > 1;
SELECT q20.f AS c0, ((q18.id NOT IN (1, 2, 5) OR q20.id < q18.id)) AS c1, q20.f AS c2, ABS(q18.w) AS c3 FROM t2 AS q18 FULL JOIN t1 AS q19 ON q18.id = q19.v RIGHT JOIN t2 AS q20 ON q19.v = q20.id;
SELECT SUM(q25.c3) AS c0 FROM (SELECT q22.k AS c0 FROM t1 AS q22 JOIN t2 AS q23 ON q22.id = q23.id RIGHT JOIN t3 AS q24 ON q22.k = q24.k WHERE q22.d IS NOT NULL) AS q21 RIGHT JOIN (SELECT q26.k AS c0, 'a' AS c1, (q26.w = q26.id) AS c2, ((q26.w + 4) * 2) AS c3 FROM t2 AS q26) AS q25 ON q21.c0 = q25.c1 LEFT JOIN (SELECT q29.n AS c0, q28.k AS c1, q28.k AS c2 FROM t3 AS q28 LEFT JOIN t3 AS q29 ON q28.n = q29.n) AS q27 ON q25.c1 = q27.c2 WHERE q27.c0 BETWEEN 0 AND 3;
SELECT (q32.k || 'b') AS c0, q31.k AS c1, (ABS(q32.n) * 2) AS c2 FROM t2 AS q31 FULL JOIN t3 AS q32 ON q31.id = q32.n AND q32.n BETWEEN 0 AND 3 WHERE q31.id = q31.id;
SELECT 'x' AS c0, 'a' AS c1, 1 AS c2 FROM (SELECT COUNT(q34.k) AS c0, COUNT(*) FILTER (WHERE (q34.n NOT IN (1, 2, 5) AND q34.n IN (1, 2, 5))) AS c1, MIN(q34.n) AS c2 FROM t3 AS q34 WHERE (q34.n <= 2 AND q34.n < 4) HAVING COUNT(*) >= 0) AS q33 WHERE ((5 >= 5 OR q33.c2 > q33.c2) OR q33.c1 IS NULL);
SELECT q36.k AS c0 FROM t3 AS q36 WHERE q36.n = q36.n;
SELECT SUM(DISTINCT (q37.c3 + q37.c3)) AS c0 FROM (SELECT q40.d AS c0, q39.k AS c1, q38.k AS c2, q40.id AS c3 FROM t2 AS q38 LEFT JOIN t2 AS q39 ON q38.id = q39.id AND q39.id >= 3 JOIN t1 AS q40 ON q38.id = q40.v WHERE NOT EXISTS (SELECT 1 FROM t2 AS s41 WHERE s41.k = q40.k)) AS q37 JOIN t2 AS q42 ON q37.c1 = q42.k;
SELECT (NULLIF(4, 2) * 2) AS c0, q43.c4 AS c1, q43.c0 AS c2, ((q45.k LIKE '_' OR q43.c4 < q43.c3)) AS c3 FROM (SELECT q44.k AS c0, q44.n AS c1, SUM(q44.n) AS c2, SUM((q44.n + q44.n)) AS c3, SUM(DISTINCT COALESCE(0, 2)) AS c4 FROM t3 AS q44 WHERE q44.n <= q44.n GROUP BY q44.k, q44.n HAVING COUNT(*) > 1) AS q43 RIGHT JOIN t3 AS q45 ON q43.c0 = q45.k WHERE 2 <= q43.c4;
SELECT q48.id AS c0 FROM t2 AS q46 RIGHT JOIN t2 AS q47 ON q46.id = q47.id AND q46.id NOT IN (1, 2, 5) RIGHT JOIN t2 AS q48 ON q47.id = q48.id AND q47.w > q46.w WHERE (q47.f IS NULL OR (q46.k LIKE '_' AND 1 > q48.w));
SELECT ((q49.id + q49.w) - NULLIF(q49.w, 4)) AS c0, NULLIF(ABS(4), q49.id) AS c1, (q49.w BETWEEN 0 AND 3) AS c2, q49.id AS c3 FROM t2 AS q49 WHERE (NOT (q49.id IN (1, 2, 5)) AND NOT (q49.f IS NOT NULL));
SELECT q50.n AS c0, UPPER('a') AS c1, (q50.k IS NULL) AS c2, COALESCE('x', 'z') AS c3 FROM t3 AS q50 WHERE EXISTS (SELECT 1 FROM t3 AS s51 WHERE s51.k = q50.k);
SELECT k FROM t2 EXCEPT SELECT k FROM t1;
SELECT 'x' AS c0 FROM t1 AS q52 RIGHT JOIN t1 AS q53 ON q52.id = q53.v AND q52.d IS NULL WHERE NOT ((q53.v < q53.v OR q53.k IS NOT NULL));
SELECT q54.k AS c0, q54.k AS c1 FROM t2 AS q54;
SELECT q55.k AS c0, q55.v AS c1, q55.k AS c2, q55.k AS c3 FROM t1 AS q55;
SELECT COALESCE((q56.n - q57.w), q57.w) AS c0, ((q57.k LIKE '%b' AND q56.n BETWEEN 0 AND 3)) AS c1 FROM t3 AS q56 JOIN t2 AS q57 ON q56.k = q57.k WHERE (2 < 4 AND 2 <> 4);
SELECT DISTINCT q60.c2 AS c0 FROM (SELECT q59.k AS c0, q59.id AS c1 FROM t2 AS q59 WHERE (NOT (q59.id NOT IN (1, 2, 5)) AND (q59.k LIKE '_' AND q59.f IS NOT NULL))) AS q58 RIGHT JOIN (SELECT DISTINCT q61.n AS c0, 'a' AS c1, q61.k AS c2 FROM t3 AS q61 WHERE ((q61.k <> q61.k AND q61.n NOT IN (1, 2, 5)) AND q61.k LIKE '_')) AS q60 ON q58.c0 = q60.c1 WHERE q58.c1 > (SELECT COUNT(*) FROM t1 AS s62 WHERE s62.k = q60.c1);
SELECT q63.c0 AS c0, q63.c1 AS c1, (q63.c0 * 2) AS c2, COALESCE(5, (5 + 4)) AS c3 FROM (SELECT SUM(COALESCE(q65.id, q65.id)) AS c0, MAX('b') AS c1 FROM t3 AS q64 JOIN t2 AS q65 ON q64.k = q65.k WHERE q64.n BETWEEN 0 AND 3 HAVING COUNT(*) >= 0) AS q63 WHERE NOT (NOT (q63.c1 <> q63.c1));
SELECT DISTINCT COUNT(*) FILTER (WHERE q68.v <> q68.id) AS c0 FROM t3 AS q67 JOIN t1 AS q68 ON q67.n = q68.v WHERE q68.v <> q67.n;
SELECT DISTINCT 1 AS c0, q69.c1 AS c1, q69.c0 AS c2 FROM (SELECT q71.d AS c0, q71.id AS c1 FROM t3 AS q70 RIGHT JOIN t1 AS q71 ON q70.n = q71.id) AS q69 WHERE (q69.c1 IS NULL OR q69.c1 NOT IN (1, 2, 5));
