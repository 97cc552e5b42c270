-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Aggregates that keep all values: text, arrays, multisets, JSON; duplicates and their removal.
-- order: any
CREATE TABLE c (k STRING, s STRING, v INT) WITH ('connector' = 'script', 'rows' = '
["+I", "a", "x", 1]
["+I", "a", "y", 2]
["+I", "a", "x", 1]
["-D", "a", "x", 1]
["+I", "a", null, null]
["-U", "a", "y", 2]
["+U", "a", "z", 3]
["-D", "a", null, null]
["+I", "b", "", 0]
["+I", "b", "q,r", 5]
["-D", "b", "", 0]
["-D", "a", "x", 1]
["-D", "a", "z", 3]');
SELECT k, LISTAGG(s) FROM c GROUP BY k;
SELECT k, LISTAGG(s, ' - ') FROM c GROUP BY k;
SELECT k, LISTAGG(s, '') FROM c GROUP BY k;
SELECT k, LISTAGG(DISTINCT s) FROM c GROUP BY k;
SELECT k, LISTAGG(DISTINCT s, ';') FROM c GROUP BY k;
SELECT k, LISTAGG(UPPER(s)) FROM c GROUP BY k;
SELECT LISTAGG(s) FROM c;
SELECT k, ARRAY_AGG(s) FROM c GROUP BY k;
SELECT k, ARRAY_AGG(v IGNORE NULLS) FROM c GROUP BY k;
SELECT k, ARRAY_AGG(DISTINCT v) FROM c GROUP BY k;
SELECT ARRAY_AGG(v) FROM c WHERE k = 'a';
SELECT k, CARDINALITY(ARRAY_AGG(v)) FROM c GROUP BY k;
SELECT k, COLLECT(s) FROM c GROUP BY k;
SELECT k, COLLECT(v) FROM c GROUP BY k;
SELECT COLLECT(v) FROM c WHERE k = 'b';
SELECT k, JSON_ARRAYAGG(s) FROM c GROUP BY k;
SELECT k, JSON_ARRAYAGG(v NULL ON NULL) FROM c GROUP BY k;
SELECT k, JSON_OBJECTAGG(KEY COALESCE(s, 'n') VALUE v) FROM c GROUP BY k;
SELECT k, ARRAY_AGG(ARRAY[v]) FROM c GROUP BY k;
SELECT LISTAGG(s, k) FROM c;
SELECT LISTAGG(v) FROM c;
SELECT JSON_OBJECTAGG(KEY COALESCE(s, 'n') VALUE v) FROM c WHERE k = 'b';
