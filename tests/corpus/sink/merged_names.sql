-- SPDX-License-Identifier: Apache-2.0
-- INSERTs into one sink become one, whatever their queries call the columns: the first row of a key is the first of them all.
-- order: any
-- conf: weir.explain.state=false
-- conf: pipeline.auto-watermark-interval=0
-- batch: no
-- parallel: no
CREATE TABLE i (k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", "a", 5, "2024-01-01 00:00:01"]
["+I", "b", 6, "2024-01-01 00:00:02"]
["+I", "c", 7, "2024-01-01 00:00:13"]');
CREATE TABLE s1 (k STRING, v INT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE a1 (k STRING, v INT) WITH ('connector' = 'record', 'changelog-mode' = 'insert');
EXPLAIN STATEMENT SET BEGIN INSERT INTO s1 SELECT k, v FROM i ON CONFLICT DO NOTHING; INSERT INTO s1 SELECT k, v + 1 FROM i ON CONFLICT DO NOTHING; END;
EXPLAIN STATEMENT SET BEGIN INSERT INTO a1 SELECT k, v FROM i; INSERT INTO a1 SELECT k, v + 1 FROM i; END;
EXPLAIN STATEMENT SET BEGIN INSERT INTO a1 SELECT k AS a, v AS b FROM i; INSERT INTO a1 SELECT k AS b, v AS a FROM i; END;
EXPLAIN STATEMENT SET BEGIN INSERT INTO s1 SELECT k, MAX(v) FROM i GROUP BY k; INSERT INTO s1 SELECT k, MIN(v) AS q FROM i GROUP BY k; END;
EXECUTE STATEMENT SET BEGIN INSERT INTO a1 SELECT k AS a, v AS b FROM i; INSERT INTO a1 SELECT k AS b, v + 1 AS a FROM i; END;
