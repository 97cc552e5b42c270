-- SPDX-License-Identifier: Apache-2.0
-- Random messages (tools/gen_messages.py): every kind of value in every place, broken and shuffled ones; errors are skipped.
-- batch: no
CREATE TABLE debezium (id INT, name STRING, price DECIMAL(5, 2), place ROW<x INT, y STRING>, tags ARRAY<STRING>, props MAP<STRING, INT>, ts TIMESTAMP(3)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/random_debezium.json', 'format' = 'debezium-json', 'debezium-json.ignore-parse-errors' = 'true');
SELECT * FROM debezium;
SELECT id, price FROM debezium;
CREATE TABLE canal (id INT, name STRING, price DECIMAL(5, 2), place ROW<x INT, y STRING>, tags ARRAY<STRING>, props MAP<STRING, INT>, ts TIMESTAMP(3)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/random_canal.json', 'format' = 'canal-json', 'canal-json.ignore-parse-errors' = 'true');
SELECT * FROM canal;
SELECT id, price FROM canal;
CREATE TABLE maxwell (id INT, name STRING, price DECIMAL(5, 2), place ROW<x INT, y STRING>, tags ARRAY<STRING>, props MAP<STRING, INT>, ts TIMESTAMP(3)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/random_maxwell.json', 'format' = 'maxwell-json', 'maxwell-json.ignore-parse-errors' = 'true');
SELECT * FROM maxwell;
SELECT id, price FROM maxwell;
CREATE TABLE ogg (id INT, name STRING, price DECIMAL(5, 2), place ROW<x INT, y STRING>, tags ARRAY<STRING>, props MAP<STRING, INT>, ts TIMESTAMP(3)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/random_ogg.json', 'format' = 'ogg-json', 'ogg-json.ignore-parse-errors' = 'true');
SELECT * FROM ogg;
SELECT id, price FROM ogg;
