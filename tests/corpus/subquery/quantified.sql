-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- compare: final
-- SOME, ANY, ALL; IN in boolean expressions; nesting.
CREATE TABLE a (x INT, s STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "p"]
["+I", 4, "q"]
["+I", 9, "r"]
["+I", null, "n"]');
CREATE TABLE b (x INT) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 3]
["+I", 5]');
CREATE TABLE e (x INT) WITH ('connector' = 'script', 'changelog-mode' = 'insert', 'rows' = '');
SELECT s FROM a WHERE x > ANY (SELECT x FROM b);
SELECT s FROM a WHERE x > SOME (SELECT x FROM b);
SELECT s FROM a WHERE x > ALL (SELECT x FROM b);
SELECT s FROM a WHERE x < ANY (SELECT x FROM b);
SELECT s FROM a WHERE x <= ALL (SELECT x FROM b);
SELECT s FROM a WHERE x = ANY (SELECT x + 1 FROM b);
SELECT s FROM a WHERE x <> ALL (SELECT x + 1 FROM b);
SELECT s FROM a WHERE x IN (SELECT x FROM b) OR x > 8;
SELECT s FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x = a.x + 1) OR s = 'r';
SELECT s FROM a WHERE NOT (x IN (SELECT x + 1 FROM b));
SELECT s, x IN (SELECT x + 1 FROM b) FROM a;
SELECT s, EXISTS (SELECT 1 FROM b WHERE b.x > a.x) FROM a;
SELECT s FROM a WHERE x IN (SELECT x + 1 FROM b WHERE x IN (SELECT x FROM b WHERE x < 4));
SELECT s FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x > a.x AND b.x < (SELECT MAX(x) FROM b));
SELECT s FROM a WHERE x IN (SELECT x FROM e);
SELECT s FROM a WHERE x NOT IN (SELECT x FROM e);
SELECT s FROM a WHERE EXISTS (SELECT x FROM e);
SELECT s FROM a WHERE NOT EXISTS (SELECT x FROM e);
SELECT s, (SELECT MAX(x) FROM e) FROM a;
SELECT s FROM a WHERE x = ALL (SELECT 4);
