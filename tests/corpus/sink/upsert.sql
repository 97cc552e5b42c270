-- modes: streaming
-- order: any
CREATE TABLE cdc (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5]
["+I", 2, "b", 1]
["-U", 1, "a", 5]
["+U", 1, "a", 7]
["+I", 3, "a", 3]
["-D", 1, "a", 7]');
CREATE TABLE ups (id INT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'upsert', 'rows' = '
["+I", 1, "v1"]
["+U", 1, "v2"]
["+U", 1, "v2"]
["-D", 1, null]
["-D", 9, null]
["+I", 2, "w"]');
CREATE TABLE s_id (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE s_cnt (k STRING, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE s_ins (k STRING, n BIGINT) WITH ('connector' = 'record', 'changelog-mode' = 'insert');
CREATE TABLE s_k (k STRING, id INT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE s_k2 (k STRING, id INT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
CREATE TABLE s_ups (id INT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert');
INSERT INTO s_id SELECT * FROM cdc;
INSERT INTO s_cnt SELECT k, COUNT(*) FROM cdc GROUP BY k;
INSERT INTO s_ins SELECT k, COUNT(*) FROM cdc GROUP BY k;
INSERT INTO s_k SELECT k, id FROM cdc;
INSERT INTO s_k SELECT k, id FROM cdc ON CONFLICT DO DEDUPLICATE;
INSERT INTO s_k2 SELECT k, id FROM cdc ON CONFLICT DO NOTHING;
INSERT INTO s_ups SELECT * FROM ups;
SELECT * FROM ups;
SELECT COUNT(*) FROM ups;
SELECT * FROM ups WHERE v > 'v1';
