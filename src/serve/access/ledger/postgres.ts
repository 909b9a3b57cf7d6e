import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { inTransaction, openPool } from "../../postgres/pool.ts";
import { type LedgerDatabase, migrationsAfter, type Row, type RunSql, refuseLedger, statement } from "./database.ts";

/**
 * Several instances can share it. Rejects with ServiceError `ledger_unavailable` and LedgerVersionError. No outage ends the process.
 * `silentMs`: then the server ends the transaction of a silent client, whose machine may be dead while it holds rows; less than a statement
 * may wait.
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
    // A failover breaks idle connections; reads repeat.
    return resume(ask, kind === "read" ? readAgainMs : []).catch(refuseLedger);
  };
  return {
    name: "postgres",
    all,
    first: async (asked, ...values) => (await all(asked, ...values))[0],
    // The second statement must begin under the lock, to see the last holder's writes.
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
    // Lines may come slowly.
    await client.query("SET LOCAL idle_in_transaction_session_timeout = 0");
    if (mode === "read") await client.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const run: RunSql = async (sql, values = []) =>
      (await client.query<Row>(sql, [...values]).catch(refuseLedger)).rows;
    return work(run).catch((cause: unknown) => {
      thrown = cause;
      throw cause;
    });
  };
  // The work's own error is no database failure.
  return inTransaction(pool, begun).catch((cause: unknown) => {
    if (cause === thrown) throw cause;
    return refuseLedger(cause);
  });
}

/** Ms before each write attempt; a failover takes seconds. */
const failoverMs = [0, 100, 200, 400, 800, 1_600, 1_600, 1_600];
/** Ms before each read attempt. */
const readAgainMs = [0, 10, 20, 50, 100];

/** While unreachable; an error of the server is final. */
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

/** Broken, ended, stopping or read-only: a successor may answer. */
export function isOutage(cause: unknown): boolean {
  if (cause instanceof pg.DatabaseError) return /^(?:08|57P0[123]|25006|25P03|40)/.test(cause.code ?? "");
  return cause instanceof Error && !/timeout/i.test(cause.message);
}

/** Under a lock: instances may start together. */
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

/** Answers may have any script. SQL_ASCII leaves bytes unchanged. */
async function checkEncoding(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>("SHOW server_encoding");
  for (const { server_encoding: found } of rows)
    if (found !== "UTF8" && found !== "SQL_ASCII")
      throw new Error(`expected a database with the encoding UTF8; this one has ${found}.`);
}
