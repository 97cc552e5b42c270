-- order: any
-- kept from an earlier form of tools/gen_queries.py
CREATE TABLE t1 (id INT, k STRING, v INT, d DECIMAL(10, 2), b BOOLEAN) WITH ('connector' = 'script', 'rows' = '
["+I", 5, null, 0, 2.25, null]
["+I", 0, "a", -3, 10.0, false]
["+I", -1, "a", null, 2.25, null]
["+I", -3, "b", -1, -0.75, true]
["+I", 0, "B", 3, -0.75, false]
["+I", 2, "", 6, -0.75, null]
["+I", 1, "c", 4, 1.5, false]
["+I", 2, "a", 3, 0.0, true]');
CREATE TABLE t2 (id INT, k STRING, w BIGINT, f DOUBLE) WITH ('connector' = 'script', 'rows' = '
["+I", 0, null, 3, 2.0]
["+I", 1, "a", 2, 0.5]
["+I", -2, "", 1, 0.0]
["+I", null, "c", 0, 2.0]
["+I", -1, "a", -7, 0.5]
["+I", 6, "c", 3, null]');
CREATE TABLE t3 (k STRING, n INT) WITH ('connector' = 'script', 'rows' = '
["+I", "c", -1]
["+I", "", 3]
["+I", null, -1]
["+I", null, -1]');
SELECT q1.c1 AS c0, MOD(ABS(q1.c0), 3) AS c1 FROM (SELECT COUNT(*) FILTER (WHERE (q2.c0 IS NOT NULL OR q2.c0 IN (1, 2, 5))) AS c0, SUM(DISTINCT (CASE WHEN q2.c0 <= q2.c0 THEN q2.c0 ELSE q2.c0 END)) AS c1 FROM (SELECT COUNT(*) AS c0 FROM t3 AS q3 RIGHT JOIN t2 AS q4 ON q3.n = q4.id WHERE NOT (q4.id <> q4.w) HAVING COUNT(*) >= 0) AS q2 WHERE (NOT (q2.c0 <= q2.c0) OR (TRUE AND q2.c0 <= q2.c0)) HAVING COUNT(*) >= 0) AS q1 WHERE q1.c0 IS NOT NULL;
SELECT k FROM t1 EXCEPT SELECT k FROM t3;
SELECT q11.f AS c0 FROM t2 AS q11 JOIN t2 AS q12 ON q11.k = q12.k;
SELECT k FROM t1 UNION ALL SELECT k FROM t3;
SELECT q14.c2 AS c0, q14.c1 AS c1, 'x' AS c2, q14.c1 AS c3 FROM t1 AS q13 LEFT JOIN (SELECT SUM(DISTINCT (q15.id * 2)) AS c0, MAX('x') AS c1, MIN(q15.v) AS c2 FROM t1 AS q15 WHERE EXISTS (SELECT 1 FROM t1 AS s16 WHERE s16.k = q15.k) HAVING COUNT(*) >= 0) AS q14 ON q13.k = q14.c1 WHERE q13.v IN (SELECT s17.n FROM t3 AS s17);
SELECT MIN(2) AS c0, COUNT(DISTINCT q18.f) AS c1 FROM t2 AS q18;
SELECT ABS(COALESCE(q23.n, q24.n)) AS c0, 'a' AS c1 FROM t3 AS q23 LEFT JOIN t3 AS q24 ON q23.k = q24.k;
SELECT DISTINCT NULLIF(MOD(q25.v, 3), (q25.v - q25.id)) AS c0, q25.k AS c1, (NULLIF(5, q25.id) + (CASE WHEN q25.v = q25.id THEN 5 ELSE q25.id END)) AS c2 FROM t1 AS q25;
SELECT DISTINCT MOD((4 + q26.c0), 3) AS c0, q26.c0 AS c1 FROM (SELECT q27.w AS c0, q28.v AS c1 FROM t2 AS q27 LEFT JOIN t1 AS q28 ON q27.id = q28.id JOIN t2 AS q29 ON q27.k = q29.k) AS q26;
SELECT (CASE WHEN NOT (q30.k = q30.k) THEN ABS(q30.id) ELSE q30.v END) AS c0 FROM t1 AS q30 WHERE NOT (q30.k > q30.k);
SELECT k FROM t2 INTERSECT SELECT k FROM t2;
SELECT q31.b AS c0, ((q31.v - q31.v) - q31.id) AS c1 FROM t1 AS q31 WHERE (q31.v <= q31.id AND q31.id IS NOT NULL);
SELECT q32.id AS c0 FROM t2 AS q32 JOIN t3 AS q33 ON q32.id = q33.n AND q33.k LIKE 'a%' WHERE q32.id NOT IN (SELECT s34.n FROM t3 AS s34);
SELECT q37.id AS c0, q36.b AS c1, ((q37.w <= 3 OR 1 BETWEEN 0 AND 3)) AS c2, q37.w AS c3 FROM t1 AS q35 LEFT JOIN t1 AS q36 ON q35.v = q36.v JOIN t2 AS q37 ON q35.k = q37.k WHERE q36.v IN (SELECT s38.v FROM t1 AS s38);
SELECT q39.k AS c0, COUNT(*) AS c1 FROM t2 AS q39 WHERE q39.id <> q39.w GROUP BY q39.k HAVING COUNT(*) > 1;
SELECT (NOT (q40.c0 = q40.c0)) AS c0, (q40.c0 = q40.c0) AS c1, ((q40.c0 BETWEEN 0 AND 3 AND 3 NOT IN (1, 2, 5))) AS c2, (CASE WHEN NOT (q40.c0 BETWEEN 0 AND 3) THEN q40.c0 ELSE q40.c0 END) AS c3 FROM (SELECT q41.c3 AS c0, q41.c1 AS c1 FROM (SELECT DISTINCT (q43.v <> q42.id) AS c0, q42.d AS c1, q43.d AS c2, q42.v AS c3 FROM t1 AS q42 RIGHT JOIN t1 AS q43 ON q42.id = q43.id) AS q41 WHERE (2 > q41.c3 OR (q41.c3 = q41.c3 AND q41.c2 IS NOT NULL))) AS q40 WHERE 5 < q40.c0;
SELECT (q49.w < q47.id) AS c0 FROM t2 AS q47 JOIN t1 AS q48 ON q47.k = q48.k AND q48.k IS NOT NULL JOIN t2 AS q49 ON q48.k = q49.k;
SELECT SUM(DISTINCT q50.w) AS c0, SUM(DISTINCT q51.id) AS c1, COUNT(q50.id) AS c2 FROM t2 AS q50 RIGHT JOIN t2 AS q51 ON q50.id = q51.id WHERE q50.w BETWEEN 0 AND 3;
SELECT q52.c1 AS c0, MAX(q57.k) AS c1, MIN((CASE WHEN q57.w = q57.w THEN q52.c0 ELSE q52.c2 END)) AS c2, COUNT(q52.c1) AS c3 FROM (SELECT MOD(MOD(q53.n, 3), 3) AS c0, (q53.n BETWEEN 0 AND 3) AS c1, q53.n AS c2 FROM t3 AS q53 WHERE q53.n < (SELECT MAX(s54.n) FROM t3 AS s54)) AS q52 FULL JOIN t2 AS q57 ON q52.c2 = q57.id AND q57.k > q57.k WHERE q52.c0 BETWEEN 0 AND 3 GROUP BY q52.c1;
SELECT COALESCE(NULLIF(q58.c1, q58.c1), q58.c1) AS c0, q58.c0 AS c1, q58.c1 AS c2, q58.c1 AS c3 FROM (SELECT COUNT(q60.d) AS c0, COUNT(q60.d) AS c1 FROM t2 AS q59 FULL JOIN t1 AS q60 ON q59.k = q60.k AND q60.k = q60.k HAVING COUNT(*) >= 0) AS q58;
SELECT q63.b AS c0, q63.v AS c1, q63.v AS c2 FROM t2 AS q62 RIGHT JOIN t1 AS q63 ON q62.id = q63.id WHERE q63.id NOT IN (SELECT s64.v FROM t1 AS s64);
SELECT MIN((q65.n - 2)) AS c0 FROM t3 AS q65 JOIN t2 AS q66 ON q65.n = q66.id AND q66.w BETWEEN 0 AND 3 RIGHT JOIN t1 AS q67 ON q66.id = q67.v;
SELECT MOD(q68.v, 3) AS c0, COALESCE(q68.k, 'z') AS c1, q68.k AS c2 FROM t1 AS q68 WHERE q68.id > (SELECT COUNT(*) FROM t3 AS s69 WHERE s69.k = q68.k);
SELECT (q71.c0 LIKE '_') AS c0, q70.id AS c1 FROM t2 AS q70 JOIN (SELECT COALESCE(q72.k, 'z') AS c0 FROM t3 AS q72 JOIN t1 AS q73 ON q72.k = q73.k WHERE ((q72.k LIKE '%b' AND q72.k < q73.k) OR NOT (q72.n < q73.id))) AS q71 ON q70.k = q71.c0 WHERE EXISTS (SELECT 1 FROM t3 AS s74 WHERE s74.k = q71.c0);
SELECT (MOD(q75.v, 3) - ABS(3)) AS c0, q75.v AS c1, ('b' || q75.k) AS c2 FROM t1 AS q75 WHERE q75.v >= (SELECT MAX(s76.id) FROM t2 AS s76);
