-- SPDX-License-Identifier: Apache-2.0
-- The five products that earn most. As a stream the list changes with every order that matters.
CREATE TABLE orders (order_id BIGINT, product_id INT, quantity INT)
WITH ('connector' = 'filesystem', 'path' = 'data/orders.csv', 'format' = 'csv', 'csv.header' = 'true');

CREATE TABLE products (product_id INT, name STRING, category STRING, price_cents BIGINT)
WITH ('connector' = 'filesystem', 'path' = 'data/products.csv', 'format' = 'csv', 'csv.header' = 'true');

CREATE VIEW earnings AS
SELECT p.category, p.name, SUM(o.quantity * p.price_cents) AS cents, COUNT(*) AS orders
FROM orders AS o JOIN products AS p ON o.product_id = p.product_id
GROUP BY p.category, p.name;

SELECT name, category, CAST(cents / 100.00 AS DECIMAL(10, 2)) AS earned, orders
FROM (SELECT * FROM earnings ORDER BY cents DESC, name LIMIT 5);
