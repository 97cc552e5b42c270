-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- compare: final
-- Sub-queries that see one table twice, whose parts come in any order.
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
SELECT id FROM a WHERE NOT (x NOT IN (SELECT x FROM b));
SELECT id FROM a WHERE x IN (SELECT x FROM b) OR s IN (SELECT t FROM b);
SELECT id FROM a WHERE x IN (SELECT x FROM b) AND s NOT IN (SELECT t FROM b WHERE t IS NOT NULL);
SELECT id FROM a WHERE x NOT IN (SELECT x FROM b) OR s IS NULL;
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x IS NOT DISTINCT FROM a.x);
SELECT a.id, b.n FROM a LEFT JOIN b ON a.x = b.x WHERE a.s IN (SELECT t FROM b);
