-- Every decision that must be atomic (is one left? is it mine?) is made inside one statement, so that it holds between requests,
-- processes and machines alike. Parameters are $1, $2, …, each used exactly once and in order. The kinds are those of SqlStatement.

-- name: chargeFree (count)
-- client, day, calls.
INSERT INTO allowance (client, day, used) VALUES ($1, $2, $3)
ON CONFLICT (client, day) DO UPDATE SET used = allowance.used + excluded.used

-- name: readFree (read)
-- client, day → used.
SELECT used FROM allowance WHERE client = $1 AND day = $2

-- name: dropFree (count)
-- first day to keep.
DELETE FROM allowance WHERE day < $1

-- name: chargePass (count)
-- calls, id.
UPDATE passes SET used = used + $1 WHERE id = $2

-- name: findPass (read)
SELECT * FROM passes WHERE id = $1

-- name: findPassOf (read)
SELECT * FROM passes WHERE payment_key = $1

-- name: findPayment (read)
SELECT * FROM payments WHERE key = $1

-- name: openPayment (money)
-- A row of its own, or one of the same request that was never sent, with what is signed now; no row when somebody else has it, or
-- when the payer's balance (the last parameter) does not cover it beside his other payments under way. A sender is added once: it is
-- new where taking the word out changes nothing.
INSERT INTO payments
  (key, product, fingerprint, state, payer, nonce, pay_to, amount, valid_before, answer, opened_at, opened_block, attempts, senders,
   buyer, lines, claim_key, answer_until)
SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), 'settling', CAST($4 AS TEXT), CAST($5 AS TEXT), CAST($6 AS TEXT),
  CAST($7 AS BIGINT), CAST($8 AS BIGINT), CAST($9 AS TEXT), CAST($10 AS BIGINT), CAST($11 AS BIGINT), 1, CAST($12 AS TEXT),
  CAST($13 AS TEXT), CAST($14 AS BIGINT), CAST($15 AS TEXT), CAST($16 AS BIGINT)
WHERE (SELECT COALESCE(SUM(amount), 0) FROM payments WHERE payer = $17 AND state = 'settling')
  <= CAST($18 AS BIGINT)
ON CONFLICT (key) DO UPDATE
  SET state = 'settling', pay_to = excluded.pay_to, amount = excluded.amount, valid_before = excluded.valid_before,
    answer = excluded.answer, opened_at = excluded.opened_at, opened_block = excluded.opened_block,
    senders = CASE WHEN REPLACE(' ' || payments.senders || ' ', ' ' || excluded.senders || ' ', '') = ' ' || payments.senders || ' '
      THEN payments.senders || ' ' || excluded.senders ELSE payments.senders END,
    beat = payments.beat + 1, closed_at = NULL, reason = NULL, buyer = excluded.buyer, lines = excluded.lines,
    claim_key = excluded.claim_key, answer_until = excluded.answer_until
  WHERE payments.state = 'failed' AND payments.confirmed_at IS NULL AND payments.fingerprint = excluded.fingerprint
RETURNING key

-- name: lockPayment (money)
-- key. Whoever else buys with this payment waits until the transaction ends.
UPDATE payments SET lines = lines WHERE key = $1

-- name: buyLine (money)
-- request, answer, now, payment key. After lockPayment: while the settled payment has credit, and once for each request.
INSERT INTO bought_lines (payment_key, request, answer, bought_at)
SELECT key, CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS BIGINT) FROM payments
WHERE key = $4 AND state = 'settled' AND (SELECT COUNT(*) FROM bought_lines WHERE payment_key = payments.key) < lines
ON CONFLICT DO NOTHING

-- name: findLine (read)
-- payment key, request.
SELECT answer FROM bought_lines WHERE payment_key = $1 AND request = $2

-- name: listLines (read)
-- payment key.
SELECT request FROM bought_lines WHERE payment_key = $1

-- name: takeOver (money)
-- wallet, wallet, key, beat as it was seen → beat afterwards; no row when somebody works on it, or when it is closed.
UPDATE payments SET attempts = attempts + 1, beat = beat + 1,
  senders = CASE WHEN REPLACE(' ' || senders || ' ', ' ' || CAST($1 AS TEXT) || ' ', '') = ' ' || senders || ' '
    THEN senders || ' ' || CAST($2 AS TEXT) ELSE senders END
WHERE key = $3 AND beat = $4 AND state = 'settling' RETURNING beat

-- name: beat (count)
-- key.
UPDATE payments SET beat = beat + 1 WHERE key = $1 AND state = 'settling'

-- name: settlePayment (money)
-- transaction, now, key. A failed row too: the chain has the last word.
UPDATE payments SET state = 'settled', tx_hash = $1, closed_at = $2, confirmed_at = NULL, reason = NULL
WHERE key = $3 AND state <> 'settled'

-- name: confirmPayment (money)
-- transaction, now, key.
UPDATE payments SET tx_hash = $1, confirmed_at = $2 WHERE key = $3 AND state = 'settled' AND confirmed_at IS NULL

-- name: undoPayment (money)
-- key. A reorganization took the transfer back.
UPDATE payments SET state = 'settling', tx_hash = NULL, closed_at = NULL, attempts = attempts + 1
WHERE key = $1 AND state = 'settled' AND confirmed_at IS NULL

-- name: dropPayment (money)
-- reason, now, key. Only what was never sent.
UPDATE payments SET state = 'failed', reason = $1, closed_at = $2 WHERE key = $3 AND state = 'settling' AND attempts = 1

