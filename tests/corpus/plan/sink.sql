-- SPDX-License-Identifier: Apache-2.0
-- INSERT: casts, target columns, upsert keys, materializers, conflict strategies.
-- modes: streaming
-- conf: weir.explain.state=false
CREATE TABLE t (id INT, k STRING, v INT, ts TIMESTAMP(3), pt AS PROCTIME(), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector'='script','rows'='["+I",1,"a",5,"2020-01-01 00:00:01"]');
CREATE TABLE p (id INT, k STRING, v INT, d DOUBLE, c DECIMAL(10,2), b BOOLEAN NOT NULL, dt DATE) WITH ('connector'='script','rows'='["+I",1,"a",5,1.5,2.5,true,"2020-01-01"]');
CREATE TABLE cdc (id INT, name STRING, ts TIMESTAMP(3), PRIMARY KEY (id) NOT ENFORCED) WITH ('connector'='script','changelog-mode'='all','rows'='["+I",1,"a","2020-01-01 00:00:01"]');
CREATE TABLE cdc2 (id INT, name STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector'='script','changelog-mode'='all','rows'='["+I",1,"a",1]');
CREATE TABLE rawcdc (id INT, name STRING, v INT) WITH ('connector'='script','changelog-mode'='all','rows'='["+I",1,"a",1]');
CREATE TABLE ups (id INT, name STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector'='script','changelog-mode'='upsert','rows'='["+I",1,"a",1]');
CREATE TABLE s_all (a INT, b BIGINT, PRIMARY KEY (a) NOT ENFORCED) WITH ('connector'='record');
CREATE TABLE s_ups (a INT, b BIGINT, PRIMARY KEY (a) NOT ENFORCED) WITH ('connector'='record','changelog-mode'='upsert');
CREATE TABLE s_ins (a INT, b BIGINT) WITH ('connector'='record','changelog-mode'='insert');
CREATE TABLE s_name (name STRING, id INT, PRIMARY KEY (name) NOT ENFORCED) WITH ('connector'='record','changelog-mode'='upsert');
CREATE TABLE s_namea (name STRING, id INT, PRIMARY KEY (name) NOT ENFORCED) WITH ('connector'='record');
CREATE TABLE s_cdc (id INT, name STRING, ts TIMESTAMP(3), PRIMARY KEY (id) NOT ENFORCED) WITH ('connector'='record','changelog-mode'='upsert');
CREATE TABLE pr (a INT, b BIGINT) WITH ('connector'='print');
CREATE TABLE bh (a INT, b BIGINT) WITH ('connector'='blackhole');
CREATE TABLE bhk (a STRING, b BIGINT, PRIMARY KEY (a) NOT ENFORCED) WITH ('connector'='blackhole');
EXPLAIN CHANGELOG_MODE INSERT INTO s_all SELECT id, COUNT(*) FROM p GROUP BY id;
EXPLAIN CHANGELOG_MODE INSERT INTO s_ups SELECT id, COUNT(*) FROM p GROUP BY id;
EXPLAIN CHANGELOG_MODE INSERT INTO s_ins SELECT id, v FROM p;
EXPLAIN CHANGELOG_MODE INSERT INTO s_cdc SELECT * FROM cdc;
EXPLAIN CHANGELOG_MODE INSERT INTO s_cdc SELECT * FROM cdc WHERE name = 'a';
EXPLAIN CHANGELOG_MODE INSERT INTO s_cdc SELECT * FROM cdc WHERE id > 3;
EXPLAIN CHANGELOG_MODE INSERT INTO s_ups SELECT id, v FROM ups;
EXPLAIN CHANGELOG_MODE INSERT INTO s_ups SELECT id, v FROM ups WHERE v > 3;
EXPLAIN CHANGELOG_MODE INSERT INTO s_all SELECT id, v FROM ups;
EXPLAIN CHANGELOG_MODE INSERT INTO s_name SELECT name, id FROM cdc ON CONFLICT DO DEDUPLICATE;
EXPLAIN CHANGELOG_MODE INSERT INTO s_namea SELECT name, id FROM cdc ON CONFLICT DO DEDUPLICATE;
EXPLAIN CHANGELOG_MODE INSERT INTO s_namea SELECT k, id FROM p;
EXPLAIN CHANGELOG_MODE INSERT INTO s_name SELECT k, id FROM p ON CONFLICT DO DEDUPLICATE;
EXPLAIN CHANGELOG_MODE INSERT INTO s_name SELECT k, id FROM t ON CONFLICT DO NOTHING;
EXPLAIN CHANGELOG_MODE INSERT INTO s_ups SELECT id, v FROM rawcdc ON CONFLICT DO DEDUPLICATE;
EXPLAIN CHANGELOG_MODE INSERT INTO pr SELECT id, COUNT(*) FROM p GROUP BY id;
EXPLAIN CHANGELOG_MODE INSERT INTO bh SELECT id, COUNT(*) FROM p GROUP BY id;
EXPLAIN CHANGELOG_MODE INSERT INTO bhk SELECT k, COUNT(*) FROM p GROUP BY k;
EXPLAIN CHANGELOG_MODE INSERT INTO pr SELECT id, v FROM cdc2;
EXPLAIN CHANGELOG_MODE INSERT INTO pr SELECT id, v FROM ups;
EXPLAIN CHANGELOG_MODE INSERT INTO bh SELECT id, v FROM ups;
EXPLAIN CHANGELOG_MODE INSERT INTO s_all (b, a) SELECT v, id FROM p;
EXPLAIN CHANGELOG_MODE INSERT INTO s_all SELECT CAST(d AS INT), v FROM p;
EXPLAIN CHANGELOG_MODE INSERT INTO s_all (a) SELECT id FROM p;
EXPLAIN CHANGELOG_MODE INSERT INTO s_ups SELECT ups.id, COUNT(*) FROM p JOIN ups ON p.id = ups.id GROUP BY ups.id;
EXPLAIN CHANGELOG_MODE INSERT INTO s_ups SELECT cdc.id, cdc2.v FROM cdc JOIN cdc2 ON cdc.id = cdc2.id;
EXPLAIN CHANGELOG_MODE INSERT INTO s_ups SELECT cdc.id, cdc2.v FROM cdc LEFT JOIN cdc2 ON cdc.id = cdc2.id;
EXPLAIN CHANGELOG_MODE INSERT INTO s_ups SELECT ups.id, cdc2.v FROM ups JOIN cdc2 ON ups.id = cdc2.id;
EXPLAIN CHANGELOG_MODE INSERT INTO s_ups SELECT id, n FROM (SELECT id, COUNT(*) AS n FROM p GROUP BY id) WHERE n > 1;
EXPLAIN CHANGELOG_MODE INSERT INTO s_ups SELECT id, n FROM (SELECT id, COUNT(*) AS n FROM p GROUP BY id) WHERE id > 1;
