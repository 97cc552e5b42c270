-- SPDX-License-Identifier: Apache-2.0
-- Plans of tests/plans/bundles.sql that are Flink's to the letter.
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
CREATE TABLE cdc (id INT, name STRING, v BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector'='script','changelog-mode'='all','rows'='["+I",1,"a",1]');
CREATE TABLE ups (id INT, name STRING, v BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector'='script','changelog-mode'='upsert','rows'='["+I",1,"a",1]');
CREATE TABLE pt (id INT, k STRING, v BIGINT, proc AS PROCTIME()) WITH ('connector'='script','rows'='["+I",1,"a",1]');
CREATE TABLE ev (id INT, k STRING, v BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector'='script','rows'='["+I",1,"a",1,"2020-01-01 00:00:00"]');
CREATE TABLE ver (id INT, rate BIGINT, rt TIMESTAMP(3), WATERMARK FOR rt AS rt, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector'='script','rows'='["+I",1,1,"2020-01-01 00:00:00"]');
CREATE TABLE snkall (c STRING, n BIGINT, PRIMARY KEY (c) NOT ENFORCED) WITH ('connector'='blackhole');
SET 'table.exec.mini-batch.enabled' = 'true';
SET 'table.exec.mini-batch.allow-latency' = '500 ms';
SET 'table.exec.mini-batch.size' = '7';
EXPLAIN SELECT * FROM ups;
EXPLAIN SELECT id, v FROM cdc WHERE v > 3;
EXPLAIN SELECT * FROM MyTable WHERE a NOT IN (SELECT a1 FROM MyTable1);
EXPLAIN SELECT * FROM MyTable m WHERE EXISTS (SELECT 1 FROM MyTable1 WHERE a1 = m.a);
EXPLAIN SELECT c, COUNT(*) FROM MyTable WHERE a IN (SELECT a1 FROM MyTable1) GROUP BY c;
EXPLAIN SELECT * FROM MyTable FULL JOIN MyTable1 ON a = a1;
EXPLAIN SELECT * FROM MyTable, MyTable1 WHERE a > a1;
EXPLAIN SELECT * FROM MyTable WHERE a IN (SELECT a1 FROM MyTable1 JOIN MyTable2 ON a1 = a2);
EXPLAIN SELECT * FROM MyTable ORDER BY a LIMIT 3;
EXPLAIN SELECT * FROM MyTable LIMIT 3;
EXPLAIN SELECT * FROM ev ORDER BY ts;
EXPLAIN SELECT l.k, r.v FROM (SELECT * FROM TABLE(TUMBLE(TABLE ev, DESCRIPTOR(ts), INTERVAL '10' MINUTE))) l JOIN (SELECT * FROM TABLE(TUMBLE(TABLE ev, DESCRIPTOR(ts), INTERVAL '10' MINUTE))) r ON l.k = r.k AND l.window_start = r.window_start AND l.window_end = r.window_end;
EXPLAIN SELECT * FROM TABLE(TUMBLE(TABLE ev, DESCRIPTOR(ts), INTERVAL '10' MINUTE));
EXPLAIN SELECT window_start, window_end, COUNT(*) FROM TABLE(TUMBLE(TABLE pt, DESCRIPTOR(proc), INTERVAL '10' MINUTE)) GROUP BY window_start, window_end;
EXPLAIN SELECT TUMBLE_START(ts, INTERVAL '1' MINUTE), COUNT(*) FROM (SELECT ev.ts, ev.k FROM ev JOIN ver ON ev.id = ver.id AND ev.ts BETWEEN ver.rt AND ver.rt + INTERVAL '1' MINUTE) GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE);
EXPLAIN INSERT INTO snkall SELECT c, COUNT(*) FROM MyTable GROUP BY c;
EXPLAIN SELECT x.a, y.n FROM MyTable x LEFT JOIN (SELECT a1, COUNT(*) AS n FROM MyTable1 GROUP BY a1) y ON x.a = y.a1;
EXPLAIN SELECT * FROM ups u JOIN cdc c ON u.id = c.id;
EXPLAIN SELECT a, b, c FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY c ORDER BY n DESC) AS rn FROM (SELECT a, b, c, COUNT(*) AS n FROM MyTable GROUP BY a, b, c)) WHERE rn <= 2;
EXPLAIN SELECT m.a, t.b1, u.b2 FROM MyTable m LEFT JOIN MyTable1 t ON m.a = t.a1 LEFT JOIN MyTable2 u ON t.a1 = u.a2;
EXPLAIN SELECT c, MAX(d), MIN(a) FILTER (WHERE a > 2), COUNT(DISTINCT b) FROM MyTable GROUP BY c;
EXPLAIN SELECT SUM(n) FROM (SELECT COUNT(*) AS n FROM MyTable GROUP BY c);
EXPLAIN SELECT /*+ STATE_TTL('MyTable' = '1d') */ c, COUNT(*) FROM MyTable GROUP BY c;
EXPLAIN SELECT /*+ STATE_TTL('MyTable' = '1d') */ * FROM MyTable JOIN MyTable1 ON a = a1;
EXPLAIN SELECT a, b FROM MyTable INTERSECT SELECT a1, b1 FROM MyTable1;
EXPLAIN SELECT p.c, p.n, q.n FROM (SELECT c, COUNT(*) AS n FROM MyTable GROUP BY c) p JOIN (SELECT c, COUNT(*) AS n FROM MyTable GROUP BY c) q ON p.c = q.c;
EXPLAIN CHANGELOG_MODE SELECT n, COUNT(*), MAX(c) FROM (SELECT c, COUNT(*) AS n FROM MyTable GROUP BY c) GROUP BY n;
EXPLAIN SELECT a FROM MyTable WHERE b > (SELECT AVG(b1) FROM MyTable1);
