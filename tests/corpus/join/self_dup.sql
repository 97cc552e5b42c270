-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- Self joins and duplicate rows on one or both sides.
CREATE TABLE t (k INT, v STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a"]
["+I", 1, "a"]
["+I", 2, "b"]
["-D", 1, "a"]
["+I", 2, "c"]
["-D", 2, "b"]');
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
SELECT t1.v, t2.v FROM t t1 JOIN t t2 ON t1.k = t2.k;
SELECT t1.k, COUNT(*) FROM t t1 JOIN t t2 ON t1.k = t2.k GROUP BY t1.k;
SELECT t1.v FROM t t1 WHERE EXISTS (SELECT 1 FROM t t2 WHERE t2.k = t1.k AND t2.v <> t1.v);
SELECT t1.v, t2.n FROM t t1 JOIN (SELECT k, COUNT(*) AS n FROM t GROUP BY k) t2 ON t1.k = t2.k;
SELECT t1.v, t2.v FROM t t1 LEFT JOIN t t2 ON t1.k = t2.k AND t1.v < t2.v;
SELECT t1.v, t2.v FROM t t1, t t2 WHERE t1.v < t2.v;
SELECT * FROM t t1 JOIN t t2 ON t1.k = t2.k AND t1.v = t2.v;
