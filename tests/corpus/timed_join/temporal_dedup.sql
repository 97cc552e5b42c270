-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- conf: pipeline.auto-watermark-interval=0
-- conf: weir.explain.state=false
-- Event-time temporal joins whose versions come from a deduplication.
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
CREATE VIEW v AS SELECT cur, rate, rts FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY cur ORDER BY rts DESC) AS rn FROM h) WHERE rn = 1;
CREATE VIEW vf AS SELECT cur, rate, rts FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY cur ORDER BY rts) AS rn FROM h) WHERE rn = 1;
CREATE VIEW v2 AS SELECT cur, rate, rts FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY cur ORDER BY rts DESC) AS rn FROM h) WHERE rn <= 2;
CREATE VIEW vp AS SELECT cur, rate, rts FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY cur ORDER BY pt DESC) AS rn FROM h) WHERE rn = 1;
CREATE VIEW vd AS SELECT cur, rate * 2 AS r2, rts FROM (SELECT cur, rate, rts, ROW_NUMBER() OVER (PARTITION BY cur ORDER BY rts DESC) AS rn FROM h) WHERE rn = 1;
CREATE VIEW vw AS SELECT cur, rate, rts FROM (SELECT cur, rate, rts, ROW_NUMBER() OVER (PARTITION BY cur ORDER BY rts DESC) AS rn FROM h WHERE rate <> 2) WHERE rn = 1;
CREATE VIEW vn AS SELECT cur, rate FROM (SELECT cur, rate, rts, ROW_NUMBER() OVER (PARTITION BY cur ORDER BY rts DESC) AS rn FROM h) WHERE rn = 1;
CREATE VIEW vk AS SELECT rate, rts FROM (SELECT cur, rate, rts, ROW_NUMBER() OVER (PARTITION BY cur ORDER BY rts DESC) AS rn FROM h) WHERE rn = 1;
CREATE VIEW vq AS SELECT cur, rate, rts FROM h QUALIFY ROW_NUMBER() OVER (PARTITION BY cur ORDER BY rts DESC) = 1;
SELECT o.id, o.cur, v.rate, v.rts FROM o JOIN v FOR SYSTEM_TIME AS OF o.ts ON o.cur = v.cur;
SELECT o.id, o.cur, v.rate, v.rts FROM o LEFT JOIN v FOR SYSTEM_TIME AS OF o.ts ON o.cur = v.cur;
SELECT o.id, o.cur, v.rate FROM o LEFT JOIN v FOR SYSTEM_TIME AS OF o.ts ON o.cur = v.cur AND v.rate < 3;
SELECT o.id, o.cur, vf.rate FROM o LEFT JOIN vf FOR SYSTEM_TIME AS OF o.ts ON o.cur = vf.cur;
SELECT o.id, o.cur, v2.rate FROM o LEFT JOIN v2 FOR SYSTEM_TIME AS OF o.ts ON o.cur = v2.cur;
SELECT o.id, o.cur, vp.rate FROM o LEFT JOIN vp FOR SYSTEM_TIME AS OF o.ts ON o.cur = vp.cur;
SELECT o.id, o.cur, vd.r2 FROM o LEFT JOIN vd FOR SYSTEM_TIME AS OF o.ts ON o.cur = vd.cur;
SELECT o.id, o.cur, vw.rate FROM o LEFT JOIN vw FOR SYSTEM_TIME AS OF o.ts ON o.cur = vw.cur;
SELECT o.id, o.cur, vn.rate FROM o LEFT JOIN vn FOR SYSTEM_TIME AS OF o.ts ON o.cur = vn.cur;
SELECT o.id, o.cur, vk.rate FROM o LEFT JOIN vk FOR SYSTEM_TIME AS OF o.ts ON o.amt = vk.rate;
SELECT o.id, o.cur, vq.rate FROM o LEFT JOIN vq FOR SYSTEM_TIME AS OF o.ts ON o.cur = vq.cur;
SELECT o.id, o.cur, v.rate FROM o LEFT JOIN v FOR SYSTEM_TIME AS OF o.ts ON o.amt = v.rate;
SELECT o.id, o.cur, v.rate FROM o LEFT JOIN v FOR SYSTEM_TIME AS OF o.pt ON o.cur = v.cur;
SELECT v.cur, COUNT(*), SUM(o.amt * v.rate) FROM o JOIN v FOR SYSTEM_TIME AS OF o.ts ON o.cur = v.cur GROUP BY v.cur;
SELECT window_start, COUNT(*) FROM (SELECT * FROM TABLE(TUMBLE(TABLE o, DESCRIPTOR(ts), INTERVAL '10' SECOND))) w JOIN v FOR SYSTEM_TIME AS OF w.ts ON w.cur = v.cur GROUP BY window_start;
