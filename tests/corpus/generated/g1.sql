-- order: any
-- kept from an earlier form of tools/gen_queries.py
CREATE TABLE t1 (id INT, k STRING, v INT, d DECIMAL(10, 2), b BOOLEAN) WITH ('connector' = 'script', 'rows' = '
["+I", -2, "ab", 4, 2.25, null]
["+I", null, "ab", -3, -0.75, true]
["+I", 2, null, null, 10.0, false]
["+I", 5, "ab", 5, 2.25, false]
["+I", -3, "", -2, -0.75, null]
["+I", 5, "ab", 0, 0.0, true]');
CREATE TABLE t2 (id INT, k STRING, w BIGINT, f DOUBLE) WITH ('connector' = 'script', 'rows' = '
["+I", -3, "B", 3, 2.0]
["+I", 2, null, 0, 0.0]
["+I", 2, "a", 2, 0.0]
["+I", 3, "b", 0, 0.0]
["+I", 5, "", -7, 2.0]
["+I", 6, "a", 10000000000, -1.25]
["+I", 5, "a", 2, -1.25]
["+I", 3, "c", 0, 0.0]
["+I", 2, "a", 10000000000, 0.0]
["+I", -2, "c", null, 0.5]
["+I", null, null, null, -1.25]
["+I", 6, "c", null, 0.0]');
CREATE TABLE t3 (k STRING, n INT) WITH ('connector' = 'script', 'rows' = '
["+I", "B", 4]
["+I", "ab", -3]
["+I", "c", 0]
["+I", "c", 5]
["+I", "", -3]
["+I", "ab", null]');
SELECT q3.n AS c0, q2.n AS c1, MIN((q3.n - q2.n)) AS c2, SUM(DISTINCT COALESCE(5, q3.n)) AS c3, COUNT(DISTINCT q3.k) AS c4 FROM t3 AS q1 JOIN t3 AS q2 ON q1.k = q2.k JOIN t3 AS q3 ON q1.k = q3.k WHERE q1.n > (SELECT COUNT(*) FROM t2 AS s4 WHERE s4.k = q2.k) GROUP BY q3.n, q2.n;
SELECT q6.c2 AS c0, q6.c0 AS c1, q6.c0 AS c2, q8.n AS c3 FROM t3 AS q5 JOIN (SELECT ('b' || 'a') AS c0, q7.k AS c1, q7.id AS c2 FROM t2 AS q7 WHERE q7.w = q7.id) AS q6 ON q5.n = q6.c2 RIGHT JOIN t3 AS q8 ON q5.n = q8.n AND q8.n BETWEEN 0 AND 3 WHERE NOT (q5.k = q6.c1);
SELECT q10.c1 AS c0, q9.v AS c1, ((q10.c1 * 2) + NULLIF(q10.c1, 3)) AS c2, ((q9.id NOT IN (1, 2, 5) AND q10.c1 IS NOT NULL)) AS c3 FROM t1 AS q9 LEFT JOIN (SELECT q11.k AS c0, COUNT(*) AS c1 FROM t1 AS q11 JOIN t1 AS q12 ON q11.k = q12.k WHERE q11.v NOT IN (SELECT s13.id FROM t2 AS s13) GROUP BY q11.k) AS q10 ON q9.k = q10.c0 AND 1 IN (1, 2, 5) WHERE q9.v > (SELECT COUNT(*) FROM t2 AS s14 WHERE s14.k = q10.c0);
SELECT q16.c2 AS c0, SUBSTRING(q16.c2 FROM 1 FOR 1) AS c1 FROM t1 AS q15 JOIN (SELECT q18.d AS c0, COUNT(*) AS c1, MAX(q17.k) AS c2, MAX(q18.k) AS c3 FROM t3 AS q17 LEFT JOIN t1 AS q18 ON q17.k = q18.k WHERE q17.n > (SELECT COUNT(*) FROM t3 AS s19 WHERE s19.k = q18.k) GROUP BY q18.d) AS q16 ON q15.k = q16.c3 AND q15.v BETWEEN 0 AND 3 RIGHT JOIN (SELECT SUBSTRING(q23.k FROM 1 FOR 1) AS c0, (q22.k || q22.k) AS c1, q21.n AS c2, NULLIF(ABS(q23.w), (q21.n + 4)) AS c3 FROM t3 AS q21 JOIN t1 AS q22 ON q21.n = q22.id FULL JOIN t2 AS q23 ON q22.id = q23.id WHERE NOT (q23.id < q21.n)) AS q20 ON q15.k = q20.c1 WHERE q15.v > (SELECT COUNT(*) FROM t3 AS s24 WHERE s24.k = q20.c0);
SELECT q26.id AS c0, q26.f AS c1, q25.n AS c2, q26.k AS c3 FROM t3 AS q25 LEFT JOIN t2 AS q26 ON q25.k = q26.k AND q25.k IS NULL WHERE q26.w = q25.n;
SELECT q32.c1 AS c0, MIN((q32.c3 + q32.c3)) AS c1, COUNT(q32.c2) AS c2 FROM (SELECT q28.w AS c0, MAX(q28.k) AS c1, COUNT(*) AS c2 FROM t2 AS q28 JOIN t3 AS q29 ON q28.k = q29.k AND q28.id IN (1, 2, 5) GROUP BY q28.w HAVING COUNT(*) > 1) AS q27 JOIN (SELECT q33.k AS c0, MAX('x') AS c1, MAX(q34.k) AS c2, COUNT(DISTINCT q34.n) AS c3 FROM t3 AS q33 JOIN t3 AS q34 ON q33.n = q34.n AND q33.n <= 3 WHERE q34.k IS NULL GROUP BY q33.k) AS q32 ON q27.c1 = q32.c2 AND q27.c2 NOT IN (1, 2, 5) WHERE (q27.c2 NOT IN (1, 2, 5) AND 0 IN (1, 2, 5)) GROUP BY q32.c1;
SELECT MOD((q35.w * 2), 3) AS c0 FROM t2 AS q35 WHERE NOT (NOT (q35.k LIKE '%b'));
SELECT SUM(ABS(q36.id)) AS c0, COUNT(q36.d) AS c1 FROM t1 AS q36 WHERE q36.id NOT IN (SELECT s37.id FROM t2 AS s37);
SELECT q42.k AS c0, q38.k AS c1, SUM((q42.v * 2)) AS c2, MIN(q38.id) AS c3 FROM t2 AS q38 JOIN t1 AS q42 ON q38.k = q42.k AND q42.v IS NOT NULL WHERE EXISTS (SELECT 1 FROM t3 AS s43 WHERE s43.k = q42.k) GROUP BY q42.k, q38.k HAVING COUNT(*) > 1;
SELECT 1 AS c0, COALESCE(COALESCE(q44.w, q44.w), (q44.id + q44.id)) AS c1, UPPER('b') AS c2, ((q44.id NOT IN (1, 2, 5) OR q44.id NOT IN (1, 2, 5))) AS c3 FROM t2 AS q44 WHERE 2 IN (1, 2, 5);
SELECT SUM(DISTINCT (q47.c0 + q45.c2)) AS c0, MAX('x') AS c1, MIN(NULLIF(q47.c0, 5)) AS c2 FROM (SELECT q46.k AS c0, COUNT(*) FILTER (WHERE q46.n <= q46.n) AS c1, SUM(q46.n) AS c2, MAX(q46.k) AS c3 FROM t3 AS q46 WHERE (q46.n < q46.n AND q46.k > q46.k) GROUP BY q46.k) AS q45 RIGHT JOIN (SELECT q48.id AS c0, ((q48.id > q48.id AND q48.k LIKE '_')) AS c1, 'b' AS c2, q48.f AS c3 FROM t2 AS q48 WHERE q48.k <> q48.k) AS q47 ON q45.c0 = q47.c2 JOIN (SELECT MAX(q50.k) AS c0, MAX(q50.k) AS c1 FROM t3 AS q50 FULL JOIN t3 AS q51 ON q50.n = q51.n WHERE NOT (q51.k IS NULL) HAVING COUNT(*) >= 0) AS q49 ON q47.c2 = q49.c0 AND q45.c0 <> q45.c0 WHERE q47.c0 > q45.c2;
SELECT DISTINCT MIN((q52.id + 0)) AS c0, COUNT(q52.b) AS c1, COUNT(*) FILTER (WHERE NOT (q52.id IS NOT NULL)) AS c2 FROM t1 AS q52 WHERE ((q52.d IS NOT NULL AND 1 > q52.v) OR q52.id NOT IN (1, 2, 5));
SELECT DISTINCT q53.n AS c0, 'x' AS c1, q53.k AS c2 FROM t3 AS q53 WHERE q53.n = (SELECT MAX(s54.v) FROM t1 AS s54);
SELECT (CASE WHEN q55.c0 <= q55.c0 THEN q55.c0 ELSE 1 END) AS c0, ((q55.c0 < q55.c0 OR q55.c0 <> q55.c0)) AS c1, q55.c2 AS c2, q55.c2 AS c3 FROM (SELECT q56.id AS c0, q56.d AS c1, q56.b AS c2 FROM t1 AS q56) AS q55 WHERE q55.c0 < (SELECT MAX(s57.v) FROM t1 AS s57);
SELECT q59.w AS c0, UPPER(q59.k) AS c1, (ABS(q59.id) - (CASE WHEN 5 IN (1, 2, 5) THEN q59.w ELSE q59.id END)) AS c2, (q58.k <> q59.k) AS c3 FROM t3 AS q58 JOIN t2 AS q59 ON q58.k = q59.k WHERE NOT ((q58.n NOT IN (1, 2, 5) OR q59.k LIKE '_'));
SELECT q60.c0 AS c0, COUNT(*) AS c1 FROM (SELECT q62.id AS c0 FROM t3 AS q61 RIGHT JOIN t1 AS q62 ON q61.n = q62.v WHERE q62.v < q62.id) AS q60 WHERE ((q60.c0 IS NOT NULL OR 1 > q60.c0) AND q60.c0 <> q60.c0) GROUP BY q60.c0;
SELECT q67.d AS c0, NULLIF(q67.id, (CASE WHEN q67.k IS NOT NULL THEN q67.v ELSE q67.id END)) AS c1, q67.v AS c2 FROM t1 AS q67 WHERE (5 NOT IN (1, 2, 5) OR (3 BETWEEN 0 AND 3 OR q67.id <= q67.v));
SELECT q68.c1 AS c0, q68.c0 AS c1, q68.c1 AS c2 FROM (SELECT q69.id AS c0, q69.d AS c1, q69.v AS c2 FROM t1 AS q69 WHERE q69.v >= q69.v) AS q68;
SELECT k FROM t1 UNION SELECT k FROM t1;
SELECT DISTINCT q73.v AS c0, q73.d AS c1 FROM (SELECT q71.k AS c0, (ABS(q71.id) * 2) AS c1, (q71.v IS NOT NULL) AS c2, (q71.id = 1) AS c3 FROM t1 AS q71) AS q70 RIGHT JOIN t2 AS q72 ON q70.c0 = q72.k JOIN t1 AS q73 ON q72.k = q73.k WHERE q70.c0 LIKE '%b';
SELECT q74.k AS c0 FROM t2 AS q74 FULL JOIN (SELECT q76.k AS c0 FROM t1 AS q76 FULL JOIN t3 AS q77 ON q76.k = q77.k FULL JOIN t3 AS q78 ON q77.n = q78.n) AS q75 ON q74.k = q75.c0 WHERE q74.id > (SELECT COUNT(*) FROM t3 AS s79 WHERE s79.k = q74.k);
SELECT q80.c1 AS c0, ABS(5) AS c1, q83.f AS c2, q83.id AS c3 FROM (SELECT (q81.id + MOD(q81.id, 3)) AS c0, NULLIF((CASE WHEN q81.id > 3 THEN q81.w ELSE q81.w END), (q81.w * 2)) AS c1, q81.k AS c2 FROM t2 AS q81 WHERE q81.id >= (SELECT MAX(s82.n) FROM t3 AS s82)) AS q80 RIGHT JOIN t2 AS q83 ON q80.c2 = q83.k AND q83.k LIKE '_' RIGHT JOIN t2 AS q84 ON q83.id = q84.id;
SELECT q85.c2 AS c0, q85.c0 AS c1 FROM (SELECT q87.k AS c0, q87.w AS c1, (q86.k || q87.k) AS c2 FROM t1 AS q86 RIGHT JOIN t2 AS q87 ON q86.k = q87.k AND 0 <= q86.v JOIN t1 AS q88 ON q87.id = q88.v WHERE EXISTS (SELECT 1 FROM t1 AS s89 WHERE s89.k = q87.k)) AS q85 RIGHT JOIN t1 AS q90 ON q85.c0 = q90.k FULL JOIN t3 AS q91 ON q90.v = q91.n WHERE 3 NOT IN (1, 2, 5);
SELECT ((q92.c0 - q92.c0) + q92.c0) AS c0, (CASE WHEN NOT (q92.c0 < 4) THEN COALESCE(q92.c0, q92.c0) ELSE MOD(q92.c0, 3) END) AS c1, q92.c0 AS c2, (ABS(q92.c0) * 2) AS c3 FROM (SELECT q93.v AS c0 FROM t1 AS q93) AS q92 WHERE (NOT (q92.c0 > q92.c0) AND 4 <= q92.c0);
SELECT q95.k AS c0, MAX(q94.k) AS c1, MIN(q94.n) AS c2, COUNT(*) FILTER (WHERE NOT (q95.n IS NOT NULL)) AS c3 FROM t3 AS q94 LEFT JOIN t3 AS q95 ON q94.k = q95.k FULL JOIN t3 AS q96 ON q95.k = q96.k AND q95.n BETWEEN 0 AND 3 WHERE NOT (3 <= q94.n) GROUP BY q95.k HAVING COUNT(*) > 1;
