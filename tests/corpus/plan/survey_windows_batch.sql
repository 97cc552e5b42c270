-- SPDX-License-Identifier: Apache-2.0
-- Plans of tests/plans/windows.sql that are Flink's to the letter.
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
CREATE TABLE ltz (id INT, k STRING, v BIGINT, ms BIGINT, ts AS TO_TIMESTAMP_LTZ(ms, 3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector'='script','rows'='["+I",1,"a",1,0]');
CREATE TABLE win (ws TIMESTAMP(3), we TIMESTAMP(3), k STRING, n BIGINT) WITH ('connector'='record');
EXPLAIN SELECT window_start, window_end, COUNT(*) FROM TABLE(TUMBLE(TABLE ev, DESCRIPTOR(ts), INTERVAL '10' MINUTE)) GROUP BY window_start, window_end;
EXPLAIN SELECT window_start, window_end, k, SUM(v) FROM TABLE(HOP(TABLE ev, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)) GROUP BY window_start, window_end, k;
EXPLAIN SELECT window_start, window_end, k, SUM(v) FROM TABLE(CUMULATE(TABLE ev, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)) GROUP BY window_start, window_end, k;
EXPLAIN SELECT window_start, window_end, k, COUNT(DISTINCT id), SUM(v) FILTER (WHERE v > 1) FROM TABLE(TUMBLE(TABLE ev, DESCRIPTOR(ts), INTERVAL '10' MINUTE)) GROUP BY window_start, window_end, k;
EXPLAIN SELECT window_start, window_end, k, id, COUNT(*) FROM TABLE(TUMBLE(TABLE ev, DESCRIPTOR(ts), INTERVAL '10' MINUTE)) GROUP BY window_start, window_end, GROUPING SETS ((k), (id), ());
EXPLAIN SELECT window_start, window_end, MAX(n) FROM (SELECT window_start, window_end, k, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE ev, DESCRIPTOR(ts), INTERVAL '10' MINUTE)) GROUP BY window_start, window_end, k) GROUP BY window_start, window_end;
EXPLAIN SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY n DESC) AS rn FROM (SELECT window_start, window_end, k, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE ev, DESCRIPTOR(ts), INTERVAL '10' MINUTE)) GROUP BY window_start, window_end, k)) WHERE rn <= 3;
EXPLAIN SELECT l.k, r.v, l.window_start FROM (SELECT * FROM TABLE(TUMBLE(TABLE ev, DESCRIPTOR(ts), INTERVAL '10' MINUTE))) l JOIN (SELECT * FROM TABLE(TUMBLE(TABLE ev, DESCRIPTOR(ts), INTERVAL '10' MINUTE))) r ON l.k = r.k AND l.window_start = r.window_start AND l.window_end = r.window_end;
EXPLAIN SELECT l.k, l.v FROM (SELECT * FROM TABLE(TUMBLE(TABLE ev, DESCRIPTOR(ts), INTERVAL '10' MINUTE))) l WHERE l.k IN (SELECT k FROM (SELECT * FROM TABLE(TUMBLE(TABLE ltz, DESCRIPTOR(ts), INTERVAL '10' MINUTE))) r WHERE l.window_start = r.window_start AND l.window_end = r.window_end);
EXPLAIN SELECT * FROM TABLE(TUMBLE(TABLE ev, DESCRIPTOR(ts), INTERVAL '10' MINUTE));
EXPLAIN SELECT window_start, k, v FROM TABLE(HOP(TABLE ev, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)) WHERE v > 1;
EXPLAIN CHANGELOG_MODE SELECT window_start, window_end, k, SUM(v) FROM TABLE(TUMBLE(TABLE ev, DESCRIPTOR(ts), INTERVAL '10' MINUTE)) GROUP BY window_start, window_end, k;
EXPLAIN CHANGELOG_MODE SELECT k, SUM(n) FROM (SELECT window_start, window_end, k, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE ev, DESCRIPTOR(ts), INTERVAL '10' MINUTE)) GROUP BY window_start, window_end, k) GROUP BY k;
EXPLAIN SELECT a.id, b.v FROM ev a JOIN ev b ON a.k = b.k AND a.ts BETWEEN b.ts - INTERVAL '1' MINUTE AND b.ts + INTERVAL '2' MINUTE;
EXPLAIN SELECT a.id, b.v FROM ev a LEFT JOIN ev b ON a.k = b.k AND a.ts >= b.ts AND a.ts < b.ts + INTERVAL '2' MINUTE WHERE a.v > 3;
EXPLAIN SELECT k, MAX(ts), COUNT(*) FROM ev WHERE ts > TIMESTAMP '2020-01-01 00:00:00' GROUP BY k;
EXPLAIN SELECT * FROM ev ORDER BY ts;
EXPLAIN SELECT * FROM ev ORDER BY ts, v LIMIT 3;
