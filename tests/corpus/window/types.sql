-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- Windows over keys and values of every type.
CREATE TABLE t (id INT NOT NULL, b BOOLEAN, ti TINYINT, bi BIGINT, f FLOAT, d DOUBLE, n DECIMAL(20, 4), c CHAR(3), s VARCHAR(10), bs BYTES, da DATE, tm TIME(0), t6 TIMESTAMP(6), r ROW<a INT, b STRING>, ar ARRAY<INT>, m MAP<STRING, INT>, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'scan.watermark.emit.strategy' = 'on-event', 'rows' = '
["+I", 1, true, 1, 10000000000, 1.5, 2.25, 1234567.5678, "abc", "x", "AQI=", "2024-01-01", "10:00:00", "2024-01-01 00:00:00.123456", {"a": 1, "b": "p"}, [1, 2], {"a": 1}, "2024-01-01 00:00:01"]
["+I", 2, true, 1, 10000000000, 1.5, 2.25, 1234567.5678, "abc", "x", "AQI=", "2024-01-01", "10:00:00", "2024-01-01 00:00:00.123456", {"a": 1, "b": "p"}, [1, 2], {"a": 1}, "2024-01-01 00:00:02"]
["+I", 3, false, -1, -10000000000, -1.5, -2.25, -0.0001, "zz", "", "", "1969-12-31", "23:59:59", "1969-12-31 23:59:59.999999", {"a": null, "b": "q"}, [null], {"b": null}, "2024-01-01 00:00:03"]
["+I", 4, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, "2024-01-01 00:00:04"]
["+I", 5, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, "2024-01-01 00:00:05"]
["+I", 6, true, 127, 9223372036854775807, 3.4e38, 1e308, 9999999.9999, "a", "y", "/w==", "9999-12-31", "00:00:00", "9999-12-31 23:59:59", {"a": 3, "b": null}, [], {}, "2024-01-01 00:00:12"]
["+I", 7, true, -128, 1, 0.1, 0.1, 0.1, "a  ", "y", "AQ==", "0001-01-01", "00:00:01", "2024-01-01 00:00:00", {"a": 3, "b": "b"}, [3, null, 3], {"z": 2}, "2024-01-01 00:00:13"]
["+I", 8, true, 5, 1, 0.1, 0.1, 0.1, "a  ", "y", "AQ==", "0001-01-01", "00:00:01", "2024-01-01 00:00:00", {"a": 3, "b": "b"}, [3, null, 3], {"z": 2}, "2024-01-01 00:00:06"]');
CREATE VIEW w AS SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND));
SELECT window_start, b, COUNT(*), COUNT(b) FROM w GROUP BY window_start, window_end, b;
SELECT window_start, ti, SUM(ti), AVG(ti), MIN(ti), MAX(ti) FROM w GROUP BY window_start, window_end, ti;
SELECT window_start, bi, SUM(ti), COUNT(DISTINCT bi) FROM w GROUP BY window_start, window_end, bi;
SELECT window_start, f, d, COUNT(*) FROM w GROUP BY window_start, window_end, f, d;
SELECT window_start, n, SUM(n), AVG(n), MIN(n), MAX(n) FROM w GROUP BY window_start, window_end, n;
SELECT window_start, SUM(n), AVG(n), MIN(n), MAX(n), COUNT(DISTINCT n), SUM(DISTINCT n) FROM w GROUP BY window_start, window_end;
SELECT window_start, c, s, MAX(c), MIN(s) FROM w GROUP BY window_start, window_end, c, s;
SELECT window_start, bs, COUNT(*) FROM w GROUP BY window_start, window_end, bs;
SELECT window_start, da, tm, MAX(da), MIN(tm) FROM w GROUP BY window_start, window_end, da, tm;
SELECT window_start, t6, MAX(t6) FROM w GROUP BY window_start, window_end, t6;
SELECT window_start, r, COUNT(*) FROM w GROUP BY window_start, window_end, r;
SELECT window_start, r.b, COUNT(*) AS n, MAX(r.a) FROM w GROUP BY window_start, window_end, r.b;
SELECT window_start, ar, COUNT(*) FROM w GROUP BY window_start, window_end, ar;
SELECT window_start, m, COUNT(*) FROM w GROUP BY window_start, window_end, m;
SELECT window_start, CARDINALITY(ar) AS n, COUNT(*), COUNT(ar), COUNT(m) FROM w GROUP BY window_start, window_end, CARDINALITY(ar);
SELECT window_start, MIN(b), MAX(b), MIN(c), MAX(c), MIN(da), MAX(da), MIN(tm), MAX(tm), MIN(t6), MAX(t6) FROM w GROUP BY window_start, window_end;
SELECT window_start, SUM(f), SUM(d), AVG(f), AVG(d), MIN(f), MAX(d) FROM w GROUP BY window_start, window_end;
SELECT window_start, SUM(bi), SUM(ti) FROM w WHERE id <> 6 GROUP BY window_start, window_end;
SELECT window_start, FIRST_VALUE(bs), LAST_VALUE(bs), FIRST_VALUE(da), LAST_VALUE(tm), FIRST_VALUE(n), LAST_VALUE(t6), FIRST_VALUE(b) FROM w GROUP BY window_start, window_end;
SELECT window_start, COLLECT(b), COLLECT(da), COLLECT(n) FROM w WHERE id < 3 GROUP BY window_start, window_end;
SELECT window_start, ARRAY_AGG(c), ARRAY_AGG(n), ARRAY_AGG(da), ARRAY_AGG(r) FROM w GROUP BY window_start, window_end;
SELECT window_start, ARRAY_AGG(id) FILTER (WHERE b) FROM w GROUP BY window_start, window_end;
SELECT window_start, LISTAGG(s, '-'), LISTAGG(c) FROM w GROUP BY window_start, window_end;
SELECT window_start, JSON_ARRAYAGG(ti), JSON_ARRAYAGG(s NULL ON NULL) FROM w GROUP BY window_start, window_end;
SELECT window_start, JSON_OBJECTAGG(KEY CAST(id AS STRING) VALUE ti) FROM w WHERE id < 3 GROUP BY window_start, window_end;
SELECT window_start, COUNT(DISTINCT b), COUNT(DISTINCT d), COUNT(DISTINCT c), COUNT(DISTINCT da), COUNT(DISTINCT t6), COUNT(DISTINCT tm) FROM w GROUP BY window_start, window_end;
SELECT window_start, COUNT(DISTINCT id) FILTER (WHERE b), COUNT(DISTINCT id) FILTER (WHERE NOT b), COUNT(DISTINCT id) FILTER (WHERE b IS NULL) FROM w GROUP BY window_start, window_end;
SELECT window_start, COUNT(*) FILTER (WHERE b), SUM(ti) FILTER (WHERE s = 'x'), MAX(s) FILTER (WHERE b IS NOT TRUE) FROM w GROUP BY window_start, window_end;
SELECT window_start, SUM(id) * 1.5, -COUNT(*), CAST(MAX(id) AS STRING) || '!' FROM w GROUP BY window_start, window_end;
SELECT window_start, BOOL_AND(b) FROM w GROUP BY window_start, window_end;
SELECT window_start, APPROX_COUNT_DISTINCT(id) FROM w GROUP BY window_start, window_end;
SELECT window_start, PERCENTILE(id, 0.5) FROM w GROUP BY window_start, window_end;
SELECT window_start, COUNT(id, b) FROM w GROUP BY window_start, window_end;
SELECT window_start, COUNT(DISTINCT id, b) FROM w GROUP BY window_start, window_end;
SELECT window_start, MAX(ar) FROM w GROUP BY window_start, window_end;
SELECT window_start, SUM(s) FROM w GROUP BY window_start, window_end;
SELECT window_start, AVG(b) FROM w GROUP BY window_start, window_end;
SELECT window_start, SINGLE_VALUE(id) FROM w GROUP BY window_start, window_end;
SELECT window_start, ANY_VALUE(id) FROM w WHERE id = 1 GROUP BY window_start, window_end;
SELECT window_start, GROUPING(b), b, COUNT(*) FROM w GROUP BY window_start, window_end, b;
SELECT DISTINCT window_start, window_end, b, c FROM w;
SELECT window_start, window_end, MAX(id), r FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND)) GROUP BY window_start, window_end, r;
SELECT window_start, window_end, MAX(n), ar FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND)) GROUP BY window_start, window_end, ar;
SELECT window_start, window_end, COUNT(*), n FROM TABLE(SESSION(TABLE t PARTITION BY n, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end, n;
SELECT window_start, window_end, COUNT(*), r, bs FROM TABLE(SESSION(TABLE t PARTITION BY (r, bs), DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end, r, bs;
