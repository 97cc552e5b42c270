-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- USING and NATURAL: columns merged, their place and type; names that clash.
CREATE TABLE l (id INT, g STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "p", 10]
["+I", 2, "q", 20]
["+I", null, "p", 30]');
CREATE TABLE r (id BIGINT, g STRING, w INT) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "p", 100]
["+I", 2, "z", 200]
["+I", 4, "p", 400]');
CREATE TABLE z (other INT) WITH ('connector' = 'script', 'rows' = '
["+I", 7]');
SELECT * FROM l JOIN r USING (id);
SELECT * FROM l JOIN r USING (id, g);
SELECT * FROM l JOIN r USING (g);
SELECT id, v, w FROM l JOIN r USING (id);
SELECT l.id, r.id FROM l JOIN r USING (id);
SELECT * FROM l NATURAL JOIN r;
SELECT * FROM l LEFT JOIN r USING (id);
SELECT * FROM l RIGHT JOIN r USING (id);
SELECT * FROM l FULL JOIN r USING (id);
SELECT id FROM l FULL JOIN r USING (id);
SELECT * FROM l NATURAL LEFT JOIN r;
SELECT * FROM l NATURAL FULL JOIN r;
SELECT v, w FROM l NATURAL JOIN r WHERE v = 10;
SELECT id, COUNT(*) FROM l JOIN r USING (id) GROUP BY id;
SELECT l.*, w FROM l JOIN r USING (id);
SELECT * FROM l NATURAL JOIN z;
SELECT * FROM l JOIN r USING (v);
SELECT * FROM l JOIN r USING (nope);
SELECT g FROM l JOIN r USING (id);
SELECT * FROM l JOIN r ON id = id;
SELECT * FROM l a JOIN l b USING (id) JOIN l c USING (id);
SELECT * FROM l AS l2 (x, y, n) JOIN r ON l2.x = r.id;
