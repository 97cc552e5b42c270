-- SPDX-License-Identifier: Apache-2.0
-- Plans of tests/plans/counts.sql that are Flink's to the letter.
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
EXPLAIN SELECT COUNT(*) FROM MyTable WHERE b > 1 AND a > 1;
EXPLAIN SELECT COUNT(*) FROM MyTable WHERE c = 'x';
EXPLAIN SELECT COUNT(*) FROM MyTable WHERE UPPER(c) = 'x' AND b > 2;
EXPLAIN SELECT COUNT(*) FROM (SELECT b, a FROM MyTable WHERE a > 1);
EXPLAIN SELECT COUNT(*) FROM (SELECT b, a FROM MyTable);
EXPLAIN SELECT COUNT(*) FROM (SELECT a FROM MyTable UNION ALL SELECT a1 FROM MyTable1);
EXPLAIN SELECT COUNT(*) FROM MyTable JOIN MyTable1 ON a = a1 WHERE b > b1;
EXPLAIN SELECT COUNT(*) FROM (SELECT a, COUNT(*) FROM MyTable GROUP BY a);
EXPLAIN SELECT COUNT(*) FROM (SELECT a, COUNT(*) AS n FROM MyTable GROUP BY a) WHERE n > 1;
EXPLAIN SELECT COUNT(*) FROM (SELECT DISTINCT a, b FROM MyTable);
EXPLAIN SELECT COUNT(*) FROM (SELECT a + 1 AS x FROM MyTable) WHERE x > 3;
EXPLAIN SELECT 1 FROM MyTable;
EXPLAIN SELECT 1 FROM MyTable WHERE a > 1;
EXPLAIN SELECT COUNT(*), COUNT(1) FROM MyTable WHERE a > 1;
EXPLAIN SELECT COUNT(a2) FROM MyTable2 WHERE b2 > 1;
EXPLAIN SELECT COUNT(*) FROM nest, UNNEST(arr) AS t(y);
EXPLAIN SELECT COUNT(*) FROM MyTable WHERE a IN (SELECT a1 FROM MyTable1);
EXPLAIN SELECT a FROM MyTable, MyTable1;
EXPLAIN SELECT a FROM MyTable, MyTable1 WHERE b1 > 3;
EXPLAIN SELECT 'x', COUNT(*) FROM MyTable GROUP BY 'x';
EXPLAIN SELECT 1, 2, COUNT(*) FROM MyTable GROUP BY 1, 2;
EXPLAIN SELECT a, 'x', 'y', COUNT(*) FROM MyTable GROUP BY a, 'x', 'y';
EXPLAIN SELECT MAX(5), COUNT(*) FROM MyTable GROUP BY a;
EXPLAIN SELECT a, b FROM MyTable GROUP BY a, b;
EXPLAIN SELECT b FROM MyTable GROUP BY a, b;
EXPLAIN SELECT a, b, c, d FROM MyTable GROUP BY a, b, c, d;
EXPLAIN SELECT a, b, c, MAX(d) FROM MyTable GROUP BY a, b, c;
EXPLAIN SELECT MAX(d), a, b, c FROM MyTable GROUP BY a, b, c;
EXPLAIN SELECT a1, b1, COUNT(c1) FROM MyTable1 GROUP BY a1, b1;
EXPLAIN SELECT COUNT(c1), SUM(a1), MAX(b1) FROM MyTable1;
EXPLAIN SELECT COUNT(a1), SUM(b1), MAX(c1) FROM MyTable1;
EXPLAIN SELECT DISTINCT * FROM MyTable1;
EXPLAIN SELECT DISTINCT a1, b1, c1 FROM MyTable1;
EXPLAIN SELECT id, k, MAX(v) FROM gen GROUP BY id, k;
EXPLAIN SELECT DISTINCT id, name FROM pk1;
EXPLAIN SELECT DISTINCT name FROM pk1;
EXPLAIN SELECT id FROM pk1 GROUP BY id;
EXPLAIN SELECT DISTINCT a FROM (SELECT a, COUNT(*) FROM MyTable GROUP BY a);
EXPLAIN SELECT DISTINCT a, n FROM (SELECT a, COUNT(*) AS n FROM MyTable GROUP BY a);
EXPLAIN SELECT DISTINCT n FROM (SELECT a, COUNT(*) AS n FROM MyTable GROUP BY a);
EXPLAIN SELECT COUNT(*) AS x, COUNT(*) AS y FROM MyTable;
EXPLAIN SELECT SUM(a) AS x, MAX(b), SUM(a) AS y FROM MyTable GROUP BY c;
EXPLAIN SELECT a AS x, a AS y, COUNT(*) AS z FROM MyTable GROUP BY a;
EXPLAIN SELECT a, b, COUNT(*) FROM MyTable GROUP BY a, b, a;
