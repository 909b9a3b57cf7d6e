import type { DatabaseSync, StatementSync } from "node:sqlite";
import { assert } from "../../../kernel/error.ts";
import { type Cell, NoSqliteError, type Row } from "./database.ts";

/**
 * SQLite as Node.js brings it along. It is asked for only here: Node.js may be built or started without it, and Node.js 22 warns that it is
 * experimental. Throws NoSqliteError.
 */
export function loadSqlite(): typeof DatabaseSync {
  const Database = process.getBuiltinModule("node:sqlite")?.DatabaseSync;
  // Node.js 23 cannot tell whether a commit that failed has left its transaction open.
  if (Database === undefined || !("isTransaction" in new Database(":memory:", { open: false })))
    throw new NoSqliteError();
  return Database;
}

/**
 * Runs the work in a transaction of its own and throws when its commit fails. A statement outside of a transaction commits when it
 * is reset, and the driver does not look at what comes of that: on a full disk, the row would be missing and nobody would know.
 */
export function commitTogether<T>(connection: DatabaseSync, work: () => T): T {
  connection.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    connection.exec("COMMIT");
    return result;
  } finally {
    // Some failures end the transaction by themselves, and others leave it open.
    if (connection.isTransaction) connection.exec("ROLLBACK");
  }
}

/** A statement of one connection. Its parameters are $1, $2, …, each used once and in order. */
export class Prepared {
  readonly #statement: StatementSync;
  readonly #parameters: number;

  constructor(connection: DatabaseSync, sql: string) {
    // Numbered parameters would cost an object per call.
    this.#statement = connection.prepare(sql.replace(/\$\d+/g, "?"));
    this.#parameters = sql.match(/\$\d+/g)?.length ?? 0;
  }

  /** Runs the statement to its end, so that it throws where that fails, and gives its rows. */
  all(values: readonly Cell[]): Row[] {
    this.#check(values);
    return this.#statement.all(...values) as Row[];
  }

  /** Stops at the first row, so it is for statements that only read. */
  first(values: readonly Cell[]): Row | undefined {
    this.#check(values);
    return this.#statement.get(...values) as Row | undefined;
  }

  /** Runs the statement to its end and tells how many rows it changed. */
  change(values: readonly Cell[]): number {
    this.#check(values);
    return Number(this.#statement.run(...values).changes);
  }

  /** A value that is missing would be NULL. */
  #check(values: readonly Cell[]): void {
    assert(values.length === this.#parameters, "a statement gets a value for each of its parameters");
  }
}
