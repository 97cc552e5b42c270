-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- compare: final
-- conf: table.exec.mini-batch.enabled=true
-- conf: table.exec.mini-batch.allow-latency=1 s
-- conf: table.exec.mini-batch.size=4
-- conf: table.optimizer.agg-phase-strategy=TWO_PHASE
-- conf: table.optimizer.distinct-agg.split.enabled=true
-- Local and global aggregation, split DISTINCT.
CREATE TABLE t (k STRING, v INT, w INT) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 1, 10]
["+I", "a", 2, 10]
["+I", "b", 1, 20]
["+I", "a", 1, null]
["+I", null, 3, 30]
["+I", "b", null, 20]
["+I", "a", 4, 10]');
SELECT k, COUNT(*), SUM(v), MIN(v), MAX(v), AVG(v) FROM t GROUP BY k;
SELECT COUNT(*), SUM(w), COUNT(w) FROM t;
SELECT k, COUNT(DISTINCT v) FROM t GROUP BY k;
SELECT k, COUNT(DISTINCT v), COUNT(DISTINCT w), SUM(v) FROM t GROUP BY k;
SELECT COUNT(DISTINCT v), COUNT(DISTINCT k) FROM t;
SELECT k, COUNT(DISTINCT v) FILTER (WHERE w > 10) FROM t GROUP BY k;
SELECT k, SUM(DISTINCT w), COUNT(*) FROM t GROUP BY k;
SELECT k, MAX(v) FROM t GROUP BY k HAVING COUNT(*) > 1;
SELECT w, COUNT(*) FROM t GROUP BY w;
