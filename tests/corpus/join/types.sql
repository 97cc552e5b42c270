-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- Join keys of differing and of constructed types.
CREATE TABLE l (i INT, b BIGINT, n DECIMAL(6, 2), d DOUBLE, s STRING, c CHAR(2), dt DATE, ts TIMESTAMP(3), a ARRAY<INT>, r ROW<x INT, y STRING>, bo BOOLEAN) WITH ('connector' = 'script', 'rows' = '
["+I", 1, 1, 1.00, 1.0, "1", "a ", "2024-01-01", "2024-01-01 00:00:00", [1, 2], {"x": 1, "y": "p"}, true]
["+I", 2, 3000000000, 2.50, 2.5, "ab", "ab", "2024-01-02", "2024-01-02 10:00:00", [], {"x": null, "y": "p"}, false]');
CREATE TABLE r (i INT, b BIGINT, n DECIMAL(8, 3), d DOUBLE, s VARCHAR(5), c CHAR(3), dt DATE, ts TIMESTAMP(3), a ARRAY<INT>, r ROW<x INT, y STRING>, bo BOOLEAN) WITH ('connector' = 'script', 'rows' = '
{"step": 2}
["+I", 2, 1, 2.500, 2.5, "ab", "ab ", "2024-01-02", "2024-01-02 00:00:00", [1, 2], {"x": 1, "y": "p"}, true]
["+I", 1, 2, 1.000, 1.0, "1", "a", "2024-01-01", "2024-01-01 00:00:00", [], {"x": null, "y": "p"}, null]');
SELECT l.i, r.i FROM l JOIN r ON l.i = r.i;
SELECT l.i, r.i FROM l JOIN r ON l.i = r.b;
SELECT l.i, r.i FROM l JOIN r ON l.n = r.n;
SELECT l.i, r.i FROM l JOIN r ON l.i = r.n;
SELECT l.i, r.i FROM l JOIN r ON l.d = r.d;
SELECT l.i, r.i FROM l JOIN r ON l.n = r.d;
SELECT l.i, r.i FROM l JOIN r ON l.s = r.s;
SELECT l.i, r.i FROM l JOIN r ON l.c = r.s;
SELECT l.i, r.i FROM l JOIN r ON l.c = r.c;
SELECT l.i, r.i FROM l JOIN r ON l.dt = r.dt;
SELECT l.i, r.i FROM l JOIN r ON l.ts = r.ts;
SELECT l.i, r.i FROM l JOIN r ON CAST(l.dt AS TIMESTAMP(3)) = r.ts;
SELECT l.i, r.i FROM l JOIN r ON l.a = r.a;
SELECT l.i, r.i FROM l JOIN r ON l.r = r.r;
SELECT l.i, r.i FROM l JOIN r ON l.bo = r.bo;
SELECT l.i, r.i FROM l JOIN r ON l.r.x = r.r.x;
SELECT l.i, r.i FROM l JOIN r ON l.a[1] = r.a[1];
SELECT l.i, r.i FROM l JOIN r ON CARDINALITY(l.a) = CARDINALITY(r.a);
SELECT l.i, r.i FROM l JOIN r ON l.bo = r.i;
SELECT l.i, r.i FROM l JOIN r ON l.ts = r.dt;
SELECT l.i, r.i FROM l JOIN r ON l.i;
