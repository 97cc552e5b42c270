-- SPDX-License-Identifier: Apache-2.0
-- Enrichment by lookup in a bounded side input of 10,000 rows.
CREATE TABLE side_input (key BIGINT, `value` STRING) WITH ('connector' = 'filesystem', 'path' = '${SIDE}', 'format' = 'csv', 'lookup.cache' = 'FULL');
CREATE TABLE sink (auction BIGINT, bidder BIGINT, price BIGINT, `dateTime` TIMESTAMP(3), `value` STRING) WITH (${SINK});
INSERT INTO sink
SELECT b.auction, b.bidder, b.price, b.`dateTime`, s.`value`
FROM (SELECT *, PROCTIME() AS p_time FROM bid) AS b
JOIN side_input FOR SYSTEM_TIME AS OF b.p_time AS s ON MOD(b.auction, 10000) = s.key;
