-- order: any
-- kept from an earlier form of tools/gen_queries.py
CREATE TABLE t1 (id INT, k STRING, v INT, d DECIMAL(10, 2), b BOOLEAN) WITH ('connector' = 'script', 'rows' = '
["+I", null, "b", 1, 2.25, false]
["+I", 3, "B", 5, 0.0, false]
["+I", -3, "c", 3, 0.0, true]
["+I", -1, "b", 2, 0.0, false]');
CREATE TABLE t2 (id INT, k STRING, w BIGINT, f DOUBLE) WITH ('connector' = 'script', 'rows' = '
["+I", 2, "c", 3, 100.0]
["+I", 4, "b", 3, 2.0]
["+I", 4, "ab", 10000000000, 100.0]
["+I", 0, "B", -7, 100.0]
["+I", 5, "", -7, -1.25]
["+I", 2, "", 2, -1.25]
["+I", -2, null, 2, 0.5]
["+I", -1, "b", 0, 0.5]
["+I", null, "b", 0, null]
["+I", null, null, 2, -1.25]');
CREATE TABLE t3 (k STRING, n INT) WITH ('connector' = 'script', 'rows' = '
["+I", "a", -3]
["+I", "b", -3]
["+I", null, -2]
["+I", "ab", null]
["+I", "", 1]
["+I", "", 4]');
SELECT q1.k AS c0, q1.n AS c1, ((4 < 2 OR q1.n BETWEEN 0 AND 3)) AS c2, q1.n AS c3 FROM t3 AS q1 WHERE q1.n > (SELECT COUNT(*) FROM t3 AS s5 WHERE s5.k = q1.k);
SELECT q7.w AS c0, q6.id AS c1, COUNT(*) FILTER (WHERE (q7.k LIKE '%b' AND q7.k IS NULL)) AS c2, COUNT(*) FILTER (WHERE q7.k IS NULL) AS c3, COUNT(DISTINCT q7.w) AS c4 FROM t1 AS q6 RIGHT JOIN t2 AS q7 ON q6.v = q7.id AND q7.k > q6.k WHERE q7.id >= q6.id GROUP BY q7.w, q6.id;
SELECT ((q8.n * 2) - MOD(5, 3)) AS c0, q8.k AS c1, ABS((q8.n + q8.n)) AS c2, q8.n AS c3 FROM t3 AS q8 WHERE q8.n IS NOT NULL;
SELECT q10.k AS c0, q10.w AS c1, MAX(q10.k) AS c2, COUNT(*) AS c3, SUM((q9.w - q9.id)) AS c4 FROM t2 AS q9 FULL JOIN t2 AS q10 ON q9.k = q10.k WHERE q10.id > (SELECT COUNT(*) FROM t3 AS s11 WHERE s11.k = q10.k) GROUP BY q10.k, q10.w;
SELECT q17.b AS c0 FROM t3 AS q12 LEFT JOIN t1 AS q17 ON q12.n = q17.v;
SELECT k FROM t2 UNION ALL SELECT k FROM t1;
SELECT SUBSTRING(q20.c0 FROM 1 FOR 1) AS c0, q20.c2 AS c1, NULLIF(q20.c1, ABS(q20.c2)) AS c2, MOD(NULLIF(q19.v, 1), 3) AS c3 FROM t1 AS q18 JOIN t1 AS q19 ON q18.id = q19.v RIGHT JOIN (SELECT q21.k AS c0, MIN(q21.n) AS c1, SUM((q22.n * 2)) AS c2, COUNT(q21.k) AS c3 FROM t3 AS q21 RIGHT JOIN t3 AS q22 ON q21.k = q22.k AND q22.n <> q22.n WHERE NOT ((1 >= q21.n OR q22.n BETWEEN 0 AND 3)) GROUP BY q21.k) AS q20 ON q18.k = q20.c0 WHERE NOT EXISTS (SELECT 1 FROM t3 AS s23 WHERE s23.k = q18.k);
SELECT ABS(q24.c0) AS c0, q24.c0 AS c1, q24.c0 AS c2 FROM (SELECT q25.id AS c0 FROM t1 AS q25 WHERE q25.id > q25.id) AS q24 WHERE q24.c0 < 2;
SELECT (NOT (q28.k LIKE '_')) AS c0 FROM t3 AS q27 FULL JOIN t2 AS q28 ON q27.k = q28.k AND q27.n BETWEEN 0 AND 3;
SELECT q29.k AS c0, (ABS(q29.w) * 2) AS c1, ABS((q29.id + q29.id)) AS c2 FROM t2 AS q29 WHERE q29.id > (SELECT COUNT(*) FROM t1 AS s30 WHERE s30.k = q29.k);
SELECT (q31.c0 < q31.c0) AS c0, q31.c0 AS c1 FROM (SELECT COUNT(q35.v) AS c0, COUNT(*) AS c1 FROM (SELECT q33.id AS c0, ((q33.id * 2) * 2) AS c1 FROM t1 AS q33 WHERE (NOT (q33.k LIKE '%b') AND q33.id <= q33.id)) AS q32 JOIN t2 AS q34 ON q32.c0 = q34.id LEFT JOIN t1 AS q35 ON q32.c0 = q35.v HAVING COUNT(*) >= 0) AS q31;
SELECT q37.k AS c0, q37.id AS c1, q37.id AS c2, q37.w AS c3 FROM t2 AS q37 WHERE EXISTS (SELECT 1 FROM t2 AS s38 WHERE s38.k = q37.k);
SELECT k FROM t1 EXCEPT ALL SELECT k FROM t1;
SELECT q39.v AS c0, COUNT(*) FILTER (WHERE (q39.k <> 'b' AND q39.k = q39.k)) AS c1, COUNT(q39.k) AS c2, MIN(MOD(q39.v, 3)) AS c3 FROM t1 AS q39 WHERE (q39.id <> q39.v OR (q39.v > q39.v OR 3 BETWEEN 0 AND 3)) GROUP BY q39.v HAVING COUNT(*) > 1;
SELECT q40.k AS c0 FROM t3 AS q40 WHERE q40.n < 0;
SELECT SUM(DISTINCT (CASE WHEN 1 = q42.id THEN q41.w ELSE q41.w END)) AS c0, COUNT(q42.id) AS c1, MAX('a') AS c2 FROM t2 AS q41 JOIN t1 AS q42 ON q41.id = q42.id WHERE NOT EXISTS (SELECT 1 FROM t1 AS s43 WHERE s43.k = q41.k);
SELECT MIN(0) AS c0, COUNT(*) AS c1 FROM t1 AS q44 WHERE (q44.id <= q44.v AND q44.v = 0);
SELECT (MOD(q45.c1, 3) * 2) AS c0, q45.c0 AS c1, q45.c1 AS c2 FROM (SELECT MIN(q49.id) AS c0, COUNT(*) FILTER (WHERE q46.c1 LIKE '%b') AS c1, SUM(DISTINCT NULLIF(1, q49.id)) AS c2 FROM (SELECT DISTINCT q47.k AS c0, q47.k AS c1 FROM t1 AS q47 WHERE q47.id NOT IN (SELECT s48.n FROM t3 AS s48)) AS q46 JOIN t2 AS q49 ON q46.c0 = q49.k HAVING COUNT(*) >= 0) AS q45 WHERE q45.c2 < 1;
SELECT k FROM t1 UNION ALL SELECT k FROM t3;
SELECT q51.k AS c0 FROM t3 AS q51 FULL JOIN t1 AS q52 ON q51.n = q52.v AND q51.n = 2 WHERE (q51.k = q51.k OR q52.v BETWEEN 0 AND 3);
SELECT SUM(q53.id) AS c0, SUM(DISTINCT (3 + q53.v)) AS c1, MAX(q53.k) AS c2 FROM t1 AS q53 WHERE q53.v > (SELECT COUNT(*) FROM t3 AS s54 WHERE s54.k = q53.k);
SELECT COUNT(DISTINCT q55.d) AS c0, SUM(DISTINCT q55.id) AS c1, COUNT(*) FILTER (WHERE q55.id BETWEEN 0 AND 3) AS c2 FROM t1 AS q55;
SELECT q56.n AS c0 FROM t3 AS q56 WHERE ((q56.n IS NOT NULL OR q56.n > q56.n) OR (q56.n <> q56.n OR q56.n IS NULL));
SELECT q57.n AS c0, q57.k AS c1 FROM t3 AS q57 WHERE 'x' <> q57.k;
SELECT k FROM t3 UNION SELECT k FROM t2;
