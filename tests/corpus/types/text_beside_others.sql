-- SPDX-License-Identifier: Apache-2.0
-- Text compared with times: what is no time is unknown to = and <>; a join wants one type.
CREATE TABLE a (id INT, s STRING, dt DATE, tm TIME(0), ts TIMESTAMP(3), tz TIMESTAMP_LTZ(3), bo BOOLEAN, i INT, d DOUBLE, dc DECIMAL(5, 2), vb BYTES, c CHAR(3)) WITH ('connector' = 'script', 'bounded' = 'true', 'rows' = '
["+I", 1, "2024-01-01", "2024-01-01", "10:00:00", "2024-01-01 00:00:00", "2024-01-01 00:00:00Z", true, 1, 1, 1, null, "1"]
["+I", 2, "2024-1-1", "2024-01-01", "11:00:00", "2024-01-01 00:00:00", "2024-01-01 00:00:00Z", false, 2, 1, 1, null, "abc"]
["+I", 3, "10:00:00", "2024-01-01", "10:00:00", "2024-01-01 00:00:00", "2024-01-01 00:00:00Z", true, 1, 1, 1, null, "abc"]
["+I", 4, "10:00", "2024-01-01", "10:00:00", "2024-01-01 00:00:00", "2024-01-01 00:00:00Z", true, 1, 1, 1, null, "abc"]
["+I", 5, "2024-01-01 00:00:00", "2024-01-01", "10:00:00", "2024-01-01 00:00:00", "2024-01-01 00:00:00Z", true, 1, 1, 1, null, "abc"]
["+I", 6, "2024-01-01T00:00:00", "2024-01-01", "10:00:00", "2024-01-01 00:00:00", "2024-01-01 00:00:00Z", true, 1, 1, 1, null, "abc"]
["+I", 7, "2024-01-01 00:00:00.000", "2024-01-01", "10:00:00", "2024-01-01 00:00:00", "2024-01-01 00:00:00Z", true, 1, 1, 1, null, "abc"]
["+I", 8, "TRUE", "2024-01-01", "10:00:00", "2024-01-01 00:00:00", "2024-01-01 00:00:00Z", true, 1, 1, 1, null, "abc"]
["+I", 9, "1", "2024-01-01", "10:00:00", "2024-01-01 00:00:00", "2024-01-01 00:00:00Z", true, 1, 1, 1, null, "abc"]
["+I", 10, "x", "2024-01-01", "10:00:00", "2024-01-01 00:00:00", "2024-01-01 00:00:00Z", true, 1, 1, 1, null, "abc"]
["+I", 11, null, "2024-01-01", "10:00:00", "2024-01-01 00:00:00", "2024-01-01 00:00:00Z", true, 1, 1, 1, null, "abc"]');
SELECT id, s = dt, s <> dt, dt = s FROM a;
SELECT id, s = ts, s <> ts, s IS NOT DISTINCT FROM ts, s IS DISTINCT FROM ts FROM a;
SELECT id, s = tm, tm <> s FROM a;
SELECT id, s = tz FROM a;
SELECT id, s = bo, s <> bo FROM a;
SELECT id, s < dt FROM a WHERE id IN (1, 2);
SELECT id, s < dt FROM a;
SELECT id, dt > s FROM a;
SELECT id, s < i FROM a;
SELECT id, s < bo FROM a;
SELECT id, s = i FROM a;
SELECT id FROM a WHERE s = dt;
SELECT id FROM a WHERE s = ts;
SELECT id FROM a WHERE s = tm;
SELECT id FROM a WHERE c = dt;
SELECT id FROM a WHERE NOT (dt = s);
SELECT id FROM a WHERE s = DATE '2024-01-01';
SELECT id FROM a WHERE s <> DATE '2024-01-01';
SELECT id FROM a WHERE s = TIME '10:00:00';
SELECT id FROM a WHERE s = TIMESTAMP '2024-01-01 00:00:00';
SELECT id FROM a WHERE dt = 'x';
SELECT id FROM a WHERE ts = 'x';
SELECT id FROM a WHERE tm = 'x';
SELECT id FROM a WHERE dt = UPPER('x');
SELECT id FROM a WHERE dt = CAST('x' AS STRING);
SELECT id FROM a WHERE tm = '10:00';
SELECT id FROM a WHERE dt = '2024-1-1';
SELECT id FROM a WHERE dt BETWEEN 'x' AND s;
SELECT id FROM a WHERE s BETWEEN vb AND vb;
SELECT id FROM a WHERE vb NOT BETWEEN c AND c;
SELECT id, CASE WHEN dt = s THEN 1 ELSE 2 END FROM a;
SELECT id, CASE s WHEN dt THEN 1 ELSE 2 END FROM a;
SELECT id, NULLIF(s, dt), NULLIF(dt, s) FROM a;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.id = r.id AND l.s = r.i;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.s = r.d;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.s = r.dc;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.s = r.bo;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.s = r.dt;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.s = r.tm;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.s = r.ts;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.s = r.tz;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.dt = r.c;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.dc = r.c;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.id = r.id AND r.s = r.dt;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.id = r.id AND l.s = l.i;
SELECT l.id, r.id FROM a AS l LEFT JOIN a AS r ON l.id = r.id AND l.s = l.dt;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.id = r.id WHERE l.s = l.dt;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.id = r.id WHERE l.s = l.i;
SELECT l.id, r.id FROM a AS l LEFT JOIN a AS r ON l.id = r.id WHERE l.s = r.dt;
SELECT l.id, r.id FROM a AS l LEFT JOIN a AS r ON l.id = r.id WHERE l.s = r.i;
SELECT l.id, r.id FROM a AS l, a AS r WHERE l.id = r.id AND l.s = r.i;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.id = r.id AND l.s = DATE '2024-01-01';
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.id = r.id AND l.s = 1;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.id = r.id AND UPPER(l.s) = r.dt;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.id = r.id AND UPPER(l.s) = r.i + 1;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON CAST(l.i AS STRING) = r.i;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.id = r.id AND TRY_CAST(l.s AS DATE) = r.dt;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.id = r.id AND NOT (l.s = r.dt);
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.id = r.id AND l.s <> r.dt;
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.id = r.id AND (l.s = r.dt OR l.id = 1);
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.id = r.id AND (l.s = r.i OR l.id = 1);
SELECT l.id, r.id FROM a AS l JOIN a AS r ON l.id = r.id AND l.s <> r.i;
SELECT l.id, r.id FROM a AS l JOIN a AS r USING (id) WHERE l.s = r.bo;
SELECT l.id, r.id FROM a AS l NATURAL JOIN (SELECT id, i AS s FROM a) AS r;
SELECT l.id, r.id FROM a AS l JOIN (SELECT id, i AS s FROM a) AS r USING (s);
SELECT id FROM a WHERE i IN (SELECT s FROM a);
SELECT id FROM a WHERE s IN (SELECT i FROM a);
SELECT id FROM a WHERE s IN (SELECT dt FROM a);
SELECT id FROM a WHERE s NOT IN (SELECT i FROM a);
SELECT id FROM a WHERE bo IN (SELECT s FROM a);
SELECT id FROM a WHERE s = ANY (SELECT dt FROM a);
SELECT id FROM a WHERE s IN (SELECT vb FROM a);
SELECT id FROM a WHERE i IN (SELECT bo FROM a);
SELECT id FROM a WHERE s = (SELECT MAX(dt) FROM a);
SELECT id FROM a WHERE i = (SELECT MAX(s) FROM a);
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM a AS x WHERE x.s = a.i);
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM a AS x WHERE x.s = a.dt AND x.id = a.id);
