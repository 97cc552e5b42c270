-- SPDX-License-Identifier: Apache-2.0
-- Mean temperatures a minute out of readings that come twice, out of order and late; alerts out of the means.
-- A watermark after every reading, and one thread after the other: so what is late is the same on every run.
SET 'pipeline.auto-watermark-interval' = '0 ms';
SET 'parallelism.default' = '1';

CREATE TABLE readings (
  sensor STRING, seq INT, celsius DOUBLE, ts TIMESTAMP(3), arrival AS PROCTIME(),
  WATERMARK FOR ts AS ts - INTERVAL '15' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'readings.json', 'format' = 'json');

CREATE TABLE means (sensor STRING, since TIMESTAMP(3), readings BIGINT, mean DOUBLE)
WITH ('connector' = 'filesystem', 'path' = 'out/means', 'format' = 'csv');
CREATE TABLE alerts (sensor STRING, since TIMESTAMP(3), mean DOUBLE, rise DOUBLE)
WITH ('connector' = 'filesystem', 'path' = 'out/alerts', 'format' = 'csv');

-- Each reading once, however often it was sent.
CREATE VIEW distinct_readings AS
SELECT sensor, celsius, ts
FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY sensor, seq ORDER BY arrival) AS n FROM readings)
WHERE n = 1;

CREATE VIEW minute_means AS
SELECT sensor, window_start AS since, window_time, COUNT(*) AS readings, ROUND(AVG(celsius), 2) AS mean
FROM TUMBLE(TABLE distinct_readings, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
GROUP BY window_start, window_end, window_time, sensor;

EXECUTE STATEMENT SET
BEGIN
  INSERT INTO means SELECT sensor, since, readings, mean FROM minute_means;

  -- Hot, and hotter than the minute before by more than three degrees.
  INSERT INTO alerts
  SELECT sensor, since, mean, ROUND(mean - before_mean, 2)
  FROM (
    SELECT sensor, since, mean, LAG(mean) OVER (PARTITION BY sensor ORDER BY window_time) AS before_mean
    FROM minute_means
  )
  WHERE mean > 80 AND mean - before_mean > 3;
END;
