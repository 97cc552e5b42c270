-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Inner joins over insert-only inputs, conditions of every kind.
-- order: any
CREATE TABLE l (id INT, a STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 10]
["+I", 2, "b", 20]
["+I", null, "n", 30]
{"step": 3}
["+I", 1, "aa", 40]
["+I", 5, "e", null]');
CREATE TABLE r (id INT, x STRING, w INT) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "x", 10]
["+I", null, "m", 30]
["+I", 3, "z", 25]
{"step": 4}
["+I", 2, "w", 5]
["+I", 5, "v", null]');
SELECT * FROM l JOIN r ON l.id = r.id;
SELECT * FROM l INNER JOIN r ON l.id = r.id AND l.v = r.w;
SELECT l.a, r.x FROM l JOIN r ON l.id = r.id WHERE l.v > r.w;
SELECT l.a, r.x FROM l JOIN r ON l.id = r.id AND l.v > r.w;
SELECT a, x FROM l, r WHERE l.id = r.id AND w IS NOT NULL;
SELECT a, x FROM l JOIN r ON l.v > r.w;
SELECT a, x FROM l JOIN r ON l.id + 1 = r.id;
SELECT a, x FROM l JOIN r ON l.id = r.id - 1;
SELECT a, x FROM l JOIN r ON l.id < r.id AND l.v = r.w;
SELECT a, x FROM l JOIN r ON l.id IS NOT DISTINCT FROM r.id;
SELECT a, x FROM l JOIN r ON l.id <> r.id;
SELECT a, x FROM l JOIN r ON TRUE;
SELECT a, x FROM l CROSS JOIN r;
SELECT a, x FROM l JOIN r ON FALSE;
SELECT a, x FROM l JOIN r ON l.id = r.id OR l.v = r.w;
SELECT a, x FROM l JOIN r ON l.id = 1 AND r.id = 3;
SELECT a, x FROM l JOIN r ON UPPER(l.a) <= UPPER(r.x) AND l.id = r.id;
SELECT a, x FROM l JOIN r ON l.v BETWEEN r.w AND r.w + 10;
SELECT a, x FROM l JOIN r ON l.id = r.id AND l.a LIKE 'a%';
SELECT a, x FROM l JOIN r ON COALESCE(l.id, -1) = COALESCE(r.id, -1);
SELECT l.*, r.x FROM l JOIN r ON l.id = r.id;
SELECT r.*, l.* FROM l JOIN r ON l.id = r.id;
SELECT COUNT(*) FROM l JOIN r ON l.id = r.id;
SELECT l.id, SUM(w), COUNT(*) FROM l JOIN r ON l.id = r.id GROUP BY l.id;
SELECT DISTINCT l.id FROM l JOIN r ON l.id = r.id;
SELECT l.id + r.w AS s FROM l JOIN r ON l.id = r.id;
SELECT id FROM l JOIN r ON l.id = r.id;
SELECT * FROM l JOIN r;
