-- SPDX-License-Identifier: Apache-2.0
-- modes: batch
-- parallel: no
-- Peers and partitions of windows over -0.0 and 0.0.
CREATE TABLE z (id INT NOT NULL, k STRING, d DOUBLE, f FLOAT) WITH ('connector' = 'script', 'bounded' = 'true', 'rows' = '
["+I", 1, "a", 0.0, 0.0]
["+I", 2, "a", -0.0, -0.0]
["+I", 3, "b", -0.0, -0.0]
["+I", 4, "b", 0.0, 0.0]
["+I", 5, "a", 1, 1]
["+I", 6, "a", -1, -1]');
SELECT id, d, RANK() OVER (ORDER BY d) FROM z;
SELECT id, f, RANK() OVER (ORDER BY f) FROM z;
SELECT id, d, DENSE_RANK() OVER (ORDER BY d) FROM z;
SELECT id, d, COUNT(*) OVER (ORDER BY d) FROM z;
SELECT id, d, SUM(id) OVER (ORDER BY d DESC) FROM z;
SELECT id, d, COUNT(*) OVER (PARTITION BY d) FROM z;
SELECT id, f, COUNT(*) OVER (PARTITION BY f) FROM z;
SELECT id, d, COUNT(*) OVER (PARTITION BY k, d) FROM z;
SELECT id, d, RANK() OVER (PARTITION BY k ORDER BY d) FROM z;
SELECT id, d, COUNT(*) OVER (ORDER BY d RANGE BETWEEN CURRENT ROW AND CURRENT ROW) FROM z;
SELECT id, d, COUNT(*) OVER (ORDER BY d RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM z;
SELECT id, d, COUNT(*) OVER (ORDER BY d RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM z;
SELECT id, d, MIN(d) OVER (PARTITION BY k), MAX(d) OVER (PARTITION BY k) FROM z;
SELECT id, d, MIN(d) OVER (ORDER BY id), MAX(d) OVER (ORDER BY id) FROM z;
SELECT * FROM (SELECT id, d, ROW_NUMBER() OVER (PARTITION BY k ORDER BY d, id) AS rn FROM z) WHERE rn <= 2;
SELECT * FROM (SELECT id, d, ROW_NUMBER() OVER (PARTITION BY k ORDER BY d) AS rn FROM z) WHERE rn <= 2;
