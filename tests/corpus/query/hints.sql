-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Hints: table options, query hints, unknown ones.
CREATE TABLE t (id INT, k STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a"]
["+I", 2, "b"]');
CREATE TABLE d (id INT) WITH ('connector' = 'datagen', 'fields.id.kind' = 'sequence', 'fields.id.start' = '1', 'fields.id.end' = '3');
SELECT * FROM t /*+ OPTIONS('rows' = '["+I", 7, "z"]') */;
SELECT * FROM t /*+ OPTIONS('rows' = '["+I", 7, "z"]') */ AS x WHERE x.id > 1;
SELECT * FROM d;
SELECT * FROM d /*+ OPTIONS('fields.id.end' = '2') */;
SELECT * FROM d /*+ OPTIONS('nope' = '2') */;
SELECT COUNT(*) FROM d /*+ OPTIONS('fields.id.start' = '2') */ AS e;
SELECT /*+ BROADCAST(t) */ t.k FROM t JOIN d ON t.id = d.id WHERE t.id = 1;
SELECT /*+ FOO(t) */ t.k FROM t;
SELECT /*+ SHUFFLE_HASH(zz) */ t.k FROM t JOIN d ON t.id = d.id;
SET 'table.dynamic-table-options.enabled' = 'false';
SELECT * FROM t /*+ OPTIONS('rows' = '["+I", 7, "z"]') */;
