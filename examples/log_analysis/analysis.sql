-- SPDX-License-Identifier: Apache-2.0
-- A web server's access log: lines of text become columns, columns become answers.
CREATE TABLE access_log (line STRING) WITH (
  'connector' = 'filesystem', 'path' = 'access.log', 'format' = 'raw'
);

CREATE VIEW requests AS
SELECT REGEXP_EXTRACT(line, '^(\S+)', 1) AS client,
       REGEXP_EXTRACT(line, ':(\d\d:\d\d):\d\d ', 1) AS minute_of_day,
       REGEXP_EXTRACT(line, '"(\S+) (\S+) ', 2) AS page,
       CAST(REGEXP_EXTRACT(line, '" (\d{3}) ', 1) AS INT) AS status,
       CAST(REGEXP_EXTRACT(line, ' (\d+)$', 1) AS BIGINT) AS size_bytes
FROM access_log
WHERE REGEXP(line, '^\S+ \S+ \S+ \[.*\] ".*" \d{3} \d+$');

-- 1. How is the site, minute by minute?
SELECT minute_of_day, COUNT(*) AS requests, COUNT(*) FILTER (WHERE status >= 500) AS failed, SUM(size_bytes) AS total_bytes
FROM requests
GROUP BY minute_of_day;

-- 2. Which pages are asked for most?
SELECT page, COUNT(*) AS requests, COUNT(DISTINCT client) AS clients
FROM requests
WHERE status < 400
GROUP BY page
HAVING COUNT(*) > 1;

-- 3. Who knocks at doors that are not there?
SELECT client, COUNT(*) AS refused, LISTAGG(page, ' ') AS pages
FROM requests
WHERE status IN (403, 404)
GROUP BY client;
