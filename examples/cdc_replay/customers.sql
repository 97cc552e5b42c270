-- SPDX-License-Identifier: Apache-2.0
-- The worth of each customer's orders, handed on as changes for the next system, and read again as a table.
CREATE TABLE customers (
  customer STRING, orders BIGINT, amount DECIMAL(38, 2), PRIMARY KEY (customer) NOT ENFORCED
) WITH ('connector' = 'filesystem', 'path' = 'out/customers', 'format' = 'canal-json');

INSERT INTO customers SELECT customer, COUNT(*), SUM(amount) FROM orders GROUP BY customer;

SELECT * FROM customers;
