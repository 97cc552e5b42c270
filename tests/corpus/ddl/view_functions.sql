-- SPDX-License-Identifier: Apache-2.0
-- modes: streaming
-- Functions without parentheses in views.
CREATE VIEW v3 AS SELECT a, CURRENT_DATE, PI FROM (VALUES (1)) AS t(a);
CREATE VIEW v5 AS SELECT a, PI FROM (VALUES (1)) AS t(a) WHERE PI > 3;
SELECT * FROM v5;
CREATE VIEW v6 AS SELECT pi, a FROM (VALUES (1)) AS t(a);
SELECT pi, current_date FROM (VALUES (1)) AS t(a) WHERE a > 5;
