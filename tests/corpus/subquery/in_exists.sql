-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- IN, NOT IN, EXISTS, NOT EXISTS in WHERE: uncorrelated and correlated.
CREATE TABLE a (x INT, s STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "p"]
["+I", 2, "q"]
["+I", null, "n"]
{"step": 3}
["+I", 3, "r"]
["+I", 1, "pp"]');
CREATE TABLE b (x INT, t STRING) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "u"]
["+I", 1, "w"]
["+I", 5, "z"]
{"step": 4}
["+I", 3, "r"]
["+I", 2, "q"]');
SELECT s FROM a WHERE x IN (SELECT x FROM b);
SELECT s FROM a WHERE x NOT IN (SELECT x FROM b);
SELECT s FROM a WHERE x IN (SELECT x FROM b WHERE t > 'u');
SELECT s FROM a WHERE x NOT IN (SELECT x FROM b WHERE t > 'u');
SELECT s FROM a WHERE x + 1 IN (SELECT x FROM b);
SELECT s FROM a WHERE (x, s) IN (SELECT x, t FROM b);
SELECT s FROM a WHERE EXISTS (SELECT * FROM b WHERE b.x = a.x);
SELECT s FROM a WHERE NOT EXISTS (SELECT * FROM b WHERE b.x = a.x);
SELECT s FROM a WHERE EXISTS (SELECT * FROM b WHERE b.x > a.x);
SELECT s FROM a WHERE NOT EXISTS (SELECT * FROM b WHERE b.x < a.x);
SELECT s FROM a WHERE EXISTS (SELECT * FROM b WHERE b.x = a.x AND b.t = a.s);
SELECT s FROM a WHERE EXISTS (SELECT * FROM b WHERE b.x = a.x AND b.t < a.s);
SELECT s FROM a WHERE EXISTS (SELECT 1 FROM b);
SELECT s FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE x > 100);
SELECT s FROM a WHERE x IN (SELECT x FROM b) AND s <> 'pp';
SELECT s FROM a WHERE x IN (SELECT x FROM b WHERE b.t > a.s);
SELECT s FROM a WHERE s IN (SELECT t FROM b WHERE b.x = a.x);
SELECT s FROM a WHERE x IN (SELECT MAX(x) FROM b);
SELECT s FROM a WHERE x IN (SELECT COUNT(*) FROM b GROUP BY x);
SELECT s FROM a WHERE x IN (SELECT x FROM b GROUP BY x HAVING COUNT(*) > 1);
SELECT s FROM a WHERE x IN (SELECT x FROM b UNION ALL SELECT 2);
SELECT COUNT(*) FROM a WHERE x IN (SELECT x FROM b);
SELECT s FROM a WHERE x IN (1, 3, 99);
SELECT s FROM a WHERE x NOT IN (1, 3);
SELECT s FROM a WHERE x IN (SELECT x, t FROM b);
