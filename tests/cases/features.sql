-- SPDX-License-Identifier: Apache-2.0
-- Cases of `weir test` that pass: what comes from where, in which order, at which time. Expected values follow from the words of
-- docs/reference/testing.md and from Flink's semantics.
CREATE TABLE o (id INT, k INT, v STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector'='kafka');
CREATE TABLE c (k INT PRIMARY KEY NOT ENFORCED, name STRING);
CREATE TABLE out1 (k INT PRIMARY KEY NOT ENFORCED, n BIGINT) WITH ('connector'='jdbc','url'='x');
CREATE TABLE p (id INT, k INT, v STRING);

-- test: what comes is one timeline
-- input: p (id, k)
--   [1, 1]
-- input: c
--   +I[1, "a, b"]
-- input: p (k, id, v)
--   [2, 2, "x\"y"]
-- input: c
--   -D[1, "a, b"]
SELECT p.id, p.v, c.name FROM p LEFT JOIN c ON p.k = c.k;
-- expect changelog:
--   +I[1, null, null]
--   -D[1, null, null]
--   +I[1, null, "a, b"]
--   +I[2, "x\"y", null]
--   -D[1, null, "a, b"]
--   +I[1, null, null]

-- test: a query reads the timeline from its beginning
-- input: p
--   [1, 1, " blanks "]
--   [2, 1, "null"]
--   [3, 1, null]
--   [4, 1, "[x]"]
SELECT v FROM p WHERE v = ' blanks ';
-- expect:
--   [" blanks "]
SELECT v IS NULL, v FROM p;
-- expect:
--   [false, " blanks "]
--   [false, "null"]
--   [true, null]
--   [false, "[x]"]

-- test: sinks
-- input: o
--   [1, 1, a, 2024-01-01 10:00]
--   [2, 1, a, 2024-01-01T10:00:01.500]
--   [3, 2, null, 2024-01-01T10:00:01.500]
INSERT INTO out1 SELECT k, COUNT(*) FROM o GROUP BY k;
-- expect: out1
--   [1, 2]
--   [2, 1]
-- expect changelog: out1
--   +I[1, 1]
--   +U[1, 2]
--   +I[2, 1]
SELECT ts FROM o;
-- expect:
--   [2024-01-01 10:00:00]
--   [2024-01-01 10:00:01.5]
--   [2024-01-01T10:00:01.500]

-- test: an error
SELECT nope FROM o;
-- expect error: Column 'nope' not found

-- test: empty
-- input: o
SELECT * FROM o;
-- expect:

-- test: ttl follows the clock
SET 'table.exec.state.ttl' = '1 h';
-- input: p (id, k)
--   [1, 1]
-- clock: + 2 h
-- input: p (id, k)
--   [2, 1]
-- clock: + 10 min
-- input: p (id, k)
--   [3, 1]
SELECT k, COUNT(*) FROM p GROUP BY k;
-- expect changelog:
--   +I[1, 1]
--   +I[1, 1]
--   -U[1, 1]
--   +U[1, 2]

-- test: explicit watermarks
-- input: o (id, k, ts)
--   [1, 1, 2024-01-01 10:00:00]
-- watermark: o 2024-01-01 10:05:00
-- input: o (id, k, ts)
--   [2, 1, 2024-01-01 10:04:00]
--   [3, 1, 2024-01-01 10:06:00]
SELECT window_start, COUNT(*) FROM TUMBLE(TABLE o, DESCRIPTOR(ts), INTERVAL '5' MINUTE) GROUP BY window_start, window_end;
-- expect changelog:
--   +I[2024-01-01 10:00, 1]
--   +I[2024-01-01 10:05, 1]

-- test: now
-- clock: 2024-05-06 07:08:09
SELECT CURRENT_TIMESTAMP, LOCALTIMESTAMP, CURRENT_DATE, NOW();
-- expect:
--   [2024-05-06T07:08:09Z, 2024-05-06T07:08:09, 2024-05-06, 2024-05-06T07:08:09Z]

-- test: proctime of rows
-- clock: 2024-05-06 07:00:00
-- input: p (id, k)
--   [1, 1]
-- clock: + 1 min
-- input: p (id, k)
--   [2, 1]
SELECT id, PROCTIME() FROM p;
-- expect:
--   [1, 2024-05-06 07:00:00Z]
--   [2, 2024-05-06 07:01:00Z]

-- test: processing time of windows, and what is open at the end
CREATE TABLE clicks (page STRING, pt AS PROCTIME());
-- clock: 2024-01-01 09:00:00
-- input: clicks
--   [home]
--   [home]
-- clock: + 1 min
-- input: clicks
--   [help]
-- clock: 2024-01-01 09:01:59
SELECT window_start, page, COUNT(*) FROM TUMBLE(TABLE clicks, DESCRIPTOR(pt), INTERVAL '1' MINUTE)
GROUP BY window_start, window_end, page;
-- expect changelog:
--   +I[2024-01-01 09:00, home, 2]

-- test: an interval join by processing time
CREATE TABLE l (id INT, k INT, pt AS PROCTIME());
CREATE TABLE r (id INT, k INT, pt AS PROCTIME());
-- input: l
--   [1, 1]
-- clock: + 5 s
-- input: r
--   [10, 1]
-- clock: + 10 s
-- input: r
--   [11, 1]
SELECT l.id, r.id FROM l JOIN r ON l.k = r.k AND r.pt BETWEEN l.pt AND l.pt + INTERVAL '10' SECOND;
-- expect changelog:
--   +I[1, 10]

-- test: OVER a range of processing time
CREATE TABLE o2 (k INT, v INT, pt AS PROCTIME());
-- input: o2
--   [1, 1]
-- clock: + 30 s
-- input: o2
--   [1, 2]
-- clock: + 45 s
-- input: o2
--   [1, 4]
SELECT v, SUM(v) OVER (PARTITION BY k ORDER BY pt RANGE BETWEEN INTERVAL '1' MINUTE PRECEDING AND CURRENT ROW) FROM o2;
-- expect changelog:
--   +I[1, 1]
--   +I[2, 3]
--   +I[4, 6]

-- test: mini-batch waits for the clock
SET 'table.exec.mini-batch.enabled' = 'true';
SET 'table.exec.mini-batch.allow-latency' = '10 s';
SET 'table.exec.mini-batch.size' = '1000';
-- input: p (id, k)
--   [1, 1]
-- clock: + 5 s
-- input: p (id, k)
--   [2, 1]
-- clock: + 6 s
-- input: p (id, k)
--   [3, 1]
SELECT k, COUNT(*) FROM p GROUP BY k;
-- expect changelog:
--   +I[1, 2]
--   -U[1, 2]
--   +U[1, 3]

-- test: a table without a key gets every change
CREATE TABLE counts (k INT, n BIGINT) WITH ('connector' = 'kafka');
-- input: p (id, k)
--   [1, 1]
--   [2, 1]
--   [3, 2]
INSERT INTO counts SELECT k, COUNT(*) FROM p GROUP BY k;
-- expect changelog: counts
--   +I[1, 1]
--   -U[1, 1]
--   +U[1, 2]
--   +I[2, 1]
-- expect: counts
--   [1, 2]
--   [2, 1]

-- test: batch
SET 'execution.runtime-mode' = 'batch';
-- input: p (id, k)
--   [1, 1]
--   [2, 1]
SELECT k, COUNT(*) FROM p GROUP BY k;
-- expect changelog:
--   [1, 2]

-- test: a script from another file
-- script: ../data/test_command/pipeline.sql
-- ignore: archive
-- input: payments
--   +I[1, ann, 10.00]
--   +I[2, bob, 3.50]
--   -D[2, bob, 3.50]
-- expect: totals
--   [ann, 10.00]

-- test: metadata columns are columns like others
CREATE TABLE events (id INT, ts TIMESTAMP(3) METADATA FROM 'timestamp', topic STRING METADATA VIRTUAL, twice AS id * 2, WATERMARK FOR ts AS ts) WITH ('connector' = 'kafka', 'topic' = 'events');
CREATE TABLE heard (id INT, ts TIMESTAMP(3) METADATA FROM 'timestamp', topic STRING METADATA VIRTUAL) WITH ('connector' = 'kafka', 'topic' = 'heard');
-- input: events
--   [1, 2024-01-01 10:00:00, a]
--   [2, 2024-01-01 10:00:01, b]
INSERT INTO heard SELECT id, ts FROM events WHERE topic = 'a' AND twice = 2;
-- expect: heard
--   [1, 2024-01-01 10:00]
