import pg from "pg";
import { type LedgerDatabase, migrations, type Row, refuseLedger } from "./database.ts";

/**
 * Postgres, which several instances can share. Rejects with ServiceError `ledger_unavailable` when the server does not answer in
 * time. Lost connections are opened again.
 */
export async function openPostgres(url: string): Promise<LedgerDatabase> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 5_000,
    query_timeout: 6_000,
    application_name: "txgloss",
    types: { getTypeParser: readType as typeof pg.types.getTypeParser },
  });
  // An idle connection that breaks is replaced at the next query. Without a listener the error would end the process.
  pool.on("error", () => {});
  await inTransaction(pool, migrate).catch(async (cause) => {
    await pool.end();
    refuseLedger(cause);
  });

  const all: LedgerDatabase["all"] = async ({ sql }, ...values) =>
    (await pool.query<Row>(sql, values).catch(refuseLedger)).rows;
  return {
    name: "postgres",
    all,
    first: async (statement, ...values) => (await all(statement, ...values))[0],
    async inOneTransaction(writes) {
      const work = async (client: pg.PoolClient) => {
        const changed: number[] = [];
        for (const { statement, values } of writes)
          changed.push((await client.query(statement.sql, [...values])).rowCount ?? 0);
        return changed[0] ?? 0;
      };
      return inTransaction(pool, work).catch(refuseLedger);
    },
    close: () => pool.end(),
  };
}

/** The lock makes instances that start at the same time wait for one another. */
async function migrate(client: pg.PoolClient): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(8453001)");
  await client.query("CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY)");
  const { rows } = await client.query<{ done: number }>("SELECT COUNT(*) AS done FROM migrations");
  const done = rows[0]?.done ?? 0;
  for (const [index, step] of migrations.entries()) {
    if (index < done) continue;
    for (const sql of step) await client.query(sql);
    await client.query("INSERT INTO migrations (version) VALUES ($1)", [index + 1]);
  }
}

async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

const int8 = 20;

/** Postgres gives 64-bit integers as text. Ours are times, counts and amounts far below 2^53. */
function readType(oid: number, format?: "text" | "binary") {
  return oid === int8 ? Number : pg.types.getTypeParser(oid, format as "text");
}
