-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- Columns of every type through the state of a pattern; NULLs, NaN, several keys, nested values.
CREATE TABLE t (id INT, k1 BIGINT, k2 STRING, b BOOLEAN, i8 TINYINT, d DATE, tm TIME(0), ts6 TIMESTAMP(6), dec5 DECIMAL(5, 2), dec30 DECIMAL(30, 3), f FLOAT, dbl DOUBLE, s STRING, a ARRAY<INT>, m MAP<STRING, INT>, r ROW<x INT, y STRING>, bin BYTES, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1, "x", true, 1, "2024-01-01", "10:00:00", "2024-01-01 10:00:00.123456", 1.25, 12345.125, 1.5, 2.5, "a long string that does not fit", [1, 2], {"a": 1}, {"x": 1, "y": "one"}, "aGVsbG8=", "2024-01-01 10:00:01Z"]
["+I", 2, 1, "x", null, null, null, null, null, null, null, null, null, null, null, null, null, null, "2024-01-01 10:00:02Z"]
["+I", 3, null, "x", false, -1, "1969-01-01", "23:59:59", "1969-12-31 23:59:59.999999", -1.25, -0.001, -0.0, 1e300, "", [], {}, {"x": null, "y": null}, "", "2024-01-01 10:00:03Z"]
["+I", 4, null, "x", true, 127, "9999-12-31", "00:00:00", "2024-02-29 00:00:00", 999.99, 0, 3.4e38, 0.1, "x", [null], {"b": null}, {"x": 2, "y": "a second string, long"}, "AA==", "2024-01-01 10:00:04Z"]
["+I", 5, 1, "x", false, 2, "2024-01-02", "10:00:01", "2024-01-01 10:00:00.5", 2.25, 1.125, 2.5, 3.5, "another long string in the state", [3], {"c": 3}, {"x": 3, "y": "three"}, "d29ybGQ=", "2024-01-01 10:00:05Z"]
["+I", 6, 1, null, false, 2, "2024-01-02", "10:00:01", "2024-01-01 10:00:00.5", 2.25, 1.125, 2.5, 3.5, "z", [3], {"c": 3}, {"x": 3, "y": "three"}, "d29ybGQ=", "2024-01-01 10:00:06Z"]
["+I", 7, 1, null, true, 3, "2024-01-03", "10:00:02", "2024-01-01 10:00:00.6", 3.25, 2.125, 4.5, 5.5, "zz", [4], {"d": 4}, {"x": 4, "y": "four"}, "", "2024-01-01 10:00:07Z"]');
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k1, k2 ORDER BY ts MEASURES A.id AS a, A.b AS b, A.i8 AS i8, A.d AS d, A.tm AS tm, A.ts6 AS ts6, A.dec5 AS dec5, A.dec30 AS dec30, B.f AS f, B.dbl AS dbl, B.s AS s, B.r AS r, B.id AS bid PATTERN (A B) DEFINE B AS TRUE) AS q;
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k1 ORDER BY ts MEASURES FIRST(A.s) AS s0, LAST(A.s) AS s1, FIRST(A.a) AS a0, LAST(A.m) AS m1, LAST(A.r) AS r1, LAST(A.r).y AS y1, MIN(A.s) AS ms, MAX(A.d) AS md, SUM(A.dec30) AS sd, COUNT(A.dec5) AS c, B.id AS b, MATCH_ROWTIME(ts) AS rt PATTERN (A+ B) DEFINE A AS A.id < 6, B AS B.id >= 5) AS q;
SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts MEASURES A.id AS a, B.id AS b, C.id AS c, AVG(B.dec5) AS av, SUM(B.f) AS sf, LISTAGG(B.s) AS l PATTERN (A B+? C) DEFINE A AS A.b, B AS B.b IS NULL OR NOT B.b OR LAST(B.s, 1) = '', C AS C.s LIKE '%long%' OR CHAR_LENGTH(C.s) > CHAR_LENGTH(A.s)) AS q;
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY b ORDER BY ts MEASURES A.ts6 AS a, B.ts6 AS b6, B.a[1] AS e PATTERN (A B) DEFINE B AS B.ts6 > A.ts6 OR A.ts6 IS NULL) AS q;
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY s ORDER BY ts MEASURES A.id AS a PATTERN (A) DEFINE A AS CASE WHEN A.id > 2 THEN A.dbl > 1 ELSE A.b END) AS q;
SELECT q.rt, q.id + 1 FROM t MATCH_RECOGNIZE (ORDER BY ts MEASURES LAST(A.id) AS id, MATCH_ROWTIME(ts) AS rt PATTERN (A+? B) DEFINE A AS A.b) AS q WHERE q.id > 1;
SELECT q.id FROM t MATCH_RECOGNIZE (ORDER BY ts MEASURES LAST(A.id) AS id, MATCH_ROWTIME(ts) AS rt PATTERN (A B) DEFINE A AS A.id > 0) AS q ORDER BY q.rt;
