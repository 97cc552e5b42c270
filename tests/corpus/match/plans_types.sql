-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- Aggregates, literals and casts of patterns in plans.
CREATE TABLE t (id INT NOT NULL, k STRING, v INT, d DOUBLE, e DECIMAL(10,2), ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 10, 1.5, 1.5, "2024-01-01 10:00:01"]
["+I", 2, "a", 9, 1.5,  1.5,"2024-01-01 10:00:02"]
["+I", 3, "a", 8, 1.5,  1.5,"2024-01-01 10:00:03"]
["+I", 4, "b", 5, 1.5,  1.5,"2024-01-01 10:00:03"]
["+I", 5, "a", 12, 1.5, 1.5, "2024-01-01 10:00:04"]');
EXPLAIN SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts MEASURES A.id AS aid, AVG(A.v) AS av, AVG(A.d) AS ad, AVG(A.e) AS ae, MIN(A.v * 2) AS mi, MAX(A.k) AS ma, LAST(A.v + A.d, 1) AS l, A.k || 'x' AS lit, CAST(A.v AS STRING) AS c, FIRST_VALUE(A.v) AS fv, LISTAGG(A.k) AS li, SUM(A.v * 2 + 1) AS sm PATTERN (A B*? C) DEFINE C AS C.v > 1 AND AVG(C.v) > 2 AND AVG(A.d) > 3 AND AVG(A.e) > 1, A AS A.k = 'a' OR A.v BETWEEN 1 AND 3) AS m;
