-- SPDX-License-Identifier: Apache-2.0
-- Average winning price per category: join, maximum per auction, average over the changing maxima.
CREATE TABLE sink (id BIGINT, final BIGINT) WITH (${SINK});
INSERT INTO sink
SELECT w.category, AVG(w.final)
FROM (
  SELECT a.id, a.category, MAX(b.price) AS final
  FROM auction AS a
  JOIN bid AS b ON b.auction = a.id AND b.`dateTime` BETWEEN a.`dateTime` AND a.expires
  GROUP BY a.id, a.category
) AS w
GROUP BY w.category;
