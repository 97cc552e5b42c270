-- SPDX-License-Identifier: Apache-2.0
-- alone
-- modes: streaming
-- Hints in the text of views; SOURCE_WATERMARK() over a source that has none.
CREATE TABLE w4 (ts TIMESTAMP(3), WATERMARK FOR ts AS SOURCE_WATERMARK()) WITH ('connector'='datagen','number-of-rows'='1');
SELECT * FROM w4;
EXPLAIN SELECT * FROM w4;
CREATE TABLE a (id INT, v STRING) WITH ('connector'='filesystem','path'='/tmp/no-such-folder/x','format'='csv');
CREATE VIEW v11 AS SELECT x.id FROM a /*+ OPTIONS('csv.field-delimiter'=';', 'path'='/q') */ AS x JOIN a /*+ OPTIONS('path'='/p') */ ON x.id = a.id;
SHOW CREATE VIEW v11;
CREATE VIEW v12 AS SELECT /*+ BROADCAST(a), SHUFFLE_HASH(b) */ a.id FROM a JOIN a AS b ON a.id = b.id;
SHOW CREATE VIEW v12;
CREATE VIEW v13 AS SELECT a.id FROM a /*+ OPTIONS('path'='/p') */ WHERE id > 1;
SHOW CREATE VIEW v13;
CREATE VIEW v14 AS SELECT /*+ STATE_TTL('a'='1d') */ id, COUNT(*) AS c FROM a GROUP BY id;
SHOW CREATE VIEW v14;
