-- SPDX-License-Identifier: Apache-2.0
-- What table.exec.state.ttl forgets in each operator, and what it does not: event-time windows, OVER by rowtime, patterns.
-- alone
-- batch: no
-- conf: table.exec.state.ttl=400 ms
CREATE TABLE t (k INT, v INT, ts TIMESTAMP(3), pt AS PROCTIME(), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'scan.watermark.emit.strategy' = 'on-event', 'rows' = '
["+I", 1, 10, "2020-01-01 00:00:01"]
["+I", 1, 20, "2020-01-01 00:00:02"]
["+I", 2, 5, "2020-01-01 00:00:03"]
{"sleep": 900}
["+I", 1, 30, "2020-01-01 00:00:04"]
["+I", 1, 30, "2020-01-01 00:00:05"]
["+I", 2, 7, "2020-01-01 00:00:06"]');
CREATE TABLE c (k INT, v INT, ts TIMESTAMP(3)) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 10, "2020-01-01 00:00:01"]
["+I", 1, 20, "2020-01-01 00:00:02"]
["+I", 2, 5, "2020-01-01 00:00:03"]
{"sleep": 900}
["-D", 1, 10, "2020-01-01 00:00:01"]
["+I", 1, 30, "2020-01-01 00:00:05"]
["-U", 2, 5, "2020-01-01 00:00:03"]
["+U", 2, 7, "2020-01-01 00:00:03"]');
SELECT k, SUM(v), COUNT(*) FROM t GROUP BY k;
SELECT DISTINCT k FROM t;
SELECT k, v, SUM(v) OVER (PARTITION BY k ORDER BY pt) FROM t;
SELECT k, v, SUM(v) OVER (PARTITION BY k ORDER BY ts) FROM t;
SELECT k, v, SUM(v) OVER (PARTITION BY k ORDER BY pt ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t;
SELECT k, v, SUM(v) OVER (PARTITION BY k ORDER BY ts ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t;
SELECT k, v, SUM(v) OVER (PARTITION BY k ORDER BY v) FROM t;
SELECT k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY pt) AS rn FROM t) WHERE rn = 1;
SELECT k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts DESC) AS rn FROM t) WHERE rn = 1;
SELECT k, v, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM t) WHERE rn <= 2;
SELECT k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM t) WHERE rn <= 2;
SELECT k, v, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS rn FROM c) WHERE rn <= 2;
SELECT /*+ STATE_TTL('x' = '1 h') */ k, SUM(v) FROM t AS x GROUP BY k;
SELECT window_start, k, SUM(v) FROM TABLE(SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY window_start, window_end, k;
SELECT k, MAX(v), MIN(v) FROM c GROUP BY k;
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES A.v AS a, B.v AS b PATTERN (A B) DEFINE A AS A.v = 20, B AS B.v = 30) AS m;
