-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- UNNEST of maps and multisets, LATERAL table functions and sub-selects.
CREATE TABLE t (id INT, m MAP<STRING, INT>, k STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, {"a": 1}, "x"]
["+I", 2, {}, "y"]
["+I", 3, null, "x"]
["+I", 4, {"b": null}, "x"]');
SELECT id, k2, v FROM t CROSS JOIN UNNEST(m) AS u (k2, v);
SELECT id, k2, v FROM t LEFT JOIN UNNEST(m) AS u (k2, v) ON TRUE;
SELECT id, u.* FROM t CROSS JOIN UNNEST(m) AS u;
SELECT k2, SUM(v) FROM t CROSS JOIN UNNEST(m) AS u (k2, v) GROUP BY k2;
SELECT id, k2, v, o FROM t CROSS JOIN UNNEST(m) WITH ORDINALITY AS u (k2, v, o);
SELECT id, e FROM t CROSS JOIN UNNEST(MAP_KEYS(m)) AS u (e);
SELECT id, e FROM t CROSS JOIN UNNEST(MAP_VALUES(m)) AS u (e);
SELECT * FROM UNNEST(MAP['a', 1, 'b', 2]) AS u (k, v);
SELECT k, e FROM (SELECT k, COLLECT(id) AS c FROM t GROUP BY k) CROSS JOIN UNNEST(c) AS u (e);
SELECT e, COUNT(*) FROM (SELECT COLLECT(k) AS c FROM t) CROSS JOIN UNNEST(c) AS u (e) GROUP BY e;
SELECT k, e FROM (SELECT k, ARRAY_AGG(id) AS c FROM t GROUP BY k) CROSS JOIN UNNEST(c) AS u (e);
SELECT e FROM (VALUES (ARRAY[1, 2])) AS q (c) CROSS JOIN UNNEST(c) AS u (e);
SELECT id, e FROM t CROSS JOIN UNNEST(m) AS u (e);
SELECT id, w FROM t, LATERAL (SELECT id + 1 AS w) AS q;
SELECT id, w FROM t CROSS JOIN LATERAL (SELECT k || '!' AS w) AS q;
