-- order: any
-- kept from an earlier form of tools/gen_queries.py
CREATE TABLE t1 (id INT, k STRING, v INT, d DECIMAL(10, 2), b BOOLEAN) WITH ('connector' = 'script', 'rows' = '
["+I", 1, null, null, -0.75, true]
["+I", 0, "ab", 5, 2.25, false]
["+I", 6, "ab", -2, 10.0, true]
["+I", null, "B", -2, 0.0, false]
["+I", 4, "b", 5, 1.5, true]');
CREATE TABLE t2 (id INT, k STRING, w BIGINT, f DOUBLE) WITH ('connector' = 'script', 'rows' = '
["+I", 6, null, 10000000000, 0.5]
["+I", 1, "b", 1, null]
["+I", 5, null, 0, 0.0]
["+I", 6, "c", 3, 100.0]
["+I", null, "B", 0, -1.25]
["+I", -2, "B", 3, 100.0]
["+I", 5, "c", 3, -1.25]
["+I", 1, "B", 1, null]
["+I", 1, "c", -7, 0.0]
["+I", 3, "ab", 2, 100.0]');
CREATE TABLE t3 (k STRING, n INT) WITH ('connector' = 'script', 'rows' = '
["+I", null, 1]
["+I", "ab", -1]
["+I", "", 6]
["+I", "B", 4]
["+I", "b", 1]
["+I", "", -3]
["+I", "", -2]
["+I", "c", 4]
["+I", "a", -1]
["+I", "", null]
["+I", "", 4]');
SELECT (q1.v + MOD(q1.id, 3)) AS c0, q1.id AS c1 FROM t1 AS q1 WHERE q1.v <= q1.id;
SELECT k FROM t1 INTERSECT SELECT k FROM t2;
SELECT k FROM t3 EXCEPT ALL SELECT k FROM t1;
SELECT DISTINCT q2.c1 AS c0, COALESCE(q2.c0, 'z') AS c1, NULLIF((CASE WHEN q2.c1 NOT IN (1, 2, 5) THEN 2 ELSE q2.c3 END), ABS(q2.c1)) AS c2, (q2.c0 LIKE '%b') AS c3 FROM (SELECT q3.k AS c0, SUM(q3.n) AS c1, MIN(NULLIF(q3.n, q3.n)) AS c2, SUM((CASE WHEN q3.n <= q3.n THEN 2 ELSE q3.n END)) AS c3 FROM t3 AS q3 WHERE q3.k LIKE 'a%' GROUP BY q3.k) AS q2 WHERE (q2.c0 IS NOT NULL AND q2.c1 = q2.c3);
SELECT (q4.id BETWEEN 0 AND 3) AS c0, ((q4.w - q4.w) + MOD(q4.w, 3)) AS c1 FROM t2 AS q4 WHERE EXISTS (SELECT 1 FROM t1 AS s5 WHERE s5.k = q4.k);
SELECT q6.b AS c0, q6.d AS c1, q6.id AS c2, COALESCE((q6.v + q6.v), NULLIF(q6.id, q6.v)) AS c3 FROM t1 AS q6 WHERE q6.id >= (SELECT MAX(s11.n) FROM t3 AS s11);
SELECT q13.id AS c0, COALESCE(1, COALESCE(q12.w, q12.id)) AS c1 FROM t2 AS q12 LEFT JOIN t1 AS q13 ON q12.k = q13.k WHERE q12.id > (SELECT COUNT(*) FROM t1 AS s14 WHERE s14.k = q12.k);
SELECT q15.k AS c0, ABS((4 - 1)) AS c1, q15.k AS c2, q15.k AS c3 FROM t3 AS q15 WHERE q15.k LIKE 'a%';
SELECT q16.v AS c0, q16.d AS c1, q16.id AS c2, q16.v AS c3 FROM t1 AS q16 WHERE ((q16.k LIKE '_' AND q16.k <> q16.k) OR NOT (5 <> q16.v));
SELECT COUNT(*) AS c0 FROM (SELECT COUNT(DISTINCT q20.c3) AS c0, MIN(q20.c0) AS c1 FROM (SELECT (COALESCE(4, q22.w) * 2) AS c0, (NULLIF(q23.v, q21.n) * 2) AS c1, q21.n AS c2, q22.k AS c3 FROM t3 AS q21 JOIN t2 AS q22 ON q21.k = q22.k LEFT JOIN t1 AS q23 ON q22.k = q23.k) AS q20 WHERE q20.c2 NOT IN (SELECT s24.n FROM t3 AS s24) HAVING COUNT(*) >= 0) AS q19 WHERE (q19.c1 > q19.c0 OR (q19.c1 NOT IN (1, 2, 5) AND q19.c1 IN (1, 2, 5)));
SELECT k FROM t3 EXCEPT ALL SELECT k FROM t2;
SELECT COUNT(q27.id) AS c0, COUNT(q26.k) AS c1 FROM t1 AS q26 JOIN t1 AS q27 ON q26.v = q27.id WHERE q27.id NOT IN (SELECT s28.n FROM t3 AS s28);
SELECT k FROM t1 INTERSECT SELECT k FROM t1;
SELECT k FROM t1 INTERSECT SELECT k FROM t1;
SELECT ((q29.v > 2 OR q29.id >= 3)) AS c0, ((q29.id + q29.id) - (2 + q29.v)) AS c1 FROM t1 AS q29;
SELECT COALESCE(q31.n, q30.n) AS c0, ABS((CASE WHEN q32.k < q31.k THEN 0 ELSE q31.n END)) AS c1 FROM t3 AS q30 LEFT JOIN t3 AS q31 ON q30.n = q31.n AND q30.k LIKE '%b' FULL JOIN t3 AS q32 ON q30.k = q32.k;
SELECT q33.w AS c0, 'b' AS c1 FROM t2 AS q33 WHERE EXISTS (SELECT 1 FROM t2 AS s34 WHERE s34.k = q33.k);
SELECT q35.c2 AS c0, COUNT(*) AS c1 FROM (SELECT q36.b AS c0, (MOD(q36.id, 3) + (q36.id - q36.v)) AS c1, q36.k AS c2, q36.b AS c3 FROM t1 AS q36 WHERE q36.v > q36.id) AS q35 JOIN t2 AS q37 ON q35.c2 = q37.k WHERE (q37.id <> q37.w AND NOT (q37.k LIKE 'a%')) GROUP BY q35.c2;
SELECT q39.c2 AS c0, MIN((q38.id + q38.id)) AS c1, MIN((2 - q38.v)) AS c2, COUNT(DISTINCT q38.v) AS c3 FROM t1 AS q38 FULL JOIN (SELECT (CASE WHEN NOT (q40.w NOT IN (1, 2, 5)) THEN q40.w ELSE ABS(q40.id) END) AS c0, q40.f AS c1, q40.k AS c2, q40.k AS c3 FROM t2 AS q40 WHERE q40.id BETWEEN 0 AND 3) AS q39 ON q38.k = q39.c2 FULL JOIN (SELECT q42.k AS c0 FROM t1 AS q42 WHERE q42.k LIKE '%b') AS q41 ON q38.k = q41.c0 AND q39.c0 BETWEEN 0 AND 3 GROUP BY q39.c2;
SELECT q43.b AS c0, 5 AS c1 FROM t1 AS q43 RIGHT JOIN t1 AS q44 ON q43.id = q44.id WHERE q44.id >= (SELECT MAX(s45.n) FROM t3 AS s45);
SELECT (MOD(q46.id, 3) * 2) AS c0, (q46.k || 'b') AS c1, (q46.w = q46.id) AS c2 FROM t2 AS q46 WHERE q46.id IN (SELECT s47.id FROM t2 AS s47);
SELECT q48.c1 AS c0, q48.c1 AS c1 FROM (SELECT COUNT(q49.c1) AS c0, COUNT(*) FILTER (WHERE 4 = q49.c1) AS c1, SUM(DISTINCT q49.c1) AS c2 FROM (SELECT q51.k AS c0, q51.n AS c1, COUNT(*) FILTER (WHERE NOT (q52.id NOT IN (1, 2, 5))) AS c2 FROM t1 AS q50 FULL JOIN t3 AS q51 ON q50.id = q51.n LEFT JOIN t1 AS q52 ON q51.n = q52.id WHERE NOT EXISTS (SELECT 1 FROM t1 AS s53 WHERE s53.k = q50.k) GROUP BY q51.k, q51.n) AS q49 WHERE q49.c1 NOT IN (SELECT s54.v FROM t1 AS s54) HAVING COUNT(*) >= 0) AS q48 WHERE q48.c0 <= q48.c0;
SELECT DISTINCT q57.v AS c0, q57.id AS c1 FROM t1 AS q57 WHERE q57.v > (SELECT COUNT(*) FROM t1 AS s58 WHERE s58.k = q57.k);
SELECT q62.n AS c0 FROM (SELECT q60.v AS c0, SUM(ABS(1)) AS c1 FROM t1 AS q60 WHERE q60.id >= (SELECT MAX(s61.id) FROM t2 AS s61) GROUP BY q60.v) AS q59 RIGHT JOIN t3 AS q62 ON q59.c0 = q62.n WHERE q59.c0 = q59.c1;
SELECT (q64.c3 LIKE '%b') AS c0 FROM t2 AS q63 JOIN (SELECT q65.w AS c0, q65.k AS c1, COUNT(q65.k) AS c2, MAX(q65.k) AS c3, COUNT(*) AS c4 FROM t2 AS q65 WHERE EXISTS (SELECT 1 FROM t2 AS s66 WHERE s66.k = q65.k) GROUP BY q65.w, q65.k HAVING COUNT(*) > 1) AS q64 ON q63.k = q64.c1 RIGHT JOIN (SELECT q69.id AS c0, q68.k AS c1, COUNT(DISTINCT q68.f) AS c2 FROM t2 AS q68 JOIN t2 AS q69 ON q68.k = q69.k RIGHT JOIN t3 AS q70 ON q69.id = q70.n GROUP BY q69.id, q68.k) AS q67 ON q63.id = q67.c0 WHERE q63.id BETWEEN 0 AND 3;
