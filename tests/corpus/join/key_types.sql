-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- Joins by keys of unusual types, by keys of two types, with NULLs in composite keys and null-safe comparisons.
CREATE TABLE l (id INT, d DECIMAL(10, 2), dt DATE, tm TIME(0), ts TIMESTAMP(6), z TIMESTAMP_LTZ(3), b BYTES, f DOUBLE, bo BOOLEAN, rw ROW<x INT, y STRING>, ar ARRAY<INT>, mp MAP<STRING, INT>, c CHAR(3), s STRING, ti TINYINT) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1.50, "2024-01-01", "10:00:00", "2024-01-01 10:00:00.123456", "2024-01-01 10:00:00Z", "AQI=", 0.1, true, {"x": 1, "y": "a"}, [1, 2], {"a": 1}, "ab ", "ab", 1]
["+I", 2, null, null, null, null, null, null, null, null, null, null, null, null, null, null]
["+I", 3, 2.00, "1969-12-31", "00:00:00", "1969-12-31 23:59:59.999999", "1969-12-31 23:59:59.999Z", "", -0.0, false, {"x": null, "y": "a"}, [], {}, "", "", -1]
{"step": 3}
["-D", 1, 1.50, "2024-01-01", "10:00:00", "2024-01-01 10:00:00.123456", "2024-01-01 10:00:00Z", "AQI=", 0.1, true, {"x": 1, "y": "a"}, [1, 2], {"a": 1}, "ab ", "ab", 1]');
CREATE TABLE r (id BIGINT, d DECIMAL(12, 3), dt DATE, tm TIME(0), ts TIMESTAMP(6), z TIMESTAMP_LTZ(3), b BYTES, f DOUBLE, bo BOOLEAN, rw ROW<x INT, y STRING>, ar ARRAY<INT>, mp MAP<STRING, INT>, c CHAR(3), s VARCHAR(5), ti SMALLINT) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 1, 1.500, "2024-01-01", "10:00:00", "2024-01-01 10:00:00.123456", "2024-01-01 10:00:00Z", "AQI=", 0.1, true, {"x": 1, "y": "a"}, [1, 2], {"a": 1}, "ab ", "ab", 1]
["+I", 2, null, null, null, null, null, null, null, null, null, null, null, null, null, null]
["+I", 3, 2.001, "1969-12-31", "00:00:00", "1969-12-31 23:59:59.999999", "1969-12-31 23:59:59.999Z", "", 0.0, false, {"x": null, "y": "a"}, [], {}, "", "", -1]');
SELECT l.id, r.id FROM l JOIN r ON l.id = r.id;
SELECT l.id, r.id FROM l LEFT JOIN r ON l.d = r.d;
SELECT l.id, r.id FROM l FULL JOIN r ON l.d = r.d;
SELECT l.id, r.id FROM l FULL JOIN r ON l.dt = r.dt;
SELECT l.id, r.id FROM l FULL JOIN r ON l.tm = r.tm;
SELECT l.id, r.id FROM l FULL JOIN r ON l.ts = r.ts;
SELECT l.id, r.id FROM l FULL JOIN r ON l.z = r.z;
SELECT l.id, r.id FROM l FULL JOIN r ON l.b = r.b;
SELECT l.id, r.id FROM l FULL JOIN r ON l.f = r.f;
SELECT l.id, r.id FROM l FULL JOIN r ON l.bo = r.bo;
SELECT l.id, r.id FROM l FULL JOIN r ON l.rw = r.rw;
SELECT l.id, r.id FROM l FULL JOIN r ON l.ar = r.ar;
SELECT l.id, r.id FROM l FULL JOIN r ON l.mp = r.mp;
SELECT l.id, r.id FROM l FULL JOIN r ON l.c = r.c;
SELECT l.id, r.id FROM l FULL JOIN r ON l.s = r.s;
SELECT l.id, r.id FROM l FULL JOIN r ON l.c = r.s;
SELECT l.id, r.id FROM l FULL JOIN r ON l.ti = r.ti;
SELECT l.id, r.id FROM l FULL JOIN r ON l.d = r.f;
SELECT l.id, r.id FROM l FULL JOIN r ON l.id = r.d;
SELECT l.id, r.id FROM l FULL JOIN r ON l.ts = r.z;
SELECT l.id, r.id FROM l FULL JOIN r ON l.dt = r.ts;
SELECT l.id, r.id FROM l FULL JOIN r ON l.rw.x = r.rw.x;
SELECT l.id, r.id FROM l FULL JOIN r ON l.rw.y = r.rw.y;
SELECT l.id, r.id FROM l FULL JOIN r ON l.ar[1] = r.ar[1];
SELECT l.id, r.id FROM l FULL JOIN r ON l.mp['a'] = r.mp['a'];
SELECT l.id, r.id FROM l FULL JOIN r ON l.b IS NOT DISTINCT FROM r.b;
SELECT l.id, r.id FROM l FULL JOIN r ON l.bo IS NOT DISTINCT FROM r.bo AND l.dt = r.dt;
SELECT l.id, r.id FROM l FULL JOIN r ON l.dt IS NOT DISTINCT FROM r.dt AND l.bo IS NOT DISTINCT FROM r.bo;
SELECT l.id, r.id FROM l LEFT JOIN r ON (l.dt = r.dt OR (l.dt IS NULL AND r.dt IS NULL));
SELECT l.id, r.id FROM l LEFT JOIN r ON l.ts = r.ts AND l.z = r.z AND l.b = r.b;
SELECT l.id, r.id FROM l JOIN r ON UPPER(l.s) = UPPER(r.s);
SELECT l.id, r.id FROM l JOIN r ON COALESCE(l.s, 'n') = COALESCE(r.s, 'n');
SELECT l.id, r.id FROM l JOIN r ON l.id + 1 = r.id - 1;
SELECT l.id, r.id FROM l JOIN r ON l.id = r.id AND l.id = 3;
SELECT l.id, r.id FROM l LEFT JOIN r ON l.id = r.id AND l.id = 3;
SELECT l.id, r.id FROM l LEFT JOIN r ON l.id = r.id AND r.id = 3;
SELECT l.id, r.id FROM l RIGHT JOIN r ON l.id = r.id AND l.id = 3;
SELECT l.id, r.id FROM l FULL JOIN r ON l.id = r.id AND l.id = 3;
SELECT l.id, r.id FROM l LEFT JOIN r ON TRUE;
SELECT l.id, r.id FROM l LEFT JOIN r ON FALSE;
SELECT l.id, r.id FROM l FULL JOIN r ON FALSE;
SELECT l.id, r.id FROM l LEFT JOIN r ON CAST(NULL AS BOOLEAN);
SELECT l.id, r.id FROM l JOIN r ON l.bo;
SELECT l.id, r.id FROM l JOIN r ON l.bo = r.bo AND l.bo;
SELECT l.id, r.id FROM l FULL JOIN r ON l.f > r.f;
SELECT l.id, r.id FROM l, r WHERE l.id = r.id AND l.s LIKE r.s || '%';
SELECT l.id, r.id FROM l FULL JOIN r ON l.id = r.id WHERE l.id IS NULL OR r.id IS NULL;
SELECT l.id, r.id FROM l LEFT JOIN r ON l.id = r.id WHERE r.s = 'ab';
SELECT l.id, r.id FROM l FULL JOIN r ON l.id = r.id WHERE l.s = r.s;
SELECT l.id, r.id FROM l LEFT JOIN r ON l.id = r.id WHERE COALESCE(r.s, 'x') <> 'ab';
SELECT l.id, r.rw, r.ar, r.mp, r.b FROM l LEFT JOIN r ON l.id = r.id;
SELECT a.id, b.id, a.rw FROM l a JOIN l b ON a.rw = b.rw;
SELECT a.id, b.id FROM l a LEFT JOIN l b ON a.ar = b.ar AND a.id <> b.id;
SELECT l.id FROM l WHERE l.ar IN (SELECT ar FROM r);
SELECT l.id FROM l WHERE l.d NOT IN (SELECT d FROM r WHERE d IS NOT NULL);
SELECT l.id FROM l WHERE l.b IN (SELECT b FROM r);
SELECT l.id FROM l WHERE l.z NOT IN (SELECT z FROM r);
