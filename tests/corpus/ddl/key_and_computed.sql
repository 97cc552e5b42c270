-- SPDX-License-Identifier: Apache-2.0
-- computed columns over key columns, keys over the columns of LIKE
CREATE TABLE t (id INT, c AS id + 1 COMMENT 'next', d AS CAST(id AS STRING), e AS id + v, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'blackhole');
DESCRIBE t;
CREATE TABLE u (id INT PRIMARY KEY NOT ENFORCED, c AS id * 2) WITH ('connector' = 'blackhole');
DESCRIBE u;
ALTER TABLE u DROP PRIMARY KEY;
DESCRIBE u;
CREATE TABLE w (a INT, c AS a * 2, b INT) WITH ('connector' = 'blackhole');
ALTER TABLE w ADD PRIMARY KEY (a) NOT ENFORCED;
DESCRIBE w;
CREATE TABLE base (a INT, b INT NOT NULL, c AS a + b) WITH ('connector' = 'blackhole');
CREATE TABLE l1 (PRIMARY KEY (a) NOT ENFORCED) LIKE base;
CREATE TABLE l2 (PRIMARY KEY (b) NOT ENFORCED) LIKE base;
SHOW CREATE TABLE l2;
CREATE TABLE l3 (k INT, PRIMARY KEY (k) NOT ENFORCED) LIKE base;
DESCRIBE l3;
CREATE TABLE l4 (k INT, kk AS k + 1, PRIMARY KEY (k, a) NOT ENFORCED) LIKE base;
CREATE TABLE l5 (k INT, kk AS k + 1, PRIMARY KEY (k, b) NOT ENFORCED) LIKE base;
DESCRIBE l5;
CREATE TABLE bad1 (id INT, c AS zz + 1, PRIMARY KEY (nope) NOT ENFORCED) WITH ('connector' = 'blackhole');
