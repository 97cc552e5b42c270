-- SPDX-License-Identifier: Apache-2.0
-- Windows, joins and sums of processing time. Expected rows: the windows' bounds are the clock's, and what is not over at the end of the
-- input stays open.
CREATE TABLE t (k STRING, v INT, pt AS PROCTIME());

-- test: hopping windows
-- clock: 2024-01-01 00:00:00
-- input: t
--   [a, 1]
-- clock: + 5 s
-- input: t
--   [a, 2]
-- clock: + 30 s
SELECT window_start, window_end, SUM(v) FROM HOP(TABLE t, DESCRIPTOR(pt), INTERVAL '5' SECOND, INTERVAL '10' SECOND)
GROUP BY window_start, window_end;
-- expect changelog:
--   +I[2023-12-31 23:59:55, 2024-01-01 00:00:05, 1]
--   +I[2024-01-01 00:00, 2024-01-01 00:00:10, 3]
--   +I[2024-01-01 00:00:05, 2024-01-01 00:00:15, 2]

-- test: cumulating windows
-- clock: 2024-01-01 00:00:00
-- input: t
--   [a, 1]
-- clock: + 5 s
-- input: t
--   [a, 2]
-- clock: + 30 s
SELECT window_end, SUM(v) FROM CUMULATE(TABLE t, DESCRIPTOR(pt), INTERVAL '5' SECOND, INTERVAL '15' SECOND)
GROUP BY window_start, window_end;
-- expect changelog:
--   +I[2024-01-01 00:00:05, 1]
--   +I[2024-01-01 00:00:10, 3]
--   +I[2024-01-01 00:00:15, 3]

-- test: sessions
-- clock: 2024-01-01 00:00:00
-- input: t
--   [a, 1]
-- clock: + 9 s
-- input: t
--   [a, 2]
-- clock: + 11 s
-- input: t
--   [a, 4]
-- clock: + 30 s
SELECT window_start, window_end, k, SUM(v)
FROM SESSION(TABLE t PARTITION BY k, DESCRIPTOR(pt), INTERVAL '10' SECOND)
GROUP BY window_start, window_end, k;
-- expect changelog:
--   +I[2024-01-01 00:00, 2024-01-01 00:00:19, a, 3]
--   +I[2024-01-01 00:00:20, 2024-01-01 00:00:30, a, 4]

-- test: windows of GROUP BY
-- clock: 2024-01-01 00:00:00
-- input: t
--   [a, 1]
--   [b, 1]
-- clock: + 1 min
-- input: t
--   [a, 2]
SELECT TUMBLE_START(pt, INTERVAL '1' MINUTE), k, SUM(v) FROM t GROUP BY TUMBLE(pt, INTERVAL '1' MINUTE), k;
-- expect:
--   [2024-01-01 00:00, a, 1]
--   [2024-01-01 00:00, b, 1]

-- test: the last row of a key
-- input: t
--   [a, 1]
--   [a, 2]
-- clock: + 1 s
-- input: t
--   [a, 3]
SELECT k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY pt DESC) AS n FROM t) WHERE n = 1;
-- expect changelog:
--   +I[a, 1]
--   -U[a, 1]
--   +U[a, 2]
--   -U[a, 2]
--   +U[a, 3]

-- test: a pattern within a time
-- input: t
--   [a, 1]
-- clock: + 5 s
-- input: t
--   [a, 2]
--   [b, 1]
-- clock: + 11 s
-- input: t
--   [b, 2]
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY k ORDER BY pt MEASURES A.v AS v1, B.v AS v2
  PATTERN (A B) WITHIN INTERVAL '10' SECOND DEFINE A AS v = 1, B AS v = 2
);
-- expect changelog:
--   +I[a, 1, 2]

-- test: an idle source does not hold windows back
SET 'table.exec.source.idle-timeout' = '1 min';
CREATE TABLE x (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts);
CREATE TABLE y (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts);
-- input: x
--   [1, 2024-01-01 00:00:01]
--   [2, 2024-01-01 00:02:00]
-- clock: + 2 min
-- input: x
--   [3, 2024-01-01 00:03:00]
-- input: y
--   [4, 2024-01-01 00:00:30]
CREATE VIEW both_sides AS SELECT * FROM x UNION ALL SELECT * FROM y;
SELECT window_start, COUNT(*)
FROM TUMBLE(TABLE both_sides, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
GROUP BY window_start, window_end;
-- expect changelog:
--   +I[2024-01-01 00:00, 1]
--   +I[2024-01-01 00:02, 1]
--   +I[2024-01-01 00:03, 1]
