-- SPDX-License-Identifier: Apache-2.0
-- Payments in euros, at the rate of the time of the payment; none was known for some.
SELECT payment_id, p.currency, CAST(p.amount * r.rate AS DECIMAL(10, 2)) AS euros
FROM payments AS p
LEFT JOIN rates FOR SYSTEM_TIME AS OF p.paid_at AS r ON p.currency = r.currency;
