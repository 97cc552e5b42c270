-- SPDX-License-Identifier: Apache-2.0
-- Conditions over columns with NULLs.
CREATE TABLE t (id INT, a INT, b INT, s STRING, p BOOLEAN) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1, 1, "abc", true]
["+I", 2, 1, 2, "ABC", false]
["+I", 3, null, 2, "", null]
["+I", 4, 3, null, null, true]
["+I", 5, null, null, "a%b", false]');
SELECT id FROM t WHERE a = b;
SELECT id FROM t WHERE a <> b;
SELECT id FROM t WHERE NOT (a = b);
SELECT id FROM t WHERE a IS NOT DISTINCT FROM b;
SELECT id FROM t WHERE a IS DISTINCT FROM b;
SELECT id FROM t WHERE a < b OR p;
SELECT id FROM t WHERE a < b AND p;
SELECT id FROM t WHERE NOT p;
SELECT id FROM t WHERE p IS NOT TRUE;
SELECT id FROM t WHERE (a > 0) IS UNKNOWN;
SELECT id FROM t WHERE a IN (1, b);
SELECT id FROM t WHERE a NOT IN (2, 3);
SELECT id FROM t WHERE a NOT IN (2, NULL);
SELECT id FROM t WHERE b BETWEEN a AND 2;
SELECT id FROM t WHERE b NOT BETWEEN 2 AND 3;
SELECT id FROM t WHERE b BETWEEN SYMMETRIC 3 AND 1;
SELECT id FROM t WHERE s LIKE 'a%';
SELECT id FROM t WHERE s LIKE '%\%%' ESCAPE '\';
SELECT id FROM t WHERE s NOT LIKE '%b%';
SELECT id FROM t WHERE s SIMILAR TO '(abc|ABC)';
SELECT id FROM t WHERE UPPER(s) = 'ABC';
SELECT id FROM t WHERE s = '';
SELECT id FROM t WHERE CHAR_LENGTH(s) > 2;
SELECT id FROM t WHERE CASE WHEN a IS NULL THEN b ELSE a END = 2;
SELECT id FROM t WHERE COALESCE(a, b, 0) = 0;
SELECT id FROM t WHERE (a, b) IN ((1, 1), (3, 3));
SELECT id FROM t WHERE (a, b) = (1, 2);
SELECT id, a = 1 AND b = 1, a = 1 OR b = 1 FROM t;
SELECT id, a + b, a - b, a * b, a / b FROM t WHERE b <> 0 OR b IS NULL;
SELECT id, a > b, a >= b, a IS NULL, b IS NOT NULL FROM t;
SELECT id FROM t WHERE TRUE AND a = 1;
SELECT id FROM t WHERE FALSE OR a = 1;
SELECT id FROM t WHERE a = 1 AND a = 2;
SELECT id FROM t WHERE a = 1 OR TRUE;
SELECT id FROM t WHERE NOT NOT p;
SELECT id FROM t WHERE a > 0 AND a > 2;
SELECT id FROM t WHERE id > 1 AND id < 4 AND id <> 2;
SELECT id FROM t WHERE -id < -3;
SELECT id FROM t WHERE id % 2 = 0;
SELECT id FROM t WHERE id IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21) AND id > 3;
