-- SPDX-License-Identifier: Apache-2.0
-- People who opened an auction in the 10 s window in which they joined.
CREATE TABLE sink (id BIGINT, name STRING, stime TIMESTAMP(3)) WITH (${SINK});
INSERT INTO sink
SELECT p.id, p.name, p.ws
FROM (
  SELECT id, name, window_start AS ws, window_end AS we
  FROM TABLE(TUMBLE(TABLE person, DESCRIPTOR(`dateTime`), INTERVAL '10' SECOND))
  GROUP BY id, name, window_start, window_end
) AS p
JOIN (
  SELECT seller, window_start AS ws, window_end AS we
  FROM TABLE(TUMBLE(TABLE auction, DESCRIPTOR(`dateTime`), INTERVAL '10' SECOND))
  GROUP BY seller, window_start, window_end
) AS a
ON p.id = a.seller AND p.ws = a.ws AND p.we = a.we;
