-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- Sub-queries over changing tables: rows enter, leave and return.
CREATE TABLE a (id INT, x INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 10]
["+I", 2, 20]
["+I", 3, null]
{"step": 3}
["-U", 2, 20]
["+U", 2, 30]
{"step": 5}
["-D", 1, 10]');
CREATE TABLE b (x INT) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 10]
["+I", 30]
["+I", 30]
{"step": 4}
["-D", 10]
["+I", null]
["-D", 30]
{"step": 6}
["-D", null]
["-D", 30]');
SELECT id FROM a WHERE x IN (SELECT x FROM b);
SELECT id FROM a WHERE x NOT IN (SELECT x FROM b);
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x = a.x);
SELECT id FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.x = a.x);
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x > a.x);
SELECT id FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.x > a.x);
SELECT id FROM a WHERE x > (SELECT MIN(x) FROM b);
SELECT id, (SELECT MAX(x) FROM b) FROM a;
SELECT id, (SELECT COUNT(*) FROM b WHERE b.x = a.x) FROM a;
SELECT id FROM a WHERE x IN (SELECT x FROM b WHERE x > 15);
SELECT id FROM a WHERE x IN (SELECT x FROM b GROUP BY x HAVING COUNT(*) > 1);
SELECT COUNT(*) FROM a WHERE x IN (SELECT x FROM b);
SELECT id FROM a WHERE 7 NOT IN (SELECT x FROM b);
SELECT id FROM a WHERE 30 IN (SELECT x FROM b);
SELECT DISTINCT x FROM a WHERE x IN (SELECT x FROM b);
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x IS NULL);
