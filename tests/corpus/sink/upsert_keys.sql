-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Upsert sinks: matching and differing keys, ON CONFLICT, composite keys, constants, keys through joins and projections.
CREATE TABLE c (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "p", 1]
["+I", 2, "p", 2]
["-U", 1, "p", 1]
["+U", 1, "q", 1]
["-D", 2, "p", 2]
["+I", 3, "q", 3]
["-D", 3, "q", 3]');
CREATE TABLE n (id INT, k STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "p", 1]
["+I", 1, "p", 2]
["-D", 1, "p", 2]');
CREATE TABLE a (id INT, k STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "p", 1]
["+I", 2, "p", 2]
["+I", 1, "p", 3]');
CREATE TABLE s1 (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE s2 (k STRING, id INT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE s3 (k STRING, id INT, v INT, PRIMARY KEY (k, id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE s4 (k STRING, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE s5 (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record');
CREATE TABLE s6 (n BIGINT, one INT, PRIMARY KEY (one) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE s7 (k STRING, id INT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE s8 (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE s9 (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE s10 (k STRING, w STRING, n BIGINT, PRIMARY KEY (k, w) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO s1 SELECT * FROM c;
INSERT INTO s2 SELECT k, id FROM c;
INSERT INTO s2 SELECT k, id FROM c ON CONFLICT DO DEDUPLICATE;
INSERT INTO s3 SELECT k, id, v FROM c;
INSERT INTO s3 SELECT k, id, v FROM c ON CONFLICT DO DEDUPLICATE;
INSERT INTO s4 SELECT k, COUNT(*) FROM c GROUP BY k;
INSERT INTO s5 SELECT * FROM c;
INSERT INTO s6 SELECT COUNT(*), 1 FROM c;
INSERT INTO s7 SELECT k, MAX(id) FROM c GROUP BY k, v;
INSERT INTO s8 SELECT id, k, v FROM a;
INSERT INTO s8 SELECT id, k, v FROM a ON CONFLICT DO DEDUPLICATE;
INSERT INTO s8 SELECT id, k, v FROM a ON CONFLICT DO NOTHING;
INSERT INTO s9 SELECT id, k, v FROM n;
INSERT INTO s9 SELECT id, k, v FROM n ON CONFLICT DO DEDUPLICATE;
INSERT INTO s10 SELECT k, 'w', COUNT(*) FROM c GROUP BY k;
SET 'table.exec.sink.require-on-conflict' = 'false';
INSERT INTO s2 SELECT k, id FROM c;
SET 'table.exec.sink.upsert-materialize' = 'NONE';
INSERT INTO s7 SELECT k, id FROM c;
SET 'table.exec.sink.upsert-materialize' = 'FORCE';
INSERT INTO s1 SELECT * FROM c;
