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
