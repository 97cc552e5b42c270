-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- Time attributes and comparisons inside of patterns, in plans.
CREATE TABLE t (id INT, k STRING, v INT, ts TIMESTAMP(3), pt AS PROCTIME(), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 10, "2024-01-01 10:00:01"]
["+I", 2, "a", 10, "2024-01-01 10:00:02"]');
CREATE TABLE l (id INT, k STRING, v INT, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 10, "2024-01-01 10:00:01Z"]');
EXPLAIN SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts MEASURES A.ts AS ats, LAST(A.ts) AS lts, A.ts + INTERVAL '1' SECOND AS pl, MAX(A.ts) AS mx, A.pt AS apt PATTERN (A B) DEFINE A AS A.ts IS NOT NULL AND FIRST(A.ts, 1) IS NULL AND MAX(A.ts) IS NOT NULL AND ts > A.ts AND A.pt IS NOT NULL AND CAST(A.ts AS STRING) = 'x' AND A.v IN (1, 2)) AS m;
EXPLAIN SELECT * FROM l MATCH_RECOGNIZE (ORDER BY ts MEASURES A.ts AS ats PATTERN (A B) DEFINE A AS A.ts IS NOT NULL AND A.v NOT IN (1, 2) AND A.v NOT BETWEEN 1 AND 3 AND A.k <> 'x' AND A.v IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22)) AS m;
