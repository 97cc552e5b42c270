-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- Duplicate rows on one or both sides.
CREATE TABLE l (k INT, v STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a"]
["+I", 1, "a"]
{"step": 3}
["-D", 1, "a"]
["-D", 1, "a"]');
CREATE TABLE r (k INT, w STRING) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "x"]
["+I", 1, "x"]
["+I", 1, "y"]
{"step": 4}
["-D", 1, "x"]
["-D", 1, "y"]');
SELECT v, w FROM l JOIN r ON l.k = r.k;
SELECT v, w FROM l LEFT JOIN r ON l.k = r.k;
SELECT v, w FROM l RIGHT JOIN r ON l.k = r.k;
SELECT v, w FROM l FULL JOIN r ON l.k = r.k;
SELECT v FROM l WHERE k IN (SELECT k FROM r);
SELECT v FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE r.k = l.k);
SELECT w FROM r WHERE EXISTS (SELECT 1 FROM l WHERE r.k = l.k);
SELECT COUNT(*) FROM l JOIN r ON l.k = r.k;
SELECT v, w, COUNT(*) FROM l FULL JOIN r ON l.k = r.k GROUP BY v, w;
SELECT DISTINCT v, w FROM l LEFT JOIN r ON l.k = r.k;
