-- SPDX-License-Identifier: Apache-2.0
-- A scalar sub-query that refers to the row around it.
-- modes: streaming
-- conf: weir.explain.state=false
CREATE TABLE p (id INT, k STRING, v INT, d DOUBLE, c DECIMAL(10,2), b BOOLEAN NOT NULL, dt DATE) WITH ('connector'='script','rows'='["+I",1,"a",5,1.5,2.5,true,"2020-01-01"]');
CREATE TABLE p2 (id INT, k STRING, v INT, arr ARRAY<INT>, m MAP<STRING, INT>) WITH ('connector'='script','rows'='["+I",1,"a",5,[1],{"a":1}]');
EXPLAIN CHANGELOG_MODE SELECT p.id, (SELECT MAX(v) FROM p2 WHERE p2.id = p.id) FROM p;
