-- What only PostgreSQL runs: the lock of writes that come one after the other, and calls that several instances take from one
-- ledger. A call is counted and its row in held_calls is written by one statement, so that no crash can come between. Parameters may
-- be used more than once here.

-- name: lockTurn (money)
-- the name of the turn. Whoever else asks for it waits until the transaction ends.
SELECT pg_advisory_xact_lock(8453001, hashtext($1))

-- name: takeFree (count)
-- client, day, cap, instance, number → used afterwards; no row when nothing is left.
WITH taken AS (
  INSERT INTO allowance (client, day, used) VALUES ($1, $2, 1)
  ON CONFLICT (client, day) DO UPDATE SET used = allowance.used + 1 WHERE allowance.used < $3
  RETURNING client, day, used
), held AS (
  INSERT INTO held_calls (instance, number, kind, name, day) SELECT CAST($4 AS TEXT), CAST($5 AS BIGINT), 'free', client, day FROM taken
)
SELECT used FROM taken

-- name: takePassCall (count)
-- id, now, instance, number → remaining afterwards; no row when it is used up, expired or unknown.
WITH taken AS (
  UPDATE passes SET used = used + 1 WHERE id = $1 AND expires_at > $2 AND used < call_cap
  RETURNING id, call_cap - used AS remaining
), held AS (
  INSERT INTO held_calls (instance, number, kind, name, day) SELECT CAST($3 AS TEXT), CAST($4 AS BIGINT), 'pass', id, 0 FROM taken
)
SELECT remaining FROM taken

-- name: giveBackCalls (count)
-- instance, numbers as an array. Calls that are not held are left out.
WITH back AS (
  DELETE FROM held_calls WHERE instance = $1 AND number = ANY (CAST($2 AS BIGINT[])) RETURNING kind, name, day
), sums AS (
  SELECT kind, name, day, COUNT(*) AS calls FROM back GROUP BY kind, name, day
), free AS (
  UPDATE allowance SET used = GREATEST(allowance.used - sums.calls, 0) FROM sums
  WHERE sums.kind = 'free' AND allowance.client = sums.name AND allowance.day = sums.day
), pass AS (
  UPDATE passes SET used = GREATEST(passes.used - sums.calls, 0) FROM sums WHERE sums.kind = 'pass' AND passes.id = sums.name
)
SELECT COUNT(*) AS calls FROM back

-- name: listHeld (read)
-- instance → the numbers of the calls that it holds.
SELECT number FROM held_calls WHERE instance = $1

-- name: chargeHeld (count)
-- instance, numbers as an array → the numbers that were held until now.
DELETE FROM held_calls WHERE instance = $1 AND number = ANY (CAST($2 AS BIGINT[])) RETURNING number

-- name: beatInstance (count)
-- instance.
INSERT INTO instances (id, beat) VALUES ($1, 1) ON CONFLICT (id) DO UPDATE SET beat = instances.beat + 1

-- name: listInstances (read)
-- → every instance that is registered or holds calls; `beat` 0: it is not registered.
SELECT COALESCE(instances.id, holders.instance) AS id, COALESCE(instances.beat, 0) AS beat
FROM instances FULL JOIN (SELECT DISTINCT instance FROM held_calls) AS holders ON instances.id = holders.instance

-- name: giveBackDead (count)
-- instance, its last beat → how many calls it held. No row when it has given a sign of life since.
WITH alive AS (
  SELECT 1 FROM instances WHERE id = $1 AND beat <> $2
), dead AS (
  DELETE FROM instances WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM alive)
), back AS (
  DELETE FROM held_calls WHERE instance = $1 AND NOT EXISTS (SELECT 1 FROM alive) RETURNING kind, name, day
), sums AS (
  SELECT kind, name, day, COUNT(*) AS calls FROM back GROUP BY kind, name, day
), free AS (
  UPDATE allowance SET used = GREATEST(allowance.used - sums.calls, 0) FROM sums
  WHERE sums.kind = 'free' AND allowance.client = sums.name AND allowance.day = sums.day
), pass AS (
  UPDATE passes SET used = GREATEST(passes.used - sums.calls, 0) FROM sums WHERE sums.kind = 'pass' AND passes.id = sums.name
)
SELECT COUNT(*) AS calls FROM back WHERE NOT EXISTS (SELECT 1 FROM alive)
