-- SPDX-License-Identifier: Apache-2.0
-- The auctions with most bids in every 10 s window that hops by 2 s.
CREATE TABLE sink (auction BIGINT, num BIGINT) WITH (${SINK});
INSERT INTO sink
SELECT c.auction, c.num
FROM (
  SELECT auction, COUNT(*) AS num, window_start AS ws, window_end AS we
  FROM TABLE(HOP(TABLE bid, DESCRIPTOR(`dateTime`), INTERVAL '2' SECOND, INTERVAL '10' SECOND))
  GROUP BY auction, window_start, window_end
) AS c
JOIN (
  SELECT MAX(num) AS top, ws, we
  FROM (
    SELECT COUNT(*) AS num, window_start AS ws, window_end AS we
    FROM TABLE(HOP(TABLE bid, DESCRIPTOR(`dateTime`), INTERVAL '2' SECOND, INTERVAL '10' SECOND))
    GROUP BY auction, window_start, window_end
  ) AS per_auction
  GROUP BY ws, we
) AS m
ON c.ws = m.ws AND c.we = m.we AND c.num >= m.top;
