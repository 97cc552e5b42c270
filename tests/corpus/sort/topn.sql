-- modes: streaming
CREATE TABLE t (id INT, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 5]
["+I", 2, 3]
["+I", 3, 9]
["+I", 4, 7]
["+I", 5, 5]
["+I", 6, null]');
CREATE TABLE c (id INT, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 5]
["+I", 2, 3]
["+I", 3, 9]
["-D", 3, 9]
["-U", 2, 3]
["+U", 2, 8]
["+I", 4, 1]');
SELECT * FROM t ORDER BY v DESC LIMIT 2;
SELECT * FROM t ORDER BY v LIMIT 2;
SELECT * FROM t ORDER BY v DESC LIMIT 2 OFFSET 1;
SELECT * FROM t LIMIT 3;
SELECT * FROM t OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY;
SELECT * FROM c ORDER BY v DESC LIMIT 2;
SELECT * FROM c ORDER BY v, id LIMIT 1;
SELECT * FROM c LIMIT 2;
SELECT v, COUNT(*) AS n FROM t GROUP BY v ORDER BY n DESC, v LIMIT 2;
SELECT id FROM c ORDER BY v DESC NULLS LAST LIMIT 2;
SELECT * FROM t ORDER BY v;
SELECT id, v FROM t ORDER BY v DESC FETCH FIRST ROW ONLY;
SELECT MAX(v) FROM (SELECT * FROM t ORDER BY v LIMIT 3);
