-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- NULL arguments, NULL keys, groups of NULLs only.
CREATE TABLE t (k STRING, v INT, s STRING, b BOOLEAN) WITH ('connector' = 'script', 'rows' = '
["+I", null, null, null, null]
["+I", "a", null, "x", true]
["+I", null, 3, null, false]
["+I", "a", null, null, null]
["+I", "b", 0, "", false]
["+I", null, null, "q", null]
["+I", "a", 8, "y", true]');
CREATE TABLE c (k STRING, v INT, s STRING) WITH ('connector' = 'script', 'rows' = '
["+I", "g", 5, "x"]
["+I", "g", null, null]
["-D", "g", 5, "x"]
["+I", null, null, null]
["-U", "g", null, null]
["+U", "g", 6, "y"]
["-D", null, null, null]
["-U", "g", 6, "y"]
["+U", null, 6, "y"]');
SELECT k, COUNT(*), COUNT(v), COUNT(s), COUNT(b) FROM t GROUP BY k;
SELECT k, SUM(v), AVG(v), MIN(v), MAX(v) FROM t GROUP BY k;
SELECT k, MIN(s), MAX(s) FROM t GROUP BY k;
SELECT k, MIN(b), MAX(b) FROM t GROUP BY k;
SELECT k, FIRST_VALUE(v), LAST_VALUE(v), FIRST_VALUE(s), LAST_VALUE(s) FROM t GROUP BY k;
SELECT k, LISTAGG(s), LISTAGG(s, '') FROM t GROUP BY k;
SELECT k, ARRAY_AGG(v), ARRAY_AGG(s) FROM t GROUP BY k;
SELECT k, ARRAY_AGG(v IGNORE NULLS) FROM t GROUP BY k;
SELECT k, ARRAY_AGG(v RESPECT NULLS) FROM t GROUP BY k;
SELECT k, COLLECT(s) FROM t GROUP BY k;
SELECT k, VAR_POP(v), VAR_SAMP(v), STDDEV_POP(v), STDDEV_SAMP(v) FROM t GROUP BY k;
SELECT k, JSON_ARRAYAGG(v), JSON_ARRAYAGG(s NULL ON NULL), JSON_ARRAYAGG(s ABSENT ON NULL) FROM t GROUP BY k;
SELECT JSON_OBJECTAGG(KEY COALESCE(s, 'none') VALUE v) FROM t;
SELECT JSON_OBJECTAGG(KEY COALESCE(s, 'none') VALUE v ABSENT ON NULL) FROM t;
SELECT COUNT(DISTINCT k), COUNT(DISTINCT v), COUNT(DISTINCT b) FROM t;
SELECT k, b, COUNT(*) FROM t GROUP BY k, b;
SELECT SUM(v), AVG(v), MIN(v) FROM t WHERE v IS NULL;
SELECT COALESCE(k, 'none'), COUNT(*) FROM t GROUP BY COALESCE(k, 'none');
SELECT k, COUNT(*), COUNT(v), SUM(v), MAX(v) FROM c GROUP BY k;
SELECT k, MIN(s), MAX(s), LISTAGG(s) FROM c GROUP BY k;
SELECT k, FIRST_VALUE(v), LAST_VALUE(s) FROM c GROUP BY k;
SELECT COUNT(v), SUM(v), AVG(v) FROM c;
SELECT k, ARRAY_AGG(v) FROM c GROUP BY k;
SELECT MAX(v), COUNT(*) FROM c WHERE k IS NOT NULL;
