-- SPDX-License-Identifier: Apache-2.0
-- Bids per bidder and 10 s of processing time.
CREATE TABLE sink (bidder BIGINT, bid_count BIGINT, starttime TIMESTAMP(3), endtime TIMESTAMP(3)) WITH (${SINK});
CREATE VIEW timed AS SELECT *, PROCTIME() AS p_time FROM bid;
INSERT INTO sink
SELECT bidder, COUNT(*), window_start, window_end
FROM TABLE(TUMBLE(TABLE timed, DESCRIPTOR(p_time), INTERVAL '10' SECOND))
GROUP BY bidder, window_start, window_end;
