-- SPDX-License-Identifier: Apache-2.0
-- Plans and options of changelog formats.
-- conf: weir.explain.state=false
-- batch: no
EXPLAIN SELECT id, COUNT(*) FROM d GROUP BY id;
EXPLAIN SELECT * FROM d LIMIT 1;
EXPLAIN SELECT id FROM d WHERE name = 'x';
EXPLAIN SELECT * FROM d;
EXPLAIN SELECT a.id FROM d a JOIN d b ON a.id = b.id;
EXPLAIN CHANGELOG_MODE SELECT * FROM d;
EXPLAIN CHANGELOG_MODE SELECT id, COUNT(*) FROM d GROUP BY id;
CREATE TABLE k (id INT, name STRING, price DECIMAL(5, 2), PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/debezium.json', 'format' = 'debezium-json');
CREATE TABLE out1 (id INT, name STRING, price DECIMAL(5, 2)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/out', 'format' = 'canal-json');
CREATE TABLE out2 (id INT, name STRING, price DECIMAL(5, 2), PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/out', 'format' = 'ogg-json');
CREATE TABLE out3 (id INT, name STRING, price DECIMAL(5, 2)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/out', 'format' = 'json');
EXPLAIN CHANGELOG_MODE SELECT id, COUNT(*) FROM k GROUP BY id;
EXPLAIN CHANGELOG_MODE INSERT INTO out1 SELECT * FROM k;
EXPLAIN CHANGELOG_MODE INSERT INTO out2 SELECT * FROM k;
EXPLAIN CHANGELOG_MODE INSERT INTO out2 SELECT * FROM d;
INSERT INTO out3 SELECT * FROM k;
EXPLAIN CHANGELOG_MODE INSERT INTO out1 SELECT id, MAX(name), MAX(price) FROM k GROUP BY id;
EXPLAIN INSERT INTO out2 SELECT id, MAX(name), MAX(price) FROM k GROUP BY id;
CREATE TABLE b1 (id MAP<INT, INT>) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/out', 'format' = 'canal-json');
SELECT * FROM b1;
INSERT INTO b1 VALUES (MAP[1, 2]);
CREATE TABLE b2 (id INT) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/out', 'format' = 'maxwell-json', 'maxwell-json.timestamp-format.standard' = 'RFC');
SELECT * FROM b2;
CREATE TABLE b3 (id INT) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/out', 'format' = 'debezium-json', 'debezium-json.schema-include' = 'true');
INSERT INTO b3 VALUES (1);
CREATE TABLE b4 (id INT) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/out', 'format' = 'ogg-json', 'ogg-json.ignore-parse-errors' = 'perhaps');
SELECT * FROM b4;
CREATE TABLE b5 (id INT) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/out', 'format' = 'avro-debezium');
SELECT * FROM b5;
