-- SPDX-License-Identifier: Apache-2.0
-- Payments are appended to a file by somebody else; each is printed with what is known of its customer, at once.
CREATE TABLE payments (payment_id BIGINT, customer_id INT, amount DECIMAL(10, 2))
WITH ('connector' = 'filesystem', 'path' = 'growing/payments.jsonl', 'format' = 'json', 'source.monitor-interval' = '100 ms');

CREATE TABLE customers (customer_id INT, name STRING, country STRING)
WITH ('connector' = 'filesystem', 'path' = 'customers.csv', 'format' = 'csv', 'csv.header' = 'true');

CREATE TABLE enriched (payment_id BIGINT, amount DECIMAL(10, 2), name STRING, country STRING)
WITH ('connector' = 'print');

INSERT INTO enriched
SELECT p.payment_id, p.amount, COALESCE(c.name, 'unknown'), c.country
FROM payments AS p LEFT JOIN customers AS c ON p.customer_id = c.customer_id;
