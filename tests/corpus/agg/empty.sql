-- SPDX-License-Identifier: Apache-2.0
-- Aggregates over nothing: grouped gives no row; global no row in streaming, one in batch.
CREATE TABLE e (k STRING, v INT, s STRING) WITH ('connector' = 'script', 'changelog-mode' = 'insert', 'rows' = '');
CREATE TABLE o (k STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 1]');
SELECT k, COUNT(*) FROM e GROUP BY k;
SELECT COUNT(*) FROM e;
SELECT COUNT(v), SUM(v), AVG(v), MIN(v), MAX(v) FROM e;
SELECT COUNT(DISTINCT v), SUM(DISTINCT v) FROM e;
SELECT LISTAGG(s), FIRST_VALUE(s), LAST_VALUE(s) FROM e;
SELECT ARRAY_AGG(v) FROM e;
SELECT STDDEV_POP(v), VAR_SAMP(v) FROM e;
SELECT COUNT(*) FROM o WHERE v > 1;
SELECT SUM(v) FROM o WHERE FALSE;
SELECT MAX(v) + 1 FROM o WHERE v > 5;
SELECT COUNT(*) FROM o WHERE NULL IS NOT NULL;
SELECT 'x', COUNT(*) FROM e;
SELECT COUNT(*) FROM e HAVING COUNT(*) = 0;
SELECT COUNT(*) FROM e HAVING COUNT(*) > 0;
SELECT DISTINCT v FROM e;
SELECT * FROM e;
SELECT COUNT(*) FROM (SELECT COUNT(*) FROM e);
SELECT COUNT(*) FROM (SELECT k FROM e GROUP BY k);
SELECT MAX(c) FROM (SELECT k, COUNT(*) AS c FROM e GROUP BY k);
SELECT * FROM (SELECT COUNT(*) AS c FROM e) WHERE c = 0;
SELECT COUNT(*) FILTER (WHERE v > 0) FROM o WHERE k = 'b';
SELECT COUNT(*) FROM (VALUES (1), (2)) AS x(a) WHERE a > 2;
