-- SPDX-License-Identifier: Apache-2.0
-- Several rules over one stream, in one job: the file is read once, each rule has its own sink.
CREATE TABLE payments (
  payment_id INT, card STRING, amount DECIMAL(10, 2), country STRING, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'payments.json', 'format' = 'json');

CREATE TABLE bursts (card STRING, since TIMESTAMP(3), payments BIGINT, amount DECIMAL(38, 2))
WITH ('connector' = 'filesystem', 'path' = 'out/bursts', 'format' = 'json');
CREATE TABLE probes (card STRING, probe_id INT, payment_id INT, amount DECIMAL(10, 2))
WITH ('connector' = 'filesystem', 'path' = 'out/probes', 'format' = 'json');
CREATE TABLE travels (card STRING, payment_id INT, was STRING, is_now STRING)
WITH ('connector' = 'filesystem', 'path' = 'out/travels', 'format' = 'json');

EXECUTE STATEMENT SET
BEGIN
  -- A card that pays more than three times within half a minute.
  INSERT INTO bursts
  SELECT card, window_start, COUNT(*), SUM(amount)
  FROM TUMBLE(TABLE payments, DESCRIPTOR(ts), INTERVAL '30' SECOND)
  GROUP BY window_start, window_end, card
  HAVING COUNT(*) > 3;

  -- A small payment, and the card's next one is large: somebody has found out that the number works.
  INSERT INTO probes
  SELECT card, probe_id, payment_id, amount
  FROM payments MATCH_RECOGNIZE (
    PARTITION BY card ORDER BY ts
    MEASURES A.payment_id AS probe_id, B.payment_id AS payment_id, B.amount AS amount
    ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW
    PATTERN (A B) WITHIN INTERVAL '5' MINUTE
    DEFINE A AS A.amount < 1, B AS B.amount > 500
  );

  -- Another country than the payment before, less than ten minutes ago.
  INSERT INTO travels
  SELECT card, payment_id, was, country
  FROM (
    SELECT card, payment_id, country, ts,
           LAG(country) OVER w AS was, LAG(ts) OVER w AS before_ts
    FROM payments
    WINDOW w AS (PARTITION BY card ORDER BY ts)
  )
  WHERE was <> country AND ts < before_ts + INTERVAL '10' MINUTE;
END;
