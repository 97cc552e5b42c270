-- SPDX-License-Identifier: Apache-2.0
-- UNNEST of an array.
-- modes: streaming
-- conf: weir.explain.state=false
CREATE TABLE p2 (id INT, k STRING, v INT, arr ARRAY<INT>, m MAP<STRING, INT>) WITH ('connector'='script','rows'='["+I",1,"a",5,[1],{"a":1}]');
EXPLAIN CHANGELOG_MODE SELECT id, e FROM p2 CROSS JOIN UNNEST(arr) AS u(e);
