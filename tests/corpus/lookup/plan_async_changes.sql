-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- conf: weir.explain.state=false
SET 'table.exec.async-lookup.output-mode' = 'ALLOW_UNORDERED';
SET 'table.exec.async-lookup.key-ordered-enabled' = 'true';
CREATE TABLE chg (id INT, k INT, v STRING, pt AS PROCTIME()) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '');
CREATE TABLE dima (k INT, name STRING, n INT) WITH ('connector' = 'lookup', 'lookup.async' = 'true', 'rows' = '["+I", 1, "one", 10]');
EXPLAIN SELECT o.id, o.v, d.name FROM chg AS o LEFT JOIN dima FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
