-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- Statement sets; several inserts into one sink; a failing member fails the whole.
CREATE TABLE t (id INT, k STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5]
["+I", 2, "b", 6]
["+I", 3, "a", 7]');
CREATE TABLE s1 (id INT, k STRING) WITH ('connector' = 'record', 'changelog-mode' = 'insert');
CREATE TABLE s2 (k STRING, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE s3 (id INT) WITH ('connector' = 'record', 'changelog-mode' = 'insert');
CREATE VIEW v AS SELECT k, COUNT(*) AS n FROM t GROUP BY k;
EXECUTE STATEMENT SET BEGIN INSERT INTO s1 SELECT id, k FROM t; INSERT INTO s2 SELECT * FROM v; END;
EXECUTE STATEMENT SET BEGIN INSERT INTO s3 SELECT id FROM t WHERE id < 2; INSERT INTO s3 SELECT v FROM t WHERE id > 2; END;
EXECUTE STATEMENT SET BEGIN INSERT INTO s3 SELECT id FROM t; INSERT INTO nope SELECT id FROM t; END;
EXECUTE STATEMENT SET BEGIN INSERT INTO s3 SELECT nope FROM t; END;
EXECUTE STATEMENT SET BEGIN END;
EXECUTE INSERT INTO s3 VALUES (100), (200);
EXECUTE SELECT id FROM t;
