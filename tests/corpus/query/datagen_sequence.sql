-- SPDX-License-Identifier: Apache-2.0
-- alone
-- Sequences of datagen, also with an end before the start; mistakes in its options.
CREATE TABLE a (id INT) WITH ('connector' = 'datagen', 'fields.id.kind' = 'sequence', 'fields.id.start' = '1', 'fields.id.end' = '3');
SELECT * FROM a;
CREATE TABLE b (id INT) WITH ('connector' = 'datagen', 'number-of-rows' = '10', 'fields.id.kind' = 'sequence', 'fields.id.start' = '5', 'fields.id.end' = '1');
SELECT * FROM b;
CREATE TABLE c (id BIGINT) WITH ('connector' = 'datagen', 'number-of-rows' = '10', 'fields.id.kind' = 'sequence', 'fields.id.start' = '5', 'fields.id.end' = '4');
SELECT * FROM c;
CREATE TABLE d (id BIGINT) WITH ('connector' = 'datagen', 'number-of-rows' = '10', 'fields.id.kind' = 'sequence', 'fields.id.start' = '-5', 'fields.id.end' = '-7');
SELECT * FROM d;
CREATE TABLE e (x INT, y BIGINT) WITH ('connector' = 'datagen', 'number-of-rows' = '10', 'fields.x.kind' = 'sequence', 'fields.x.start' = '1', 'fields.x.end' = '3', 'fields.y.kind' = 'sequence', 'fields.y.start' = '1', 'fields.y.end' = '5');
SELECT * FROM e;
CREATE TABLE f (x INT) WITH ('connector' = 'datagen', 'number-of-rows' = '2', 'fields.x.kind' = 'sequence', 'fields.x.start' = '1', 'fields.x.end' = '9');
SELECT * FROM f;
CREATE TABLE g (s STRING, t TINYINT, u DOUBLE) WITH ('connector' = 'datagen', 'number-of-rows' = '9', 'fields.s.kind' = 'sequence', 'fields.s.start' = '1', 'fields.s.end' = '2', 'fields.t.kind' = 'sequence', 'fields.t.start' = '3', 'fields.t.end' = '7', 'fields.u.kind' = 'sequence', 'fields.u.start' = '-1', 'fields.u.end' = '7');
SELECT * FROM g;
CREATE TABLE h (x INT) WITH ('connector' = 'datagen', 'fields.x.kind' = 'nope');
SELECT * FROM h;
CREATE TABLE i (x INT) WITH ('connector' = 'datagen', 'fields.x.kind' = 'sequence', 'fields.x.start' = '1');
SELECT * FROM i;
CREATE TABLE j (x INT) WITH ('connector' = 'datagen', 'number-of-rows' = 'many');
SELECT * FROM j;
CREATE TABLE k (x INT) WITH ('connector' = 'datagen', 'number-of-rows' = '1', 'scan.parallelism' = '0');
SELECT * FROM k;
CREATE TABLE l (x INT, s STRING) WITH ('connector' = 'datagen', 'number-of-rows' = '2', 'fields.x.null-rate' = '1', 'fields.s.length' = '3');
SELECT x, CHAR_LENGTH(s) FROM l;
CREATE TABLE m (x INT) WITH ('connector' = 'print', 'sink.parallelism' = '0');
INSERT INTO m VALUES (1);
SELECT * FROM m;
INSERT INTO l VALUES (1, 'a');
