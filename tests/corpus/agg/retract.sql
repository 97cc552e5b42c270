-- modes: streaming
CREATE TABLE cdc (k STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 5]
["+I", "b", 1]
["-U", "a", 5]
["+U", "a", 7]
["+I", "a", 3]
["-D", "a", 7]
["-D", "zz", 1]
["-D", "a", 3]
["+I", null, 4]
["+I", null, null]
["-D", null, 4]
["+I", "b", null]');
SELECT k, COUNT(*) FROM cdc GROUP BY k;
SELECT k, COUNT(v), SUM(v), AVG(v), MIN(v), MAX(v) FROM cdc GROUP BY k;
SELECT COUNT(*), SUM(v) FROM cdc;
SELECT k, COUNT(DISTINCT v), SUM(DISTINCT v) FROM cdc GROUP BY k;
SELECT k, FIRST_VALUE(v), LAST_VALUE(v) FROM cdc GROUP BY k;
SELECT k, ARRAY_AGG(v), COLLECT(v) FROM cdc GROUP BY k;
SELECT DISTINCT k FROM cdc;
SELECT DISTINCT v FROM cdc;
SELECT k, COUNT(*) FILTER (WHERE v > 2), SUM(v) FILTER (WHERE v < 6) FROM cdc GROUP BY k;
SELECT v, COUNT(*) FROM (SELECT k, SUM(v) AS v FROM cdc GROUP BY k) GROUP BY v;
SELECT MAX(c) FROM (SELECT k, COUNT(*) AS c FROM cdc GROUP BY k);
SELECT k, COUNT(*) AS c FROM cdc GROUP BY k HAVING COUNT(*) > 1;
SELECT k, MAX(v) - MIN(v) FROM cdc GROUP BY k;
SELECT k, LISTAGG(CAST(v AS STRING)) FROM cdc GROUP BY k;
SELECT COUNT(DISTINCT k) FILTER (WHERE v > 1), COUNT(DISTINCT k) FROM cdc;
SELECT k, v, COUNT(*) FROM cdc GROUP BY GROUPING SETS ((k), (v), ());
SELECT k, v, COUNT(*), GROUPING(k), GROUPING_ID(k, v) FROM cdc GROUP BY ROLLUP (k, v);
SELECT * FROM cdc WHERE v > 3;
SELECT k, STDDEV_POP(v), VAR_SAMP(v) FROM cdc GROUP BY k;
