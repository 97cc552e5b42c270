-- SPDX-License-Identifier: Apache-2.0
-- parallel: no
-- Arrays, maps, order and Top-N of -0.0 and 0.0.
CREATE TABLE z (id INT NOT NULL, k STRING, d DOUBLE, f FLOAT) WITH ('connector' = 'script', 'bounded' = 'true', 'rows' = '
["+I", 1, "a", 0.0, 0.0]
["+I", 2, "a", -0.0, -0.0]
["+I", 3, "b", -0.0, -0.0]
["+I", 4, "b", 0.0, 0.0]
["+I", 5, "a", 1, 1]
["+I", 6, "a", -1, -1]');
SELECT id, d FROM z ORDER BY d, id;
SELECT id, f FROM z ORDER BY f DESC, id;
SELECT id, d FROM z ORDER BY d;
SELECT id, d FROM z ORDER BY d, id LIMIT 4;
SELECT id, d FROM z ORDER BY d DESC, id DESC LIMIT 4;
SELECT ARRAY_DISTINCT(ARRAY_AGG(d)) FROM z;
SELECT u.x, COUNT(*) FROM z CROSS JOIN UNNEST(ARRAY[d, -d]) AS u (x) GROUP BY u.x;
SELECT SUM(d), SUM(f), AVG(d), MIN(d), SUM(-d) FROM z WHERE id IN (2, 3);
