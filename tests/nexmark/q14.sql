-- SPDX-License-Identifier: Apache-2.0
-- Calculation: decimal filter, CASE over the hour of day, how many c's a text has.
CREATE TABLE sink (auction BIGINT, bidder BIGINT, price DECIMAL(23, 3), bidTimeType STRING, `dateTime` TIMESTAMP(3), extra STRING, c_counts BIGINT) WITH (${SINK});
INSERT INTO sink
SELECT auction, bidder, 0.908 * price,
  CASE
    WHEN HOUR(`dateTime`) >= 8 AND HOUR(`dateTime`) <= 18 THEN 'dayTime'
    WHEN HOUR(`dateTime`) <= 6 OR HOUR(`dateTime`) >= 20 THEN 'nightTime'
    ELSE 'otherTime'
  END,
  `dateTime`, extra, CAST(CHAR_LENGTH(extra) - CHAR_LENGTH(REPLACE(extra, 'c', '')) AS BIGINT)
FROM bid
WHERE 0.908 * price > 1000000 AND 0.908 * price < 50000000;
