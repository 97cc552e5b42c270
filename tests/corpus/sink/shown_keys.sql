-- SPDX-License-Identifier: Apache-2.0
-- What keeps the upsert key of a query and what does not: computations that change nothing, casts on the way, columns that WHERE fixes.
-- batch: no
CREATE TABLE t (i INT, id INT NOT NULL, b BIGINT, s STRING, v VARCHAR(5), n DECIMAL(10, 2), d DOUBLE, ti TINYINT, k INT, dt DATE, ts TIMESTAMP(3)) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1, 1, "a", "a", 1, 1, 1, 1, "2024-01-01", "2024-01-01 00:00:00"]
["+I", 1, 1, 1, "a", "b", 1, 1, 1, 1, "2024-01-01", "2024-01-01 00:00:00"]
["+I", null, 2, 1, "a", null, 2, null, 1, 1, "2024-01-01", "2024-01-01 00:00:00"]');
CREATE TABLE p (id INT NOT NULL, k INT, v STRING, m BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
["+I", 5, 1, "a", 1]
["-U", 5, 1, "a", 1]
["+U", 5, 2, "a", 1]
["+I", 6, 1, "a", 1]');
CREATE TABLE p2 (a INT NOT NULL, b INT NOT NULL, k INT, PRIMARY KEY (a, b) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'I,UB,UA,D', 'rows' = '
["+I", 1, 1, 1]
["+I", 1, 2, 1]');
CREATE TABLE r1 (k INT, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r1 SELECT i + 0, COUNT(*) FROM t WHERE i IS NOT NULL GROUP BY i;
CREATE TABLE r2 (k INT, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r2 SELECT i * 1, COUNT(*) FROM t WHERE i IS NOT NULL GROUP BY i;
CREATE TABLE r3 (k INT, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r3 SELECT -(-i), COUNT(*) FROM t WHERE i IS NOT NULL GROUP BY i;
CREATE TABLE r4 (k INT, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r4 SELECT CASE WHEN i > 0 THEN i ELSE i + 0 END, COUNT(*) FROM t WHERE i IS NOT NULL GROUP BY i;
CREATE TABLE r5 (k INT, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r5 SELECT CAST(CAST(i AS STRING) AS INT), COUNT(*) FROM t WHERE i IS NOT NULL GROUP BY i;
CREATE TABLE r6 (k INT, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r6 SELECT TRY_CAST(i AS INT), COUNT(*) FROM t WHERE i IS NOT NULL GROUP BY i;
CREATE TABLE r7 (k INT, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r7 SELECT id + 0, COUNT(*) FROM t WHERE id IS NOT NULL GROUP BY id;
CREATE TABLE r8 (k INT, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r8 SELECT COALESCE(id, 0), COUNT(*) FROM t WHERE id IS NOT NULL GROUP BY id;
CREATE TABLE r9 (k INT, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r9 SELECT CASE WHEN id IS NULL THEN 0 ELSE id END, COUNT(*) FROM t WHERE id IS NOT NULL GROUP BY id;
CREATE TABLE r10 (k BIGINT, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r10 SELECT CAST(CAST(i AS STRING) AS BIGINT), COUNT(*) FROM t WHERE i IS NOT NULL GROUP BY i;
CREATE TABLE r11 (k BIGINT, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r11 SELECT i + CAST(0 AS BIGINT), COUNT(*) FROM t WHERE i IS NOT NULL GROUP BY i;
CREATE TABLE r12 (k VARCHAR(20), n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r12 SELECT CAST(CAST(i AS STRING) AS VARCHAR(20)), COUNT(*) FROM t WHERE i IS NOT NULL GROUP BY i;
CREATE TABLE r13 (k VARCHAR(5), n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r13 SELECT CAST(CAST(v AS STRING) AS VARCHAR(5)), COUNT(*) FROM t WHERE v IS NOT NULL GROUP BY v;
CREATE TABLE r14 (k DOUBLE, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r14 SELECT d + 0, COUNT(*) FROM t WHERE d IS NOT NULL GROUP BY d;
CREATE TABLE r15 (id INT, k INT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r15 SELECT id, id + 0 FROM p;
CREATE TABLE r16 (id INT, k INT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r16 SELECT id, id FROM p;
CREATE TABLE r17 (a INT, b INT, k INT, PRIMARY KEY (a, b) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r17 SELECT a + 0, COALESCE(b, 1), k FROM p2;
CREATE TABLE r18 (id INT, k INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r18 SELECT id, k FROM p WHERE id = 5;
CREATE TABLE r19 (id INT, k INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r19 SELECT id, k FROM p WHERE id IN (5, 6);
CREATE TABLE r20 (id INT, k INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r20 SELECT id, k FROM p WHERE id = 5 AND k = 3;
CREATE TABLE r21 (id INT, k INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r21 SELECT p.id, q.id FROM p JOIN p AS q ON p.id = q.id WHERE p.id = 5;
CREATE TABLE r22 (id INT, k INT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r22 SELECT id, k FROM p WHERE id = 5;
CREATE TABLE r23 (id INT, k INT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r23 SELECT id, k FROM p WHERE id IN (5, 6);
CREATE TABLE r24 (id INT, k INT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r24 SELECT id, k FROM p WHERE id = 5 AND k = 3;
CREATE TABLE r25 (id INT, k INT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r25 SELECT p.id, q.id FROM p JOIN p AS q ON p.id = q.id WHERE p.id = 5;
CREATE TABLE r26 (a INT, b INT, k INT, PRIMARY KEY (a, b) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r26 SELECT a, b, k FROM p2 WHERE a = 1;
CREATE TABLE r27 (k INT, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r27 SELECT i + 1, COUNT(*) FROM t WHERE i IS NOT NULL GROUP BY i;
CREATE TABLE r28 (k INT, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r28 SELECT COALESCE(i, 0), COUNT(*) FROM t WHERE i IS NOT NULL GROUP BY i;
CREATE TABLE r29 (k INT, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r29 SELECT ABS(i), COUNT(*) FROM t WHERE i IS NOT NULL GROUP BY i;
CREATE TABLE r30 (k INT, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r30 SELECT NULLIF(i, 5), COUNT(*) FROM t WHERE i IS NOT NULL GROUP BY i;
CREATE TABLE r31 (k INT, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r31 SELECT CAST(CAST(i AS SMALLINT) AS INT), COUNT(*) FROM t WHERE i IS NOT NULL GROUP BY i;
CREATE TABLE r32 (k INT, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO r32 SELECT CAST(CAST(i AS DOUBLE) AS INT), COUNT(*) FROM t WHERE i IS NOT NULL GROUP BY i;
