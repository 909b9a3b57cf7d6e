-- The tables, in versions that are only ever added to. One text for both databases: BIGINT is 64 bits in each, times are Unix
-- seconds, amounts are base units of the token.

-- version 1
CREATE TABLE allowance (
  client TEXT NOT NULL,
  day BIGINT NOT NULL,
  used BIGINT NOT NULL,
  PRIMARY KEY (client, day)
);

CREATE TABLE payments (
  key TEXT PRIMARY KEY,
  product TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('settling', 'settled', 'failed')),
  payer TEXT NOT NULL,
  nonce TEXT NOT NULL,
  pay_to TEXT NOT NULL,
  amount BIGINT NOT NULL,
  valid_before BIGINT NOT NULL,
  answer TEXT NOT NULL,
  opened_at BIGINT NOT NULL,
  closed_at BIGINT,
  tx_hash TEXT,
  reason TEXT
);

CREATE INDEX payments_by_state ON payments (state, valid_before);

CREATE TABLE passes (
  id TEXT PRIMARY KEY,
  token_hash TEXT NOT NULL,
  payment_key TEXT NOT NULL UNIQUE REFERENCES payments (key),
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  call_cap BIGINT NOT NULL,
  used BIGINT NOT NULL
);

-- version 2
-- The instances that share this ledger. Each one raises its number while it lives.
CREATE TABLE instances (
  id TEXT PRIMARY KEY,
  beat BIGINT NOT NULL
);

-- Calls that an instance has taken and not answered yet. They are counted in `used` already.
CREATE TABLE held_calls (
  instance TEXT NOT NULL,
  number BIGINT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('free', 'pass')),
  name TEXT NOT NULL,
  day BIGINT NOT NULL,
  PRIMARY KEY (instance, number)
);

-- version 3
-- The state machine of a payment (docs/charging.md). opened_block: the newest block that was known when the row was opened.
-- confirmed_at: since when the row is decided for good. attempts: how often it was sent, or may have been. beat: counts up while
-- somebody works on it. senders: wallets of ours that may have sent it, or '*' where a facilitator elsewhere was asked.
ALTER TABLE payments ADD COLUMN opened_block BIGINT;
ALTER TABLE payments ADD COLUMN confirmed_at BIGINT;
ALTER TABLE payments ADD COLUMN attempts BIGINT NOT NULL DEFAULT 2;
ALTER TABLE payments ADD COLUMN beat BIGINT NOT NULL DEFAULT 0;
ALTER TABLE payments ADD COLUMN senders TEXT NOT NULL DEFAULT '*';

CREATE INDEX payments_by_payer ON payments (payer, state);
CREATE INDEX payments_to_confirm ON payments (state, confirmed_at);

-- version 4
-- Who may have the pass (../payment/claim.ts): a keyed hash of the client that opened the row.
ALTER TABLE payments ADD COLUMN buyer TEXT;

-- version 5
-- A payment for a batch (../payment/credit.ts): how many lines it pays for, and the ones that it has bought.
ALTER TABLE payments ADD COLUMN lines BIGINT;

CREATE TABLE bought_lines (
  payment_key TEXT NOT NULL REFERENCES payments (key),
  request TEXT NOT NULL,
  answer TEXT NOT NULL,
  bought_at BIGINT NOT NULL,
  PRIMARY KEY (payment_key, request)
);

-- version 6
-- The SHA-256 hash of a secret of the buyer, with which alone the purchase is given again (../payment/claim.ts).
ALTER TABLE payments ADD COLUMN claim_key TEXT;
-- The second after which the answer is dropped, because it tells what somebody pasted.
ALTER TABLE payments ADD COLUMN answer_until BIGINT;
CREATE INDEX payments_to_forget ON payments (answer_until)
