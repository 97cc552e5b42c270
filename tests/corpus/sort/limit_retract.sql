-- SPDX-License-Identifier: Apache-2.0
-- mini: no
-- modes: streaming
-- Top-N and LIMIT over updates and deletions.
CREATE TABLE c (id INT, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 5]
["+I", 2, 3]
["+I", 3, 9]
["-D", 3, 9]
["-U", 2, 3]
["+U", 2, 8]
["+I", 4, 8]
["-D", 1, 5]
["+I", 5, null]
["-D", 2, 8]
["-D", 4, 8]
["+I", 6, 1]');
CREATE TABLE n (id INT, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 5]
["+I", 1, 5]
["+I", 2, 6]
["-D", 1, 5]
["+I", 3, 4]
["-U", 2, 6]
["+U", 2, 7]
["-D", 2, 7]
["-D", 1, 5]
["-D", 9, 9]');
CREATE TABLE t (k STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 1]
["+I", "b", 5]
["+I", "c", 3]
["+I", "a", 6]
["+I", "c", -9]
["+I", "b", 1]');
SELECT * FROM c ORDER BY v DESC LIMIT 1;
SELECT * FROM c ORDER BY v DESC LIMIT 2;
SELECT * FROM c ORDER BY v LIMIT 2;
SELECT id FROM c ORDER BY v DESC LIMIT 2;
SELECT * FROM c ORDER BY id DESC LIMIT 2;
SELECT * FROM c LIMIT 2;
SELECT * FROM n ORDER BY v LIMIT 2;
SELECT * FROM n ORDER BY v DESC LIMIT 1;
SELECT * FROM n LIMIT 2;
SELECT k, SUM(v) AS s FROM t GROUP BY k ORDER BY s DESC LIMIT 1;
SELECT k, SUM(v) AS s FROM t GROUP BY k ORDER BY s DESC LIMIT 2;
SELECT k, SUM(v) AS s FROM t GROUP BY k ORDER BY s LIMIT 2;
SELECT k, COUNT(*) AS n FROM t GROUP BY k ORDER BY n DESC LIMIT 2;
SELECT k, MAX(v) AS m FROM t GROUP BY k ORDER BY m DESC LIMIT 2;
SELECT k, MIN(v) AS m FROM t GROUP BY k ORDER BY m LIMIT 2;
SELECT k, MAX(v) AS m FROM t GROUP BY k ORDER BY m LIMIT 2;
SELECT k FROM t GROUP BY k ORDER BY SUM(v) DESC LIMIT 2;
SELECT k, COUNT(*) AS n FROM t GROUP BY k ORDER BY n DESC LIMIT 1 OFFSET 1;
SELECT DISTINCT k FROM t ORDER BY k DESC LIMIT 2;
SELECT COUNT(*) FROM (SELECT * FROM c ORDER BY v DESC LIMIT 2);
SELECT MAX(v), MIN(v) FROM (SELECT * FROM c ORDER BY v DESC LIMIT 2);
SELECT * FROM c ORDER BY v;
SELECT k, COUNT(*) FROM t GROUP BY k LIMIT 2;
