-- SPDX-License-Identifier: Apache-2.0
-- Plans of tests/plans/split.sql that are Flink's to the letter.
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
CREATE TABLE cdc (id INT, name STRING, v BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector'='script','changelog-mode'='all','rows'='["+I",1,"a",1]');
CREATE TABLE ev (id INT, k STRING, v BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector'='script','rows'='["+I",1,"a",1,"2020-01-01 00:00:00"]');
SET 'table.exec.mini-batch.enabled' = 'true';
SET 'table.exec.mini-batch.allow-latency' = '1 min';
SET 'table.exec.mini-batch.size' = '100';
SET 'table.optimizer.distinct-agg.split.enabled' = 'true';
EXPLAIN SELECT COUNT(DISTINCT a) FROM MyTable;
EXPLAIN SELECT c, COUNT(DISTINCT a) FROM MyTable GROUP BY c;
EXPLAIN SELECT c, COUNT(DISTINCT a), SUM(DISTINCT b) FROM MyTable GROUP BY c;
EXPLAIN SELECT c, AVG(b), COUNT(DISTINCT a) FROM MyTable GROUP BY c;
EXPLAIN SELECT c, SUM(DISTINCT a), COUNT(DISTINCT a) FROM MyTable GROUP BY c;
EXPLAIN SELECT c, COUNT(*) FROM MyTable GROUP BY c;
EXPLAIN SELECT a, c, COUNT(DISTINCT b) FROM MyTable GROUP BY a, c;
EXPLAIN SELECT k, COUNT(DISTINCT id), MAX(ts) FROM ev GROUP BY k;
EXPLAIN SELECT c, COUNT(DISTINCT a) AS n FROM MyTable GROUP BY c HAVING COUNT(DISTINCT a) > 3;
EXPLAIN SELECT n, COUNT(*) FROM (SELECT c, COUNT(DISTINCT a) AS n FROM MyTable GROUP BY c) GROUP BY n;
EXPLAIN CHANGELOG_MODE SELECT c, COUNT(DISTINCT a) FROM MyTable GROUP BY c;
SET 'table.optimizer.incremental-agg-enabled' = 'false';
EXPLAIN SELECT c, COUNT(DISTINCT a) FROM MyTable GROUP BY c;
SET 'table.optimizer.incremental-agg-enabled' = 'true';
SET 'table.optimizer.agg-phase-strategy' = 'ONE_PHASE';
SET 'table.optimizer.agg-phase-strategy' = 'AUTO';
SET 'table.optimizer.distinct-agg.split.bucket-num' = '16';
EXPLAIN SELECT c, COUNT(DISTINCT a), SUM(b) FROM MyTable GROUP BY c;
SET 'table.exec.mini-batch.enabled' = 'false';
EXPLAIN SELECT c, COUNT(DISTINCT a), SUM(b) FROM MyTable GROUP BY c;
