-- SPDX-License-Identifier: Apache-2.0
-- multi: no
-- modes: streaming
-- order: any
-- batch: no
-- Which queries want the latency of a bundle, as they are written, and which nodes want its size.
CREATE TABLE s (id INT, k STRING, v INT, ar ARRAY<INT>) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5, [1,2]]
["+I", 2, "b", 3, [1,2]]');
CREATE TABLE w (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5, "2024-01-01 00:00:01"]
["+I", 2, "b", 3, "2024-01-01 00:00:02"]');
CREATE TABLE p (id INT, k STRING, v INT, pt AS PROCTIME()) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5]
["+I", 1, "b", 3]');
CREATE TABLE c (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode'='upsert', 'rows' = '
["+I", 1, "a", 5]
["+U", 1, "b", 3]');
CREATE TABLE q (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode'='all', 'rows' = '
["+I", 1, "a", 5]
["-U", 1, "a", 5]
["+U", 1, "b", 3]');
CREATE TABLE o (id INT, k STRING, v INT) WITH ('connector' = 'record');
CREATE TABLE u (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE VIEW vw AS SELECT id, k FROM s;
SET 'table.exec.mini-batch.enabled' = 'true';
SELECT id FROM p WHERE v > 3;
SELECT id FROM s UNION ALL SELECT id FROM p;
SELECT id, v FROM w;
SELECT id FROM w UNION ALL SELECT id FROM s;
SELECT id FROM s LIMIT 1;
SELECT id FROM s ORDER BY v LIMIT 1;
SELECT id, e FROM s CROSS JOIN UNNEST(ar) AS t(e);
SELECT * FROM vw;
SELECT id FROM s WHERE id IN (SELECT id FROM p);
SELECT id FROM s WHERE EXISTS (SELECT 1 FROM p WHERE p.id = s.id);
SELECT id FROM s WHERE v > (SELECT COUNT(*) FROM p);
SELECT (SELECT MAX(v) FROM w) FROM p;
SELECT id, COUNT(*) OVER (PARTITION BY k ORDER BY pt) FROM p;
SELECT id, LAG(v) OVER (PARTITION BY k ORDER BY ts) FROM w;
SELECT id, LAG(v) OVER (PARTITION BY k ORDER BY pt) FROM p;
SELECT id, FIRST_VALUE(v) OVER (PARTITION BY k ORDER BY pt) FROM p;
SELECT id, RANK() OVER (PARTITION BY k ORDER BY pt) FROM p;
SELECT id, DENSE_RANK() OVER (PARTITION BY k ORDER BY pt) FROM p;
SELECT id, NTILE(2) OVER (PARTITION BY k ORDER BY pt) FROM p;
SELECT id, COUNT(*) OVER (PARTITION BY k ORDER BY v) FROM s;
SELECT id, ROW_NUMBER() OVER (PARTITION BY k ORDER BY pt) FROM p;
SELECT id FROM (SELECT id, COUNT(*) OVER (PARTITION BY k ORDER BY pt) AS n FROM p) WHERE n >= 1;
SELECT id, k FROM (SELECT id, k, ROW_NUMBER() OVER (PARTITION BY k ORDER BY pt) AS rn FROM p) WHERE rn <= 1;
SELECT id, k FROM (SELECT id, k, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS rn FROM s) WHERE rn <= 2;
SELECT s.id FROM s JOIN p ON s.id = p.id;
SELECT s.id FROM s, p;
SELECT s.id, x.m FROM s, LATERAL (SELECT MAX(v) AS m FROM p WHERE p.k = s.k) AS x;
SELECT DISTINCT id FROM s;
SELECT id FROM s UNION SELECT id FROM p;
SELECT id FROM s INTERSECT SELECT id FROM p;
SELECT id FROM s EXCEPT ALL SELECT id FROM p;
SELECT v FROM w MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES A.v AS v PATTERN (A) DEFINE A AS A.v > 0) AS m;
SELECT * FROM TABLE(TUMBLE(TABLE w, DESCRIPTOR(ts), INTERVAL '5' SECOND));
SELECT COUNT(*) FROM w GROUP BY TUMBLE(ts, INTERVAL '5' SECOND);
SELECT w.id, x.v FROM w JOIN w AS x ON w.id = x.id AND w.ts BETWEEN x.ts AND x.ts + INTERVAL '1' SECOND;
SELECT id FROM c;
SELECT id FROM q WHERE v > 2;
SELECT COUNT(*) FROM (VALUES (1)) AS t(x);
SELECT COUNT(*) FROM s WHERE FALSE;
SELECT id FROM s WHERE FALSE;
EXPLAIN SELECT s.id FROM s JOIN p ON s.id = p.id;
EXPLAIN SELECT id FROM c;
INSERT INTO o SELECT id, k, v FROM s WHERE id IN (SELECT id FROM p);
INSERT INTO o SELECT p.id, p.k, p.v FROM p JOIN s ON p.id = s.id;
EXECUTE STATEMENT SET BEGIN INSERT INTO o SELECT id, k, v FROM s; INSERT INTO o SELECT id, k, v FROM p LIMIT 1; END;
INSERT INTO u SELECT id, k, v FROM c;
INSERT INTO u SELECT v, k, id FROM c ON CONFLICT DO DEDUPLICATE;
SET 'table.exec.mini-batch.allow-latency' = '1 s';
SELECT s.id FROM s, p;
SELECT s.id, q.v FROM s LEFT JOIN q ON s.id = q.id;
SELECT s.id FROM s FULL JOIN q ON s.id = q.id;
SELECT s.id FROM s RIGHT JOIN q ON s.id = q.id;
SELECT s.id FROM s JOIN c ON s.id = c.id WHERE c.v > 1;
SELECT s.id FROM s JOIN p ON s.id < p.id;
SELECT id FROM s WHERE id IN (SELECT id FROM p);
SELECT id FROM s WHERE v > (SELECT MAX(v) FROM p);
SELECT id FROM s WHERE v > 1 OR id IN (SELECT id FROM p);
SELECT id FROM s INTERSECT ALL SELECT id FROM p;
SELECT id FROM s ORDER BY v LIMIT 3;
SELECT id, k FROM (SELECT id, k, ROW_NUMBER() OVER (PARTITION BY k ORDER BY pt) AS rn FROM p) WHERE rn <= 1;
SELECT id, k FROM (SELECT id, k, ROW_NUMBER() OVER (PARTITION BY k ORDER BY pt DESC) AS rn FROM p) WHERE rn <= 1;
SELECT id, k FROM (SELECT id, k, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts DESC) AS rn FROM w) WHERE rn <= 1;
SELECT id, k FROM (SELECT id, k, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts) AS rn FROM w) WHERE rn <= 1;
SELECT k, COUNT(*) FROM (SELECT id, k, ROW_NUMBER() OVER (PARTITION BY k ORDER BY pt) AS rn FROM p) WHERE rn <= 1 GROUP BY k;
SELECT id, k FROM (SELECT id, k, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS rn FROM s) WHERE rn <= 1;
SELECT id, k FROM (SELECT id, k, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts) AS rn FROM w) WHERE rn <= 2;
SELECT id, COUNT(*) OVER (PARTITION BY k ORDER BY pt) FROM p;
SELECT id FROM c;
SELECT id FROM q;
EXPLAIN SELECT s.id, q.v FROM s LEFT JOIN q ON s.id = q.id;
SELECT SUM(m) FROM (SELECT COUNT(*) AS m FROM s GROUP BY k);
SELECT k, COUNT(DISTINCT v) FROM s GROUP BY k;
SELECT COUNT(*) FROM w GROUP BY TUMBLE(ts, INTERVAL '5' SECOND);
SELECT window_start, COUNT(*) FROM TUMBLE(TABLE w, DESCRIPTOR(ts), INTERVAL '5' SECOND) GROUP BY window_start, window_end;
SELECT w.id, x.v FROM w JOIN w AS x ON w.id = x.id AND w.ts BETWEEN x.ts AND x.ts + INTERVAL '1' SECOND;
INSERT INTO u SELECT id, k, v FROM q;
INSERT INTO u SELECT v, k, id FROM c ON CONFLICT DO DEDUPLICATE;
INSERT INTO u SELECT id, k, v FROM c;
SET 'table.exec.mini-batch.size' = '100';
SELECT s.id, p.v FROM s JOIN p ON s.id = p.id;
SELECT id FROM c;
SELECT id, k FROM (SELECT id, k, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts) AS rn FROM w) WHERE rn <= 1;
