-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Upsert sources through ChangelogNormalize and past it; cdc-events-duplicate; composite keys.
CREATE TABLE u (id INT, g STRING, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'upsert', 'rows' = '
["+I", 1, "a", "v1"]
["+U", 1, "a", "v2"]
["+U", 1, "b", "v2"]
["+U", 1, "b", "v2"]
["-D", 1, null, null]
["-D", 9, null, null]
["+U", 2, "a", null]
["+I", 2, "a", "w"]
["+I", 1, "a", "v4"]');
CREATE TABLE k2 (a INT, b STRING, v INT, PRIMARY KEY (b, a) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'upsert', 'rows' = '
["+I", 1, "x", 10]
["+I", 1, "y", 20]
["+U", 1, "x", 11]
["-D", 1, "y", 20]
["+U", 2, "x", 5]');
CREATE TABLE d (id INT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "v1"]
["+I", 1, "v1"]
["-U", 1, "v1"]
["+U", 1, "v2"]
["-U", 1, "v1"]
["+U", 1, "v2"]
["-D", 1, "v2"]
["-D", 1, "v2"]
["+I", 2, "z"]');
CREATE TABLE s1 (id INT, g STRING, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE s2 (id INT, g STRING, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record');
CREATE TABLE s3 (g STRING, n BIGINT, PRIMARY KEY (g) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE s4 (id INT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE s5 (id INT, g STRING, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
SELECT * FROM u;
SELECT id FROM u;
SELECT g, COUNT(*) FROM u GROUP BY g;
SELECT v FROM u WHERE g = 'a';
SELECT * FROM u WHERE v IS NOT NULL;
SELECT COUNT(*) FROM u;
SELECT MAX(v) FROM u;
SELECT * FROM k2;
SELECT a, SUM(v) FROM k2 GROUP BY a;
SELECT b, COUNT(*) FROM k2 WHERE v > 5 GROUP BY b;
SELECT * FROM d;
INSERT INTO s1 SELECT * FROM u;
INSERT INTO s2 SELECT * FROM u;
INSERT INTO s3 SELECT g, COUNT(*) FROM u GROUP BY g;
INSERT INTO s4 SELECT id, v FROM u WHERE v > 'v1';
INSERT INTO s5 SELECT id, g, v FROM u WHERE id < 2;
SET 'table.exec.source.cdc-events-duplicate' = 'true';
SELECT * FROM d;
SELECT v, COUNT(*) FROM d GROUP BY v;
SELECT * FROM d WHERE v = 'v2';
