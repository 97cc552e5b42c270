-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Common types of CASE, COALESCE, IF, GREATEST, ARRAY, UNION branches: numbers, strings, times, NULLs.
CREATE TABLE t (b BOOLEAN, ti TINYINT, i INT, bi BIGINT, f FLOAT, d DOUBLE, n DECIMAL(5, 2), c CHAR(3), v VARCHAR(5), s STRING, dt DATE, ts TIMESTAMP(3), t9 TIMESTAMP(9), l TIMESTAMP_LTZ(3)) WITH ('connector' = 'script', 'rows' = '
["+I", true, 1, 2, 3, 1.5, 2.5, 3.25, "ab", "cd", "ef", "2024-01-02", "2024-01-02 03:04:05", "2024-01-02 03:04:05.123456789", "2024-01-02 03:04:05Z"]
["+I", null, null, null, null, null, null, null, null, null, null, null, null, null, null]');
SELECT CASE WHEN b THEN ti ELSE i END FROM t;
SELECT CASE WHEN b THEN i ELSE bi END FROM t;
SELECT CASE WHEN b THEN i ELSE n END FROM t;
SELECT CASE WHEN b THEN i ELSE d END FROM t;
SELECT CASE WHEN b THEN f ELSE n END FROM t;
SELECT CASE WHEN b THEN bi ELSE f END FROM t;
SELECT CASE WHEN b THEN c ELSE v END FROM t;
SELECT CASE WHEN b THEN c ELSE 'xyzzy' END FROM t;
SELECT CASE WHEN b THEN 'a' ELSE 'bcd' END FROM t;
SELECT CASE WHEN b THEN v ELSE s END FROM t;
SELECT CASE WHEN b THEN dt ELSE ts END FROM t;
SELECT CASE WHEN b THEN ts ELSE t9 END FROM t;
SELECT CASE WHEN b THEN ts ELSE l END FROM t;
SELECT CASE WHEN b THEN i ELSE NULL END FROM t;
SELECT CASE WHEN b THEN i END FROM t;
SELECT CASE WHEN b THEN i ELSE s END FROM t;
SELECT CASE WHEN b THEN b ELSE i END FROM t;
SELECT CASE i WHEN 2 THEN 'two' WHEN 3 THEN 'three' ELSE s END FROM t;
SELECT CASE WHEN i > 1 THEN 1 WHEN i > 0 THEN 1.5 ELSE 2 END FROM t;
SELECT COALESCE(ti, bi), COALESCE(i, n), COALESCE(n, d) FROM t;
SELECT COALESCE(c, 'none'), COALESCE(s, 'none'), COALESCE(v, c) FROM t;
SELECT COALESCE(dt, DATE '2000-01-01'), COALESCE(ts, TIMESTAMP '2000-01-01 00:00:00') FROM t;
SELECT COALESCE(NULL, i, 5) FROM t;
SELECT COALESCE(i, s) FROM t;
SELECT IF(b, ti, bi), IF(b, i, d), IF(b, 'x', s) FROM t;
SELECT IFNULL(i, 7), IFNULL(s, 'q'), IFNULL(n, 1) FROM t;
SELECT NULLIF(i, 2), NULLIF(n, 1), NULLIF(s, 'ef') FROM t;
SELECT GREATEST(ti, i, bi), LEAST(i, n), GREATEST(d, i) FROM t;
SELECT ARRAY[ti, i], ARRAY[i, n], ARRAY['a', s] FROM t;
SELECT MAP['a', i, 'bb', bi] FROM t;
SELECT i IN (1, 2, 3), n IN (1, 3.25), s IN ('ef', 'g'), i IN (2, NULL) FROM t;
SELECT i BETWEEN 1 AND bi, n BETWEEN 3 AND 3.5, s BETWEEN 'a' AND 'f' FROM t;
SELECT i = bi, i = n, n = d, f = d, c = v, dt = ts, ts = t9, ts = l FROM t;
SELECT i || 'x' FROM t;
SELECT c || v, c || s, 'a' || 'b' FROM t;
SELECT i + bi, i + n, i + d, ti + ti, n + n, n * n, n / i, bi / i, f + d FROM t;
SELECT -n, -d, -ti, +i FROM t;
SELECT s + 1 FROM t;
SELECT b + 1 FROM t;
