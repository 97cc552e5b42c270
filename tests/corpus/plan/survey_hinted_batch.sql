-- SPDX-License-Identifier: Apache-2.0
-- Plans of tests/plans/hinted.sql that are Flink's to the letter.
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
CREATE TABLE pt (id INT, k STRING, v BIGINT, proc AS PROCTIME()) WITH ('connector'='script','rows'='["+I",1,"a",1]');
CREATE TABLE ev (id INT, k STRING, v BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector'='script','rows'='["+I",1,"a",1,"2020-01-01 00:00:00"]');
CREATE TABLE bh (c STRING, n BIGINT) WITH ('connector'='blackhole');
CREATE VIEW vw AS SELECT a, b FROM MyTable WHERE a > 1;
EXPLAIN SELECT /*+ STATE_TTL('MyTable' = '1d') */ c, COUNT(*) AS n FROM MyTable GROUP BY c HAVING COUNT(*) > 3;
EXPLAIN SELECT /*+ STATE_TTL('MyTable' = '1d') */ c, COUNT(*) + 1 FROM MyTable WHERE a > 2 GROUP BY c;
EXPLAIN SELECT /*+ STATE_TTL('g' = '1d') */ k, SUM(v) FROM gen /*+ OPTIONS('number-of-rows'='5') */ AS g GROUP BY k;
EXPLAIN SELECT /*+ STATE_TTL('ev' = '2h') */ k, SUM(v) FROM ev GROUP BY k;
EXPLAIN SELECT /*+ STATE_TTL('pt' = '2h') */ k, MAX(v) FROM pt GROUP BY k;
EXPLAIN SELECT /*+ STATE_TTL('MyTable' = '1d') */ c, COUNT(*) AS n FROM MyTable GROUP BY c ORDER BY n DESC LIMIT 3;
EXPLAIN SELECT /*+ STATE_TTL('MyTable' = '1d') */ c, COUNT(*) AS n FROM MyTable GROUP BY c UNION ALL SELECT c1, b1 FROM MyTable1;
EXPLAIN SELECT /*+ STATE_TTL('MyTable' = '1d') */ DISTINCT a, c FROM MyTable;
EXPLAIN SELECT /*+ BROADCAST(MyTable1), STATE_TTL('MyTable' = '1d') */ * FROM MyTable JOIN MyTable1 ON a = a1;
EXPLAIN SELECT /*+ SHUFFLE_HASH(MyTable, MyTable1) */ a, b1 FROM MyTable JOIN MyTable1 ON a = a1 WHERE b > 3;
EXPLAIN SELECT /*+ BROADCAST(MyTable1) */ c, SUM(b1) FROM MyTable JOIN MyTable1 ON a = a1 GROUP BY c;
EXPLAIN INSERT INTO bh SELECT /*+ BROADCAST(MyTable1) */ c, b1 FROM MyTable JOIN MyTable1 ON a = a1;
EXPLAIN WITH w AS (SELECT /*+ STATE_TTL('MyTable' = '1d') */ c, COUNT(*) AS n FROM MyTable GROUP BY c) SELECT n, COUNT(*) FROM w GROUP BY n;
EXPLAIN WITH w AS (SELECT c, COUNT(*) AS n FROM MyTable GROUP BY c) SELECT /*+ STATE_TTL('w' = '6h') */ n, COUNT(*) FROM w GROUP BY n;
EXPLAIN SELECT /*+ STATE_TTL('w' = '6h', 'vw' = '5min') */ w.c, vw.b FROM (SELECT c, COUNT(*) AS n FROM MyTable GROUP BY c) w JOIN vw ON w.n = vw.b;
EXPLAIN SELECT /*+ BROADCAST(t) */ m.a, t.s FROM MyTable m LEFT JOIN (SELECT a1, b1 + 1 AS s FROM MyTable1 WHERE b1 > 2) t ON m.a = t.a1;
EXPLAIN SELECT /*+ BROADCAST(MyTable1) */ a, b1 FROM MyTable, MyTable1 WHERE a = a1 AND b > 3;
EXPLAIN SELECT /*+ SHUFFLE_MERGE(MyTable1) */ a, b1 FROM MyTable JOIN MyTable1 ON a = a1 AND b > b1;
EXPLAIN SELECT /*+ NEST_LOOP(MyTable1) */ a, b1 FROM MyTable JOIN MyTable1 ON a > a1;
EXPLAIN SELECT /*+ STATE_TTL('q' = '90s') */ q.c, COUNT(*) FROM (SELECT DISTINCT c, a FROM MyTable) q GROUP BY q.c;
EXPLAIN SELECT /*+ BROADCAST(MyTable1) */ a, b1 FROM MyTable RIGHT JOIN MyTable1 ON a = a1;
