import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { assert } from "../../../kernel/error.ts";
import { andThen, type MaybePromise } from "../../../kernel/maybe-promise.ts";
import {
  type Cell,
  type LedgerDatabase,
  migrationsAfter,
  type Row,
  type RunSql,
  refuseLedger,
  type SqlStatement,
  schemaVersion,
} from "./database.ts";
import { commitTogether, loadSqlite, Prepared } from "./sqlite-connection.ts";
import { isLocked, nameFailure } from "./sqlite-error.ts";

/**
 * For a SQLite file that others may lock: at once if free, else retried for `waitMs`. SQLite's own waiting would block the process. Rejects
 * with the last error.
 */
export function createLockWait(waitMs: number) {
  async function tryAgain<T>(work: () => T): Promise<T> {
    const end = performance.now() + waitMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      try {
        return work();
      } catch (cause) {
        if (!isLocked(cause) || performance.now() >= end) throw cause;
      }
    }
  }

  return <T>(work: () => T): MaybePromise<T> => {
    try {
      return work();
    } catch (cause) {
      if (!isLocked(cause)) throw cause;
      return tryAgain(work);
    }
  };
}

const firstPauseMs = 2;
const longestPauseMs = 50;

/**
 * One file in `directory`. Two connections, as `synchronous` is set for each: payments wait for the disk, counts do not. A machine crash
 * may lose the last free or pass calls, never a payment. `waitMs`: for another program's lock. Rejects with NoSqliteError.
 */
export async function openSqlite(directory: string, waitMs = 5_000): Promise<LedgerDatabase> {
  const Database = loadSqlite();
  makeFolder(directory);
  // Never read as a `file:` URI.
  const file = resolve(directory, ledgerFile);
  const whenFree = createLockWait(waitMs);
  const opened: DatabaseSync[] = [];
  const connect = async (synchronous: "NORMAL" | "FULL") => {
    const connection = new Database(file);
    opened.push(connection);
    await whenFree(() => prepareConnection(connection, synchronous));
    return connection;
  };
  const close = () => {
    for (const connection of opened) if (connection.isOpen) connection.close();
  };
  try {
    const connections = { counts: await connect("NORMAL"), money: await connect("FULL") };
    await whenFree(() => migrate(connections.money));
    return { ...createDriver(connections, { whenFree, checkPlace: watchPlace(file) }), close };
  } catch (cause) {
    close();
    return refuse(cause);
  }
}

function refuse(cause: unknown): never {
  return refuseLedger(nameFailure(cause));
}

/** Node's own way never ends below folders such as /proc. */
function makeFolder(path: string): void {
  const isThere = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Made by another process meanwhile.
    if (!isThere()) throw error;
  }
}

/** Throws if the open file was replaced or removed: SQLite would go on in a nameless file, lost at a restart. */
function watchPlace(file: string): () => void {
  const identify = () =>
    [file, `${file}-wal`].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino).join();
  const opened = identify();
  return () => {
    if (identify() !== opened) throw new Error("the file of the ledger was removed or replaced");
  };
}

interface Connections {
  /** Also for reads. */
  counts: DatabaseSync;
  money: DatabaseSync;
}

interface DriverOptions {
  whenFree: ReturnType<typeof createLockWait>;
  /** Called before money is written. */
  checkPlace: () => void;
}

function createDriver(
  { counts, money }: Connections,
  { whenFree, checkPlace }: DriverOptions,
): Omit<LedgerDatabase, "close"> {
  const connectionOf = (kind: SqlStatement["kind"] | undefined) => (kind === "money" ? money : counts);
  const known = new Map<SqlStatement, Prepared>();

  function prepare(statement: SqlStatement): Prepared {
    let prepared = known.get(statement);
    if (prepared === undefined) {
      prepared = new Prepared(connectionOf(statement.kind), statement.sql);
      known.set(statement, prepared);
    }
    return prepared;
  }

  const work = <T>(attempt: () => T): MaybePromise<T> => {
    try {
      const result = whenFree(attempt);
      return result instanceof Promise ? result.catch(refuse) : result;
    } catch (cause) {
      return refuse(cause);
    }
  };

  const write = <T>(kind: SqlStatement["kind"], run: () => T): MaybePromise<T> =>
    work(() => {
      if (kind === "money") checkPlace();
      return commitTogether(connectionOf(kind), run);
    });

  function all(statement: SqlStatement, ...values: Cell[]): MaybePromise<Row[]> {
    const { kind } = statement;
    const run = () => prepare(statement).all(values);
    return kind === "read" ? work(run) : write(kind, run);
  }

  const first: LedgerDatabase["first"] = (statement, ...values) =>
    statement.kind === "read"
      ? work(() => prepare(statement).first(values))
      : andThen(all(statement, ...values), (rows) => rows[0]);

  return {
    name: "sqlite",
    first,
    // SQLite's writes are serial.
    firstInTurn: (_turn, statement, ...values) => first(statement, ...values),
    all,
    inOneTransaction(writes) {
      const kinds = new Set(writes.map(({ statement }) => statement.kind));
      assert(kinds.size === 1, "the writes of a transaction are all counts, or all of money");
      const runAll = () => writes.map(({ statement, values }) => prepare(statement).change(values));
      const [kind] = kinds as Iterable<SqlStatement["kind"]>;
      return write(kind as SqlStatement["kind"], () => runAll()[0] as number);
    },
    session: (mode, run) => runSession(money, { mode, run, work }),
    columnsOf: (table) =>
      work(() => new Prepared(money, `PRAGMA table_info(${table})`).all([]).map(({ name }) => String(name))),
  };
}

async function runSession<T>(
  money: DatabaseSync,
  options: {
    mode: "read" | "write";
    run: (runSql: RunSql) => Promise<T>;
    work: <R>(attempt: () => R) => MaybePromise<R>;
  },
): Promise<T> {
  const { mode, run, work } = options;
  await work(() => money.exec(mode === "read" ? "BEGIN" : "BEGIN IMMEDIATE"));
  try {
    const result = await run((sql, values = []) => work(() => new Prepared(money, sql).all(values)));
    await work(() => money.exec("COMMIT"));
    return result;
  } finally {
    if (money.isTransaction) money.exec("ROLLBACK");
  }
}

const ledgerFile = "ledger.sqlite";

function prepareConnection(connection: DatabaseSync, synchronous: "NORMAL" | "FULL"): void {
  connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON`);
}

/** In `user_version` and, since version 2, a table: version 1 resets `user_version` without touching tables. */
function migrate(connection: DatabaseSync): void {
  commitTogether(connection, () => {
    connection.exec("CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY)");
    const { noted, stamped } = new Prepared(connection, readVersion).first([]) as { noted: number; stamped: number };
    for (const { version, steps } of migrationsAfter(Math.max(noted, stamped))) {
      for (const sql of steps) connection.exec(sql);
      new Prepared(connection, "INSERT INTO migrations (version) VALUES ($1)").change([version]);
    }
    connection.exec(`PRAGMA user_version = ${schemaVersion}`);
  });
}

const readVersion =
  "SELECT (SELECT COALESCE(MAX(version), 0) FROM migrations) AS noted, (SELECT user_version FROM pragma_user_version) AS stamped";
