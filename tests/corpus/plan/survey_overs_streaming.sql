-- SPDX-License-Identifier: Apache-2.0
-- Plans of tests/plans/overs.sql that are Flink's to the letter.
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
EXPLAIN SELECT id, v - LAG(v) OVER (PARTITION BY k ORDER BY id) AS diff FROM gen;
EXPLAIN SELECT id, SUM(v) OVER w, COUNT(*) OVER w FROM gen WINDOW w AS (PARTITION BY k ORDER BY id);
EXPLAIN SELECT id, SUM(v) OVER (PARTITION BY k ORDER BY ts) FROM ev;
EXPLAIN SELECT id, SUM(v) OVER (PARTITION BY k ORDER BY ts ROWS BETWEEN 3 PRECEDING AND CURRENT ROW), COUNT(v) OVER (PARTITION BY k ORDER BY ts ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) FROM ev;
EXPLAIN SELECT id, AVG(v) OVER (PARTITION BY k ORDER BY ts RANGE BETWEEN INTERVAL '1' HOUR PRECEDING AND CURRENT ROW) FROM ev;
EXPLAIN SELECT id, SUM(v) OVER (PARTITION BY k ORDER BY proc RANGE BETWEEN INTERVAL '10' MINUTE PRECEDING AND CURRENT ROW) FROM pt;
EXPLAIN SELECT id, LAG(v) OVER (PARTITION BY k ORDER BY ts), v FROM ev WHERE v > 3;
EXPLAIN SELECT * FROM (SELECT id, k, LAST_VALUE(v) OVER (PARTITION BY k ORDER BY ts) AS lv FROM ev) WHERE lv > 3;
EXPLAIN SELECT id, COUNT(DISTINCT v) OVER (PARTITION BY k ORDER BY ts) FROM ev;
EXPLAIN SELECT id, MIN(v + 1) OVER (PARTITION BY k ORDER BY ts), MAX(v * 2) OVER (PARTITION BY k ORDER BY ts) FROM ev;
EXPLAIN SELECT id, SUM(s) OVER (PARTITION BY k ORDER BY id) FROM (SELECT id, k, SUM(v) AS s FROM gen GROUP BY id, k);
EXPLAIN SELECT g.id, SUM(v) OVER (PARTITION BY k ORDER BY a) FROM gen g JOIN MyTable ON g.id = a;
EXPLAIN SELECT id, STDDEV_POP(v) OVER (PARTITION BY k ORDER BY id), AVG(v) OVER (PARTITION BY k ORDER BY id) FROM gen;
EXPLAIN SELECT id, SUM(v) OVER (PARTITION BY k ORDER BY id) + COUNT(*) OVER (PARTITION BY k ORDER BY id) AS x FROM gen ORDER BY x LIMIT 3;
