-- SPDX-License-Identifier: Apache-2.0
-- A changelog joined with itself.
-- batch: no
-- compare: final
CREATE TABLE plain (id INT, name STRING, price DECIMAL(5, 2)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/debezium.json', 'format' = 'debezium-json');
SELECT a.id, a.name, b.price FROM plain a JOIN plain b ON a.id = b.id WHERE a.id < 3;
