-- SPDX-License-Identifier: Apache-2.0
-- Changelog formats in batch mode.
CREATE TABLE d (id INT, name STRING, price DECIMAL(5, 2)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/debezium.json', 'format' = 'debezium-json');
SELECT * FROM d;
SELECT COUNT(*) FROM d;
CREATE TABLE c (id INT, name STRING, price DECIMAL(5, 2)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/canal.json', 'format' = 'canal-json');
SELECT * FROM c;
CREATE TABLE out1 (id INT, name STRING, price DECIMAL(5, 2)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/out', 'format' = 'canal-json');
EXPLAIN INSERT INTO out1 VALUES (1, 'a', 1);
