-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
CREATE TABLE c (a STRING, b INT, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", "x", 1, 10]
["+I", "y", 1, 20]
["-U", "x", 1, 10]
["+U", "x", 2, 10]
["+I", null, null, 5]
["-D", "y", 1, 20]
["-D", null, null, 5]
["-D", "x", 2, 10]');
SELECT a, b, SUM(v) FROM c GROUP BY GROUPING SETS ((a), (b));
SELECT a, b, COUNT(*) FROM c GROUP BY ROLLUP (a, b);
SELECT a, b, COUNT(*), GROUPING_ID(a, b) FROM c GROUP BY CUBE (a, b);
SELECT a, MAX(v), MIN(v) FROM c GROUP BY ROLLUP (a);
SELECT a, b, COUNT(DISTINCT v) FROM c GROUP BY CUBE (a, b);
SELECT COUNT(*) FROM c GROUP BY GROUPING SETS ((), ());
SELECT a, SUM(v) FROM c GROUP BY ROLLUP (a) HAVING SUM(v) > 9;
SELECT a, n FROM (SELECT a, b, COUNT(*) AS n FROM c GROUP BY CUBE (a, b)) WHERE b IS NULL;
SELECT n, COUNT(*) FROM (SELECT a, b, COUNT(*) AS n FROM c GROUP BY GROUPING SETS ((a), (b))) GROUP BY n;
SELECT DISTINCT GROUPING(a) FROM c GROUP BY ROLLUP (a);
