-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Equality of rows: values compare with NULL equal to NULL; rows written out on both sides field by field.
CREATE TABLE t (id INT NOT NULL, r ROW<a INT, b STRING> NOT NULL, q ROW<a INT NOT NULL, b STRING NOT NULL> NOT NULL, d ROW<x DOUBLE, y DECIMAL(5,2)>, s ROW<a BIGINT, b CHAR(1)>, c CHAR(2), n INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, {"a":1,"b":"x"}, {"a":1,"b":"x"}, {"x": 0.0, "y": 1.5}, {"a":1,"b":"x"}, "ab", 1]
["+I", 2, {"a":null,"b":"x"}, {"a":1,"b":"x"}, {"x": -0.0, "y": 1.5}, {"a":null,"b":"x"}, null, 2]
["+I", 3, {"a":null,"b":null}, {"a":1,"b":"x"}, {"x": "NaN", "y": 1.5}, {"a":null,"b":"y"}, "ab", null]
["+I", 4, {"a":null,"b":null}, {"a":1,"b":"y"}, {"x": "NaN", "y": null}, null, null, null]
');
SELECT id, r = q, r = ROW(1, 'x'), q = ROW(1, 'x'), q = q, r = r, r <> q, r = s, q = s FROM t;
SELECT id, r = (1, 'x'), (1, 'x') = q, ROW(r, 1) = ROW(q, 1) FROM t;
SELECT id, r IN (ROW(1, 'x')), r NOT IN (ROW(1,'x'), ROW(2, 'y')) FROM t;
SELECT id, r IN ((1, 'x'), (2, 'y')) FROM t;
SELECT id, (id, 'x') IN ((1, 'x'), (2, CAST(NULL AS STRING))) FROM t;
SELECT id, (id, r.b) IN ((1, 'x'), (2, 'x')) FROM t;
SELECT id, (id, r.b) NOT IN ((1, 'x'), (2, 'x')) FROM t;
SELECT d = ROW(0, 1.5), d = ROW(0e0, 1.5) FROM t;
SELECT NOT (r = q), r = q OR id = 1 FROM t;
SELECT id FROM t WHERE NOT (r = ROW(1, 'x'));
SELECT id FROM t WHERE r <> ROW(1, 'x');
SELECT n, (n, c) <> (1, 'ab'), (n, c) = (1, 'ab') FROM t;
SELECT n, NOT (n, c) = (1, 'ab') FROM t;
SELECT id FROM t WHERE (n, c) <> (1, 'ab');
SELECT id FROM t WHERE NOT ((n, c) = (1, 'ab'));
SELECT (1, 2) <> (1, CAST(NULL AS INT)), (1, CAST(NULL AS INT)) <> (1, CAST(NULL AS INT));
SELECT n, (n, c) NOT IN ((2, 'ab'), (1, 'ab')), (n, c) IN ((2, 'ab'), (1, 'ab')) FROM t;
SELECT id FROM t WHERE (n, c) NOT IN ((2, 'ab'), (1, 'ab'));
SELECT n, CASE (n, c) WHEN (1, 'ab') THEN 'one' ELSE 'other' END FROM t;
SELECT a.id, b.id FROM t a JOIN t b ON (a.n, a.c) = (b.n, b.c);
