-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- Text beside another type in a WHERE above a join.
CREATE TABLE t (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'bounded' = 'true', 'rows' = '
["+I", 1, "a", 1, "2024-01-01 00:00:00"]
["+I", 2, "a", 1, "2024-01-01 00:00:01"]
["+I", 3, "a", 2, "2024-01-01 00:00:02"]
["+I", 4, "b", 4, "2024-01-01 00:00:07"]');
SELECT a.id, b.id FROM t a, (SELECT * FROM t WHERE v > 1) b WHERE a.k = b.ts;
SELECT a.id FROM t a JOIN (SELECT id, k, ts FROM t WHERE v > 0) b ON a.id = b.id WHERE a.k = b.ts;
SELECT a.id FROM (SELECT a.id, a.k AS s, CAST(b.ts AS DATE) AS dt FROM t a JOIN t b ON a.id = b.id) a WHERE s = dt;
SELECT a.id FROM (SELECT a.id, a.k AS s, b.ts AS dt FROM t a JOIN t b ON a.id = b.id) a WHERE s = dt OR a.id = 1;
SELECT a.id FROM (SELECT a.id, a.k AS s, a.ts AS dt FROM t a JOIN t b ON a.id = b.id) a WHERE s = dt;
SELECT a.id FROM (SELECT a.id, a.k AS s, b.dt FROM t a JOIN (SELECT id, CAST(ts AS TIME) AS dt FROM t) b ON a.id = b.id) a WHERE s = dt;
