-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- conf: weir.explain.state=false
CREATE TABLE o (id INT, k INT, v STRING, c STRING, pt AS PROCTIME()) WITH ('connector' = 'script', 'rows' = '');
CREATE TABLE dim (k INT, name STRING, n INT, twice AS n * 2) WITH ('connector' = 'lookup', 'rows' = '["+I", 1, "one", 10]');
EXPLAIN SELECT o.id, d.name FROM o JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k + 1 = d.k AND d.name < o.v || 'zzz' WHERE o.id <> 3;
