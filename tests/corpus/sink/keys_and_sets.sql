-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- parallel: no
-- Sinks: keys that differ from the query's, partial inserts, casts, NOT NULL, statement sets, CTAS, over joins and sub-queries.
CREATE TABLE c (id INT NOT NULL, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 10]
["+I", 2, "a", 20]
["+I", 3, "b", null]
["-U", 1, "a", 10]
["+U", 1, "b", 11]
["-D", 2, "a", 20]
["+I", 2, "b", 21]
["-U", 3, "b", null]
["+U", 3, null, 5]');
CREATE TABLE a (id INT, k STRING, v INT) WITH ('connector' = 'script', 'changelog-mode' = 'I', 'rows' = '
{"step": 2}
["+I", 1, "a", 10]
["+I", 1, "b", 20]
["+I", null, "c", 30]
["+I", 2, null, null]');
CREATE TABLE u (id INT NOT NULL, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'upsert', 'rows' = '
{"step": 3}
["+I", 1, "a", 10]
["+U", 1, "b", 11]
["+U", 2, "a", 20]
["-D", 1, null, null]
["+U", 3, "c", 1]
["-D", 7, null, null]');
CREATE TABLE p1 (id INT NOT NULL, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE p2 (v INT, id INT NOT NULL, k STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE p3 (k STRING, v BIGINT, n STRING, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE p4 (id INT, k STRING, v INT) WITH ('connector' = 'record');
CREATE TABLE p5 (id INT, k STRING NOT NULL, v INT NOT NULL) WITH ('connector' = 'record');
CREATE TABLE p6 (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record');
CREATE TABLE p7 (id INT, k STRING, PRIMARY KEY (id, k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE p8 (id INT, k CHAR(3), v DECIMAL(4, 1)) WITH ('connector' = 'record');
CREATE TABLE p9 (id INT, w STRING, n BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE q1 (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE q2 (k STRING, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE q3 (k STRING, n BIGINT) WITH ('connector' = 'record', 'changelog-mode' = 'insert');
CREATE TABLE q4 (id INT, k STRING, v INT) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE q5 (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE q6 (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE q7 (k STRING, m INT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE q8 (x INT, y INT, PRIMARY KEY (x) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO p1 SELECT id, k, v FROM c WHERE v > 10;
INSERT INTO p2 (id, k) SELECT id, k FROM u;
INSERT INTO p2 (k, id) SELECT k, v FROM a;
INSERT INTO p3 (n, k) SELECT CAST(COUNT(*) AS STRING), k FROM c GROUP BY k;
INSERT INTO p3 (k, k) SELECT k, k FROM c;
INSERT INTO p3 (k) SELECT k, v FROM c;
INSERT INTO p3 (nope) SELECT k FROM c;
INSERT INTO p4 SELECT c.id, a.k, c.v FROM c LEFT JOIN a ON c.id = a.id;
INSERT INTO p4 SELECT id, k, v FROM u;
INSERT INTO p5 SELECT id, k, v FROM c;
INSERT INTO p5 SELECT id, COALESCE(k, 'x'), COALESCE(v, 0) FROM c;
SET 'table.exec.sink.not-null-enforcer' = 'DROP';
INSERT INTO p5 SELECT id, k, v FROM a;
SET 'table.exec.sink.not-null-enforcer' = 'ERROR';
INSERT INTO p6 SELECT id, k, v FROM u;
INSERT INTO p6 SELECT id, k, v FROM a;
INSERT INTO p7 SELECT id, k FROM c;
INSERT INTO p7 SELECT id, COALESCE(k, '-') FROM c;
INSERT INTO p8 SELECT id, k, v FROM c;
INSERT INTO p8 SELECT id, CAST(k AS CHAR(3)), CAST(v AS DECIMAL(4, 1)) FROM c;
INSERT INTO p9 SELECT c.id, d.w, d.n FROM c JOIN (SELECT k, MAX(k) AS w, COUNT(*) AS n FROM a GROUP BY k) d ON c.k = d.k;
EXPLAIN INSERT INTO p9 SELECT c.id, d.w, d.n FROM c LEFT JOIN (SELECT k, MAX(k) AS w, COUNT(*) AS n FROM a GROUP BY k) d ON c.k = d.k;
EXPLAIN INSERT INTO q1 SELECT c.id, c.k, a.v FROM c JOIN a ON c.id = a.id;
INSERT INTO q1 SELECT c.id, c.k, a.v FROM c JOIN a ON c.id = a.id;
INSERT INTO q1 SELECT c.id, c.k, a.v FROM c JOIN a ON c.id = a.id ON CONFLICT DO DEDUPLICATE;
INSERT INTO q2 SELECT k, COUNT(*) FROM c GROUP BY k;
INSERT INTO q3 SELECT k, COUNT(*) FROM c GROUP BY k;
INSERT INTO q3 SELECT k, v FROM a;
INSERT INTO q4 SELECT * FROM c;
INSERT INTO q5 SELECT * FROM c UNION ALL SELECT id, k, v FROM u;
INSERT INTO q5 SELECT * FROM c UNION ALL SELECT id, k, v FROM u ON CONFLICT DO DEDUPLICATE;
INSERT INTO q6 SELECT id, k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY v DESC) AS rn FROM a WHERE id IS NOT NULL) WHERE rn = 1;
INSERT INTO q7 SELECT k, MAX(v) FROM c WHERE k IS NOT NULL GROUP BY k HAVING MAX(v) > 10;
INSERT INTO q8 SELECT v, COUNT(DISTINCT id) FROM c GROUP BY v;
INSERT INTO q8 SELECT v, CAST(COUNT(DISTINCT id) AS INT) FROM c WHERE v IS NOT NULL GROUP BY v;
CREATE TABLE t1 WITH ('connector' = 'record') AS SELECT k, SUM(v) AS s FROM c GROUP BY k;
CREATE TABLE t2 (PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert') AS SELECT id, v FROM c;
CREATE TABLE t3 (w STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert') AS SELECT id, v FROM u;
CREATE TABLE t4 (v, id) WITH ('connector' = 'record') AS SELECT id, v FROM a;
CREATE TABLE t5 WITH ('connector' = 'record') AS SELECT 1, id FROM a;
DESCRIBE t4;
CREATE TABLE x1 (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE x2 (k STRING, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE x3 (k STRING, v INT) WITH ('connector' = 'record');
CREATE VIEW vc AS SELECT id, k, v FROM c WHERE v IS NOT NULL;
EXECUTE STATEMENT SET BEGIN
INSERT INTO x1 SELECT * FROM vc;
INSERT INTO x2 SELECT COALESCE(k, '-'), COUNT(*) FROM vc GROUP BY COALESCE(k, '-');
INSERT INTO x3 SELECT k, v FROM vc WHERE v > 10;
INSERT INTO x3 SELECT k, v FROM a;
END;
EXPLAIN STATEMENT SET BEGIN
INSERT INTO x1 SELECT * FROM vc;
INSERT INTO x2 SELECT k, COUNT(*) FROM vc GROUP BY k;
INSERT INTO x3 SELECT k, v FROM vc WHERE v > 10;
END;
EXECUTE STATEMENT SET BEGIN
INSERT INTO x1 SELECT * FROM vc;
INSERT INTO nope SELECT * FROM vc;
END;
EXECUTE STATEMENT SET BEGIN
SELECT 1;
END;
