-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- INSERT with column lists, partial columns, casts, wrong counts and types.
CREATE TABLE t (a INT, b STRING, c DOUBLE) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "x", 1.5]
["+I", 2, null, null]');
CREATE TABLE s1 (a INT, b STRING, c DOUBLE) WITH ('connector' = 'record', 'changelog-mode' = 'insert');
CREATE TABLE s2 (a BIGINT, b STRING, c DOUBLE) WITH ('connector' = 'record', 'changelog-mode' = 'insert');
CREATE TABLE s3 (a INT, b STRING NOT NULL, c DOUBLE) WITH ('connector' = 'record', 'changelog-mode' = 'insert');
CREATE TABLE s4 (x DECIMAL(10, 2), y VARCHAR(3)) WITH ('connector' = 'record', 'changelog-mode' = 'insert');
CREATE TABLE s5 (r ROW<i INT, s STRING>, l ARRAY<INT>) WITH ('connector' = 'record', 'changelog-mode' = 'insert');
CREATE TABLE s6 (a INT, g AS a + 1, b STRING) WITH ('connector' = 'record', 'changelog-mode' = 'insert');
INSERT INTO s1 SELECT * FROM t;
INSERT INTO s1 SELECT a, b, c FROM t WHERE a = 1;
INSERT INTO s1 (c, a) SELECT c, a FROM t;
INSERT INTO s1 (b) VALUES ('only'), ('these');
INSERT INTO s1 (a, b, c) VALUES (7, 'v', 2.5), (8, NULL, NULL);
INSERT INTO s1 VALUES (9, 'w', 1);
INSERT INTO s1 (a) SELECT a, b FROM t;
INSERT INTO s1 SELECT a FROM t;
INSERT INTO s1 SELECT b, a, c FROM t;
INSERT INTO s1 (nope) SELECT a FROM t;
INSERT INTO s1 (a, a) SELECT a, a FROM t;
INSERT INTO s2 SELECT a, b, a FROM t;
INSERT INTO s2 (a) SELECT c FROM t;
INSERT INTO s3 (a, c) SELECT a, c FROM t;
INSERT INTO s3 (b) SELECT b FROM t WHERE b IS NOT NULL;
INSERT INTO s4 SELECT a, b FROM t WHERE a = 1;
INSERT INTO s4 VALUES (1.239, 'abcdef');
INSERT INTO s4 (y) SELECT CAST(a AS STRING) FROM t;
INSERT INTO s4 (x) SELECT c FROM t;
INSERT INTO s4 (y) SELECT a FROM t;
INSERT INTO s5 SELECT ROW(1, 'x'), ARRAY[1, 2];
INSERT INTO s5 (l) SELECT ARRAY[a] FROM t;
INSERT INTO s5 (r) SELECT (a, b) FROM t;
INSERT INTO s6 SELECT a, b FROM t;
INSERT INTO s6 (b, a) SELECT b, a FROM t;
INSERT INTO s6 (g) SELECT a FROM t;
INSERT INTO nope SELECT * FROM t;
INSERT INTO t SELECT * FROM t;
