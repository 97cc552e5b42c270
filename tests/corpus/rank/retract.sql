-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Top-N over rows that change: counts that only rise (UpdateFast), sums that fall, deletions, upserts.
CREATE TABLE s (k STRING, id INT, v INT) WITH ('connector' = 'script', 'rows' = '
{"step": 1}
["+I", "a", 1, 5]
{"step": 2}
["+I", "a", 2, 3]
{"step": 3}
["+I", "a", 2, 4]
{"step": 4}
["+I", "a", 3, 1]
{"step": 5}
["+I", "b", 1, -2]
{"step": 6}
["+I", "a", 3, 1]
{"step": 7}
["+I", "a", 3, -9]
{"step": 8}
["+I", "b", 2, 2]
{"step": 9}
["+I", "b", 3, 2]
{"step": 10}
["+I", "b", 3, -5]
{"step": 11}
["+I", "a", 4, 6]
{"step": 12}
["+I", "a", 4, 6]
{"step": 13}
["+I", null, 4, null]
{"step": 14}
["+I", "a", 1, 5]
{"step": 15}
["+I", "a", 1, 1]');
CREATE TABLE c (k STRING, id INT, v INT) WITH ('connector' = 'script', 'rows' = '
{"step": 1}
["+I", "a", 1, 5]
{"step": 2}
["+I", "a", 2, 3]
{"step": 3}
["+I", "a", 3, 4]
{"step": 4}
["+I", "a", 4, 9]
{"step": 5}
["-D", "a", 1, 5]
{"step": 6}
["-U", "a", 4, 9]
["+U", "a", 4, 2]
{"step": 7}
["+I", "b", 5, 1]
{"step": 8}
["+I", "b", 5, 1]
{"step": 9}
["-D", "b", 5, 1]
{"step": 10}
["-D", "a", 2, 3]
{"step": 11}
["-D", "a", 3, 4]
{"step": 12}
["-D", "a", 4, 2]
{"step": 13}
["+I", "a", 6, 6]
{"step": 14}
["-D", "b", 5, 1]
{"step": 15}
["-D", "b", 7, 7]');
CREATE TABLE u (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
{"step": 1}
["+I", 1, "a", 5]
{"step": 2}
["+I", 2, "a", 3]
{"step": 3}
["-U", 1, "a", 5]
["+U", 1, "a", 2]
{"step": 4}
["+I", 3, "b", 3]
{"step": 5}
["-U", 2, "a", 3]
["+U", 2, "b", 3]
{"step": 6}
["+I", 4, "a", 7]
{"step": 7}
["-D", 4, "a", 7]
{"step": 8}
["-U", 1, "a", 2]
["+U", 1, "a", 2]');
SELECT k, id, c, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY c DESC) AS rn FROM (SELECT k, id, COUNT(*) AS c FROM s GROUP BY k, id)) WHERE rn <= 2;
SELECT k, id, c FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY c DESC) AS rn FROM (SELECT k, id, COUNT(*) AS c FROM s GROUP BY k, id)) WHERE rn <= 2;
SELECT k, id, c FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY c DESC) AS rn FROM (SELECT k, id, COUNT(*) AS c FROM s GROUP BY k, id)) WHERE rn = 1;
SELECT k, id, c FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY c DESC) AS rn FROM (SELECT k, id, COUNT(*) AS c FROM s GROUP BY k, id)) WHERE rn = 2;
SELECT k, id, c, rn FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY c DESC) AS rn FROM (SELECT k, id, COUNT(*) AS c FROM s GROUP BY k, id)) WHERE rn <= 3;
SELECT k, id, c, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY c) AS rn FROM (SELECT k, id, COUNT(*) AS c FROM s GROUP BY k, id)) WHERE rn <= 2;
SELECT k, id, m, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY m) AS rn FROM (SELECT k, id, MIN(v) AS m FROM s GROUP BY k, id)) WHERE rn <= 2;
SELECT k, id, m FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY m) AS rn FROM (SELECT k, id, MIN(v) AS m FROM s GROUP BY k, id)) WHERE rn <= 2;
SELECT k, id, m, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY m DESC) AS rn FROM (SELECT k, id, SUM(v) AS m FROM s GROUP BY k, id)) WHERE rn <= 2;
SELECT k, id, m FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY m DESC) AS rn FROM (SELECT k, id, SUM(v) AS m FROM s GROUP BY k, id)) WHERE rn <= 2;
SELECT k, id, m FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY m DESC) AS rn FROM (SELECT k, id, SUM(v) AS m FROM s GROUP BY k, id)) WHERE rn = 1;
SELECT k, id, m, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY m) AS rn FROM (SELECT k, id, SUM(v) AS m FROM s GROUP BY k, id)) WHERE rn <= 3;
SELECT id, c, k, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY c ORDER BY k DESC, id) AS rn FROM (SELECT k, id, COUNT(*) AS c FROM s GROUP BY k, id)) WHERE rn <= 2;
SELECT k, id, v, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS rn FROM c) WHERE rn <= 2;
SELECT k, id, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS rn FROM c) WHERE rn <= 2;
SELECT k, id, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM c) WHERE rn = 1;
SELECT k, id, v, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM c) WHERE rn <= 1;
SELECT k, id, v, rn FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY v DESC) AS rn FROM c) WHERE rn <= 3;
SELECT k, id, v FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY v DESC) AS rn FROM c) WHERE rn <= 3;
SELECT id, k, v, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM u) WHERE rn <= 2;
SELECT id, k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM u) WHERE rn <= 2;
SELECT id, k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS rn FROM u) WHERE rn = 1;
SELECT id, k, v, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY v) AS rn FROM u) WHERE rn <= 2;
SELECT k, SUM(v), COUNT(*) FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM c) WHERE rn <= 2 GROUP BY k;
SELECT k, id, v, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY rn1 DESC) AS rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn1 FROM s) WHERE rn1 <= 3) WHERE rn <= 2;
