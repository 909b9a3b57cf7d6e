import pg from "pg";

export type PoolOptions = Pick<
  pg.PoolConfig,
  | "connectionString"
  | "max"
  | "connectionTimeoutMillis"
  | "statement_timeout"
  | "query_timeout"
  | "idle_in_transaction_session_timeout"
  | "application_name"
>;

/** No outage ends the process; 64-bit integers are numbers. */
export function openPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({ ...options, types: { getTypeParser: readType as typeof pg.types.getTypeParser } });
  // An error without a listener ends the process. Broken connections are replaced: idle ones by the pool, others when their query fails.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** All or nothing. Rejects as work and pg. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    // Reuse only after the server's own error; closing rolls back. Read-only counts as broken: after a failover that server never writes
    // again.
    if (error instanceof pg.DatabaseError && error.code !== onlyReads) {
      await client.query("ROLLBACK").catch((failure: Error) => {
        broken = failure;
      });
    } else broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

/** read_only_sql_transaction. */
const onlyReads = "25006";
const int8 = 20;

/** 64-bit integers come as text; ours are far below 2^53. */
function readType(oid: number, format?: "text" | "binary") {
  return oid === int8 ? Number : pg.types.getTypeParser(oid, format as "text");
}
