-- SPDX-License-Identifier: Apache-2.0
-- Pass-through: every bid, five columns.
CREATE TABLE sink (auction BIGINT, bidder BIGINT, price BIGINT, `dateTime` TIMESTAMP(3), extra STRING) WITH (${SINK});
INSERT INTO sink
SELECT auction, bidder, price, `dateTime`, extra
FROM bid;
