-- SPDX-License-Identifier: Apache-2.0
-- The winning bid of each auction: join, then the first by price and time.
CREATE TABLE sink (
  id BIGINT, itemName STRING, description STRING, initialBid BIGINT, reserve BIGINT, `dateTime` TIMESTAMP(3), expires TIMESTAMP(3), seller BIGINT, category BIGINT, extra STRING,
  auction BIGINT, bidder BIGINT, price BIGINT, bid_dateTime TIMESTAMP(3), bid_extra STRING
) WITH (${SINK});
INSERT INTO sink
SELECT id, itemName, description, initialBid, reserve, `dateTime`, expires, seller, category, extra, auction, bidder, price, bid_dateTime, bid_extra
FROM (
  SELECT a.*, b.auction, b.bidder, b.price, b.`dateTime` AS bid_dateTime, b.extra AS bid_extra,
    ROW_NUMBER() OVER (PARTITION BY a.id ORDER BY b.price DESC, b.`dateTime` ASC) AS rn
  FROM auction AS a
  JOIN bid AS b ON a.id = b.auction AND b.`dateTime` BETWEEN a.`dateTime` AND a.expires
)
WHERE rn <= 1;
