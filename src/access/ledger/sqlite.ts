import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { assert } from "../../kernel/error.ts";
import { andThen, type MaybePromise } from "../../kernel/maybe-promise.ts";
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
import { createLockWait } from "./lock-wait.ts";

/**
 * SQLite: one file in `directory`, which is created if needed. `synchronous` is a property of a connection, so there are two:
 * payments wait for the disk, counts do not. Both survive a crash of the process. A machine crash can lose the last few free or
 * pass calls. It never loses a payment. `waitMs`: how long to wait while another program holds the lock of the file.
 */
export async function openSqlite(directory: string, waitMs = 5_000): Promise<LedgerDatabase> {
  makeFolder(directory);
  const file = join(directory, ledgerFile);
  const whenFree = createLockWait(waitMs);
  const counts = new Database(file, { timeout: 0 });
  const money = new Database(file, { timeout: 0 });
  const close = () => {
    money.close();
    counts.close();
  };
  try {
    await whenFree(() => prepareConnection(counts, "NORMAL"));
    await whenFree(() => prepareConnection(money, "FULL"));
    await whenFree(() => migrate(money));
  } catch (cause) {
    close();
    refuseLedger(cause);
  }
  return { ...createDriver({ counts, money }, { whenFree, checkPlace: watchPlace(file) }), close };
}

/** With the folders above it. Node's own way to do that never ends below a folder that takes no folders, such as /proc. */
function makeFolder(path: string): void {
  const isThere = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it this moment.
    if (!isThere()) throw error;
  }
}

/**
 * Gives a check that throws where another file stands in the place of the open one, or none. SQLite would go on in a file without a
 * name, and a restart would find nothing of it.
 */
function watchPlace(file: string): () => void {
  const identify = () =>
    [file, `${file}-wal`].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino).join();
  const opened = identify();
  return () => {
    if (identify() !== opened) throw new Error("the file of the ledger was removed or replaced");
  };
}

interface Connections {
  /** Reads too. */
  counts: Database.Database;
  money: Database.Database;
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
  const prepared = new Map<SqlStatement, Database.Statement<Cell[], Row>>();

  function prepare(statement: SqlStatement): Database.Statement<Cell[], Row> {
    const known = prepared.get(statement);
    if (known !== undefined) return known;
    const made = connectionOf(statement.kind).prepare<Cell[], Row>(toSqlite(statement.sql));
    prepared.set(statement, made);
    return made;
  }

  const work = <T>(attempt: () => T): MaybePromise<T> => {
    try {
      const result = whenFree(attempt);
      return result instanceof Promise ? result.catch(refuseLedger) : result;
    } catch (cause) {
      return refuseLedger(cause);
    }
  };

  const write = <T>(kind: SqlStatement["kind"], run: () => T): MaybePromise<T> =>
    work(() => {
      if (kind === "money") checkPlace();
      return inTransaction(connectionOf(kind), run);
    });

  function all(statement: SqlStatement, ...values: Cell[]): MaybePromise<Row[]> {
    const { kind } = statement;
    if (kind === "read") return work(() => prepare(statement).all(...values));
    return write(kind, () => rowsOf(prepare(statement), values));
  }

  const first: LedgerDatabase["first"] = (statement, ...values) =>
    statement.kind === "read"
      ? work(() => prepare(statement).get(...values))
      : andThen(all(statement, ...values), (rows) => rows[0]);

  return {
    name: "sqlite",
    first,
    // All writes of SQLite come one after the other.
    firstInTurn: (_turn, statement, ...values) => first(statement, ...values),
    all,
    inOneTransaction(writes) {
      const kinds = new Set(writes.map(({ statement }) => statement.kind));
      assert(kinds.size === 1, "the writes of a transaction are all counts, or all of money");
      const runAll = () => writes.map(({ statement, values }) => prepare(statement).run(...values).changes);
      const [kind] = kinds as Iterable<SqlStatement["kind"]>;
      return write(kind as SqlStatement["kind"], () => runAll()[0] as number);
    },
    session: (mode, run) => runSession(money, { mode, run, work }),
    columnsOf: (table) =>
      work(() => (money.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name)),
  };
}

async function runSession<T>(
  money: Database.Database,
  options: {
    mode: "read" | "write";
    run: (runSql: RunSql) => Promise<T>;
    work: <R>(attempt: () => R) => MaybePromise<R>;
  },
): Promise<T> {
  const { mode, run, work } = options;
  await work(() => money.exec(mode === "read" ? "BEGIN" : "BEGIN IMMEDIATE"));
  try {
    const result = await run((sql, values = []) => work(() => rowsOf(money.prepare(toSqlite(sql)), values)));
    await work(() => money.exec("COMMIT"));
    return result;
  } finally {
    if (money.inTransaction) money.exec("ROLLBACK");
  }
}

/**
 * Runs the work in a transaction of its own and throws when its commit fails. A statement outside of a transaction commits when it
 * is reset, and the driver does not look at what comes of that: on a full disk, the row would be missing and nobody would know.
 */
function inTransaction<T>(connection: Database.Database, work: () => T): T {
  let run = runners.get(connection);
  if (run === undefined) {
    run = connection.transaction((inside: () => unknown) => inside());
    runners.set(connection, run);
  }
  return run.immediate(work) as T;
}

/** Making one costs more than a statement. */
const runners = new WeakMap<Database.Database, Database.Transaction<(inside: () => unknown) => unknown>>();

/** Runs a statement to its end. `get` would stop at the first row and would not see a failure after it. */
function rowsOf(statement: Database.Statement<Cell[], unknown>, values: readonly Cell[]): Row[] {
  if (statement.reader) return statement.all(...values) as Row[];
  statement.run(...values);
  return [];
}

/** The name of the database file in its directory. */
const ledgerFile = "ledger.sqlite";

function prepareConnection(connection: Database.Database, synchronous: "NORMAL" | "FULL"): void {
  connection.pragma("journal_mode = WAL");
  connection.pragma(`synchronous = ${synchronous}`);
  connection.pragma("foreign_keys = ON");
}

/**
 * The version stands in `user_version` and, since version 2, in a table too: a program of version 1 sets `user_version` back to 1
 * without touching the tables.
 */
function migrate(connection: Database.Database): void {
  inTransaction(connection, () => {
    connection.exec("CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY)");
    const noted = connection.prepare("SELECT COALESCE(MAX(version), 0) FROM migrations").pluck().get() as number;
    const done = Math.max(noted, Number(connection.pragma("user_version", { simple: true })));
    for (const { version, steps } of migrationsAfter(done)) {
      for (const sql of steps) connection.exec(sql);
      connection.prepare("INSERT INTO migrations (version) VALUES (?)").run(version);
    }
    connection.pragma(`user_version = ${schemaVersion}`);
  });
}

/** Every parameter is used once and in order, so `?` does. Numbered parameters would cost an object per call. */
function toSqlite(sql: string): string {
  return sql.replace(/\$\d+/g, "?");
}
