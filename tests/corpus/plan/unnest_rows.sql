-- SPDX-License-Identifier: Apache-2.0
-- UNNEST of an array of rows.
-- modes: streaming
-- conf: weir.explain.state=false
CREATE TABLE p3 (id INT, rows_ ARRAY<ROW<a INT, b STRING>>) WITH ('connector'='script','rows'='["+I",1,[]]');
EXPLAIN CHANGELOG_MODE SELECT id, x.q FROM p3, UNNEST(rows_) AS x(q, r);
