-- SPDX-License-Identifier: Apache-2.0
-- modes: batch
-- The shapes of a decision support benchmark over a handful of rows.
CREATE TABLE lineitem (l_orderkey BIGINT, l_partkey BIGINT, l_suppkey BIGINT, l_linenumber INT, l_quantity DECIMAL(12,2), l_extendedprice DECIMAL(12,2), l_discount DECIMAL(12,2), l_tax DECIMAL(12,2), l_returnflag STRING, l_linestatus STRING, l_shipdate DATE, l_commitdate DATE, l_receiptdate DATE, l_shipmode STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1, 1, 1, 17.00, 21168.23, 0.04, 0.02, "N", "O", "1996-03-13", "1996-02-12", "1996-03-22", "TRUCK"]
["+I", 1, 2, 2, 2, 36.00, 45983.16, 0.09, 0.06, "N", "O", "1996-04-12", "1996-02-28", "1996-04-20", "MAIL"]
["+I", 2, 1, 2, 1, 38.00, 44694.46, 0.00, 0.05, "N", "O", "1994-01-28", "1994-01-14", "1994-02-02", "RAIL"]
["+I", 3, 3, 1, 1, 45.00, 54058.05, 0.06, 0.00, "R", "F", "1994-02-02", "1994-01-04", "1994-02-23", "AIR"]
["+I", 3, 2, 3, 2, 49.00, 46796.47, 0.10, 0.00, "R", "F", "1994-11-09", "1993-12-20", "1994-11-24", "MAIL"]
["+I", 4, 1, 1, 1, 30.00, 30690.90, 0.03, 0.08, "N", "O", "1996-01-10", "1995-12-14", "1996-01-18", "SHIP"]');
CREATE TABLE orders (o_orderkey BIGINT, o_custkey BIGINT, o_orderstatus STRING, o_totalprice DECIMAL(12,2), o_orderdate DATE, o_orderpriority STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1, "O", 173665.47, "1996-01-02", "5-LOW"]
["+I", 2, 2, "O", 46929.18, "1993-12-01", "1-URGENT"]
["+I", 3, 1, "F", 193846.25, "1993-10-14", "5-LOW"]
["+I", 4, 3, "O", 32151.78, "1995-10-11", "5-LOW"]');
CREATE TABLE customer (c_custkey BIGINT, c_name STRING, c_nationkey INT, c_acctbal DECIMAL(12,2), c_mktsegment STRING, c_phone STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "C1", 1, 711.56, "BUILDING", "25-989"]
["+I", 2, "C2", 2, 121.65, "AUTOMOBILE", "23-768"]
["+I", 3, "C3", 1, 7498.12, "BUILDING", "11-719"]
["+I", 4, "C4", 3, -272.60, "MACHINERY", "14-128"]');
CREATE TABLE supplier (s_suppkey BIGINT, s_name STRING, s_nationkey INT, s_acctbal DECIMAL(12,2)) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "S1", 1, 100.00]
["+I", 2, "S2", 2, 200.00]
["+I", 3, "S3", 1, 300.00]');
CREATE TABLE nation (n_nationkey INT, n_name STRING, n_regionkey INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "FRANCE", 1]
["+I", 2, "GERMANY", 1]
["+I", 3, "PERU", 2]');
CREATE TABLE part (p_partkey BIGINT, p_name STRING, p_type STRING, p_size INT, p_brand STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "green bolt", "PROMO BRASS", 5, "B1"]
["+I", 2, "red nut", "STEEL", 15, "B2"]
["+I", 3, "forest pin", "PROMO TIN", 5, "B1"]');
CREATE TABLE partsupp (ps_partkey BIGINT, ps_suppkey BIGINT, ps_availqty INT, ps_supplycost DECIMAL(12,2)) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1, 100, 10.00]
["+I", 1, 2, 200, 8.00]
["+I", 2, 2, 300, 7.00]
["+I", 2, 3, 10, 7.00]
["+I", 3, 1, 50, 1.00]');
SELECT l_returnflag, l_linestatus, SUM(l_quantity), SUM(l_extendedprice), SUM(l_extendedprice * (1 - l_discount)), SUM(l_extendedprice * (1 - l_discount) * (1 + l_tax)), AVG(l_quantity), AVG(l_discount), COUNT(*) FROM lineitem WHERE l_shipdate <= DATE '1998-12-01' - INTERVAL '90' DAY GROUP BY l_returnflag, l_linestatus ORDER BY l_returnflag, l_linestatus;
SELECT s_acctbal, s_name, n_name, p_partkey FROM part, supplier, partsupp, nation WHERE p_partkey = ps_partkey AND s_suppkey = ps_suppkey AND p_size = 5 AND s_nationkey = n_nationkey AND ps_supplycost = (SELECT MIN(ps_supplycost) FROM partsupp, supplier WHERE p_partkey = ps_partkey AND s_suppkey = ps_suppkey) ORDER BY s_acctbal DESC, n_name, s_name, p_partkey LIMIT 100;
SELECT l_orderkey, SUM(l_extendedprice * (1 - l_discount)) AS revenue, o_orderdate FROM customer, orders, lineitem WHERE c_mktsegment = 'BUILDING' AND c_custkey = o_custkey AND l_orderkey = o_orderkey AND o_orderdate < DATE '1996-03-15' GROUP BY l_orderkey, o_orderdate ORDER BY revenue DESC, o_orderdate LIMIT 10;
SELECT o_orderpriority, COUNT(*) AS order_count FROM orders WHERE o_orderdate >= DATE '1993-07-01' AND EXISTS (SELECT * FROM lineitem WHERE l_orderkey = o_orderkey AND l_commitdate < l_receiptdate) GROUP BY o_orderpriority ORDER BY o_orderpriority;
SELECT n_name, SUM(l_extendedprice * (1 - l_discount)) AS revenue FROM customer, orders, lineitem, supplier, nation WHERE c_custkey = o_custkey AND l_orderkey = o_orderkey AND l_suppkey = s_suppkey AND c_nationkey = s_nationkey AND s_nationkey = n_nationkey GROUP BY n_name ORDER BY revenue DESC;
SELECT SUM(l_extendedprice * l_discount) FROM lineitem WHERE l_shipdate >= DATE '1994-01-01' AND l_shipdate < DATE '1994-01-01' + INTERVAL '1' YEAR AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 50;
SELECT supp_nation, cust_nation, l_year, SUM(volume) FROM (SELECT n1.n_name AS supp_nation, n2.n_name AS cust_nation, EXTRACT(YEAR FROM l_shipdate) AS l_year, l_extendedprice * (1 - l_discount) AS volume FROM supplier, lineitem, orders, customer, nation n1, nation n2 WHERE s_suppkey = l_suppkey AND o_orderkey = l_orderkey AND c_custkey = o_custkey AND s_nationkey = n1.n_nationkey AND c_nationkey = n2.n_nationkey AND ((n1.n_name = 'FRANCE' AND n2.n_name = 'GERMANY') OR (n1.n_name = 'GERMANY' AND n2.n_name = 'FRANCE'))) AS shipping GROUP BY supp_nation, cust_nation, l_year;
SELECT o_year, SUM(CASE WHEN nation = 'FRANCE' THEN volume ELSE 0 END) / SUM(volume) AS mkt_share FROM (SELECT EXTRACT(YEAR FROM o_orderdate) AS o_year, l_extendedprice * (1 - l_discount) AS volume, n2.n_name AS nation FROM part, supplier, lineitem, orders, nation n2 WHERE p_partkey = l_partkey AND s_suppkey = l_suppkey AND l_orderkey = o_orderkey AND s_nationkey = n2.n_nationkey) AS all_nations GROUP BY o_year ORDER BY o_year;
SELECT c_custkey, c_name, SUM(l_extendedprice * (1 - l_discount)) AS revenue, c_acctbal FROM customer, orders, lineitem WHERE c_custkey = o_custkey AND l_orderkey = o_orderkey AND l_returnflag = 'R' GROUP BY c_custkey, c_name, c_acctbal ORDER BY revenue DESC LIMIT 20;
SELECT ps_partkey, SUM(ps_supplycost * ps_availqty) AS v FROM partsupp, supplier WHERE ps_suppkey = s_suppkey GROUP BY ps_partkey HAVING SUM(ps_supplycost * ps_availqty) > (SELECT SUM(ps_supplycost * ps_availqty) * 0.3 FROM partsupp) ORDER BY v DESC;
SELECT l_shipmode, SUM(CASE WHEN o_orderpriority = '1-URGENT' OR o_orderpriority = '2-HIGH' THEN 1 ELSE 0 END) AS high, SUM(CASE WHEN o_orderpriority <> '1-URGENT' AND o_orderpriority <> '2-HIGH' THEN 1 ELSE 0 END) AS low FROM orders, lineitem WHERE o_orderkey = l_orderkey AND l_shipmode IN ('MAIL', 'SHIP') GROUP BY l_shipmode ORDER BY l_shipmode;
SELECT c_count, COUNT(*) AS custdist FROM (SELECT c_custkey, COUNT(o_orderkey) AS c_count FROM customer LEFT OUTER JOIN orders ON c_custkey = o_custkey AND o_orderstatus <> 'F' GROUP BY c_custkey) AS c_orders GROUP BY c_count ORDER BY custdist DESC, c_count DESC;
SELECT 100.00 * SUM(CASE WHEN p_type LIKE 'PROMO%' THEN l_extendedprice * (1 - l_discount) ELSE 0 END) / SUM(l_extendedprice * (1 - l_discount)) AS promo FROM lineitem, part WHERE l_partkey = p_partkey;
WITH revenue AS (SELECT l_suppkey AS supplier_no, SUM(l_extendedprice * (1 - l_discount)) AS total FROM lineitem GROUP BY l_suppkey) SELECT s_suppkey, s_name, total FROM supplier, revenue WHERE s_suppkey = supplier_no AND total = (SELECT MAX(total) FROM revenue) ORDER BY s_suppkey;
SELECT p_brand, p_type, p_size, COUNT(DISTINCT ps_suppkey) AS cnt FROM partsupp, part WHERE p_partkey = ps_partkey AND p_brand <> 'B9' AND p_type NOT LIKE 'MEDIUM%' AND p_size IN (5, 15) AND ps_suppkey NOT IN (SELECT s_suppkey FROM supplier WHERE s_name = 'S3') GROUP BY p_brand, p_type, p_size ORDER BY cnt DESC, p_brand, p_type, p_size;
SELECT SUM(l_extendedprice) / 7.0 AS avg_yearly FROM lineitem, part WHERE p_partkey = l_partkey AND l_quantity < (SELECT 1.2 * AVG(l_quantity) FROM lineitem WHERE l_partkey = p_partkey);
SELECT c_name, o_orderkey, SUM(l_quantity) FROM customer, orders, lineitem WHERE o_orderkey IN (SELECT l_orderkey FROM lineitem GROUP BY l_orderkey HAVING SUM(l_quantity) > 40) AND c_custkey = o_custkey AND o_orderkey = l_orderkey GROUP BY c_name, o_orderkey;
SELECT SUM(l_extendedprice * (1 - l_discount)) FROM lineitem, part WHERE (p_partkey = l_partkey AND p_brand = 'B1' AND l_quantity >= 1 AND p_size BETWEEN 1 AND 5) OR (p_partkey = l_partkey AND p_brand = 'B2' AND l_quantity <= 40 AND p_size BETWEEN 1 AND 20);
SELECT s_name FROM supplier WHERE s_suppkey IN (SELECT ps_suppkey FROM partsupp WHERE ps_partkey IN (SELECT p_partkey FROM part WHERE p_name LIKE '%e%') AND ps_availqty > (SELECT 0.5 * SUM(l_quantity) FROM lineitem WHERE l_partkey = ps_partkey AND l_suppkey = ps_suppkey)) ORDER BY s_name;
SELECT s_name, COUNT(*) AS numwait FROM supplier, lineitem l1, orders WHERE s_suppkey = l1.l_suppkey AND o_orderkey = l1.l_orderkey AND l1.l_receiptdate > l1.l_commitdate AND EXISTS (SELECT * FROM lineitem l2 WHERE l2.l_orderkey = l1.l_orderkey AND l2.l_suppkey <> l1.l_suppkey) AND NOT EXISTS (SELECT * FROM lineitem l3 WHERE l3.l_orderkey = l1.l_orderkey AND l3.l_suppkey <> l1.l_suppkey AND l3.l_receiptdate > l3.l_commitdate) GROUP BY s_name ORDER BY numwait DESC, s_name LIMIT 100;
SELECT cntrycode, COUNT(*), SUM(c_acctbal) FROM (SELECT SUBSTRING(c_phone FROM 1 FOR 2) AS cntrycode, c_acctbal FROM customer WHERE SUBSTRING(c_phone FROM 1 FOR 2) IN ('25', '11', '14') AND c_acctbal > (SELECT AVG(c_acctbal) FROM customer WHERE c_acctbal > 0.00) - 3000 AND NOT EXISTS (SELECT * FROM orders WHERE o_custkey = c_custkey AND o_orderstatus = 'F')) AS custsale GROUP BY cntrycode ORDER BY cntrycode;
