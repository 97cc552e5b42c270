-- SPDX-License-Identifier: Apache-2.0
-- Reading canal-json.
-- batch: no
CREATE TABLE c (id INT, name STRING, price DECIMAL(5, 2)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/canal.json', 'format' = 'canal-json');
SELECT * FROM c;
SELECT id FROM c;
SELECT name, COUNT(*) FROM c GROUP BY name;
CREATE TABLE byname (id INT, name STRING, price DECIMAL(5, 2)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/canal.json', 'format' = 'canal-json', 'canal-json.database.include' = 'inv.*');
SELECT * FROM byname;
CREATE TABLE bytable (id INT, name STRING, price DECIMAL(5, 2)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/canal.json', 'format' = 'canal-json', 'canal-json.database.include' = 'inventory|sales', 'canal-json.table.include' = '^products$');
SELECT * FROM bytable;
CREATE TABLE nothing (id INT, name STRING, price DECIMAL(5, 2)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/canal.json', 'format' = 'canal-json', 'canal-json.table.include' = 'product');
SELECT * FROM nothing;
CREATE TABLE lacks (id INT, name STRING, price DECIMAL(5, 2)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/bad/number.json', 'format' = 'canal-json', 'canal-json.table.include' = 'product');
SELECT * FROM lacks;
