-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- compare: final
-- IN, NOT IN, EXISTS, scalar sub-queries with NULLs on either side, over changes, combined with AND, OR and NOT, nested.
CREATE TABLE a (id INT, x INT, s STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1, "p"]
["+I", 2, null, "q"]
["+I", 3, 3, null]
{"step": 3}
["-U", 1, 1, "p"]
["+U", 1, 2, "p"]
["-D", 2, null, "q"]');
CREATE TABLE b (x INT, t STRING, n BIGINT) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "p", 10]
["+I", 2, null, 20]
{"step": 4}
["+I", null, "q", 30]
{"step": 5}
["-D", null, "q", 30]
["-D", 1, "p", 10]');
SELECT id FROM a WHERE x NOT IN (SELECT x FROM b);
SELECT id FROM a WHERE x IN (SELECT x FROM b);
SELECT id FROM a WHERE NOT (x IN (SELECT x FROM b));
SELECT id FROM a WHERE x IN (SELECT x FROM b) OR s = 'q';
SELECT id FROM a WHERE x IN (SELECT x FROM b) AND s IN (SELECT t FROM b);
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x = a.x) OR id = 3;
SELECT id FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.x = a.x) AND id < 3;
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x = a.x AND b.t IS NULL);
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x = a.x) = TRUE;
SELECT id, (SELECT MAX(n) FROM b) FROM a;
SELECT id, (SELECT MAX(n) FROM b WHERE b.x = a.x) FROM a;
SELECT id, (SELECT COUNT(*) FROM b WHERE b.x = a.x) FROM a;
SELECT id FROM a WHERE x = (SELECT MAX(x) FROM b);
SELECT id FROM a WHERE x < (SELECT MAX(x) FROM b WHERE b.x <> a.id);
SELECT id FROM a WHERE (SELECT COUNT(*) FROM b WHERE b.x = a.x) = 0;
SELECT id FROM a WHERE (SELECT COUNT(*) FROM b WHERE b.x = a.x) > 0;
SELECT id FROM a WHERE (x, s) IN (SELECT x, t FROM b);
SELECT id FROM a WHERE (x, s) NOT IN (SELECT x, t FROM b WHERE x IS NOT NULL AND t IS NOT NULL);
SELECT id FROM a WHERE (x, 'p') IN (SELECT x, t FROM b);
SELECT id FROM a WHERE x = SOME (SELECT x FROM b);
SELECT id FROM a WHERE x = ANY (SELECT x FROM b);
SELECT id FROM a WHERE x > ANY (SELECT x FROM b);
SELECT id FROM a WHERE x <> ALL (SELECT x FROM b);
SELECT id FROM a WHERE x >= ALL (SELECT x FROM b);
SELECT id FROM a WHERE x IN (SELECT x FROM b INTERSECT SELECT x FROM a);
SELECT id FROM a WHERE x IN (SELECT x FROM b EXCEPT SELECT 2);
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x = a.x AND EXISTS (SELECT 1 FROM a a2 WHERE a2.s = b.t));
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x IN (SELECT x FROM a WHERE s = 'p'));
SELECT id FROM a WHERE x IN (SELECT x FROM b WHERE n > (SELECT MIN(n) FROM b));
SELECT id FROM a WHERE EXISTS (SELECT x FROM b WHERE b.x = a.x GROUP BY x HAVING COUNT(*) > 0);
SELECT id FROM a WHERE EXISTS (SELECT DISTINCT t FROM b WHERE b.x = a.x);
SELECT s, COUNT(*) FROM a WHERE x IN (SELECT x FROM b) GROUP BY s;
SELECT s, COUNT(*) FROM a GROUP BY s HAVING COUNT(*) > (SELECT COUNT(*) FROM b);
SELECT s, COUNT(*) FROM a GROUP BY s HAVING s IN (SELECT t FROM b);
SELECT CASE WHEN x IN (SELECT x FROM b) THEN 'in' ELSE 'out' END FROM a;
SELECT id, x IN (SELECT x FROM b) FROM a;
SELECT id FROM a WHERE x IN (1, 2, NULL);
SELECT id FROM a WHERE x NOT IN (1, NULL);
SELECT id FROM a WHERE x IN (CAST(NULL AS INT));
SELECT id FROM a WHERE EXISTS (SELECT * FROM b);
SELECT id FROM a WHERE NOT EXISTS (SELECT * FROM b WHERE x > 5);
SELECT id FROM a WHERE x IN (SELECT n FROM b);
SELECT id FROM a WHERE x = (SELECT x FROM b);
SELECT id FROM a WHERE x = (SELECT x, n FROM b);
SELECT (SELECT x FROM b WHERE t = 'p'), id FROM a;
WITH q AS (SELECT x FROM b WHERE t IS NOT NULL) SELECT id FROM a WHERE x IN (SELECT x FROM q) OR x + 1 IN (SELECT x FROM q);
