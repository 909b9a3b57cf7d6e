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

/** Connections to one database. No outage ends the process, and 64-bit integers are numbers. */
export function openPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({ ...options, types: { getTypeParser: readType as typeof pg.types.getTypeParser } });
  // The pool listens to idle connections only, and an error without a listener ends the process. Every broken connection is
  // replaced: an idle one by the pool, one in use by the failure of its query.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** All of the work or nothing. Rejects as the work and as pg do. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    // Only what the server itself refused leaves a connection that can be used again. Closing the others rolls back too. One that only
    // reads is no refusal: after a failover the connection is to a server that never writes again.
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

/** "read_only_sql_transaction" among the error codes of PostgreSQL. */
const onlyReads = "25006";
const int8 = 20;

/** PostgreSQL gives 64-bit integers as text. Ours are times, counts, sizes and amounts far below 2^53. */
function readType(oid: number, format?: "text" | "binary") {
  return oid === int8 ? Number : pg.types.getTypeParser(oid, format as "text");
}
