-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- alone
-- conf: pipeline.auto-watermark-interval=0
-- A filter above the deduplication: a version that is replaced is taken back from its own time on, here as in Flink, so a row that is
-- joined later does not find it; when that is depends on the parallelism.
CREATE TABLE o (id INT, cur STRING, amt INT, ts TIMESTAMP(3), pt AS PROCTIME(), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "EUR", 10, "2024-01-01 10:00:02"]
{"step": 3}
["+I", 2, "EUR", 20, "2024-01-01 10:00:06"]
["+I", 3, "USD", 30, "2024-01-01 10:00:07"]
["+I", 4, null, 30, "2024-01-01 10:00:07"]
{"step": 5}
["+I", 6, "EUR", 60, "2024-01-01 10:00:08"]
["+I", 7, "EUR", 70, "2024-01-01 10:00:12"]
["+I", 9, "GBP", 90, "2024-01-01 10:00:20"]');
CREATE TABLE h (cur STRING, rate INT, rts TIMESTAMP(3), pt AS PROCTIME(), WATERMARK FOR rts AS rts) WITH ('connector' = 'script', 'rows' = '
["+I", "EUR", 1, "2024-01-01 10:00:01"]
{"step": 2}
["+I", "EUR", 2, "2024-01-01 10:00:05"]
["+I", "USD", 5, "2024-01-01 10:00:06"]
{"step": 4}
["+I", "EUR", 3, "2024-01-01 10:00:09"]
["+I", "EUR", 4, "2024-01-01 10:00:07"]
["+I", "EUR", 5, "2024-01-01 10:00:09"]
{"step": 6}
["+I", "GBP", 7, "2024-01-01 10:00:15"]
["+I", "EUR", 8, "2024-01-01 10:00:30"]');
CREATE VIEW vx AS SELECT cur, rate, rts FROM (SELECT cur, rate, rts, ROW_NUMBER() OVER (PARTITION BY cur ORDER BY rts DESC) AS rn FROM h) WHERE rn = 1 AND rate <> 2;
SELECT o.id, o.cur, vx.rate FROM o LEFT JOIN vx FOR SYSTEM_TIME AS OF o.ts ON o.cur = vx.cur;
