-- SPDX-License-Identifier: Apache-2.0
-- compare: final
-- parallel: no
-- multi: no
-- NaN, -0.0 and 0.0 as keys of joins and of set operations.
CREATE TABLE t (id INT NOT NULL, k STRING, d DOUBLE, f FLOAT, dn DOUBLE NOT NULL) WITH ('connector' = 'script', 'bounded' = 'true', 'rows' = '
["+I", 1, "a", 0.0, 0.0, 0.0]
["+I", 2, "a", -0.0, -0.0, -0.0]
["+I", 3, "b", "NaN", "NaN", "NaN"]
["+I", 4, "b", 1.5, 1.5, 1.5]
["+I", 5, "a", "NaN", "NaN", "NaN"]
["+I", 6, "b", "Infinity", "Infinity", "Infinity"]
["+I", 7, "b", "-Infinity", "-Infinity", "-Infinity"]
["+I", 8, "b", null, null, 7]
["+I", 9, "b", -0.0, -0.0, -0.0]
["+I", 10, "b", 0.0, 0.0, 0.0]');
SELECT l.id, r.id FROM t l JOIN t r ON l.d = r.d;
SELECT l.id, r.id FROM t l JOIN t r ON l.f = r.f;
SELECT l.id, r.id FROM t l JOIN t r ON l.d = r.d AND l.k = r.k;
SELECT l.id, r.id FROM t l JOIN t r ON l.d = r.f;
SELECT l.id, r.id FROM t l JOIN t r ON l.d = r.d WHERE l.id < r.id;
SELECT l.id, r.id FROM t l JOIN t r ON l.d >= r.d AND l.d <= r.d;
SELECT l.id, r.id FROM t l JOIN t r ON l.d IS NOT DISTINCT FROM r.d;
SELECT l.id, r.id FROM t l LEFT JOIN t r ON l.d = r.d AND l.id <> r.id;
SELECT id FROM t WHERE d IN (SELECT d FROM t WHERE id IN (1, 3));
SELECT id FROM t WHERE d NOT IN (SELECT dn FROM t WHERE id IN (1, 3));
SELECT id FROM t l WHERE EXISTS (SELECT 1 FROM t r WHERE r.d = l.d AND r.id <> l.id);
SELECT dn FROM t INTERSECT SELECT d FROM t WHERE id IN (1, 3);
SELECT l.id, r.id FROM t l JOIN t r ON l.d = r.d AND l.f = r.f AND l.dn = r.dn;
SELECT l.id, r.id FROM t l, t r WHERE l.d + 0 = r.d + 0;
SELECT l.id, r.id FROM t l, t r WHERE ROW(l.d, l.k) = ROW(r.d, r.k);