-- name: losePayment (money)
-- reason, now, now, key. The chain can never take it.
UPDATE payments SET state = 'failed', reason = $1, closed_at = $2, confirmed_at = $3
WHERE key = $4 AND state <> 'settled' AND confirmed_at IS NULL

-- name: dropAnswers (count)
-- from, to (Unix seconds). What nobody can pay for any more needs no answer: it may be large, and costs its sender nothing.
UPDATE payments SET answer = ''
WHERE state = 'failed' AND valid_before >= $1 AND valid_before < $2 AND product = 'explain' AND answer <> ''

-- name: dropUnsent (count)
-- Unix seconds. Payments that were never sent, and cannot be any more since then: they cost their sender nothing, so they would fill the
-- disk.
DELETE FROM payments
WHERE state = 'failed' AND valid_before < $1 AND attempts = 1 AND confirmed_at IS NULL AND tx_hash IS NULL AND senders <> '*'

-- name: dropPasted (count)
-- from, to (Unix seconds). Answers that tell what somebody pasted. Of a settled payment it is made again when the payment is sent again.
UPDATE payments SET answer = '' WHERE answer_until >= $1 AND answer_until < $2 AND state <> 'settling' AND answer <> ''

-- name: giveAnswer (money)
-- answer, until (of one that is dropped), key. For a settled payment whose answer was dropped.
UPDATE payments SET answer = $1, answer_until = CASE WHEN answer_until IS NULL THEN NULL ELSE CAST($2 AS BIGINT) END
WHERE key = $3 AND state = 'settled' AND answer = ''

-- name: endPass (money)
-- now, now, payment key. The pass of a payment that is lost.
UPDATE passes SET expires_at = $1 WHERE expires_at > $2
  AND payment_key = (SELECT key FROM payments WHERE key = $3 AND state = 'failed' AND confirmed_at IS NOT NULL)

-- name: activatePass (money)
-- id, token hash, now, expiry, calls, payment key. Only for a settled payment, and once.
INSERT INTO passes (id, token_hash, payment_key, created_at, expires_at, call_cap, used)
SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), key, CAST($3 AS BIGINT), CAST($4 AS BIGINT), CAST($5 AS BIGINT), 0
FROM payments WHERE key = $6 AND state = 'settled'
ON CONFLICT DO NOTHING

-- name: renewPass (money)
-- token hash, payment key → the pass. Its token of before is good for nothing any more.
UPDATE passes SET token_hash = $1 WHERE payment_key = $2 RETURNING *

-- name: revivePass (money)
-- expiry, now, payment key. A pass that was ended because endpoints said that its payment was lost.
UPDATE passes SET expires_at = $1 WHERE expires_at <= $2
  AND payment_key = (SELECT key FROM payments WHERE key = $3 AND state = 'settled')

-- name: hasOpen (read)
-- payer, block: a row where a payment of his was opened before it or at it, and is open.
SELECT 1 AS one FROM payments WHERE payer = $1 AND state = 'settling' AND (opened_block IS NULL OR opened_block <= $2) LIMIT 1

-- name: listOpen (read)
-- block, now: what was opened before it or at it, or cannot be used any more (an endpoint may have told a block that is still to come),
-- the newest first. Answers may be large and are left out, but for the terms of passes.
SELECT key, product, fingerprint, state, payer, nonce, pay_to, amount, valid_before,
  CASE product WHEN 'pass' THEN answer ELSE '' END AS answer, opened_at, closed_at, tx_hash, reason, opened_block, confirmed_at,
  attempts, beat, senders, buyer, lines, claim_key, answer_until
FROM payments
WHERE state = 'settling' AND (opened_block IS NULL OR opened_block <= $1 OR valid_before < $2)
ORDER BY opened_block DESC, key LIMIT 500

-- name: listUnconfirmed (read)
-- block: what was opened before it or at it, the oldest first, without answers as before.
SELECT key, product, fingerprint, state, payer, nonce, pay_to, amount, valid_before,
  CASE product WHEN 'pass' THEN answer ELSE '' END AS answer, opened_at, closed_at, tx_hash, reason, opened_block, confirmed_at,
  attempts, beat, senders, buyer, lines, claim_key, answer_until
FROM payments
WHERE state = 'settled' AND confirmed_at IS NULL AND (opened_block IS NULL OR opened_block <= $1)
ORDER BY opened_block, key LIMIT 500

-- name: listPayments (read)
SELECT key, product, fingerprint, state, payer, nonce, pay_to, amount, valid_before, '' AS answer, opened_at, closed_at, tx_hash, reason,
  opened_block, confirmed_at, attempts, beat, senders, buyer, lines, claim_key, answer_until
FROM payments ORDER BY opened_at DESC, key LIMIT $1

-- name: listPasses (read)
SELECT * FROM passes ORDER BY created_at DESC, id LIMIT $1

-- name: countPayments (read)
SELECT product, state, COUNT(*) AS payments, CAST(SUM(amount) AS BIGINT) AS amount
FROM payments GROUP BY product, state ORDER BY product, state

-- name: touch (money)
-- Writes something, as a payment does.
INSERT INTO instances (id, beat) VALUES ('touch', 1) ON CONFLICT (id) DO UPDATE SET beat = instances.beat + 1

-- name: ping (read)
SELECT 1 AS one
