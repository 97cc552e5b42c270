-- SPDX-License-Identifier: Apache-2.0
-- Tables that lookup joins keep, and when they are read again. Expected rows: what was in the table at the last time of reading, which
-- are multiples of an interval from the beginning on, or a time of the day.
CREATE TABLE o (id INT, k INT, pt AS PROCTIME());
CREATE TABLE dim (k INT, name STRING) WITH ('connector' = 'lookup', 'lookup.cache' = 'FULL', 'rows' = '
["+I", 1, "first"]
{"from": "2024-01-01 00:05:00"}
["+I", 2, "from 00:05"]
{"from": "2024-01-01 10:15:00"}
["+I", 3, "from 10:15"]
{"from": "2024-01-02 10:15:00"}
["+I", 4, "from the next day on"]');

-- test: periodic
-- clock: 2024-01-01 00:00:00
-- input: o
--   [1, 1]
--   [2, 2]
-- clock: 2024-01-01 00:09:59
-- input: o
--   [3, 2]
-- clock: 2024-01-01 00:12:00
-- input: o
--   [4, 2]
SELECT o.id, d.name FROM o LEFT JOIN dim /*+ OPTIONS('lookup.full-cache.periodic-reload.interval' = '10 min') */ FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
-- expect changelog:
--   +I[1, first]
--   +I[2, null]
--   +I[3, null]
--   +I[4, from 00:05]

-- test: the interval goes on without rows
-- clock: 2024-01-01 00:00:00
-- input: o
--   [1, 2]
-- clock: 2024-01-01 00:04:00
-- input: o
--   [2, 2]
-- clock: 2024-01-01 00:05:59
-- input: o
--   [3, 2]
-- clock: 2024-01-01 00:06:00
-- input: o
--   [4, 2]
SELECT o.id, d.name FROM o LEFT JOIN dim /*+ OPTIONS('lookup.full-cache.periodic-reload.interval' = '3 min', 'lookup.full-cache.periodic-reload.schedule-mode' = 'FIXED_RATE') */ FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
-- expect changelog:
--   +I[1, null]
--   +I[2, null]
--   +I[3, null]
--   +I[4, from 00:05]

-- test: without an interval it is read once
-- clock: 2024-01-01 00:00:00
-- input: o
--   [1, 2]
-- clock: 2025-01-01 00:00:00
-- input: o
--   [2, 2]
SELECT o.id, d.name FROM o LEFT JOIN dim FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
-- expect changelog:
--   +I[1, null]
--   +I[2, null]

-- test: a time of the day
-- clock: 2024-01-01 00:00:00
-- input: o
--   [1, 1]
--   [2, 2]
-- clock: 2024-01-01 10:14:59
-- input: o
--   [3, 2]
-- clock: 2024-01-01 10:15:00
-- input: o
--   [4, 2]
--   [5, 3]
-- clock: 2024-01-02 10:14:59
-- input: o
--   [6, 4]
-- clock: 2024-01-02 10:15:00
-- input: o
--   [7, 4]
SELECT o.id, d.name FROM o LEFT JOIN dim /*+ OPTIONS('lookup.full-cache.reload-strategy' = 'TIMED', 'lookup.full-cache.timed-reload.iso-time' = '10:15') */ FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
-- expect changelog:
--   +I[1, first]
--   +I[2, null]
--   +I[3, null]
--   +I[4, from 00:05]
--   +I[5, from 10:15]
--   +I[6, null]
--   +I[7, from the next day on]

-- test: a time of the day in another zone, every second day
-- clock: 2024-01-01 00:00:00
-- input: o
--   [1, 2]
-- clock: 2024-01-01 03:15:00
-- input: o
--   [2, 2]
-- clock: 2024-01-02 10:15:00
-- input: o
--   [3, 4]
-- clock: 2024-01-03 03:14:59
-- input: o
--   [4, 4]
-- clock: 2024-01-03 03:15:00
-- input: o
--   [5, 4]
SELECT o.id, d.name FROM o LEFT JOIN dim /*+ OPTIONS('lookup.full-cache.reload-strategy' = 'TIMED', 'lookup.full-cache.timed-reload.iso-time' = '10:15+07:00', 'lookup.full-cache.timed-reload.interval-in-days' = '2') */ FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
-- expect changelog:
--   +I[1, null]
--   +I[2, from 00:05]
--   +I[3, null]
--   +I[4, null]
--   +I[5, from the next day on]

-- test: a time of the day in the zone of the session
SET 'table.local-time-zone' = 'Asia/Tokyo';
-- clock: 2024-01-01 00:00:00
-- input: o
--   [1, 2]
-- clock: 2024-01-01 01:14:59
-- input: o
--   [2, 2]
-- clock: 2024-01-01 01:15:00
-- input: o
--   [3, 2]
SELECT o.id, d.name FROM o LEFT JOIN dim /*+ OPTIONS('lookup.full-cache.reload-strategy' = 'TIMED', 'lookup.full-cache.timed-reload.iso-time' = '10:15') */ FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
-- expect changelog:
--   +I[1, null]
--   +I[2, null]
--   +I[3, from 00:05]

-- test: rows by key as of processing time
-- clock: 2024-01-01 00:00:00
-- input: o
--   [1, 2]
-- clock: 2024-01-01 00:05:00
-- input: o
--   [2, 2]
SELECT o.id, d.name FROM o LEFT JOIN dim /*+ OPTIONS('lookup.cache' = 'NONE') */ FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
-- expect changelog:
--   +I[1, null]
--   +I[2, from 00:05]

-- test: a wrong time
SELECT o.id, d.name FROM o LEFT JOIN dim /*+ OPTIONS('lookup.full-cache.reload-strategy' = 'TIMED', 'lookup.full-cache.timed-reload.iso-time' = '25:00') */ FOR SYSTEM_TIME AS OF o.pt AS d ON o.k = d.k;
-- expect error: Text '25:00' could not be parsed: Invalid value for HourOfDay (valid values 0 - 23): 25
