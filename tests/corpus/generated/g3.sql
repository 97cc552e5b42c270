-- order: any
-- kept from an earlier form of tools/gen_queries.py
CREATE TABLE t1 (id INT, k STRING, v INT, d DECIMAL(10, 2), b BOOLEAN) WITH ('connector' = 'script', 'rows' = '
["+I", -1, "", 6, null, null]
["+I", 1, "b", 4, 0.0, false]
["+I", -1, "", -3, 1.5, false]
["+I", null, "c", 3, 10.0, false]
["+I", -1, "a", null, -0.75, true]
["+I", 1, "ab", 5, 0.0, true]
["+I", -3, "", -1, -0.75, false]');
CREATE TABLE t2 (id INT, k STRING, w BIGINT, f DOUBLE) WITH ('connector' = 'script', 'rows' = '
["+I", 0, "", 0, null]
["+I", 4, null, 3, 0.5]
["+I", 3, "a", 0, 0.0]
["+I", 1, "a", 0, null]
["+I", 0, "c", 1, 2.0]');
CREATE TABLE t3 (k STRING, n INT) WITH ('connector' = 'script', 'rows' = '
["+I", "b", 3]
["+I", "", 6]
["+I", "a", 5]
["+I", "B", 0]
["+I", "ab", 5]
["+I", "c", null]
["+I", "", 3]
["+I", "B", null]
["+I", "c", 2]');
SELECT SUM(q1.w) AS c0, MIN(q1.id) AS c1, COUNT(q1.k) AS c2 FROM t2 AS q1 WHERE (q1.w IN (1, 2, 5) OR 2 NOT IN (1, 2, 5));
SELECT DISTINCT COUNT(*) FILTER (WHERE NOT (q3.c0 > q2.w)) AS c0, COUNT(q2.id) AS c1 FROM t2 AS q2 FULL JOIN (SELECT SUM(DISTINCT (q4.n - 5)) AS c0, MAX('x') AS c1 FROM t3 AS q4 WHERE q4.n > (SELECT COUNT(*) FROM t3 AS s5 WHERE s5.k = q4.k) HAVING COUNT(*) >= 0) AS q3 ON q2.k = q3.c1 WHERE q3.c0 = q3.c0;
SELECT k FROM t3 UNION ALL SELECT k FROM t2;
SELECT (q6.k IS NOT NULL) AS c0 FROM t2 AS q6 JOIN t3 AS q7 ON q6.k = q7.k FULL JOIN t2 AS q8 ON q6.id = q8.id WHERE q7.n IN (SELECT s9.v FROM t1 AS s9);
SELECT q10.c0 AS c0, COUNT(*) FILTER (WHERE q10.c0 IS NOT NULL) AS c1, COUNT(q14.c1) AS c2 FROM (SELECT (NOT (q11.c0 > 5)) AS c0, SUBSTRING(q11.c1 FROM 1 FOR 1) AS c1, q11.c1 AS c2, q11.c0 AS c3 FROM (SELECT q12.n AS c0, q12.k AS c1, SUM((q13.n * 2)) AS c2 FROM t3 AS q12 JOIN t3 AS q13 ON q12.k = q13.k WHERE NOT (NOT (q12.k = q13.k)) GROUP BY q12.n, q12.k) AS q11) AS q10 JOIN (SELECT q15.k AS c0, q15.k AS c1, 'b' AS c2 FROM t1 AS q15 FULL JOIN t3 AS q16 ON q15.v = q16.n WHERE EXISTS (SELECT 1 FROM t1 AS s17 WHERE s17.k = q15.k)) AS q14 ON q10.c1 = q14.c0 GROUP BY q10.c0;
SELECT q18.c2 AS c0, ABS((3 + q18.c3)) AS c1, q18.c1 AS c2, UPPER(q18.c0) AS c3 FROM (SELECT q19.k AS c0, q19.n AS c1, COUNT(q19.k) AS c2, COUNT(*) FILTER (WHERE q19.k <> q19.k) AS c3 FROM t3 AS q19 WHERE NOT (q19.n IN (1, 2, 5)) GROUP BY q19.k, q19.n) AS q18 WHERE q18.c2 = q18.c2;
SELECT q20.n AS c0, (NULLIF(q21.id, q20.n) - q20.n) AS c1 FROM t3 AS q20 RIGHT JOIN t2 AS q21 ON q20.k = q21.k WHERE q20.n = (SELECT MAX(s22.v) FROM t1 AS s22);
SELECT q23.k AS c0, MOD(MOD(q23.n, 3), 3) AS c1, q23.k AS c2 FROM t3 AS q23 JOIN t2 AS q24 ON q23.n = q24.id;
SELECT q27.c0 AS c0 FROM (SELECT q26.k AS c0 FROM t2 AS q26) AS q25 JOIN (SELECT q28.k AS c0 FROM t3 AS q28 WHERE q28.n > (SELECT COUNT(*) FROM t3 AS s29 WHERE s29.k = q28.k)) AS q27 ON q25.c0 = q27.c0 AND 3 <> 5 FULL JOIN t2 AS q30 ON q27.c0 = q30.k WHERE q30.id NOT IN (SELECT s31.id FROM t2 AS s31);
SELECT k FROM t3 EXCEPT ALL SELECT k FROM t3;
SELECT q34.v AS c0, COUNT(DISTINCT q34.id) AS c1 FROM (SELECT q33.n AS c0 FROM t3 AS q33) AS q32 JOIN t1 AS q34 ON q32.c0 = q34.id WHERE NOT (NOT ('b' > 'b')) GROUP BY q34.v;
SELECT q35.n AS c0, COUNT(*) AS c1, SUM(DISTINCT NULLIF(q35.n, q35.n)) AS c2 FROM t3 AS q35 WHERE (q35.k LIKE '%b' AND ('x' = q35.k OR q35.n < q35.n)) GROUP BY q35.n;
SELECT DISTINCT q36.v AS c0 FROM t1 AS q36 WHERE q36.id = (SELECT MAX(s37.n) FROM t3 AS s37);
SELECT q38.k AS c0, MIN(q38.n) AS c1, COUNT(q38.n) AS c2 FROM t3 AS q38 GROUP BY q38.k;
SELECT q42.k AS c0, q42.k AS c1 FROM t3 AS q42;
SELECT q43.d AS c0, COUNT(*) FILTER (WHERE (q43.k LIKE 'a%' OR q43.id IS NULL)) AS c1 FROM t1 AS q43 WHERE NOT EXISTS (SELECT 1 FROM t3 AS s44 WHERE s44.k = q43.k) GROUP BY q43.d;
SELECT DISTINCT COUNT(q45.b) AS c0, COUNT(q45.v) AS c1 FROM t1 AS q45 WHERE (q45.v BETWEEN 0 AND 3 AND q45.id NOT IN (1, 2, 5));
SELECT q46.k AS c0, q47.k AS c1, q47.v AS c2 FROM t3 AS q46 JOIN t1 AS q47 ON q46.n = q47.v;
SELECT q48.c0 AS c0, (q48.c0 BETWEEN 0 AND 3) AS c1 FROM (SELECT q49.w AS c0, UPPER(q49.k) AS c1 FROM t2 AS q49) AS q48 RIGHT JOIN t3 AS q50 ON q48.c1 = q50.k WHERE q50.k < q50.k;
SELECT COUNT(*) FILTER (WHERE (4 <= 4 OR 1 BETWEEN 0 AND 3)) AS c0 FROM (SELECT MAX(q52.k) AS c0 FROM t3 AS q52 HAVING COUNT(*) >= 0) AS q51;
SELECT q54.c1 AS c0, NULLIF(q53.n, q53.n) AS c1 FROM t3 AS q53 LEFT JOIN (SELECT (CASE WHEN 4 BETWEEN 0 AND 3 THEN (q55.id - q56.id) ELSE q56.w END) AS c0, q55.id AS c1, MOD(q55.id, 3) AS c2 FROM t1 AS q55 FULL JOIN t2 AS q56 ON q55.v = q56.id AND 3 IN (1, 2, 5) WHERE q55.id NOT IN (1, 2, 5)) AS q54 ON q53.n = q54.c1;
SELECT COUNT(q58.f) AS c0, MAX(q58.k) AS c1, SUM(q58.id) AS c2 FROM t2 AS q57 JOIN t2 AS q58 ON q57.k = q58.k AND q57.w BETWEEN 0 AND 3 WHERE q58.id IN (1, 2, 5);
SELECT q59.v AS c0, COUNT(q59.b) AS c1, SUM(DISTINCT (q59.v - q60.n)) AS c2, COUNT(q60.k) AS c3 FROM t1 AS q59 RIGHT JOIN t3 AS q60 ON q59.k = q60.k WHERE 'b' <> q60.k GROUP BY q59.v HAVING COUNT(*) > 1;
SELECT (q61.k > q61.k) AS c0, q61.id AS c1, (COALESCE(q61.w, q61.w) + COALESCE(q61.id, q61.id)) AS c2, q61.f AS c3 FROM t2 AS q61;
SELECT q62.id AS c0, q62.d AS c1, COUNT(q62.id) AS c2, MIN(COALESCE(3, q62.id)) AS c3, COUNT(*) AS c4 FROM t1 AS q62 GROUP BY q62.id, q62.d;
