-- SPDX-License-Identifier: Apache-2.0
-- State with a time to live, hours in no time. Expected changes: what Flink's operators do when their state for a key has gone.
SET 'table.exec.state.ttl' = '1 h';
CREATE TABLE t (g STRING, v INT);
CREATE TABLE u (g STRING, name STRING);

-- test: a retraction that comes when the state has expired changes nothing
-- input: t
--   +I[g, 1]
-- clock: + 61 min
-- input: t
--   -D[g, 1]
SELECT g, COUNT(*) FROM t GROUP BY g;
-- expect changelog:
--   +I[g, 1]
SELECT COUNT(*) FROM t;
-- expect changelog:
--   +I[1]

-- test: an update keeps a group for another hour
-- input: t
--   +I[g, 1]
-- clock: + 59 min
-- input: t
--   +I[g, 2]
-- clock: + 59 min
-- input: t
--   +I[g, 3]
-- clock: + 61 min
-- input: t
--   +I[g, 4]
SELECT g, SUM(v) FROM t GROUP BY g;
-- expect changelog:
--   +I[g, 1]
--   -U[g, 1]
--   +U[g, 3]
--   -U[g, 3]
--   +U[g, 6]
--   +I[g, 4]

-- test: a side of a join forgets
-- input: t
--   +I[g, 1]
-- clock: + 30 min
-- input: u
--   +I[g, first]
-- clock: + 31 min
-- input: u
--   +I[g, second]
-- input: t
--   +I[g, 2]
SELECT t.v, u.name FROM t JOIN u ON t.g = u.g;
-- expect changelog:
--   +I[1, first]
--   +I[2, first]
--   +I[2, second]

-- test: each side of a join by its own hint
SET 'table.exec.state.ttl' = '0 ms';
-- input: t
--   +I[g, 1]
-- input: u
--   +I[h, x]
-- clock: + 2 h
-- input: u
--   +I[g, late]
-- input: t
--   +I[h, 2]
SELECT /*+ STATE_TTL('t' = '1 h', 'u' = '1 d') */ t.v, u.name FROM t JOIN u ON t.g = u.g;
-- expect changelog:
--   +I[2, x]

-- test: DISTINCT tells again what it keeps alive, and sees the same later as new
-- input: t
--   +I[g, 1]
--   +I[g, 2]
-- clock: + 2 h
-- input: t
--   +I[g, 3]
SELECT DISTINCT g FROM t;
-- expect changelog:
--   +I[g]
--   -U[g]
--   +U[g]
--   +I[g]

-- test: so does the first row of a key
CREATE TABLE d (g STRING, v INT, pt AS PROCTIME());
-- input: d
--   [g, 1]
--   [g, 2]
-- clock: + 2 h
-- input: d
--   [g, 3]
SELECT g, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY g ORDER BY pt) AS n FROM d) WHERE n = 1;
-- expect changelog:
--   +I[g, 1]
--   +I[g, 3]
