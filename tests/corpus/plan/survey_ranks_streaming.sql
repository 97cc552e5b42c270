-- SPDX-License-Identifier: Apache-2.0
-- Plans of tests/plans/ranks.sql that are Flink's to the letter.
-- modes: streaming
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
CREATE TABLE pt (id INT, k STRING, v BIGINT, proc AS PROCTIME()) WITH ('connector'='script','rows'='["+I",1,"a",1]');
CREATE TABLE ev (id INT, k STRING, v BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector'='script','rows'='["+I",1,"a",1,"2020-01-01 00:00:00"]');
CREATE TABLE cdc (id INT, name STRING, v BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector'='script','changelog-mode'='all','rows'='["+I",1,"a",1]');
CREATE TABLE snkpk (a INT, n BIGINT, PRIMARY KEY (a) NOT ENFORCED) WITH ('connector'='record','changelog-mode'='upsert');
EXPLAIN SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY c ORDER BY b DESC) AS rn FROM MyTable) WHERE rn <= 3;
EXPLAIN SELECT a, c FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY c ORDER BY b DESC) AS rn FROM MyTable) WHERE rn <= 3;
EXPLAIN SELECT a, b, c FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY c ORDER BY b DESC) AS rn FROM MyTable) WHERE rn = 1;
EXPLAIN SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY c ORDER BY b) AS rn FROM MyTable) WHERE rn = 1;
EXPLAIN SELECT * FROM (SELECT a, c, ROW_NUMBER() OVER (PARTITION BY c ORDER BY b) AS rn FROM MyTable) WHERE rn = 2;
EXPLAIN SELECT * FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY b) AS rn FROM MyTable) WHERE rn <= 10;
EXPLAIN SELECT id, k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY proc DESC) AS rn FROM pt) WHERE rn = 1;
EXPLAIN SELECT id, k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts DESC) AS rn FROM ev) WHERE rn = 1;
EXPLAIN SELECT k, n FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY n DESC) AS rn FROM (SELECT k, COUNT(*) AS n FROM gen GROUP BY k)) WHERE rn <= 5;
EXPLAIN SELECT k, n, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY n ORDER BY k) AS rn FROM (SELECT k, COUNT(*) AS n FROM gen GROUP BY k)) WHERE rn <= 5;
EXPLAIN SELECT * FROM gen ORDER BY v LIMIT 5;
EXPLAIN SELECT id, UPPER(k) FROM gen ORDER BY v DESC, k LIMIT 5 OFFSET 2;
EXPLAIN SELECT a, b1 FROM MyTable JOIN MyTable1 ON a = a1 ORDER BY b1 LIMIT 5;
EXPLAIN SELECT a, b + b1 AS s FROM MyTable JOIN MyTable1 ON a = a1 ORDER BY s DESC LIMIT 5;
EXPLAIN SELECT c, SUM(b1) AS s FROM MyTable JOIN MyTable1 ON a = a1 GROUP BY c ORDER BY s DESC LIMIT 5;
EXPLAIN SELECT c, MAX(b1) FROM MyTable LEFT JOIN MyTable1 ON a = a1 GROUP BY c;
EXPLAIN SELECT c, COUNT(b1), MIN(b1), SUM(b1) FROM MyTable LEFT JOIN MyTable1 ON a = a1 GROUP BY c;
EXPLAIN SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY name ORDER BY v DESC) AS rn FROM cdc) WHERE rn <= 2;
EXPLAIN CHANGELOG_MODE SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY name ORDER BY v DESC) AS rn FROM cdc) WHERE rn = 1;
EXPLAIN INSERT INTO snkpk SELECT a, b FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY a ORDER BY b DESC) AS rn FROM MyTable) WHERE rn = 1;
EXPLAIN SELECT a, b FROM MyTable QUALIFY ROW_NUMBER() OVER (PARTITION BY c ORDER BY b) <= 2;
EXPLAIN SELECT * FROM MyTable LIMIT 3;
EXPLAIN SELECT c, COUNT(*) FROM (SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY a ORDER BY b DESC) AS rn FROM MyTable) WHERE rn = 1) GROUP BY c;
