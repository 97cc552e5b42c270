-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- NULL keys never match; IS NOT DISTINCT FROM does; composite keys with a NULL part.
CREATE TABLE l (a INT, b STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, null, 1]
["+I", null, "x", 2]
["+I", null, null, 3]
["+I", 1, "x", 4]
{"step": 3}
["-D", null, null, 3]
["-D", 1, "x", 4]');
CREATE TABLE r (a INT, b STRING, w INT) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, null, 10]
["+I", null, null, 20]
["+I", 1, "x", 30]
{"step": 4}
["-D", 1, null, 10]
["-D", null, null, 20]');
SELECT v, w FROM l JOIN r ON l.a = r.a;
SELECT v, w FROM l JOIN r ON l.a = r.a AND l.b = r.b;
SELECT v, w FROM l LEFT JOIN r ON l.a = r.a AND l.b = r.b;
SELECT v, w FROM l FULL JOIN r ON l.a = r.a AND l.b = r.b;
SELECT v, w FROM l JOIN r ON l.a IS NOT DISTINCT FROM r.a AND l.b IS NOT DISTINCT FROM r.b;
SELECT v, w FROM l JOIN r ON l.a = r.a AND l.b IS NOT DISTINCT FROM r.b;
SELECT v, w FROM l LEFT JOIN r ON l.a IS NOT DISTINCT FROM r.a;
SELECT v, w FROM l JOIN r ON l.a = r.a OR (l.a IS NULL AND r.a IS NULL);
SELECT v, w FROM l JOIN r ON l.a IS NULL AND r.a IS NULL;
SELECT v FROM l WHERE a IN (SELECT a FROM r);
SELECT v FROM l WHERE a NOT IN (SELECT a FROM r);
SELECT v FROM l WHERE EXISTS (SELECT 1 FROM r WHERE r.a = l.a);
SELECT v FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE r.a = l.a);
SELECT v FROM l WHERE (a, b) IN (SELECT a, b FROM r);
SELECT v, w FROM l FULL JOIN r ON l.a = r.a WHERE v IS NULL OR w IS NULL;
SELECT v, w FROM l, r WHERE l.a = r.a AND l.b = r.b;
SELECT v, w FROM l LEFT JOIN r ON l.a = r.a AND l.a IS NOT NULL;
