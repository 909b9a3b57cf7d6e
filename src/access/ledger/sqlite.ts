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
    const made = (statement.durable ? money : counts).prepare<Cell[], Row>(toSqlite(statement.sql));
    prepared.set(statement, made);
    return made;
  }

  return {
    name: "sqlite",
    first(statement, ...values) {
      const ready = prepare(statement);
      try {
        if (ready.reader) return ready.get(...values);
        ready.run(...values);
        return undefined;
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
        const run = money.transaction(() => {
          return steps.map(({ statement, values }) => money.prepare(toSqlite(statement.sql)).run(...values).changes);
        });
        return run.immediate()[0] ?? 0;
      } catch (cause) {
        throw unavailable(cause);
      }
    },
    close() {
      money.close();
      counts.close();
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
