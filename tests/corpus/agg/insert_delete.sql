-- SPDX-License-Identifier: Apache-2.0
-- mini: no
-- modes: streaming
-- Deletions of unknown rows, groups that vanish and come back, updates that do not change the result.
CREATE TABLE c (k STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["-D", "a", 1]
["+I", "a", 1]
["+I", "a", 1]
["-D", "a", 1]
["-D", "a", 1]
["+I", "a", 2]
["-U", "a", 2]
["+U", "a", 2]
["+I", "b", 5]
["-U", "b", 5]
["+U", "b", 5]
["+I", "b", 7]
["-U", "b", 7]
["+U", "b", 6]
["-D", "b", 6]
["-D", "b", 5]
["-D", "b", 5]
["+I", "b", 1]');
SELECT k, COUNT(*) FROM c GROUP BY k;
SELECT k, SUM(v) FROM c GROUP BY k;
SELECT k, MAX(v) FROM c GROUP BY k;
SELECT k, MIN(v), COUNT(*) FROM c GROUP BY k;
SELECT k, AVG(v) FROM c GROUP BY k;
SELECT k FROM c GROUP BY k;
SELECT DISTINCT k, v FROM c;
SELECT COUNT(*) FROM c;
SELECT SUM(v) FROM c;
SELECT MIN(v), MAX(v) FROM c;
SELECT COUNT(DISTINCT v) FROM c;
SELECT k, COUNT(DISTINCT v) FROM c GROUP BY k;
SELECT k, FIRST_VALUE(v) FROM c GROUP BY k;
SELECT k, LISTAGG(CAST(v AS STRING)) FROM c GROUP BY k;
SELECT k, COLLECT(v) FROM c GROUP BY k;
SELECT k, ARRAY_AGG(v) FROM c GROUP BY k;
SELECT v, COUNT(*) FROM c WHERE k = 'b' GROUP BY v;
SELECT MOD(v, 2) AS p, COUNT(*) FROM c GROUP BY MOD(v, 2);
