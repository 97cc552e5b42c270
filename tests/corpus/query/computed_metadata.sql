-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Computed columns (over other columns, nested, in keys, in filters, with changes) and metadata columns that a source lacks.
CREATE TABLE t (id INT, s STRING, a AS id * 10, b AS UPPER(s) || '-' || CAST(id AS STRING), c AS id > 1, r ROW<x INT>, d AS r.x + 1) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "p", {"x": 5}]
["+I", 2, null, null]
["+I", 3, "q", {"x": null}]');
CREATE TABLE c (id INT, v INT, w AS v * 2, big AS v > 5, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1]
["-U", 1, 1]
["+U", 1, 9]
["+I", 2, 7]
["-D", 2, 7]');
CREATE TABLE o (id INT, twice AS id * 2, s STRING) WITH ('connector' = 'record', 'changelog-mode' = 'insert');
SELECT * FROM t;
SELECT a, b FROM t;
SELECT id FROM t WHERE c;
SELECT a + 1, d FROM t WHERE a > 10;
SELECT c, COUNT(*), MAX(a) FROM t GROUP BY c;
SELECT x.a, y.b FROM t x JOIN t y ON x.a = y.a AND x.id = 1;
SELECT * FROM c;
SELECT big, COUNT(*) FROM c GROUP BY big;
SELECT w FROM c WHERE big;
SELECT SUM(w) FROM c;
INSERT INTO o SELECT id, s FROM t;
INSERT INTO o (s) SELECT b FROM t;
INSERT INTO o (twice) SELECT id FROM t;
DESCRIBE t;
DESCRIBE c;
SHOW CREATE TABLE t;
CREATE TABLE bad (id INT, a AS nope + 1) WITH ('connector' = 'datagen');
CREATE TABLE bad (id INT, a AS b, b AS id) WITH ('connector' = 'datagen');
CREATE TABLE bad (id INT, id AS 1) WITH ('connector' = 'datagen');
CREATE TABLE bad (id INT, a AS (SELECT 1)) WITH ('connector' = 'datagen');
CREATE TABLE bad (id INT, a AS id, PRIMARY KEY (a) NOT ENFORCED) WITH ('connector' = 'datagen');
