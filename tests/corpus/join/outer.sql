-- modes: streaming
-- order: any
CREATE TABLE l (id INT, a STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a"]
["+I", 2, "b"]
["+I", null, "n"]
{"step": 3}
["-U", 1, "a"]
["+U", 1, "aa"]
{"step": 5}
["-D", 2, "b"]');
CREATE TABLE r (id INT, x STRING) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "x"]
["+I", 1, "y"]
["+I", 3, "z"]
["+I", null, "m"]
{"step": 4}
["-D", 1, "x"]
["+I", 2, "w"]
{"step": 6}
["-D", 1, "y"]');
SELECT * FROM l JOIN r ON l.id = r.id;
SELECT * FROM l LEFT JOIN r ON l.id = r.id;
SELECT * FROM l RIGHT JOIN r ON l.id = r.id;
SELECT * FROM l FULL JOIN r ON l.id = r.id;
SELECT * FROM l LEFT JOIN r ON l.id = r.id AND r.x > 'x';
SELECT * FROM l FULL JOIN r ON l.id = r.id AND l.a < r.x;
SELECT * FROM l JOIN r ON l.id < r.id;
SELECT * FROM l WHERE id IN (SELECT id FROM r);
SELECT * FROM l WHERE EXISTS (SELECT 1 FROM r WHERE r.id = l.id);
SELECT * FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE r.id = l.id);
SELECT l.a, COUNT(r.x) FROM l LEFT JOIN r ON l.id = r.id GROUP BY l.a;
SELECT * FROM l, r WHERE l.id = r.id;
SELECT * FROM l CROSS JOIN r;
SELECT * FROM l NATURAL JOIN r;
SELECT id, a, x FROM l JOIN r USING (id);
