-- SPDX-License-Identifier: Apache-2.0
-- The highest bids of every 10 s: window maximum joined back to the bids (a regular join).
CREATE TABLE sink (auction BIGINT, bidder BIGINT, price BIGINT, `dateTime` TIMESTAMP(3), extra STRING) WITH (${SINK});
INSERT INTO sink
SELECT b.auction, b.price, b.bidder, b.`dateTime`, b.extra
FROM bid AS b
JOIN (
  SELECT MAX(price) AS top, window_end AS we
  FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(`dateTime`), INTERVAL '10' SECOND))
  GROUP BY window_start, window_end
) AS m
ON b.price = m.top AND b.`dateTime` BETWEEN m.we - INTERVAL '10' SECOND AND m.we;
