-- SPDX-License-Identifier: Apache-2.0
-- mini: no
-- FROM_CHANGELOG and TO_CHANGELOG.
-- batch: no
-- conf: weir.explain.state=false
CREATE TABLE cl (op STRING, id INT, name STRING, n BIGINT) WITH ('connector'='script','rows'='["+I","INSERT",1,"a",5]
["+I","INSERT",2,"b",6]
["+I","UPDATE_BEFORE",1,"a",5]
["+I","UPDATE_AFTER",1,"c",7]
["+I","DELETE",2,"b",6]
["+I","INSERT",3,null,null]');
SELECT * FROM FROM_CHANGELOG(input => TABLE cl PARTITION BY id);
SELECT * FROM FROM_CHANGELOG(input => TABLE cl, op => DESCRIPTOR(nope));
SELECT * FROM FROM_CHANGELOG(input => TABLE cl, op => DESCRIPTOR(id));
SELECT * FROM FROM_CHANGELOG();
SELECT * FROM FROM_CHANGELOG(op => DESCRIPTOR(op));
CREATE TABLE t (id INT, name STRING, n BIGINT) WITH ('connector'='script','rows'='["+I",1,"a",5]
["+I",2,"b",6]
["-U",1,"a",5]
["+U",1,"c",7]
["-D",2,"b",6]
["+I",3,null,null]');
SELECT * FROM TO_CHANGELOG(input => TABLE t);
SELECT * FROM TO_CHANGELOG(input => TABLE t, op => DESCRIPTOR(kind));
SELECT * FROM TO_CHANGELOG(input => TABLE t, op_mapping => MAP['INSERT, UPDATE_AFTER','false','DELETE','true']);
SELECT kind, COUNT(*) FROM TO_CHANGELOG(input => TABLE t, op => DESCRIPTOR(kind)) GROUP BY kind;
EXPLAIN SELECT * FROM TO_CHANGELOG(input => TABLE t);
EXPLAIN CHANGELOG_MODE SELECT op, COUNT(*) FROM TO_CHANGELOG(input => TABLE t) GROUP BY op;
SELECT * FROM TO_CHANGELOG(input => TABLE t PARTITION BY id);
SELECT * FROM TO_CHANGELOG(input => TABLE t, op => DESCRIPTOR(id));
SELECT * FROM TO_CHANGELOG(input => TABLE t, op => DESCRIPTOR(a, b));
SELECT * FROM TO_CHANGELOG(input => TABLE t, op_mapping => MAP['INSERT','x', 'INSERT, DELETE', 'y']);
SELECT * FROM TO_CHANGELOG(input => TABLE t, op_mapping => MAP['INSERT','x', 'DELETE', 'x']);
CREATE TABLE u (id INT PRIMARY KEY NOT ENFORCED, name STRING) WITH ('connector'='script','changelog-mode'='I,UA,D','rows'='["+I",1,"a"]
["+U",1,"c"]
["-D",1,null]');
SELECT * FROM TO_CHANGELOG(input => TABLE u);
EXPLAIN CHANGELOG_MODE SELECT * FROM TO_CHANGELOG(input => TABLE u);
CREATE VIEW v AS SELECT id, COUNT(*) AS c FROM t GROUP BY id;
SELECT * FROM TO_CHANGELOG(input => TABLE v);
SELECT * FROM TO_CHANGELOG(input => (SELECT id, SUM(n) AS s FROM t GROUP BY id));
EXPLAIN CHANGELOG_MODE SELECT * FROM TO_CHANGELOG(input => TABLE v);
SELECT * FROM FROM_CHANGELOG(input => TABLE t);
SELECT * FROM FROM_CHANGELOG(input => TABLE t, op => DESCRIPTOR(name));
SELECT * FROM FROM_CHANGELOG(input => (SELECT * FROM TO_CHANGELOG(input => TABLE t)));
SELECT op, x.id FROM TO_CHANGELOG(input => TABLE t) AS x;
SELECT op, x.a FROM TO_CHANGELOG(input => TABLE t) AS x(op, a, b, c);
CREATE VIEW vtt AS SELECT * FROM TO_CHANGELOG(input => TABLE t);
DESCRIBE vtt;
