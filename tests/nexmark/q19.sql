-- SPDX-License-Identifier: Apache-2.0
-- The ten highest bids of each auction, with their rank.
CREATE TABLE sink (auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, `dateTime` TIMESTAMP(3), extra STRING, rank_number BIGINT) WITH (${SINK});
INSERT INTO sink
SELECT *
FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY auction ORDER BY price DESC) AS rank_number FROM bid)
WHERE rank_number <= 10;
