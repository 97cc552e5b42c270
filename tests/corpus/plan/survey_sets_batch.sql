-- SPDX-License-Identifier: Apache-2.0
-- Plans of tests/plans/sets.sql that are Flink's to the letter.
-- modes: batch
-- batch: no
-- conf: weir.explain.state=false
CREATE TABLE MyTable (a INT, b BIGINT, c STRING, d TIMESTAMP(3)) WITH ('connector'='script','rows'='["+I",1,1,"a",null]');
CREATE TABLE MyTable1 (a1 INT, b1 BIGINT, c1 STRING) WITH ('connector'='script','rows'='["+I",1,1,"a"]');
CREATE TABLE MyTable2 (a2 INT NOT NULL, b2 DOUBLE, c2 VARCHAR(10), d2 DECIMAL(10,2), e2 BOOLEAN, f2 DATE) WITH ('connector'='script','rows'='["+I",1,1,"a",1,true,"2020-01-01"]');
CREATE TABLE pk1 (id INT, name STRING, v BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector'='script','rows'='["+I",1,"a",1]');
CREATE TABLE pk2 (x INT, y INT, z STRING, PRIMARY KEY (x, y) NOT ENFORCED) WITH ('connector'='script','rows'='["+I",1,1,"a"]');
CREATE TABLE ord (order_id BIGINT, cust STRING, item STRING, price DECIMAL(10,2), qty INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector'='script','rows'='["+I",1,"c","i",1,1,"2020-01-01 00:00:00"]');
CREATE TABLE gen (id INT, k STRING, v BIGINT) WITH ('connector'='datagen','number-of-rows'='10');
CREATE TABLE fs (id INT, k STRING, v BIGINT, p STRING) PARTITIONED BY (p) WITH ('connector'='filesystem','path'='/tmp/none_such','format'='csv');
CREATE TABLE nest (id INT, arr ARRAY<INT>, m MAP<STRING,INT>, r ROW<x INT, y ROW<z STRING, w INT>>, ra ARRAY<ROW<p INT, q STRING>>) WITH ('connector'='script','rows'='["+I",1,null,null,null,null]');
EXPLAIN SELECT a, c, GROUP_ID(), COUNT(*) FROM MyTable GROUP BY ROLLUP (a, c);
EXPLAIN SELECT a, c, COUNT(DISTINCT b) FROM MyTable GROUP BY CUBE (a, c);
EXPLAIN SELECT UPPER(c), a + 1, SUM(b) FROM MyTable GROUP BY GROUPING SETS ((UPPER(c)), (a + 1));
EXPLAIN SELECT a, c, SUM(b) FROM MyTable WHERE b > 2 GROUP BY ROLLUP (a, c) ORDER BY a LIMIT 4;
EXPLAIN WITH x AS (SELECT a, b FROM MyTable WHERE b > 1) SELECT * FROM x UNION ALL SELECT * FROM x WHERE a > 2;
EXPLAIN SELECT a, e FROM nest CROSS JOIN UNNEST(arr) AS t(e) JOIN MyTable ON id = a;
EXPLAIN SELECT id, r.x, r.y.z FROM nest WHERE r.y.w > 3;
EXPLAIN SELECT a FROM MyTable WHERE b > (SELECT AVG(b1) FROM MyTable1);
EXPLAIN SELECT m.a, t.b1, u.b2 FROM MyTable m LEFT JOIN MyTable1 t ON m.a = t.a1 LEFT JOIN MyTable2 u ON t.a1 = u.a2 WHERE m.b > 3;
EXPLAIN SELECT * FROM MyTable FULL OUTER JOIN MyTable1 ON a = a1 AND b = b1;
EXPLAIN SELECT * FROM MyTable, MyTable1 WHERE a = a1 AND b > 2 AND b1 < 7 AND c <> c1;
EXPLAIN SELECT COUNT(*), SUM(x) FROM (SELECT a AS x FROM MyTable UNION ALL SELECT a1 FROM MyTable1 UNION ALL SELECT a2 FROM MyTable2);
EXPLAIN SELECT CAST(a AS STRING) || c, CASE WHEN b > 3 THEN 'x' WHEN b IS NULL THEN 'n' ELSE 'y' END AS f FROM MyTable WHERE c LIKE 'a%' AND CHAR_LENGTH(c) > 2;
