-- SPDX-License-Identifier: Apache-2.0
-- The one query of the demo. It knows nothing of streams and tables: what package_log is, is said elsewhere.
SELECT `day`,
       COUNT(*) FILTER (WHERE action = 'install') AS installed,
       COUNT(*) FILTER (WHERE action = 'upgrade') AS upgraded,
       COUNT(*) FILTER (WHERE action IN ('remove', 'purge')) AS removed,
       COUNT(DISTINCT package) AS packages,
       MAX(TO_TIMESTAMP(`day` || ' ' || `time`)) AS latest
FROM package_log
WHERE action IN ('install', 'upgrade', 'remove', 'purge')
GROUP BY `day`;
