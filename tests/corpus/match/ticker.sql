-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- order: any
-- batch: no
-- A ticker: drops, averages, greedy and reluctant, WITHIN, AFTER MATCH SKIP; windows over matches.
CREATE TABLE Ticker (symbol STRING, price BIGINT, tax BIGINT, rowtime TIMESTAMP(3), WATERMARK FOR rowtime AS rowtime - INTERVAL '1' SECOND) WITH ('connector' = 'script', 'rows' = '
["+I", "ACME", 12, 1, "2018-04-01 10:00:00"]
["+I", "ACME", 17, 2, "2018-04-01 10:00:01"]
["+I", "ACME", 19, 1, "2018-04-01 10:00:02"]
["+I", "ACME", 21, 3, "2018-04-01 10:00:03"]
["+I", "ACME", 25, 2, "2018-04-01 10:00:04"]
["+I", "ACME", 18, 1, "2018-04-01 10:00:05"]
["+I", "ACME", 15, 1, "2018-04-01 10:00:06"]
["+I", "ACME", 14, 2, "2018-04-01 10:00:07"]
["+I", "ACME", 24, 2, "2018-04-01 10:00:08"]
["+I", "ACME", 25, 2, "2018-04-01 10:00:09"]
["+I", "ACME", 19, 1, "2018-04-01 10:00:10"]
["+I", "XYZ", 5, 1, "2018-04-01 10:00:10"]
["+I", "XYZ", 3, 1, "2018-04-01 11:00:10"]
["+I", "XYZ", 2, 1, "2018-04-01 11:30:10"]
["+I", "XYZ", 9, 1, "2018-04-01 12:30:10"]');
SELECT * FROM Ticker MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY rowtime MEASURES START_ROW.rowtime AS start_tstamp, LAST(PRICE_DOWN.rowtime) AS bottom_tstamp, LAST(PRICE_UP.rowtime) AS end_tstamp ONE ROW PER MATCH AFTER MATCH SKIP TO LAST PRICE_UP PATTERN (START_ROW PRICE_DOWN+ PRICE_UP) DEFINE PRICE_DOWN AS (LAST(PRICE_DOWN.price, 1) IS NULL AND PRICE_DOWN.price < START_ROW.price) OR PRICE_DOWN.price < LAST(PRICE_DOWN.price, 1), PRICE_UP AS PRICE_UP.price > LAST(PRICE_DOWN.price, 1)) MR;
SELECT * FROM Ticker MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY rowtime MEASURES FIRST(A.rowtime) AS start_tstamp, LAST(A.rowtime) AS end_tstamp, AVG(A.price) AS avgPrice ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A+ B) DEFINE A AS AVG(A.price) < 20) MR;
SELECT * FROM Ticker MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY rowtime MEASURES C.price AS lastPrice ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A B* C) DEFINE A AS A.price > 10, B AS B.price < 15, C AS C.price > 12);
SELECT * FROM Ticker MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY rowtime MEASURES C.price AS lastPrice ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A B*? C) DEFINE A AS A.price > 10, B AS B.price < 25, C AS C.price > 12);
SELECT * FROM Ticker MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY rowtime MEASURES C.rowtime AS dropTime, A.price - C.price AS dropDiff ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A B* C) WITHIN INTERVAL '1' HOUR DEFINE B AS B.price > A.price - 10, C AS C.price < A.price - 10);
SELECT * FROM Ticker MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY rowtime MEASURES FIRST(A.price) AS startPrice, LAST(A.price) AS topPrice, B.price AS lastPrice ONE ROW PER MATCH PATTERN (A+ B) DEFINE A AS LAST(A.price, 1) IS NULL OR A.price > LAST(A.price, 1), B AS B.price < LAST(A.price));
SELECT * FROM Ticker MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY rowtime MEASURES SUM(A.price) AS sumPrice, FIRST(rowtime) AS startTime, LAST(rowtime) AS endTime ONE ROW PER MATCH AFTER MATCH SKIP TO LAST A PATTERN (A+ C) DEFINE A AS SUM(A.price) < 30);
SELECT * FROM Ticker MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY rowtime MEASURES SUM(A.price) AS sumPrice, FIRST(rowtime) AS startTime, LAST(rowtime) AS endTime ONE ROW PER MATCH AFTER MATCH SKIP TO FIRST A PATTERN (A+ C) DEFINE A AS SUM(A.price) < 30);
SELECT * FROM Ticker MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY rowtime MEASURES SUM(A.price) AS sumPrice, FIRST(rowtime) AS startTime, LAST(rowtime) AS endTime ONE ROW PER MATCH AFTER MATCH SKIP TO NEXT ROW PATTERN (A+ C) DEFINE A AS SUM(A.price) < 30);
SELECT * FROM Ticker MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY rowtime MEASURES FIRST(A.price * A.tax) AS p, LAST(A.price, 1) + LAST(A.tax, 1) AS q, COUNT(B.price * 2) AS n, SUM(A.price * A.tax) AS s ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A{2,3} B{1,} C) DEFINE A AS A.price * A.tax > LAST(A.price * A.tax, 1) OR LAST(A.price, 1) IS NULL, B AS FIRST(B.price * B.tax) > 10 AND B.price > AVG(A.price), C AS C.price < SUM(B.price) / COUNT(B.price));
CREATE TEMPORARY VIEW mr AS SELECT * FROM Ticker MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY rowtime MEASURES A.price AS p, MATCH_ROWTIME() AS rt ONE ROW PER MATCH PATTERN (A B) DEFINE B AS B.price > A.price);
SELECT window_start, window_end, symbol, COUNT(*) AS c, SUM(p) AS s FROM TABLE(TUMBLE(TABLE mr, DESCRIPTOR(rt), INTERVAL '5' SECOND)) GROUP BY window_start, window_end, symbol;
SELECT TUMBLE_START(rt, INTERVAL '4' SECOND), COUNT(*) FROM mr GROUP BY TUMBLE(rt, INTERVAL '4' SECOND);
