-- SPDX-License-Identifier: Apache-2.0
-- Lookup joins: keys of other types, constants and expressions as keys, several dimensions, changes, sub-queries, refusals. Flink runs them
-- with tests/tools/LookupConnector.java.
-- alone
-- batch: no
-- order: any
CREATE TABLE o (id INT, k INT, s STRING, d DATE, b BIGINT, pt AS PROCTIME()) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1, "a", "2024-01-01", 1]
["+I", 2, 2, "b", null, 2]
["+I", 3, null, null, "2024-01-02", null]
["+I", 4, 1, "a", "2024-01-01", 9]');
CREATE TABLE chg (id INT, k INT, s STRING, pt AS PROCTIME(), PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, 1, "a"]
["-U", 1, 1, "a"]
["+U", 1, 2, "b"]
["+I", 2, 5, "e"]
["-D", 1, 2, "b"]');
CREATE TABLE dim (k INT, s STRING, n INT, d DATE) WITH ('connector' = 'lookup', 'rows' = '
["+I", 1, "a", 10, "2024-01-01"]
["+I", 1, "b", 11, "2024-01-02"]
["+I", 2, "b", 20, null]
["+I", null, "n", 0, null]');
CREATE TABLE dp (k INT NOT NULL, s STRING, n INT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'lookup', 'rows' = '
["+I", 1, "a", 10]
["+I", 2, "b", 20]');
SELECT o.id, d.n FROM o JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k AND o.s = d.s;
SELECT o.id, d.n FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.s = d.s AND d.n > 10;
SELECT o.id, d.n FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.d = d.d;
SELECT o.id, d.n FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k AND d.s = 'b';
SELECT o.id, d.n FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k AND d.s IN ('a', 'b') AND d.d IS NOT NULL;
SELECT o.id, d.n FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k AND d.n = 10 AND o.s = 'a';
SELECT o.id, d.n FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k AND o.id > d.n - 10;
SELECT o.id, d.n FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.id - 1 = d.k;
SELECT o.id, d.n FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON UPPER(o.s) = UPPER(d.s);
SELECT o.id, d.n FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON LOWER(o.s) = d.s;
SELECT o.id, d.n FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON CAST(o.b AS INT) = d.k;
SELECT o.id, d.n FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.b = d.k;
SELECT o.id, d.n FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k IS NOT DISTINCT FROM d.k;
SELECT o.id, d.n FROM o JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON d.s = 'a';
SELECT o.id, d.n FROM o JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON d.s = 'a' AND o.k = 1;
SELECT o.id, d.n, e.n FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k LEFT JOIN dp FOR SYSTEM_TIME AS OF o.pt AS e ON o.k = e.k;
SELECT o.id, d.n, e.n FROM o JOIN dp FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k JOIN dim FOR SYSTEM_TIME AS OF o.pt AS e ON d.s = e.s;
SELECT o.id, d.n FROM (SELECT id, k + 1 AS k, pt FROM o WHERE id < 4) o LEFT JOIN dp FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT d.s, COUNT(*), SUM(o.id) FROM o JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k GROUP BY d.s;
SELECT d.s, COUNT(*) FROM chg o LEFT JOIN dp FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k GROUP BY d.s;
SELECT o.id, o.k, d.s FROM chg o JOIN dp FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT o.id, o.k, d.s FROM chg o LEFT JOIN dp FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k AND d.n > 15;
SELECT o.id, d.n FROM o LEFT JOIN dp FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k WHERE d.n IS NULL OR d.n > 10;
SELECT o.id, d.n FROM o LEFT JOIN dp FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k WHERE d.s LIKE 'a%';
SELECT o.id, d.* FROM o LEFT JOIN dp FOR SYSTEM_TIME AS OF o.pt AS d USING (k);
SELECT o.id, d.n FROM o, dp FOR SYSTEM_TIME AS OF o.pt AS d WHERE o.k = d.k;
SELECT o.id, d.n FROM o FULL JOIN dp FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT * FROM dim;
SELECT o.id, d.n FROM o JOIN dim AS d ON o.k = d.k;
SELECT k, COUNT(*) FROM dp GROUP BY k;
SELECT /*+ LOOKUP('table'='d', 'async'='true', 'output-mode'='allow_unordered') */ o.id, d.n FROM o LEFT JOIN dp FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT /*+ LOOKUP('table'='dp', 'shuffle'='true') */ o.id, d.n FROM o LEFT JOIN dp FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT /*+ LOOKUP('table'='d', 'shuffle'='true') */ o.id, d.n FROM o LEFT JOIN dp FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT /*+ LOOKUP('async'='true') */ o.id, d.n FROM o LEFT JOIN dp FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT /*+ LOOKUP('table'='zz', 'async'='false') */ o.id, d.n FROM o LEFT JOIN dp FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT /*+ LOOKUP('table'='d', 'retry-predicate'='lookup_miss') */ o.id, d.n FROM o LEFT JOIN dp FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT /*+ LOOKUP('table'='d', 'retry-predicate'='lookup_miss', 'retry-strategy'='nope', 'fixed-delay'='10 ms', 'max-attempts'='2') */ o.id, d.n FROM o LEFT JOIN dp FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT /*+ LOOKUP('table'='d', 'async'='maybe') */ o.id, d.n FROM o LEFT JOIN dp FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT /*+ LOOKUP('table'='d', 'retry-predicate'='lookup_miss', 'retry-strategy'='fixed_delay', 'fixed-delay'='-1 ms', 'max-attempts'='2') */ o.id, d.n FROM o LEFT JOIN dp FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT /*+ STATE_TTL('o'='1d', 'c'='2h') */ o.id, c.s FROM o JOIN chg c ON o.k = c.k;
SELECT /*+ STATE_TTL('x'='1d') */ o.id, c.s FROM o JOIN chg c ON o.k = c.k;
SELECT /*+ STATE_TTL('o'='-1d') */ o.id, c.s FROM o JOIN chg c ON o.k = c.k;
SELECT /*+ STATE_TTL('o'='abc') */ o.id, c.s FROM o JOIN chg c ON o.k = c.k;
SELECT /*+ STATE_TTL(o) */ o.id, c.s FROM o JOIN chg c ON o.k = c.k;
SELECT /*+ BROADCAST(c) */ o.id, c.s FROM o JOIN chg c ON o.k = c.k;
SELECT /*+ BROADCAST(zz) */ o.id, c.s FROM o JOIN chg c ON o.k = c.k;
SELECT /*+ NOSUCH(c) */ o.id, c.s FROM o JOIN chg c ON o.k = c.k;
