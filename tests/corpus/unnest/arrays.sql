-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- UNNEST of arrays: cross, left, with ordinality, nested, of expressions, over changes.
CREATE TABLE t (id INT, a ARRAY<INT>, s ARRAY<STRING>, r ARRAY<ROW<x INT, y STRING>>) WITH ('connector' = 'script', 'rows' = '
["+I", 1, [4, 5], ["p", "q"], [{"x": 1, "y": "u"}, {"x": 2, "y": null}]]
["+I", 2, [], [], []]
["+I", 3, null, null, null]
["+I", 4, [null, 7, 7], [null, ""], [{"x": null, "y": null}]]');
CREATE TABLE c (id INT, a ARRAY<INT>) WITH ('connector' = 'script', 'rows' = '
["+I", 1, [1, 2]]
["-U", 1, [1, 2]]
["+U", 1, [2, 3]]
["+I", 2, [2]]
["-D", 1, [2, 3]]');
SELECT id, e FROM t CROSS JOIN UNNEST(a) AS u (e);
SELECT id, e FROM t, UNNEST(t.a) AS u (e);
SELECT id, e FROM t LEFT JOIN UNNEST(a) AS u (e) ON TRUE;
SELECT id, e FROM t JOIN UNNEST(a) AS u (e) ON TRUE;
SELECT id, e FROM t INNER JOIN UNNEST(s) AS u (e) ON TRUE;
SELECT id, x, y FROM t CROSS JOIN UNNEST(r) AS u (x, y);
SELECT id, u.* FROM t CROSS JOIN UNNEST(r) AS u;
SELECT id, x, y FROM t LEFT JOIN UNNEST(r) AS u (x, y) ON TRUE;
SELECT id, e, o FROM t CROSS JOIN UNNEST(a) WITH ORDINALITY AS u (e, o);
SELECT id, e, o FROM t LEFT JOIN UNNEST(a) WITH ORDINALITY AS u (e, o) ON TRUE;
SELECT id, x, y, o FROM t CROSS JOIN UNNEST(r) WITH ORDINALITY AS u (x, y, o);
SELECT id, e FROM t CROSS JOIN UNNEST(a) AS u (e) WHERE e > 4;
SELECT id, e + id FROM t CROSS JOIN UNNEST(a) AS u (e);
SELECT id, e, f FROM t CROSS JOIN UNNEST(a) AS u (e) CROSS JOIN UNNEST(s) AS w (f);
SELECT e, COUNT(*) FROM t CROSS JOIN UNNEST(a) AS u (e) GROUP BY e;
SELECT id, SUM(e) FROM t LEFT JOIN UNNEST(a) AS u (e) ON TRUE GROUP BY id;
SELECT COUNT(*) FROM t, UNNEST(a);
SELECT id, e FROM t CROSS JOIN UNNEST(ARRAY[id, id * 10]) AS u (e);
SELECT id, e FROM t CROSS JOIN UNNEST(ARRAY_CONCAT(a, ARRAY[0])) AS u (e);
SELECT id, e FROM t CROSS JOIN UNNEST(SPLIT('a,b', ',')) AS u (e);
SELECT * FROM UNNEST(ARRAY[1, 2, 3]) AS u (e);
SELECT * FROM UNNEST(ARRAY['a', 'bc']) AS u (e);
SELECT * FROM UNNEST(ARRAY[ROW(1, 'x'), ROW(2, 'y')]) AS u (a, b);
SELECT * FROM UNNEST(ARRAY[1, 2]) WITH ORDINALITY AS u (e, o);
SELECT id, e FROM c CROSS JOIN UNNEST(a) AS u (e);
SELECT id, e FROM c LEFT JOIN UNNEST(a) AS u (e) ON TRUE;
SELECT e, COUNT(*) FROM c CROSS JOIN UNNEST(a) AS u (e) GROUP BY e;
SELECT DISTINCT e FROM c CROSS JOIN UNNEST(a) AS u (e);
SELECT id, e FROM t LEFT JOIN UNNEST(a) AS u (e) ON e > 4;
SELECT id, e FROM t CROSS JOIN UNNEST(id) AS u (e);
