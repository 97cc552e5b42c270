-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- LEFT joins over insert-only inputs.
CREATE TABLE l (id INT, a STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 10]
["+I", 2, "b", 20]
["+I", null, "n", 30]
{"step": 3}
["+I", 1, "aa", 40]
["+I", 7, "g", 25]
{"step": 5}
["+I", 2, "bb", 20]');
CREATE TABLE r (id INT, x STRING, w INT) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "x", 10]
["+I", null, "m", 30]
["+I", 3, "z", 25]
{"step": 4}
["+I", 2, "w", 5]
["+I", 2, "w2", 50]
["+I", 7, "v", null]');
SELECT * FROM l LEFT JOIN r ON l.id = r.id;
SELECT * FROM l LEFT OUTER JOIN r ON l.id = r.id AND l.v = r.w;
SELECT a, x FROM l LEFT JOIN r ON l.id = r.id AND l.v > r.w;
SELECT a, x FROM l LEFT JOIN r ON l.id = r.id AND l.v > 15;
SELECT a, x FROM l LEFT JOIN r ON l.id = r.id AND r.w > 9;
SELECT a, x FROM l LEFT JOIN r ON l.id = r.id WHERE r.w > 9;
SELECT a, x FROM l LEFT JOIN r ON l.id = r.id WHERE r.x IS NULL;
SELECT a, x FROM l LEFT JOIN r ON l.id = r.id WHERE l.v > 15;
SELECT a, x FROM l LEFT JOIN r ON l.id IS NOT DISTINCT FROM r.id;
SELECT a, x FROM l LEFT JOIN r ON l.id + 1 = r.id;
SELECT a, COALESCE(x, 'none') FROM l LEFT JOIN r ON l.id = r.id;
SELECT l.id, COUNT(r.x), COUNT(*) FROM l LEFT JOIN r ON l.id = r.id GROUP BY l.id;
SELECT COUNT(*), COUNT(a), COUNT(x) FROM l LEFT JOIN r ON l.id = r.id;
SELECT DISTINCT x FROM l LEFT JOIN r ON l.id = r.id;
SELECT a, x FROM l LEFT JOIN r USING (id);
SELECT * FROM l NATURAL LEFT JOIN r;
SELECT * FROM l LEFT JOIN r USING (id);
