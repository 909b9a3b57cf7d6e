import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { inTransaction, openPool } from "../../postgres/pool.ts";
import { type LedgerDatabase, migrationsAfter, type Row, type RunSql, refuseLedger, statement } from "./database.ts";

/**
 * Opens Postgres, which several instances can share. Rejects with ServiceError `ledger_unavailable` when the server does not answer in
 * time, and with LedgerVersionError. Lost connections are opened again, and no outage ends the process. `silentMs`: after this time without
 * a word from its client, the server ends a transaction: the client's machine may be dead while others wait for rows that it locked. It is
 * less than the time for which a statement may wait.
 */
export async function openPostgres(url: string, silentMs = 4_000): Promise<LedgerDatabase> {
  const pool = openPool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 5_000,
    query_timeout: 6_000,
    idle_in_transaction_session_timeout: silentMs,
    application_name: "txgloss",
  });
  await inTransaction(pool, migrate).catch(async (cause) => {
    await pool.end();
    refuseLedger(cause);
  });

  const all: LedgerDatabase["all"] = async ({ sql, kind }, ...values) => {
    const ask = async () => (await pool.query<Row>(sql, values)).rows;
    // A failover breaks all idle connections at once, which the next queries notice. A read is simply repeated.
    return resume(ask, kind === "read" ? readAgainMs : []).catch(refuseLedger);
  };
  return {
    name: "postgres",
    all,
    first: async (asked, ...values) => (await all(asked, ...values))[0],
    // Two statements: the second one must begin after the lock is held, so that it sees what the last holder wrote.
    firstInTurn: (turn, { sql }, ...values) =>
      inTransaction(pool, async (client) => {
        await client.query(statement("lockTurn").sql, [turn]);
        return (await client.query<Row>(sql, values)).rows[0];
      }).catch(refuseLedger),
    async inOneTransaction(writes) {
      const work = async (client: pg.PoolClient) => {
        const changed: number[] = [];
        for (const write of writes)
          changed.push((await client.query(write.statement.sql, [...write.values])).rowCount ?? 0);
        return changed[0] ?? 0;
      };
      return resume(() => inTransaction(pool, work), failoverMs).catch(refuseLedger);
    },
    session: (mode, work) => runSession(pool, mode, work),
    async columnsOf(table) {
      const sql = "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema()";
      const { rows } = await pool.query<{ column_name: string }>(`${sql} AND table_name = $1`, [table]);
      return rows.map((row) => row.column_name);
    },
    close: () => pool.end(),
  };
}

async function runSession<T>(pool: pg.Pool, mode: "read" | "write", work: (run: RunSql) => Promise<T>): Promise<T> {
  let thrown: unknown;
  const begun = async (client: pg.PoolClient) => {
    // The lines of a file may come slowly.
    await client.query("SET LOCAL idle_in_transaction_session_timeout = 0");
    if (mode === "read") await client.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const run: RunSql = async (sql, values = []) =>
      (await client.query<Row>(sql, [...values]).catch(refuseLedger)).rows;
    return work(run).catch((cause: unknown) => {
      thrown = cause;
      throw cause;
    });
  };
  // An error of the work itself, such as a file that cannot be read, is no failure of the database.
  return inTransaction(pool, begun).catch((cause: unknown) => {
    if (cause === thrown) throw cause;
    return refuseLedger(cause);
  });
}

/** Milliseconds before each attempt to write after an outage. A failover takes a few seconds. */
const failoverMs = [0, 100, 200, 400, 800, 1_600, 1_600, 1_600];
/** Milliseconds before each attempt to read: long enough to find a working connection. */
const readAgainMs = [0, 10, 20, 50, 100];

/** Runs work, and tries again after each pause while the server is unreachable. An error that the server sent is not tried again. */
async function resume<T>(work: () => Promise<T>, pausesMs: readonly number[]): Promise<T> {
  for (const ms of pausesMs) {
    try {
      return await work();
    } catch (cause) {
      if (!isOutage(cause)) throw cause;
      if (ms > 0) await wait(ms);
    }
  }
  return work();
}

/** Whether the connection broke or was ended, or the server is stopping or read-only: another attempt may reach its successor. */
export function isOutage(cause: unknown): boolean {
  if (cause instanceof pg.DatabaseError) return /^(?:08|57P0[123]|25006|25P03|40)/.test(cause.code ?? "");
  return cause instanceof Error && !/timeout/i.test(cause.message);
}

/** Updates the tables. The lock makes instances that start at the same time wait for each other. */
async function migrate(client: pg.PoolClient): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(8453001)");
  await checkEncoding(client);
  await client.query("CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY)");
  const { rows } = await client.query<{ done: number }>("SELECT COALESCE(MAX(version), 0) AS done FROM migrations");
  for (const { version, steps } of migrationsAfter(rows[0]?.done ?? 0)) {
    for (const sql of steps) await client.query(sql);
    await client.query("INSERT INTO migrations (version) VALUES ($1)", [version]);
  }
}

/**
 * Rejects where the database has an encoding that cannot hold every script, because answers may have text in any. Without an encoding
 * (SQL_ASCII) it keeps bytes unchanged.
 */
async function checkEncoding(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>("SHOW server_encoding");
  for (const { server_encoding: found } of rows)
    if (found !== "UTF8" && found !== "SQL_ASCII")
      throw new Error(`expected a database with the encoding UTF8; this one has ${found}.`);
}
