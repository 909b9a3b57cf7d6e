import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { TestPostgres } from "../../support/postgres.ts";
import { sleep } from "./progress.ts";

/** What an operator, or an accident, can do to a database server. */
export type PostgresControl = Awaited<ReturnType<typeof controlPostgres>>;

/** `url`: any database of the server. */
export async function controlPostgres(server: TestPostgres, url: string) {
  const [{ data_directory: data }] = await run(url, "SHOW data_directory");
  const pidFile = join(data, "postmaster.pid");
  // The process id of the server. The server starts one more process for each connection.
  const readPid = () => Number(readFileSync(pidFile, "utf8").split("\n")[0]);
  const readPids = () => {
    const pid = readPid();
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
    return [pid, ...children.map(Number)];
  };
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of readPids()) process.kill(pid, signal);
  };
  return {
    /** Of the server; its other processes are its children. */
    pid: readPid,
    /** Cuts off all clients and ends the server. */
    stop: () => server.stop(),
    start: () => server.restart(),
    /** Kills all processes of the server at once. At the next start it recovers from its log. */
    async killAll(): Promise<void> {
      signalAll("SIGKILL");
      await sleep(500);
      rmSync(pidFile, { force: true });
    },
    freeze: () => signalAll("SIGSTOP"),
    thaw: () => signalAll("SIGCONT"),
    /** Ends all connections to this database, as a failover does. */
    async terminateBackends(): Promise<void> {
      const others = "datname = current_database() AND pid <> pg_backend_pid()";
      await run(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`);
    },
    /** Refuses writes for new connections. */
    async setReadOnly(readOnly: boolean): Promise<void> {
      const name = new URL(url).pathname.slice(1);
      const change = readOnly ? "SET default_transaction_read_only = on" : "RESET default_transaction_read_only";
      await run(url, `ALTER DATABASE ${name} ${change}`, "-c default_transaction_read_only=off");
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: columns as the database gives them.
async function run(connectionString: string, sql: string, options = ""): Promise<any> {
  const client = new pg.Client({ connectionString, options, application_name: "chaos" });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
