-- SPDX-License-Identifier: Apache-2.0
-- A channel's id: by name, else cut out of the url by a regular expression.
CREATE TABLE sink (auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, channel_id STRING) WITH (${SINK});
INSERT INTO sink
SELECT auction, bidder, price, channel,
  CASE
    WHEN LOWER(channel) = 'apple' THEN '0'
    WHEN LOWER(channel) = 'google' THEN '1'
    WHEN LOWER(channel) = 'facebook' THEN '2'
    WHEN LOWER(channel) = 'baidu' THEN '3'
    ELSE REGEXP_EXTRACT(url, '(&|^)channel_id=([^&]*)', 2)
  END
FROM bid
WHERE REGEXP_EXTRACT(url, '(&|^)channel_id=([^&]*)', 2) IS NOT NULL OR LOWER(channel) IN ('apple', 'google', 'facebook', 'baidu');
