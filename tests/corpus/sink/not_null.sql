-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- NOT NULL and length enforcement at the sink.
CREATE TABLE t (id INT, s STRING, bn BYTES) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "abcdef", "AQIDBA=="]
["+I", 2, null, null]
["+I", 3, "ab", "AQ=="]');
CREATE TABLE nn (id INT, s STRING NOT NULL) WITH ('connector' = 'record', 'changelog-mode' = 'insert');
CREATE TABLE len (id INT, s CHAR(4), v VARCHAR(3)) WITH ('connector' = 'record', 'changelog-mode' = 'insert');
CREATE TABLE bin (id INT, b BINARY(2), w VARBINARY(3)) WITH ('connector' = 'record', 'changelog-mode' = 'insert');
CREATE TABLE nn2 (id INT NOT NULL, s STRING) WITH ('connector' = 'record', 'changelog-mode' = 'insert');
CREATE TABLE nn3 (id INT, r ROW<a INT NOT NULL, b STRING>) WITH ('connector' = 'record', 'changelog-mode' = 'insert');
INSERT INTO nn SELECT id, s FROM t;
INSERT INTO nn SELECT id, s FROM t WHERE s IS NOT NULL;
INSERT INTO nn VALUES (1, NULL);
INSERT INTO nn VALUES (1, CAST(NULL AS STRING));
SET 'table.exec.sink.not-null-enforcer' = 'DROP';
INSERT INTO nn SELECT id, s FROM t;
INSERT INTO nn2 SELECT CASE WHEN id > 1 THEN id END, s FROM t;
SET 'table.exec.sink.not-null-enforcer' = 'ERROR';
INSERT INTO len SELECT id, CAST(s AS CHAR(4)), CAST(s AS VARCHAR(3)) FROM t;
INSERT INTO len (id, v) SELECT id, s FROM t;
SET 'table.exec.sink.type-length-enforcer' = 'TRIM_PAD';
INSERT INTO len SELECT id, CAST(s AS CHAR(4)), CAST(s AS VARCHAR(3)) FROM t;
INSERT INTO len (id, v) SELECT id, s FROM t;
INSERT INTO bin SELECT id, CAST(bn AS BINARY(2)), CAST(bn AS VARBINARY(3)) FROM t;
SET 'table.exec.sink.type-length-enforcer' = 'ERROR';
INSERT INTO len SELECT id, CAST(s AS CHAR(4)), CAST(s AS VARCHAR(3)) FROM t;
INSERT INTO len (id, v) SELECT id, s FROM t;
INSERT INTO len SELECT id, s, s FROM t;
SET 'table.exec.sink.type-length-enforcer' = 'IGNORE';
INSERT INTO nn3 SELECT id, (id, s) FROM t;
INSERT INTO nn3 SELECT id, CAST(NULL AS ROW<a INT NOT NULL, b STRING>) FROM t;
