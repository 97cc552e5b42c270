-- SPDX-License-Identifier: Apache-2.0
-- NOT EXISTS over sources that update.
-- modes: streaming
-- conf: weir.explain.state=false
CREATE TABLE cdc (id INT, name STRING, ts TIMESTAMP(3), PRIMARY KEY (id) NOT ENFORCED) WITH ('connector'='script','changelog-mode'='all','rows'='["+I",1,"a","2020-01-01 00:00:01"]');
CREATE TABLE ups2 (id INT, k INT, name STRING, PRIMARY KEY (id, k) NOT ENFORCED) WITH ('connector'='script','changelog-mode'='upsert','rows'='["+I",1,1,"a"]');
EXPLAIN CHANGELOG_MODE SELECT id FROM cdc WHERE NOT EXISTS (SELECT 1 FROM ups2 WHERE ups2.id = cdc.id);
