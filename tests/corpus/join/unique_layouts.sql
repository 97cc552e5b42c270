-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- conf: weir.explain.state=false
-- What a join knows of its inputs' unique keys: in plans, and in what comes out, with composite, renamed, derived and lost keys.
CREATE TABLE a (x INT NOT NULL, y INT NOT NULL, v STRING, PRIMARY KEY (x, y) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1, "a"]
["+I", 1, 2, "b"]
{"step": 3}
["-U", 1, 1, "a"]
["+U", 1, 1, "aa"]
["-D", 1, 2, "b"]');
CREATE TABLE b (x INT NOT NULL, w STRING, g INT, PRIMARY KEY (x) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "p", 1]
["+I", 2, "q", 1]
{"step": 4}
["-U", 1, "p", 1]
["+U", 1, "pp", 2]
["-D", 2, "q", 1]');
CREATE TABLE n (x INT, y INT, u STRING) WITH ('connector' = 'script', 'rows' = '
{"step": 5}
["+I", 1, 1, "n1"]
["+I", 1, 1, "n1"]
["+I", 2, null, "n2"]
{"step": 8}
["-D", 1, 1, "n1"]
["+I", null, 2, "n3"]');
CREATE TABLE ups (x INT NOT NULL, w STRING, PRIMARY KEY (x) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'upsert', 'rows' = '
{"step": 6}
["+I", 1, "u"]
["+U", 1, "uu"]
{"step": 9}
["+U", 2, "u2"]
["-D", 1, null]');
EXPLAIN CHANGELOG_MODE SELECT * FROM a JOIN b ON a.x = b.x;
SELECT * FROM a JOIN b ON a.x = b.x;
EXPLAIN CHANGELOG_MODE SELECT * FROM a LEFT JOIN b ON a.x = b.x AND a.y = b.g;
SELECT * FROM a LEFT JOIN b ON a.x = b.x AND a.y = b.g;
EXPLAIN CHANGELOG_MODE SELECT a.v, b.w FROM a FULL JOIN b ON a.y = b.g;
SELECT a.v, b.w FROM a FULL JOIN b ON a.y = b.g;
EXPLAIN CHANGELOG_MODE SELECT * FROM a JOIN n ON a.x = n.x AND a.y = n.y;
SELECT * FROM a JOIN n ON a.x = n.x AND a.y = n.y;
SELECT * FROM a LEFT JOIN n ON a.x = n.x AND a.y = n.y;
SELECT * FROM a RIGHT JOIN n ON a.x = n.x AND a.y = n.y;
SELECT * FROM a FULL JOIN n ON a.x = n.x AND a.v < n.u;
EXPLAIN CHANGELOG_MODE SELECT * FROM n LEFT JOIN ups ON n.x = ups.x;
SELECT * FROM n LEFT JOIN ups ON n.x = ups.x;
SELECT * FROM ups LEFT JOIN n ON n.x = ups.x;
SELECT * FROM ups FULL JOIN b ON b.x = ups.x;
EXPLAIN CHANGELOG_MODE SELECT * FROM ups FULL JOIN b ON b.x = ups.x;
EXPLAIN CHANGELOG_MODE SELECT * FROM (SELECT x AS k, COUNT(*) AS c FROM n GROUP BY x) q JOIN b ON q.k = b.x;
SELECT * FROM (SELECT x AS k, COUNT(*) AS c FROM n GROUP BY x) q JOIN b ON q.k = b.x;
SELECT * FROM (SELECT x AS k, COUNT(*) AS c FROM n GROUP BY x) q FULL JOIN b ON q.k = b.x;
SELECT * FROM (SELECT x AS k, COUNT(*) AS c FROM n GROUP BY x) q FULL JOIN b ON q.c = b.g;
EXPLAIN CHANGELOG_MODE SELECT * FROM (SELECT x AS k, COUNT(*) AS c FROM n GROUP BY x) q FULL JOIN b ON q.c = b.g;
EXPLAIN CHANGELOG_MODE SELECT * FROM (SELECT DISTINCT x, y FROM n) q JOIN a ON q.x = a.x AND q.y = a.y;
SELECT * FROM (SELECT DISTINCT x, y FROM n) q JOIN a ON q.x = a.x AND q.y = a.y;
EXPLAIN CHANGELOG_MODE SELECT a.x, a.y, b.w, c.w FROM a JOIN b ON a.x = b.x JOIN b AS c ON a.y = c.x;
EXPLAIN CHANGELOG_MODE SELECT a.x, a.y, b.w, c.w FROM a LEFT JOIN b ON a.x = b.x LEFT JOIN b AS c ON a.y = c.x;
SELECT a.v, b.w, n.u FROM a LEFT JOIN (b JOIN n ON b.x = n.x) ON a.x = b.x;
EXPLAIN CHANGELOG_MODE SELECT a.v, b.w, n.u FROM a LEFT JOIN (b JOIN n ON b.x = n.x) ON a.x = b.x;
EXPLAIN CHANGELOG_MODE SELECT * FROM (SELECT x, MAX(w) AS w FROM b GROUP BY x) q JOIN (SELECT y, MIN(v) AS v FROM a GROUP BY y) p ON q.x = p.y;
SELECT * FROM (SELECT x, MAX(w) AS w FROM b GROUP BY x) q JOIN (SELECT y, MIN(v) AS v FROM a GROUP BY y) p ON q.x = p.y;
EXPLAIN CHANGELOG_MODE SELECT * FROM (SELECT x, w FROM b UNION ALL SELECT x, w FROM ups) q JOIN b ON q.x = b.x;
EXPLAIN CHANGELOG_MODE SELECT * FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.x = b.x);
EXPLAIN CHANGELOG_MODE SELECT * FROM b WHERE x NOT IN (SELECT y FROM a);
SELECT * FROM b WHERE x NOT IN (SELECT y FROM a);
SELECT * FROM b WHERE x NOT IN (SELECT y FROM n);
SELECT * FROM a WHERE (x, y) IN (SELECT x, y FROM n);
EXPLAIN CHANGELOG_MODE SELECT * FROM a WHERE (x, y) IN (SELECT x, y FROM n);
EXPLAIN CHANGELOG_MODE SELECT * FROM a JOIN b ON a.x < b.x;
SELECT * FROM a LEFT JOIN b ON a.x < b.x;
EXPLAIN CHANGELOG_MODE SELECT * FROM (SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY x ORDER BY y DESC) AS rn FROM a) WHERE rn = 1) q JOIN b ON q.x = b.x;
SELECT * FROM (SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY x ORDER BY y DESC) AS rn FROM a) WHERE rn = 1) q JOIN b ON q.x = b.x;
EXPLAIN CHANGELOG_MODE SELECT a.x, COUNT(*) FROM a JOIN b ON a.x = b.x AND a.y = 1 GROUP BY a.x;
SELECT a.x, COUNT(*) FROM a JOIN b ON a.x = b.x AND a.y = 1 GROUP BY a.x;
EXPLAIN CHANGELOG_MODE SELECT * FROM a JOIN b ON a.x = b.x AND a.y = 1 JOIN ups ON ups.x = a.x;
SELECT * FROM a JOIN b ON a.x = b.x AND a.y = 1 JOIN ups ON ups.x = a.x;
