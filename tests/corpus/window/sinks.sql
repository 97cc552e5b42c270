-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- conf: weir.explain.state=false
-- Windows into sinks, statement sets, temporary objects; plans that show what a consumer makes of them.
CREATE TABLE t (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '2' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 1, "2024-01-01 00:00:01"]
["+I", 2, "b", 2, "2024-01-01 00:00:04"]
["+I", 3, "a", 3, "2024-01-01 00:00:11"]
["+I", 4, "a", 4, "2024-01-01 00:00:03"]
["+I", 5, null, 5, "2024-01-01 00:00:13"]
["+I", 6, "b", null, "2024-01-01 00:00:25"]');
CREATE TABLE s1 (ws TIMESTAMP(3), k STRING, n BIGINT) WITH ('connector' = 'record');
CREATE TABLE s2 (ws TIMESTAMP(3), we TIMESTAMP(3), n BIGINT, PRIMARY KEY (ws, we) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE s3 (wt TIMESTAMP(3), n BIGINT, WATERMARK FOR wt AS wt) WITH ('connector' = 'record');
CREATE TABLE s4 (wt STRING, n INT) WITH ('connector' = 'record');
CREATE TABLE s5 (ws TIMESTAMP(6), k VARCHAR(1), n DECIMAL(10, 1)) WITH ('connector' = 'record');
CREATE TABLE s6 (k STRING, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TEMPORARY VIEW w AS SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND));
INSERT INTO s1 SELECT window_start, k, COUNT(*) FROM w GROUP BY window_start, window_end, k;
INSERT INTO s3 SELECT window_time, COUNT(*) FROM w GROUP BY window_start, window_end, window_time;
INSERT INTO s4 SELECT window_time, COUNT(*) FROM w GROUP BY window_start, window_end, window_time;
INSERT INTO s5 SELECT window_start, k, SUM(v) FROM w GROUP BY window_start, window_end, k;
INSERT INTO s6 SELECT k, COUNT(*) FROM w GROUP BY window_start, window_end, k;
INSERT INTO s1 (n, ws) SELECT COUNT(*), TUMBLE_START(ts, INTERVAL '10' SECOND) FROM t GROUP BY TUMBLE(ts, INTERVAL '10' SECOND);
INSERT INTO s2 SELECT HOP_START(ts, INTERVAL '5' SECOND, INTERVAL '10' SECOND), HOP_END(ts, INTERVAL '5' SECOND, INTERVAL '10' SECOND), COUNT(*) FROM t GROUP BY HOP(ts, INTERVAL '5' SECOND, INTERVAL '10' SECOND);
INSERT INTO s4 SELECT 1, window_start FROM w GROUP BY window_start, window_end;
EXPLAIN INSERT INTO s1 SELECT window_start, k, COUNT(*) FROM w GROUP BY window_start, window_end, k;
EXPLAIN INSERT INTO s3 SELECT window_time, COUNT(*) FROM w GROUP BY window_start, window_end, window_time;
EXPLAIN INSERT INTO s6 SELECT k, COUNT(*) FROM w GROUP BY window_start, window_end, k;
EXPLAIN INSERT INTO s2 SELECT TUMBLE_START(ts, INTERVAL '10' SECOND), TUMBLE_END(ts, INTERVAL '10' SECOND), COUNT(*) FROM t GROUP BY TUMBLE(ts, INTERVAL '10' SECOND);
EXPLAIN INSERT INTO s6 SELECT k, MAX(n) FROM (SELECT k, COUNT(*) AS n FROM w GROUP BY window_start, window_end, k) GROUP BY k;
EXPLAIN CHANGELOG_MODE SELECT window_start, k, COUNT(*) FROM w GROUP BY window_start, window_end, k;
EXPLAIN CHANGELOG_MODE SELECT TUMBLE_START(ts, INTERVAL '10' SECOND), COUNT(*) FROM t GROUP BY TUMBLE(ts, INTERVAL '10' SECOND);
EXPLAIN CHANGELOG_MODE SELECT window_start, COUNT(*) FROM w GROUP BY window_start;
EXPLAIN CHANGELOG_MODE SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY v) AS rn FROM w) WHERE rn <= 2;
EXPLAIN ESTIMATED_COST SELECT window_start, k, COUNT(*) FROM w GROUP BY window_start, window_end, k;
EXPLAIN STATEMENT SET BEGIN INSERT INTO s1 SELECT window_start, k, COUNT(*) FROM w GROUP BY window_start, window_end, k; INSERT INTO s5 SELECT window_start, k, SUM(v) FROM w GROUP BY window_start, window_end, k; END;
EXPLAIN SELECT window_start, k, MAX(v), MIN(v) FILTER (WHERE id > 1), COUNT(DISTINCT v) FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND)) WHERE k <> 'z' GROUP BY window_start, window_end, k HAVING COUNT(*) > 1;
EXPLAIN SELECT window_start, window_end, window_time, SUM(v) FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND, INTERVAL '1' SECOND)) GROUP BY window_start, window_end, window_time;
EXPLAIN SELECT k, window_end, COUNT(*) FROM TABLE(SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY k, window_start, window_end;
EXPLAIN SELECT a.id, b.id FROM w a JOIN w b ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end WHERE a.v > 1;
EXPLAIN SELECT window_start, SUM(n) FROM TABLE(TUMBLE((SELECT window_time AS rt, COUNT(*) AS n FROM w GROUP BY window_start, window_end, window_time), DESCRIPTOR(rt), INTERVAL '20' SECOND)) GROUP BY window_start, window_end;
EXPLAIN SELECT DISTINCT window_start, window_end, k FROM w;
EXPLAIN SELECT k, v, window_start FROM w WHERE window_start > TIMESTAMP '2024-01-01 00:00:00' ORDER BY window_time;
CREATE TABLE skr (ws TIMESTAMP(3), we TIMESTAMP(3), k STRING, rn BIGINT, n INT, PRIMARY KEY (ws, we, k, rn) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE skk (ws TIMESTAMP(3), we TIMESTAMP(3), k STRING, n BIGINT, PRIMARY KEY (ws, we, k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE VIEW r AS SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, k ORDER BY v) AS rn FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND))) WHERE rn <= 3;
CREATE VIEW r1 AS SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, k ORDER BY v) AS rn FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND))) WHERE rn <= 1;
CREATE VIEW d AS SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, k ORDER BY ts) AS rn FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND))) WHERE rn = 1;
INSERT INTO skr SELECT window_start, window_end, k, rn, v FROM r WHERE k IS NOT NULL;
INSERT INTO skr SELECT window_start, window_end, k, rn, v FROM r1 WHERE k IS NOT NULL;
INSERT INTO skk SELECT window_start, window_end, k, v FROM r1 WHERE k IS NOT NULL;
INSERT INTO skk SELECT window_start, window_end, k, v FROM r WHERE k IS NOT NULL;
