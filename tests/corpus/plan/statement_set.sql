-- SPDX-License-Identifier: Apache-2.0
-- Statement sets: shared sub-plans and sinks.
-- modes: streaming
-- conf: weir.explain.state=false
CREATE TABLE p (id INT, k STRING, v INT, d DOUBLE, c DECIMAL(10,2), b BOOLEAN NOT NULL, dt DATE) WITH ('connector'='script','rows'='["+I",1,"a",5,1.5,2.5,true,"2020-01-01"]');
CREATE TABLE p2 (id INT, k STRING, v INT, arr ARRAY<INT>, m MAP<STRING, INT>) WITH ('connector'='script','rows'='["+I",1,"a",5,[1],{"a":1}]');
CREATE TABLE cdc (id INT, name STRING, ts TIMESTAMP(3), PRIMARY KEY (id) NOT ENFORCED) WITH ('connector'='script','changelog-mode'='all','rows'='["+I",1,"a","2020-01-01 00:00:01"]');
CREATE TABLE ups (id INT, name STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector'='script','changelog-mode'='upsert','rows'='["+I",1,"a",1]');
CREATE TABLE s_ups (a INT, b BIGINT, PRIMARY KEY (a) NOT ENFORCED) WITH ('connector'='record','changelog-mode'='upsert');
CREATE TABLE s_cdc (id INT, name STRING, ts TIMESTAMP(3), PRIMARY KEY (id) NOT ENFORCED) WITH ('connector'='record','changelog-mode'='upsert');
CREATE TABLE pr (a INT, b BIGINT) WITH ('connector'='print');
CREATE TABLE bh (a INT, b BIGINT) WITH ('connector'='blackhole');
CREATE TABLE prn (name STRING, n BIGINT) WITH ('connector'='print');
EXPLAIN CHANGELOG_MODE STATEMENT SET BEGIN INSERT INTO pr SELECT id, v FROM p; INSERT INTO bh SELECT id, v FROM p; END;
EXPLAIN CHANGELOG_MODE STATEMENT SET BEGIN INSERT INTO pr SELECT id, v FROM p; INSERT INTO pr SELECT id, v FROM p2; END;
EXPLAIN CHANGELOG_MODE STATEMENT SET BEGIN INSERT INTO pr SELECT id, COUNT(*) FROM p GROUP BY id; INSERT INTO bh SELECT id, COUNT(*) FROM p GROUP BY id; END;
EXPLAIN CHANGELOG_MODE STATEMENT SET BEGIN INSERT INTO pr SELECT id, COUNT(*) FROM p GROUP BY id; INSERT INTO pr SELECT id, COUNT(*) FROM p2 GROUP BY id; END;
EXPLAIN CHANGELOG_MODE STATEMENT SET BEGIN INSERT INTO pr SELECT id, COUNT(*) FROM p GROUP BY id; INSERT INTO pr SELECT id, v FROM p2; END;
EXPLAIN CHANGELOG_MODE STATEMENT SET BEGIN INSERT INTO s_cdc SELECT * FROM cdc; INSERT INTO prn SELECT name, COUNT(*) FROM cdc GROUP BY name; END;
EXPLAIN CHANGELOG_MODE STATEMENT SET BEGIN INSERT INTO s_ups SELECT id, v FROM ups; INSERT INTO pr SELECT id, v FROM ups; END;
