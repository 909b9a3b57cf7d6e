import { readFileSync } from "node:fs";
import { assert, ServiceError } from "../../../kernel/error.ts";
import type { MaybePromise } from "../../../kernel/maybe-promise.ts";

export type Cell = string | number | null;
export type Row = Record<string, Cell>;

/**
 * One SQL statement. `money`: it is on disk before the call returns. `count`: it survives a crash of the process, but a crash of the
 * machine may lose it.
 */
export interface SqlStatement {
  readonly sql: string;
  readonly kind: "read" | "count" | "money";
}

export interface Write {
  statement: SqlStatement;
  values: readonly Cell[];
}

/** Runs one SQL text in a session and returns its rows. Parameters are $1, $2, …, each used once and in order. */
export type RunSql = (sql: string, values?: readonly Cell[]) => MaybePromise<Row[]>;

/** A database driver. Failures are ServiceError `ledger_unavailable`. Waiting never blocks the event loop. */
export interface LedgerDatabase {
  readonly name: "sqlite" | "postgres";
  /** Runs one statement and returns its first row, if there is one. */
  first(statement: SqlStatement, ...values: Cell[]): MaybePromise<Row | undefined>;
  /**
   * As `first`, for a write that depends on other writes: writes with the same `turn` run one after the other, and each sees the result of
   * those before it.
   */
  firstInTurn(turn: string, statement: SqlStatement, ...values: Cell[]): MaybePromise<Row | undefined>;
  /** Runs one statement and returns all its rows. */
  all(statement: SqlStatement, ...values: Cell[]): MaybePromise<Row[]>;
  /**
   * Runs all writes or none, in one transaction. All must be of the same kind. Returns how many rows the first one changed. Postgres tries
   * again where a connection breaks, so running the writes twice must have the same effect as once.
   */
  inOneTransaction(writes: readonly Write[]): MaybePromise<number>;
  /**
   * One transaction for longer work. Nothing else uses this ledger object meanwhile. `read` sees one moment, whatever others write; `write`
   * is durable. Nothing is written when the work rejects.
   */
  session<T>(mode: "read" | "write", work: (run: RunSql) => Promise<T>): Promise<T>;
  /** The names of a table's columns. */
  columnsOf(table: string): MaybePromise<string[]>;
  close(): MaybePromise<void>;
}

/** The SQL text that creates and changes the tables (tables.sql), statement by statement for each version. */
const migrations: readonly (readonly string[])[] = readParts("tables.sql", /^-- version \d+$/m).map((part) =>
  part.split(";").filter((sql) => sql.trim() !== ""),
);

/** The version of the tables that this program knows. */
export const schemaVersion = migrations.length;

/** Thrown when a newer program made the ledger. Nothing was changed. */
export class LedgerVersionError extends Error {
  readonly code = "ledger_too_new";

  constructor(found: number) {
    super(
      `The ledger has version ${found}, and this program knows only version ${schemaVersion} (ledger_too_new). ` +
        "Run the newer program, or restore a backup that was made before it.",
    );
    this.name = "LedgerVersionError";
  }
}

/** Thrown where this Node.js has no SQLite that keeps a ledger. Nothing was opened. */
export class NoSqliteError extends Error {
  override readonly name = "NoSqliteError";
  readonly code = "sqlite_missing";

  constructor() {
    super(
      `Node.js ${process.versions.node} has no node:sqlite that can keep a ledger (sqlite_missing). Use Node.js 24 or newer, or 22.18 or ` +
        "newer of Node.js 22, built and started with it, or a PostgreSQL server (DATABASE_URL).",
    );
  }
}

/** The steps from this version of the tables to ours. Throws LedgerVersionError. */
export function migrationsAfter(version: number): { version: number; steps: readonly string[] }[] {
  if (version > schemaVersion) throw new LedgerVersionError(version);
  return migrations.map((steps, index) => ({ version: index + 1, steps })).slice(version);
}

/** A statement of statements.sql or postgres.sql. */
export function statement(name: string): SqlStatement {
  const found = statements.get(name);
  assert(found !== undefined, `statements.sql has no statement ${name}`);
  return found;
}

const statements = new Map(
  ["statements.sql", "postgres.sql"]
    .flatMap((file) => readParts(file, /^-- name: /m))
    .map((part) => {
      const [, name = "", kind] = /^(\w+) \((read|count|money)\)\n/.exec(part) ?? [];
      const lines = part.split("\n").slice(1);
      const sql = lines.filter((line) => !line.startsWith("--")).join("\n");
      return [name, { sql, kind: kind as SqlStatement["kind"] }];
    }),
);

/** The parts of a file, each after a line that matches `start`. */
function readParts(file: string, start: RegExp): string[] {
  return readFileSync(new URL(file, import.meta.url), "utf8")
    .split(start)
    .slice(1);
}

/** Throws the error for any failure of a database. */
export function refuseLedger(cause: unknown): never {
  if (cause instanceof ServiceError || cause instanceof LedgerVersionError) throw cause;
  throw new ServiceError("ledger_unavailable", undefined, { cause });
}
