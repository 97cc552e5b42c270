-- SPDX-License-Identifier: Apache-2.0
-- order: any
-- Groups by, and aggregates of, every type.
CREATE TABLE t (id INT NOT NULL, b BOOLEAN, ti TINYINT, si SMALLINT, bi BIGINT, fl FLOAT, de DECIMAL(38, 18), ch CHAR(3), bin VARBINARY(8), da DATE, tm TIME(0), lt TIMESTAMP_LTZ(3), t9 TIMESTAMP(9), ar ARRAY<INT>, ma MAP<STRING, INT>, ro ROW<x INT, y STRING>, rr ROW<a ROW<b INT>>, aa ARRAY<ARRAY<INT>>) WITH ('connector' = 'script', 'rows' = '
["+I", 1, true, 1, 100, 5000000000, 1.5, 12.3456, "abc", "AQI=", "2024-01-01", "10:00:00", "2024-01-01 00:00:00Z", "2024-01-01 00:00:00.123456789", [1, 2], {"a": 1}, {"x": 1, "y": "p"}, {"a": {"b": 1}}, [[1], [2]]]
["+I", 2, false, 2, 200, 6000000000, 2.5, -1.0001, "ab ", "AQI=", "2023-12-31", "09:59:59", "2023-12-31 00:00:00Z", "2024-01-01 00:00:00.123456788", [1, 2], {"a": 1}, {"x": 1, "y": "p"}, {"a": {"b": 1}}, [[1], [2]]]
["+I", 3, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null]
["+I", 4, true, 127, 32767, 9223372036854775807, 3.0e38, 99999999999.999, "abc", "AwQ=", "1969-12-31", "23:59:59", "1969-12-31 23:59:59Z", "1969-12-31 23:59:59.999999999", [3], {"b": 2}, {"x": 2, "y": null}, {"a": null}, [null]]
["+I", 5, true, -128, -32768, 1, 1.0e-10, 0.0001, "zz ", "AQI=", "9999-12-31", "00:00:00", "9999-12-31 23:59:59Z", "2024-01-01 00:00:00.123456789", [1, 2], {"a": 1}, {"x": 1, "y": "p"}, {"a": {"b": 1}}, [[], [2]]]
["+I", 6, null, 5, 5, null, null, 1.0000, null, null, null, null, null, null, [], {}, {"x": null, "y": null}, {"a": {"b": null}}, []]
["+I", 7, false, 5, 5, 7, 0.0, 1.0000, "abc", "AwQ=", "2024-01-01", "12:00:00", "2024-01-01 00:00:00Z", null, [], {}, {"x": null, "y": null}, null, [[null]]]
["+I", 8, false, 5, 5, 7, -0.0, 1.0000, "abc", "AwQ=", "2024-01-01", "12:00:00", "2024-01-01 00:00:00Z", null, [], {}, {"x": 2, "y": null}, null, [[null]]]');
SELECT b, COUNT(*), SUM(ti), AVG(ti), SUM(si), AVG(si) FROM t GROUP BY b;
SELECT de, COUNT(*) FROM t GROUP BY de;
SELECT ch, MAX(bi), MIN(bi) FROM t GROUP BY ch;
SELECT bin, COUNT(*) FROM t GROUP BY bin;
SELECT da, COUNT(*), MIN(tm), MAX(tm) FROM t GROUP BY da;
SELECT tm, COUNT(*) FROM t GROUP BY tm;
SELECT lt, COUNT(*) FROM t GROUP BY lt;
SELECT t9, COUNT(*) FROM t GROUP BY t9;
SELECT ar, COUNT(*) FROM t GROUP BY ar;
SELECT ro, COUNT(*) FROM t GROUP BY ro;
SELECT rr, COUNT(*) FROM t GROUP BY rr;
SELECT aa, COUNT(*) FROM t GROUP BY aa;
SELECT ro.x, ro.y, COUNT(*) FROM t GROUP BY ro.x, ro.y;
SELECT rr.a.b, COUNT(*) FROM t GROUP BY rr.a.b;
SELECT ar[1], COUNT(*) FROM t GROUP BY ar[1];
SELECT ma['a'], COUNT(*) FROM t GROUP BY ma['a'];
SELECT CARDINALITY(ar), SUM(ar[1]) FROM t GROUP BY CARDINALITY(ar);
SELECT ma, COUNT(*) FROM t GROUP BY ma;
SELECT SUM(de), MIN(de), MAX(de), COUNT(de) FROM t WHERE id <> 4;
SELECT AVG(de) FROM t WHERE id <> 4;
SELECT SUM(de + de) FROM t;
SELECT SUM(bi), AVG(bi) FROM t;
SELECT SUM(fl), AVG(fl), MIN(fl), MAX(fl) FROM t WHERE id < 4;
SELECT MIN(b), MAX(b), COUNT(b) FROM t;
SELECT MIN(ch), MAX(ch), LISTAGG(ch) FROM t WHERE id < 3;
SELECT MIN(lt), MAX(lt), MIN(t9), MAX(t9), MIN(da), MAX(da) FROM t;
SELECT COUNT(ar), COUNT(ma), COUNT(ro), COUNT(bin), COUNT(aa) FROM t;
SELECT COUNT(DISTINCT b), COUNT(DISTINCT de), COUNT(DISTINCT t9), COUNT(DISTINCT lt), COUNT(DISTINCT tm) FROM t;
SELECT COUNT(DISTINCT fl) FROM t WHERE id < 7;
SELECT COUNT(DISTINCT ar) FROM t;
SELECT COUNT(DISTINCT ro.y), COUNT(DISTINCT ch), COUNT(DISTINCT CAST(ch AS STRING)) FROM t;
SELECT FIRST_VALUE(ar), LAST_VALUE(ro), FIRST_VALUE(bin), LAST_VALUE(b) FROM t;
SELECT FIRST_VALUE(lt), LAST_VALUE(t9), FIRST_VALUE(da), LAST_VALUE(de) FROM t;
SELECT ARRAY_AGG(t9) FROM t WHERE id < 4;
SELECT ARRAY_AGG(ro) FROM t WHERE id < 4;
SELECT ARRAY_AGG(ar) FROM t WHERE id < 4;
SELECT COLLECT(b) FROM t;
SELECT COLLECT(ro) FROM t WHERE id < 3;
SELECT MIN(ar) FROM t;
SELECT MAX(ro) FROM t;
SELECT MAX(ma) FROM t;
SELECT SUM(b) FROM t;
SELECT SUM(da) FROM t;
SELECT SUM(ch) FROM t;
SELECT AVG(tm) FROM t;
SELECT MAX(ts - da) FROM (SELECT CAST(t9 AS TIMESTAMP(3)) AS ts, CAST(da AS TIMESTAMP(3)) AS da FROM t);
SELECT SUM(INTERVAL '1' DAY) FROM t;
SELECT SUM(CAST(ti AS DECIMAL(5, 2))), AVG(CAST(ti AS DECIMAL(5, 2))), AVG(CAST(si AS DECIMAL(38, 0))) FROM t;
SELECT AVG(ti + si), AVG(ti * 1.0), AVG(ti / 2), SUM(ti) / COUNT(ti) FROM t;
SELECT BIT_AND(ti) FROM t;
SELECT EVERY(b) FROM t;
SELECT ANY_VALUE(b) FROM t WHERE id = 1;
SELECT JSON_OBJECTAGG(KEY ch VALUE ti) FROM t WHERE id IN (1, 2, 5);
SELECT JSON_ARRAYAGG(ti), JSON_ARRAYAGG(ti NULL ON NULL) FROM t WHERE id < 4;
SELECT JSON_ARRAYAGG(da) FROM t WHERE id < 4;
SELECT CORR(ti, si) FROM t;
SELECT COVAR_POP(ti, si) FROM t;
SELECT REGR_COUNT(ti, si) FROM t;
SELECT PERCENTILE(si, 0.5), PERCENTILE(si, ARRAY[0.25, 0.75]) FROM t;
SELECT PERCENTILE(si, 0.5, ti) FROM t WHERE ti > 0;
SELECT APPROX_COUNT_DISTINCT(ch) FROM t;
SELECT SINGLE_VALUE(ti) FROM t WHERE id = 1;
SELECT MODE(ti) FROM t;
SELECT MEDIAN(ti) FROM t;
SELECT BOOL_AND(b) FROM t;
SELECT STRING_AGG(ch, ',') FROM t;
SELECT GROUP_CONCAT(ch) FROM t;
SELECT MAX_BY(ti, si) FROM t;
SELECT ARG_MAX(ti, si) FROM t;
