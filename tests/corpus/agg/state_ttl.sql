-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- alone
-- conf: table.exec.state.ttl=600 ms
-- State that expires: groups begin anew; no-op updates are sent, for they renew state downstream.
CREATE TABLE t (k STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 5]
["+I", "a", 3]
["+I", "b", 1]
{"sleep": 2000}
["+I", "a", 4]
["+I", "b", 1]');
CREATE TABLE c (k STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 5]
{"sleep": 2000}
["-D", "a", 5]
["+I", "a", 7]
["-U", "a", 7]
["+U", "a", 7]');
SELECT k, COUNT(*) FROM t GROUP BY k;
SELECT k, MAX(v) FROM t GROUP BY k;
SELECT MAX(v) FROM t;
SELECT DISTINCT k FROM t;
SELECT k, COUNT(*) FROM c GROUP BY k;
SELECT k, SUM(v) FROM c GROUP BY k;
