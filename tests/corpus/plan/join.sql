-- SPDX-License-Identifier: Apache-2.0
-- Joins: keys, conditions, unique keys of the inputs.
-- modes: streaming
-- conf: weir.explain.state=false
CREATE TABLE t (id INT, k STRING, v INT, ts TIMESTAMP(3), pt AS PROCTIME(), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector'='script','rows'='["+I",1,"a",5,"2020-01-01 00:00:01"]');
CREATE TABLE p (id INT, k STRING, v INT, d DOUBLE, c DECIMAL(10,2), b BOOLEAN NOT NULL, dt DATE) WITH ('connector'='script','rows'='["+I",1,"a",5,1.5,2.5,true,"2020-01-01"]');
CREATE TABLE p2 (id INT, k STRING, v INT, arr ARRAY<INT>, m MAP<STRING, INT>) WITH ('connector'='script','rows'='["+I",1,"a",5,[1],{"a":1}]');
CREATE TABLE gen (id INT, k STRING, v BIGINT, x DOUBLE) WITH ('connector'='datagen','number-of-rows'='10');
EXPLAIN CHANGELOG_MODE SELECT p.id, p2.v FROM p JOIN p2 ON p.id = p2.id;
EXPLAIN CHANGELOG_MODE SELECT p.id, p2.id, p2.v FROM p LEFT JOIN p2 ON p.id = p2.id;
EXPLAIN CHANGELOG_MODE SELECT p.id, p2.id, p2.v FROM p RIGHT JOIN p2 ON p.id = p2.id AND p.v > p2.v;
EXPLAIN CHANGELOG_MODE SELECT p.id, p2.id, p2.v FROM p FULL JOIN p2 ON p.id = p2.id;
EXPLAIN CHANGELOG_MODE SELECT p.id, p2.id FROM p, p2 WHERE p.v > p2.v;
EXPLAIN CHANGELOG_MODE SELECT p.id, p2.id FROM p CROSS JOIN p2;
EXPLAIN CHANGELOG_MODE SELECT a.k, a.n, b.m FROM (SELECT k, COUNT(*) AS n FROM p GROUP BY k) a JOIN (SELECT k, SUM(v) AS m FROM p2 GROUP BY k) b ON a.k = b.k;
EXPLAIN CHANGELOG_MODE SELECT a.id, b.id, c.id FROM p a JOIN p2 b ON a.id = b.id JOIN t c ON b.id = c.id;
EXPLAIN CHANGELOG_MODE SELECT a.id, b.v FROM p a JOIN p b ON a.id = b.v;
EXPLAIN CHANGELOG_MODE SELECT a.k, b.n FROM p a JOIN (SELECT k, COUNT(*) n FROM p GROUP BY k) b ON a.k = b.k;
EXPLAIN CHANGELOG_MODE SELECT p.id FROM p JOIN p2 ON p.id = p2.id AND p.k = p2.k AND p.v + 1 < p2.v WHERE p.d > 1;
EXPLAIN CHANGELOG_MODE SELECT p.id FROM p JOIN p2 ON p.id + 1 = p2.id;
EXPLAIN CHANGELOG_MODE SELECT p.id FROM p JOIN p2 ON p.d = p2.id;
EXPLAIN CHANGELOG_MODE SELECT p.id FROM p JOIN p2 ON p.id IS NOT DISTINCT FROM p2.id;
EXPLAIN CHANGELOG_MODE SELECT a.id FROM gen a JOIN gen b ON a.id = b.id;
EXPLAIN CHANGELOG_MODE SELECT a.id, b.k FROM gen a JOIN gen b ON a.id = b.id;
EXPLAIN CHANGELOG_MODE SELECT a.id, b.id FROM gen a JOIN gen b ON a.id = b.id;
EXPLAIN CHANGELOG_MODE SELECT a.k, b.k FROM p a JOIN p b ON a.k = b.k;
EXPLAIN CHANGELOG_MODE SELECT a.k, b.n FROM (SELECT k, COUNT(*) n FROM p GROUP BY k) a JOIN (SELECT k, COUNT(*) n FROM p GROUP BY k) b ON a.k = b.k;
EXPLAIN CHANGELOG_MODE WITH c AS (SELECT k, COUNT(*) n FROM p GROUP BY k) SELECT x.k, y.n FROM c x JOIN c y ON x.n = y.n;
EXPLAIN CHANGELOG_MODE SELECT a.r FROM (SELECT id, RAND() r FROM p) a JOIN (SELECT id, RAND() r FROM p) b ON a.id = b.id;
EXPLAIN CHANGELOG_MODE SELECT p.k, p2.k FROM p JOIN p2 USING (id);
EXPLAIN CHANGELOG_MODE SELECT a.id FROM (SELECT id, k FROM p WHERE v > 1) a LEFT JOIN (SELECT id FROM p2 WHERE v < 3) b ON a.id = b.id WHERE a.k = 'x';
SET 'table.exec.sink.upsert-materialize'='AUTO';
SET 'table.exec.sink.require-on-conflict'='true';
SET 'table.exec.sink.keyed-shuffle'='AUTO';
SET 'table.exec.source.cdc-events-duplicate'='false';
SET 'table.exec.state.ttl'='1 h';
EXPLAIN CHANGELOG_MODE SELECT p.id, p2.v FROM p JOIN p2 ON p.id = p2.id;
EXPLAIN CHANGELOG_MODE SELECT p.id FROM p JOIN p2 ON p.id = p2.id AND p.v > 3;
EXPLAIN CHANGELOG_MODE SELECT p.id FROM p JOIN p2 ON p.id = p2.id AND p.v > p2.v AND p2.k LIKE 'a%';
EXPLAIN CHANGELOG_MODE SELECT p.id FROM p LEFT JOIN p2 ON UPPER(p.k) = LOWER(p2.k);
EXPLAIN CHANGELOG_MODE SELECT p.id FROM p JOIN p2 ON p.id = p2.id OR p.v = p2.v;
EXPLAIN CHANGELOG_MODE SELECT p.id FROM p JOIN p2 ON p.v BETWEEN p2.v AND p2.id;
EXPLAIN CHANGELOG_MODE SELECT p.id FROM p JOIN p2 USING (id);
EXPLAIN CHANGELOG_MODE SELECT a.id FROM p a, p2 b WHERE a.id = b.id;
