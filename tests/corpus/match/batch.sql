-- SPDX-License-Identifier: Apache-2.0
-- modes: batch
-- order: any
-- Batch mode sorts by any time; no row is late.
CREATE TABLE t (id INT, k STRING, v INT, ts TIMESTAMP(3), pt AS PROCTIME(), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'bounded' = 'true', 'rows' = '
["+I", 1, "a", 10, "2024-01-01 10:00:03"]
["+I", 2, "a", 9, "2024-01-01 10:00:02"]
["+I", 3, "a", 8, "2024-01-01 10:00:01"]
["+I", 4, "b", 5, "2024-01-01 10:00:03"]
["+I", 5, "a", 12, "2024-01-01 10:00:04"]');
CREATE TABLE n (id INT, k STRING, v INT, ts TIMESTAMP(3)) WITH ('connector' = 'script', 'rows' = '["+I", 1, "a", 10, "2024-01-01 10:00:03"]
["+I", 2, "a", 9, "2024-01-01 10:00:02"]');
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES A.id AS aid, B.id AS bid, MATCH_ROWTIME() AS r PATTERN (A B) DEFINE A AS TRUE) AS m;
SELECT * FROM n MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES A.id AS aid, B.id AS bid PATTERN (A B) DEFINE A AS TRUE) AS m;
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY pt MEASURES A.id AS aid, B.id AS bid PATTERN (A B) DEFINE A AS TRUE) AS m;
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY id MEASURES A.id AS aid, B.id AS bid PATTERN (A B) DEFINE A AS TRUE) AS m;
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts DESC MEASURES A.id AS aid, B.id AS bid PATTERN (A B) DEFINE A AS TRUE) AS m;
