-- SPDX-License-Identifier: Apache-2.0
-- Reading debezium-json.
-- batch: no
CREATE TABLE d (id INT, name STRING, price DECIMAL(5, 2), `at` TIMESTAMP(3), tags ARRAY<STRING>, place ROW<x INT, y STRING>, props MAP<STRING, INT>) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/debezium.json', 'format' = 'debezium-json');
SELECT * FROM d;
SELECT name FROM d;
SELECT COUNT(*) FROM d;
SELECT id, name, price FROM d WHERE id > 2;
SELECT place.y, price FROM d WHERE name = 'hammer';
SELECT id, COUNT(*), SUM(price), MAX(name) FROM d GROUP BY id;
CREATE TABLE plain (id INT, name STRING, price DECIMAL(5, 2)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/debezium.json', 'format' = 'debezium-json');
SELECT DISTINCT id FROM plain;
CREATE TABLE keyed (id INT NOT NULL, name STRING, price DECIMAL(5, 2), PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/debezium_schema.json', 'format' = 'debezium-json', 'debezium-json.schema-include' = 'true');
SELECT * FROM keyed;
SELECT name, COUNT(*) FROM keyed GROUP BY name;
CREATE TABLE noschema (id INT, name STRING, price DECIMAL(5, 2)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/debezium_schema.json', 'format' = 'debezium-json', 'debezium-json.ignore-parse-errors' = 'true');
SELECT * FROM noschema;
