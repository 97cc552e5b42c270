-- SPDX-License-Identifier: Apache-2.0
-- Currency conversion by exact decimals.
CREATE TABLE sink (auction BIGINT, bidder BIGINT, price DECIMAL(23, 3), `dateTime` TIMESTAMP(3), extra STRING) WITH (${SINK});
INSERT INTO sink
SELECT auction, bidder, 0.908 * price, `dateTime`, extra
FROM bid;
