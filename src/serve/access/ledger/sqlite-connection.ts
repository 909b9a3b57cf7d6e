import type { DatabaseSync, StatementSync } from "node:sqlite";
import { assert } from "../../../kernel/error.ts";
import { type Cell, NoSqliteError, type Row } from "./database.ts";

/** Of Node.js, which may lack it; Node.js 22 warns. Throws NoSqliteError. */
export function loadSqlite(): typeof DatabaseSync {
  const Database = process.getBuiltinModule("node:sqlite")?.DatabaseSync;
  // Node.js 23 cannot tell whether a failed commit left its transaction open.
  if (Database === undefined || !("isTransaction" in new Database(":memory:", { open: false })))
    throw new NoSqliteError();
  return Database;
}

/** Throws when the commit fails. A lone statement commits at reset, unseen by the driver: on a full disk the row would be lost silently. */
export function commitTogether<T>(connection: DatabaseSync, work: () => T): T {
  connection.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    connection.exec("COMMIT");
    return result;
  } finally {
    // Some failures end the transaction, others do not.
    if (connection.isTransaction) connection.exec("ROLLBACK");
  }
}

/** $1, $2, …, each once and in order. */
export class Prepared {
  readonly #statement: StatementSync;
  readonly #parameters: number;

  constructor(connection: DatabaseSync, sql: string) {
    // Numbered ones cost an object per call.
    this.#statement = connection.prepare(sql.replace(/\$\d+/g, "?"));
    this.#parameters = sql.match(/\$\d+/g)?.length ?? 0;
  }

  /** To its end, so that failures throw. */
  all(values: readonly Cell[]): Row[] {
    this.#check(values);
    return this.#statement.all(...values) as Row[];
  }

  /** Stops at the first row: for reads only. */
  first(values: readonly Cell[]): Row | undefined {
    this.#check(values);
    return this.#statement.get(...values) as Row | undefined;
  }

  /** To its end; returns changed rows. */
  change(values: readonly Cell[]): number {
    this.#check(values);
    return Number(this.#statement.run(...values).changes);
  }

  /** Missing would be NULL. */
  #check(values: readonly Cell[]): void {
    assert(values.length === this.#parameters, "a statement gets a value for each of its parameters");
  }
}
