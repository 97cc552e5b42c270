-- SPDX-License-Identifier: Apache-2.0
-- Two tables of a database as their change logs tell them, and a stream.
CREATE TABLE orders (
  order_id INT, customer STRING, status STRING, amount DECIMAL(10, 2),
  PRIMARY KEY (order_id) NOT ENFORCED
) WITH ('connector' = 'filesystem', 'path' = 'data/orders', 'format' = 'debezium-json');

-- A versioned table: a key and event time.
CREATE TABLE rates (
  currency STRING, rate DECIMAL(10, 4), changed_at TIMESTAMP(3),
  WATERMARK FOR changed_at AS changed_at,
  PRIMARY KEY (currency) NOT ENFORCED
) WITH ('connector' = 'filesystem', 'path' = 'data/rates.json', 'format' = 'debezium-json');

CREATE TABLE payments (
  payment_id INT, currency STRING, amount DECIMAL(10, 2), paid_at TIMESTAMP(3),
  WATERMARK FOR paid_at AS paid_at - INTERVAL '10' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/payments.json', 'format' = 'json');
