import { readFileSync } from "node:fs";
import { PgBoss } from "pg-boss";
import { openPool, inTransaction as runTransaction } from "../../../serve/postgres/pool.ts";
import { BulkError } from "../bulk-error.ts";
import { jobsSchema, locks } from "./range-job.ts";

/** 64-bit integers are numbers. */
// biome-ignore lint/suspicious/noExplicitAny: columns as each statement names them.
export type BulkRow = Record<string, any>;

export type Ask = (sql: string, values?: readonly unknown[]) => Promise<{ rows: BulkRow[]; rowCount: number | null }>;

/** pg-boss and the tables of bulk runs. */
export interface BulkDatabase {
  boss: PgBoss;
  ask: Ask;
  /** `db`: for pg-boss. */
  inTransaction<T>(work: (ask: Ask, db: { executeSql: Ask }) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const tables = new URL("tables.sql", import.meta.url);

export interface DatabaseOptions {
  /** This process looks for jobs whose worker has died. */
  supervises: boolean;
}

/** Creates missing tables. Rejects as pg does, and with BulkError `foreign_tables`. */
export async function openBulkDatabase(url: string, { supervises }: DatabaseOptions): Promise<BulkDatabase> {
  const pool = openPool({
    connectionString: url,
    max: 4,
    connectionTimeoutMillis: 5_000,
    query_timeout: 60_000,
    application_name: "txgloss bulk",
  });
  const ask: Ask = (sql, values = []) => pool.query(sql, [...values]);
  const inTransaction: BulkDatabase["inTransaction"] = (work) =>
    runTransaction(pool, (client) => {
      const askInside: Ask = (sql, values) =>
        values === undefined ? client.query(sql) : client.query(sql, [...values]);
      return work(askInside, { executeSql: askInside });
    });
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

/** The lock makes processes that start together wait for each other. */
async function migrate(ask: Ask): Promise<void> {
  await ask("SELECT pg_advisory_xact_lock($1)", [locks.tables]);
  await ask(readFileSync(tables, "utf8"));
  const { rows } = await ask("SELECT max(version) AS version FROM txgloss_bulk.version");
  if (rows[0]?.version !== 1)
    throw new BulkError("foreign_tables", "The tables of bulk runs in this database are of a newer version.");
}
