-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- conf: weir.explain.state=false
-- The plan of an event-time temporal join (one, as Flink numbers correlations by session).
CREATE TABLE o (id INT, cur STRING, amt INT, ts TIMESTAMP(3), pt AS PROCTIME(), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '');
CREATE TABLE r (cur STRING, rate INT, rts TIMESTAMP(3), WATERMARK FOR rts AS rts, PRIMARY KEY (cur) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode'='all', 'rows' = '');
EXPLAIN CHANGELOG_MODE SELECT o.id, o.cur, r.rate, r.rts FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.cur = r.cur AND o.amt > 25 WHERE r.rate > 1 AND o.id < 100;
