-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- FIRST_VALUE and LAST_VALUE when the shown value is retracted, equal values, NULLs between.
CREATE TABLE c (k STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 3]
["+I", "a", 1]
["+I", "a", null]
["+I", "a", 7]
["-D", "a", 7]
["-D", "a", 3]
["+I", "a", 1]
["-D", "a", 1]
["-D", "a", null]
["-D", "a", 1]
["+I", "a", null]
["+I", "b", 2]
["-U", "b", 2]
["+U", "b", 4]
["-D", "b", 4]');
SELECT k, FIRST_VALUE(v) FROM c GROUP BY k;
SELECT k, LAST_VALUE(v) FROM c GROUP BY k;
SELECT FIRST_VALUE(v), LAST_VALUE(v) FROM c;
SELECT k, FIRST_VALUE(v), COUNT(*) FROM c GROUP BY k;
SELECT k, FIRST_VALUE(v), LAST_VALUE(v), MIN(v), MAX(v) FROM c GROUP BY k;
SELECT FIRST_VALUE(k), LAST_VALUE(k) FROM c;
SELECT k, FIRST_VALUE(DISTINCT v) FROM c GROUP BY k;
SELECT k, FIRST_VALUE(v + 1), LAST_VALUE(CAST(v AS STRING)) FROM c GROUP BY k;
SELECT k, LAST_VALUE(v) FILTER (WHERE v > 1) FROM c GROUP BY k;
SELECT FIRST_VALUE(s) FROM (SELECT k, SUM(v) AS s FROM c GROUP BY k);
SELECT FIRST_VALUE(v) IGNORE NULLS FROM c;
