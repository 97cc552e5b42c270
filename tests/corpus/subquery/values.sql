-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- Sub-queries as values: every change of both sides.
CREATE TABLE A (a INT, b BIGINT) WITH ('connector'='script','rows'='
["+I",1,1]
["+I",5,2]
{"step": 3}
["+I",null,3]
{"step": 6}
["+I",7,4]
{"step": 8}
["-D",5,2]');
CREATE TABLE B (x INT, y BIGINT) WITH ('connector'='script','changelog-mode'='all','rows'='
{"step": 2}
["+I",3,1]
{"step": 4}
["+I",6,2]
{"step": 5}
["-D",3,1]
{"step": 7}
["+I",null,2]
{"step": 9}
["+I",0,9]
{"step": 10}
["-D",null,2]
{"step": 11}
["-D",6,2]');
SELECT * FROM A WHERE a > ANY (SELECT x FROM B);
SELECT * FROM A WHERE a > ALL (SELECT x FROM B);
SELECT * FROM A WHERE a IN (SELECT x FROM B) OR b > 3;
SELECT * FROM A WHERE a NOT IN (SELECT x FROM B) OR b > 3;
SELECT * FROM A WHERE a <= SOME (SELECT x FROM B WHERE y < 5);
SELECT * FROM A WHERE a = ANY (SELECT x FROM B) AND b < 10;
SELECT * FROM A WHERE a <> ALL (SELECT x FROM B);
SELECT * FROM A WHERE EXISTS (SELECT * FROM B WHERE y > 1);
SELECT * FROM A WHERE NOT EXISTS (SELECT * FROM B WHERE y > 3);
SELECT a, a IN (SELECT x FROM B) FROM A;
SELECT * FROM A WHERE EXISTS (SELECT * FROM B WHERE y > b) OR a = 7;
SELECT a, (SELECT MAX(x) FROM B WHERE y = b) FROM A;
SELECT a, EXISTS (SELECT 1 FROM B WHERE y = b) FROM A;
SELECT * FROM A WHERE a > (SELECT MAX(x) FROM B);
SELECT a, (SELECT COUNT(*) FROM B WHERE y = b) FROM A;
SELECT a, (SELECT COUNT(*) FROM B) FROM A;
SELECT * FROM A WHERE a < ANY (SELECT x FROM B WHERE y = b);
SELECT * FROM A WHERE (a, b) IN (SELECT x, y FROM B);
SELECT * FROM A WHERE a > (SELECT MIN(x) FROM B WHERE y < b);
SELECT a, CASE WHEN a IN (SELECT x FROM B) THEN 'in' ELSE 'out' END FROM A;
SELECT * FROM A LEFT JOIN (SELECT x, COUNT(*) AS n FROM B GROUP BY x) ON a = x WHERE a > 1;
SELECT * FROM A JOIN B ON a = x WHERE a > 1;
SELECT * FROM A LEFT JOIN B ON a = x WHERE a = 5;
SELECT * FROM A JOIN B ON a = x OR (a IS NULL AND x IS NULL);
SELECT a, b, COUNT(*) FROM A WHERE b = 2 GROUP BY a, b;
SELECT COUNT(*) FROM (SELECT DISTINCT a, b FROM A);
