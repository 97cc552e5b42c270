-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- UNNEST and LATERAL: nested arrays and rows, other element types, chains, conditions, changes, names, refusals.
CREATE TABLE t (id INT, aa ARRAY<ARRAY<INT>>, ar ARRAY<ROW<k STRING, n ROW<x INT, y ARRAY<STRING>>>>, m MAP<STRING, ARRAY<STRING>>, d ARRAY<DECIMAL(5, 2)>, ts ARRAY<TIMESTAMP(3)>, bb ARRAY<BOOLEAN>, byt ARRAY<BYTES>, r ROW<tags ARRAY<STRING>, n INT>, s STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, [[1, 2], [], null, [3]], [{"k": "a", "n": {"x": 1, "y": ["p", "q"]}}, {"k": null, "n": {"x": 2, "y": null}}], {"5": ["u", "v"]}, [1.50, null], ["2024-01-01 00:00:00", null], [true, false, null], ["AQI="], {"tags": ["t1", "t2"], "n": 7}, "a,b"]
["+I", 2, null, null, null, null, null, null, null, null, null]
["+I", 3, [], [], {}, [], [], [], [], {"tags": [], "n": null}, ""]');
CREATE TABLE c (id INT, a ARRAY<INT>, k STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, [1, 2, 2], "a"]
["+I", 2, [2], "b"]
["-U", 1, [1, 2, 2], "a"]
["+U", 1, [2, 3], "a"]
["-D", 2, [2], "b"]
["+I", 3, null, "c"]');
SELECT id, e FROM t CROSS JOIN UNNEST(aa) AS u (e);
SELECT id, f FROM t CROSS JOIN UNNEST(aa) AS u (e) CROSS JOIN UNNEST(e) AS w (f);
SELECT id, e, f FROM t LEFT JOIN UNNEST(aa) AS u (e) ON TRUE LEFT JOIN UNNEST(e) AS w (f) ON TRUE;
SELECT id, kk, nn FROM t CROSS JOIN UNNEST(ar) AS u (kk, nn);
SELECT id, u.k, u.n.x FROM t CROSS JOIN UNNEST(ar) AS u;
SELECT id, u.k, w.z FROM t CROSS JOIN UNNEST(ar) AS u CROSS JOIN UNNEST(u.n.y) AS w (z);
SELECT id, k, v FROM t CROSS JOIN UNNEST(m) AS u (k, v);
SELECT id, k, v FROM t CROSS JOIN UNNEST(m) AS u (k, vs) CROSS JOIN UNNEST(vs) AS w (v);
SELECT id, e FROM t CROSS JOIN UNNEST(d) AS u (e);
SELECT id, e FROM t CROSS JOIN UNNEST(ts) AS u (e);
SELECT id, e FROM t CROSS JOIN UNNEST(bb) AS u (e) WHERE e IS NOT TRUE;
SELECT id, e FROM t CROSS JOIN UNNEST(byt) AS u (e);
SELECT id, e FROM t CROSS JOIN UNNEST(t.r.tags) AS u (e);
SELECT id, e, o FROM t LEFT JOIN UNNEST(d) WITH ORDINALITY AS u (e, o) ON TRUE;
SELECT id, u.* FROM t CROSS JOIN UNNEST(d) WITH ORDINALITY AS u;
SELECT * FROM UNNEST(ARRAY[1, 2]) AS u;
SELECT * FROM UNNEST(ARRAY[1, 2]);
SELECT * FROM UNNEST(ARRAY[1, NULL, 3]) AS u (e) WHERE e IS NOT NULL;
SELECT * FROM UNNEST(ARRAY[ROW(1, 'x'), ROW(2, 'y')]);
SELECT id, e FROM t CROSS JOIN UNNEST(d) AS u (e) WHERE e > 1 AND id = 1;
SELECT id, COUNT(*) FROM t CROSS JOIN UNNEST(d) AS u (e) GROUP BY id;
SELECT t.id, u.e FROM t JOIN UNNEST(d) AS u (e) ON u.e > 1;
SELECT t.id, u.e FROM t LEFT JOIN UNNEST(d) AS u (e) ON u.e > 1;
SELECT t.id, u.e FROM t RIGHT JOIN UNNEST(d) AS u (e) ON TRUE;
SELECT t.id, u.e FROM t FULL JOIN UNNEST(d) AS u (e) ON TRUE;
SELECT id, e FROM t CROSS JOIN UNNEST(s) AS u (e);
SELECT id, e FROM t CROSS JOIN UNNEST(r) AS u (e);
SELECT id, e FROM t CROSS JOIN UNNEST(nope) AS u (e);
SELECT id, e, f FROM t CROSS JOIN UNNEST(d) AS u (e, f);
SELECT id, e FROM t CROSS JOIN UNNEST(ar) AS u (e);
SELECT id, e FROM c CROSS JOIN UNNEST(a) AS u (e);
SELECT e, COUNT(*), COUNT(DISTINCT id) FROM c CROSS JOIN UNNEST(a) AS u (e) GROUP BY e;
SELECT id, SUM(e) FROM c LEFT JOIN UNNEST(a) AS u (e) ON TRUE GROUP BY id;
SELECT id, e, o FROM c CROSS JOIN UNNEST(a) WITH ORDINALITY AS u (e, o);
SELECT DISTINCT e FROM c, UNNEST(a) AS u (e);
SELECT c.id, u.e, t.id FROM c CROSS JOIN UNNEST(a) AS u (e) JOIN t ON t.id = u.e;
SELECT id, e FROM (SELECT id, ARRAY[id, id + 1] AS z FROM c) CROSS JOIN UNNEST(z) AS u (e);
SELECT k, e FROM (SELECT k, COLLECT(id) AS z FROM c GROUP BY k) CROSS JOIN UNNEST(z) AS u (e);
SELECT k, e FROM (SELECT k, ARRAY_AGG(id) AS z FROM c GROUP BY k) LEFT JOIN UNNEST(z) AS u (e) ON TRUE;
CREATE VIEW v AS SELECT id, e FROM c CROSS JOIN UNNEST(a) AS u (e);
SELECT e, COUNT(*) FROM v GROUP BY e;
SELECT * FROM v WHERE e = 2;
WITH x AS (SELECT id, e FROM t CROSS JOIN UNNEST(d) AS u (e)) SELECT * FROM x UNION ALL SELECT id, CAST(e AS DECIMAL(5, 2)) FROM v;
SELECT id, e FROM t CROSS JOIN UNNEST(MAP['a', 1, 'b', id]) AS u (k, e);
SELECT id, e FROM t CROSS JOIN UNNEST(SPLIT(s, ',')) AS u (e);
SELECT id, e FROM t, LATERAL TABLE(nope(s)) AS u (e);
SELECT id, e FROM t, LATERAL UNNEST(d) AS u (e);
SELECT x.e, y.e FROM UNNEST(ARRAY[1, 2]) AS x (e), UNNEST(ARRAY[3, 4]) AS y (e);
SELECT u.e + 1 AS f FROM t CROSS JOIN UNNEST(ARRAY[id]) AS u (e) ORDER BY f LIMIT 2;
SELECT SPLIT('', ','), CARDINALITY(SPLIT('', ',')), SPLIT(s, ',') FROM t;
