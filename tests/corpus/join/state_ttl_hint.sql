-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- batch: no
-- alone
-- The STATE_TTL hint per input of a join and of an aggregate.
CREATE TABLE l (id INT, a STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a"]
{"sleep": 2000}
["+I", 2, "b"]');
CREATE TABLE r (id INT, x STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 2, "early"]
{"sleep": 2500}
["+I", 1, "late"]
["+I", 2, "late"]');
SELECT * FROM l JOIN r ON l.id = r.id;
SELECT /*+ STATE_TTL('l' = '600ms') */ a, x FROM l JOIN r ON l.id = r.id;
SELECT /*+ STATE_TTL('l' = '600ms', 'r' = '600ms') */ a, x FROM l JOIN r ON l.id = r.id;
SELECT /*+ STATE_TTL('r' = '0s') */ a, x FROM l LEFT JOIN r ON l.id = r.id;
SELECT /*+ STATE_TTL('zz' = '1s') */ a, x FROM l JOIN r ON l.id = r.id;
