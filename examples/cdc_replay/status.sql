-- SPDX-License-Identifier: Apache-2.0
-- How many orders are in which state, and their worth: corrected with every change.
SELECT status, COUNT(*) AS orders, SUM(amount) AS amount FROM orders GROUP BY status;
