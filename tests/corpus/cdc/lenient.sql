-- SPDX-License-Identifier: Apache-2.0
-- Broken messages that are skipped.
-- batch: no
CREATE TABLE debezium_lenient (id INT, name STRING, price DECIMAL(5, 2)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/mixed.json', 'format' = 'debezium-json', 'debezium-json.ignore-parse-errors' = 'true');
SELECT * FROM debezium_lenient;
CREATE TABLE canal_lenient (id INT, name STRING, price DECIMAL(5, 2)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/mixed.json', 'format' = 'canal-json', 'canal-json.ignore-parse-errors' = 'true');
SELECT * FROM canal_lenient;
CREATE TABLE maxwell_lenient (id INT, name STRING, price DECIMAL(5, 2)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/mixed.json', 'format' = 'maxwell-json', 'maxwell-json.ignore-parse-errors' = 'true');
SELECT * FROM maxwell_lenient;
CREATE TABLE ogg_lenient (id INT, name STRING, price DECIMAL(5, 2)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/mixed.json', 'format' = 'ogg-json', 'ogg-json.ignore-parse-errors' = 'true');
SELECT * FROM ogg_lenient;
