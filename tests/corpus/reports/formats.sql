-- SPDX-License-Identifier: Apache-2.0
-- compare: final
-- Formats and files.
CREATE TABLE c (id INT, a STRING, b STRING, d DOUBLE, ts TIMESTAMP(3)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/reports/rows.csv', 'format' = 'csv', 'csv.ignore-parse-errors' = 'true');
CREATE TABLE c2 (id INT, a STRING, b STRING, d DOUBLE, ts STRING) WITH ('connector' = 'filesystem', 'path' = 'tests/data/reports/rows.csv', 'format' = 'csv', 'csv.null-literal' = 'n/a');
SELECT id, a, a IS NULL, b, d, ts FROM c2;
SELECT COUNT(*) FROM c2;
SELECT id FROM c2 WHERE a = '';
CREATE TABLE c3 (id INT, name STRING, tags ARRAY<STRING>) WITH ('connector' = 'filesystem', 'path' = 'tests/data/reports/semi.csv', 'format' = 'csv', 'csv.field-delimiter' = ';', 'csv.quote-character' = '''', 'csv.array-element-delimiter' = '|', 'csv.allow-comments' = 'true', 'csv.ignore-parse-errors' = 'true', 'csv.null-literal' = 'NULL');
SELECT * FROM c3;
CREATE TABLE c4 (id INT, a STRING) WITH ('connector' = 'filesystem', 'path' = 'tests/data/reports/rows.csv', 'format' = 'csv');
CREATE TABLE c5 (id STRING, a STRING, b STRING, d STRING, ts STRING, more STRING) WITH ('connector' = 'filesystem', 'path' = 'tests/data/reports/rows.csv', 'format' = 'csv', 'csv.disable-quote-character' = 'true', 'csv.ignore-parse-errors' = 'true');
SELECT * FROM c5;
CREATE TABLE j (id INT, n ROW<a INT, b ARRAY<INT>>, m MAP<STRING, STRING>, d DECIMAL(10, 2), t TIMESTAMP(3), b BYTES) WITH ('connector' = 'filesystem', 'path' = 'tests/data/reports/rows.json', 'format' = 'json', 'json.ignore-parse-errors' = 'true');
SELECT * FROM j;
SELECT id, n.a, n.b[2], m['z'], CARDINALITY(n.b), CARDINALITY(m), n IS NULL FROM j;
SELECT id, k, v FROM j CROSS JOIN UNNEST(m) AS u(k, v);
CREATE TABLE j2 (id INT, missing STRING) WITH ('connector' = 'filesystem', 'path' = 'tests/data/reports/rows.json', 'format' = 'json', 'json.fail-on-missing-field' = 'true');
SELECT * FROM j2;
CREATE TABLE j3 (id INT, t TIMESTAMP(3)) WITH ('connector' = 'filesystem', 'path' = 'tests/data/reports/rows.json', 'format' = 'json', 'json.timestamp-format.standard' = 'ISO-8601', 'json.ignore-parse-errors' = 'true');
SELECT * FROM j3;
CREATE TABLE j4 (id INT, v STRING) WITH ('connector' = 'filesystem', 'path' = 'tests/data/reports/broken.json', 'format' = 'json', 'json.ignore-parse-errors' = 'true');
SELECT * FROM j4;
CREATE TABLE j5 (id INT, v STRING) WITH ('connector' = 'filesystem', 'path' = 'tests/data/reports/broken.json', 'format' = 'json');
SELECT * FROM j5;
CREATE TABLE r (line STRING) WITH ('connector' = 'filesystem', 'path' = 'tests/data/reports/broken.json', 'format' = 'raw');
SELECT line FROM r WHERE line LIKE '%id%';
SELECT JSON_VALUE(line, '$.id'), JSON_QUERY(line, '$.v'), line IS JSON OBJECT FROM r;
CREATE TABLE jj (id INT, v STRING) WITH ('connector' = 'filesystem', 'path' = 'tests/data/reports/rows.json', 'format' = 'json', 'json.ignore-parse-errors' = 'true', 'json.fail-on-missing-field' = 'true');
SELECT * FROM jj;
CREATE TABLE de (id INT, v STRING) WITH ('connector' = 'filesystem', 'path' = 'tests/data/reports/deb.json', 'format' = 'debezium-json');
SELECT * FROM de;
SELECT v, COUNT(*) FROM de GROUP BY v;
CREATE TABLE dk (id INT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'filesystem', 'path' = 'tests/data/reports/deb.json', 'format' = 'debezium-json');
SELECT id, v FROM dk WHERE v <> 'c';
SELECT COUNT(*), MAX(v) FROM dk;
CREATE TABLE ca (id INT, city STRING) WITH ('connector' = 'filesystem', 'path' = 'tests/data/reports/canal.json', 'format' = 'canal-json', 'canal-json.ignore-parse-errors' = 'true');
SELECT * FROM ca;
