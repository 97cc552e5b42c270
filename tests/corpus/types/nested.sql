-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Rows, arrays, maps: access, construction, flattening, NULL inside, comparison, printing.
CREATE TABLE t (id INT, r ROW<a INT, b ROW<c STRING, d ARRAY<INT>>>, l ARRAY<STRING>, ll ARRAY<ARRAY<INT>>, m MAP<STRING, ROW<x INT, y INT>>, lr ARRAY<ROW<p INT, q STRING>>) WITH ('connector' = 'script', 'rows' = '
["+I", 1, {"a": 1, "b": {"c": "x", "d": [1, 2]}}, ["u", "v"], [[1], [2, 3]], {"k": {"x": 1, "y": 2}}, [{"p": 1, "q": "one"}]]
["+I", 2, {"a": null, "b": null}, [], [], {}, []]
["+I", 3, null, null, null, null, null]
["+I", 4, {"a": 4, "b": {"c": null, "d": null}}, [null], [null], {"k": null}, [null, {"p": null, "q": null}]]');
SELECT * FROM t;
SELECT r.a, r.b FROM t;
SELECT r.b.c, r.b.d FROM t;
SELECT r.b.d[1], r.b.d[2] FROM t;
SELECT t.r.a FROM t;
SELECT r.* FROM t;
SELECT t.r.* FROM t;
SELECT l[1], l[2], CARDINALITY(l) FROM t;
SELECT ll[2][1], ll[1] FROM t;
SELECT m['k'], m['k'].x, m['z'] FROM t;
SELECT lr[1].p, lr[1].q, lr[2] FROM t;
SELECT ROW(id, r.a), ROW(id, 'x', NULL) FROM t;
SELECT (id, r.a, l[1]) FROM t;
SELECT ARRAY[id, id + 1], ARRAY[r.a, id], ARRAY[ROW(id, 'a')] FROM t;
SELECT MAP['id', id, 'a', r.a] FROM t;
SELECT CAST(ROW(id, 'x') AS ROW<n BIGINT, s STRING>) FROM t;
SELECT CAST(ROW(id, 'x') AS ROW<n BIGINT, s STRING>).n FROM t;
SELECT CAST(ARRAY[id] AS ARRAY<STRING>) FROM t;
SELECT CAST(r AS STRING), CAST(l AS STRING), CAST(m AS STRING) FROM t;
SELECT MAP_KEYS(m), MAP_VALUES(m), CARDINALITY(m) FROM t;
SELECT r IS NULL, r.b IS NULL, l IS NULL, m IS NOT NULL FROM t;
SELECT id FROM t WHERE r.b.c = 'x';
SELECT id FROM t WHERE l[1] = 'u' OR r.a = 4;
SELECT id FROM t WHERE ARRAY_CONTAINS(l, 'v');
SELECT r = ROW(1, ROW('x', ARRAY[1, 2])) FROM t;
SELECT l = ARRAY['u', 'v'], ll = ARRAY[ARRAY[1], ARRAY[2, 3]] FROM t;
SELECT ELEMENT(ARRAY[id]) FROM t;
SELECT r.nope FROM t;
SELECT r.b.nope FROM t;
SELECT l[0] FROM t;
SELECT l['x'] FROM t;
SELECT id[1] FROM t;
SELECT m[1] FROM t;
