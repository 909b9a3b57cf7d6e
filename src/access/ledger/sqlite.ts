import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { type Cell, type LedgerDatabase, migrations, type Row, refuseLedger, type SqlStatement } from "./database.ts";

type Prepared = Database.Statement<Cell[], Row>;

/**
 * SQLite: one file in `directory`, which is created if needed. `synchronous` is a property of a connection, so there are two:
 * payments wait for the disk, counts do not. Both survive a crash of the process. A machine crash can lose the last few free or
 * pass calls. It never loses a payment.
 */
export function openSqlite(directory: string): LedgerDatabase {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, ledgerFile);
  const counts = connect(file, "NORMAL");
  const money = connect(file, "FULL");
  migrate(money);
  const prepared = new Map<SqlStatement, Prepared>();

  function prepare(statement: SqlStatement): Prepared {
    const known = prepared.get(statement);
    if (known !== undefined) return known;
    const made = (statement.kind === "money" ? money : counts).prepare<Cell[], Row>(toSqlite(statement.sql));
    prepared.set(statement, made);
    return made;
  }

  function run(statement: SqlStatement, values: readonly Cell[]): Row | undefined {
    const ready = prepare(statement);
    if (ready.reader) return ready.get(...values);
    ready.run(...values);
    return undefined;
  }

  const groups = createGroups(counts, run);
  return {
    name: "sqlite",
    first: (statement, ...values) =>
      statement.kind === "count"
        ? groups.add(statement, values).catch(refuseLedger)
        : guard(() => run(statement, values)),
    all: (statement, ...values) => guard(() => prepare(statement).all(...values)),
    inOneTransaction(writes) {
      const all = money.transaction(() =>
        writes.map(({ statement, values }) => money.prepare(toSqlite(statement.sql)).run(...values).changes),
      );
      return guard(() => all.immediate()[0] ?? 0);
    },
    close() {
      groups.flush();
      money.close();
      counts.close();
    },
  };
}

interface Waiting {
  statement: SqlStatement;
  values: readonly Cell[];
  resolve: (row: Row | undefined) => void;
  reject: (cause: unknown) => void;
}

/**
 * Runs all statements of one turn of the event loop in one transaction, because a commit costs several times as much as a
 * statement. Callers get their answer after the commit.
 */
function createGroups(
  connection: Database.Database,
  run: (statement: SqlStatement, values: readonly Cell[]) => Row | undefined,
) {
  let waiting: Waiting[] = [];
  const runAll = connection.transaction((group: readonly Waiting[]) =>
    group.map(({ statement, values }) => run(statement, values)),
  );

  function flush(): void {
    const group = waiting;
    waiting = [];
    if (group.length === 0) return;
    try {
      const rows = runAll.immediate(group);
      for (const [index, { resolve }] of group.entries()) resolve(rows[index]);
    } catch (cause) {
      for (const { reject } of group) reject(cause);
    }
  }

  return {
    flush,
    add(statement: SqlStatement, values: readonly Cell[]): Promise<Row | undefined> {
      return new Promise((resolve, reject) => {
        if (waiting.push({ statement, values, resolve, reject }) === 1) setImmediate(flush);
      });
    },
  };
}

/** The name of the database file in its directory. */
const ledgerFile = "ledger.sqlite";

function connect(file: string, synchronous: "NORMAL" | "FULL"): Database.Database {
  const connection = new Database(file, { timeout: busyTimeoutMs });
  connection.pragma("journal_mode = WAL");
  connection.pragma(`synchronous = ${synchronous}`);
  connection.pragma("foreign_keys = ON");
  return connection;
}

/** How long to wait while the operator's command writes to the same file. */
const busyTimeoutMs = 5_000;

function migrate(connection: Database.Database): void {
  const run = connection.transaction(() => {
    const done = Number(connection.pragma("user_version", { simple: true }));
    for (const step of migrations.slice(done)) for (const sql of step) connection.exec(sql);
    connection.pragma(`user_version = ${migrations.length}`);
  });
  run.immediate();
}

/** Every parameter is used once and in order, so `?` does. Numbered parameters would cost an object per call. */
function toSqlite(sql: string): string {
  return sql.replace(/\$\d+/g, "?");
}

function guard<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    return refuseLedger(cause);
  }
}
