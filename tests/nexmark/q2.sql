-- SPDX-License-Identifier: Apache-2.0
-- Selection: one auction id in 123.
CREATE TABLE sink (auction BIGINT, price BIGINT) WITH (${SINK});
INSERT INTO sink
SELECT auction, price
FROM bid
WHERE MOD(auction, 123) = 0;
