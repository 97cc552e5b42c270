-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- conf: weir.explain.state=false
CREATE TABLE o (id INT, k INT, v STRING, c STRING, pt AS PROCTIME()) WITH ('connector' = 'script', 'rows' = '');
CREATE TABLE dima (k INT, name STRING, n INT) WITH ('connector' = 'lookup', 'lookup.async' = 'true', 'rows' = '["+I", 1, "one", 10]');
EXPLAIN SELECT /*+ LOOKUP('table'='d', 'retry-predicate'='lookup_miss', 'retry-strategy'='fixed_delay', 'fixed-delay'='10 ms', 'max-attempts'='3') */ o.id, d.name FROM o LEFT JOIN dima FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
