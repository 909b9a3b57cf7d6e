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

/** Opens connections to one database. No outage ends the process, and 64-bit integers are read as numbers. */
export function openPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({ ...options, types: { getTypeParser: readType as typeof pg.types.getTypeParser } });
  // The pool listens only to idle connections, and an error without a listener would end the process. A broken connection is replaced
  // anyway: an idle one by the pool, one in use when its query fails.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Runs the work in a transaction, so that all of it happens or nothing. Rejects as the work and as pg do. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    // A connection can be used again only after an error that the server itself sent. Others are closed, which also rolls back. The error
    // that a server is read-only counts as broken too: after a failover, this connection leads to a server that will never write again.
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

/** The error code of PostgreSQL for "read_only_sql_transaction". */
const onlyReads = "25006";
const int8 = 20;

/** PostgreSQL gives 64-bit integers as text. Ours are times, counts, sizes and amounts far below 2^53, so numbers can hold them. */
function readType(oid: number, format?: "text" | "binary") {
  return oid === int8 ? Number : pg.types.getTypeParser(oid, format as "text");
}
