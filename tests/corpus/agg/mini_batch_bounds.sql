-- SPDX-License-Identifier: Apache-2.0
-- multi: no
-- modes: streaming
-- order: any
-- Mini-batch wants both bounds of a bundle.
CREATE TABLE s (k INT, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 10]
["+I", 1, 20]
["+I", 2, 5]');
CREATE TABLE pn (k INT, v BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
SET 'table.exec.mini-batch.enabled' = 'true';
SELECT k FROM s;
SELECT k, COUNT(*) FROM s GROUP BY k;
SELECT COUNT(*) FROM s;
INSERT INTO pn SELECT k, COUNT(*) FROM s GROUP BY k;
SET 'table.exec.mini-batch.allow-latency' = '1 h';
SELECT k FROM s;
SELECT k, COUNT(*) FROM s GROUP BY k;
EXPLAIN SELECT k, COUNT(*) FROM s GROUP BY k;
SET 'table.exec.mini-batch.size' = '0';
SELECT k, SUM(v) FROM s GROUP BY k;
SET 'table.exec.mini-batch.size' = '100';
SELECT k, SUM(v) FROM s GROUP BY k;
INSERT INTO pn SELECT k, COUNT(*) FROM s GROUP BY k;
