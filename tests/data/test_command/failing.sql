-- SPDX-License-Identifier: Apache-2.0
-- Cases that fail, each in its own way: tests/scripts/test_command.sh knows how.
CREATE TABLE o (id INT, k INT, v STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector'='kafka');
CREATE TABLE c (k INT PRIMARY KEY NOT ENFORCED, name STRING);
CREATE TABLE out1 (k INT PRIMARY KEY NOT ENFORCED, n BIGINT) WITH ('connector'='jdbc','url'='x');
CREATE TABLE p (id INT, k INT, v STRING);

-- test: no error
SELECT 1;
-- expect error: x

-- test: wrong error
SELECT nope FROM o;
-- expect error: something

-- test: unexpected error
SELECT nope FROM o;

-- test: wrong rows
-- input: o
--   [1, 1, a, 2024-01-01 10:00]
SELECT id, v FROM o;
-- expect changelog:
--   +I[1, b]

-- test: wrong arity
-- input: o
--   [1, 1]
SELECT id, v FROM o;

-- test: no table
-- input: nope
--   [1]
SELECT 1;

-- test: no table, and so other rows
-- input: oo
--   [1, 1, a, 2024-01-01 10:00]
SELECT id FROM o;
-- expect:
--   [1]

-- test: a near name
SELECT vv FROM o;

-- test: a wrong value in a column that nobody reads
-- input: o
--   [1, 1, a, 2024-01-01 10:00]
--   [a, 1, 1, 2024-01-01 10:00]
SELECT v FROM o;
