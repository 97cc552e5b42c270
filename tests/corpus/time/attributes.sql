-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Watermark columns, computed columns, CURRENT_WATERMARK, time attributes through projections and views.
CREATE TABLE t (id INT, s STRING, ts TIMESTAMP(3), d AS id * 2, u AS UPPER(s), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", "2024-01-01 10:00:00"]
["+I", 2, "b", "2024-01-01 10:00:10"]
["+I", 3, null, "2024-01-01 10:00:04"]');
CREATE TABLE w (id INT, raw STRING, ts AS TO_TIMESTAMP(raw), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "2024-01-01 00:00:00"]
["+I", 2, "2024-01-01 00:00:30.500"]
["+I", 3, "2024-01-01 00:01:00"]');
CREATE TABLE l (id INT, ms BIGINT, ts AS TO_TIMESTAMP_LTZ(ms, 3), pt AS PROCTIME(), WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 0]
["+I", 2, 61000]');
SELECT * FROM t;
SELECT id, d, u FROM t;
SELECT d + 1 FROM t WHERE d > 2;
SELECT id, ts FROM t WHERE ts > TIMESTAMP '2024-01-01 10:00:01';
SELECT id, CURRENT_WATERMARK(ts) IS NULL FROM t WHERE id = 1;
SELECT id, ts + INTERVAL '1' HOUR FROM t;
SELECT id, CAST(ts AS DATE) FROM t;
SELECT MAX(ts) FROM t;
SELECT COUNT(*) FROM t WHERE ts IS NULL;
SELECT id, ts FROM w;
SELECT id, raw FROM w WHERE ts > TIMESTAMP '2024-01-01 00:00:30';
SELECT id, ms, ts FROM l;
SELECT id, pt IS NOT NULL FROM l;
SELECT COUNT(pt) FROM l;
DESCRIBE t;
DESCRIBE w;
DESCRIBE l;
CREATE VIEW vt AS SELECT id, ts, d FROM t;
DESCRIBE vt;
CREATE VIEW vl AS SELECT id, pt, ts FROM l;
DESCRIBE vl;
CREATE VIEW va AS SELECT id, MAX(ts) AS m FROM t GROUP BY id;
DESCRIBE va;
CREATE TABLE bad1 (a INT, WATERMARK FOR a AS a) WITH ('connector' = 'datagen');
CREATE TABLE bad2 (a TIMESTAMP(6), WATERMARK FOR a AS a) WITH ('connector' = 'datagen');
CREATE TABLE bad3 (a TIMESTAMP(3), WATERMARK FOR b AS b) WITH ('connector' = 'datagen');
CREATE TABLE bad4 (a TIMESTAMP(3), WATERMARK FOR a AS 'x') WITH ('connector' = 'datagen');
CREATE TABLE bad5 (a TIMESTAMP(3), WATERMARK FOR a AS a, WATERMARK FOR a AS a) WITH ('connector' = 'datagen');
SELECT CURRENT_WATERMARK(ts), id FROM w WHERE id = 1;
SELECT CURRENT_WATERMARK(id) FROM t;
CREATE TABLE nl (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '["+I", 1, null]');
SELECT * FROM nl;
SELECT id FROM nl;
