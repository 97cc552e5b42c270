-- SPDX-License-Identifier: Apache-2.0
-- Lookup joins by key: what comes out, sync and async, with retries and a cache. Flink runs them with
-- tests/tools/LookupConnector.java.
-- alone
-- batch: no
CREATE TABLE o (id INT, k INT, v STRING, c STRING, pt AS PROCTIME()) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1, "a", "x"]
["+I", 2, 2, "b", "y"]
["+I", 3, 3, "c", null]
["+I", 4, null, "d", "z"]
["+I", 5, 7, "e", "x"]');
CREATE TABLE dim (k INT, name STRING, n INT, twice AS n * 2) WITH ('connector' = 'lookup', 'rows' = '
["+I", 1, "one", 10]
["+I", 2, "two", 20]
["+I", 2, "zwei", 21]
{"after": 2}
["+I", 7, "late", 70]
["+I", null, "nil", 0]');
CREATE TABLE dima (k INT, name STRING, n INT) WITH ('connector' = 'lookup', 'lookup.async' = 'true', 'delay' = '10 ms', 'rows' = '
["+I", 1, "one", 10]
["+I", 2, "two", 20]
["+I", 2, "zwei", 21]
{"after": 2}
["+I", 7, "late", 70]
["+I", null, "nil", 0]');
SELECT o.id, o.v, d.name, d.n FROM o JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT o.id, o.v, d.name, d.twice FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT o.id, o.v, d.name, d.n FROM o LEFT JOIN dima FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT /*+ LOOKUP('table'='d', 'retry-predicate'='lookup_miss', 'retry-strategy'='fixed_delay', 'fixed-delay'='10 ms', 'max-attempts'='3') */ o.id, d.name FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT /*+ LOOKUP('table'='d', 'retry-predicate'='lookup_miss', 'retry-strategy'='fixed_delay', 'fixed-delay'='10 ms', 'max-attempts'='3') */ o.id, d.name FROM o LEFT JOIN dima FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT /*+ LOOKUP('table'='d', 'retry-predicate'='lookup_miss', 'retry-strategy'='fixed_delay', 'fixed-delay'='10 ms', 'max-attempts'='1') */ o.id, d.name FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT /*+ LOOKUP('table'='d', 'retry-predicate'='lookup_miss', 'retry-strategy'='fixed_delay', 'fixed-delay'='10 ms', 'max-attempts'='1') */ o.id, d.name FROM o LEFT JOIN dima FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT o.id, d.name FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k AND d.n = 10;
SELECT o.id, d.name FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON d.k = 2;
SELECT o.id, d.name FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON d.k = o.k AND o.v > 'a';
SELECT o.id, d.name FROM o JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON d.k > o.k;
SELECT o.id, d.name FROM o JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON d.k = o.k OR d.n = o.k;
SELECT o.id, d.name FROM o JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON TRUE;
SELECT o.id, d.name FROM o RIGHT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON d.k = o.k;
CREATE TABLE p2 (k INT, name STRING) WITH ('connector' = 'lookup', 'lookup.cache' = 'PARTIAL', 'lookup.partial-cache.max-rows' = '2', 'rows' = '["+I", 1, "one"]');
SELECT o.id, d.name FROM o JOIN p2 FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
CREATE TABLE w (id INT, name STRING) WITH ('connector' = 'lookup', 'rows' = '["+I", 1, "one"]');
SELECT o.id, d.name FROM o JOIN w FOR SYSTEM_TIME AS OF o.pt AS d ON CAST(o.id AS BIGINT) = d.id;
SELECT /*+ LOOKUP('table'='d', 'async'='true') */ o.id, d.name FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT /*+ LOOKUP('table'='d', 'retry-predicate'='other', 'retry-strategy'='fixed_delay', 'fixed-delay'='10 ms', 'max-attempts'='1') */ o.id, d.name FROM o LEFT JOIN dima FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT /*+ LOOKUP('table'='d', 'retry-predicate'='lookup_miss', 'retry-strategy'='fixed_delay', 'fixed-delay'='10 ms', 'max-attempts'='0') */ o.id, d.name FROM o LEFT JOIN dima FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
CREATE TABLE chg (id INT, k INT, v STRING, pt AS PROCTIME()) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1, "a"]
["+I", 2, 2, "b"]
["-U", 1, 1, "a"]
["+U", 1, 2, "aa"]
["-D", 2, 2, "b"]');
SELECT c.id, c.v, d.name FROM chg c LEFT JOIN dim FOR SYSTEM_TIME AS OF c.pt AS d ON c.k = d.k;
SELECT c.id, c.v, d.name FROM chg c LEFT JOIN dima FOR SYSTEM_TIME AS OF c.pt AS d ON c.k = d.k;
SELECT o.id, d.name FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k WHERE d.n IS NULL;
SELECT o.id, d.name FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k WHERE o.k = 2;
SELECT o.id, d.name FROM o JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k AND o.id = d.k;
SELECT o.id, d.name FROM o JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k AND d.k = 1;
SELECT COUNT(*) FROM o JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
SELECT d.name, COUNT(*), MAX(o.id) FROM chg AS o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k GROUP BY d.name;
SELECT o.id, a.name, b.name FROM o JOIN dim FOR SYSTEM_TIME AS OF o.pt AS a ON o.k = a.k LEFT JOIN dima FOR SYSTEM_TIME AS OF o.pt AS b ON a.n = b.n AND b.k = 2;
SELECT o.id, d.name FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k AND o.v = d.name;
SELECT o.id, d.name FROM o JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.twice / 20 AND d.k = 2;
CREATE TABLE pc (k INT, name STRING) WITH ('connector' = 'lookup', 'lookup.cache' = 'PARTIAL', 'lookup.partial-cache.max-rows' = '100', 'rows' = '
["+I", 1, "one"]
["+I", 2, "two"]
{"after": 2}
["+I", 3, "late"]');
CREATE TABLE pm (k INT, name STRING) WITH ('connector' = 'lookup', 'lookup.cache' = 'PARTIAL', 'lookup.partial-cache.max-rows' = '100', 'lookup.partial-cache.cache-missing-key' = 'false', 'rows' = '
["+I", 1, "one"]
{"after": 2}
["+I", 3, "late"]');
CREATE TABLE twice (id INT, k INT, pt AS PROCTIME()) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 3]
["+I", 2, 1]
{"step": 2}
["+I", 3, 3]
["+I", 4, 1]');
SELECT t.id, d.name FROM twice AS t LEFT JOIN pc FOR SYSTEM_TIME AS OF t.pt AS d ON t.k = d.k;
SELECT t.id, d.name FROM twice AS t LEFT JOIN pm FOR SYSTEM_TIME AS OF t.pt AS d ON t.k = d.k;
CREATE TABLE types (d DECIMAL(10, 2), s CHAR(3), t TIMESTAMP(3), b BOOLEAN, v DOUBLE) WITH ('connector' = 'lookup', 'rows' = '
["+I", 1.50, "abc", "2020-01-01 00:00:01", true, 2.5]
["+I", 1.50, "abd", "2020-01-01 00:00:02", false, null]
["+I", null, "abc", "2020-01-01 00:00:01", true, 1]');
CREATE TABLE asks (id INT, d DECIMAL(10, 2), s CHAR(3), t TIMESTAMP(3), b BOOLEAN, pt AS PROCTIME()) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1.5, "abc", "2020-01-01 00:00:01", true]
["+I", 2, 1.5, "abd", "2020-01-01 00:00:03", true]
["+I", 3, null, "abc", null, null]');
SELECT a.id, t.v, t.s FROM asks AS a LEFT JOIN types FOR SYSTEM_TIME AS OF a.pt AS t ON a.d = t.d;
SELECT a.id, t.v, t.d FROM asks AS a LEFT JOIN types FOR SYSTEM_TIME AS OF a.pt AS t ON a.s = t.s AND a.t = t.t;
SELECT a.id, t.v, t.d FROM asks AS a LEFT JOIN types FOR SYSTEM_TIME AS OF a.pt AS t ON a.b = t.b WHERE a.id < 3;
SELECT a.id, t.s FROM asks AS a JOIN types FOR SYSTEM_TIME AS OF a.pt AS t ON a.b = t.b AND t.s = 'abd';
