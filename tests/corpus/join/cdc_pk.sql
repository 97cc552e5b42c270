-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- Joins of changing tables: pk.
CREATE TABLE l (id INT, a STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 10]
["+I", 2, "b", 20]
{"step": 3}
["-U", 1, "a", 10]
["+U", 1, "aa", 11]
{"step": 5}
["-D", 2, "b", 20]
["+I", 3, "c", 30]
{"step": 7}
["-U", 3, "c", 30]
["+U", 3, "cc", 30]');
CREATE TABLE r (id INT, x STRING, w INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "x", 10]
["+I", 3, "z", 5]
{"step": 4}
["-U", 1, "x", 10]
["+U", 1, "y", 12]
["+I", 2, "w", 20]
{"step": 6}
["-D", 1, "y", 12]
["-D", 3, "z", 5]
{"step": 8}
["+I", 3, "z2", 35]');
SELECT * FROM l JOIN r ON l.id = r.id;
SELECT * FROM l LEFT JOIN r ON l.id = r.id;
SELECT * FROM l RIGHT JOIN r ON l.id = r.id;
SELECT * FROM l FULL JOIN r ON l.id = r.id;
SELECT a, x FROM l JOIN r ON l.id = r.id AND l.v < r.w;
SELECT a, x FROM l LEFT JOIN r ON l.id = r.id AND l.v < r.w;
SELECT a, x FROM l RIGHT JOIN r ON l.id = r.id AND l.v < r.w;
SELECT a, x FROM l FULL JOIN r ON l.id = r.id AND l.v < r.w;
SELECT a, x FROM l JOIN r ON l.v = r.w;
SELECT a, x FROM l LEFT JOIN r ON l.v = r.w;
SELECT a, x FROM l JOIN r ON l.v < r.w;
SELECT a, x FROM l LEFT JOIN r ON l.v < r.w;
SELECT * FROM l WHERE EXISTS (SELECT 1 FROM r WHERE r.id = l.id);
SELECT * FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE r.id = l.id);
SELECT * FROM l WHERE id IN (SELECT id FROM r);
SELECT * FROM l WHERE EXISTS (SELECT 1 FROM r WHERE r.id = l.id AND r.w > l.v);
SELECT * FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE r.id = l.id AND r.w > l.v);
SELECT l.id, COUNT(x) FROM l LEFT JOIN r ON l.id = r.id GROUP BY l.id;
SELECT COUNT(*), SUM(v), SUM(w) FROM l JOIN r ON l.id = r.id;
SELECT l.id, x FROM l LEFT JOIN r ON l.id = r.id WHERE x IS NULL;
SELECT l.id, a, n FROM l JOIN (SELECT id, COUNT(*) AS n FROM r GROUP BY id) q ON l.id = q.id;
SELECT l.id, a, n FROM l LEFT JOIN (SELECT id, COUNT(*) AS n FROM r GROUP BY id) q ON l.id = q.id;
