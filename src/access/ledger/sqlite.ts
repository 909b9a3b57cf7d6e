import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { ServiceError } from "../../kernel/error.ts";
import type { Cell, LedgerDatabase, Row, Statement } from "./database.ts";
import { migrations } from "./migrations.ts";

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
  const prepared = new Map<Statement, Prepared>();

  function prepare(statement: Statement): Prepared {
    const known = prepared.get(statement);
    if (known !== undefined) return known;
    const made = (statement.kind === "money" ? money : counts).prepare<Cell[], Row>(toSqlite(statement.sql));
    prepared.set(statement, made);
    return made;
  }

  function run(statement: Statement, values: readonly Cell[]): Row | undefined {
    const ready = prepare(statement);
    if (ready.reader) return ready.get(...values);
    ready.run(...values);
    return undefined;
  }

  const groups = createGroups(counts, run);
  return {
    name: "sqlite",
    first(statement, ...values) {
      if (statement.kind === "count") return groups.add(statement, values);
      try {
        return run(statement, values);
      } catch (cause) {
        throw unavailable(cause);
      }
    },
    all(statement, ...values) {
      try {
        return prepare(statement).all(...values);
      } catch (cause) {
        throw unavailable(cause);
      }
    },
    inOneTransaction(writes) {
      try {
        const all = money.transaction(() => {
          return writes.map(({ statement, values }) => money.prepare(toSqlite(statement.sql)).run(...values).changes);
        });
        return all.immediate()[0] ?? 0;
      } catch (cause) {
        throw unavailable(cause);
      }
    },
    close() {
      groups.flush();
      money.close();
      counts.close();
    },
  };
}

interface Waiting {
  statement: Statement;
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
  run: (statement: Statement, values: readonly Cell[]) => Row | undefined,
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
      for (const { reject } of group) reject(unavailable(cause));
    }
  }

  return {
    flush,
    add(statement: Statement, values: readonly Cell[]): Promise<Row | undefined> {
      return new Promise((resolve, reject) => {
        if (waiting.push({ statement, values, resolve, reject }) === 1) setImmediate(flush);
      });
    },
  };
}

/** The name of the database file in its directory. */
export const ledgerFile = "ledger.sqlite";

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

function unavailable(cause: unknown): ServiceError {
  return new ServiceError("ledger_unavailable", undefined, { cause });
}
