-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- conf: weir.explain.state=false
SET 'table.exec.async-lookup.output-mode' = 'ALLOW_UNORDERED';
SET 'table.exec.async-lookup.key-ordered-enabled' = 'true';
SET 'table.exec.async-lookup.buffer-capacity' = '5';
SET 'table.exec.async-lookup.timeout' = '7 s';
CREATE TABLE o (id INT, k INT, v STRING, c STRING, pt AS PROCTIME()) WITH ('connector' = 'script', 'rows' = '');
CREATE TABLE dima (k INT, name STRING, n INT) WITH ('connector' = 'lookup', 'lookup.async' = 'true', 'rows' = '["+I", 1, "one", 10]');
EXPLAIN SELECT o.id, d.name FROM o JOIN dima FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
