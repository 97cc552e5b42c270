-- SPDX-License-Identifier: Apache-2.0
-- alone
-- Both schemas in the message when they do not match: the sink's is shown without NOT NULL.
CREATE TABLE o (id INT NOT NULL, name STRING NOT NULL, r ROW<a INT NOT NULL> NOT NULL, x ARRAY<INT NOT NULL>) WITH ('connector'='print');
INSERT INTO o SELECT 1, 'a';
INSERT INTO o SELECT 'x', 1, 2, 3;
CREATE TABLE p (id INT NOT NULL, name STRING) WITH ('connector'='print');
INSERT INTO p SELECT CAST(NULL AS INT), 'x';
INSERT INTO p (name) VALUES ('x');
CREATE TABLE k (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector'='record');
INSERT INTO k SELECT 'a', 'b';
INSERT INTO k SELECT ARRAY[1], 'b';
INSERT INTO k (name) SELECT 'b';
SET 'table.exec.sink.not-null-enforcer' = 'DROP';
INSERT INTO o SELECT 1, 'a';
CREATE TABLE s (id INT NOT NULL, name STRING) WITH ('connector'='print');
INSERT INTO s SELECT CAST(NULL AS INT), 'x';
