-- SPDX-License-Identifier: Apache-2.0
-- Bids per bidder and session of activity (gap 10 s).
CREATE TABLE sink (bidder BIGINT, bid_count BIGINT, starttime TIMESTAMP(3), endtime TIMESTAMP(3)) WITH (${SINK});
INSERT INTO sink
SELECT bidder, COUNT(*), SESSION_START(`dateTime`, INTERVAL '10' SECOND), SESSION_END(`dateTime`, INTERVAL '10' SECOND)
FROM bid
GROUP BY bidder, SESSION(`dateTime`, INTERVAL '10' SECOND);
