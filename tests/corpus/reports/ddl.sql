-- SPDX-License-Identifier: Apache-2.0
-- Tables, views, columns, INSERT.
CREATE TABLE s (`user` STRING, `order` INT, `time` TIMESTAMP(3), r ROW<`value` INT, `key` STRING>, `total` AS `order` * 2, `day` AS CAST(`time` AS DATE), WATERMARK FOR `time` AS `time` - INTERVAL '0.001' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 1, "2024-01-01 10:00:00", [1, "k"]]
["+I", "b", 2, "2024-01-01 11:00:00", null]
["+I", "a", 3, "2024-01-02 10:00:00", [null, "z"]]');
DESCRIBE s;
-- FLINK-16068: computed columns over names that are keywords.
SHOW CREATE TABLE s;
-- FLINK-18750: a view over a table function.
CREATE VIEW v AS SELECT `user`, u.w FROM s, UNNEST(ARRAY['x', 'y']) AS u(w);
CREATE VIEW v2 (a, b) AS SELECT `user`, COUNT(*) FROM s GROUP BY `user`;
DESCRIBE v2;
SHOW CREATE VIEW v2;
CREATE VIEW v3 AS SELECT *, `order` + 1 AS nxt FROM s;
CREATE TEMPORARY VIEW s AS SELECT 1 AS one;
DROP TEMPORARY VIEW s;
DROP TABLE v2;
DROP VIEW s;
CREATE VIEW v2 AS SELECT 1;
CREATE VIEW IF NOT EXISTS v2 AS SELECT 1;
ALTER VIEW v2 RENAME TO v4;
SELECT * FROM v2;
-- partial inserts
CREATE TABLE k (id INT, name STRING, n BIGINT, twice AS n * 2, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record');
INSERT INTO k (n, id) VALUES (5, 1), (CAST(NULL AS BIGINT), 2);
INSERT INTO k (id, nope) VALUES (1, 2);
INSERT INTO k (id, id) VALUES (1, 2);
INSERT INTO k (name) VALUES ('x');
INSERT INTO k VALUES (1, 'a', 2, 3);
INSERT INTO k VALUES (1, 'a');
INSERT INTO k (id, twice) VALUES (1, 2);
INSERT INTO k SELECT 'x', 'y', 1;
CREATE TABLE nn (id INT NOT NULL, c CHAR(3), v VARCHAR(2), d DECIMAL(4, 2)) WITH ('connector' = 'record');
INSERT INTO nn VALUES (1, 'abcdef', 'abc', 1.239);
INSERT INTO nn VALUES (2, 'a', 'b', 999);
INSERT INTO nn SELECT CAST(NULL AS INT), 'a', 'b', 1;
INSERT INTO nn SELECT `order`, `user`, `user`, `order` FROM s;
-- LIKE
CREATE TABLE l1 (extra STRING, PRIMARY KEY (`user`) NOT ENFORCED) WITH ('connector' = 'record') LIKE s;
CREATE TABLE l2 (extra AS 1) WITH ('connector' = 'record') LIKE s (EXCLUDING ALL);
DESCRIBE l2;
CREATE TABLE l3 WITH ('connector' = 'record') LIKE s (EXCLUDING GENERATED EXCLUDING OPTIONS EXCLUDING WATERMARKS);
DESCRIBE l3;
CREATE TABLE l4 (`user` INT) WITH ('connector' = 'record') LIKE s;
CREATE TABLE l5 (WATERMARK FOR `time` AS `time`) LIKE s;
CREATE TABLE l6 (WATERMARK FOR `time` AS `time`) LIKE s (OVERWRITING WATERMARKS);
DESCRIBE l6;
CREATE TABLE l7 LIKE nope;
CREATE TABLE b1 (a INT, a INT) WITH ('connector' = 'record');
CREATE TABLE b2 (a INT, PRIMARY KEY (b) NOT ENFORCED) WITH ('connector' = 'record');
CREATE TABLE b3 (a INT, PRIMARY KEY (a)) WITH ('connector' = 'record');
CREATE TABLE b4 (a INT, PRIMARY KEY (a) NOT ENFORCED, PRIMARY KEY (a) NOT ENFORCED) WITH ('connector' = 'record');
CREATE TABLE b5 (a INT NULL, PRIMARY KEY (a) NOT ENFORCED) WITH ('connector' = 'record');
CREATE TABLE b6 (a INT, b AS a + 1, PRIMARY KEY (b) NOT ENFORCED) WITH ('connector' = 'record');
CREATE TABLE b7 (a INT, WATERMARK FOR a AS a) WITH ('connector' = 'record');
CREATE TABLE b8 (a STRING, ts AS TO_TIMESTAMP(a), WATERMARK FOR ts AS ts) WITH ('connector' = 'record');
DESCRIBE b8;
CREATE TABLE b9 (a AS b + 1, b AS a + 1) WITH ('connector' = 'record');
CREATE TABLE b10 (a DECIMAL(2, 5)) WITH ('connector' = 'record');
CREATE TABLE b11 (a VARCHAR(0)) WITH ('connector' = 'record');
CREATE TABLE b12 (a TIMESTAMP(10)) WITH ('connector' = 'record');
CREATE TABLE b13 (a ROW<x INT, x INT>) WITH ('connector' = 'record');
CREATE TABLE b14 (ts TIMESTAMP(6), WATERMARK FOR ts AS ts) WITH ('connector' = 'record');
CREATE TABLE b15 (r ROW<ts TIMESTAMP(3)>, WATERMARK FOR r.ts AS r.ts) WITH ('connector' = 'record');
-- ALTER
CREATE TABLE al (a INT, b STRING) WITH ('connector' = 'record');
ALTER TABLE al ADD (c BIGINT FIRST, d STRING AFTER a);
DESCRIBE al;
ALTER TABLE al MODIFY (a BIGINT NOT NULL, PRIMARY KEY (a) NOT ENFORCED);
DESCRIBE al;
ALTER TABLE al DROP a;
ALTER TABLE al DROP (c, d);
ALTER TABLE al RENAME b TO bb;
DESCRIBE al;
ALTER TABLE al ADD bb INT;
ALTER TABLE al DROP PRIMARY KEY;
ALTER TABLE al DROP WATERMARK;
ALTER TABLE al SET ('x' = 'y');
ALTER TABLE al RESET ('connector');
ALTER TABLE al RENAME TO al2;
SHOW CREATE TABLE al2;
ALTER TABLE nope ADD x INT;
SELECT * FROM k /*+ OPTIONS('x' = 'y') */;
SHOW COLUMNS FROM al2 LIKE 'b%';
SHOW TABLES LIKE 'l%';
EXPLAIN PLAN FOR SELECT `user`, COUNT(*) FROM s GROUP BY `user`;
