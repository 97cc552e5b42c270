-- SPDX-License-Identifier: Apache-2.0
-- Messages behind a byte order mark; of two marks the second is no JSON.
-- batch: no
CREATE TABLE debezium (id INT, name STRING) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/marked_debezium.json', 'format' = 'debezium-json');
SELECT * FROM debezium;
CREATE TABLE canal (id INT, name STRING) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/marked_canal.json', 'format' = 'canal-json');
SELECT * FROM canal;
CREATE TABLE maxwell (id INT, name STRING) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/marked_maxwell.json', 'format' = 'maxwell-json', 'maxwell-json.ignore-parse-errors' = 'true');
SELECT * FROM maxwell;
CREATE TABLE ogg (id INT, name STRING) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/marked_ogg.json', 'format' = 'ogg-json');
SELECT * FROM ogg;
CREATE TABLE strict (id INT, name STRING) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/marked_maxwell.json', 'format' = 'maxwell-json');
SELECT * FROM strict;
