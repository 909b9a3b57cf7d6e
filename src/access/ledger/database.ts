import type { MaybePromise } from "../../kernel/maybe-promise.ts";

export type Cell = string | number | null;
export type Row = Record<string, Cell>;

/**
 * One SQL statement for both databases. Its parameters are `$1`, `$2`, …, each used exactly once and in order. `money` is on disk
 * before the call returns. `count` survives a crash of the process; a machine crash may lose it.
 */
export interface Statement {
  readonly sql: string;
  readonly kind: "read" | "count" | "money";
}

export interface Write {
  statement: Statement;
  values: readonly Cell[];
}

/** A database driver. Failures are ServiceError `ledger_unavailable`. */
export interface LedgerDatabase {
  readonly name: "sqlite" | "postgres";
  /** Runs one statement and returns its first row, if there is one. */
  first(statement: Statement, ...values: Cell[]): MaybePromise<Row | undefined>;
  /** Runs one statement and returns all its rows. */
  all(statement: Statement, ...values: Cell[]): MaybePromise<Row[]>;
  /** Runs all writes or none, in one durable transaction. Returns how many rows the first one changed. */
  inOneTransaction(writes: readonly Write[]): MaybePromise<number>;
  close(): MaybePromise<void>;
}
