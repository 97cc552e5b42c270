-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Filters and projections over changes: rows that enter and leave by an update; with and without key; upsert input.
CREATE TABLE c (id INT, v INT, s STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1, "a"]
["-U", 1, 1, "a"]
["+U", 1, 9, "a"]
["-U", 1, 9, "a"]
["+U", 1, 2, "b"]
["+I", 2, 7, null]
["-D", 2, 7, null]
["+I", 3, null, "z"]
["-U", 3, null, "z"]
["+U", 3, 4, "z"]
["-D", 1, 2, "b"]');
CREATE TABLE n (id INT, v INT, s STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1, "a"]
["-U", 1, 1, "a"]
["+U", 1, 9, "a"]
["+I", 1, 1, "a"]
["-D", 1, 1, "a"]
["-D", 1, 9, "a"]');
CREATE TABLE u (id INT, v INT, s STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'upsert', 'rows' = '
{"step": 2}
["+I", 1, 1, "a"]
["+U", 1, 9, "a"]
["+U", 1, 2, "b"]
["+U", 2, 7, null]
["-D", 2, null, null]
["+I", 3, null, "z"]
["+U", 3, 4, "z"]
["-D", 1, 2, "b"]
["-D", 5, 2, "b"]
["+U", 3, 4, "z"]');
SELECT * FROM c;
SELECT * FROM c WHERE v < 5;
SELECT * FROM c WHERE v >= 5;
SELECT * FROM c WHERE id = 1;
SELECT * FROM c WHERE s = 'a';
SELECT id FROM c;
SELECT v FROM c;
SELECT s FROM c WHERE v < 5;
SELECT id, v > 5 FROM c;
SELECT id, COALESCE(v, 0) FROM c WHERE s IS NOT NULL;
SELECT * FROM n;
SELECT * FROM n WHERE v < 5;
SELECT id FROM n WHERE v > 5;
SELECT 'k' FROM n;
SELECT * FROM u;
SELECT * FROM u WHERE v < 5;
SELECT * FROM u WHERE id < 3;
SELECT * FROM u WHERE id = 1 AND v < 5;
SELECT id FROM u;
SELECT v FROM u;
SELECT s FROM u WHERE v < 5;
SELECT id, v IS NULL FROM u;
SELECT COUNT(*) FROM u;
SELECT SUM(v), COUNT(s) FROM u;
SELECT s, COUNT(*) FROM u GROUP BY s;
SELECT id, COUNT(*) FROM u GROUP BY id;
SELECT DISTINCT s FROM u;
SELECT * FROM u ORDER BY v DESC LIMIT 1;
SELECT u.id, u.v, c.v FROM u JOIN c ON u.id = c.id WHERE u.id = 3;
SELECT * FROM c UNION ALL SELECT * FROM u;
