-- SPDX-License-Identifier: Apache-2.0
-- Strings, LIKE, regular expressions, JSON, CASE: expressions of reported faults.
CREATE TABLE s (id INT, a STRING, b STRING, p STRING, n INT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "AB_C", "x,y,,z", "AB\\_C", 2]
["+I", 2, "ABxC", "", "AB_C", 0]
["+I", 3, "", ",", "%", -1]
["+I", 4, null, null, null, null]
["+I", 5, "a%b", "a.b.c", "a\\%b", 9]
["+I", 6, "line1\nline2", "äöü", "line1%", 1]');
-- CALCITE-1898: LIKE and its escape.
SELECT id, a LIKE p, a LIKE p ESCAPE '\', a LIKE 'AB\_C', a LIKE 'AB\_C' ESCAPE '\', a NOT LIKE 'AB%' FROM s;
SELECT 'p%q' LIKE 'p#%q' ESCAPE '#', 'pzq' LIKE 'p#%q' ESCAPE '#', 'a_c' LIKE 'a!_c' ESCAPE '!', '' LIKE '', '' LIKE '%', 'abc' LIKE '%b%', 'abc' LIKE 'a_c', 'abc' LIKE 'A%';
SELECT a LIKE 'a' ESCAPE 'xx' FROM s;
SELECT 'a' LIKE 'a\' ESCAPE '\';
SELECT 'abc' SIMILAR TO '(a|b)%', 'abc' SIMILAR TO 'a', 'a.c' SIMILAR TO 'a.c', 'abc' NOT SIMILAR TO '[a-c]+', 'aaa' SIMILAR TO 'a{3}';
-- SPLIT_INDEX.
SELECT id, SPLIT_INDEX(b, ',', 0), SPLIT_INDEX(b, ',', 2), SPLIT_INDEX(b, ',', 3), SPLIT_INDEX(b, ',', 9), SPLIT_INDEX(b, ',', -1), SPLIT_INDEX(b, '.', 1), SPLIT_INDEX(b, 46, 1), SPLIT_INDEX(b, '', 0) FROM s;
-- FLINK-9990, FLINK-9991, FLINK-32706, FLINK-35931: REGEXP functions.
SELECT REGEXP_EXTRACT('foothebar', 'foo(.*?)(bar)', 2), REGEXP_EXTRACT('foothebar', 'foo(.*?)(bar)', 3), REGEXP_EXTRACT('foothebar', 'x', 0), REGEXP_EXTRACT('foothebar', 'foo(x)?', 1), REGEXP_EXTRACT('a', '('), REGEXP_EXTRACT('abc', 'b');
SELECT REGEXP_REPLACE('foobar', 'oo|ar', ''), REGEXP_REPLACE('555666777', '(\d{3})\d*(\d{3})', '$1-$2'), REGEXP_REPLACE('abc', 'x*', '-'), REGEXP('abc', '^a.c$'), REGEXP('abc', 'B'), REGEXP('', ''), REGEXP_COUNT('Steven Jones and Stephen Smith', 'Ste(v|ph)en'), REGEXP_EXTRACT_ALL('100-200, 300-400', '(\d+)-(\d+)', 1), REGEXP_INSTR('Mary had a lamb', 'had'), REGEXP_SUBSTR('Steven', 'x');
SELECT id, REGEXP_EXTRACT(a, '([A-Z]+)', 1), REGEXP_REPLACE(a, '[a-z]', '*'), REGEXP(a, p) FROM s;
SELECT SPLIT('a,b,,c', ','), SPLIT('abc', ''), SPLIT('abc', 'x'), SPLIT('', ','), SPLIT(CAST(NULL AS STRING), ',');
-- SUBSTRING with odd bounds.
SELECT SUBSTRING('abcdef', 0), SUBSTRING('abcdef', 0, 2), SUBSTRING('abcdef', -3), SUBSTRING('abcdef', -3, 2), SUBSTRING('abcdef', 7), SUBSTRING('abcdef', 3, 100), SUBSTRING('abcdef' FROM 2 FOR 0), SUBSTR('abcdef', 2, 3), SUBSTRING('abcdef', 2, -1);
SELECT id, SUBSTRING(a, n), SUBSTRING(a, n, 2), LEFT(a, n), RIGHT(a, n), REPEAT(a, n) FROM s;
SELECT LEFT('abc', 2), LEFT('abc', 0), LEFT('abc', -1), LEFT('abc', 9), RIGHT('abc', 2), RIGHT('abc', 0), REPEAT('ab', 0), REPEAT('ab', -1), REVERSE('abc'), REVERSE('');
SELECT LPAD('hi', 4, '??'), LPAD('hi', 1, '??'), LPAD('hi', 5, ''), RPAD('hi', 4, '??'), RPAD('hi', -1, '?'), LPAD('', 2, 'ab'), RPAD('abc', 0, 'x');
SELECT TRIM(BOTH 'x' FROM 'xxaxx'), TRIM(LEADING 'ab' FROM 'abac'), TRIM(TRAILING FROM 'a  '), TRIM('  a '), BTRIM('xax', 'x'), LTRIM('  a'), RTRIM('a  '), LTRIM('aab', 'a'), TRIM(BOTH '' FROM 'a');
SELECT POSITION('b' IN 'abcb'), POSITION('' IN 'abc'), POSITION('z' IN 'abc'), LOCATE('b', 'abcb', 3), LOCATE('b', 'abcb', 0), LOCATE('', 'abc'), INSTR('abcb', 'b'), INSTR('abc', '');
SELECT OVERLAY('abcdef' PLACING 'XX' FROM 2), OVERLAY('abcdef' PLACING 'XX' FROM 2 FOR 4), OVERLAY('abcdef' PLACING '' FROM 2 FOR 1), INITCAP('hello wORLD-foo'), UPPER('straße'), LOWER('ÄÖ'), ASCII('a'), ASCII(''), CHR(65), CHR(0), CHR(353), CHAR_LENGTH('äö'), TRANSLATE('abc', 'ab', 'x');
-- CONCAT and NULL.
SELECT CONCAT('a', CAST(NULL AS STRING)), CONCAT_WS(',', 'a', CAST(NULL AS STRING), 'b'), CONCAT_WS(CAST(NULL AS STRING), 'a'), 'a' || CAST(NULL AS STRING), CONCAT('a', 1), CONCAT_WS(',', ''), 'a' || '' || 'b';
SELECT id, CONCAT(a, '-', b), CONCAT_WS('-', a, b), a || b FROM s;
SELECT PARSE_URL('http://u:p@h.com:80/p/q.php?k=v&x=1#Ref', 'HOST'), PARSE_URL('http://h.com/p?k=v&x=1', 'QUERY', 'x'), PARSE_URL('http://h.com/p?k=v', 'QUERY', 'z'), PARSE_URL('bad url', 'HOST'), PARSE_URL('http://h.com/p#r', 'REF'), PARSE_URL('http://h.com/p?k=v', 'FILE'), PARSE_URL('http://u:p@h.com/p', 'USERINFO'), PARSE_URL('http://u:p@h.com/p', 'AUTHORITY'), PARSE_URL('http://h.com', 'PATH'), PARSE_URL('http://h.com/p', 'NOPE');
SELECT STR_TO_MAP('a=1,b=2'), STR_TO_MAP('a:1;b:2', ';', ':'), STR_TO_MAP('a'), STR_TO_MAP('')['x'], STR_TO_MAP('a=1,a=2');
SELECT MD5('a'), SHA1('a'), SHA2('a', 256), SHA256(''), MD5(CAST(NULL AS STRING)), FROM_BASE64('aGk='), TO_BASE64('hi'), UUID() IS NOT NULL, ELT(2, 'a', 'b'), ELT(3, 'a', 'b'), ELT(0, 'a'), UNHEX('6869'), URL_ENCODE('a b&'), URL_DECODE('a+b%26'), URL_DECODE('%zz'), STARTSWITH('abc', 'ab'), ENDSWITH('abc', ''), LEVENSHTEIN('a', 'b');
SELECT IS_ALPHA('a1'), IS_DECIMAL('1.5'), IS_DIGIT('15'), IS_DIGIT(''), IS_ALPHA(''), IS_DECIMAL('1e5');
-- JSON functions.
SELECT JSON_VALUE('{"a":1}', 'strict $.x' ERROR ON EMPTY);
SELECT JSON_QUERY('{"a":[1,2],"b":"s","c":{"d":null}}', '$.a'), JSON_QUERY('{"b":"s"}', '$.b'), JSON_QUERY('{"b":"s"}', '$.b' WITH WRAPPER), JSON_QUERY('{"c":{"d":null}}', '$.c'), JSON_QUERY('{"c":1}', '$.x'), JSON_QUERY('{"c":1}', '$.x' EMPTY ARRAY ON EMPTY), JSON_QUERY('bad', '$' EMPTY OBJECT ON ERROR), JSON_QUERY('{"a":[{"x":1},{"x":2}]}', '$.a[*].x' WITH CONDITIONAL WRAPPER), JSON_QUERY('{"a":["x","y"]}', '$.a' RETURNING ARRAY<STRING>);
SELECT JSON_EXISTS('{"a":1}', '$.a'), JSON_EXISTS('{"a":1}', '$.b'), JSON_EXISTS('{"a":1}', 'strict $.b' TRUE ON ERROR), JSON_EXISTS('bad', '$.b' UNKNOWN ON ERROR), JSON_EXISTS('{"a":null}', '$.a'), JSON_EXISTS(CAST(NULL AS STRING), '$.a');
SELECT '{"a":1}' IS JSON, '[1]' IS JSON ARRAY, '1' IS JSON SCALAR, '{}' IS JSON OBJECT, 'x' IS NOT JSON, '' IS JSON, CAST(NULL AS STRING) IS JSON;
SELECT JSON_VALUE(CAST(NULL AS STRING), '$.a'), JSON_VALUE(CAST(NULL AS STRING), '$.a'), JSON_VALUE('{"a.b":1}', '$[''a.b'']'), JSON_VALUE('{"a":12345678901234567890}', '$.a'), JSON_VALUE('{"a":1.0}', '$.a'), JSON_VALUE('{"a":1e3}', '$.a'), JSON_VALUE('{"a":"\u00e9"}', '$.a');
-- CASE, COALESCE, NULLIF, IN with CHARs of other lengths.
SELECT CASE n WHEN 2 THEN 'two' WHEN 0 THEN 'zero' ELSE 'other' END || '|' FROM s;
SELECT CASE WHEN id = 1 THEN 'a' WHEN id = 2 THEN 'bbb' END || '|', CASE WHEN id < 3 THEN 1 ELSE 2.5 END, CASE WHEN id > 99 THEN 1 END FROM s;
SELECT COALESCE(a, 'none'), COALESCE(n, 0, id), NULLIF(n, 2), NULLIF(a, ''), IFNULL(n, -5), IF(n > 0, 'pos', 'not'), IF(n IS NULL, CAST(NULL AS INT), n) FROM s;
SELECT a IN ('AB_C', ''), a NOT IN ('AB_C', ''), n IN (1, 2, NULL), n NOT IN (1, 2, NULL), a IN (b, p) FROM s;
SELECT n BETWEEN 0 AND 2, n NOT BETWEEN 0 AND 2, n BETWEEN SYMMETRIC 2 AND 0, n BETWEEN 2 AND 0, NOT (n > 0 AND a = ''), n > 0 OR a IS NULL, n IS DISTINCT FROM 2, (n > 0) IS UNKNOWN, (n > 0) IS NOT FALSE FROM s;
SELECT GREATEST(1, 2, 3), GREATEST(1, CAST(NULL AS INT)), LEAST('b', 'a'), GREATEST(1, 2.5);
SELECT CASE WHEN NULL THEN 1 ELSE 2 END;
SELECT NULLIF(1, NULL), NULLIF(CAST(NULL AS INT), 1), COALESCE(CAST(NULL AS INT), CAST(NULL AS INT)), COALESCE(1, 'a');
