-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- Joins, Top-N and deduplication within windows: keys and orders of other types, columns renamed, parts in views, what is refused.
CREATE TABLE l (id INT, k DECIMAL(6, 2), b BOOLEAN, s STRING, d DATE, x BYTES, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1.5, true, "p", "2024-01-01", "AQ==", "2024-01-01 00:00:01"]
["+I", 2, 1.50, null, "q", "2024-01-02", "Ag==", "2024-01-01 00:00:02"]
["+I", 3, null, false, null, null, null, "2024-01-01 00:00:03"]
["+I", 4, -2, true, "q", "2024-01-01", "AQ==", "2024-01-01 00:00:03"]
["+I", 5, 1.5, true, "p", "2024-01-01", "AQ==", "2024-01-01 00:00:14"]
["+I", 6, 7, false, "z", "2024-01-05", "AQI=", "2024-01-01 00:00:09"]
["+I", 7, 7, false, "z", "2024-01-05", "AQI=", "2024-01-01 00:00:15"]');
CREATE TABLE r (id INT, k DECIMAL(6, 2), b BOOLEAN, s STRING, d DATE, x BYTES, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE) WITH ('connector' = 'script', 'rows' = '
["+I", 11, 1.5, true, "p", "2024-01-01", "AQ==", "2024-01-01 00:00:05"]
["+I", 12, null, null, null, null, null, "2024-01-01 00:00:06"]
["+I", 13, 7, false, "z", "2024-01-05", "AQI=", "2024-01-01 00:00:15"]
["+I", 14, 8, false, "y", "2024-01-05", "AQI=", "2024-01-01 00:00:25"]');
CREATE VIEW lw AS SELECT id, k, b, s, d, x, ts, window_start AS ws, window_end AS we, window_time AS wt FROM TABLE(TUMBLE(TABLE l, DESCRIPTOR(ts), INTERVAL '10' SECOND));
CREATE VIEW rw AS SELECT id, k, b, s, d, x, window_start AS a, window_end AS z FROM TABLE(TUMBLE(TABLE r, DESCRIPTOR(ts), INTERVAL '10' SECOND));
SELECT lw.id, rw.id, ws FROM lw JOIN rw ON ws = a AND we = z AND lw.k = rw.k;
SELECT lw.id, rw.id, ws, a FROM lw LEFT JOIN rw ON ws = a AND we = z AND lw.b = rw.b;
SELECT lw.id, rw.id, ws, a FROM lw FULL JOIN rw ON ws = a AND we = z AND lw.d = rw.d AND lw.x = rw.x;
SELECT lw.id, rw.id, a FROM lw RIGHT JOIN rw ON ws = a AND we = z AND lw.s = rw.s AND lw.id + 10 < rw.id;
SELECT id FROM lw WHERE k IN (SELECT k FROM rw WHERE a = ws AND z = we);
SELECT id FROM lw WHERE k NOT IN (SELECT k FROM rw WHERE a = ws AND z = we);
SELECT id FROM lw WHERE NOT EXISTS (SELECT 1 FROM rw WHERE a = ws AND z = we AND rw.s = lw.s AND rw.b = lw.b);
SELECT lw.id, rw.id FROM lw JOIN rw ON ws = a AND we = z AND lw.k IS NOT DISTINCT FROM rw.k AND lw.s IS NOT DISTINCT FROM rw.s;
SELECT lw.id, rw.id FROM lw JOIN rw ON ws = a AND we = z AND (lw.k = rw.k OR lw.b = rw.b);
SELECT lw.id, rw.id FROM lw JOIN rw ON ws = a AND we = z WHERE lw.id > 2 AND rw.id <> 12;
SELECT lw.id, rw.id FROM lw JOIN rw ON a = ws AND z = we AND ws > TIMESTAMP '2024-01-01 00:00:05';
SELECT lw.id, rw.id FROM lw JOIN rw ON we = z AND lw.k = rw.k;
SELECT lw.id, rw.id FROM lw JOIN rw ON ws = a AND we = a AND lw.k = rw.k;
SELECT ws, COUNT(*), COUNT(rw.id) FROM lw JOIN rw ON ws = a AND we = z GROUP BY ws, we;
SELECT ws, we, s, COUNT(*) FROM (SELECT ws, we, lw.s FROM lw LEFT JOIN rw ON ws = a AND we = z AND lw.s = rw.s) GROUP BY ws, we, s;
SELECT id, s, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY ws, we ORDER BY k DESC, id) AS rn FROM lw) WHERE rn <= 2;
SELECT id, s, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY ws, we ORDER BY k NULLS FIRST, id) AS rn FROM lw) WHERE rn <= 2;
SELECT id, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY ws, we, b ORDER BY s DESC NULLS LAST, d, id) AS rn FROM lw) WHERE rn = 1;
SELECT id, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY ws, we, x ORDER BY d DESC, b, id) AS rn FROM lw) WHERE rn < 3;
SELECT id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY ws, we, d ORDER BY ts) AS rn FROM lw) WHERE rn = 1;
SELECT id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY ws, we, k, s ORDER BY ts DESC) AS rn FROM lw) WHERE rn = 1;
SELECT id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY we, ws ORDER BY wt DESC) AS rn FROM lw) WHERE rn = 1;
SELECT id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY ws ORDER BY ts) AS rn FROM lw) WHERE rn = 1;
SELECT id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY we, k ORDER BY ts DESC) AS rn FROM lw) WHERE rn = 1;
SELECT id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY ws, we ORDER BY 1) AS rn FROM lw) WHERE rn <= 1;
SELECT id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY ws, we) AS rn FROM lw) WHERE rn <= 1;
SELECT ws, k, c FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY ws, we ORDER BY c DESC, k) AS rn FROM (SELECT ws, we, k, COUNT(*) AS c FROM lw GROUP BY ws, we, k)) WHERE rn <= 2;
SELECT ws, SUM(id) FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY ws, we, s ORDER BY ts DESC) AS rn FROM lw) WHERE rn = 1 GROUP BY ws, we;
SELECT a.id, b.id FROM (SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY ws, we, s ORDER BY ts) AS rn FROM lw) WHERE rn = 1) a JOIN rw b ON a.ws = b.a AND a.we = b.z AND a.s = b.s;
WITH q AS (SELECT id, s, ws, we, ROW_NUMBER() OVER (PARTITION BY ws, we ORDER BY id DESC) AS rn FROM lw) SELECT id, s FROM q WHERE rn <= 1;
SELECT id, s, ws FROM lw WHERE b QUALIFY ROW_NUMBER() OVER (PARTITION BY ws, we ORDER BY id DESC) = 1;
SELECT lw.id, rw.id FROM lw, rw WHERE ws = a AND we = z AND lw.d = rw.d;
SELECT lw.id, rw.id FROM lw CROSS JOIN rw WHERE ws = a AND we = z AND lw.s = rw.s;
SELECT h.id, rw.id FROM (SELECT id, s, window_start AS ws, window_end AS we FROM TABLE(HOP(TABLE l, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))) h JOIN rw ON ws = a AND we = z AND h.s = rw.s;
SELECT c.id, r.id FROM TABLE(CUMULATE(TABLE l, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND)) c JOIN TABLE(TUMBLE(TABLE r, DESCRIPTOR(ts), INTERVAL '10' SECOND)) r ON c.window_start = r.window_start AND c.window_end = r.window_end AND c.s = r.s;
SELECT x.id, y.id FROM TABLE(TUMBLE(TABLE l, DESCRIPTOR(ts), INTERVAL '10' SECOND)) x LEFT JOIN TABLE(TUMBLE(TABLE r, DESCRIPTOR(ts), INTERVAL '10' SECOND)) y ON x.window_start = y.window_start AND x.window_end = y.window_end AND x.s = y.s;
SELECT lw.id, rw.id, q.id FROM lw LEFT JOIN rw ON ws = a AND we = z AND lw.s = rw.s LEFT JOIN rw AS q ON ws = q.a AND we = q.z AND lw.b = q.b;
SELECT ws, LISTAGG(s) FROM (SELECT ws, we, s, wt FROM lw WHERE s IS NOT NULL) GROUP BY ws, we HAVING COUNT(*) > 1;
SELECT id, SUM(id) OVER (PARTITION BY b ORDER BY wt ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM lw;
SELECT id, COUNT(*) OVER (PARTITION BY ws ORDER BY ts RANGE BETWEEN INTERVAL '2' SECOND PRECEDING AND CURRENT ROW) FROM lw;
