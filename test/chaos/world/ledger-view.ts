import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";

/** A row about a payment, as far as the books need it. */
export interface LedgerPayment {
  nonce: string;
  product: string;
  state: string;
  reason: string | null;
  tx_hash: string | null;
  amount: bigint;
}

export interface LedgerPass {
  id: string;
  used: number;
  call_cap: number;
}

/** Reads a ledger from outside, while the service uses it. */
export interface LedgerView {
  payments(): Promise<LedgerPayment[]>;
  passes(): Promise<LedgerPass[]>;
}

/** `place`: the file of SQLite, or the URL of a PostgreSQL database. */
export function viewLedger(place: string): LedgerView {
  const select = place.startsWith("postgres:") ? selectPostgres : selectSqlite;
  return {
    payments: async () => {
      const rows = await select(place, "SELECT nonce, product, state, reason, tx_hash, amount FROM payments");
      return rows.map((row) => ({ ...row, amount: BigInt(row.amount) })) as LedgerPayment[];
    },
    passes: async () => {
      const rows = await select(place, "SELECT id, used, call_cap FROM passes");
      return rows.map(({ id, used, call_cap }) => ({ id, used: Number(used), call_cap: Number(call_cap) }));
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: columns as the database gives them.
type Rows = Record<string, any>[];

async function selectSqlite(file: string, sql: string): Promise<Rows> {
  if (!existsSync(file)) return [];
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    return database.prepare(sql).all() as Rows;
  } finally {
    database.close();
  }
}

async function selectPostgres(url: string, sql: string): Promise<Rows> {
  const client = new pg.Client({ connectionString: url, application_name: "chaos" });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
