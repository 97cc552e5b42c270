-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- A union of changes into a sink without a key; inserts of all shapes.
CREATE TABLE src (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5]
["+I", 2, "b", 1]
["-U", 1, "a", 5]
["+U", 1, "a", 7]
["-D", 2, "b", 1]');
CREATE TABLE app (id INT, k STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5]
["+I", 2, "b", null]
["+I", null, null, 3]');
CREATE TABLE s1 (id INT, k STRING, v INT) WITH ('connector' = 'record');
CREATE TABLE s7 (a INT, b AS a * 2, c STRING) WITH ('connector' = 'record');
CREATE TABLE s8 (a BIGINT, b DOUBLE, c DECIMAL(10,2), d VARCHAR(2), e CHAR(4)) WITH ('connector' = 'record');
CREATE TABLE s9 (v INT, k STRING, PRIMARY KEY (v, k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO s1 SELECT * FROM app UNION ALL SELECT id, k, v FROM src;
INSERT INTO s1 (v, id) SELECT v, id FROM app;
INSERT INTO s1 (k) VALUES ('only');
INSERT INTO s1 TABLE app;
INSERT INTO s1 WITH q AS (SELECT * FROM app WHERE id = 2) SELECT * FROM q;
INSERT INTO s7 SELECT id, k FROM app;
INSERT INTO s7 (c, a) SELECT k, id FROM app;
INSERT INTO s7 (a, b) SELECT id, v FROM app;
INSERT INTO s8 SELECT id, v, v, k, k FROM app;
SET 'table.exec.sink.type-length-enforcer' = 'TRIM_PAD';
INSERT INTO s8 SELECT id, v, 1.005, 'abcdef', 'x' FROM app WHERE id = 1;
INSERT INTO s9 SELECT v, k FROM src;
INSERT INTO s9 SELECT MAX(v), k FROM src GROUP BY k;
