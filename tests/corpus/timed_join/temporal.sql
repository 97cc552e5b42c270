-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- order: any
-- conf: pipeline.auto-watermark-interval=0
-- Event-time temporal joins: versions, deletions, late rows of both sides, NULL keys, changing left sides, conditions.
CREATE TABLE o (id INT, cur STRING, amt INT, ts TIMESTAMP(3), pt AS PROCTIME(), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "EUR", 10, "2024-01-01 10:00:02"]
{"step": 3}
["+I", 2, "EUR", 20, "2024-01-01 10:00:06"]
["+I", 3, "USD", 30, "2024-01-01 10:00:07"]
["+I", 4, null, 30, "2024-01-01 10:00:07"]
["+I", 5, "EUR", 50, "2024-01-01 10:00:05"]
{"step": 5}
["+I", 6, "EUR", 60, "2024-01-01 10:00:08"]
["+I", 7, "EUR", 70, "2024-01-01 10:00:12"]
["+I", 8, "EUR", 80, "2024-01-01 10:00:10"]
["+I", 9, "GBP", 90, "2024-01-01 10:00:20"]');
CREATE TABLE r (cur STRING, rate INT, rts TIMESTAMP(3), WATERMARK FOR rts AS rts, PRIMARY KEY (cur) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode'='all', 'rows' = '
["+I", "EUR", 1, "2024-01-01 10:00:01"]
{"step": 2}
["-U", "EUR", 1, "2024-01-01 10:00:01"]
["+U", "EUR", 2, "2024-01-01 10:00:05"]
["+I", "USD", 5, "2024-01-01 10:00:06"]
{"step": 4}
["-D", "USD", 5, "2024-01-01 10:00:08"]
["-U", "EUR", 2, "2024-01-01 10:00:05"]
["+U", "EUR", 3, "2024-01-01 10:00:09"]
["+U", "EUR", 4, "2024-01-01 10:00:07"]
{"step": 6}
["+I", "GBP", 7, "2024-01-01 10:00:15"]
["+I", "EUR", 8, "2024-01-01 10:00:30"]');
SELECT o.id, o.cur, r.rate, r.rts FROM o JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur;
SELECT o.id, o.cur, r.rate, r.rts FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur;
SELECT o.id, o.cur, r.rate, o.ts, r.rts, CURRENT_WATERMARK(o.ts) FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur AND r.rate < 5;
SELECT o.id, o.cur, r.rate FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur AND o.amt > 25;
SELECT o.id, o.cur, x.rate FROM o JOIN r FOR SYSTEM_TIME AS OF o.ts AS x ON x.cur = o.cur WHERE x.rate > 1;
SELECT o.id, r.rate FROM o JOIN r FOR SYSTEM_TIME AS OF o.ts USING (cur);
SELECT o.id, r.rate, o.amt * r.rate AS total FROM o JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur AND o.amt > r.rate;
SELECT r.cur, COUNT(*), SUM(o.amt) FROM o JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur GROUP BY r.cur;
SELECT o.id, r.rate FROM (SELECT * FROM o WHERE id > 2) o LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur WHERE r.rate IS NULL OR r.rate < 5;
SELECT o.id, r.rate, q.rate FROM o JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts AS q ON r.cur = q.cur AND q.rate > 2;
SELECT id, rate, ts FROM (SELECT o.id, r.rate, o.ts FROM o JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur) ORDER BY ts, id;
CREATE TABLE c (id INT, cur STRING, amt INT, ts TIMESTAMP(3), PRIMARY KEY (id) NOT ENFORCED, WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'changelog-mode'='all', 'rows' = '
["+I", 1, "EUR", 10, "2024-01-01 10:00:02"]
{"step": 3}
["-U", 1, "EUR", 10, "2024-01-01 10:00:02"]
["+U", 1, "USD", 20, "2024-01-01 10:00:06"]
["+I", 2, "EUR", 20, "2024-01-01 10:00:07"]
["-D", 2, "EUR", 20, "2024-01-01 10:00:08"]
["+I", 3, "EUR", 30, "2024-01-01 10:00:09"]');
SELECT c.id, c.cur, r.rate, r.rts FROM c JOIN r FOR SYSTEM_TIME AS OF c.ts ON c.cur = r.cur;
SELECT c.id, c.cur, r.rate, r.rts FROM c LEFT JOIN r FOR SYSTEM_TIME AS OF c.ts ON c.cur = r.cur;
SELECT c.cur, COUNT(*), SUM(r.rate) FROM c LEFT JOIN r FOR SYSTEM_TIME AS OF c.ts ON c.cur = r.cur GROUP BY c.cur;
CREATE TABLE a (k INT, k2 BIGINT, w STRING, rts TIMESTAMP(3), WATERMARK FOR rts AS rts, PRIMARY KEY (k, k2) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 2, 1, "x", "2024-01-01 10:00:01"]
["+I", 3, 2, "y", "2024-01-01 10:00:01"]
["+I", 3, 2, "z", "2024-01-01 10:00:06"]
["+I", 4, 3, null, "2024-01-01 10:00:01"]');
SELECT o.id, a.w FROM o LEFT JOIN a FOR SYSTEM_TIME AS OF o.ts ON o.id + 1 = a.k AND a.k2 = o.id;
SELECT o.id, a.w FROM o JOIN a FOR SYSTEM_TIME AS OF o.ts ON o.id + 1 = a.k AND a.k2 = o.id AND a.w > 'x';
CREATE TABLE z (cur STRING, rate INT, rts TIMESTAMP_LTZ(3), WATERMARK FOR rts AS rts, PRIMARY KEY (cur) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", "EUR", 1, "2024-01-01 10:00:01Z"]
["+I", "EUR", 2, "2024-01-01 10:00:05Z"]');
SELECT p.rate, q.rate, q.rts FROM z p JOIN z FOR SYSTEM_TIME AS OF p.rts AS q ON p.cur = q.cur;
CREATE TABLE e (cur STRING, rate INT, rts TIMESTAMP(3), WATERMARK FOR rts AS rts, PRIMARY KEY (cur) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '');
SELECT o.id, e.rate FROM o LEFT JOIN e FOR SYSTEM_TIME AS OF o.ts ON o.cur = e.cur;
SELECT o.id, e.rate FROM o JOIN e FOR SYSTEM_TIME AS OF o.ts ON o.cur = e.cur;
SELECT o.id, r.rate FROM e JOIN r FOR SYSTEM_TIME AS OF e.rts ON e.cur = r.cur JOIN o ON o.cur = r.cur;
CREATE TABLE nopk (cur STRING, rate INT, rts TIMESTAMP(3), WATERMARK FOR rts AS rts) WITH ('connector' = 'script', 'rows' = '["+I", "EUR", 1, "2024-01-01 10:00:01"]');
CREATE TABLE nowm (cur STRING, rate INT, rts TIMESTAMP(3), PRIMARY KEY (cur) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '["+I", "EUR", 1, "2024-01-01 10:00:01"]');
SELECT o.id FROM o JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.id = r.rate;
SELECT o.id FROM o JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur > r.cur;
SELECT o.id FROM o JOIN r FOR SYSTEM_TIME AS OF o.pt ON o.cur = r.cur;
SELECT o.id FROM o RIGHT JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur;
SELECT o.id FROM o FULL JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur;
SELECT o.id FROM o JOIN r FOR SYSTEM_TIME AS OF o.ts + INTERVAL '1' SECOND ON o.cur = r.cur;
SELECT o.id FROM o JOIN r FOR SYSTEM_TIME AS OF o.id ON o.cur = r.cur;
SELECT o.id FROM o, r FOR SYSTEM_TIME AS OF o.ts WHERE o.cur = r.cur;
SELECT o.id FROM o CROSS JOIN r FOR SYSTEM_TIME AS OF o.ts WHERE o.cur = r.cur;
SELECT o.id FROM o JOIN nowm FOR SYSTEM_TIME AS OF o.ts ON o.cur = nowm.cur;
SELECT o.id FROM o JOIN nopk FOR SYSTEM_TIME AS OF o.ts ON o.cur = nopk.cur;
SELECT o.id, z.rate FROM o JOIN z FOR SYSTEM_TIME AS OF o.ts ON o.cur = z.cur;
SELECT o.id, r.cur FROM o JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.id = r.rate;
SELECT o.id, a.w FROM o JOIN a FOR SYSTEM_TIME AS OF o.ts ON o.id = a.k AND a.k2 = 2;
