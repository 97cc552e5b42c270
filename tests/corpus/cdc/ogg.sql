-- SPDX-License-Identifier: Apache-2.0
-- Reading ogg-json.
-- batch: no
CREATE TABLE o (id INT, name STRING, price DECIMAL(5, 2)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/ogg.json', 'format' = 'ogg-json');
SELECT * FROM o;
SELECT price FROM o;
SELECT id, COUNT(*), MIN(price) FROM o GROUP BY id;
