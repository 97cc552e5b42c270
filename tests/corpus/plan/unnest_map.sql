-- SPDX-License-Identifier: Apache-2.0
-- UNNEST of a map, grouped.
-- modes: streaming
-- conf: weir.explain.state=false
CREATE TABLE p2 (id INT, k STRING, v INT, arr ARRAY<INT>, m MAP<STRING, INT>) WITH ('connector'='script','rows'='["+I",1,"a",5,[1],{"a":1}]');
EXPLAIN CHANGELOG_MODE SELECT e, COUNT(*) FROM p2 CROSS JOIN UNNEST(m) AS u(e, q) WHERE q > 1 GROUP BY e;
