-- SPDX-License-Identifier: Apache-2.0
-- Bids by people who sell: a join of three tables without end.
CREATE TABLE sink (
  bidder BIGINT, price BIGINT, channel STRING, url STRING, bid_extra STRING,
  person_id BIGINT, name STRING, emailAddress STRING, creditCard STRING, city STRING, state STRING, person_extra STRING,
  itemName STRING, description STRING, initialBid BIGINT, reserve BIGINT, auction_dateTime TIMESTAMP(3), expires TIMESTAMP(3), seller BIGINT, category BIGINT, auction_extra STRING
) WITH (${SINK});
INSERT INTO sink
SELECT b.bidder, b.price, b.channel, b.url, b.extra,
  p.id, p.name, p.emailAddress, p.creditCard, p.city, p.state, p.extra,
  a.itemName, a.description, a.initialBid, a.reserve, a.`dateTime`, a.expires, a.seller, a.category, a.extra
FROM bid AS b
JOIN person AS p ON p.id = b.bidder
JOIN auction AS a ON a.seller = b.bidder;
