import { readFileSync } from "node:fs";
import pg from "pg";
import { PgBoss } from "pg-boss";
import { BulkError } from "../bulk-error.ts";
import { jobsSchema, locks } from "./names.ts";

/** A row as PostgreSQL gives it; 64-bit integers are numbers. */
// biome-ignore lint/suspicious/noExplicitAny: columns as each statement names them.
export type BulkRow = Record<string, any>;

/** Asks inside one transaction. */
export type Ask = (sql: string, values?: readonly unknown[]) => Promise<{ rows: BulkRow[]; rowCount: number | null }>;

/** The jobs of pg-boss and the tables of this room, in one database. */
export interface BulkDatabase {
  boss: PgBoss;
  ask: Ask;
  /** Everything or nothing. `db` lets pg-boss take part. */
  inTransaction<T>(work: (ask: Ask, db: { executeSql: Ask }) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const tables = new URL("tables.sql", import.meta.url);

export interface DatabaseOptions {
  /** Whether this process looks for jobs whose worker is gone. */
  supervises: boolean;
}

/** Connects, and makes what is missing. Rejects as pg does, and with BulkError `foreign_tables`. */
export async function openBulkDatabase(url: string, { supervises }: DatabaseOptions): Promise<BulkDatabase> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 4,
    connectionTimeoutMillis: 5_000,
    query_timeout: 60_000,
    application_name: "txgloss bulk",
    types: { getTypeParser: readType as typeof pg.types.getTypeParser },
  });
  // An error without a listener ends the process; what it broke fails by itself.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const ask: Ask = (sql, values = []) => pool.query(sql, [...values]);
  const inTransaction: BulkDatabase["inTransaction"] = (work) => runTransaction(pool, work);
  const boss = new PgBoss({
    ...{ connectionString: url, schema: jobsSchema, application_name: "txgloss bulk", max: 2 },
    ...{ schedule: false, registerInstance: false, supervise: supervises },
    ...{ superviseIntervalSeconds: 3, monitorIntervalSeconds: 3 },
  });
  boss.on("error", () => {});
  try {
    await inTransaction(migrate);
    await boss.start();
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    await pool.end();
    throw error;
  }
  return {
    ...{ boss, ask, inTransaction },
    async close() {
      await boss.stop({ graceful: false }).catch(() => {});
      await pool.end();
    },
  };
}

/** The lock makes processes that start at the same time wait for one another. */
async function migrate(ask: Ask): Promise<void> {
  await ask("SELECT pg_advisory_xact_lock($1)", [locks.tables]);
  await ask(readFileSync(tables, "utf8"));
  const { rows } = await ask("SELECT max(version) AS version FROM txgloss_bulk.version");
  if (rows[0]?.version !== 1)
    throw new BulkError("foreign_tables", "The tables of bulk runs in this database are of a newer version.");
}

async function runTransaction<T>(pool: pg.Pool, work: (ask: Ask, db: { executeSql: Ask }) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const ask: Ask = (sql, values) => (values === undefined ? client.query(sql) : client.query(sql, [...values]));
    await client.query("BEGIN");
    const result = await work(ask, { executeSql: ask });
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

/** PostgreSQL gives 64-bit integers as text. Ours are block numbers, counts and sizes far below 2^53. */
function readType(oid: number, format?: "text" | "binary") {
  return oid === int8 ? Number : pg.types.getTypeParser(oid, format as "text");
}
