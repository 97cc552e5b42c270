-- SPDX-License-Identifier: Apache-2.0
-- Average price of each seller's last ten sold auctions. Flink refuses it: OVER needs an insert-only input. Kept as a probe of that.
CREATE TABLE sink (seller BIGINT, avg_price BIGINT) WITH (${SINK});
INSERT INTO sink
SELECT s.seller, AVG(s.price) OVER (PARTITION BY s.seller ORDER BY s.`dateTime` ROWS BETWEEN 10 PRECEDING AND CURRENT ROW)
FROM (
  SELECT seller, price, `dateTime`, ROW_NUMBER() OVER (PARTITION BY id, seller ORDER BY price DESC) AS rn
  FROM (
    SELECT a.id, a.seller, b.price, b.`dateTime`
    FROM auction AS a
    JOIN bid AS b ON a.id = b.auction AND b.`dateTime` BETWEEN a.`dateTime` AND a.expires
  )
) AS s
WHERE s.rn <= 1;
