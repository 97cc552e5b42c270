-- SPDX-License-Identifier: Apache-2.0
-- Plans of tests/plans/constants.sql that are Flink's to the letter.
-- modes: batch
-- batch: no
-- conf: weir.explain.state=false
CREATE TABLE MyTable (a INT, b BIGINT, c STRING, d TIMESTAMP(3)) WITH ('connector'='script','rows'='["+I",1,1,"a",null]');
CREATE TABLE MyTable1 (a1 INT, b1 BIGINT, c1 STRING) WITH ('connector'='script','rows'='["+I",1,1,"a"]');
CREATE TABLE MyTable2 (a2 INT NOT NULL, b2 DOUBLE, c2 VARCHAR(10), d2 DECIMAL(10,2), e2 BOOLEAN, f2 DATE) WITH ('connector'='script','rows'='["+I",1,1,"a",1,true,"2020-01-01"]');
CREATE TABLE pk1 (id INT, name STRING, v BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector'='script','rows'='["+I",1,"a",1]');
CREATE TABLE pk2 (x INT, y INT, z STRING, PRIMARY KEY (x, y) NOT ENFORCED) WITH ('connector'='script','rows'='["+I",1,1,"a"]');
CREATE TABLE ord (order_id BIGINT, cust STRING, item STRING, price DECIMAL(10,2), qty INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector'='script','rows'='["+I",1,"c","i",1,1,"2020-01-01 00:00:00"]');
CREATE TABLE gen (id INT, k STRING, v BIGINT) WITH ('connector'='datagen','number-of-rows'='10');
CREATE TABLE fs (id INT, k STRING, v BIGINT, p STRING) PARTITIONED BY (p) WITH ('connector'='filesystem','path'='/tmp/none_such','format'='csv');
CREATE TABLE nest (id INT, arr ARRAY<INT>, m MAP<STRING,INT>, r ROW<x INT, y ROW<z STRING, w INT>>, ra ARRAY<ROW<p INT, q STRING>>) WITH ('connector'='script','rows'='["+I",1,null,null,null,null]');
EXPLAIN SELECT a, b1 FROM MyTable LEFT JOIN MyTable1 ON a = a1 WHERE a > 1;
EXPLAIN SELECT a, b1 FROM MyTable RIGHT JOIN MyTable1 ON a = a1 WHERE a1 > 1;
EXPLAIN SELECT a, b1 FROM MyTable FULL JOIN MyTable1 ON a = a1 WHERE a1 > 1;
EXPLAIN SELECT a, b1 FROM MyTable JOIN MyTable1 ON a = a1 AND b = b1 WHERE a > 1 AND a + b > 3;
EXPLAIN SELECT a, b1 FROM MyTable JOIN MyTable1 ON c = c1 WHERE c LIKE 'x%';
EXPLAIN SELECT a, b1 FROM MyTable JOIN MyTable1 ON c = c1 WHERE UPPER(c) = 'X';
EXPLAIN SELECT a, b1 FROM MyTable JOIN MyTable1 ON a = a1 WHERE a IN (1, 2);
EXPLAIN SELECT a, b1 FROM MyTable JOIN MyTable1 ON a = a1 WHERE a > 1 AND a1 < 5;
EXPLAIN SELECT a, b1 FROM MyTable JOIN MyTable1 ON a = a1 WHERE a IS NOT NULL;
EXPLAIN SELECT * FROM MyTable WHERE a IN (SELECT a1 FROM MyTable1) AND a > 5;
EXPLAIN SELECT * FROM MyTable WHERE a IN (SELECT a1 FROM MyTable1 WHERE a1 > 5);
EXPLAIN SELECT * FROM MyTable WHERE a > 5 AND NOT EXISTS (SELECT * FROM MyTable1 WHERE a1 = a);
EXPLAIN SELECT * FROM (SELECT a, COUNT(*) AS n FROM MyTable GROUP BY a) JOIN MyTable1 ON n = b1 WHERE n > 3;
EXPLAIN SELECT x.a FROM (SELECT a, b FROM MyTable WHERE b > 3) x JOIN (SELECT a1, b1 FROM MyTable1 WHERE b1 < 8) y ON x.b = y.b1;
EXPLAIN SELECT a, b1 FROM MyTable JOIN MyTable1 ON a = b1 WHERE a > 1;
EXPLAIN SELECT a, b1 FROM MyTable JOIN MyTable1 ON a = a1 WHERE a > 1 OR a < -5;
EXPLAIN SELECT a, b1 FROM MyTable JOIN MyTable1 ON a = a1 WHERE a > 1 OR b < 5;
EXPLAIN SELECT a, b1 FROM MyTable LEFT JOIN MyTable1 ON a = a1 AND a > 1;
EXPLAIN SELECT a, b1 FROM MyTable JOIN MyTable1 ON a = a1 AND a > 1 AND a <> 7;
EXPLAIN SELECT a, b1 FROM MyTable JOIN MyTable1 ON a IS NOT DISTINCT FROM a1 WHERE a > 1;
EXPLAIN SELECT a, b1 FROM (SELECT a + 1 AS a FROM MyTable) JOIN MyTable1 ON a = a1 WHERE a > 1;
EXPLAIN SELECT a FROM MyTable JOIN MyTable1 ON a = a1 WHERE b = 5 AND b1 = b;
EXPLAIN SELECT a, a1 FROM MyTable JOIN MyTable1 ON a = a1 WHERE a = 3;
EXPLAIN SELECT a, a1, c FROM MyTable JOIN MyTable1 ON a = a1 AND c = c1 WHERE a = 3;
EXPLAIN SELECT * FROM MyTable JOIN MyTable1 ON a = a1 WHERE a = 3 AND c1 = 'x';
EXPLAIN SELECT * FROM MyTable LEFT JOIN MyTable1 ON a = a1 WHERE a = 3;
EXPLAIN SELECT * FROM MyTable LEFT JOIN MyTable1 ON a = a1 AND b1 = 3;
EXPLAIN SELECT a, b, COUNT(*) FROM MyTable WHERE b = 3 GROUP BY a, b;
EXPLAIN SELECT a, b, c, COUNT(*) FROM MyTable WHERE b = 3 AND a = 2 GROUP BY a, b, c;
EXPLAIN SELECT b, COUNT(*) FROM MyTable WHERE b = 3 GROUP BY b;
EXPLAIN SELECT a, COUNT(*) FROM MyTable WHERE c = 'x' GROUP BY a, c;
EXPLAIN SELECT b + 1, a FROM MyTable WHERE b = 3;
EXPLAIN SELECT b, c, a FROM MyTable WHERE b = 3 AND c IS NULL;
EXPLAIN SELECT b FROM (SELECT * FROM MyTable WHERE b = 3) WHERE a > 1;
EXPLAIN SELECT DISTINCT b FROM MyTable WHERE b = 3;
EXPLAIN SELECT a, SUM(b) FROM MyTable WHERE b = 3 GROUP BY a;
EXPLAIN SELECT a FROM MyTable WHERE b = 3 ORDER BY b LIMIT 3;
EXPLAIN SELECT b, a FROM MyTable WHERE b = 3 UNION ALL SELECT b1, a1 FROM MyTable1 WHERE b1 = 4;
EXPLAIN SELECT * FROM MyTable2 WHERE a2 = 1 AND e2;
EXPLAIN SELECT * FROM MyTable WHERE a IS NULL AND b IS NOT NULL;
EXPLAIN SELECT COUNT(*) FROM MyTable WHERE a IS NULL;
EXPLAIN SELECT a, COUNT(*) FROM MyTable WHERE a IS NULL GROUP BY a;
EXPLAIN SELECT a, b1 FROM MyTable JOIN MyTable1 ON c = c1 WHERE a IS NULL;
EXPLAIN SELECT * FROM MyTable WHERE a IS NULL OR a = 3;
EXPLAIN SELECT * FROM MyTable WHERE NOT (a IS NOT NULL);
