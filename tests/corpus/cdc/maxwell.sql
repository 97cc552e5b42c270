-- SPDX-License-Identifier: Apache-2.0
-- Reading maxwell-json.
-- batch: no
CREATE TABLE m (id INT, name STRING, price DECIMAL(5, 2), place ROW<x INT, y STRING>) WITH ('connector' = 'filesystem', 'path' = 'tests/data/cdc/maxwell.json', 'format' = 'maxwell-json');
SELECT * FROM m;
SELECT name, price FROM m;
SELECT price FROM m;
SELECT id, COUNT(*), MIN(price) FROM m GROUP BY id;
