-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- conf: table.optimizer.multi-join.enabled=true
-- Rows that are replaced by rows with other values in the columns of the condition: the order of matches goes by the new ones.
CREATE TABLE a (k INT, s STRING, n INT) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
{"step": 2}
["+I", 1, "x", 1]
["+I", 1, "longer text", 2]
{"step": 4}
["+I", 1, "x", 3]
["+I", 1, "longer text", 4]
["+I", 1, "y", 5]
{"step": 6}
["+I", 1, "y", 6]
["+I", 1, "longer text", 7]');
CREATE TABLE b (k INT, s STRING, v INT, PRIMARY KEY (v) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
{"step": 1}
["+I", 1, "x", 15]
["+I", 1, "x", 14]
["+I", 1, "x", 13]
["+I", 1, "longer text", 4]
["+I", 1, "longer text", 1]
["+I", 1, "longer text", 9]
{"step": 3}
["-U", 1, "x", 15]
["+U", 1, "longer text", 15]
["-U", 1, "x", 13]
["+U", 1, "longer text", 13]
{"step": 5}
["-U", 1, "longer text", 4]
["+U", 1, "y", 4]
["-U", 1, "longer text", 15]
["+U", 1, "y", 15]
["-U", 1, "x", 14]
["+U", 1, "y", 14]
["-D", 1, "longer text", 9]
["+I", 1, "y", 9]');
CREATE TABLE c (k INT, z STRING) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
{"step": 1}
["+I", 1, "c1"]
["+I", 1, "c2"]');
SELECT a.n, b.v FROM a JOIN b ON a.k = b.k AND a.s = b.s;
SELECT a.n, b.v FROM a LEFT JOIN b ON a.k = b.k AND a.s = b.s;
SELECT a.n, b.v, c.z FROM a LEFT JOIN b ON a.k = b.k AND a.s = b.s LEFT JOIN c ON a.k = c.k;
SELECT a.n, b.v, c.z FROM a JOIN b ON a.k = b.k AND a.s = b.s JOIN c ON a.k = c.k;
SELECT a.n, b.s, b.v FROM a JOIN b ON a.k = b.k AND a.s <> b.s;
