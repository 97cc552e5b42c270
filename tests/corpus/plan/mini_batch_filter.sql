-- SPDX-License-Identifier: Apache-2.0
-- Two phases of an aggregate read what the first one reads, the columns of filters too.
-- modes: streaming
-- alone
CREATE TABLE p (id INT NOT NULL, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'datagen');
SET 'table.exec.mini-batch.enabled' = 'true';
SET 'table.exec.mini-batch.allow-latency' = '1 s';
SET 'table.exec.mini-batch.size' = '100';
EXPLAIN SELECT k, COUNT(v) FILTER (WHERE id > 1) AS n FROM p GROUP BY k;
EXPLAIN SELECT k, COUNT(v) FILTER (WHERE id > 1) AS n, MAX(v) FILTER (WHERE v < 3) AS m FROM p GROUP BY k;
