-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- The order of several matches when rows hold rows, arrays and maps.
CREATE TABLE t (id INT, r ROW<a INT, b STRING, c ROW<d TIMESTAMP(9), e DECIMAL(30,2)>>, ar ARRAY<STRING>, m MAP<STRING, INT>, ai ARRAY<SMALLINT>) WITH ('connector' = 'script', 'rows' = '
["+I", 1, {"a":1,"b":"x","c":{"d":"2024-01-01 00:00:00.123456789","e":1.5}}, ["a","a longer text"], {"k":1}, [1,2,3]]
["+I", 2, {"a":1,"b":"a text of more than eight","c":{"d":null,"e":null}}, [null,"b"], {"a key that is long":null}, [1,null]]
["+I", 3, {"a":null,"b":null,"c":null}, [], {}, []]
["+I", 4, null, null, null, null]
["+I", 5, {"a":2,"b":"y","c":{"d":"2024-01-01 00:00:00","e":"12345678901234567890.12"}}, ["z"], {"q":5}, [7]]
["+I", 6, {"a":3,"b":"yy","c":{"d":"2024-01-01 00:00:00","e":-1}}, ["zz", "zzzzzzzz"], {"r":6}, [7,8,9,10,11]]
["+I", 7, {"a":4,"b":"yyy","c":null}, ["zz", "zzzzzzz"], {"s":null}, [null,null]]
["+I", 8, {"a":1,"b":"x","c":{"d":"2024-01-01 00:00:00.123456789","e":1.5}}, ["a"], {"k":2}, [32767]]');
SELECT a.id, b.id, a.r, b.r FROM t a, t b WHERE a.id < b.id;
SELECT a.id, b.id, a.ar, b.ar FROM t a, t b WHERE a.id < b.id;
SELECT a.id, b.id, a.ai, b.ai FROM t a, t b WHERE a.id < b.id;
SELECT a.id, b.id, a.m, b.m FROM t a, t b WHERE a.id < b.id;
SELECT a.id, b.id, a.r.c, b.r.c FROM t a, t b WHERE a.id < b.id;
