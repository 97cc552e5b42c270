-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- Which matches come out; rows wait for the watermark.
CREATE TABLE t (id INT, k STRING, v INT, d DOUBLE, ts TIMESTAMP(3), pt AS PROCTIME(), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 10, 1.5, "2024-01-01 10:00:01"]
["+I", 2, "a", 9, 1.5, "2024-01-01 10:00:02"]
["+I", 3, "a", 8, 1.5, "2024-01-01 10:00:03"]
["+I", 4, "b", 5, 1.5, "2024-01-01 10:00:03"]
["+I", 5, "a", 12, 1.5, "2024-01-01 10:00:04"]
["+I", 6, "b", 4, 1.5, "2024-01-01 10:00:05"]
["+I", 7, "b", 7, 1.5, "2024-01-01 10:00:06"]
["+I", 8, "a", 11, 1.5, "2024-01-01 10:00:07"]
["+I", 9, "a", 13, 1.5, "2024-01-01 10:00:08"]');
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES A.id AS aid, LAST(B.id) AS bid, C.id AS cid PATTERN (A B+ C) DEFINE B AS B.v < 10, C AS C.v > LAST(B.v, 1)) AS m;
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES A.id AS aid, LAST(B.id) AS bid, C.id AS cid AFTER MATCH SKIP PAST LAST ROW PATTERN (A B+ C) DEFINE B AS B.v < 10, C AS C.v > LAST(B.v, 1)) AS m;
SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts MEASURES A.id AS aid, COUNT(*) AS c, COUNT(B.id) AS cb, SUM(B.v) AS s, AVG(B.d) AS av, MATCH_ROWTIME() AS mr PATTERN (A B* C) DEFINE B AS B.v < 10, C AS TRUE) AS m;
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES A.id AS aid, FIRST(B.id) AS b1, LAST(B.id) AS b2, C.id AS cid AFTER MATCH SKIP TO LAST B PATTERN (A B+ C) DEFINE B AS B.v < 10, C AS C.v > LAST(B.v, 1)) AS m;
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES A.id AS aid, FIRST(B.id) AS b1, LAST(B.id) AS b2, C.id AS cid AFTER MATCH SKIP TO NEXT ROW PATTERN (A B*? C) DEFINE B AS B.v < 10) AS m;
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES A.id AS aid, C.id AS cid AFTER MATCH SKIP PAST LAST ROW PATTERN (A B* C) WITHIN INTERVAL '2' SECOND DEFINE B AS TRUE, C AS C.v > 10) AS m;
