-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- Scalar sub-queries: in the select list, in WHERE, in HAVING; correlated; more than one row.
CREATE TABLE a (x INT, s STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "p"]
["+I", 2, "q"]
{"step": 3}
["+I", 4, "r"]');
CREATE TABLE b (x INT, w INT) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 2, 10]
["+I", 2, 30]
{"step": 4}
["+I", 4, 5]');
SELECT s, (SELECT MAX(w) FROM b) FROM a;
SELECT s FROM a WHERE x = (SELECT MIN(x) FROM b);
SELECT s FROM a WHERE x < (SELECT MAX(x) FROM b);
SELECT s, (SELECT SUM(w) FROM b WHERE b.x = a.x) FROM a;
SELECT s, (SELECT MAX(w) FROM b WHERE b.x = a.x) FROM a;
SELECT s FROM a WHERE x * 10 < (SELECT MAX(w) FROM b WHERE b.x = a.x);
SELECT s FROM a WHERE (SELECT MAX(w) FROM b WHERE b.x = a.x) > 9;
SELECT s, x + (SELECT MIN(w) FROM b) FROM a;
SELECT s, (SELECT MIN(w) FROM b) + (SELECT MAX(w) FROM b) FROM a;
SELECT s, (SELECT 5) FROM a;
SELECT s, COALESCE((SELECT MAX(w) FROM b WHERE b.x = a.x), -1) FROM a;
SELECT (SELECT MAX(w) FROM b) AS m;
SELECT s FROM a WHERE x > (SELECT AVG(x) FROM b);
SELECT s, CASE WHEN x > (SELECT MIN(x) FROM b) THEN 'above' ELSE 'not' END FROM a;
SELECT s, (SELECT MAX(w) FROM b) IS NULL FROM a;
SELECT s, (SELECT x, w FROM b) FROM a;
SELECT s, (SELECT t.w FROM b t WHERE t.w = 5) FROM a;
