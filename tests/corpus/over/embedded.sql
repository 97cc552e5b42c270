-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- order: any
-- conf: pipeline.auto-watermark-interval=0
CREATE TABLE t (id INT NOT NULL, k STRING, v INT, a ARRAY<INT>, r ROW<x INT, y STRING>, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 10, [1,2], {"x":1,"y":"p"}, "2024-01-01 10:00:05"]
["+I", 2, "b", 20, [3], {"x":2,"y":"q"}, "2024-01-01 10:00:03"]
["+I", 3, "a", null, null, null, "2024-01-01 10:00:05"]
["+I", 4, "a", 30, [], {"x":3,"y":"r"}, "2024-01-01 10:00:20"]');
CREATE TABLE e (id INT, k STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector'='script','rows'='');
CREATE VIEW w AS SELECT id, k, SUM(v) OVER (PARTITION BY k ORDER BY ts) AS s FROM t;
SELECT * FROM w;
SELECT a.id, b.s FROM t a JOIN w b ON a.id = b.id;
SELECT id, COUNT(*) OVER (PARTITION BY k ORDER BY ts) FROM e;
SELECT id FROM t UNION ALL SELECT CAST(COUNT(*) OVER (ORDER BY ts) AS INT) FROM t;
SELECT SUM(c) FROM (SELECT COUNT(*) OVER (PARTITION BY k ORDER BY ts ROWS 1 PRECEDING) AS c FROM t);
SELECT k, c, COUNT(*) FROM (SELECT k, COUNT(*) OVER (PARTITION BY k ORDER BY ts) AS c FROM t) GROUP BY k, c;
SELECT id, SUM(id) OVER (PARTITION BY r.x ORDER BY ts) FROM t;
SELECT id, COUNT(*) OVER (ORDER BY ts), COUNT(*) OVER (ORDER BY ts) + 1 FROM t;
SELECT SUM(COUNT(*) OVER (ORDER BY id)) FROM t;
