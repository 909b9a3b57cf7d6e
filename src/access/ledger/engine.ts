import type { MaybePromise } from "../../kernel/maybe-promise.ts";

export type Cell = string | number | null;
export type Row = Record<string, Cell>;

/**
 * One statement, written once for both engines: parameters are `$1`, `$2`, … each used exactly once and in order.
 * `money` is on disk before the call returns. What only `count`s survives the process and may be lost with the machine.
 */
export interface Statement {
  readonly sql: string;
  readonly kind: "read" | "count" | "money";
}

export interface Step {
  statement: Statement;
  values: readonly Cell[];
}

/** What an engine can do; everything else is said in statements. Failures are ServiceError `ledger_unavailable`. */
export interface Engine {
  readonly name: "sqlite" | "postgres";
  /** Runs one statement and gives its first row, if it returns any. */
  first(statement: Statement, ...values: Cell[]): MaybePromise<Row | undefined>;
  /** Runs one statement and gives all its rows. */
  all(statement: Statement, ...values: Cell[]): MaybePromise<Row[]>;
  /** Runs the steps in one durable transaction, all of them or none, and tells how many rows the first one changed. */
  together(steps: readonly Step[]): MaybePromise<number>;
  close(): MaybePromise<void>;
}
