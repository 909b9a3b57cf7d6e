import type { Statement } from "./database.ts";

// Every decision that must be atomic (is one left? is it mine?) is made inside one statement, so that it holds between
// requests, processes and machines alike.

/** client, day, cap → used afterwards; no row when nothing is left. */
export const takeFree = counting(`
  INSERT INTO allowance (client, day, used) VALUES ($1, $2, 1)
  ON CONFLICT (client, day) DO UPDATE SET used = allowance.used + 1 WHERE allowance.used < $3
  RETURNING used`);

/** client, day → used afterwards. */
export const giveBackFree = counting(`
  UPDATE allowance SET used = used - 1 WHERE client = $1 AND day = $2 AND used > 0 RETURNING used`);

/** client, day → used. */
export const readFree = reading("SELECT used FROM allowance WHERE client = $1 AND day = $2");

/** first day to keep. */
export const dropFree = counting("DELETE FROM allowance WHERE day < $1");

/** id, now → remaining afterwards; no row when it is used up, expired or unknown. */
export const takePassCall = counting(`
  UPDATE passes SET used = used + 1 WHERE id = $1 AND expires_at > $2 AND used < call_cap
  RETURNING call_cap - used AS remaining`);

/** id → remaining afterwards. */
export const giveBackPassCall = counting(`
  UPDATE passes SET used = used - 1 WHERE id = $1 AND used > 0 RETURNING call_cap - used AS remaining`);

export const findPass = reading("SELECT * FROM passes WHERE id = $1");

export const findPassOf = reading("SELECT * FROM passes WHERE payment_key = $1");

export const findPayment = reading("SELECT * FROM payments WHERE key = $1");

/** A row of its own, or a failed one of the same request again; no row when somebody else has it. */
export const openPayment = durable(`
  INSERT INTO payments
    (key, product, fingerprint, state, payer, nonce, pay_to, amount, valid_before, answer, opened_at)
  VALUES ($1, $2, $3, 'settling', $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (key) DO UPDATE
    SET state = 'settling', answer = excluded.answer, opened_at = excluded.opened_at, closed_at = NULL, reason = NULL
    WHERE payments.state = 'failed' AND payments.fingerprint = excluded.fingerprint
  RETURNING key`);

/** transaction, now, key. A failed row too: the chain has the last word. */
export const settlePayment = durable(`
  UPDATE payments SET state = 'settled', tx_hash = $1, closed_at = $2, reason = NULL
  WHERE key = $3 AND state <> 'settled'`);

/** reason, now, key. */
export const failPayment = durable(`
  UPDATE payments SET state = 'failed', reason = $1, closed_at = $2 WHERE key = $3 AND state = 'settling'`);

/** id, token hash, now, expiry, calls, payment key. Only for a settled payment, and once. */
export const activatePass = durable(`
  INSERT INTO passes (id, token_hash, payment_key, created_at, expires_at, call_cap, used)
  SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), key, CAST($3 AS BIGINT), CAST($4 AS BIGINT), CAST($5 AS BIGINT), 0
  FROM payments WHERE key = $6 AND state = 'settled'
  ON CONFLICT DO NOTHING`);

/** opened before, still payable after. Failed rows stay of interest while their authorization could yet be used. */
export const listOpen = reading(`
  SELECT * FROM payments
  WHERE (state = 'settling' AND opened_at <= $1) OR (state = 'failed' AND valid_before > $2)
  ORDER BY opened_at, key LIMIT 500`);

export const listPayments = reading(`
  SELECT key, product, fingerprint, state, payer, nonce, pay_to, amount, valid_before, '' AS answer, opened_at, closed_at, tx_hash, reason
  FROM payments ORDER BY opened_at DESC, key LIMIT $1`);

export const listPasses = reading("SELECT * FROM passes ORDER BY created_at DESC, id LIMIT $1");

export const countPayments = reading(`
  SELECT product, state, COUNT(*) AS payments, CAST(SUM(amount) AS BIGINT) AS amount
  FROM payments GROUP BY product, state ORDER BY product, state`);

export const ping = reading("SELECT 1 AS one");

function reading(sql: string): Statement {
  return { sql, kind: "read" };
}

function counting(sql: string): Statement {
  return { sql, kind: "count" };
}

function durable(sql: string): Statement {
  return { sql, kind: "money" };
}
