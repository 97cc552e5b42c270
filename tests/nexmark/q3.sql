-- SPDX-License-Identifier: Apache-2.0
-- Who in three states sells in category 10: a filtered join without end.
CREATE TABLE sink (name STRING, city STRING, state STRING, id BIGINT) WITH (${SINK});
INSERT INTO sink
SELECT p.name, p.city, p.state, a.id
FROM auction AS a
JOIN person AS p ON a.seller = p.id
WHERE a.category = 10 AND p.state IN ('OR', 'ID', 'CA');
