-- SPDX-License-Identifier: Apache-2.0
-- GROUPING SETS, ROLLUP, CUBE and the grouping functions.
-- order: any
CREATE TABLE t (a STRING, b INT, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", "x", 1, 10]
["+I", "y", 1, 20]
["+I", "x", 2, 30]
["+I", null, 1, 40]
["+I", "x", 1, 50]
["+I", "y", null, 60]');
SELECT a, b, SUM(v) FROM t GROUP BY GROUPING SETS ((a), (b));
SELECT a, b, SUM(v) FROM t GROUP BY GROUPING SETS ((a, b), (a), ());
SELECT a, SUM(v) FROM t GROUP BY GROUPING SETS ((a), ());
SELECT a, b, COUNT(*) FROM t GROUP BY ROLLUP (a, b);
SELECT a, b, COUNT(*) FROM t GROUP BY CUBE (a, b);
SELECT a, b, SUM(v), GROUPING(a), GROUPING(b) FROM t GROUP BY CUBE (a, b);
SELECT a, b, SUM(v), GROUPING_ID(a, b) FROM t GROUP BY ROLLUP (a, b);
SELECT a, b, SUM(v), GROUPING_ID(b, a), GROUPING(a, b) FROM t GROUP BY GROUPING SETS ((a), (b), (a, b));
SELECT a, b, GROUP_ID() FROM t GROUP BY GROUPING SETS ((a), (b));
SELECT a, COUNT(*) FROM t GROUP BY a, ROLLUP (b);
SELECT a, b, COUNT(*) FROM t GROUP BY ROLLUP (a), ROLLUP (b);
SELECT a, b, COUNT(*) FROM t GROUP BY GROUPING SETS (ROLLUP (a, b), CUBE (a));
SELECT a, b, COUNT(*) FROM t GROUP BY ROLLUP ((a, b));
SELECT COUNT(*) FROM t GROUP BY GROUPING SETS (());
SELECT COUNT(*) FROM t GROUP BY ();
SELECT a, SUM(b) FROM t GROUP BY GROUPING SETS ((), (a), (a, b));
SELECT a, b, COUNT(*) FROM t GROUP BY CUBE (a, b) HAVING GROUPING(a) = 1;
SELECT a, b, SUM(v) FROM t GROUP BY CUBE (a, b) HAVING SUM(v) > 60;
SELECT CASE WHEN GROUPING(a) = 1 THEN 'all' ELSE COALESCE(a, 'null') END AS l, SUM(v) FROM t GROUP BY ROLLUP (a);
SELECT a, b, COUNT(DISTINCT v), COUNT(v) FILTER (WHERE v > 20) FROM t GROUP BY CUBE (a, b);
SELECT a, b FROM t GROUP BY ROLLUP (a, b);
SELECT b + 1 AS c, COUNT(*) FROM t GROUP BY ROLLUP (b + 1);
SELECT a, COUNT(*) FROM t GROUP BY GROUPING SETS ((a), (a));
SELECT GROUPING(v) FROM t GROUP BY a;
SELECT GROUPING(a) FROM t;
