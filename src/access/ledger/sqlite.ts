import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { ServiceError } from "../../kernel/error.ts";
import type { Cell, Engine, Row, Statement } from "./engine.ts";
import { migrations } from "./migrations.ts";

type Prepared = Database.Statement<Cell[], Row>;

/**
 * The embedded engine: one file in `directory`, made when it is not there. Two connections, because `synchronous` belongs to a
 * connection: what is durable waits for the disk, what counts does not. Both survive the death of the process.
 */
export function openSqlite(directory: string): Engine {
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
    together(steps) {
      try {
        const all = money.transaction(() => {
          return steps.map(({ statement, values }) => money.prepare(toSqlite(statement.sql)).run(...values).changes);
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
 * Runs what comes in one turn of the event loop in one transaction at its end: the commit costs several times what the
 * statement does, and nobody is answered before it.
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

/** The name of the database inside its directory. */
export const ledgerFile = "ledger.sqlite";

function connect(file: string, synchronous: "NORMAL" | "FULL"): Database.Database {
  const connection = new Database(file, { timeout: busyTimeoutMs });
  connection.pragma("journal_mode = WAL");
  connection.pragma(`synchronous = ${synchronous}`);
  connection.pragma("foreign_keys = ON");
  return connection;
}

/** The operator's command writes to the same file now and then. */
const busyTimeoutMs = 5_000;

function migrate(connection: Database.Database): void {
  const run = connection.transaction(() => {
    const done = Number(connection.pragma("user_version", { simple: true }));
    for (const step of migrations.slice(done)) for (const sql of step) connection.exec(sql);
    connection.pragma(`user_version = ${migrations.length}`);
  });
  run.immediate();
}

/** Parameters stand in order and once each, so numbers are not needed; a named parameter would cost an object a call. */
function toSqlite(sql: string): string {
  return sql.replace(/\$\d+/g, "?");
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError("ledger_unavailable", undefined, { cause });
}
