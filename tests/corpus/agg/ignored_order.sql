-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- ORDER BY inside ARRAY_AGG and JSON_ARRAYAGG is checked and has no effect; comparisons of a column with itself.
CREATE TABLE t (id INT NOT NULL, g STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5]
["+I", 2, "b", null]
["+I", 3, null, 4]
["+I", 4, "a", 1]');
SELECT g, ARRAY_AGG(v ORDER BY id DESC) FROM t GROUP BY g;
SELECT ARRAY_AGG(v ORDER BY nope) FROM t;
SELECT ARRAY_AGG(DISTINCT v ORDER BY v) FROM t;
SELECT JSON_ARRAYAGG(v ORDER BY id DESC) FROM t;
SELECT COUNT(v ORDER BY id) FROM t;
SELECT FIRST_VALUE(v ORDER BY id) FROM t;
SELECT id, v = v, v <> v, v < v, v >= v, id = id, id <> id, g = g, v IS DISTINCT FROM v FROM t;
SELECT id FROM t WHERE v = v OR g = g;
SELECT id FROM t WHERE v <= v AND id >= 1;
SELECT id FROM t WHERE NOT (v = v);
SELECT id FROM t WHERE v <> v OR id = 1;
SELECT id FROM t WHERE CASE WHEN v = v THEN TRUE ELSE FALSE END;
SELECT a.id, b.id FROM t a JOIN t b ON a.id = a.id AND b.g = a.g;
