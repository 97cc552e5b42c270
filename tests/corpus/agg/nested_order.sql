-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- alone
-- Aggregates over aggregates that show in which order changes arrive.
CREATE TABLE t (k STRING, g STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", "a", "x", 4]
["+I", "b", "x", 1]
["+I", "a", "y", 3]
["+I", "c", "y", 7]
["+I", "b", "x", 6]
["+I", "a", "x", 1]');
SELECT LISTAGG(k) FROM (SELECT k, COUNT(*) AS n FROM t GROUP BY k) WHERE n > 1;
SELECT FIRST_VALUE(s), LAST_VALUE(s) FROM (SELECT k, SUM(v) AS s FROM t GROUP BY k);
SELECT s, LISTAGG(k) FROM (SELECT k, SUM(v) AS s FROM t GROUP BY k) GROUP BY s;
SELECT ARRAY_AGG(s) FROM (SELECT k, SUM(v) AS s FROM t GROUP BY k);
