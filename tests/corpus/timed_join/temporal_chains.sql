-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- parallel: no
-- batch: no
-- order: any
-- conf: pipeline.auto-watermark-interval=0
-- Temporal joins: keys of several columns and other types, keys that change, NULLs, chains, views, unions, aggregates above and below.
CREATE TABLE o (id INT, cur STRING, reg INT, amt DECIMAL(10, 2), ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, "EUR", 1, 10.00, "2024-01-01 10:00:00"]
["+I", 2, "EUR", 2, 20.00, "2024-01-01 10:00:03"]
["+I", 3, "USD", null, 30.00, "2024-01-01 10:00:04"]
["+I", 4, null, 1, null, "2024-01-01 10:00:05"]
{"step": 4}
["+I", 5, "EUR", 1, 50.00, "2024-01-01 10:00:08"]
["+I", 6, "USD", 2, 60.00, "2024-01-01 10:00:08"]
["+I", 7, "EUR", 1, 70.00, "2024-01-01 10:00:02"]
{"step": 6}
["+I", 8, "GBP", 1, 80.00, "2024-01-01 10:01:00"]');
CREATE TABLE r (cur STRING NOT NULL, rate DECIMAL(6, 3), rts TIMESTAMP(3), PRIMARY KEY (cur) NOT ENFORCED, WATERMARK FOR rts AS rts) WITH ('connector' = 'script', 'rows' = '
{"step": 1}
["+I", "EUR", 1.100, "2024-01-01 10:00:01"]
["+I", "USD", 1.000, "2024-01-01 10:00:01"]
["-U", "EUR", 1.100, "2024-01-01 10:00:01"]
["+U", "EUR", 1.200, "2024-01-01 10:00:03"]
{"step": 3}
["-D", "USD", 1.000, "2024-01-01 10:00:05"]
["+I", "GBP", null, "2024-01-01 10:00:05"]
["+I", "USD", 1.010, "2024-01-01 10:00:08"]
{"step": 5}
["-U", "EUR", 1.200, "2024-01-01 10:00:03"]
["+U", "EUR", 1.300, "2024-01-01 10:00:59"]
["+U", "EUR", 1.400, "2024-01-01 10:00:07"]
["+U", "GBP", 2.000, "2024-01-01 10:01:00.001"]');
CREATE TABLE up (cur STRING NOT NULL, rate INT, rts TIMESTAMP(3), PRIMARY KEY (cur) NOT ENFORCED, WATERMARK FOR rts AS rts) WITH ('connector' = 'script', 'changelog-mode' = 'upsert', 'rows' = '
{"step": 1}
["+I", "EUR", 1, "2024-01-01 10:00:01"]
["+U", "EUR", 2, "2024-01-01 10:00:03"]
{"step": 3}
["-D", "EUR", 2, "2024-01-01 10:00:06"]
["+U", "USD", 5, "2024-01-01 10:00:06"]
{"step": 5}
["+U", "EUR", 7, "2024-01-01 10:00:59"]');
CREATE TABLE two (cur STRING NOT NULL, reg INT NOT NULL, tax INT, xts TIMESTAMP(3), PRIMARY KEY (reg, cur) NOT ENFORCED, WATERMARK FOR xts AS xts - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
{"step": 1}
["+I", "EUR", 1, 10, "2024-01-01 10:00:00"]
["+I", "EUR", 2, 20, "2024-01-01 10:00:00"]
["+U", "EUR", 2, 21, "2024-01-01 10:00:03.001"]
{"step": 5}
["+U", "USD", 2, 30, "2024-01-01 10:00:08"]
["+U", "USD", 2, 31, "2024-01-01 10:01:30"]');
SELECT o.id, r.rate, r.rts FROM o JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur;
SELECT o.id, r.rate, r.rts FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur;
SELECT o.id, up.rate, up.rts FROM o LEFT JOIN up FOR SYSTEM_TIME AS OF o.ts ON o.cur = up.cur;
SELECT o.id, t.tax, t.xts FROM o LEFT JOIN two FOR SYSTEM_TIME AS OF o.ts AS t ON o.cur = t.cur AND o.reg = t.reg;
SELECT o.id, t.tax FROM o JOIN two FOR SYSTEM_TIME AS OF o.ts AS t ON t.reg = o.reg AND t.cur = o.cur AND t.tax > 10;
SELECT o.id, t.tax FROM o LEFT JOIN two FOR SYSTEM_TIME AS OF o.ts AS t ON t.reg = o.reg AND t.cur = o.cur AND o.amt > t.tax;
SELECT o.id, r.rate, up.rate, t.tax FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur LEFT JOIN up FOR SYSTEM_TIME AS OF o.ts ON o.cur = up.cur LEFT JOIN two FOR SYSTEM_TIME AS OF o.ts AS t ON o.cur = t.cur AND o.reg = t.reg;
SELECT o.id, r.rate, up.rate FROM o JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur JOIN up FOR SYSTEM_TIME AS OF o.ts ON r.cur = up.cur;
SELECT o.id, ROUND(o.amt * r.rate, 2) AS v, COALESCE(r.rate, 0) FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur;
SELECT r.cur, COUNT(*), SUM(o.amt * r.rate) FROM o JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur GROUP BY r.cur;
SELECT r.rate, COUNT(*) FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur GROUP BY r.rate;
SELECT window_start, window_end, SUM(amt), MAX(rate) FROM TABLE(TUMBLE((SELECT o.ts, o.amt, r.rate FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur), DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end;
SELECT q.id, q.rate, SUM(q.amt) OVER (PARTITION BY q.cur ORDER BY q.ts) FROM (SELECT o.id, o.cur, o.ts, o.amt, r.rate FROM o JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur) q;
CREATE VIEW ov AS SELECT id AS i, UPPER(cur) AS c, ts AS t FROM o WHERE id <> 6;
SELECT ov.i, r.rate FROM ov LEFT JOIN r FOR SYSTEM_TIME AS OF ov.t ON ov.c = r.cur;
CREATE VIEW rv AS SELECT cur AS k, rate * 2 AS dbl, rts AS at FROM r;
SELECT o.id, rv.dbl FROM o LEFT JOIN rv FOR SYSTEM_TIME AS OF o.ts ON o.cur = rv.k;
CREATE VIEW rf AS SELECT cur, rate, rts FROM r WHERE rate > 1.05;
SELECT o.id, rf.rate FROM o LEFT JOIN rf FOR SYSTEM_TIME AS OF o.ts ON o.cur = rf.cur;
SELECT u.id, r.rate FROM (SELECT id, cur, ts FROM o WHERE id < 3 UNION ALL SELECT id + 100, cur, ts FROM o WHERE id > 4) u LEFT JOIN r FOR SYSTEM_TIME AS OF u.ts ON u.cur = r.cur;
WITH c AS (SELECT id, cur, ts FROM o) SELECT c.id, r.rate FROM c LEFT JOIN r FOR SYSTEM_TIME AS OF c.ts AS r ON r.cur = c.cur WHERE c.id > 1 AND (r.rate IS NULL OR r.rate > 1.1);
SELECT o.id, x.rate, y.rate FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts AS x ON o.cur = x.cur LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts AS y ON o.cur = y.cur AND y.rate > 1.1;
SELECT o.id, r.rate FROM o JOIN r FOR SYSTEM_TIME AS OF o.ts USING (cur);
SELECT o.id, r.rate, ts FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF ts ON o.cur = r.cur;
SELECT o.id, r.* FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur AND r.rate IS NOT NULL;
SELECT o.id, r.rate FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur AND o.id IN (1, 2, 5);
SELECT o.id, r.rate FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur AND o.cur LIKE 'E%' AND r.rate BETWEEN 1 AND 1.2;
SELECT o.id, r.rate FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts ON TRIM(o.cur) = r.cur;
SELECT o.id, r.rate FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = LOWER(r.cur);
SELECT o.id, r.rate FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur OR o.id = 1;
SELECT o.id, r.rate FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts ON TRUE;
SELECT o.id, r.rate FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.ts = r.rts;
SELECT o.id, t.tax FROM o LEFT JOIN two FOR SYSTEM_TIME AS OF o.ts AS t ON o.cur = t.cur;
SELECT o.id, r.rate FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF CAST(o.ts AS TIMESTAMP(3)) ON o.cur = r.cur;
SELECT o.id, r.rate FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF nope ON o.cur = r.cur;
SELECT o.id, r.rate FROM o LEFT JOIN r FOR SYSTEM_TIME BETWEEN o.ts AND o.ts ON o.cur = r.cur;
SELECT o.id, q.rate FROM o LEFT JOIN (SELECT cur, rate FROM r) FOR SYSTEM_TIME AS OF o.ts AS q ON o.cur = q.cur;
CREATE VIEW rl AS SELECT cur, rate, rts FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY cur ORDER BY rts DESC) AS rn FROM r) WHERE rn = 1;
SELECT o.id, rl.rate FROM o LEFT JOIN rl FOR SYSTEM_TIME AS OF o.ts ON o.cur = rl.cur;
CREATE VIEW ra AS SELECT cur, MAX(rate) AS rate FROM r GROUP BY cur;
SELECT o.id, ra.rate FROM o LEFT JOIN ra FOR SYSTEM_TIME AS OF o.ts ON o.cur = ra.cur;
CREATE VIEW fk AS SELECT cur, rate, rts FROM r WHERE cur > 'A';
SELECT o.id, fk.rate FROM o LEFT JOIN fk FOR SYSTEM_TIME AS OF o.ts ON o.cur = fk.cur;
CREATE VIEW fn AS SELECT cur, rate, rts FROM r WHERE cur IS NOT NULL;
SELECT o.id, fn.rate FROM o LEFT JOIN fn FOR SYSTEM_TIME AS OF o.ts ON o.cur = fn.cur;
CREATE VIEW fu AS SELECT cur, rate, rts FROM up WHERE rate > 1;
SELECT o.id, fu.rate FROM o LEFT JOIN fu FOR SYSTEM_TIME AS OF o.ts ON o.cur = fu.cur;
