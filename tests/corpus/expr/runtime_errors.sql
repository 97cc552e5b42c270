-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- Failures while rows flow: what came before stays, the job fails with the sentence.
CREATE TABLE t (id INT, z INT, s STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1, "1"]
["+I", 2, 0, "x"]
["+I", 3, 2, "2024-01-01"]');
SELECT id / z FROM t;
SELECT id % z FROM t;
SELECT CAST(s AS INT) FROM t;
SELECT CAST(s AS DATE) FROM t WHERE id > 1;
SELECT CAST(s AS BOOLEAN) FROM t;
SELECT CAST(s AS DECIMAL(5, 2)) FROM t;
SELECT CAST(s AS TIMESTAMP(3)) FROM t;
SELECT id FROM t WHERE 1 / z > 0;
SELECT id, CASE WHEN z = 0 THEN 0 ELSE id / z END FROM t;
SELECT COUNT(*) FROM t WHERE id / z > 0;
SELECT SUM(id / z) FROM t;
SELECT id FROM t WHERE z <> 0 AND id / z > 0;
SELECT MAX(CAST(s AS INT)) FROM t WHERE id = 1;
SELECT TRY_CAST(s AS INT) FROM t;
SELECT FROM_BASE64('*') FROM t;
