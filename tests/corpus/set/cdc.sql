-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- Set operations over changing tables.
CREATE TABLE a (x INT, s STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "p"]
["+I", 2, "q"]
["+I", 1, "p"]
{"step": 3}
["-D", 1, "p"]
["-U", 2, "q"]
["+U", 2, "qq"]
{"step": 5}
["+I", null, null]
["-D", 1, "p"]');
CREATE TABLE b (x INT, s STRING) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "p"]
["+I", 3, "r"]
{"step": 4}
["-D", 1, "p"]
["+I", 2, "qq"]
["+I", null, null]
{"step": 6}
["-U", 3, "r"]
["+U", 3, "rr"]
["-D", 3, "rr"]');
SELECT * FROM a UNION ALL SELECT * FROM b;
SELECT * FROM a UNION SELECT * FROM b;
SELECT * FROM a INTERSECT SELECT * FROM b;
SELECT * FROM a INTERSECT ALL SELECT * FROM b;
SELECT * FROM a EXCEPT SELECT * FROM b;
SELECT * FROM a EXCEPT ALL SELECT * FROM b;
SELECT * FROM b EXCEPT SELECT * FROM a;
SELECT * FROM b EXCEPT ALL SELECT * FROM a;
SELECT x FROM a UNION SELECT x FROM b;
SELECT x, COUNT(*) FROM (SELECT x FROM a UNION ALL SELECT x FROM b) GROUP BY x;
SELECT COUNT(*) FROM (SELECT * FROM a EXCEPT SELECT * FROM b);
SELECT x FROM (SELECT * FROM a UNION SELECT * FROM b) WHERE s > 'p';
SELECT COUNT(*) FROM (SELECT x FROM a UNION SELECT x FROM b);
SELECT * FROM a UNION ALL SELECT * FROM a;
SELECT x FROM a EXCEPT SELECT x FROM b UNION ALL SELECT 9;
