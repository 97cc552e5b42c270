-- SPDX-License-Identifier: Apache-2.0
-- Plans of tests/plans/hints.sql that are Flink's to the letter.
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
CREATE TABLE dim (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector'='filesystem','path'='/tmp/none_dim','format'='csv','lookup.cache'='NONE');
CREATE TABLE pt (id INT, k STRING, v BIGINT, proc AS PROCTIME()) WITH ('connector'='script','rows'='["+I",1,"a",1]');
CREATE TABLE bh (a INT, n BIGINT) WITH ('connector'='blackhole');
CREATE VIEW vw AS SELECT a, b FROM MyTable WHERE a > 1;
EXPLAIN SELECT /*+ STATE_TTL('MyTable' = '1d') */ c, COUNT(*) FROM MyTable GROUP BY c;
EXPLAIN SELECT /*+ STATE_TTL('t' = '12h') */ c, COUNT(*) FROM MyTable t GROUP BY c;
EXPLAIN SELECT /*+ STATE_TTL('MyTable' = '1d', 'MyTable1' = '2h') */ * FROM MyTable JOIN MyTable1 ON a = a1;
EXPLAIN SELECT /*+ STATE_TTL('x' = '1d') */ * FROM MyTable x LEFT JOIN MyTable1 y ON a = a1;
EXPLAIN SELECT /*+ STATE_TTL('x' = '1d', 'y' = '3d') */ c, SUM(b1) FROM MyTable x JOIN MyTable1 y ON a = a1 GROUP BY c;
EXPLAIN SELECT /*+ STATE_TTL('q' = '1d') */ n, COUNT(*) FROM (SELECT c, COUNT(*) AS n FROM MyTable GROUP BY c) q GROUP BY n;
EXPLAIN SELECT * FROM gen /*+ OPTIONS('number-of-rows'='5') */;
EXPLAIN SELECT k, SUM(v) FROM gen /*+ OPTIONS('number-of-rows'='5') */ AS g GROUP BY k;
EXPLAIN SELECT * FROM gen /*+ OPTIONS('number-of-rows'='5', 'rows-per-second'='7') */ WHERE id > 3;
EXPLAIN INSERT INTO bh SELECT id, v FROM gen /*+ OPTIONS('number-of-rows'='5') */;
EXPLAIN SELECT /*+ BROADCAST(MyTable1) */ * FROM MyTable JOIN MyTable1 ON a = a1;
EXPLAIN SELECT /*+ SHUFFLE_HASH(MyTable1) */ * FROM MyTable JOIN MyTable1 ON a = a1;
EXPLAIN SELECT /*+ SHUFFLE_MERGE(MyTable) */ * FROM MyTable JOIN MyTable1 ON a = a1;
EXPLAIN SELECT /*+ NEST_LOOP(MyTable1) */ * FROM MyTable JOIN MyTable1 ON a = a1;
EXPLAIN SELECT /*+ BROADCAST(y) */ x.a, y.b1 FROM MyTable x JOIN MyTable1 y ON a = a1 WHERE x.b > 3;
EXPLAIN SELECT /*+ BROADCAST(MyTable1), SHUFFLE_HASH(MyTable2) */ a, b1, b2 FROM MyTable JOIN MyTable1 ON a = a1 JOIN MyTable2 ON a = a2;
EXPLAIN SELECT /*+ BROADCAST(MyTable1) */ * FROM MyTable LEFT JOIN MyTable1 ON a = a1;
EXPLAIN SELECT /*+ BROADCAST(vw) */ * FROM vw JOIN MyTable1 ON a = a1;
EXPLAIN SELECT * FROM (SELECT /*+ BROADCAST(MyTable1) */ a, b1 FROM MyTable JOIN MyTable1 ON a = a1) q JOIN MyTable2 ON q.a = a2;
EXPLAIN SELECT /*+ STATE_TTL('vw' = '1d') */ a, COUNT(*) FROM vw GROUP BY a;
