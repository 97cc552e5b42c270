-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- conf: pipeline.auto-watermark-interval=0
-- WITHIN: partial matches time out and let complete ones out that wait for them; time stands still where no row comes.
CREATE TABLE t (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 1, "2024-01-01 10:00:00"]
["+I", 2, "a", 2, "2024-01-01 10:00:01"]
["+I", 3, "b", 1, "2024-01-01 10:00:02"]
["+I", 4, "a", 3, "2024-01-01 10:00:03"]
["+I", 5, "a", 4, "2024-01-01 10:00:03"]
["+I", 6, "b", 5, "2024-01-01 10:00:04"]
["+I", 7, "b", 6, "2024-01-01 10:00:10"]
["+I", 8, "a", 7, "2024-01-01 10:00:11"]
["+I", 9, "b", 8, "2024-01-01 10:00:09"]
["+I", 10, "a", 9, "2024-01-01 10:00:12"]
["+I", 11, null, 9, "2024-01-01 10:00:13"]
["+I", 12, null, 10, "2024-01-01 10:00:14"]
["+I", 13, "b", 2, "2024-01-01 10:00:40"]');
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES A.id AS a, B.id AS b, MATCH_ROWTIME() AS r AFTER MATCH SKIP PAST LAST ROW PATTERN (A X* B) WITHIN INTERVAL '3' SECOND DEFINE X AS X.v < 4, B AS B.v > 3) AS m;
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES A.id AS a, B.id AS b AFTER MATCH SKIP PAST LAST ROW PATTERN (A X*? B) WITHIN INTERVAL '2' SECOND DEFINE B AS B.v > 2) AS m;
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES A.id AS a, COUNT(X.id) AS n, B.id AS b PATTERN (A X+? B) WITHIN INTERVAL '8' SECOND DEFINE A AS A.v < 3, X AS X.v < 20, B AS B.v > A.v + 2) AS m;
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES A.id AS a, B.id AS b PATTERN (A X{2,}? B) WITHIN INTERVAL '0.001' SECOND DEFINE B AS B.v > 0) AS m;
SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts MEASURES A.id AS a, B.id AS b AFTER MATCH SKIP TO LAST X PATTERN (A X{1,2}? B) WITHIN INTERVAL '1' DAY DEFINE B AS B.v > 0) AS m;
SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts MEASURES A.id AS a, B.id AS b AFTER MATCH SKIP PAST LAST ROW PATTERN (A X B) WITHIN INTERVAL '2' SECOND DEFINE A AS A.v = 1, X AS X.v = A.v + 1, B AS B.v = X.v + 1) AS m;
SELECT k, COUNT(*) FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES A.id AS a, B.id AS b PATTERN (A B) WITHIN INTERVAL '2' SECOND DEFINE B AS B.v > A.v) AS m GROUP BY k;
