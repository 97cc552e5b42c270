-- SPDX-License-Identifier: Apache-2.0
-- The last bid of each bidder on each auction.
CREATE TABLE sink (auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, `dateTime` TIMESTAMP(3), extra STRING) WITH (${SINK});
INSERT INTO sink
SELECT auction, bidder, price, channel, url, `dateTime`, extra
FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY bidder, auction ORDER BY `dateTime` DESC) AS rn FROM bid)
WHERE rn <= 1;
