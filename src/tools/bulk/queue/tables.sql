CREATE SCHEMA IF NOT EXISTS txgloss_bulk;

-- `owner` stands in each folder of parts, so that no other database takes its files for leftovers.
CREATE TABLE IF NOT EXISTS txgloss_bulk.version (version INTEGER PRIMARY KEY, owner UUID NOT NULL DEFAULT gen_random_uuid());
INSERT INTO txgloss_bulk.version (version) VALUES (1) ON CONFLICT DO NOTHING;

-- What can be read. A file that is not here is no data.
CREATE TABLE IF NOT EXISTS txgloss_bulk.part (
  name TEXT PRIMARY KEY,
  first_block BIGINT NOT NULL,
  last_block BIGINT NOT NULL,
  format TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  rows BIGINT NOT NULL,
  -- A Bloom filter of everything that a rule could be about.
  holds BYTEA NOT NULL,
  made_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

-- Ranges of blocks by ruleset. Those of one ruleset and format do not overlap. part is null until the range is done.
CREATE TABLE IF NOT EXISTS txgloss_bulk.range (
  ruleset TEXT NOT NULL,
  format TEXT NOT NULL,
  first_block BIGINT NOT NULL,
  last_block BIGINT NOT NULL,
  traces BOOLEAN NOT NULL,
  state BOOLEAN NOT NULL,
  job UUID,
  part TEXT REFERENCES txgloss_bulk.part (name),
  PRIMARY KEY (ruleset, format, first_block)
);

-- What the files of a ruleset say, so that a later ruleset can be compared.
CREATE TABLE IF NOT EXISTS txgloss_bulk.ruleset (
  ruleset TEXT PRIMARY KEY,
  files JSONB NOT NULL,
  planned_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
