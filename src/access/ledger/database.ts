import { readFileSync } from "node:fs";
import { assert, ServiceError } from "../../kernel/error.ts";
import type { MaybePromise } from "../../kernel/maybe-promise.ts";

export type Cell = string | number | null;
export type Row = Record<string, Cell>;

/**
 * One SQL statement for both databases. `money` is on disk before the call returns. `count` survives a crash of the process; a
 * machine crash may lose it.
 */
export interface SqlStatement {
  readonly sql: string;
  readonly kind: "read" | "count" | "money";
}

export interface Write {
  statement: SqlStatement;
  values: readonly Cell[];
}

/** A database driver. Failures are ServiceError `ledger_unavailable`. */
export interface LedgerDatabase {
  readonly name: "sqlite" | "postgres";
  /** Runs one statement and returns its first row, if there is one. */
  first(statement: SqlStatement, ...values: Cell[]): MaybePromise<Row | undefined>;
  /** Runs one statement and returns all its rows. */
  all(statement: SqlStatement, ...values: Cell[]): MaybePromise<Row[]>;
  /** Runs all writes or none, in one durable transaction. Returns how many rows the first one changed. */
  inOneTransaction(writes: readonly Write[]): MaybePromise<number>;
  close(): MaybePromise<void>;
}

/** The SQL text that creates and changes the tables (tables.sql), statement by statement for each version. */
export const migrations: readonly (readonly string[])[] = readParts("tables.sql", /^-- version \d+$/m).map((part) =>
  part.split(";").filter((sql) => sql.trim() !== ""),
);

/** A statement of statements.sql. */
export function statement(name: string): SqlStatement {
  const found = statements.get(name);
  assert(found !== undefined, `statements.sql has no statement ${name}`);
  return found;
}

const statements = new Map(
  readParts("statements.sql", /^-- name: /m).map((part) => {
    const [, name = "", kind] = /^(\w+) \((read|count|money)\)\n/.exec(part) ?? [];
    const lines = part.split("\n").slice(1);
    const sql = lines.filter((line) => !line.startsWith("--")).join("\n");
    return [name, { sql, kind: kind as SqlStatement["kind"] }];
  }),
);

/** The parts of a file that begin with such a line. */
function readParts(file: string, start: RegExp): string[] {
  return readFileSync(new URL(file, import.meta.url), "utf8")
    .split(start)
    .slice(1);
}

/** Throws what every failure of a database becomes. */
export function refuseLedger(cause: unknown): never {
  throw new ServiceError("ledger_unavailable", undefined, { cause });
}
