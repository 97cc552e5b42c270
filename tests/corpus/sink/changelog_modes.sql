-- SPDX-License-Identifier: Apache-2.0
-- multi: no
-- modes: streaming
-- order: any
-- Which changes a sink takes, and the error where it cannot.
CREATE TABLE t (id INT, k STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5]
["+I", 2, "b", 6]');
CREATE TABLE c (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5]
["-U", 1, "a", 5]
["+U", 1, "b", 6]
["-D", 1, "b", 6]');
CREATE TABLE ins (k STRING, n BIGINT) WITH ('connector' = 'record', 'changelog-mode' = 'insert');
CREATE TABLE ins3 (id INT, k STRING, v INT) WITH ('connector' = 'record', 'changelog-mode' = 'insert');
CREATE TABLE nodel (k STRING, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'I,UB,UA');
INSERT INTO ins SELECT k, COUNT(*) FROM t GROUP BY k;
INSERT INTO ins SELECT k, COUNT(*) FROM c GROUP BY k;
INSERT INTO ins3 SELECT * FROM c;
INSERT INTO ins3 SELECT * FROM t;
INSERT INTO ins3 SELECT DISTINCT * FROM t;
INSERT INTO ins3 SELECT * FROM t ORDER BY v LIMIT 1;
INSERT INTO ins3 SELECT * FROM t LIMIT 1;
INSERT INTO ins3 SELECT t.* FROM t LEFT JOIN c ON t.id = c.id;
INSERT INTO ins3 SELECT t.id, t.k, c.v FROM t LEFT JOIN c ON t.id = c.id;
INSERT INTO ins3 SELECT t.* FROM t JOIN t t2 ON t.id = t2.id;
INSERT INTO ins3 SELECT t.* FROM t WHERE id IN (SELECT id FROM c);
INSERT INTO ins3 SELECT t.* FROM t WHERE NOT EXISTS (SELECT id FROM t t2 WHERE t2.id = t.id);
INSERT INTO ins3 SELECT * FROM t UNION SELECT * FROM t;
INSERT INTO ins3 SELECT * FROM t INTERSECT SELECT * FROM t;
INSERT INTO ins3 SELECT * FROM t UNION ALL SELECT * FROM t;
INSERT INTO nodel SELECT k, COUNT(*) FROM t GROUP BY k;
INSERT INTO nodel SELECT k, COUNT(*) FROM c GROUP BY k;
