-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Functions over columns: the value at run time, not of folded constants.
CREATE TABLE t (id INT, s STRING, n DECIMAL(8, 3), d DOUBLE, i INT, ts TIMESTAMP(3), dt DATE, j STRING, a ARRAY<INT>) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "Hello, World", 12.345, -2.5, 7, "2024-02-29 12:34:56.789", "2024-02-29", "{\"a\":1,\"b\":[1,2,{\"c\":\"x\"}]}", [3, 1, 2, 1]]
["+I", 2, "", -0.005, 0.0, 0, "1970-01-01 00:00:00", "1970-01-01", "not json", []]
["+I", 3, null, null, null, null, null, null, null, null]
["+I", 4, "žluťoučký kůň", 99999.999, 1e10, -13, "1969-12-31 12:30:00", "1969-12-31", "[]", [null, 5]]');
SELECT id, UPPER(s), LOWER(s), CHAR_LENGTH(s), REVERSE(s) FROM t;
SELECT id, SUBSTRING(s FROM 2 FOR 3), LEFT(s, 2), RIGHT(s, 2), SUBSTRING(s, -2) FROM t;
SELECT id, POSITION('l' IN s), REPLACE(s, 'l', 'L'), LPAD(s, 15, '*'), REPEAT(s, 2) FROM t;
SELECT id, TRIM(s), INITCAP(s), OVERLAY(s PLACING '__' FROM 2), SPLIT_INDEX(s, ',', 1) FROM t;
SELECT id, MD5(s), SHA256(s), TO_BASE64(s), HEX(s) FROM t;
SELECT id, REGEXP_REPLACE(s, '[aeiou]', '#'), REGEXP_EXTRACT(s, '(\w+), (\w+)', 2), REGEXP(s, 'W.r') FROM t;
SELECT id, ASCII(s), CONCAT(s, '!', s), CONCAT_WS('-', s, 'z'), SPLIT(s, 'o') FROM t;
SELECT id, ABS(n), ROUND(n, 1), FLOOR(n), CEIL(n), SIGN(n), TRUNCATE(n, 2) FROM t;
SELECT id, ABS(d), ROUND(d), FLOOR(d), CEIL(d), SQRT(ABS(d)), EXP(0 * d) FROM t;
SELECT id, ABS(i), MOD(i, 3), i / 2, i % 2, BIN(i), HEX(i), POWER(i, 2) FROM t;
SELECT id, YEAR(dt), MONTH(dt), DAYOFMONTH(dt), DAYOFWEEK(dt), DAYOFYEAR(dt), WEEK(dt), QUARTER(dt) FROM t;
SELECT id, HOUR(ts), MINUTE(ts), EXTRACT(DAY FROM ts), EXTRACT(EPOCH FROM dt) FROM t WHERE id < 3;
SELECT id, FLOOR(ts TO HOUR), CEIL(ts TO DAY), FLOOR(dt TO MONTH), CEIL(dt TO YEAR) FROM t;
SELECT id, ts + INTERVAL '1' DAY, ts - INTERVAL '1' MONTH, dt + INTERVAL '1' YEAR, dt - INTERVAL '30' DAY FROM t;
SELECT id, TIMESTAMPDIFF(DAY, ts, TIMESTAMP '2024-03-01 00:00:00'), TIMESTAMPDIFF(MONTH, dt, DATE '2024-03-01'), TIMESTAMPADD(HOUR, 5, ts) FROM t;
SELECT id, DATE_FORMAT(ts, 'yyyy-MM-dd HH:mm:ss.SSS'), CAST(ts AS STRING), CAST(dt AS STRING), CAST(ts AS DATE) FROM t;
SELECT id, JSON_VALUE(j, '$.a'), JSON_QUERY(j, '$.b'), JSON_EXISTS(j, '$.b[2].c'), JSON_VALUE(j, 'lax $.zz' DEFAULT 'none' ON EMPTY) FROM t;
SELECT id, j IS JSON, j IS JSON OBJECT, j IS JSON ARRAY, j IS NOT JSON FROM t;
SELECT id, JSON_OBJECT('id' VALUE id, 's' VALUE s), JSON_ARRAY(id, s NULL ON NULL) FROM t;
SELECT id, ARRAY_SORT(a), ARRAY_DISTINCT(a), ARRAY_REVERSE(a), ARRAY_MAX(a), ARRAY_MIN(a) FROM t;
SELECT id, ARRAY_CONTAINS(a, 1), ARRAY_POSITION(a, 2), ARRAY_REMOVE(a, 1), ARRAY_APPEND(a, 9), ARRAY_PREPEND(a, 9) FROM t;
SELECT id, ARRAY_CONCAT(a, ARRAY[8]), ARRAY_UNION(a, ARRAY[1, 8]), ARRAY_EXCEPT(a, ARRAY[1]), ARRAY_INTERSECT(a, ARRAY[1, 2]) FROM t;
SELECT id, ARRAY_SLICE(a, 2, 3), ARRAY_JOIN(CAST(a AS ARRAY<STRING>), '+'), CARDINALITY(a), a[1] FROM t;
SELECT id, CAST(i AS STRING), CAST(i AS DOUBLE), CAST(d AS INT), CAST(n AS INT), CAST(i AS DECIMAL(10, 2)), CAST(n AS DECIMAL(6, 1)) FROM t;
SELECT id, TRY_CAST(s AS INT), TRY_CAST(j AS DOUBLE), CAST(i AS BOOLEAN), CAST(CAST(i AS BOOLEAN) AS STRING) FROM t;
SELECT id, GREATEST(i, id), LEAST(i, id), IF(i > 0, 'pos', 'neg'), NULLIF(i, 0), COALESCE(s, 'none') FROM t;
SELECT id, STARTSWITH(s, 'He'), ENDSWITH(s, 'd'), INSTR(s, 'o'), LOCATE('o', s, 6), TRANSLATE(s, 'lo', '01') FROM t;
SELECT id, UNIX_TIMESTAMP(DATE_FORMAT(ts, 'yyyy-MM-dd HH:mm:ss')), FROM_UNIXTIME(i * 86400), TO_TIMESTAMP(CAST(ts AS STRING)) FROM t;
SELECT id, STR_TO_MAP('k=' || s), MAP_FROM_ARRAYS(ARRAY['x'], ARRAY[i]), URL_ENCODE(s) FROM t;
