-- SPDX-License-Identifier: Apache-2.0
-- alone
-- modes: streaming
-- CREATE TABLE AS and REPLACE TABLE AS: the schema
CREATE TABLE t2 (a INT, b STRING) WITH ('connector'='datagen', 'number-of-rows'='1');
CREATE TABLE c1 WITH ('connector'='blackhole') AS SELECT 1 AS a, 'x' AS b, CAST(NULL AS INT) AS n, TIMESTAMP '2020-01-01 00:00:00' AS ts;
SHOW CREATE TABLE c1;
CREATE TABLE c2 (z INT, a BIGINT COMMENT 'ca', w AS a + 1) WITH ('connector'='blackhole') AS SELECT 1 AS a, 'x' AS b;
SHOW CREATE TABLE c2;
CREATE TABLE c3 (b, a) WITH ('connector'='blackhole') AS SELECT 1 AS a, 'x' AS b;
SHOW CREATE TABLE c3;
CREATE TABLE c4 (b, zz) WITH ('connector'='blackhole') AS SELECT 1 AS a, 'x' AS b;
CREATE TABLE c4 (b) WITH ('connector'='blackhole') AS SELECT 1 AS a, 'x' AS b;
CREATE TABLE c5 (PRIMARY KEY (a) NOT ENFORCED) WITH ('connector'='blackhole') AS SELECT 1 AS a, 'x' AS b;
SHOW CREATE TABLE c5;
CREATE TABLE c6 (PRIMARY KEY (n) NOT ENFORCED) WITH ('connector'='blackhole') AS SELECT CAST(NULL AS INT) AS n;
CREATE TABLE c7 (WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) COMMENT 'cc' WITH ('connector'='blackhole') AS SELECT CAST(TIMESTAMP '2020-01-01 00:00:00' AS TIMESTAMP(3)) AS ts;
SHOW CREATE TABLE c7;
CREATE TEMPORARY TABLE c8 WITH ('connector'='blackhole') AS SELECT 1 AS a;
CREATE TABLE c9 PARTITIONED BY (a) WITH ('connector'='blackhole') AS SELECT 1 AS a;
CREATE TABLE c10 WITH ('connector'='blackhole') AS SELECT 1, 'x';
SHOW CREATE TABLE c10;
CREATE TABLE c11 (a STRING) WITH ('connector'='blackhole') AS SELECT 1 AS a;
CREATE TABLE c12 DISTRIBUTED BY (a) INTO 2 BUCKETS WITH ('connector'='blackhole') AS SELECT 1 AS a;
REPLACE TABLE c13 WITH ('connector'='blackhole') AS SELECT 1 AS a;
CREATE OR REPLACE TABLE c13 WITH ('connector'='blackhole') AS SELECT 1 AS a;
CREATE OR REPLACE TABLE c13 WITH ('connector'='blackhole') AS SELECT 1 AS b;
SHOW CREATE TABLE c13;
REPLACE TABLE c13 WITH ('connector'='blackhole') AS SELECT 1 AS cc;
SHOW CREATE TABLE c13;
CREATE TABLE IF NOT EXISTS c13 WITH ('connector'='blackhole') AS SELECT 1 AS dd;
CREATE TABLE c14 (a INT, m INT METADATA) WITH ('connector'='blackhole') AS SELECT 1 AS a, 2 AS m;
CREATE TABLE c15 WITH ('connector'='blackhole') AS SELECT 1 AS a, 2 AS a;
SHOW CREATE TABLE c15;
CREATE TABLE c16 (w AS a + 1) WITH ('connector'='blackhole') AS SELECT 1 AS a, 2 AS w;
CREATE TABLE c17 (a AS 5) WITH ('connector'='blackhole') AS SELECT 1 AS a, 2 AS w;
CREATE TABLE c18 (x INT NOT NULL) WITH ('connector'='blackhole') AS SELECT 1 AS a;
