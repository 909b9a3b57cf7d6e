-- Every decision that must be atomic (is one left? is it mine?) is made inside one statement, so that it holds between requests,
-- processes and machines alike. Parameters are $1, $2, …, each used exactly once and in order. The kinds are those of SqlStatement.

-- name: takeFree (count)
-- client, day, cap → used afterwards; no row when nothing is left.
INSERT INTO allowance (client, day, used) VALUES ($1, $2, 1)
ON CONFLICT (client, day) DO UPDATE SET used = allowance.used + 1 WHERE allowance.used < $3
RETURNING used

-- name: giveBackFree (count)
-- client, day → used afterwards.
UPDATE allowance SET used = used - 1 WHERE client = $1 AND day = $2 AND used > 0 RETURNING used

-- name: readFree (read)
-- client, day → used.
SELECT used FROM allowance WHERE client = $1 AND day = $2

-- name: dropFree (count)
-- first day to keep.
DELETE FROM allowance WHERE day < $1

-- name: takePassCall (count)
-- id, now → remaining afterwards; no row when it is used up, expired or unknown.
UPDATE passes SET used = used + 1 WHERE id = $1 AND expires_at > $2 AND used < call_cap
RETURNING call_cap - used AS remaining

-- name: giveBackPassCall (count)
-- id → remaining afterwards.
UPDATE passes SET used = used - 1 WHERE id = $1 AND used > 0 RETURNING call_cap - used AS remaining

-- name: findPass (read)
SELECT * FROM passes WHERE id = $1

-- name: findPassOf (read)
SELECT * FROM passes WHERE payment_key = $1

-- name: findPayment (read)
SELECT * FROM payments WHERE key = $1

-- name: openPayment (money)
-- A row of its own, or a failed one of the same request again; no row when somebody else has it.
INSERT INTO payments
  (key, product, fingerprint, state, payer, nonce, pay_to, amount, valid_before, answer, opened_at)
VALUES ($1, $2, $3, 'settling', $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (key) DO UPDATE
  SET state = 'settling', answer = excluded.answer, opened_at = excluded.opened_at, closed_at = NULL, reason = NULL
  WHERE payments.state = 'failed' AND payments.fingerprint = excluded.fingerprint
RETURNING key

-- name: settlePayment (money)
-- transaction, now, key. A failed row too: the chain has the last word.
UPDATE payments SET state = 'settled', tx_hash = $1, closed_at = $2, reason = NULL
WHERE key = $3 AND state <> 'settled'

-- name: failPayment (money)
-- reason, now, key.
UPDATE payments SET state = 'failed', reason = $1, closed_at = $2 WHERE key = $3 AND state = 'settling'

-- name: activatePass (money)
-- id, token hash, now, expiry, calls, payment key. Only for a settled payment, and once.
INSERT INTO passes (id, token_hash, payment_key, created_at, expires_at, call_cap, used)
SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), key, CAST($3 AS BIGINT), CAST($4 AS BIGINT), CAST($5 AS BIGINT), 0
FROM payments WHERE key = $6 AND state = 'settled'
ON CONFLICT DO NOTHING

-- name: listOpen (read)
-- opened before, still payable after. Failed rows stay of interest while their authorization could yet be used.
SELECT * FROM payments
WHERE (state = 'settling' AND opened_at <= $1) OR (state = 'failed' AND valid_before > $2)
ORDER BY opened_at, key LIMIT 500

-- name: listPayments (read)
SELECT key, product, fingerprint, state, payer, nonce, pay_to, amount, valid_before, '' AS answer, opened_at, closed_at, tx_hash, reason
FROM payments ORDER BY opened_at DESC, key LIMIT $1

-- name: listPasses (read)
SELECT * FROM passes ORDER BY created_at DESC, id LIMIT $1

-- name: countPayments (read)
SELECT product, state, COUNT(*) AS payments, CAST(SUM(amount) AS BIGINT) AS amount
FROM payments GROUP BY product, state ORDER BY product, state

-- name: ping (read)
SELECT 1 AS one
