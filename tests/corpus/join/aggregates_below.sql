-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- conf: weir.explain.state=false
-- Aggregates over joins by a primary key: what is counted, added up or compared below the join, and what of that above.
CREATE TABLE users (uid INT NOT NULL, name STRING, city STRING, age INT, PRIMARY KEY (uid) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "ann", "rome", 30]
["+I", 2, "bob", "oslo", 40]
{"step": 3}
["-U", 1, "ann", "rome", 30]
["+U", 1, "ann", "oslo", 31]
{"step": 5}
["-D", 2, "bob", "oslo", 40]
["+I", 3, "eve", null, null]
["+I", 4, "sue", "rome", 22]');
CREATE TABLE orders (oid INT NOT NULL, uid INT, pid INT, qty INT, price DECIMAL(10, 2), PRIMARY KEY (oid) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 10, 1, 100, 2, 1.50]
["+I", 11, 1, 101, 1, 9.99]
["+I", 12, 2, 100, 5, 1.50]
["+I", 13, null, 100, 7, 2.00]
["+I", 14, 3, null, null, null]
{"step": 4}
["-U", 11, 1, 101, 1, 9.99]
["+U", 11, 2, 101, 3, 9.99]
["-D", 10, 1, 100, 2, 1.50]
{"step": 6}
["+I", 15, 4, 101, 1, 4.00]
["-D", 14, 3, null, null, null]
["+I", 16, 1, 100, 1, 0.01]');
CREATE TABLE products (pid INT NOT NULL, title STRING, PRIMARY KEY (pid) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
{"step": 7}
["+I", 100, "pen"]
["+I", 101, "ink"]
{"step": 8}
["-U", 100, "pen"]
["+U", 100, "ink"]');
CREATE TABLE visits (uid INT, page STRING, n INT) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "a", 1]
["+I", 1, "b", 2]
["+I", 2, "a", null]
["+I", null, "a", 4]
{"step": 4}
["+I", 2, "b", 5]
["+I", 4, "a", 6]');
SELECT u.city, COUNT(*) FROM orders o JOIN users u ON o.uid = u.uid GROUP BY u.city;
EXPLAIN CHANGELOG_MODE SELECT u.city, COUNT(*) FROM orders o JOIN users u ON o.uid = u.uid GROUP BY u.city;
SELECT u.city, SUM(o.qty), SUM(o.price) FROM orders o JOIN users u ON o.uid = u.uid GROUP BY u.city;
SELECT u.name, COUNT(*), SUM(o.qty * o.price) FROM orders o JOIN users u ON o.uid = u.uid GROUP BY u.name;
SELECT u.city, MIN(o.price), MAX(o.price), MIN(u.age), MAX(u.age) FROM orders o JOIN users u ON o.uid = u.uid GROUP BY u.city;
SELECT u.city, SUM(u.age), COUNT(u.age), COUNT(o.qty) FROM orders o JOIN users u ON o.uid = u.uid GROUP BY u.city;
EXPLAIN CHANGELOG_MODE SELECT u.city, SUM(u.age), COUNT(u.age), COUNT(o.qty) FROM orders o JOIN users u ON o.uid = u.uid GROUP BY u.city;
SELECT u.city, AVG(o.qty) FROM orders o JOIN users u ON o.uid = u.uid GROUP BY u.city;
SELECT u.city, COUNT(DISTINCT o.pid) FROM orders o JOIN users u ON o.uid = u.uid GROUP BY u.city;
SELECT u.city, COUNT(*) FILTER (WHERE o.qty > 1) FROM orders o JOIN users u ON o.uid = u.uid GROUP BY u.city;
SELECT u.city, COUNT(*) AS n FROM orders o JOIN users u ON o.uid = u.uid GROUP BY u.city HAVING COUNT(*) > 1;
SELECT u.city, COUNT(*) FROM orders o JOIN users u ON o.uid = u.uid WHERE o.qty > 1 AND u.age > 25 GROUP BY u.city;
SELECT o.uid, COUNT(*) FROM orders o JOIN users u ON o.uid = u.uid GROUP BY o.uid;
SELECT u.uid, u.city, SUM(o.qty), COUNT(*) FROM orders o JOIN users u ON o.uid = u.uid GROUP BY u.uid, u.city;
SELECT u.uid, MAX(o.price), MIN(o.qty) FROM users u JOIN orders o ON o.uid = u.uid GROUP BY u.uid;
SELECT o.uid, o.pid, SUM(o.qty) FROM orders o JOIN users u ON o.uid = u.uid GROUP BY o.uid, o.pid;
SELECT u.city, o.pid, SUM(o.qty) FROM orders o JOIN users u ON o.uid = u.uid GROUP BY u.city, o.pid;
SELECT o.pid, u.city, COUNT(*) FROM users u JOIN orders o ON o.uid = u.uid GROUP BY o.pid, u.city;
SELECT o.pid, COUNT(*) FROM orders o JOIN users u ON o.uid = u.uid GROUP BY o.pid;
SELECT o.pid, MAX(u.age) FROM orders o JOIN users u ON o.uid = u.uid GROUP BY o.pid;
SELECT DISTINCT u.city FROM orders o JOIN users u ON o.uid = u.uid;
SELECT DISTINCT o.uid, o.pid FROM orders o JOIN users u ON o.uid = u.uid;
SELECT SUM(o.qty), MAX(u.age) FROM orders o JOIN users u ON o.uid = u.uid;
SELECT MAX(u.age) FROM orders o JOIN users u ON o.uid = u.uid;
SELECT COUNT(*), SUM(o.qty) FROM orders o JOIN users u ON o.uid = u.uid;
SELECT u.city, p.title, SUM(o.qty) FROM orders o JOIN users u ON o.uid = u.uid JOIN products p ON o.pid = p.pid GROUP BY u.city, p.title;
SELECT p.title, SUM(o.qty), COUNT(*) FROM orders o JOIN users u ON o.uid = u.uid JOIN products p ON o.pid = p.pid GROUP BY p.title;
SELECT u.city, COUNT(*) FROM orders o JOIN users u ON o.uid = u.uid JOIN products p ON o.pid = p.pid GROUP BY u.city;
SELECT u.city, COUNT(*) FROM orders o LEFT JOIN users u ON o.uid = u.uid GROUP BY u.city;
SELECT u.city, SUM(o.qty) FROM users u LEFT JOIN orders o ON o.uid = u.uid GROUP BY u.city;
SELECT u.city, COUNT(*) FROM visits v JOIN users u ON v.uid = u.uid GROUP BY u.city;
SELECT DISTINCT u.city FROM visits v JOIN users u ON v.uid = u.uid;
SELECT v.uid, MAX(u.age) FROM visits v JOIN users u ON v.uid = u.uid GROUP BY v.uid;
SELECT v.uid, COUNT(*) FROM visits v JOIN users u ON v.uid = u.uid WHERE v.page = 'a' GROUP BY v.uid;
SELECT u.city, SUM(v.n) FROM visits v JOIN users u ON v.uid = u.uid WHERE v.page = 'a' GROUP BY u.city;
SELECT DISTINCT v.uid FROM visits v JOIN users u ON v.uid = u.uid;
SELECT v.uid, v.page FROM visits v JOIN users u ON v.uid = u.uid GROUP BY v.uid, v.page;
SELECT m.city, COUNT(*) FROM users u JOIN (SELECT uid, SUM(qty) AS city FROM orders GROUP BY uid) m ON u.age = m.uid GROUP BY m.city;
SELECT city, MAX(n) FROM (SELECT u.city, o.pid, COUNT(*) AS n FROM orders o JOIN users u ON o.uid = u.uid GROUP BY u.city, o.pid) GROUP BY city;
SELECT * FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY n DESC, city) AS rn FROM (SELECT u.city, COUNT(*) AS n FROM orders o JOIN users u ON o.uid = u.uid GROUP BY u.city)) WHERE rn <= 2;
CREATE TABLE s1 (city STRING, n BIGINT, PRIMARY KEY (city) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO s1 SELECT u.city, COUNT(*) FROM orders o JOIN users u ON o.uid = u.uid WHERE u.city IS NOT NULL GROUP BY u.city;
