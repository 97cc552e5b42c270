-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming,batch
-- Aggregates that are taken apart when several tasks work on them: distinct columns, partial results, no rows at all.
CREATE TABLE t (k STRING, a INT, b BIGINT, c STRING) WITH ('connector'='script','rows'='["+I","x",1,10,"p"]
["+I","x",1,20,"q"]
["+I","y",2,null,"p"]
["+I","y",null,30,"r"]
["+I","x",3,10,null]
["+I",null,3,10,"p"]');
SELECT COUNT(DISTINCT a), COUNT(DISTINCT c) FROM t;
SELECT COUNT(DISTINCT a), SUM(b), COUNT(*) FROM t;
SELECT k, COUNT(DISTINCT a), SUM(DISTINCT b), COUNT(*), MAX(c) FROM t GROUP BY k;
SELECT k, COUNT(DISTINCT a), AVG(DISTINCT a), COUNT(b) FROM t GROUP BY k;
SELECT COUNT(DISTINCT a), COUNT(*) FROM t WHERE a > 100;
SELECT k, COUNT(DISTINCT a) FROM t GROUP BY GROUPING SETS ((k), ());
SELECT COUNT(a), SUM(b), AVG(a), MIN(c), MAX(k) FROM t;
SELECT k, COUNT(*), MIN(c), SUM(a) FROM t GROUP BY k;
SELECT COUNT(*), SUM(a) FROM t WHERE a > 100;
SELECT k, COUNT(DISTINCT k), COUNT(*) FROM t GROUP BY k;
