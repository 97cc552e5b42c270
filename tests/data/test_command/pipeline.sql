-- SPDX-License-Identifier: Apache-2.0
-- What the case 'a script from another file' of tests/cases runs.
CREATE TABLE payments (id INT, buyer STRING, amount DECIMAL(10, 2)) WITH ('connector' = 'kafka', 'topic' = 'payments');
CREATE TABLE totals (buyer STRING PRIMARY KEY NOT ENFORCED, amount DECIMAL(38, 2)) WITH ('connector' = 'jdbc', 'url' = 'nowhere');
INSERT INTO totals SELECT buyer, SUM(amount) FROM payments GROUP BY buyer;
CREATE TABLE archive (id INT, buyer STRING) WITH ('connector' = 'kafka', 'topic' = 'archive');
INSERT INTO archive SELECT id, buyer FROM payments;
