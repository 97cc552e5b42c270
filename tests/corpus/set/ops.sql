-- order: any
CREATE TABLE a (x INT, s STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "p"]
["+I", 1, "p"]
["+I", 2, "q"]
["+I", null, null]
["+I", null, null]');
CREATE TABLE b (x INT, s STRING) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "p"]
["+I", null, null]
["+I", 3, "r"]');
SELECT * FROM a UNION ALL SELECT * FROM b;
SELECT * FROM a UNION SELECT * FROM b;
SELECT * FROM a INTERSECT SELECT * FROM b;
SELECT * FROM a INTERSECT ALL SELECT * FROM b;
SELECT * FROM a EXCEPT SELECT * FROM b;
SELECT * FROM a EXCEPT ALL SELECT * FROM b;
SELECT x FROM a WHERE x NOT IN (SELECT x FROM b);
SELECT x FROM a WHERE x NOT IN (SELECT x FROM b WHERE x IS NOT NULL);
SELECT x, (SELECT MAX(x) FROM b) FROM a;
SELECT x FROM a WHERE x = (SELECT MIN(x) FROM b);
SELECT COUNT(*) FROM (SELECT x FROM a UNION ALL SELECT x FROM b);
SELECT x, 'c' AS t FROM a UNION ALL SELECT 5, 'longer';
SELECT x FROM a UNION ALL SELECT s FROM b;
SELECT x FROM a UNION ALL SELECT x, s FROM b;
