-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- Temporal joins in views, common table expressions and INSERT; forms of their conditions.
CREATE TABLE o (id INT, cur STRING, amt INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '["+I", 1, "EUR", 10, "2024-01-01 10:00:02"]');
CREATE TABLE r (cur STRING, rate INT, rts TIMESTAMP(3), WATERMARK FOR rts AS rts, PRIMARY KEY (cur) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '["+I", "EUR", 1, "2024-01-01 10:00:01"]');
CREATE VIEW v AS SELECT o.id, r.rate, o.ts FROM o JOIN r FOR SYSTEM_TIME AS OF o.ts AS r ON o.cur = r.cur;
SELECT * FROM v;
WITH x AS (SELECT * FROM o) SELECT x.id, r.rate FROM x LEFT JOIN r FOR SYSTEM_TIME AS OF x.ts ON x.cur = r.cur;
SELECT * FROM o NATURAL JOIN r FOR SYSTEM_TIME AS OF o.ts;
SELECT o.id, r.rate FROM o JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur AND o.cur = 'EUR';
SELECT o.id, r.rate FROM o JOIN r FOR SYSTEM_TIME AS OF o.ts ON r.cur = 'EUR';
SELECT o.id, r.rate FROM o JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur IS NOT DISTINCT FROM r.cur;
