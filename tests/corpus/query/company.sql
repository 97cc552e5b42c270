-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- The usual questions to three changing tables, one change at a time.
CREATE TABLE emp (id INT, name STRING, dept INT, sal DECIMAL(8,2), mgr INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
{"step": 3}
["+I", 1, "ann", 10, 100.50, null]
{"step": 9}
["+I", 2, "bob", 20, 80.00, 1]
{"step": 15}
["+I", 3, "cid", 10, 70.25, 1]
{"step": 21}
["-U", 2, "bob", 20, 80.00, 1]
["+U", 2, "bob", 10, 95.00, 3]
{"step": 27}
["+I", 4, "dan", null, null, 9]
{"step": 33}
["-D", 1, "ann", 10, 100.50, null]
{"step": 39}
["+I", 5, "eve", 30, 100.50, 2]');
CREATE TABLE dep (id INT, dname STRING, loc STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
{"step": 7}
["+I", 10, "dev", "here"]
{"step": 13}
["+I", 20, "ops", "there"]
{"step": 19}
["-U", 10, "dev", "here"]
["+U", 10, "dev", "there"]
{"step": 25}
["+I", 40, "law", null]
{"step": 31}
["-D", 20, "ops", "there"]
{"step": 37}
["-D", 10, "dev", "there"]
{"step": 43}
["+I", 10, "dev2", "here"]');
CREATE TABLE ord (oid INT, eid INT, amt INT, ts TIMESTAMP(3), tag STRING) WITH ('connector' = 'script', 'rows' = '
{"step": 8}
["+I", 100, 1, 5, "2024-01-01 00:00:00", "p"]
{"step": 11}
["+I", 101, 1, 7, "2024-01-01 00:01:00", "q"]
{"step": 14}
["+I", 102, 2, 5, "2024-01-01 00:02:00", "p"]
{"step": 20}
["+I", 103, null, 1, "2024-01-02 00:00:00", null]
{"step": 26}
["+I", 104, 3, null, "2024-01-02 00:01:00", "r"]
{"step": 32}
["+I", 104, 3, null, "2024-01-02 00:01:00", "r"]
{"step": 38}
["+I", 105, 5, 9, null, "p"]');
SELECT e.name, d.dname FROM emp e JOIN dep d ON e.dept = d.id;
SELECT e.name, d.dname FROM emp e LEFT JOIN dep d ON e.dept = d.id;
SELECT e.name, d.dname FROM emp e RIGHT JOIN dep d ON e.dept = d.id;
SELECT e.name, d.dname FROM emp e FULL JOIN dep d ON e.dept = d.id;
SELECT e.name, m.name FROM emp e LEFT JOIN emp m ON e.mgr = m.id;
SELECT e.name, m.name FROM emp e JOIN emp m ON e.mgr = m.id;
SELECT e.name, m.name, d.dname FROM emp e LEFT JOIN emp m ON e.mgr = m.id LEFT JOIN dep d ON m.dept = d.id;
SELECT e.name, d.dname, SUM(o.amt) FROM emp e JOIN dep d ON e.dept = d.id LEFT JOIN ord o ON o.eid = e.id GROUP BY e.name, d.dname;
SELECT d.loc, COUNT(DISTINCT e.name), COUNT(e.sal) FROM dep d LEFT JOIN emp e ON e.dept = d.id GROUP BY d.loc;
SELECT name FROM emp WHERE dept IN (SELECT id FROM dep WHERE loc = 'there');
SELECT name FROM emp WHERE dept NOT IN (SELECT id FROM dep WHERE loc = 'there');
SELECT name FROM emp e WHERE EXISTS (SELECT * FROM ord o WHERE o.eid = e.id AND o.amt > 4);
SELECT name FROM emp e WHERE NOT EXISTS (SELECT * FROM ord o WHERE o.eid = e.id AND o.amt > 4);
SELECT name FROM emp e WHERE sal > (SELECT AVG(sal) FROM emp x WHERE x.dept = e.dept);
SELECT name FROM emp e WHERE sal >= (SELECT MAX(sal) FROM emp);
SELECT name, (SELECT MAX(amt) FROM ord o WHERE o.eid = e.id) FROM emp e;
SELECT name, (SELECT dname FROM dep d WHERE d.id = e.dept) FROM emp e;
SELECT dname FROM dep d WHERE (SELECT COUNT(*) FROM emp e WHERE e.dept = d.id) > 1;
SELECT dname FROM dep d WHERE 1 < (SELECT COUNT(*) FROM emp e WHERE e.dept = d.id) OR loc = 'here';
SELECT dept, COUNT(*) FROM emp GROUP BY dept HAVING COUNT(*) > 1;
SELECT dept, SUM(sal) FROM emp GROUP BY dept HAVING SUM(sal) > 100;
SELECT CASE WHEN sal > 90 THEN 'hi' WHEN sal IS NULL THEN 'none' ELSE 'lo' END AS b, COUNT(*) FROM emp GROUP BY CASE WHEN sal > 90 THEN 'hi' WHEN sal IS NULL THEN 'none' ELSE 'lo' END;
SELECT dept, name FROM emp UNION SELECT id, dname FROM dep;
SELECT dept FROM emp INTERSECT SELECT id FROM dep;
SELECT dept FROM emp EXCEPT SELECT id FROM dep;
SELECT dept FROM emp INTERSECT ALL SELECT id FROM dep;
SELECT dept FROM emp EXCEPT ALL SELECT id FROM dep;
SELECT id FROM dep EXCEPT SELECT dept FROM emp;
SELECT DISTINCT dept FROM emp;
SELECT DISTINCT d.loc FROM emp e JOIN dep d ON e.dept = d.id;
SELECT * FROM emp ORDER BY sal DESC LIMIT 2;
SELECT name, sal FROM emp ORDER BY sal DESC, name LIMIT 2;
SELECT dept, SUM(sal) AS s FROM emp GROUP BY dept ORDER BY s DESC LIMIT 1;
SELECT dept, COUNT(*) AS c FROM emp GROUP BY dept ORDER BY c DESC, dept LIMIT 2;
SELECT eid, COUNT(*) AS c, SUM(amt) s FROM ord GROUP BY eid ORDER BY c DESC, eid FETCH FIRST 2 ROWS ONLY;
SELECT tag, COUNT(*) FILTER (WHERE amt > 4), SUM(amt) FILTER (WHERE amt < 6), COUNT(DISTINCT eid) FROM ord GROUP BY tag;
SELECT dept, mgr, COUNT(*), GROUPING(dept), GROUPING_ID(dept, mgr) FROM emp GROUP BY ROLLUP (dept, mgr);
SELECT dept, mgr, COUNT(*) FROM emp GROUP BY CUBE (dept, mgr);
SELECT dept, mgr, SUM(sal) FROM emp GROUP BY GROUPING SETS ((dept), (mgr), ());
WITH c AS (SELECT dept, SUM(sal) AS s FROM emp GROUP BY dept) SELECT d.dname, c.s FROM dep d JOIN c ON c.dept = d.id;
SELECT dept, LISTAGG(name) FROM emp GROUP BY dept;
SELECT dept, LISTAGG(name, '|'), FIRST_VALUE(name), LAST_VALUE(name) FROM emp GROUP BY dept;
SELECT dept, COLLECT(name) FROM emp GROUP BY dept;
SELECT dept, ARRAY_AGG(name) FROM emp GROUP BY dept;
SELECT COUNT(*), SUM(sal), AVG(sal), MIN(sal), MAX(sal), STDDEV_POP(sal), VAR_SAMP(sal) FROM emp;
SELECT SUM(amt), COUNT(amt), COUNT(*), AVG(amt) FROM ord;
SELECT eid, MAX(ts), MIN(ts), MAX(tag) FROM ord GROUP BY eid;
SELECT e.name, o.amt FROM emp e JOIN ord o ON e.id = o.eid AND o.amt > 5;
SELECT e.name, o.amt FROM emp e LEFT JOIN ord o ON e.id = o.eid AND o.amt > 5 AND e.sal > 80;
SELECT e.name, o.amt FROM emp e FULL JOIN ord o ON e.id = o.eid AND e.sal > o.amt * 15;
SELECT e.name, d.dname FROM emp e CROSS JOIN dep d;
SELECT e.name, d.dname FROM emp e JOIN dep d ON e.dept < d.id;
SELECT e.name, d.dname FROM emp e LEFT JOIN dep d ON e.dept < d.id;
SELECT e.name, d.dname FROM emp e FULL JOIN dep d ON e.dept < d.id;
SELECT * FROM emp JOIN dep USING (id);
SELECT * FROM emp NATURAL JOIN dep;
SELECT e.id, e.name FROM emp e JOIN (SELECT dept, MAX(sal) AS ms FROM emp GROUP BY dept) m ON e.dept = m.dept AND e.sal = m.ms;
SELECT e.name FROM emp e JOIN (SELECT DISTINCT eid FROM ord) o ON e.id = o.eid;
SELECT id + 1, UPPER(name), sal * 2, COALESCE(dept, -1) FROM emp WHERE sal > 75 OR dept IS NULL;
